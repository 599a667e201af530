//! The released rows that criteria recount, and the recount of one criterion.

use std::collections::BTreeMap;

use crate::people::Sensitive;

/// A class of the release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Recounted {
    /// The number of rows.
    pub(crate) rows: u64,
    /// The number of members of T who match it.
    pub(crate) private: u64,
    /// The number of individuals in P who match it.
    pub(crate) public: u64,
    /// For each sensitive attribute the number of rows with each value.
    pub(crate) sensitive: Vec<BTreeMap<String, u64>>,
}

/// The classes of a release and the sensitive attributes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Released {
    pub(crate) rows: Vec<Recounted>,
    pub(crate) sensitive: Vec<Sensitive>,
}

impl Released {
    /// The index of a sensitive attribute by its name. Without a name, that of the only one.
    pub(super) fn attribute_index(&self, name: Option<&str>) -> Option<usize> {
        match name {
            Some(name) => self.sensitive.iter().position(|attribute| attribute.name == name),
            None => (self.sensitive.len() == 1).then_some(0),
        }
    }
}

/// The recount of one criterion.
#[derive(Clone, Copy)]
pub(super) struct Twin {
    pub(super) key: &'static str,
    /// The expected text of the value, in words.
    pub(super) expected: &'static str,
    /// Whether a text is a valid requirement.
    pub(super) reads: fn(&str) -> bool,
    /// Whether a release satisfies a requirement; `None` if that cannot be decided.
    pub(super) holds: fn(&str, &Released) -> Option<bool>,
    /// The strictest requirement that a release satisfies. The text is the requirement of the project. `None` if there is none.
    pub(super) achieved: fn(Option<&str>, &Released) -> Option<String>,
}

/// Reads a whole number from 1, in plain digits.
pub(super) fn whole_number(text: &str) -> Option<u64> {
    let mut number: u64 = 0;
    for byte in text.bytes() {
        let digit = byte.checked_sub(b'0').filter(|digit| *digit < 10)?;
        number = number.checked_mul(10)?.checked_add(u64::from(digit))?;
    }
    (number > 0).then_some(number)
}
