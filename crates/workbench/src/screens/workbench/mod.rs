//! The workbench: the current recipe, its classes, and the steps from it.

pub(crate) mod neighbours;
pub(crate) mod state;
mod commands;
mod steps;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::neighbours::StepTable;
use self::state::{Pane, Workbench};
use crate::kit::hits::Target;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::classes::ask;
use crate::shared::classes::state::Deed;
use crate::shared::component::{Component, Context, Event, State, Wanted};
use crate::shared::intent::{Change, Edit, Intent};
use crate::shared::screen::{About, Scope, Screen, Sight, Tab, rows_of};
use crate::shared::state::Shared;

/// How to read the screen.
const LEGEND: &[&str] = &[
    "T is the private table: its members are to be hidden. P is the public table, and T is a part of \
         it.",
    "A class is everyone who looks the same in the release. Its presence is the share of these people \
         who are in T; δ bounds it. ✓ keeps δ, ✗ breaks it, ▲ is above δmax, ▼ below δmin. The loss is 0 \
         for the unchanged table, and 1 if every label is *.",
    "A bar is the presence of a class: █ up to δmax, ▓ above it, ┊ a bound beyond its end. In the \
         histogram, ┴ marks δmin and δmax. The numbers at its left are people in P on a square-root scale, \
         so that a few people stay visible: half the height is a quarter of the people.",
    "Make attributes coarser until everything is ✓, or let a search do it. Then export. A node is a \
         level for each attribute.",
];

impl Workbench {
    pub(crate) const NAME: ScreenName = ScreenName(SHOW.id);
    /// Its row in the list of screens.
    pub(crate) const SCREEN: Screen = Screen {
        about: About {
            name: Self::NAME,
            purpose: "change levels, and see what each step does",
            rows: || rows_of(Self::NAME, ROWS),
            legend: LEGEND,
            shows_others: false,
        },
        show: SHOW,
        tab: Tab::Classes,
        make: |_| Box::new(Self { pane: Pane::Steps, cursor: 0, steps: StepTable::new() }),
    };
}

impl Component for Workbench {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let scope = &Scope::of(context)?;
        match event {
            Event::Command(row) => return self.act_on(scope, ROWS[row].command),
            Event::Move(movement) if self.pane == Pane::Classes => {
                return Ok(Intent::Edit(Edit::Classes(Deed::Move(movement))));
            }
            Event::Move(movement) => movement.shift(&mut self.cursor, scope.shared.problem.quasi().len()),
            Event::Line(line) => return ask::typed(scope.shared, line),
            Event::Report(report) => {
                let failure = report.take().and_then(|message| self.steps.take(message));
                return Ok(failure.map_or(Intent::None, Intent::Say));
            }
            Event::Changed(Change::Delta | Change::LastNode) => {
                self.steps.count(&scope.link, &scope.shared.problem, &scope.shared.ground.node);
            }
            Event::Changed(Change::Sought) => self.pane = Pane::Classes,
            Event::Click(Target::Row(row)) => {
                self.pane = Pane::Classes;
                return Ok(Intent::Edit(Edit::Classes(Deed::Point(row))));
            }
            Event::Click(Target::Other(row)) => {
                self.pane = Pane::Steps;
                self.cursor = row;
            }
            _ => {}
        }
        Ok(Intent::None)
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        if let Some(shared) = context.shared {
            view::render(page, area, Sight { shared, screen: self });
        }
    }

    fn state(&self) -> State<'_> {
        let (counted, all) = self.steps.progress();
        let is_counting = counted < all;
        let progress = if is_counting { format!("neighbours {counted} of {all}") } else { String::new() };
        State { activity: Activity::counting(is_counting), progress, ..State::default() }
    }

    fn why_not(&self, shared: Option<&Shared>, wanted: Wanted) -> Option<String> {
        let Wanted::Command(row) = wanted else { return None };
        match ROWS[row].command {
            Command::FindNext | Command::FindPrevious => ask::why_not_again(shared?),
            _ => None,
        }
    }

    fn needs_view(&self, _: &Shared, wanted: Wanted) -> bool {
        let waits = [Command::Pin, Command::Find, Command::FindNext, Command::FindPrevious];
        match wanted {
            Wanted::Command(row) => waits.contains(&ROWS[row].command),
            Wanted::Move => false,
            Wanted::Release | Wanted::Figures => true,
        }
    }
}
