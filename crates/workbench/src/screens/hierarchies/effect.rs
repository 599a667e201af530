//! The effect of an edited hierarchy on the current node: violations and loss before and after,
//! counted in the background.

use palmtop_core::metrics::NodeLosses;
use palmtop_core::model::{Node, NodeClasses, Problem};

/// The figures of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figures {
    /// The classes that break the policy.
    pub(crate) violations: usize,
    pub(crate) classes: usize,
    pub(crate) loss: f64,
}

/// The figures of the node that steps start from, with the loaded and with the edited hierarchy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Effect {
    pub(crate) before: Figures,
    pub(crate) after: Figures,
}

impl Figures {
    /// Counts a node.
    pub(super) fn of(problem: &Problem, node: &Node) -> Self {
        let classes = NodeClasses::of(problem, node);
        let loss = NodeLosses::of(problem).of_node(node).mean();
        Self { violations: classes.broken(problem.policy()), classes: classes.len(), loss }
    }
}
