//! The files to be written, while their path is typed.

use std::path::{Path, PathBuf};

use palmtop_proposal::absolute;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::ProposalScreen;
use crate::kit::layout::clear_for_window;
use crate::kit::page::Page;
use crate::kit::text;

/// Draws the list of files to be written; files that exist are marked.
pub(super) fn render(page: &mut Page, area: Rect, screen: &ProposalScreen, typed: &str) {
    let theme = page.theme;
    let target = absolute(Path::new(typed)).unwrap_or_else(|_| Path::new(typed).to_owned());
    let files = screen.files(&target);
    let folder = target.parent().unwrap_or(Path::new(""));
    let width = usize::from(area.width).saturating_sub(2);
    let line = |file: &PathBuf| {
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
    let room = usize::from(area.height).saturating_sub(5);
    let mut lines = vec![Line::raw(text::fit(&format!(" in {}:", folder.display()), width))];
    lines.extend(files.iter().take(room).map(line));
    if files.len() > room {
        lines.truncate(room);
        lines.push(Line::styled(format!(" … {} in all", files.len()), theme.faint()));
    }
    let open = screen.open().len();
    if open > 0 {
        let counted = text::counted(open, "question is open", "questions are open");
        let sentence = format!("{counted}: what nobody decided is `undecided`, and stops each export");
        let wrapped = text::wrap(&sentence, width.saturating_sub(2));
        lines.extend(wrapped.into_iter().map(|line| Line::styled(format!(" {line}"), theme.warning())));
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
