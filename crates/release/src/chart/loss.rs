//! The loss as charts show it: its numbers and its axis.

use crate::svg::Axis;

/// The title of the axis.
pub const LOSS_AXIS: &str = "loss (0 as loaded, 1 everything *)";

/// A loss in three decimals, without the leading zero.
pub fn loss(value: f64) -> String {
    let text = format!("{value:.3}");
    text.strip_prefix('0').map_or(text.clone(), ToOwned::to_owned)
}

/// The axis from 0 that contains all losses; `None` without losses.
pub fn loss_axis(losses: impl Iterator<Item = f64>) -> Option<Axis> {
    let most = losses.reduce(f64::max)?;
    Some(Axis::linear(most, |tick, step| {
        let decimals = if step < 0.00995 {
            3
        } else if step < 0.0995 {
            2
        } else {
            1
        };
        format!("{tick:.decimals$}")
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_short() {
        for (value, expected) in [(0.0, ".000"), (0.0704, ".070"), (1.0, "1.000"), (0.99996, "1.000")] {
            assert_eq!(loss(value), expected);
        }
    }

    #[test]
    fn ticks_are_round_and_hold_every_loss() {
        let labels = |losses: &[f64]| {
            let axis = loss_axis(losses.iter().copied()).unwrap();
            axis.ticks.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(labels(&[0.012, 0.72]), "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8");
        assert_eq!(labels(&[0.034]), "0.000 0.005 0.010 0.015 0.020 0.025 0.030 0.035");
        assert_eq!(labels(&[0.0]), "0.0 0.2 0.4 0.6 0.8 1.0");
        assert_eq!(loss_axis(std::iter::empty()), None);
    }

    #[test]
    fn every_step_has_as_many_rows() {
        for (most, rows) in [(0.8, 17), (0.7, 15), (0.5, 16), (1.0, 16), (0.4, 17)] {
            assert_eq!(loss_axis(std::iter::once(most)).unwrap().rows(16), rows, "{most}");
        }
    }

    #[test]
    fn a_loss_stands_between_foot_and_top() {
        let axis = loss_axis([0.5, 1.0].into_iter()).unwrap();
        assert!((axis.position(0.5) - 0.5).abs() < 1e-9);
    }
}
