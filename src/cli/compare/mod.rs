//! `compare`: strategies, nodes and written releases side by side: their loss, their risks, their utility.
//! The columns are those of `palmtop_console::result::columns`.

mod measured;
mod loss;
mod risk;
mod utility;
mod sides;

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use palmtop::caution::NextRelease;
use palmtop::columns::Table;
use palmtop::compatibility::{self, Command, Feature};
use palmtop::history::RecodingRecipe;
use palmtop::model::{Delta, Presence, Prior, Problem};
use palmtop::pipeline::{self, Analysis, Found, Overrides, ReadRelease, UtilityBasis, posteriors};
use palmtop::project::Project;
use palmtop::release::Release;
use palmtop::search::{SearchReport, Strategy};
use palmtop::utility::Workload;
use palmtop::words::plural;
use serde::Serialize;
use serde_json::{Map, Value as Json, json};

use self::sides::Side;
use super::args::{ChartArguments, Measured, SearchArguments};
use super::cautions;
use super::drawing::Drawing;
use super::load::{self, Plan, ProjectFile};
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::result::{Made, RunResult, Searched, explain_none};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// A node (3,2,2), a strategy, or a written release.
    ///
    /// By default every strategy that the project permits.
    ///
    /// Write ./best for a file whose name is that of a strategy.
    #[arg(value_name = "WHAT")]
    pub(crate) measured: Vec<Measured>,
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = "Compare the releases of these strategies", long_help = format!("Compare the releases of these strategies: {}", Strategy::names()))]
    pub(crate) strategy: Vec<Strategy>,
    /// What to show, separated by commas.
    #[arg(long, value_enum, value_delimiter = ',', default_value = "loss")]
    pub(crate) show: Vec<Show>,
    /// With risk: measure the posteriors under these rates, a CSV.
    ///
    /// They are those of an attacker to whom some people are likelier members.
    ///
    /// FILE is a CSV: columns named as quasi-identifiers, with values or labels, and `rate`, from 0 to below 1. Each person of P must
    /// match one row.
    #[arg(long, value_name = "FILE")]
    pub(crate) prior: Option<PathBuf>,
    /// With risk and utility: list the N worst classes.
    ///
    /// List the N classes with the highest risk or loss, and the N queries with the largest error.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub(crate) worst: usize,
    /// Use this δmin; by default the project's.
    #[arg(long, value_name = "D")]
    pub(crate) delta_min: Option<Presence>,
    /// Use these δmax, separated by commas; by default the project's.
    ///
    /// A written release is judged by the lowest.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(crate) delta_max: Vec<Presence>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) chart: ChartArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// What to show of each release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    /// Verdict, loss and other costs, a line for each release.
    Loss,
    /// Risks besides δ: class sizes, unique members, diversity and closeness of sensitive values.
    Risk,
    /// What it is good for: distributions, associations, counting queries, the classes that lose most.
    Utility,
}

impl CompareArguments {
    fn shows(&self, show: Show) -> bool {
        self.show.contains(&show)
            || match show {
                Show::Loss => self.chart.svg.is_some(),
                Show::Risk => self.prior.is_some(),
                Show::Utility => false,
            }
    }

    /// What is compared: what was named, or every strategy that the project permits.
    fn compared(&self) -> anyhow::Result<Vec<Measured>> {
        let named = self.strategy.iter().map(|&strategy| Measured::Strategy(strategy));
        let named: Vec<Measured> = self.measured.iter().cloned().chain(named).collect();
        if !named.is_empty() {
            return Ok(named);
        }
        Ok(strategies_of(&self.project)?.into_iter().map(Measured::Strategy).collect())
    }
}

pub(super) fn run(arguments: &CompareArguments) -> anyhow::Result<Status> {
    let delta_max = arguments.delta_max.iter().min().copied();
    let overrides = Overrides { delta_min: arguments.delta_min, delta_max };
    let measured = arguments.compared()?;
    let strategies: Vec<Strategy> = measured.iter().filter_map(Measured::strategy).collect();
    let plan = Plan::of(&arguments.search);
    let asked = load::asked(Command::Compare, &strategies, &arguments.search, &[])?;
    let (analysis, _file) = load::analysis(&arguments.project, &overrides, &asked)?;
    let drawing = Drawing::claim(&arguments.chart, &analysis)?;
    let mut comparing = Comparing::of(arguments, &analysis, plan)?;
    for (nth, delta) in deltas(arguments, analysis.problem().delta())?.into_iter().enumerate() {
        let problem = analysis.problem().with_delta(delta);
        for measured in &measured {
            match measured {
                Measured::Strategy(strategy) => comparing.strategy(&problem, *strategy)?,
                Measured::Node(levels) => {
                    let node = problem.lattice().node(&levels.0)?;
                    let name = format!("node {node}");
                    let release = analysis.by_hand(&problem, node);
                    comparing.release(&problem, &name, &release, How::default())?;
                }
                Measured::File(path) if nth == 0 => comparing.file(&problem, path)?,
                Measured::File(_) => {}
            }
        }
    }
    let Comparing { sides, is_missing, search_seconds, .. } = comparing;
    let shown = Shown { arguments, plan, sides, load_seconds: analysis.load_seconds(), search_seconds };
    let runs = shown.runs();
    if let Some(drawing) = drawing {
        drawing.put(&loss::drawn(analysis.name(), &strategies, &runs, plan.config.metric)?)?;
    }
    shown.print(arguments.format)?;
    if arguments.format == Format::Table {
        shown.say_notes(&analysis, &strategies);
    }
    let is_done =
        if arguments.shows(Show::Loss) { runs.iter().all(RunResult::is_present) } else { !is_missing };
    Ok(Status::of_presence(is_done))
}

/// Every strategy that combines with the settings of the project. A message names the others.
fn strategies_of(project: &str) -> anyhow::Result<Vec<Strategy>> {
    let project = Project::read(&ProjectFile::find(project)?.path)?;
    let refusal = |strategy: &Strategy| {
        let features = [project.features(), vec![Feature::Strategy(*strategy)]].concat();
        compatibility::check(&features).err()
    };
    let (others, strategies): (Vec<Strategy>, Vec<Strategy>) =
        Strategy::all().partition(|strategy| refusal(strategy).is_some());
    if let Some(refused) = others.first().and_then(refusal) {
        let names: Vec<String> = others.iter().map(ToString::to_string).collect();
        say::message(&format!("left out: {}: {}", names.join(", "), refused.why));
    }
    Ok(strategies)
}

/// The values of δ to compare under, the strictest first: a run under a looser δ can then reuse an
/// earlier release.
fn deltas(arguments: &CompareArguments, of_project: Delta) -> Result<Vec<Delta>, Usage> {
    let maxima =
        if arguments.delta_max.is_empty() { vec![of_project.max()] } else { arguments.delta_max.clone() };
    let deltas = maxima.into_iter().map(|max| Delta::new(of_project.min(), max));
    let mut deltas: Vec<Delta> =
        deltas.collect::<Result<_, _>>().map_err(|error| Usage(error.to_string()))?;
    deltas.sort_by_key(|delta| delta.max());
    Ok(deltas)
}

/// The releases that were measured so far.
struct Comparing<'a> {
    arguments: &'a CompareArguments,
    analysis: &'a Analysis,
    plan: Plan,
    /// `None` if neither loss nor utility is shown.
    basis: Option<UtilityBasis>,
    /// `None` if the loss is not shown.
    judging: Option<cautions::Basis>,
    prior: Option<Prior>,
    found: Vec<(Delta, Strategy, Found)>,
    sides: Vec<Side<'a>>,
    /// Whether a strategy found no release.
    is_missing: bool,
    search_seconds: f64,
}

/// How a release was made; by default without a search.
#[derive(Clone, Copy, Default)]
struct How {
    /// The report of the search, and its seconds.
    search: Option<(SearchReport, f64)>,
    /// The δ of the search, if it is another.
    taken_from: Option<Delta>,
}

impl<'a> Comparing<'a> {
    fn of(arguments: &'a CompareArguments, analysis: &'a Analysis, plan: Plan) -> anyhow::Result<Self> {
        let basis = || pipeline::utility::basis(analysis, plan.config.seed, Workload::QUERIES);
        let judging = || cautions::Basis::of(analysis);
        Ok(Self {
            arguments,
            analysis,
            plan,
            basis: (arguments.shows(Show::Loss) || arguments.shows(Show::Utility)).then(basis).transpose()?,
            judging: arguments.shows(Show::Loss).then(judging).transpose()?,
            prior: arguments.prior.as_deref().map(|path| read_prior(analysis, path)).transpose()?,
            found: Vec::new(),
            sides: Vec::new(),
            is_missing: false,
            search_seconds: 0.0,
        })
    }

    /// Runs a strategy, and measures its release.
    fn strategy(&mut self, problem: &Problem, strategy: Strategy) -> anyhow::Result<()> {
        let delta = problem.delta();
        let searched = load::search(self.analysis, problem, strategy, &self.plan, None);
        let seconds = searched.seconds + searched.measuring_seconds;
        self.search_seconds += seconds;
        let metric = self.plan.config.metric;
        let (from, taken) = loss::better_from_stricter(&self.found, delta, strategy, &searched, metric);
        let how = How { search: Some((taken.report, seconds)), taken_from: from };
        // A release under a stricter δ also keeps this looser δ. It is judged again under this one.
        let under_this = |release: &Release| {
            let (origin, recoding) = (release.origin.clone(), release.recoding.clone());
            Release::new(problem, origin, recoding, release.search)
        };
        let judged = if from.is_some() { taken.release.as_ref().map(under_this) } else { None };
        if let Some(release) = judged.as_ref().or(searched.release.as_ref()) {
            self.release(problem, &strategy.to_string(), release, how)?;
        } else {
            self.is_missing = true;
            if self.arguments.shows(Show::Loss) {
                let name = strategy.to_string();
                let run = RunResult::of(&self.made(problem, &name, None, how));
                self.sides.push(Side { loss: Some(run), ..Side::of(name) });
            } else {
                say::message(&format!("{strategy}: {}", explain_none(problem, searched.report.stop)));
            }
        }
        self.found.push((delta, strategy, searched));
        Ok(())
    }

    /// A run, with what all runs of this comparison have.
    fn made<'r>(
        &'r self,
        problem: &'r Problem,
        name: &'r str,
        release: Option<&'r Release>,
        how: How,
    ) -> Made<'r> {
        let search = Searched {
            metric: self.plan.config.metric,
            seed: self.plan.config.seed,
            report: how.search.map(|(report, _)| report),
            budget: how.search.and(name.parse().ok()).and_then(|strategy| self.plan.limit_of(strategy)),
            seconds: how.search.map(|(_, seconds)| seconds),
        };
        Made { taken_from: how.taken_from, ..Made::new(name, self.analysis, problem, release, search) }
    }

    /// Measures the loss of a release; `None` if the loss is not shown.
    fn loss(&self, made: &Made<'_>) -> Option<RunResult> {
        let basis = self.basis.as_ref().filter(|_| self.arguments.shows(Show::Loss))?;
        Some(RunResult::of(&Made { utility: Some(basis), ..*made }))
    }

    /// Measures a release that was made here.
    fn release(&mut self, problem: &Problem, name: &str, release: &Release, how: How) -> anyhow::Result<()> {
        let mut side = Side::of(self.name(name, problem.delta()));
        let recoding = RecodingRecipe::of_release(release, &self.plan.config);
        let judged = self.judging.as_ref().zip(recoding.as_ref()).map(|(judging, recoding)| {
            let (delta, sitting, file, reason) = (release.delta(), None, None, None);
            let next = NextRelease { recoding, delta, sitting, file, reason };
            judging.judge(self.analysis, (release, &next), &[])
        });
        let made = self.made(problem, name, Some(release), how);
        side.loss = self.loss(&Made { judged: judged.as_ref(), ..made });
        if self.arguments.shows(Show::Risk) {
            let classes = pipeline::risk::classes(self.analysis, release)?;
            let posteriors = self.prior.as_ref().map(|prior| posteriors::of_release(prior, release));
            let of = (side.name.as_str(), release.is_present());
            side.risk = Some(risk::Column::of(self.analysis, self.arguments, of, (classes, posteriors))?);
        }
        if let Some(basis) = self.basis.as_ref().filter(|_| self.arguments.shows(Show::Utility)) {
            let measured = pipeline::utility::of_release(self.analysis, basis, release, self.arguments.worst);
            let of = (side.name.as_str(), release.is_present());
            side.utility =
                Some(utility::Column::of(self.analysis, of, measured, &release.metrics.readability));
        }
        self.sides.push(side);
        Ok(())
    }

    /// Measures a written release.
    fn file(&mut self, problem: &Problem, path: &Path) -> anyhow::Result<()> {
        let read: ReadRelease = pipeline::reading::read(self.analysis, path)?;
        let name = path.display().to_string();
        if let Some(first) = read.findings.problems.iter().find(|problem| problem.is_unfaithful()) {
            say::message(&format!("{name} is not a faithful release of the present T: {first}"));
        }
        let mut side = Side::of(name.clone());
        let is_present = read.findings.is_present();
        if self.arguments.shows(Show::Loss) {
            match pipeline::recovered::of_file(problem, &read) {
                Some(release) => {
                    // A file has its own list: what its rows show, and what the history knows of it.
                    let faithful = Some(&read).filter(|read| read.findings.is_faithful());
                    let judged = cautions::of_file(self.analysis.into(), (path, &read.findings), faithful)?;
                    let made = self.made(problem, &name, Some(&release), How::default());
                    side.loss = self.loss(&Made { judged: Some(&judged), ..made });
                }
                None => say::message(&format!(
                    "{name}: no recoding of this project publishes these rows, so its loss is unknown"
                )),
            }
        }
        if self.arguments.shows(Show::Risk) {
            let classes = pipeline::risk::classes_of_file(self.analysis, &read)?;
            let prior = self.prior.as_ref();
            let posteriors = prior.and_then(|prior| posteriors::of_file(self.analysis, prior, &read));
            let of = (name.as_str(), is_present);
            side.risk = Some(risk::Column::of(self.analysis, self.arguments, of, (classes, posteriors))?);
        }
        if let Some(basis) = self.basis.as_ref().filter(|_| self.arguments.shows(Show::Utility)) {
            let measured = pipeline::utility::of_file(self.analysis, basis, &read, self.arguments.worst)?;
            let of = (name.as_str(), is_present);
            let readability = read.readability(self.analysis.problem());
            side.utility = Some(utility::Column::of(self.analysis, of, measured, &readability));
        }
        self.sides.push(side);
        Ok(())
    }

    /// The name of a release. With several δmax, it has its own.
    fn name(&self, name: &str, delta: Delta) -> String {
        if self.arguments.delta_max.len() < 2 {
            name.to_owned()
        } else {
            format!("{name}, δmax {}", delta.max())
        }
    }
}

/// The prior of a table of rates, with a message if some of its rows match nobody.
fn read_prior(analysis: &Analysis, path: &Path) -> anyhow::Result<Prior> {
    let (prior, idle) = posteriors::prior(analysis, path)?;
    if idle > 0 {
        let verb = if idle == 1 { "matches" } else { "match" };
        say::message(&format!("{} of {} {verb} nobody", plural(idle, "row"), path.display()));
    }
    Ok(prior)
}

/// What is printed.
struct Shown<'a> {
    arguments: &'a CompareArguments,
    plan: Plan,
    sides: Vec<Side<'a>>,
    load_seconds: f64,
    search_seconds: f64,
}

impl Shown<'_> {
    fn runs(&self) -> Vec<RunResult> {
        self.sides.iter().filter_map(|side| side.loss.clone()).collect()
    }

    fn risks(&self) -> Vec<&risk::Column<'_>> {
        self.sides.iter().filter_map(|side| side.risk.as_ref()).collect()
    }

    fn utilities(&self) -> Vec<&utility::Column<'_>> {
        self.sides.iter().filter_map(|side| side.utility.as_ref()).collect()
    }

    fn say_notes(&self, analysis: &Analysis, strategies: &[Strategy]) {
        if self.arguments.shows(Show::Loss) {
            loss::say_notes(analysis, strategies, &self.runs());
        }
        if self.arguments.shows(Show::Risk) {
            say::message(
                "risk is measured, and no verdict: [policy] lists what is enforced; `classes` lists every class",
            );
        }
        if self.arguments.shows(Show::Utility) {
            say::message(
                "utility is measured on T, and no verdict: these figures reveal T and are not for the recipient. Each published label is \
                 spread evenly over its values; docs/measures.md defines the figures",
            );
        }
    }
}

impl Answer for Shown<'_> {
    fn text(&self) -> String {
        let mut parts = Vec::new();
        if self.arguments.shows(Show::Loss) {
            parts.push(loss::text(&self.runs(), self.plan.config.metric));
        }
        if self.arguments.shows(Show::Risk) {
            parts.push(measured::text(&self.risks()));
        }
        if self.arguments.shows(Show::Utility) {
            parts.push(measured::text(&self.utilities()));
        }
        parts.join("\n")
    }

    /// A line for each release if only the loss is shown; otherwise a line for each measure.
    fn table(&self) -> Table {
        if self.arguments.shows(Show::Risk) || self.arguments.shows(Show::Utility) {
            sides::table(&self.sides)
        } else {
            palmtop_console::result::comparison(&self.runs())
        }
    }

    fn object(&self) -> impl Serialize {
        let mut object = Map::new();
        if self.arguments.shows(Show::Loss) {
            object.insert("runs".to_owned(), json!(self.runs()));
            object.insert("load_seconds".to_owned(), json!(self.load_seconds));
            object.insert("search_seconds".to_owned(), json!(self.search_seconds));
        }
        if self.arguments.shows(Show::Risk) {
            object.insert("risk".to_owned(), measured::objects(&self.risks()));
        }
        if self.arguments.shows(Show::Utility) {
            object.insert("utility".to_owned(), measured::objects(&self.utilities()));
        }
        Json::Object(object)
    }
}
