//! The labels of one quasi-identifier from its floor upwards, as look-up tables.

use palmtop_core::model::{Level, Problem};

/// The labels of one quasi-identifier from its floor upwards.
#[derive(Clone, Debug)]
pub(crate) struct Rungs {
    /// For each step above the floor, the label there of each floor label.
    pub(crate) above: Vec<Vec<u32>>,
    /// For each step above the floor, the number of labels.
    pub(crate) counts: Vec<usize>,
}

impl Rungs {
    /// The labels of a quasi-identifier from this level upwards.
    pub(crate) fn of(problem: &Problem, attribute: usize, floor: Level) -> Self {
        let hierarchy = problem.hierarchy(attribute);
        let labels = hierarchy.labels_of(floor);
        let mut example = vec![0_usize; hierarchy.label_count(floor)];
        for (leaf, &label) in labels.iter().enumerate() {
            example[label as usize] = leaf;
        }
        let levels = || (floor.0..=hierarchy.top().0).map(Level);
        let above = |level| {
            let labels = hierarchy.labels_of(level);
            example.iter().map(|&leaf| labels[leaf]).collect()
        };
        Self {
            above: levels().map(above).collect(),
            counts: levels().map(|level| hierarchy.label_count(level)).collect(),
        }
    }
}
