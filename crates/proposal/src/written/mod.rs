//! A proposal as files: the project with its comments, and its hierarchies, all or none.
//!
//! A proposal enters; files leave, through the gate. Values of T are never among them.

pub(crate) mod examples;
pub(crate) mod put;
pub(crate) mod toml;
