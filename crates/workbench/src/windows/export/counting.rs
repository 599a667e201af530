//! The cautions of a release, counted while the analyst types the name of its file.

use palmtop_core::progress::Meter;
use palmtop_flow::caution::{self, Caution, Facts, RevealingColumns};
use palmtop_flow::history::RecodingRecipe;
use palmtop_flow::pipeline::{self, Analysis, PipelineError};
use palmtop_search::release::Release;

use crate::shared::cautions::Choice;
use crate::shared::existing::Existing;
use crate::shared::saver::Saver;

/// The cautions, or why they could not be counted.
pub(crate) type Counted = Result<Known, String>;

/// What to know about a release before it is written.
pub(crate) struct Known {
    /// What the release reveals about a person under δ, in one or two sentences.
    pub(crate) headline: String,
    /// Its cautions, the severe ones first.
    pub(crate) cautions: Vec<Caution>,
    /// The published columns that the headline leaves out.
    pub(crate) revealing: RevealingColumns,
}

/// Counts the cautions of a release that is made in a sitting.
pub(super) fn count(
    analysis: &Analysis,
    (recipe, release): (&RecodingRecipe, &Release),
    choice: Choice,
    saver: &Saver,
    meter: &mut Meter,
) -> Result<Known, PipelineError> {
    let surroundings = Existing::read(analysis, saver).surroundings_of(recipe, release);
    let project = caution::of_project(analysis, meter)?.with_surroundings(&surroundings);
    let risk = pipeline::risk::classes(analysis, release)?;
    let mut facts = Facts::of_release(analysis, release, &risk, &project);
    (facts.changes, facts.seen) = (choice.changes, choice.seen);
    let headline = facts.presences.as_ref().map_or_else(String::new, |_| facts.headline());
    let cautions = caution::of_release(&facts, &project);
    Ok(Known { headline, cautions, revealing: facts.revealing })
}
