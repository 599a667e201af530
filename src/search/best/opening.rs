//! The opening: trees grown with several settings, and the paper's ten strategies, in counted steps.
//!
//! Before its first step everything is one region, which is a valid release; each step makes it finer, then come other
//! trees and other strategies. How many steps were done is all that depends on who says stop, and when.

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::super::column_table::ColumnTable;
use super::super::mpalm::mpalm_within;
use super::super::pace::Pace;
use super::super::spalm::spalm_at;
use super::super::worker_pool::WorkerPool;
use super::super::{Config, SearchStage, Step, Strategy};
use super::frame::Frame;
use super::growth::{self, Growth, is_small};
use super::improve::Contender;
use super::setting::Setting;
use super::value_of;
use crate::metrics::Metric;
use crate::model::{Problem, Recoding};

/// How many trees are grown, and how many of them go on.
const TREES: usize = 12;
const CONTENDERS: usize = 4;
/// Every so many columns, a combination counts once more.
const WIDE: usize = 16;
/// Beyond so many combinations, one tree is grown: each holds all combinations.
const HUGE: usize = 1 << 20;

/// How many look-ups SPALM may do: less than a second. What it has by then is compared.
const SPALM: u64 = 1 << 28;

/// A release of the paper's ten strategies with its metric.
pub(super) type OfThePaper = Option<(f64, Recoding)>;

/// The opening so far.
pub(super) struct Opening {
    /// The first tree alone, so that there is something good as soon as possible.
    first: Growth,
    /// The other trees, once they have begun.
    others: Vec<Growth>,
    settings: Vec<Setting>,
    /// Whether all trees are small: then the paper's strategies end the opening, else they come when there is time.
    is_small: bool,
    of_the_paper: OfThePaper,
    /// How many of the paper's strategies are over.
    strategies: usize,
    best: Option<f64>,
}

impl Opening {
    /// Nothing done yet.
    pub(super) fn new(problem: &Problem, frame: &Frame, config: &Config) -> Self {
        let rows = problem.histogram().len();
        let size = rows.saturating_mul(problem.quasi().len().div_ceil(WIDE));
        let is_small = is_small(frame, rows);
        let trees = match size {
            // By discernibility rounds bring far more than other trees.
            _ if is_small && config.metric != Metric::Discernibility => TREES,
            ..=HUGE => CONTENDERS,
            _ => 1,
        };
        let mut settings = Setting::proven(config.metric);
        let mut random = ChaCha8Rng::seed_from_u64(config.seed);
        while settings.len() < trees {
            settings.push(Setting::draw(&mut random, config.metric));
        }
        settings.truncate(trees);
        let total = problem.histogram().total();
        let first = Growth::new(frame, ColumnTable::of(problem.histogram()), total, settings[0], 0);
        let best = Some(first.value(frame));
        Self { first, others: Vec::new(), settings, is_small, of_the_paper: None, strategies: 0, best }
    }

    /// Whether all its steps are done.
    pub(super) fn is_over(&self) -> bool {
        self.has_grown() && (!self.is_small || self.strategies > 0)
    }

    /// Whether all trees are grown.
    fn has_grown(&self) -> bool {
        self.first.is_over()
            && self.others.len() + 1 == self.settings.len()
            && self.others.iter().all(Growth::is_over)
    }

    /// How far it is: trees and strategies.
    pub(super) fn progress(&self) -> Step {
        let is_over = |growth: &&Growth| growth.is_over();
        let trees = std::iter::once(&self.first).chain(&self.others).filter(is_over).count();
        let of_the_paper = if self.is_small { Strategy::of_the_paper().count() } else { 0 };
        let (done, total) = (trees + self.strategies, self.settings.len() + of_the_paper);
        let stage = SearchStage { best: self.best, rounds: None };
        Step { stage, done: done as u64, total: total as u64 }
    }

    /// Does the next step. Stopped, it changes nothing.
    pub(super) fn step(
        &mut self,
        problem: &Problem,
        frame: &Frame,
        config: &Config,
        pool: &WorkerPool,
    ) -> ControlFlow<()> {
        if !self.first.is_over() {
            growth::step(std::slice::from_mut(&mut self.first), frame, pool)?;
            self.best = Some(self.first.value(frame));
        } else if !self.has_grown() {
            if self.others.is_empty() {
                let (original, total) = (ColumnTable::of(problem.histogram()), problem.histogram().total());
                let others = self.settings.iter().zip(0..).skip(1);
                let begun =
                    others.map(|(&setting, seed)| Growth::new(frame, original.clone(), total, setting, seed));
                self.others = begun.collect();
            }
            growth::step(&mut self.others, frame, pool)?;
            let over = self.others.iter().filter(|growth| growth.is_over());
            self.best = over.map(|growth| growth.value(frame)).chain(self.best).reduce(f64::min);
        } else {
            let strategies: Vec<Strategy> = Strategy::of_the_paper().collect();
            let run = |&strategy: &Strategy| of_the_paper(problem, strategy, config, pool);
            let found: Vec<OfThePaper> = strategies.par_iter().map(run).collect();
            pool.go_on()?;
            self.strategies = strategies.len();
            self.of_the_paper = found.into_iter().flatten().reduce(better);
            let value = self.of_the_paper.as_ref().map(|(value, _)| *value);
            self.best = self.best.into_iter().chain(value).reduce(f64::min);
        }
        ControlFlow::Continue(())
    }

    /// The trees that are grown, best first, or the first as far as it is; and what the paper's strategies found.
    pub(super) fn finish(self, frame: &Frame) -> (Vec<Contender>, OfThePaper) {
        let grown = std::iter::once(self.first).chain(self.others.into_iter().filter(Growth::is_over));
        let mut contenders: Vec<Contender> = grown.map(|growth| growth.finish(frame)).collect();
        contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
        contenders.truncate(CONTENDERS);
        (contenders, self.of_the_paper)
    }

    /// Whether the paper's strategies come after some rounds.
    pub(super) fn postpones(&self) -> bool {
        !self.is_small
    }
}

/// The better of two releases; the first among equals.
pub(super) fn better(left: (f64, Recoding), right: (f64, Recoding)) -> (f64, Recoding) {
    if right.0 < left.0 { right } else { left }
}

/// What one of the paper's strategies finds, with its metric.
pub(super) fn of_the_paper(
    problem: &Problem,
    strategy: Strategy,
    config: &Config,
    pool: &WorkerPool,
) -> OfThePaper {
    pool.go_on().continue_value()?;
    let recoding = if let Some((column, value)) = strategy.rules() {
        mpalm_within(problem, column, value, &pool.quiet())
    } else {
        // SPALM, the only other one of the ten. It may go through more nodes than anybody can wait for.
        let mut go_on = |_: Step| pool.go_on();
        spalm_at(problem, config, &mut Pace::new(&mut go_on, 0).within(SPALM)).0
    }?;
    Some((value_of(problem, &recoding, config.metric), recoding))
}
