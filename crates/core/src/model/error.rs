//! Errors of the model itself, without files or searches.

use palmtop_terms::{Level, TermError};

use super::size;

/// An invalid value that the model refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An invalid presence, fraction or δ.
    #[error(transparent)]
    Term(#[from] TermError),
    /// A hierarchy without a single leaf.
    #[error("the hierarchy has no values")]
    NoLeaves,
    /// A leaf with fewer or more levels than the first one.
    #[error("`{leaf}` has {found} levels, expected {expected}")]
    UnevenLevels {
        /// The leaf.
        leaf: String,
        /// Its number of levels.
        found: usize,
        /// The number of levels of the first leaf.
        expected: usize,
    },
    /// More levels than [`Hierarchy::MOST_LEVELS`](super::Hierarchy::MOST_LEVELS).
    #[error("the hierarchy has {found} levels; at most {} are possible", size::MOST_LEVELS)]
    TooManyLevels {
        /// The number of levels found.
        found: usize,
    },
    /// More leaves than can be numbered.
    #[error("the hierarchy has {found} values; at most {most} are possible")]
    TooManyLeaves {
        /// The number of leaves found.
        found: usize,
        /// The largest possible number of leaves.
        most: u32,
    },
    /// The same leaf twice.
    #[error("`{leaf}` occurs twice; each value must occur once")]
    RepeatedLeaf {
        /// The leaf.
        leaf: String,
    },
    /// The last level has more than one label.
    #[error(
        "the last level has more than one label (`{first}`, `{second}`); it must be one label for everything"
    )]
    NoTop {
        /// One label.
        first: String,
        /// Another label of the last level.
        second: String,
    },
    /// A label with two different parents.
    #[error(
        "`{label}` at level {level} belongs to both `{first}` and `{second}` one level up; it must belong to one"
    )]
    NotNested {
        /// The label.
        label: String,
        /// Its level.
        level: Level,
        /// One parent of the label.
        first: String,
        /// Another parent of the label.
        second: String,
    },
    /// One text that denotes two different sets of leaves.
    #[error(
        "`{label}` means one set of values at level {first} and another at level {second}; rename one of them"
    )]
    AmbiguousLabel {
        /// The text.
        label: String,
        /// A level that has it.
        first: Level,
        /// Another level that has it.
        second: Level,
    },
    /// A leaf or label that a reader of the release would take for a range or a set.
    #[error("`{label}` reads as a {reads_as} in a release; rename it")]
    ReadsAsSide {
        /// The text.
        label: String,
        /// `range` or `set`.
        reads_as: &'static str,
    },
    /// Two leaves that are one number or one day.
    #[error("`{first}` and `{second}` are the same {kind} written twice; write it one way{}", if *kind == "number" { ", or have both read as one: `number = { decimal = \".\" }` under their [[attribute]]" } else { "" })]
    EqualValues {
        /// One of the two leaves.
        first: String,
        /// The other leaf.
        second: String,
        /// `number` or `date`.
        kind: &'static str,
    },
    /// A leaf that is not of the attribute's kind.
    #[error("`{leaf}` is no {kind}; correct it, or set kind = \"category\"")]
    NotOfKind {
        /// The leaf.
        leaf: String,
        /// `number` or `date`.
        kind: &'static str,
    },
    /// A problem without quasi-identifiers.
    #[error("there is no quasi-identifier; at least one attribute needs role = \"quasi\"")]
    NoQuasiIdentifier,
    /// The public table has no people.
    #[error("the public table is empty")]
    EmptyPublic,
    /// The private table has no people.
    #[error("the private table is empty")]
    EmptyPrivate,
    /// More people than can be counted exactly.
    #[error("the {table} table has more than {most} people; correct its counts")]
    TooManyPeople {
        /// `private` or `public`.
        table: &'static str,
        /// The largest possible number of people.
        most: u64,
    },
    /// A combination, column or code that does not fit the attributes.
    #[error("the histogram does not fit the attributes: {detail}")]
    HistogramShape {
        /// A description of what does not fit.
        detail: String,
    },
    /// An invalid prior: a probability is 1 or missing, or a combination has fewer possible people
    /// than members of T.
    #[error("the prior does not fit the tables: {detail}")]
    PriorShape {
        /// A description of what does not fit.
        detail: String,
    },
    /// Limits of levels that the hierarchy of a quasi-identifier cannot satisfy.
    #[error(
        "`{attribute}`: `levels = \"{levels}\"`: its hierarchy has the levels {base} to {top} here; expected two of them such as \"{base}-{top}\", the finer one first, or one"
    )]
    NoLevels {
        /// The quasi-identifier.
        attribute: String,
        /// The limits as given.
        levels: String,
        /// The hierarchy's finest level.
        base: Level,
        /// The hierarchy's coarsest level.
        top: Level,
    },
    /// A node whose levels the lattice does not have.
    #[error("{node} is no node of this lattice: {detail}")]
    NotANode {
        /// The node as given.
        node: String,
        /// A description of the error and of the possible levels.
        detail: String,
    },
}
