//! The report that goes with a release: its type has nothing that is not in the released file or public.
//!
//! Public is what the release is made by, the policy: δ and what is required beside it. What was counted of T beyond the released
//! rows, where files lie, what was left out or withdrawn, and who did what and why have no place in this type.

use serde::{Deserialize, Serialize};

use super::Report;
use super::coverage;
use super::sections::{Bounds, CodeSection, Judgement, ReleasedFile};
use crate::caution::{Telling, TellingColumn, promise};
use palmtop_core::model::Delta;
use palmtop_verify::ADVERSARY;

/// What the recipient of a release reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipientReport {
    /// [`RecipientReport::DOCUMENT`].
    pub document: String,
    /// [`Report::FORM`].
    pub form: u32,
    /// The palmtop that made it.
    pub palmtop: String,
    /// The day it was made, in UTC.
    pub made_on: String,
    /// Whether the release is verified.
    pub verified: bool,
    /// Who the people of P are, in the analyst's words; null where the project does not state it.
    pub public: Option<String>,
    /// The released file.
    pub release: ReleasedFile,
    /// What holds of it; `None` where it is refused.
    pub guarantee: Option<Guarantee>,
    /// Each column of the release, and what was done to it; none where it is refused.
    pub columns: Vec<RecipientColumn>,
    /// What the labels of the release stand for; none where it is refused.
    pub codes: Vec<CodeSection>,
    /// What the verdict does not cover.
    pub not_covered: Vec<String>,
}

/// What holds of a verified release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Guarantee {
    /// What δ says of one person, in words.
    pub meaning: String,
    /// The bounds that everybody's presence keeps.
    pub delta: Bounds,
    /// What else every class satisfies: the key in `[policy]`, and what is required.
    pub criteria: Vec<Requirement>,
    /// The columns by which it holds, if a published column tells more; else it holds for all of the release.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged_by: Vec<String>,
    /// The published columns that tell more: for a reader who uses them, it does not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tells_more: Vec<TellingColumn>,
    /// Each adversary whom it holds against.
    pub holds_against: Vec<String>,
}

/// A criterion and what is required.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Requirement {
    /// Its key in `[policy]`.
    pub name: String,
    /// What is required.
    pub required: String,
}

/// A column of the release.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecipientColumn {
    /// Its name.
    pub column: String,
    /// What was done to it, in words.
    pub treatment: String,
    /// How its values are written: `texts`, `whole numbers`, `dates as year-month-day`, and so on.
    pub form: String,
}

/// That the guarantee takes everybody of T to be in P.
const WHOLE: &str = "and takes the public table to have everybody of the private table";

/// What the second adversary knows, where the guarantee holds against him.
const ALGORITHM: &str = "knows the same, and also palmtop, the policy and how this release was chosen";

/// What δ says of one person; nothing of bounds that cannot be read, as those of a report that was changed.
fn meaning(Bounds { min, max }: &Bounds) -> String {
    Delta::read(min, max).map_or_else(|_| String::new(), promise)
}

/// The columns that the guarantee is about, and those that tell more: without any figure.
fn telling(report: &Report) -> Telling {
    let quasi = report.attributes.iter().filter(|own| own.role == "quasi");
    Telling {
        quasi: quasi.map(|own| own.attribute.clone()).collect(),
        columns: report.tells_more.clone(),
        cost: None,
    }
}

impl RecipientReport {
    /// What such a document says that it is.
    pub const DOCUMENT: &str = "palmtop recipient report";

    /// What of a report the recipient may read.
    pub fn of(report: &Report) -> Self {
        let verified = report.verdict.verified;
        let exact = report.adversaries.get(1).is_some_and(|own| own.judgement == Judgement::Within);
        let columns = report.release.columns.iter().map(|column| {
            let own = report.attributes.iter().find(|own| own.private_column == *column);
            // How pseudonyms are made is nobody's but the analyst's.
            let treatment = match own.map(|own| (own.role.as_str(), &own.treatment)) {
                Some(("identifier", _)) => "replaced by pseudonyms".to_owned(),
                Some((_, treatment)) => treatment.clone(),
                None => "published unchanged".to_owned(),
            };
            let form = report.columns.iter().find(|own| own.column == *column);
            let form = form.map_or_else(|| "texts".to_owned(), |own| own.form.clone());
            RecipientColumn { column: column.clone(), treatment, form }
        });
        let criteria = report.criteria.iter().filter(|own| own.name != "presence");
        let criteria = criteria
            .filter_map(|own| Some(Requirement { name: own.name.clone(), required: own.required.clone()? }));
        let telling = telling(report);
        let mut not_covered: Vec<String> = coverage::ALWAYS.iter().map(|&line| line.to_owned()).collect();
        if !exact {
            not_covered.push(coverage::ALGORITHM.to_owned());
        }
        if !report.left_out.pseudonyms.is_empty() {
            not_covered.push(coverage::PSEUDONYMS.to_owned());
        }
        Self {
            document: Self::DOCUMENT.to_owned(),
            form: Report::FORM,
            palmtop: report.palmtop.clone(),
            made_on: report.made_at.split('T').next().unwrap_or_default().to_owned(),
            verified,
            public: report.stated.public.clone(),
            release: report.release.clone(),
            guarantee: verified.then(|| Guarantee {
                meaning: telling.limit(&meaning(&report.delta.enforced)),
                delta: report.delta.enforced.clone(),
                criteria: criteria.collect(),
                judged_by: if telling.is_empty() { Vec::new() } else { telling.quasi.clone() },
                tells_more: telling.columns.clone(),
                holds_against: std::iter::once(format!("{}, {WHOLE}", telling.limit_adversary(ADVERSARY)))
                    .chain(exact.then(|| ALGORITHM.to_owned()))
                    .collect(),
            }),
            columns: if verified { columns.collect() } else { Vec::new() },
            codes: if verified { report.codes.clone() } else { Vec::new() },
            not_covered,
        }
    }
}
