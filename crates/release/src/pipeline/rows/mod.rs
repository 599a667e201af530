//! Rows: those of T and P, and the rows of a release that are made from the rows of T.
//!
//! A loaded project and a release enter. The rows of the file leave, pages for the screen, and who is in which row.

pub(in crate::pipeline) mod members;
pub mod pseudonyms;
pub mod published;
pub(in crate::pipeline) mod of_release;
pub mod page;
pub mod find;
pub mod formulas;
pub(in crate::pipeline) mod people;

pub use self::of_release::{Formulas, released_columns, unlisted_columns};
