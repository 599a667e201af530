//! Precision: how little a node raised its quasi-identifiers (Sweeney 2002), counted from the level that was loaded.

use crate::model::{Node, Problem};

/// 1 − mean((level − base)/(top − base)), a term 0 where top and base are equal.
///
/// # Panics
/// If the node is of another lattice.
#[expect(clippy::cast_precision_loss, reason = "a number of columns")]
pub fn of_node(problem: &Problem, node: &Node) -> f64 {
    let raised = node.levels().iter().zip(problem.quasi()).map(|(level, quasi)| {
        let (base, top) = (quasi.hierarchy.base(), quasi.hierarchy.top());
        if base == top { 0.0 } else { f64::from(level.0 - base.0) / f64::from(top.0 - base.0) }
    });
    1.0 - raised.sum::<f64>() / node.levels().len() as f64
}
