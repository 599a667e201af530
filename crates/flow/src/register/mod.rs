//! The register of releases: one file in the project's folder, with one entry for each written release.
//!
//! The register of `clinic.toml` is `clinic.releases.toml`. An entry has the file's SHA-256, the δ and the criteria of the
//! verdict, the hashes of the inputs, the recipe that makes the release again, and the result of an audit. **The register
//! has no row, no value and no label of a table.** Its only free texts are the analyst's reasons.
//!
//! The register is a record, not a proof. A report recounts every release, and uses an entry only if the SHA-256 of the
//! file, δ and the hashes of the inputs agree.

mod error;
mod file;
mod written;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::pipeline::{Analysis, InputFile, reduced_name};
use crate::session::{LoggedInput, Moment, RecodingRecipe, Search, changed, inputs_of, session_names};
use palmtop_core::model::{Criteria, Delta, Policy};
use palmtop_search::AuditMethod;
use palmtop_search::release::Release;
use palmtop_tables::error::DataError;
use palmtop_tables::read::hash_file;
use palmtop_tables::write::{Gate, Ward};

pub use self::error::RegisterError;
pub use self::file::{of_project, path_of, record};

/// The releases of a project, in the order in which they were written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Register {
    entries: Vec<Entry>,
}

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
    /// The session in which the release was made, if it was saved.
    pub session: Option<SessionStep>,
}

/// The settings that make a release again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The node, or the search.
    pub recoding: RecodingRecipe,
    /// In older registers: the k of a baseline, which is gone.
    pub k: Option<u64>,
    /// In older registers: whether the search minimized the error of counting queries. Such a search cannot be made again.
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

/// A step of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionStep {
    /// The session file, relative to the folder of the project.
    pub file: String,
    /// The number of the step, from 0.
    pub step: usize,
}

impl Register {
    /// The entries, in the order in which the releases were written.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The newest entry of a file, by its SHA-256.
    pub fn find(&self, sha256: &str) -> Option<&Entry> {
        self.entries.iter().rev().find(|entry| entry.sha256 == sha256)
    }

    /// The newest entry of a file with this SHA-256 and name, else the newest entry with this SHA-256: the file may have been moved.
    pub fn find_file(&self, sha256: &str, name: Option<&str>) -> Option<&Entry> {
        let of_name = |entry: &&Entry| entry.sha256 == sha256 && Some(entry.file.as_str()) == name;
        self.entries.iter().rev().find(of_name).or_else(|| self.find(sha256))
    }

    /// The files that were written before an entry, each once; all files if there is no entry. A file with the name of the
    /// entry, or with `name`, was replaced and is left out.
    pub fn earlier_files(&self, entry: Option<&Entry>, name: Option<&str>) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        let before = self
            .entries
            .iter()
            .take_while(|earlier| !entry.is_some_and(|found| std::ptr::eq(found, *earlier)));
        for file in before.map(|earlier| earlier.file.as_str()) {
            let is_replaced = Some(file) == name || entry.is_some_and(|found| found.file == file);
            if !is_replaced && !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }
}

impl Entry {
    /// The entry of a release that was just written to `file`, without a session and without accepted cautions.
    ///
    /// # Errors
    /// A [`RegisterError`] if the file cannot be read, or its path is not UTF-8.
    pub fn of(
        analysis: &Analysis,
        release: &Release,
        (file, rows): (&Path, u64),
        recipe: Recipe,
    ) -> Result<Self, RegisterError> {
        let judged = (&release.policy, release.is_present());
        let entry = Self::written((analysis.path(), analysis.inputs()), judged, (file, rows), recipe)?;
        Ok(Self { withdrawn: release.withdrawn(), audit: AuditRecord::of(release), ..entry })
    }

    fn written(
        (project, inputs): (&Path, &[InputFile]),
        (policy, is_present): (&Policy, bool),
        (file, rows): (&Path, u64),
        recipe: Recipe,
    ) -> Result<Self, RegisterError> {
        Ok(Self {
            file: name_from_project(project, file)?,
            sha256: hash_file(file)?,
            at: Moment::now(),
            palmtop: env!("CARGO_PKG_VERSION").to_owned(),
            delta: policy.delta(),
            reason: None,
            criteria: policy.criteria().clone(),
            is_present,
            rows,
            withdrawn: 0,
            recipe,
            inputs: inputs_of(project, inputs),
            audit: None,
            accepted: Vec::new(),
            session: None,
        })
    }

    /// The path of the file, by the path of the project.
    pub fn path(&self, project: &Path) -> PathBuf {
        folder_of(project).join(&self.file)
    }

    /// The path of the session file, by the path of the project.
    pub fn session_path(&self, project: &Path) -> Option<PathBuf> {
        self.session.as_ref().map(|session| folder_of(project).join(&session.file))
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

/// Protects the register of a project, its sessions and its reduced P: no export, report or chart overwrites them or takes
/// their names.
pub fn guard(gate: &mut Gate, project: &Path) {
    gate.guard(Ward::Register, &path_of(project));
    for session in &session_names(project) {
        gate.guard(Ward::Session, session);
    }
    gate.guard(Ward::Input, &reduced_name(project));
}

/// The name of a file in the register: its path relative to the project's folder.
///
/// # Errors
/// A [`RegisterError`] if a folder does not exist, or the path is not UTF-8.
pub fn name_from_project(project: &Path, file: &Path) -> Result<String, RegisterError> {
    let folder = folder_of(project);
    Ok(crate::session::relative_project_path(folder, file)?)
}

fn folder_of(project: &Path) -> &Path {
    project.parent().unwrap_or_else(|| Path::new(""))
}

impl From<DataError> for RegisterError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}
