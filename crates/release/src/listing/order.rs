//! The order of a listing.

use super::column::Column;
use super::name::{self, NameError};
use palmtop_core::model::Problem;

/// The key of a listing's order, and its direction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Order {
    /// The key of the order.
    pub key: Key,
    /// Whether the order is the reverse of the key's order.
    pub reversed: bool,
}

/// The key by which a listing is sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Key {
    /// Farthest outside δ first, then highest presence, then labels: numbers and dates by value, other labels by text.
    #[default]
    Worst,
    /// Greatest figure of a column first.
    Column(Column),
    /// The order of leaves in a quasi-identifier's hierarchy, by the first leaf of each label that occurs in the public
    /// table.
    Attribute(usize),
}

/// The word for [`Key::Worst`].
const WORST: &str = "worst";

impl Order {
    /// Reads `worst`, the name of a column of figures, or the name of an attribute. Case is ignored, and a unique beginning of
    /// a name is enough. A `-` before the name reverses the order.
    ///
    /// # Errors
    /// A [`NameError`] with the possible names.
    pub fn parse(text: &str, problem: &Problem) -> Result<Self, NameError> {
        let text = text.trim();
        let read = |name: &str| {
            if name.eq_ignore_ascii_case(WORST) {
                return Ok(Key::Worst);
            }
            let words: Vec<&str> = [WORST].into_iter().chain(Column::names()).collect();
            Column::named(name).map_or_else(
                || name::attribute(problem, name, &words).map(Key::Attribute),
                |column| Ok(Key::Column(column)),
            )
        };
        match text.strip_prefix('-') {
            Some(name) => Ok(Self { key: read(name.trim_start())?, reversed: true }),
            None => Ok(Self { key: read(text)?, reversed: false }),
        }
    }

    /// The text from which [`parse`](Self::parse) makes this order.
    pub fn text(self, problem: &Problem) -> String {
        let name = match self.key {
            Key::Attribute(attribute) => problem.quasi()[attribute].name.as_str(),
            Key::Column(column) => column.name(),
            Key::Worst => WORST,
        };
        format!("{}{name}", if self.reversed { "-" } else { "" })
    }
}
