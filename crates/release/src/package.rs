//! A package: one folder with all that a release needs.
//!
//! ```text
//! NAME/to-send/   NAME.csv  NAME.recipient.html  NAME.codebook.csv
//! NAME/to-keep/   NAME.report.html  NAME.pseudonyms.csv
//! ```
//!
//! The list of pseudonyms has each identifier with its pseudonym. It exists if pseudonyms are keyed; new ones are drawn, and nobody
//! keeps a list.
//!
//! What is to be sent has nothing of T but the release. The folder gets its name by one rename, after the entry of the release is
//! in the history as pending: a killed program leaves the complete package or none of it.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::codebook::Codebook;
use crate::columns::Table;
use crate::history::{self, Draft, Entry, Moment, Recording, ReportEntry, Sitting, StepName, Wrote};
use crate::pipeline::export::{self, Besides, Exported};
use crate::pipeline::{
    Analysis, Export, ExportObserver, ExportStage, GivenPseudonym, PipelineError, Recounted, Written,
    pseudonyms,
};
use crate::report::{RecipientReport, Report, ReportError, ReportRequest};
use palmtop_core::located::LocatedError;
use palmtop_core::progress::Progress;
use palmtop_tables::write::{Disk, FolderPlan, Gate, TargetError};

/// The folder of what is sent.
const TO_SEND: &str = "to-send";
/// The folder of what the signer keeps.
const TO_KEEP: &str = "to-keep";

/// A document that belongs to a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Paper {
    /// The report for the person who signs.
    Signer,
    /// The report that is sent with the release.
    Recipient,
    /// The code list, which is sent with the release.
    CodeList,
}

impl Paper {
    /// All papers.
    pub const ALL: [Self; 3] = [Self::Signer, Self::Recipient, Self::CodeList];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        match self {
            Self::Signer => "signer's report",
            Self::Recipient => "recipient's report",
            Self::CodeList => "code list",
        }
    }

    /// Its name in `--with`.
    pub fn as_str(self) -> &'static str {
        self.reader().unwrap_or("codebook")
    }

    /// The reader of a report in the history; `None` for the code list.
    pub fn reader(self) -> Option<&'static str> {
        match self {
            Self::Signer => Some("signer"),
            Self::Recipient => Some("recipient"),
            Self::CodeList => None,
        }
    }

    /// Its path beside a release. The signer's report of a release in a package is in the folder that is kept.
    pub fn path(self, release: &Path) -> PathBuf {
        match self {
            Self::Signer => kept(release, "report.html"),
            Self::Recipient => release.with_extension("recipient.html"),
            Self::CodeList => release.with_extension("codebook.csv"),
        }
    }
}

/// A file beside a release; if the release is in a package, in the folder that is kept.
fn kept(release: &Path, ending: &str) -> PathBuf {
    let beside = release.with_extension(ending);
    let folder = release.parent().filter(|folder| folder.ends_with(TO_SEND)).and_then(Path::parent);
    folder.map_or_else(
        || beside.clone(),
        |folder| folder.join(TO_KEEP).join(beside.file_name().unwrap_or_default()),
    )
}

/// A package to write.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// The release. Its target is the typed name, `NAME.csv` or `NAME`, which names the folder `NAME`.
    pub export: Export<'a>,
    /// What the package has beside the release.
    pub papers: &'a [Paper],
    /// The project as the user named it, for the commands in reports.
    pub project: &'a str,
    /// The sitting with the step that makes the release, and its place in the history if it is saved; `None` for a command.
    pub sitting: Option<(Option<usize>, &'a Sitting)>,
}

/// A package that was written.
#[derive(Debug)]
pub struct WrotePackage {
    /// The folder.
    pub folder: PathBuf,
    /// The release in it.
    pub wrote: Wrote,
    /// Whether each report calls the release verified.
    pub is_verified: bool,
    /// The list of pseudonyms, if there is one.
    pub pseudonyms: Option<PathBuf>,
}

/// The endings of a release's name. Any other ending is a part of the package's name.
const ENDINGS: [&str; 5] = ["csv", "parquet", "arrow", "ipc", "feather"];

fn has_ending(target: &Path) -> bool {
    let ending = target.extension().and_then(OsStr::to_str);
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// The target of the package that `-o` names: `NAME/`, or with `--force` the folder of a package. `None` if it names a file.
pub fn target(output: &Path, force: bool) -> Option<PathBuf> {
    let is_folder = output.as_os_str().as_encoded_bytes().ends_with(b"/");
    let is_package = is_folder || force && output.join(TO_SEND).is_dir();
    // Without the slash at the end.
    is_package.then(|| output.components().collect())
}

/// The `-o` that names the package of a typed name: `out/`, or `out.parquet/`.
pub fn output(target: &Path) -> String {
    let folder = folder(target);
    let is_enough = release_path(&folder) == release_path(target);
    format!("{}/", if is_enough { folder.display() } else { target.display() })
}

/// The path of the release in the package that a typed name gives: `out.csv` and `out` give `out/to-send/out.csv`.
pub fn release_path(target: &Path) -> PathBuf {
    let mut name = target.file_name().unwrap_or_default().to_owned();
    if !has_ending(target) {
        name.push(".csv");
    }
    folder(target).join(TO_SEND).join(name)
}

/// The folder of the package that a typed name gives: `out.csv` and `out` give `out`.
pub fn folder(target: &Path) -> PathBuf {
    if has_ending(target) { target.with_extension("") } else { target.to_owned() }
}

/// Checks whether a package may be written, before anything is read.
///
/// # Errors
/// [`TargetError`] with the reason.
pub fn check(gate: &Gate, target: &Path, papers: &[Paper], overwrite: bool) -> Result<(), TargetError> {
    let (folder, release) = (folder(target), release_path(target));
    gate.check_folder(&plan(&folder, &release, papers.iter().map(|paper| paper.path(&release)), overwrite))
}

/// The plan of a package: the release, and these files.
fn plan<'a>(
    folder: &'a Path,
    release: &Path,
    files: impl IntoIterator<Item = PathBuf>,
    overwrite: bool,
) -> FolderPlan<'a> {
    let files = std::iter::once(release.to_owned()).chain(files);
    let inside = |path: PathBuf| path.strip_prefix(folder).map_or_else(|_| path.clone(), Path::to_owned);
    FolderPlan {
        target: folder,
        subfolders: &[TO_SEND, TO_KEEP],
        files: files.map(inside).collect(),
        overwrite,
    }
}

/// Writes a package through a gate.
///
/// # Errors
/// Any [`PipelineError`], as [`history::write`]; then neither the folder nor a file of it remains.
pub fn write(
    analysis: &Analysis,
    package: &Package,
    draft: Option<&Draft>,
    (gate, disk): (&mut Gate, &mut dyn Disk),
    observer: &mut ExportObserver,
) -> Result<WrotePackage, PipelineError> {
    let target = package.export.target;
    let (folder, release) = (folder(target), release_path(target));
    let list = pseudonyms::are_keyed(analysis).then(|| kept(&release, "pseudonyms.csv"));
    let files = package.papers.iter().map(|paper| paper.path(&release)).chain(list.clone());
    let plan = plan(&folder, &release, files, package.export.options.force);
    let staged = gate.stage(&plan)?;
    let mut recording = Recording::new(analysis, draft);
    let path = |file: &Path| staged.path().join(file.strip_prefix(&folder).unwrap_or(file));
    let files = Files { release: &release, list: list.as_deref(), staged: &path };
    let filled = fill(analysis, package, files, &mut recording, (gate, disk), observer);
    let done = filled.and_then(|filled| {
        gate.name_folder(disk, staged, &plan)?;
        Ok(filled)
    });
    let reports =
        done.as_ref().map_or_else(|_| Vec::new(), |_| entries(analysis, package, &release, &recording));
    recording.end(done.is_ok(), &reports);
    let (Exported { written, both, .. }, is_verified) = done?;
    let Recording { entry, taken, .. } = recording;
    let written = Written { path: release, ..written };
    Ok(WrotePackage { folder, wrote: Wrote { written, both, entry, taken }, is_verified, pseudonyms: list })
}

/// The paths of a package's files.
struct Files<'a> {
    release: &'a Path,
    /// The list of pseudonyms, if there is one.
    list: Option<&'a Path>,
    /// The path of a file while the folder has no name.
    staged: &'a dyn Fn(&Path) -> PathBuf,
}

/// Writes the files of a package, each to its staged path: the release, the list of pseudonyms if there is one, and the papers.
/// Returns the release, and whether its reports call it verified.
fn fill(
    analysis: &Analysis,
    package: &Package,
    Files { release, list, staged }: Files,
    recording: &mut Recording,
    (gate, disk): (&mut Gate, &mut dyn Disk),
    observer: &mut ExportObserver,
) -> Result<(Exported, bool), PipelineError> {
    let named = Export { target: release, ..package.export };
    let file = staged(release);
    let unnamed = Export { target: &file, ..package.export };
    let mut record = |unnamed: &Path, rows: u64| recording.begin(named, (unnamed, rows));
    let besides = Besides { record: Some(&mut record), is_for_package: true };
    let exported = export::write_recorded(analysis, unnamed, (gate, disk), besides, observer)?;
    let has_report = package.papers.iter().any(|paper| paper.reader().is_some());
    let total = package.papers.len() as u64;
    tell(observer, 0, total)?;
    let report = exported
        .recounted
        .as_ref()
        .filter(|_| has_report)
        .map(|recounted| report_of(analysis, package, (release, &file), recounted, recording.entry.as_ref()))
        .transpose()?;
    for (number, paper) in (0..).zip(package.papers) {
        tell(observer, number, total)?;
        let text = match (paper, &report) {
            (Paper::Signer, Some(report)) => report.to_html(),
            (Paper::Recipient, Some(report)) => RecipientReport::of(report).to_html(),
            (_, Some(Report { code_list: Some(list), .. })) => list.table().to_csv(),
            _ => Codebook::of_release(analysis, package.export.release).table().to_csv(),
        };
        gate.put(disk, &staged(&paper.path(release)), false, text.as_bytes())?;
    }
    if let Some(list) = list {
        gate.put(disk, &staged(list), false, list_of(&exported.given).as_bytes())?;
    }
    tell(observer, total, total)?;
    Ok((exported, report.is_none_or(|report| report.verdict.verified)))
}

/// The list of pseudonyms as CSV.
fn list_of(given: &[GivenPseudonym]) -> String {
    let row =
        |given: &GivenPseudonym| [given.column.clone(), given.identifier.clone(), given.pseudonym.clone()];
    Table::of_texts(["column", "identifier", "pseudonym"], given.iter().map(row)).to_csv()
}

/// The report of a recounted release whose folder has no name yet. The history already has its entry and its step.
fn report_of(
    analysis: &Analysis,
    package: &Package,
    (release, file): (&Path, &Path),
    recounted: &Recounted,
    entry: Option<&Entry>,
) -> Result<Report, PipelineError> {
    let mut history = history::of_project(analysis.path()).map_err(PipelineError::record)?;
    // The step is saved after the release.
    let own = package.sitting.map(|(place, sitting)| {
        let step = sitting.current();
        let (with, sitting) = std::mem::take(&mut history).with_sitting(place, sitting.clone());
        history = with;
        StepName { sitting, step }
    });
    if let Some(entry) = entry {
        history = history.with_release(&Entry { step: entry.step.or(own), ..entry.clone() });
    }
    let request = ReportRequest {
        project: package.project,
        release,
        delta: package.export.release.delta(),
        history: None,
        stakes: None,
        at: Moment::now(),
    };
    Report::of_staged(analysis, &request, (file, recounted), &history).map_err(|error| match error {
        ReportError::Pipeline(error) => *error,
        other => LocatedError::new(palmtop_core::words::chain(&other)).into(),
    })
}

/// The entries of the reports, for the history.
fn entries(
    analysis: &Analysis,
    package: &Package,
    release: &Path,
    recording: &Recording,
) -> Vec<ReportEntry> {
    let Some(entry) = &recording.entry else { return Vec::new() };
    let read = package.papers.iter().filter_map(|paper| Some((paper.reader()?, paper.path(release))));
    let entry =
        |(reader, path): (&str, PathBuf)| ReportEntry::of(analysis.path(), &path, reader, &entry.sha256).ok();
    read.filter_map(entry).collect()
}

fn tell(observer: &mut ExportObserver, done: u64, total: u64) -> Result<(), PipelineError> {
    let stopped = observer(Progress { stage: ExportStage::Documents, done, total }).is_break();
    if stopped { Err(PipelineError::Cancelled) } else { Ok(()) }
}
