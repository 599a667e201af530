//! The searches of a sitting: waiting, running, done.

use std::collections::{BTreeMap, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::{Duration, Instant};

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, Problem};
use palmtop_project::compatibility::Feature;
use palmtop_release::history::Search;
use palmtop_release::pipeline::{Analysis, Found};
use palmtop_search::{Config, SearchReport, Step, StopReason, Strategy};

use super::view::Measured;
use crate::kit::link::Link;
use crate::kit::slot::{Answer, Slot, Task};

/// The number of searches that run at once; the others wait.
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

/// The result of a search.
pub(crate) struct Outcome {
    pub(crate) measured: Option<Measured>,
    /// The record that repeats the search.
    pub(crate) search: Search,
    pub(crate) report: SearchReport,
    pub(crate) seconds: f64,
}

impl Outcome {
    /// The loss of the release; none without a release.
    pub(crate) fn loss(&self) -> Option<f64> {
        self.measured.as_ref().map(|measured| measured.release.metrics.loss.mean())
    }

    /// Why the search ended, in a few words.
    pub(crate) fn end(&self) -> &'static str {
        match self.report.stop {
            StopReason::Time => "time used up",
            StopReason::Cancelled => "stopped",
            other => other.as_str(),
        }
    }

    /// Whether the search was stopped before its end: another run may find a better release, and no
    /// command repeats this one.
    pub(crate) fn was_stopped(&self) -> bool {
        self.report.stop.is_early()
    }
}

/// A message of a running search.
pub(crate) enum Running {
    /// A step of the search.
    Step(Step),
    /// The end of the search.
    Ended(Box<Outcome>),
}

/// A message of a search, with the search that sent it.
pub(crate) type News = (RunKey, Answer<Running>);

/// The name of the jobs.
const SEARCHING: Task = Task { kind: "search", doing: "searching" };

/// The state of a search.
pub(crate) enum Run {
    /// In the queue.
    Waiting,
    /// Running in a thread.
    Running { step: Option<Step>, started: Instant, slot: Slot<Running> },
    /// Ended.
    Done(Box<Outcome>),
    /// Failed, with the reason.
    Broken(String),
}

/// The limits of `best`, which could run forever.
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

impl Budget {
    /// The time after which a search by this strategy stops; `None` if it always goes to its end.
    fn limit_of(&self, strategy: Strategy) -> Option<Duration> {
        let family = strategy.family();
        if family.draws() { Some(self.limit) } else { family.default_seconds().map(Duration::from_secs) }
    }
}

/// All searches of the sitting, by strategy and δ.
#[derive(Default)]
pub(crate) struct Runs {
    by_key: BTreeMap<RunKey, Run>,
    queue: VecDeque<RunKey>,
    /// The searches of an earlier sitting that are repeated.
    again: BTreeMap<RunKey, Search>,
    /// The earlier result of a search that runs again; it stays unless the new result is better.
    before: BTreeMap<RunKey, Box<Outcome>>,
    pub(crate) budget: Budget,
    /// The strategies that the analyst marked: they run together, and are on the curve over δ.
    marked: Vec<Strategy>,
}

impl Runs {
    /// The marked strategies, in the order of the marks.
    pub(crate) fn marked(&self) -> &[Strategy] {
        &self.marked
    }

    /// Marks a strategy, or unmarks it.
    pub(crate) fn mark(&mut self, strategy: Strategy) {
        match self.marked.iter().position(|marked| *marked == strategy) {
            Some(index) => drop(self.marked.remove(index)),
            None => self.marked.push(strategy),
        }
    }

    /// The running searches that are not repeated ones: how long each has run, and whether it has a release so far.
    pub(crate) fn at_work(&self) -> impl Iterator<Item = (Strategy, Duration, bool)> + '_ {
        self.by_key.iter().filter(|(key, _)| !self.again.contains_key(key)).filter_map(|(key, run)| {
            let Run::Running { step, started, .. } = run else { return None };
            let has_release = step.as_ref().is_some_and(|step| step.stage.best.is_some());
            Some((key.strategy, started.elapsed(), has_release && key.strategy.family().takes_seconds()))
        })
    }

    /// The state of a search; none if it was never started.
    pub(crate) fn get(&self, key: RunKey) -> Option<&Run> {
        self.by_key.get(&key)
    }

    /// The result of a search; if it runs again, its earlier result.
    pub(crate) fn outcome(&self, key: RunKey) -> Option<&Outcome> {
        match self.by_key.get(&key) {
            Some(Run::Done(outcome)) => Some(outcome),
            _ => self.before.get(&key).map(AsRef::as_ref),
        }
    }

    /// The searches under a δ that found a release, in the order of the grid.
    pub(crate) fn finished(&self, delta: Delta) -> impl Iterator<Item = &Outcome> + '_ {
        let outcome = move |strategy| self.outcome(RunKey { strategy, delta });
        Strategy::all().filter_map(outcome).filter(|outcome| outcome.measured.is_some())
    }

    /// The search of least loss among those that keep this δ.
    pub(crate) fn best(&self, delta: Delta) -> Option<&Outcome> {
        let keeps = |outcome: &&Outcome| {
            outcome.measured.as_ref().is_some_and(|measured| measured.release.is_present())
        };
        let loss = |outcome: &Outcome| outcome.loss().unwrap_or(f64::INFINITY);
        self.finished(delta).filter(keeps).min_by(|left, right| loss(left).total_cmp(&loss(right)))
    }

    /// The running search of least loss so far under this δ, with that loss. Only searches count
    /// whose rounds never make the result worse.
    pub(crate) fn best_on_its_way(&self, delta: Delta) -> Option<(Strategy, f64)> {
        let of_delta = self.by_key.iter().filter(|(key, _)| key.delta == delta);
        let so_far = of_delta.filter(|(key, _)| key.strategy.family().draws()).filter_map(|(key, run)| {
            let Run::Running { step: Some(step), .. } = run else { return None };
            Some((key.strategy, step.stage.best?))
        });
        so_far.min_by(|left, right| left.1.total_cmp(&right.1))
    }

    /// The running search that is nearest to its end, with its share in percent; none if no share is known.
    pub(crate) fn furthest(&self) -> Option<(Strategy, u64)> {
        let shares = self.by_key.iter().filter_map(|(key, run)| match run {
            Run::Running { step: Some(step), .. } if step.total > 0 => {
                Some((key.strategy, step.done.min(step.total) * 100 / step.total))
            }
            _ => None,
        });
        shares.max_by_key(|(_, percent)| *percent)
    }

    /// The number of running searches.
    pub(crate) fn running(&self) -> usize {
        self.by_key.values().filter(|run| matches!(run, Run::Running { .. })).count()
    }

    /// The number of running and waiting searches.
    pub(crate) fn unfinished(&self) -> usize {
        self.by_key.values().filter(|run| matches!(run, Run::Waiting | Run::Running { .. })).count()
    }

    /// Whether a search is worth a start: it repeats its result unless it was stopped or failed.
    pub(crate) fn is_startable(&self, key: RunKey) -> bool {
        match self.by_key.get(&key) {
            None | Some(Run::Broken(_)) => true,
            Some(Run::Done(outcome)) => outcome.was_stopped(),
            Some(Run::Waiting | Run::Running { .. }) => false,
        }
    }

    /// Puts a search in the queue, unless it waits, runs or has ended; returns whether it did.
    pub(crate) fn enqueue(&mut self, key: RunKey) -> bool {
        let wanted = self.is_startable(key);
        if wanted {
            if let Some(Run::Done(outcome)) = self.by_key.insert(key, Run::Waiting)
                && outcome.measured.is_some()
            {
                self.before.insert(key, outcome);
            }
            // Nobody waits for a search that is only repeated.
            let position = self.queue.iter().position(|waiting| self.again.contains_key(waiting));
            self.queue.insert(position.unwrap_or(self.queue.len()), key);
        }
        wanted
    }

    /// Puts a search of an earlier sitting in the queue to repeat it; returns whether it did.
    pub(crate) fn enqueue_again(&mut self, search: &Search) -> bool {
        // A search of an older palmtop may have a strategy that is gone.
        let Some(strategy) = search.strategy.known() else { return false };
        let key = RunKey { strategy, delta: search.delta };
        let wanted = search.repeats() && self.is_startable(key);
        if wanted {
            self.by_key.insert(key, Run::Waiting);
            self.queue.push_back(key);
            self.again.insert(key, search.clone());
        }
        wanted
    }

    /// Whether a search of an earlier sitting is being repeated.
    pub(crate) fn is_finding_again(&self, search: &Search) -> bool {
        self.again.values().any(|wanted| wanted == search)
    }

    /// Starts waiting searches up to the limit.
    pub(crate) fn start_waiting(&mut self, link: &Link<News>, analysis: &Arc<Analysis>, problem: &Problem) {
        let room = AT_ONCE.saturating_sub(self.running());
        for key in self.queue.drain(..room.min(self.queue.len())).collect::<Vec<_>>() {
            // A search of an earlier sitting may be one that the project excludes now.
            if let Some(refused) = analysis.refusal(Feature::Strategy(key.strategy)) {
                self.fail(key, refused.to_string());
                continue;
            }
            let problem = problem.with_delta(key.delta);
            let task = SearchTask { key, budget: self.budget, again: self.again.get(&key).cloned() };
            let slot = search(link, Arc::clone(analysis), problem, task);
            self.by_key.insert(key, Run::Running { step: None, started: Instant::now(), slot });
        }
    }

    /// Takes a message of a running search; returns its end or its failure.
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

    /// Whether a search only repeats one of an earlier sitting, so that nobody waits for it.
    pub(crate) fn is_again(&self, key: RunKey) -> bool {
        self.again.contains_key(&key)
    }

    /// Notes the end of a search. A better earlier result stays.
    pub(crate) fn finish(&mut self, key: RunKey, outcome: Box<Outcome>) {
        self.again.remove(&key);
        let loss = |outcome: &Outcome| outcome.loss().unwrap_or(f64::INFINITY);
        let before = self.before.remove(&key).filter(|before| loss(before) < loss(&outcome));
        self.by_key.insert(key, Run::Done(before.unwrap_or(outcome)));
    }

    /// Notes the failure of a search; its earlier result stays.
    pub(crate) fn fail(&mut self, key: RunKey, text: String) {
        self.again.remove(&key);
        let run = self.before.remove(&key).map_or(Run::Broken(text), Run::Done);
        self.by_key.insert(key, run);
    }

    /// Stops a search, which keeps its best release so far; returns whether it was running or
    /// waiting.
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
}

/// The inputs of a search.
struct SearchTask {
    key: RunKey,
    budget: Budget,
    /// The search of an earlier sitting to repeat.
    again: Option<Search>,
}

/// Starts a search in a thread.
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
                    Config { metric: *metric, seed: *seed, rounds: *rounds, opening: *opening }
                }
                None => Config { metric: Metric::Loss, rounds: budget.rounds, ..Config::default() },
            };
            // A search that repeats an earlier one goes to its end.
            let repeats = again.as_ref().is_some_and(Search::repeats);
            let limit = budget.limit_of(key.strategy).filter(|_| !repeats);
            let mut time_is_up = false;
            let problem = again.as_ref().map_or(problem.clone(), |logged| problem.with_delta(logged.delta));
            let found = analysis.search(&problem, key.strategy, &config, &mut |step| {
                job.tell(Running::Step(step));
                time_is_up = limit.is_some_and(|limit| started.elapsed() >= limit);
                if time_is_up { ControlFlow::Break(()) } else { job.go_on() }
            });
            let Found { release, mut report, seconds, .. } =
                if time_is_up { found.timed_out() } else { found };
            let measured = release.map(|release| Measured::new(&problem, release));
            let node = measured.as_ref().and_then(|measured| measured.release.recoding.node());
            let search = match again {
                // The repeated search ends at its rounds, where time stopped the earlier one. More
                // rounds may still find a better release.
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
