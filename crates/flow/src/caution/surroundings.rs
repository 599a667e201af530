//! What was done with a project before: earlier releases, and other sittings that have searched.

use std::path::Path;

use super::{Caution, Key};
use crate::history::{History, Moment, name_from_project};

/// The known facts about a release. The next release of a project has none: its default is empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReleaseFile<'a> {
    /// The file of the release, written or not yet.
    pub file: Option<&'a Path>,
    /// The SHA-256 of the file, if it is written.
    pub sha256: Option<&'a str>,
    /// The place of the sitting in which the release is made.
    pub sitting: Option<usize>,
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
    /// Finds the earlier releases and the other sittings in the history.
    pub fn of(project: &Path, history: &History, release: ReleaseFile) -> Self {
        // A folder that does not exist has no earlier release.
        let name = release.file.and_then(|file| name_from_project(project, file).ok());
        let entry = release.sha256.and_then(|sha256| history.find(sha256, name.as_deref()));
        let earlier = history.earlier_files(entry, name.as_deref());
        let own = release.sitting.or_else(|| Some(entry?.step?.sitting));
        let others = history.searched(own, entry.map(|entry| &entry.at)).into_iter();
        Self {
            earlier_releases: earlier.into_iter().map(without_machine).collect(),
            other_sittings: others
                .map(|found| format!("sitting {} of {}", found.number, found.first))
                .collect(),
            made: entry.map(|entry| entry.at.clone()),
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
