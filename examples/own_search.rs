//! A search that uses only the public types of the library:
//!
//! `cargo run --example own_search -- sample-data/paper/paper.toml`.
//!
//! The search begins with the tables before any recoding. In each step it raises one attribute by
//! one level, the one that leaves the fewest classes that break the policy, until no class does.
//! This search is not a good one; it shows the parts that a search needs.

use std::path::PathBuf;

use palmtop::model::{Node, Problem};
use palmtop::pipeline::{Analysis, Overrides};

fn main() -> anyhow::Result<()> {
    let Some(project) = std::env::args_os().nth(1).map(PathBuf::from) else {
        anyhow::bail!("expected a project");
    };
    let analysis = Analysis::load(&project, &Overrides::default())?;
    let problem = analysis.problem();
    anyhow::ensure!(problem.feasibility().holds(), "no recoding satisfies the policy");
    let mut node = problem.lattice().bottom();
    while violating(&analysis, problem, &node) > 0 {
        let lattice = problem.lattice();
        let coarser = (0..lattice.width()).filter_map(|attribute| lattice.coarser(&node, attribute));
        let Some(best) = coarser.min_by_key(|node| violating(&analysis, problem, node)) else { break };
        node = best;
    }
    let release = analysis.by_hand(problem, node.clone());
    println(&format!(
        "node {node}: loss {:.4}, satisfies the policy: {}",
        release.metrics.loss.mean(),
        release.is_present()
    ));
    Ok(())
}

/// The number of classes of a node that break the policy.
fn violating(analysis: &Analysis, problem: &Problem, node: &Node) -> usize {
    let release = analysis.by_hand(problem, node.clone());
    let classes = &release.classes;
    classes.iter().filter(|class| !problem.policy().allows(class.counts)).count()
}

#[expect(clippy::print_stdout, reason = "what an example is for")]
fn println(line: &str) {
    println!("{line}");
}
