//! Failures on a lattice too large to hold: a list of nodes that fail, and a branch and bound for what they leave.

use std::ops::ControlFlow;

use super::base_counts::{BaseCounts, Failure};
use super::cost::Rises;
use super::floors::Floors;
use super::objective::Priced;
use super::pace::Pace;
use super::spalm::{Failures, SpalmSearch};
use super::tally::Tally;
use palmtop_core::model::size;

/// The number of failures whose costs of leaving them are added up.
const ADDED: usize = 32;
/// What rounding may add to a sum of rises.
const ROUNDED: f64 = 1e-11;
/// After so many more failures, what they prove of the cost is computed anew.
const PROVING: usize = 256;

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
        let order: Vec<usize> = (0..width).rev().collect();
        let rises = search.objective.rises();
        let steps = vec![0; width];
        let mut branch =
            Branch { limit, order, rises, steps, covering: vec![covering], proven: 0, search, pace };
        branch.prove()?;
        branch.visit(0)
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

/// A depth-first search for the best node: it settles one quasi-identifier after another, the rest staying at
/// their floors. Its depth is the number of quasi-identifiers.
///
/// The first is the last of the project. A failure is raised in the first of the project first (`BaseCounts::climb`), so that
/// it ends as low as it must in those that are settled early, and rules out much at once.
struct Branch<'a, 'p, 'o, W> {
    search: &'a mut SpalmSearch<W, Antichain>,
    pace: &'a mut Pace<'p, 'o>,
    /// What the best node known costs.
    limit: f64,
    /// The quasi-identifier that is settled at each depth.
    order: Vec<usize>,
    /// What each step of each quasi-identifier adds to the cost, if that is known before counting.
    rises: Option<Rises>,
    steps: Vec<u8>,
    /// At each depth, the failures that cover the least node that begins like `steps`.
    covering: Vec<Vec<usize>>,
    /// The number of failures when the bound of all nodes was computed last.
    proven: usize,
}

impl<W: Tally> Branch<'_, '_, '_, W> {
    /// Looks at all nodes that begin like `steps` up to `depth`. The least of them is `steps` itself, for every cost
    /// grows with generalization.
    fn visit(&mut self, depth: usize) -> ControlFlow<()> {
        if self.covering[depth].is_empty() && self.settle()? {
            return ControlFlow::Continue(());
        }
        if depth == self.steps.len() {
            return ControlFlow::Continue(());
        }
        if self.search.failures.fails.len() >= self.proven + PROVING {
            self.prove()?;
        }
        self.pace.tell(self.search.step())?;
        let attribute = self.order[depth];
        for step in 0..self.search.failures.spans[attribute] {
            self.steps[attribute] = size::steps(step);
            // Further steps only cost more.
            let here = self.price()?;
            if self.exceeds(here.value) {
                break;
            }
            let fails = &self.search.failures.fails;
            let open = self.steps.len() - depth;
            self.pace.spend(self.covering[depth].len() * open)?;
            let covers = |fail: &usize| fails[*fail][attribute] >= self.steps[attribute];
            let still: Vec<usize> = self.covering[depth].iter().copied().filter(covers).collect();
            // A further step may leave at once what is dear to leave elsewhere.
            if self.exceeds(self.escape(here.value, depth + 1, &still)) {
                continue;
            }
            self.covering.push(still);
            self.visit(depth + 1)?;
            self.covering.pop();
        }
        self.steps[attribute] = 0;
        ControlFlow::Continue(())
    }

    /// Notes the cost that no node stays below which leaves all failures.
    fn prove(&mut self) -> ControlFlow<()> {
        self.proven = self.search.failures.fails.len();
        let floors = vec![0; self.steps.len()];
        self.pace.spend(self.proven * floors.len())?;
        let least = self.search.objective.price(&mut self.search.base_counts, floors, self.pace)?.value;
        let all: Vec<usize> = (0..self.proven).collect();
        let escape = self.escape(least, 0, &all);
        self.search.prove(escape.max(least).min(self.search.best.value));
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

    /// A cost that no node which begins like `steps` up to `depth` stays below, if it is to leave each of these failures
    /// upwards in one of the quasi-identifiers that are still open; `here` is the cost of `steps`.
    ///
    /// Leaving one failure costs at least its cheapest way out. The costs of several add up, as far as their ways out share
    /// no rise: each failure takes its part of every rise that would leave it, and the next is left with the rest. (This is
    /// the dual of a linear program for the cheapest rises that leave all of them; any order of failures is valid.)
    fn escape(&self, here: f64, depth: usize, covering: &[usize]) -> f64 {
        let Some(rises) = &self.rises else {
            // The cost of a rise is not known, but a failure that reaches the top has no way out.
            let is_closed =
                |fail: &&usize| self.order[depth..].iter().all(|&open| self.reaches_top(**fail, open));
            return if covering.iter().any(|fail| is_closed(&fail)) { f64::INFINITY } else { 0.0 };
        };
        let mut ways: Vec<(f64, usize)> = Vec::with_capacity(covering.len());
        for &fail in covering {
            let steps = &self.search.failures.fails[fail];
            let out = self.order[depth..].iter().filter(|&&open| !self.reaches_top(fail, open));
            let cheapest = out.map(|&open| rises.of(open)[usize::from(steps[open]) + 1]).reduce(f64::min);
            let Some(cheapest) = cheapest else { return f64::INFINITY };
            ways.push((cheapest, fail));
        }
        let dearest = |left: &(f64, usize), right: &(f64, usize)| right.0.total_cmp(&left.0);
        if ways.len() > ADDED {
            ways.select_nth_unstable_by(ADDED, dearest);
            ways.truncate(ADDED);
        }
        ways.sort_unstable_by(dearest);
        let mut left = rises.clone();
        let mut sum = 0.0;
        for (_, fail) in ways {
            let steps = &self.search.failures.fails[fail];
            let ways = || self.order[depth..].iter().map(|&open| (open, usize::from(steps[open]) + 1));
            let least = ways().map(|(open, from)| left.least(open, from)).fold(f64::INFINITY, f64::min);
            if least > 0.0 {
                ways().for_each(|(open, from)| left.take(open, from, least));
                sum += least;
            }
        }
        rises.added(here, (sum - ROUNDED).max(0.0))
    }

    /// Whether a failure reaches the top of a quasi-identifier.
    fn reaches_top(&self, fail: usize, attribute: usize) -> bool {
        let failures = &self.search.failures;
        usize::from(failures.fails[fail][attribute]) + 1 >= failures.spans[attribute]
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
