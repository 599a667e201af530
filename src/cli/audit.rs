//! `audit`: measures what a strategy's release reveals to an attacker who knows the algorithm.

use std::io::Read;
use std::path::Path;

use anyhow::Context;
use palmtop::columns::{Column, Table, Value as Figure};
use palmtop::compatibility::{Command, Feature};
use palmtop::data::input;
use palmtop::keys;
use palmtop::model::{Delta, Problem, Recoding};
use palmtop::pipeline::{self, Analysis, ReadRelease};
use palmtop::release::KnowsAlgorithm;
use palmtop::search::simulatable::{self, begins_transcript};
use palmtop::search::{Audit, AuditMethod, Strategy, is_transcript};
use serde::Serialize;
use serde_json::{Map, Value};

use super::args::{AuditHow, DeltaArguments, SearchArguments};
use super::load::{self, Plan};
use clap::Args;
use palmtop_console::answer::Answer;
use palmtop_console::format::Format;
use palmtop_console::interrupt::Interrupt;
use palmtop_console::result::{Bounds, explain_none};
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use std::path::PathBuf;

/// The bytes of a file that may be the first line of a transcript.
const LONGEST_HEADER: u64 = 256;

#[derive(Debug, Args)]
pub(crate) struct AuditArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// A written release to audit, its transcript, or both; without a release, the one that the search finds.
    ///
    /// The first line tells a transcript from a release. The answers of a transcript of this project and δ must lead to its
    /// questions, and must be those of the private table.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    #[arg(long, value_name = "S", help = "The search that made the release", long_help = format!("The search that made the release: {}", Strategy::names()))]
    pub(crate) strategy: Strategy,
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
    let strategy = arguments.strategy;
    let files = Files::of(&arguments.files)?;
    let options = [(files.transcript.is_some(), Feature::Transcript)];
    let asked = load::asked(Command::Audit, &[strategy], &arguments.search, &options)?;
    let interrupt = Interrupt::watch()?;
    let plan = Plan::of(&arguments.search);
    let (analysis, _file) = load::analysis(&arguments.project, &(&arguments.delta).into(), &asked)?;
    let problem = analysis.problem();
    let written = match files.release {
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
                return Ok(interrupt.stopped());
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
    let Some(audited) = audited else { return Ok(interrupt.stopped()) };
    let finding = files.transcript.map(|path| replays(problem, path)).transpose()?;
    let transcript = finding.map(|finding| finding == Replayed::Same);
    Audited { strategy, delta: problem.delta(), audit: &audited, transcript }.print(arguments.format)?;
    if let (Some(finding), Some(path)) = (finding, files.transcript) {
        say::message(&format!("{}: {}", path.display(), finding.sentence()));
    }
    Ok(if transcript == Some(false) { Status::NotPresent } else { Status::Done })
}

/// The release and its transcript, at most one of each.
struct Files<'a> {
    release: Option<&'a Path>,
    transcript: Option<&'a Path>,
}

impl<'a> Files<'a> {
    /// Tells the files apart by their first lines.
    fn of(paths: &'a [PathBuf]) -> anyhow::Result<Self> {
        let mut files = Files { release: None, transcript: None };
        for path in paths {
            let (what, known) = if is_transcript_file(path)? {
                ("transcripts", &mut files.transcript)
            } else {
                ("releases", &mut files.release)
            };
            if let Some(known) = known.replace(path) {
                return Err(Usage(format!(
                    "{} and {} are both {what}: give one release, one transcript, or one of each",
                    known.display(),
                    path.display()
                ))
                .into());
            }
        }
        Ok(files)
    }
}

/// Whether the first line of a file is that of a transcript.
fn is_transcript_file(path: &Path) -> anyhow::Result<bool> {
    let cannot = || format!("cannot read {}", path.display());
    let mut beginning = Vec::new();
    input::open(path)
        .with_context(cannot)?
        .take(LONGEST_HEADER)
        .read_to_end(&mut beginning)
        .with_context(cannot)?;
    Ok(begins_transcript(&beginning))
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

/// What a transcript is for a project.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replayed {
    /// Its answers lead to its questions, and T gives these answers.
    Same,
    /// Its answers lead to its questions, but T gives other answers.
    OtherAnswers,
    /// Its answers do not lead to its questions.
    OtherQuestions,
}

impl Replayed {
    fn sentence(self) -> &'static str {
        match self {
            Self::Same => "its answers lead to its questions, and are those of the private table",
            Self::OtherAnswers => {
                "its answers lead to its questions, but are NOT those of the private table: it is of other people, or was changed"
            }
            Self::OtherQuestions => "does NOT belong to this project and δ",
        }
    }
}

/// What the transcript is for this problem. The search is made again with the answers of T.
fn replays(problem: &Problem, path: &Path) -> anyhow::Result<Replayed> {
    let bytes =
        input::read(path, input::MOST_TEXT).with_context(|| format!("cannot read {}", path.display()))?;
    let text = std::str::from_utf8(&bytes).with_context(|| format!("{} is not UTF-8", path.display()))?;
    // The answers of T lead to its questions, so T's own transcript is not replayed.
    if simulatable::transcript_of(problem).is_some_and(|own| own.text(problem) == text) {
        return Ok(Replayed::Same);
    }
    let leads =
        is_transcript(problem, text).with_context(|| format!("{} is not a transcript", path.display()))?;
    Ok(if leads { Replayed::OtherAnswers } else { Replayed::OtherQuestions })
}

keys! {
/// The audit as JSON, with stable keys.
#[derive(Serialize)]
pub(super) struct AuditResult {
    /// The strategy, or `node` for a chosen node.
    strategy: String,
    /// The δ.
    delta: Bounds,
    /// What an attacker who knows the algorithm learns.
    knows_algorithm: Map<String, Value>,
    /// Whether the transcript belongs to this project, its private table and δ; null without a transcript.
    transcript: Option<bool>,
}
}

/// The keys of `knows_algorithm`. A number that was not decided is null, because 0 would look safe.
pub(super) const COLUMNS: [Column<Audit>; 15] = [
    Column::text("verdict", "the verdict", |audit| KnowsAlgorithm::of_audit(audit).as_str().into()),
    Column::number("beyond", "the number of people outside δ; null if it is not decided", |audit| {
        KnowsAlgorithm::of_audit(audit).people_beyond().into()
    }),
    Column::number("beyond_members", "the number of members among them", |audit| {
        decided(audit, audit.beyond.members)
    }),
    Column::number(
        "doubtful",
        "the number of people too near a bound for the sample; null without an audit",
        |audit| (audit.method != AuditMethod::None).then_some(audit.beyond.doubtful).into(),
    ),
    Column::number("beyond_regions", "the number of regions with people outside δ", |audit| {
        decided(audit, audit.beyond.regions)
    }),
    Column::number(
        "beyond_by_own_cuts",
        "those outside δ by the rejected cuts of their region alone",
        |audit| decided(audit, audit.beyond_by_region_cuts),
    ),
    Column::number("worst", "the highest posterior that was found", |audit| {
        audit.worst.map(|(worst, _)| worst).or(audit.span.map(|span| span.greatest)).into()
    }),
    Column::number(
        "regions",
        "the number of regions or classes with members; null without an audit",
        |audit| audit.regions.into(),
    ),
    Column::number("exact", "the number of regions whose event was enumerated", |audit| audit.exact.into()),
    Column::number("sampled", "the number of regions whose event was sampled", |audit| audit.sampled.into()),
    Column::number(
        "not_sampled",
        "the number of regions or classes too rare to sample; null without an audit",
        |audit| audit.too_rare.into(),
    ),
    Column::number("with_cut", "the number of regions that still have a valid cut, not tested", |audit| {
        audit.with_cut.into()
    }),
    Column::number("parents", "the number of regions whose parent's split was examined, too", |audit| {
        audit.parents.into()
    }),
    Column::number("draws", "the number of draws of T", |audit| audit.draws.into()),
    Column::number("draws_with_this_release", "the number of draws that give this release again", |audit| {
        audit.had.into()
    }),
];

fn decided(audit: &Audit, count: u64) -> Figure {
    KnowsAlgorithm::of_audit(audit).people_beyond().map(|_| count).into()
}

/// The audit of a strategy's release, and whether the transcript belongs to it.
struct Audited<'a> {
    strategy: Strategy,
    delta: Delta,
    audit: &'a Audit,
    transcript: Option<bool>,
}

impl Answer for Audited<'_> {
    fn text(&self) -> String {
        let lines = self.audit.lines(self.strategy, self.delta);
        let line = |(name, finding): &(_, _)| format!("{name:<9}{finding}\n");
        lines.iter().map(line).collect::<Vec<String>>().concat()
    }

    fn object(&self) -> impl Serialize {
        AuditResult {
            strategy: self.strategy.to_string(),
            delta: self.delta.into(),
            knows_algorithm: Table::of(&COLUMNS, [self.audit]).object(),
            transcript: self.transcript,
        }
    }
}
