//! A bar chart: one number for each of several names.

use maud::html;

use super::axis::Axis;
use super::frame::{at, fitting, frame};

/// A bar of a bar chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// The name next to the bar.
    pub name: String,
    /// The number; `None` if it does not exist.
    pub value: Option<f64>,
    /// The note after the bar.
    pub note: String,
    /// Whether the bar has the colour of a broken policy.
    pub is_broken: bool,
}

const WIDTH: f64 = 720.0;
const LEFT: f64 = 190.0;
const RIGHT: f64 = 560.0;
const TOP: f64 = 72.0;
const ROW: f64 = 30.0;

/// Draws bars in their order, from 0, under a title and the name of the measure.
pub fn bars(id: &str, (title, measured): (&str, &str), all: &[Bar]) -> String {
    let most = all.iter().filter_map(|bar| bar.value).fold(0.0, f64::max);
    let axis = Axis::linear(most, |tick, step| {
        let decimals = if step < 0.00995 {
            3
        } else if step < 0.0995 {
            2
        } else {
            usize::from(step < 0.995)
        };
        format!("{tick:.decimals$}")
    });
    let x = |value: f64| LEFT + (RIGHT - LEFT) * axis.position(value);
    let rows: Vec<(f64, &Bar)> =
        (0_u32..).zip(all).map(|(row, bar)| (TOP + ROW * f64::from(row), bar)).collect();
    let foot = rows.last().map_or(TOP, |(y, _)| y + ROW);
    let described: Vec<String> = all
        .iter()
        .map(|bar| match bar.value {
            Some(value) => format!("{}: {value:.4}{}", bar.name, noted(&bar.note)),
            None => format!("{}: none{}", bar.name, noted(&bar.note)),
        })
        .collect();
    let drawn = html! {
        text x="16" y="24" font-weight="600" { (fitting(title)) }
        text.soft x="16" y="46" font-size="12" { (measured) }
        @if all.iter().any(|bar| bar.is_broken && bar.value.is_some()) {
            rect class="over" x="576" y="14" width="12" height="12" {}
            text.soft x="594" y="24" font-size="12" { "breaks the policy" }
        }
        @for (tick, label) in &axis.ticks {
            path.grid d={ "M" (at(x(*tick))) " " (at(TOP - 6.0)) "V" (at(foot)) } {}
            text x=(at(x(*tick))) y=(at(foot + 18.0)) text-anchor="middle" font-size="12" { (label) }
        }
        @for (y, bar) in rows {
            text x=(at(LEFT - 10.0)) y=(at(y + 16.0)) text-anchor="end" { (bar.name) }
            @if let Some(value) = bar.value {
                rect class=(if bar.is_broken { "over" } else { "bar" }) x=(at(LEFT)) y=(at(y + 2.0)) width=(at((x(value) - LEFT).max(1.0))) height=(at(ROW - 10.0)) {}
            }
            text.soft x=(at(RIGHT + 12.0)) y=(at(y + 16.0)) font-size="12" { (bar.note) }
        }
        path.axis d={ "M" (at(LEFT)) " " (at(TOP - 6.0)) "V" (at(foot)) } {}
    };
    frame(id, (WIDTH, foot + 34.0), (title, &format!("{measured}. {}", described.join("; "))), &drawn)
}

fn noted(note: &str) -> String {
    if note.is_empty() { String::new() } else { format!(" ({note})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bar_length_follows_its_number() {
        let bar = |name: &str, value, is_broken| Bar {
            name: name.to_owned(),
            value,
            note: String::new(),
            is_broken,
        };
        let all = [bar("spalm", Some(0.8), false), bar("n<1>", Some(0.4), true), bar("best", None, false)];
        let drawn = bars("loss", ("Loss", "mean loss"), &all);
        // The axis ends at 0.8, which is 370 wide.
        assert!(drawn.contains("class=\"bar\" x=\"190\" y=\"74\" width=\"370\""), "{drawn}");
        assert!(drawn.contains("class=\"over\" x=\"190\" y=\"104\" width=\"185\""), "{drawn}");
        assert!(drawn.contains("n&lt;1&gt;: 0.4000; best: none</desc>"), "{drawn}");
        // Two bars and the legend of the second colour.
        assert_eq!(drawn.matches("<rect").count(), 3);
        assert!(drawn.contains("breaks the policy"), "{drawn}");
    }
}
