//! Intervals of numbers: an interval-based builder of ARX.
//!
//! The intervals of a specification repeat in both directions. Two ranges end them: beyond `repeat`,
//! the outermost interval is extended up to `snap`; beyond `snap`, all values have one label; beyond
//! `label`, ARX refuses values. The computation follows `HierarchyBuilderIntervalBased`, with exact
//! decimals in place of floating-point numbers.

use rust_decimal::Decimal;

use super::label::{Distinct, Function};
use super::part::Groups;
use crate::hierarchies::plain_decimal;
use palmtop_core::text::toml_string;

/// The most bands of a level in TOML.
const MOST_BANDS: usize = 10_000;

/// A half-open interval.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Interval {
    pub(super) min: Decimal,
    pub(super) max: Decimal,
    pub(super) function: Function,
}

/// One end of the numbers, as written; `None` stands for the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Bounds {
    pub(super) repeat: Option<Decimal>,
    pub(super) snap: Option<Decimal>,
    pub(super) label: Option<Decimal>,
}

/// One end of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct End {
    repeat: Decimal,
    snap: Decimal,
    label: Decimal,
}

impl Bounds {
    fn or(self, default: Decimal) -> End {
        let repeat = self.repeat.unwrap_or(default);
        let snap = self.snap.unwrap_or(repeat);
        End { repeat, snap, label: self.label.unwrap_or(snap) }
    }
}

/// An interval-based builder.
#[derive(Debug)]
pub(super) struct Intervals {
    levels: Vec<Bands>,
    is_decimal: bool,
}

/// The intervals of a level.
#[derive(Debug)]
struct Bands {
    intervals: Vec<Interval>,
    lower: End,
    upper: End,
    lowest: Interval,
    highest: Interval,
}

/// The group of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Band {
    Below,
    Above,
    Between(Interval),
}

/// A number has too many digits.
fn too_large() -> String {
    "the intervals need numbers of more than 28 digits".to_owned()
}

impl Intervals {
    pub(super) fn new(
        intervals: Vec<Interval>,
        lower: Bounds,
        upper: Bounds,
        groups: Vec<Groups>,
        is_decimal: bool,
    ) -> Result<Self, String> {
        let (Some(first), Some(last)) = (intervals.first(), intervals.last()) else {
            return Err("the specification has no intervals".to_owned());
        };
        let (lower, upper) = (lower.or(first.min), upper.or(last.max));
        let ordered = [lower.label, lower.snap, lower.repeat, upper.repeat, upper.snap, upper.label];
        if !ordered.is_sorted() || lower.repeat == upper.repeat {
            return Err("the bounds of the ranges are not in ascending order".to_owned());
        }
        let mut levels = vec![Bands::new(intervals, lower, upper)?];
        for groups in groups {
            let finest = &levels[levels.len() - 1];
            levels.push(Bands::new(finest.grouped(&groups)?, lower, upper)?);
        }
        Ok(Self { levels, is_decimal })
    }

    /// Bands in TOML, over all numbers.
    ///
    /// # Errors
    /// There are too many bands.
    pub(super) fn to_toml(&self) -> Result<String, String> {
        let mut text = "type = \"interval\"\n".to_owned();
        for (bands, number) in self.levels.iter().zip(1..) {
            let all = bands.all().map_err(|problem| format!("level {number}: {problem}"))?;
            let mut distinct = Distinct::new();
            let mut cuts = vec![bands.lower.snap.normalize().to_string()];
            let mut labels = vec![toml_string(&self.label(bands, &Band::Below))];
            for interval in all {
                cuts.push(interval.max.normalize().to_string());
                let label = self.label(bands, &Band::Between(interval.clone()));
                labels.push(toml_string(&distinct.label(label, interval)));
            }
            labels.push(toml_string(&self.label(bands, &Band::Above)));
            text.push_str(&format!("\n[[level]]\ncuts = [{}]\n", cuts.join(", ")));
            text.push_str(&format!("labels = [{}]\n", labels.join(", ")));
        }
        Ok(text)
    }

    /// The labels of each value, as ARX builds them.
    ///
    /// # Errors
    /// A value that is no number, or that is beyond the bounds.
    pub(super) fn rows(&self, values: &[String]) -> Result<Vec<Vec<String>>, String> {
        let mut rows: Vec<Vec<String>> = values.iter().map(|value| vec![value.clone()]).collect();
        let number =
            |value: &String| plain_decimal(value).ok_or_else(|| format!("`{value}` is no plain number"));
        let numbers = values.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        for bands in &self.levels {
            let mut distinct = Distinct::new();
            let mut known = Vec::new();
            for (row, number) in rows.iter_mut().zip(&numbers) {
                let band = bands.band(*number)?.ok_or_else(|| {
                    let (low, high) = (bands.lower.label, bands.upper.label);
                    format!("{number} is not from {low} to below {high}, the bounds of the specification")
                })?;
                row.push(distinct.label(self.label(bands, &band), band.clone()));
                if !known.contains(&band) && known.len() < 2 {
                    known.push(band);
                }
            }
            // ARX adds no level above one label.
            if known.len() <= 1 {
                break;
            }
        }
        Ok(rows)
    }

    fn label(&self, bands: &Bands, band: &Band) -> String {
        match band {
            Band::Below => format!("<{}", self.text(bands.lower.snap)),
            Band::Above => format!(">={}", self.text(bands.upper.snap)),
            Band::Between(interval) => {
                interval.function.of_interval(&self.text(interval.min), &self.text(interval.max))
            }
        }
    }

    /// A number as ARX writes it: a decimal number has a decimal point.
    fn text(&self, number: Decimal) -> String {
        let text = number.normalize().to_string();
        if self.is_decimal && !text.contains('.') { text + ".0" } else { text }
    }
}

impl Bands {
    fn new(intervals: Vec<Interval>, lower: End, upper: End) -> Result<Self, String> {
        for pair in intervals.windows(2) {
            if pair[0].max != pair[1].min {
                return Err(format!("there is a gap between {} and {}", pair[0].max, pair[1].min));
            }
        }
        if let Some(empty) = intervals.iter().find(|interval| interval.min >= interval.max) {
            return Err(format!("the interval from {} to {} is empty", empty.min, empty.max));
        }
        let placeholder = intervals[0].clone();
        let mut bands = Self { intervals, lower, upper, lowest: placeholder.clone(), highest: placeholder };
        bands.lowest = Interval { min: lower.snap, ..bands.repeated(lower.repeat)? };
        bands.highest = Interval { max: upper.snap, ..bands.repeated_below(upper.repeat)? };
        if bands.lowest.max > bands.highest.min {
            bands.lowest.max = bands.highest.max;
            bands.highest = bands.lowest.clone();
        }
        Ok(bands)
    }

    /// The first bound, and the sum of the widths.
    fn period(&self) -> Result<(Decimal, Decimal), String> {
        let (first, last) = (&self.intervals[0], &self.intervals[self.intervals.len() - 1]);
        let width = last.max.checked_sub(first.min).ok_or_else(too_large)?;
        Ok((first.min, width))
    }

    /// How far the intervals are shifted at a number.
    fn shift(&self, number: Decimal) -> Result<Decimal, String> {
        let (start, width) = self.period()?;
        let distance = number.checked_sub(start).ok_or_else(too_large)?;
        let rest = distance.checked_rem(width).ok_or_else(too_large)?;
        let rest = if rest < Decimal::ZERO { rest + width } else { rest };
        distance.checked_sub(rest).ok_or_else(too_large)
    }

    /// The interval at a number.
    fn repeated(&self, number: Decimal) -> Result<Interval, String> {
        let shift = self.shift(number)?;
        let index = self.intervals.partition_point(|interval| interval.max + shift <= number);
        self.shifted(index, shift)
    }

    /// The interval that ends at a number, or that has it inside.
    fn repeated_below(&self, number: Decimal) -> Result<Interval, String> {
        let shift = self.shift(number)?;
        let index = self.intervals.partition_point(|interval| interval.max + shift < number);
        let (start, width) = self.period()?;
        if start + shift == number {
            return self.shifted(self.intervals.len() - 1, shift - width);
        }
        self.shifted(index, shift)
    }

    fn shifted(&self, index: usize, shift: Decimal) -> Result<Interval, String> {
        let interval = self.intervals.get(index).ok_or_else(too_large)?;
        Ok(Interval {
            min: interval.min.checked_add(shift).ok_or_else(too_large)?,
            max: interval.max.checked_add(shift).ok_or_else(too_large)?,
            function: interval.function.clone(),
        })
    }

    /// The group of a number; `None` if it is beyond the bounds.
    fn band(&self, number: Decimal) -> Result<Option<Band>, String> {
        if number < self.lower.label || number >= self.upper.label {
            return Ok(None);
        }
        if number < self.lower.snap {
            return Ok(Some(Band::Below));
        }
        if number >= self.upper.snap {
            return Ok(Some(Band::Above));
        }
        let interval = self.repeated(number)?;
        Ok(Some(Band::Between(if interval.min < self.lowest.max {
            self.lowest.clone()
        } else if interval.max > self.highest.min {
            self.highest.clone()
        } else {
            interval
        })))
    }

    /// All intervals from the lower `snap` to the upper one.
    fn all(&self) -> Result<Vec<Interval>, String> {
        let mut all = Vec::new();
        let mut start = self.lower.snap;
        while start < self.upper.snap {
            let Some(Band::Between(interval)) = self.band(start)? else { break };
            if interval.min != start || interval.max <= start {
                return Err(format!("the bands around {start} overlap"));
            }
            if all.len() == MOST_BANDS {
                return Err(format!("there are more than {MOST_BANDS} bands; write a .csv file"));
            }
            start = interval.max;
            all.push(interval);
        }
        Ok(all)
    }

    /// The intervals of the level above.
    fn grouped(&self, groups: &Groups) -> Result<Vec<Interval>, String> {
        let (_, width) = self.period()?;
        let count = self.intervals.len();
        let total = groups.iter().try_fold(0_usize, |total, (size, _)| total.checked_add(*size));
        let total =
            total.filter(|total| *total <= 1_000_000).ok_or("the groups have more than 1000000 elements")?;
        // Groups of more elements than there are go on in the next repetition; others begin again.
        let repeats = total >= count;
        let shift = |index: usize| width.checked_mul(Decimal::from(index / count)).ok_or_else(too_large);
        let mut grouped = Vec::new();
        let mut next = 0;
        for (size, function) in groups.iter().cycle() {
            let last = if repeats { next + size } else { (next + size).min(count) } - 1;
            let (first, end) =
                (self.shifted(next % count, shift(next)?)?, self.shifted(last % count, shift(last)?)?);
            grouped.push(Interval { min: first.min, max: end.max, function: function.clone() });
            next = last + 1;
            if next >= if repeats { total } else { count } {
                break;
            }
        }
        Ok(grouped)
    }
}
