//! The utility figures of a release, in the cells of the table.

use palmtop_measure::utility::Utility;

use crate::kit::text;
use crate::shared::state::Shared;

/// The headings: first those of complete releases, then the attributes.
pub(super) fn heads(shared: &Shared) -> Vec<String> {
    let quasi = shared.problem.quasi().iter().map(|quasi| quasi.name.clone());
    let overall = ["query", "90th", "distance"].map(ToOwned::to_owned);
    overall.into_iter().chain(quasi).chain(shared.analysis.sensitive()).collect()
}

/// The cells under the headings.
pub(super) fn cells(utility: &Utility) -> Vec<String> {
    let errors = &utility.queries.all;
    let overall = [text::loss(errors.median), text::loss(errors.ninetieth), text::loss(utility.distance())];
    let attributes = utility.attributes.iter().map(|attribute| text::loss(attribute.distance));
    overall.into_iter().chain(attributes).collect()
}
