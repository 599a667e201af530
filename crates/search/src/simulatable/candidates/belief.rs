//! The belief about who is in T: it decides which cuts are worth asking, and never which answers are accepted.

/// The odds that a person of one half is a member, relative to the other half, are kept within this factor.
const MOST_ODDS: f64 = 1e3;

/// The odds of a person on the left of a cut relative to one on the right, from the people and the expected
/// members of both halves.
#[expect(clippy::cast_precision_loss, reason = "scores")]
pub(crate) fn odds(people: [u64; 2], expected: [f64; 2]) -> f64 {
    let [left, right] = [0, 1].map(|half| expected[half].max(0.0) / people[half] as f64);
    let odds = left / right;
    if odds.is_nan() { 1.0 } else { odds.clamp(1.0 / MOST_ODDS, MOST_ODDS) }
}

/// Whether people on both sides are equally likely.
pub(crate) fn is_even(odds: f64) -> bool {
    (odds - 1.0).abs() < f64::EPSILON
}

/// Weights of consecutive numbers of members on the left, multiplied by odds^number: Fisher's noncentral
/// hypergeometric distribution, up to a factor.
#[expect(clippy::cast_precision_loss, reason = "scores")]
pub(crate) fn tilted(weights: impl ExactSizeIterator<Item = f64>, odds: f64) -> Vec<f64> {
    let slope = libm::log(odds);
    let logs: Vec<f64> =
        weights.enumerate().map(|(index, weight)| libm::log(weight) + index as f64 * slope).collect();
    let most = logs.iter().copied().fold(f64::MIN, f64::max);
    logs.into_iter().map(|log| libm::exp(log - most)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_tilted_to_fishers_distribution() {
        // One member, two people on the left and three on the right: the member is on the left with weight 2,
        // and on the right with weight 3. With odds 3, the former is 6.
        let tilted = tilted([3.0, 2.0].into_iter(), 3.0);
        let share = tilted[1] / (tilted[0] + tilted[1]);
        assert!((share - 6.0 / 9.0).abs() < 1e-12, "{share}");
        // Far from the mode, nothing overflows.
        let wide = super::tilted(vec![1e-300; 5_000].into_iter(), 1e3);
        assert!(wide.iter().all(|weight| weight.is_finite()) && wide.iter().sum::<f64>() >= 1.0);
    }

    #[test]
    fn odds_are_per_person_and_bounded() {
        let cases =
            [([10.0, 20.0], 1.0), ([20.0, 20.0], 2.0), ([0.0, 20.0], 1.0 / MOST_ODDS), ([0.0, 0.0], 1.0)];
        for (expected, by_hand) in cases {
            assert!((odds([10, 20], expected) - by_hand).abs() < 1e-12, "{expected:?}");
        }
        assert!(is_even(odds([10, 20], [10.0, 20.0])) && !is_even(odds([10, 20], [20.0, 20.0])));
    }
}
