//! k-map, recounted: so many people of P match each released row.

use super::{Recounted, Twin, whole_number};

pub(super) const TWIN: Twin =
    Twin { key: "k_map", expected: "a whole number from 1, in plain digits", holds, achieved };

fn smallest(rows: &[Recounted]) -> Option<u64> {
    rows.iter().map(|row| row.public).min()
}

fn holds(text: &str, rows: &[Recounted]) -> Option<bool> {
    let k = whole_number(text)?;
    Some(smallest(rows).is_none_or(|smallest| smallest >= k))
}

fn achieved(rows: &[Recounted]) -> Option<String> {
    smallest(rows).map(|smallest| smallest.to_string())
}
