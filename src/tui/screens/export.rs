//! The export dialog: what will be written, what is checked, what the guarantee assumes.
//!
//! ```text
//! ╭ export ─ nothing is written until it is verified ─╮
//! │ from    n2   ✓ δ-present   loss .241              │
//! │ to      clinic-release.csv▏                       │
//! │ …                                                 │
//! ╰───────────────────────────────────────────────────╯
//! ```

use palmtop::verify::ADVERSARY;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, BorderType, Clear, Paragraph};

use super::frame::centred;
use crate::tui::app::Session;
use crate::tui::export::{ADMISSION, ExportDialog, Stage};
use crate::tui::theme::Theme;
use crate::tui::widgets::{columns, text};

/// Draws the dialog over the screen.
pub(crate) fn render(frame: &mut Frame, area: Rect, theme: Theme, session: &Session, dialog: &ExportDialog) {
    let area = centred(area, 100.min(area.width.saturating_sub(4)).max(40), 21);
    frame.render_widget(Clear, area);
    let block = Block::bordered()
        .border_type(BorderType::Rounded)
        .border_style(theme.strong())
        .title(" export: nothing has the name before it is verified ");
    let width = usize::from(area.width.saturating_sub(2));
    let lines = lines(theme, session, dialog, width);
    frame.render_widget(Paragraph::new(lines).block(block), area);
}

fn lines(theme: Theme, session: &Session, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let release = &dialog.release;
    let rows = session.problem.histogram().total().private;
    let (mark, style) = if release.is_present() {
        ("✓ δ-present", theme.good())
    } else {
        ("✗ NOT δ-present", theme.bad())
    };
    let cursor = if dialog.stage == Stage::Name { "▏" } else { "" };
    let field = |name: &str, value: String| Line::raw(text::fit(&format!(" {name:<9}{value}"), width));
    let origin = match &release.origin {
        palmtop::release::Origin::ByHand(node) => format!("node {node}"),
        search @ palmtop::release::Origin::Search(..) => search.name(),
    };
    let mut lines = vec![
        Line::from(vec![
            Span::raw(format!(" {:<9}{}   ", "from", origin)),
            Span::styled(mark, style),
            Span::raw(format!("   loss {}", text::loss(release.metrics.loss.mean()))),
        ]),
        // The end of a long name is what is being typed.
        field("to", tail(&format!("{}{cursor}", text::safe(&dialog.target)), width.saturating_sub(12))),
        field("", format!("{} rows, sorted by their text; mode 0600", text::count(rows))),
        field("left out", names(&session.analysis.identifiers(), "no identifier is listed")),
        field("as it is", names(&session.analysis.sensitive(), "no sensitive column is listed")),
        field("checks", "the written file is read back against the raw tables:".to_owned()),
        field("", "rows, columns, overlap, identifiers, presence of every class".to_owned()),
        Line::raw(""),
    ];
    lines.extend(preview(theme, dialog, width));
    lines.push(Line::raw(""));
    for said in [
        format!(" δ holds against somebody who {ADVERSARY}."),
        " Two releases of one private table can be intersected: make one.".to_owned(),
    ] {
        lines.push(Line::styled(text::fit(&said, width), theme.faint()));
    }
    let command = format!(" $ {}", text::safe(&dialog.command_line()));
    lines.push(Line::styled(text::fit(&command, width), theme.faint()));
    lines.push(Line::raw(""));
    lines.extend(stage(theme, dialog, width));
    lines
}

/// The last columns of a text that is too long.
fn tail(shown: &str, columns: usize) -> String {
    let mut start = shown;
    while text::width(start) > columns {
        start = start.char_indices().nth(1).map_or("", |(next, _)| &start[next..]);
    }
    start.to_owned()
}

fn names(names: &[String], none: &str) -> String {
    if names.is_empty() { none.to_owned() } else { names.join(", ") }
}

fn preview(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let rows = match &dialog.preview {
        None => return vec![Line::styled(" preview  reading the private table …", theme.faint())],
        Some(Err(failure)) => {
            return vec![Line::styled(text::fit(&format!(" preview  {failure}"), width), theme.bad())];
        }
        Some(Ok(rows)) => rows,
    };
    let cell = |text: &String| text::width(&text.chars().take(40).collect::<String>());
    let count = rows.first().map_or(0, Vec::len);
    let wished: Vec<usize> =
        (0..count).map(|place| rows.iter().map(|row| cell(&row[place])).max().unwrap_or(0)).collect();
    let widths = columns::fit(&wished, width.saturating_sub(10 + 2 * count), 2);
    let line = |(number, row): (usize, &Vec<String>)| {
        let cells: Vec<String> =
            row.iter().zip(&widths).map(|(text, &width)| text::fit(text, width)).collect();
        let style = if number == 0 { theme.faint() } else { ratatui::style::Style::new() };
        let name = if number == 0 { "preview" } else { "" };
        Line::styled(text::fit(&format!(" {name:<9}{}", cells.join("  ")), width), style)
    };
    rows.iter().enumerate().map(line).collect()
}

fn stage(theme: Theme, dialog: &ExportDialog, width: usize) -> Vec<Line<'static>> {
    let (said, style) = match &dialog.stage {
        Stage::Name => ("Enter writes · Esc closes · ^U clears the name".to_owned(), theme.strong()),
        Stage::Admission(typed) => (
            format!("It is NOT δ-present. Type `{ADMISSION}` to write it all the same: {typed}▏"),
            theme.bad(),
        ),
        Stage::Overwrite => {
            ("This file exists. y overwrites it, any other key goes back.".to_owned(), theme.warning())
        }
        Stage::Running => ("writing and verifying …".to_owned(), theme.strong()),
        Stage::Written(written) => {
            let achieved = written.verification.achieved;
            let said = format!(
                "✓ {} rows written and verified: presence {} to {}. Any key closes.",
                text::count(written.rows),
                achieved.min,
                achieved.max
            );
            (said, theme.good())
        }
        Stage::Refused(failure) => (format!("✗ nothing was written: {failure}"), theme.bad()),
    };
    wrap(&said, width.saturating_sub(2))
        .into_iter()
        .map(|line| Line::styled(format!(" {line}"), style))
        .collect()
}

/// A sentence in lines of this width.
fn wrap(said: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text::safe(said).split(' ') {
        let last = lines.last().map_or(0, |line| text::width(line));
        if last > 0 && last + 1 + text::width(word) > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}
