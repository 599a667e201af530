//! Numbers and dates that have the same order, or the reverse order.
//!
//! Each row gets a range of the quasi-identifier. The range covers the values of its nearest rows
//! by the column, two on each side. All ranges are widened equally on both sides, until 95 % of the
//! rows are within their range.

use super::column::{Column, Quasi, mixed};
use super::evidence::{Evidence, Finding};
use super::relation::Relation;

/// The number of nearest rows on each side.
const NEAREST: usize = 2;
/// The weakest rank correlation that is examined further.
const LEAST_CORRELATION: f64 = 0.8;
/// The fewest distinct values that have a meaningful order.
const LEAST_VALUES: usize = 3;

/// The numbers of the compared rows, their order, and their ranks.
pub(super) struct Ranks {
    /// The number of each compared row.
    values: Vec<Option<f64>>,
    /// The positions of compared rows with a number, in ascending order of it. Rows with equal
    /// numbers are in a random but fixed order.
    order: Vec<u32>,
    /// The rank of each compared row. Equal numbers have their mean rank, and a row without a
    /// number has 0.
    of_row: Vec<f64>,
    distinct: usize,
}

impl Ranks {
    /// The ranks of a column; `None` if it has no scale or too few distinct values.
    #[expect(clippy::cast_precision_loss, reason = "ranks of rows")]
    pub(super) fn of(column: &Column, sample: &[u32]) -> Option<Self> {
        column.scale.as_ref()?;
        let values: Vec<Option<f64>> = sample.iter().map(|&row| column.value(row)).collect();
        let number = |nth: u32| values[nth as usize].unwrap_or(f64::NAN);
        let mut order: Vec<u32> =
            (0..).zip(&values).filter(|(_, value)| value.is_some()).map(|(nth, _)| nth).collect();
        order.sort_unstable_by(|&left, &right| {
            let by_value = number(left).total_cmp(&number(right));
            by_value.then_with(|| mixed(u64::from(left)).cmp(&mixed(u64::from(right))))
        });
        let mut ranks = vec![0.0; values.len()];
        let (mut distinct, mut before) = (0, 0_usize);
        for same in order.chunk_by(|&left, &right| number(left).total_cmp(&number(right)).is_eq()) {
            let rank = before as f64 + f64::midpoint(same.len() as f64, 1.0);
            for &nth in same {
                ranks[nth as usize] = rank;
            }
            before += same.len();
            distinct += 1;
        }
        (distinct >= LEAST_VALUES).then_some(Self { values, order, of_row: ranks, distinct })
    }
}

/// Ranges of a quasi-identifier, learned from the compared rows.
pub(super) struct Model {
    /// The two numbers of each compared row that has both, in ascending order of the column's
    /// number.
    points: Vec<(f64, f64)>,
    tolerance: f64,
    /// Whether the nearest rows leave one value in the median row. Then rows with the same number
    /// determine the value, and their neighbours would only widen the range.
    is_exact: bool,
    /// The leaves that have a number, in ascending order of it.
    leaves: Vec<(f64, u32)>,
}

/// The finding that the order of a column gives a quasi-identifier away, if it does.
#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
pub(super) fn find(
    ranks: Option<&Ranks>,
    quasi_ranks: Option<&Ranks>,
    quasi: &Quasi,
    sample: &[u32],
) -> Option<Finding<Model>> {
    let (ranks, other) = (ranks?, quasi_ranks?);
    let has_value = |nth: &&u32| {
        other.values[**nth as usize].is_some()
            && quasi
                .missing
                .is_none_or(|missing| quasi.column.cells[sample[**nth as usize] as usize] != missing)
    };
    let both: Vec<u32> = ranks.order.iter().filter(has_value).copied().collect();
    if both.len() <= 2 * NEAREST || ranks.distinct < LEAST_VALUES {
        return None;
    }
    let correlation =
        correlation(both.iter().map(|&nth| (ranks.of_row[nth as usize], other.of_row[nth as usize])));
    if correlation.abs() < LEAST_CORRELATION {
        return None;
    }
    let point = |&nth: &u32| ranks.values[nth as usize].zip(other.values[nth as usize]);
    let points: Vec<(f64, f64)> = both.iter().filter_map(point).collect();
    let ranges: Vec<(f64, f64)> = (0..points.len()).map(|nth| nearest(&points, nth)).collect();
    let beyond =
        |(&(_, value), &(low, high)): (&(f64, f64), &(f64, f64))| (low - value).max(value - high).max(0.0);
    let deviations: Vec<f64> = points.iter().zip(&ranges).map(beyond).collect();
    let tolerance = quantile(deviations.clone(), 19, 20);
    let mut sorted: Vec<f64> = points.iter().map(|&(_, value)| value).collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let left = ranges.iter().map(|&(low, high)| {
        let from = sorted.partition_point(|&value| value < low - tolerance);
        (sorted.partition_point(|&value| value <= high + tolerance) - from) as f64
    });
    let rows = points.len() as u64;
    let share = left.sum::<f64>() / (rows * rows) as f64;
    let hits = deviations.iter().filter(|&&deviation| deviation <= tolerance).count() as u64;
    let evidence = Evidence { rows, speaking: rows, hits, chance: share * rows as f64, share };
    if !evidence.is_narrow() {
        return None;
    }
    let width = quantile(ranges.iter().map(|(low, high)| high - low).collect(), 1, 2) + 2.0 * tolerance;
    let scale = quasi.column.scale.as_ref()?;
    let mut leaves: Vec<(f64, u32)> =
        scale.values.iter().zip(0..).filter_map(|(value, code)| Some(((*value)?, code))).collect();
    leaves.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
    let model = Model { points, tolerance, is_exact: width == 0.0, leaves };
    Some(Finding {
        relation: Relation::Monotone { correlation, width, in_days: scale.is_date },
        evidence,
        model,
    })
}

/// The least and the greatest value of the nearest points of a point, without the point itself.
fn nearest(points: &[(f64, f64)], nth: usize) -> (f64, f64) {
    let from = nth.saturating_sub(NEAREST);
    let to = (nth + NEAREST + 1).min(points.len());
    let others = points[from..nth].iter().chain(&points[nth + 1..to]);
    range(others.map(|&(_, value)| value))
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// The least number such that at least `part`/`of` of all numbers are not greater.
fn quantile(mut numbers: Vec<f64>, part: usize, of: usize) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let position = (numbers.len() * part).div_ceil(of).max(1) - 1;
    numbers.get(position).copied().unwrap_or(0.0)
}

/// Pearson's correlation; 0 if either side has only one value.
#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
fn correlation(pairs: impl Iterator<Item = (f64, f64)> + Clone) -> f64 {
    let (mut count, mut left_sum, mut right_sum) = (0_u64, 0.0, 0.0);
    for (left, right) in pairs.clone() {
        (count, left_sum, right_sum) = (count + 1, left_sum + left, right_sum + right);
    }
    let (left_mean, right_mean) = (left_sum / count as f64, right_sum / count as f64);
    let (mut product, mut left_square, mut right_square) = (0.0, 0.0, 0.0);
    for (left, right) in pairs {
        let (left, right) = (left - left_mean, right - right_mean);
        product += left * right;
        left_square += left * left;
        right_square += right * right;
    }
    let scale = f64::sqrt(left_square * right_square);
    if scale > 0.0 { product / scale } else { 0.0 }
}

impl Model {
    /// The leaves within the range of a text. The range comes from the rows with the text's number.
    /// If these rows are few, their nearest rows are added.
    pub(super) fn codes(&self, column: &Column, text: usize) -> Option<Vec<u32>> {
        let number = column.scale.as_ref()?.values[text]?;
        let from = self.points.partition_point(|&(value, _)| value < number);
        let to = self.points.partition_point(|&(value, _)| value <= number);
        let is_many = to - from > 2 * NEAREST || (self.is_exact && from < to);
        let (from, to) = if is_many {
            (from, to)
        } else {
            (from.saturating_sub(NEAREST), (to + NEAREST).min(self.points.len()))
        };
        let mut values: Vec<f64> = self.points[from..to].iter().map(|&(_, value)| value).collect();
        values.sort_unstable_by(f64::total_cmp);
        // One wrong value among many must not widen the range.
        let cut = values.len() / 40;
        let (low, high) = range(values[cut..values.len() - cut].iter().copied());
        let first = self.leaves.partition_point(|&(value, _)| value < low - self.tolerance);
        let end = self.leaves.partition_point(|&(value, _)| value <= high + self.tolerance);
        Some(self.leaves[first..end].iter().map(|&(_, code)| code).collect())
    }
}
