//! Before a project exists: the commands of every screen, and the frame around the one that is open.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use super::commands::Command as All;
use super::frame::{self, Surroundings};
use super::opening::NO_PROJECT;
use super::registry::Command;
use super::state::{App, Before};
use super::tabs;
use crate::kit::page::Page;
use crate::shared::component::{Event, Everywhere, Wanted};
use crate::shared::screen::Tab;

impl Before {
    /// Why a command cannot run now.
    pub(super) fn why_not(&self, command: Command) -> Option<String> {
        match command {
            Command::Screen(row) => self.screen.why_not(None, Wanted::Command(row)),
            Command::All(All::Copy | All::CopyToFile | All::Reload | All::Show(_) | All::Open) => {
                Some(NO_PROJECT.to_owned())
            }
            Command::All(_) => None,
        }
    }
}

impl App {
    /// Runs a command that holds on every screen: some are carried out by the screen itself.
    pub(super) fn run_before(&mut self, command: All) {
        let event = match command {
            All::Undo => Everywhere::Undo,
            All::Redo => Everywhere::Redo,
            All::Delta => Everywhere::Delta,
            All::Close => Everywhere::Close,
            All::Tab(tab) => Everywhere::Digit(Tab::ALL.iter().position(|other| *other == tab).unwrap_or(0)),
            All::Show(_) | All::Copy | All::CopyToFile | All::Reload | All::Open => {
                let write = self.settings.keymap.hint("proposal.write");
                self.status = format!("{NO_PROJECT}; {write} writes one");
                return;
            }
            _ => {
                self.run_everywhere(command);
                return;
            }
        };
        self.hand_to_open(Event::Before(event));
    }
}

/// Draws the status and the last line; returns the area above them.
pub(super) fn render(page: &mut Page, surroundings: &Surroundings, before: &Before) -> Rect {
    let rows = [Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)];
    let [body, status, last] = Layout::vertical(rows).areas(page.area());
    let (theme, keymap, width) = (page.theme, surroundings.keymap, usize::from(body.width));
    let progress = before.screen.state().progress;
    let (message, style) = match surroundings.status {
        "" if surroundings.is_covered => ("", theme.accent()),
        "" => (progress.as_str(), theme.accent()),
        message => (message, theme.warning()),
    };
    page.render_widget(Line::styled(frame::status_message(message, keymap, width), style), status);
    tabs::render(page, last, keymap, before.about.name, false);
    body
}
