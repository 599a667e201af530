//! Searches for recodings of T that satisfy a policy (δ-presence and the other criteria).
//!
//! A search takes a [`Problem`](palmtop_core::model::Problem) and returns a recoding, or reports that none of its kind exists.
//! Searches read no clock, write no output and return no errors. The caller observes each
//! [`Step`] and decides whether the search continues.

// From the lowest room up: `control`, `counts`, `regions` and `nodes`, `bound`, `simulatable` and
// `best`, `strategy`, `audit`, `compose`, `release`.
pub mod audit;
pub mod best;
pub mod bound;
pub mod compose;
mod control;
mod counts;
mod nodes;
mod regions;
pub mod release;
pub mod simulatable;
mod strategy;
#[cfg(test)]
mod messages;

pub use audit::{Audit, AuditConfig, AuditFinding, AuditMethod, AuditVerdict, Beyond, audit, is_transcript};
pub use best::best;
pub use bound::{NoBound, bound};
pub use compose::run_within_release;
pub use control::budget::{Budget, NoBudget};
pub use control::report::{Config, Observer, SearchReport, SearchStage, Step, StopReason};
pub use nodes::lattice_survey::{LatticeSurvey, NodeState, survey};
pub use nodes::spalm::spalm;
pub use palmtop_core::strategy::{ColumnRule, Family, Strategy, StrategyInfo, ValueRule};
pub use regions::cut_boxes::BoxRules;
pub use regions::mpalm::mpalm;
pub use simulatable::simulatable;
pub use strategy::{is_feasible, run};
