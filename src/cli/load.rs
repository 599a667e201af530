//! Running a search for a command: its arguments, its time limit, its progress line and its lower
//! bound.

use std::time::{Duration, Instant};

use palmtop::model::{Problem, Recoding};
use palmtop::pipeline::{self, Analysis, Found, Overrides, PipelineError, ReadRelease, UtilityBasis};
use palmtop::search::{Audit, AuditConfig, Config, NoBound, Strategy};

use super::args::{AuditHow, BoundArgument, DeltaArguments, Minimized, SearchArguments};
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
pub(super) use palmtop_console::project_file::{
    ProjectFile, analysis, analysis_of_any_unit, watched, watched_of_any_unit,
};
use palmtop_console::result::Bound;
use palmtop_console::say;
use palmtop_console::status::Usage;

impl From<&DeltaArguments> for Overrides {
    fn from(delta: &DeltaArguments) -> Self {
        Self { delta_min: delta.delta_min, delta_max: delta.delta_max }
    }
}

/// The configuration and the time limit of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) config: Config,
    /// Whether the search minimizes the query error of a workload instead of the metric.
    pub(super) for_use: bool,
    limit: Option<Duration>,
}

impl Plan {
    /// The default time for the improvements of `best`.
    const LONG_ENOUGH: Duration = Duration::from_secs(5);
    /// The default time of a search for the least query error. It is longer, because each release
    /// has to be measured.
    const LONG_ENOUGH_FOR_USE: Duration = Duration::from_secs(60);

    /// Reads the arguments for a search by metric; `strategies` are those that may run.
    pub(super) fn of(arguments: &SearchArguments, strategies: &[Strategy]) -> anyhow::Result<Self> {
        arguments.metric.metric.metric()?;
        Self::of_either(arguments, strategies)
    }

    /// Reads the arguments for a search by metric or by query error.
    pub(super) fn of_either(arguments: &SearchArguments, strategies: &[Strategy]) -> anyhow::Result<Self> {
        let limit = |seconds: f64| {
            if seconds > 0.0 && seconds.is_finite() {
                // A number of seconds too large for a `Duration` is no limit.
                let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
                return Ok(limit.max(Duration::from_nanos(1)));
            }
            Err(Usage("--seconds needs a number above 0".to_owned()))
        };
        let limit = arguments.seconds.map(limit).transpose()?;
        if let ([only], true) = (strategies, limit.is_some())
            && !only.info().takes_seconds
        {
            let why = "when it stops must not depend on T, so it ends by itself";
            return Err(Usage(format!("{only} takes no --seconds: {why}")).into());
        }
        if arguments.k.is_some() && !strategies.iter().any(|strategy| strategy.info().takes_k) {
            let taking = Strategy::all().filter(|strategy| strategy.info().takes_k);
            let names: Vec<&str> = taking.map(|strategy| strategy.info().name).collect();
            return Err(Usage(format!("--k is only for the baselines: {}", names.join(", "))).into());
        }
        let SearchArguments { metric, rounds, opening, seed, k, .. } = *arguments;
        let for_use = metric.metric == Minimized::QueryError;
        if let (true, Some(other)) =
            (for_use, strategies.iter().find(|strategy| !palmtop::search::searches_for_use(**strategy)))
        {
            let why =
                if other.info().takes_seconds { "by other rules" } else { "by what must not depend on T" };
            return Err(Usage(format!(
                "--metric query_error is only for spalm and best; {other} decides {why}"
            ))
            .into());
        }
        let metric = metric.metric.metric().unwrap_or_default();
        Ok(Self { config: Config { metric, seed, rounds, opening, k }, for_use, limit })
    }

    pub(super) fn limit_of(&self, strategy: Strategy) -> Option<Duration> {
        let limit = self.limit.or_else(|| self.config.is_open_ended(strategy).then_some(Self::LONG_ENOUGH));
        limit.filter(|_| strategy.info().takes_seconds)
    }
}

/// Runs a strategy with a progress line and its time limit, if any.
pub(super) fn search(
    analysis: &Analysis,
    problem: &Problem,
    strategy: Strategy,
    plan: &Plan,
    interrupt: Option<Interrupt>,
) -> Found {
    let unit = if strategy == Strategy::Spalm { "nodes judged" } else { "steps" };
    let line = ProgressLine::start(&strategy.to_string(), plan.limit_of(strategy)).counting(unit);
    let mut progress = line.with_interrupt(interrupt);
    let found = analysis.search(problem, strategy, &plan.config, &mut |step| progress.observe(step));
    if progress.timed_out { found.timed_out() } else { found }
}

/// Runs SPALM or `best` for the least query error, with a progress line.
pub(super) fn search_for_use(
    (analysis, basis): (&Analysis, &UtilityBasis),
    strategy: Strategy,
    plan: &Plan,
    interrupt: Interrupt,
) -> Found {
    let limit = plan.limit.or_else(|| plan.config.rounds.is_none().then_some(Plan::LONG_ENOUGH_FOR_USE));
    let mut progress = ProgressLine::start(&strategy.to_string(), limit).with_interrupt(Some(interrupt));
    let observe = &mut |step| progress.observe(step);
    let found = pipeline::utility::search(analysis, basis, strategy, &plan.config, observe);
    if progress.timed_out { found.timed_out() } else { found }
}

/// Audits the recoding of a strategy, with a progress line; `None` if the audit was stopped.
pub(super) fn audit(
    problem: &Problem,
    (strategy, recoding): (Strategy, &Recoding),
    plan: &Plan,
    how: AuditHow,
    interrupt: Interrupt,
) -> Option<Audit> {
    let how = AuditConfig { seed: plan.config.seed, draws: how.draws, parents: !how.own_cuts };
    let mut progress = ProgressLine::start("audit", None).with_interrupt(Some(interrupt));
    let observe = &mut |step| progress.observe(step);
    palmtop::search::audit(problem, strategy, recoding, (&plan.config, how), observe)
}

/// The default rounds of `best` in each class of the earlier release of `--beside`.
const ROUNDS_BESIDE: u64 = 20;

/// Runs a strategy within each class of an earlier release, with a progress line.
pub(super) fn search_beside(
    analysis: &Analysis,
    strategy: Strategy,
    plan: &Plan,
    earlier: &ReadRelease,
    interrupt: Interrupt,
) -> Result<Found, PipelineError> {
    let mut progress = ProgressLine::start(&strategy.to_string(), None).with_interrupt(Some(interrupt));
    // The classes would share a time limit. A number of rounds makes the release repeatable.
    let rounds = strategy.info().takes_rounds.then(|| plan.config.rounds.unwrap_or(ROUNDS_BESIDE));
    let config = Config { rounds, ..plan.config };
    pipeline::beside::search(analysis, analysis.problem(), strategy, &config, earlier, &mut |step| {
        progress.observe(step)
    })
}

/// Computes a lower bound on the loss under the problem's δ, if requested, with a progress line.
pub(super) fn bound(problem: &Problem, asked: BoundArgument, interrupt: Option<Interrupt>) -> Bound {
    if !asked.bound || !problem.feasibility().holds() {
        return Bound::default();
    }
    let started = Instant::now();
    let mut progress = ProgressLine::start("bound", None).with_interrupt(interrupt);
    let value = palmtop::search::bound(problem, &mut |step| progress.observe(step));
    drop(progress);
    if let Err(why @ NoBound::TooLarge { .. }) = &value {
        say::message(&why.to_string());
    }
    Bound { value: value.ok(), seconds: Some(started.elapsed().as_secs_f64()) }
}
