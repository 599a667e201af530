//! What a screen is.

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use super::activity::Activity;
use super::figures;
use super::intent::{Change, Figures, Intent, Purpose};
use super::state::Shared;
use crate::kit::command::{Movement, Row};
use crate::kit::hits::{Hits, Target};
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;

/// What a screen acts on: what all share, its own way back from its jobs, and what the analyst sees.
pub(crate) struct Scope<'a, M> {
    pub(crate) shared: &'a Shared,
    pub(crate) link: &'a Link<M>,
    /// What the last frame drew.
    pub(crate) seen: &'a Hits,
}

/// What is taken from a screen as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taking {
    /// Its release, to a file.
    Release,
    /// Its figures, to the clipboard or a file.
    Figures,
}

/// A screen: its cursor, its own commands, its jobs, and how it is drawn. It reads what all share and changes nothing of it:
/// what it wants done is an [`Intent`], and of what was done it hears a [`Change`].
pub(crate) trait Screen: Sized + 'static {
    /// What its keys ask for.
    type Command: Copy + 'static;
    /// What its jobs have to say.
    type Message: Send + 'static;

    /// The command that opens it: its name, its keys.
    const SHOW: Row<()>;
    /// The name of the screen.
    const NAME: ScreenName = ScreenName(Self::SHOW.id);
    /// What one does on it, as a clause for the docs.
    const PURPOSE: &'static str;
    /// Its part of the table of commands.
    const ROWS: &'static [Row<Self::Command>];
    /// How to read it, and what to do on it, for the help.
    const LEGEND: &'static [&'static str];
    /// Whether it shows verdicts of other recipes than the current one.
    const SHOWS_OTHERS: bool = false;

    /// As it is before anybody has opened it.
    fn new(shared: &Shared) -> Self;

    /// Why a command of its own cannot run now, as far as that is known beforehand.
    fn why_not(&self, _shared: &Shared, _command: Self::Command) -> Option<String> {
        None
    }

    /// Why nothing can be taken from it, likewise.
    fn why_not_taken(&self, _shared: &Shared, _taking: Taking) -> Option<String> {
        None
    }

    /// Whether a command of its own, or what is taken from it where that is none, needs the view of the recipe: its key
    /// then waits until the view is counted.
    fn needs_view(&self, shared: &Shared, command: Option<Self::Command>) -> bool {
        command.is_none() && self.chosen(shared).is_err()
    }

    /// Does what a command of its own asks for.
    ///
    /// # Errors
    /// Why not.
    fn act(&mut self, scope: &Scope<Self::Message>, command: Self::Command) -> Result<Intent, String>;

    /// Moves its cursor.
    ///
    /// # Errors
    /// Why not.
    fn go(&mut self, scope: &Scope<Self::Message>, movement: Movement) -> Result<Intent, String>;

    /// Takes a line that it has asked for.
    ///
    /// # Errors
    /// What is wrong with it.
    fn typed(
        &mut self,
        _scope: &Scope<Self::Message>,
        _purpose: Purpose,
        _text: &str,
    ) -> Result<Intent, String> {
        Ok(Intent::None)
    }

    /// Shows what a line would do that it has asked for, as far as it is typed; nothing is done yet.
    fn drafted(&mut self, _scope: &Scope<Self::Message>, _text: &str) {}

    /// A line that it has asked for is given up: what was done while it was typed is undone.
    fn given_up(&mut self, _scope: &Scope<Self::Message>, _purpose: Purpose) -> Intent {
        Intent::None
    }

    /// Takes what one of its jobs has to say.
    fn update(&mut self, scope: &Scope<Self::Message>, message: Self::Message) -> Intent;

    /// Hears what changed for everybody.
    fn changed(&mut self, _scope: &Scope<Self::Message>, _change: Change) -> Intent {
        Intent::None
    }

    /// Something of it was clicked.
    fn click(&mut self, _scope: &Scope<Self::Message>, _target: Target) -> Intent {
        Intent::None
    }

    /// Draws it.
    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared);

    /// What goes on for it in the background.
    fn activity(&self) -> Activity {
        Activity::default()
    }

    /// How far that is, for the status line; nothing where it is not worth a word.
    fn progress(&self) -> String {
        String::new()
    }

    /// The command with its options, each after a blank, that prints what the screen shows.
    fn command(&self, _shared: &Shared) -> Option<(&'static str, String)> {
        None
    }

    /// What would be lost with it, as a sentence; nothing where all is saved.
    fn unsaved(&self, _shared: &Shared) -> Option<String> {
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

/// What a screen is drawn from: what all share, and its own.
pub(crate) struct Sight<'a, S> {
    pub(crate) shared: &'a Shared,
    pub(crate) screen: &'a S,
}

impl<S> Clone for Sight<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Sight<'_, S> {}
