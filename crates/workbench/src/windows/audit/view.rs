//! Draws the audit.
//!
//! ```text
//! ╭ audit: an attacker who knows palmtop ─────────╮
//! │ audit    n2, δ 0 to 1/20                                  │
//! │ beyond   409 people (48 of them members) outside δ …      │
//! ```

use palmtop_search::AuditMethod;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::state::{AuditWindow, Stage};
use crate::kit::bar;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::text;

/// The width of the names.
const NAMES: usize = 10;

/// Draws the audit over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, window: &AuditWindow) {
    let theme = page.theme;
    let width = usize::from(area.width.saturating_sub(4).clamp(40, 100));
    let inner = width.saturating_sub(2);
    let mut lines = vec![Line::raw("")];
    let mut say = |name: &str, sentence: &str, style| {
        for (nth, part) in text::wrap(sentence, inner.saturating_sub(NAMES + 1)).into_iter().enumerate() {
            let name = if nth == 0 { name } else { "" };
            lines.push(Line::from(vec![
                Span::styled(format!(" {}", text::fit(name, NAMES)), theme.strong()),
                Span::styled(part, style),
            ]));
        }
    };
    let plain = ratatui::style::Style::new();
    match &window.stage {
        Stage::Running { started, step } => {
            let delta = window.release.delta();
            say("audit", &format!("{}, δ {}", window.strategy, text::delta(delta)), plain);
            let done = step.filter(|step| step.total > 0);
            let done = done.map_or_else(String::new, |step| {
                let share = bar::progress(bar::ratio(step.done, step.total), 20);
                format!("{share} {} of {}   ", text::count(step.done), text::count(step.total))
            });
            say("", &format!("{done}{} s   Esc stops", started.elapsed().as_secs()), theme.faint());
        }
        Stage::Done(audit) => {
            for (name, sentence) in audit.lines(window.strategy, window.release.delta()) {
                let style = match (name, audit.method) {
                    ("beyond", _) if audit.beyond.people > 0 => theme.bad(),
                    ("exact", AuditMethod::Replayed) => theme.good(),
                    ("", _) => theme.faint(),
                    _ => plain,
                };
                say(name, &sentence, style);
            }
            say("", "any key closes", theme.faint());
        }
        Stage::Broken(why) => say("broken", why, theme.bad()),
    }
    lines.push(Line::raw(""));
    let height = u16::try_from(lines.len() + 2).unwrap_or(area.height);
    let area = centred(area, u16::try_from(width).unwrap_or(area.width), height);
    let title = " audit: an attacker who knows palmtop ";
    let block = Block::bordered().border_type(BorderType::Rounded).border_style(theme.strong()).title(title);
    clear_for_window(page, area);
    page.render_widget(Paragraph::new(lines).block(block), area);
}
