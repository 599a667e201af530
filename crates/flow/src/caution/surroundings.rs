//! What there is of the same project beside a release: earlier releases, and other sessions in which δ was searched.

use std::path::Path;

use super::{Caution, Key};
use crate::register::{Entry, Register, name_from_project};
use crate::session::{Sibling, siblings};
use palmtop_tables::write::is_same_place;

/// A release, as far as it is known; nothing is known of the next release of a project.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReleaseFile<'a> {
    /// The file that it is written to, or will be.
    pub file: Option<&'a Path>,
    /// Its SHA-256, if it is written.
    pub sha256: Option<&'a str>,
    /// The session that it is made in.
    pub session: Option<&'a Path>,
}

/// The earlier releases of a project, and its other sessions. **What comes after a release changes neither**, so a report of
/// the release stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// The files of earlier releases, each once.
    pub earlier_releases: Vec<String>,
    /// The files of other sessions in which δ was searched before.
    pub other_sessions: Vec<String>,
}

impl Surroundings {
    /// Those of a release of a project: what its register and the sessions beside it had before the release was written.
    pub fn of(project: &Path, register: &Register, release: ReleaseFile) -> Self {
        // A folder that does not exist holds no earlier release.
        let name = release.file.and_then(|file| name_from_project(project, file).ok());
        let entry = release.sha256.and_then(|sha256| register.find_file(sha256, name.as_deref()));
        let earlier = register.earlier_files(entry, name.as_deref());
        let sessions = siblings(project);
        let other = sessions.iter().filter(|sibling| is_other(sibling, project, (release.session, entry)));
        Self {
            earlier_releases: earlier.into_iter().map(without_machine).collect(),
            other_sessions: other.map(|sibling| file_name(&sibling.path)).collect(),
        }
    }

    /// What a person has to know of them before signing; `of_people` if people have several rows, which `compose` and
    /// `--beside` refuse.
    pub(super) fn cautions(&self, of_people: bool) -> Vec<Caution> {
        let Self { earlier_releases, other_sessions } = self;
        let mut cautions = Vec::new();
        if !earlier_releases.is_empty() {
            let sentence =
                format!("Another release of the same private table exists: {}.", earlier_releases.join(", "));
            let remedy = if of_people {
                "Publish only one of them: what both tell together is not judged if people have several rows."
            } else {
                "`palmtop compose` judges both together; `anonymize --beside` makes a release that keeps δ with the other one."
            };
            cautions.push(Caution::new(Key::EarlierRelease, sentence, remedy));
        }
        if !other_sessions.is_empty() {
            let sentence =
                format!("δ was searched before in a session of this project: {}.", other_sessions.join(", "));
            let remedy = "Read that session: a δ that was chosen after its results promises less.";
            cautions.push(Caution::new(Key::OtherSession, sentence, remedy));
        }
        cautions
    }
}

/// Whether a session is not the release's, and δ was searched in it before the release was written.
fn is_other(sibling: &Sibling, project: &Path, (session, entry): (Option<&Path>, Option<&Entry>)) -> bool {
    let registered = entry.and_then(|entry| entry.session_path(project));
    let is_own =
        session.into_iter().chain(registered.as_deref()).any(|own| is_same_place(own, &sibling.path));
    !is_own && sibling.has_searched_before(entry.map(|entry| &entry.at))
}

/// A file as the register names it; one that is further away than beside the project's folder has its name alone, so that
/// no report has a path of the machine.
fn without_machine(file: &str) -> String {
    if file.starts_with("../../") { file_name(Path::new(file)) } else { file.to_owned() }
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
