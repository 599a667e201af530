//! What the commands of the tables do: rows and columns to move in, and what is private to show or to hide.

use super::commands::Command;
use super::state::{Paged, Sheet, TablePages};
use crate::tui::kit::command::Movement;
use crate::tui::kit::slot::Answer;
use crate::tui::shared::intent::Intent;
use crate::tui::shared::screen::Scope;

impl TablePages {
    pub(super) fn act_on(
        &mut self,
        scope: &Scope<Answer<Paged>>,
        command: Command,
    ) -> Result<Intent, String> {
        let mut said = Intent::None;
        match command {
            Command::Next => {
                let next = (self.sheet as usize + 1) % Sheet::ALL.len();
                self.choose(Sheet::ALL[next]);
            }
            Command::Left | Command::Right => {
                let last = scope.seen.last_column;
                let column = &mut self.window_mut().column;
                // A larger terminal may show more of them than when this was moved last.
                let shown = (*column).min(last);
                *column =
                    if command == Command::Left { shown.saturating_sub(1) } else { (shown + 1).min(last) };
                if *column == shown {
                    let side = if command == Command::Left { "left" } else { "right" };
                    return Err(format!("there are no more columns to the {side}"));
                }
            }
            Command::Reveal => {
                self.revealed = !self.revealed;
                let now = if self.revealed { "shown until you leave this screen" } else { "hidden again" };
                said = Intent::Say(now.to_owned());
            }
        }
        self.show(scope);
        Ok(said)
    }

    pub(super) fn shift(&mut self, scope: &Scope<Answer<Paged>>, movement: Movement) {
        let window = self.window_mut();
        // Before anything is read, nobody knows where the last row is.
        if window.page.is_some() {
            let total = window.total();
            movement.shift(&mut window.cursor, total);
        }
        self.show(scope);
    }

    /// Asks for the rows that are shown.
    pub(super) fn show(&mut self, scope: &Scope<Answer<Paged>>) {
        let release = scope.shared.current_view().map(|view| view.release().clone());
        self.ask(scope.link, &scope.shared.analysis, release.as_ref());
    }
}
