//! `best`: the regions of least cost that the known heuristics find, far better than MPALM's nine.
//!
//! # Method
//! 1. The *opening* runs the paper's ten strategies. It then grows trees of splits greedily, with
//!    several settings. It starts with a single region, which is a valid release, and proceeds in
//!    counted steps.
//! 2. *Rounds* of large-neighbourhood search (Shaw 1998) follow. A round grows parts of a tree again,
//!    and keeps a part if it costs less.
//!
//! After every step and every round there is a valid release, and a step or round that is stopped
//! midway changes nothing. So the search can be stopped at any time. The same seed and the same
//! number of rounds (or of opening steps) give the same release on any machine.
//!
//! # Published labels
//! Like MPALM, it publishes the smallest box around the individuals of each region. A cut is judged
//! by the counts of its parts and by the boxes around their *individuals*. No box is ever shrunk
//! towards members: an attacker who knows such a rule would find a member on every face of a box.
//!
//! A column that is cut between labels only is cut at once into all labels directly below the
//! finest label around its values, if each of them may be released.
//!
//! In a column with a limit of terms, a cut divides the cut box of its rows, and both sides obey the limit. It
//! is between two values, or the values of a label are cut from the rest.

mod block;
mod cut;
mod exact;
mod frame;
mod grow;
mod opening;
mod setting;
mod value;
mod withdraw;

use std::ops::ControlFlow;

use self::frame::Frame;
use self::grow::improve::Contender;
use self::opening::Opening;
use self::opening::paper::OfThePaper;
use self::opening::steps::Steps;
use self::value::value_of;
use crate::control::worker_pool::{WorkerPool, watched};
use crate::nodes::withdrawal;
use crate::regions::limits::at_the_finest;
use crate::regions::mpalm::STEP;
use crate::{Config, Observer, SearchReport, SearchStage, Step, StopReason};
use palmtop_core::model::size;
use palmtop_core::model::{CutBox, Partition, Problem, Recoding, Suppression};

/// The number of rounds for each contender before only the best one continues.
const HEAT: u64 = 3;
/// The number of consecutive rounds without improvement after which the search ends.
const PATIENCE: u64 = 32;
/// Up to this number of combinations, every improvement is measured as a release while the rounds run.
const SMALL: usize = 1 << 15;
/// On a larger table, an improvement is measured after this many rounds.
const SOMETIMES: u64 = 32;
/// Above this number of combinations, no improvement is measured: a partition beside the trees needs much memory.
const HUGE: usize = 1 << 20;

/// Searches for the regions of least cost by the metric.
///
/// The first ten steps of the opening run the paper's ten strategies. After the step in which one
/// of the nine ends, the release is never worse than that strategy's, under the same δ and
/// `empty_regions`. It is also never worse than the node that SPALM finds within a fixed amount of
/// work. If the search is stopped earlier, it returns the best release so far.
///
/// If the policy permits the withdrawal of members, the search first publishes every member. It
/// then withdraws sides of regions if that costs less (`best/withdraw.rs`).
pub fn best(problem: &Problem, config: &Config, observer: &mut Observer) -> (Option<Recoding>, SearchReport) {
    if !problem.feasibility().holds() {
        if withdrawal::is_feasible(problem) {
            return withdraw::node(problem, config, observer);
        }
        return (None, SearchReport::without_nodes(StopReason::Infeasible));
    }
    let everybody = problem.with_suppression(Suppression::NONE);
    let (found, report) =
        at_the_finest(&everybody, |problem| watched(observer, |pool| search(problem, config, STEP, pool)));
    (found.map(|found| withdraw::withdraw(problem, config, found)), report)
}

/// Runs [`best`] without withdrawal. `work` is the work of one counted step of the paper's
/// strategies.
fn search(
    problem: &Problem,
    config: &Config,
    work: u64,
    pool: &WorkerPool,
) -> (Option<Recoding>, SearchReport) {
    let frame = Frame::of(problem, config.metric);
    let mut opening = Opening::new(problem, &frame, config);
    let mut steps = Steps::up_to(config.opening, work);
    let early_stop = loop {
        if pool.report(opening.progress()).is_break() {
            break Some(StopReason::Cancelled);
        }
        if opening.is_over() {
            break None;
        }
        if let ControlFlow::Break(stop) = opening.advance(problem, &frame, config, &mut steps, pool) {
            break Some(stop);
        }
    };
    let is_over = opening.is_over();
    let (contenders, of_the_paper) = opening.finish(&frame);
    let mut rounds =
        Rounds { problem, frame: &frame, config, contenders, of_the_paper, done: 0, measured: None };
    let stop = early_stop.unwrap_or_else(|| rounds.run(pool));
    let (opening, done) = if is_over { (None, Some(rounds.done)) } else { (Some(steps.done()), None) };
    let report = SearchReport { rounds: done, opening, ..SearchReport::without_nodes(stop) };
    (Some(rounds.finish()), report)
}

/// The rounds after the opening.
struct Rounds<'a> {
    problem: &'a Problem,
    frame: &'a Frame,
    config: &'a Config,
    contenders: Vec<Contender>,
    of_the_paper: OfThePaper,
    done: u64,
    /// The cost of the best tree that was measured last, and the metric of its release.
    measured: Option<(f64, f64)>,
}

impl Rounds<'_> {
    /// Runs the contenders in turn, and then the best of them alone.
    fn run(&mut self, pool: &WorkerPool) -> StopReason {
        let heats = HEAT * self.contenders.len() as u64;
        let limit = if self.config.opening.is_some() { Some(0) } else { self.config.rounds };
        let mut failures = 0;
        loop {
            if self.done == heats {
                self.sort();
                self.contenders.truncate(1);
            }
            let stage =
                SearchStage { best: self.metric_now(), rounds: Some(self.done), ..SearchStage::default() };
            let step = Step { stage, done: self.done, total: limit.unwrap_or(0) };
            if pool.report(step).is_break() {
                return StopReason::Cancelled;
            }
            if limit.is_some_and(|limit| self.done >= limit) {
                return StopReason::Rounds;
            }
            if failures >= PATIENCE && self.done >= heats {
                return StopReason::Done;
            }
            match self.round(pool) {
                None => return StopReason::Cancelled,
                Some(true) => failures = 0,
                Some(false) => failures += 1,
            }
            self.done += 1;
        }
    }

    /// The metric of the release that the search would return if it ended now.
    ///
    /// The cost of a tree is not that of its release: a label may denote leaves that do not occur, or replace a range.
    /// So the best tree is measured as a release, on a large table only sometimes.
    fn metric_now(&mut self) -> Option<f64> {
        let rows = self.problem.histogram().len();
        let best = self.contenders.iter().min_by(|left, right| left.value.total_cmp(&right.value))?;
        let is_of_best = |&(cost, _): &(f64, f64)| cost.total_cmp(&best.value).is_eq();
        let is_due = rows <= SMALL || self.done.is_multiple_of(SOMETIMES);
        if rows <= HUGE && !self.measured.as_ref().is_some_and(is_of_best) {
            if !is_due {
                // Between two measurements nobody knows what the tree would give.
                return None;
            }
            let release = Placed::of(self.problem, best).recoding(self.problem);
            self.measured = Some((best.value, value_of(self.problem, &release, self.config.metric)));
        }
        let tree = self.measured.map(|(_, metric)| metric);
        tree.into_iter().chain(self.of_the_paper.as_ref().map(|(value, _)| *value)).reduce(f64::min)
    }

    /// Runs one round. Returns whether it improved the release, or `None` if it was stopped; then
    /// it changed nothing.
    fn round(&mut self, pool: &WorkerPool) -> Option<bool> {
        let turn = size::index(self.done % self.contenders.len() as u64);
        self.contenders[turn].round(self.frame, self.config.seed, self.done, pool)
    }

    fn sort(&mut self) {
        self.contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
    }

    /// The best release of all contenders and of the paper's strategies.
    fn finish(mut self) -> Recoding {
        self.sort();
        self.contenders.truncate(1);
        let (problem, metric) = (self.problem, self.config.metric);
        let grown = self.contenders.pop().map(|contender| recoding(problem, contender));
        // Labels may denote leaves that do not occur, and only the metric itself counts them.
        match (grown, self.of_the_paper) {
            (Some(grown), Some((value, paper))) => {
                if value < value_of(problem, &grown, metric) {
                    paper
                } else {
                    grown
                }
            }
            (Some(grown), None) => grown,
            (None, Some((_, paper))) => paper,
            (None, None) => Recoding::Node(problem.lattice().top()),
        }
    }
}

/// The partition into the regions of a contender's tree.
fn recoding(problem: &Problem, contender: Contender) -> Recoding {
    let placed = Placed::of(problem, &contender);
    // The contender may be as large as the tables, and the partition needs memory, too.
    drop(contender);
    placed.recoding(problem)
}

/// The region of each combination in a tree.
struct Placed {
    region_of: Vec<u32>,
    regions: usize,
    boxes: Vec<CutBox>,
}

impl Placed {
    fn of(problem: &Problem, contender: &Contender) -> Self {
        let mut region_of = vec![0; problem.histogram().len()];
        let mut count = 0;
        for (region, _) in contender.tree.regions(0) {
            for &combination in &contender.table.combinations()[region.rows()] {
                region_of[combination as usize] = count;
            }
            count += 1;
        }
        Self { region_of, regions: count as usize, boxes: contender.tree.boxes(0).cloned().collect() }
    }

    fn recoding(self, problem: &Problem) -> Recoding {
        Recoding::Regions(Partition::within(problem, self.region_of, self.regions, &self.boxes))
    }
}

#[cfg(test)]
mod tests;
