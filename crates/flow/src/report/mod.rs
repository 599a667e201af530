//! The report that is signed: what was released, what the verifier recounted of it, against whom it holds, and what it does not cover.
//!
//! There are two, and they are two types. A [`Report`] is for the person who signs and has all that is known; a [`RecipientReport`]
//! goes with the release, and its type has nothing that is not in the released file or public. Both are values that are
//! written as JSON, read back and [held against](Reported::against) a release, and pages of HTML that need nothing else.
//!
//! Nothing is taken from a search or from another report: everything that is judged is recounted from the written file and the raw
//! tables. What the run's own report says of the making is shown as told.

mod error;
mod sections;
mod fidelity;
mod presence;
mod origin;
mod coverage;
mod adversaries;
mod columns;
mod making;
mod recipient;
mod json;
mod against;
mod page;

use serde::{Deserialize, Serialize};

use crate::caution::TellingColumn;
use palmtop_core::model::Delta;

pub use against::{Difference, Held, HeldKind, Reported, Told};
pub use error::ReportError;
pub use fidelity::{
    AttributeFidelity, ClassFidelity, CountFidelity, FidelitySection, PairFidelity, QueryFidelity,
    ValueFidelity,
};
pub use making::{Asked, requirement};
pub use origin::exact_again;
pub use page::{GUIDANCE, Guided};
pub use recipient::{Guarantee, RecipientColumn, RecipientReport, Requirement};
pub use sections::*;

/// What the person who signs reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`Report::DOCUMENT`].
    pub document: String,
    /// [`Report::FORM`].
    pub form: u32,
    /// The palmtop that made it.
    pub palmtop: String,
    /// When it was made, in UTC.
    pub made_at: String,
    /// The project's name.
    pub project: String,
    /// Whether the release is verified.
    pub verdict: Verdict,
    /// What the analyst states for the report.
    pub stated: StatedSection,
    /// The released file.
    pub release: ReleasedFile,
    /// How it was made, where the run's own report lies beside it.
    pub made_by: Option<MadeBy>,
    /// The published columns that tell more than the quasi-identifiers; what is promised leaves them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tells_more: Vec<TellingColumn>,
    /// T, P, the project, the hierarchies.
    pub inputs: Vec<InputSection>,
    /// How many people there are.
    pub people: PeopleSection,
    /// Each adversary and the verdict.
    pub adversaries: Vec<AdversarySection>,
    /// δ.
    pub delta: DeltaSection,
    /// Individuals in P by the presence of their class; `None` where the file is no faithful release.
    pub presence: Option<PresenceSection>,
    /// Every criterion: δ first.
    pub criteria: Vec<CriterionSection>,
    /// What is measured beside; `None` where the file is no faithful release.
    pub risk: Option<RiskSection>,
    /// What generalizing cost; `None` where the file is no faithful release, or no recoding publishes its rows.
    pub utility: Option<UtilitySection>,
    /// How near the release is to T; `None` where the file cannot be read.
    pub fidelity: Option<FidelitySection>,
    /// What became of each attribute.
    pub attributes: Vec<AttributeSection>,
    /// How the values of each released column are written; empty where the file is no faithful release.
    pub columns: Vec<ColumnSection>,
    /// What the labels of the release stand for.
    pub codes: Vec<CodeSection>,
    /// What the release has not.
    pub left_out: LeftOutSection,
    /// The analyst's steps and decisions, where a session is known.
    pub session: Option<SessionSection>,
    /// What the verdict does not cover.
    pub not_covered: Vec<String>,
    /// How to check it.
    pub check: CheckSection,
}

impl Report {
    /// What such a document says that it is.
    pub const DOCUMENT: &str = "palmtop report";
    /// The number of its form: it grows when a section changes its meaning.
    pub const FORM: u32 = 2;

    /// The histogram of presence as a drawing of its own; `None` where the release could not be read.
    pub fn presence_svg(&self) -> Option<String> {
        self.presence.as_ref().map(|presence| self.presence_drawing(presence))
    }

    fn presence_drawing(&self, presence: &PresenceSection) -> String {
        let Bounds { min, max } = &self.delta.enforced;
        // A report that was read back may hold anything.
        let delta = Delta::read(min, max).or_else(|_| Delta::read("0", "1"));
        let title = format!("Presence in {}", self.release.file);
        delta.map_or_else(|_| String::new(), |delta| presence.svg(&title, delta))
    }
}
