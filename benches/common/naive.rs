//! A naive SPALM: from the top down, each node is counted with a hash map of label tuples. A node
//! is skipped only if a node one step coarser fails (paper, theorem 1).

use std::collections::HashMap;

use palmtop::metrics::NodeLosses;
use palmtop::model::{Counts, Node, Problem};

/// The δ-present node of least loss. Ties: the least height, then the lexicographically first node.
pub(crate) fn spalm(problem: &Problem) -> Option<Node> {
    let lattice = problem.lattice();
    let losses = NodeLosses::of(problem);
    let mut present = vec![false; usize::try_from(lattice.len()).expect("a small lattice")];
    let mut best: Option<(f64, u32, Node)> = None;
    for rank in (0..lattice.len()).rev() {
        let node = lattice.unrank(rank);
        let coarser = (0..lattice.width()).filter_map(|attribute| lattice.coarser(&node, attribute));
        let rank_of = |node: &Node| usize::try_from(lattice.rank(node)).expect("a small lattice");
        if coarser.into_iter().any(|coarser| !present[rank_of(&coarser)]) || !is_present(problem, &node) {
            continue;
        }
        present[rank_of(&node)] = true;
        let candidate = (losses.of_node(&node).mean(), node.height(), node);
        let is_better = |best: &(f64, u32, Node)| {
            let near = (candidate.0 - best.0).abs() < 1e-12;
            if near { (candidate.1, &candidate.2) < (best.1, &best.2) } else { candidate.0 < best.0 }
        };
        if best.as_ref().is_none_or(is_better) {
            best = Some(candidate);
        }
    }
    best.map(|(_, _, node)| node)
}

fn is_present(problem: &Problem, node: &Node) -> bool {
    let histogram = problem.histogram();
    let mut classes: HashMap<Vec<u32>, Counts> = HashMap::new();
    for (index, &people) in histogram.counts().iter().enumerate() {
        let levels = node.levels().iter().enumerate();
        let labels = levels.map(|(attribute, &level)| {
            problem.hierarchy(attribute).labels_of(level)[histogram.column(attribute)[index] as usize]
        });
        *classes.entry(labels.collect()).or_default() += people;
    }
    classes.values().all(|&people| problem.policy().allows(people))
}
