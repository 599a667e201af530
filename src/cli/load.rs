//! Running a search for a command: its arguments, its time limit and its progress line.

use std::time::Duration;

use palmtop::compatibility::{self, Command, Feature};
use palmtop::model::{Problem, Recoding};
use palmtop::pipeline::{self, Analysis, Found, Overrides, PipelineError, ReadRelease};
use palmtop::search::{Audit, AuditConfig, Budget, Config, Strategy};

use super::args::{AuditHow, DeltaArguments, SearchArguments};
use palmtop_console::interrupt::Interrupt;
use palmtop_console::progress::ProgressLine;
pub(super) use palmtop_console::project_file::{ProjectFile, analysis, watched};
use palmtop_console::status::Usage;

/// What a command with a search asks for: its strategies (a node if there are none), its options
/// and itself. Refuses what does not combine, before anything is read.
pub(super) fn asked(
    command: Command,
    strategies: &[Strategy],
    search: &SearchArguments,
    others: &[(bool, Feature)],
) -> Result<Vec<Feature>, Usage> {
    let options = search.features().into_iter().chain(others.iter().copied());
    let options = options.filter(|(is_given, _)| *is_given).map(|(_, feature)| feature);
    // The table refuses a command before it refuses what the command is asked for.
    let mut asked = vec![Feature::Command(command)];
    asked.extend(strategies.iter().copied().map(Feature::Strategy));
    if strategies.is_empty() {
        asked.push(Feature::Node);
    }
    asked.extend(options);
    compatibility::check(&asked).map_err(|refused| Usage(refused.to_string()))?;
    Ok(asked)
}

impl From<&DeltaArguments> for Overrides {
    fn from(delta: &DeltaArguments) -> Self {
        Self { delta_min: delta.delta_min, delta_max: delta.delta_max }
    }
}

/// The configuration and the time limit of a search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) config: Config,
    limit: Option<Duration>,
}

impl Plan {
    /// Reads the arguments of a search.
    pub(super) fn of(arguments: &SearchArguments) -> Self {
        let SearchArguments { metric, budget, seed } = *arguments;
        let mut plan = Self { config: Config { metric, seed, ..Config::default() }, limit: None };
        match budget {
            None => {}
            Some(Budget::Rounds(rounds)) => plan.config.rounds = Some(rounds),
            Some(Budget::Steps(steps)) => plan.config.opening = Some(steps),
            Some(Budget::Seconds(seconds)) => {
                // A number of seconds too large for a `Duration` is no limit.
                let limit = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
                plan.limit = Some(limit.max(Duration::from_nanos(1)));
            }
        }
        plan
    }

    /// The time after which a search by this strategy stops.
    pub(super) fn limit_of(&self, strategy: Strategy) -> Option<Duration> {
        let family = strategy.family();
        let ends_itself = family.draws() && !self.config.is_open_ended(strategy);
        let default = family.default_seconds().filter(|_| !ends_itself).map(Duration::from_secs);
        self.limit.or(default).filter(|_| family.takes_seconds())
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
    let line = ProgressLine::start(&strategy.to_string(), plan.limit_of(strategy))
        .with_end(plan.config.is_open_ended(strategy))
        .counting(strategy.family().unit());
    let mut progress = line.with_interrupt(interrupt);
    let found = analysis.search(problem, strategy, &plan.config, &mut |step| progress.observe(step));
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
    let how = AuditConfig { seed: plan.config.seed, draws: how.draws };
    let mut progress = ProgressLine::start("audit", None).with_interrupt(Some(interrupt));
    let observe = &mut |step| progress.observe(step);
    palmtop::search::audit(problem, strategy, recoding, &plan.config, how, observe)
}

/// The default rounds of `best` in each class of the earlier release of `--beside`.
const ROUNDS_WITHIN_RELEASE: u64 = 20;

/// Runs a strategy within each class of an earlier release, with a progress line.
pub(super) fn search_within_release(
    analysis: &Analysis,
    strategy: Strategy,
    plan: &Plan,
    earlier: &ReadRelease,
    interrupt: Interrupt,
) -> Result<Found, PipelineError> {
    let mut progress = ProgressLine::start(&strategy.to_string(), None).with_interrupt(Some(interrupt));
    // The classes would share a time limit. A number of rounds makes the release repeatable.
    let mut config = plan.config;
    if config.is_open_ended(strategy) {
        config.rounds = Some(ROUNDS_WITHIN_RELEASE);
    }
    pipeline::earlier_release::search(analysis, analysis.problem(), strategy, &config, earlier, &mut |step| {
        progress.observe(step)
    })
}
