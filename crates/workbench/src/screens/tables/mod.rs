//! The tables: T, P, and the release as it would be written.

pub(crate) mod state;
mod commands;
mod find;
mod frequencies;
mod sheet;
mod update;
mod view;

#[cfg(test)]
mod tests;

use ratatui::layout::Rect;

use self::commands::{Command, ROWS, SHOW};
use self::sheet::Sheet;
use self::state::{Message, TablePages};
use crate::kit::command::{Movement, Row};
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::text;
use crate::shared::activity::Activity;
use crate::shared::intent::{Change, Figures, Intent, Purpose};
use crate::shared::screen::{Scope, Screen, Sight, Taking};
use crate::shared::state::Shared;

/// Why rows are never copied.
const NEVER_COPIED: &str = "rows of tables are never copied; the figures of the other screens are";

impl Screen for TablePages {
    type Command = Command;
    type Message = Message;

    const SHOW: Row<()> = SHOW;
    const ROWS: &'static [Row<Command>] = ROWS;
    const PURPOSE: &'static str = "read T, P and the release";
    const LEGEND: &'static [&'static str] = &[
        "T, P, and the release as it would be written. Identifiers, sensitive values and unused columns are \
             hidden until you reveal them, and again when you leave. Rows are never copied.",
        "A search finds part of a shown value, in upper or lower case. A hidden identifier is found only if it \
             is typed completely.",
    ];

    fn new(_: &Shared) -> Self {
        Self::unread()
    }

    fn why_not_taken(&self, _: &Shared, taking: Taking) -> Option<String> {
        (taking == Taking::Figures).then(|| NEVER_COPIED.to_owned())
    }

    fn needs_view(&self, shared: &Shared, command: Option<Command>) -> bool {
        command.map_or_else(|| self.chosen(shared).is_err(), |command| command == Command::Class)
    }

    fn act(&mut self, scope: &Scope<Self::Message>, command: Command) -> Result<Intent, String> {
        self.act_on(scope, command)
    }

    fn go(&mut self, scope: &Scope<Self::Message>, movement: Movement) -> Result<Intent, String> {
        self.shift(scope, movement);
        Ok(Intent::None)
    }

    fn why_not(&self, _: &Shared, command: Command) -> Option<String> {
        let again = matches!(command, Command::FindNext | Command::FindPrevious);
        (again && self.search.is_none()).then(|| "find something first".to_owned())
    }

    fn typed(&mut self, scope: &Scope<Self::Message>, _: Purpose, text: &str) -> Result<Intent, String> {
        self.look_for(scope, text)
    }

    fn given_up(&mut self, scope: &Scope<Self::Message>, _: Purpose) -> Intent {
        self.end_search();
        self.show(scope);
        Intent::None
    }

    fn update(&mut self, scope: &Scope<Self::Message>, message: Self::Message) -> Intent {
        let message = match message {
            Message::Paged(answer) => self.take(answer),
            Message::Looked(answer) => self.take_looked(answer),
            Message::Classed(answer) => {
                return self.take_class(scope.shared, answer).unwrap_or_else(Intent::Say);
            }
        };
        // Requests more rows if the cursor has moved meanwhile.
        if scope.shared.open == Self::NAME {
            self.show(scope);
        }
        message.map_or(Intent::None, Intent::Say)
    }

    fn changed(&mut self, scope: &Scope<Self::Message>, change: Change) -> Intent {
        let is_open = scope.shared.open == Self::NAME;
        match change {
            Change::Shown(Self::NAME) => self.show(scope),
            Change::Shown(_) => self.leave(),
            Change::Left => self.revealed = false,
            Change::View if is_open => self.show(scope),
            _ => {}
        }
        Intent::None
    }

    fn click(&mut self, scope: &Scope<Self::Message>, target: Target) -> Intent {
        match target {
            Target::Row(row) => self.window_mut().cursor = row,
            Target::Column(index) => {
                let Some(sheet) = Sheet::ALL.get(index) else { return Intent::None };
                self.choose(*sheet);
            }
            Target::Other(_) => return Intent::None,
        }
        self.show(scope);
        Intent::None
    }

    fn draw(&self, page: &mut Page, area: Rect, shared: &Shared) {
        let theme = page.theme;
        view::render(page, area, theme, Sight { shared, screen: self });
    }

    fn activity(&self) -> Activity {
        Activity::answering(self.is_busy()) | Activity::busy(self.looking().is_some())
    }

    fn progress(&self) -> String {
        self.looking().map_or_else(String::new, |rows| format!("{} rows looked through", text::count(rows)))
    }

    fn figures(&self, _: &Shared) -> Result<Figures, String> {
        Err(NEVER_COPIED.to_owned())
    }
}
