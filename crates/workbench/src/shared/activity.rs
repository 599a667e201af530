//! What goes on in the background.

use std::ops::BitOr;

/// What goes on in the background.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Activity {
    /// Something is counted that was asked for.
    pub(crate) is_counting: bool,
    /// It answers the last key and is about to come: a frame before it would only flicker.
    pub(crate) is_answering: bool,
    /// It takes so long that a clock shows it.
    pub(crate) is_busy: bool,
}

impl Activity {
    /// Nothing, or something that nobody waits for.
    pub(crate) fn counting(is_counting: bool) -> Self {
        Self { is_counting, ..Self::default() }
    }

    /// Nothing, or the answer to the last key.
    pub(crate) fn answering(is_answering: bool) -> Self {
        Self { is_counting: is_answering, is_answering, is_busy: false }
    }

    /// Nothing, or something that a clock shows.
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
