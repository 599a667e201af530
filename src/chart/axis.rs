//! The scale of a figure's upright axis, the same in the terminal and in a file.

use super::measure::{self, Measure};

/// A scale from `low` to `high`, with labels at round places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    is_logarithmic: bool,
    /// Ascending.
    pub(crate) ticks: Vec<(f64, String)>,
}

impl Axis {
    /// The axis that holds all these numbers: from 0 for a loss, logarithmic for another measure that spans more than
    /// a power of ten. `None` where there are no numbers.
    pub(crate) fn of(measure: Measure, numbers: impl Iterator<Item = f64>) -> Option<Self> {
        let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), number| {
            (least.min(number), most.max(number))
        });
        if least > most {
            return None;
        }
        if measure != Measure::Loss && least > 0.0 && most > 10.0 * least {
            Some(Self::logarithmic(measure, least, most))
        } else {
            Some(Self::linear(measure, most))
        }
    }

    fn linear(measure: Measure, most: f64) -> Self {
        let most = if most > 0.0 { most } else { 1.0 };
        // Some 4 to 8 steps.
        let power = 10_f64.powf((most / 4.0).log10().floor());
        let step = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|step| step * 4.0 <= most);
        let step = step.unwrap_or(power);
        // A number on a tick may lie a rounding error above it.
        let steps = (1..=20).find(|&count| f64::from(count) * step >= most * (1.0 - 1e-9)).unwrap_or(1);
        let ticks = (0..=steps).map(|count| f64::from(count) * step);
        let high = f64::from(steps) * step;
        let ticks = ticks.map(|tick| (tick, tick_label(measure, tick, step))).collect();
        Self { low: 0.0, high, is_logarithmic: false, ticks }
    }

    fn logarithmic(measure: Measure, least: f64, most: f64) -> Self {
        let round = |exponent: i32| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(exponent));
        let candidates: Vec<f64> = (-9..=19).flat_map(round).collect();
        let slack = 1.0 + 1e-9;
        let low = candidates.iter().copied().rev().find(|tick| *tick <= least * slack).unwrap_or(least);
        let high = candidates.iter().copied().find(|tick| tick * slack >= most).unwrap_or(most);
        let mut ticks: Vec<f64> =
            candidates.into_iter().filter(|tick| *tick >= low / slack && *tick <= high * slack).collect();
        if ticks.len() > 8 {
            let is_power = |tick: &f64| (tick.log10() - tick.log10().round()).abs() < 1e-6;
            ticks.retain(is_power);
        }
        let ticks = ticks.into_iter().map(|tick| (tick, tick_label(measure, tick, tick))).collect();
        Self { low, high, is_logarithmic: true, ticks }
    }

    /// Where a number stands: 0 at the foot, 1 at the top.
    pub(crate) fn place(&self, value: f64) -> f64 {
        let scale = |value: f64| if self.is_logarithmic { value.max(self.low).log10() } else { value };
        let (low, high) = (scale(self.low), scale(self.high));
        ((scale(value) - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// About so many rows: as many as give each step of an even scale the same number of them.
    pub(crate) fn rows(&self, wanted: u16) -> u16 {
        let steps = u16::try_from(self.ticks.len().saturating_sub(1)).unwrap_or(1).max(1);
        if self.is_logarithmic || steps >= wanted {
            return wanted;
        }
        let each = (2 * (wanted - 1) + steps) / (2 * steps);
        steps * each + 1
    }

    /// `, logarithmic` where it is.
    pub(crate) fn note(&self) -> &'static str {
        if self.is_logarithmic { ", logarithmic" } else { "" }
    }
}

fn tick_label(measure: Measure, tick: f64, step: f64) -> String {
    match measure {
        Measure::Loss => {
            let places = if step < 0.00995 {
                3
            } else if step < 0.0995 {
                2
            } else {
                1
            };
            format!("{tick:.places$}")
        }
        Measure::K if tick < 99_999.0 => format!("{tick:.0}"),
        Measure::K | Measure::Discernibility => measure::count(tick).replace(".0", ""),
        Measure::Seconds if tick == 0.0 => "0".to_owned(),
        Measure::Seconds => measure::duration(tick).replace(".0", ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(measure: Measure, numbers: &[f64]) -> String {
        let axis = Axis::of(measure, numbers.iter().copied()).unwrap();
        axis.ticks.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn ticks_are_round_and_hold_every_number() {
        assert_eq!(labels(Measure::Loss, &[0.012, 0.72]), "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8");
        assert_eq!(labels(Measure::Loss, &[0.034]), "0.000 0.005 0.010 0.015 0.020 0.025 0.030 0.035");
        assert_eq!(labels(Measure::Loss, &[0.0]), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(labels(Measure::Discernibility, &[4783.0, 420_000.0]), "2k 5k 10k 20k 50k 100k 200k 500k");
        assert_eq!(labels(Measure::Discernibility, &[4783.0, 820_000.0]), "10k 100k 1M");
        assert_eq!(labels(Measure::Seconds, &[0.0004, 3.0]), "1 ms 10 ms 100 ms 1 s");
        assert_eq!(labels(Measure::K, &[3.0, 9.0]), "0 2 4 6 8 10");
        assert_eq!(Axis::of(Measure::K, std::iter::empty()), None);
    }

    #[test]
    fn every_step_of_an_even_scale_has_as_many_rows() {
        for (most, rows) in [(0.8, 17), (0.7, 15), (0.5, 16), (1.0, 16), (0.4, 17)] {
            assert_eq!(Axis::of(Measure::Loss, std::iter::once(most)).unwrap().rows(16), rows, "{most}");
        }
        assert_eq!(Axis::of(Measure::K, [2.0, 90.0].into_iter()).unwrap().rows(16), 16);
    }

    #[test]
    fn a_number_stands_between_the_foot_and_the_top() {
        let axis = Axis::of(Measure::Discernibility, [10.0, 1000.0].into_iter()).unwrap();
        assert!((axis.place(10.0), axis.place(1000.0)) == (0.0, 1.0));
        assert!((axis.place(100.0) - 0.5).abs() < 1e-9);
        let axis = Axis::of(Measure::Loss, [0.5, 1.0].into_iter()).unwrap();
        assert!((axis.place(0.5) - 0.5).abs() < 1e-9);
    }
}
