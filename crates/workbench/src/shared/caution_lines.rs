//! Cautions in full, as lines of a window.
//!
//! ```text
//! ✗ betrays:birthdate   severe: answer it before the export
//!   `birthdate` gives `age` away: …
//!   → Withhold the column, or …
//! ```

use palmtop_release::caution::{Caution, Severity};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::kit::text;
use crate::kit::theme::Theme;

/// A paragraph of lines of this width, the first one with this start.
pub(crate) fn paragraph(start: &str, sentence: &str, style: Style, columns: usize) -> Vec<Line<'static>> {
    let indent = " ".repeat(text::width(start));
    let wrapped = text::wrap(&text::safe(sentence), columns.saturating_sub(text::width(start)));
    let line = |(row, line): (usize, String)| {
        let start = if row == 0 { start } else { &indent };
        Line::from(vec![Span::raw(format!(" {start}")), Span::styled(line, style)])
    };
    wrapped.into_iter().enumerate().map(line).collect()
}

/// The cautions, in their order.
pub(crate) fn lines(theme: Theme, cautions: &[Caution], columns: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for caution in cautions {
        let severity = match (caution.severity, &caution.accepted) {
            (Severity::Severe, None) => "severe: answer it before the export",
            (Severity::Severe, Some(_)) => "severe, accepted",
            (Severity::Note, _) => "",
        };
        let (mark, style) = if caution.is_open() { ("✗ ", theme.bad()) } else { ("· ", theme.accent()) };
        let mut say =
            |start: &str, sentence: &str, style| lines.extend(paragraph(start, sentence, style, columns));
        say("", "", Style::new());
        say(mark, format!("{}   {severity}", caution.name()).trim_end(), style);
        if let Some(reason) = &caution.accepted {
            say("  ", &format!("Accepted: {reason}"), Style::new());
        }
        say("  ", &caution.sentence, Style::new());
        if caution.accepted.is_none() {
            say("  → ", &caution.remedy, theme.faint());
        }
    }
    lines
}
