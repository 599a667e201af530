//! The releases of a history, and how one is written: first its entry as pending, then the name of its file.

use std::fmt;
use std::path::{Path, PathBuf};

use super::sitting::{changed, inputs_of};
use super::{
    History, HistoryError, LoggedInput, Moment, RecodingRecipe, Search, change, folder_of, name_from_project,
};
use crate::pipeline::{Analysis, BothRead, Export, ExportObserver, PipelineError, Written, export};
use palmtop_core::model::{Criteria, Delta, Level};
use palmtop_search::AuditMethod;
use palmtop_search::release::Release;
use palmtop_tables::read::hash_file;
use palmtop_tables::write::{Disk, Gate};

/// A release that was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The file, relative to the folder of the project.
    pub file: String,
    /// The file's SHA-256, in hexadecimal.
    pub sha256: String,
    /// The time at which the release was written.
    pub at: Moment,
    /// The version of palmtop that wrote the release. The searches of another version may find another release.
    pub palmtop: String,
    /// The δ under which the release was judged.
    pub delta: Delta,
    /// The analyst's reason for a δ that is not the project's.
    pub reason: Option<String>,
    /// The enforced criteria other than δ.
    pub criteria: Criteria,
    /// Whether the release keeps δ and every other criterion.
    pub is_present: bool,
    /// The number of rows.
    pub rows: u64,
    /// The number of withdrawn members: they have no row.
    pub withdrawn: u64,
    /// The settings that make the release again.
    pub recipe: Recipe,
    /// The project file, the tables and the hierarchies, with their hashes.
    pub inputs: Vec<LoggedInput>,
    /// The result of an audit; `None` if the release was not audited.
    pub audit: Option<AuditRecord>,
    /// The cautions that were accepted, with their reasons.
    pub accepted: Vec<Accepted>,
    /// The step that made the release; `None` if a command made it, or if the step was not saved.
    pub step: Option<StepName>,
}

/// The settings that make a release again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The node, or the search.
    pub recoding: RecodingRecipe,
    /// In older entries: the k of a baseline, which is gone.
    pub k: Option<u64>,
    /// In older entries: whether the search minimized the error of counting queries. Such a search cannot be made again.
    pub for_use: bool,
    /// Whether the release was made to keep δ together with an earlier one.
    pub has_earlier_release: bool,
}

/// The result of an audit of a release.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    /// The verdict as results name it, such as `audited`.
    pub verdict: String,
    /// The method of the audit, in words.
    pub method: String,
    /// The number of people whose posterior is outside δ; `None` if the audit could not decide.
    pub people: Option<u64>,
    /// The number of members among these people.
    pub members: u64,
    /// The number of further people whose sampled posterior may be outside δ.
    pub doubtful: u64,
    /// The highest posterior, and the number of people who have it.
    pub worst: Option<(f64, u64)>,
}

/// A caution that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The key of the caution.
    pub key: String,
    /// The column or attribute; `None` if the caution is about the release.
    pub subject: Option<String>,
    /// The analyst's reason.
    pub reason: String,
}

/// The name of a step: the sitting, by its place in the history from 0, and the step in it, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepName {
    /// The place of the sitting.
    pub sitting: usize,
    /// The number of the step.
    pub step: usize,
}

impl fmt::Display for StepName {
    /// `2.5`: step 5 of the second sitting.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.sitting + 1, self.step)
    }
}

/// A report that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReportEntry {
    /// The file, relative to the folder of the project.
    pub file: String,
    /// The file's SHA-256.
    pub sha256: String,
    /// The time at which the report was written.
    pub at: Moment,
    /// The reader: `signer` or `recipient`.
    pub reader: String,
    /// The SHA-256 of the release.
    pub release: String,
}

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
    draft: Option<Draft>,
    (gate, disk): (&mut Gate, &mut dyn Disk),
    observer: &mut ExportObserver,
) -> Result<Wrote, PipelineError> {
    let project = analysis.path();
    let mut entry = None;
    let mut taken = Vec::new();
    let mut record = |unnamed: &Path, rows: u64| {
        let Some(draft) = draft.clone() else { return Ok(()) };
        let pending = Entry::of(analysis, export, (unnamed, rows), draft)?;
        let changed =
            change(project, |history| history.begin(pending.clone())).map_err(PipelineError::record)?;
        taken = changed.taken;
        entry = Some(pending);
        Ok(())
    };
    let written = export::write_recorded(analysis, export, gate, disk, &mut record, observer);
    if let Some(entry) = &entry {
        let is_there = written.is_ok();
        // The file decides, if this fails: a pending entry whose file is there is one of a release.
        let _ = change(project, |history| history.end(entry, is_there));
    }
    let (written, both) = written?;
    Ok(Wrote { written, both, entry, taken })
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
            recipe,
            inputs: inputs_of(project, analysis.inputs()),
            audit: AuditRecord::of(release),
            accepted,
            step,
        })
    }

    /// Whether it is the same entry, whatever was added to it since.
    pub(super) fn is(&self, other: &Self) -> bool {
        (&self.file, &self.sha256, &self.at) == (&other.file, &other.sha256, &other.at)
    }

    /// The path of the file, by the path of the project.
    pub fn path(&self, project: &Path) -> PathBuf {
        folder_of(project).join(&self.file)
    }

    /// The path of an input of the entry, by the path of the project.
    pub fn input_path(&self, project: &Path, input: &LoggedInput) -> PathBuf {
        folder_of(project).join(&input.path)
    }

    /// The inputs of a loaded project that differ from the entry: changed, new, or missing.
    pub fn changed_inputs(&self, analysis: &Analysis) -> Vec<PathBuf> {
        changed(&self.inputs, analysis)
    }
}

impl Recipe {
    /// The recipe of a node or a search without further settings.
    pub fn of(recoding: RecodingRecipe) -> Self {
        Self { recoding, k: None, for_use: false, has_earlier_release: false }
    }

    /// The search that made the release; `None` for a node that the analyst chose.
    pub fn search(&self) -> Option<&Search> {
        match &self.recoding {
            RecodingRecipe::Search(search) => Some(search),
            RecodingRecipe::Node(_) => None,
        }
    }

    /// The levels of the released node; `None` for regions.
    pub fn node(&self) -> Option<&[Level]> {
        match &self.recoding {
            RecodingRecipe::Node(levels) => Some(levels),
            RecodingRecipe::Search(search) => search.node.as_deref(),
        }
    }

    /// The node or the search that makes the release again; `None` if the entry does not have enough settings.
    pub fn repeatable(&self) -> Option<&RecodingRecipe> {
        let is_plain = self.k.is_none() && !self.for_use && !self.has_earlier_release;
        let repeats = match &self.recoding {
            RecodingRecipe::Node(_) => true,
            RecodingRecipe::Search(search) => {
                search.repeats() || (search.strategy.known().is_some() && search.node.is_some())
            }
        };
        (is_plain && repeats).then_some(&self.recoding)
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
