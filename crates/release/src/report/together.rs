//! What a release reveals together with the other releases of the same T that the history knows.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::origin::file_name;
use crate::history::{Earlier, Entry, History};
use crate::pipeline::{Analysis, PipelineError, ReadRelease, Together, reading, together};
use palmtop_core::model::Problem;
use palmtop_core::progress::unwatched;
use palmtop_project::compatibility::{Command, Feature};

/// Other releases of the same T, and the number of people outside δ for an attacker who has them and this one. A later release
/// does not change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TogetherSection {
    /// The names of their files that are there as they were written.
    pub files: Vec<String>,
    /// The others: a file that was replaced, moved or changed, or that is of another state of T. Nothing is known of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// The number of people outside δ, by expectation, as `palmtop compose` counts it; `None` if it cannot be counted.
    pub people: Option<u64>,
    /// Why the number is not known; `None` if it is.
    pub unknown: Option<String>,
}

/// The section of a faithful release; `None` without another release, or if people have several rows.
pub(super) fn together(
    analysis: &Analysis,
    problem: &Problem,
    (history, entry, name): (&History, Option<&Entry>, Option<&str>),
    read: Option<&ReadRelease>,
) -> Option<TogetherSection> {
    if analysis.refusal(Feature::Command(Command::Compose)).is_some() {
        return None;
    }
    let (mut paths, mut missing) = (Vec::new(), Vec::new());
    for earlier in history.before(entry, name) {
        match earlier.path(analysis) {
            Some(path) => paths.push(path),
            None => missing.push(earlier),
        }
    }
    let missing = Earlier::files(&missing);
    if paths.is_empty() && missing.is_empty() {
        return None;
    }
    let files = paths.iter().map(|path| file_name(path)).collect();
    if paths.is_empty() {
        return Some(TogetherSection { files, missing, people: None, unknown: None });
    }
    let (people, unknown) = match people_outside(analysis, problem, &paths, read?) {
        Ok(people) => (Some(people), None),
        Err(error) => (None, Some(without_folders(analysis, &error.to_string()))),
    };
    Some(TogetherSection { files, missing, people, unknown })
}

fn people_outside(
    analysis: &Analysis,
    problem: &Problem,
    others: &[PathBuf],
    own: &ReadRelease,
) -> Result<u64, PipelineError> {
    let others = others.iter().map(|path| reading::read(analysis, path));
    let others: Vec<ReadRelease> = others.collect::<Result<_, _>>()?;
    let all: Vec<&ReadRelease> = others.iter().chain([own]).collect();
    let composition = together::of_releases(analysis, &all, Together::default(), &mut unwatched)?;
    Ok(composition.judge(problem.policy().bounds()).people())
}

/// An error without the folder of the project: no report has a path of the machine.
fn without_folders(analysis: &Analysis, error: &str) -> String {
    let folder = analysis.path().parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    if folder.is_empty() { error.to_owned() } else { error.replace(&format!("{folder}/"), "") }
}
