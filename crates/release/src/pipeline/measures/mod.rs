//! What a release costs and gives away, from the files of a project.
//!
//! A loaded project and a release enter, written or not. Columns, classes and texts leave, as `palmtop-measure` takes them, and what
//! it finds. No verdict follows from it.

pub mod scale;
pub(in crate::pipeline) mod linked;
pub mod betrayals;
pub mod risk;
pub mod utility;
pub mod posteriors;
pub mod safe_harbor;
pub mod unique;
pub mod other_people;
pub mod copies;
