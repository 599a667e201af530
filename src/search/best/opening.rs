//! The opening: the paper's ten strategies, then trees grown with several settings, in counted steps.
//!
//! Before its first step everything is one region, which is a valid release. Each of the first ten steps runs one of the
//! paper's strategies; each later step makes a tree finer. A stop by time decides only how many steps are done.

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::column_table::ColumnTable;
use super::super::worker_pool::WorkerPool;
use super::super::{Config, SearchStage, Step, Strategy};
use super::frame::Frame;
use super::growth::{self, Growth, is_small};
use super::improve::Contender;
use super::paper::{self, OfThePaper};
use super::setting::Setting;
use crate::metrics::Metric;
use crate::model::Problem;

/// How many trees are grown, and how many of them go on.
const TREES: usize = 12;
const CONTENDERS: usize = 4;
/// Every so many columns, a combination counts once more.
const WIDE: usize = 16;
/// Beyond so many combinations, one tree is grown: each holds all combinations.
const HUGE: usize = 1 << 20;

/// The opening so far.
pub(super) struct Opening {
    /// The paper's strategies in the order in which they run, and how many of them are over.
    strategies: Vec<Strategy>,
    tried: usize,
    of_the_paper: OfThePaper,
    /// The first tree alone, so that one tree is complete as soon as possible.
    first: Growth,
    /// The other trees, once they have begun.
    others: Vec<Growth>,
    settings: Vec<Setting>,
    best: Option<f64>,
}

impl Opening {
    /// Nothing done yet.
    pub(super) fn new(problem: &Problem, frame: &Frame, config: &Config) -> Self {
        let rows = problem.histogram().len();
        let size = rows.saturating_mul(problem.quasi().len().div_ceil(WIDE));
        let trees = match size {
            // By discernibility rounds bring far more than other trees.
            _ if is_small(frame, rows) && config.metric != Metric::Discernibility => TREES,
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
        let strategies = paper::in_order();
        Self { strategies, tried: 0, of_the_paper: None, first, others: Vec::new(), settings, best }
    }

    /// Whether all its steps are done.
    pub(super) fn is_over(&self) -> bool {
        self.tried == self.strategies.len() && self.has_grown()
    }

    /// Whether all trees are grown.
    fn has_grown(&self) -> bool {
        self.first.is_over()
            && self.others.len() + 1 == self.settings.len()
            && self.others.iter().all(Growth::is_over)
    }

    /// How far it is: strategies and trees.
    pub(super) fn progress(&self) -> Step {
        let is_over = |growth: &&Growth| growth.is_over();
        let trees = std::iter::once(&self.first).chain(&self.others).filter(is_over).count();
        let (done, total) = (self.tried + trees, self.strategies.len() + self.settings.len());
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
        if let Some(&strategy) = self.strategies.get(self.tried) {
            let known = self.of_the_paper.take();
            let (found, way) = paper::try_next(problem, frame, (strategy, config), known, pool);
            self.of_the_paper = found;
            way?;
            self.tried += 1;
            let value = self.of_the_paper.as_ref().map(|(value, _)| *value);
            self.best = self.best.into_iter().chain(value).reduce(f64::min);
        } else if !self.first.is_over() {
            growth::step(std::slice::from_mut(&mut self.first), frame, pool)?;
            self.best = self.best.into_iter().chain([self.first.value(frame)]).reduce(f64::min);
        } else {
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
}
