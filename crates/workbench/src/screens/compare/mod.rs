//! The comparison: releases side by side, and the difference of one to the base.

pub(crate) mod difference;
pub(crate) mod state;
mod commands;
mod figures;
mod rows;
mod update;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use self::commands::{ROWS, SHOW};
use self::state::{Compare, Message};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::candidates::index_of;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Edit, Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Each row is a release; releases that keep δ come first. ★ is the best figure here. Δloss and the words \
         below compare with the base: the release of least loss, until you choose another. Released: the \
         classes with members. Size: people per class, on average. Highest: the highest presence. ▸ after \
         the headings: a wider screen shows more.",
    "Knows: the verdict if an attacker knows the algorithm. ✓ within δ even then; a number: an audit found \
         so many people beyond δ, by some events alone; 0?: an audit found nobody, which proves nothing; ?: \
         not audited, or undecided. ◈ recommended: a release of this kind with ✓. Choosing by loss leaks \
         information about T: choose the strategy before you compare.",
    "Least possible: a lower bound on the loss of every release that keeps δ and publishes all members in \
         disjoint classes. Loss geometric: Π(1 + loss)^(1/m) − 1 for m attributes. Discernibility: the sum \
         over people of how many people look the same. Precision: how far the levels are from *. Query: the \
         median relative error of 1,000 counting queries. Distance: how far the quasi-identifiers' \
         distributions are from T's. Screen 0 has all of that.",
];

impl Compare {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "compare the releases that were found",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: "comp",
        make: |_| Box::new(Self::unopened()),
    };

    /// Takes what one of its jobs has to say.
    fn take_report(&mut self, message: Message) -> Intent {
        match message {
            Message::Differed(answer) => match self.differences.take(answer) {
                Some(Ok(difference)) => self.difference = Some(difference),
                Some(Err(message)) => return Intent::Say(message),
                None => {}
            },
            Message::Utility(answer) => return self.utilities.take(answer).map_or(Intent::None, Intent::Say),
        }
        Intent::None
    }
}

impl Component for Compare {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        let is_open = scope.shared.open == Self::NAME;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => return self.shift(scope, movement),
            Event::Report(report) => {
                return Ok(report.take().map_or(Intent::None, |it| self.take_report(it)));
            }
            Event::Changed(Change::Delta) => {
                self.forget();
                if is_open {
                    return Ok(Intent::Edit(Edit::CountBound));
                }
            }
            Event::Changed(Change::Shown(Self::NAME)) => {
                self.ask(&scope.link, scope.shared);
                return Ok(Intent::Edit(Edit::CountBound));
            }
            Event::Changed(Change::View | Change::Candidates) if is_open => {
                self.ask(&scope.link, scope.shared);
            }
            Event::Click(Target::Row(row)) => {
                self.pointed = self.ordered(scope.shared).get(row).map(|candidate| candidate.recipe.clone());
                self.ask(&scope.link, scope.shared);
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let measurements = &self.utilities.measurements;
        State {
            activity: Activity::counting(self.differences.is_open() || measurements.is_open()),
            progress: measurements.progress(Self::NAME),
            ..State::default()
        }
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        match wanted {
            Wanted::Command(_) | Wanted::Move => None,
            Wanted::Release | Wanted::Figures => self.chosen(shared?).err(),
        }
    }

    /// The list changes once the current recipe is counted.
    fn needs_view(&self, _: &Shared, _: Wanted) -> bool {
        true
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let candidates = shared.candidates();
        let index = index_of(&candidates, self.pointed.as_ref());
        let chosen = candidates.get(index).ok_or("no figures yet")?;
        Ok((chosen.recipe.clone(), shared.judged(&chosen.measured.release)))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::comparison(shared, |candidate| self.utility_of(candidate))
    }
}
