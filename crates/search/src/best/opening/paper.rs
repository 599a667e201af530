//! The paper's ten strategies as the first steps of the opening.
//!
//! Each of the nine takes one or more counted steps. After each step its regions are a valid
//! release, so that a stopped strategy still counts. A strategy is abandoned as soon as its
//! finished regions cost more than the best release so far, because the remaining regions can only
//! add to the cost. So each strategy gives its release, unless that release would be worse than the
//! best.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};

use super::steps::Steps;
use crate::best::block::extents::extents_of;
use crate::best::frame::{Cost, Frame};
use crate::best::grow::growth::work;
use crate::best::value::value_of;
use crate::control::pace::Pace;
use crate::control::worker_pool::WorkerPool;
use crate::nodes::spalm::spalm_below;
use crate::regions::column_table::ColumnTable;
use crate::regions::mpalm::{Rules, Splitting, partition};
use crate::regions::split::Part;
use crate::{ColumnRule, Config, Step, StopReason, ValueRule};
use palmtop_core::model::{Problem, Recoding};

/// The number of look-ups that SPALM may do: less than a second. Its best node within them counts.
const SPALM: u64 = 1 << 28;
/// On a large table, the number of times that SPALM may read all of it.
const PASSES: u64 = 64;
/// The relative error that rounding may add to a sum of costs.
const ROUNDING: f64 = 1e-9;

/// The best release of the paper's strategies so far, with its metric.
pub(crate) type OfThePaper = Option<(f64, Recoding)>;

/// The ten strategies in the order in which they run.
///
/// Strategies that lose little after few steps come first. A balanced split makes both parts
/// smaller, so that a strategy with balanced splits is good long before its end. A strategy that
/// takes the first valid split cuts off little at a time. SPALM is last, because only its time may
/// grow with the number of nodes.
///
/// Each of the nine is its rules; SPALM is `None`.
pub(crate) fn in_order() -> Vec<Option<Rules>> {
    let values = [ValueRule::BalancedValues, ValueRule::BalancedCardinality, ValueRule::FirstSplit];
    let nine = ColumnRule::ALL.into_iter().flat_map(|column| values.map(|value| Rules { column, value }));
    nine.map(Some).chain([None]).collect()
}

/// Runs the strategy of these rules, or SPALM, in counted steps, and returns the better of `known` and its release.
///
/// If time or the limit of steps stops it, its release is the one after its last complete step.
pub(crate) fn try_next(
    problem: &Problem,
    frame: &Frame,
    rules: Option<Rules>,
    config: &Config,
    known: OfThePaper,
    steps: &mut Steps,
    pool: &WorkerPool,
) -> (OfThePaper, ControlFlow<StopReason>) {
    let most = known.as_ref().map(|(value, _)| *value);
    let (found, way) = match rules {
        Some(rules) => {
            // A cost that a label may undercut says nothing about the release.
            let most = most.filter(|_| !frame.labels_skip);
            let spent = Spent { frame, most, cost: Mutex::new(Cost::none(frame.extent_count())) };
            regions(problem, rules, &spent, steps, pool)
        }
        None => node(problem, frame, config, most, steps, pool),
    };
    let found = found.map(|recoding| (value_of(problem, &recoding, config.metric), recoding));
    (known.into_iter().chain(found).reduce(better), way)
}

/// The better of two releases; the first one if they are equal.
fn better(left: (f64, Recoding), right: (f64, Recoding)) -> (f64, Recoding) {
    if right.0 < left.0 { right } else { left }
}

/// The regions of one of the nine strategies; `None` if they cost too much, or if no step was done.
fn regions(
    problem: &Problem,
    rules: Rules,
    spent: &Spent,
    steps: &mut Steps,
    pool: &WorkerPool,
) -> (Option<Recoding>, ControlFlow<StopReason>) {
    let mut table = ColumnTable::of(problem.histogram());
    let quiet = pool.quiet();
    let mut splitting = Splitting::new(problem, &spent.frame.boxes, rules, table.rows(), &quiet);
    let before = steps.done();
    let (way, moment) = loop {
        let moment = splitting.snapshot();
        if splitting.is_over() || spent.is_too_much() {
            break (ControlFlow::Continue(()), moment);
        }
        if let ControlFlow::Break(stop) = steps.go_on() {
            break (ControlFlow::Break(stop), moment);
        }
        if splitting.step(steps.work, &|region| spent.add(region), &|| spent.is_too_much()).is_break() {
            break (ControlFlow::Break(StopReason::Cancelled), moment);
        }
        steps.count();
    };
    if spent.is_too_much() || steps.done() == before {
        return (None, way);
    }
    let _ = pool.report(steps.listing());
    let starts = splitting.starts_at(moment);
    (Some(partition(problem, table, starts)), way)
}

/// SPALM's node, in one step. If the lattice is too large for a complete search, the best node so
/// far.
fn node(
    problem: &Problem,
    frame: &Frame,
    config: &Config,
    most: Option<f64>,
    steps: &mut Steps,
    pool: &WorkerPool,
) -> (Option<Recoding>, ControlFlow<StopReason>) {
    if let ControlFlow::Break(stop) = steps.go_on() {
        return (None, ControlFlow::Break(stop));
    }
    let mut go_on = |_: Step| pool.go_on();
    let budget = SPALM.max(PASSES * work(frame, problem.histogram().len()));
    let (found, _) = spalm_below(problem, config, most, &mut Pace::new(&mut go_on, 0).within(budget));
    if pool.go_on().is_break() {
        return (None, ControlFlow::Break(StopReason::Cancelled));
    }
    steps.count();
    (found, ControlFlow::Continue(()))
}

/// The cost of the finished regions of a strategy.
struct Spent<'a> {
    frame: &'a Frame,
    most: Option<f64>,
    cost: Mutex<Cost>,
}

impl Spent<'_> {
    /// Adds the cost of a region.
    fn add(&self, region: &Part) {
        if self.most.is_none() || region.counts().private == 0 {
            return;
        }
        let extents = extents_of(self.frame, region.rows());
        self.cost.lock().unwrap_or_else(PoisonError::into_inner).add(region.counts(), &extents);
    }

    /// Whether the finished regions cost more than the best release so far.
    fn is_too_much(&self) -> bool {
        let cost = self.cost.lock().unwrap_or_else(PoisonError::into_inner);
        self.most.is_some_and(|most| self.frame.value(&cost) > most * (1.0 + ROUNDING))
    }
}
