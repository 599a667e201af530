//! Counts as floats.

/// A number of people.
#[expect(clippy::cast_precision_loss, reason = "people of T are fewer than 2^53")]
pub(super) fn float(count: u64) -> f64 {
    count as f64
}

/// A number of values, classes or attributes.
#[expect(clippy::cast_precision_loss, reason = "fewer than 2^53")]
pub(super) fn size(count: usize) -> f64 {
    count as f64
}
