//! The state of the comparison: the selected release, and its difference to the base.

use palmtop_release::history::RecodingRecipe;

use super::difference::Difference;
use super::rows::{self, MEASURES};
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::candidates::{best_first, index_of};
use crate::shared::state::Shared;
use crate::shared::utility::{self, Utilities};
use crate::shared::view::Candidate;

/// The base and the selected recipe, with their difference.
pub(crate) type Differed = ((RecodingRecipe, RecodingRecipe), Difference);

/// A message of the screen's jobs.
pub(crate) enum Message {
    /// The difference of two releases.
    Differed(Answer<Box<Differed>>),
    /// The utility of a release.
    Utility(utility::Message),
}

/// The state of the screen.
pub(crate) struct Compare {
    /// The selected recipe; the best candidate if it is not among the candidates. A recipe, not an
    /// index: a search that ends meanwhile may insert its release.
    pub(crate) pointed: Option<RecodingRecipe>,
    /// The measure that the rows are sorted by.
    pub(crate) sort: usize,
    /// The difference; none before it is counted.
    pub(crate) difference: Option<Box<Differed>>,
    pub(crate) differences: Slot<Box<Differed>>,
    /// The measured utility of candidates; measured only while the screen is open.
    pub(crate) utilities: Utilities,
}

impl Compare {
    /// A comparison that nobody has opened.
    pub(super) fn unopened() -> Self {
        let task = Task { kind: "difference", doing: "comparing" };
        Self {
            pointed: None,
            sort: 0,
            difference: None,
            differences: Slot::new(task),
            utilities: Utilities::new(),
        }
    }

    /// The candidates in the shown order: those that keep δ first, and among them by the chosen
    /// measure.
    pub(crate) fn ordered(&self, shared: &Shared) -> Vec<Candidate> {
        let key = |candidate: &Candidate| {
            rows::key(&MEASURES[self.sort], &rows::facts(candidate, self.utility_of(candidate)))
        };
        best_first(shared.candidates(), &shared.problem, key)
    }

    /// The median relative error of the queries and the mean distance; `None` until measured.
    pub(super) fn utility_of(&self, candidate: &Candidate) -> Option<(f64, f64)> {
        let utility = self.utilities.of(candidate)?.as_ref().ok()?;
        Some((utility.queries.all.median, utility.distance()))
    }

    /// The row of a recipe; the row of least loss if the recipe has none.
    pub(crate) fn row_of(&self, shared: &Shared, wanted: Option<&RecodingRecipe>) -> usize {
        let best = shared.candidates();
        let Some(found) = best.get(index_of(&best, wanted)) else { return 0 };
        index_of(&self.ordered(shared), Some(&found.recipe))
    }

    /// The base and the selected recipe; none if they are the same.
    pub(crate) fn pair(&self, shared: &Shared) -> Option<(RecodingRecipe, RecodingRecipe)> {
        let candidates = shared.candidates();
        let base = index_of(&candidates, shared.base.as_ref());
        let pointed = index_of(&candidates, self.pointed.as_ref());
        (base != pointed).then(|| (candidates[base].recipe.clone(), candidates[pointed].recipe.clone()))
    }

    /// Requests the difference, and the missing measures.
    pub(super) fn ask(&mut self, link: &Link<Message>, shared: &Shared) {
        let candidates = shared.candidates();
        let pointed = index_of(&candidates, self.pointed.as_ref());
        self.utilities.ask(link, Message::Utility, shared, (&candidates, pointed));
        self.ask_difference(link, shared);
    }

    fn ask_difference(&mut self, link: &Link<Message>, shared: &Shared) {
        let known = self.difference.as_ref().map(|difference| &difference.0);
        let Some(pair) = self.pair(shared).filter(|pair| known != Some(pair)) else {
            self.differences.void();
            return;
        };
        let candidates = shared.candidates();
        let measured = |recipe: &RecodingRecipe| {
            candidates.iter().find(|known| known.recipe == *recipe).map(|known| known.measured.clone())
        };
        let (Some(base), Some(other)) = (measured(&pair.0), measured(&pair.1)) else {
            self.differences.void();
            return;
        };
        let problem = shared.problem.clone();
        self.differences.ask(link, Message::Differed, move |job| {
            let between = || Box::new((pair, Difference::between(&problem, &base, &other)));
            job.is_current().then(between)
        });
    }

    /// Forgets all figures, because δ changed.
    pub(super) fn forget(&mut self) {
        self.difference = None;
        self.differences.void();
    }
}
