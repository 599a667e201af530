//! A screen with the link of its jobs, behind a trait that hides the types of its commands and messages.

use std::any::Any;
use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use super::activity::Activity;
use super::intent::{Change, Figures, Intent, Purpose};
use super::report::Report;
use super::screen::{Scope, Screen, Taking};
use super::state::Shared;
use crate::kit::command::{Binding, Duty, Movement};
use crate::kit::hits::{Hits, Target};
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;

/// A row of the list of screens.
pub(crate) struct Entry {
    pub(crate) name: ScreenName,
    /// The row of the command that opens the screen.
    pub(crate) opening: fn() -> Binding,
    /// The rows of its commands.
    pub(crate) rows: fn() -> Vec<Binding>,
    /// What one does there, for the docs.
    pub(crate) purpose: &'static str,
    /// Makes the screen, before it was ever open.
    pub(crate) mount: fn(&Shared, &Link<ScreenReport>) -> Box<dyn AnyScreen>,
}

/// The row of a screen.
pub(crate) const fn entry<S: Screen>() -> Entry {
    Entry {
        name: S::NAME,
        opening: || Binding::opening(&S::SHOW, S::NAME),
        rows: || S::ROWS.iter().map(|row| Binding::of(row, Some(S::NAME), Duty::Plain)).collect(),
        purpose: S::PURPOSE,
        mount: |shared, link| {
            let link = link.map(|message| ScreenReport { screen: S::NAME, report: Report::new(message) });
            Box::new(Mounted { screen: S::new(shared), link })
        },
    }
}

/// What a job reports to a screen.
pub(crate) struct ScreenReport {
    pub(crate) screen: ScreenName,
    pub(crate) report: Report,
}

/// A screen, and the link from its jobs.
pub(crate) struct Mounted<S: Screen> {
    pub(crate) screen: S,
    pub(crate) link: Link<S::Message>,
}

/// Any screen. A command of a screen is an index into the rows of that screen.
pub(crate) trait AnyScreen: Any {
    fn update(&mut self, shared: &Shared, seen: &Hits, report: Report) -> Intent;
    fn legend(&self) -> &'static [&'static str];
    fn shows_others(&self) -> bool;
    fn why_not(&self, shared: &Shared, row: usize) -> Option<String>;
    fn why_not_taken(&self, shared: &Shared, taking: Taking) -> Option<String>;
    fn needs_view(&self, shared: &Shared, row: Option<usize>) -> bool;
    fn act(&mut self, shared: &Shared, seen: &Hits, row: usize) -> Result<Intent, String>;
    fn go(&mut self, shared: &Shared, seen: &Hits, movement: Movement) -> Result<Intent, String>;
    fn typed(&mut self, shared: &Shared, seen: &Hits, line: (Purpose, &str)) -> Result<Intent, String>;
    fn drafted(&mut self, shared: &Shared, seen: &Hits, text: &str);
    fn given_up(&mut self, shared: &Shared, seen: &Hits, purpose: Purpose) -> Intent;
    fn changed(&mut self, shared: &Shared, seen: &Hits, change: Change) -> Intent;
    fn click(&mut self, shared: &Shared, seen: &Hits, target: Target) -> Intent;
    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared);
    fn activity(&self) -> Activity;
    fn progress(&self) -> String;
    fn command(&self, shared: &Shared) -> Option<(&'static str, String)>;
    fn unsaved(&self, shared: &Shared) -> Option<String>;
    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String>;
    fn figures(&self, shared: &Shared) -> Result<Figures, String>;
}

impl<S: Screen> AnyScreen for Mounted<S> {
    fn update(&mut self, shared: &Shared, seen: &Hits, report: Report) -> Intent {
        let Ok(message) = report.open() else { return Intent::None };
        self.screen.update(&Scope { shared, link: &self.link, seen }, message)
    }

    fn legend(&self) -> &'static [&'static str] {
        S::LEGEND
    }

    fn shows_others(&self) -> bool {
        S::SHOWS_OTHERS
    }

    fn why_not(&self, shared: &Shared, row: usize) -> Option<String> {
        self.screen.why_not(shared, S::ROWS[row].command)
    }

    fn why_not_taken(&self, shared: &Shared, taking: Taking) -> Option<String> {
        self.screen.why_not_taken(shared, taking)
    }

    fn needs_view(&self, shared: &Shared, row: Option<usize>) -> bool {
        self.screen.needs_view(shared, row.map(|row| S::ROWS[row].command))
    }

    fn act(&mut self, shared: &Shared, seen: &Hits, row: usize) -> Result<Intent, String> {
        self.screen.act(&Scope { shared, link: &self.link, seen }, S::ROWS[row].command)
    }

    fn go(&mut self, shared: &Shared, seen: &Hits, movement: Movement) -> Result<Intent, String> {
        self.screen.go(&Scope { shared, link: &self.link, seen }, movement)
    }

    fn typed(&mut self, shared: &Shared, seen: &Hits, line: (Purpose, &str)) -> Result<Intent, String> {
        self.screen.typed(&Scope { shared, link: &self.link, seen }, line.0, line.1)
    }

    fn drafted(&mut self, shared: &Shared, seen: &Hits, text: &str) {
        self.screen.drafted(&Scope { shared, link: &self.link, seen }, text);
    }

    fn given_up(&mut self, shared: &Shared, seen: &Hits, purpose: Purpose) -> Intent {
        self.screen.given_up(&Scope { shared, link: &self.link, seen }, purpose)
    }

    fn changed(&mut self, shared: &Shared, seen: &Hits, change: Change) -> Intent {
        self.screen.changed(&Scope { shared, link: &self.link, seen }, change)
    }

    fn click(&mut self, shared: &Shared, seen: &Hits, target: Target) -> Intent {
        self.screen.click(&Scope { shared, link: &self.link, seen }, target)
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        self.screen.draw(page, area, shared);
    }

    fn activity(&self) -> Activity {
        self.screen.activity()
    }

    fn progress(&self) -> String {
        self.screen.progress()
    }

    fn command(&self, shared: &Shared) -> Option<(&'static str, String)> {
        self.screen.command(shared)
    }

    fn unsaved(&self, shared: &Shared) -> Option<String> {
        self.screen.unsaved(shared)
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        self.screen.chosen(shared)
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        self.screen.figures(shared)
    }
}
