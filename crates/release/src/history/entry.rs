//! The entries of a history: a release that was written with what makes it again, and a report.

use std::fmt;
use std::path::{Path, PathBuf};

use super::names::folder_of;
use super::sitting::changed;
use super::{LoggedInput, Moment, RecodingRecipe, Search};
use crate::pipeline::Analysis;
use palmtop_core::model::{Criteria, Delta, Level, Presence};

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
    /// The loss of the release; `None` in older entries.
    pub loss: Option<f64>,
    /// The highest presence that the release achieves; `None` in older entries.
    pub highest: Option<Presence>,
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
    /// The SHA-256 of the caution's sentence: the reason answers the same fact again, and no other. `None` in older entries, and
    /// if no caution was accepted.
    pub fact: Option<String>,
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

impl Entry {
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

    /// Whether the other entry is of the same rows: palmtop and the inputs are the same, and so is the recipe.
    pub(super) fn is_copy(&self, other: &Self) -> bool {
        let recipe = self.recipe.repeatable();
        let is_made_alike = recipe.is_some() && recipe == other.recipe.repeatable();
        is_made_alike && (&self.palmtop, &self.inputs) == (&other.palmtop, &other.inputs)
    }

    /// Whether a person accepted something about the tables that are loaded now: the same files, byte by byte. The project file
    /// itself may be another text.
    pub(crate) fn has_tables_of(&self, analysis: &Analysis) -> bool {
        self.changed_inputs(analysis).iter().all(|path| path == analysis.path())
    }

    /// Whether this node or search made it, and makes it again.
    pub(crate) fn is_of(&self, recipe: &RecodingRecipe) -> bool {
        self.recipe.repeatable() == Some(recipe)
    }

    /// Whether its file has the rows that this recipe gives now.
    pub(super) fn has_rows_of(&self, recipe: &RecodingRecipe, analysis: &Analysis) -> bool {
        self.is_of(recipe)
            && self.palmtop == env!("CARGO_PKG_VERSION")
            && self.changed_inputs(analysis).is_empty()
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
