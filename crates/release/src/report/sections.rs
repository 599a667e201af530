//! The sections of a report: plain values, which are written as JSON and read back.

use std::collections::BTreeMap;

use palmtop_core::words::count;
use serde::{Deserialize, Serialize};

use crate::caution::Caution;
use palmtop_project::Statements;

/// A lower and an upper bound, as exact fractions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The lower bound.
    pub min: String,
    /// The upper bound.
    pub max: String,
}

/// The verdict of the verifier, with the cautions for the signer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether the file is a faithful release that satisfies the policy.
    pub verified: bool,
    /// The conclusion in a few sentences: what δ means for one person, with figures.
    pub conclusion: String,
    /// The reasons for a refusal, one a line, without any value of a table. Empty if the file is verified.
    pub reasons: Vec<String>,
    /// The facts that a signer must know although the file may be verified.
    pub cautions: Vec<Caution>,
}

/// The released file. Both reports have this section, because all of it can be read from the file itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleasedFile {
    /// The file's name, without its folder.
    pub file: String,
    /// `CSV`, `Parquet` or `Arrow`.
    pub format: String,
    /// The file's SHA-256, in hexadecimal.
    pub sha256: String,
    /// The encoding of a CSV file; `None` for Parquet and Arrow, which define it.
    pub encoding: Option<String>,
    /// The separator of a CSV file; `None` for Parquet and Arrow.
    pub separator: Option<String>,
    /// The number of rows, without the header.
    pub rows: u64,
    /// The names of the columns, in file order; empty if the file is not a faithful release.
    pub columns: Vec<String>,
}

/// The form of the values in a column of the released file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnSection {
    /// The name of the column in the file.
    pub column: String,
    /// The form of its values: `texts`, `whole numbers`, `dates as year-month-day`, and so on.
    pub form: String,
}

/// The analyst's statements, under `[report]` of the project; null if the project does not state it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedSection {
    /// The person who is responsible for the release.
    pub responsible: Option<String>,
    /// The organization that publishes the release.
    pub organization: Option<String>,
    /// The period of the data.
    pub period: Option<String>,
    /// The day of the next review.
    pub review: Option<String>,
    /// Whom to ask about the release.
    #[serde(default)]
    pub contact: Option<String>,
    /// Who gets the release: `public`, `agreement`, or the analyst's words.
    pub context: Option<String>,
    /// The recipients by name.
    #[serde(default)]
    pub recipients: Option<String>,
    /// What keeps the recipients from misusing the release.
    #[serde(default)]
    pub controls: Option<String>,
    /// The probability of an attempt to re-identify a person.
    pub attempt: Option<AttemptSection>,
    /// Who the people of P are.
    pub public: Option<String>,
    /// The laws that cautions name.
    #[serde(default)]
    pub law: Vec<String>,
}

/// The probability of each kind of attempt to re-identify a person, as the analyst states it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptSection {
    /// The probability of an attempt on purpose.
    pub deliberate: String,
    /// The probability that a reader recognizes an acquaintance by chance.
    pub inadvertent: String,
    /// The probability of an attempt after a data breach.
    pub breach: String,
}

impl From<&Statements> for StatedSection {
    fn from(stated: &Statements) -> Self {
        let Statements { responsible, organization, period, review, contact, .. } = stated.clone();
        let Statements { context, recipients, controls, attempt, public, law, .. } = stated.clone();
        let law = law.iter().map(|law| law.as_str().to_owned()).collect();
        let attempt = attempt.map(|attempt| AttemptSection {
            deliberate: attempt.deliberate.to_string(),
            inadvertent: attempt.inadvertent.to_string(),
            breach: attempt.breach.to_string(),
        });
        Self {
            responsible,
            organization,
            period,
            review,
            contact,
            context,
            recipients,
            controls,
            attempt,
            public,
            law,
        }
    }
}

/// How the release was made: a quotation of the run's report, which is not recounted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeBy {
    /// The name of the run's report, without its folder. The run's report has the hash of the released file.
    pub source: String,
    /// The version of palmtop that made the release.
    pub palmtop: String,
    /// Whether the run had the current project, tables and hierarchies.
    pub same_inputs: bool,
    /// The δ under which the run searched.
    pub delta: Bounds,
    /// The command that makes the release again; `None` if no single command does.
    pub command: Option<String>,
    /// The strategy, or `node`.
    pub strategy: String,
    /// The metric that the search minimized.
    pub metric: String,
    /// The seed; `None` if the run did not depend on it.
    pub seed: Option<u64>,
    /// The number of rounds of `best`.
    pub rounds: Option<u64>,
    /// The number of opening steps of `best`, if it stopped before round 1.
    pub opening: Option<u64>,
    /// The levels of the node, one for each quasi-identifier.
    pub node: Option<Vec<u8>>,
    /// The reason why the search stopped.
    pub stop: Option<String>,
}

/// The kind of an input file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// The private table, T.
    Private,
    /// The public table, P.
    Public,
    /// The public table, which has T as a part of its rows.
    Both,
    /// The project file.
    Project,
    /// A hierarchy of an attribute.
    Hierarchy,
}

/// A file that the release was made from and verified against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputSection {
    /// The kind of the file.
    pub kind: InputKind,
    /// The path relative to the project's folder, or only the name if the file is further away.
    pub path: String,
    /// The file's SHA-256, in hexadecimal.
    pub sha256: String,
    /// The number of rows; `None` if the file is not a table.
    pub rows: Option<u64>,
    /// The number of its other rows, which are no people by the project.
    #[serde(default, skip_serializing_if = "is_none_left_out")]
    pub left_out: u64,
    /// The time of the last change, in UTC, from the file system.
    pub modified: Option<String>,
}

fn is_none_left_out(rows: &u64) -> bool {
    *rows == 0
}

/// The numbers of people. If people have several rows, every other section that counts rows says so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeopleSection {
    /// The number of individuals in P.
    pub public: u64,
    /// The number of members of T.
    pub private: u64,
    /// The number of members who are not in P and were left out.
    pub dropped: u64,
    /// The number of members who were not in P and were added to P.
    pub added: u64,
    /// The rows of P that repeat a person and are left out.
    #[serde(default)]
    pub public_repeats: u64,
    /// The rows of T that repeat a person and are left out.
    #[serde(default)]
    pub private_repeats: u64,
    /// The number of individuals in P who match no released row.
    pub unmatched: u64,
    /// The number of withdrawn members, who match no released row.
    pub withdrawn: u64,
    /// The greatest number of members that the project permits to withdraw.
    pub withdrawn_at_most: u64,
    /// The column of P with the people of a row; absent if a row is one person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count_column: Option<String>,
    /// The number of people for each text in P's `count` column that is not a number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub count_texts: BTreeMap<String, u64>,
    /// The rows of these people; `None` if each row is a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<PersonRowsSection>,
}

impl PeopleSection {
    /// How the rows of P became people, as a sentence without anything of T.
    pub fn counted_in_public(&self) -> String {
        let people = self.public.saturating_sub(self.added);
        match self.public_repeats {
            _ if self.rows.is_some() => {
                "All rows of the public table with one identifier are one person.".to_owned()
            }
            0 => "Each row of the public table is a person, or as many as its count says.".to_owned(),
            repeats => format!(
                "The {} rows of the public table are {} people: {} repeat a person and were left out.",
                count(people + repeats),
                count(people),
                count(repeats)
            ),
        }
    }
}

/// The rows of people who have several.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonRowsSection {
    /// The attribute that identifies the person of each row in both tables.
    pub entity: String,
    /// The number of rows of P.
    pub public: u64,
    /// The number of rows of T.
    pub private: u64,
}

/// The verdict on a release against one attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Every person's probability of being in T is within δ.
    Within,
    /// At least one person's probability is outside δ.
    Beyond,
    /// This attacker was not examined, or the examination is not a proof.
    NotJudged,
    /// δ does not limit what this attacker finds.
    Unlimited,
}

impl Verdict {
    /// `2 severe cautions have no answer`; `None` if all severe cautions are answered.
    pub fn unanswered(&self) -> Option<String> {
        match self.cautions.iter().filter(|caution| caution.is_open()).count() {
            0 => None,
            1 => Some("1 severe caution has no answer".to_owned()),
            open => Some(format!("{open} severe cautions have no answer")),
        }
    }
}

impl Judgement {
    /// The verdict in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Within => "within δ",
            Self::Beyond => "beyond δ",
            Self::NotJudged => "not judged",
            Self::Unlimited => "not limited by δ",
        }
    }
}

/// An attacker, with the verdict.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackerSection {
    /// The attacker's knowledge: the end of a sentence that begins with "An attacker who".
    pub knows: String,
    /// The verdict.
    pub judgement: Judgement,
    /// The reason for the verdict.
    pub basis: String,
}

/// The enforced δ, its source, and the achieved presence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeltaSection {
    /// The δ under which the release was verified.
    pub enforced: Bounds,
    /// The enforced δ as decimals, rounded to the safe side.
    pub enforced_decimal: Bounds,
    /// The source of δ: the project file, or a choice for this release.
    pub source: String,
    /// The project's δ, if the enforced δ is looser.
    pub looser_than: Option<Bounds>,
    /// The share of members in P: |T|/|P|.
    pub share: String,
    /// The least and the greatest presence, as the verifier recounted them.
    pub achieved: Bounds,
    /// The achieved presence as decimals, rounded outwards.
    pub achieved_decimal: Bounds,
    /// The δ that the given prior and acceptable misuse require; `None` if they were not given.
    pub advice: Option<AdviceSection>,
    /// The analyst's reason for δ; `None` if none was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// The δ that a prior and an acceptable misuse require.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdviceSection {
    /// The assumed probability that a random individual in P has the property of all of T.
    pub prior: String,
    /// The cost of one wrongly changed belief.
    pub cost: String,
    /// The acceptable misuse if belief rises.
    pub misuse: String,
    /// The acceptable misuse if belief falls.
    pub misuse_down: Option<String>,
    /// The δ that follows from them.
    pub delta: Bounds,
    /// Whether the enforced δ is at least as strict.
    pub kept: bool,
    /// Whether the achieved presence is within this δ.
    pub achieved_within: bool,
}

/// The histogram of presence: individuals in P by the presence of their class.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresenceSection {
    /// The bars, in ascending order. The first bar is for presence 0 only.
    pub bars: Vec<PresenceBar>,
}

/// The classes with a presence above `from` and at most `to`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresenceBar {
    /// The exclusive lower end; 0 in the bar of presence 0.
    pub from: f64,
    /// The inclusive upper end.
    pub to: f64,
    /// The number of individuals in P.
    pub individuals: u64,
    /// The number of members of T.
    pub members: u64,
    /// The number of classes.
    pub classes: u64,
}

/// A criterion that is enforced or measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriterionSection {
    /// The key in `[policy]`; `presence` is δ.
    pub name: String,
    /// The required value; `None` if the criterion is only measured.
    pub required: Option<String>,
    /// The recounted value; `None` if it could not be recounted.
    pub achieved: Option<String>,
    /// Whether the criterion holds; `None` if it is not required.
    pub holds: Option<bool>,
}

/// The cost of generalization.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UtilitySection {
    /// The recoding: `node 3,2,2`, or `regions`.
    pub recoding: String,
    /// The mean loss of the attributes, from 0 (not generalized) to 1 (all `*`).
    pub loss: f64,
    /// The geometric mean of the attributes' losses: Π(1 + loss)^(1/m) − 1.
    pub loss_geometric: f64,
    /// The mean loss over the values that occur in P.
    pub loss_occurring: f64,
    /// Σ a² over the released classes, with a members each, plus |T| for each withdrawn member.
    pub discernibility: u64,
    /// The number of members over the number of classes.
    pub average_class_size: f64,
    /// 1 minus the mean share of its levels by which each attribute was raised; `None` for regions.
    pub precision: Option<f64>,
    /// The loss of each quasi-identifier, in project order.
    pub attributes: Vec<AttributeLoss>,
}

/// The loss of one attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeLoss {
    /// The name of the attribute.
    pub attribute: String,
    /// The loss, from 0 to 1.
    pub loss: f64,
    /// The loss over the values that occur in P.
    pub loss_occurring: f64,
}

/// The treatment of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeSection {
    /// The name of the attribute.
    pub attribute: String,
    /// The role: `identifier`, `quasi`, `sensitive` or `insensitive`.
    pub role: String,
    /// The name of its column in T.
    pub private_column: String,
    /// The name of its column in P; `None` if the attribute is not a quasi-identifier.
    pub public_column: Option<String>,
    /// The treatment, in words.
    pub treatment: String,
    /// The generalization; `None` if the attribute is not a quasi-identifier.
    pub generalization: Option<GeneralizationSection>,
}

/// How a quasi-identifier was generalized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralizationSection {
    /// The file of the hierarchy.
    pub hierarchy: String,
    /// The kind of the values: `number`, `date` or `category`.
    pub kind: String,
    /// The level that P has, and the top level.
    pub levels: [u8; 2],
    /// The permitted levels, if the project limits them.
    pub permitted: Option<String>,
    /// Whether only labels may be published.
    pub labels_only: bool,
    /// The largest number of terms of a published set, if the project limits it.
    #[serde(default)]
    pub terms: Option<u32>,
    /// The level at whose labels published ranges begin and end, if the project has one.
    #[serde(default)]
    pub borders: Option<u8>,
    /// The weight of its loss.
    pub weight: u32,
    /// The published labels by level, ranges and sets last; `None` if the release could not be read.
    pub published: Option<Vec<PublishedLabels>>,
}

/// The labels of one level that were published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedLabels {
    /// The level; `None` for ranges and sets.
    pub level: Option<u8>,
    /// The number of different labels.
    pub labels: u64,
    /// The number of rows with these labels.
    pub rows: u64,
}

/// The identifiers, columns and members that are left out of the release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutSection {
    /// The identifiers that are left out.
    pub identifiers: Vec<String>,
    /// The other columns that are never published.
    pub withheld: Vec<String>,
    /// The identifiers that are replaced by pseudonyms.
    pub pseudonyms: Vec<PseudonymSection>,
    /// The columns of T that no attribute lists.
    pub unlisted: Vec<String>,
    /// The project's rule for members who are not in P: `error`, `drop` or `add`.
    pub not_in_public: String,
    /// The share of members who may be withdrawn; `None` if the project permits none.
    pub suppress_at_most: Option<String>,
}

/// A column of pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PseudonymSection {
    /// The name of the column in the file.
    pub column: String,
    /// The rule that makes the pseudonyms: `new`, `keyed` or `keyed digits`.
    pub made: String,
}

/// The analyst's sitting in which the release was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistorySection {
    /// The name of the history's file.
    pub source: String,
    /// The number of the sitting in the history, from 1.
    pub sitting: usize,
    /// The version of palmtop that wrote the sitting.
    pub palmtop: String,
    /// Whether the sitting has the inputs against which the release was verified.
    pub same_inputs: bool,
    /// The step that made this release.
    pub released_step: usize,
    /// The steps, in their order.
    pub steps: Vec<StepSection>,
    /// The searches of the sitting that found a release before this one was written, opened or not.
    pub searches: Vec<SearchSection>,
    /// How many other searches of all sittings were seen before this release was chosen.
    pub seen: usize,
    /// The enforced δ, and every change of it, of all sittings until the release was written.
    pub decisions: Vec<DecisionSection>,
}

/// A search that found a release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSection {
    /// The search, in words.
    pub search: String,
    /// The δ that the found release keeps.
    pub delta: Bounds,
}

/// A step of the analyst.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSection {
    /// The number of the step, from 0.
    pub step: usize,
    /// Whether the step is the current step of the sitting.
    pub current: bool,
    /// The analyst's action.
    pub how: String,
    /// The result of the action: a node, or a search.
    pub place: String,
    /// The δ under which the result was judged.
    pub delta: Bounds,
}

/// A decision on δ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionSection {
    /// The time of the decision, in UTC.
    pub at: String,
    /// The δ after the decision.
    pub delta: Bounds,
    /// Why δ is this one, in words.
    pub reason: String,
    /// The input of `advise`, if δ keeps the advised bounds: `a prior of 4%, a misuse of 6% at cost 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advised_from: Option<String>,
}

/// How anyone who has the same files can check the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSection {
    /// The command that recounts the release from the raw tables.
    pub command: String,
}
