//! The register of releases: one file beside the project, with one entry for each release that was written.
//!
//! The register of `clinic.toml` is `clinic.releases.toml`. An entry holds the file's SHA-256, the δ and the criteria that
//! the release was judged by, the hashes of the inputs, what makes the release again, and what an audit found. **It holds
//! no row, no value and no label of a table.** Its only free texts are the analyst's reasons.
//!
//! The register is a record and no proof: a report recounts every release, and it uses an entry only if the SHA-256 of the
//! file, δ and the hashes of the inputs agree.

mod error;
mod file;
mod written;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use crate::pipeline::{Analysis, InputFile};
use crate::session::{LoggedInput, Moment, Place, Search, changed, inputs_of};
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
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// When it was written.
    pub at: Moment,
    /// The palmtop that wrote it: the searches of another version may find another release.
    pub palmtop: String,
    /// The δ that the release was judged by.
    pub delta: Delta,
    /// Why this δ, if it is not the project's and somebody said so.
    pub reason: Option<String>,
    /// What was enforced beside δ.
    pub criteria: Criteria,
    /// Whether the release keeps δ and every other criterion.
    pub is_present: bool,
    /// Its rows.
    pub rows: u64,
    /// How many members are withdrawn: they have no row.
    pub withdrawn: u64,
    /// What makes it again.
    pub recipe: Recipe,
    /// The project file, the tables and the hierarchies, as they were.
    pub inputs: Vec<LoggedInput>,
    /// What an audit of it found, if there was one.
    pub audit: Option<AuditRecord>,
    /// The cautions that were accepted, with their reasons.
    pub accepted: Vec<Accepted>,
    /// The session that it was made in, if that was saved.
    pub session: Option<SessionStep>,
}

/// What makes a release again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipe {
    /// The node, or the search.
    pub place: Place,
    /// What `--k` of a baseline was.
    pub k: Option<u64>,
    /// Whether the error of counting queries was minimized in place of the metric.
    pub for_use: bool,
    /// Whether it was made beside an earlier release.
    pub is_beside: bool,
}

/// What an audit found of a release.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    /// What became of it, as results name it: `audited`, say.
    pub verdict: String,
    /// How the audit was made, in words.
    pub method: String,
    /// The people whose posterior is outside δ; `None` if the audit could not decide.
    pub people: Option<u64>,
    /// The members among them.
    pub members: u64,
    /// Further people whose sampled posterior may be outside δ.
    pub doubtful: u64,
    /// The highest posterior, and how many people have it.
    pub worst: Option<(f64, u64)>,
}

/// A caution that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    /// The key of the caution.
    pub key: String,
    /// The column or attribute that it is about.
    pub subject: Option<String>,
    /// Why it was accepted.
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
}

impl Register {
    /// The newest entry of a file by its SHA-256 and its name; of a file that was moved, by its SHA-256 alone.
    pub fn find_file(&self, sha256: &str, name: Option<&str>) -> Option<&Entry> {
        let of_name = |entry: &&Entry| entry.sha256 == sha256 && Some(entry.file.as_str()) == name;
        self.entries.iter().rev().find(of_name).or_else(|| self.find(sha256))
    }

    /// The files that were written before an entry, each once; all files if there is no entry. A file of the entry's name or
    /// of this name was replaced and is not among them.
    pub fn earlier_files(&self, entry: Option<&Entry>, name: Option<&str>) -> Vec<&str> {
        let mut files: Vec<&str> = Vec::new();
        let before =
            self.entries.iter().take_while(|other| !entry.is_some_and(|own| std::ptr::eq(own, *other)));
        for file in before.map(|other| other.file.as_str()) {
            let is_replaced = Some(file) == name || entry.is_some_and(|own| own.file == file);
            if !is_replaced && !files.contains(&file) {
                files.push(file);
            }
        }
        files
    }
}

impl Entry {
    /// The entry of a release that was just written to `file`; it is of no session, and nothing was accepted.
    ///
    /// # Errors
    /// A [`RegisterError`]: the file cannot be read, or no text names it.
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

    /// The file, from where the project is.
    pub fn path(&self, project: &Path) -> PathBuf {
        folder_of(project).join(&self.file)
    }

    /// The session file, from where the project is.
    pub fn session_path(&self, project: &Path) -> Option<PathBuf> {
        self.session.as_ref().map(|session| folder_of(project).join(&session.file))
    }

    /// The inputs of a loaded project that are not those of the entry: changed, new, or no longer there.
    pub fn changed_inputs(&self, analysis: &Analysis) -> Vec<PathBuf> {
        changed(&self.inputs, analysis)
    }
}

impl Recipe {
    /// What makes a place again, with nothing beside it.
    pub fn of(place: Place) -> Self {
        Self { place, k: None, for_use: false, is_beside: false }
    }

    /// The search that made the release; `None` for a node that the analyst chose.
    pub fn search(&self) -> Option<&Search> {
        match &self.place {
            Place::Search(search) => Some(search),
            Place::Node(_) => None,
        }
    }

    /// The place to go to in order to make the release again; `None` if the entry does not say enough for that.
    pub fn repeatable(&self) -> Option<&Place> {
        let is_plain = self.k.is_none() && !self.for_use && !self.is_beside;
        let repeats = match &self.place {
            Place::Node(_) => true,
            Place::Search(search) => search.repeats() || search.node.is_some(),
        };
        (is_plain && repeats).then_some(&self.place)
    }
}

impl AuditRecord {
    /// What the audit of a release found; `None` without an audit, and if that could not look at anything.
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

/// Guards the register of a project: no export, report or chart overwrites it.
pub fn guard(gate: &mut Gate, project: &Path) {
    gate.guard(Ward::Register, &path_of(project));
}

/// A file as the register names it: the way to it from the folder of the project.
///
/// # Errors
/// A [`RegisterError`] if a folder does not exist, or the way is not UTF-8.
pub fn name_from_project(project: &Path, file: &Path) -> Result<String, RegisterError> {
    let folder = folder_of(project);
    Ok(crate::session::project_beside(folder, file)?)
}

fn folder_of(project: &Path) -> &Path {
    project.parent().unwrap_or_else(|| Path::new(""))
}

impl From<DataError> for RegisterError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}
