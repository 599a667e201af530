//! The figures as SVG: self-contained, every strategy on one pair of axes, told apart by colour and by shape.

use std::ops::Range;

use palmtop::search::{ColumnRule, Rows, Strategy, ValueRule};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::Figure;
use super::grid::Grid;
use palmtop_chart::{Axis, axis_of, label};

const SIZE: (u32, u32) = (960, 560);
/// The pixels on the right that the legend takes.
const LEGEND: u32 = 150;
/// Sizes are as plotters has them: what is drawn is smaller by 1.24.
const FONT: &str = "sans-serif";
const FAINT: RGBColor = RGBColor(225, 225, 225);
const GREY: RGBColor = RGBColor(90, 90, 90);

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// How a strategy is drawn. The colours are told apart by those who do not see red or green (Okabe and Ito's).
#[derive(Clone, Copy)]
struct Look {
    color: RGBColor,
    width: u32,
    is_dashed: bool,
    shape: Shape,
}

#[derive(Clone, Copy)]
enum Shape {
    Disc,
    Triangle,
    Cross,
}

/// The lower axis: the places of the sweep, evenly spaced, half a place free on each side.
struct Places(Vec<String>);

/// The upright axis.
struct Upright(Axis);

/// Draws a figure, the project's name under its title.
pub(super) fn draw(figure: Figure, grid: &Grid, project: &str) -> anyhow::Result<String> {
    let mut text = String::new();
    let under = format!("{project} · {}", figure.origin());
    {
        let root = SVGBackend::with_string(&mut text, SIZE).into_drawing_area();
        root.fill(&WHITE)?;
        root.draw_text(&figure.title(grid), &(FONT, 28).into_font().color(&BLACK), (20, 14))?;
        root.draw_text(&under, &(FONT, 18).into_font().color(&GREY), (20, 44))?;
        draw_plot(&root, figure, grid)?;
        root.present()?;
    }
    Ok(palmtop::svg::titled(&text, &format!("{}. {under}", figure.title(grid))))
}

/// Draws the axes, a line a strategy, and the legend.
fn draw_plot(root: &Area<'_>, figure: Figure, grid: &Grid) -> anyhow::Result<()> {
    let strategies = grid.measured(figure.measure);
    let numbers = strategies.iter().flat_map(|&strategy| grid.line(strategy, figure.measure)).flatten();
    let Some(axis) = axis_of(figure.measure, numbers) else {
        root.draw_text(
            "no strategy that was run has this number",
            &(FONT, 19).into_font().color(&BLACK),
            (20, 90),
        )?;
        return Ok(());
    };
    let (left, right) = root.split_horizontally(SIZE.0 - LEGEND);
    let labels: Vec<String> = grid.values.iter().copied().map(label).collect();
    let along = Places(labels.clone());
    let note = axis.note();
    let ticks = axis.ticks.clone();
    let mut chart = ChartBuilder::on(&left)
        .margin_top(72)
        .margin_left(12)
        .margin_bottom(10)
        .margin_right(10)
        .x_label_area_size(52)
        .y_label_area_size(72)
        .build_cartesian_2d(along, Upright(axis))?;
    let tick_text = |value: &f64| {
        let tick = ticks.iter().find(|(tick, _)| (tick - value).abs() <= f64::EPSILON * value.abs());
        tick.map(|(_, label)| label.clone()).unwrap_or_default()
    };
    let place_text =
        |place: &f64| place_of(*place).and_then(|place| labels.get(place)).cloned().unwrap_or_default();
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(FAINT)
        .disable_x_mesh()
        .axis_style(GREY)
        .label_style((FONT, 18))
        .axis_desc_style((FONT, 18))
        .x_labels(labels.len())
        .y_labels(ticks.len())
        .x_label_formatter(&place_text)
        .y_label_formatter(&tick_text)
        .x_desc(format!("{} (its values evenly spaced)", figure.bound.as_str()))
        .y_desc(format!("{}{note}", figure.axis_title()))
        .draw()?;
    for &strategy in &strategies {
        let look = Look::of(strategy);
        for run in unbroken(&grid.line(strategy, figure.measure)) {
            if look.is_dashed {
                chart.draw_series(DashedLineSeries::new(run.iter().copied(), 7, 5, look.line()))?;
            } else {
                chart.draw_series(LineSeries::new(run.iter().copied(), look.line()))?;
            }
            let fill = look.color.filled();
            match look.shape {
                Shape::Disc => chart.draw_series(run.iter().map(|&point| Circle::new(point, 4, fill)))?,
                Shape::Triangle => {
                    chart.draw_series(run.iter().map(|&point| TriangleMarker::new(point, 6, fill)))?
                }
                Shape::Cross => chart
                    .draw_series(run.iter().map(|&point| Cross::new(point, 5, look.color.stroke_width(2))))?,
            };
        }
    }
    draw_legend(&right, &strategies)
}

/// A line and a shape a strategy, with its name, one under the other.
fn draw_legend(area: &Area<'_>, strategies: &[Strategy]) -> anyhow::Result<()> {
    let style = (FONT, 19).into_font().color(&BLACK).pos(Pos::new(HPos::Left, VPos::Center));
    for (row, &strategy) in (0..).zip(strategies) {
        let look = Look::of(strategy);
        let y = 86 + row * 26;
        if look.is_dashed {
            for start in [6, 18, 30] {
                area.draw(&PathElement::new([(start, y), (start + 7, y)], look.line()))?;
            }
        } else {
            area.draw(&PathElement::new([(6, y), (36, y)], look.line()))?;
        }
        let fill = look.color.filled();
        match look.shape {
            Shape::Disc => area.draw(&Circle::new((21, y), 4, fill))?,
            Shape::Triangle => area.draw(&TriangleMarker::new((21, y), 6, fill))?,
            Shape::Cross => area.draw(&Cross::new((21, y), 5, look.color.stroke_width(2)))?,
        }
        area.draw_text(&strategy.to_string(), &style, (46, y))?;
    }
    Ok(())
}

impl Look {
    fn of(strategy: Strategy) -> Self {
        let solid = |color, width| Self { color, width, is_dashed: false, shape: Shape::Disc };
        let dashed = |color, shape| Self { color, width: 2, is_dashed: true, shape };
        match strategy {
            Strategy::Simulatable => solid(RGBColor(0, 92, 0), 3),
            Strategy::Spalm => solid(BLACK, 3),
            Strategy::Best => solid(RGBColor(213, 94, 0), 3),
            Strategy::KOptimal => dashed(RGBColor(204, 121, 167), Shape::Disc),
            Strategy::Mondrian(Rows::Private) => dashed(RGBColor(110, 110, 110), Shape::Triangle),
            Strategy::Mondrian(Rows::Public) => dashed(RGBColor(150, 150, 150), Shape::Cross),
            Strategy::Mpalm(column, value) => {
                let color = match column {
                    ColumnRule::Next => RGBColor(0, 114, 178),
                    ColumnRule::Priority => RGBColor(0, 158, 115),
                    ColumnRule::Best => RGBColor(230, 159, 0),
                };
                let shape = match value {
                    ValueRule::BalancedCardinality => Shape::Disc,
                    ValueRule::FirstSplit => Shape::Triangle,
                    ValueRule::BalancedValues => Shape::Cross,
                };
                Self { color, width: 1, is_dashed: false, shape }
            }
        }
    }

    fn line(self) -> ShapeStyle {
        self.color.stroke_width(self.width)
    }
}

/// The points of a line, cut where a place has no number.
#[expect(clippy::cast_precision_loss, reason = "a place to draw at")]
fn unbroken(numbers: &[Option<f64>]) -> Vec<Vec<(f64, f64)>> {
    let points =
        numbers.iter().enumerate().map(|(place, number)| number.map(|number| (place as f64, number)));
    let points: Vec<Option<(f64, f64)>> = points.collect();
    let runs = points.split(Option::is_none).filter(|run| !run.is_empty());
    runs.map(|run| run.iter().copied().flatten().collect()).collect()
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "places are small whole numbers")]
fn place_of(place: f64) -> Option<usize> {
    (place >= 0.0).then(|| place.round() as usize)
}

/// The pixel at a share of the way between two.
#[expect(clippy::cast_possible_truncation, reason = "a pixel of a picture")]
fn pixel(share: f64, limit: (i32, i32)) -> i32 {
    (f64::from(limit.0) + share * f64::from(limit.1 - limit.0)).round() as i32
}

impl Ranged for Places {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    #[expect(clippy::cast_precision_loss, reason = "a place to draw at")]
    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        pixel((value + 0.5) / self.0.len() as f64, limit)
    }

    #[expect(clippy::cast_precision_loss, reason = "a place to draw at")]
    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        // Some twenty labels have room.
        (0..self.0.len()).step_by(self.0.len().div_ceil(20)).map(|place| place as f64).collect()
    }

    #[expect(clippy::cast_precision_loss, reason = "a place to draw at")]
    fn range(&self) -> Range<f64> {
        -0.5..self.0.len() as f64 - 0.5
    }
}

impl ValueFormatter<f64> for Places {}

impl Ranged for Upright {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        pixel(self.0.place(*value), limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.0.ticks.iter().map(|(tick, _)| *tick).collect()
    }

    fn range(&self) -> Range<f64> {
        let ends = |tick: Option<&(f64, String)>| tick.map_or(0.0, |(tick, _)| *tick);
        ends(self.0.ticks.first())..ends(self.0.ticks.last())
    }
}

impl ValueFormatter<f64> for Upright {}

#[cfg(test)]
mod tests {
    use super::super::grid::tests::grid;
    use super::*;

    #[test]
    fn a_drawing_has_title_axes_labels_and_legend_and_refers_to_nothing_outside() {
        let lines = [("spalm", ".7 .6 ·"), ("n2", ".3 · .2"), ("k-optimal", ".8 .7 .7"), ("best", "· · ·")];
        let grid = grid("0.05 0.1 2/3", &lines);
        let drawn = draw(Figure::ALL[1], &grid, "A <town> & its \"clinic\"").unwrap();
        assert!(drawn.starts_with("<svg ") && drawn.trim_end().ends_with("</svg>"), "{drawn}");
        for expected in [
            "Loss over δmax (δmin = 0)",
            "after the paper's figure 4",
            "0.05",
            "2/3",
            "spalm",
            "k-optimal",
            "0.8",
        ] {
            assert!(drawn.replace("&apos;", "'").contains(expected), "{expected}\n{drawn}");
        }
        assert!(drawn.contains("A &lt;town&gt; &amp; its"), "{drawn}");
        assert!(!drawn.contains(">best<") && !drawn.contains("best\n"), "best has no numbers\n{drawn}");
        assert!(!drawn.contains("href") && !drawn.contains("<image") && !drawn.contains("url("), "{drawn}");
        let drawn = draw(Figure::ALL[0], &grid, "").unwrap();
        assert!(drawn.contains("no strategy that was run has this number"), "nobody has a k\n{drawn}");
    }

    #[test]
    fn lines_are_cut_where_there_is_no_release() {
        let runs = unbroken(&[Some(1.0), Some(2.0), None, None, Some(3.0)]);
        assert_eq!(runs, [vec![(0.0, 1.0), (1.0, 2.0)], vec![(4.0, 3.0)]]);
    }
}
