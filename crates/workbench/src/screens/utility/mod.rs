//! The utility of releases: the distances of their attributes and pairs from T, the errors of
//! counting queries, and the classes that lose most.

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
use self::state::{Message, Part, UtilityTable};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::intent::{Change, Edit, Figures, Intent};
use crate::shared::screen::{Scope, Screen, Sight, Taking};
use crate::shared::state::Shared;

impl Screen for UtilityTable {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const LEGEND: &'static [&'static str] = &[
        "Each row is a release, measured against T, not judged. Query, 90th: the median and the 90th percentile \
             of the relative error of 1,000 counting queries, drawn from seed 0; each label is spread evenly \
             over its values in P. Distance: the mean over quasi-identifiers of half the sum of the differences \
             of shares; then the distance of each attribute.",
        "Below: for each attribute, the shares of groups of values in T and in the release; Cramér's V of pairs, \
             in T and in the release; the errors of the queries by sensitive value; the classes whose rows lose \
             most. docs/measures.md defines them.",
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
        let attributes = scope.shared.problem.quasi().len() + scope.shared.analysis.sensitive().len();
        match command {
            Command::Part => self.part = (self.part + 1) % Part::ALL.len(),
            Command::Left => self.first = self.first.saturating_sub(1),
            Command::Right => self.first = (self.first + 1).min(attributes.saturating_sub(1)),
            Command::Open => {
                let go = Intent::Edit(Edit::Go {
                    place: candidates[place].place.clone(),
                    how: Action::Comparison,
                });
                return Ok(Intent::Many(vec![go, Intent::Show(ScreenName::Workbench)]));
            }
        }
        Ok(Intent::None)
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        let (candidates, mut place) = self.candidates(scope.shared)?;
        movement.shift(&mut place, candidates.len());
        self.pointed = Some(candidates[place].place.clone());
        Ok(Intent::None)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        self.utilities.take(message).map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        let is_open = scope.shared.open == ScreenName::Utility;
        match change {
            Change::Shown(ScreenName::Utility) => self.ask(scope.link, scope.shared),
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
        Activity::counting(self.utilities.measurements.is_open())
    }

    fn chosen(&self, shared: &Shared) -> Result<(RecodingRecipe, Arc<Release>), String> {
        let (candidates, place) = self.candidates(shared)?;
        let chosen = &candidates[place];
        Ok((chosen.place.clone(), shared.judged(&chosen.measured.release)))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::utilities(shared, self)
    }
}
