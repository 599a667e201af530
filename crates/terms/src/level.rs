//! Levels of hierarchies and kinds of values.

use std::fmt;

/// A level of a hierarchy. 0 has the values of the hierarchy file; the top is usually `*`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Level(pub u8);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The kind of an attribute's values. It decides their order and the form of a published part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Ordered by value; a part is a range.
    Number,
    /// Ordered by time; a part is a range.
    Date,
    /// Ordered by a depth-first walk of the hierarchy; a part is a set.
    Category,
}

impl Kind {
    /// Whether a published part is a range and not a set.
    pub fn is_ordered(self) -> bool {
        !matches!(self, Self::Category)
    }

    /// The word in projects and on screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Date => "date",
            Self::Category => "category",
        }
    }
}
