//! The δ of a sweep: one bound varies, the other is held.

use palmtop_core::model::{Delta, Presence, TermError};

/// One of δ's two bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The lower bound, δmin.
    Min,
    /// The upper bound, δmax.
    Max,
}

impl Bound {
    /// The name in texts: `δmin` or `δmax`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Min => "δmin",
            Self::Max => "δmax",
        }
    }

    /// The column name in files.
    pub fn column(self) -> &'static str {
        match self {
            Self::Min => "delta_min",
            Self::Max => "delta_max",
        }
    }

    /// The other bound, which is held while this one varies.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Min => Self::Max,
            Self::Max => Self::Min,
        }
    }

    /// The value of this bound in a δ.
    fn of(self, delta: Delta) -> Presence {
        match self {
            Self::Min => delta.min(),
            Self::Max => delta.max(),
        }
    }
}

/// The values of one bound, ascending, for a fixed value of the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// The bound that varies.
    pub bound: Bound,
    /// The value of the other bound.
    pub held: Presence,
    /// The values of the bound that varies, ascending.
    pub values: Vec<Presence>,
}

impl Sweep {
    /// Uses the requested values. Without any, it chooses feasible values around the project's δ;
    /// `share` is |T|/|P|.
    pub fn new(bound: Bound, project: Delta, share: Presence, asked: &[Presence]) -> Self {
        let mut values = asked.to_vec();
        if values.is_empty() {
            values = match bound {
                Bound::Min => minima(share),
                Bound::Max => maxima(share),
            };
            // The project's δ is a row of both sweeps.
            values.push(bound.of(project));
        }
        values.sort_unstable();
        values.dedup();
        Self { bound, held: bound.other().of(project), values }
    }

    /// The δ of the sweep, in the order of the values.
    ///
    /// # Errors
    /// If δmin is above δmax.
    pub fn deltas(&self) -> Result<Vec<Delta>, TermError> {
        let delta = |&value: &Presence| match self.bound {
            Bound::Min => Delta::new(value, self.held),
            Bound::Max => Delta::new(self.held, value),
        };
        self.values.iter().map(delta).collect()
    }
}

/// The default δmax: from just above |T|/|P| to 0.9, denser near |T|/|P|.
fn maxima(share: Presence) -> Vec<Presence> {
    let hundredths = |number: u64| Presence::new(number, 100).ok();
    let above = |value: &Presence| *value > share;
    let mut values: Vec<Presence> =
        [5, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90].into_iter().filter_map(hundredths).collect();
    if values.first().is_some_and(above) {
        let mut finer = round_numbers(&[1, 2, 5]);
        finer.retain(|value| above(value) && values.first().is_some_and(|first| value < first));
        if finer.len() > 6 {
            finer.retain(|value| value.numerator() == 1 && value.denominator().to_string().starts_with('1'));
        }
        values.extend(finer);
    } else {
        let percent = u128::from(share.numerator()) * 100 / u128::from(share.denominator());
        let percent = u64::try_from(percent).unwrap_or(100);
        values.extend(hundredths(percent + 1));
        values.retain(above);
        if values.len() < 4 {
            let rest = 99_u64.saturating_sub(percent);
            values.extend((1..6).filter_map(|sixths| hundredths(percent + (rest * sixths).div_ceil(6))));
        }
    }
    values.retain(above);
    values
}

/// The default δmin: from 0 to just below |T|/|P|, in steps of a round number.
fn minima(share: Presence) -> Vec<Presence> {
    let mut steps = round_numbers(&[5, 2, 1]);
    steps.sort_unstable_by(|left, right| right.cmp(left));
    let fits = |step: &Presence| multiple(*step, 5).is_some_and(|five| five <= share);
    let Some(step) = steps.into_iter().find(fits) else {
        return vec![Presence::ZERO];
    };
    (0..).map_while(|count| multiple(step, count).filter(|value| *value < share)).collect()
}

/// The digits times each power of ten from 10⁻¹ to 10⁻⁹.
fn round_numbers(digits: &[u64]) -> Vec<Presence> {
    let power = |exponent: u32| 10_u64.pow(exponent);
    let numbers =
        |exponent| digits.iter().filter_map(move |&digit| Presence::new(digit, power(exponent)).ok());
    (1..=9).flat_map(numbers).collect()
}

fn multiple(step: Presence, count: u64) -> Option<Presence> {
    Presence::new(step.numerator().checked_mul(count)?, step.denominator()).ok()
}

/// The label of a bound: a short decimal if that is exact, else the fraction, else a rounded
/// decimal.
pub fn label(value: Presence) -> String {
    let (numerator, denominator) = (u128::from(value.numerator()), u128::from(value.denominator()));
    let exact = (0..=9_u32).find(|&decimals| (numerator * 10_u128.pow(decimals)).is_multiple_of(denominator));
    match exact {
        Some(decimals) => format!("{:.*}", usize::try_from(decimals).unwrap_or(0), value.to_f64()),
        None if value.to_string().len() <= 6 => value.to_string(),
        None => format!("≈{:.4}", value.to_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn presence(text: &str) -> Presence {
        text.parse().unwrap()
    }

    fn labels(values: &[Presence]) -> String {
        values.iter().copied().map(label).collect::<Vec<_>>().join(" ")
    }

    fn sweep(bound: Bound, delta: [&str; 2], share: &str) -> String {
        let delta = Delta::new(presence(delta[0]), presence(delta[1])).unwrap();
        labels(&Sweep::new(bound, delta, presence(share), &[]).values)
    }

    #[test]
    fn default_sweep_covers_feasible_values_and_the_project() {
        let maxima = "0.05 0.07 0.1 0.15 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9";
        assert_eq!(sweep(Bound::Max, ["0", "0.05"], "1957/45222"), maxima);
        assert_eq!(sweep(Bound::Max, ["0", "0.05"], "3/1000"), format!("0.005 0.01 0.02 {maxima}"));
        assert_eq!(sweep(Bound::Max, ["1/2", "2/3"], "5/9"), "0.56 0.6 2/3 0.7 0.8 0.9");
        assert_eq!(sweep(Bound::Max, ["0", "1"], "1"), "1");
        assert_eq!(
            sweep(Bound::Min, ["0", "0.05"], "1957/45222"),
            "0 0.005 0.01 0.015 0.02 0.025 0.03 0.035 0.04"
        );
        assert_eq!(sweep(Bound::Min, ["1/2", "2/3"], "5/9"), "0 0.1 0.2 0.3 0.4 0.5");
        assert_eq!(sweep(Bound::Min, ["0", "1"], "1"), "0 0.2 0.4 0.6 0.8");
    }

    #[test]
    fn every_default_value_is_feasible_for_any_share() {
        for private in 1..=400 {
            let share = Presence::new(private, 400).unwrap();
            let delta = Delta::new(share, share).unwrap();
            for bound in [Bound::Min, Bound::Max] {
                let sweep = Sweep::new(bound, delta, share, &[]);
                assert!(
                    sweep.deltas().unwrap().iter().all(|delta| delta.min() <= share && share <= delta.max())
                );
                assert!(sweep.values.len() <= 16, "{share}: {}", labels(&sweep.values));
            }
        }
    }

    #[test]
    fn requested_sweep_values_are_sorted_without_repeats() {
        let delta = Delta::new(Presence::ZERO, presence("0.3")).unwrap();
        let asked = ["0.5", "1/10", "50%"].map(presence);
        let sweep = Sweep::new(Bound::Max, delta, presence("0.05"), &asked);
        assert_eq!((labels(&sweep.values).as_str(), sweep.held), ("0.1 0.5", Presence::ZERO));
    }

    #[test]
    fn rounded_axis_labels_are_marked_as_approximate() {
        for (value, expected) in
            [("1/20", "0.05"), ("2/3", "2/3"), ("1957/45222", "≈0.0433"), ("0", "0"), ("1", "1")]
        {
            assert_eq!(label(presence(value)), expected);
        }
    }
}
