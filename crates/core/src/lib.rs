//! The data types of δ-presence, which every other crate uses. This crate uses no files, clock or
//! terminal.

pub mod escape;
pub mod shell;
pub mod model;
pub mod metrics;
pub mod strategy;
#[cfg(test)]
mod messages;

pub use palmtop_terms::{assert_messages, located, message_page, one_of_each, progress, words};
