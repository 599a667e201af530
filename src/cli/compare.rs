//! `compare`: runs several strategies under several δmax, with one result line for each.

use palmtop::caution::ReleaseFile;
use palmtop::columns::Table;
use palmtop::compatibility::{self, Command, Feature};
use palmtop::metrics::Metric;
use palmtop::model::{Delta, Presence};
use palmtop::pipeline::{self, Analysis, Found, Overrides};
use palmtop::project::Project;
use palmtop::release::Release;
use palmtop::search::Strategy;
use palmtop::svg::{Bar, bars};
use palmtop::utility::Workload;
use serde::Serialize;
use serde_json::json;
use unicode_width::UnicodeWidthStr;

use super::args::{BoundArgument, ChartArguments, SearchArguments};
use super::cautions;
use super::drawing::Drawing;
use super::load::{self, Plan, ProjectFile};
use clap::Args;
use palmtop_chart::{Bound, Drawn, LOSS_AXIS, Numbers, loss_axis};
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::output;
use palmtop_console::result::{OutsiderCounts, RunFacts, RunResult, comparison};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};

#[derive(Debug, Args)]
pub(crate) struct CompareArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    #[arg(long, value_name = "A,B,…", value_delimiter = ',', help = format!("Run these strategies, separated by commas; by default all that the project permits. They are {}", Strategy::names()))]
    pub(crate) strategies: Vec<Strategy>,
    /// Use this δmin; by default the project's.
    #[arg(long, value_name = "D")]
    pub(crate) delta_min: Option<Presence>,
    /// Use these δmax, separated by commas; by default the project's.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    pub(crate) delta_max: Vec<Presence>,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) bound: BoundArgument,
    #[command(flatten)]
    pub(crate) chart: ChartArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

pub(super) fn run(arguments: &CompareArguments) -> anyhow::Result<Status> {
    let overrides =
        Overrides { delta_min: arguments.delta_min, delta_max: arguments.delta_max.first().copied() };
    let strategies = match arguments.strategies.as_slice() {
        [] => strategies_of(&arguments.project)?,
        named => named.to_vec(),
    };
    let plan = Plan::of(&arguments.search)?;
    let options = [(arguments.bound.bound, Feature::Bound)];
    let asked = load::asked(Command::Compare, &strategies, &arguments.search, &options)?;
    let (analysis, _file) = load::analysis(&arguments.project, &overrides, &asked)?;
    let drawing = Drawing::claim(&arguments.chart, &analysis)?;
    let compared = runs(arguments, &analysis, &strategies, plan)?;
    if let Some(drawing) = drawing {
        drawing.put(&drawn(analysis.name(), &strategies, &compared.runs, compared.metric)?)?;
    }
    compared.print(arguments.format)?;
    if arguments.format == Format::Table {
        if compared.runs.iter().any(RunResult::has_open_caution) {
            say::message(SEVERE);
        }
        say::message(match analysis.entity() {
            Some(_) => NOT_AUDITED_PEOPLE,
            None if strategies.iter().any(|strategy| strategy.family().is_simulatable()) => CHOICE,
            None => NOT_AUDITED,
        });
        if analysis.entity().is_some() {
            say::message(UNITS);
        }
        if let Some(hard) = hard_to_read(&compared.runs) {
            say::message(&hard);
        }
    }
    Ok(Status::of_presence(compared.runs.iter().all(|run| run.present)))
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

/// Runs the strategies under each δ, the strictest δ first: a run under a looser δ can then reuse
/// an earlier release.
fn runs(
    arguments: &CompareArguments,
    analysis: &Analysis,
    strategies: &[Strategy],
    plan: Plan,
) -> anyhow::Result<Compared> {
    let deltas = deltas(arguments, analysis.problem().delta())?;
    let metric = plan.config.metric;
    let basis = pipeline::utility::basis(analysis, plan.config.seed, Workload::QUERIES)?;
    let judging = cautions::Basis::of(analysis, ReleaseFile::default())?;
    let mut found: Vec<(Delta, Strategy, Found)> = Vec::new();
    let mut runs = Vec::new();
    let (mut search_seconds, mut bound_seconds) = (0.0, None);
    for delta in deltas {
        let problem = analysis.problem().with_delta(delta);
        let bound = load::bound(&problem, arguments.bound, None);
        if let Some(seconds) = bound.seconds {
            bound_seconds = Some(bound_seconds.unwrap_or(0.0) + seconds);
        }
        for &strategy in strategies {
            let searched = load::search(analysis, &problem, strategy, &plan, None);
            let seconds = searched.seconds + searched.measuring_seconds;
            search_seconds += seconds;
            let (from, taken) = better_from_stricter(&found, delta, strategy, &searched, metric);
            let facts = RunFacts {
                metric,
                report: Some(taken.report),
                bound,
                seed: plan.config.seed,
                seconds: Some(seconds),
                load_seconds: analysis.load_seconds(),
                outsiders: OutsiderCounts::of(analysis),
                entity: analysis.entity(),
            };
            // A release under a stricter δ also keeps this looser δ. It is judged again under this
            // one.
            let under_this = |release: &Release| {
                let (origin, recoding) = (release.origin.clone(), release.recoding.clone());
                Release::new(&problem, origin, recoding, release.search)
            };
            let release = if from.is_some() { taken.release.as_ref().map(under_this) } else { None };
            let release = release.as_ref().or(searched.release.as_ref());
            let mut run = RunResult::new(strategy.to_string(), &problem, release, facts);
            if let Some(release) = release {
                run.note_utility(analysis, &basis, release);
                let judged = judging.judge(analysis, release, &[]);
                run.note_cautions(&judged.headline, &judged.cautions);
            }
            runs.push(match from {
                Some(stricter) => run.taken_from(stricter),
                None => run,
            });
            found.push((delta, strategy, searched));
        }
    }
    Ok(Compared { runs, metric, load_seconds: analysis.load_seconds(), search_seconds, bound_seconds })
}

/// The message about releases that are hard to read; `None` without such a release.
fn hard_to_read(runs: &[RunResult]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for run in runs.iter().filter(|run| run.is_hard_to_read()) {
        if !names.contains(&run.strategy.as_str()) {
            names.push(&run.strategy);
        }
    }
    let names = (!names.is_empty()).then(|| names.join(", "))?;
    Some(format!(
        "hard to read: {names}: a cell has more than 5 terms on average (labels, values, ranges and exceptions); `terms = 3` \
         under an attribute of the project sets a limit"
    ))
}

/// The values of δ to compare under, the strictest first.
fn deltas(arguments: &CompareArguments, of_project: Delta) -> Result<Vec<Delta>, Usage> {
    let maxima =
        if arguments.delta_max.is_empty() { vec![of_project.max()] } else { arguments.delta_max.clone() };
    let deltas = maxima.into_iter().map(|max| Delta::new(of_project.min(), max));
    let mut deltas: Vec<Delta> =
        deltas.collect::<Result<_, _>>().map_err(|error| Usage(error.to_string()))?;
    deltas.sort_by_key(|delta| delta.max());
    Ok(deltas)
}

/// The release of `best` under a stricter δ, if it is better than this one: it also keeps the
/// looser δ. Other strategies follow fixed rules, so their releases are not replaced.
fn better_from_stricter<'a>(
    found: &'a [(Delta, Strategy, Found)],
    delta: Delta,
    strategy: Strategy,
    searched: &'a Found,
    metric: Metric,
) -> (Option<Delta>, &'a Found) {
    let value =
        |found: &Found| found.release.as_ref().map_or(f64::INFINITY, |found| found.metrics.value(metric));
    let mut best = (None, searched);
    if !strategy.family().draws() {
        return best;
    }
    for (stricter, of, other) in found {
        let is_stricter = stricter.min() >= delta.min() && stricter.max() <= delta.max();
        if *of == strategy && is_stricter && value(other) < value(best.1) {
            best = (Some(*stricter), other);
        }
    }
    best
}

/// The runs as a chart. For one δmax, a bar for each run, best first; for several, the loss of each
/// strategy over δmax.
fn drawn(
    project: &str,
    strategies: &[Strategy],
    runs: &[RunResult],
    metric: Metric,
) -> anyhow::Result<String> {
    let by_delta: Vec<&[RunResult]> = runs.chunk_by(|left, right| left.delta == right.delta).collect();
    if let [only] = by_delta.as_slice() {
        let mut sorted = only.to_vec();
        sorted.sort_by(RunResult::compare);
        let bar = |run: &RunResult| Bar {
            name: run.strategy.clone(),
            value: run.cost(),
            note: match run.verdict() {
                "present" => "satisfies the policy".to_owned(),
                "not present" => "breaks the policy".to_owned(),
                why => format!("none found: {why}"),
            },
            is_broken: !run.present,
        };
        let measured = match metric {
            Metric::Loss => "loss: the mean of the attributes' losses, 0 as loaded, 1 everything *",
            Metric::LossGeometric => "geometric loss: 0 as loaded, 1 everything *",
            Metric::Discernibility => "discernibility: members squared, summed over classes",
            Metric::Readable => "readable: the loss, and 0.01 for each term of a cell beyond the first",
        };
        let delta = &sorted.first().map(|run| run.delta.clone());
        let delta =
            delta.as_ref().map_or_else(String::new, |delta| format!(", δ {} to {}", delta.min, delta.max));
        return Ok(bars(
            "compare",
            (&format!("{project}{delta}"), measured),
            &sorted.iter().map(bar).collect::<Vec<_>>(),
        ));
    }
    let column = |&strategy: &Strategy| {
        let name = strategy.to_string();
        let loss =
            |runs: &&[RunResult]| runs.iter().find(|run| run.strategy == name).and_then(RunResult::loss);
        (strategy, by_delta.iter().map(loss).collect())
    };
    let deltas: Vec<Delta> = by_delta
        .iter()
        .filter_map(|runs| runs.first())
        .map(|run| Delta::read(&run.delta.min, &run.delta.max))
        .collect::<Result<_, _>>()?;
    let lines: Vec<Numbers<Strategy>> = strategies.iter().map(column).collect();
    let losses = lines.iter().flat_map(|(_, losses)| losses).flatten().copied();
    let chart = Drawn {
        measure: "Loss",
        upright: loss_axis(losses).map(|axis| (axis, LOSS_AXIS)),
        bound: Bound::Max,
        held: deltas.first().map_or(Presence::ZERO, |delta| delta.min()),
        values: &deltas.iter().map(|delta| delta.max()).collect::<Vec<_>>(),
        lines,
        subtitle: project.to_owned(),
    };
    Ok(chart.svg())
}

/// The widest line of the table for people.
const WIDTH: usize = 80;

/// The note on choosing a release if `simulatable` was not run: no run is exact against an attacker
/// who knows palmtop.
const NOT_AUDITED: &str = "not audited against an attacker who knows palmtop: only --strategy simulatable is exact there. Choosing a release by its \
                           loss leaks information about T: pick the strategy before you compare";

/// The same note if people have several rows, for whom no search is exact.
const NOT_AUDITED_PEOPLE: &str = "not audited against an attacker who knows palmtop; `palmtop audit` judges one search. Choosing a release \
                                  by its loss leaks information about T: pick the strategy before you compare";

/// The units of the columns if people have several rows.
const UNITS: &str = "people have several rows: presence, classes and discernibility (DM) count people; loss, query error and distance \
                     count rows";

/// The meaning of the mark `!`.
const SEVERE: &str = "a strategy with `!` has a severe caution, which has to be answered before an export: --format json names it";

/// The note on choosing a release from the comparison, if `simulatable` was run.
const CHOICE: &str = "exact: δ holds even against an attacker who knows palmtop; the others are not audited. Choosing a release by its loss leaks \
                      information about T: pick the strategy before you compare";

/// The runs, with the seconds of loading, of all searches and of all bounds.
struct Compared {
    runs: Vec<RunResult>,
    metric: Metric,
    load_seconds: f64,
    search_seconds: f64,
    bound_seconds: Option<f64>,
}

impl Answer for Compared {
    /// The table for people: best first for each δ, with as many columns as fit.
    fn text(&self) -> String {
        let mut sorted = self.runs.clone();
        for of_one_delta in sorted.chunk_by_mut(|left, right| left.delta == right.delta) {
            of_one_delta.sort_by(RunResult::compare);
        }
        // All runs have one δmin. δmax needs several values, and two columns need their metric.
        let mut left_out = Vec::new();
        if sorted.first().map(|run| &run.delta.max) == sorted.last().map(|run| &run.delta.max) {
            left_out.push("delta_max");
        }
        let of_metrics = [(Metric::LossGeometric, "loss_geometric"), (Metric::Readable, "readable")];
        left_out.extend(of_metrics.into_iter().filter(|of| of.0 != self.metric).map(|of| of.1));
        let table = comparison(&sorted);
        let narrowed = |count| output::to_table(&table.for_people(&left_out, count));
        let fits = |text: &String| text.lines().all(|line| line.width() <= WIDTH);
        let most = table.optional();
        (0..most).map(narrowed).find(fits).unwrap_or_else(|| narrowed(most))
    }

    fn table(&self) -> Table {
        comparison(&self.runs)
    }

    fn object(&self) -> impl Serialize {
        json!({
            "runs": self.runs,
            "load_seconds": self.load_seconds,
            "search_seconds": self.search_seconds,
            "bound_seconds": self.bound_seconds,
        })
    }
}
