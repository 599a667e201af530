//! SPALM for people who have several rows each: the best node of which every class of people satisfies the policy.
//!
//! At a coarser node the classes of people are unions of those at a finer one, so theorem 1 of the paper holds as it does for rows, and
//! the loss of T's rows does not fall. Other strategies cut regions of combinations; what a cut does to a class of people depends on all of
//! their rows, so they are not asked.

use std::cmp::Ordering;
use std::ops::ControlFlow;

use super::antichain::is_below;
use super::cost::Costs;
use super::floors::Floors;
use super::objective::height;
use super::pace::Pace;
use super::spalm::one_finer;
use super::{Config, Observer, SearchReport, SearchStage, Step, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::{EntityProblem, EntityRollup, Node, size};

/// Above so many nodes nothing is searched: their costs are sorted at once.
const MOST_NODES: u64 = 1 << 20;

/// Finds the node that costs least by the metric among those of which every class of people satisfies the policy; among equals the one of
/// least height, then the lexicographically first. So it is SPALM's, where everybody has one row.
///
/// It goes down from the top to a good node first, for whoever stops it. Then nodes are looked at in that order. One that fails is raised
/// as far as it goes on failing, in one quasi-identifier after the other: all that the result generalizes fails, too. The first that does
/// not fail is the answer.
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
    let mut walk =
        Walk { problem, rollup, best: lattice.top(), present: Vec::new(), failures: Vec::new(), checked: 1 };
    let stop = match walk.run(config.metric, pace) {
        ControlFlow::Continue(()) => StopReason::Done,
        ControlFlow::Break(()) => StopReason::Cancelled,
    };
    (Some(walk.best), report(stop, walk.checked))
}

/// What comparing two costs exactly takes, in look-ups.
const EXACTLY: usize = 1 << 10;

/// A node, in steps above the bottom, with a number that grows with what it costs.
type Valued = (f64, Vec<u8>);

/// A search under way.
struct Walk<'a> {
    problem: &'a EntityProblem,
    rollup: EntityRollup,
    /// The best node known to satisfy the policy.
    best: Node,
    /// Nodes that satisfy it, in steps above the bottom; what generalizes one of them does so, too.
    present: Vec<Vec<u8>>,
    /// Nodes that fail, none of which generalizes another; what they generalize fails, too.
    failures: Vec<Vec<u8>>,
    checked: u64,
}

impl Walk<'_> {
    fn run(&mut self, metric: Metric, pace: &mut Pace) -> ControlFlow<()> {
        let rows = self.problem.rows();
        let floors = Floors::none(rows);
        let lattice = floors.lattice().clone();
        let Some(costs) = Costs::of(rows, metric, floors.levels(), pace)? else {
            unreachable!("a loss is known for every node")
        };
        let compare = |(left, left_steps): &Valued, (right, right_steps): &Valued| {
            let by_cost = costs.compare((*left, left_steps), (*right, right_steps));
            let by_height = || height(left_steps).cmp(&height(right_steps));
            by_cost.then_with(by_height).then_with(|| left_steps.cmp(right_steps))
        };
        self.present.extend(floors.steps_of(&lattice.top()));
        let valued = |steps: Vec<u8>| (costs.value(&steps), steps);
        self.descend((&floors, &costs), valued, compare, pace)?;
        let mut order: Vec<Valued> = Vec::new();
        for rank in 0..lattice.len() {
            pace.spend(lattice.width())?;
            order.extend(floors.steps_of(&lattice.unrank(rank)).map(valued));
        }
        // What a value does not tell apart is compared exactly, and only where it is come to.
        order.sort_unstable_by(|left, right| left.0.total_cmp(&right.0));
        let total = order.len() as u64;
        let mut done = 0;
        for alike in order.chunk_by(|left, right| !costs.are_apart(left.0, right.0)) {
            let mut open: Vec<&Valued> = Vec::new();
            for own in alike {
                if !self.fails(&own.1, pace)? {
                    open.push(own);
                }
            }
            pace.spend(open.len() * EXACTLY)?;
            open.sort_by(|left, right| compare(left, right));
            for (_, steps) in open {
                // One of the same cost may have shown it to fail meanwhile.
                if self.fails(steps, pace)? {
                    continue;
                }
                let stage = SearchStage { best: Some(costs.metric(&self.best)), lower: None, rounds: None };
                pace.tell(Step { stage, done, total })?;
                if self.holds(&floors, steps, pace)? {
                    self.best = floors.node(steps);
                    return ControlFlow::Continue(());
                }
                self.raise(&floors, steps.clone(), pace)?;
            }
            done += alike.len() as u64;
        }
        ControlFlow::Continue(())
    }

    /// Goes down from the top, always to the cheapest specialization that holds.
    fn descend(
        &mut self,
        (floors, costs): (&Floors, &Costs),
        valued: impl Fn(Vec<u8>) -> Valued,
        compare: impl Fn(&Valued, &Valued) -> Ordering,
        pace: &mut Pace,
    ) -> ControlFlow<()> {
        let Some(mut here) = floors.steps_of(&self.best) else { return ControlFlow::Continue(()) };
        loop {
            let finer = (0..here.len()).filter_map(|attribute| one_finer(&here, attribute));
            let mut finer: Vec<Valued> = finer.map(&valued).collect();
            finer.sort_by(&compare);
            let mut next = None;
            for (_, steps) in finer {
                let stage = SearchStage { best: Some(costs.metric(&self.best)), lower: None, rounds: None };
                pace.tell(Step { stage, ..Step::of(0, floors.lattice().len()) })?;
                if self.holds(floors, &steps, pace)? {
                    next = Some(steps);
                    break;
                }
            }
            let Some(steps) = next else { return ControlFlow::Continue(()) };
            self.best = floors.node(&steps);
            here = steps;
        }
    }

    /// Raises a node that fails until it would hold if it were raised in any quasi-identifier.
    fn raise(&mut self, floors: &Floors, mut steps: Vec<u8>, pace: &mut Pace) -> ControlFlow<()> {
        for (attribute, &span) in floors.spans().iter().enumerate() {
            // It fails at the lower end, and holds above the upper one.
            let (mut low, mut high) = (steps[attribute], size::steps(span - 1));
            while low < high {
                let middle = high - (high - low) / 2;
                let mut raised = steps.clone();
                raised[attribute] = middle;
                if self.holds(floors, &raised, pace)? {
                    high = middle - 1;
                } else {
                    low = middle;
                }
            }
            steps[attribute] = low;
        }
        ControlFlow::Continue(())
    }

    /// Whether a node is known to fail.
    fn fails(&self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        pace.spend(self.failures.len() * steps.len())?;
        ControlFlow::Continue(self.failures.iter().any(|failure| is_below(steps, failure)))
    }

    fn holds(&mut self, floors: &Floors, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        if self.fails(steps, pace)? {
            return ControlFlow::Continue(false);
        }
        pace.spend(self.present.len() * steps.len())?;
        if self.present.iter().any(|present| is_below(present, steps)) {
            return ControlFlow::Continue(true);
        }
        let problem = self.problem;
        let combinations = problem.rows().histogram().len() * steps.len();
        pace.spend(combinations + problem.entities().rows())?;
        self.checked += 1;
        let holds = problem.holds(&mut self.rollup, floors.node(steps).levels());
        if holds {
            self.present.retain(|present| !is_below(steps, present));
            self.present.push(steps.to_vec());
        } else {
            self.failures.retain(|failure| !is_below(failure, steps));
            self.failures.push(steps.to_vec());
        }
        ControlFlow::Continue(holds)
    }
}
