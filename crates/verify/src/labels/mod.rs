//! Hierarchies, and the labels that a release may have: what a published text denotes, and whether it may.
//!
//! The files of the hierarchies and the values of a column enter. Leaves leave, which are numbers: the leaf of a value, and the
//! [`Leaves`] of a published text. A text is read here only if it is the one text that a release may have for its set.

mod leaves;
mod members;
mod meaning;
pub(crate) mod hierarchy;
mod description;
mod limits;
mod borders;
pub(crate) mod denote;

pub(crate) use self::borders::Borders;
pub(crate) use self::denote::TextReader;
pub use self::hierarchy::HierarchySource;
pub(crate) use self::hierarchy::{ColumnValues, Hierarchy, ValueRules};
pub(crate) use self::leaves::{Leaf, Leaves};
pub use self::limits::Limits;
