//! Bins of a column's values: sets of them are bits of one word.

/// The largest number of bins of a column. If it has more distinct values, neighbours share a bin.
pub(crate) const BINS: usize = 64;

/// The indices of the bits that are set, in ascending order.
pub(crate) fn ones(bits: u64) -> impl Iterator<Item = usize> {
    let mut left = bits;
    std::iter::from_fn(move || {
        let bit = (left != 0).then_some(left.trailing_zeros() as usize)?;
        left &= left - 1;
        Some(bit)
    })
}
