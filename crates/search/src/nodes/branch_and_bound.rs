//! SPALM on a lattice that does not fit in memory: a branch and bound over the nodes that escape all
//! known failures.

use std::ops::ControlFlow;

use super::antichain::Antichain;
use super::cheapest_search::{CheapestSearch, ROUNDING};
use super::node_search::Judge;
use crate::control::pace::Pace;
use crate::counts::cost::Rises;
use crate::counts::objective::Priced;
use crate::counts::tally::Tally;
use palmtop_core::model::size;

/// The number of failures whose escape costs are added up in a bound.
const ADDED: usize = 32;
/// The error that rounding may add to a sum of rises.
const ROUNDED: f64 = 1e-11;
/// The number of new failures after which the proven bound is computed again.
const PROVING: usize = 256;

/// Descends to a good node, then visits the others depth first.
pub(crate) fn branch_and_bound<W: Tally>(
    search: &mut CheapestSearch<W, Antichain>,
    pace: &mut Pace,
) -> ControlFlow<()> {
    search.descend(pace)?;
    let width = search.judge.best.steps.len();
    let mut covering = Vec::new();
    for fail in 0..search.failures.fails.len() {
        pace.spend(search.failures.fails.len() * width)?;
        if search.failures.is_maximal(fail) {
            covering.push(fail);
        }
    }
    let limit = search.judge.best.value.min(search.judge.limit);
    let order: Vec<usize> = (0..width).rev().collect();
    let rises = search.judge.objective.rises();
    let steps = vec![0; width];
    let mut branch = Branch { limit, order, rises, steps, covering: vec![covering], proven: 0, search, pace };
    branch.prove()?;
    branch.visit(0)
}

/// A depth-first branch and bound for the best node.
///
/// It fixes the step of one quasi-identifier at each depth; the others stay at their floors. So the
/// depth is at most the number of quasi-identifiers.
///
/// The quasi-identifiers are fixed from the project's last to its first. A failure is raised in the
/// project's first quasi-identifiers first (`BaseCounts::climb`). Its steps in the early-fixed
/// quasi-identifiers are then as low as possible, so that it excludes many nodes early.
struct Branch<'a, 'p, 'o, W> {
    search: &'a mut CheapestSearch<W, Antichain>,
    pace: &'a mut Pace<'p, 'o>,
    /// The cost of the best node so far, or the caller's limit if that is lower.
    limit: f64,
    /// The quasi-identifier that is fixed at each depth.
    order: Vec<usize>,
    /// The cost that each step of each quasi-identifier adds, if it is known before counting.
    rises: Option<Rises>,
    steps: Vec<u8>,
    /// For each depth, the failures that cover the least node with the steps fixed so far.
    covering: Vec<Vec<usize>>,
    /// The number of failures at the last computation of the proven bound.
    proven: usize,
}

impl<W: Tally> Branch<'_, '_, '_, W> {
    /// Visits all nodes with the steps that are fixed up to `depth`. The cheapest of them is
    /// `steps` itself, because every cost grows with generalization.
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
        self.pace.report(self.search.judge.step(self.search.seen()))?;
        let attribute = self.order[depth];
        for step in 0..self.search.failures.spans[attribute] {
            self.steps[attribute] = size::steps(step);
            // Further steps cost more.
            let here = self.price()?;
            if self.exceeds(here.value) {
                break;
            }
            let fails = &self.search.failures.fails;
            let open = self.steps.len() - depth;
            self.pace.spend(self.covering[depth].len() * open)?;
            let covers = |fail: &usize| fails[*fail][attribute] >= self.steps[attribute];
            let still: Vec<usize> = self.covering[depth].iter().copied().filter(covers).collect();
            // A further step may escape these failures at a lower cost.
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

    /// Computes and records a lower bound on the cost of all nodes that escape all failures.
    fn prove(&mut self) -> ControlFlow<()> {
        self.proven = self.search.failures.fails.len();
        let floors = vec![0; self.steps.len()];
        self.pace.spend(self.proven * floors.len())?;
        let least = self.search.price(floors, self.pace)?.value;
        let all: Vec<usize> = (0..self.proven).collect();
        let escape = self.escape(least, 0, &all);
        self.search.prove(escape.max(least).min(self.search.judge.best.value));
        ControlFlow::Continue(())
    }

    /// Prices and counts `steps`. Returns whether the nodes with these fixed steps need no visit:
    /// none is better than the best so far, or `steps` keeps δ. If `steps` fails, its failure is
    /// added at every depth.
    fn settle(&mut self) -> ControlFlow<(), bool> {
        let here = self.price()?;
        if self.search.judge.objective.compare(&here, &self.search.judge.best).is_ge() {
            return ControlFlow::Continue(true);
        }
        if self.search.visit(&self.steps, self.pace)? {
            self.limit = here.value.min(self.limit);
            self.search.settle(here);
            return ControlFlow::Continue(true);
        }
        let fail = self.search.failures.fails.len() - 1;
        self.covering.iter_mut().for_each(|covering| covering.push(fail));
        ControlFlow::Continue(false)
    }

    /// A lower bound on the cost of the nodes with the steps fixed up to `depth` that escape all
    /// failures in `covering`. A node *escapes* a failure if it has a greater step in a
    /// quasi-identifier that is not fixed yet. `here` is the cost of `steps`.
    ///
    /// Escaping one failure costs at least its cheapest rise. The costs of several failures add up
    /// as far as they share no rise. Each failure takes its part of every rise by which it can be
    /// escaped, and the next failure works with the remaining rises. This is a feasible solution of
    /// the dual of the linear program for the cheapest rises that escape all failures, so that any
    /// order of failures gives a valid bound.
    fn escape(&self, here: f64, depth: usize, covering: &[usize]) -> f64 {
        let failures = &self.search.failures;
        let Some(rises) = &self.rises else {
            // The cost of a rise is unknown, but a failure that reaches every top has no escape.
            let is_closed =
                |fail: &&usize| self.order[depth..].iter().all(|&open| failures.reaches_top(**fail, open));
            return if covering.iter().any(|fail| is_closed(&fail)) { f64::INFINITY } else { 0.0 };
        };
        let mut ways: Vec<(f64, usize)> = Vec::with_capacity(covering.len());
        for &fail in covering {
            let steps = &failures.fails[fail];
            let out = self.order[depth..].iter().filter(|&&open| !failures.reaches_top(fail, open));
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
            let steps = &failures.fails[fail];
            let ways = || self.order[depth..].iter().map(|&open| (open, usize::from(steps[open]) + 1));
            let least = ways().map(|(open, from)| left.least(open, from)).fold(f64::INFINITY, f64::min);
            if least > 0.0 {
                ways().for_each(|(open, from)| left.take(open, from, least));
                sum += least;
            }
        }
        rises.added(here, (sum - ROUNDED).max(0.0))
    }

    /// Whether a cost is above the limit by more than rounding.
    fn exceeds(&self, value: f64) -> bool {
        value > self.limit * (1.0 + ROUNDING)
    }

    /// The current node with its cost.
    fn price(&mut self) -> ControlFlow<(), Priced> {
        self.pace.spend(self.steps.len())?;
        self.search.price(self.steps.clone(), self.pace)
    }
}
