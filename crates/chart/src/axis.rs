//! The scale of a chart's vertical axis, the same in the terminal and in a file.

use palmtop_flow::svg::Axis;

use super::measure::{self, Measure};

/// Chooses an axis that contains all numbers; `None` without numbers. A loss has an axis from 0.
/// For another measure, the axis is logarithmic if the numbers span more than a power of ten.
pub fn axis_of(measure: Measure, numbers: impl Iterator<Item = f64>) -> Option<Axis> {
    let (least, most) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), number| {
        (least.min(number), most.max(number))
    });
    if least > most {
        return None;
    }
    if measure != Measure::Loss && least > 0.0 && most > 10.0 * least {
        Some(Axis::logarithmic(least, most, |tick| tick_label(measure, tick, tick)))
    } else {
        Some(Axis::linear(most, |tick, step| tick_label(measure, tick, step)))
    }
}

fn tick_label(measure: Measure, tick: f64, step: f64) -> String {
    match measure {
        Measure::Loss => {
            let decimals = if step < 0.00995 {
                3
            } else if step < 0.0995 {
                2
            } else {
                1
            };
            format!("{tick:.decimals$}")
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
        let axis = axis_of(measure, numbers.iter().copied()).unwrap();
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
        assert_eq!(axis_of(Measure::K, std::iter::empty()), None);
    }

    #[test]
    fn every_step_of_an_even_scale_has_as_many_rows() {
        for (most, rows) in [(0.8, 17), (0.7, 15), (0.5, 16), (1.0, 16), (0.4, 17)] {
            assert_eq!(axis_of(Measure::Loss, std::iter::once(most)).unwrap().rows(16), rows, "{most}");
        }
        assert_eq!(axis_of(Measure::K, [2.0, 90.0].into_iter()).unwrap().rows(16), 16);
    }

    #[test]
    fn a_number_stands_between_the_foot_and_the_top() {
        let axis = axis_of(Measure::Discernibility, [10.0, 1000.0].into_iter()).unwrap();
        assert!((axis.position(10.0), axis.position(1000.0)) == (0.0, 1.0));
        assert!((axis.position(100.0) - 0.5).abs() < 1e-9);
        let axis = axis_of(Measure::Loss, [0.5, 1.0].into_iter()).unwrap();
        assert!((axis.position(0.5) - 0.5).abs() < 1e-9);
    }
}
