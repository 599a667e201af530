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

use self::commands::{Command, ROWS, SHOW};
use self::state::{Compare, Message};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::candidates::index_of;
use crate::shared::intent::{Change, Edit, Figures, Intent};
use crate::shared::screen::{Scope, Screen, Sight, Taking};
use crate::shared::state::Shared;

impl Screen for Compare {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "compare the releases that were found";
    const LEGEND: &'static [&'static str] = &[
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
    const SHOWS_OTHERS: bool = true;

    fn new(_: &Shared) -> Self {
        Self::unopened()
    }

    fn why_not_taken(&self, shared: &Shared, _: Taking) -> Option<String> {
        self.chosen(shared).err()
    }

    /// The list changes once the current recipe is counted.
    fn needs_view(&self, _: &Shared, _: Option<Command>) -> bool {
        true
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope, command)
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        self.shift(scope, movement)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
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

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        let is_open = scope.shared.open == Self::NAME;
        match change {
            Change::Delta => {
                self.forget();
                if is_open {
                    return Intent::Edit(Edit::CountBound);
                }
            }
            Change::Shown(Self::NAME) => {
                self.ask(scope.link, scope.shared);
                return Intent::Edit(Edit::CountBound);
            }
            Change::View | Change::Candidates if is_open => self.ask(scope.link, scope.shared),
            _ => {}
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Message>, target: Target) -> Intent {
        if let Target::Row(row) = target {
            self.pointed = self.ordered(scope.shared).get(row).map(|candidate| candidate.recipe.clone());
            self.ask(scope.link, scope.shared);
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }

    fn activity(&self) -> Activity {
        Activity::counting(self.differences.is_open() || self.utilities.measurements.is_open())
    }

    fn progress(&self) -> String {
        self.utilities.measurements.progress(Self::NAME)
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
