//! The opening: the paper's ten strategies, then trees grown with several settings, in counted
//! steps.
//!
//! Before the first step, everyone is in one region, which is a valid release. A strategy of the
//! paper takes one step, or several on a large table. Each other step makes a tree finer. On a huge
//! table, the first tree comes after two strategies. A stop by time only decides the number of
//! steps.

pub(super) mod paper;
pub(super) mod steps;

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use self::paper::OfThePaper;
use self::steps::Steps;
use super::frame::Frame;
use super::grow::growth::{self, Growth, is_small};
use super::grow::improve::Contender;
use super::setting::Setting;
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::ColumnTable;
use crate::regions::mpalm::Rules;
use crate::{Config, SearchStage, Step, StopReason};
use palmtop_core::metrics::Metric;
use palmtop_core::model::Problem;

/// The largest number of trees.
const TREES: usize = 12;
/// The number of trees that continue in the rounds.
const CONTENDERS: usize = 4;
/// Each further block of this many columns counts the combinations once more.
const WIDE: usize = 16;
/// Above this number of combinations, only one tree is grown, because each tree holds all
/// combinations. That tree is grown early.
const HUGE: usize = 1 << 20;
/// The number of strategies before that tree: those with the cheapest balanced splits. The others
/// may take many times as long.
const EARLY: usize = 2;

/// The state of the opening.
pub(super) struct Opening {
    /// The paper's strategies in the order in which they run: [`paper::in_order`].
    strategies: Vec<Option<Rules>>,
    /// The number of strategies that are finished.
    tried: usize,
    of_the_paper: OfThePaper,
    /// The first tree. It is grown alone, so that one tree is complete as soon as possible.
    first: Growth,
    /// The other trees, once they are started.
    others: Vec<Growth>,
    settings: Vec<Setting>,
}

impl Opening {
    /// The opening before its first step.
    pub(super) fn new(problem: &Problem, frame: &Frame, config: &Config) -> Self {
        let rows = problem.histogram().len();
        let size = rows.saturating_mul(problem.quasi().len().div_ceil(WIDE));
        let trees = match size {
            // By discernibility, rounds improve far more than other trees.
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
        let strategies = paper::in_order();
        Self { strategies, tried: 0, of_the_paper: None, first, others: Vec::new(), settings }
    }

    /// Whether all steps are done.
    pub(super) fn is_over(&self) -> bool {
        self.tried == self.strategies.len() && self.has_grown()
    }

    /// Whether all trees are complete.
    fn has_grown(&self) -> bool {
        self.first.is_over()
            && self.others.len() + 1 == self.settings.len()
            && self.others.iter().all(Growth::is_over)
    }

    /// The progress, in strategies and trees.
    pub(super) fn progress(&self) -> Step {
        let is_over = |growth: &&Growth| growth.is_over();
        let trees = std::iter::once(&self.first).chain(&self.others).filter(is_over).count();
        let (done, total) = (self.tried + trees, self.strategies.len() + self.settings.len());
        // The cost of a tree may be less than that of its release.
        let best = self.of_the_paper.as_ref().map(|(value, _)| *value);
        let stage = SearchStage { best, ..SearchStage::default() };
        Step { stage, done: done as u64, total: total as u64 }
    }

    /// Runs the next part: a strategy of the paper in one or more counted steps, or one step of the
    /// trees. Breaks if the steps are used up or the pool is stopped, and keeps the state after the
    /// last complete step.
    pub(super) fn advance(
        &mut self,
        problem: &Problem,
        frame: &Frame,
        config: &Config,
        steps: &mut Steps,
        pool: &WorkerPool,
    ) -> ControlFlow<StopReason> {
        let waits = self.settings.len() == 1 && self.tried >= EARLY && !self.first.is_over();
        if let Some(&rules) = self.strategies.get(self.tried).filter(|_| !waits) {
            steps.reported = self.progress();
            let known = self.of_the_paper.take();
            let (found, way) = paper::try_next(problem, frame, rules, config, known, steps, pool);
            self.of_the_paper = found;
            way?;
            self.tried += 1;
            return ControlFlow::Continue(());
        }
        steps.go_on()?;
        if self.grow(problem, frame, pool).is_break() {
            return ControlFlow::Break(StopReason::Cancelled);
        }
        steps.count();
        ControlFlow::Continue(())
    }

    /// Runs one step of the trees. If it is stopped, it changes nothing.
    fn grow(&mut self, problem: &Problem, frame: &Frame, pool: &WorkerPool) -> ControlFlow<()> {
        if !self.first.is_over() {
            growth::step(std::slice::from_mut(&mut self.first), frame, pool)?;
            return ControlFlow::Continue(());
        }
        if self.others.is_empty() {
            let (original, total) = (ColumnTable::of(problem.histogram()), problem.histogram().total());
            let others = self.settings.iter().zip(0..).skip(1);
            let begun =
                others.map(|(&setting, seed)| Growth::new(frame, original.clone(), total, setting, seed));
            self.others = begun.collect();
        }
        growth::step(&mut self.others, frame, pool)?;
        ControlFlow::Continue(())
    }

    /// The complete trees in ascending order of cost (or else the first, incomplete tree), and the
    /// best release of the paper's strategies.
    pub(super) fn finish(self, frame: &Frame) -> (Vec<Contender>, OfThePaper) {
        let grown = std::iter::once(self.first).chain(self.others.into_iter().filter(Growth::is_over));
        let mut contenders: Vec<Contender> = grown.map(|growth| growth.finish(frame)).collect();
        contenders.sort_by(|left, right| left.value.total_cmp(&right.value));
        contenders.truncate(CONTENDERS);
        (contenders, self.of_the_paper)
    }

    /// Grows only the first tree, as on a huge table.
    #[cfg(test)]
    pub(super) fn keep_one_tree(&mut self) {
        self.settings.truncate(1);
    }

    /// The number of finished strategies, and whether the first tree is complete.
    #[cfg(test)]
    pub(super) fn stage(&self) -> (usize, bool) {
        (self.tried, self.first.is_over())
    }
}
