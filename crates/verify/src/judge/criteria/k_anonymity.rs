//! k-anonymity: each class has at least k released rows, and at least k members match it.

use super::twin::{Released, Twin, whole_number};

pub(super) const TWIN: Twin =
    Twin { key: "k", expected: "a whole number from 1, in plain digits", reads, holds, achieved };

/// The size of the smallest class. If rows and members differ, the smaller number counts.
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
