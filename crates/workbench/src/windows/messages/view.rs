//! Draws the last messages, the newest first.

use ratatui::layout::Rect;
use ratatui::text::Line;

use crate::kit::page::Page;
use crate::kit::{text, window};
use crate::shared::messages::MessageLog;

/// Draws the messages over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, log: &MessageLog, row: usize) {
    let theme = page.theme;
    let columns = window::columns(area).saturating_sub(2);
    let mut lines = Vec::new();
    for message in log.newest_first() {
        for (nth, line) in text::wrap(message, columns).into_iter().enumerate() {
            let mark = if nth == 0 { "·" } else { " " };
            lines.push(Line::raw(format!(" {mark} {line}")));
        }
    }
    if lines.is_empty() {
        lines.push(Line::styled(" no message yet", theme.faint()));
    }
    window::render(page, area, ("messages, the newest first", theme.strong()), lines, row);
}
