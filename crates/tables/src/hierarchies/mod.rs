//! Builds a [`Hierarchy`](palmtop_core::model::Hierarchy) from a hierarchy file and the values of
//! the tables.
//!
//! Each type has a file: `date`, `interval`, `mask`, `tree`, `flat`, and `table` for CSV; `recipe` chooses it. `build` proposes
//! a hierarchy, `edit` changes one, `rule` turns a level into a rule for SQL.

mod plain;
pub mod span;
mod builder;
mod lines;
mod table;
mod interval;
mod mask;
mod date;
mod tree;
mod flat;
mod without;
mod recipe;
mod rule;
mod domain;
pub mod build;
pub mod outline;
pub mod arx;
pub mod edit;

pub use self::builder::{KindReason, LevelRule};
pub use self::domain::{Domain, HierarchySpec, Values, check_numbers, of_bytes, read};
pub use self::plain::reads_as;
pub use self::recipe::read_file;
pub use self::rule::level_rule;
pub(crate) use self::table::read_rows;
pub use self::tree::tree_of;

#[cfg(test)]
pub(crate) mod tests;
