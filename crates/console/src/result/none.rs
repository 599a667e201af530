//! Why no release exists, with the numbers that decide it.

use palmtop_core::model::{Feasibility, Problem, Verdict};
use palmtop_search::StopReason;

use crate::output;
use crate::people::why_infeasible;

/// Explains why no release exists, with the numbers that decide it.
pub fn explain_none(problem: &Problem, stop: StopReason) -> String {
    let feasibility = problem.feasibility();
    match stop {
        StopReason::Levels => {
            "nothing was searched (levels): `levels` or `shape` limit a quasi-identifier from above, and a release that splits T by it \
             would reveal what `simulatable` does not ask; use another strategy, or remove the upper limit"
                .to_owned()
        }
        StopReason::Infeasible if problem.people().is_some() && feasibility.blocked.is_some() => {
            why_infeasible(problem, &feasibility)
        }
        StopReason::Infeasible if feasibility.verdict() == Verdict::Ok => blocked(problem, &feasibility),
        StopReason::Infeasible => {
            let (delta, total) = (feasibility.policy.delta(), feasibility.total);
            if let Verdict::Breaks(_) = feasibility.verdict() {
                return format!(
                    "{} is infeasible: the one class of all {} people of T breaks it, and so no recoding can satisfy it",
                    feasibility.policy.criteria(),
                    total.private
                );
            }
            format!(
                "δ = {delta} is infeasible: |T|/|P| = {}/{} = {:.6} lies outside, so no recoding can keep it; δmin must be \
                 at most, and δmax at least, |T|/|P|",
                total.private,
                total.public,
                feasibility.share().to_f64()
            )
        }
        StopReason::TooLarge { nodes, limit } => {
            let nodes = if nodes == u64::MAX { "more than 2^64".to_owned() } else { nodes.to_string() };
            format!(
                "nothing was searched ({}): the lattice has {nodes} nodes, and this search is limited to {limit}; \
                 spalm and best have no limit",
                stop.as_str()
            )
        }
        _ if problem.policy().criteria().is_empty() => {
            format!("no δ-present release was found ({})", stop.as_str())
        }
        _ => {
            let criteria = problem.policy().criteria();
            format!("no δ-present release with {criteria} was found ({})", stop.as_str())
        }
    }
}

/// Names the class of the coarsest permitted node that breaks the policy.
fn blocked(problem: &Problem, feasibility: &Feasibility) -> String {
    let Some(class) = &feasibility.blocked else { return "infeasible".to_owned() };
    format!(
        "the limits of levels are infeasible: in the coarsest node that `levels` and `shape` permit ({}), the class {} has {} of {} \
         people in T and breaks the policy, δ = {} and what is enforced beside it; no recoding within the limits can satisfy it, so \
         permit coarser levels",
        problem.lattice().top(),
        output::shown(&class.texts(problem).join(", ")),
        class.counts.private,
        class.counts.public,
        feasibility.policy.delta()
    )
}
