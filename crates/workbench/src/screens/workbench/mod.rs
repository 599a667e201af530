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
use self::state::{Message, Pane, Workbench};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::activity::Activity;
use crate::shared::classes::ask;
use crate::shared::classes::state::Deed;
use crate::shared::intent::{Change, Edit, Intent, Purpose};
use crate::shared::screen::{Scope, Screen, Sight};
use crate::shared::state::Shared;

impl Screen for Workbench {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "change levels, and see what each step does";
    const LEGEND: &'static [&'static str] = &[
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

    fn new(_: &Shared) -> Self {
        Self { pane: Pane::Steps, cursor: 0, steps: StepTable::new() }
    }

    fn why_not(&self, shared: &Shared, command: Command) -> Option<String> {
        match command {
            Command::FindNext | Command::FindPrevious => ask::why_not_again(shared),
            _ => None,
        }
    }

    fn needs_view(&self, _: &Shared, command: Option<Command>) -> bool {
        let waits = [Command::Pin, Command::Find, Command::FindNext, Command::FindPrevious];
        command.is_none_or(|command| waits.contains(&command))
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope, command)
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        if self.pane == Pane::Classes {
            return Ok(Intent::Edit(Edit::Classes(Deed::Move(movement))));
        }
        movement.shift(&mut self.cursor, scope.shared.problem.quasi().len());
        Ok(Intent::None)
    }

    fn typed(&mut self, scope: &Scope<Message>, purpose: Purpose, text: &str) -> Result<Intent, String> {
        ask::typed(scope.shared, purpose, text)
    }

    fn given_up(&mut self, _: &Scope<Message>, purpose: Purpose) -> Intent {
        ask::given_up(purpose)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        self.steps.take(message).map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Message>, change: Change) -> Intent {
        match change {
            Change::Delta | Change::LastNode => {
                self.steps.count(scope.link, &scope.shared.problem, &scope.shared.ground.node);
            }
            Change::Sought => self.pane = Pane::Classes,
            _ => {}
        }
        Intent::None
    }

    fn click(&mut self, _: &Scope<Message>, target: Target) -> Intent {
        match target {
            Target::Row(row) => {
                self.pane = Pane::Classes;
                return Intent::Edit(Edit::Classes(Deed::Point(row)));
            }
            Target::Other(row) => {
                self.pane = Pane::Steps;
                self.cursor = row;
            }
            Target::Column(_) => {}
        }
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        view::render(page, area, Sight { shared, screen: self });
    }

    fn activity(&self) -> Activity {
        let (counted, all) = self.steps.progress();
        Activity::counting(counted < all)
    }

    fn progress(&self) -> String {
        let (counted, all) = self.steps.progress();
        if counted < all { format!("neighbours {counted} of {all}") } else { String::new() }
    }
}
