//! Discernibility (DM): each private person costs the size of the person's class (Bayardo and
//! Agrawal 2005). A withdrawn person costs |T|.

use crate::model::Classes;

/// Σ a² over the released classes, plus |T| for each withdrawn member.
///
/// # Panics
/// As [`of_private_counts`].
pub fn of_classes(classes: &Classes) -> u64 {
    if let Some(pool) = classes.pooled_counts() {
        let members: u64 = classes.all_counts().map(|counts| counts.private).sum();
        let released = of_private_counts(classes.counts_without_pool().map(|counts| counts.private));
        let withdrawn = pool.private.checked_mul(members);
        return withdrawn.and_then(|withdrawn| released.checked_add(withdrawn)).expect(FITS);
    }
    let squares = |sum: Option<u64>, (private, times): (u64, u64)| {
        sum?.checked_add(private.checked_mul(private)?.checked_mul(times)?)
    };
    let spread = classes.spread().iter().map(|(data, times)| (data.counts().private, *times));
    spread.fold(Some(0), squares).expect(FITS)
}

/// Σ a² over private counts.
///
/// # Panics
/// If the sum exceeds 64 bits. This is impossible for fewer than 2³² people, and larger tables are
/// refused.
pub fn of_private_counts(counts: impl IntoIterator<Item = u64>) -> u64 {
    let squares = |sum: Option<u64>, private: u64| sum?.checked_add(private.checked_mul(private)?);
    let sum = counts.into_iter().fold(Some(0), squares);
    sum.expect(FITS)
}

const FITS: &str = "a private table has fewer than 2^32 people";
