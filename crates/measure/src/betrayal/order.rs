//! Numbers and dates that have the same order, or the reverse.
//!
//! Each row gets a range of the quasi-identifier: from the least to the greatest value of its nearest rows by the column, two
//! on each side, and so much more on both sides that 95 % of the rows are within their range.

use super::Relation;
use super::column::{Column, Quasi, mixed};
use super::evidence::{Evidence, Finding, Model as AnyModel};

/// The nearest rows on each side.
const NEAREST: usize = 2;
/// A weaker rank correlation is not looked at.
const LEAST_CORRELATION: f64 = 0.8;
/// Fewer distinct values have no order to speak of.
const LEAST_VALUES: usize = 3;

/// The numbers of the looked-at rows, their order, and their ranks.
pub(super) struct Ranks {
    /// The number of each looked-at row.
    values: Vec<Option<f64>>,
    /// The positions of looked-at rows that have a number, ascending by it; rows with the same number in an order of chance.
    order: Vec<u32>,
    /// The rank of each looked-at row, the mean rank for equal numbers; 0 for a row without a number.
    of_row: Vec<f64>,
    distinct: usize,
}

impl Ranks {
    /// The ranks of a column; `None` if it is no scale, or has too few values.
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

/// Ranges of a quasi-identifier, learned from the looked-at rows.
pub(super) struct Model {
    /// The numbers of the looked-at rows that have both, ascending by the column's.
    points: Vec<(f64, f64)>,
    tolerance: f64,
    /// Whether the nearest rows leave one value in the median row: then each row is fixed, and its neighbours only blur it.
    is_exact: bool,
    /// The leaves that have a number, ascending by it.
    leaves: Vec<(f64, u32)>,
}

/// Whether the order of a column gives a quasi-identifier away.
#[expect(clippy::cast_precision_loss, reason = "counts of rows")]
pub(super) fn find(
    own: Option<&Ranks>,
    quasi_ranks: Option<&Ranks>,
    quasi: &Quasi,
    sample: &[u32],
) -> Option<Finding> {
    let (own, other) = (own?, quasi_ranks?);
    let has_value = |nth: &&u32| {
        other.values[**nth as usize].is_some()
            && quasi
                .missing
                .is_none_or(|missing| quasi.column.cells[sample[**nth as usize] as usize] != missing)
    };
    let both: Vec<u32> = own.order.iter().filter(has_value).copied().collect();
    if both.len() <= 2 * NEAREST || own.distinct < LEAST_VALUES {
        return None;
    }
    let correlation =
        correlation(both.iter().map(|&nth| (own.of_row[nth as usize], other.of_row[nth as usize])));
    if correlation.abs() < LEAST_CORRELATION {
        return None;
    }
    let point = |&nth: &u32| own.values[nth as usize].zip(other.values[nth as usize]);
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
    let model = AnyModel::Order(Model { points, tolerance, is_exact: width == 0.0, leaves });
    Some(Finding {
        relation: Relation::Monotone { correlation, width, in_days: scale.is_date },
        evidence,
        model,
    })
}

/// The least and the greatest value of the nearest points of a point, without it.
fn nearest(points: &[(f64, f64)], nth: usize) -> (f64, f64) {
    let from = nth.saturating_sub(NEAREST);
    let to = (nth + NEAREST + 1).min(points.len());
    let others = points[from..nth].iter().chain(&points[nth + 1..to]);
    range(others.map(|&(_, value)| value))
}

fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// The number below or at which `part` of `of` parts of all numbers are.
fn quantile(mut numbers: Vec<f64>, part: usize, of: usize) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let position = (numbers.len() * part).div_ceil(of).max(1) - 1;
    numbers.get(position).copied().unwrap_or(0.0)
}

/// Pearson's correlation; 0 if either has one value only.
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
    /// The leaves within the range of a text: that of the rows with its number, and of the nearest beside them if these are few.
    pub(super) fn codes(&self, column: &Column, text: usize) -> Option<Vec<u32>> {
        let number = column.scale.as_ref()?.values[text]?;
        let from = self.points.partition_point(|&(own, _)| own < number);
        let to = self.points.partition_point(|&(own, _)| own <= number);
        let is_many = to - from > 2 * NEAREST || (self.is_exact && from < to);
        let (from, to) = if is_many {
            (from, to)
        } else {
            (from.saturating_sub(NEAREST), (to + NEAREST).min(self.points.len()))
        };
        let mut values: Vec<f64> = self.points[from..to].iter().map(|&(_, value)| value).collect();
        values.sort_unstable_by(f64::total_cmp);
        // A wrong value among many must not widen the range.
        let cut = values.len() / 40;
        let (low, high) = range(values[cut..values.len() - cut].iter().copied());
        let first = self.leaves.partition_point(|&(value, _)| value < low - self.tolerance);
        let end = self.leaves.partition_point(|&(value, _)| value <= high + self.tolerance);
        Some(self.leaves[first..end].iter().map(|&(_, code)| code).collect())
    }
}
