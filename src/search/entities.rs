//! SPALM for people who have several rows each: the best node of which every class of people satisfies the policy.
//!
//! At a coarser node the classes of people are unions of those at a finer one, so theorem 1 of the paper holds as it does for rows, and
//! the loss of T's rows does not fall. Other strategies cut regions of combinations; what a cut does to a class of people depends on all of
//! their rows, so they are not asked.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::cost::Costs;
use super::floors::Floors;
use super::objective::height;
use super::pace::Pace;
use super::{Config, Observer, SearchReport, SearchStage, Step, StopReason};
use crate::metrics::Metric;
use crate::model::{EntityProblem, EntityRollup, Level, Node};

/// Above so many nodes nothing is searched: their costs are sorted at once.
const MOST_NODES: u64 = 1 << 20;

/// Finds the node that costs least by the metric among those of which every class of people satisfies the policy; among equals the one of
/// least height, then the lexicographically first. So it is SPALM's, where everybody has one row.
///
/// Nodes are looked at in that order. One that fails is raised as far as it goes on failing, in one quasi-identifier after the other: all
/// that the result generalizes fails, too. The first that does not fail is the answer.
///
/// Stopped by its observer, it returns the best node that it came across; the top is one.
///
/// # Panics
/// If the metric is discernibility, which is counted of rows.
pub fn entity_spalm(
    problem: &EntityProblem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Node>, SearchReport) {
    assert_ne!(config.metric, Metric::Discernibility, "a loss");
    let lattice = problem.rows().lattice();
    let report = |stop, checked| SearchReport {
        nodes: Some(lattice.len()),
        checked: Some(checked),
        ..SearchReport::without_nodes(stop)
    };
    if lattice.len() > MOST_NODES {
        let stop = StopReason::TooLarge { nodes: lattice.len(), limit: MOST_NODES };
        return (None, report(stop, 0));
    }
    let mut rollup = EntityRollup::new();
    if !problem.holds(&mut rollup, lattice.top().levels()) {
        return (None, report(StopReason::Infeasible, 1));
    }
    let pace = &mut Pace::new(observer, lattice.len());
    let mut walk = Walk { problem, rollup, best: lattice.top(), present: Vec::new(), checked: 1 };
    let stop = match walk.run(config.metric, pace) {
        ControlFlow::Continue(()) => StopReason::Done,
        ControlFlow::Break(()) => StopReason::Cancelled,
    };
    (Some(walk.best), report(stop, walk.checked))
}

/// A search under way.
struct Walk<'a> {
    problem: &'a EntityProblem,
    rollup: EntityRollup,
    /// The best node known to satisfy the policy.
    best: Node,
    /// Nodes that satisfy it, in steps above the bottom; what generalizes one of them does so, too.
    present: Vec<Vec<u8>>,
    checked: u64,
}

impl Walk<'_> {
    fn run(&mut self, metric: Metric, pace: &mut Pace) -> ControlFlow<()> {
        let rows = self.problem.rows();
        let floors = Floors::none(rows);
        let lattice = floors.lattice().clone();
        let Some(costs) = Costs::of(rows, metric, floors.levels(), pace)? else {
            return ControlFlow::Continue(());
        };
        let mut order: Vec<(f64, Vec<u8>)> = Vec::new();
        for rank in 0..lattice.len() {
            pace.spend(lattice.width())?;
            if let Some(steps) = floors.steps_of(&lattice.unrank(rank)) {
                order.push((costs.value(&steps), steps));
            }
        }
        let compare = |(left, left_steps): &(f64, Vec<u8>), (right, right_steps): &(f64, Vec<u8>)| {
            let by_cost = costs.compare((*left, left_steps), (*right, right_steps));
            let by_height = || height(left_steps).cmp(&height(right_steps));
            by_cost.then_with(by_height).then_with(|| left_steps.cmp(right_steps))
        };
        order.sort_by(compare);
        self.present.extend(floors.steps_of(&lattice.top()));
        // Maximal nodes that fail, in steps above the bottom.
        let mut failures: Vec<Vec<u8>> = Vec::new();
        let total = order.len() as u64;
        let mut least: Option<(f64, Vec<u8>)> = None;
        for (done, own) in (0..).zip(&order) {
            let (_, steps) = own;
            pace.spend(failures.len() * steps.len())?;
            if failures.iter().any(|failure| is_below(steps, failure)) {
                continue;
            }
            let stage = SearchStage { best: Some(costs.metric(&self.best)), rounds: None };
            pace.tell(Step { stage, done, total })?;
            if self.holds(&floors, steps, pace)? {
                self.best = floors.node(steps);
                return ControlFlow::Continue(());
            }
            let mut failure = steps.clone();
            self.raise(&floors, &mut failure, pace, &mut |found: Vec<u8>| {
                let found = (costs.value(&found), found);
                if least.as_ref().is_none_or(|least| compare(&found, least) == Ordering::Less) {
                    least = Some(found);
                }
            })?;
            failures.push(failure);
            if let Some((_, steps)) = &least {
                self.best = floors.node(steps);
            }
        }
        ControlFlow::Continue(())
    }

    /// Raises a node that fails until it would hold if it were raised in any quasi-identifier; tells of nodes that hold.
    fn raise(
        &mut self,
        floors: &Floors,
        steps: &mut [u8],
        pace: &mut Pace,
        found: &mut dyn FnMut(Vec<u8>),
    ) -> ControlFlow<()> {
        for (attribute, &span) in floors.spans().iter().enumerate() {
            // It fails at the lower end, and holds above the upper one.
            let (mut low, mut high) = (steps[attribute], crate::model::size::steps(span - 1));
            while low < high {
                let middle = high - (high - low) / 2;
                let mut raised = steps.to_vec();
                raised[attribute] = middle;
                if self.holds(floors, &raised, pace)? {
                    high = middle - 1;
                    found(raised);
                } else {
                    low = middle;
                }
            }
            steps[attribute] = low;
        }
        ControlFlow::Continue(())
    }

    fn holds(&mut self, floors: &Floors, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        pace.spend(self.present.len() * steps.len())?;
        if self.present.iter().any(|present| is_below(present, steps)) {
            return ControlFlow::Continue(true);
        }
        let problem = self.problem;
        let combinations = problem.rows().histogram().len() * steps.len();
        pace.spend(combinations + problem.entities().multisets().map(<[u32]>::len).sum::<usize>())?;
        self.checked += 1;
        let levels: Vec<Level> = floors.node(steps).levels().to_vec();
        let holds = problem.holds(&mut self.rollup, &levels);
        if holds {
            self.present.retain(|present| !is_below(steps, present));
            self.present.push(steps.to_vec());
        }
        ControlFlow::Continue(holds)
    }
}

/// Whether the second node generalizes the first.
fn is_below(steps: &[u8], other: &[u8]) -> bool {
    steps.iter().zip(other).all(|(own, other)| own <= other)
}
