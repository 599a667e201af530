//! Everything that can happen to the workbench.

use std::sync::Arc;

use crossterm::event::Event;
use palmtop::explain::Explanation;
use palmtop::pipeline::{Analysis, ExportStage, LoadStage, Page, Progress, Written};
use palmtop::search::Step;
use palmtop::session::Place;

use crate::tui::kit::slot::Ticket;
use crate::tui::screens::compare::difference::Difference;
use crate::tui::screens::lattice::map::{LatticeMap, NodeFigures};
use crate::tui::screens::workbench::neighbours::Neighbour;
use crate::tui::shared::runs::{Outcome, RunKey};
use crate::tui::shared::view::View;

/// Something that happened: a key, or what a job has to say.
pub(crate) enum Message {
    /// A key, a click, a paste, a new size.
    Input(Event),
    /// Nothing can be typed any more: the terminal went away.
    InputLost,
    /// Time passed while jobs run.
    Tick,
    /// Loading went on.
    Loading(Progress<LoadStage>),
    /// The project was loaded, or why not.
    Loaded(Result<Arc<Analysis>, String>),
    /// The view of a place.
    Viewed(Ticket, Box<View>),
    /// Why there is no view of a place.
    NotViewed(Ticket, String),
    /// The classes of the view, listed anew.
    Listed(Ticket, Arc<Vec<u32>>),
    /// The rows in which something was found.
    Found(Ticket, Vec<usize>),
    /// What the class under the cursor has to say.
    Explained(Ticket, u32, Box<Explanation>),
    /// What the node that steps start from is like: its violations and its loss.
    StepStart(Ticket, (usize, f64)),
    /// What a step in the lattice would do.
    Neighbour(Ticket, Neighbour),
    /// A search went on.
    Progress(RunKey, Step),
    /// A search ended.
    Finished(RunKey, Box<Outcome>),
    /// The least loss possible under a δ, where it can be told.
    Bound(Ticket, Option<f64>),
    /// How two candidates differ, and which: the base first.
    Differed(Ticket, Box<(Place, Place)>, Box<Difference>),
    /// The survey of the lattice went on.
    Surveying(Ticket, Step),
    /// The lattice was surveyed, or the survey stopped before all was decided.
    Surveyed(Ticket, Box<LatticeMap>),
    /// A node of the lattice was counted.
    NodeCounted(Ticket, NodeFigures),
    /// One point of the trade-off: the loss of what a strategy found under a δ; none where it found nothing.
    Swept(Ticket, RunKey, Option<f64>),
    /// The trade-off is measured.
    SweepEnded(Ticket),
    /// Rows of a table, or why they cannot be read.
    Paged(Ticket, Result<Box<Page>, String>),
    /// The first rows of a release as they will be written, or why they cannot be shown; for one dialog, by its number.
    Previewed(u64, Result<Vec<Vec<String>>, String>),
    /// An export went on.
    Exporting(u64, Progress<ExportStage>),
    /// An export ended; for one dialog, by its number.
    Exported(u64, Result<Written, ExportFailure>),
    /// Something was copied, or not: a sentence.
    Copied(String),
    /// The session could not be saved, or is saved under another name now: a sentence.
    Saving(String),
    /// A job broke, and which request it was for; its panic was caught.
    Broken(JobName, String),
}

/// Why an export wrote nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExportFailure {
    /// The name is taken.
    Exists,
    /// The analyst stopped it.
    Cancelled,
    /// Anything else, as a sentence.
    Other(String),
}

/// Which job, and which request it is for: the same as its answer brings back.
#[derive(Clone, Debug)]
pub(crate) enum JobName {
    /// Loading the project.
    Load,
    /// Making a view.
    View(Ticket),
    /// Listing its classes.
    List(Ticket),
    /// Looking for a text in them.
    Find(Ticket),
    /// Explaining one.
    Explain(Ticket),
    /// Counting the neighbours.
    Neighbours(Ticket),
    /// A search.
    Search(RunKey),
    /// Counting the least loss possible under a δ.
    Bound(Ticket),
    /// Comparing two candidates.
    Difference(Ticket),
    /// Surveying the lattice.
    Survey(Ticket),
    /// Counting one node of it.
    Node(Ticket),
    /// Measuring the trade-off.
    Sweep(Ticket),
    /// Reading rows of a table.
    Page(Ticket),
    /// Reading the rows to preview, for one dialog.
    Preview(u64),
    /// Writing and verifying, for one dialog.
    Export(u64),
    /// Copying.
    Copy,
}

impl JobName {
    /// What kind of job it is, in a word.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::View(_) => "view",
            Self::List(_) => "list",
            Self::Find(_) => "find",
            Self::Explain(_) => "explain",
            Self::Neighbours(_) => "neighbours",
            Self::Search(_) => "search",
            Self::Bound(_) => "bound",
            Self::Difference(_) => "difference",
            Self::Survey(_) => "survey",
            Self::Node(_) => "node",
            Self::Sweep(_) => "sweep",
            Self::Page(_) => "page",
            Self::Preview(_) => "preview",
            Self::Export(_) => "export",
            Self::Copy => "copy",
        }
    }

    /// What it does, as the beginning of a sentence that tells of its failure.
    pub(crate) fn doing(&self) -> &'static str {
        match self {
            Self::Load => "loading the project",
            Self::View(_) => "counting the classes",
            Self::List(_) => "listing the classes",
            Self::Find(_) => "looking through the classes",
            Self::Explain(_) => "explaining the class",
            Self::Neighbours(_) => "counting the neighbours",
            Self::Search(_) => "searching",
            Self::Bound(_) => "counting the least loss possible",
            Self::Difference(_) => "comparing",
            Self::Survey(_) => "surveying the lattice",
            Self::Node(_) => "counting a node",
            Self::Sweep(_) => "measuring the trade-off",
            Self::Page(_) => "reading the table",
            Self::Preview(_) => "reading the preview",
            Self::Export(_) => "exporting",
            Self::Copy => "copying",
        }
    }
}
