//! k-anonymity, recounted: a released row occurs k times, and so many of T match it.

use super::{Released, Twin, whole_number};

pub(super) const TWIN: Twin =
    Twin { key: "k", expected: "a whole number from 1, in plain digits", reads, holds, achieved };

/// The rows of the smallest class. Of a row that says something else than T does, the smaller figure counts.
fn smallest(released: &Released) -> Option<u64> {
    released.rows.iter().map(|row| row.rows.min(row.private)).min()
}

fn reads(text: &str) -> bool {
    whole_number(text).is_some()
}

fn holds(text: &str, released: &Released) -> Option<bool> {
    let k = whole_number(text)?;
    Some(smallest(released).is_none_or(|smallest| smallest >= k))
}

fn achieved(_: Option<&str>, released: &Released) -> Option<String> {
    smallest(released).map(|smallest| smallest.to_string())
}
