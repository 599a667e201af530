//! The map of the lattice: a row per height. If rows are folded, the cursor's height follows below,
//! unfolded.
//!
//! ```text
//! ─ coarse ↑ 3 more ────────────── a mark per run of nodes · ✓ of n ─
//!   12 ○○○○○○○○○○○○○○○○○◑◑○○○○○○○◑◑○○○○○○○○○○○○○○○○○○○○○○◑○○     396
//! ▸ 11 ·◑◑◑◑◑◆◑◑★◑◑○○◑◑○○○○◑◑○○○◑◑◑◑◑◑○○○○○○○○○○◑◑◑◑◑◑○○◑◑○○     301
//! ─ fine ↓ 11 more ──────────────── height 11: node 43 of 421 ─
//! ◂·····●·×····○○··○○··○○○··○○○○····○○○○○○·○○○○○○○○○○○○···○○▸
//! ```

use std::ops::Range;

use palmtop_search::NodeState;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::map::LatticeMap;
use super::walk::LatticeWalk;
use crate::kit::hits::Target;
use crate::kit::layout::first_row;
use crate::kit::layout::{MIDDLE, WIDE};
use crate::kit::page::Page;
use crate::kit::rule::rule;
use crate::kit::text;
use crate::kit::theme::Theme;
use crate::shared::screen::Sight;

/// The lines besides the rows: two rules and the cursor's height.
pub(crate) const OTHERS: usize = 3;
/// The cursor, the height and a blank.
const LABEL: usize = 5;

/// The marks besides the verdicts, with their positions.
#[derive(Clone, Copy)]
struct Marks<'a> {
    theme: Theme,
    map: &'a LatticeMap,
    cursor: usize,
    here: usize,
    optimum: Option<usize>,
}

/// Draws the map.
pub(crate) fn render(
    page: &mut Page,
    area: Rect,
    theme: Theme,
    sight: Sight<'_, LatticeWalk>,
    map: &LatticeMap,
) {
    let width = usize::from(area.width);
    let (cursor, here) = (map.position(&sight.screen.cursor), map.position(&sight.shared.ground.node));
    let marks = Marks { theme, map, cursor, here, optimum: map.optimum() };
    let sums = Sums::of(map, width);
    let room = width.saturating_sub(LABEL + sums.width);
    let is_folded = map.longest() > room;
    let others = if is_folded { OTHERS } else { OTHERS - 1 };
    let rows = usize::from(area.height).saturating_sub(others);
    let cursor_row = map.row_of(cursor);
    let from_top = |row: usize| map.heights() - 1 - row;
    let first = first_row(from_top(cursor_row), rows, map.heights());
    let shown = rows.min(map.heights() - first);
    let more = |count: usize| if count > 0 { format!(" {count} more") } else { String::new() };

    let what = if is_folded { "a mark per run of nodes" } else { "a mark per node" };
    let remark = format!("{what}, less loss at left · {}", sums.heading());
    let mut lines = vec![rule(theme, &format!("coarse ↑{}", more(first)), &remark, width, true)];
    let gap = usize::from(2 * map.longest() <= room + 1);
    for line in 0..shown {
        let row = from_top(first + line);
        let positions = map.row(row);
        let label = if row == cursor_row { Span::styled("▸", theme.strong()) } else { Span::raw(" ") };
        let mut spans = vec![label, Span::styled(format!("{:>3} ", map.height(row)), theme.faint())];
        let drawn = positions.len() + (positions.len() - 1) * gap;
        let indent = room.saturating_sub(drawn) / 2;
        spans.push(Span::raw(" ".repeat(indent)));
        let y = area.y + 1 + u16::try_from(line).unwrap_or(u16::MAX);
        let columns = drawn.min(room).div_ceil(gap + 1);
        for column in 0..columns {
            let run = run(&positions, column, columns);
            let x = area.x + u16::try_from(LABEL + indent + column * (gap + 1)).unwrap_or(u16::MAX);
            page.hits.note(Rect { x, y, width: 1, height: 1 }, Target::Column(run.start));
            spans.push(marks.span(run));
            if gap > 0 && column + 1 < columns {
                spans.push(Span::raw(" "));
            }
        }
        spans.push(Span::raw(" ".repeat(room.saturating_sub(indent + drawn.min(room)))));
        spans.push(Span::styled(sums.of_row(map, row), theme.faint()));
        lines.push(Line::from(spans));
    }
    let positions = map.row(cursor_row);
    let (nth, count) = (cursor - positions.start + 1, positions.len());
    let remark =
        format!("height {}: node {} of {}", map.height(cursor_row), text::count(nth), text::count(count));
    let below = map.heights() - first - shown;
    lines.push(rule(theme, &format!("fine ↓{}", more(below)), &remark, width, false));
    if is_folded {
        let y = area.y + u16::try_from(lines.len()).unwrap_or(u16::MAX);
        lines.push(strip(page, marks, &positions, area, y));
    }
    page.render_widget(Paragraph::new(lines), area);
}

/// The part of a row that a column shows.
fn run(positions: &Range<usize>, column: usize, columns: usize) -> Range<usize> {
    let at = |column: usize| positions.start + column * positions.len() / columns;
    at(column)..at(column + 1)
}

/// The cursor's height around the cursor, one mark per node.
fn strip(page: &mut Page, marks: Marks, positions: &Range<usize>, area: Rect, y: u16) -> Line<'static> {
    let room = usize::from(area.width).saturating_sub(2);
    let count = positions.len().min(room);
    let before = (marks.cursor - positions.start).saturating_sub(room / 2).min(positions.len() - count);
    let shown = positions.start + before..positions.start + before + count;
    let indent = (room - count) / 2;
    let end = |more: bool, mark| Span::styled(if more { mark } else { " " }, marks.theme.faint());
    let mut spans = vec![end(before > 0, "◂"), Span::raw(" ".repeat(indent))];
    for (column, position) in shown.clone().enumerate() {
        let x = area.x + u16::try_from(1 + indent + column).unwrap_or(u16::MAX);
        page.hits.note(Rect { x, y, width: 1, height: 1 }, Target::Column(position));
        spans.push(marks.span(position..position + 1));
    }
    spans.push(end(shown.end < positions.end, "▸"));
    Line::from(spans)
}

impl Marks<'_> {
    /// The mark of a run of neighbouring nodes; reversed if it contains the cursor.
    fn span(self, run: Range<usize>) -> Span<'static> {
        let (mark, style) = self.mark(&run);
        let is_pointed = run.contains(&self.cursor);
        Span::styled(mark, if is_pointed { style.patch(self.theme.selected()) } else { style })
    }

    fn mark(self, run: &Range<usize>) -> (&'static str, Style) {
        let theme = self.theme;
        if run.contains(&self.here) {
            return ("◆", theme.accent().patch(theme.strong()));
        }
        if self.optimum.is_some_and(|optimum| run.contains(&optimum)) {
            return ("★", theme.good().patch(theme.strong()));
        }
        if run.len() == 1 {
            return state_mark(theme, self.map.state(run.start));
        }
        let passing = self.map.passing(run.clone());
        if self.map.open(run.clone()) > 0 {
            ("?", theme.warning())
        } else if passing == run.len() {
            ("○", theme.good())
        } else if passing == 0 {
            ("·", theme.bad())
        } else {
            ("◑", theme.warning())
        }
    }
}

/// The mark of a verdict on a node.
pub(crate) fn state_mark(theme: Theme, state: NodeState) -> (&'static str, Style) {
    match state {
        NodeState::Open => ("?", theme.warning()),
        NodeState::PresentChecked => ("●", theme.good()),
        NodeState::PresentImplied => ("○", theme.good()),
        NodeState::FailsChecked => ("×", theme.bad()),
        NodeState::FailsImplied => ("·", theme.bad()),
    }
}

/// The sums at the end of each row, as far as they fit: the nodes that keep δ, all nodes, and the
/// range of loss.
struct Sums {
    width: usize,
    count: usize,
    of_all: bool,
    losses: bool,
}

impl Sums {
    fn of(map: &LatticeMap, width: usize) -> Self {
        let passing = (0..map.heights()).map(|row| map.passing(map.row(row)));
        let digits = |count: usize| text::width(&text::count(count));
        let of_all = width >= usize::from(MIDDLE);
        let losses = width >= usize::from(WIDE - 71);
        let count = if of_all { digits(map.longest()) } else { digits(passing.max().unwrap_or(0)) };
        let width = 1 + count + if of_all { 1 + count } else { 0 } + if losses { 2 + 11 } else { 0 } + 1;
        Self { width, count, of_all, losses }
    }

    fn heading(&self) -> &'static str {
        match (self.of_all, self.losses) {
            (true, true) => "✓/n, loss",
            (true, false) => "✓/n",
            (false, _) => "✓",
        }
    }

    fn of_row(&self, map: &LatticeMap, row: usize) -> String {
        let positions = map.row(row);
        let count = |count: usize| text::right(&text::count(count), self.count);
        let mut line = format!(" {}", count(map.passing(positions.clone())));
        if self.of_all {
            line = format!("{line}/{}", text::fit(&text::count(positions.len()), self.count));
        }
        if self.losses {
            let (least, greatest) =
                (text::loss(map.loss(positions.start)), text::loss(map.loss(positions.end - 1)));
            line = format!("{line}  {}", text::right(&format!("{least}–{greatest}"), 11));
        }
        format!("{line} ")
    }
}
