//! The export dialog: what will be written, what is checked, what the guarantee assumes.
//!
//! ```text
//! ╭ export: the file gets its name once it is verified ╮
//! │ from    n2   ✓ δ-present   loss .241              │
//! │ to      clinic-release.csv▏                       │
//! │ …                                                 │
//! ╰───────────────────────────────────────────────────╯
//! ```

use palmtop::caution::Severity;
use palmtop::pipeline::PseudonymNote;
use palmtop::verify::adversary;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Paragraph};

use super::question::{Kind, Question};
use super::state::{ExportDialog, Stage};
use crate::tui::kit::input::Input;
use crate::tui::kit::layout::{centred, clear_for_window};
use crate::tui::kit::page::Page;
use crate::tui::kit::theme::Theme;
use crate::tui::kit::{bar, columns, text};
use crate::tui::shared::state::Shared;
use crate::tui::shared::view::place_name;

/// The column of the fields' names.
const NAMES: usize = 9;

/// A line, and how much it is wanted: where there is too little room, those wanted least go first.
type Wanted = (u8, Line<'static>);

/// Draws the dialog over the screen.
pub(crate) fn render(page: &mut Page, area: Rect, shared: &Shared, dialog: &ExportDialog) {
    let theme = page.theme;
    let width = area.width.saturating_sub(4).clamp(40, 112);
    let inner = usize::from(width.min(area.width).saturating_sub(2));
    let answer = answer(theme, dialog, inner);
    let mut facts = facts(theme, shared, dialog, inner);
    let room = usize::from(area.height.saturating_sub(2)).saturating_sub(answer.len());
    while facts.len() > room {
        let least = facts.iter().enumerate().min_by_key(|(place, (wanted, _))| (*wanted, usize::MAX - place));
        let Some((place, _)) = least else { break };
        facts.remove(place);
    }
    let lines: Vec<Line> = facts.into_iter().map(|(_, line)| line).chain(answer).collect();
    let height = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX);
    let area = centred(area, width, height);
    clear_for_window(page, area);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" export: the file gets its name once it is verified ");
    page.render_widget(Paragraph::new(lines).block(block), area);
}

/// What will be written, what is checked, and what is assumed.
fn facts(theme: Theme, shared: &Shared, dialog: &ExportDialog, width: usize) -> Vec<Wanted> {
    let release = &dialog.release;
    let rows = shared.problem.histogram().total().private - release.withdrawn();
    let (mark, style) = if release.is_present() {
        ("✓ δ-present", theme.good())
    } else {
        ("✗ NOT δ-present", theme.bad())
    };
    let field = |name: &str, value: &str| Line::raw(text::fit(&format!(" {name:<NAMES$}{value}"), width));
    let origin = place_name(&dialog.place, release.delta());
    let is_typed = matches!(dialog.stage, Stage::Name);
    let to = dialog.target.shown(width.saturating_sub(NAMES + 2), is_typed);
    let blank = |wanted| (wanted, Line::raw(""));
    let loss = format!("   loss {}", text::loss(release.metrics.loss.mean()));
    let from = format!(" {:<NAMES$}{origin}   ", "from");
    let pseudonyms = shared.analysis.pseudonyms();
    let coded = pseudonyms
        .iter()
        .enumerate()
        .map(|(place, own)| (6, field(if place == 0 { "coded" } else { "" }, &coded(own))));
    let mut lines = vec![
        (9, Line::from(vec![Span::raw(from), Span::styled(mark, style), Span::raw(loss)])),
        (9, field("to", &to)),
        (5, field("", &format!("{} rows, sorted by their text; mode 0600", text::count(rows)))),
        (6, field("excluded", &names(&shared.analysis.identifiers(), left_out(shared)))),
        (6, field("as it is", &names(&shared.analysis.sensitive(), "no sensitive column is listed"))),
        (4, field("checks", "the written file is read back against the raw tables:")),
        (4, field("", "rows, columns, overlap, identifiers, presence of every class")),
        blank(1),
    ];
    // They stand behind what is left out.
    lines.splice(4..4, coded);
    if release.withdrawn() > 0 {
        let members = text::counted(release.withdrawn(), "member", "members");
        lines.insert(
            3,
            (
                7,
                field(
                    "withdrawn",
                    &format!("{members} of T, who have no row; `verify` recounts their class"),
                ),
            ),
        );
    }
    lines.extend(preview(theme, dialog, width));
    lines.push(blank(1));
    let knower = release.knows_algorithm().words();
    let adversary = adversary(shared.analysis.notes().added());
    let adversary = match &dialog.counted {
        Some(Ok(known)) => known.telling.limit_adversary(&adversary),
        _ => adversary,
    };
    let guarantee = if release.is_present() {
        format!("δ holds against somebody who {adversary}. Who knows palmtop, too: {knower}.")
    } else {
        let achieved = release.achieved;
        format!(
            "δ does NOT hold: presence is {} to {}, and the release promises nothing about anybody.",
            achieved.min, achieved.max
        )
    };
    let earlier = dialog.earlier.as_ref().map_or_else(
        || "Two releases of one private table can be intersected: make one.".to_owned(),
        |earlier| {
            let releases = shared.key("releases");
            format!("{earlier} is a release of this project already: both can be intersected; {releases} composes them.")
        },
    );
    let is_coarser = shared.analysis.published_coarser().next().is_some();
    let kept = if is_coarser { "unchanged, or at the level of `publish`" } else { "unchanged" };
    let kept = format!("Sensitive columns are published {kept}. {}", text::safe(&earlier));
    lines.extend(known(theme, dialog, width));
    let is_keyed = pseudonyms.iter().any(|own| own.domain.is_some());
    let linked = "Whoever has the key finds people by their pseudonyms, and the same ones in two releases link their rows.";
    // What is published is in the preview, which is wanted more.
    let sentences = [(8, guarantee.as_str()), (4, kept.as_str())];
    for (wanted, sentence) in sentences.into_iter().chain(is_keyed.then_some((8, linked))) {
        let wrapped = text::wrap(sentence, width.saturating_sub(2)).into_iter();
        lines.extend(wrapped.map(|line| (wanted, Line::raw(format!(" {line}")))));
    }
    lines.push(blank(2));
    for command in std::iter::once(dialog.command_line()).chain(dialog.replay_line()) {
        let said =
            if command.starts_with("palmtop ") { format!("$ {}", text::safe(&command)) } else { command };
        let wrapped = text::wrap(&said, width.saturating_sub(2)).into_iter();
        lines.extend(wrapped.map(|line| (7, Line::styled(format!(" {line}"), theme.faint()))));
    }
    lines.push(blank(0));
    lines
}

/// What the release says of a person, and its cautions: the severe ones are wanted most.
fn known(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Wanted> {
    let Some(Ok(known)) = &dialog.counted else { return Vec::new() };
    let wrapped = |said: &str, wanted: u8, style: Style| -> Vec<Wanted> {
        let lines = text::wrap(&text::safe(said), width.saturating_sub(2)).into_iter();
        lines.map(|line| (wanted, Line::styled(format!(" {line}"), style))).collect()
    };
    let mut lines = wrapped(&known.headline, 9, theme.strong());
    for caution in &known.cautions {
        let is_severe = caution.severity == Severity::Severe;
        let (mark, wanted) = if is_severe { ("✗", 8) } else { ("!", 2) };
        let style = if caution.is_open() { theme.bad() } else { theme.warning() };
        lines.extend(wrapped(&format!("{mark} {}", caution.sentence), wanted, style));
    }
    lines
}

/// What is said where every identifier has a pseudonym, or there is none.
fn left_out(shared: &Shared) -> &'static str {
    if shared.analysis.pseudonyms().is_empty() { "no identifier is listed" } else { "no identifier besides" }
}

/// What a column has in place of an identifier.
fn coded(own: &PseudonymNote) -> String {
    let made = match (&own.domain, own.made) {
        (None, _) => "drawn for this file; no key is kept".to_owned(),
        (Some(domain), "keyed") => format!("by the key, domain `{domain}`: 26 letters and digits"),
        (Some(domain), _) => format!("by the key, domain `{domain}`: as many digits"),
    };
    format!("{}: pseudonyms, {made}", own.column)
}

fn names(names: &[String], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

/// The first rows: as a table where that fits, else one after the other, each in as many lines as it needs.
fn preview(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Wanted> {
    let rows = match &dialog.preview {
        None => return vec![(3, Line::styled(" preview  reading the private table …", theme.faint()))],
        Some(Err(failure)) => {
            let said = text::wrap_to(failure, width.saturating_sub(NAMES + 2), 3).into_iter().enumerate();
            let named = said.map(|(place, line)| (if place == 0 { "preview" } else { "" }, line));
            return named
                .map(|(name, line)| (3, Line::styled(format!(" {name:<NAMES$}{line}"), theme.bad())))
                .collect();
        }
        Some(Ok(rows)) => rows,
    };
    preview_table(theme, rows, width).unwrap_or_else(|| preview_rows(theme, rows, width))
}

/// How many lines a row of the preview may take.
const ROW_LINES: usize = 6;

/// Rows one after the other, each value behind its column's name. The first is wanted more than what else can be left out.
fn preview_rows(theme: Theme, rows: &[Vec<String>], width: usize) -> Vec<Wanted> {
    let Some((header, rows)) = rows.split_first() else { return Vec::new() };
    let mut lines = Vec::new();
    // A row of which only the beginning fits would look as if it were cut.
    let most = if width < 90 { 1 } else { rows.len() };
    for (number, row) in rows.iter().take(most).enumerate() {
        let value = |text: &String| text.chars().take(200).collect::<String>();
        let cells = header.iter().zip(row).map(|(name, text)| format!("{name} {}", value(text)));
        let said = cells.collect::<Vec<_>>().join(" · ");
        for (place, line) in
            text::wrap_to(&said, width.saturating_sub(NAMES + 2), ROW_LINES).into_iter().enumerate()
        {
            let name = match (number, place) {
                (0, 0) => "preview".to_owned(),
                (_, 0) => format!("row {}", number + 1),
                _ => String::new(),
            };
            let wanted = if number == 0 { 5 } else { 0 };
            let style = if number % 2 == 0 { Style::new() } else { theme.faint() };
            lines.push((wanted, Line::styled(format!(" {name:<NAMES$}{line}"), style)));
        }
    }
    lines
}

/// Rows as a table; none where they are wider than the window.
fn preview_table(theme: Theme, rows: &[Vec<String>], width: usize) -> Option<Vec<Wanted>> {
    let cell = |text: &String| text::width(&text::safe(&text.chars().take(200).collect::<String>()));
    let count = rows.first().map_or(0, Vec::len);
    let wished: Vec<usize> =
        (0..count).map(|place| rows.iter().map(|row| cell(&row[place])).max().unwrap_or(0)).collect();
    let room = width.saturating_sub(NAMES + 1 + 2 * count);
    if wished.iter().sum::<usize>() > room {
        return None;
    }
    let widths = columns::fit(&wished, room, 2);
    let line = |(number, row): (usize, &Vec<String>)| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(text, &width)| text::fit(text, width)).collect();
        let style = if number == 0 { theme.faint() } else { Style::new() };
        let name = if number == 0 { "preview" } else { "" };
        Line::styled(text::fit(&format!(" {name:<NAMES$}{}", cells.join("  ")), width), style)
    };
    Some(rows.iter().enumerate().map(|row| (3, line(row))).collect())
}

/// What can be done with what was written, and what came of its report.
fn after(dialog: &ExportDialog) -> String {
    match &dialog.report {
        _ if dialog.reports.is_open() => "The report is being made …".to_owned(),
        None => "r writes its report; any other key closes. E lists all releases.".to_owned(),
        Some(Ok((path, verified))) => {
            let verdict = if *verified { "verified" } else { "REFUSED" };
            format!("Its report, {verdict}: {}. r writes another one; any other key closes.", path.display())
        }
        Some(Err(why)) => format!("✗ no report was written: {why}. r tries again; any other key closes."),
    }
}

/// The question that is asked now, and how to answer it.
fn asked(theme: Theme, dialog: &ExportDialog, typed: &Input, width: usize) -> (String, Style) {
    let Some(Question { about, said }) = dialog.asked() else { return (String::new(), Style::new()) };
    match about.kind() {
        Kind::Reason => {
            let wrong = dialog.wrong.as_ref().map_or_else(String::new, |wrong| format!(" {wrong}."));
            let typed = typed.shown(width.saturating_sub(2), true);
            (format!("{said}{wrong} Type the reason to accept that, Enter: {typed}"), theme.bad())
        }
        Kind::Words(words) => {
            let typed = typed.shown(width.saturating_sub(2), true);
            (format!("{said} Type `{words}` to write it all the same: {typed}"), theme.bad())
        }
        Kind::Yes => (format!("{said} y writes it, any other key goes back."), theme.warning()),
    }
}

/// What is asked, or what came of it.
fn answer(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let (said, style) = match &dialog.stage {
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
            let formulas = written.formulas.warning().map(|said| format!(" {said}.")).unwrap_or_default();
            let end = format!("{formulas} {}", after(dialog));
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
    text::wrap(&said, width.saturating_sub(2))
        .into_iter()
        .map(|line| Line::styled(format!(" {line}"), style))
        .collect()
}
