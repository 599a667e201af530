//! The judge of the searches for the node of least cost: what SPALM does in any order of nodes.

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use super::node_search::{Judge, NodeSearch, Seen};
use crate::control::pace::Pace;
use crate::counts::counter::Counter;
use crate::counts::floors::Floors;
use crate::counts::objective::{Objective, Priced};
use crate::counts::steps::one_finer;
use crate::counts::tally::Tally;
use crate::{SearchReport, SearchStage, Step, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::size;
use palmtop_core::model::{Node, Problem, Recoding};
use rustc_hash::FxHashSet;

/// The relative error that rounding may add to a cost.
pub(super) const ROUNDING: f64 = 1e-8;

/// A search for the node of least cost. Its order of nodes decides nothing but the time.
pub(crate) type CheapestSearch<W, F> = NodeSearch<W, F, Cheapest>;

/// The best node of those that keep δ, and what is proven about all others.
pub(crate) struct Cheapest {
    pub(crate) objective: Objective,
    /// The nodes that were counted and keep δ.
    present: FxHashSet<Node>,
    /// The best node that is known to keep δ.
    pub(crate) best: Priced,
    /// The metric of the best node.
    metric: f64,
    /// The proven lower bound on the metric of δ-present nodes.
    lower: Option<f64>,
    /// The [`Priced::value`] above which the caller needs no node.
    pub(crate) limit: f64,
}

impl Cheapest {
    /// The cheapest of the nodes that were counted to find the floors is the best so far.
    fn of<W: Tally>(
        problem: &Problem,
        metric: Metric,
        floors: &Floors,
        counter: &mut Counter<W>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let objective = Objective::of(problem, metric, floors.levels(), pace)?;
        let present: Vec<Node> =
            floors.checked().iter().filter(|(_, present)| *present).map(|(node, _)| node.clone()).collect();
        // The top is the first of them.
        let top = floors.spans().iter().map(|&span| size::steps(span - 1)).collect();
        let mut best = objective.price(counter, top, pace)?;
        for steps in present.iter().skip(1).filter_map(|node| floors.steps_of(node)) {
            let next = objective.price(counter, steps, pace)?;
            if objective.compare(&next, &best).is_lt() {
                best = next;
            }
        }
        ControlFlow::Continue(Self {
            metric: objective.metric(&floors.node(&best.steps), &best),
            best,
            lower: None,
            limit: f64::INFINITY,
            present: present.into_iter().collect(),
            objective,
        })
    }
}

impl Judge for Cheapest {
    fn knows(&self, node: &Node) -> bool {
        self.present.contains(node)
    }

    fn hear(&mut self, node: Node, holds: bool) {
        if holds {
            self.present.insert(node);
        }
    }

    fn step(&self, seen: Seen) -> Step {
        let decided = seen.failing.unwrap_or(seen.failed) + self.present.len() as u64;
        let stage = SearchStage { best: Some(self.metric), lower: self.lower, ..SearchStage::default() };
        Step { stage, done: decided.min(seen.total), total: seen.total }
    }
}

impl<W: Tally, F: KnownFailures<W>> CheapestSearch<W, F> {
    /// A search for the cheapest node of a problem. `failures` has no node yet.
    pub(crate) fn cheapest(
        problem: &Problem,
        metric: Metric,
        failures: F,
        floors: Floors,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let mut counter = Counter::of(problem, &floors, pace)?;
        let judge = Cheapest::of(problem, metric, &floors, &mut counter, pace)?;
        ControlFlow::Continue(Self::new(floors, counter, failures, judge))
    }

    /// Restricts the search to nodes whose metric is at most `most`.
    pub(crate) fn within(mut self, most: Option<f64>) -> Self {
        let width = self.floors.spans().len();
        self.judge.limit = most.map_or(f64::INFINITY, |most| self.judge.objective.value_at(most, width));
        self
    }

    /// Whether a cost is above the limit by more than rounding.
    pub(crate) fn is_useless(&self, value: f64) -> bool {
        value > self.judge.limit * (1.0 + ROUNDING)
    }

    /// Searches in an order of nodes, until the best node so far is proven to be the best of all.
    pub(crate) fn find(
        mut self,
        order: impl FnOnce(&mut Self, &mut Pace) -> ControlFlow<()>,
        pace: &mut Pace,
    ) -> (Option<Recoding>, SearchReport) {
        let stop = self.run(order, pace);
        let node = self.floors.node(&self.judge.best.steps);
        let report = self.report(stop);
        (Some(Recoding::Node(node)), report)
    }

    /// The cost of a node.
    pub(crate) fn price(&mut self, steps: Vec<u8>, pace: &mut Pace) -> ControlFlow<(), Priced> {
        self.judge.objective.price(&mut self.counter, steps, pace)
    }

    /// Descends from the best node so far to a minimal δ-present node.
    pub(crate) fn descend(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        self.descend_from(self.judge.best.clone(), None, pace)
    }

    /// Descends from a δ-present node to a minimal one. Each step goes to the cheapest δ-present
    /// specialization. The quasi-identifier `held` keeps its level.
    pub(crate) fn descend_from(
        &mut self,
        mut here: Priced,
        held: Option<usize>,
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        'down: loop {
            if self.judge.objective.compare(&here, &self.judge.best).is_lt() {
                self.settle(here.clone());
            }
            let mut finer: Vec<Priced> = Vec::new();
            for attribute in (0..here.steps.len()).filter(|&attribute| held != Some(attribute)) {
                if let Some(steps) = one_finer(&here.steps, attribute) {
                    pace.spend(steps.len())?;
                    finer.push(self.price(steps, pace)?);
                }
            }
            finer.sort_by(|left, right| self.judge.objective.compare(left, right));
            for node in finer {
                if !self.failures.covers(&node.steps, pace)? && self.visit(&node.steps, pace)? {
                    here = node;
                    continue 'down;
                }
            }
            return ControlFlow::Continue(());
        }
    }

    /// Descends from a node, if it keeps δ. The quasi-identifier `held` keeps its level.
    pub(crate) fn descend_at(&mut self, steps: Vec<u8>, held: usize, pace: &mut Pace) -> ControlFlow<()> {
        if !self.failures.covers(&steps, pace)? && self.visit(&steps, pace)? {
            let here = self.price(steps, pace)?;
            self.descend_from(here, Some(held), pace)?;
        }
        ControlFlow::Continue(())
    }

    /// Records that no node below this [`Priced::value`] keeps δ.
    pub(crate) fn prove(&mut self, value: f64) {
        let metric =
            self.judge.objective.metric_at(value * (1.0 - ROUNDING), self.floors.spans().len()).max(0.0);
        self.judge.lower = self.judge.lower.into_iter().chain([metric]).reduce(f64::max);
    }

    /// Replaces the best node so far.
    pub(crate) fn settle(&mut self, best: Priced) {
        self.judge.metric = self.judge.objective.metric(&self.floors.node(&best.steps), &best);
        self.judge.best = best;
    }

    fn report(&self, stop: StopReason) -> SearchReport {
        let best = self.floors.node(&self.judge.best.steps);
        let above = self.judge.best.steps.iter().zip(self.floors.spans());
        let above = above.map(|(&step, span)| (span - usize::from(step)) as u64);
        let elsewhere = self.judge.present.iter().filter(|node| !node.generalizes(&best)).count() as u64;
        let seen = self.seen();
        let checked = seen.failed + self.judge.present.len() as u64;
        let decided = seen.failing.map(|failing| failing + above.product::<u64>() + elsewhere);
        SearchReport {
            lower: self.judge.lower.filter(|_| stop.is_early()).map(|lower| lower.min(self.judge.metric)),
            ..SearchReport::of_nodes(seen.total, checked, decided.map(|decided| decided - checked), stop)
        }
    }
}
