//! The candidates of the comparison: pinned recipes, searches, and the current recipe.

use palmtop_core::model::Problem;
use palmtop_release::history::RecodingRecipe;

use super::intent::Change;
use super::state::{News, Shared};
use super::view::{Candidate, recipe_name};

impl Shared {
    /// Pins a recipe for the comparison, or unpins it.
    pub(crate) fn pin(&mut self, recipe: &RecodingRecipe) -> News {
        let name = recipe_name(recipe, self.delta());
        let message = if self.pins.iter().any(|pin| pin.recipe == *recipe) {
            self.pins.retain(|pin| pin.recipe != *recipe);
            format!("{name} is no longer pinned")
        } else {
            let known = self.candidates().into_iter().find(|candidate| candidate.recipe == *recipe);
            let Some(candidate) = known else {
                return News::with_message(Some(self.why_no_view()));
            };
            self.pins.push(candidate);
            format!("{name} is pinned: {} compares it", self.key("releases"))
        };
        self.save();
        News { changes: vec![Change::Candidates], message: Some(message) }
    }

    /// Makes this recipe the base of the comparison.
    pub(crate) fn set_base(&mut self, recipe: RecodingRecipe) -> News {
        self.base = Some(recipe);
        News::of(vec![Change::Candidates])
    }

    /// The candidates: the last node, the pinned recipes, every search under the current δ that
    /// found a release, and the current recipe. Candidates that keep δ come first; the first has the
    /// least loss.
    pub(crate) fn candidates(&self) -> Vec<Candidate> {
        let mut candidates: Vec<Candidate> = Vec::new();
        let ground = self.ground.measured.iter().map(|measured| Candidate {
            recipe: RecodingRecipe::from(&self.ground.node),
            measured: measured.clone(),
            seconds: None,
        });
        let runs = self.runs.finished(self.delta()).filter_map(|outcome| {
            let (recipe, seconds) = (RecodingRecipe::Search(outcome.search.clone()), Some(outcome.seconds));
            Some(Candidate { recipe, measured: outcome.measured.clone()?, seconds })
        });
        let here = self.current_view().map(|view| Candidate {
            recipe: view.recipe.clone(),
            measured: view.measured.clone(),
            seconds: None,
        });
        for candidate in ground.chain(self.pins.iter().cloned()).chain(runs).chain(here) {
            if !candidates.iter().any(|known| known.recipe == candidate.recipe) {
                candidates.push(candidate);
            }
        }
        let loss = |candidate: &Candidate| candidate.measured.release.metrics.loss.mean();
        best_first(candidates, &self.problem, loss)
    }
}

/// Sorts candidates: those that keep δ first, and among them by the key.
pub(crate) fn best_first(
    candidates: Vec<Candidate>,
    problem: &Problem,
    key: impl Fn(&Candidate) -> f64,
) -> Vec<Candidate> {
    let keyed =
        |candidate: Candidate| (candidate.measured.broken(problem.policy()) > 0, key(&candidate), candidate);
    // Judges the classes of each candidate once, not in every comparison of two.
    let mut keyed: Vec<(bool, f64, Candidate)> = candidates.into_iter().map(keyed).collect();
    keyed.sort_by(|left, right| left.0.cmp(&right.0).then_with(|| left.1.total_cmp(&right.1)));
    keyed.into_iter().map(|(_, _, candidate)| candidate).collect()
}

/// The index of the wanted recipe among the candidates; 0 if it is not among them.
pub(crate) fn index_of(candidates: &[Candidate], wanted: Option<&RecodingRecipe>) -> usize {
    candidates.iter().position(|candidate| Some(&candidate.recipe) == wanted).unwrap_or(0)
}
