//! Searches for recodings of T that satisfy a policy (δ-presence and the other criteria).
//!
//! A search takes a [`Problem`](palmtop_core::model::Problem) and returns a recoding, or reports that none of its kind exists.
//! Searches read no clock, write no output and return no errors. The caller observes each
//! [`Step`] and decides whether the search continues.

mod rules;
mod cut_boxes;
mod report;
pub mod lattice_survey;
pub mod simulatable;
pub mod spalm;
pub mod mpalm;
pub mod best;
pub mod strategy;
pub mod bound;
pub mod audit;
pub mod beside;
pub mod compose;
pub mod release;
mod worker_pool;
mod pace;
mod column_table;
mod label_tree;
mod label_sets;
mod split_kind;
mod split;
mod limits;
mod limited_cuts;
mod cheapest_first;
mod branch_and_bound;
mod cheapest_search;
mod objective;
mod node_search;
mod antichain;
mod failure_index;
mod known_failures;
mod rungs;
mod base_counts;
mod floors;
mod steps;
mod tally;
mod value_judge;
mod people_judge;
mod cost;
mod withdrawal;
#[cfg(test)]
mod messages;

pub use audit::{Audit, AuditConfig, AuditFinding, AuditMethod, AuditVerdict, Beyond, audit, is_transcript};
pub use beside::run_within_release;
pub use best::best;
pub use bound::{NoBound, bound};
pub use cut_boxes::BoxRules;
pub use lattice_survey::{LatticeSurvey, NodeState, survey};
pub use mpalm::mpalm;
pub use report::{Config, Observer, SearchReport, SearchStage, Step, StopReason};
pub use rules::{ColumnRule, ValueRule};
pub use simulatable::simulatable;
pub use spalm::spalm;
pub use strategy::{Family, Strategy, StrategyInfo, is_feasible, run};
