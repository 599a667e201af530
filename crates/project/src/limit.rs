//! The limit of a quasi-identifier's published sets or ranges: the keys `terms` and `borders`.

use std::num::NonZeroU32;

use palmtop_core::model::Level;

/// The limit of the sets or ranges that regions publish of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A set has at most this number of terms; one term is a label of the hierarchy.
    Terms(NonZeroU32),
    /// A range begins and ends at labels of this level.
    Borders(Level),
    /// Any set, or any range.
    Free,
}

impl Limit {
    /// The key and its value in the project; `None` without a limit.
    pub fn key(self) -> Option<String> {
        match self {
            Self::Terms(terms) => Some(format!("terms = {terms}")),
            Self::Borders(level) => Some(format!("borders = {level}")),
            Self::Free => None,
        }
    }
}
