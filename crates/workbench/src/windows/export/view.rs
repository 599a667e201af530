//! Draws the export dialog: what will be written, what is checked, and what the guarantee assumes.
//!
//! ```text
//! ╭ export: the file gets its name once it is verified ╮
//! │ from    n2   ✓ δ-present   loss .241              │
//! │ to      clinic-release.csv▏                       │
//! │ …                                                 │
//! ╰───────────────────────────────────────────────────╯
//! ```

use std::collections::BTreeSet;

use palmtop_core::model::Role;
use palmtop_release::caution::{Caution, Severity};
use palmtop_release::pipeline::{self, PseudonymNote};
use palmtop_verify::attacker;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::preview::{self, NAMES};
use super::question::{Kind, Question};
use super::state::{ExportDialog, Stage};
use crate::kit::input::Input;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::theme::Theme;
use crate::kit::{bar, text};
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;

/// A line, with the index of its caution if it is part of one.
type Fact = (Option<usize>, Line<'static>);

/// The most lines that a list of columns has above what scrolls.
const LISTED: usize = 3;

/// Draws the dialog over the screen: what is published at the top, the question at the bottom, and a part between them that
/// scrolls.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, dialog: &ExportDialog) {
    let theme = page.theme;
    let width = area.width.saturating_sub(4).clamp(40, 112);
    let inner = usize::from(width.min(area.width).saturating_sub(2));
    let room = usize::from(area.height.saturating_sub(2));
    let mut lines = head(theme, shared, dialog, inner);
    let answer = shortened(answer(theme, shared, dialog, inner), room.saturating_sub(lines.len() + 2));
    let facts = facts(theme, shared, dialog, inner);
    lines.extend(scrolled(theme, dialog, facts, room.saturating_sub(lines.len() + answer.len())));
    lines.extend(answer);
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let area = centred(area, width, height);
    clear_for_window(page, area);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" export: the file gets its name once it is verified ");
    page.render_widget(Paragraph::new(lines).block(block), area);
}

/// The lines that fit, then the number of the other lines and the keys that show them.
fn scrolled(theme: Theme, dialog: &ExportDialog, mut facts: Vec<Fact>, room: usize) -> Vec<Line<'static>> {
    if facts.len() > room {
        facts.retain(|(_, line)| line.width() > 0);
    }
    if facts.len() <= room {
        return facts.into_iter().map(|(_, line)| line).collect();
    }
    let seen = room.saturating_sub(1);
    let first = dialog.scroll.row.min(facts.len() - seen);
    let is_seen = |row: usize| row >= first && row < first + seen;
    let others = facts.iter().enumerate().filter(|(row, _)| !is_seen(*row));
    let cautions: BTreeSet<usize> = others.filter_map(|(_, (caution, _))| *caution).collect();
    let among = match cautions.len() {
        0 => String::new(),
        count => format!(" with {}", text::counted(count, "caution", "cautions")),
    };
    let more = text::counted(facts.len() - seen, "more line", "more lines");
    let sign = Line::styled(format!(" … {more}{among}: PgDn and PgUp scroll"), theme.accent());
    let shown = facts.into_iter().map(|(_, line)| line).skip(first).take(seen);
    shown.chain([sign]).collect()
}

/// A question in at most `room` lines: its beginning, and its end with the typed answer.
fn shortened(mut lines: Vec<Line<'static>>, room: usize) -> Vec<Line<'static>> {
    let end = 2.min(room);
    if lines.len() > room {
        lines.drain(room - end..lines.len() - end);
    }
    lines
}

/// A name and its value, in as many lines as the value needs.
fn field(name: &str, value: &str, width: usize) -> Vec<Line<'static>> {
    let wrapped = text::wrap(value, width.saturating_sub(NAMES + 2)).into_iter().enumerate();
    let named = wrapped.map(|(row, line)| (if row == 0 { name } else { "" }, line));
    named.map(|(name, line)| Line::raw(format!(" {name:<NAMES$}{line}"))).collect()
}

/// The columns that are left out, and those that are published unchanged.
fn column_lists(shared: &Shared, width: usize) -> [Vec<Line<'static>>; 2] {
    let mut excluded = shared.analysis.identifiers();
    excluded.extend(shared.analysis.attributes_of(Role::Withheld));
    let excluded = names(&excluded, left_out(shared));
    let unchanged = names(&shared.analysis.sensitive(), "no sensitive column is listed");
    [field("excluded", &excluded, width), field("as it is", &unchanged, width)]
}

/// The part that never scrolls: the source of the release, its file, and its columns of T.
fn head(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let release = &dialog.release;
    let (mark, style) = if release.is_present() {
        ("✓ δ-present", theme.good())
    } else {
        ("✗ NOT δ-present", theme.bad())
    };
    let origin = recipe_name(&dialog.recipe, release.delta());
    let is_typed = matches!(dialog.stage, Stage::Name);
    let to = dialog.target.shown(width.saturating_sub(NAMES + 2), is_typed);
    let loss = format!("   loss {}", text::loss(release.metrics.loss.mean()));
    let from = format!(" {:<NAMES$}{origin}   ", "from");
    let mut lines = vec![
        caution_line(theme, dialog, width),
        Line::from(vec![Span::raw(from), Span::styled(mark, style), Span::raw(loss)]),
        Line::raw(text::fit(&format!(" {:<NAMES$}{to}", "to"), width)),
    ];
    if release.withdrawn() > 0 {
        let members = text::counted(release.withdrawn(), "member", "members");
        let sentence = format!("{members} of T, who have no row; `verify` recounts their class");
        lines.extend(field("withdrawn", &sentence, width));
    }
    for mut listed in column_lists(shared, width) {
        if listed.len() > LISTED {
            listed.truncate(LISTED - 1);
            listed.push(Line::raw(format!(" {:<NAMES$}… the complete list is below", "")));
        }
        lines.extend(listed);
    }
    lines
}

/// The number of cautions and their names, the severe ones first; the part that scrolls has their sentences.
fn caution_line(theme: Theme, dialog: &ExportDialog, width: usize) -> Line<'static> {
    let (value, style) = match &dialog.counted {
        None => ("are being counted …".to_owned(), theme.faint()),
        Some(Err(_)) => ("cannot be counted".to_owned(), theme.bad()),
        Some(Ok(known)) if known.cautions.is_empty() => ("none".to_owned(), Style::new()),
        Some(Ok(known)) => {
            let names: Vec<String> =
                known.cautions.iter().map(|caution| caution.name().replace('_', " ")).collect();
            let is_severe = known.cautions.iter().any(Caution::is_open);
            let style = if is_severe { theme.bad() } else { theme.warning() };
            (format!("{}: {}", names.len(), names.join(", ")), style)
        }
    };
    Line::styled(text::fit_words(&format!("{:<NAMES$}{value}", "cautions"), width), style)
}

/// The part that scrolls: the facts of the release, what is checked, and what is assumed.
fn facts(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Fact> {
    let blank = || (None, Line::raw(""));
    let plain = |lines: Vec<Line<'static>>| lines.into_iter().map(|line| (None, line));
    let paragraph = |sentence: &str, style: Style| -> Vec<Line<'static>> {
        let wrapped = text::wrap(&text::safe(sentence), width.saturating_sub(2)).into_iter();
        wrapped.map(|line| Line::styled(format!(" {line}"), style)).collect()
    };
    let mut facts: Vec<Fact> = Vec::new();
    for listed in column_lists(shared, width).into_iter().filter(|listed| listed.len() > LISTED) {
        facts.extend(plain(listed));
    }
    facts.extend(plain(preview::lines(theme, dialog.preview.as_ref(), width)));
    facts.push(blank());
    if let Some(Ok(known)) = &dialog.counted {
        facts.extend(plain(paragraph(&known.headline, theme.strong())));
    }
    facts.extend(plain(paragraph(&guarantee(shared, dialog), Style::new())));
    for (index, caution) in cautions(dialog).iter().enumerate() {
        let mark = if caution.severity == Severity::Severe { "✗" } else { "!" };
        let style = if caution.is_open() { theme.bad() } else { theme.warning() };
        let sentence = format!("{mark} {}", caution.sentence);
        facts.extend(paragraph(&sentence, style).into_iter().map(|line| (Some(index), line)));
    }
    facts.extend(plain(paragraph(&published(shared, dialog), Style::new())));
    let pseudonyms = pipeline::pseudonyms::notes(&shared.analysis);
    if pseudonyms.iter().any(|note| note.domain.is_some()) {
        let linked = "Whoever has the key finds people by their pseudonyms, and the same ones in two releases link their rows.";
        facts.extend(plain(paragraph(linked, Style::new())));
    }
    facts.push(blank());
    for (index, note) in pseudonyms.iter().enumerate() {
        facts.extend(plain(field(if index == 0 { "coded" } else { "" }, &coded(note), width)));
    }
    let rows = shared.problem.histogram().total().private - dialog.release.withdrawn();
    let whose = match shared.problem.people() {
        Some(people) => format!(" of {}", text::counted(people.total().private, "person", "people")),
        None => String::new(),
    };
    let rows = format!("{} rows{whose}, sorted by their text; mode 0600", text::count(rows));
    facts.extend(plain(field("file", &rows, width)));
    let checks = "the written file is read back against the raw tables: rows, columns, overlap, identifiers, presence of every class";
    facts.extend(plain(field("checks", checks, width)));
    facts.push(blank());
    for command in std::iter::once(dialog.command_line()).chain(dialog.step_line()) {
        let sentence = if command.starts_with("palmtop ") { format!("$ {command}") } else { command };
        facts.extend(plain(paragraph(&sentence, theme.faint())));
    }
    facts.push(blank());
    facts
}

/// The cautions, once they are counted.
fn cautions(dialog: &ExportDialog) -> &[Caution] {
    match &dialog.counted {
        Some(Ok(known)) => &known.cautions,
        _ => &[],
    }
}

/// Against whom δ holds, or that it fails.
fn guarantee(shared: &Shared, dialog: &ExportDialog) -> String {
    let release = &dialog.release;
    let knower = release.knows_algorithm().words();
    if release.is_present() {
        let attacker = attacker(shared.analysis.notes().added());
        let attacker = match &dialog.counted {
            Some(Ok(known)) => known.revealing.limit_attacker(&attacker),
            _ => attacker,
        };
        format!("δ holds against an attacker who {attacker}. If this attacker knows palmtop: {knower}.")
    } else {
        let achieved = release.achieved;
        format!(
            "δ does NOT hold: presence is {} to {}, and the release promises nothing about anybody.",
            achieved.min, achieved.max
        )
    }
}

/// How sensitive columns are published, and what two releases of one table reveal together.
fn published(shared: &Shared, dialog: &ExportDialog) -> String {
    let earlier = dialog.earlier.as_ref().map_or_else(
        || "Two releases of one private table can be intersected: make one.".to_owned(),
        |earlier| {
            let files = shared.key("files");
            format!("{earlier} is a release of this project already: both can be intersected; {files} composes them.")
        },
    );
    let is_coarser = pipeline::published::coarser(&shared.analysis).next().is_some();
    let kept = if is_coarser { "unchanged, or at the level of `publish`" } else { "unchanged" };
    format!("Sensitive columns are published {kept}. {earlier}")
}

/// The line if every identifier has a pseudonym, or no identifier exists.
fn left_out(shared: &Shared) -> &'static str {
    if pipeline::pseudonyms::notes(&shared.analysis).is_empty() {
        "no identifier is listed"
    } else {
        "no identifier besides"
    }
}

/// What a column has instead of an identifier.
fn coded(note: &PseudonymNote) -> String {
    let made = match (&note.domain, note.made) {
        (None, _) => "drawn for this file; no key is kept".to_owned(),
        (Some(domain), "keyed") => format!("by the key, domain `{domain}`: 26 letters and digits"),
        (Some(domain), _) => format!("by the key, domain `{domain}`: as many digits"),
    };
    format!("{}: pseudonyms, {made}", note.column)
}

fn names(names: &[String], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

/// What the analyst can do with the written release, and the result of its report.
fn after(shared: &Shared, dialog: &ExportDialog) -> String {
    let files = shared.key("files");
    let others = format!("{files} lists all releases; any other key closes.");
    match &dialog.report {
        _ if dialog.reports.is_open() => {
            format!("The report is being made; a message says when it is written. {others}")
        }
        None => format!("r writes its report. {others}"),
        Some(Ok((path, verified))) => {
            let verdict = if *verified { "verified" } else { "REFUSED" };
            format!("Its report, {verdict}: {}. r writes another one. {others}", path.display())
        }
        Some(Err(why)) => format!("✗ no report was written: {why}. r tries again. {others}"),
    }
}

/// The open question, and how to answer it.
fn asked(theme: Theme, dialog: &ExportDialog, typed: &Input, width: usize) -> (String, Style) {
    let Some(Question { about, sentence }) = dialog.asked() else { return (String::new(), Style::new()) };
    match about.kind() {
        Kind::Reason => {
            let wrong = dialog.wrong.as_ref().map_or_else(String::new, |wrong| format!(" {wrong}."));
            let typed = typed.shown(width.saturating_sub(2), true);
            let asked = about.reason_question();
            (format!("{sentence}{wrong} {asked}, Enter: {typed}"), theme.bad())
        }
        Kind::Words(words) => {
            let typed = typed.shown(width.saturating_sub(2), true);
            (format!("{sentence} Type `{words}` to write it all the same: {typed}"), theme.bad())
        }
        Kind::Yes => (format!("{sentence} y writes it, any other key goes back."), theme.warning()),
    }
}

/// The question, or the result of the export.
fn answer(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let (sentence, style) = match &dialog.stage {
        Stage::Name => {
            ("Enter writes · Esc closes · ^U clears the name · F1 keys".to_owned(), theme.strong())
        }
        Stage::Counting(_) => ("The cautions are being counted … Esc goes back.".to_owned(), theme.strong()),
        Stage::Asked(_, typed) => asked(theme, dialog, typed, width),
        Stage::Overwrite => {
            ("This file exists. y overwrites it, any other key goes back.".to_owned(), theme.warning())
        }
        Stage::Running { started, progress, .. } => {
            let seconds = started.elapsed().as_secs_f64();
            let (stage, share) =
                progress.map_or(("", 0.0), |now| (now.stage.as_str(), bar::ratio(now.done, now.total)));
            let drawn = bar::progress(share, 20);
            (format!("{stage} {drawn} {seconds:.1} s · Esc stops, and nothing is written"), theme.strong())
        }
        Stage::Written(written) => {
            let achieved = written.verification.achieved;
            let rows = text::count(written.rows);
            let withdrawn = match written.verification.withdrawn {
                0 => String::new(),
                withdrawn => format!("{} withdrawn, ", text::counted(withdrawn, "member", "members")),
            };
            let span = format!("{withdrawn}presence {} to {}", achieved.min, achieved.max);
            let formulas =
                written.formulas.warning().map(|warning| format!(" {warning}.")).unwrap_or_default();
            let end = format!("{formulas} {}", after(shared, dialog));
            if dialog.release.is_present() {
                (format!("✓ {rows} rows written and verified: {span}.{end}"), theme.good())
            } else {
                (format!("{rows} rows written and verified: {span}, NOT δ-present.{end}"), theme.warning())
            }
        }
        Stage::Refused(failure) => {
            (format!("✗ nothing was written: {failure}. Any key goes back."), theme.bad())
        }
    };
    text::wrap(&sentence, width.saturating_sub(2))
        .into_iter()
        .map(|line| Line::styled(format!(" {line}"), style))
        .collect()
}
