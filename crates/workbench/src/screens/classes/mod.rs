//! The screen of classes: the table, and below it the complete explanation of the class under the
//! cursor, which scrolls. All that it shows is shared state.

mod commands;

#[cfg(test)]
mod tests;

use ratatui::layout::{Constraint, Layout, Rect};

use self::commands::{Command, ROWS, SHOW};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::shared::classes::state::Deed;
use crate::shared::classes::{ask, explained, table};
use crate::shared::intent::{Change, Edit, Intent, Purpose};
use crate::shared::screen::{Scope, Screen};
use crate::shared::state::Shared;

/// The panes of the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pane {
    Table,
    Class,
}

/// The focused pane, and the scroll position of the explanation.
pub(crate) struct Classes {
    pane: Pane,
    row: usize,
}

/// The screen starts no jobs.
pub(crate) enum Message {}

impl Screen for Classes {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "read all classes, and one in full";
    const LEGEND: &'static [&'static str] = &[
        "The pane below the table explains the class under the cursor: its people, how far it is outside δ, and \
             its remedies. Tab moves there, and the keys scroll it.",
        "A bar is the presence: █ up to δmax, ▓ above it, ┊ a bound beyond its end. T is the private table, P \
             the public one.",
        "In a filter, zip:089 finds labels with that text; sex=male finds exactly that label.",
    ];

    fn new(_: &Shared) -> Self {
        Self { pane: Pane::Table, row: 0 }
    }

    fn why_not(&self, shared: &Shared, command: Command) -> Option<String> {
        match command {
            Command::FindNext | Command::FindPrevious => ask::why_not_again(shared),
            _ => None,
        }
    }

    fn needs_view(&self, _: &Shared, command: Option<Command>) -> bool {
        let waits = [Command::Find, Command::FindNext, Command::FindPrevious];
        command.is_none_or(|command| waits.contains(&command))
    }

    fn act(&mut self, scope: &Scope<Message>, command: Command) -> Result<Intent, String> {
        let deed = match command {
            Command::NextPane => {
                self.pane = if self.pane == Pane::Table { Pane::Class } else { Pane::Table };
                self.row = 0;
                return Ok(Intent::None);
            }
            Command::Find => return Ok(ask::find()),
            Command::Filter => return Ok(ask::filter(scope.shared)),
            Command::FindNext => Deed::FindAgain { forward: true },
            Command::FindPrevious => Deed::FindAgain { forward: false },
            Command::Sort => Deed::Sort { forward: true },
            Command::SortBack => Deed::Sort { forward: false },
            Command::Reverse => Deed::Reverse,
            Command::Left => Deed::Columns { right: false, last: scope.seen.last_column },
            Command::Right => Deed::Columns { right: true, last: scope.seen.last_column },
            Command::Widen => Deed::Widen,
        };
        self.row = 0;
        Ok(Intent::Edit(Edit::Classes(deed)))
    }

    fn go(&mut self, scope: &Scope<Message>, movement: Movement) -> Result<Intent, String> {
        if self.pane == Pane::Class {
            // The pane may have grown since.
            self.row = self.row.min(scope.seen.last_row);
            movement.shift(&mut self.row, scope.seen.last_row + 1);
            return Ok(Intent::None);
        }
        Ok(Intent::Edit(Edit::Classes(Deed::Move(movement))))
    }

    fn typed(&mut self, scope: &Scope<Message>, purpose: Purpose, text: &str) -> Result<Intent, String> {
        ask::typed(scope.shared, purpose, text)
    }

    fn given_up(&mut self, _: &Scope<Message>, purpose: Purpose) -> Intent {
        ask::given_up(purpose)
    }

    fn update(&mut self, _: &Scope<Message>, message: Message) -> Intent {
        match message {}
    }

    fn changed(&mut self, _: &Scope<Message>, change: Change) -> Intent {
        match change {
            Change::Shown(Self::NAME) => return Intent::Edit(Edit::Classes(Deed::Explain)),
            // The explanation of another class starts at its first line.
            Change::RecodingRecipe | Change::View | Change::Sought => self.row = 0,
            _ => {}
        }
        Intent::None
    }

    fn click(&mut self, _: &Scope<Message>, target: Target) -> Intent {
        match target {
            Target::Row(row) => {
                (self.pane, self.row) = (Pane::Table, 0);
                Intent::Edit(Edit::Classes(Deed::Point(row)))
            }
            Target::Other(_) | Target::Column(_) => Intent::None,
        }
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let below = (area.height / 2).clamp(8, 26).min(area.height);
        let [list, class] = Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]).areas(area);
        table::render_table(page, list, shared, self.pane == Pane::Table);
        let row = (self.pane == Pane::Class).then_some(self.row);
        explained::render_in_full(page, class, shared, row);
    }
}
