//! `report`: writes the report of a release, for its signer or for its recipient.

use palmtop::codebook::{Codebook, Mapping};
use palmtop::compatibility::{Command, Feature};
use palmtop::data::read::hash_file;
use palmtop::data::write::{Gate, RealDisk, Ward, is_same_file};
use palmtop::history::{self, Moment, ReportEntry};
use palmtop::model::Stakes;
use palmtop::pipeline::{self, Analysis, PipelineError, ReadRelease, Recounted};
use palmtop::report::{RecipientReport, Report, ReportError, ReportRequest};

use super::args::{DeltaArguments, Reader, ReportFormat, WithArguments, WithFile};
use super::load::{self, ProjectFile};
use super::registered::Judged;
use super::with::WithFiles;
use clap::Args;
use palmtop::model::Fraction;
use palmtop::model::Presence;
use palmtop_console::output;
use palmtop_console::say;
use palmtop_console::status::{Status, Usage};
use palmtop_console::written::{not_written, say_removed};
use std::path::{Path, PathBuf};

/// What `report` says, in its help.
const REPORTING: &str = "No figure comes from a search or from another report: the command verifies the release, and measures its \
    rows. The report describes how the release was made if the project's history has the file, by its SHA-256, and lists the steps \
    and decisions of its sitting. The report quotes the history as a claim.\n\n\
    Exit status: as `verify`. With 3, the release is not verified, and the report says REFUSED in its first lines.";

#[derive(Debug, Args)]
#[command(after_long_help = REPORTING)]
pub(crate) struct ReportArguments {
    /// The project file, or @clinic, @paper, @trial.
    pub(crate) project: String,
    /// The written release.
    pub(crate) release: PathBuf,
    /// The report to write.
    ///
    /// Without it, the command writes only the files of --with, named after the release.
    #[arg(short, long, value_name = "FILE", required_unless_present = "with")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) with: WithArguments,
    /// The form of the report; by default JSON where the name ends in .json, else HTML.
    #[arg(long, value_enum)]
    pub(crate) format: Option<ReportFormat>,
    /// The reader of the report.
    #[arg(long = "for", value_enum, value_name = "READER", default_value_t)]
    pub(crate) reader: Reader,
    /// The history to quote.
    ///
    /// Its δ judges, if it is not looser than the project's. By default it is the project's history.
    #[arg(long, value_name = "FILE")]
    pub(crate) history: Option<PathBuf>,
    /// The prior belief that a random person of P has the property that all of T has.
    ///
    /// With --misuse, the report states the δ that `advise` computes from both; by default both are of the project or the history.
    #[arg(long, value_name = "D", requires = "misuse", allow_negative_numbers = true)]
    pub(crate) prior: Option<Presence>,
    /// The acceptable misuse if belief rises.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(crate) misuse: Option<Fraction>,
    /// The acceptable misuse if belief falls.
    #[arg(long, value_name = "M", requires = "prior", allow_negative_numbers = true)]
    pub(crate) misuse_down: Option<Fraction>,
    /// The cost of one wrongly changed belief, in the unit of the misuse.
    #[arg(long, value_name = "C", default_value = "1", requires = "prior", allow_negative_numbers = true)]
    pub(crate) cost: Fraction,
    /// Overwrite an existing file.
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) delta: DeltaArguments,
}

pub(super) fn run(arguments: &ReportArguments) -> anyhow::Result<Status> {
    let format = arguments.format.unwrap_or_else(|| {
        let ending = arguments.output.as_deref().and_then(Path::extension);
        let is_json = ending.is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        if is_json { ReportFormat::Json } else { ReportFormat::Html }
    });
    let stakes = stakes(arguments);
    let targets = Targets::of(arguments)?;
    let file = ProjectFile::find(&arguments.project)?;
    let judged =
        Judged::find(&file.path, &arguments.release, &arguments.delta, arguments.history.as_deref())?;
    if let Some(taken) = &judged.taken {
        say::message(&taken.words());
    }
    let analysis = load::watched((&file, &judged.overrides), &[Feature::Command(Command::Report)], None)?;
    let mut gate = pipeline::export::gate(&analysis);
    gate.guard(Ward::Input, &arguments.release);
    history::guard(&mut gate, &file.path);
    arguments.history.iter().for_each(|history| gate.guard(Ward::History, history));
    targets.check(&gate, arguments.force)?;
    let asked = ReportRequest {
        project: &arguments.project,
        release: &arguments.release,
        delta: analysis.problem().delta(),
        history: arguments.history.as_deref(),
        stakes: stakes.as_ref(),
        at: Moment::now(),
    };
    let sha256 = hash_file(&arguments.release)?;
    let recounted = Recounted::of(&analysis, asked.delta, &arguments.release)?;
    let read = recounted.read.as_ref();
    let report = Report::of_recounted(&analysis, &asked, &recounted, &sha256).map_err(of_pipeline)?;
    let mut put = |path: &Path, text: &str| {
        let put = gate.put(&mut RealDisk, path, arguments.force, text.as_bytes());
        say_removed(&mut gate);
        put.map_err(not_written)
    };
    if let Some(output) = &arguments.output {
        put(output, &text_of(&report, arguments.reader, format)?)?;
        if !arguments.project.starts_with('@') {
            note(&file.path, output, arguments.reader, &sha256);
        }
    }
    for (path, text) in
        codes(&targets, &arguments.release, &analysis, read.filter(|_| report.verdict.verified))?
    {
        put(path, &text)?;
    }
    let unanswered = report.verdict.unanswered().filter(|_| report.verdict.verified);
    let verdict = match &unanswered {
        _ if !report.verdict.verified => "✗ REFUSED".to_owned(),
        None => "✓ VERIFIED".to_owned(),
        Some(open) => format!("✓ VERIFIED; {open}"),
    };
    let named = arguments.output.as_ref().unwrap_or(&arguments.release);
    output::print(&format!("{verdict}: {}\n", named.display()))?;
    report.verdict.reasons.iter().for_each(|reason| say::message(reason));
    say::cautions(report.verdict.cautions.iter());
    if let Some(open) = unanswered {
        say::message(&format!(
            "{open}: do not sign until each is answered: write the release again with `anonymize … --accept KEY:COLUMN=REASON`"
        ));
    }
    Ok(Status::of_presence(report.verdict.verified))
}

/// The files of `--with` for a verified release.
fn codes<'a>(
    targets: &'a Targets,
    release: &Path,
    analysis: &Analysis,
    read: Option<&ReadRelease>,
) -> anyhow::Result<Vec<(&'a Path, String)>> {
    let Some(read) = read else {
        if !targets.with.is_empty() {
            say::message("the files of --with were not written, because the release is refused");
        }
        return Ok(Vec::new());
    };
    let codebook = || Ok(Codebook::of_file(analysis, read)?);
    let files = targets.with.contents(release, codebook, || Ok(Mapping::of_file(analysis, read)?))?;
    Ok(files.into_iter().map(|(_, path, text)| (path, text)).collect())
}

/// The report as text, for its reader.
fn text_of(report: &Report, reader: Reader, format: ReportFormat) -> anyhow::Result<String> {
    Ok(match (reader, format) {
        (Reader::Signer, ReportFormat::Html) => report.to_html(),
        (Reader::Signer, ReportFormat::Json) => json(report)?,
        (Reader::Recipient, ReportFormat::Html) => RecipientReport::of(report).to_html(),
        (Reader::Recipient, ReportFormat::Json) => json(&RecipientReport::of(report))?,
    })
}

/// The files to write.
struct Targets {
    named: Vec<(String, PathBuf)>,
    with: WithFiles,
}

impl Targets {
    /// Refuses two options that name one file.
    fn of(arguments: &ReportArguments) -> Result<Self, Usage> {
        for file in [WithFile::Report, WithFile::Transcript, WithFile::Signer, WithFile::Recipient] {
            if arguments.with.with.contains(&file) {
                let name = file.name();
                let instead = match file {
                    WithFile::Signer | WithFile::Recipient => format!("write it by `-o FILE --for {name}`"),
                    _ => "`anonymize` writes it, beside the release".to_owned(),
                };
                return Err(Usage(format!("--with {name}: {instead}")));
            }
        }
        let with = WithFiles::of(&arguments.with, arguments.output.as_deref().unwrap_or(&arguments.release));
        with.check_release(&arguments.release)?;
        let output = arguments.output.as_deref().map(|path| ("--output".to_owned(), path));
        let files = with.named().map(|(flag, path)| (flag, path.to_owned()));
        let named: Vec<(String, PathBuf)> =
            output.into_iter().map(|(flag, path)| (flag, path.to_owned())).chain(files).collect();
        for (index, (flag, path)) in named.iter().enumerate() {
            if let Some((other, _)) = named[..index].iter().find(|(_, other)| is_same_file(path, other)) {
                return Err(Usage(format!("{flag} and {other} name the same file")));
            }
        }
        Ok(Self { named, with })
    }

    /// Refuses names that the gate protects.
    fn check(&self, gate: &Gate, force: bool) -> Result<(), PipelineError> {
        self.named.iter().try_for_each(|(_, path)| Ok(gate.check(path, force)?))
    }
}

/// Adds the report to the history. A history that cannot be written takes no report away.
fn note(project: &Path, report: &Path, reader: Reader, release: &str) {
    let reader = match reader {
        Reader::Signer => "signer",
        Reader::Recipient => "recipient",
    };
    let noted =
        ReportEntry::of(project, report, reader, release).and_then(|entry| history::note(project, &entry));
    match noted {
        Ok(taken) => history::taken_over(project, &taken).iter().for_each(|message| say::message(message)),
        Err(error) => say::message(&format!(
            "the report was written, but the history has no entry of it: {}",
            palmtop::words::chain(&error)
        )),
    }
}

fn json(report: &impl serde::Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string_pretty(report)? + "\n")
}

fn stakes(arguments: &ReportArguments) -> Option<Stakes> {
    Some(Stakes {
        prior: arguments.prior?,
        cost: arguments.cost.clone(),
        misuse: arguments.misuse.clone()?,
        misuse_down: arguments.misuse_down.clone(),
    })
}

/// Converts an error of a report. An error of the pipeline keeps its exit status; an impossible
/// prior or misuse is wrong usage.
fn of_pipeline(error: ReportError) -> anyhow::Error {
    match error {
        ReportError::Pipeline(error) => (*error).into(),
        ReportError::Advice(error) if !error.is_infeasible() => Usage(error.to_string()).into(),
        other => other.into(),
    }
}
