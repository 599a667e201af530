//! The learned model of any relation.

use std::rc::Rc;

use super::column::{Column, Quasi};
use super::implied::Implied;
use super::{dependency, order, text};

/// The learned model that maps a text to the values that it leaves possible.
pub(super) enum Model {
    Order(order::Model),
    Dependency(dependency::Model),
    Text(Rc<text::Model>),
}

impl Model {
    /// The values that the text of each row leaves possible.
    pub(super) fn implied(&self, column: &Column, quasi: &Quasi) -> Implied {
        let learned = match self {
            Self::Dependency(model) => model.groups(column, quasi),
            Self::Order(_) | Self::Text(_) => Vec::new(),
        };
        Implied::of(column, quasi, |text| match (self, text) {
            (Self::Dependency(model), text) => model.codes(&learned, text),
            (Self::Order(model), Some(text)) => model.codes(column, text as usize),
            (Self::Text(model), Some(text)) => model.codes(&column.texts[text as usize]),
            (Self::Order(_) | Self::Text(_), None) => None,
        })
    }
}
