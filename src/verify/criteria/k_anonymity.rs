//! k-anonymity, recounted: a released row occurs k times, and so many of T match it.

use super::{Recounted, Twin, whole_number};

pub(super) const TWIN: Twin =
    Twin { key: "k", expected: "a whole number from 1, in plain digits", holds, achieved };

/// The rows of the smallest class. Of a row that says something else than T does, the smaller figure counts.
fn smallest(rows: &[Recounted]) -> Option<u64> {
    rows.iter().map(|row| row.rows.min(row.private)).min()
}

fn holds(text: &str, rows: &[Recounted]) -> Option<bool> {
    let k = whole_number(text)?;
    Some(smallest(rows).is_none_or(|smallest| smallest >= k))
}

fn achieved(rows: &[Recounted]) -> Option<String> {
    smallest(rows).map(|smallest| smallest.to_string())
}
