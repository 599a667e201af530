//! The measures that a chart can show, and the format of their numbers.

/// A measure of a release or of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// The k at which a baseline satisfied δ.
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
    pub fn title(self) -> &'static str {
        match self {
            Self::K => "k that k-anonymity needs,",
            Self::Loss => "Loss",
            Self::Discernibility => "Discernibility",
            Self::Seconds => "Time of the search",
        }
    }

    /// The title of the axis, with the unit.
    pub fn axis_title(self) -> &'static str {
        match self {
            Self::K => "k needed",
            Self::Loss => "loss (0 as loaded, 1 everything *)",
            Self::Discernibility => "discernibility (rows²)",
            Self::Seconds => "time of the search",
        }
    }
}

/// A number in at most two or three significant digits, so that a table of fourteen strategies
/// fits. A time is in milliseconds, without its unit.
pub fn short(measure: Measure, value: f64) -> String {
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

/// A loss in three decimals, without the leading zero.
pub fn loss(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map_or(text.clone(), ToOwned::to_owned)
}

/// A large number with its unit: `k`, `M`, `G` or `T` for 10³, 10⁶, 10⁹ and 10¹².
pub(crate) fn count(value: f64) -> String {
    let units = [(1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")];
    let unit = units.iter().rev().find(|(size, _)| value >= size * 0.9995);
    match unit {
        None => format!("{value:.0}"),
        Some((size, name)) if value < size * 9.95 => format!("{:.1}{name}", value / size),
        Some((size, name)) => format!("{:.0}{name}", value / size),
    }
}

/// A time in µs, ms or s, with the unit.
pub fn duration(seconds: f64) -> String {
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
        for (value, expected) in [(0.0, ".000"), (0.0704, ".070"), (1.0, "1.000"), (0.99996, "1.000")] {
            assert_eq!(short(Measure::Loss, value), expected);
        }
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
}
