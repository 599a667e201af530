//! What fills the terminal below the windows: an open project with its screens, or the proposal of a project.
//!
//! The app hands keys, clicks, lines and reports of jobs to the open [`Workspace`], and carries out the intents that it
//! answers with. Only what opens a workspace knows which one it is.

use std::any::Any;

use crossterm::event::KeyEvent;

use ratatui::layout::Rect;
use ratatui::text::Line;

use super::registry::Command;
use crate::kit::hits::{Hits, Target};
use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::theme::Theme;
use crate::shared::activity::Activity;
use crate::shared::intent::{Intent, Purpose, Stage};
use crate::shared::report::Report;

/// A line that the analyst types.
pub(crate) struct TypedLine<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) text: &'a str,
    pub(crate) stage: Stage,
}

/// What the app knows while a workspace is drawn.
pub(crate) struct Surroundings<'a> {
    pub(crate) keymap: &'a Keymap,
    /// What just happened, or why a command could not run.
    pub(crate) status: &'a str,
    /// How many keys wait for a count; it replaces the status.
    pub(crate) waiting: Option<String>,
    /// The line that is being typed, and its purpose.
    pub(crate) line: Option<(Purpose, &'a str)>,
}

/// A project, or the proposal of one. `seen` is what the last frame drew.
pub(crate) trait Workspace: Any {
    /// The open screen.
    fn screen(&self) -> ScreenName;

    /// How to read that screen, for the help.
    fn legend(&self) -> &'static [&'static str];

    /// Why a command cannot run now. `screen` is the screen of the command; `None` if it holds on every screen.
    fn why_not(&self, screen: Option<ScreenName>, command: Command) -> Option<String>;

    /// Runs a command; `None` if the app runs it, because it is the same in each workspace.
    fn run(&mut self, seen: &Hits, command: Command) -> Option<Result<Intent, String>>;

    /// Handles a line.
    ///
    /// # Errors
    /// What is wrong with the line.
    fn typed(&mut self, seen: &Hits, line: TypedLine) -> Result<Intent, String>;

    /// Handles the choice with this index.
    fn chosen(&mut self, _index: usize) -> Intent {
        Intent::None
    }

    /// Handles a yes to a question that it asked.
    fn confirmed(&mut self) {}

    /// Handles a report of one of its jobs.
    fn update(&mut self, _report: Report) -> Intent {
        Intent::None
    }

    /// Draws it; returns the area for the windows over it.
    fn draw(&self, page: &mut Page, surroundings: &Surroundings) -> Rect;

    /// What stays in sight where there is no room for more.
    fn verdict(&self, _theme: Theme, _width: usize) -> Vec<Line<'static>> {
        Vec::new()
    }

    /// Handles a click on something that the last frame drew.
    fn click(&mut self, seen: &Hits, target: Target) -> Intent;

    /// What it does in the background.
    fn activity(&self) -> Activity;

    /// Whether quitting would lose something.
    fn is_begun(&self) -> bool;

    /// Whether Esc has nothing to close or stop.
    fn is_idle(&self) -> bool;

    /// What to say about a key that runs no command.
    fn unknown_key(&self, _key: KeyEvent) -> Option<String> {
        None
    }

    /// The question before it quits, with what stays or goes.
    fn quit_question(&self) -> &'static str;
}
