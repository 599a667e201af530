//! What a screen or a window asks for, and what it hears when something changed.
//!
//! Screens and windows change only themselves. They answer every key, click and report with an [`Intent`], and the app
//! carries it out:
//!
//! - [`Intent`] itself is about the interface: the status line, the open screen, the open windows.
//! - An [`Edit`] changes [`Shared`](super::state::Shared), which all screens read. Every screen then hears of the [`Change`].
//! - An [`Errand`] leaves the workbench: it reaches the clipboard or the files of the project.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crossterm::event::KeyEvent;
use palmtop_core::model::Delta;
use palmtop_project::settings::Setting;
use palmtop_release::history::{Action, Entry, Grounds, Reason, RecodingRecipe, Search};
use palmtop_search::release::Release;
use palmtop_search::{Audit, Strategy};

use super::classes::state::Deed;
use crate::kit::name::ScreenName;

/// What a screen or a window asks the app for.
pub(crate) enum Intent {
    /// Nothing.
    None,
    /// Several intents, in order.
    Many(Vec<Intent>),
    /// Show a sentence in the status line.
    Say(String),
    /// Change what all screens share.
    Edit(Edit),
    /// Reach the clipboard or the files of the project.
    Errand(Errand),
    /// Open a screen.
    Show(ScreenName),
    /// Open a line for the analyst to type.
    Ask(Question),
    /// A line was typed, perhaps only in part: who has asked for it takes it.
    Typed { id: &'static str, text: String, stage: Stage },
    /// Open a window of choices.
    Choose(Choosing),
    /// The choice with this index was taken: the open screen takes it.
    Chosen(usize),
    /// Open a notice, for a text that is too long for the status line.
    Tell { title: String, text: String },
    /// Ask a question over everything else.
    Confirm(Box<Confirm>),
    /// The analyst said yes to a question of the open screen.
    Confirmed,
    /// Ask whether to quit.
    AskToQuit,
    /// Quit without a question, because nothing would be lost.
    Quit,
    /// Run the command in this row of the command table.
    Command(usize),
    /// Close the top window.
    Close,
    /// Handle a key as if the window that answers so were not open.
    PassKey(KeyEvent),
}

/// A change of what all screens share.
pub(crate) enum Edit {
    /// Take a step to a recipe; undone steps are dropped.
    Go { recipe: RecodingRecipe, how: Action },
    /// Undo, redo, or go back to any step, by its index.
    Jump(usize),
    /// Judge by another δ.
    Delta { delta: Delta, reason: Option<Reason>, grounds: Option<Grounds> },
    /// Fix δ, because the analyst is about to see results.
    FixPolicy,
    /// Pin a recipe for the comparison, or unpin it.
    Pin(RecodingRecipe),
    /// Make this recipe the base of the comparison.
    Base(RecodingRecipe),
    /// Mark a strategy, or unmark it.
    Mark(Strategy),
    /// Run searches under the current δ.
    Run(Vec<Strategy>),
    /// Stop one search, or all.
    Stop(Option<Strategy>),
    /// Set the time limit of `best` from its next run on.
    Budget(Duration),
    /// Count the cautions of the project, and of a release whatever its verdict.
    CountCautions(Option<Arc<Release>>),
    /// Count the lower limit of the loss.
    CountBound,
    /// Keep what an audit found about the release of a search under a δ.
    Audited { search: Search, delta: Delta, audit: Box<Audit> },
    /// Record that the release of a recipe was written: as a step, which its entry in the history gets.
    Exported { recipe: RecodingRecipe, entry: Option<Box<Entry>> },
    /// Change the table of classes.
    Classes(Deed),
    /// Note a command line that does what was done.
    Note(String),
}

/// Work outside the workbench.
pub(crate) enum Errand {
    /// Copy a text to the clipboard.
    Copy(Figures),
    /// Write a text to a new file.
    CopyToFile(Figures),
    /// Read the project again, although that may drop work.
    Reload,
    /// Write settings into the project file, then read the project again.
    WriteSettings(Vec<Setting>),
    /// Read the project again, which a screen or window has just written; the sentence says what was written.
    Reread(String),
    /// Open a project that was just written, with the number of hierarchies written next to it.
    Load { path: PathBuf, hierarchies: usize },
}

/// What changed for everybody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Change {
    /// δ: nothing that was judged by another holds any more.
    Delta,
    /// The node that steps start from.
    LastNode,
    /// The recipe of the current step.
    RecodingRecipe,
    /// The view of that recipe is there.
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

/// How a line is typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It is taken once it is complete.
    Whole,
    /// The same. It is the path of a file, which Tab completes.
    Path,
    /// It is taken while it is typed, too. Where it is given up, its asker undoes what was done meanwhile.
    Followed,
}

/// How far a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// There may be more of it.
    Part,
    /// It is as it is meant.
    Complete,
    /// It is not wanted any more: all is to be as it was before. The text is what the line began with.
    GivenUp,
}

/// A line to ask for.
pub(crate) struct Question {
    /// Its name: `proposal.target`. Only who has asked for it reads the name.
    pub(crate) id: &'static str,
    pub(crate) manner: Manner,
    /// The word before it.
    pub(crate) word: &'static str,
    /// What can be typed.
    pub(crate) hint: &'static str,
    /// What it begins with.
    pub(crate) text: String,
}

/// A question over everything else. Any key but a yes closes it.
pub(crate) struct Confirm {
    /// What is asked, and what would be lost.
    pub(crate) sentences: Vec<String>,
    /// The question in few words, for a terminal without room.
    pub(crate) brief: &'static str,
    /// The letter that is a yes.
    pub(crate) letter: char,
    /// What a yes does: `quits`.
    pub(crate) yes_does: &'static str,
    /// What any other key does: `stays`.
    pub(crate) no_does: &'static str,
    /// The command that led to the question: the command once more is a yes.
    pub(crate) command: Option<&'static str>,
    pub(crate) yes: Intent,
}

impl Confirm {
    /// The question of a command that would lose something.
    pub(crate) fn command(
        id: &'static str,
        sentence: String,
        brief: &'static str,
        yes_does: &'static str,
        yes: Intent,
    ) -> Self {
        let (letter, no_does, command) = ('y', "stays", Some(id));
        Self { sentences: vec![sentence], brief, letter, yes_does, no_does, command, yes }
    }
}

/// Some choices.
#[derive(Clone, Debug)]
pub(crate) struct Choosing {
    pub(crate) title: String,
    /// What it is about, above the choices; it may be empty.
    pub(crate) sentence: String,
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
