//! The report that goes with a release. Its type has fields only for facts that are public or in the released file.
//!
//! The policy is public: δ and the other required criteria. The type has no field for other counts of T, for paths of files, for
//! members who were left out or withdrawn, or for the analyst's steps and reasons. Nothing in it follows from T's rows except
//! through the release: two tables with the same release have the same report.

use serde::{Deserialize, Serialize};

use super::Report;
use super::attackers::of_unit;
use super::coverage;
use super::readability::ReadabilitySection;
use super::sections::{Bounds, InputKind, Judgement, ReleasedFile};
use crate::caution::{Key, attacker_limited_to, limited_to, promise};
use crate::codebook::Codebook;
use palmtop_core::model::Delta;
use palmtop_core::words::plural;
use palmtop_verify::ATTACKER;

/// The recipient's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecipientReport {
    /// The kind of the document: [`RecipientReport::DOCUMENT`].
    pub document: String,
    /// The version of the document's form: [`Report::FORM`].
    pub form: u32,
    /// The version of palmtop that made the report.
    pub palmtop: String,
    /// The day on which the report was made, in UTC.
    pub made_on: String,
    /// Whether the file is a faithful release that satisfies the policy.
    pub verified: bool,
    /// Who made the file, in the analyst's words.
    #[serde(default)]
    pub sender: Sender,
    /// Who the people of P are, in the analyst's words; null if the project does not state it.
    pub public: Option<String>,
    /// How the rows of P became people, as a sentence.
    #[serde(default)]
    pub counted: String,
    /// The released file, identified by its SHA-256.
    pub release: ReleasedFile,
    /// The column whose pseudonyms show which rows belong to one person; `None` if each row is a person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub person_column: Option<String>,
    /// The guarantee; `None` if the file is refused.
    pub guarantee: Option<Guarantee>,
    /// The columns of the release, with their treatment; empty if the file is refused.
    pub columns: Vec<RecipientColumn>,
    /// How long the cells are; `None` if the file is refused.
    pub readability: Option<ReadabilitySection>,
    /// The meaning of each text of the release; `None` if the file is refused.
    pub code_list: Option<Codebook>,
    /// The limits of the verdict, one a line.
    pub not_covered: Vec<String>,
}

/// Who made the file; null where the project does not state it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sender {
    /// The organization that publishes the release.
    pub organization: Option<String>,
    /// The person who is responsible for the release.
    pub responsible: Option<String>,
    /// The period of the data.
    pub period: Option<String>,
    /// Whom to ask about the release.
    pub contact: Option<String>,
}

impl Sender {
    /// Whom the recipient asks.
    pub fn whom_to_ask(&self) -> &str {
        self.contact.as_deref().or(self.responsible.as_deref()).unwrap_or("the person who sent you the file")
    }
}

/// The guarantee of a verified release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarantee {
    /// What δ means for one person, in words.
    pub meaning: String,
    /// The bounds of every presence.
    pub delta: Bounds,
    /// The other criteria that every class satisfies.
    pub criteria: Vec<Requirement>,
    /// The columns that the guarantee covers; empty if the release has no others. The other columns may reveal more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged_by: Vec<String>,
    /// What the reader must know about this file: a stricter δ of the project, or what the history has of the file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The attackers against whom the guarantee holds.
    pub holds_against: Vec<String>,
}

/// A criterion with its requirement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// The key of the criterion in `[policy]`.
    pub name: String,
    /// The required value, as `[policy]` has it.
    pub required: String,
}

/// A column of the release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipientColumn {
    /// The name of the column in the file.
    pub column: String,
    /// The treatment of the column, in words.
    pub treatment: String,
    /// The form of its values: `texts`, `whole numbers`, `dates as year-month-day`, and so on.
    pub form: String,
}

/// The assumption of the guarantee that T is a part of P.
const INCLUSION: &str = "and assumes that the public table has everyone of the private table";

/// The knowledge of the second attacker, if the guarantee holds against this attacker.
const ALGORITHM: &str = "knows the same, and also knows palmtop, the policy and how this release was chosen";

/// What δ means for one person; empty if the bounds cannot be read, for example in a report that was changed.
fn meaning(Bounds { min, max }: &Bounds) -> String {
    Delta::read(min, max).map_or_else(|_| String::new(), promise)
}

/// The columns that the guarantee covers; empty if the release has no other columns. It depends on the project and on the
/// release, not on what the other columns reveal.
fn covered(report: &Report) -> Vec<String> {
    let role = |column: &String| {
        let attribute = report.attributes.iter().find(|attribute| attribute.private_column == *column);
        attribute.map_or("", |attribute| attribute.role.as_str())
    };
    let has_others =
        report.release.columns.iter().any(|column| !["quasi", "identifier"].contains(&role(column)));
    let covered = report.release.columns.iter().filter(|column| has_others && role(column) == "quasi");
    covered.cloned().collect()
}

/// A δ of the project that is stricter, and what the history has of the file.
fn notes(report: &Report) -> Vec<String> {
    let stricter = report.delta.looser_than.as_ref().map(|Bounds { min, max }| {
        format!("The sender's project has a stricter δ, {min} to {max}. This file was judged by a looser δ.")
    });
    let registered = report.verdict.cautions.iter().any(|caution| caution.key == Key::Registered);
    let registered = registered.then(|| {
        "When this file was written, it did not keep the guarantee, or it was written with another public table, hierarchy or \
         project. The verdict is about the files that the sender has now. Ask the sender why they differ."
            .to_owned()
    });
    stricter.into_iter().chain(registered).collect()
}

/// The rows of P that are no people, if there are any. Nothing follows from T.
fn rows_of_no_people(report: &Report) -> Option<String> {
    let public =
        report.inputs.iter().filter(|input| matches!(input.kind, InputKind::Public | InputKind::Both));
    let rows: u64 = public.map(|input| input.left_out).sum();
    let are = if rows == 1 { "is" } else { "are" };
    (rows > 0).then(|| {
        format!("The public table: {} of it {are} taken for no people, such as totals.", plural(rows, "row"))
    })
}

impl RecipientReport {
    /// The value of `document` in a recipient's report.
    pub const DOCUMENT: &str = "palmtop recipient report";

    /// Takes the facts that the recipient may read from the signer's report.
    pub fn of(report: &Report) -> Self {
        let verified = report.verdict.verified;
        let exact = report.adversaries.get(1).is_some_and(|attacker| attacker.judgement == Judgement::Within);
        let columns = report.release.columns.iter().map(|column| {
            let attribute = report.attributes.iter().find(|attribute| attribute.private_column == *column);
            // Only the analyst may know how pseudonyms are made.
            let treatment = match attribute.map(|found| (found.role.as_str(), &found.treatment)) {
                Some(("identifier", _)) => "replaced by pseudonyms".to_owned(),
                Some((_, treatment)) => treatment.clone(),
                None => "published unchanged".to_owned(),
            };
            let form = report.columns.iter().find(|section| section.column == *column);
            let form = form.map_or_else(|| "texts".to_owned(), |section| section.form.clone());
            RecipientColumn { column: column.clone(), treatment, form }
        });
        let criteria = report.criteria.iter().filter(|criterion| criterion.name != "presence");
        let criteria = criteria.filter_map(|criterion| {
            Some(Requirement { name: criterion.name.clone(), required: criterion.required.clone()? })
        });
        let of_people = report.people.rows.as_ref();
        let covered = covered(report);
        let attacker = of_unit(ATTACKER, of_people.is_some());
        let meaning = meaning(&report.delta.enforced);
        let (meaning, attacker) = if covered.is_empty() {
            (meaning, attacker)
        } else {
            (limited_to(&covered, &meaning), attacker_limited_to(&covered, &attacker))
        };
        let has_pseudonyms = !report.left_out.pseudonyms.is_empty();
        let mut not_covered = coverage::not_covered(exact, has_pseudonyms, of_people.is_some());
        not_covered.extend(rows_of_no_people(report));
        let person_column = of_people.and_then(|rows| {
            let entity = report.attributes.iter().find(|attribute| attribute.attribute == rows.entity)?;
            Some(entity.private_column.clone())
        });
        Self {
            document: Self::DOCUMENT.to_owned(),
            form: Report::FORM,
            palmtop: report.palmtop.clone(),
            made_on: report.made_at.split('T').next().unwrap_or_default().to_owned(),
            verified,
            sender: Sender {
                organization: report.stated.organization.clone(),
                responsible: report.stated.responsible.clone(),
                period: report.stated.period.clone(),
                contact: report.stated.contact.clone(),
            },
            public: report.stated.public.clone(),
            counted: report.people.counted_in_public(),
            release: report.release.clone(),
            person_column,
            guarantee: verified.then(|| Guarantee {
                meaning,
                delta: report.delta.enforced.clone(),
                criteria: criteria.collect(),
                judged_by: covered,
                notes: notes(report),
                holds_against: std::iter::once(format!("{attacker}, {INCLUSION}"))
                    .chain(exact.then(|| ALGORITHM.to_owned()))
                    .collect(),
            }),
            columns: if verified { columns.collect() } else { Vec::new() },
            readability: report.readability.clone().filter(|_| verified),
            code_list: report.code_list.clone().filter(|_| verified),
            not_covered,
        }
    }
}
