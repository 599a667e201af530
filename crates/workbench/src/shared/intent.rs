//! What a screen wants done beyond itself, and what it is told when something was.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use palmtop_core::model::Delta;
use palmtop_flow::register::Entry;
use palmtop_flow::session::{Grounds, How, Place, Reason, Search};
use palmtop_search::release::Release;
use palmtop_search::{Audit, Strategy};

use super::classes::state::Deed;
use crate::kit::name::ScreenName;

/// What a screen or a window over it wants done: only the app changes what others read.
pub(crate) enum Intent {
    /// Nothing beyond itself.
    None,
    /// One after the other.
    Many(Vec<Intent>),
    /// Tell the analyst.
    Say(String),
    /// Take a step: what was undone is forgotten.
    Go { place: Place, how: How },
    /// Undo, redo, or back to any step.
    Jump(usize),
    /// Judge by another δ.
    Delta { delta: Delta, reason: Option<Reason>, grounds: Option<Grounds> },
    /// Write δ into the project file, which is read again then.
    WriteDelta(Delta),
    /// Ask why δ is to be another, and judge by it.
    DeltaFor(Delta),
    /// Results are about to be seen: δ is fixed as it stands.
    FixPolicy,
    /// Open a screen.
    Show(ScreenName),
    /// Keep a place to compare, or no longer.
    Pin(Place),
    /// Take a place out of the comparison.
    Forget(Place),
    /// Compare with this place.
    Base(Place),
    /// Run searches under the current δ.
    Run(Vec<Strategy>),
    /// Stop one, or all.
    Stop(Option<Strategy>),
    /// `best` may take so long from its next run on.
    Budget(Duration),
    /// Count the cautions of the project and of a release, whatever its verdict.
    Cautions(Option<Arc<Release>>),
    /// Count the least loss possible.
    Bound,
    /// Keep what an audit found of what a search released under a δ.
    Audited { search: Search, delta: Delta, audit: Box<Audit> },
    /// The release of a place was written: it is a step, and the register gets the entry.
    Exported { place: Place, entry: Option<Box<Entry>> },
    /// Do something to the table of classes.
    Classes(Deed),
    /// Ask for a line.
    Ask(Question),
    /// A line was typed, as far as it is: the open screen takes it.
    Typed { purpose: Purpose, text: String, stage: Stage },
    /// Run a line of the table of commands.
    Command(usize),
    /// Copy a text.
    Copy(Figures),
    /// The project was written anew, as the sentence says: it is read again.
    Saved(String),
    /// Ask for one of some choices.
    Choose(Choosing),
    /// One was taken, by its place.
    Chosen(usize),
    /// Ask whether what is there may be replaced.
    Replace,
    /// Tell the analyst something that is too long for a line.
    Tell { title: String, text: String },
    /// Open a project that was just written, with so many hierarchies beside it.
    Load { path: PathBuf, hierarchies: usize },
    /// Close the window over the screen.
    Close,
}

/// What changed for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// δ: nothing that was judged by another holds any more.
    Delta,
    /// The node that steps start from.
    LastNode,
    /// Where the analyst stands.
    Place,
    /// The view of that place is there.
    View,
    /// The cursor of the classes was put on one that was asked for.
    Sought,
    /// What can be compared: a pin, the base, or one left out.
    Candidates,
    /// This screen is open now.
    Shown(ScreenName),
    /// The terminal is left to the shell: whoever comes back need not be who left.
    Left,
}

/// What a line is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// What to look for on a screen: the cursor moves while it is typed, and goes back where it is given up.
    Find,
    /// The same, taken once it is whole.
    FindWhole,
    /// Which project to open.
    Open,
    /// Why a new session is to be begun.
    Anew,
    /// What to show: it is taken while it is typed.
    Filter,
    /// Whatever the screen has asked for, taken once it is whole.
    Line,
    /// The same, of which the screen shows what would come while it is typed.
    Draft,
    /// Where T is.
    Private,
    /// Where P is.
    Public,
    /// Where a proposed project is to be written.
    Target,
    /// The δmax of a proposed project.
    DeltaMax,
}

impl Purpose {
    /// Whether it is the path of a file.
    pub(crate) fn is_path(self) -> bool {
        matches!(self, Self::Open | Self::Private | Self::Public | Self::Target)
    }
}

/// How far a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// There may be more of it.
    Part,
    /// It is as it is meant.
    Whole,
    /// It is not wanted any more: all is to be as it was before.
    GivenUp,
}

/// A line to ask for.
pub(crate) struct Question {
    pub(crate) purpose: Purpose,
    /// The word before it.
    pub(crate) word: &'static str,
    /// What can be typed.
    pub(crate) hint: &'static str,
    /// What it begins with.
    pub(crate) text: String,
}

/// Some choices.
#[derive(Clone, Debug)]
pub(crate) struct Choosing {
    pub(crate) title: String,
    /// What it is about, above the choices; it may be empty.
    pub(crate) said: String,
    pub(crate) labels: Vec<String>,
    /// Which of them holds now.
    pub(crate) taken: Option<usize>,
}

/// What is copied, and how to call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) what: &'static str,
    pub(crate) content: String,
}
