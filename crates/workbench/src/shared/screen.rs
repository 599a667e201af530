//! A screen: a component with a name and commands of its own.

use super::component::{Component, Context};
use super::report::Report;
use super::state::Shared;
use crate::kit::command::{Binding, Duty, Row};
use crate::kit::hits::Hits;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::theme::Theme;
use crate::kit::verb::Verb;
use ratatui::layout::Rect;

/// What is known of a screen before it is made.
pub(crate) struct About {
    pub(crate) name: ScreenName,
    /// What one does on it, as a clause for the docs.
    pub(crate) purpose: &'static str,
    /// Its part of the table of commands; [`rows_of`] makes it.
    pub(crate) rows: fn() -> Vec<Binding>,
    /// How to read it, and what to do on it, for the help.
    pub(crate) legend: &'static [&'static str],
    /// Whether it shows verdicts of other recipes than the current one.
    pub(crate) shows_others: bool,
}

/// A tab: a question that one or several screens answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Tab {
    /// What is in the tables?
    Data,
    /// Who could be found, and what does a step change?
    Classes,
    /// Which release?
    Releases,
    /// What do we promise?
    Policy,
    /// What was written?
    Files,
}

impl Tab {
    /// Every tab, in the order of their digits.
    pub(crate) const ALL: [Self; 5] = [Self::Data, Self::Classes, Self::Releases, Self::Policy, Self::Files];

    /// The verb that opens it.
    pub(crate) fn verb(self) -> Verb {
        match self {
            Self::Data => Verb::Data,
            Self::Classes => Verb::Classes,
            Self::Releases => Verb::Releases,
            Self::Policy => Verb::Policy,
            Self::Files => Verb::Files,
        }
    }

    /// Its name in the last line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Data => "Data",
            Self::Classes => "Classes",
            Self::Releases => "Releases",
            Self::Policy => "δ",
            Self::Files => "Files",
        }
    }
}

/// A screen of an open project: a row of the list of screens.
pub(crate) struct Screen {
    pub(crate) about: About,
    /// The command that opens it, by its name in the list of commands.
    pub(crate) show: Row<()>,
    /// The tab that it is a pane of. The first screen of a tab in the list is its main pane.
    pub(crate) tab: Tab,
    /// Makes it as it is before anybody has opened it.
    pub(crate) make: fn(&Shared) -> Box<dyn Component>,
}

/// The rows of a screen in the table of commands.
pub(crate) fn rows_of<C>(name: ScreenName, rows: &[Row<C>]) -> Vec<Binding> {
    rows.iter().map(|row| Binding::of(row, Some(name), Duty::Plain)).collect()
}

/// What a job reports to a screen.
pub(crate) struct ScreenReport {
    pub(crate) screen: ScreenName,
    pub(crate) report: Report,
}

/// What a screen of a project acts on: what all share, its own way back from its jobs, and what the analyst sees.
pub(crate) struct Scope<'a, M> {
    pub(crate) shared: &'a Shared,
    pub(crate) link: Link<M>,
    /// What the last frame drew.
    pub(crate) seen: &'a Hits,
}

impl<'a, M: Send + 'static> Scope<'a, M> {
    /// The part of a context that a screen of a project acts on.
    ///
    /// # Errors
    /// No project is open.
    pub(crate) fn of(context: &Context<'a>) -> Result<Self, String> {
        let shared = context.shared.ok_or("there is no project yet")?;
        Ok(Self { shared, link: context.link.map(Report::new), seen: context.seen })
    }
}

/// What a screen is drawn from: what all share, and its own.
pub(crate) struct Sight<'a, S> {
    pub(crate) shared: &'a Shared,
    pub(crate) screen: &'a S,
}

impl<'a, S> Sight<'a, S> {
    /// Draws a screen of an open project.
    pub(crate) fn draw(
        screen: &'a S,
        page: &mut Page,
        area: Rect,
        context: &Context<'a>,
        render: impl FnOnce(&mut Page, Rect, Theme, Self),
    ) {
        let theme = page.theme;
        if let Some(shared) = context.shared {
            render(page, area, theme, Self { shared, screen });
        }
    }
}

impl<S> Clone for Sight<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Sight<'_, S> {}
