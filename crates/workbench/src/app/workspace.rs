//! What fills the terminal below the windows: an open project with its screens, or the proposal of a project.
//!
//! The app hands keys, clicks and lines to the open [`Workspace`], and carries out the intents that it answers with. Only
//! `app/state.rs` knows which workspaces exist.

use crossterm::event::KeyEvent;

use super::registry::Command;
use crate::kit::hits::{Hits, Target};
use crate::kit::name::ScreenName;
use crate::shared::activity::Activity;
use crate::shared::intent::{Intent, Purpose, Stage};

/// A line that the analyst types.
pub(crate) struct TypedLine<'a> {
    pub(crate) purpose: Purpose,
    pub(crate) text: &'a str,
    pub(crate) stage: Stage,
}

/// A project, or the proposal of one. `seen` is what the last frame drew.
pub(crate) trait Workspace {
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
