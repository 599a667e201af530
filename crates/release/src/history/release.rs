//! The releases of a history, and how one is written: first its entry as pending, then the name of its file.

use std::path::{Path, PathBuf};

use super::names::{folder_of, name_from_project};
use super::sitting::inputs_of;
use super::{
    Accepted, AuditRecord, Entry, History, HistoryError, Moment, Recipe, ReportEntry, StepName, change,
};
use crate::pipeline::export::{self, Besides, Exported};
use crate::pipeline::{Analysis, BothRead, Export, ExportObserver, PipelineError, Written};
use palmtop_search::AuditMethod;
use palmtop_search::release::Release;
use palmtop_tables::read::hash_file;
use palmtop_tables::write::{Disk, Gate};

impl ReportEntry {
    /// The entry of a report that was just written, about the release with this SHA-256.
    ///
    /// # Errors
    /// A [`HistoryError`] if the file cannot be read, or its path is not UTF-8.
    pub fn of(project: &Path, report: &Path, reader: &str, release: &str) -> Result<Self, HistoryError> {
        Ok(Self {
            file: name_from_project(project, report)?,
            sha256: hash_file(report)?,
            at: Moment::now(),
            reader: reader.to_owned(),
            release: release.to_owned(),
        })
    }
}

/// Adds a report to the history. Returns the files of palmtop 0.1.0 that were taken over for it.
///
/// # Errors
/// A [`HistoryError`]; then the history is unchanged.
pub fn note(project: &Path, report: &ReportEntry) -> Result<Vec<String>, HistoryError> {
    Ok(change(project, |history| history.reports.push(report.clone()))?.taken)
}

/// The part of an entry that a release itself does not have.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The options that produce the release again.
    pub recipe: Recipe,
    /// The analyst's reason for a δ that differs from the project's.
    pub reason: Option<String>,
    /// The step that made the release.
    pub step: Option<StepName>,
    /// The cautions that were accepted.
    pub accepted: Vec<Accepted>,
}

/// A release that was written, with its entry.
#[derive(Debug)]
pub struct Wrote {
    /// The release.
    pub written: Written,
    /// Both releases, if there is an earlier one.
    pub both: Option<BothRead>,
    /// The entry; `None` if no entry was asked for.
    pub entry: Option<Entry>,
    /// The files of palmtop 0.1.0 that were taken over into the history for it.
    pub taken: Vec<String>,
}

/// Writes a release through a gate, and its entry. The entry is in the history as pending before the file has its name, so that
/// no killed program leaves a release without an entry. Without a draft, no entry is made: a built-in project has no history.
///
/// # Errors
/// The errors of [`export::write_through`], or a [`HistoryError`] in [`PipelineError::Record`]; then no file gets the name.
pub fn write(
    analysis: &Analysis,
    export: Export,
    draft: Option<&Draft>,
    (gate, disk): (&mut Gate, &mut dyn Disk),
    observer: &mut ExportObserver,
) -> Result<Wrote, PipelineError> {
    let mut recording = Recording::new(analysis, draft);
    let mut record = |unnamed: &Path, rows: u64| recording.begin(export, (unnamed, rows));
    let besides = Besides { record: Some(&mut record), is_for_package: false };
    let exported = export::write_recorded(analysis, export, (gate, disk), besides, observer);
    recording.end(exported.is_ok(), &[]);
    let Exported { written, both, .. } = exported?;
    let Recording { entry, taken, .. } = recording;
    Ok(Wrote { written, both, entry, taken })
}

/// The entry of a release while the release is written.
pub(crate) struct Recording<'a> {
    analysis: &'a Analysis,
    draft: Option<&'a Draft>,
    /// The entry, once it is in the history as pending; none without a draft.
    pub(crate) entry: Option<Entry>,
    /// The files of palmtop 0.1.0 that were taken over into the history for it.
    pub(crate) taken: Vec<String>,
}

impl<'a> Recording<'a> {
    /// No entry yet.
    pub(crate) fn new(analysis: &'a Analysis, draft: Option<&'a Draft>) -> Self {
        Self { analysis, draft, entry: None, taken: Vec::new() }
    }

    /// Writes the entry as pending. The export has the path that the file will have.
    ///
    /// # Errors
    /// [`PipelineError::Record`]; then the history is unchanged.
    pub(crate) fn begin(&mut self, export: Export, unnamed: (&Path, u64)) -> Result<(), PipelineError> {
        let Some(draft) = self.draft.cloned() else { return Ok(()) };
        let pending = Entry::of(self.analysis, export, unnamed, draft)?;
        let changed = change(self.analysis.path(), |history| history.begin(pending.clone()));
        self.taken = changed.map_err(PipelineError::record)?.taken;
        self.entry = Some(pending);
        Ok(())
    }

    /// Ends the pending entry, and adds the reports that were written with the release.
    pub(crate) fn end(&self, is_there: bool, reports: &[ReportEntry]) {
        let Some(entry) = &self.entry else { return };
        // The file decides, if this fails: a pending entry whose file is there is one of a release.
        let _ = change(self.analysis.path(), |history| {
            history.end(entry, is_there);
            history.reports.extend_from_slice(reports);
        });
    }
}

/// Removes what killed programs left of packages of a project that have no name, in the project's folder and where its history has
/// a pending entry: the next start does that. Returns what was removed.
pub fn tidy(project: &Path) -> Vec<PathBuf> {
    let Ok(history) = super::of_project(project) else { return Vec::new() };
    let mut gate = Gate::default();
    gate.tidy(folder_of(project));
    for entry in &history.unfinished {
        let path = entry.path(project);
        // A package has its release in a subfolder, and is written beside its own name.
        path.ancestors().skip(1).take(3).for_each(|folder| gate.tidy(folder));
    }
    gate.take_removed()
}

/// Adds to the entry of a written release the step that made it, and the reason for its δ.
///
/// # Errors
/// A [`HistoryError`]; then the entry stays without them.
pub fn attach(
    project: &Path,
    entry: &Entry,
    step: Option<StepName>,
    reason: Option<&str>,
) -> Result<(), HistoryError> {
    let attached = change(project, |history| {
        if let Some(found) = history.releases.iter_mut().rev().find(|found| found.is(entry)) {
            found.step = step;
            found.reason = reason.map(ToOwned::to_owned);
        }
    });
    attached.map(drop)
}

impl History {
    /// Adds a pending entry.
    fn begin(&mut self, entry: Entry) {
        self.unfinished.push(entry);
    }

    /// Ends a pending entry: it becomes a release if its file has the name.
    fn end(&mut self, entry: &Entry, is_there: bool) {
        self.unfinished.retain(|pending| !pending.is(entry));
        if is_there && !self.releases.iter().any(|release| release.is(entry)) {
            self.releases.push(entry.clone());
        }
    }

    /// The history in which an entry is already that of a release.
    pub(crate) fn with_release(mut self, entry: &Entry) -> Self {
        self.end(entry, true);
        self
    }

    /// Makes releases of the pending entries whose files are there. A program that was killed left the others, or one that is
    /// about to name its file; they stay pending.
    pub(super) fn settle(&mut self, project: &Path) {
        let is_there = |entry: &Entry| hash_file(&entry.path(project)).is_ok_and(|now| now == entry.sha256);
        let (there, others): (Vec<Entry>, Vec<Entry>) = self.unfinished.drain(..).partition(is_there);
        self.releases.extend(there);
        self.unfinished = others;
    }
}

impl Entry {
    /// The entry of a release whose verified file has no name yet.
    fn of(
        analysis: &Analysis,
        Export { release, target, .. }: Export,
        (unnamed, rows): (&Path, u64),
        Draft { recipe, reason, step, accepted }: Draft,
    ) -> Result<Self, PipelineError> {
        let project = analysis.path();
        Ok(Self {
            file: name_from_project(project, target).map_err(PipelineError::record)?,
            sha256: hash_file(unnamed)?,
            at: Moment::now(),
            palmtop: env!("CARGO_PKG_VERSION").to_owned(),
            delta: release.policy.delta(),
            reason,
            criteria: release.policy.criteria().clone(),
            is_present: release.is_present(),
            rows,
            withdrawn: release.withdrawn(),
            loss: Some(release.metrics.loss.mean()),
            highest: Some(release.achieved.max),
            recipe,
            inputs: inputs_of(project, analysis.inputs()),
            audit: AuditRecord::of(release),
            accepted,
            step,
        })
    }
}

impl AuditRecord {
    /// The result of a release's audit; `None` if there was no audit, or the audit examined no event.
    fn of(release: &Release) -> Option<Self> {
        let audit = release.audit.as_ref().filter(|audit| audit.method != AuditMethod::None)?;
        Some(Self {
            verdict: release.knows_algorithm().as_str().to_owned(),
            method: audit.given(),
            people: release.knows_algorithm().people_beyond(),
            members: audit.beyond.members,
            doubtful: audit.beyond.doubtful,
            worst: audit.worst,
        })
    }
}
