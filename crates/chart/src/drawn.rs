//! The chart of a sweep as an SVG file.

use palmtop_core::model::Presence;
use palmtop_flow::svg::{Line, Lines, Look, Mark, lines};
use palmtop_search::Strategy;

use super::axis::axis_of;
use super::measure::Measure;
use super::sweep::{Bound, label};

/// A measure of several strategies over a sweep of one bound of δ.
#[derive(Clone, Debug)]
pub struct Drawn<'a> {
    /// The measure on the vertical axis.
    pub measure: Measure,
    /// The bound that varies.
    pub bound: Bound,
    /// The value of the other bound.
    pub held: Presence,
    /// The values of the bound that varies, ascending.
    pub values: &'a [Presence],
    /// A number for each value, per strategy. Strategies without any number are left out.
    pub lines: Vec<(Strategy, Vec<Option<f64>>)>,
    /// The line under the title.
    pub subtitle: String,
}

impl Drawn<'_> {
    /// The title: `Loss over δmax (δmin = 0)`.
    pub fn title(&self) -> String {
        title(self.measure, self.bound, self.held)
    }

    /// Draws the chart as SVG.
    pub fn svg(&self) -> String {
        let with_numbers = self.lines.iter().filter(|(_, points)| points.iter().any(Option::is_some));
        let numbers = self.lines.iter().flat_map(|(_, points)| points.iter().copied()).flatten();
        let upright = axis_of(self.measure, numbers).map(|axis| {
            let title = format!("{}{}", self.measure.axis_title(), axis.note());
            (axis, title)
        });
        let line = |(strategy, points): &(Strategy, Vec<Option<f64>>)| Line {
            name: strategy.to_string(),
            look: look(*strategy),
            points: points.clone(),
        };
        lines(
            "sweep",
            &Lines {
                title: self.title(),
                subtitle: self.subtitle.clone(),
                values: self.values.iter().copied().map(label).collect(),
                lower_title: format!("{} (its values evenly spaced)", self.bound.as_str()),
                upright,
                lines: with_numbers.map(line).collect(),
            },
        )
    }
}

/// The title of a chart: `Loss over δmax (δmin = 0)`.
pub fn title(measure: Measure, bound: Bound, held: Presence) -> String {
    let (bound, other) = (bound.as_str(), bound.other().as_str());
    format!("{} over {bound} ({other} = {})", measure.title(), label(held))
}

/// Colours on light and dark pages, which colour-blind people can distinguish (Okabe and Ito): one for
/// each column rule of the nine, one for each other strategy, and one for each baseline.
const NINE: [(&str, &str); 3] = [("#0072b2", "#56b4e9"), ("#007a5a", "#3fd3a5"), ("#9a6700", "#f0b93a")];
const OTHERS: [(&str, &str); 3] = [("#005c00", "#7fd17f"), ("#000", "#fff"), ("#d55e00", "#ff9d5c")];
const BASELINES: [(&str, &str); 3] = [("#a8487f", "#e79ac5"), ("#6e6e6e", "#b0b0b0"), ("#808080", "#9a9a9a")];
const MARKS: [Mark; 3] = [Mark::Disc, Mark::Triangle, Mark::Cross];

/// The look of a strategy. If there are more strategies than colours, a colour occurs again with
/// another mark.
fn look(strategy: Strategy) -> Look {
    let info = strategy.info();
    let is_alike =
        |other: &Strategy| other.rules().is_none() && other.info().decides_by_delta == info.decides_by_delta;
    let index = Strategy::all().filter(is_alike).take_while(|other| *other != strategy).count();
    let ((light, dark), width, mark) = match strategy.rules() {
        Some((column, value)) => (NINE[column as usize], 1, MARKS[value as usize]),
        None if info.decides_by_delta => (OTHERS[index % 3], 3, MARKS[index / 3 % 3]),
        None => (BASELINES[index % 3], 2, MARKS[(index + index / 3) % 3]),
    };
    Look { light, dark, width, is_dashed: !info.decides_by_delta, mark }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_names_the_strategies_that_have_a_number() {
        let values: Vec<Presence> = ["0.05", "0.1", "2/3"].map(|text| text.parse().unwrap()).to_vec();
        let chart = Drawn {
            measure: Measure::Loss,
            bound: Bound::Max,
            held: Presence::ZERO,
            values: &values,
            lines: vec![
                (Strategy::Spalm, vec![Some(0.7), Some(0.6), None]),
                (Strategy::KOptimal, vec![Some(0.8); 3]),
                (Strategy::Best, vec![None; 3]),
            ],
            subtitle: "after the paper's figure 4".to_owned(),
        };
        let drawn = chart.svg();
        for expected in
            ["Loss over δmax (δmin = 0)", "figure 4", ">0.05<", ">2/3<", ">spalm<", ">k-optimal<", ">0.8<"]
        {
            assert!(drawn.contains(expected), "{expected}\n{drawn}");
        }
        assert!(!drawn.contains(">best<"), "{drawn}");
    }
}
