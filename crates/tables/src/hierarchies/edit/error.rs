//! Errors of changing or writing a hierarchy.

use palmtop_core::model::{Level, ModelError};

/// The reason why a change, or writing the hierarchy, is not possible, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EditError(pub(super) String);

/// Errors that several changes report.
impl EditError {
    pub(super) fn no_label(level: Level, label: &str) -> Self {
        Self(format!("level {level} has no label `{label}`"))
    }

    pub(super) fn taken(level: Level, label: &str) -> Self {
        Self(format!(
            "level {level} already has a label `{label}`; choose another name, or move labels into that one"
        ))
    }

    /// Ordered values that are not neighbours.
    pub(super) fn not_neighbours(first: &str, second: &str) -> Self {
        Self(format!(
            "`{first}` and `{second}` are not neighbours: a band has no gaps; group the labels between them, too"
        ))
    }

    /// A value of the tables.
    pub(super) fn value(label: &str) -> Self {
        Self(format!("`{label}` is a value of the tables and cannot be changed; change a label above it"))
    }

    /// The label for missing values.
    pub(super) fn missing(label: &str) -> Self {
        Self(format!("`{label}` means no value: it has its own label at each level, and no group"))
    }

    /// Values without an order, or labels that are not bands.
    pub(super) fn no_order() -> Self {
        let text =
            "only numbers and dates in bands have borders; these values have no order, or a label has a gap";
        Self(text.to_owned())
    }

    /// A border that cannot be read.
    pub(super) fn no_border(text: &str, expected: &str) -> Self {
        Self(format!("`{text}` is not a {expected}"))
    }

    /// A value that already has a label.
    pub(super) fn has_place(value: &str) -> Self {
        Self(format!("`{value}` already has a label"))
    }
}

impl From<ModelError> for EditError {
    fn from(error: ModelError) -> Self {
        Self(error.to_string())
    }
}
