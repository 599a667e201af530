//! All sessions of one project: the analyst has seen the results of all of them.

use std::path::{Path, PathBuf};

use super::{Log, Moment, Reason, saved};
use palmtop_core::model::Delta;

/// A session of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sibling {
    /// The session file.
    pub path: PathBuf,
    /// The time of the last change; `None` if the file system does not have it.
    pub at: Option<Moment>,
    /// A summary of the session, or the reason why it cannot be read.
    pub log: Result<SiblingLog, String>,
}

/// A summary of a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiblingLog {
    /// The number of steps.
    pub steps: usize,
    /// The number of searches that found a release.
    pub searches: usize,
    /// The time of the first search; `None` if there was none.
    pub first_search: Option<Moment>,
    /// The different δ of all results that the analyst has seen.
    pub deltas: Vec<Delta>,
    /// The reason for this session although the project has an earlier one.
    pub anew: Option<Reason>,
}

impl Sibling {
    /// Whether the session has searched, so that the analyst has seen results.
    pub fn has_searched(&self) -> bool {
        self.log.as_ref().is_ok_and(|log| !log.deltas.is_empty())
    }

    /// Whether the session has searched before a moment, or at any time if there is no moment. A session without a time counts as
    /// earlier.
    pub fn has_searched_before(&self, moment: Option<&Moment>) -> bool {
        let first = self.log.as_ref().ok().and_then(|log| log.first_search.as_ref());
        self.has_searched() && first.zip(moment).is_none_or(|(first, moment)| first <= moment)
    }
}

/// The saved sessions of a project, by their numbers.
pub fn siblings(project: &Path) -> Vec<Sibling> {
    let folder = project.parent().unwrap_or_else(|| Path::new(""));
    let stem = project.file_stem().unwrap_or_default().to_string_lossy();
    let sibling = |path: PathBuf| {
        let at = path.metadata().and_then(|found| found.modified()).ok().map(Moment::of);
        let log = Log::read(&path).map(|log| SiblingLog::of(&log)).map_err(|error| error.to_string());
        Sibling { path, at, log }
    };
    saved(folder, &stem).into_iter().map(sibling).collect()
}

impl SiblingLog {
    fn of(log: &Log) -> Self {
        let mut deltas: Vec<Delta> = Vec::new();
        // The first search fixes δ, so a session without a decision has shown no results.
        let seen = log.decisions().iter().map(|decision| decision.delta);
        for delta in seen.chain(log.searches.iter().map(|search| search.delta)) {
            if !deltas.contains(&delta) {
                deltas.push(delta);
            }
        }
        Self {
            steps: log.steps().len(),
            searches: log.searches.len(),
            first_search: log.decisions().first().map(|decision| decision.at.clone()),
            deltas,
            anew: log.anew.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_session_still_counts_as_a_sibling() {
        let folder = tempfile::tempdir().unwrap();
        let project = folder.path().join("p.toml");
        assert_eq!(siblings(&project), []);
        std::fs::write(folder.path().join("p.session.toml"), "format = 1\nstep = 3\n").unwrap();
        std::fs::write(folder.path().join("q.session.toml"), "").unwrap();
        let found = siblings(&project);
        assert_eq!(found.len(), 1);
        assert!(!found[0].has_searched() && found[0].at.is_some());
        assert!(found[0].log.as_ref().unwrap_err().contains("line"));
    }
}
