//! The order of a listing.

use super::name::{self, NameError};
use crate::model::Problem;

/// What a listing is sorted by, and which way round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Order {
    /// What it is sorted by.
    pub key: Key,
    /// Whether it stands the other way round than its key's own.
    pub reversed: bool,
}

/// What a listing is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Key {
    /// Farthest outside δ first, then highest presence, then labels as written.
    #[default]
    Worst,
    /// Highest presence first.
    Presence,
    /// Most private people first.
    Private,
    /// Most public people first.
    Public,
    /// As the leaves of a quasi-identifier's hierarchy stand, by the first leaf of each label that occurs in the public
    /// table.
    Attribute(usize),
}

/// The keys that are no attribute, with their words.
const WORDS: [(&str, Key); 4] =
    [("worst", Key::Worst), ("presence", Key::Presence), ("private", Key::Private), ("public", Key::Public)];

impl Order {
    /// Reads `worst`, `presence`, `private`, `public` or the name of an attribute, its case ignored and as much of it as
    /// tells it from the others; a `-` before it turns the order round.
    ///
    /// # Errors
    /// A [`NameError`] that says what is possible.
    pub fn parse(text: &str, problem: &Problem) -> Result<Self, NameError> {
        let text = text.trim();
        let read = |name: &str| {
            let word = WORDS.iter().find(|(word, _)| word.eq_ignore_ascii_case(name));
            word.map_or_else(
                || name::attribute(problem, name, &WORDS.map(|(word, _)| word)).map(Key::Attribute),
                |&(_, key)| Ok(key),
            )
        };
        match text.strip_prefix('-') {
            Some(name) => Ok(Self { key: read(name.trim_start())?, reversed: true }),
            None => Ok(Self { key: read(text)?, reversed: false }),
        }
    }

    /// The text that reads as this order.
    pub fn text(self, problem: &Problem) -> String {
        let name = match self.key {
            Key::Attribute(attribute) => problem.quasi()[attribute].name.as_str(),
            key => WORDS.iter().find(|(_, own)| *own == key).map_or("", |(word, _)| word),
        };
        format!("{}{name}", if self.reversed { "-" } else { "" })
    }
}
