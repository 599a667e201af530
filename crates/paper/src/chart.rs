//! Charts for a terminal of 80 columns without colour: dotted lines, and a letter at each measured
//! number.
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

use palmtop_search::Strategy;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::figure::Figure;
use super::grid::Grid;
use palmtop_release::chart::{Numbers, label};
use palmtop_workbench::chart::{Plot, draw_nine, draw_scale, nine_legend};

/// The width of a chart: 80 columns without a blank column on each side.
const WIDTH: u16 = 78;
/// The rows of a chart, then those of a small chart.
const HEIGHT: u16 = 16;
const SMALL_HEIGHT: u16 = 12;

/// The chart of a figure, with a letter for each method. MPALM's nine are drawn as a span from
/// least to greatest. `None` without numbers.
pub(super) fn chart(figure: Figure, grid: &Grid) -> Option<String> {
    let methods = grid.measured(figure.measure).into_iter();
    let lines = methods.map(|method| (method, grid.line(method, figure.measure)));
    let plot = Plot::new(labels(grid), lines.collect());
    let axis = figure.measure.axis(plot.numbers())?;
    let height = axis.rows(HEIGHT);
    let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH, height + 2));
    let area = Rect { height, ..buffer.area };
    let left = draw_scale(&axis, grid.bound.as_str(), area, &mut buffer);
    plot.draw(&axis, Rect { x: left, width: WIDTH - left, ..area }, &mut buffer);
    Some(format!("{}{}", text(&buffer), lines_of(&plot.legend())))
}

/// MPALM's strategies as three small charts side by side: a chart for each column rule, and a digit
/// for each value rule. `None` with fewer than two of the nine.
pub(super) fn nine_charts(figure: Figure, grid: &Grid) -> Option<String> {
    let nine = grid.measured_nine(figure.measure);
    if nine.len() < 2 {
        return None;
    }
    let lines: Vec<Numbers<Strategy>> =
        nine.iter().map(|&strategy| (strategy, grid.line(strategy, figure.measure))).collect();
    let axis = figure.measure.axis(lines.iter().flat_map(|(_, numbers)| numbers).flatten().copied())?;
    let height = axis.rows(SMALL_HEIGHT);
    let mut buffer = Buffer::empty(Rect::new(0, 0, WIDTH, height + 3));
    let area = buffer.area;
    draw_nine(&labels(grid), &lines, &axis, grid.bound.as_str(), area, &mut buffer);
    Some(format!("{}{}", text(&buffer), lines_of(&nine_legend())))
}

fn labels(grid: &Grid) -> Vec<String> {
    grid.values.iter().copied().map(label).collect()
}

/// The rows of a buffer as text.
fn text(buffer: &Buffer) -> String {
    let row = |y: u16| {
        let symbols = (0..buffer.area.width).map(|x| buffer[(x, y)].symbol().replace('\u{2800}', " "));
        format!("{}\n", symbols.collect::<String>().trim_end())
    };
    (0..buffer.area.height).map(row).collect()
}

/// The entries of a legend, on as many lines as needed.
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
