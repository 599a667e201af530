//! From two tables to a proposed project: the role of each column, the reading of its values, its hierarchy, and the reason for
//! each. An ambiguity is named with its remedy.
//!
//! A [`Proposal`] depends only on two surveys, the hierarchies at hand and the decisions so far. To change a proposal, decide and
//! propose again. A proposal has no value of T, only counts of rows.

mod columns;
mod decision;
mod hierarchies;
mod people;
mod proposed;
mod sources;
mod values;
mod words;
mod written;

pub use palmtop_tables::reading::NumberForm;

pub use self::columns::attributes::{NoProposal, Private, propose};
pub use self::columns::choices::Aspect;
pub use self::decision::{Ambiguity, Choice, Decision, Decisions, NotInPublic};
pub use self::hierarchies::carried::CARRIED;
pub use self::hierarchies::found::{AtHand, Candidate};
pub use self::hierarchies::hierarchy_source::{HierarchySource, ImportedHierarchy, ReadyHierarchy};
pub use self::hierarchies::limit::ProposedLimit;
pub use self::people::identified::PersonRows;
pub use self::people::meeting::Meeting;
pub use self::sources::arx::{ArxPrivate, ArxSources};
pub use self::sources::declared::{Declared, SensitivePolicy};
pub use self::sources::listed::TableRows;
pub use self::sources::no_arx::NoArx;
pub use self::sources::opened::Opened;
pub use self::values::bands::Bands;

pub use self::proposed::{DeltaOrigin, Proposal, ProposedAttribute, ProposedHierarchy, UNREADABLE};
pub use self::sources::named::{Named, ProposalError, Sources, SurveyStage, absolute};
pub use self::sources::survey::{Column, Rows, Survey};
pub use self::values::reading::Reading;
pub use self::written::toml::Written;

#[cfg(test)]
mod tests;
#[cfg(test)]
mod messages;
