//! The scale of an axis, with labels at round numbers. Terminals, files and reports use the same scale.

/// A scale from 0 or some `low` to `high`.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    low: f64,
    high: f64,
    scale: Scale,
    /// The ticks with their labels, ascending.
    pub ticks: Vec<(f64, String)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scale {
    Linear,
    Logarithmic,
    SquareRoot,
}

/// The least distance of two ticks of a square-root scale, as a share of the scale.
const CLOSEST: f64 = 0.12;

impl Axis {
    /// A scale from 0 to a round number that is not below `most`, in 4 to 8 even steps. `label` gets a tick and the step.
    pub fn linear(most: f64, label: impl Fn(f64, f64) -> String) -> Self {
        let most = if most > 0.0 { most } else { 1.0 };
        let power = 10_f64.powf((most / 4.0).log10().floor());
        let step = [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|step| step * 4.0 <= most);
        let step = step.unwrap_or(power);
        // A number at a tick may be above it by a rounding error.
        let steps = (1..=20).find(|&count| f64::from(count) * step >= most * (1.0 - 1e-9)).unwrap_or(1);
        let ticks = (0..=steps).map(|count| f64::from(count) * step);
        let high = f64::from(steps) * step;
        let ticks = ticks.map(|tick| (tick, label(tick, step))).collect();
        Self { low: 0.0, high, scale: Scale::Linear, ticks }
    }

    /// A scale from a round number below `least`, which is above 0, to a round number above `most`, by powers of ten.
    pub fn logarithmic(least: f64, most: f64, label: impl Fn(f64) -> String) -> Self {
        let slack = 1.0 + 1e-9;
        let low = round_numbers().rev().find(|tick| *tick <= least * slack).unwrap_or(least);
        let high = round_numbers().find(|tick| tick * slack >= most).unwrap_or(most);
        let mut ticks: Vec<f64> =
            round_numbers().filter(|tick| *tick >= low / slack && *tick <= high * slack).collect();
        if ticks.len() > 8 {
            let is_power = |tick: &f64| (tick.log10() - tick.log10().round()).abs() < 1e-6;
            ticks.retain(is_power);
        }
        let ticks = ticks.into_iter().map(|tick| (tick, label(tick))).collect();
        Self { low, high, scale: Scale::Logarithmic, ticks }
    }

    /// A square-root scale from 0 to `most`: half the height is a quarter of the number, so that small numbers stay visible.
    pub fn square_root(most: f64, label: impl Fn(f64) -> String) -> Self {
        let high = if most > 0.0 { most } else { 1.0 };
        let mut axis = Self { low: 0.0, high, scale: Scale::SquareRoot, ticks: Vec::new() };
        let mut ticks = vec![high];
        for tick in round_numbers().rev().filter(|tick| *tick >= 1.0).chain([0.0]) {
            let below = ticks.last().map_or(0.0, |&last| axis.position(last)) - CLOSEST;
            let has_room = axis.position(tick) <= below && axis.position(tick) >= CLOSEST;
            if tick < high && (has_room || tick == 0.0) {
                ticks.push(tick);
            }
        }
        axis.ticks = ticks.into_iter().rev().map(|tick| (tick, label(tick))).collect();
        axis
    }

    /// The position of a number, from 0 at the bottom to 1 at the top.
    pub fn position(&self, value: f64) -> f64 {
        let scaled = |value: f64| match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic => value.max(self.low).log10(),
            Scale::SquareRoot => value.max(0.0).sqrt(),
        };
        let (low, high) = (scaled(self.low), scaled(self.high));
        ((scaled(value) - low) / (high - low)).clamp(0.0, 1.0)
    }

    /// A number of rows near the given one that gives each step of an even scale the same number of rows.
    pub fn rows(&self, wanted: u16) -> u16 {
        let steps = u16::try_from(self.ticks.len().saturating_sub(1)).unwrap_or(1).max(1);
        if self.scale != Scale::Linear || steps >= wanted {
            return wanted;
        }
        let each = (2 * (wanted - 1) + steps) / (2 * steps);
        steps * each + 1
    }

    /// `, logarithmic` if the scale is logarithmic, else empty.
    pub fn note(&self) -> &'static str {
        if self.scale == Scale::Logarithmic { ", logarithmic" } else { "" }
    }
}

/// 1, 2 and 5 times each power of ten, ascending.
fn round_numbers() -> impl DoubleEndedIterator<Item = f64> {
    (-9..=19).flat_map(|exponent: i32| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(exponent)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn square_root_scale_shows_only_ticks_with_room() {
        let axis = Axis::square_root(5299.0, |tick| tick.to_string());
        let labels: Vec<&str> = axis.ticks.iter().map(|(_, label)| label.as_str()).collect();
        // 5000 is at .97. 200 is at .19, which is too close to 500 at .31. 50 at .10 is too close to 0.
        assert_eq!(labels, ["0", "100", "500", "1000", "2000", "5299"]);
        assert!((axis.position(5299.0 / 4.0) - 0.5).abs() < 1e-12);
        assert_eq!(Axis::square_root(0.0, |tick| tick.to_string()).ticks.len(), 2);
    }
}
