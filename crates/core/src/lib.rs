//! The data types of δ-presence, which every other crate uses. This crate uses no files, clock or
//! terminal.

pub mod text;
pub mod model;
pub mod metrics;

pub use palmtop_terms::{located, progress, words};
