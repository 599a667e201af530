//! The curve: the loss of each strategy over δmax, measured in the background and kept.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use palmtop_core::metrics::Metric;
use palmtop_core::model::{Delta, Presence, Problem};
use palmtop_release::pipeline::Analysis;
use palmtop_search::release::Release;
use palmtop_search::{Config, Strategy};

use crate::kit::link::Link;
use crate::kit::slot::{Answer, JobContext, Slot, Task};
use crate::shared::runs::RunKey;
use crate::shared::state::Shared;
use palmtop_release::chart::{self, Bound};

/// The rounds of `best` under each δ. With a time limit, another measurement would give another
/// figure.
pub(crate) const ROUNDS: u64 = 20;

/// The strategies that are always on the curve: the recommended one, and what others lose at best.
fn usual() -> impl Iterator<Item = Strategy> {
    Strategy::all().filter(|strategy| *strategy == Strategy::RECOMMENDED || strategy.family().draws())
}

/// The most strategies on the curve.
const MOST: usize = 4;

/// One point: the loss of a strategy under a δ; none if it found no release.
pub(crate) type Swept = (RunKey, Option<f64>);

/// The measured points, and the running measurement.
pub(crate) struct Sweep {
    /// The loss of a strategy under a δ; none if it found no release. Each δmin has separate
    /// figures.
    figures: BTreeMap<RunKey, Option<f64>>,
    slot: Slot<Swept>,
    running: Option<Running>,
    /// The selected δmax; the current one if it is not on the chart.
    cursor: Option<Presence>,
    /// The strategies that were put on the curve here.
    added: Vec<Strategy>,
}

/// A running measurement.
struct Running {
    /// The δmin of the measurement.
    min: Presence,
    /// The remaining points, in order.
    todo: VecDeque<RunKey>,
    total: usize,
    started: Instant,
}

/// The progress of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SweepProgress {
    pub(crate) done: usize,
    pub(crate) total: usize,
    /// The point being measured.
    pub(crate) now: RunKey,
    pub(crate) elapsed: Duration,
}

/// The state of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Figure {
    /// Not measured.
    Open,
    /// The strategy found no release that keeps δ.
    Nothing,
    /// The loss of its release.
    Loss(f64),
}

impl Figure {
    /// The loss; none without a release.
    pub(crate) fn loss(self) -> Option<f64> {
        match self {
            Self::Loss(loss) => Some(loss),
            Self::Open | Self::Nothing => None,
        }
    }
}

impl Sweep {
    /// A sweep without measurements.
    pub(crate) fn unmeasured() -> Self {
        let slot = Slot::new(Task { kind: "sweep", doing: "measuring the curve" });
        Self { figures: BTreeMap::new(), slot, running: None, cursor: None, added: Vec::new() }
    }

    /// Starts to measure these strategies over δmax, under the current δmin. Measured points are
    /// not measured again, and remaining points are included.
    /// # Errors
    /// There is nothing to measure.
    pub(crate) fn start(
        &mut self,
        link: &Link<Answer<Swept>>,
        analysis: &Arc<Analysis>,
        problem: &Problem,
        strategies: &[Strategy],
    ) -> Result<(), String> {
        let (min, share) = (problem.delta().min(), problem.total().presence());
        if min > share {
            return Err(format!("δmin {min} is above |T|/|P| = {share}: no δmax can help"));
        }
        let awaited = |key: &RunKey| self.running.as_ref().is_some_and(|running| running.todo.contains(key));
        let deltas = self.deltas(problem);
        let keys =
            deltas.iter().flat_map(|&delta| Strategy::all().map(move |strategy| RunKey { strategy, delta }));
        let wanted = |key: &RunKey| strategies.contains(&key.strategy) && !self.figures.contains_key(key);
        let (slow, quick): (Vec<RunKey>, Vec<RunKey>) =
            keys.filter(|key| awaited(key) || wanted(key)).partition(|key| key.strategy.family().draws());
        let todo: VecDeque<RunKey> = quick.into_iter().chain(slow).collect();
        if todo.is_empty() {
            return Err("everything is measured".to_owned());
        }
        if todo.iter().all(awaited) {
            return Err("the measurement is running".to_owned());
        }
        let running = Running { total: todo.len(), todo: todo.clone(), min, started: Instant::now() };
        self.running = Some(running);
        let (analysis, problem) = (Arc::clone(analysis), problem.clone());
        self.slot.ask(link, |answer| answer, move |job| measure(job, &analysis, &problem, todo));
        Ok(())
    }

    /// Takes a point, unless its measurement was abandoned. After a failure, the measured points
    /// stay. Returns the message of a failure.
    pub(crate) fn take(&mut self, answer: Answer<Swept>) -> Option<String> {
        let taken = self.slot.take(answer);
        if let (Some(Ok((key, loss))), Some(running)) = (&taken, &mut self.running) {
            running.todo.retain(|waiting| waiting != key);
            self.figures.insert(*key, *loss);
        }
        if !self.slot.is_open() {
            self.running = None;
        }
        taken?.err()
    }

    /// Abandons the measurement; the measured points stay.
    pub(crate) fn stopped(&mut self) {
        self.slot.void();
        self.running = None;
    }

    /// Abandons a measurement under another δmin, because δ changed.
    pub(crate) fn delta_changed(&mut self, delta: Delta) {
        if self.running.as_ref().is_some_and(|running| running.min != delta.min()) {
            self.stopped();
        }
    }

    /// The strategies on the curve, at most four: the usual ones, those marked on the releases, and those added here.
    pub(crate) fn chosen(&self, shared: &Shared) -> Vec<Strategy> {
        let can_run = |strategy: &Strategy| shared.why_refused(*strategy).is_none();
        let mut chosen: Vec<Strategy> = Vec::new();
        for strategy in usual().chain(shared.runs.marked().iter().copied()).chain(self.added.iter().copied())
        {
            if can_run(&strategy) && !chosen.contains(&strategy) && chosen.len() < MOST {
                chosen.push(strategy);
            }
        }
        if chosen.is_empty() { Strategy::all().find(can_run).into_iter().collect() } else { chosen }
    }

    /// Puts one more strategy on the curve; after four, those that were added here go.
    pub(super) fn add(&mut self, shared: &Shared) {
        let chosen = self.chosen(shared);
        let is_next =
            |strategy: &Strategy| shared.why_refused(*strategy).is_none() && !chosen.contains(strategy);
        match Strategy::all().find(is_next).filter(|_| chosen.len() < MOST) {
            Some(strategy) => self.added.push(strategy),
            None => self.added.clear(),
        }
    }

    /// Whether a measurement is running.
    pub(crate) fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// The progress of the running measurement.
    pub(crate) fn sweep_progress(&self) -> Option<SweepProgress> {
        let Running { todo, total, started, .. } = self.running.as_ref()?;
        let (done, now) = (total - todo.len(), *todo.front()?);
        Some(SweepProgress { done, total: *total, now, elapsed: started.elapsed() })
    }

    /// The values of δ on the chart under the current δmin, by rising δmax: those of an experiment,
    /// the current δ, and all that were or will be measured.
    pub(crate) fn deltas(&self, problem: &Problem) -> Vec<Delta> {
        let delta = problem.delta();
        let usual = chart::Sweep::new(Bound::Max, delta, problem.total().presence(), &[]).values;
        let awaited = self.running.iter().flat_map(|running| &running.todo);
        let known = self.figures.keys().chain(awaited).map(|key| key.delta);
        let measured = known.filter(|other| other.min() == delta.min());
        let mut maxima: Vec<Presence> = usual.into_iter().chain(measured.map(Delta::max)).collect();
        maxima.sort_unstable();
        maxima.dedup();
        maxima.into_iter().filter_map(|max| Delta::new(delta.min(), max).ok()).collect()
    }

    /// The strategies with a measured or a remaining point under this δmin.
    pub(crate) fn strategies(&self, min: Presence) -> Vec<Strategy> {
        let awaited = self.running.iter().flat_map(|running| &running.todo);
        let known: Vec<&RunKey> =
            self.figures.keys().chain(awaited).filter(|key| key.delta.min() == min).collect();
        Strategy::all().filter(|strategy| known.iter().any(|key| key.strategy == *strategy)).collect()
    }

    /// The state of the point of a strategy under a δ.
    pub(crate) fn figure(&self, strategy: Strategy, delta: Delta) -> Figure {
        match self.figures.get(&RunKey { strategy, delta }) {
            None => Figure::Open,
            Some(None) => Figure::Nothing,
            Some(Some(loss)) => Figure::Loss(*loss),
        }
    }

    /// The index of the selected δ.
    pub(crate) fn cursor_index(&self, deltas: &[Delta], now: Delta) -> usize {
        let index_of = |max: Presence| deltas.iter().position(|delta| delta.max() == max);
        self.cursor.and_then(index_of).or_else(|| index_of(now.max())).unwrap_or(0)
    }

    /// Selects a δ.
    pub(crate) fn point_at(&mut self, delta: Delta) {
        self.cursor = Some(delta.max());
    }
}

/// Measures one point after the other, until the measurement is abandoned.
fn measure(
    job: &JobContext<Swept>,
    analysis: &Analysis,
    problem: &Problem,
    todo: VecDeque<RunKey>,
) -> Option<Swept> {
    let config = Config { metric: Metric::Loss, rounds: Some(ROUNDS), ..Config::default() };
    for key in todo {
        let problem = problem.with_delta(key.delta);
        let found = analysis.search(&problem, key.strategy, &config, &mut |_| job.go_on());
        // The release of a stopped search is not the result of its strategy.
        if !job.is_current() {
            return None;
        }
        let present = found.release.filter(Release::is_present);
        job.part((key, present.map(|release| release.metrics.loss.mean())));
    }
    None
}
