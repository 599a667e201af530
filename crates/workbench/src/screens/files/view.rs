//! The written files: a row each, and below them the selected one in full.
//!
//! ```text
//!     file             when         how            loss  highest  file    papers
//! ▸ ● rio-best.csv     today 11:37  best ?         .213   9.68 %  ✓ same  – – –
//! ```

use palmtop_release::caution::at_most;
use palmtop_release::history::Moment;
use palmtop_release::package::Paper;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::listing::{Listed, OnDisk};
use super::state::{FilesScreen, Work};
use crate::kit::hits::Target;
use crate::kit::layout::{cursor, first_row};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::published;
use crate::shared::screen::Sight;

/// The heads of the columns after the name.
const HEADS: [&str; 6] = ["when", "how", "loss", "highest", "file", "papers"];
/// The most lines of a list of columns.
const MOST: usize = 2;
/// The letters of the papers.
const LETTERS: [&str; 3] = ["S", "R", "L"];

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
    let first = first_row(screen.cursor, height, entries.len());
    let now = Moment::now();
    let heads = HEADS.map(str::to_owned);
    let all: Vec<[String; 6]> = entries.iter().map(|listed| cells(listed, &now)).collect();
    let widths = std::array::from_fn(|column| {
        let cells = all.iter().chain([&heads]).map(|cells| text::width(&cells[column]));
        cells.max().unwrap_or(0)
    });
    let heads = format!("    {}", columns("name", &heads, &widths, width));
    let remark = text::counted(entries.len(), "release", "releases");
    let mut lines = vec![
        rule(theme, "files, the newest first", &remark, width, true),
        Line::styled(text::fit(&heads, width), theme.faint()),
    ];
    for (index, listed) in entries.iter().enumerate().skip(first).take(height) {
        let is_pointed = index == screen.cursor;
        let mark = if screen.marked.contains(&listed.entry.sha256) { "● " } else { "  " };
        let style = match listed.on_disk {
            _ if is_pointed => theme.selected(),
            OnDisk::Same => Style::new(),
            OnDisk::Changed | OnDisk::Missing => theme.bad(),
        };
        let line = columns(listed.name(), &all[index], &widths, width);
        lines.push(Line::from(vec![
            Span::raw(format!("{}{mark}", cursor(is_pointed, true))),
            Span::styled(text::fit(&line, width.saturating_sub(4)), style),
        ]));
    }
    let body = Rect { y: above.y.saturating_add(2), height: above.height.saturating_sub(2), ..above };
    page.hits.note_rows(body, (first..entries.len()).map(Target::Row));
    page.render_widget(Paragraph::new(lines), above);
    let listed = &entries[screen.cursor.min(entries.len() - 1)];
    let mut lines = in_full(theme, sight, (listed, entries), (&now, width));
    lines.truncate(usize::from(below.height));
    page.render_widget(Paragraph::new(lines), below);
}

/// A row: the name in the room that the other columns leave, then these.
fn columns(name: &str, cells: &[String; 6], widths: &[usize; 6], width: usize) -> String {
    let taken: usize = widths.iter().sum::<usize>() + 2 * widths.len() + 4;
    let mut line = text::fit(name, width.saturating_sub(taken));
    for (column, (cell, width)) in cells.iter().zip(widths).enumerate() {
        let is_number = (2..4).contains(&column);
        let cell = if is_number { text::right(cell, *width) } else { text::fit(cell, *width) };
        line += &format!("  {cell}");
    }
    line
}

/// The cells after the name.
fn cells(listed: &Listed, now: &Moment) -> [String; 6] {
    let entry = &listed.entry;
    let none = || "–".to_owned();
    let state = match listed.on_disk {
        OnDisk::Same => "✓ same",
        OnDisk::Changed => "✗ changed",
        OnDisk::Missing => "✗ missing",
    };
    let papers = LETTERS.iter().zip(listed.papers).map(|(letter, has)| if has { letter } else { "–" });
    [
        entry.at.short(now),
        listed.how(),
        entry.loss.map_or_else(none, text::loss),
        entry.highest.map_or_else(none, at_most),
        state.to_owned(),
        papers.collect::<Vec<_>>().join(" "),
    ]
}

/// One release in full: what was found, what it is, and what is to be done before it is sent.
fn in_full(
    theme: Theme,
    sight: Sight<'_, FilesScreen>,
    (listed, others): (&Listed, &[Listed]),
    (now, width): (&Moment, usize),
) -> Vec<Line<'static>> {
    let Sight { shared, screen } = sight;
    let entry = &listed.entry;
    let mut lines = vec![rule(theme, &text::safe(&entry.file), "", width, false)];
    let mut say = |sentence: &str, style| {
        let wrapped = text::wrap(&text::safe(sentence), width.saturating_sub(2)).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(format!(" {line}"), style)));
    };
    let plain = Style::new();
    if screen.work.is_open() {
        say(&format!("a job is running; {} stops it", shared.key("files.stop")), theme.strong());
    }
    for done in screen.done_with(entry) {
        let at = done.at.short(now);
        let sentence = if done.what == Work::Compose {
            let is_other =
                |other: &&Listed| other.entry.sha256 != entry.sha256 && done.of.contains(&other.entry.sha256);
            let names: Vec<&str> = others.iter().filter(is_other).map(Listed::name).collect();
            let beside = if done.is_good { "✓ beside" } else { "✗ not beside" };
            format!("{beside} {}: {} ({at})", names.join(", "), done.message)
        } else {
            format!("{} ({at})", done.message)
        };
        say(&sentence, theme.kept(done.is_good));
    }
    if !entry.is_present {
        say("✗ it was written although it breaks the policy", theme.bad());
    }
    let mut facts = vec![text::counted(entry.rows, "row", "rows")];
    if entry.withdrawn > 0 {
        facts.push(format!("{} withdrawn", text::counted(entry.withdrawn, "member", "members")));
    }
    facts.push(format!("δ {}", text::delta(entry.delta)));
    facts.extend(entry.criteria.settings().into_iter().map(|(key, value)| format!("{key} {value}")));
    facts.extend(entry.step.map(|step| format!("step {step}")));
    say(&facts.join("   "), plain);
    if let Some(reason) = &entry.reason {
        say(&format!("δ is not the project's: {reason}"), plain);
    }
    if let Some(audit) = &entry.audit {
        let people = audit.people.map_or_else(|| "not decided".to_owned(), text::count);
        say(&format!("audit: people outside δ: {people}"), theme.kept(audit.people == Some(0)));
    }
    for accepted in &entry.accepted {
        let subject = accepted.subject.as_ref().map_or_else(String::new, |subject| format!(":{subject}"));
        say(&format!("accepted {}{subject}: {}", accepted.key, accepted.reason), plain);
    }
    let mut given = Vec::new();
    if entry.changed_inputs(&shared.analysis).is_empty() {
        for (name, list) in published::columns(&shared.analysis, &entry.recipe.recoding) {
            given.extend(published::lines(name, &list, (width, MOST)));
        }
    } else {
        say("its project or tables have changed: the signer's report has its columns", theme.warning());
    }
    lines.extend(given);
    lines.push(Line::styled(text::fit(&format!(" SHA-256 {}", entry.sha256), width), theme.faint()));
    let [verify, papers] = ["files.verify", "files.papers"].map(|id| shared.key(id));
    let keys = format!("{verify} verifies, {papers} writes what it lacks");
    lines.push(rule(theme, "before it is sent", &keys, width, false));
    let verified = screen.done_with(entry).find(|done| done.what == Work::Verify);
    let (is_verified, at) = match verified {
        Some(done) => (done.is_good, &done.at),
        None => (listed.on_disk == OnDisk::Same && entry.is_present, &entry.at),
    };
    let mark = |is_done: bool| if is_done { "✓" } else { "○" };
    let mut steps = vec![format!("{} verified, {}", mark(is_verified), at.short(now))];
    let papers = Paper::ALL.into_iter().zip(listed.papers);
    steps.extend(papers.map(|(paper, has)| format!("{} {}", mark(has), paper.name())));
    let style = theme.kept(is_verified && listed.lacks().is_empty());
    for line in text::wrap(&steps.join("  "), width.saturating_sub(2)) {
        lines.push(Line::styled(format!(" {line}"), style));
    }
    let written = Paper::ALL.into_iter().zip(listed.papers).filter(|(_, has)| *has);
    let release = std::path::Path::new(&entry.file);
    lines.extend(written.map(|(paper, _)| {
        let path = paper.path(release).display().to_string();
        Line::raw(text::fit(&format!(" {:<20}{}", paper.name(), text::safe(&path)), width))
    }));
    lines
}
