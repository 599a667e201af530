//! Several lines over the same few values, evenly spaced: losses of strategies over δmax.

use maud::{Markup, PreEscaped, html};

use super::axis::Axis;
use super::frame::{at, fitting, frame};

/// A chart of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    /// The text above the chart.
    pub title: String,
    /// A second line under the title.
    pub subtitle: String,
    /// The labels of the values on the lower axis.
    pub values: Vec<String>,
    /// The title of the lower axis.
    pub lower_title: String,
    /// The upright axis with its title; `None` if no line has a point.
    pub upright: Option<(Axis, String)>,
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

/// One line.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Its name in the legend.
    pub name: String,
    /// How it is drawn.
    pub look: Look,
    /// A point for each value of the lower axis, or a gap.
    pub points: Vec<Option<f64>>,
}

/// The colours, the stroke and the mark of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The colour on a light page.
    pub light: &'static str,
    /// The colour on a dark page.
    pub dark: &'static str,
    /// The width of the stroke in pixels.
    pub width: u8,
    /// Whether the stroke is dashed.
    pub is_dashed: bool,
    /// The mark at each point.
    pub mark: Mark,
}

/// The mark at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// A filled circle.
    Disc,
    /// A filled triangle.
    Triangle,
    /// A cross.
    Cross,
}

const SIZE: (f64, f64) = (960.0, 560.0);
const LEFT: f64 = 92.0;
const TOP: f64 = 84.0;
const RIGHT: f64 = 800.0;
const FOOT: f64 = 490.0;
/// The legend: where its strokes begin, and the distance between its rows.
const LEGEND: (f64, f64) = (816.0, 26.0);
/// At most this many labels fit under the lower axis.
const MOST_LABELS: usize = 20;

/// Draws the chart. `id` tells its title from those of other charts of a page.
pub fn lines(id: &str, chart: &Lines) -> String {
    let drawn = html! {
        (colours(&chart.lines))
        text x="20" y="32" font-size="22" { (fitting(&chart.title)) }
        text.soft x="20" y="58" { (fitting(&chart.subtitle)) }
        @if let Some((upright, title)) = &chart.upright {
            (plot(chart, upright, title))
        } @else {
            text x="20" y="100" { "no strategy that was run has this number" }
        }
    };
    frame(id, SIZE, (&format!("{}. {}", chart.title, chart.subtitle), &description(chart)), &drawn)
}

/// The axes, the lines and the legend.
fn plot(chart: &Lines, upright: &Axis, title: &str) -> Markup {
    let width = (RIGHT - LEFT) / share(chart.values.len().max(1));
    let x = |index: usize| LEFT + (share(index) + 0.5) * width;
    let y = |value: f64| FOOT - (FOOT - TOP) * upright.position(value);
    let step = chart.values.len().div_ceil(MOST_LABELS).max(1);
    let middle = f64::midpoint(TOP, FOOT);
    html! {
        @for (tick, label) in &upright.ticks {
            path.grid d={ "M" (at(LEFT)) " " (at(y(*tick))) "H" (at(RIGHT)) } {}
            text x=(at(LEFT - 8.0)) y=(at(y(*tick) + 4.0)) text-anchor="end" font-size="12" { (label) }
        }
        path.axis d={ "M" (at(LEFT)) " " (at(TOP)) "V" (at(FOOT)) "H" (at(RIGHT)) } {}
        @for (index, label) in chart.values.iter().enumerate().step_by(step) {
            path.axis d={ "M" (at(x(index))) " " (at(FOOT)) "v5" } {}
            text x=(at(x(index))) y=(at(FOOT + 20.0)) text-anchor="middle" font-size="12" { (label) }
        }
        text.soft x=(at(f64::midpoint(LEFT, RIGHT))) y=(at(FOOT + 46.0)) text-anchor="middle" { (chart.lower_title) }
        text.soft x="20" y=(at(middle)) text-anchor="middle" transform={ "rotate(-90 20 " (at(middle)) ")" } { (title) }
        @for (number, line) in chart.lines.iter().enumerate() {
            g class={ "line" (number) } {
                @for run in unbroken(&line.points) {
                    (stroke(&line.look, &run.iter().map(|&(index, value)| (x(index), y(value))).collect::<Vec<_>>()))
                    @for &(index, value) in &run { (mark(line.look.mark, x(index), y(value))) }
                }
                @let row = TOP + share(number) * LEGEND.1;
                (stroke(&line.look, &[(LEGEND.0, row), (LEGEND.0 + 30.0, row)]))
                (mark(line.look.mark, LEGEND.0 + 15.0, row))
                text x=(at(LEGEND.0 + 40.0)) y=(at(row + 4.0)) { (line.name) }
            }
        }
    }
}

/// The colour of each line in the light and the dark theme.
fn colours(lines: &[Line]) -> Markup {
    let rule = |colour: fn(&Look) -> &'static str| -> String {
        lines.iter().enumerate().fold(String::new(), |rules, (number, line)| {
            rules + &format!(".palmtop-chart .line{number}{{--c:{}}}", colour(&line.look))
        })
    };
    let (light, dark) = (rule(|look| look.light), rule(|look| look.dark));
    html! { style { (PreEscaped(format!("{light}@media (prefers-color-scheme:dark){{{dark}}}@media print{{{light}}}"))) } }
}

fn stroke(look: &Look, points: &[(f64, f64)]) -> Markup {
    let path: Vec<String> = points.iter().map(|(x, y)| format!("{} {}", at(*x), at(*y))).collect();
    let path = format!("M{}", path.join("L"));
    html! {
        path d=(path) fill="none" stroke="var(--c)" stroke-width=(look.width) stroke-dasharray=[look.is_dashed.then_some("7 5")] {}
    }
}

fn mark(mark: Mark, x: f64, y: f64) -> Markup {
    match mark {
        Mark::Disc => html! { circle cx=(at(x)) cy=(at(y)) r="4" fill="var(--c)" {} },
        Mark::Triangle => {
            let path = format!("M{} {}l5.5 9.5h-11z", at(x), at(y - 6.0));
            html! { path d=(path) fill="var(--c)" {} }
        }
        Mark::Cross => {
            let path = format!("M{} {}l8 8m0 -8l-8 8", at(x - 4.0), at(y - 4.0));
            html! { path d=(path) stroke="var(--c)" stroke-width="2" fill="none" {} }
        }
    }
}

/// The points of a line, cut at its gaps; each with its index on the lower axis.
fn unbroken(points: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let numbered: Vec<Option<(usize, f64)>> =
        points.iter().enumerate().map(|(index, point)| point.map(|point| (index, point))).collect();
    let runs = numbered.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().copied().flatten().collect()).collect()
}

/// The chart in words: each line from its first point to its last.
fn description(chart: &Lines) -> String {
    let line = |line: &Line| {
        let runs = unbroken(&line.points);
        let (Some(first), Some(last)) =
            (runs.first().and_then(|run| run.first()), runs.last().and_then(|run| run.last()))
        else {
            return format!("{}: no point", line.name);
        };
        let at = |(index, value): &(usize, f64)| format!("{value:.4} at {}", chart.values[*index]);
        format!("{}: {} to {}", line.name, at(first), at(last))
    };
    chart.lines.iter().map(line).collect::<Vec<_>>().join("; ")
}

#[expect(clippy::cast_precision_loss, reason = "a few dozen values and lines")]
fn share(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: [Option<f64>; 3]) -> Lines {
        let look = Look { light: "#000", dark: "#fff", width: 2, is_dashed: true, mark: Mark::Cross };
        Lines {
            title: "Loss <over> δmax".to_owned(),
            subtitle: "A & its \"clinic\"".to_owned(),
            values: ["0.05", "0.1", "2/3"].map(str::to_owned).to_vec(),
            lower_title: "δmax".to_owned(),
            upright: points
                .iter()
                .flatten()
                .next()
                .map(|_| (Axis::linear(0.8, |tick, _| format!("{tick:.1}")), "loss".to_owned())),
            lines: vec![Line { name: "n2".to_owned(), look, points: points.to_vec() }],
        }
    }

    #[test]
    fn line_chart_has_titles_legend_and_stands_alone() {
        let drawn = lines("loss", &chart([Some(0.7), None, Some(0.2)]));
        assert!(drawn.starts_with("<svg ") && drawn.trim_end().ends_with("</svg>"), "{drawn}");
        for expected in
            ["Loss &lt;over&gt; δmax", "A &amp; its", ">0.05<", ">2/3<", ">n2<", ">0.8<", "0.7000 at 0.05"]
        {
            assert!(drawn.contains(expected), "{expected}\n{drawn}");
        }
        let outside = drawn.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
        for reference in ["href", "<image", "url(", "http"] {
            assert!(!outside.contains(reference), "{reference}\n{drawn}");
        }
        // The line is cut at its gap: two strokes of one point each, and the one of the legend.
        assert_eq!(drawn.matches("stroke-dasharray=\"7 5\"").count(), 3, "{drawn}");
    }

    #[test]
    fn a_chart_without_points_says_so() {
        assert!(lines("k", &chart([None; 3])).contains("no strategy that was run has this number"));
    }
}
