//! A simple estimate of uniqueness from two numbers.

/// The expected share of people with a unique combination, if all combinations are equally likely.
///
/// The share is e^(−n/d) for n people and d combinations. It is the chance that a Poisson number of
/// other people, n/d on average, is 0.
///
/// Real people are not distributed evenly, so the estimate does not apply to single persons. People
/// with frequent values are less unique, and people with rare values are more unique.
///
/// # Panics
/// If there is no combination.
///
/// ```
/// let share = palmtop_measure::estimate::share_unique(9_330, 56_940);
/// assert_eq!(format!("{:.2} %", 100.0 * share), "84.89 %");
/// ```
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
pub fn share_unique(people: u64, combinations: u64) -> f64 {
    assert!(combinations > 0, "people have a combination");
    libm::exp(-(people as f64) / combinations as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unique_share_falls_with_people_rises_with_combinations() {
        // people, combinations → share of unique people, in tenths of a percent, rounded down
        let table = [
            (9_330, 56_940, 848),
            (1, 1, 367),
            (1_000, 1_000, 367),
            (1_000, 1, 0),
            (1, 1_000_000, 999),
            (0, 5, 1_000),
        ];
        for (people, combinations, tenths) in table {
            let share = share_unique(people, combinations);
            let (least, most) = (f64::from(tenths), f64::from(tenths + 1));
            assert!((least..most).contains(&(share * 1000.0)), "{people} of {combinations}: {share}");
        }
    }
}
