//! Reports of a release: what was released, what the verifier recounted, against which attackers δ holds, and the limits.
//!
//! There are two reports, with two types. A [`Report`] is for the signer and has all facts. A [`RecipientReport`] goes with the
//! release. Its type has fields only for facts that are public or in the released file. Both are written as JSON, and as pages of
//! HTML that load no other file.
//!
//! A report takes no verdict from a search or from another report: the verifier recounts each verdict from the written file and
//! the raw tables. The report quotes the run's report for how the release was made, but no verdict depends on the quotation.

mod error;
mod sections;
mod criteria;
mod fidelity;
mod presence;
mod disclosures;
mod disclosing;
mod origin;
mod names;
mod attributes;
mod coverage;
mod attackers;
mod columns;
mod together;
mod readability;
mod making;
mod recipient;
mod page;

use serde::{Deserialize, Serialize};

use crate::caution::RevealingColumn;
use crate::codebook::Codebook;
use palmtop_core::model::Delta;

pub use criteria::requirement;
pub use disclosures::{
    AttackBound, AttackSection, AttemptKind, AttemptRisk, AttributeDisclosure, DisclosuresSection, Figure,
    GuessingSection, IdentityAttacker, IdentityRisk, IdentitySection, MembershipSection, SensitiveSection,
    Share, ThresholdRisk,
};
pub use error::ReportError;
pub use fidelity::{
    AttributeFidelity, ClassFidelity, CountFidelity, FidelitySection, PairFidelity, QueryFidelity,
    ValueFidelity,
};
pub use making::ReportRequest;
pub use page::{GUIDANCE, GUIDELINES, Guided};
pub use readability::ReadabilitySection;
pub use recipient::{Guarantee, RecipientColumn, RecipientReport, Requirement, Sender};
pub use sections::*;
pub use together::TogetherSection;

/// The signer's report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The kind of the document: [`Report::DOCUMENT`].
    pub document: String,
    /// The version of the document's form: [`Report::FORM`].
    pub form: u32,
    /// The version of palmtop that made the report.
    pub palmtop: String,
    /// The time at which the report was made, in UTC.
    pub made_at: String,
    /// The project's name.
    pub project: String,
    /// The verdict, its reasons and the cautions.
    pub verdict: Verdict,
    /// The analyst's statements, from `[report]` of the project.
    pub stated: StatedSection,
    /// The released file, identified by its SHA-256.
    pub release: ReleasedFile,
    /// How the release was made; `None` if the history does not have this file.
    pub made_by: Option<MadeBy>,
    /// The published columns that reveal more than the quasi-identifiers do; the promise of δ does not cover them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tells_more: Vec<RevealingColumn>,
    /// The input files: T, P, the project and the hierarchies.
    pub inputs: Vec<InputSection>,
    /// The numbers of people.
    pub people: PeopleSection,
    /// What the release reveals together with other releases of the same T; `None` if the history knows no other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub together: Option<TogetherSection>,
    /// Each attacker, with the verdict.
    pub adversaries: Vec<AttackerSection>,
    /// The enforced δ, its source, and the achieved presence.
    pub delta: DeltaSection,
    /// The individuals in P by the presence of their class; `None` if the file is not a faithful release.
    pub presence: Option<PresenceSection>,
    /// All criteria; δ is the first.
    pub criteria: Vec<CriterionSection>,
    /// The three disclosures, which are measured but not enforced; `None` if the file is not a faithful release.
    pub disclosures: Option<DisclosuresSection>,
    /// The cost of generalization; `None` if the file is not a faithful release, or no recoding publishes its rows.
    pub utility: Option<UtilitySection>,
    /// How long the cells are; `None` if the file is not a faithful release.
    pub readability: Option<ReadabilitySection>,
    /// A comparison of the release with T; `None` if the file is not a faithful release.
    pub fidelity: Option<FidelitySection>,
    /// The treatment of each attribute.
    pub attributes: Vec<AttributeSection>,
    /// The form of the values in each released column; empty if the file is not a faithful release.
    pub columns: Vec<ColumnSection>,
    /// The meaning of each text of the release; `None` if the file is not a faithful release.
    pub code_list: Option<Codebook>,
    /// The identifiers, columns and members that are left out.
    pub left_out: LeftOutSection,
    /// The analyst's steps and decisions; `None` if no sitting on the workbench made the release.
    pub history: Option<HistorySection>,
    /// The limits of the verdict, one a line.
    pub not_covered: Vec<String>,
    /// The commands that check the report.
    pub check: CheckSection,
}

impl Report {
    /// The value of `document` in a signer's report.
    pub const DOCUMENT: &str = "palmtop report";
    /// The version of the form of both reports. It grows if a section changes its meaning.
    pub const FORM: u32 = 6;

    /// The histogram of presence as an SVG document; `None` if the file is not a faithful release.
    pub fn presence_svg(&self) -> Option<String> {
        self.presence.as_ref().map(|presence| self.presence_drawing(presence))
    }

    fn presence_drawing(&self, presence: &PresenceSection) -> String {
        let Bounds { min, max } = &self.delta.enforced;
        // A report that was read back may have any text instead of the bounds.
        let delta = Delta::read(min, max).or_else(|_| Delta::read("0", "1"));
        let title = format!("Presence in {}", self.release.file);
        delta.map_or_else(|_| String::new(), |delta| presence.svg(&title, delta))
    }
}
