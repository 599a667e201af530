//! Precision: how little a node raised its quasi-identifiers (Sweeney 2002), counted from the level that was loaded.

use crate::model::{Node, Problem};

/// 1 − mean((level − base)/(top − base)), a term 0 where top and base are equal; this of all but so many of the members, who
/// are withdrawn and add 0.
///
/// # Panics
/// If the node is of another lattice.
#[expect(clippy::cast_precision_loss, reason = "a number of columns")]
pub fn of_node(problem: &Problem, node: &Node, withdrawn: u64) -> f64 {
    let raised = node.levels().iter().zip(problem.quasi()).map(|(level, quasi)| {
        let (base, top) = (quasi.hierarchy.base(), quasi.hierarchy.top());
        if base == top { 0.0 } else { f64::from(level.0 - base.0) / f64::from(top.0 - base.0) }
    });
    let precision = 1.0 - raised.sum::<f64>() / node.levels().len() as f64;
    let members = problem.histogram().total().private;
    if withdrawn == 0 { precision } else { precision * ((members - withdrawn) as f64 / members as f64) }
}
