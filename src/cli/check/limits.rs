//! What `check` prints about limits of levels and cuts.

use palmtop::model::{Cuts, Levels};
use palmtop::pipeline::Analysis;
use palmtop::words::plural;
use palmtop_console::output;

/// The limits of each attribute, and whether a node within them is feasible; empty without limits.
pub(super) fn limit_lines(analysis: &Analysis) -> String {
    let mut text = String::new();
    for (attribute, file) in analysis.project().quasi() {
        let levels = match attribute.levels {
            levels if levels == Levels::default() => None,
            levels if levels.coarsest == Some(file.public_level) => Some("published as it is".to_owned()),
            levels => Some(format!("levels {levels}")),
        };
        let cuts = match attribute.cuts {
            Cuts::Labels => Some("cut between labels only".to_owned()),
            Cuts::Never => Some("never cut".to_owned()),
            Cuts::Values => None,
        };
        let terms =
            attribute.terms.map(|terms| format!("sets of at most {}", plural(terms.get().into(), "term")));
        let borders = attribute.borders.map(|level| format!("ranges between labels of level {level}"));
        let weight = (attribute.weight > 1).then(|| format!("weighs {} in losses", attribute.weight));
        let limits: Vec<String> =
            levels.into_iter().chain(cuts).chain(terms).chain(borders).chain(weight).collect();
        if !limits.is_empty() {
            text.push_str(&format!(
                "limits    `{}`: {}\n",
                output::shown(&attribute.name),
                limits.join(", ")
            ));
        }
    }
    let problem = analysis.problem();
    if !problem.levels_reach_the_top() {
        let mark = match problem.feasibility().blocked {
            Some(_) if palmtop::search::is_feasible(problem) => "✗ infeasible, unless members are withdrawn",
            blocked => feasible(blocked.is_none()),
        };
        text.push_str(&format!(
            "          the coarsest node that they permit, {}: {mark}\n",
            problem.lattice().top()
        ));
    }
    text
}

/// The mark and the word of a feasibility.
pub(super) fn feasible(is_feasible: bool) -> &'static str {
    if is_feasible { "✓ feasible" } else { "✗ infeasible" }
}
