//! Discernibility (DM): each private person is charged the size of the class that hides him (Bayardo and Agrawal 2005).

use crate::model::EquivalenceClass;

/// Σ a² over the released classes; saturates at `u64::MAX`.
pub fn of_classes(classes: &[EquivalenceClass]) -> u64 {
    of_private_counts(classes.iter().map(|class| class.counts.private))
}

/// Σ a² over private counts; saturates at `u64::MAX`.
pub fn of_private_counts(counts: impl IntoIterator<Item = u64>) -> u64 {
    counts.into_iter().fold(0, |sum: u64, private| sum.saturating_add(private.saturating_mul(private)))
}
