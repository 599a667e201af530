//! Levels of hierarchies, and kinds of values.

use std::fmt;

/// A level of a hierarchy: 0 is the value as loaded, the top is `*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u8);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What an attribute's values are, and so how they are ordered and how a part of them is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Ordered by value; a part is a range.
    Number,
    /// Ordered by time; a part is a range.
    Date,
    /// Ordered by a walk of the hierarchy; a part is a set.
    Category,
}

impl Kind {
    /// Whether a region's side is a range rather than a set.
    pub fn is_ordered(self) -> bool {
        !matches!(self, Self::Category)
    }

    /// The word for it in projects and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Category => "category",
        }
    }
}
