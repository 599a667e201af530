//! What a window over a screen is.
//!
//! A window is a dialog, a list or a typed line that opens over the screen. The app keeps the open windows as a stack:
//!
//! - The app draws every window, the lowest first.
//! - The top window gets each key, click and paste.
//! - A job's report goes to the window that started the job.
//!
//! A window implements [`Window`]. It reads a [`Context`], changes only itself, and answers with an [`Intent`]. Only the
//! app calls these methods. A command opens a window in `app/commands.rs`. A screen opens a line, a choice or a notice by
//! an intent.

use std::any::Any;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use super::activity::Activity;
use super::intent::{Intent, Purpose};
use super::messages::MessageLog;
use super::report::Report;
use super::state::Shared;
use crate::kit::command::Binding;
use crate::kit::hits::Target;
use crate::kit::keymap::Keymap;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;

/// What a window reads of the rest of the workbench.
pub(crate) struct Context<'a> {
    /// The project; `None` before one is open.
    pub(crate) shared: Option<&'a Shared>,
    pub(crate) keymap: &'a Keymap,
    /// The screen below the window.
    pub(crate) screen: ScreenName,
    /// How to read that screen.
    pub(crate) legend: &'static [&'static str],
    /// The last messages of the status line.
    pub(crate) messages: &'a MessageLog,
    /// Why the command in a row of the command table cannot run now.
    pub(crate) why_not: &'a dyn Fn(usize) -> Option<String>,
}

impl Context<'_> {
    /// The command of a key on the screen below, with its row in the command table.
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

/// A window over a screen.
pub(crate) trait Window: Any {
    /// Handles a key.
    fn key(&mut self, context: &Context, key: KeyEvent) -> Intent;

    /// Draws the window. `area` leaves the title and the verdict in sight; a window that needs more takes `page.area()`.
    fn draw(&self, page: &mut Page, area: Rect, context: &Context);

    /// Whether letters go into a field. Then no letter can be the key of the help, and `F1` lists the keys of a field.
    fn takes_text(&self) -> bool {
        false
    }

    /// Handles pasted text, which has no control characters.
    fn paste(&mut self, _context: &Context, _text: &str) -> Intent {
        Intent::None
    }

    /// Handles a click on something that the window drew.
    fn click(&mut self, _context: &Context, _target: Target) -> Intent {
        Intent::None
    }

    /// Handles a report of one of its jobs.
    ///
    /// # Errors
    /// The report itself, if it is for another window.
    fn update(&mut self, _context: &Context, report: Report) -> Result<Intent, Report> {
        Err(report)
    }

    /// The line that is being typed for a screen, and its purpose.
    fn line(&self) -> Option<(Purpose, &str)> {
        None
    }

    /// Shows why the screen refused the line.
    fn refuse(&mut self, _why: String) {}

    /// What its jobs do in the background.
    fn activity(&self) -> Activity {
        Activity::default()
    }

    /// The work that closing the window would break off, as a clause: such a window stays open.
    fn unfinished(&self) -> Option<&'static str> {
        None
    }

    /// What to keep of the window when it closes.
    fn closed(&mut self) -> Intent {
        Intent::None
    }
}
