//! A rule with a heading: `─ classes ──────── worst first ─`.

use ratatui::text::{Line, Span};

use crate::kit::text;
use crate::kit::theme::Theme;

/// A rule of this width, with a heading at the left and a remark at the right.
pub(crate) fn rule(theme: Theme, heading: &str, remark: &str, width: usize, focused: bool) -> Line<'static> {
    let style = if focused { theme.strong() } else { theme.faint() };
    let (heading, remark) = (text::safe(heading), text::safe(remark));
    let left = if heading.is_empty() { "─".to_owned() } else { format!("─ {heading} ") };
    let right = if remark.is_empty() { "─".to_owned() } else { format!(" {remark} ─") };
    let room = width.saturating_sub(text::width(&left) + text::width(&right));
    if room == 0 {
        let dashes = "─".repeat(width.saturating_sub(text::width(&left)));
        return Line::from(Span::styled(text::fit(&format!("{left}{dashes}"), width), style));
    }
    Line::from(Span::styled(format!("{left}{}{right}", "─".repeat(room)), style))
}
