//! The comparison: a column a candidate, the base at the left, and below it the difference to the base in words.
//!
//! ```text
//!                    ▸node 3,2,2 (base)    spalm                n2
//!  verdict           ✗ 12 classes          ✓ δ-present          ✓ δ-present
//!  loss              .274 ████████░░░░     .340 ██████████░░    .241 ███████░░░░░ ★
//! ```

use std::sync::Arc;

use palmtop::release::Release;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::{comparison, difference};
use crate::tui::app::Session;
use crate::tui::theme::Theme;
use crate::tui::view::Position;
use crate::tui::widgets::rule::rule;
use crate::tui::widgets::text;

/// The column of the rows' names.
const NAMES: usize = 19;
/// A candidate's column is no narrower, and no wider.
const COLUMN: std::ops::RangeInclusive<usize> = 20..=36;

/// One candidate.
pub(crate) struct Candidate {
    pub(crate) name: String,
    pub(crate) release: Arc<Release>,
    pub(crate) seconds: Option<f64>,
    /// How many of its classes break δ.
    pub(crate) broken: usize,
}

/// Draws the screen.
pub(crate) fn render(frame: &mut Frame, area: Rect, theme: Theme, session: &Session) {
    let positions = session.candidates();
    let (base, cursor) = (session.base_place(&positions), session.pointed_place(&positions));
    let candidates = candidates(session, positions);
    let [table, words] = Layout::vertical([Constraint::Fill(1), Constraint::Length(4)]).areas(area);
    render_table(frame, table, theme, session, &candidates, cursor, base);
    let width = usize::from(words.width);
    let (Some(chosen), Some(base)) = (candidates.get(cursor), candidates.get(base)) else {
        return;
    };
    let (heading, said) = if std::ptr::eq(chosen, base) {
        let said = vec!["h and l choose what to compare with it; b makes another one the base".to_owned()];
        (format!("{}, the base", chosen.name), said)
    } else {
        let said = difference::words(&session.problem, &base.release, &chosen.release);
        (format!("{} against {}, the base", chosen.name, base.name), said)
    };
    let mut lines = vec![rule(theme, &heading, "b sets the base", width, false)];
    lines.extend(said.into_iter().map(|line| Line::raw(text::fit(&format!(" {line}"), width))));
    frame.render_widget(Paragraph::new(lines), words);
}

fn candidates(session: &Session, positions: Vec<Position>) -> Vec<Candidate> {
    let candidate = |position: Position| {
        let (name, seconds) = match &position {
            Position::Node(node) => (format!("node {node}"), None),
            Position::Run(strategy) => {
                (strategy.to_string(), session.runs.outcome(*strategy).map(|outcome| outcome.seconds))
            }
        };
        let release = session.release(&position)?;
        let classes = release.classes.classes.iter();
        let broken = classes.filter(|class| !release.delta.allows(class.counts)).count();
        Some(Candidate { name, release, seconds, broken })
    };
    positions.into_iter().filter_map(candidate).collect()
}

fn render_table(
    frame: &mut Frame,
    area: Rect,
    theme: Theme,
    session: &Session,
    candidates: &[Candidate],
    cursor: usize,
    base: usize,
) {
    let width = usize::from(area.width);
    let room = width.saturating_sub(NAMES);
    let fitting = (room / COLUMN.start()).clamp(1, candidates.len().max(1));
    let column = (room / fitting).clamp(*COLUMN.start(), *COLUMN.end());
    // The base stands at the left; the others pass by it, as many as there is room for.
    let others: Vec<usize> = (0..candidates.len()).filter(|place| *place != base).collect();
    let at = others.iter().position(|place| *place == cursor).unwrap_or(0);
    let room = fitting.saturating_sub(1);
    let first = super::classes::first_row(at, room, others.len());
    let window = others.iter().copied().skip(first).take(room);
    let shown: Vec<usize> = std::iter::once(base).chain(window).collect();
    let rows = rows(theme, session, candidates, &shown, column);
    let height = usize::from(area.height).saturating_sub(2);
    let above = session.compare_row.min(rows.len().saturating_sub(height));
    let hidden = rows.len().saturating_sub(above + height);
    let mut remark = match candidates.len() {
        1 => "only this node yet: s runs searches, p pins nodes".to_owned(),
        count if shown.len() == count => format!("{count} candidates"),
        count => format!("{} of {count} candidates: h and l", shown.len()),
    };
    if above > 0 || hidden > 0 {
        remark = format!("{hidden} rows below: j and k · {remark}");
    }
    let mut lines = vec![rule(theme, "compare", &remark, width, false)];
    lines.push(heading(theme, cursor, base, candidates, &shown, column));
    lines.extend(rows.into_iter().skip(above));
    frame.render_widget(Paragraph::new(lines), area);
}

fn heading(
    theme: Theme,
    cursor: usize,
    base: usize,
    all: &[Candidate],
    shown: &[usize],
    column: usize,
) -> Line<'static> {
    let mut spans = vec![Span::raw(" ".repeat(NAMES))];
    for (place, candidate) in shown.iter().map(|&place| (place, &all[place])) {
        let mark = if place == cursor { "▸" } else { " " };
        let is_base = if place == base { " (base)" } else { "" };
        let style = if place == cursor { theme.selected() } else { theme.strong() };
        let short = candidate.name.trim_start_matches("node ").to_owned();
        let room = column - 2 - is_base.len();
        let name = text::longest_that_fits(&[candidate.name.clone(), short], room);
        let name = text::fit(&name, text::width(&name).min(room));
        spans.push(Span::styled(text::fit(&format!("{mark}{name}{is_base}"), column - 1), style));
        spans.push(Span::raw(" "));
    }
    Line::from(spans)
}

/// The rows, each with its name and a cell a candidate.
fn rows(
    theme: Theme,
    session: &Session,
    all: &[Candidate],
    shown: &[usize],
    column: usize,
) -> Vec<Line<'static>> {
    let line = |name: &str, cells: Vec<(String, Style)>| {
        let mut spans = vec![Span::styled(text::fit(&format!(" {name}"), NAMES), theme.faint())];
        for (said, style) in cells {
            spans.push(Span::styled(text::fit(&format!(" {said}"), column), style));
        }
        Line::from(spans)
    };
    let rows = comparison::rows(theme, session, all, column - 1);
    let cells = |row: &comparison::Row| shown.iter().map(|&place| (row.cell)(&all[place])).collect();
    rows.iter().map(|row| line(&row.name, cells(row))).collect()
}
