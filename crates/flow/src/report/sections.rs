//! The sections of a report: plain values that are written as JSON and read back.

use serde::{Deserialize, Serialize};

use crate::caution::Caution;
use crate::project::Statements;

/// Two bounds, as exact fractions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// The lower one.
    pub min: String,
    /// The upper one.
    pub max: String,
}

/// The verdict: whether the verifier found a faithful release that satisfies all that is enforced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Verdict {
    /// Whether it does.
    pub verified: bool,
    /// The conclusion in one sentence or two: what δ says of a person, with its figures.
    pub conclusion: String,
    /// Why not, one reason a line; without any value of a table. Empty where it is verified.
    pub reasons: Vec<String>,
    /// What the person who signs has to know all the same.
    pub cautions: Vec<Caution>,
}

/// The released file. All of it is in the file itself, so both reports have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReleasedFile {
    /// Its name, without its folder.
    pub file: String,
    /// `CSV`, `Parquet` or `Arrow`.
    pub format: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// The encoding of its text, for CSV; the other forms say it themselves.
    pub encoding: Option<String>,
    /// What is between its values, for CSV.
    pub separator: Option<String>,
    /// Its rows, the header not counted.
    pub rows: u64,
    /// Its columns, in their order; empty where it is no faithful release.
    pub columns: Vec<String>,
}

/// A column of the released file, as it is in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnSection {
    /// Its name.
    pub column: String,
    /// How its values are written: `texts`, `whole numbers`, `dates as year-month-day`, and so on.
    pub form: String,
}

/// A label that occurs in the released file, and what it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeSection {
    /// The column.
    pub column: String,
    /// The label.
    pub label: String,
    /// Whether it stands for people without a value.
    pub is_missing: bool,
    /// Whether all values are listed, or are all that lie between two of them.
    pub is_complete: bool,
    /// Whether `values` has the first and the last only; P has no other values between them.
    #[serde(default)]
    pub is_range: bool,
    /// How many values of P it contains, if they are not listed one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// The values of P that it contains, at most 40 of them.
    pub values: Vec<String>,
}

/// What the analyst states for the report, under `[report]` of the project; null is not stated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedSection {
    /// The person who is responsible for the release.
    pub responsible: Option<String>,
    /// The organization that releases it.
    pub organization: Option<String>,
    /// The period of the data.
    pub period: Option<String>,
    /// The day of the next review.
    pub review: Option<String>,
    /// Who gets the release: `public`, `agreement`, or the analyst's words.
    pub context: Option<String>,
    /// How likely an attempt to re-identify is.
    pub attempt: Option<AttemptSection>,
    /// Who the people of P are.
    pub public: Option<String>,
}

/// How likely each kind of attempt to re-identify is, as the analyst states.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptSection {
    /// On purpose.
    pub deliberate: String,
    /// By chance: somebody recognizes an acquaintance.
    pub inadvertent: String,
    /// After the release got into other hands.
    pub breach: String,
}

impl From<&Statements> for StatedSection {
    fn from(stated: &Statements) -> Self {
        let Statements { responsible, organization, period, review, context, attempt, public } =
            stated.clone();
        let attempt = attempt.map(|attempt| AttemptSection {
            deliberate: attempt.deliberate.to_string(),
            inadvertent: attempt.inadvertent.to_string(),
            breach: attempt.breach.to_string(),
        });
        Self { responsible, organization, period, review, context, attempt, public }
    }
}

/// How the release was made, as the file that `anonymize --report` or `replay --report` wrote says: told, and not recounted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeBy {
    /// The file that says so, without its folder; it names the released file by its hash.
    pub source: String,
    /// The palmtop that made it.
    pub palmtop: String,
    /// Whether the project, the tables and the hierarchies are those of the run.
    pub same_inputs: bool,
    /// The δ that the run searched under.
    pub delta: Bounds,
    /// The command that makes it again, where one does.
    pub command: Option<String>,
    /// The strategy, or `node`.
    pub strategy: String,
    /// What it minimized.
    pub metric: String,
    /// What was drawn from, where something was.
    pub seed: Option<u64>,
    /// The rounds of `best`.
    pub rounds: Option<u64>,
    /// The steps of its opening that `best` did, where it ended there.
    pub opening: Option<u64>,
    /// The k of a baseline.
    pub k: Option<u64>,
    /// The node, by its levels.
    pub node: Option<Vec<u8>>,
    /// Why the search stopped.
    pub stop: Option<String>,
}

/// What an input is to the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InputKind {
    /// T.
    Private,
    /// P.
    Public,
    /// P, of which T is a part.
    Both,
    /// The project file.
    Project,
    /// A hierarchy.
    Hierarchy,
    /// The rates of a prior.
    Prior,
}

/// A file that the release was made from and verified against.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputSection {
    /// What it is.
    pub kind: InputKind,
    /// Its path, from the project's folder on where it leads through that.
    pub path: String,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Its rows, for a table.
    pub rows: Option<u64>,
    /// When it was last written, in UTC, as the file system says.
    pub modified: Option<String>,
}

/// How many people there are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeopleSection {
    /// Individuals in P.
    pub public: u64,
    /// Members of T.
    pub private: u64,
    /// Members of T whom P lacks and who are excluded.
    pub dropped: u64,
    /// Members of T whom P lacks and who were added to P.
    pub added: u64,
    /// Individuals in P who match no released row.
    pub unmatched: u64,
    /// Members of T among them, who are withdrawn.
    pub withdrawn: u64,
    /// How many members may be withdrawn.
    pub withdrawn_at_most: u64,
}

/// What is known of a release against an adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Judgement {
    /// Everybody's probability of being in T is within δ.
    Within,
    /// Somebody's is outside.
    Beyond,
    /// Nobody looked, or what was looked at is no proof.
    NotJudged,
    /// δ does not limit what he finds.
    Unlimited,
}

impl Verdict {
    /// `2 severe cautions have no answer`; `None` if each one has.
    pub fn unanswered(&self) -> Option<String> {
        match self.cautions.iter().filter(|caution| caution.is_open()).count() {
            0 => None,
            1 => Some("1 severe caution has no answer".to_owned()),
            open => Some(format!("{open} severe cautions have no answer")),
        }
    }
}

impl Judgement {
    /// The words for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Within => "within δ",
            Self::Beyond => "beyond δ",
            Self::NotJudged => "not judged",
            Self::Unlimited => "not limited by δ",
        }
    }
}

/// An adversary, and the verdict on what the release tells him.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdversarySection {
    /// What he knows.
    pub knows: String,
    /// The verdict.
    pub judgement: Judgement,
    /// What it rests on.
    pub basis: String,
}

/// δ: what is enforced and where it came from, and what is achieved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeltaSection {
    /// What the release was verified under.
    pub enforced: Bounds,
    /// The same as decimals, rounded to the safe side.
    pub enforced_decimal: Bounds,
    /// Where it came from: the project file, or whoever made this release.
    pub source: String,
    /// The project's own δ, where the enforced one is looser.
    pub looser_than: Option<Bounds>,
    /// |T|/|P|.
    pub share: String,
    /// The least and the greatest presence of anybody in P, as the verifier recounted them.
    pub achieved: Bounds,
    /// The same as decimals, rounded outwards.
    pub achieved_decimal: Bounds,
    /// What the prior and the acceptable misuse that were given ask for.
    pub advice: Option<AdviceSection>,
}

/// The δ that a prior and an acceptable misuse ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdviceSection {
    /// How likely a random individual in P was taken to have what all of T has.
    pub prior: String,
    /// What one wrongly changed belief costs.
    pub cost: String,
    /// The acceptable misuse where belief rises.
    pub misuse: String,
    /// The acceptable misuse where belief falls.
    pub misuse_down: Option<String>,
    /// The δ that follows.
    pub delta: Bounds,
    /// Whether the enforced δ is as strict as that or stricter.
    pub kept: bool,
    /// Whether the achieved presence lies within it.
    pub achieved_within: bool,
}

/// How many individuals in P are in classes of which presence.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresenceSection {
    /// The bars, from presence 0 upwards: the first is presence 0 alone.
    pub bars: Vec<PresenceBar>,
}

/// The classes of which the presence is above one number and at most another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PresenceBar {
    /// The presence is above this; at 0 where [`to`](Self::to) is 0.
    pub from: f64,
    /// And at most this.
    pub to: f64,
    /// How many individuals in P they have.
    pub individuals: u64,
    /// How many members of T.
    pub members: u64,
    /// How many classes they are.
    pub classes: u64,
}

/// A criterion that is enforced or measured.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CriterionSection {
    /// Its key in `[policy]`; `presence` is δ.
    pub name: String,
    /// What is required; `None` where it is only measured.
    pub required: Option<String>,
    /// What the verifier recounted; `None` where nobody knows.
    pub achieved: Option<String>,
    /// Whether it holds; `None` where nothing is required.
    pub holds: Option<bool>,
}

/// What the release risks beside δ, measured and enforced by nobody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RiskSection {
    /// The classes with members.
    pub released_classes: u64,
    /// The least members of a class.
    pub k: u64,
    /// The least individuals in P of a class with members.
    pub k_map: u64,
    /// Members who are alone in their class.
    pub unique_members: u64,
    /// Members who are the only individual in P of their class.
    pub unique_people: u64,
    /// The mean over members of one over the members of their class.
    pub mean_risk: f64,
    /// The mean over members of one over the individuals in P of their class.
    pub mean_map_risk: f64,
    /// Of each sensitive attribute.
    pub sensitive: Vec<SensitiveSection>,
}

/// What the release tells of a sensitive attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensitiveSection {
    /// Its name.
    pub attribute: String,
    /// The least distinct values in a class.
    pub distinct: u64,
    /// The least number of even values that would have the entropy of a class.
    pub entropy: f64,
    /// The greatest distance of a class from all of T, all values equally far from each other.
    pub distance: f64,
    /// The same where the values stand in a row; `None` where they are no numbers.
    pub ordered_distance: Option<f64>,
    /// The same by the attribute's own hierarchy, where it has one.
    pub hierarchical_distance: Option<f64>,
}

/// What generalizing cost.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UtilitySection {
    /// What the rows are: `node 3,2,2`, or `regions`.
    pub recoding: String,
    /// The mean of the attributes' losses: from 0, as loaded, to 1, all `*`.
    pub loss: f64,
    /// Π(1 + loss)^(1/m) − 1.
    pub loss_geometric: f64,
    /// The mean loss where only the values count that occur in P.
    pub loss_occurring: f64,
    /// Σ a² over the released classes, a members each, and |T| for each who is withdrawn.
    pub discernibility: u64,
    /// Members over classes.
    pub average_class_size: f64,
    /// 1 minus the mean share of its levels that each attribute was raised; only a node has one.
    pub precision: Option<f64>,
    /// By quasi-identifier, in project order.
    pub attributes: Vec<AttributeLoss>,
}

/// What generalizing cost of one attribute.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeLoss {
    /// The attribute.
    pub attribute: String,
    /// Its loss.
    pub loss: f64,
    /// Its loss where only the values count that occur in P.
    pub loss_occurring: f64,
}

/// What became of an attribute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttributeSection {
    /// Its name.
    pub attribute: String,
    /// `identifier`, `quasi`, `sensitive` or `insensitive`.
    pub role: String,
    /// Its column in T, where it has one.
    pub private_column: String,
    /// Its column in P, for a quasi-identifier.
    pub public_column: Option<String>,
    /// What was done, in words.
    pub treatment: String,
    /// How it was generalized, for a quasi-identifier.
    pub generalization: Option<GeneralizationSection>,
}

/// How a quasi-identifier was generalized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GeneralizationSection {
    /// Its hierarchy's file.
    pub hierarchy: String,
    /// What its values are: `number`, `date` or `category`.
    pub kind: String,
    /// Its levels: the one that P holds, and the top.
    pub levels: [u8; 2],
    /// Between which levels it may be published, where the project says so.
    pub permitted: Option<String>,
    /// Whether only labels may be published.
    pub labels_only: bool,
    /// How often its loss counts.
    pub weight: u32,
    /// What was published, by level; ranges and sets last. `None` where the release could not be read.
    pub published: Option<Vec<PublishedLabels>>,
}

/// The labels of one level that were published.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedLabels {
    /// The level; `None` for ranges and sets, which are of none.
    pub level: Option<u8>,
    /// How many different ones.
    pub labels: u64,
    /// In how many rows.
    pub rows: u64,
}

/// What the release has not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOutSection {
    /// The identifiers of which it has nothing.
    pub identifiers: Vec<String>,
    /// The identifiers in place of which it has pseudonyms, and how these are made.
    pub pseudonyms: Vec<PseudonymSection>,
    /// The columns of T that no attribute lists.
    pub unlisted: Vec<String>,
    /// What the project says of members whom P lacks: `error`, `drop` or `add`.
    pub not_in_public: String,
    /// The share of members who may be withdrawn, where the project permits it.
    pub suppress_at_most: Option<String>,
}

/// A column of pseudonyms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PseudonymSection {
    /// The column.
    pub column: String,
    /// `new`, `keyed` or `keyed digits`.
    pub made: String,
}

/// What the analyst did.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSection {
    /// The session file, without its folder; or the run's report, which has the decisions of a session alone.
    pub source: String,
    /// The palmtop that wrote it.
    pub palmtop: String,
    /// Whether its inputs are those that the release was verified against.
    pub same_inputs: bool,
    /// The step whose release this is, as making it again showed; `None` where none did.
    pub released_step: Option<usize>,
    /// The steps.
    pub steps: Vec<StepSection>,
    /// The searches that found something, whether they were opened or not: what the analyst could choose from.
    #[serde(default)]
    pub searches: Vec<SearchSection>,
    /// What was decided to be enforced, and every change.
    pub decisions: Vec<DecisionSection>,
}

/// A search that found something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSection {
    /// What was searched, in words.
    pub search: String,
    /// The δ that it kept.
    pub delta: Bounds,
}

/// A step of the analyst.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepSection {
    /// Its number, from 0.
    pub step: usize,
    /// Whether the session stands there.
    pub current: bool,
    /// What was done.
    pub how: String,
    /// Where it led.
    pub place: String,
    /// The δ that the place was judged under.
    pub delta: Bounds,
}

/// What was decided to be enforced, and since when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionSection {
    /// When, in UTC.
    pub at: String,
    /// The δ from then on.
    pub delta: Bounds,
    /// Why it was changed; `None` for what was fixed before the first search.
    pub reason: Option<String>,
    /// What the advisor was given, if δ keeps what it advised: `a prior of 4%, a misuse of 6% at cost 1`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advised_from: Option<String>,
}

/// How anybody with the same files checks the report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSection {
    /// The command that recounts the release from the raw tables.
    pub command: String,
    /// The same, which also holds the JSON form of this report against it.
    pub report_command: String,
}
