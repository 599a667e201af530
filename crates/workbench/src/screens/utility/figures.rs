//! The utility figures of a release, on the screen and as text for the clipboard.

use palmtop_measure::utility::Utility;

use super::state::UtilityTable;
use crate::kit::text;
use crate::shared::intent::Figures;
use crate::shared::state::Shared;
use crate::shared::view::place_name;

/// The headings: first those of complete releases, then the attributes.
pub(super) fn heads(shared: &Shared) -> Vec<String> {
    let quasi = shared.problem.quasi().iter().map(|quasi| quasi.name.clone());
    let own = ["query", "90th", "distance"].map(ToOwned::to_owned);
    own.into_iter().chain(quasi).chain(shared.analysis.sensitive()).collect()
}

/// The cells under the headings.
pub(super) fn cells(utility: &Utility) -> Vec<String> {
    let errors = &utility.queries.all;
    let own = [text::loss(errors.median), text::loss(errors.ninetieth), text::loss(utility.distance())];
    let attributes = utility.attributes.iter().map(|attribute| text::loss(attribute.distance));
    own.into_iter().chain(attributes).collect()
}

/// All figures as a Markdown table.
pub(super) fn utilities(shared: &Shared, own: &UtilityTable) -> Result<Figures, String> {
    let (candidates, _) = own.candidates(shared)?;
    let heads = heads(shared);
    let mut lines =
        vec![format!("| release | {} |", heads.join(" | ")), format!("|---|{}", "---:|".repeat(heads.len()))];
    for candidate in &candidates {
        let name = place_name(&candidate.place, shared.delta());
        let measured = own.utilities.of(candidate).ok_or("not measured yet")?;
        let utility = measured.as_ref().map_err(Clone::clone)?;
        lines.push(format!("| {name} | {} |", cells(utility).join(" | ")));
    }
    Ok(Figures { what: "the utility", content: format!("{}\n", lines.join("\n")) })
}
