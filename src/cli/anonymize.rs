//! `anonymize`: searches, writes and verifies a release, and prints the result.

use palmtop::pipeline::{self, Analysis, Found, PipelineError, ReadRelease, UtilityBasis};
use palmtop::register::Recipe;
use palmtop::release::Release;
use palmtop::search::{SearchReport, StopReason, Strategy};
use palmtop::session::{RecodingRecipe, Search};
use palmtop::utility::Workload;

use super::args::{AnonymizeArguments, AuditHow};
use super::compose;
use super::delivery::{self, Delivery, Registered};
use super::load::{self, Plan, ProjectFile};
use palmtop_console::interrupt::Interrupt;
use palmtop_console::people;
use palmtop_console::result::{OutsiderCounts, RunFacts, RunResult, explain_none};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

pub(super) fn run(arguments: &AnonymizeArguments) -> anyhow::Result<Status> {
    let plan = Plan::of_either(&arguments.search, arguments.strategy.as_slice())?;
    check_for_use(arguments, &plan)?;
    let delivery = Delivery {
        output: &arguments.output,
        report: arguments.report.as_deref(),
        transcript: arguments.transcript.as_deref(),
        session: None,
        options: arguments.permissions.into(),
        accepted: &arguments.accepted.accept,
        format: arguments.format,
        beside: arguments.beside.as_deref(),
        is_practice: arguments.project.starts_with('@'),
    };
    delivery.check_names()?;
    check_options(arguments)?;
    let interrupt = Interrupt::watch()?;
    let file = ProjectFile::find(&arguments.project)?;
    let analysis = match load::watched_of_any_unit(&file, &(&arguments.delta).into(), Some(interrupt.clone()))
    {
        Err(PipelineError::Cancelled) => return Ok(delivery::stopped(&interrupt)),
        loaded => loaded?,
    };
    check_unit(arguments, &analysis, &plan)?;
    delivery.check_inputs(&analysis)?;
    let earlier = match &arguments.beside {
        None => None,
        Some(path) => match compose::read(&analysis, path, &interrupt) {
            Err(PipelineError::Cancelled) => return Ok(delivery::stopped(&interrupt)),
            read => Some(read?),
        },
    };
    let basis = plan
        .for_use
        .then(|| pipeline::utility::basis(&analysis, plan.config.seed, Workload::QUERIES))
        .transpose()?;
    let (mut found, by_search) =
        find(arguments, &analysis, &plan, (earlier.as_ref(), basis.as_ref()), &interrupt)?;
    let problem = analysis.problem();
    if let (true, Some(strategy), Some(release)) = (arguments.audit, arguments.strategy, &mut found.release) {
        let how = AuditHow::default();
        let audited = load::audit(problem, (strategy, &release.recoding), &plan, how, interrupt.clone());
        if audited.is_none() {
            return Ok(delivery::stopped(&interrupt));
        }
        release.audit = audited;
    }
    let facts = RunFacts {
        metric: plan.config.metric,
        report: by_search,
        bound: load::bound(problem, arguments.bound, Some(interrupt.clone())),
        seed: plan.config.seed,
        seconds: by_search.map(|_| found.seconds + found.measuring_seconds),
        load_seconds: analysis.load_seconds(),
        outsiders: OutsiderCounts::of(&analysis),
        entity: analysis.entity(),
    };
    let strategy_name = arguments.strategy.map_or_else(|| "node".to_owned(), |strategy| strategy.to_string());
    let mut result = RunResult::new(strategy_name, problem, found.release.as_ref(), facts);
    if let (Some(basis), Some(release)) = (&basis, &found.release) {
        result.note_searched_for_use(&analysis, basis, release);
    }
    let Some(release) = found.release else {
        if interrupt.is_asked() {
            return Ok(delivery::stopped(&interrupt));
        }
        delivery.print(&result)?;
        let why = explain_none(problem, found.report.stop);
        say::message(&format!("{why}; nothing was written"));
        return Ok(Status::NotPresent);
    };
    let registered = registered(arguments.strategy, &plan, &release);
    delivery.deliver(&analysis, &release, (result, registered), earlier.as_ref(), &interrupt)
}

/// Refuses options that the strategy does not have.
fn check_options(arguments: &AnonymizeArguments) -> Result<(), Usage> {
    if let (Some(strategy), Some(_)) = (arguments.strategy, &arguments.beside)
        && !strategy.info().finds_regions
    {
        let regions = Strategy::all().filter(|strategy| strategy.info().finds_regions);
        let names: Vec<&str> = regions.map(|strategy| strategy.info().name).collect();
        return Err(Usage(format!(
            "--beside needs a strategy that finds regions: {}. {strategy} finds a node, and the classes of a node do not stay \
             within those of another release",
            names.join(", ")
        )));
    }
    if arguments.transcript.is_some() && arguments.strategy != Some(Strategy::Simulatable) {
        return Err(Usage(
            "--transcript is only for --strategy simulatable: no other strategy has a transcript".to_owned(),
        ));
    }
    if arguments.audit && arguments.strategy.is_none() {
        return Err(Usage(
            "--audit needs --strategy: palmtop has no rule by which you chose the node".to_owned(),
        ));
    }
    Ok(())
}

/// Refuses options that do not support people with several rows.
fn check_unit(arguments: &AnonymizeArguments, analysis: &Analysis, plan: &Plan) -> Result<(), Usage> {
    people::check_strategies(analysis, arguments.strategy)?;
    let refused = [
        (arguments.audit, "--audit"),
        (arguments.beside.is_some(), "--beside"),
        (arguments.bound.bound, "--bound"),
        (plan.for_use, "--metric query_error"),
    ];
    people::refuse(analysis, &refused)
}

/// The register's recipe of a release: the options that produce it again.
fn registered(strategy: Option<Strategy>, plan: &Plan, release: &Release) -> Registered {
    let node = release.recoding.node();
    let place = match (strategy, &release.search, node) {
        (Some(strategy), Some(report), node) => {
            let delta = release.made_under.delta();
            RecodingRecipe::Search(Search::new(strategy, &plan.config, delta, report, node))
        }
        (_, _, Some(node)) => RecodingRecipe::from(node),
        (_, _, None) => unreachable!("a release without a search is of a node"),
    };
    let k = plan.config.k.filter(|_| strategy.is_some_and(|strategy| strategy.info().takes_k));
    let recipe = Recipe { k, for_use: plan.for_use, ..Recipe::of(place) };
    Registered { recipe, reason: None, session: None, accepted: Vec::new() }
}

/// Refuses options that do not support the metric `query_error`.
fn check_for_use(arguments: &AnonymizeArguments, plan: &Plan) -> Result<(), Usage> {
    let refused = [
        (
            arguments.strategy.is_none(),
            "it is for --strategy spalm or best: a node of your own is searched by nobody",
        ),
        (arguments.beside.is_some(), "it does not go with --beside, which searches one class after another"),
        (arguments.audit, "it does not go with --audit, which would run the search again for the loss"),
        (arguments.search.opening.is_some(), "it does not go with --opening: `best` is run many times"),
    ];
    match refused.iter().find(|(is_so, _)| *is_so && plan.for_use) {
        Some((_, why)) => Err(Usage(format!("--metric query_error: {why}"))),
        None => Ok(()),
    }
}

/// The release of the strategy or of the node, and the report of the search if there was one.
fn find(
    arguments: &AnonymizeArguments,
    analysis: &Analysis,
    plan: &Plan,
    (earlier, basis): (Option<&ReadRelease>, Option<&UtilityBasis>),
    interrupt: &Interrupt,
) -> anyhow::Result<(Found, Option<SearchReport>)> {
    let problem = analysis.problem();
    if let (Some(strategy), Some(earlier)) = (arguments.strategy, earlier) {
        let found = load::search_beside(analysis, strategy, plan, earlier, interrupt.clone())?;
        let report = found.report;
        return Ok((found, Some(report)));
    }
    if let (Some(strategy), Some(basis)) = (arguments.strategy, basis) {
        let found = load::search_for_use((analysis, basis), strategy, plan, interrupt.clone());
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
