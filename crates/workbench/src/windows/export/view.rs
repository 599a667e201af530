//! Draws the window of an export.
//!
//! ```text
//! ╭ write the release ──────────────────────────────────── simulatable ◈ ╮
//! │ to       rio-release.csv                         430 rows  loss .245 │
//! │ with     [x] signer's report  [x] recipient's report  [x] code list  │
//! │ ✓ nobody of 11,538 is a member with more than 9.7 % (δ 9.74 %)       │
//! │   also for an attacker who knows palmtop     ✓ k = 3: achieved 3     │
//! │ published  …                                                         │
//! ├─ before you sign ─────────────────────── 1 of 4 open, Enter opens it ┤
//! │▸! certain members   5 of 1,200 people      choose a δmax below 1     │
//! ╰──────────────────────────────────────────────────────────────────────╯
//! ```

use palmtop_core::model::Presence;
use palmtop_release::caution::{at_least, at_most};
use palmtop_release::package::Paper;
use palmtop_release::pipeline::{self, PseudonymNote};
use palmtop_search::release::KnowsAlgorithm;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::items::Item;
use super::preview;
use super::state::{Done, ExportDialog, Focus, Stage};
use crate::kit::hits::Target;
use crate::kit::layout::{centred, clear_for_window, cursor, first_row};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::theme::{Theme, sign};
use crate::kit::{bar, text};
use crate::shared::caution_lines;
use crate::shared::published::{self, NAMES};
use crate::shared::state::Shared;
use crate::shared::view::recipe_name;

/// The most lines of a list of columns in a small window.
const LISTED: usize = 2;
/// The fewest rows that the list of cautions keeps.
const LEAST_ROWS: usize = 4;
/// The greatest width of the name of a caution.
const WIDEST_NAME: usize = 26;

/// A line, with the caution that a click on it is about.
type Row = (Line<'static>, Option<usize>);

/// Draws the window over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, dialog: &ExportDialog) {
    let theme = page.theme;
    let width = area.width.saturating_sub(4).clamp(40, 112).min(area.width);
    let (inner, room) = (usize::from(width.saturating_sub(2)), usize::from(area.height.saturating_sub(2)));
    let rows = content(theme, shared, dialog, (inner, room));
    let height = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX);
    let area = centred(area, width, height);
    clear_for_window(page, area);
    let name = recipe_name(&dialog.recipe, dialog.release.delta());
    let is_safe = matches!(dialog.release.knows_algorithm(), KnowsAlgorithm::Exact);
    let name = if is_safe { format!(" {name} ◈ ") } else { format!(" {name} ") };
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" write the release ")
        .title(Line::raw(text::safe(&name)).right_aligned());
    for (row, (_, target)) in (0..).zip(&rows) {
        if let Some(index) = target.filter(|_| row + 2 < area.height) {
            page.hits.note(
                Rect { y: area.y + 1 + row, height: 1, x: area.x + 1, width: area.width.saturating_sub(2) },
                Target::Row(index),
            );
        }
    }
    let lines: Vec<Line> = rows.into_iter().map(|(line, _)| line).collect();
    page.render_widget(Paragraph::new(lines).block(block), area);
}

/// The lines of the window.
fn content(theme: Theme, shared: &Shared, dialog: &ExportDialog, (width, room): (usize, usize)) -> Vec<Row> {
    let plain = |lines: Vec<Line<'static>>| lines.into_iter().map(|line| (line, None)).collect::<Vec<Row>>();
    let mut rows = plain(fields(theme, shared, dialog, width));
    match &dialog.stage {
        Stage::Full => return plain(full(theme, dialog, (width, room))),
        Stage::Lines => return plain(command_lines(theme, dialog, width)),
        Stage::Opened(_) => {
            rows.extend(plain(verdict(theme, shared, dialog, width)));
            rows.extend(plain(opened(theme, dialog, width)));
        }
        Stage::Written(done) => {
            rows.extend(plain(verdict(theme, shared, dialog, width)));
            rows.extend(plain(written(theme, shared, dialog, (done, width))));
        }
        _ => {
            rows.extend(plain(verdict(theme, shared, dialog, width)));
            let last = last_lines(theme, shared, dialog, width);
            let taken = rows.len() + 1 + last.len() + dialog.items.len().clamp(1, LEAST_ROWS);
            rows.extend(plain(columns(theme, shared, dialog, (width, room.saturating_sub(taken)))));
            rows.extend(cautions(theme, dialog, (width, room.saturating_sub(rows.len() + last.len()))));
            rows.extend(plain(last));
        }
    }
    rows
}

/// The name of the file and the boxes.
fn fields(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let release = &dialog.release;
    let rows = shared.problem.histogram().total().private.saturating_sub(release.withdrawn());
    let rows = match shared.problem.people() {
        Some(people) => {
            format!("{} rows of {} people", text::count(rows), text::count(people.total().private))
        }
        None => text::counted(rows, "row", "rows"),
    };
    let figures = format!("{rows}  loss {} ", text::loss(release.metrics.loss.mean()));
    let is_active = matches!(dialog.stage, Stage::Waiting) && dialog.focus == Focus::To;
    let space = width.saturating_sub(NAMES + 2 + text::width(&figures));
    let to = dialog.target.shown(space, is_active);
    let style = if is_active { theme.strong() } else { Style::new() };
    let typed_name = text::fit(&to, space);
    let mut boxes = vec![Span::raw(format!(" {:<NAMES$}", "with"))];
    for (index, paper) in Paper::ALL.into_iter().enumerate() {
        let mark = if dialog.boxes[index] { "x" } else { " " };
        let style = match dialog.focus {
            Focus::Box(active) if active == index => theme.selected(),
            _ if dialog.no_report.is_some() && paper != Paper::CodeList => theme.faint(),
            _ => Style::new(),
        };
        boxes.push(Span::styled(format!("[{mark}] {}", paper.name()), style));
        boxes.push(Span::raw("  "));
    }
    vec![
        Line::from(vec![
            Span::raw(format!(" {:<NAMES$}", "to")),
            Span::styled(typed_name, style),
            Span::raw(format!(" {figures}")),
        ]),
        Line::from(boxes),
    ]
}

/// What the release promises, to whom, and what it reveals together with earlier ones.
fn verdict(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let release = &dialog.release;
    let (achieved, delta) = (release.achieved, release.delta());
    let people = match shared.problem.people() {
        Some(people) => people.total().public,
        None => shared.problem.histogram().total().public,
    };
    let (highest, lowest) = (at_most(achieved.max), at_least(achieved.min));
    let mut lines = Vec::new();
    let mut say = |start: &str, sentence: &str, style| {
        lines.extend(caution_lines::paragraph(start, sentence, style, width.saturating_sub(1)));
    };
    if release.is_present() {
        let least =
            if delta.min() > Presence::ZERO { format!(" or less than {lowest}") } else { String::new() };
        let bounds = format!("δ {}", text::delta(delta).trim_start_matches("up to "));
        let sentence = format!(
            "nobody of {} is a member with more than {highest}{least} ({bounds})",
            text::count(people)
        );
        let sentence = match &dialog.counted {
            Some(Ok(known)) => known.revealing.limit(&sentence),
            _ => sentence,
        };
        say("", &format!("✓ {sentence}"), theme.good());
    } else {
        let bounds = format!("δ {}", text::delta(delta));
        say("", &format!("✗ NOT δ-present: presence {lowest} to {highest} ({bounds})"), theme.bad());
    }
    let (knows, style) = match release.knows_algorithm() {
        KnowsAlgorithm::Exact => ("also for an attacker who knows palmtop".to_owned(), theme.good()),
        KnowsAlgorithm::Audited(finding) => {
            (format!("an attacker who knows palmtop: {}", finding.words()), theme.warning())
        }
        KnowsAlgorithm::NotAudited => {
            ("an attacker who knows palmtop: not audited".to_owned(), theme.warning())
        }
    };
    let standings = release.standings().into_iter().filter(|standing| !standing.is_delta());
    let enforced: Vec<String> = standings
        .filter(|standing| standing.required.is_some())
        .map(|standing| format!("{} {standing}", sign(standing.holds)))
        .collect();
    say("  ", &format!("{knows}   {}", enforced.join("  ")), style);
    if let Some(together) = &dialog.together {
        let files = together.files.join(", ");
        match &together.people {
            Ok(0) => say("", &format!("✓ together with {files} nobody is outside δ"), theme.good()),
            Ok(people) => {
                let are = text::counted(*people, "person is", "people are");
                say("", &format!("✗ together with {files}: {are} outside δ"), theme.bad());
            }
            Err(why) => say("", &format!("! together with {files}: {why}"), theme.warning()),
        }
    }
    lines
}

/// The columns that are published or not, and one row, in at most this many lines.
fn columns(
    theme: Theme,
    shared: &Shared,
    dialog: &ExportDialog,
    (width, room): (usize, usize),
) -> Vec<Line<'static>> {
    let pseudonyms = pipeline::pseudonyms::notes(&shared.analysis);
    let mut lists = published::columns(&shared.analysis, &dialog.recipe);
    lists.extend(pseudonyms.iter().map(|note| ("coded", coded(note))));
    let most = if room > 2 * (lists.len() + 1) { LISTED } else { 1 };
    let columns = width.saturating_sub(NAMES + 2);
    let mut lines = Vec::new();
    for (name, list) in lists {
        lines.extend(published::lines(name, &list, (width, most)));
    }
    let style = if matches!(dialog.preview, Some(Err(_))) { theme.bad() } else { Style::new() };
    let first = lines.len();
    lines.extend(published::named("one row", preview::lines(dialog.preview.as_ref(), columns, most)));
    lines[first..].iter_mut().for_each(|line| *line = std::mem::take(line).style(style));
    lines.truncate(room);
    lines
}

/// What a column has instead of an identifier.
fn coded(note: &PseudonymNote) -> String {
    let made = match (&note.domain, note.made) {
        (None, _) => "drawn for this file; no key is kept".to_owned(),
        (Some(domain), "keyed") => {
            format!("26 letters and digits by the key, domain `{domain}`: it finds people")
        }
        (Some(domain), _) => format!("as many digits by the key, domain `{domain}`: it finds people"),
    };
    format!("{}: pseudonyms, {made}", note.column)
}

/// The list of cautions, in at most this many lines.
fn cautions(theme: Theme, dialog: &ExportDialog, (width, room): (usize, usize)) -> Vec<Row> {
    let (count, open) = (dialog.items.len(), dialog.unanswered());
    let remark = match (&dialog.counted, open) {
        (None, _) => "being counted".to_owned(),
        (_, 0) if count == 0 => "none".to_owned(),
        (_, 0) => format!("{count}, Enter opens one"),
        _ => format!("{open} of {count} unanswered, Enter opens one"),
    };
    let is_active = dialog.focus == Focus::List;
    let mut rows: Vec<Row> = vec![(rule(theme, "before you sign", &remark, width, is_active), None)];
    let seen = room.saturating_sub(1);
    let first = first_row(dialog.cursor, seen, count);
    let widest =
        |part: usize| dialog.items.iter().map(|item| text::width(&cells(item)[part])).max().unwrap_or(0);
    let name_width = widest(0).min(WIDEST_NAME);
    let figure_width = widest(1).min(width.saturating_sub(name_width + widest(2) + 7));
    for (index, item) in dialog.items.iter().enumerate().skip(first).take(seen) {
        let mark = match () {
            () if item.is_unanswered() => "!",
            () if item.is_answered => "✓",
            () => " ",
        };
        let [name, figure, remedy] = cells(item);
        let line =
            format!("{}  {}  {remedy}", text::fit(&name, name_width), text::fit(&figure, figure_width));
        let is_pointed = index == dialog.cursor;
        let style = match () {
            () if is_pointed && is_active => theme.selected(),
            () if item.is_unanswered() => theme.bad(),
            () => Style::new(),
        };
        let pointer = cursor(is_pointed, is_active).chars().next().unwrap_or(' ');
        let start = Span::raw(format!("{pointer}{mark} "));
        let line = Span::styled(text::fit(&line, width.saturating_sub(3)), style);
        rows.push((Line::from(vec![start, line]), Some(index)));
    }
    rows
}

/// The cells of a caution: its name, its figure and what to do.
fn cells(item: &Item) -> [String; 3] {
    let remedy = if item.is_answered { "answered" } else { item.brief.remedy };
    [text::safe(&item.brief.name), text::safe(&item.brief.figure), remedy.to_owned()]
}

/// The open caution in full, and its question.
fn opened(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let (Some(item), Stage::Opened(typed)) = (dialog.opened(), &dialog.stage) else { return Vec::new() };
    let name = item.brief.name.trim_end_matches(':');
    let mut lines = vec![rule(theme, name, "Esc goes back", width, true)];
    let mut say = |sentence: &str, style| {
        lines.extend(caution_lines::paragraph("", sentence, style, width.saturating_sub(1)));
    };
    say(&item.sentence, Style::new());
    let question = item.question();
    if !question.is_empty() {
        say("", Style::new());
        if let Some(wrong) = &dialog.wrong {
            say(&format!("{wrong}."), theme.bad());
        }
        say(&question, theme.warning());
        if item.is_typed() {
            lines.push(Line::styled(
                format!(" {}", typed.shown(width.saturating_sub(2), true)),
                theme.strong(),
            ));
        }
    }
    lines
}

/// All cautions in full.
fn full(theme: Theme, dialog: &ExportDialog, (width, room): (usize, usize)) -> Vec<Line<'static>> {
    let columns = width.saturating_sub(1);
    let mut lines = match &dialog.counted {
        None => {
            caution_lines::paragraph("", "They are being counted: T is read again.", theme.warning(), columns)
        }
        Some(Err(why)) => {
            caution_lines::paragraph("", &format!("They cannot be counted: {why}"), theme.bad(), columns)
        }
        Some(Ok(known)) => {
            let mut lines = caution_lines::paragraph("", &known.headline, theme.strong(), columns);
            lines.extend(caution_lines::lines(theme, &known.cautions, columns));
            lines
        }
    };
    let seen = room.saturating_sub(1);
    let first = dialog.scroll.row.min(lines.len().saturating_sub(seen));
    let more = lines.len() > seen;
    lines = lines.into_iter().skip(first).take(seen).collect();
    let keys = if more { "j k scroll, other keys go back" } else { "any key goes back" };
    lines.push(Line::styled(format!(" {keys}"), theme.faint()));
    lines
}

/// The command that writes the same, and the one that makes the release again from its step.
fn command_lines(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let columns = width.saturating_sub(1);
    let mut lines = Vec::new();
    let by_step = dialog.step_line().filter(|line| *line != dialog.command_line());
    for (number, line) in std::iter::once(dialog.command_line()).chain(by_step).enumerate() {
        let start = if line.contains("nothing is saved") { "" } else { "$ " };
        if number > 0 {
            lines.push(Line::raw(""));
        }
        lines.extend(caution_lines::paragraph(start, &line, Style::new(), columns));
    }
    lines.push(Line::styled(" y copies the first, any other key goes back".to_owned(), theme.faint()));
    lines
}

/// The keys, the progress, or why nothing was written.
fn last_lines(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let (sentence, style) = match &dialog.stage {
        Stage::Overwrite => {
            let what = if dialog.papers().is_empty() { "This file" } else { "This folder" };
            (format!("{what} exists. y replaces it, any other key goes back."), theme.warning())
        }
        Stage::Running { started, progress } => {
            let (stage, share) =
                progress.map_or(("", 0.0), |now| (now.stage.as_str(), bar::ratio(now.done, now.total)));
            let (drawn, seconds) = (bar::progress(share, 20), started.elapsed().as_secs_f64());
            (format!("{stage} {drawn} {seconds:.1} s · Esc stops, and nothing is written"), theme.strong())
        }
        Stage::Refused(why) => (format!("✗ nothing was written: {why}. Any key goes back."), theme.bad()),
        _ => {
            let [cautions, commands] = ["cautions", "commands"].map(|id| shared.key(id));
            let keys = match dialog.focus {
                Focus::To => "Enter done · Tab boxes · ^U clears · F1 keys · Esc back".to_owned(),
                Focus::Box(_) => "Space ticks · Tab next · w writes · ? keys · Esc back".to_owned(),
                Focus::List => {
                    format!(
                        "w writes · Enter opens · Tab fields · {cautions} in full · {commands} commands · ? · Esc"
                    )
                }
            };
            (keys, theme.strong())
        }
    };
    caution_lines::paragraph("", &sentence, style, width.saturating_sub(1))
}

/// What was written.
fn written(
    theme: Theme,
    shared: &Shared,
    dialog: &ExportDialog,
    (done, width): (&Done, usize),
) -> Vec<Line<'static>> {
    let written = &done.written;
    let achieved = written.verification.achieved;
    let withdrawn = match written.verification.withdrawn {
        0 => String::new(),
        withdrawn => format!("{} withdrawn, ", text::counted(withdrawn, "member", "members")),
    };
    let span = format!("{withdrawn}presence {} to {}", at_least(achieved.min), at_most(achieved.max));
    let rows = text::counted(written.rows, "row", "rows");
    let mut lines = vec![rule(theme, "written", "", width, true)];
    let mut say = |sentence: &str, style| lines.extend(caution_lines::paragraph("", sentence, style, width));
    if dialog.release.is_present() {
        say(&format!("✓ {rows} written and verified: {span}"), theme.good());
    } else {
        say(&format!("{rows} written and verified: {span}, NOT δ-present"), theme.warning());
    }
    let file = |paper: Paper| paper.path(&written.path);
    let papers = dialog.papers().into_iter().map(file).chain(done.pseudonyms.clone());
    for path in std::iter::once(written.path.clone()).chain(papers) {
        say(&format!("  {}", path.display()), Style::new());
    }
    if let Some(warning) = written.formulas.warning() {
        say(&format!("{warning}."), theme.warning());
    }
    if done.folder.is_some() && done.pseudonyms.is_none() && !written.pseudonyms.is_empty() {
        say("There is no list of pseudonyms: they are drawn, and no key is kept.", Style::new());
    }
    let files = shared.key("files");
    say(&format!("{files} lists what was written. Any other key closes."), theme.strong());
    lines
}
