//! `anonymize`: searches, or makes a step of the history again; writes and verifies the release, and prints the result.

use palmtop::compatibility::{Command, Feature};
use palmtop::history::{Draft, Recipe, RecodingRecipe};
use palmtop::package::{self, Paper};
use palmtop::pipeline::{Analysis, Found, PipelineError, ReadRelease};
use palmtop::release::Release;
use palmtop::search::{SearchReport, StopReason, Strategy};

use super::args::{
    AcceptArguments, AuditHow, DeltaArguments, NodeArgument, SearchArguments, StepArgument, WithArguments,
    WithFile,
};
use super::compose;
use super::delivery::{Delivery, NamedPackage};
use super::load::{self, Plan, ProjectFile};
use super::step;
use super::with::WithFiles;
use clap::Args;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::result::{Made, RunResult, Searched, explain_none};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("what").required(true).args(["strategy", "node", "step"]))]
pub(crate) struct AnonymizeArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    #[arg(long, value_name = "S", help = "The search", long_help = format!("The search: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// Release this node, without a search: 3,2,2.
    ///
    /// One level per quasi-identifier, separated by commas.
    #[arg(long, value_name = "LEVELS")]
    pub(crate) node: Option<NodeArgument>,
    /// Make the release of a step of the history again.
    ///
    /// Its number is as `check --history` and the workbench show it: `4` is step 4 of the newest sitting, `2.4` that of the second one.
    #[arg(long, value_name = "N", conflicts_with_all = ["beside", "audit", "metric", "budget", "seed", "delta_min", "delta_max"])]
    pub(crate) step: Option<StepArgument>,
    /// The history of the step, if it is not the project's.
    #[arg(long, value_name = "FILE", requires = "step")]
    pub(crate) history: Option<PathBuf>,
    /// The file to write: .csv, .parquet or .arrow; NAME/ writes a package.
    ///
    /// CSV, or Parquet or Arrow if its name ends in .parquet or .arrow. NAME/ is a folder: `to-send` has the release, the
    /// recipient's report and the code list, `to-keep` the signer's report and the list of keyed pseudonyms. It gets its name when
    /// all its files are complete.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Keep δ together with this earlier release.
    ///
    /// Make the release so that it keeps δ together with this earlier release of the same T.
    ///
    /// The search then runs within each class of the earlier release, `best` for 20 rounds in each by default. Only for strategies that
    /// find regions.
    #[arg(long, value_name = "RELEASE")]
    pub(crate) beside: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) with: WithArguments,
    /// Also audit what the algorithm reveals.
    ///
    /// Audit what an attacker who knows the algorithm learns, and add it to the result.
    #[arg(long)]
    pub(crate) audit: bool,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) accepted: AcceptArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

pub(super) fn run(arguments: &AnonymizeArguments) -> anyhow::Result<Status> {
    let package = package_of(arguments)?;
    let delivery = delivery(arguments, package);
    if arguments.step.is_some() && delivery.with.path_of(WithFile::Transcript).is_some() {
        let instead = "search again with `--strategy simulatable --with transcript`";
        return Err(Usage(format!("--with transcript cannot be used with --step: {instead}")).into());
    }
    delivery.check_names()?;
    if let Some(name) = arguments.step {
        return step::run(&arguments.project, name, &delivery);
    }
    let plan = Plan::of(&arguments.search);
    let mut asked = asked(arguments)?;
    asked.extend(delivery.asked());
    let interrupt = Interrupt::watch()?;
    let file = ProjectFile::find(&arguments.project)?;
    let overrides = (&arguments.delta).into();
    let analysis = match load::watched((&file, &overrides), &asked, Some(interrupt.clone())) {
        Err(PipelineError::Cancelled) => return Ok(interrupt.stopped()),
        loaded => loaded?,
    };
    delivery.check_inputs(&analysis)?;
    let earlier = match &arguments.beside {
        None => None,
        Some(path) => match compose::read(&analysis, path, &interrupt) {
            Err(PipelineError::Cancelled) => return Ok(interrupt.stopped()),
            read => Some(read?),
        },
    };
    let (mut found, by_search) = find(arguments, &analysis, &plan, earlier.as_ref(), &interrupt)?;
    let problem = analysis.problem();
    if let (true, Some(strategy), Some(release)) = (arguments.audit, arguments.strategy, &mut found.release) {
        let how = AuditHow::default();
        let audited = load::audit(problem, (strategy, &release.recoding), &plan, how, interrupt.clone());
        if audited.is_none() {
            return Ok(interrupt.stopped());
        }
        release.audit = audited;
    }
    let search = Searched {
        metric: plan.config.metric,
        seed: plan.config.seed,
        report: by_search,
        budget: by_search
            .and(arguments.strategy)
            .filter(|_| earlier.is_none())
            .and_then(|it| plan.limit_of(it)),
        seconds: by_search.map(|_| found.seconds + found.measuring_seconds),
    };
    let name = arguments.strategy.map_or_else(|| "node".to_owned(), |strategy| strategy.to_string());
    let made = Made::new(&name, &analysis, problem, found.release.as_ref(), search);
    let Some(release) = &found.release else {
        if interrupt.is_asked() {
            return Ok(interrupt.stopped());
        }
        delivery.print(&RunResult::of(&made))?;
        let why = explain_none(problem, found.report.stop);
        say::message(&format!("{why}; nothing was written"));
        return Ok(Status::NotPresent);
    };
    delivery.deliver(release, &made, draft(&plan, release), earlier.as_ref(), &interrupt)
}

/// The package that `-o` names, if it names one.
fn package_of(arguments: &AnonymizeArguments) -> Result<Option<NamedPackage>, Usage> {
    let with = &arguments.with.with;
    let Some(target) = package::target(&arguments.output, arguments.accepted.force) else {
        let of_package = with.iter().find(|file| matches!(file, WithFile::Signer | WithFile::Recipient));
        return of_package.map_or(Ok(None), |file| {
            Err(Usage(format!("--with {} is for a package: `-o NAME/`", file.name())))
        });
    };
    let paper = |file: &WithFile| {
        file.paper().ok_or_else(|| {
            let has = "a package has signer, recipient and codebook; `report … --with` writes the others";
            Usage(format!("--with {} is for a file: {has}", file.name()))
        })
    };
    let papers = with.iter().map(paper).collect::<Result<Vec<_>, _>>()?;
    let papers = if papers.is_empty() { Paper::ALL.to_vec() } else { papers };
    Ok(Some(NamedPackage { target, papers }))
}

fn delivery(arguments: &AnonymizeArguments, package: Option<NamedPackage>) -> Delivery<'_> {
    let output = package.as_ref().map(|package| package::release_path(&package.target));
    // A package writes its papers itself.
    let beside = match package {
        Some(_) => WithArguments { with: Vec::new(), dialect: None },
        None => arguments.with.clone(),
    };
    Delivery {
        project: &arguments.project,
        output: output.unwrap_or_else(|| arguments.output.clone()),
        package,
        with: WithFiles::of(&beside, &arguments.output),
        history: arguments.history.as_deref(),
        force: arguments.accepted.force,
        accepted: &arguments.accepted,
        format: arguments.format,
        beside: arguments.beside.as_deref(),
        is_practice: arguments.project.starts_with('@'),
    }
}

/// What the command asks for.
fn asked(arguments: &AnonymizeArguments) -> Result<Vec<Feature>, Usage> {
    let options = [
        (arguments.audit, Feature::Audit),
        (arguments.beside.is_some(), Feature::Beside),
        (arguments.with.with.contains(&WithFile::Transcript), Feature::Transcript),
        (arguments.accepted.not_present().is_some(), Feature::AllowNotPresent),
    ];
    load::asked(Command::Anonymize, arguments.strategy.as_slice(), &arguments.search, &options)
}

/// The draft of a release's entry: the options that produce it again.
fn draft(plan: &Plan, release: &Release) -> Draft {
    let recipe = RecodingRecipe::of_release(release, &plan.config);
    let recipe = recipe.unwrap_or_else(|| unreachable!("a release without a search is of a node"));
    Draft { recipe: Recipe::of(recipe), reason: None, step: None, accepted: Vec::new() }
}

/// The release of the strategy or of the node, and the report of the search if there was one.
fn find(
    arguments: &AnonymizeArguments,
    analysis: &Analysis,
    plan: &Plan,
    earlier: Option<&ReadRelease>,
    interrupt: &Interrupt,
) -> anyhow::Result<(Found, Option<SearchReport>)> {
    let problem = analysis.problem();
    if let (Some(strategy), Some(earlier)) = (arguments.strategy, earlier) {
        let found = load::search_within_release(analysis, strategy, plan, earlier, interrupt.clone())?;
        let report = found.report;
        return Ok((found, Some(report)));
    }
    if let Some(strategy) = arguments.strategy {
        let found = load::search(analysis, problem, strategy, plan, Some(interrupt.clone()));
        let report = found.report;
        return Ok((found, Some(report)));
    }
    let levels = arguments.node.as_ref().map(|node| node.0.as_slice()).unwrap_or_default();
    let release: Release = analysis.by_hand(problem, problem.lattice().node(levels)?);
    let report = SearchReport::without_nodes(StopReason::Done);
    Ok((Found { release: Some(release), report, seconds: 0.0, measuring_seconds: 0.0 }, None))
}
