//! What was done with a project before: earlier releases, and other sittings that have searched.

use std::path::Path;

use super::{Caution, Key};
use crate::history::{Entry, History, Moment, RecodingRecipe, Searched, name_from_project};
use crate::pipeline::Analysis;
use palmtop_core::model::Delta;

/// A release that is not written yet, as its entry will have it.
#[derive(Clone, Copy, Debug)]
pub struct NextRelease<'a> {
    /// The node or the search that makes it.
    pub recoding: &'a RecodingRecipe,
    /// The δ by which it is judged.
    pub delta: Delta,
    /// The place of the sitting in which it is made; `None` for a command.
    pub sitting: Option<usize>,
    /// Its file, if the name is known.
    pub file: Option<&'a Path>,
    /// The reason for its δ that a command has; on the workbench, a decision has it.
    pub reason: Option<&'a str>,
}

/// A file that is written.
#[derive(Clone, Copy, Debug)]
pub struct WrittenRelease<'a> {
    /// The file.
    pub file: &'a Path,
    /// Its SHA-256.
    pub sha256: &'a str,
    /// The δ by which it is judged.
    pub delta: Delta,
    /// If the history has no entry: the place of the sitting with a step that makes it, and the step's recoding.
    pub found: Option<(usize, &'a RecodingRecipe)>,
}

/// The earlier releases of a project, and its other sittings. **Later releases and searches change neither list**, so a
/// report of the release stays the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The files of earlier releases, each once.
    pub earlier_releases: Vec<String>,
    /// The other sittings that have searched before the release was written, in words.
    pub other_sittings: Vec<String>,
    /// When the release was made, by its entry in the history; `None` if it is made now.
    pub made: Option<Moment>,
}

impl Surroundings {
    /// The releases and the sittings of a project, for its next release: all but the sitting in which it is made.
    pub fn of_project(history: &History, sitting: Option<usize>) -> Self {
        Self::found(history.earlier_files(None, None), history.searched(sitting, None), None)
    }

    /// The surroundings of a release that is made now.
    pub(super) fn of_next(analysis: &Analysis, history: &History, next: &NextRelease) -> Self {
        // A folder that does not exist has no earlier release.
        let name = next.file.and_then(|file| name_from_project(analysis.path(), file).ok());
        let files = history.files_beside(analysis, Some(next.recoding), name.as_deref());
        Self::found(files, history.searched(next.sitting, None), None)
    }

    /// The surroundings of a written file, when it was written; of the next release if the history has no entry of it.
    pub(super) fn of_file(
        history: &History,
        (entry, sitting): (Option<&Entry>, Option<usize>),
        name: Option<&str>,
    ) -> Self {
        match entry {
            Some(entry) => {
                let files = history.other_files(entry, name);
                Self::found(files, history.searched(sitting, Some(&entry.at)), Some(entry.at.clone()))
            }
            None => Self::found(history.earlier_files(None, name), history.searched(sitting, None), None),
        }
    }

    fn found(files: Vec<&str>, sittings: Vec<Searched>, made: Option<Moment>) -> Self {
        let others = sittings.into_iter();
        Self {
            earlier_releases: files.into_iter().map(without_machine).collect(),
            other_sittings: others
                .map(|found| format!("sitting {} of {}", found.number, found.first))
                .collect(),
            made,
        }
    }

    /// The cautions about these files. `of_people` if people have several rows: `compose` and `--beside` refuse such projects.
    pub(super) fn cautions(&self, of_people: bool) -> Vec<Caution> {
        let Self { earlier_releases, other_sittings, .. } = self;
        let mut cautions = Vec::new();
        if !earlier_releases.is_empty() {
            let sentence =
                format!("Another release of the same private table exists: {}.", earlier_releases.join(", "));
            let remedy = if of_people {
                "Publish only one of them: palmtop does not judge two releases together if people have several rows."
            } else {
                "`palmtop compose` judges both together. `anonymize --beside` makes a release that keeps δ together with the other one."
            };
            cautions.push(Caution::new(Key::EarlierRelease, sentence, remedy));
        }
        if !other_sittings.is_empty() {
            let sentence = format!(
                "Another sitting of this project has searched before: {}.",
                other_sittings.join(", ")
            );
            let remedy =
                "Read its decisions in the history: a δ that was chosen after its results promises less.";
            cautions.push(Caution::new(Key::OtherSession, sentence, remedy));
        }
        cautions
    }
}

/// The path of a file in the history. If the file is two or more folders above the project, only its name, so that no report
/// has a path of the machine.
pub(super) fn without_machine(file: &str) -> String {
    if file.starts_with("../../") { file_name(Path::new(file)) } else { file.to_owned() }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
