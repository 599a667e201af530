//! MPALM's strategies as three small charts side by side: a chart for each column rule, and a digit
//! for each value rule.

use palmtop_search::{ColumnRule, ValueRule};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use palmtop_release::chart::{Numbers, Subject};
use palmtop_release::svg::Axis;

use super::plot::{Plot, draw_scale};

/// The legend of the three charts: the meaning of their marks.
pub fn nine_legend() -> Vec<String> {
    let digits = ValueRule::ALL.map(|rule| format!("{} {}", rule.digit(), rule.title()));
    digits.into_iter().chain(["* several at once".to_owned()]).collect()
}

/// Draws the available strategies of the nine. Each chart has its title above, and the horizontal
/// axis in the last two rows.
pub fn draw_nine<S: Subject>(
    labels: &[String],
    lines: &[Numbers<S>],
    axis: &Axis,
    lower: &str,
    area: Rect,
    buffer: &mut Buffer,
) {
    let plots = Rect { y: area.y + 1, height: area.height.saturating_sub(3), ..area };
    let left = draw_scale(axis, lower, plots, buffer);
    let width = area.right().saturating_sub(left) / 3;
    let lines_of = |rule: ColumnRule| -> Vec<Numbers<S>> {
        let has_rule = |line: &&Numbers<S>| line.0.rules().is_some_and(|(column, _)| column == rule);
        lines.iter().filter(has_rule).cloned().collect()
    };
    let with_lines = ColumnRule::ALL.into_iter().map(|rule| (rule, lines_of(rule)));
    for (nth, (rule, rule_lines)) in (0..).zip(with_lines.filter(|(_, rule_lines)| !rule_lines.is_empty())) {
        let x = left + nth * width;
        let title = format!(" {}: {}", rule.letter(), rule.title());
        buffer.set_string(x, area.y, title, Style::default());
        let plot_area = Rect { x, width: width.saturating_sub(1), ..plots };
        Plot::with_digits(labels.to_vec(), rule_lines).draw(axis, plot_area, buffer);
    }
}
