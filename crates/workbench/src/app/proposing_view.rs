//! Draws a proposal: its title, footer and status, and the files to be written while their path is typed.

use std::path::Path;

use palmtop_proposal::absolute;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::commands::{Command as All, WindowName as W};
use super::frame;
use super::registry::{self, Command};
use super::workspace::Surroundings;
use crate::kit::keymap::Keymap;
use crate::kit::layout::clear_for_window;
use crate::kit::name::ScreenName;
use crate::kit::page::Page;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::screens::proposal::state::ProposalScreen;
use crate::screens::proposal::view;
use crate::shared::intent::Purpose;

/// Draws the proposal; returns the area for the windows over it.
pub(super) fn render(page: &mut Page, surroundings: &Surroundings, screen: &ProposalScreen) -> Rect {
    let area = page.area();
    let theme = page.theme;
    let keymap = surroundings.keymap;
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1), Constraint::Length(1)];
    let [title, body, footer, status] = Layout::vertical(rows).areas(area);
    let width = usize::from(area.width);
    let help = format!("{} help ", keymap.hint("help"));
    let room = width.saturating_sub(text::width(&help));
    let titled = Line::from(vec![
        Span::styled(text::fit(&format!(" palmtop   {}", view::title(screen)), room), theme.strong()),
        Span::styled(help, theme.faint()),
    ]);
    page.render_widget(titled, title);
    view::render(page, body, screen);
    page.render_widget(footer_line(theme, keymap, width), footer);
    let doing = if surroundings.status.is_empty() { screen.doing() } else { surroundings.status };
    page.render_widget(Line::styled(frame::status_message(doing, keymap, width), theme.warning()), status);
    let over = Rect { y: area.y + 1, height: area.height - 1, ..area };
    if let Some((Purpose::Target, typed)) = surroundings.line {
        // The open questions stay in sight.
        let [_, table, ..] = view::parts(body);
        render_files(page, table, screen, typed.trim());
    }
    over
}

/// Draws the list of files to be written; files that exist are marked.
fn render_files(page: &mut Page, area: Rect, screen: &ProposalScreen, typed: &str) {
    let theme = page.theme;
    let target = absolute(Path::new(typed)).unwrap_or_else(|_| Path::new(typed).to_owned());
    let files = screen.files(&target);
    let folder = target.parent().unwrap_or(Path::new(""));
    let width = usize::from(area.width).saturating_sub(2);
    let line = |file: &std::path::PathBuf| {
        let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
        let is_there = file.symlink_metadata().is_ok();
        let (sentence, style) = if is_there {
            ("is there: you are asked before it is replaced", theme.warning())
        } else {
            ("new", theme.faint())
        };
        let name = text::fit(&format!(" {name}"), 40.min(width));
        Line::from(vec![Span::raw(name), Span::styled(format!("  {sentence}"), style)])
    };
    let room = usize::from(area.height).saturating_sub(3);
    let mut lines = vec![Line::raw(text::fit(&format!(" in {}:", folder.display()), width))];
    lines.extend(files.iter().take(room).map(line));
    if files.len() > room {
        lines.truncate(room);
        lines.push(Line::styled(format!(" … {} in all", files.len()), theme.faint()));
    }
    let height = u16::try_from(lines.len() + 2).unwrap_or(area.height).min(area.height);
    let area = Rect { height, ..area };
    clear_for_window(page, area);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" to be written, then opened: ");
    page.render_widget(Paragraph::new(lines).block(block), area);
}

/// The commands of the proposal, then those of all screens that work here.
fn footer_line(theme: Theme, keymap: &Keymap, width: usize) -> Line<'static> {
    let is_here = |index: usize| match registry::command(index) {
        Command::Screen(_) => true,
        Command::All(command) => {
            matches!(command, All::Undo | All::Window(W::Delta | W::Palette | W::Help) | All::Close)
        }
    };
    let mut spans = Vec::new();
    let mut used = 0;
    for (index, binding) in keymap.on_screen(ScreenName::PROPOSAL) {
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
