//! Messages about files that a program writes.

use std::convert::Infallible;

use palmtop_release::pipeline::PipelineError;
use palmtop_tables::write::{Gate, WriteError};

use crate::say;

/// Names the unfinished files of killed runs that were removed.
pub fn say_removed(gate: &mut Gate) {
    for path in gate.take_removed() {
        say::message(&format!("{}: left unfinished by a run that was killed; it is removed", path.display()));
    }
}

/// The error of a file that could not be written.
pub fn not_written(error: WriteError<Infallible>) -> anyhow::Error {
    PipelineError::from(error).into()
}
