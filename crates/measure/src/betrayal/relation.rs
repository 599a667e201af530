//! How a published column gives a quasi-identifier away.

use std::fmt;

/// The way in which a published column gives a quasi-identifier away.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Relation {
    /// The column has the same order as the quasi-identifier, or the reverse order.
    Monotone {
        /// Spearman's rank correlation, from −1 to 1.
        correlation: f64,
        /// The width of the quasi-identifier's range that a value leaves, in the median row.
        width: f64,
        /// Whether the width is in days.
        in_days: bool,
    },
    /// Rows with the same value, or the same part of it, have the same or few values of the
    /// quasi-identifier.
    Dependency {
        /// The part of the value that determines the quasi-identifier.
        part: Part,
        /// The level of the quasi-identifier's hierarchy whose label is given away; `None` for the
        /// value itself.
        level: Option<u8>,
        /// Whether one value or label is given away, rather than several values.
        is_single: bool,
        /// The number of rows for which a guess of the most frequent value or label is right.
        baseline: u64,
    },
    /// The text of the column contains the text of the quasi-identifier, or a prefix of it.
    CommonText {
        /// The length of the prefix of a code that the text has; `None` for the complete text.
        prefix: Option<usize>,
    },
    /// The text has the code of the quasi-identifier at any position, forwards or backwards.
    Embedded,
    /// The column has values of a column of P of any name, and the rows of P confirm this.
    SameValues {
        /// The expected number of rows that fit by chance.
        chance: f64,
        /// Which of its values are those of P.
        how: Same,
    },
}

/// Which values of a published column are those of a column of P.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Same {
    /// Nearly all.
    All,
    /// Nearly all, times this factor: it has another unit.
    Times(f64),
    /// Some texts that few people of P share, such as names.
    Rare,
}

/// The part of a value that determines a quasi-identifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    /// The complete value.
    Value,
    /// The year of a date.
    Year,
    /// The year and month of a date.
    Month,
    /// The band of a number, with the width of the band.
    Band(f64),
    /// The first characters, with their number.
    Prefix(usize),
    /// Some characters from a position.
    Characters {
        /// The first position, counted from 0.
        from: usize,
        /// The number of characters.
        length: usize,
    },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value => f.write_str("value"),
            Self::Year => f.write_str("year"),
            Self::Month => f.write_str("month and year"),
            Self::Band(width) => write!(f, "band of width {width}"),
            Self::Prefix(1) => f.write_str("first character"),
            Self::Prefix(length) => write!(f, "first {length} characters"),
            Self::Characters { from, length: 1 } => write!(f, "character {}", from + 1),
            Self::Characters { from, length } => write!(f, "characters {} to {}", from + 1, from + length),
        }
    }
}
