//! A histogram of presence: the number of individuals by the presence of their class, with δ.

use maud::html;

use super::axis::Axis;
use super::frame::{at, fitting, frame};

/// A histogram of presence.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The title above the histogram.
    pub title: String,
    /// A description in words, for readers who do not see the drawing.
    pub description: String,
    /// The columns in ascending order. The first may be for presence 0 only.
    pub columns: Vec<Column>,
    /// δmin and δmax, each as a number and as text.
    pub delta: [(f64, String); 2],
}

/// A column of the histogram.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// The exclusive lower end; inclusive if [`to`](Self::to) is the same number.
    pub from: f64,
    /// The inclusive upper end.
    pub to: f64,
    /// The number of individuals.
    pub count: u64,
}

const SIZE: (f64, f64) = (720.0, 338.0);
/// The edges of the area of the columns: left, top, right, bottom.
const LEFT: f64 = 76.0;
const TOP: f64 = 74.0;
const RIGHT: f64 = 704.0;
const FOOT: f64 = 280.0;
/// The width of the column for presence 0, which is left of the scale.
const ZERO: f64 = 26.0;

/// Draws a histogram. Heights follow the square root, so that small numbers stay visible. A column outside δ has another colour.
pub fn histogram(id: &str, chart: &Histogram) -> String {
    let most = chart.columns.iter().map(|column| column.count).max().unwrap_or(0);
    let upright = Axis::square_root(number(most), |tick| format!("{tick:.0}"));
    let end = chart.columns.last().map_or(1.0, |column| column.to);
    let begin = LEFT + ZERO + 8.0;
    let x = |presence: f64| begin + (RIGHT - begin) * if end > 0.0 { presence / end } else { 0.0 };
    let y = |count: f64| FOOT - (FOOT - TOP) * upright.position(count);
    let [min, max] = &chart.delta;
    let is_beyond = |column: &Column| {
        let is_zero = column.to <= 0.0;
        let over = !is_zero && column.from >= max.0 - 1e-12;
        let under = column.to < min.0 - 1e-12;
        over || under
    };
    // A column with few individuals still gets a visible height.
    let height = |count: u64| if count == 0 { 0.0 } else { (FOOT - y(number(count))).max(1.5) };
    let drawn = html! {
        text x="16" y="24" font-weight="600" { (fitting(&chart.title)) }
        text.soft x="16" y="44" font-size="12" { "individuals in P by the presence of their class; heights follow the square root" }
        @if chart.columns.iter().any(|column| column.count > 0 && is_beyond(column)) {
            rect class="over" x="576" y="34" width="12" height="12" {}
            text.soft x="594" y="44" font-size="12" { "outside δ" }
        }
        @for (tick, label) in &upright.ticks {
            path.grid d={ "M" (at(LEFT)) " " (at(y(*tick))) "H" (at(RIGHT)) } {}
            text x=(at(LEFT - 8.0)) y=(at(y(*tick) + 4.0)) text-anchor="end" font-size="12" { (label) }
        }
        @for column in &chart.columns {
            @let height = height(column.count);
            @let (left, width) = if column.to <= 0.0 { (LEFT, ZERO) } else { (x(column.from) + 0.75, (x(column.to) - x(column.from) - 1.5).max(1.0)) };
            @if column.count > 0 {
                rect class=(if is_beyond(column) { "over" } else { "bar" }) x=(at(left)) y=(at(FOOT - height)) width=(at(width)) height=(at(height)) {
                    title { (range(column)) ": " (column.count) " individuals" }
                }
            }
        }
        path.axis d={ "M" (at(LEFT)) " " (at(FOOT)) "H" (at(RIGHT)) } {}
        text x=(at(LEFT + ZERO / 2.0)) y=(at(FOOT + 18.0)) text-anchor="middle" font-size="12" { "0" }
        @for quarter in 1..=4_u8 {
            @let presence = end * f64::from(quarter) / 4.0;
            path.axis d={ "M" (at(x(presence))) " " (at(FOOT)) "v5" } {}
            text x=(at(x(presence))) y=(at(FOOT + 18.0)) text-anchor=(if quarter == 4 { "end" } else { "middle" }) font-size="12" { (short(presence)) }
        }
        @for (name, (presence, text)) in [("δmin", min), ("δmax", max)] {
            @if *presence > 0.0 {
                @let across = x(presence.min(end));
                @let side = if across > f64::midpoint(LEFT, RIGHT) { "end" } else { "start" };
                path.mark d={ "M" (at(across)) " " (at(TOP - 8.0)) "V" (at(FOOT)) } {}
                text x=(at(across)) y=(at(TOP - 12.0)) text-anchor=(side) font-size="12" { (name) " " (text) }
            }
        }
        text.soft x=(at(f64::midpoint(begin, RIGHT))) y=(at(SIZE.1 - 14.0)) text-anchor="middle" font-size="12" { "presence: the probability, as the release shows it, of being in T" }
    };
    frame(id, SIZE, (&chart.title, &chart.description), &drawn)
}

fn range(column: &Column) -> String {
    if column.to <= 0.0 {
        "presence 0".to_owned()
    } else {
        format!("presence above {} to {}", short(column.from), short(column.to))
    }
}

/// A presence as a short decimal.
fn short(presence: f64) -> String {
    let text = format!("{presence:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[expect(clippy::cast_precision_loss, reason = "a count to draw")]
fn number(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_is_one_titled_drawing_without_outside_references() {
        let column = |from, to, count| Column { from, to, count };
        let chart = Histogram {
            title: "A <town> & its \"clinic\"\u{202e}".to_owned(),
            description: "6 of 10".to_owned(),
            columns: vec![column(0.0, 0.0, 4), column(0.0, 0.5, 6), column(0.5, 1.0, 1)],
            delta: [(0.0, "0".to_owned()), (0.5, "1/2".to_owned())],
        };
        let drawn = histogram("presence", &chart);
        assert!(drawn.starts_with("<svg xmlns") && drawn.ends_with("</svg>"), "{drawn}");
        assert!(drawn.contains("A &lt;town&gt; &amp; its &quot;clinic&quot;\u{fffd}"), "{drawn}");
        assert!(drawn.contains("role=\"img\"") && drawn.contains("<title id=\"presence-title\">"), "{drawn}");
        for outside in ["href", "url(", "<image", "<script", "@import", "\u{202e}"] {
            assert!(!drawn.contains(outside), "{outside}\n{drawn}");
        }
        // A column beyond δ has another colour. The column that ends at δmax is within δ.
        // The legend explains the other colour.
        assert_eq!((drawn.matches("class=\"bar\"").count(), drawn.matches("class=\"over\"").count()), (2, 2));
        assert!(drawn.contains("outside δ"), "{drawn}");
        let within = Histogram { columns: vec![column(0.0, 0.5, 6)], ..chart };
        assert!(!histogram("presence", &within).contains("outside δ"));
        assert!(drawn.contains("presence above 0.5 to 1: 1 individuals"), "{drawn}");
        assert!(drawn.contains("δmax 1/2") && !drawn.contains("δmin"), "{drawn}");
    }
}
