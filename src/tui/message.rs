//! Everything that can happen to the workbench.

use std::sync::Arc;

use crossterm::event::Event;
use palmtop::pipeline::{Analysis, Written};
use palmtop::search::{Step, Strategy};

use super::neighbours::Neighbour;
use super::runs::Outcome;

/// Something that happened: a key, or what a job has to say.
pub(crate) enum Message {
    /// A key, a paste, a new size.
    Input(Event),
    /// The analyst asked to suspend; the loop does it.
    Suspend,
    /// Nothing can be typed any more: the terminal went away.
    InputLost,
    /// Time passed while jobs run.
    Tick,
    /// The project was loaded, or why not.
    Loaded(Result<Arc<Analysis>, String>),
    /// What a step in the lattice would do; `generation` tells whether it is still wanted.
    Neighbour {
        /// The number of the position it was counted for.
        generation: u64,
        /// What was counted.
        neighbour: Neighbour,
    },
    /// A search went on.
    Progress(Strategy, Step),
    /// A search ended.
    Finished(Strategy, Box<Outcome>),
    /// The least loss possible, where it can be told.
    Bound(Option<f64>),
    /// The first rows of a release as they will be written, or why they cannot be shown; for one dialog, by its number.
    Previewed(u64, Result<Vec<Vec<String>>, String>),
    /// An export ended; for one dialog, by its number.
    Exported(u64, Result<Written, ExportFailure>),
    /// A job broke; its panic was caught.
    Broken(JobName, String),
}

/// Why an export wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportFailure {
    /// The name is taken.
    Exists,
    /// Anything else, as a sentence.
    Other(String),
}

/// Which job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobName {
    /// Loading the project.
    Load,
    /// Counting the neighbours.
    Neighbours,
    /// A search.
    Search(Strategy),
    /// Counting the least loss possible.
    Bound,
    /// Reading the rows to preview, for one dialog.
    Preview(u64),
    /// Writing and verifying, for one dialog.
    Export(u64),
}
