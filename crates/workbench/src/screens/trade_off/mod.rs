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
use self::state::Sweep;
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Figures, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "Each mark is the loss of a search under the δmax below it: q is simulatable (recommended), S SPALM \
         (nodes), 1 2 3 or ┬│┴ MPALM (regions), B best. ◆ is the current δmax, ↑ the selected one.",
    "Do not choose δ here: an analyst who raises δ until the loss is small enough has no δ. Decide on δ \
         first (docs/choosing-delta.md); this screen shows its cost.",
];

impl Sweep {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "see the loss for each δmax",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: true,
        },
        show: SHOW,
        tab: "trade",
        make: |_| Box::new(Self::unmeasured()),
    };
}

impl Component for Sweep {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) => self.shift(scope.shared, movement),
            Event::Report(report) => {
                let failure = report.take().and_then(|message| self.take(message));
                return Ok(failure.map_or(Intent::None, Intent::Say));
            }
            Event::Changed(Change::Delta) => self.delta_changed(scope.shared.delta()),
            Event::Click(Target::Column(index)) => {
                if let Some(delta) = self.deltas(&scope.shared.problem).get(index) {
                    self.point_at(*delta);
                }
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        Sight::draw(self, page, area, context, view::render);
    }

    fn state(&self) -> State<'_> {
        let progress =
            self.sweep_progress().map(|sweep| format!("trade-off {} of {}", sweep.done, sweep.total));
        State {
            activity: Activity::busy(self.is_running()),
            progress: progress.unwrap_or_default(),
            ..State::default()
        }
    }

    fn why_not(&self, _: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        let is_stop = ROWS[row].command == Command::Stop;
        (is_stop && !self.is_running()).then(|| "nothing is being measured".to_owned())
    }

    fn figures(&self, shared: &Shared) -> Result<Figures, String> {
        figures::trade_off(shared, self)
    }
}
