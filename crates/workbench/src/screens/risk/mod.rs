//! The risks of releases other than δ: the sizes of their classes, and the number and the
//! distribution of their sensitive values.

pub(crate) mod state;
mod commands;
mod figures;
mod view;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use palmtop_flow::session::{Action, RecodingRecipe};
use palmtop_search::release::Release;
use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::state::{Message, Risks};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::intent::{Change, Edit, Figures, Intent};
use crate::shared::screen::{Scope, Screen, Sight, Taking};
use crate::shared::state::Shared;

impl Screen for Risks {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const LEGEND: &'static [&'static str] = &[
        "Each row is a release, measured, not judged: [policy] has the enforced criteria. Only classes with \
             members count. k and k-map: the fewest members, and the fewest people of P, in a class. Alone: \
             members who are the only member, or the only person of P, in their class. Risk and risk P: the \
             means over members of 1/t and 1/n, for a class with t members and n people.",
        "For the sensitive attribute with the worst figure: values, the fewest different values in a class (l); \
             even, how many equally frequent values have the same entropy (e^H); (3, l), the most frequent value \
             against the rarer ones; far, the distance of a class's values from those of all of T (t).",
    ];
    const SHOWS_OTHERS: bool = true;

    fn new(_: &Shared) -> Self {
        Self::unopened()
    }

    fn why_not_taken(&self, shared: &Shared, _: Taking) -> Option<String> {
        self.chosen(shared).err()
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let (candidates, place) = self.candidates(scope.shared)?;
        match command {
            Command::Open => {
                let go = Intent::Edit(Edit::Go {
                    place: candidates[place].place.clone(),
                    how: Action::Comparison,
                });
                Ok(Intent::Many(vec![go, Intent::Show(ScreenName::Workbench)]))
            }
        }
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        let (candidates, mut place) = self.candidates(scope.shared)?;
        movement.shift(&mut place, candidates.len());
        self.pointed = Some(candidates[place].place.clone());
        Ok(Intent::None)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        self.measurements.take(message).map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        let is_open = scope.shared.open == ScreenName::Risk;
        match change {
            Change::Shown(ScreenName::Risk) => self.ask(scope.link, scope.shared),
            Change::View | Change::Candidates if is_open => self.ask(scope.link, scope.shared),
            _ => {}
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Message>, target: Target) -> Intent {
        if let Target::Row(row) = target {
            self.pointed = scope.shared.candidates().get(row).map(|candidate| candidate.place.clone());
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, own: self });
    }

    fn activity(&self) -> Activity {
        Activity::counting(self.measurements.is_open())
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let (candidates, place) = self.candidates(shared)?;
        let chosen = &candidates[place];
        Ok((chosen.place.clone(), shared.judged(&chosen.measured.release)))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::risks(shared, self)
    }
}
