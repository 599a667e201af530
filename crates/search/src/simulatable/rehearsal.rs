//! The rehearsal: the search runs on T's drawn at random, with several settings, and then searches T with the
//! setting that lost least.
//!
//! The choice is a function of P, |T|, δ, the declarations and a public seed: [`Unseen`] has nothing else. So
//! it reveals nothing about T, and the proof of the search holds for each setting.
//!
//! # Method
//! A round tries every setting with one more change than the best so far. All run on a quarter of the
//! drawn T's. The three with the least mean loss run on all T's. If one of them beats the best setting so far,
//! it becomes the best, and another round follows.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::oracle::Members;
use super::population::{Population, Rules};
use super::setting::{Rehearsed, Setting};
use super::unseen::Unseen;
use super::walk::{search, united};
use crate::worker_pool::WorkerPool;
use crate::{SearchStage, Step};
use palmtop_core::metrics::{Metric, Metrics};
use palmtop_core::model::{Classes, Cuts, Recoding, Rehearsal};
use palmtop_core::progress::unwatched;

/// The numbers of T's that a rehearsal may have which is affordable. Fewer choose by chance if losses vary: on
/// Adult at δmax .05 and .1, 8 gained nothing on other T's.
const DRAWS: [u32; 2] = [64, 32];
/// The most rounds: each adds a change.
const ROUNDS: u64 = Setting::MOST_CHANGES as u64;
/// The number of settings of a round that run on all T's.
const FINALISTS: usize = 3;
/// The counted steps that an affordable rehearsal may take: about ten seconds on two cores.
const AFFORDABLE: f64 = 5e10;

/// Chooses a setting; `None` without rehearsal, or if the search is being stopped.
pub(super) fn rehearse(unseen: &Unseen, rules: Rules, pool: &WorkerPool) -> Option<Rehearsed> {
    if unseen.problem().rehearsal() == Rehearsal::NONE {
        return None;
    }
    let stage = Stage::of(unseen, rules, pool);
    let draws = match unseen.problem().rehearsal() {
        Rehearsal::Draws(draws) => draws,
        Rehearsal::Affordable => stage.affordable_draws()?,
    };
    stage.race(draws)
}

/// What all runs of a rehearsal share.
struct Stage<'a> {
    unseen: &'a Unseen,
    rules: Rules,
    pool: &'a WorkerPool<'a>,
    /// The columns that may be cut.
    columns: Vec<usize>,
    has_limits: bool,
}

/// The result of a run.
struct Run {
    loss: f64,
    /// The counted steps.
    work: f64,
}

impl<'a> Stage<'a> {
    fn of(unseen: &'a Unseen, rules: Rules, pool: &'a WorkerPool<'a>) -> Self {
        let problem = unseen.problem();
        let width = problem.quasi().len();
        let has_limits = (0..width).any(|attribute| problem.terms(attribute).is_some());
        let columns = (0..width).filter(|&attribute| problem.cuts(attribute) != Cuts::Never).collect();
        Self { unseen, rules, pool, columns, has_limits }
    }

    /// The number of T's that is affordable; `None` if not even the least is.
    #[expect(clippy::cast_precision_loss, reason = "a number of steps")]
    fn affordable_draws(&self) -> Option<u32> {
        let work = self.run(Setting::default(), 0)?.work;
        DRAWS.into_iter().find(|&draws| self.most_runs(draws) as f64 * work <= AFFORDABLE)
    }

    /// The most runs of a race.
    fn most_runs(&self, draws: u32) -> u64 {
        let settings = Setting::default().neighbours(&self.columns, self.has_limits).len() as u64;
        let (first, draws) = (u64::from(draws.div_ceil(4)), u64::from(draws));
        draws + ROUNDS * (settings * first + FINALISTS as u64 * (draws - first))
    }

    fn race(&self, draws: u32) -> Option<Rehearsed> {
        let total = self.most_runs(draws);
        let first = draws.div_ceil(4);
        let mut runs = 0;
        let mut best =
            (Setting::default(), self.losses(&[Setting::default()], 0..draws, &mut runs, total)?[0]);
        for _ in 0..ROUNDS {
            let settings = best.0.neighbours(&self.columns, self.has_limits);
            let losses = self.losses(&settings, 0..first, &mut runs, total)?;
            let mut ranked: Vec<(Setting, f64)> = settings.into_iter().zip(losses).collect();
            // The sort is stable, so that the result is a function of the losses.
            ranked.sort_by(|left, right| left.1.total_cmp(&right.1));
            ranked.truncate(FINALISTS);
            let finalists: Vec<Setting> = ranked.iter().map(|(setting, _)| *setting).collect();
            let rest = self.losses(&finalists, first..draws, &mut runs, total)?;
            let better = ranked
                .into_iter()
                .zip(rest)
                .map(|((setting, loss), rest)| (setting, loss + rest))
                .filter(|(_, loss)| *loss < best.1)
                .min_by(|left, right| left.1.total_cmp(&right.1));
            let Some(better) = better else { break };
            best = better;
        }
        Some(Rehearsed { draws, runs, setting: best.0 })
    }

    /// The sum of each setting's losses over some draws.
    fn losses(
        &self,
        settings: &[Setting],
        draws: Range<u32>,
        runs: &mut u64,
        total: u64,
    ) -> Option<Vec<f64>> {
        let mut sums = vec![0.0; settings.len()];
        for draw in draws {
            let stage = SearchStage { rehearsals: Some(*runs), ..SearchStage::default() };
            if self.pool.report(Step { stage, done: *runs, total }).is_break() {
                return None;
            }
            let losses = self.each(settings, draw)?;
            sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
            *runs += settings.len() as u64;
        }
        Some(sums)
    }

    /// The loss of each setting on a drawn T, on all cores. The threads are the rehearsal's, because a thread of
    /// the common pool may be waiting for this search.
    fn each(&self, settings: &[Setting], draw: u32) -> Option<Vec<f64>> {
        let next = AtomicUsize::new(0);
        let work = || -> Vec<(usize, Option<f64>)> {
            let taken = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)));
            let taken = taken.take_while(|&index| index < settings.len());
            taken.map(|index| (index, self.run(settings[index], draw).map(|run| run.loss))).collect()
        };
        let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get).min(settings.len());
        let mut losses: Vec<(usize, Option<f64>)> = thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(work)).collect();
            let results =
                workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| resume_unwind(panic)));
            results.flatten().collect()
        });
        losses.sort_unstable_by_key(|(index, _)| *index);
        losses.into_iter().map(|(_, loss)| loss).collect()
    }

    /// Runs the search on a drawn T; `None` if it is being stopped.
    fn run(&self, setting: Setting, draw: u32) -> Option<Run> {
        let problem = self.unseen.drawn(Rehearsed::SEED.wrapping_add(u64::from(draw)));
        let population = Population::of(self.unseen, self.rules, setting).stopped_by(self.pool);
        let found = search(&population, Members::of(problem.histogram()), &mut unwatched).continue_value()?;
        if population.is_stopping() {
            return None;
        }
        let recoding = Recoding::Regions(united(&problem, found.regions, found.boxes, found.rests));
        let classes = Classes::of(&problem, &recoding);
        let loss = Metrics::of(&problem, &recoding, &classes).value(Metric::Loss);
        Some(Run { loss, work: found.work })
    }
}
