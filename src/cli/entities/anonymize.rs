//! `anonymize`: searches among nodes, writes the release with a pseudonym for each person, and recounts it in people.

use std::path::Path;

use anyhow::Context;
use palmtop::caution::{Caution, ReleaseFile};
use palmtop::data::write::Gate;
use palmtop::metrics::Metric;
use palmtop::model::Level;
use palmtop::pipeline::{EntityAnalysis, EntityFound, EntityRelease, ExportObserver, Overrides, Written};
use palmtop::register::{Entry, Recipe};
use palmtop::release::KnowsAlgorithm;
use palmtop::search::{SearchReport, StopReason};
use palmtop::session::{Place, Search};
use palmtop::verify::adversary;
use serde::Serialize;
use serde_json::Value;

use crate::cli::args::AnonymizeArguments;
use crate::cli::cautions::{self, Judged};
use crate::cli::delivery::{self, Delivery, Input, Registered};
use crate::cli::load::Plan;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output::short;
use palmtop_console::output::{self, OutputRows};
use palmtop_console::result::{Bounds, CriterionResult, KnowsAlgorithmResult, MaybeBounds, PseudonymResult};
use palmtop_console::say;
use palmtop_console::status::Status;

/// What came of it, in the words of other runs; people are people, and rows rows.
#[derive(Serialize)]
struct EntityResult {
    strategy: &'static str,
    /// The attribute by which both tables say whose rows are one person's.
    entity: String,
    delta: Bounds,
    achieved: MaybeBounds,
    present: bool,
    /// Nobody has audited it, and no search for people with several rows is exact there.
    knows_algorithm: KnowsAlgorithmResult,
    criteria: Vec<CriterionResult>,
    /// What δ says of a person, in words.
    headline: Option<String>,
    cautions: Vec<Caution>,
    node: Vec<u8>,
    /// Of people.
    classes: usize,
    released_classes: usize,
    /// Nobody is withdrawn, left out or added.
    suppressed: u64,
    dropped: u64,
    added: u64,
    public: u64,
    private: u64,
    /// The released rows, and how many of them are distinct.
    rows: u64,
    distinct_rows: usize,
    metrics: Metrics,
    metric: &'static str,
    search: Searched,
    pseudonyms: Vec<PseudonymResult>,
    seconds: f64,
    load_seconds: f64,
    write_seconds: Option<f64>,
    verify_seconds: Option<f64>,
}

/// Of rows.
#[derive(Serialize)]
struct Metrics {
    loss: f64,
    loss_geometric: f64,
}

#[derive(Serialize)]
struct Searched {
    nodes: Option<u64>,
    checked: Option<u64>,
    stop: Option<&'static str>,
}

/// The result with what makes it repeatable.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    result: &'a EntityResult,
    palmtop: &'static str,
    output: String,
    output_sha256: String,
    adversary: String,
    inputs: Vec<Input>,
}

/// Runs the command.
pub(in crate::cli) fn anonymize(arguments: &AnonymizeArguments) -> anyhow::Result<Status> {
    super::only_spalm(arguments.strategy)?;
    super::refuse(&[
        (arguments.transcript.is_some(), "--transcript"),
        (arguments.audit, "--audit"),
        (arguments.beside.is_some(), "--beside"),
        (arguments.bound.bound, "--bound"),
    ])?;
    super::refuse_metric(&arguments.search)?;
    let plan = Plan::of(&arguments.search, arguments.strategy.as_slice())?;
    let delivery = Delivery {
        output: &arguments.output,
        report: arguments.report.as_deref(),
        transcript: None,
        session: None,
        options: arguments.permissions.into(),
        accepted: &arguments.accepted.accept,
        format: arguments.format,
        beside: None,
        is_practice: arguments.project.starts_with('@'),
    };
    delivery.check_names()?;
    let interrupt = Interrupt::watch()?;
    let loaded = super::load(&arguments.project, &(&arguments.delta).into(), Some(interrupt.clone()));
    let analysis = match loaded {
        Err(_) if interrupt.is_asked() => return Ok(delivery::stopped(&interrupt)),
        loaded => loaded?,
    };
    let mut gate = delivery.gate(analysis.gate(), analysis.path());
    delivery.check_through(&gate)?;
    analysis.check_pseudonyms()?;
    let found = find(arguments, &analysis, &plan, &interrupt)?;
    let Some(release) = &found.release else {
        if interrupt.is_asked() {
            return Ok(delivery::stopped(&interrupt));
        }
        say::message(&format!("{}; nothing was written", super::explain_none(&analysis, found.report.stop)));
        return Ok(Status::NotPresent);
    };
    if interrupt.is_asked() {
        return Ok(delivery::stopped(&interrupt));
    }
    let mut result =
        EntityResult::of(&analysis, release, &found, (arguments.strategy.is_some(), plan.config.metric));
    let file = ReleaseFile { file: Some(delivery.output), ..ReleaseFile::default() };
    let judged = Judged::of_people(&analysis, release, file, &arguments.accepted.accept)?;
    result.note_cautions(&judged);
    let export = |gate: &mut Gate, observer: &mut ExportObserver| {
        analysis.export_through(gate, release, delivery.output, delivery.options, observer)
    };
    let print = || result.print(arguments.format);
    let Some(written) =
        delivery.write(&mut gate, (release.is_present(), &judged), export, &print, &interrupt)?
    else {
        return Ok(delivery::stopped(&interrupt));
    };
    let of = |recipe| Entry::of_people(&analysis, release, (&written.path, written.rows), recipe);
    delivery.record(analysis.path(), &written, of, registered(arguments, &plan, &found, release, &judged));
    result.note_written(&written);
    delivery::say_notes(&written);
    if let Some(path) = delivery.report {
        let mut text = serde_json::to_string_pretty(&report(&analysis, &result, &written.path)?)?;
        text.push('\n');
        let written =
            || format!("the release {} was written and verified, its report was not", written.path.display());
        delivery.put(&mut gate, path, &text).with_context(written)?;
    }
    result.print(arguments.format)?;
    say::line(&format!(
        "{}: {} rows of {} people written and verified: presence {} to {}, for an adversary who {}",
        written.path.display(),
        written.rows,
        result.private,
        written.verification.achieved.min,
        written.verification.achieved.max,
        judged.telling.limit_adversary(&adversary(0))
    ));
    judged.say_others();
    delivery::say_broken(release.standings());
    Ok(Status::of_presence(release.is_present()))
}

/// What the register has of a release: the node, or the search that found it.
fn registered(
    arguments: &AnonymizeArguments,
    plan: &Plan,
    found: &EntityFound,
    release: &EntityRelease,
    judged: &Judged,
) -> Registered {
    let (node, delta) = (&release.node, release.policy.delta());
    let search = |strategy| Search::new(strategy, &plan.config, delta, &found.report, Some(node));
    let place = arguments.strategy.map_or_else(|| Place::from(node), |own| Place::Search(search(own)));
    Registered { recipe: Recipe::of(place), reason: None, session: None, accepted: judged.accepted() }
}

/// What SPALM finds, or the node that was named.
fn find(
    arguments: &AnonymizeArguments,
    analysis: &EntityAnalysis,
    plan: &Plan,
    interrupt: &Interrupt,
) -> anyhow::Result<EntityFound> {
    if let Some(strategy) = arguments.strategy {
        return Ok(super::search(analysis, strategy, plan, Some(interrupt.clone())));
    }
    let levels = arguments.node.as_ref().map(|node| node.0.as_slice()).unwrap_or_default();
    let release = analysis.by_hand(analysis.problem().rows().lattice().node(levels)?);
    let report = SearchReport::without_nodes(StopReason::Done);
    Ok(EntityFound { release: Some(release), report, seconds: 0.0 })
}

/// What `--report` wrote of a run, made again: of the node that it names, which `verify` recounts by itself.
pub(in crate::cli) fn run_again(
    (project, overrides): (&str, &Overrides),
    release: &Path,
    reported: &Value,
) -> anyhow::Result<Value> {
    let analysis = super::load(project, overrides, None)?;
    let levels: Option<Vec<Level>> = reported["node"].as_array().and_then(|levels| {
        levels
            .iter()
            .map(|level| level.as_u64().and_then(|level| u8::try_from(level).ok()).map(Level))
            .collect()
    });
    let levels =
        levels.context("the run report has no node, and a release of people with several rows is of one")?;
    let made = analysis.by_hand(analysis.problem().rows().lattice().node(&levels)?);
    let is_searched = reported["strategy"] != "node";
    let found =
        EntityFound { release: None, report: SearchReport::without_nodes(StopReason::Done), seconds: 0.0 };
    let mut result = EntityResult::of(&analysis, &made, &found, (is_searched, Metric::default()));
    let sha256 = palmtop::data::read::hash_file(release)?;
    let file = ReleaseFile { file: Some(release), sha256: Some(&sha256), session: None };
    let judged = Judged::of_people(&analysis, &made, file, &cautions::accepted_of(reported))?;
    result.note_cautions(&judged);
    Ok(serde_json::to_value(report(&analysis, &result, release)?)?)
}

fn report<'a>(
    analysis: &EntityAnalysis,
    result: &'a EntityResult,
    release: &Path,
) -> anyhow::Result<Report<'a>> {
    Ok(Report {
        result,
        palmtop: env!("CARGO_PKG_VERSION"),
        output: release.display().to_string(),
        output_sha256: palmtop::data::read::hash_file(release)?,
        adversary: adversary(0),
        inputs: analysis.inputs().iter().map(Input::from).collect(),
    })
}

impl EntityResult {
    fn note_cautions(&mut self, judged: &Judged) {
        self.headline = Some(judged.headline.clone());
        self.cautions.clone_from(&judged.cautions);
    }

    fn of(
        analysis: &EntityAnalysis,
        release: &EntityRelease,
        found: &EntityFound,
        (is_searched, metric): (bool, Metric),
    ) -> Self {
        let problem = analysis.problem();
        let total = problem.entities().total();
        Self {
            strategy: if is_searched { "spalm" } else { "node" },
            entity: analysis.entity().to_owned(),
            delta: release.policy.delta().into(),
            achieved: release.achieved.into(),
            present: release.is_present(),
            knows_algorithm: KnowsAlgorithm::NotAudited.into(),
            criteria: release.standings().into_iter().map(CriterionResult::from).collect(),
            headline: None,
            cautions: Vec::new(),
            node: release.node.levels().iter().map(|level| level.0).collect(),
            classes: release.classes.len(),
            released_classes: release.released_classes(),
            suppressed: 0,
            dropped: 0,
            added: 0,
            public: total.public,
            private: total.private,
            rows: problem.rows().histogram().total().private,
            distinct_rows: release.released_rows(),
            metrics: Metrics { loss: release.loss.mean(), loss_geometric: release.loss.geometric() },
            metric: metric.name(),
            search: Searched {
                nodes: found.report.nodes,
                checked: found.report.checked,
                stop: is_searched.then(|| found.report.stop.as_str()),
            },
            pseudonyms: analysis.pseudonyms().iter().map(PseudonymResult::from).collect(),
            seconds: found.seconds,
            load_seconds: analysis.load_seconds(),
            write_seconds: None,
            verify_seconds: None,
        }
    }

    fn note_written(&mut self, written: &Written) {
        self.write_seconds = Some(written.writing.as_secs_f64());
        self.verify_seconds = Some(written.verifying.as_secs_f64());
    }

    fn print(&self, format: Format) -> anyhow::Result<()> {
        match format {
            Format::Json => output::print_json(self),
            Format::Table => output::print(&self.lines().to_lines()),
            Format::Csv => self.lines().print_csv(),
        }
    }

    /// Each figure with its name.
    fn lines(&self) -> OutputRows {
        let node: Vec<String> = self.node.iter().map(ToString::to_string).collect();
        let known = |value: &Option<String>| value.clone().unwrap_or_else(|| "–".to_owned());
        let verdict = if self.present {
            "✓ δ-present, in people"
        } else {
            "✗ not δ-present, or breaks what is enforced beside δ"
        };
        let mut lines = vec![
            ["verdict".to_owned(), verdict.to_owned()],
            ["headline".to_owned(), known(&self.headline)],
            ["strategy".to_owned(), self.strategy.to_owned()],
            ["counted in people by".to_owned(), self.entity.clone()],
            ["δ".to_owned(), format!("{} to {}", self.delta.min, self.delta.max)],
            [
                "achieved".to_owned(),
                format!("{} to {}", known(&self.achieved.min), known(&self.achieved.max)),
            ],
        ];
        lines.extend(
            self.criteria.iter().skip(1).filter_map(CriterionResult::line).map(|(name, text)| [name, text]),
        );
        lines.extend([
            ["node".to_owned(), node.join(",")],
            [
                "classes of people".to_owned(),
                format!("{} ({} released)", self.classes, self.released_classes),
            ],
            ["people".to_owned(), format!("{} of {}", self.private, self.public)],
            ["rows".to_owned(), format!("{}, {} of them distinct", self.rows, self.distinct_rows)],
            ["loss of rows".to_owned(), short(self.metrics.loss)],
            ["loss geometric".to_owned(), short(self.metrics.loss_geometric)],
        ]);
        if let (Some(nodes), Some(checked)) = (self.search.nodes, self.search.checked) {
            lines.push(["nodes".to_owned(), format!("{nodes}: {checked} checked")]);
        }
        if let Some(stop) = self.search.stop {
            lines.push(["stopped".to_owned(), stop.to_owned()]);
        }
        lines.push([
            "seconds".to_owned(),
            format!("{:.3} to load, {:.3} to search", self.load_seconds, self.seconds),
        ]);
        let header = ["figure", "value"].map(ToOwned::to_owned).to_vec();
        OutputRows { header, lines: lines.into_iter().map(|line| line.to_vec()).collect(), numbers_from: 2 }
    }
}
