//! The history of a project: what was done with it, in one file beside it, `NAME.history.toml`.
//!
//! **In** come the analyst's steps and decisions on δ, the searches that ended, the releases and the reports that were written;
//! and, once, the sessions and the register of releases of palmtop 0.1.0. **Out** go undo and resume, the releases made again,
//! and what cautions and reports say of earlier releases, of changes of δ and of searches that were seen. **It has no row, no
//! value and no label of a table**: paths, hashes, levels, names, δ and criteria; its only free texts are the analyst's reasons.
//!
//! A history is a record, not a proof. A report recounts every release, and uses an entry only if the SHA-256 of the file, δ and
//! the hashes of the inputs agree.

mod forms;
mod action;
mod search;
mod decision;
mod sitting;
mod release;
mod written;
mod takeover;
mod entry;
mod file;
mod names;
mod replay;
mod known;
mod elsewhere;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::Arc;

use palmtop_core::located::{Located, LocatedError, Place};
use palmtop_tables::error::DataError;
use palmtop_tables::write::TargetError;

pub use self::action::{Action, UnknownAction};
pub use self::decision::{Decision, Moment, Reason, Stated};
pub use self::entry::{Accepted, AuditRecord, Entry, Recipe, ReportEntry, StepName};
pub use self::file::{Changed, SittingFile, change, guard, kept, of_project, read};
pub(crate) use self::known::{Earlier, without_machine};
pub use self::names::{name_from_project, path_of};
pub(crate) use self::release::Recording;
pub use self::release::{Draft, Wrote, attach, note, tidy, write};
pub use self::replay::{ReplayError, Replayed, release};
pub use self::search::{LoggedStrategy, Search};
pub use self::sitting::{LoggedInput, RecodingRecipe, Sitting, Step};
pub use self::takeover::message as taken_over;
pub use palmtop_project::Grounds;

/// What happened to a project. Each list is in the order of time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// The sittings of the analyst on the workbench.
    pub sittings: Vec<Sitting>,
    /// The reports that were written.
    pub reports: Vec<ReportEntry>,
    releases: Vec<Entry>,
    /// The entries of releases that did not get their names: a program was killed, or is about to name the file.
    unfinished: Vec<Entry>,
    /// The files of palmtop 0.1.0 that were taken over.
    taken: Vec<Taken>,
    /// The files of palmtop 0.1.0 that cannot be read.
    untaken: Vec<Untaken>,
    /// The histories of other projects in the folder; they are not written.
    in_folder: Arc<[OtherProject]>,
}

/// A session or a register of palmtop 0.1.0 that was taken over.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Taken {
    file: String,
    sha256: String,
}

/// A session or a register of palmtop 0.1.0 that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Untaken {
    /// The file.
    pub path: PathBuf,
    /// Whether it is the register of releases, without which nothing is exported.
    pub is_register: bool,
    /// Why it cannot be read, with its place.
    pub why: String,
}

/// A history that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HistoryError {
    /// The file cannot be read, a key is unknown, missing or invalid, or other programs wrote to it during every attempt.
    #[error(transparent)]
    Located(#[from] LocatedError),
    /// The disk refused an operation.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The name of the file is protected or not a regular file.
    #[error(transparent)]
    Target(#[from] TargetError),
}

impl Located for HistoryError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Located(error) => error.places(),
            Self::Data(error) => error.places(),
            Self::Target(error) => error.places(),
        }
    }
}

/// The history of another project in the folder.
#[derive(Clone, Debug, PartialEq)]
struct OtherProject {
    /// The name of its project, such as `q.toml`.
    project: String,
    history: History,
}

/// A sitting that has searched, as cautions name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Searched {
    /// The number of the sitting, from 1.
    pub number: usize,
    /// When its first search fixed δ.
    pub first: Moment,
}

impl History {
    /// The written releases, the oldest first.
    pub fn releases(&self) -> &[Entry] {
        &self.releases
    }

    /// The files of palmtop 0.1.0 that cannot be read.
    pub fn untaken(&self) -> &[Untaken] {
        &self.untaken
    }

    /// Refuses to write while a register of palmtop 0.1.0 cannot be read: its releases would be forgotten.
    ///
    /// # Errors
    /// A [`HistoryError`] that names the register, the place and the remedy.
    pub fn check_taken(&self) -> Result<(), HistoryError> {
        let Some(register) = self.untaken.iter().find(|untaken| untaken.is_register) else { return Ok(()) };
        let problem =
            format!("the register of releases of palmtop 0.1.0 cannot be taken over: {}", register.why);
        Err(LocatedError::new(problem)
            .remedy("correct the file, or move it away if its releases may be forgotten")
            .into())
    }

    /// The newest release with this SHA-256 and name, else the newest with this SHA-256: the file may have been moved.
    pub fn find(&self, sha256: &str, name: Option<&str>) -> Option<&Entry> {
        let of_hash = || self.releases.iter().rev().filter(|entry| entry.sha256 == sha256);
        of_hash().find(|entry| Some(entry.file.as_str()) == name).or_else(|| of_hash().next())
    }

    /// The sittings other than this one that searched before a moment, or at any time. A sitting from which this one goes on is
    /// no other one.
    pub fn searched(&self, other_than: Option<usize>, before: Option<&Moment>) -> Vec<Searched> {
        let own = other_than.and_then(|own| self.sittings.get(own));
        let searched = self.sittings.iter().enumerate().filter_map(|(index, sitting)| {
            let first = sitting.decisions().first()?.at.clone();
            let is_earlier = before.is_none_or(|before| first <= *before);
            let is_own = Some(index) == other_than || own.is_some_and(|own| own.continues(sitting));
            (!is_own && is_earlier).then_some(Searched { number: index + 1, first })
        });
        searched.collect()
    }

    /// How many other searches of all sittings had ended before a moment; each counts once.
    pub fn seen(&self, own: &RecodingRecipe, before: Option<&Moment>) -> usize {
        let mut seen: Vec<&Search> = Vec::new();
        for search in self.sittings.iter().flat_map(|sitting| sitting.searches_before(before)) {
            let is_own = matches!(own, RecodingRecipe::Search(own) if own == search);
            if !is_own && !seen.contains(&search) {
                seen.push(search);
            }
        }
        seen.len()
    }

    /// The newest decision of any sitting up to a moment that is for this δ and has a reason or the input of the advisor.
    pub fn grounds_of(&self, delta: palmtop_core::model::Delta, until: Option<&Moment>) -> Option<&Decision> {
        let decisions =
            self.sittings.iter().flat_map(|sitting| sitting.stated.iter().chain(sitting.decisions()));
        let of_delta = decisions.filter(|decision| decision.delta == delta && decision.is_justified());
        of_delta
            .filter(|decision| until.is_none_or(|until| decision.at <= *until))
            .max_by_key(|decision| &decision.at)
    }

    /// The sitting and the step with this name; without the number of a sitting, of the newest one.
    pub fn step(&self, sitting: Option<usize>, step: usize) -> Option<(StepName, &Step)> {
        let index = sitting.map_or(self.sittings.len(), |number| number).checked_sub(1)?;
        let found = self.sittings.get(index)?.steps().get(step)?;
        Some((StepName { sitting: index, step }, found))
    }
}
