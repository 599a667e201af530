//! The chart of a sweep as an SVG file.

use crate::svg::{Axis, Line, Lines, lines};
use palmtop_core::model::Presence;

use super::numbers::Numbers;
use super::subject::Subject;
use super::sweep::{Bound, label};

/// A measure of several strategies, or other subjects, over a sweep of one bound of δ.
#[derive(Clone, Debug)]
pub struct Drawn<'a, S> {
    /// The name of the measure, for the title.
    pub measure: &'static str,
    /// The vertical axis with its title; `None` without numbers.
    pub upright: Option<(Axis, &'static str)>,
    /// The bound that varies.
    pub bound: Bound,
    /// The value of the other bound.
    pub held: Presence,
    /// The values of the bound that varies, ascending.
    pub values: &'a [Presence],
    /// A number for each value, per subject. Subjects without any number are left out.
    pub lines: Vec<Numbers<S>>,
    /// The line under the title.
    pub subtitle: String,
}

impl<S: Subject> Drawn<'_, S> {
    /// The title: `Loss over δmax (δmin = 0)`.
    pub fn title(&self) -> String {
        title(self.measure, self.bound, self.held)
    }

    /// Draws the chart as SVG.
    pub fn svg(&self) -> String {
        let with_numbers = self.lines.iter().filter(|(_, points)| points.iter().any(Option::is_some));
        let upright = self.upright.clone().map(|(axis, title)| {
            let title = format!("{title}{}", axis.note());
            (axis, title)
        });
        let line = |(subject, points): &Numbers<S>| Line {
            name: subject.to_string(),
            look: subject.look(),
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
pub fn title(measure: &str, bound: Bound, held: Presence) -> String {
    let (bound, other) = (bound.as_str(), bound.other().as_str());
    format!("{measure} over {bound} ({other} = {})", label(held))
}

#[cfg(test)]
mod tests {
    use palmtop_search::Strategy;

    use super::super::loss::{LOSS_AXIS, loss_axis};
    use super::*;

    #[test]
    fn legend_names_only_strategies_with_a_number() {
        let values: Vec<Presence> = ["0.05", "0.1", "2/3"].map(|text| text.parse().unwrap()).to_vec();
        let chart = Drawn {
            measure: "Loss",
            upright: loss_axis([0.8].into_iter()).map(|axis| (axis, LOSS_AXIS)),
            bound: Bound::Max,
            held: Presence::ZERO,
            values: &values,
            lines: vec![
                (Strategy::Spalm, vec![Some(0.7), Some(0.6), None]),
                ("n2".parse().unwrap(), vec![Some(0.8); 3]),
                (Strategy::Best, vec![None; 3]),
            ],
            subtitle: "after the paper's figure 4".to_owned(),
        };
        let drawn = chart.svg();
        for expected in
            ["Loss over δmax (δmin = 0)", "figure 4", ">0.05<", ">2/3<", ">spalm<", ">n2<", ">0.8<"]
        {
            assert!(drawn.contains(expected), "{expected}\n{drawn}");
        }
        assert!(!drawn.contains(">best<"), "{drawn}");
    }
}
