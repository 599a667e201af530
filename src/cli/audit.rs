//! `audit`: measures what a strategy's release reveals to an attacker who knows the algorithm.

use std::path::Path;

use anyhow::Context;
use palmtop::compatibility::{Command, Feature};
use palmtop::data::input;
use palmtop::model::{Delta, Problem, Recoding};
use palmtop::pipeline::{self, Analysis, ReadRelease};
use palmtop::release::KnowsAlgorithm;
use palmtop::search::{Audit, AuditMethod, Strategy, is_transcript};
use serde_json::json;

use super::args::{AuditHow, DeltaArguments, SearchArguments};
use super::delivery;
use super::load::{self, Plan};
use clap::Args;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::output;
use palmtop_console::result::explain_none;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// A written release to audit. Name the search that made it with --made-by.
    #[arg(requires = "made_by")]
    pub(crate) release: Option<PathBuf>,
    #[arg(long, value_name = "S", conflicts_with = "release", required_unless_present = "release", help = format!("Audit the release of this search: {}", Strategy::names()))]
    pub(crate) strategy: Option<Strategy>,
    /// The search that made the written release.
    #[arg(long, value_name = "S", requires = "release")]
    pub(crate) made_by: Option<Strategy>,
    /// Also check that this transcript of `anonymize` belongs to this project and δ: its answers must lead to its questions.
    #[arg(long, value_name = "FILE")]
    pub(crate) transcript: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) how: AuditHow,
    #[command(flatten)]
    pub(crate) search: SearchArguments,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
    /// The form of the result.
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Runs the command. The audit only informs, so its result does not change the exit status.
pub(super) fn run(arguments: &AuditArguments) -> anyhow::Result<Status> {
    if arguments.format == Format::Csv {
        return Err(Usage("audit has no --format csv; use table or json".to_owned()).into());
    }
    let strategy = arguments.strategy.or(arguments.made_by);
    // clap requires `--strategy` or `--made-by`.
    let strategy = strategy.ok_or_else(|| {
        Usage("name the search with --strategy, or with --made-by for a written release".to_owned())
    })?;
    let options = [(arguments.transcript.is_some(), Feature::Transcript)];
    let asked = load::asked(Command::Audit, &[strategy], &arguments.search, &options)?;
    let interrupt = Interrupt::watch()?;
    let plan = Plan::of(&arguments.search)?;
    let (analysis, _file) = load::analysis(&arguments.project, &(&arguments.delta).into(), &asked)?;
    let problem = analysis.problem();
    let written = match &arguments.release {
        Some(path) => Some(read(&analysis, path)?),
        None => None,
    };
    let recoding = match &written {
        // The search ended by time, so no second run gives this release. Only its regions are
        // audited.
        Some(written) if plan.config.is_open_ended(strategy) => Recoding::Regions(written.partition(problem)),
        _ => {
            let found = load::search(&analysis, problem, strategy, &plan, Some(interrupt.clone()));
            if interrupt.is_asked() {
                return Ok(delivery::stopped(&interrupt));
            }
            let Some(release) = found.release else {
                say::message(&explain_none(problem, found.report.stop));
                return Ok(Status::NotPresent);
            };
            if let Some(written) = written.filter(|written| !written.is_of(&release.classes)) {
                anyhow::bail!(
                    "{} is not what {strategy} releases of this project under δ {} to {}; give the δ that the search ran \
                     under, and its seed and rounds if it had them",
                    written.path.display(),
                    problem.delta().min(),
                    problem.delta().max()
                );
            }
            release.recoding
        }
    };
    let audited = load::audit(problem, (strategy, &recoding), &plan, arguments.how, interrupt.clone());
    let Some(audited) = audited else { return Ok(delivery::stopped(&interrupt)) };
    let transcript = arguments.transcript.as_deref().map(|path| replays(problem, path)).transpose()?;
    match arguments.format {
        Format::Json => output::print_json(&json!({
            "strategy": strategy.to_string(),
            "delta": {"min": problem.delta().min().to_string(), "max": problem.delta().max().to_string()},
            "knows_algorithm": as_json(&audited),
            "transcript": transcript,
        }))?,
        Format::Table | Format::Csv => output::print(&text(strategy, problem.delta(), &audited))?,
    }
    if let (Some(is_own), Some(path)) = (transcript, &arguments.transcript) {
        let said = if is_own {
            "its answers lead to its questions"
        } else {
            "does NOT belong to this project and δ"
        };
        say::message(&format!("{}: {said}", path.display()));
    }
    Ok(Status::Done)
}

/// Reads a written release of the present T. Refuses an unfaithful file, because it shows nothing
/// about a search.
fn read(analysis: &Analysis, path: &Path) -> anyhow::Result<ReadRelease> {
    analysis.check(&[Feature::RowCount])?;
    let read = pipeline::reading::read(analysis, path)?;
    if !read.is_faithful() {
        let problems = read.findings.problems.iter().filter(|problem| problem.is_unfaithful());
        let first = problems.map(ToString::to_string).next().unwrap_or_default();
        anyhow::bail!("{} is not a faithful release of the private table: {first}", path.display());
    }
    Ok(read)
}

/// Whether the transcript belongs to this problem.
fn replays(problem: &Problem, path: &Path) -> anyhow::Result<bool> {
    let bytes =
        input::read(path, input::MOST_TEXT).with_context(|| format!("cannot read {}", path.display()))?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is not UTF-8", path.display()))?;
    is_transcript(problem, text).with_context(|| format!("{} is not a transcript", path.display()))
}

fn as_json(audit: &Audit) -> serde_json::Value {
    let known = KnowsAlgorithm::of_audit(audit);
    // A number that was not decided is null, because 0 would look safe.
    let beyond = |count: u64| known.people_beyond().map(|_| count);
    json!({
        "verdict": known.as_str(),
        "beyond": known.people_beyond(),
        "beyond_members": beyond(audit.beyond.members),
        "doubtful": (audit.method != AuditMethod::None).then_some(audit.beyond.doubtful),
        "beyond_regions": beyond(audit.beyond.regions),
        "beyond_by_own_cuts": beyond(audit.beyond_by_own),
        "worst": audit.worst.map(|(worst, _)| worst).or(audit.span.map(|span| span.greatest)),
        "regions": audit.regions,
        "exact": audit.exact,
        "sampled": audit.sampled,
        "not_sampled": audit.too_rare,
        "with_cut": audit.with_cut,
        "parents": audit.parents,
        "draws": audit.draws,
        "draws_with_this_release": audit.had,
    })
}

fn text(strategy: Strategy, delta: Delta, audit: &Audit) -> String {
    let lines: Vec<String> =
        audit.lines(strategy, delta).iter().map(|(name, said)| format!("{name:<9}{said}")).collect();
    lines.join("\n") + "\n"
}
