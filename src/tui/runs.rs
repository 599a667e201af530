//! The searches that were started: waiting, running, done.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use palmtop::metrics::Metric;
use palmtop::model::Problem;
use palmtop::pipeline::{Analysis, Found};
use palmtop::release::Release;
use palmtop::search::{Config, SearchReport, Step, StopReason, Strategy};

use super::job::Jobs;
use super::message::{JobName, Message};

/// How many searches run at once; the rest wait.
const AT_ONCE: usize = 2;
/// How often a search tells of its progress.
const TELL: Duration = Duration::from_millis(80);

/// What a search came to.
pub(crate) struct Outcome {
    pub(crate) release: Option<Arc<Release>>,
    pub(crate) report: SearchReport,
    pub(crate) seconds: f64,
}

impl Outcome {
    /// Whether it was stopped before its end: another run may find something better, and no command repeats this one.
    pub(crate) fn was_stopped(&self) -> bool {
        matches!(self.report.stop, StopReason::Cancelled | StopReason::Time)
    }
}

/// One search.
pub(crate) enum Run {
    /// In the queue.
    Waiting,
    /// On a thread.
    Running { step: Option<Step>, started: Instant, cancel: Arc<AtomicBool> },
    /// Ended.
    Done(Outcome),
    /// Broken.
    Broken(String),
}

/// When `best`, which could go on for ever, has improved enough, once its opening is over.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub(crate) limit: Duration,
    pub(crate) rounds: Option<u64>,
}

impl Default for Effort {
    fn default() -> Self {
        Self { limit: Duration::from_secs(10), rounds: None }
    }
}

/// All searches of the session, by strategy.
#[derive(Default)]
pub(crate) struct Runs {
    by_strategy: BTreeMap<Strategy, Run>,
    queue: VecDeque<Strategy>,
    pub(crate) effort: Effort,
}

impl Runs {
    /// A strategy's search, if it was started.
    pub(crate) fn get(&self, strategy: Strategy) -> Option<&Run> {
        self.by_strategy.get(&strategy)
    }

    /// The release of a strategy that is done and found one.
    pub(crate) fn release(&self, strategy: Strategy) -> Option<&Arc<Release>> {
        match self.by_strategy.get(&strategy) {
            Some(Run::Done(outcome)) => outcome.release.as_ref(),
            _ => None,
        }
    }

    /// What a search that is done came to.
    pub(crate) fn outcome(&self, strategy: Strategy) -> Option<&Outcome> {
        match self.by_strategy.get(&strategy) {
            Some(Run::Done(outcome)) => Some(outcome),
            _ => None,
        }
    }

    /// The strategies with a release, in the order of the grid.
    pub(crate) fn finished(&self) -> impl Iterator<Item = Strategy> + '_ {
        Strategy::all().filter(|strategy| self.release(*strategy).is_some())
    }

    /// How many searches run.
    pub(crate) fn running(&self) -> usize {
        self.by_strategy.values().filter(|run| matches!(run, Run::Running { .. })).count()
    }

    /// How many searches run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        self.by_strategy.values().filter(|run| matches!(run, Run::Waiting | Run::Running { .. })).count()
    }

    /// Puts a search in the queue, unless it is there, runs, or came to its end; says whether it did.
    ///
    /// A search ends the same way each time, so only one that was stopped or broke is worth another.
    pub(crate) fn enqueue(&mut self, strategy: Strategy) -> bool {
        let wanted = match self.by_strategy.get(&strategy) {
            None | Some(Run::Broken(_)) => true,
            Some(Run::Done(outcome)) => outcome.was_stopped(),
            Some(Run::Waiting | Run::Running { .. }) => false,
        };
        if wanted {
            self.by_strategy.insert(strategy, Run::Waiting);
            self.queue.push_back(strategy);
        }
        wanted
    }

    /// Starts as many waiting searches as there is room for.
    pub(crate) fn start_waiting(&mut self, jobs: &Jobs, analysis: &Arc<Analysis>, problem: &Problem) {
        let room = AT_ONCE.saturating_sub(self.running());
        for strategy in self.queue.drain(..room.min(self.queue.len())).collect::<Vec<_>>() {
            let cancel = Arc::new(AtomicBool::new(false));
            let running = Run::Running { step: None, started: Instant::now(), cancel: Arc::clone(&cancel) };
            self.by_strategy.insert(strategy, running);
            search(jobs, Arc::clone(analysis), problem.clone(), strategy, self.effort, cancel);
        }
    }

    /// Notes the progress of a search.
    pub(crate) fn progress(&mut self, strategy: Strategy, now: Step) {
        if let Some(Run::Running { step, .. }) = self.by_strategy.get_mut(&strategy) {
            *step = Some(now);
        }
    }

    /// Notes the end of a search.
    pub(crate) fn finish(&mut self, strategy: Strategy, outcome: Outcome) {
        self.by_strategy.insert(strategy, Run::Done(outcome));
    }

    /// Notes that a search broke.
    pub(crate) fn fail(&mut self, strategy: Strategy, text: String) {
        self.by_strategy.insert(strategy, Run::Broken(text));
    }

    /// Stops a search; it keeps the best that it found so far. Says whether there was anything to stop.
    pub(crate) fn cancel(&mut self, strategy: Strategy) -> bool {
        match self.by_strategy.get(&strategy) {
            Some(Run::Waiting) => {
                self.queue.retain(|waiting| *waiting != strategy);
                self.by_strategy.remove(&strategy);
                true
            }
            Some(Run::Running { cancel, .. }) => {
                cancel.store(true, Ordering::Relaxed);
                true
            }
            _ => false,
        }
    }

    /// Forgets a search that is done. Says whether there was one.
    pub(crate) fn forget(&mut self, strategy: Strategy) -> bool {
        matches!(self.by_strategy.get(&strategy), Some(Run::Done(_) | Run::Broken(_)))
            && self.by_strategy.remove(&strategy).is_some()
    }
}

fn search(
    jobs: &Jobs,
    analysis: Arc<Analysis>,
    problem: Problem,
    strategy: Strategy,
    effort: Effort,
    cancel: Arc<AtomicBool>,
) {
    jobs.start(JobName::Search(strategy), move |sender| {
        let started = Instant::now();
        let mut told = Instant::now();
        let config = Config { metric: Metric::Loss, rounds: effort.rounds, ..Config::default() };
        let mut time_is_up = false;
        let found = analysis.search(&problem, strategy, &config, &mut |step| {
            if told.elapsed() >= TELL {
                told = Instant::now();
                let _ = sender.send(Message::Progress(strategy, step));
            }
            // Only `best` could go on for ever, and its opening is not cut short.
            time_is_up = step.rounds.is_some() && started.elapsed() >= effort.limit;
            if time_is_up || cancel.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        let Found { release, report, seconds } = if time_is_up { found.timed_out() } else { found };
        let outcome = Outcome { release: release.map(Arc::new), report, seconds };
        let _ = sender.send(Message::Finished(strategy, Box::new(outcome)));
    });
}
