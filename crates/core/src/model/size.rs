//! Numbers of things, in as many bits as they need.
//!
//! Sizes are checked once, where what has them is made: [`Histogram::new`](super::Histogram::new) takes no more combinations
//! than 32 bits can number, [`Hierarchy::new`](super::Hierarchy::new) no more leaves, and at most
//! [`MOST_LEVELS`](super::Hierarchy::MOST_LEVELS) levels. There are no more rows, regions, classes, sides and labels than
//! these, so that whatever is numbered here fits. Where it does not, something is broken and the work stops: a number cut
//! off to fit would be another thing's.

/// The largest number of levels of a hierarchy: a level is numbered in 8 bits.
pub(super) const MOST_LEVELS: usize = 250;

/// The number of a combination, leaf, label, side, region or class.
///
/// # Panics
/// If it does not fit 32 bits.
pub fn number(index: usize) -> u32 {
    u32::try_from(index).expect("checked where the histogram and the hierarchies are made")
}

/// A number of levels or of steps above one.
///
/// # Panics
/// If it does not fit 8 bits.
pub fn steps(count: usize) -> u8 {
    u8::try_from(count).expect("checked where the hierarchies are made")
}

/// A number as the index of what is held in memory.
///
/// # Panics
/// If nothing so large could be held.
pub fn index(number: u64) -> usize {
    usize::try_from(number).expect("checked before anything so large was made")
}
