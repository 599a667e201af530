//! The comparison as text for the clipboard.

use super::rows::knows_algorithm;
use crate::kit::text;
use crate::shared::intent::Figures;
use crate::shared::state::Shared;
use crate::shared::view::place_name;

/// The comparison as a Markdown table.
pub(super) fn comparison(shared: &Shared) -> Result<Figures, String> {
    let candidates = shared.candidates();
    if candidates.is_empty() {
        return Err("no figures yet".to_owned());
    }
    let delta = shared.delta();
    let mut lines = vec![
        "| release | δ-present | attacker who knows the algorithm | classes | released | loss | discernibility | average class size | presence |".to_owned(),
        "|---|---|---|---:|---:|---:|---:|---:|---|".to_owned(),
    ];
    for candidate in &candidates {
        let release = &candidate.measured.release;
        lines.push(format!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.1} | {} to {} |",
            place_name(&candidate.place, delta),
            if candidate.measured.broken(shared.problem.policy()) == 0 { "yes" } else { "no" },
            knows_algorithm(shared, candidate).words(),
            release.classes.len(),
            release.released_classes(),
            text::loss(release.metrics.loss.mean()),
            release.metrics.discernibility,
            release.metrics.average_class_size,
            release.achieved.min,
            release.achieved.max
        ));
    }
    let content = format!("δ {} to {}\n\n{}\n", delta.min(), delta.max(), lines.join("\n"));
    Ok(Figures { what: "the comparison", content })
}
