//! The screen of tables: rows and columns to move in, and what is private to show or to hide.

use palmtop::pipeline::Page;

use crate::tui::app::commands::Command;
use crate::tui::app::session::Session;
use crate::tui::kit::job::Jobs;
use crate::tui::kit::layout::move_cursor;
use crate::tui::kit::slot::Ticket;
use crate::tui::screens::tables::pages::Sheet;

impl Session {
    pub(crate) fn act_on_tables(&mut self, jobs: &Jobs, command: Command) -> Result<(), String> {
        let last = self.tables.last_column.get();
        match command {
            Command::NextPane => {
                let next = (self.tables.sheet as usize + 1) % Sheet::ALL.len();
                self.tables.choose(Sheet::ALL[next]);
            }
            Command::Left | Command::Right => {
                let column = &mut self.tables.window_mut().column;
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
                self.tables.revealed = !self.tables.revealed;
                let said =
                    if self.tables.revealed { "shown until you leave this screen" } else { "hidden again" };
                said.clone_into(&mut self.notice);
            }
            command => {
                let window = self.tables.window_mut();
                // Before anything is read, nobody knows where the last row is.
                if window.page.is_some() {
                    let total = window.total();
                    move_cursor(&mut window.cursor, total, command);
                }
            }
        }
        self.show_table(jobs);
        Ok(())
    }

    /// Asks for the rows that the screen of tables shows.
    pub(crate) fn show_table(&mut self, jobs: &Jobs) {
        let release = self.current_view().map(|view| view.release().clone());
        self.tables.ask(jobs, &self.analysis, release.as_ref());
    }

    /// Takes rows that were asked for; where the cursor has gone on meanwhile, asks for more.
    pub(crate) fn take_page(&mut self, jobs: &Jobs, ticket: &Ticket, page: Result<Box<Page>, String>) {
        self.tables.take(ticket, page);
        if self.screen == crate::tui::kit::name::ScreenName::Tables {
            self.show_table(jobs);
        }
    }

    /// Goes to a sheet, by its place among the tabs.
    pub(crate) fn choose_sheet(&mut self, jobs: &Jobs, place: usize) {
        if let Some(sheet) = Sheet::ALL.get(place) {
            self.tables.choose(*sheet);
            self.show_table(jobs);
        }
    }
}
