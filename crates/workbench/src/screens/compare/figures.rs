//! The comparison as text for the clipboard.

use palmtop_release::figures::FIGURES;

use super::rows::{facts, knows_algorithm};
use crate::shared::intent::Figures;
use crate::shared::state::Shared;
use crate::shared::view::{Candidate, recipe_name};

/// The comparison as a Markdown table.
pub(super) fn comparison(
    shared: &Shared,
    utility_of: impl Fn(&Candidate) -> Option<(f64, f64)>,
) -> Result<Figures, String> {
    let candidates = shared.candidates();
    if candidates.is_empty() {
        return Err("no figures yet".to_owned());
    }
    let delta = shared.delta();
    let names = FIGURES.map(|figure| figure.head.name.replace('_', " "));
    let mut lines = vec![
        format!("| release | δ-present | attacker who knows the algorithm | {} |", names.join(" | ")),
        format!("|---|---|---|{}", "---:|".repeat(names.len())),
    ];
    for candidate in &candidates {
        let facts = facts(candidate, utility_of(candidate));
        lines.push(format!(
            "| {} | {} | {} | {} |",
            recipe_name(&candidate.recipe, delta),
            if candidate.measured.broken(shared.problem.policy()) == 0 { "yes" } else { "no" },
            knows_algorithm(shared, candidate).words(),
            FIGURES.map(|figure| (figure.value)(&facts).to_cell()).join(" | ")
        ));
    }
    let content = format!("δ {} to {}\n\n{}\n", delta.min(), delta.max(), lines.join("\n"));
    Ok(Figures { what: "the comparison", content })
}
