//! The trade-off: the loss of each strategy over δmax.

pub(crate) mod state;
mod commands;
mod figures;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::state::{Sweep, Swept};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::slot::Answer;
use crate::shared::activity::Activity;
use crate::shared::intent::{Change, Figures, Intent};
use crate::shared::screen::{Scope, Screen, Sight};
use crate::shared::state::Shared;

impl Screen for Sweep {
    type Command = Command;
    type Message = Answer<Swept>;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "see the loss for each δmax";
    const LEGEND: &'static [&'static str] = &[
        "Each mark is the loss of a search under the δmax below it: q is simulatable (recommended), S SPALM \
             (nodes), 1 2 3 or ┬│┴ MPALM (regions), B best. ◆ is the current δmax, ↑ the selected one.",
        "Do not choose δ here: an analyst who raises δ until the loss is small enough has no δ. Decide on δ \
             first (docs/choosing-delta.md); this screen shows its cost.",
    ];
    const SHOWS_OTHERS: bool = true;

    fn new(_: &Shared) -> Self {
        Self::unmeasured()
    }

    fn why_not(&self, _: &Shared, command: Command) -> Option<String> {
        (command == Command::Stop && !self.is_running()).then(|| "nothing is being measured".to_owned())
    }

    fn act(&mut self, scope: &Scope<Self::Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope, command)
    }

    fn go(&mut self, scope: &Scope<Self::Message>, movement: Movement) -> Result<Intent, String> {
        self.shift(scope.shared, movement);
        Ok(Intent::None)
    }

    fn update(&mut self, _: &Scope<Self::Message>, message: Self::Message) -> Intent {
        self.take(message).map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Self::Message>, change: Change) -> Intent {
        if change == Change::Delta {
            self.delta_changed(scope.shared.delta());
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Self::Message>, target: Target) -> Intent {
        if let Target::Column(index) = target
            && let Some(delta) = self.deltas(&scope.shared.problem).get(index)
        {
            self.point_at(*delta);
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }

    fn activity(&self) -> Activity {
        Activity::busy(self.is_running())
    }

    fn progress(&self) -> String {
        self.sweep_progress()
            .map_or_else(String::new, |sweep| format!("trade-off {} of {}", sweep.done, sweep.total))
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::trade_off(shared, self)
    }
}
