//! Charts for a terminal of 80 columns without colour: dotted lines, and a letter where a number was measured.
//!
//! ```text
//!   0.8 ┤   S⠤⣀⣀
//!       │   ┬   ⠉⠒⠢S⢄⣀
//!   0.4 ┤   │      ┬  ⠉⠒⠢S
//!       │   ┴      │     ┼
//!   0.0 ┤   B⠤⠤⠤⠤⠤⠤B⠤⠤⠤⠤⠤B
//!       └───┴──────┴─────┴───
//!  δmax    0.05   0.1   0.2
//!   S spalm  B best  ┬│┴ the nine, most to least
//! ```

use palmtop::search::{ColumnRule, Rows, Strategy, ValueRule};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};

use super::axis::Axis;
use super::figure::Figure;
use super::grid::{Grid, column_rule, value_rule};
use super::sweep::label;

/// The width of a chart: a terminal of 80 columns, and a column of blanks on each side.
const WIDTH: u16 = 78;
/// The rows of a chart, and of a small one.
const HEIGHT: u16 = 16;
const SMALL_HEIGHT: u16 = 12;

/// What is drawn on one pair of axes.
struct Plot {
    /// Under each place of the sweep.
    labels: Vec<String>,
    series: Vec<Series>,
    /// From the least to the most of the nine, place by place.
    spans: Vec<Option<(f64, f64)>>,
}

/// The numbers of one strategy, with the letter that marks them.
struct Series {
    mark: char,
    name: String,
    numbers: Vec<Option<f64>>,
}

/// The figure with a letter a strategy; MPALM's nine are shown by their most and least. `None` without numbers.
pub(super) fn chart(figure: Figure, grid: &Grid) -> Option<String> {
    let nine = grid.measured_nine(figure.measure);
    let is_spanned = |strategy: Strategy| nine.len() > 1 && nine.contains(&strategy);
    let strategies = grid.measured(figure.measure).into_iter().filter(|strategy| !is_spanned(*strategy));
    let series = strategies.map(|strategy| Series {
        mark: mark(strategy),
        name: strategy.to_string(),
        numbers: grid.line(strategy, figure.measure),
    });
    let spans = if nine.len() > 1 { grid.span(&nine, figure.measure) } else { Vec::new() };
    let plot = Plot { labels: labels(grid), series: series.collect(), spans };
    let axis = Axis::of(figure.measure, plot.numbers())?;
    let height = axis.rows(HEIGHT);
    let mut area = Buffer::empty(Rect::new(0, 0, WIDTH, height + 2));
    let left = draw_scale(&axis, height, &mut area);
    area.set_string(1, height + 1, grid.bound.word(), Style::default());
    draw(&plot, &axis, Rect::new(left, 0, WIDTH - left, height), &mut area);
    let mut legend: Vec<String> =
        plot.series.iter().map(|series| format!("{} {}", series.mark, series.name)).collect();
    if nine.len() > 1 {
        let which = if nine.len() == 9 { "the nine".to_owned() } else { format!("{} of MPALM", nine.len()) };
        legend.push(format!("┬│┴ {which}, most to least"));
    }
    Some(format!("{}{}", text(&area), lines_of(&legend)))
}

/// MPALM's strategies as three small charts side by side: a chart a column rule, a digit a value rule. `None` where
/// there are fewer than two of them.
pub(super) fn nine_charts(figure: Figure, grid: &Grid) -> Option<String> {
    let nine = grid.measured_nine(figure.measure);
    if nine.len() < 2 {
        return None;
    }
    let axis =
        Axis::of(figure.measure, nine.iter().flat_map(|&own| grid.line(own, figure.measure)).flatten())?;
    let rules: Vec<ColumnRule> = ColumnRule::ALL
        .into_iter()
        .filter(|rule| nine.iter().any(|own| column_rule(*own) == Some(*rule)))
        .collect();
    let height = axis.rows(SMALL_HEIGHT);
    let mut area = Buffer::empty(Rect::new(0, 0, WIDTH, height + 3));
    let mut below = Buffer::empty(Rect::new(0, 0, WIDTH, height + 2));
    let left = draw_scale(&axis, height, &mut below);
    below.set_string(1, height + 1, grid.bound.word(), Style::default());
    let width = (WIDTH - left) / 3;
    for (place, &rule) in (0..).zip(&rules) {
        let own = nine.iter().copied().filter(|own| column_rule(*own) == Some(rule));
        let series = own.map(|strategy| Series {
            mark: value_rule(strategy).map_or('?', ValueRule::digit),
            name: strategy.to_string(),
            numbers: grid.line(strategy, figure.measure),
        });
        let plot = Plot { labels: labels(grid), series: series.collect(), spans: Vec::new() };
        draw(&plot, &axis, Rect::new(left + place * width, 0, width - 1, height), &mut below);
        area.set_string(left + place * width, 0, rule_title(rule), Style::default());
    }
    for row in 0..below.area.height {
        for column in 0..WIDTH {
            let symbol = below[(column, row)].symbol().to_owned();
            area[(column, row + 1)].set_symbol(&symbol);
        }
    }
    let legend = [
        "1 balanced cardinality".to_owned(),
        "2 first split".to_owned(),
        "3 balanced values".to_owned(),
        "* several at once".to_owned(),
    ];
    Some(format!("{}{}", text(&area), lines_of(&legend)))
}

impl Plot {
    fn numbers(&self) -> impl Iterator<Item = f64> {
        let spans = self.spans.iter().flatten().flat_map(|(least, most)| [*least, *most]);
        self.series.iter().flat_map(|series| &series.numbers).flatten().copied().chain(spans)
    }
}

fn labels(grid: &Grid) -> Vec<String> {
    grid.values.iter().copied().map(label).collect()
}

fn mark(strategy: Strategy) -> char {
    match strategy {
        Strategy::Spalm => 'S',
        Strategy::Mpalm(column, _) => column.letter(),
        Strategy::Best => 'B',
        Strategy::KOptimal => 'k',
        Strategy::Mondrian(Rows::Private) => 'M',
        Strategy::Mondrian(Rows::Public) => 'P',
    }
}

fn rule_title(rule: ColumnRule) -> &'static str {
    match rule {
        ColumnRule::Next => " n: next column",
        ColumnRule::Priority => " p: project's order",
        ColumnRule::Best => " b: most values first",
    }
}

/// Draws the labels of the upright axis; answers the column where the plot begins.
fn draw_scale(axis: &Axis, height: u16, buffer: &mut Buffer) -> u16 {
    let width = axis.ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
    // Under it stands which bound of δ the lower axis shows.
    let width = u16::try_from(width).unwrap_or(0).max(4);
    for (tick, label) in ticks(axis, height) {
        let row = height - 1 - cell(axis.place(*tick), height);
        buffer.set_string(1, row, format!("{label:>0$}", usize::from(width)), Style::default());
    }
    width + 2
}

/// The ticks that so many rows have room for: every one, every second, …
fn ticks(axis: &Axis, height: u16) -> impl Iterator<Item = &(f64, String)> {
    let steps = axis.ticks.len().saturating_sub(1);
    let rows = usize::from(height.saturating_sub(1)).max(1);
    axis.ticks.iter().step_by((3 * steps).div_ceil(2 * rows).max(1))
}

/// Draws a plot with its axes: the upright one is the first column of `area`, the other lies under it.
fn draw(plot: &Plot, axis: &Axis, area: Rect, buffer: &mut Buffer) {
    let plain = Style::default();
    let inner = Rect { x: area.x + 1, width: area.width - 1, ..area };
    for row in 0..area.height {
        buffer.set_string(area.x, area.y + row, "│", plain);
    }
    for (tick, _) in ticks(axis, area.height) {
        buffer.set_string(area.x, area.bottom() - 1 - cell(axis.place(*tick), area.height), "┤", plain);
    }
    let count = plot.labels.len();
    let step = usize::from(inner.width) / count.max(1);
    // Between letters that stand close, lines only hide them.
    if step >= 4 {
        draw_lines(plot, axis, inner, buffer);
    }
    let column = |place: usize| inner.x + cell(along(place, count), inner.width);
    let row = |number: f64| inner.bottom() - 1 - cell(axis.place(number), inner.height);
    for (place, span) in plot.spans.iter().enumerate() {
        let Some((least, most)) = *span else { continue };
        let (top, foot) = (row(most), row(least));
        for between in top..=foot {
            let part = match between {
                _ if top == foot => "┼",
                _ if between == top => "┬",
                _ if between == foot => "┴",
                _ => "│",
            };
            buffer.set_string(column(place), between, part, plain);
        }
    }
    for place in 0..count {
        for (row, marks) in marks_by_row(plot, place, row) {
            // Letters at one place stand side by side, where there is room before the next place.
            let marks = if marks.chars().count() < step.max(2) { marks } else { "*".to_owned() };
            let half = u16::try_from((marks.chars().count() - 1) / 2).unwrap_or(0);
            buffer.set_string((column(place) - half).max(inner.x), row, marks, plain);
        }
    }
    draw_labels(plot, area, &column, buffer);
}

/// The letters that fall on each row at one place of the sweep, top to bottom.
fn marks_by_row(plot: &Plot, place: usize, row: impl Fn(f64) -> u16) -> Vec<(u16, String)> {
    let mut rows: Vec<(u16, String)> = Vec::new();
    for series in &plot.series {
        let Some(number) = series.numbers[place] else { continue };
        let own = row(number);
        match rows.iter_mut().find(|(row, _)| *row == own) {
            Some((_, marks)) => marks.push(series.mark),
            None => rows.push((own, series.mark.to_string())),
        }
    }
    rows.sort_unstable();
    rows
}

/// Dotted lines from number to number, broken where a place has none.
fn draw_lines(plot: &Plot, axis: &Axis, inner: Rect, buffer: &mut Buffer) {
    let count = plot.labels.len();
    // A cell has two dots by four: the bounds are widened so that a line passes through the middle of its letters' cells.
    let beyond = |dots: f64, cells: u16| (dots - 1.0) / 2.0 / (dots * f64::from(cells.max(2) - 1));
    let (x, y) = (beyond(2.0, inner.width), beyond(4.0, inner.height));
    let canvas = Canvas::default().marker(Marker::Braille).x_bounds([-x, 1.0 + x]).y_bounds([-y, 1.0 + y]);
    let canvas = canvas.paint(|context| {
        for series in &plot.series {
            let numbers = series.numbers.iter().enumerate();
            let points: Vec<Option<(f64, f64)>> =
                numbers.map(|(place, number)| Some((along(place, count), axis.place((*number)?)))).collect();
            for pair in points.windows(2) {
                if let [Some((x1, y1)), Some((x2, y2))] = *pair {
                    context.draw(&Line { x1, y1, x2, y2, ..Line::default() });
                }
            }
        }
    });
    canvas.render(inner, buffer);
}

/// The lower axis with a tick a place, and as many labels as have room.
fn draw_labels(plot: &Plot, area: Rect, column: &impl Fn(usize) -> u16, buffer: &mut Buffer) {
    let plain = Style::default();
    let (foot, under) = (area.bottom(), area.bottom() + 1);
    buffer.set_string(area.x, foot, "└", plain);
    for x in area.x + 1..area.right() {
        buffer.set_string(x, foot, "─", plain);
    }
    let mut free_from = area.x;
    let count = plot.labels.len();
    let span = |place: usize| {
        let width = u16::try_from(plot.labels[place].chars().count()).unwrap_or(0);
        let start = column(place).saturating_sub(width / 2).max(area.x);
        let start = start.min(area.right().saturating_sub(width));
        (start, start + width)
    };
    for place in 0..count {
        buffer.set_string(column(place), foot, "┴", plain);
        let (start, end) = span(place);
        // The last label has its place kept.
        let is_free = place + 1 == count || end < span(count - 1).0;
        if start >= free_from && is_free {
            buffer.set_string(start, under, &plot.labels[place], plain);
            free_from = end + 1;
        }
    }
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

/// The rows of a buffer as text.
fn text(buffer: &Buffer) -> String {
    let row = |y: u16| {
        let symbols = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol().replace('\u{2800}', " "));
        format!("{}\n", symbols.collect::<String>().trim_end())
    };
    (0..buffer.area.height).map(row).collect()
}

/// Words of a legend on as many lines as they need.
fn lines_of(words: &[String]) -> String {
    let mut lines = vec![String::new()];
    for word in words {
        let last = lines.last_mut().map_or(0, |line| line.chars().count());
        if last > 0 && last + 2 + word.chars().count() > usize::from(WIDTH) {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            line.push_str("  ");
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests;
