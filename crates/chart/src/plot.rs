//! Several strategies on one pair of axes: dotted lines, and a letter where a number was measured.
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

use palmtop_search::Strategy;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};

use super::Axis;

/// The numbers of one strategy, place by place of a sweep; `None` where there is none.
pub type Numbers = (Strategy, Vec<Option<f64>>);

/// What is drawn on one pair of axes.
pub struct Plot {
    /// Under each place of the sweep.
    labels: Vec<String>,
    /// The places whose labels are written before others take their room.
    first_labels: Vec<usize>,
    series: Vec<Series>,
    /// From the least to the most of those of MPALM's nine that are not told apart, place by place.
    spans: Vec<Option<(f64, f64)>>,
    /// How many those are.
    spanned: usize,
}

/// The numbers of one strategy, with the letter that marks them.
struct Series {
    strategy: Strategy,
    mark: char,
    style: Style,
    numbers: Vec<Option<f64>>,
}

impl Plot {
    /// A letter a strategy; MPALM's nine, where there are several of them, are shown by their most and least.
    pub fn new(labels: Vec<String>, lines: Vec<Numbers>) -> Self {
        let (nine, others): (Vec<Numbers>, Vec<Numbers>) =
            lines.into_iter().partition(|(strategy, _)| strategy.rules().is_some());
        if nine.len() < 2 {
            return Self::with_marks(labels, nine.into_iter().chain(others), letter);
        }
        let spans = spans(&nine, labels.len());
        Self { spans, spanned: nine.len(), ..Self::with_marks(labels, others.into_iter(), letter) }
    }

    /// A mark a strategy: of MPALM's nine the digit of its value rule, so at most those of one column rule.
    pub fn told_apart(labels: Vec<String>, lines: Vec<Numbers>) -> Self {
        let mark = |strategy: Strategy| {
            strategy.rules().map_or_else(|| letter(strategy), |(_, value)| value.digit())
        };
        Self::with_marks(labels, lines.into_iter(), mark)
    }

    fn with_marks(
        labels: Vec<String>,
        lines: impl Iterator<Item = Numbers>,
        mark: impl Fn(Strategy) -> char,
    ) -> Self {
        let series = lines.map(|(strategy, numbers)| {
            let (mark, style) = (mark(strategy), Style::default());
            Series { strategy, mark, style, numbers }
        });
        let series = series.collect();
        let first_labels = labels.len().checked_sub(1).into_iter().collect();
        Self { labels, first_labels, series, spans: Vec::new(), spanned: 0 }
    }

    /// In colours.
    #[must_use]
    pub fn styled(mut self, style: impl Fn(Strategy) -> Style) -> Self {
        for series in &mut self.series {
            series.style = style(series.strategy);
        }
        self
    }

    /// With the labels of these places, whatever room others need.
    #[must_use]
    pub fn labelled_first(mut self, places: &[usize]) -> Self {
        self.first_labels.splice(0..0, places.iter().copied());
        self
    }

    /// Every number that is drawn.
    pub fn numbers(&self) -> impl Iterator<Item = f64> {
        let spans = self.spans.iter().flatten().flat_map(|(least, most)| [*least, *most]);
        self.series.iter().flat_map(|series| &series.numbers).flatten().copied().chain(spans)
    }

    /// What the marks mean.
    pub fn legend(&self) -> Vec<String> {
        let named = |series: &Series| format!("{} {}", series.mark, series.strategy);
        let mut legend: Vec<String> = self.series.iter().map(named).collect();
        if self.spanned > 0 {
            let which =
                if self.spanned == 9 { "the nine".to_owned() } else { format!("{} of MPALM", self.spanned) };
            legend.push(format!("┬│┴ {which}, most to least"));
        }
        legend
    }

    /// The column of a place, where the plot is drawn in `area`.
    pub fn column(&self, place: usize, area: Rect) -> u16 {
        area.x + 1 + cell(along(place, self.labels.len()), area.width.saturating_sub(1))
    }

    /// Where the label of a place stands, if it is written.
    pub fn label_area(&self, place: usize, area: Rect) -> Rect {
        let width = u16::try_from(self.labels[place].chars().count()).unwrap_or(0);
        let start = self.column(place, area).saturating_sub(width / 2).max(area.x);
        let x = start.min(area.right().saturating_sub(width));
        Rect { x, y: area.bottom() + 1, width, height: 1 }
    }

    /// Draws it with its axes: the upright one is the first column of `area`, the other lies in the two rows under it.
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
        // Between letters that stand close, lines only hide them.
        if step >= 4 {
            self.draw_lines(axis, inner, buffer);
        }
        // Beside the letters, where there is room: on the same cells one would hide the other.
        self.draw_spans(axis, area, u16::from(step >= 4), buffer);
        for place in 0..self.labels.len() {
            for (row, marks, style) in self.marks_by_row(place, |number| row(axis, number, area)) {
                // Letters at one place stand side by side, where there is room before the next place.
                let marks = if marks.chars().count() < step.max(2) { marks } else { "*".to_owned() };
                let half = u16::try_from((marks.chars().count() - 1) / 2).unwrap_or(0);
                let column = self.column(place, area).saturating_sub(half).max(inner.x);
                buffer.set_string(column, row, marks, style);
            }
        }
        self.draw_labels(area, buffer);
    }

    fn draw_spans(&self, axis: &Axis, area: Rect, aside: u16, buffer: &mut Buffer) {
        for (place, span) in self.spans.iter().enumerate() {
            let Some((least, most)) = *span else { continue };
            let (top, foot) = (row(axis, most, area), row(axis, least, area));
            for between in top..=foot {
                let part = match between {
                    _ if top == foot => "┼",
                    _ if between == top => "┬",
                    _ if between == foot => "┴",
                    _ => "│",
                };
                buffer.set_string(self.column(place, area) - aside, between, part, Style::default());
            }
        }
    }

    /// The letters that fall on each row at one place of the sweep, top to bottom; several at once have no colour.
    fn marks_by_row(&self, place: usize, row: impl Fn(f64) -> u16) -> Vec<(u16, String, Style)> {
        let mut rows: Vec<(u16, String, Style)> = Vec::new();
        for series in &self.series {
            let Some(number) = series.numbers[place] else { continue };
            let own = row(number);
            match rows.iter_mut().find(|(row, ..)| *row == own) {
                Some((_, marks, style)) => {
                    marks.push(series.mark);
                    *style = Style::default();
                }
                None => rows.push((own, series.mark.to_string(), series.style)),
            }
        }
        rows.sort_unstable_by_key(|(row, ..)| *row);
        rows
    }

    /// Dotted lines from number to number, broken where a place has none.
    fn draw_lines(&self, axis: &Axis, inner: Rect, buffer: &mut Buffer) {
        let count = self.labels.len();
        // A cell has two dots by four: the bounds are widened so that a line passes through the middle of its letters' cells.
        let beyond = |dots: f64, cells: u16| (dots - 1.0) / 2.0 / (dots * f64::from(cells.max(2) - 1));
        let (x, y) = (beyond(2.0, inner.width), beyond(4.0, inner.height));
        let canvas =
            Canvas::default().marker(Marker::Braille).x_bounds([-x, 1.0 + x]).y_bounds([-y, 1.0 + y]);
        let canvas = canvas.paint(|context| {
            for series in &self.series {
                let color = series.style.fg.unwrap_or(Color::Reset);
                let numbers = series.numbers.iter().enumerate();
                let points: Vec<Option<(f64, f64)>> = numbers
                    .map(|(place, number)| Some((along(place, count), axis.place((*number)?))))
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

    /// The lower axis with a tick a place, and as many labels as have room.
    fn draw_labels(&self, area: Rect, buffer: &mut Buffer) {
        let plain = Style::default();
        let foot = area.bottom();
        buffer.set_string(area.x, foot, "└", plain);
        for x in area.x + 1..area.right() {
            buffer.set_string(x, foot, "─", plain);
        }
        let mut written: Vec<Rect> = Vec::new();
        for place in 0..self.labels.len() {
            buffer.set_string(self.column(place, area), foot, "┴", plain);
        }
        for place in self.first_labels.iter().copied().chain(0..self.labels.len()) {
            let own = self.label_area(place, area);
            // A blank stands between two.
            if written.iter().all(|other| own.x > other.right() || other.x > own.right()) {
                buffer.set_string(own.x, own.y, &self.labels[place], plain);
                written.push(own);
            }
        }
    }
}

/// The least and the most of some strategies, place by place of so many.
pub fn spans(lines: &[Numbers], places: usize) -> Vec<Option<(f64, f64)>> {
    let span = |place: usize| {
        let numbers = lines.iter().filter_map(|(_, numbers)| numbers[place]);
        numbers.fold(None, |span: Option<(f64, f64)>, number| {
            Some(span.map_or((number, number), |(least, most)| (least.min(number), most.max(number))))
        })
    };
    (0..places).map(span).collect()
}

/// The letter of a strategy.
fn letter(strategy: Strategy) -> char {
    strategy.info().letter
}

/// Draws the labels of the upright axis beside `area`'s rows, and under them what the lower one shows; answers the column
/// where the plot begins.
pub fn draw_scale(axis: &Axis, lower: &str, area: Rect, buffer: &mut Buffer) -> u16 {
    let width = axis.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    let width = width.max(lower.chars().count());
    for (tick, label) in ticks(axis, area.height) {
        buffer.set_string(area.x + 1, row(axis, *tick, area), format!("{label:>width$}"), Style::default());
    }
    buffer.set_string(area.x + 1, area.bottom() + 1, lower, Style::default());
    area.x + u16::try_from(width).unwrap_or(0) + 2
}

/// The ticks that so many rows have room for: every one, every second, …
fn ticks(axis: &Axis, height: u16) -> impl Iterator<Item = &(f64, String)> {
    let steps = axis.ticks.len().saturating_sub(1);
    let rows = usize::from(height.saturating_sub(1)).max(1);
    axis.ticks.iter().step_by((3 * steps).div_ceil(2 * rows).max(1))
}

/// The row of a number.
fn row(axis: &Axis, number: f64, area: Rect) -> u16 {
    area.bottom().saturating_sub(1) - cell(axis.place(number), area.height)
}

/// Where a place of the sweep stands on the lower axis, from 0 to 1: the places are evenly spaced.
#[expect(clippy::cast_precision_loss, reason = "a place to draw at")]
fn along(place: usize, count: usize) -> f64 {
    (place as f64 + 0.5) / count as f64
}

/// The cell of a line of `size` cells at a share of its length.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a width lies in it")]
fn cell(share: f64, size: u16) -> u16 {
    (share * f64::from(size.saturating_sub(1))).round() as u16
}
