//! What the programs of palmtop share: exit statuses, messages, progress, interrupts, output, and projects by name.
#![expect(
    missing_docs,
    clippy::missing_errors_doc,
    clippy::return_self_not_must_use,
    reason = "these items serve our own programs; doc comments are where a name does not say enough"
)]

pub mod status;
pub mod say;
mod fault;
pub mod output;
pub mod format;
pub mod answer;
pub mod start;
pub mod interrupt;
pub mod progress;
pub mod written;
pub mod practice;
pub mod project_file;
pub mod people;
pub mod result;
#[cfg(test)]
mod messages;
