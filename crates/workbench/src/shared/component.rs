//! What takes keys and draws: the one trait of screens, panes and windows.

use std::any::Any;
use std::sync::Arc;

use crossterm::event::KeyEvent;
use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use super::activity::Activity;
use super::figures;
use super::intent::{Change, Figures, Intent, Stage};
use super::messages::MessageLog;
use super::report::Report;
use super::state::Shared;
use crate::kit::command::{Binding, Movement};
use crate::kit::hits::{Hits, Target};
use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::symbols::Marks;

/// A part of the workbench that takes keys and draws. There are three cases:
///
/// - a **screen** of an open project, which its command opens (`screens/mod.rs` has the list),
/// - the **screen before a project**, which proposes one,
/// - a **window** over a screen: a dialog, a list, a typed line (`windows`).
///
/// A component reads its [`Context`], changes only itself, and answers each [`Event`] with an [`Intent`], or with a
/// sentence why it cannot. It handles the events that it knows; to any other its answer is [`Intent::None`]. Only `app`
/// calls these methods, and only it carries out an intent.
///
/// Every component has [`handle`](Self::handle) and [`draw`](Self::draw); [`state`](Self::state) is what the app reads of
/// it between two events. The other methods are asked about a screen, and have an answer for those that do not care.
pub(crate) trait Component: Any {
    /// Handles an event.
    ///
    /// # Errors
    /// Why it cannot be done.
    fn handle(&mut self, _context: &Context, _event: Event) -> Result<Intent, String> {
        Ok(Intent::None)
    }

    /// Draws it. A screen has the area that the frame of the app leaves. For a window, `area` leaves the title and the
    /// verdict in sight; a window that needs more takes `page.area()`.
    fn draw(&self, page: &mut Page, area: Rect, context: &Context);

    /// What it does and holds at this moment.
    fn state(&self) -> State<'_> {
        State::default()
    }

    /// Why it cannot do what is wanted of it, as far as that is known beforehand. An [`Event::Command`] comes only if
    /// there is no reason against it.
    fn why_not(&self, _shared: Option<&Shared>, _wanted: Wanted) -> Option<String> {
        None
    }

    /// Whether what is wanted of it needs the view of the recipe: its key then waits until the view is counted.
    fn needs_view(&self, shared: &Shared, wanted: Wanted) -> bool {
        matches!(wanted, Wanted::Release | Wanted::Figures) && self.chosen(shared).is_err()
    }

    /// The command with its options, each after a blank, that prints what it shows.
    fn command_line(&self, _shared: &Shared) -> Option<(&'static str, String)> {
        None
    }

    /// The release that an export would write, with its recipe, judged by the current δ.
    ///
    /// # Errors
    /// Why there is none.
    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        shared.chosen_here()
    }

    /// The figures that it shows, as text.
    ///
    /// # Errors
    /// Why there are none.
    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        let (recipe, release) = self.chosen(shared)?;
        Ok(figures::of_release(shared, &recipe, &release))
    }
}

/// What happens to a component.
pub(crate) enum Event<'a> {
    /// A command of its own, by its row.
    Command(usize),
    /// The cursor of a screen is to move.
    Move(Movement),
    /// A key. A screen gets commands instead.
    Key(KeyEvent),
    /// Pasted text, which has no control characters.
    Paste(&'a str),
    /// A click on something that it drew.
    Click(Target),
    /// A line that it has asked for.
    Line(TypedLine<'a>),
    /// The line of a window was refused, for this reason.
    Refused(String),
    /// The choice with this index, of those that it has offered.
    Chosen(usize),
    /// A yes to a question that it has asked.
    Confirmed,
    /// A report of a job. A report of another component's job is left where it is.
    Report(&'a mut Report),
    /// What all screens share has changed.
    Changed(Change),
    /// A command of every screen that is the screen's own before the app carries it out: where a project is open, only an
    /// undo or redo comes, and the app does it if the answer is [`Intent::None`].
    Before(Everywhere),
    /// A window closes: the answer is what is kept of it.
    Closed,
}

/// A command of every screen that the screen before a project carries out itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Everywhere {
    Undo,
    Redo,
    /// Change δ.
    Delta,
    /// The digit of a tab, from 0: without tabs, an answer.
    Digit(usize),
    /// Stop what runs, or quit.
    Close,
}

/// A line that the analyst types.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TypedLine<'a> {
    /// What its asker calls it.
    pub(crate) id: &'static str,
    pub(crate) text: &'a str,
    pub(crate) stage: Stage,
}

/// What may be wanted of a screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A command of its own, by its row.
    Command(usize),
    /// A movement of its cursor.
    Move,
    /// Its release, to a file.
    Release,
    /// Its figures, to the clipboard or a file.
    Figures,
}

/// What a component does and holds at a moment.
#[derive(Default)]
pub(crate) struct State<'a> {
    /// What its jobs do in the background.
    pub(crate) activity: Activity,
    /// How far they are, for the status line; nothing where it is not worth a word.
    pub(crate) progress: String,
    /// What would be lost with it, as a sentence.
    pub(crate) unsaved: Option<String>,
    /// The work that closing it would break off, as a clause: such a window stays open.
    pub(crate) unfinished: Option<&'static str>,
    /// Whether letters go into a field. Then no letter can be the key of the help, and `F1` lists the keys of a field.
    pub(crate) takes_text: bool,
    /// The keys of a window and what they do; the key of the help lists them.
    pub(crate) keys: &'static [(&'static str, &'static str)],
    /// The line that is being typed in it, after its name.
    pub(crate) line: Option<(&'static str, &'a str)>,
}

/// What a component reads of the rest of the workbench.
pub(crate) struct Context<'a> {
    /// The project; `None` before one is open.
    pub(crate) shared: Option<&'a Shared>,
    pub(crate) keymap: &'a Keymap,
    /// The way from its jobs to itself; a report is dropped if the component is gone.
    pub(crate) link: &'a Link<Report>,
    /// What the last frame drew.
    pub(crate) seen: &'a Hits,
    /// How the lines of charts are drawn.
    pub(crate) marks: Marks,
    /// The open screen.
    pub(crate) screen: ScreenName,
    /// How to read that screen.
    pub(crate) legend: &'static [&'static str],
    /// The last messages of the status line.
    pub(crate) messages: &'a MessageLog,
    /// The line that is being typed in a window, after its name.
    pub(crate) line: Option<(&'static str, &'a str)>,
    /// Why the command in a row of the command table cannot run now. A component does not ask it about itself.
    pub(crate) why_not: &'a dyn Fn(usize) -> Option<String>,
}

impl Context<'_> {
    /// The command of a key on the open screen, with its row in the command table.
    pub(crate) fn command_of(&self, key: KeyEvent) -> Option<(usize, &'static Binding)> {
        let row = self.keymap.line(self.screen, key)?;
        Some((row, &self.keymap.table()[row]))
    }
}

/// The ways from the jobs of a window to the app.
pub(crate) struct Links {
    /// To the window itself; a report is dropped if the window is closed.
    pub(crate) report: Link<Report>,
    /// To the status line, whether the window is still open or not.
    pub(crate) say: Link<String>,
}
