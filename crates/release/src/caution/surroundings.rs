//! What was done with a project before: earlier releases, and other sittings that have searched.

use std::path::Path;

use super::{Caution, Key};
use crate::history::{Earlier, Entry, History, Moment, RecodingRecipe, name_from_project};
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
    /// The files of earlier releases, each once, and which of them were replaced.
    pub earlier_releases: Vec<String>,
    /// The other sittings that have searched before the release was written, in words.
    pub other_sittings: Vec<String>,
    /// When the release was made, by its entry in the history; `None` if it is made now.
    pub made: Option<Moment>,
}

impl Surroundings {
    /// The releases and the sittings of a project, for its next release: all but the sitting in which it is made.
    pub fn of_project(analysis: &Analysis, history: &History, sitting: Option<usize>) -> Self {
        Self::default()
            .with_releases(&history.before(None, None))
            .with_others(analysis, history, sitting, None)
    }

    /// The surroundings of a release that is made now.
    pub(super) fn of_next(analysis: &Analysis, history: &History, next: &NextRelease) -> Self {
        // A folder that does not exist has no earlier release.
        let name = next.file.and_then(|file| name_from_project(analysis.path(), file).ok());
        let earlier = history.beside(analysis, Some(next.recoding), name.as_deref());
        Self::default().with_releases(&earlier).with_others(analysis, history, next.sitting, None)
    }

    /// The surroundings of a written file with this SHA-256, when it was written; of the next release if the history has no entry
    /// of it.
    pub(super) fn of_file(
        analysis: &Analysis,
        history: &History,
        (entry, sitting): (Option<&Entry>, Option<usize>),
        name: Option<&str>,
        sha256: &str,
    ) -> Self {
        Self { made: entry.map(|entry| entry.at.clone()), ..Self::default() }
            .with_releases(&history.before(entry, name))
            .with_others(analysis, history, sitting, Some(sha256))
    }

    fn with_releases(self, earlier: &[Earlier]) -> Self {
        Self { earlier_releases: Earlier::files(earlier), ..self }
    }

    /// Adds the other sittings, and what other projects of the folder did with the same T, until the release was made. `own` is
    /// the SHA-256 of the release.
    fn with_others(
        mut self,
        analysis: &Analysis,
        history: &History,
        sitting: Option<usize>,
        own: Option<&str>,
    ) -> Self {
        let until = self.made.as_ref();
        let searched = history.searched(sitting, until).into_iter();
        let elsewhere = history.elsewhere(analysis, until, own);
        let sittings = searched.map(|found| format!("sitting {} of {}", found.number, found.first));
        self.other_sittings = sittings.chain(elsewhere.sittings).collect();
        self.earlier_releases.extend(elsewhere.releases);
        self
    }

    /// The cautions about these files. `of_people` if people have several rows: `compose` and `--beside` refuse such projects.
    pub(super) fn cautions(&self, of_people: bool) -> Vec<Caution> {
        let Self { earlier_releases, other_sittings, .. } = self;
        let mut cautions = Vec::new();
        if !earlier_releases.is_empty() {
            let files = earlier_releases.join(", ");
            let sentence = format!("This project has another release: {files}.");
            let remedy = if of_people {
                "Publish only one of them: palmtop does not judge two releases together if people have several rows."
            } else {
                "`palmtop compose` judges both together. `anonymize --beside` makes a release that keeps δ together with the other one."
            };
            cautions.push(Caution::new(Key::EarlierRelease, sentence, remedy).with(files));
        }
        if !other_sittings.is_empty() {
            let sittings = other_sittings.join(", ");
            let sentence = format!("Another sitting of this project has searched before: {sittings}.");
            let remedy =
                "Read its decisions in the history: a δ that was chosen after its results promises less.";
            cautions.push(Caution::new(Key::OtherSession, sentence, remedy).with(sittings));
        }
        cautions
    }
}
