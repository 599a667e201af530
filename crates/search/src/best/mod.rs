//! `best`: the best regions that we know how to find, far below MPALM's nine.
//!
//! A search in two parts. The *opening* runs the paper's ten, one after another, and then grows trees of splits greedily,
//! with several settings. It begins with one region for all, a valid release, and goes on in counted steps. Then come *rounds* of
//! large-neighbourhood search (Shaw 1998): parts of a tree are grown anew and kept where they are better. After every step
//! and every round there is a valid release, and one that is stopped midway changes nothing: so it can be stopped at any
//! time, and the same seed and number of rounds, or of steps of the opening, give the same release on any machine.
//!
//! What is published is what MPALM publishes: the smallest box around the public people of each region. A cut is judged
//! by the people on its two sides and by the boxes around their *public* people; nothing is ever shrunk towards a private
//! person. A column that is cut between labels only is cut into all labels under the one around its values at once, each of
//! which may be released; what is left while they are taken off one after another stands for nothing.

mod exact;
mod frame;
mod setting;
mod tree;
mod bin_labels;
mod block;
mod cut;
mod grow;
mod growth;
mod improve;
mod opening;
mod paper;
mod withdraw;

use std::ops::ControlFlow;

use self::frame::Frame;
use self::improve::Contender;
use self::opening::{Opening, Steps};
use self::paper::OfThePaper;
use super::limits::at_the_finest;
use super::mpalm::STEP;
use super::worker_pool::{WorkerPool, watched};
use super::{Config, Observer, SearchReport, SearchStage, Step, StopReason, withdrawal};
use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::size;
use palmtop_core::model::{Classes, Partition, Problem, Recoding, Suppression};

/// How many rounds each contender gets before only the best goes on.
const HEAT: u64 = 3;
/// After so many rounds in a row that brought nothing, it is done.
const PATIENCE: u64 = 32;

/// Searches for the regions that are best by the metric.
///
/// The first ten steps of its opening run the paper's ten. From the step on in which one of the nine ends, the release is
/// never worse than that one's under the same δ and `empty_regions`; nor is it worse than SPALM as far as that comes within
/// a fixed amount of work. Stopped earlier it gives the best that it has.
///
/// Where members may be withdrawn, it searches as if nobody were, and then withdraws sides of regions where that costs less
/// (`best/withdraw.rs`): never is it worse for that.
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

/// Searches as [`best`] does where nobody is withdrawn, with steps of so much `work` for the strategies of the paper.
fn search(
    problem: &Problem,
    config: &Config,
    work: u64,
    pool: &WorkerPool,
) -> (Option<Recoding>, SearchReport) {
    let frame = Frame::of(problem, config.metric);
    let mut opening = Opening::new(problem, &frame, config);
    let mut steps = Steps::up_to(config.opening, work);
    let cut = loop {
        if pool.report(opening.progress()).is_break() {
            break Some(StopReason::Cancelled);
        }
        if opening.is_over() {
            break None;
        }
        if let ControlFlow::Break(stop) = opening.advance(problem, &frame, config, (&mut steps, pool)) {
            break Some(stop);
        }
    };
    let is_over = opening.is_over();
    let (contenders, of_the_paper) = opening.finish(&frame);
    let mut rounds = Rounds { problem, frame: &frame, config, contenders, of_the_paper, done: 0 };
    let stop = cut.unwrap_or_else(|| rounds.run(pool));
    let (opening, done) = if is_over { (None, Some(rounds.done)) } else { (Some(steps.done()), None) };
    let report = SearchReport { rounds: done, opening, ..SearchReport::without_nodes(stop) };
    (Some(rounds.finish()), report)
}

/// The rounds behind the opening.
struct Rounds<'a> {
    problem: &'a Problem,
    frame: &'a Frame,
    config: &'a Config,
    contenders: Vec<Contender>,
    of_the_paper: OfThePaper,
    done: u64,
}

impl Rounds<'_> {
    /// Does round after round: first the contenders in turn, then the best of them alone.
    fn run(&mut self, pool: &WorkerPool) -> StopReason {
        let heats = HEAT * self.contenders.len() as u64;
        let limit = if self.config.opening.is_some() { Some(0) } else { self.config.rounds };
        let mut in_vain = 0;
        loop {
            if self.done == heats {
                self.sort();
                self.contenders.truncate(1);
            }
            let trees = self.contenders.iter().map(|contender| contender.value);
            let best = trees.chain(self.of_the_paper.as_ref().map(|(value, _)| *value)).reduce(f64::min);
            let stage = SearchStage { best, lower: None, rounds: Some(self.done) };
            let step = Step { stage, done: self.done, total: limit.unwrap_or(0) };
            if pool.report(step).is_break() {
                return StopReason::Cancelled;
            }
            if limit.is_some_and(|limit| self.done >= limit) {
                return StopReason::Rounds;
            }
            if in_vain >= PATIENCE && self.done >= heats {
                return StopReason::Done;
            }
            match self.round(pool) {
                None => return StopReason::Cancelled,
                Some(true) => in_vain = 0,
                Some(false) => in_vain += 1,
            }
            self.done += 1;
        }
    }

    /// Does one round; says whether it brought anything, or `None` where it was stopped, and then nothing has changed.
    fn round(&mut self, pool: &WorkerPool) -> Option<bool> {
        let turn = size::index(self.done % self.contenders.len() as u64);
        self.contenders[turn].round(self.frame, self.config.seed, self.done, pool)
    }

    fn sort(&mut self) {
        self.contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
    }

    /// The best release of all.
    fn finish(mut self) -> Recoding {
        self.sort();
        self.contenders.truncate(1);
        let (problem, metric) = (self.problem, self.config.metric);
        let grown = self.contenders.pop().map(|contender| recoding(problem, contender));
        // Labels may denote leaves that do not occur, which only the metric itself counts.
        match (grown, self.of_the_paper) {
            (Some(grown), Some((value, other))) => {
                if value < value_of(problem, &grown, metric) {
                    other
                } else {
                    grown
                }
            }
            (Some(grown), None) => grown,
            (None, Some((_, other))) => other,
            (None, None) => Recoding::Node(problem.lattice().top()),
        }
    }
}

/// The partition that a tree stands for.
fn recoding(problem: &Problem, contender: Contender) -> Recoding {
    let mut region_of = vec![0; problem.histogram().len()];
    let mut count = 0;
    for (region, _) in contender.tree.regions(0) {
        for &place in &contender.table.places()[region.rows()] {
            region_of[place as usize] = count;
        }
        count += 1;
    }
    // It may be as large as the tables, and so may what comes next.
    drop(contender);
    Recoding::Regions(Partition::new(problem, region_of, count as usize))
}

/// The metric of a recoding, from its classes.
fn value_of(problem: &Problem, recoding: &Recoding, metric: Metric) -> f64 {
    Metrics::of(problem, recoding, &Classes::of(problem, recoding)).value(metric)
}

#[cfg(test)]
mod tests;
