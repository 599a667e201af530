//! Before a project exists: the commands of every screen, and the frame around the one that is open.

use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};

use super::commands::{Command as All, WindowName as W};
use super::frame::{self, Surroundings};
use super::opening::NO_PROJECT;
use super::registry::{self, Command};
use super::state::{App, Before};
use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::component::{Event, Everywhere, Wanted};

impl Before {
    /// Why a command cannot run now.
    pub(super) fn why_not(&self, command: Command) -> Option<String> {
        match command {
            // On the proposal its key changes the δ that is proposed.
            Command::All(All::Show(ScreenName::POLICY)) => None,
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
            All::Show(ScreenName::POLICY) => Everywhere::Delta,
            All::Close => Everywhere::Close,
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

/// Draws the footer and the status; returns the area above them.
pub(super) fn render(page: &mut Page, surroundings: &Surroundings, before: &Before) -> Rect {
    let rows = [Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)];
    let [body, footer, status] = Layout::vertical(rows).areas(page.area());
    let (theme, keymap, width) = (page.theme, surroundings.keymap, usize::from(body.width));
    page.render_widget(footer_line(theme, keymap, before.about.name, width), footer);
    let doing = before.screen.state().progress;
    let doing = if surroundings.status.is_empty() { &doing } else { surroundings.status };
    page.render_widget(Line::styled(frame::status_message(doing, keymap, width), theme.warning()), status);
    body
}

/// The commands of the screen, then those of all screens that work here.
fn footer_line(theme: Theme, keymap: &Keymap, screen: ScreenName, width: usize) -> Line<'static> {
    let is_here = |index: usize| match registry::command(index) {
        Command::Screen(_) => true,
        Command::All(command) => {
            matches!(
                command,
                All::Undo | All::Show(ScreenName::POLICY) | All::Window(W::Palette | W::Help) | All::Close
            )
        }
    };
    let mut spans = Vec::new();
    let mut used = 0;
    for (index, binding) in keymap.on_screen(screen) {
        if binding.short.is_empty() || !is_here(index) {
            continue;
        }
        let key = keymap.first(index);
        used += text::width(&key) + text::width(binding.short) + 3;
        if used > width {
            break;
        }
        spans.push(Span::styled(format!(" {key}"), theme.accent().patch(theme.strong())));
        spans.push(Span::styled(format!(" {} ", binding.short), theme.faint()));
    }
    Line::from(spans)
}
