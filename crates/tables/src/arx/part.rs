//! Parts that several specifications have, and the messages on parts that are missing.

use super::label::Function;

/// The groups of a level: how many elements each has, and how they are labelled.
pub(super) type Groups = Vec<(usize, Function)>;

/// A part of a specification that no hierarchy of palmtop can have.
pub(super) fn has_no_counterpart(part: &str) -> String {
    format!(
        "{part}: palmtop has no counterpart. Export the hierarchy from ARX as a CSV file, and import that"
    )
}

/// A part that ARX always writes.
pub(super) fn lacks(part: &str) -> String {
    format!("the specification lacks `{part}`, which ARX writes")
}
