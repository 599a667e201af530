//! The releases: a row each, and below them the selected one in full.
//!
//! ```text
//!   file                 written               δ            by           rows
//! ▸ clinic-release.csv   2026-03-01T12:00:00Z  0 to 1/10    simulatable   800
//! ```

use palmtop_release::history::Entry;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::state::FilesScreen;
use crate::kit::hits::Target;
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::screen::Sight;

/// The widths of the columns after the file.
const WRITTEN: usize = 20;
const DELTA: usize = 14;
const BY: usize = 12;

/// Draws the screen.
pub(super) fn render(page: &mut Page, area: Rect, theme: Theme, sight: Sight<'_, FilesScreen>) {
    let screen = sight.screen;
    let width = usize::from(area.width);
    let entries = match screen.entries() {
        Ok(entries) => entries,
        Err(why) => {
            let wrapped = text::wrap(&why, width.saturating_sub(2)).into_iter();
            let mut lines = vec![rule(theme, "files", "", width, false)];
            lines.extend(wrapped.map(|line| Line::styled(format!(" {line}"), theme.faint())));
            page.render_widget(Paragraph::new(lines), area);
            return;
        }
    };
    let rows = u16::try_from(entries.len() + 2).unwrap_or(u16::MAX).min(area.height / 2);
    let [above, below] = Layout::vertical([Constraint::Length(rows), Constraint::Fill(1)]).areas(area);
    let height = usize::from(above.height).saturating_sub(2);
    let first = (screen.cursor + 1).saturating_sub(height);
    let file = width.saturating_sub(4 + WRITTEN + DELTA + BY + 8);
    let line = |name: &str, written: &str, delta: &str, by: &str, rows: &str| {
        format!(
            "{} {} {} {} {rows:>7}",
            text::fit(name, file),
            text::fit(written, WRITTEN),
            text::fit(delta, DELTA),
            text::fit(by, BY)
        )
    };
    let remark = text::counted(entries.len(), "release", "releases");
    let heads = format!("    {}", line("file", "written", "δ", "by", "rows"));
    let mut lines = vec![
        rule(theme, "files, the newest first", &remark, width, false),
        Line::styled(text::fit(&heads, width), theme.faint()),
    ];
    for (index, entry) in entries.iter().enumerate().skip(first).take(height) {
        let is_pointed = index == screen.cursor;
        let pointer = if is_pointed { "▸" } else { " " };
        let mark = if screen.marked.contains(&entry.sha256) { "+" } else { " " };
        let delta = format!("{} to {}", entry.delta.min(), entry.delta.max());
        let sentence = line(&entry.file, &entry.at.to_string(), &delta, &by(entry), &text::count(entry.rows));
        let style = if is_pointed { theme.selected() } else { ratatui::style::Style::new() };
        lines.push(Line::from(vec![
            Span::raw(format!("{pointer}{mark}  ")),
            Span::styled(text::fit(&sentence, width.saturating_sub(4)), style),
        ]));
    }
    let body = Rect { y: above.y.saturating_add(2), height: above.height.saturating_sub(2), ..above };
    page.hits.note_rows(body, (first..entries.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), above);
    let pointed = &entries[screen.cursor.min(entries.len() - 1)];
    let mut lines = in_full(theme, sight, pointed, width);
    lines.truncate(usize::from(below.height));
    page.render_widget(Paragraph::new(lines), below);
}

/// The strategy or the node that made a release.
fn by(entry: &Entry) -> String {
    entry.recipe.search().map_or_else(|| "a node".to_owned(), |search| search.strategy.to_string())
}

/// One release in full: the last result, and its entry in the history.
fn in_full(theme: Theme, sight: Sight<'_, FilesScreen>, entry: &Entry, width: usize) -> Vec<Line<'static>> {
    let Sight { shared, screen } = sight;
    let mut lines = vec![rule(theme, &text::safe(&entry.file), &entry.at.to_string(), width, false)];
    let mut say = |sentence: &str, style| {
        let wrapped = text::wrap(&text::safe(sentence), width.saturating_sub(2)).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(format!(" {line}"), style)));
    };
    let plain = ratatui::style::Style::new();
    if screen.work.is_open() {
        let stop = shared.key("files.stop");
        say(&format!("the job is running; {stop} stops it"), theme.strong());
    }
    for (is_good, sentence) in screen.found.get(&entry.sha256).into_iter().chain(&screen.together) {
        say(sentence, theme.kept(*is_good));
    }
    if !entry.is_present {
        say("It was written although it breaks the policy.", theme.bad());
    }
    if let Some(reason) = &entry.reason {
        say(&format!("δ differs from the project's. Reason: {reason}"), plain);
    }
    if let Some(audit) = &entry.audit {
        let people = audit.people.map_or_else(|| "not decided".to_owned(), text::count);
        let is_good = audit.people == Some(0);
        say(&format!("An audit: people outside δ: {people}. Given: {}.", audit.method), theme.kept(is_good));
    }
    for accepted in &entry.accepted {
        let subject = accepted.subject.as_ref().map_or_else(String::new, |subject| format!(":{subject}"));
        say(&format!("accepted {}{subject}: {}", accepted.key, accepted.reason), plain);
    }
    if let Some(step) = entry.step {
        say(&format!("step {step} of the history"), plain);
    }
    say(&format!("palmtop {}, SHA-256 {}", entry.palmtop, entry.sha256), theme.faint());
    lines
}
