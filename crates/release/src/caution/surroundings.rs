//! What was done with a project before: earlier releases, and other sittings that have searched.

use std::path::Path;

use super::{Caution, Key};
use crate::history::{Earlier, Entry, History, Moment, RecodingRecipe, Searched, name_from_project};
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
    pub fn of_project(history: &History, sitting: Option<usize>) -> Self {
        Self::found(&history.before(None, None), history.searched(sitting, None), None)
    }

    /// The surroundings of a release that is made now.
    pub(super) fn of_next(analysis: &Analysis, history: &History, next: &NextRelease) -> Self {
        // A folder that does not exist has no earlier release.
        let name = next.file.and_then(|file| name_from_project(analysis.path(), file).ok());
        let earlier = history.beside(analysis, Some(next.recoding), name.as_deref());
        Self::found(&earlier, history.searched(next.sitting, None), None)
    }

    /// The surroundings of a written file, when it was written; of the next release if the history has no entry of it.
    pub(super) fn of_file(
        history: &History,
        (entry, sitting): (Option<&Entry>, Option<usize>),
        name: Option<&str>,
    ) -> Self {
        let until = entry.map(|entry| &entry.at);
        Self::found(&history.before(entry, name), history.searched(sitting, until), until.cloned())
    }

    fn found(earlier: &[Earlier], sittings: Vec<Searched>, made: Option<Moment>) -> Self {
        let others = sittings.into_iter();
        Self {
            earlier_releases: Earlier::files(earlier),
            other_sittings: others
                .map(|found| format!("sitting {} of {}", found.number, found.first))
                .collect(),
            made,
        }
    }

    /// Adds what other projects of the folder did with the same T until a moment. `own` is the SHA-256 of the release.
    #[must_use]
    pub fn elsewhere(mut self, of: (&Analysis, &History), until: Option<&Moment>, own: Option<&str>) -> Self {
        let (analysis, history) = of;
        let found = history.elsewhere(analysis, until, own);
        self.earlier_releases.extend(found.releases);
        self.other_sittings.extend(found.sittings);
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
