//! The ways to split a region at a column.

use palmtop_core::model::{Code, Hierarchy, Level};

/// A way to split a region at a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Split {
    /// Into the combinations below a value and the rest.
    At(Code),
    /// Into the combinations with the label of a value at a level and the rest.
    Only(Level, Code),
    /// Into one part for each label of a level.
    Labels(Level),
}

impl Split {
    /// Whether a value goes to the left half. The parts of a split into labels have no left.
    pub(crate) fn goes_left(self, hierarchy: &Hierarchy) -> impl Fn(Code) -> bool + '_ {
        let (labels, bound) = match self {
            Self::At(value) => (None, value),
            Self::Only(level, value) => {
                let labels = hierarchy.labels_of(level);
                (Some(labels), labels[value as usize])
            }
            Self::Labels(_) => (None, 0),
        };
        move |code| labels.map_or(code < bound, |labels| labels[code as usize] == bound)
    }
}
