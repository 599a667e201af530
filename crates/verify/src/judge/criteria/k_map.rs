//! k-map: at least k individuals in P match each class.

use super::twin::{Released, Twin, whole_number};

pub(super) const TWIN: Twin =
    Twin { key: "k_map", expected: "a whole number from 1, in plain digits", reads, holds, achieved };

/// The number of individuals in P who match the smallest class.
fn smallest(released: &Released) -> Option<u64> {
    released.rows.iter().map(|row| row.public).min()
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
