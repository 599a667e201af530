//! The other files of a project: earlier releases, and other sessions that have searched.

use std::path::Path;

use super::{Caution, Key};
use crate::register::{Entry, Register, name_from_project};
use crate::session::{Moment, Sibling, siblings};
use palmtop_tables::write::is_same_file;

/// The known facts about a release. The next release of a project has none: its default is empty.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReleaseFile<'a> {
    /// The file of the release, written or not yet.
    pub file: Option<&'a Path>,
    /// The SHA-256 of the file, if it is written.
    pub sha256: Option<&'a str>,
    /// The session in which the release is made.
    pub session: Option<&'a Path>,
}

/// The earlier releases of a project, and its other sessions. **Later releases and searches change neither list**, so a
/// report of the release stays the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The files of earlier releases, each once.
    pub earlier_releases: Vec<String>,
    /// The files of other sessions that have searched before the release was written.
    pub other_sessions: Vec<String>,
    /// When the release was made, by its entry in the register; `None` if it is made now.
    pub made: Option<Moment>,
}

impl Surroundings {
    /// Finds the earlier releases in the register, and the other sessions in the project's folder.
    pub fn of(project: &Path, register: &Register, release: ReleaseFile) -> Self {
        // A folder that does not exist has no earlier release.
        let name = release.file.and_then(|file| name_from_project(project, file).ok());
        let entry = release.sha256.and_then(|sha256| register.find_file(sha256, name.as_deref()));
        let earlier = register.earlier_files(entry, name.as_deref());
        let sessions = siblings(project);
        let others = sessions.iter().filter(|sibling| is_other(sibling, project, (release.session, entry)));
        Self {
            earlier_releases: earlier.into_iter().map(without_machine).collect(),
            other_sessions: others.map(|sibling| file_name(&sibling.path)).collect(),
            made: entry.map(|entry| entry.at.clone()),
        }
    }

    /// The cautions about these files. `of_people` if people have several rows: `compose` and `--beside` refuse such projects.
    pub(super) fn cautions(&self, of_people: bool) -> Vec<Caution> {
        let Self { earlier_releases, other_sessions, .. } = self;
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
        if !other_sessions.is_empty() {
            let sentence = format!(
                "Another session of this project has searched before: {}.",
                other_sessions.join(", ")
            );
            let remedy = "Read that session: a δ that was chosen after its results promises less.";
            cautions.push(Caution::new(Key::OtherSession, sentence, remedy));
        }
        cautions
    }
}

/// Whether a session is not the release's session, and has searched before the release was written.
fn is_other(sibling: &Sibling, project: &Path, (session, entry): (Option<&Path>, Option<&Entry>)) -> bool {
    let registered = entry.and_then(|entry| entry.session_path(project));
    let mut sessions = session.into_iter().chain(registered.as_deref());
    let is_of_release = sessions.any(|path| is_same_file(path, &sibling.path));
    !is_of_release && sibling.has_searched_before(entry.map(|entry| &entry.at))
}

/// The path of a file in the register. If the file is two or more folders above the project, only its name, so that no report
/// has a path of the machine.
pub(super) fn without_machine(file: &str) -> String {
    if file.starts_with("../../") { file_name(Path::new(file)) } else { file.to_owned() }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
