//! Figures as text for the clipboard; never a row of a table.

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;

use super::intent::Figures;
use super::state::Shared;
use super::view::recipe_name;

/// The verdict and the metrics of the release that an export would write.
pub(crate) fn of_release(shared: &Shared, recipe: &RecodingRecipe, release: &Release) -> Figures {
    let (metrics, achieved) = (&release.metrics, release.achieved);
    let criteria = release.policy.criteria();
    let verdict = match (release.is_present(), criteria.is_empty()) {
        (true, true) => "δ-present".to_owned(),
        (true, false) => format!("δ-present with {criteria}"),
        (false, true) => "NOT δ-present".to_owned(),
        (false, false) => format!("NOT δ-present with {criteria}"),
    };
    let mut lines = vec![
        format!("{}: {}", shared.analysis.name(), recipe_name(recipe, shared.delta())),
        format!("verdict: {verdict} for δ {} to {}", release.delta().min(), release.delta().max()),
        format!("for who knows palmtop: {}", shared.knows_algorithm(recipe, release).words()),
        format!("achieved presence: {} to {}", achieved.min, achieved.max),
        format!("classes: {}, released {}", release.classes.len(), release.released_classes()),
        format!("loss: {:.6}", metrics.loss.mean()),
        format!("loss, geometric: {:.6}", metrics.loss.geometric()),
        format!("discernibility: {}", metrics.discernibility),
        format!("average class size: {:.3}", metrics.average_class_size),
    ];
    if release.withdrawn() > 0 {
        lines.insert(5, format!("members withdrawn: {}", release.withdrawn()));
    }
    for (quasi, loss) in shared.problem.quasi().iter().zip(metrics.loss.by_attribute()) {
        lines.push(format!("loss of {}: {loss:.6}", quasi.name));
    }
    Figures { what: "the figures of this release", content: lines.join("\n") + "\n" }
}
