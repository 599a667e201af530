//! Several strategies on one pair of axes: dotted lines, and a letter at each measured number.
//!
//! ```text
//!   0.8 ┤   S⠤⣀⣀
//!       │   ┬   ⠉⠒⠢S⢄⣀
//!   0.4 ┤   │      ┬  ⠉⠒⠢S
//!       │   ┴      │     ┼
//!   0.0 ┤   B⠤⠤⠤⠤⠤⠤B⠤⠤⠤⠤⠤B
//!       └───┴──────┴─────┴───
//!  δmax    0.05   0.1   0.2
//! ```

use std::cmp::Ordering;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};

use palmtop_release::chart::{Numbers, Subject, spans};
use palmtop_release::svg::Axis;

use crate::kit::symbols::Marks;

/// The strategies, labels and spans of one chart.
pub struct Plot<S> {
    /// The label of each position on the horizontal axis.
    labels: Vec<String>,
    /// The positions whose labels are written first. Other labels use the remaining room.
    first_labels: Vec<usize>,
    series: Vec<Series<S>>,
    /// The least and greatest number of the strategies that are drawn as one span, for each
    /// position.
    spans: Vec<Option<(f64, f64)>>,
    /// The number of these strategies.
    spanned: usize,
    marks: Marks,
}

struct Series<S> {
    subject: S,
    mark: char,
    style: Style,
    numbers: Vec<Option<f64>>,
}

impl<S: Subject> Plot<S> {
    /// A letter for each strategy. If MPALM's nine include several of the strategies, these are
    /// drawn as one span from least to greatest.
    pub fn new(labels: Vec<String>, lines: Vec<Numbers<S>>) -> Self {
        let (nine, others): (Vec<Numbers<S>>, Vec<Numbers<S>>) =
            lines.into_iter().partition(|(subject, _)| subject.rules().is_some());
        if nine.len() < 2 {
            return Self::with_marks(labels, nine.into_iter().chain(others), S::letter);
        }
        let spans = spans(&nine, labels.len());
        Self { spans, spanned: nine.len(), ..Self::with_marks(labels, others.into_iter(), S::letter) }
    }

    /// A mark for each strategy. Those of MPALM's nine have the digit of their value rule, if it is free.
    pub fn with_digits(labels: Vec<String>, lines: Vec<Numbers<S>>) -> Self {
        let mark = |subject: S| subject.rules().map_or_else(|| subject.letter(), |(_, value)| value.digit());
        Self::with_marks(labels, lines.into_iter(), mark)
    }

    fn with_marks(
        labels: Vec<String>,
        lines: impl Iterator<Item = Numbers<S>>,
        mark: impl Fn(S) -> char,
    ) -> Self {
        let mut series: Vec<Series<S>> = Vec::new();
        for (subject, numbers) in lines {
            let others = subject.to_string().chars().next().into_iter().chain('a'..='z');
            let is_free = |mark: &char| series.iter().all(|known| known.mark != *mark);
            let first = mark(subject);
            let mark = std::iter::once(first).chain(others).find(is_free).unwrap_or(first);
            series.push(Series { subject, mark, style: Style::default(), numbers });
        }
        let first_labels = labels.len().checked_sub(1).into_iter().collect();
        Self { labels, first_labels, series, spans: Vec::new(), spanned: 0, marks: Marks::Braille }
    }

    /// Draws the strategies in colours.
    #[must_use]
    pub fn styled(mut self, style: impl Fn(S) -> Style) -> Self {
        for series in &mut self.series {
            series.style = style(series.subject);
        }
        self
    }

    /// Draws the lines in these marks.
    #[must_use]
    pub(crate) fn drawn_in(self, marks: Marks) -> Self {
        Self { marks, ..self }
    }

    /// Gives the labels of these positions priority over other labels.
    #[must_use]
    pub fn labelled_first(mut self, indices: &[usize]) -> Self {
        self.first_labels.splice(0..0, indices.iter().copied());
        self
    }

    /// Every number in the chart, spans included.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        let spans = self.spans.iter().flatten().flat_map(|(least, most)| [*least, *most]);
        self.series.iter().flat_map(|series| &series.numbers).flatten().copied().chain(spans)
    }

    /// The meaning of each mark.
    pub fn legend(&self) -> Vec<String> {
        let named = |series: &Series<S>| format!("{} {}", series.mark, series.subject);
        let mut legend: Vec<String> = self.series.iter().map(named).collect();
        if self.spanned > 0 {
            let which =
                if self.spanned == 9 { "the nine".to_owned() } else { format!("{} of MPALM", self.spanned) };
            legend.push(format!("┬│┴ {which}, most to least"));
        }
        legend
    }

    /// The terminal column of a position, if the plot is drawn in `area`.
    pub fn column(&self, index: usize, area: Rect) -> u16 {
        area.x + 1 + cell(along(index, self.labels.len()), area.width.saturating_sub(1))
    }

    /// The area of a position's label, if it is written.
    pub fn label_area(&self, index: usize, area: Rect) -> Rect {
        let width = u16::try_from(self.labels[index].chars().count()).unwrap_or(0);
        let start = self.column(index, area).saturating_sub(width / 2).max(area.x);
        let x = start.min(area.right().saturating_sub(width));
        Rect { x, y: area.bottom() + 1, width, height: 1 }
    }

    /// Draws the plot with its axes. The vertical axis is the first column of `area`; the
    /// horizontal axis is in the two rows below `area`.
    pub fn draw(&self, axis: &Axis, area: Rect, buffer: &mut Buffer) {
        let plain = Style::default();
        let inner = Rect { x: area.x + 1, width: area.width.saturating_sub(1), ..area };
        for row in area.y..area.bottom() {
            buffer.set_string(area.x, row, "│", plain);
        }
        for (tick, _) in ticks(axis, area.height) {
            buffer.set_string(area.x, row(axis, *tick, area), "┤", plain);
        }
        let step = usize::from(inner.width) / self.labels.len().max(1);
        // Lines between close letters would only hide them.
        match self.marks {
            _ if step < 4 => {}
            Marks::HalfBlocks => self.draw_half_blocks(axis, area, buffer),
            Marks::Braille => self.draw_lines(axis, inner, buffer),
        }
        // With enough room, spans are drawn next to the letters: on the same cells, one would hide
        // the other.
        self.draw_spans(axis, area, u16::from(step >= 4), buffer);
        for index in 0..self.labels.len() {
            for (row, marks, style) in self.marks_by_row(index, |number| row(axis, number, area)) {
                // Several letters at one position are written side by side, if they end before the
                // next position.
                let marks = if marks.chars().count() < step.max(2) { marks } else { "*".to_owned() };
                let half = u16::try_from((marks.chars().count() - 1) / 2).unwrap_or(0);
                let column = self.column(index, area).saturating_sub(half).max(inner.x);
                buffer.set_string(column, row, marks, style);
            }
        }
        self.draw_labels(area, buffer);
    }

    fn draw_spans(&self, axis: &Axis, area: Rect, aside: u16, buffer: &mut Buffer) {
        for (index, span) in self.spans.iter().enumerate() {
            let Some((least, most)) = *span else { continue };
            let (top, foot) = (row(axis, most, area), row(axis, least, area));
            for between in top..=foot {
                let part = match between {
                    _ if top == foot => "┼",
                    _ if between == top => "┬",
                    _ if between == foot => "┴",
                    _ => "│",
                };
                buffer.set_string(self.column(index, area) - aside, between, part, Style::default());
            }
        }
    }

    /// The letters on each row at one position of the sweep, top to bottom. Several letters on one
    /// row have no colour.
    fn marks_by_row(&self, index: usize, row: impl Fn(f64) -> u16) -> Vec<(u16, String, Style)> {
        let mut rows: Vec<(u16, String, Style)> = Vec::new();
        for series in &self.series {
            let Some(number) = series.numbers[index] else { continue };
            let at_row = row(number);
            match rows.iter_mut().find(|(row, ..)| *row == at_row) {
                Some((_, marks, style)) => {
                    marks.push(series.mark);
                    *style = Style::default();
                }
                None => rows.push((at_row, series.mark.to_string(), series.style)),
            }
        }
        rows.sort_unstable_by_key(|(row, ..)| *row);
        rows
    }

    /// Draws lines of half blocks between neighbouring numbers. A position without a number interrupts the line.
    fn draw_half_blocks(&self, axis: &Axis, area: Rect, buffer: &mut Buffer) {
        let halves = area.height * 2;
        let half = |number: f64| halves - 1 - cell(axis.position(number), halves);
        for series in &self.series {
            for (index, pair) in series.numbers.windows(2).enumerate() {
                let [Some(from), Some(to)] = *pair else { continue };
                let (left, right) = (self.column(index, area), self.column(index + 1, area));
                let mut before = half(from);
                for column in left..=right {
                    let along = f64::from(column - left) / f64::from((right - left).max(1));
                    let now = half(from + (to - from) * along);
                    // A steep line fills the halves that it passes.
                    let (first, last) = match now.cmp(&before) {
                        Ordering::Less => (now, before - 1),
                        Ordering::Equal => (now, now),
                        Ordering::Greater => (before + 1, now),
                    };
                    before = now;
                    for half in first..=last {
                        let cell = &mut buffer[(column, area.y + half / 2)];
                        let (this, other) = if half % 2 == 0 { ("▀", "▄") } else { ("▄", "▀") };
                        let symbol = if [other, "█"].contains(&cell.symbol()) { "█" } else { this };
                        cell.set_symbol(symbol).set_style(series.style);
                    }
                }
            }
        }
    }

    /// Draws dotted lines between neighbouring numbers. A position without a number interrupts the
    /// line.
    fn draw_lines(&self, axis: &Axis, inner: Rect, buffer: &mut Buffer) {
        let count = self.labels.len();
        // A cell has 2 × 4 dots. The wider bounds make a line pass through the middle of its
        // letters' cells.
        let beyond = |dots: f64, cells: u16| (dots - 1.0) / 2.0 / (dots * f64::from(cells.max(2) - 1));
        let (x, y) = (beyond(2.0, inner.width), beyond(4.0, inner.height));
        let canvas =
            Canvas::default().marker(Marker::Braille).x_bounds([-x, 1.0 + x]).y_bounds([-y, 1.0 + y]);
        let canvas = canvas.paint(|context| {
            for series in &self.series {
                let color = series.style.fg.unwrap_or(Color::Reset);
                let numbers = series.numbers.iter().enumerate();
                let points: Vec<Option<(f64, f64)>> = numbers
                    .map(|(index, number)| Some((along(index, count), axis.position((*number)?))))
                    .collect();
                for pair in points.windows(2) {
                    if let [Some((x1, y1)), Some((x2, y2))] = *pair {
                        context.draw(&Line { x1, y1, x2, y2, color });
                    }
                }
            }
        });
        canvas.render(inner, buffer);
    }

    /// Draws the horizontal axis with a tick for each position, and the labels that fit.
    fn draw_labels(&self, area: Rect, buffer: &mut Buffer) {
        let plain = Style::default();
        let foot = area.bottom();
        buffer.set_string(area.x, foot, "└", plain);
        for x in area.x + 1..area.right() {
            buffer.set_string(x, foot, "─", plain);
        }
        let mut written: Vec<Rect> = Vec::new();
        for index in 0..self.labels.len() {
            buffer.set_string(self.column(index, area), foot, "┴", plain);
        }
        for index in self.first_labels.iter().copied().chain(0..self.labels.len()) {
            let label_area = self.label_area(index, area);
            // Two labels need a blank between them.
            if written.iter().all(|other| label_area.x > other.right() || other.x > label_area.right()) {
                buffer.set_string(label_area.x, label_area.y, &self.labels[index], plain);
                written.push(label_area);
            }
        }
    }
}

/// Draws the labels of the vertical axis next to the rows of `area`, and the name of the horizontal
/// axis below them. Returns the column where the plot begins.
pub fn draw_scale(axis: &Axis, lower: &str, area: Rect, buffer: &mut Buffer) -> u16 {
    let width = axis.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let width = width.max(lower.chars().count());
    for (tick, label) in ticks(axis, area.height) {
        buffer.set_string(area.x + 1, row(axis, *tick, area), format!("{label:>width$}"), Style::default());
    }
    buffer.set_string(area.x + 1, area.bottom() + 1, lower, Style::default());
    area.x + u16::try_from(width).unwrap_or(0) + 2
}

/// The ticks that fit in a number of rows: all of them, every second one, and so on.
fn ticks(axis: &Axis, height: u16) -> impl Iterator<Item = &(f64, String)> {
    let steps = axis.ticks.len().saturating_sub(1);
    let rows = usize::from(height.saturating_sub(1)).max(1);
    axis.ticks.iter().step_by((3 * steps).div_ceil(2 * rows).max(1))
}

fn row(axis: &Axis, number: f64, area: Rect) -> u16 {
    area.bottom().saturating_sub(1) - cell(axis.position(number), area.height)
}

/// A position of the sweep as a share of the horizontal axis, from 0 to 1. The positions are evenly
/// spaced.
#[expect(clippy::cast_precision_loss, reason = "a place to draw at")]
fn along(index: usize, count: usize) -> f64 {
    (index as f64 + 0.5) / count as f64
}

/// The index of a cell at a share of the length of a line of `size` cells.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a width lies in it")]
fn cell(share: f64, size: u16) -> u16 {
    (share * f64::from(size.saturating_sub(1))).round() as u16
}
