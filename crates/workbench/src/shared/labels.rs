//! The labels that occur in P.

use palmtop_core::model::{Level, Problem};

/// For each level, the number of labels that somebody in P has.
pub(crate) fn occurring(problem: &Problem, attribute: usize) -> Vec<usize> {
    let (hierarchy, leaves) = (problem.hierarchy(attribute), problem.leaf_counts(attribute));
    let at = |level: Level| {
        let mut occurs = vec![false; hierarchy.label_count(level)];
        for (&label, people) in hierarchy.labels_of(level).iter().zip(leaves) {
            occurs[label as usize] |= people.public > 0;
        }
        occurs.into_iter().filter(|occurs| *occurs).count()
    };
    hierarchy.levels().map(at).collect()
}
