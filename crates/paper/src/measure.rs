//! The measures of the figures, and the format of their numbers.

use palmtop_release::chart::{LOSS_AXIS, loss, loss_axis};
use palmtop_release::svg::Axis;

/// A measure of a release or of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Measure {
    /// The k at which k-anonymity satisfied δ.
    K,
    /// The normalized loss of the release.
    Loss,
    /// The discernibility metric of the release.
    Discernibility,
    /// The duration of the search, in seconds.
    Seconds,
}

impl Measure {
    /// The title of a chart of this measure.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::K => "k that k-anonymity needs,",
            Self::Loss => "Loss",
            Self::Discernibility => "Discernibility",
            Self::Seconds => "Time of the search",
        }
    }

    /// The title of the axis, with the unit.
    pub(super) fn axis_title(self) -> &'static str {
        match self {
            Self::K => "k needed",
            Self::Loss => LOSS_AXIS,
            Self::Discernibility => "discernibility (rows²)",
            Self::Seconds => "time of the search",
        }
    }

    /// An axis that contains all numbers; `None` without numbers. That of a loss begins at 0. Another is
    /// logarithmic if the numbers span more than a power of ten.
    pub(super) fn axis(self, numbers: impl Iterator<Item = f64>) -> Option<Axis> {
        if self == Self::Loss {
            return loss_axis(numbers);
        }
        let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), number| {
            (least.min(number), most.max(number))
        });
        if least > most {
            return None;
        }
        if least > 0.0 && most > 10.0 * least {
            Some(Axis::logarithmic(least, most, |tick| self.tick_label(tick)))
        } else {
            Some(Axis::linear(most, |tick, _| self.tick_label(tick)))
        }
    }

    fn tick_label(self, tick: f64) -> String {
        match self {
            Self::Loss => loss(tick),
            Self::K if tick < 99_999.0 => format!("{tick:.0}"),
            Self::K | Self::Discernibility => count(tick).replace(".0", ""),
            Self::Seconds if tick == 0.0 => "0".to_owned(),
            Self::Seconds => duration(tick).replace(".0", ""),
        }
    }
}

/// A number in at most two or three significant digits, so that a table of fourteen strategies
/// fits. A time is in milliseconds, without its unit.
pub(super) fn short(measure: Measure, value: f64) -> String {
    match measure {
        Measure::K => format!("{value:.0}"),
        Measure::Loss => loss(value),
        Measure::Discernibility => count(value),
        Measure::Seconds => {
            let milliseconds = value * 1000.0;
            let is_tiny = milliseconds < 0.095;
            if is_tiny {
                format!("{milliseconds:.2}")
            } else if milliseconds < 9.95 {
                format!("{milliseconds:.1}")
            } else {
                format!("{milliseconds:.0}")
            }
        }
    }
}

/// A large number with its unit: `k`, `M`, `G` or `T` for 10³, 10⁶, 10⁹ and 10¹².
fn count(value: f64) -> String {
    let units = [(1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")];
    let unit = units.iter().rev().find(|(size, _)| value >= size * 0.9995);
    match unit {
        None => format!("{value:.0}"),
        Some((size, name)) if value < size * 9.95 => format!("{:.1}{name}", value / size),
        Some((size, name)) => format!("{:.0}{name}", value / size),
    }
}

/// A time in µs, ms or s, with the unit.
pub(super) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        below if below < 0.000_999_5 => (seconds * 1e6, "µs"),
        below if below < 0.999_5 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    if value < 9.95 { format!("{value:.1} {unit}") } else { format!("{value:.0} {unit}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, expected) in
            [(7.0, "7"), (999.0, "999"), (4783.0, "4.8k"), (56_529.0, "57k"), (999_900.0, "1.0M")]
        {
            assert_eq!(short(Measure::Discernibility, value), expected);
        }
        for (value, expected) in [(0.000_04, "40 µs"), (0.0083, "8.3 ms"), (0.152, "152 ms"), (12.4, "12 s")]
        {
            assert_eq!(duration(value), expected);
        }
        assert_eq!(
            (short(Measure::Seconds, 0.0083), short(Measure::Seconds, 1.2)),
            ("8.3".into(), "1200".into())
        );
    }

    #[test]
    fn ticks_are_round_and_hold_every_number() {
        let labels = |measure: Measure, numbers: &[f64]| {
            let axis = measure.axis(numbers.iter().copied()).unwrap();
            axis.ticks.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(labels(Measure::Discernibility, &[4783.0, 420_000.0]), "2k 5k 10k 20k 50k 100k 200k 500k");
        assert_eq!(labels(Measure::Discernibility, &[4783.0, 820_000.0]), "10k 100k 1M");
        assert_eq!(labels(Measure::Seconds, &[0.0004, 3.0]), "1 ms 10 ms 100 ms 1 s");
        assert_eq!(labels(Measure::K, &[3.0, 9.0]), "0 2 4 6 8 10");
        assert_eq!(Measure::K.axis(std::iter::empty()), None);
        assert_eq!(Measure::K.axis([2.0, 90.0].into_iter()).unwrap().rows(16), 16);
    }

    #[test]
    fn a_number_stands_between_foot_and_top() {
        let axis = Measure::Discernibility.axis([10.0, 1000.0].into_iter()).unwrap();
        assert!((axis.position(10.0), axis.position(1000.0)) == (0.0, 1.0));
        assert!((axis.position(100.0) - 0.5).abs() < 1e-9);
    }
}
