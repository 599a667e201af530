//! Draws the cautions, the severe ones first.
//!
//! ```text
//! ╭ cautions of n2: 3 cautions, 1 severe: lines 1 to 20 of 24, j and k scroll, others close ╮
//! │ Each of the 20,000 people is a member with a probability of at most 10 %.               │
//! │                                                                                         │
//! │ ✗ betrays:birthdate   severe: answer it before the export                               │
//! │   `birthdate` gives `age` away: …                                                       │
//! │   → Withhold the column, or …                                                           │
//! ```

use palmtop_release::caution::Severity;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::state::{CautionList, Subject};
use crate::kit::page::Page;
use crate::kit::{text, window};
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;

/// Draws the cautions over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, list: &CautionList) {
    let theme = page.theme;
    let columns = window::columns(area);
    let mut lines = Vec::new();
    let mut paragraph = |start: &str, sentence: &str, style| {
        let indent = " ".repeat(text::width(start));
        let wrapped = text::wrap(sentence, columns.saturating_sub(text::width(start)));
        for (row, line) in wrapped.into_iter().enumerate() {
            let start = if row == 0 { start } else { &indent };
            lines.push(Line::from(vec![Span::raw(format!(" {start}")), Span::styled(line, style)]));
        }
    };
    let plain = ratatui::style::Style::new();
    let (name, known) = match &list.subject {
        Subject::Here => (shared.recipe_name(), shared.cautions_here()),
        Subject::Pointed(recipe, release) => {
            (recipe_name(recipe, shared.delta()), shared.cautions_of(Some((recipe, release))))
        }
        Subject::Nothing(why) => {
            paragraph("", &format!("No release is under the cursor: {why}."), theme.warning());
            ("the project".to_owned(), shared.cautions_of(None))
        }
    };
    let title = match known {
        None => {
            paragraph("", "They are being counted: T is read again.", theme.warning());
            "cautions".to_owned()
        }
        Some(Err(why)) => {
            paragraph("", &format!("They cannot be counted: {why}"), theme.bad());
            "cautions".to_owned()
        }
        Some(Ok(shown)) => {
            if let Some(headline) = &shown.headline {
                paragraph("", headline, theme.strong());
            } else {
                let sentence =
                    "These are the project's cautions. Those of a release are counted once its classes are.";
                paragraph("", sentence, theme.faint());
            }
            for caution in &shown.cautions {
                let severity = match (caution.severity, &caution.accepted) {
                    (Severity::Severe, None) => "severe: answer it before the export",
                    (Severity::Severe, Some(_)) => "severe, accepted",
                    (Severity::Note, _) => "",
                };
                let (mark, style) =
                    if caution.is_open() { ("✗", theme.bad()) } else { ("·", theme.accent()) };
                paragraph("", "", plain);
                paragraph(&format!("{mark} "), format!("{}   {severity}", caution.name()).trim_end(), style);
                if let Some(reason) = &caution.accepted {
                    paragraph("  ", &format!("Accepted: {reason}"), plain);
                }
                paragraph("  ", &caution.sentence, plain);
                if caution.accepted.is_none() {
                    paragraph("  → ", &caution.remedy, theme.faint());
                }
            }
            format!("{name}: {}", shown.summary())
        }
    };
    window::render(page, area, (&title, theme.strong()), lines, list.scroll.row);
}
