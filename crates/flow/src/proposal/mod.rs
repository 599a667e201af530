//! From two tables to a proposed project: the role of each column, the reading of its values, its hierarchy, and the reason for
//! each. An ambiguity is named with its remedy.
//!
//! A [`Proposal`] depends only on two surveys, the hierarchies at hand and the decisions so far. To change a proposal, decide and
//! propose again. A proposal has no value of T, only counts of rows.

mod words;
mod hierarchy_source;
mod identified;
mod decision;
mod survey;
mod listed;
mod opened;
mod texts;
mod reading;
mod numbers;
mod open_bands;
mod bands;
mod dates;
mod spelling;
mod kin;
mod alone;
mod dirt;
mod pairs;
mod roles;
mod private_only;
mod found;
mod carried;
mod recipes;
mod limit;
mod declared;
mod proposed;
mod fitted;
mod attributes;
mod betrayals;
mod persons;
mod people;
mod no_arx;
mod sources;
mod arx;
mod choices;
mod examples;
mod toml;
mod put;

pub use palmtop_tables::reading::NumberForm;

pub use self::arx::{ArxPrivate, ArxSources};
pub use self::attributes::{NoProposal, Private, propose};
pub use self::bands::Bands;
pub use self::carried::CARRIED;
pub use self::choices::Aspect;
pub use self::decision::{Ambiguity, Choice, Decision, Decisions, NotInPublic};
pub use self::declared::{Declared, SensitivePolicy};
pub use self::found::{AtHand, Candidate};
pub use self::hierarchy_source::{HierarchySource, ImportedHierarchy};
pub use self::identified::PersonRows;
pub use self::limit::ProposedLimit;
pub use self::listed::TableRows;
pub use self::no_arx::NoArx;
pub use self::opened::Opened;
pub use self::people::Meeting;

pub use self::proposed::{Proposal, ProposedAttribute, ProposedHierarchy, UNREADABLE};
pub use self::reading::Reading;
pub use self::sources::{Named, ProposalError, Sources, SurveyStage, absolute};
pub use self::survey::{Column, Rows, Survey};
pub use self::toml::Written;

#[cfg(test)]
mod tests;
