//! The search for the node of least cost, without the order in which it visits nodes.

use std::ops::ControlFlow;

use super::known_failures::KnownFailures;
use super::node_search::NodeSearch;
use crate::control::pace::Pace;
use crate::counts::objective::{Objective, Priced};
use crate::counts::steps::one_finer;
use crate::counts::tally::Tally;
use crate::{SearchReport, SearchStage, Step, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::size;
use palmtop_core::model::{Node, Problem, Recoding};

/// The relative error that rounding may add to a cost.
const ROUNDING: f64 = 1e-8;

/// A search for the node of least cost: all that its order of nodes does not decide.
pub(crate) struct CheapestSearch<W, F> {
    pub(crate) nodes: NodeSearch<W, F>,
    pub(crate) objective: Objective,
    /// The nodes that were counted and keep δ.
    present: Vec<Node>,
    /// The best node that is known to keep δ.
    pub(crate) best: Priced,
    /// The metric of the best node.
    metric: f64,
    /// The proven lower bound on the metric of δ-present nodes.
    lower: Option<f64>,
    /// The [`Priced::value`] above which the caller needs no node.
    pub(crate) limit: f64,
}

impl<W: Tally, F: KnownFailures<W>> CheapestSearch<W, F> {
    /// A search whose best node is the cheapest of those that were counted to find the floors.
    pub(crate) fn new(
        problem: &Problem,
        metric: Metric,
        mut nodes: NodeSearch<W, F>,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let floors = &nodes.floors;
        let objective = Objective::of(problem, metric, floors.levels(), pace)?;
        let present: Vec<Node> =
            floors.checked().iter().filter(|(_, present)| *present).map(|(node, _)| node.clone()).collect();
        // The top is the first of them.
        let top = floors.spans().iter().map(|&span| size::steps(span - 1)).collect();
        let mut best = objective.price(&mut nodes.counter, top, pace)?;
        for steps in present.iter().skip(1).filter_map(|node| floors.steps_of(node)) {
            let next = objective.price(&mut nodes.counter, steps, pace)?;
            if objective.compare(&next, &best).is_lt() {
                best = next;
            }
        }
        ControlFlow::Continue(Self {
            metric: objective.metric(&nodes.floors.node(&best.steps), &best),
            best,
            lower: None,
            limit: f64::INFINITY,
            present,
            objective,
            nodes,
        })
    }

    /// Restricts the search to nodes whose metric is at most `most`.
    pub(crate) fn within(self, most: Option<f64>) -> Self {
        let limit =
            most.map_or(f64::INFINITY, |most| self.objective.value_at(most, self.nodes.floors.spans().len()));
        Self { limit, ..self }
    }

    /// Whether a cost is above the limit by more than rounding.
    pub(crate) fn is_useless(&self, value: f64) -> bool {
        value > self.limit * (1.0 + ROUNDING)
    }

    /// Searches in an order of nodes, until the best node so far is proven to be the best of all.
    pub(crate) fn run(
        mut self,
        order: impl FnOnce(&mut Self, &mut Pace) -> ControlFlow<()>,
        pace: &mut Pace,
    ) -> (Option<Recoding>, SearchReport) {
        let found = order(&mut self, pace);
        let stop = if found.is_continue() { StopReason::Done } else { StopReason::Cancelled };
        let node = self.nodes.floors.node(&self.best.steps);
        let report = self.report(stop);
        (Some(Recoding::Node(node)), report)
    }

    /// Counts a node unless it is known to keep δ.
    pub(crate) fn keeps_delta(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        let node = self.nodes.floors.node(steps);
        if self.present.contains(&node) {
            return ControlFlow::Continue(true);
        }
        pace.report(self.step())?;
        let holds = self.nodes.holds(steps, pace)?;
        if holds {
            self.present.push(node);
        }
        ControlFlow::Continue(holds)
    }

    /// The cost of a node.
    pub(crate) fn price(&mut self, steps: Vec<u8>, pace: &mut Pace) -> ControlFlow<(), Priced> {
        self.objective.price(&mut self.nodes.counter, steps, pace)
    }

    /// Descends from the best node so far to a minimal δ-present node. Each step goes to the
    /// cheapest δ-present specialization.
    pub(crate) fn descend(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        'down: loop {
            let mut finer: Vec<Priced> = Vec::new();
            for attribute in 0..self.best.steps.len() {
                if let Some(steps) = one_finer(&self.best.steps, attribute) {
                    pace.spend(steps.len())?;
                    finer.push(self.price(steps, pace)?);
                }
            }
            finer.sort_by(|left, right| self.objective.compare(left, right));
            for node in finer {
                if !self.nodes.failures.covers(&node.steps, pace)? && self.keeps_delta(&node.steps, pace)? {
                    self.settle(node);
                    continue 'down;
                }
            }
            return ControlFlow::Continue(());
        }
    }

    /// Records that no node below this [`Priced::value`] keeps δ.
    pub(crate) fn prove(&mut self, value: f64) {
        let metric =
            self.objective.metric_at(value * (1.0 - ROUNDING), self.nodes.floors.spans().len()).max(0.0);
        self.lower = self.lower.into_iter().chain([metric]).reduce(f64::max);
    }

    /// Replaces the best node so far.
    pub(crate) fn settle(&mut self, best: Priced) {
        self.metric = self.objective.metric(&self.nodes.floors.node(&best.steps), &best);
        self.best = best;
    }

    /// The progress of the search.
    pub(crate) fn step(&self) -> Step {
        let decided = self.failing().unwrap_or(self.nodes.failed) + self.present.len() as u64;
        let total = self.total();
        let stage = SearchStage { best: Some(self.metric), lower: self.lower, ..SearchStage::default() };
        Step { stage, done: decided.min(total), total }
    }

    /// The number of nodes that are known to fail, including all nodes below a floor.
    fn failing(&self) -> Option<u64> {
        Some(self.total() - self.nodes.failures.open()?)
    }

    /// The number of nodes of the lattice.
    fn total(&self) -> u64 {
        self.nodes.floors.lattice().len()
    }

    fn report(&self, stop: StopReason) -> SearchReport {
        let best = self.nodes.floors.node(&self.best.steps);
        let above = self.best.steps.iter().zip(self.nodes.floors.spans());
        let above = above.map(|(&step, span)| (span - usize::from(step)) as u64);
        let elsewhere = self.present.iter().filter(|node| !node.generalizes(&best)).count() as u64;
        let checked = self.nodes.failed + self.present.len() as u64;
        let decided = self.failing().map(|failing| failing + above.product::<u64>() + elsewhere);
        SearchReport {
            lower: self.lower.filter(|_| stop.is_early()).map(|lower| lower.min(self.metric)),
            ..SearchReport::of_nodes(self.total(), checked, decided.map(|decided| decided - checked), stop)
        }
    }
}
