//! Who is a person in a table whose rows repeat an identifier, and the rows that are left out where
//! the project counts each person once.

use std::hash::BuildHasher;
use std::sync::OnceLock;

use rustc_hash::FxBuildHasher;

use crate::source::position::At;
use crate::values::reading::Reading;

/// Which row of a person counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OneRow {
    /// Any: the rows of a person must agree.
    Distinct,
    /// The first by a column's order.
    FirstBy(String),
}

/// The column that says who is a person, and what the rows of one person must agree in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identified {
    /// The column.
    pub column: String,
    /// The columns in which rows agree or differ, and how their texts are read.
    pub compared: Vec<(String, Reading)>,
    /// The texts that mean that there is no identifier; a blank text always does.
    pub missing: Vec<String>,
}

/// A rule that counts one row of each person.
#[derive(Debug)]
pub(crate) struct OnePerson {
    pub(super) of: Identified,
    pub(super) row: OneRow,
    pub(super) found: OnceLock<LeftOut>,
}

/// The rows that are left out, because another row of their person counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// The rows in ascending order.
    pub(super) rows: Vec<At>,
}

impl LeftOut {
    /// The rows from a row of a file on.
    pub(crate) fn from(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let start = self.rows.partition_point(|&known| known < at);
        self.rows[start..].iter().copied().take_while(move |known| known.file == at.file)
    }
}

impl Identified {
    /// Whether a text is an identifier.
    pub(crate) fn has(&self, text: &str) -> bool {
        !text.trim().is_empty() && !self.missing.iter().any(|missing| missing == text)
    }
}

/// A number of an identifier; two identifiers may share it.
pub(crate) fn number_of(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}
