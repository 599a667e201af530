//! Why a hierarchy cannot be changed so, or cannot be written.

use std::path::PathBuf;

use palmtop_core::model::{Level, ModelError};

/// Why a hierarchy cannot be changed so, or cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// There is no such level, or nothing can be done there.
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
    /// There is no such label.
    #[error("level {level} has no label `{label}`")]
    NoLabel {
        /// The level.
        level: Level,
        /// The label.
        label: String,
    },
    /// No labels to group.
    #[error("no label is marked")]
    NothingMarked,
    /// A text that can be no label.
    #[error("`{name}` can be no label: {why}")]
    NoName {
        /// The text.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// A label that is there already.
    #[error("level {level} has a label `{label}` already; choose another name, or move labels into that one")]
    Taken {
        /// The level.
        level: Level,
        /// The label.
        label: String,
    },
    /// Labels that lie in two labels two levels up.
    #[error("`{first}` and `{second}` lie in different labels of level {level}, `{}` and `{}`; group those first, or move one", .outer.0, .outer.1)]
    Apart {
        /// One of them.
        first: String,
        /// Another.
        second: String,
        /// Two levels up.
        level: Level,
        /// What they lie in there.
        outer: Box<(String, String)>,
    },
    /// Ordered values that are no neighbours.
    #[error(
        "`{first}` and `{second}` are not neighbours: a band of numbers or dates has no holes; group what lies between, too"
    )]
    NotNeighbours {
        /// One of them.
        first: String,
        /// The next of those that were to be together.
        second: String,
    },
    /// A label that has only one part.
    #[error("`{label}` has one part, `{part}`: there is nothing to split")]
    OnePart {
        /// The label.
        label: String,
        /// Its part.
        part: String,
    },
    /// A value of the tables.
    #[error("`{label}` is a value of the tables, and stays as it is; labels above it can be changed")]
    Value {
        /// The value.
        label: String,
    },
    /// What no value is called.
    #[error("`{label}` is what the project calls no value, and has a place of its own at each level")]
    Missing {
        /// The label.
        label: String,
    },
    /// Values without an order, or with labels that are no bands.
    #[error("borders are for numbers and dates in bands; these values have no order, or a label with holes")]
    NoOrder,
    /// A border that cannot be read.
    #[error("`{text}` is no {expected}")]
    NoBorder {
        /// What was typed.
        text: String,
        /// What was expected.
        expected: &'static str,
    },
    /// Borders in another order.
    #[error("border {border} does not come after {before}")]
    Descending {
        /// A border.
        border: String,
        /// The one before.
        before: String,
    },
    /// A border inside a band of the level below, or of a value.
    #[error("border {border} cuts `{label}` of level {level}{remedy}")]
    Cuts {
        /// The border.
        border: String,
        /// The label.
        label: String,
        /// Its level.
        level: Level,
        /// What to do, where there is anything.
        remedy: String,
    },
    /// A border of a coarser level that the new ones lack.
    #[error(
        "level {level} has a border at {border}, which is none of these; add it, or let the level follow"
    )]
    Coarser {
        /// The coarser level.
        level: Level,
        /// Its border.
        border: String,
    },
    /// A value that has a place.
    #[error("`{value}` has a place already")]
    HasPlace {
        /// The value.
        value: String,
    },
    /// What comes of it is no hierarchy.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// No form of file says the same.
    #[error("{}: no form of hierarchy file says all of this: {why}", path.display())]
    Unwritable {
        /// The file that it came from.
        path: PathBuf,
        /// What the last of them came to.
        why: String,
    },
}
