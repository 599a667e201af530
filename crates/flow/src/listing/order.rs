//! The order of a listing.

use super::column::Column;
use super::name::{self, NameError};
use palmtop_core::model::Problem;

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
    /// Farthest outside δ first, then highest presence, then labels: numbers and dates by value, others as written.
    #[default]
    Worst,
    /// The greatest figure of a column first.
    Column(Column),
    /// As the leaves of a quasi-identifier's hierarchy stand, by the first leaf of each label that occurs in the public
    /// table.
    Attribute(usize),
}

/// The word for [`Key::Worst`].
const WORST: &str = "worst";

impl Order {
    /// Reads `worst`, the name of a column of figures or that of an attribute, its case ignored and as much of it as
    /// tells it from the others; a `-` before it turns the order round.
    ///
    /// # Errors
    /// A [`NameError`] that says what is possible.
    pub fn parse(text: &str, problem: &Problem) -> Result<Self, NameError> {
        let text = text.trim();
        let read = |name: &str| {
            if name.eq_ignore_ascii_case(WORST) {
                return Ok(Key::Worst);
            }
            let words: Vec<&str> = [WORST].into_iter().chain(Column::names(problem)).collect();
            Column::named(name, problem).map_or_else(
                || name::attribute(problem, name, &words).map(Key::Attribute),
                |column| Ok(Key::Column(column)),
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
            Key::Column(column) => column.name(),
            Key::Worst => WORST,
        };
        format!("{}{name}", if self.reversed { "-" } else { "" })
    }
}
