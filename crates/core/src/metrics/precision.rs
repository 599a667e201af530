//! Precision: how little a node raises its quasi-identifiers above the loaded level (Sweeney 2002).

use crate::model::{Node, Problem};

/// 1 − mean((level − base)/(top − base)), with 0 for a term whose top and base are equal. The
/// result is multiplied by the share of members who are not withdrawn.
///
/// # Panics
/// If the node belongs to another lattice.
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
