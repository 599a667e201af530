//! A package: one folder with all that a release needs.
//!
//! ```text
//! NAME/to-send/   NAME.csv  NAME.recipient.html  NAME.codebook.csv
//! NAME/to-keep/   NAME.report.html
//! ```
//!
//! What is to be sent has nothing of T but the release. The folder gets its name by one rename, after the entry of the release is
//! in the history as pending: a killed program leaves the complete package or none of it.

use std::path::{Path, PathBuf};

use crate::codebook::Codebook;
use crate::history::{self, Draft, Entry, History, Moment, Recording, ReportEntry, Sitting};
use crate::pipeline::{Analysis, Export, ExportObserver, ExportStage, PipelineError, Written, export};
use crate::report::{RecipientReport, Report, ReportError, ReportRequest};
use palmtop_core::located::LocatedError;
use palmtop_core::progress::Progress;
use palmtop_tables::write::{Disk, FolderPlan, Gate};

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

    /// The reader of a report in the history; `None` for the code list.
    pub fn reader(self) -> Option<&'static str> {
        match self {
            Self::Signer => Some("signer"),
            Self::Recipient => Some("recipient"),
            Self::CodeList => None,
        }
    }

    /// Whether it stays with the signer.
    fn is_kept(self) -> bool {
        self == Self::Signer
    }

    /// Its possible names beside a release, the usual one first: `NAME.report.html`, `NAME.report-2.html`, … The signer's report
    /// of a release in a package is in the folder that is kept.
    pub fn names(self, release: &Path) -> impl Iterator<Item = PathBuf> {
        let stem = release.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (kind, ending) = match self {
            Self::Signer => ("report", "html"),
            Self::Recipient => ("recipient", "html"),
            Self::CodeList => ("codebook", "csv"),
        };
        let name = move |number: u64| match number {
            1 => format!("{stem}.{kind}.{ending}"),
            number => format!("{stem}.{kind}-{number}.{ending}"),
        };
        let folder = release.parent().unwrap_or_else(|| Path::new(""));
        let of_package = folder.parent().filter(|_| self.is_kept() && folder.ends_with(TO_SEND));
        let folder = of_package.map_or_else(|| folder.to_owned(), |package| package.join(TO_KEEP));
        (1..).map(move |number| folder.join(name(number)))
    }

    /// Its usual name beside a release.
    pub fn path(self, release: &Path) -> PathBuf {
        self.names(release).next().unwrap_or_default()
    }
}

/// A package to write.
#[derive(Clone, Copy, Debug)]
pub struct Package<'a> {
    /// The release. Its target is the typed name, `NAME.csv`, which names the folder `NAME`.
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
    pub written: Written,
    /// Whether each report calls the release verified.
    pub is_verified: bool,
    /// The entry of the release; `None` if no entry was asked for.
    pub entry: Option<Entry>,
    /// The files of palmtop 0.1.0 that were taken over into the history for it.
    pub taken: Vec<String>,
}

/// The path of the release in the package that a typed name gives: `out.csv` gives `out/to-send/out.csv`.
pub fn release_path(target: &Path) -> PathBuf {
    let named = if target.extension().is_some() { target.to_owned() } else { target.with_extension("csv") };
    folder(target).join(TO_SEND).join(named.file_name().unwrap_or_default())
}

/// The folder of the package that a typed name gives: `out.csv` gives `out`.
pub fn folder(target: &Path) -> PathBuf {
    target.with_extension("")
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
    let inside = |path: &Path| path.strip_prefix(&folder).unwrap_or(path).to_owned();
    let files = package.papers.iter().map(|paper| inside(&paper.path(&release)));
    let plan = FolderPlan {
        target: &folder,
        subfolders: &[TO_SEND, TO_KEEP],
        files: std::iter::once(inside(&release)).chain(files).collect(),
        overwrite: package.export.options.force,
    };
    let staged = gate.stage(&plan)?;
    let mut recording = Recording::new(analysis, draft);
    let path = |file: &Path| staged.path().join(inside(file));
    let filled = fill(analysis, package, (&release, &path), &mut recording, (gate, disk), observer);
    let done = filled.and_then(|filled| {
        gate.name_folder(disk, staged, &plan)?;
        Ok(filled)
    });
    let reports =
        done.as_ref().map_or_else(|_| Vec::new(), |_| entries(analysis, package, &release, &recording));
    recording.end(done.is_ok(), &reports);
    let (written, is_verified) = done?;
    let Recording { entry, taken, .. } = recording;
    Ok(WrotePackage { folder, written: Written { path: release, ..written }, is_verified, entry, taken })
}

/// Writes the files of a package, each to its staged path. Returns the release, and whether its reports call it verified.
fn fill(
    analysis: &Analysis,
    package: &Package,
    (release, staged): (&Path, &dyn Fn(&Path) -> PathBuf),
    recording: &mut Recording,
    (gate, disk): (&mut Gate, &mut dyn Disk),
    observer: &mut ExportObserver,
) -> Result<(Written, bool), PipelineError> {
    let named = Export { target: release, ..package.export };
    let file = staged(release);
    let unnamed = Export { target: &file, ..package.export };
    let mut record = |unnamed: &Path, rows: u64| recording.begin(named, (unnamed, rows));
    let (written, _) = export::write_recorded(analysis, unnamed, gate, disk, &mut record, observer)?;
    let total = package.papers.len() as u64;
    let mut report = None;
    for (number, paper) in (0..).zip(package.papers) {
        tell(observer, number, total)?;
        if report.is_none() && *paper != Paper::CodeList {
            report = Some(report_of(analysis, package, release, &file, recording.entry.as_ref())?);
        }
        let text = match (paper, &report) {
            (Paper::Signer, Some(report)) => report.to_html(),
            (Paper::Recipient, Some(report)) => RecipientReport::of(report).to_html(),
            _ => Codebook::of_release(analysis, package.export.release).table().to_csv(),
        };
        gate.put(disk, &staged(&paper.path(release)), false, text.as_bytes())?;
    }
    tell(observer, total, total)?;
    Ok((written, report.is_none_or(|report| report.verdict.verified)))
}

/// The report of a release whose folder has no name yet. The history already has its entry and its step.
fn report_of(
    analysis: &Analysis,
    package: &Package,
    release: &Path,
    file: &Path,
    entry: Option<&Entry>,
) -> Result<Report, PipelineError> {
    let history = history::of_project(analysis.path()).map_err(PipelineError::record)?;
    let history = match package.sitting {
        Some((place, sitting)) => history.with_sitting(place, sitting.clone()).0,
        None => history,
    };
    let history: History = entry.map_or_else(|| history.clone(), |entry| history.clone().with_release(entry));
    let request = ReportRequest {
        project: package.project,
        release,
        delta: package.export.release.delta(),
        history: None,
        stakes: None,
        at: Moment::now(),
    };
    Report::of_staged(analysis, &request, file, &history).map_err(|error| match error {
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
