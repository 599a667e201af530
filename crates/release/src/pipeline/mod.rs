//! The complete path: load a project as a problem, search a release, write and verify its file.
//!
//! A project enters, and a verified file leaves. Each folder is a room of the path; a room uses only those before it.

mod read;
mod analysis;
mod edit;
pub mod rows;
mod written;
mod measures;
mod loading;
mod estimation;
mod write;
mod recounted;

pub use analysis::{Analysis, Found};
pub use edit::hierarchies::{Mended, SavedHierarchy, Unplaced, UnplacedValue, mend, regrouped, unplaced};
pub use edit::{hierarchies, limit_line, older_keys, settings};
pub use estimation::{EstimatedClass, Estimation};
pub use measures::betrayals::{BetrayalRisk, Betrayals};
pub use measures::copies::Copies;
pub use measures::linked::{LEAST_LINKED, SpareColumn, is_linked};
pub use measures::other_people::OtherPeople;
pub use measures::safe_harbor::{Concern, PublishedText, PublishedTexts, SafeHarborNote};
pub use measures::unique::UniqueColumn;
pub use measures::utility::UtilityBasis;
pub use measures::{betrayals, copies, other_people, posteriors, risk, safe_harbor, scale, unique, utility};
pub use palmtop_tables::write::remove_unfinished;
pub use read::error::PipelineError;
pub use read::inputs::{InputFile, Overrides};
pub use read::notes::{KindNote, Notes, RepeatsNote};
pub use read::reduction::Reduction;
pub(crate) use read::reduction::reduced_name;
pub use read::stage::{ExportObserver, ExportStage, LoadObserver, LoadStage};
pub use recounted::{Recount, recount_file};
pub use rows::find::RowVisitor;
pub use rows::of_release::Formulas;
pub use rows::page::{Page, PageColumn, Which};
pub use rows::pseudonyms::{GivenPseudonym, PSEUDONYM_SHOWN, PseudonymNote};
pub use rows::{find, formulas, page, pseudonyms, published};
pub use write::export::{Export, ExportOptions, Written};
pub use write::frames::FrameSettings;
pub use write::{beside, export};
pub use written::by_itself::verify_file;
pub use written::caution_basis::{CautionBasis, RecountedProject};
pub use written::earlier_release::BothRead;
pub use written::reading::{ReadClass, ReadRelease, Recounted};
pub use written::together::Together;
pub use written::{earlier_release, reading, recovered, together};
