//! Who is a person in a table whose rows repeat an identifier, and the rows that are left out where
//! the project counts each person once.

use std::hash::{BuildHasher, DefaultHasher, Hash as _, Hasher as _};
use std::sync::OnceLock;

use rustc_hash::FxBuildHasher;

use crate::source::position::At;
use crate::values::reading::Reading;

/// Which row of a person counts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OneRow {
    /// Any: the rows of a person must agree.
    Distinct,
    /// The first by a column's order. In a table without the column, each person has one row.
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
    /// Whether a row is left out.
    pub(super) fn has(&self, at: At) -> bool {
        self.rows.binary_search(&at).is_ok()
    }

    /// The rows from a row of a file on.
    pub(crate) fn from(&self, at: At) -> impl Iterator<Item = At> + '_ {
        let start = self.rows.partition_point(|&known| known < at);
        self.rows[start..].iter().copied().take_while(move |known| known.file == at.file)
    }
}

impl Identified {
    /// Whether a text is an identifier.
    pub fn has(&self, text: &str) -> bool {
        !text.trim().is_empty() && !self.missing.iter().any(|missing| missing == text)
    }
}

/// A hash of texts with 128 bits: different texts have different ones, in practice.
pub fn digest(texts: impl IntoIterator<Item = impl AsRef<str>>) -> u128 {
    let mut hashers = [DefaultHasher::new(), DefaultHasher::new()];
    1_u8.hash(&mut hashers[1]);
    for text in texts {
        for hasher in &mut hashers {
            text.as_ref().hash(hasher);
        }
    }
    let [low, high] = hashers.map(|hasher| hasher.finish());
    u128::from(high) << 64 | u128::from(low)
}

/// A number of an identifier. Two identifiers may have the same one.
pub fn number_of(text: &str) -> u64 {
    FxBuildHasher.hash_one(text)
}
