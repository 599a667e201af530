//! Failures on a lattice too large to hold: a list of nodes that fail, and a branch and bound for what they leave.

use std::ops::ControlFlow;

use super::base_counts::{BaseCounts, Failure};
use super::floors::Floors;
use super::objective::{Objective, Priced};
use super::pace::Pace;
use super::spalm::{Failures, SpalmSearch};
use super::tally::Tally;
use crate::model::size;

/// Nodes that fail, each raised as far as its class that breaks δ still does; a node at or below one fails.
#[derive(Clone, Debug)]
pub(super) struct Antichain {
    spans: Vec<usize>,
    fails: Vec<Vec<u8>>,
}

impl Antichain {
    /// No node known to fail.
    pub(super) fn new(floors: &Floors) -> Self {
        Self { spans: floors.spans().to_vec(), fails: Vec::new() }
    }
}

impl<W: Tally> Failures<W> for Antichain {
    fn covers(&self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        pace.spend(self.fails.len() * steps.len())?;
        ControlFlow::Continue(self.fails.iter().any(|fail| is_below(steps, fail)))
    }

    fn learn(
        &mut self,
        base_counts: &mut BaseCounts<W>,
        steps: &[u8],
        failure: Failure,
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let raised = match failure {
            Failure::Witness(witness) => {
                let mut raised = steps.to_vec();
                base_counts.climb(witness, &mut raised, &self.spans, pace)?;
                raised
            }
            Failure::UpTo(raised) => raised,
        };
        self.fails.push(raised);
        ControlFlow::Continue(())
    }

    fn open(&self) -> Option<u64> {
        None
    }

    fn search(search: &mut SpalmSearch<W, Self>, pace: &mut Pace) -> ControlFlow<()> {
        search.descend(pace)?;
        let width = search.best.steps.len();
        let mut covering = Vec::new();
        for fail in 0..search.failures.fails.len() {
            pace.spend(search.failures.fails.len() * width)?;
            if search.failures.is_maximal(fail) {
                covering.push(fail);
            }
        }
        let limit = search.best.value.min(search.limit);
        Branch { limit, steps: vec![0; width], covering: vec![covering], search, pace }.visit(0)
    }
}

impl Antichain {
    /// Whether no other failure tells all that this one does.
    fn is_maximal(&self, fail: usize) -> bool {
        let own = &self.fails[fail];
        !self
            .fails
            .iter()
            .enumerate()
            .any(|(other, fails)| other != fail && is_below(own, fails) && (fails != own || other < fail))
    }
}

/// A depth-first search for the best node: it settles one quasi-identifier after another, the rest staying at their
/// floors. Its depth is the number of quasi-identifiers.
struct Branch<'a, 'p, 'o, W> {
    search: &'a mut SpalmSearch<W, Antichain>,
    pace: &'a mut Pace<'p, 'o>,
    /// What the best node known costs.
    limit: f64,
    steps: Vec<u8>,
    /// At each depth, the failures that cover the least node that begins like `steps`.
    covering: Vec<Vec<usize>>,
}

impl<W: Tally> Branch<'_, '_, '_, W> {
    /// Looks at all nodes that begin like `steps` up to `attribute`. The least of them is `steps` itself, for every cost
    /// grows with generalization.
    fn visit(&mut self, attribute: usize) -> ControlFlow<()> {
        if self.covering[attribute].is_empty() && self.settle()? {
            return ControlFlow::Continue(());
        }
        if attribute == self.steps.len() {
            return ControlFlow::Continue(());
        }
        self.pace.tell(self.search.step())?;
        for step in 0..self.search.failures.spans[attribute] {
            self.steps[attribute] = size::steps(step);
            // Further steps only cost more.
            let here = self.price()?;
            if self.exceeds(here.value) {
                break;
            }
            let fails = &self.search.failures.fails;
            let open = self.steps.len() - attribute;
            self.pace.spend(self.covering[attribute].len() * open)?;
            let covers = |fail: &usize| fails[*fail][attribute] >= self.steps[attribute];
            let still: Vec<usize> = self.covering[attribute].iter().copied().filter(covers).collect();
            // A further step may leave at once what is dear to leave elsewhere.
            if self.exceeds(self.escape(here.value, attribute + 1, &still)) {
                continue;
            }
            self.covering.push(still);
            self.visit(attribute + 1)?;
            self.covering.pop();
        }
        self.steps[attribute] = 0;
        ControlFlow::Continue(())
    }

    /// Whether nothing that begins like `steps` needs to be looked at any more: none is better than the best known, or
    /// `steps` keeps δ. Else it fails, and the failure is noted at every depth.
    fn settle(&mut self) -> ControlFlow<(), bool> {
        let here = self.price()?;
        if self.search.objective.compare(&here, &self.search.best).is_ge() {
            return ControlFlow::Continue(true);
        }
        if self.search.keeps_delta(&self.steps, self.pace)? {
            self.limit = here.value.min(self.limit);
            self.search.settle(here);
            return ControlFlow::Continue(true);
        }
        let fail = self.search.failures.fails.len() - 1;
        self.covering.iter_mut().for_each(|covering| covering.push(fail));
        ControlFlow::Continue(false)
    }

    /// A cost that no node which begins like `steps` up to `attribute` stays below, if it is to leave each of these
    /// failures upwards in one of the quasi-identifiers that are still open; `here` is the cost of `steps`.
    fn escape(&self, here: f64, attribute: usize, covering: &[usize]) -> f64 {
        let mut least = 0.0_f64;
        for &fail in covering {
            let fail = &self.search.failures.fails[fail];
            let mut cheapest = f64::INFINITY;
            for (open, &step) in fail.iter().enumerate().skip(attribute) {
                if usize::from(step) + 1 < self.search.failures.spans[open] {
                    cheapest = match &self.search.objective {
                        Objective::Known(costs) => cheapest.min(costs.raised(here, open, step + 1)),
                        Objective::Counted => 0.0,
                    };
                }
            }
            least = least.max(cheapest);
        }
        least
    }

    /// Whether a cost is above the best node's, beyond all rounding.
    fn exceeds(&self, value: f64) -> bool {
        value > self.limit * (1.0 + 1e-8)
    }

    /// `steps` with its cost.
    fn price(&mut self) -> ControlFlow<(), Priced> {
        self.pace.spend(self.steps.len())?;
        self.search.objective.price(&mut self.search.base_counts, self.steps.clone(), self.pace)
    }
}

/// Whether a node is another, or a specialization of it.
pub(super) fn is_below(steps: &[u8], other: &[u8]) -> bool {
    steps.iter().zip(other).all(|(own, theirs)| own <= theirs)
}
