//! The paper's ten strategies as the first steps of the opening.
//!
//! A strategy is given up as soon as the regions that it has finished cost more than the best release so far: what is still
//! to come only adds to the cost. So each strategy either gives its release, or would give a worse one than the best.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::super::mpalm::mpalm_within;
use super::super::pace::Pace;
use super::super::spalm::spalm_below;
use super::super::split::Part;
use super::super::worker_pool::WorkerPool;
use super::super::{Config, Step, Strategy, ValueRule};
use super::frame::{Cost, Frame};
use super::growth::{extents_of, work};
use super::value_of;
use crate::model::{Problem, Recoding};

/// How many look-ups SPALM may do: less than a second. Its best node so far is compared.
const SPALM: u64 = 1 << 28;
/// Of a large table, how often SPALM may look at all of it.
const PASSES: u64 = 64;
/// What rounding may add to a sum of costs.
const ROUNDING: f64 = 1e-9;

/// A release of the paper's ten strategies with its metric.
pub(super) type OfThePaper = Option<(f64, Recoding)>;

/// The ten strategies, first those that mostly lose least for the time that they take. SPALM is last: only for it the time
/// may grow with the number of nodes.
pub(super) fn in_order() -> Vec<Strategy> {
    let mut strategies: Vec<Strategy> = Strategy::of_the_paper().collect();
    strategies.sort_by_key(|strategy| {
        let value_rule = |rule| match rule {
            ValueRule::FirstSplit => 0,
            ValueRule::BalancedValues => 1,
            ValueRule::BalancedCardinality => 2,
        };
        let rules = strategy.rules().map(|(column, value)| (column, value_rule(value)));
        (rules.is_none(), rules)
    });
    strategies
}

/// Runs one strategy; gives the best release of those that are over. Stopped, it gives what is known.
pub(super) fn try_next(
    problem: &Problem,
    frame: &Frame,
    (strategy, config): (Strategy, &Config),
    known: OfThePaper,
    pool: &WorkerPool,
) -> (OfThePaper, ControlFlow<()>) {
    let most = known.as_ref().map(|(value, _)| *value);
    let found = run(problem, frame, (strategy, config), most, pool);
    let way = pool.go_on();
    if way.is_break() {
        return (known, way);
    }
    let found = found.map(|recoding| (value_of(problem, &recoding, config.metric), recoding));
    (known.into_iter().chain(found).reduce(better), way)
}

/// The better of two releases; the first among equals.
fn better(left: (f64, Recoding), right: (f64, Recoding)) -> (f64, Recoding) {
    if right.0 < left.0 { right } else { left }
}

/// What a strategy finds; `None` if it finds nothing, costs more than `most`, or is stopped.
fn run(
    problem: &Problem,
    frame: &Frame,
    (strategy, config): (Strategy, &Config),
    most: Option<f64>,
    pool: &WorkerPool,
) -> Option<Recoding> {
    pool.go_on().continue_value()?;
    if let Some((column, value)) = strategy.rules() {
        let spent = Spent { frame, most, cost: Mutex::new(Cost::none(frame.width())) };
        return mpalm_within(problem, (column, value), &|region| spent.add(region), &pool.quiet());
    }
    // SPALM, the only other one of the ten. Its lattice may be too large to search to the end.
    let mut go_on = |_: Step| pool.go_on();
    let budget = SPALM.max(PASSES * work(frame, problem.histogram().len()));
    spalm_below(problem, config, most, &mut Pace::new(&mut go_on, 0).within(budget)).0
}

/// What the finished regions of a strategy cost together.
struct Spent<'a> {
    frame: &'a Frame,
    most: Option<f64>,
    cost: Mutex<Cost>,
}

impl Spent<'_> {
    /// Adds a region; breaks once the regions cost more than the best release so far.
    fn add(&self, region: &Part) -> ControlFlow<()> {
        let Some(most) = self.most.filter(|_| region.counts().private > 0) else {
            return ControlFlow::Continue(());
        };
        let extents = extents_of(self.frame, region.rows());
        let mut cost = self.cost.lock().unwrap_or_else(PoisonError::into_inner);
        cost.add(region.counts(), &extents);
        if self.frame.value(&cost) > most * (1.0 + ROUNDING) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}
