//! `replay`: makes the release of a saved session's step again, or lists the steps.

use std::path::Path;

use palmtop::columns::{Column, Shown, Table, Value};
use palmtop::compatibility::{Command, Feature};
use palmtop::keys;
use palmtop::metrics::Metric;
use palmtop::model::Delta;
use palmtop::pipeline::Analysis;
use palmtop::pipeline::{Overrides, PipelineError};
use palmtop::project::Project;
use palmtop::register::{self, Recipe, SessionStep};
use palmtop::session::{self, Log, RecodingRecipe, ReplayError, Replayed, Search, Step};
use serde::Serialize;

use super::args::{AcceptArguments, CodebookArguments, PermissionArguments};
use super::codebook::CodeFiles;
use super::delivery::{Delivery, Registered};
use super::load::{self, ProjectFile};
use clap::Args;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output;
use palmtop_console::progress::ProgressLine;
use palmtop_console::result::{Bounds, DecisionResult, OutsiderCounts, RunFacts, RunResult};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// The session file that the workbench saved.
    pub(crate) session: PathBuf,
    /// Only list the steps: number, the current step, how each was made, position, δ.
    #[arg(long, conflicts_with_all = ["output", "report", "codebook", "mapping", "step", "force", "allow_not_present", "allow_looser_delta", "accept"])]
    pub(crate) list: bool,
    /// The file to write: CSV, or Parquet or Arrow if its name ends in .parquet or .arrow.
    #[arg(short, long, value_name = "FILE", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Make the release of this step, counted from 0 as in --list; by default the current step.
    #[arg(long, value_name = "N")]
    pub(crate) step: Option<usize>,
    /// Also write the result with the hashes of all inputs, as JSON.
    ///
    /// This file is for you, not for the recipient.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) codes: CodebookArguments,
    #[command(flatten)]
    pub(crate) permissions: PermissionArguments,
    #[command(flatten)]
    pub(crate) accepted: AcceptArguments,
    /// Make the release even if the δ of the step is looser than the project's.
    #[arg(long)]
    pub(crate) allow_looser_delta: bool,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

pub(super) fn run(arguments: &ReplayArguments) -> anyhow::Result<Status> {
    let log = Log::read(&arguments.session)?;
    // clap requires the output or the list.
    let Some(output) = arguments.output.as_deref().filter(|_| !arguments.list) else {
        Steps::of(&log).print(arguments.format)?;
        return Ok(Status::Done);
    };
    let delivery = Delivery {
        output,
        transcript: None,
        codes: CodeFiles::of(&arguments.codes)?,
        report: arguments.report.as_deref(),
        session: Some(&arguments.session),
        options: arguments.permissions.into(),
        accepted: &arguments.accepted.accept,
        format: arguments.format,
        beside: None,
        is_practice: log.project.starts_with('@'),
    };
    delivery.check_names()?;
    let number = arguments.step.unwrap_or(log.current());
    let Some(step) = log.steps().get(number) else {
        let last = log.steps().len() - 1;
        return Err(Usage(ReplayError::NoSuchStep { step: number, last }.to_string()).into());
    };
    let interrupt = Interrupt::watch()?;
    let file = find(&log, &arguments.session)?;
    check_delta(&file.path, number, step.delta, arguments.allow_looser_delta)?;
    let overrides = Overrides { delta_min: Some(step.delta.min()), delta_max: Some(step.delta.max()) };
    let asked = [Feature::Command(Command::Replay)];
    let analysis = match load::watched((&file, &overrides), &asked, Some(interrupt.clone())) {
        Err(PipelineError::Cancelled) => return Ok(interrupt.stopped()),
        loaded => loaded?,
    };
    delivery.check_inputs(&analysis)?;
    let Replayed { release, seconds } = {
        let mut progress =
            ProgressLine::start(&step.recoding.to_string(), None).with_interrupt(Some(interrupt.clone()));
        match session::release(&analysis, &log, number, &mut |step| progress.observe(step)) {
            Err(ReplayError::Cancelled) => {
                drop(progress);
                return Ok(interrupt.stopped());
            }
            replayed => replayed?,
        }
    };
    let problem = analysis.problem();
    let search = search_of(&step.recoding);
    let facts = RunFacts {
        metric: search.map_or(Metric::default(), |search| search.metric),
        report: release.search,
        seed: search.map_or(0, |search| search.seed),
        seconds,
        load_seconds: analysis.load_seconds(),
        outsiders: OutsiderCounts::of(&analysis),
        entity: analysis.entity(),
    };
    let mut result = RunResult::new(release.origin.name(), problem, Some(&release), facts);
    result = result.decided(log.decisions());
    if let Some(search) = search.filter(|search| search.delta != step.delta) {
        result = result.taken_from(search.delta);
    }
    let registered = registered(&analysis, &log, (number, &arguments.session))?;
    delivery.deliver(&analysis, &release, (result, registered), None, &interrupt)
}

/// The register's facts on the release of a step.
fn registered(
    analysis: &Analysis,
    log: &Log,
    (number, session): (usize, &Path),
) -> anyhow::Result<Registered> {
    let step = &log.steps()[number];
    let file = register::name_from_project(analysis.path(), session)?;
    Ok(Registered {
        recipe: Recipe::of(step.recoding.clone()),
        reason: log.reason_of(step.delta),
        session: Some(SessionStep { file, step: number }),
        accepted: Vec::new(),
    })
}

/// Finds the session's project. Refuses if an input has changed since the session.
fn find(log: &Log, session: &Path) -> anyhow::Result<ProjectFile> {
    let file = match log.project_path(session) {
        Some(path) => ProjectFile::at(path),
        None => ProjectFile::find(&log.project)?,
    };
    let paths = log.changed_files(&file.path);
    if !paths.is_empty() {
        return Err(ReplayError::InputsChanged { paths }.into());
    }
    if log.palmtop != env!("CARGO_PKG_VERSION") {
        say::message(&format!(
            "palmtop {} made the session; this is palmtop {}, and its searches may find another release",
            log.palmtop,
            env!("CARGO_PKG_VERSION")
        ));
    }
    Ok(file)
}

/// Refuses a step under a looser δ than the project's, unless `--allow-looser-delta` is given.
/// Anybody may have edited a session file; the project's δ is binding.
fn check_delta(project: &Path, step: usize, delta: Delta, is_allowed: bool) -> anyhow::Result<()> {
    let Some(project) = Project::read(project)?.looser(delta) else { return Ok(()) };
    if !is_allowed {
        return Err(ReplayError::LooserDelta { step, delta, project }.into());
    }
    say::message(&format!(
        "step {step} is judged under δ {delta}, which is looser than the project's {project}; \
         --allow-looser-delta says so"
    ));
    Ok(())
}

fn search_of(recipe: &RecodingRecipe) -> Option<&Search> {
    match recipe {
        RecodingRecipe::Node(_) => None,
        RecodingRecipe::Search(search) => Some(search),
    }
}

keys! {
#[derive(Serialize)]
pub(super) struct Listed {
    /// The number of the step, from 0.
    step: usize,
    /// Whether it is the current step.
    current: bool,
    /// How the release was made.
    how: String,
    /// The recoding, as text.
    place: String,
    /// The levels of the node; null for regions.
    node: Option<Vec<u8>>,
    /// The search; null for a node.
    search: Option<ListedSearch>,
    /// The δ of the step.
    delta: Bounds,
}
}

keys! {
#[derive(Serialize)]
struct ListedSearch {
    /// The strategy.
    strategy: String,
    /// The δ of the search.
    delta: Bounds,
    /// The metric that it minimized.
    metric: &'static str,
    /// The seed.
    seed: u64,
    /// The rounds of a search that draws.
    rounds: Option<u64>,
    /// The steps of `best` before its first round, if time ended it there.
    opening: Option<u64>,
    /// Whether the search was complete.
    complete: bool,
}
}

impl From<&Search> for ListedSearch {
    fn from(search: &Search) -> Self {
        Self {
            strategy: search.strategy.to_string(),
            delta: search.delta.into(),
            metric: search.metric.name(),
            seed: search.seed,
            rounds: search.rounds,
            opening: search.opening,
            complete: search.complete,
        }
    }
}

impl Listed {
    fn of(log: &Log, number: usize, step: &Step) -> Self {
        let search = search_of(&step.recoding);
        let node = match &step.recoding {
            RecodingRecipe::Node(levels) => Some(levels),
            RecodingRecipe::Search(search) => search.node.as_ref(),
        };
        Self {
            step: number,
            current: number == log.current(),
            how: step.action.to_string(),
            place: step.recoding.to_string(),
            node: node.map(|levels| levels.iter().map(|level| level.0).collect()),
            search: search.map(ListedSearch::from),
            delta: step.delta.into(),
        }
    }
}

/// The columns of a list of steps.
pub(super) const COLUMNS: [Column<Listed>; 6] = [
    Column::text("step", "the number of the step", |step| step.step.into()),
    Column::text("current", "`current` for the current step", |step| {
        if step.current { Value::Worded("▸".to_owned(), Box::new("current".into())) } else { Value::None }
    }),
    Column::text("how", "how the release was made", |step| (&step.how).into()),
    Column::text("place", "the recoding: a node, or a search", |step| (&step.place).into()),
    Column::number("delta_min", "δmin", |step: &Listed| (&step.delta.min).into())
        .shown("delta min", Shown::Always),
    Column::number("delta_max", "δmax", |step: &Listed| (&step.delta.max).into())
        .shown("delta max", Shown::Always),
];

keys! {
/// The steps and the decisions of a session.
#[derive(Serialize)]
pub(super) struct Steps {
    /// The steps.
    steps: Vec<Listed>,
    /// The δ that was fixed before the first search, and every change.
    decisions: Vec<DecisionResult>,
}
}

impl Steps {
    fn of(log: &Log) -> Self {
        Self {
            steps: (0..).zip(log.steps()).map(|(number, step)| Listed::of(log, number, step)).collect(),
            decisions: log.decisions().iter().map(DecisionResult::from).collect(),
        }
    }
}

impl Answer for Steps {
    fn text(&self) -> String {
        let lines = self.decisions.iter().map(|decision| format!("{}\n", decision.line()));
        let gap = if self.decisions.is_empty() { "" } else { "\n" };
        lines.fold(output::to_table(&self.table()) + gap, |text, line| text + &line)
    }

    fn table(&self) -> Table {
        Table::of(&COLUMNS, &self.steps)
    }

    fn object(&self) -> impl Serialize {
        self
    }
}
