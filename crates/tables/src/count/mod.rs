//! From tables to a histogram: rows are numbered, packed, sorted and counted, then both tables are
//! joined.

pub mod alike;
pub(super) mod repeated;
pub(super) mod groups;
pub(super) mod packed;
pub mod weight;
pub mod tally;
pub mod margins;
pub(super) mod pass;
pub mod encode;
pub mod join;
pub mod rates;
pub mod reduced;
pub mod same_rows;
