//! The background work of a screen or of the workbench.

use std::ops::BitOr;

/// The background work at this moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Activity {
    /// A requested count is running.
    pub(crate) is_counting: bool,
    /// The answer to the last key is about to come: a frame before it would only flicker.
    pub(crate) is_answering: bool,
    /// The work takes so long that a clock shows it.
    pub(crate) is_busy: bool,
}

impl Activity {
    /// Background work that nobody waits for, or no work.
    pub(crate) fn counting(is_counting: bool) -> Self {
        Self { is_counting, ..Self::default() }
    }

    /// The answer to the last key, or no work.
    pub(crate) fn answering(is_answering: bool) -> Self {
        Self { is_counting: is_answering, is_answering, is_busy: false }
    }

    /// Work with a clock, or no work.
    pub(crate) fn busy(is_busy: bool) -> Self {
        Self { is_counting: is_busy, is_answering: false, is_busy }
    }
}

impl BitOr for Activity {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self {
            is_counting: self.is_counting | other.is_counting,
            is_answering: self.is_answering | other.is_answering,
            is_busy: self.is_busy | other.is_busy,
        }
    }
}
