//! The searches that were started: waiting, running, done.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, Problem};
use palmtop_flow::pipeline::{Analysis, Found};
use palmtop_flow::session::Search;
use palmtop_search::{Config, SearchReport, Step, StopReason, Strategy};

use super::view::Measured;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// How many searches run at once; the rest wait.
const AT_ONCE: usize = 2;

/// A strategy under a δ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RunKey {
    pub(crate) strategy: Strategy,
    pub(crate) delta: Delta,
}

impl Ord for RunKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        let key = |key: &Self| (key.delta.min(), key.delta.max(), key.strategy);
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for RunKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// What a search came to.
pub(crate) struct Outcome {
    pub(crate) measured: Option<Measured>,
    /// What makes its release again.
    pub(crate) search: Search,
    pub(crate) report: SearchReport,
    pub(crate) seconds: f64,
}

impl Outcome {
    /// The loss of what it found.
    pub(crate) fn loss(&self) -> Option<f64> {
        self.measured.as_ref().map(|measured| measured.release.metrics.loss.mean())
    }

    /// Whether it was stopped before its end: another run may find something better, and no command repeats this one.
    pub(crate) fn was_stopped(&self) -> bool {
        self.report.stop.is_early()
    }
}

/// What a search that runs has to say.
pub(crate) enum Running {
    /// It went on.
    Step(Step),
    /// It ended.
    Ended(Box<Outcome>),
}

/// What a search has to say, and which.
pub(crate) type News = (RunKey, Answer<Running>);

/// What searching is called.
const SEARCHING: Task = Task { kind: "search", doing: "searching" };

/// One search.
pub(crate) enum Run {
    /// In the queue.
    Waiting,
    /// On a thread.
    Running { step: Option<Step>, started: Instant, slot: Slot<Running> },
    /// Ended.
    Done(Outcome),
    /// Broken.
    Broken(String),
}

/// When `best`, which could go on for ever, has improved enough.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    pub(crate) limit: Duration,
    pub(crate) rounds: Option<u64>,
}

impl Default for Budget {
    fn default() -> Self {
        Self { limit: Duration::from_secs(10), rounds: None }
    }
}

/// All searches of the session, by strategy and δ.
#[derive(Default)]
pub(crate) struct Runs {
    by_key: BTreeMap<RunKey, Run>,
    queue: VecDeque<RunKey>,
    /// What an earlier session had found and is made again.
    again: BTreeMap<RunKey, Search>,
    /// What a search that runs anew had found before: it stays found, unless something better is.
    before: BTreeMap<RunKey, Outcome>,
    pub(crate) budget: Budget,
}

impl Runs {
    /// A strategy's search, if it was started.
    pub(crate) fn get(&self, key: RunKey) -> Option<&Run> {
        self.by_key.get(&key)
    }

    /// What a search that is done came to; while it runs anew, what it had found before.
    pub(crate) fn outcome(&self, key: RunKey) -> Option<&Outcome> {
        match self.by_key.get(&key) {
            Some(Run::Done(outcome)) => Some(outcome),
            _ => self.before.get(&key),
        }
    }

    /// The searches under a δ that found something, in the order of the grid.
    pub(crate) fn finished(&self, delta: Delta) -> impl Iterator<Item = &Outcome> + '_ {
        let outcome = move |strategy| self.outcome(RunKey { strategy, delta });
        Strategy::all().filter_map(outcome).filter(|outcome| outcome.measured.is_some())
    }

    /// The search under a δ that lost least among those that keep it.
    pub(crate) fn best(&self, delta: Delta) -> Option<&Outcome> {
        let keeps = |outcome: &&Outcome| {
            outcome.measured.as_ref().is_some_and(|measured| measured.release.is_present())
        };
        let loss = |outcome: &Outcome| outcome.loss().unwrap_or(f64::INFINITY);
        self.finished(delta).filter(keeps).min_by(|left, right| loss(left).total_cmp(&loss(right)))
    }

    /// Of those under this δ that still run, the one of least loss so far, and that loss: only where what is on its way can
    /// be taken for what it comes to, since its rounds never make it worse.
    pub(crate) fn best_on_its_way(&self, delta: Delta) -> Option<(Strategy, f64)> {
        let of_delta = self.by_key.iter().filter(|(key, _)| key.delta == delta);
        let so_far = of_delta.filter(|(key, _)| key.strategy.info().takes_rounds).filter_map(|(key, run)| {
            let Run::Running { step: Some(step), .. } = run else { return None };
            Some((key.strategy, step.stage.best?))
        });
        so_far.min_by(|left, right| left.1.total_cmp(&right.1))
    }

    /// How many searches run.
    pub(crate) fn running(&self) -> usize {
        self.by_key.values().filter(|run| matches!(run, Run::Running { .. })).count()
    }

    /// How many searches run or wait.
    pub(crate) fn unfinished(&self) -> usize {
        self.by_key.values().filter(|run| matches!(run, Run::Waiting | Run::Running { .. })).count()
    }

    /// Whether a search is worth starting: it ends the same way each time, so only one that was stopped or broke is worth
    /// another.
    pub(crate) fn is_startable(&self, key: RunKey) -> bool {
        match self.by_key.get(&key) {
            None | Some(Run::Broken(_)) => true,
            Some(Run::Done(outcome)) => outcome.was_stopped(),
            Some(Run::Waiting | Run::Running { .. }) => false,
        }
    }

    /// Puts a search in the queue, unless it is there, runs, or came to its end; says whether it did.
    pub(crate) fn enqueue(&mut self, key: RunKey) -> bool {
        let wanted = self.is_startable(key);
        if wanted {
            if let Some(Run::Done(outcome)) = self.by_key.insert(key, Run::Waiting)
                && outcome.measured.is_some()
            {
                self.before.insert(key, outcome);
            }
            // Nobody waits for what is only found again.
            let place = self.queue.iter().position(|waiting| self.again.contains_key(waiting));
            self.queue.insert(place.unwrap_or(self.queue.len()), key);
        }
        wanted
    }

    /// Puts a search of an earlier session in the queue, to find again what it had found; says whether it did.
    pub(crate) fn enqueue_again(&mut self, search: &Search) -> bool {
        let key = RunKey { strategy: search.strategy, delta: search.delta };
        let wanted = search.repeats() && self.is_startable(key);
        if wanted {
            self.by_key.insert(key, Run::Waiting);
            self.queue.push_back(key);
            self.again.insert(key, search.clone());
        }
        wanted
    }

    /// Whether what an earlier session had found is being found again.
    pub(crate) fn is_finding_again(&self, search: &Search) -> bool {
        self.again.values().any(|wanted| wanted == search)
    }

    /// Starts as many waiting searches as there is room for.
    pub(crate) fn start_waiting(&mut self, link: &Link<News>, analysis: &Arc<Analysis>, problem: &Problem) {
        let room = AT_ONCE.saturating_sub(self.running());
        for key in self.queue.drain(..room.min(self.queue.len())).collect::<Vec<_>>() {
            let problem = problem.with_delta(key.delta);
            let task = SearchTask { key, budget: self.budget, again: self.again.get(&key).cloned() };
            let slot = search(link, Arc::clone(analysis), problem, task);
            self.by_key.insert(key, Run::Running { step: None, started: Instant::now(), slot });
        }
    }

    /// Takes what a search has to say, if it is the one that runs: its end or its failure is handed on.
    pub(crate) fn take(&mut self, (key, answer): News) -> Option<(RunKey, Result<Box<Outcome>, String>)> {
        let Some(Run::Running { step, slot, .. }) = self.by_key.get_mut(&key) else { return None };
        match slot.take(answer)? {
            Ok(Running::Step(now)) => {
                *step = Some(now);
                None
            }
            Ok(Running::Ended(outcome)) => Some((key, Ok(outcome))),
            Err(_) => Some((key, Err(slot.failure().unwrap_or_default().to_owned()))),
        }
    }

    /// Whether a search only finds again what an earlier session had found: nobody waits for it.
    pub(crate) fn is_again(&self, key: RunKey) -> bool {
        self.again.contains_key(&key)
    }

    /// Notes the end of a search. Where it ran before and found something better, that stays.
    pub(crate) fn finish(&mut self, key: RunKey, outcome: Outcome) {
        self.again.remove(&key);
        let loss = |outcome: &Outcome| outcome.loss().unwrap_or(f64::INFINITY);
        let before = self.before.remove(&key).filter(|before| loss(before) < loss(&outcome));
        self.by_key.insert(key, Run::Done(before.unwrap_or(outcome)));
    }

    /// Notes that a search broke; what it had found before stays.
    pub(crate) fn fail(&mut self, key: RunKey, text: String) {
        self.again.remove(&key);
        let run = self.before.remove(&key).map_or(Run::Broken(text), Run::Done);
        self.by_key.insert(key, run);
    }

    /// Stops a search; it keeps the best that it found so far. Says whether there was anything to stop.
    pub(crate) fn cancel(&mut self, key: RunKey) -> bool {
        match self.by_key.get(&key) {
            Some(Run::Waiting) => {
                self.queue.retain(|waiting| *waiting != key);
                self.again.remove(&key);
                self.by_key.remove(&key);
                if let Some(before) = self.before.remove(&key) {
                    self.by_key.insert(key, Run::Done(before));
                }
                true
            }
            Some(Run::Running { slot, .. }) => {
                slot.stop();
                true
            }
            _ => false,
        }
    }

    /// Stops all searches.
    pub(crate) fn cancel_all(&mut self) {
        for key in self.by_key.keys().copied().collect::<Vec<_>>() {
            self.cancel(key);
        }
    }

    /// Whether a search runs or waits.
    pub(crate) fn is_unfinished(&self, key: RunKey) -> bool {
        matches!(self.by_key.get(&key), Some(Run::Waiting | Run::Running { .. }))
    }

    /// Forgets a search that is done. Says whether there was one.
    pub(crate) fn forget(&mut self, key: RunKey) -> bool {
        matches!(self.by_key.get(&key), Some(Run::Done(_) | Run::Broken(_)))
            && self.by_key.remove(&key).is_some()
    }
}

/// What a search is told.
struct SearchTask {
    key: RunKey,
    budget: Budget,
    /// The search of an earlier session that is made again.
    again: Option<Search>,
}

/// Starts a search on a thread of its own.
fn search(link: &Link<News>, analysis: Arc<Analysis>, problem: Problem, task: SearchTask) -> Slot<Running> {
    let SearchTask { key, budget, again } = task;
    let mut slot = Slot::new(SEARCHING);
    slot.ask(
        link,
        move |answer| (key, answer),
        move |job| {
            let started = Instant::now();
            let config = match &again {
                Some(Search { metric, seed, rounds, opening, .. }) => {
                    Config { metric: *metric, seed: *seed, rounds: *rounds, opening: *opening, k: None }
                }
                None => Config { metric: Metric::Loss, rounds: budget.rounds, ..Config::default() },
            };
            let mut time_is_up = false;
            let found = analysis.search(&problem, key.strategy, &config, &mut |step| {
                job.tell(Running::Step(step));
                // One that takes rounds could go on for ever.
                let is_endless = key.strategy.info().takes_rounds;
                time_is_up = again.is_none() && is_endless && started.elapsed() >= budget.limit;
                if time_is_up { ControlFlow::Break(()) } else { job.go_on() }
            });
            let Found { release, mut report, seconds, .. } =
                if time_is_up { found.timed_out() } else { found };
            let measured = release.map(|release| Measured::new(&problem, release));
            let node = measured.as_ref().and_then(|measured| measured.release.recoding.node());
            let search = match again {
                // It comes to its rounds now where its time was up then: there may still be something better.
                Some(logged) if report.stop != StopReason::Cancelled => {
                    if !logged.complete {
                        report.stop = StopReason::Time;
                    }
                    Search { node: node.map(|node| node.levels().to_vec()), ..logged }
                }
                _ => Search::new(key.strategy, &config, key.delta, &report, node),
            };
            Some(Running::Ended(Box::new(Outcome { measured, search, report, seconds })))
        },
    );
    slot
}
