//! Errors of changing or writing a hierarchy.

use std::path::PathBuf;

use palmtop_core::model::{Level, ModelError};

/// The reason why a change, or writing the hierarchy, is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The level does not exist, or cannot be changed this way.
    #[error("level {level} {why}; its levels are {base} to {top}")]
    NoLevel {
        /// The level.
        level: Level,
        /// What is wrong with it.
        why: &'static str,
        /// The finest level.
        base: Level,
        /// The coarsest.
        top: Level,
    },
    /// The label does not exist.
    #[error("level {level} has no label `{label}`")]
    NoLabel {
        /// The level.
        level: Level,
        /// The label.
        label: String,
    },
    /// No labels were given to group.
    #[error("no label is marked; mark the labels to group first")]
    NothingMarked,
    /// A text that cannot be a label.
    #[error("`{name}` cannot be a label: {why}")]
    NoName {
        /// The text.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// A label that already exists.
    #[error("level {level} already has a label `{label}`; choose another name, or move labels into that one")]
    Taken {
        /// The level.
        level: Level,
        /// The label.
        label: String,
    },
    /// Labels that belong to different labels two levels up.
    #[error("`{first}` and `{second}` lie in different labels of level {level}, `{}` and `{}`; group those first, or move one", .outer.0, .outer.1)]
    Apart {
        /// One of them.
        first: String,
        /// Another.
        second: String,
        /// Two levels up.
        level: Level,
        /// Their labels there.
        outer: Box<(String, String)>,
    },
    /// Ordered values that are not neighbours.
    #[error(
        "`{first}` and `{second}` are not neighbours: a band has no gaps; group the labels between them, too"
    )]
    NotNeighbours {
        /// One of them.
        first: String,
        /// The next of the labels to be joined.
        second: String,
    },
    /// A label that has only one part.
    #[error("`{label}` has only one part, `{part}`, and cannot be split")]
    OnePart {
        /// The label.
        label: String,
        /// The part.
        part: String,
    },
    /// A value of the tables.
    #[error("`{label}` is a value of the tables and cannot be changed; change a label above it")]
    Value {
        /// The value.
        label: String,
    },
    /// The label for missing values.
    #[error("`{label}` is the project's label for missing values, and is a label of its own at each level")]
    Missing {
        /// The label.
        label: String,
    },
    /// Values without an order, or labels that are not bands.
    #[error("only numbers and dates in bands have borders; these values have no order, or a label has a gap")]
    NoOrder,
    /// A border that cannot be read.
    #[error("`{text}` is not a {expected}")]
    NoBorder {
        /// The typed text.
        text: String,
        /// The expected form.
        expected: &'static str,
    },
    /// Borders that are not ascending.
    #[error("border {border} does not come after {before}")]
    Descending {
        /// A border.
        border: String,
        /// The border before it.
        before: String,
    },
    /// A border inside a band of the level below, or inside a value.
    #[error("border {border} cuts `{label}` of level {level}{remedy}")]
    Cuts {
        /// The border.
        border: String,
        /// The label.
        label: String,
        /// Its level.
        level: Level,
        /// The advice, if there is any.
        remedy: String,
    },
    /// A border of a coarser level that is missing among the new ones.
    #[error(
        "level {level} has a border at {border}, which is not among these; add it, or let the level follow"
    )]
    Coarser {
        /// The coarser level.
        level: Level,
        /// Its border.
        border: String,
    },
    /// A value that already has a label.
    #[error("`{value}` already has a label")]
    HasPlace {
        /// The value.
        value: String,
    },
    /// The result is not a valid hierarchy.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// No format of hierarchy file can express the hierarchy.
    #[error("{}: no hierarchy file can express this hierarchy: {why}", path.display())]
    Unwritable {
        /// The original file.
        path: PathBuf,
        /// The problem with the last format tried.
        why: String,
    },
}
