//! The state of the releases: the entries of the history, the selected one, and the results of
//! jobs.

use std::collections::BTreeSet;

use palmtop_release::history::{Entry, Moment, RecodingRecipe};

use super::listing::Listed;
use crate::kit::slot::{Answer, Slot, Task};
use crate::shared::state::Shared;

/// The written releases, newest first, or the reason why there are none.
pub(crate) type Listing = Result<Vec<Listed>, String>;

/// The result of a job: the releases that it is about, by their SHA-256, and a sentence.
#[derive(Clone, Debug)]
pub(crate) struct Done {
    pub(crate) of: BTreeSet<String>,
    pub(crate) what: Work,
    /// Whether the result is good.
    pub(crate) is_good: bool,
    pub(crate) message: String,
    pub(crate) at: Moment,
}

/// What a job does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    Verify,
    Papers,
    Compose,
}

/// A message of the screen's jobs.
pub(crate) enum Message {
    /// The history.
    Listed(Answer<Listing>),
    /// Verifying, reporting, composing.
    Done(Answer<Done>),
}

/// The state of the screen.
pub(crate) struct FilesScreen {
    pub(crate) reading: Slot<Listing>,
    pub(crate) work: Slot<Done>,
    pub(crate) listing: Option<Listing>,
    pub(crate) cursor: usize,
    /// The releases to compose, by their SHA-256.
    pub(crate) marked: BTreeSet<String>,
    /// Whether the list is to be read again, because papers were written.
    pub(crate) is_to_read: bool,
    /// The results, the last of each kind for the same releases.
    pub(crate) done: Vec<Done>,
}

impl FilesScreen {
    /// A screen that nobody has opened.
    pub(super) fn unopened() -> Self {
        Self {
            reading: Slot::new(Task { kind: "history", doing: "reading the history" }),
            work: Slot::new(Task { kind: "release", doing: "recounting the release" }),
            listing: None,
            cursor: 0,
            marked: BTreeSet::new(),
            is_to_read: false,
            done: Vec::new(),
        }
    }

    /// The entries.
    /// # Errors
    /// Why there are none.
    pub(super) fn entries(&self) -> Result<&[Listed], String> {
        match &self.listing {
            None => Err("the history is being read".to_owned()),
            Some(Err(why)) => Err(why.clone()),
            Some(Ok(entries)) if entries.is_empty() => {
                Err("this project has no written release yet".to_owned())
            }
            Some(Ok(entries)) => Ok(entries),
        }
    }

    /// The selected release.
    pub(super) fn selected(&self) -> Result<&Listed, String> {
        let entries = self.entries()?;
        entries.get(self.cursor.min(entries.len() - 1)).ok_or_else(|| "no release is selected".to_owned())
    }

    /// Its entry.
    pub(super) fn pointed(&self) -> Result<&Entry, String> {
        Ok(&self.selected()?.entry)
    }

    /// The results about a release.
    pub(super) fn done_with(&self, entry: &Entry) -> impl Iterator<Item = &Done> {
        self.done.iter().filter(|done| done.of.contains(&entry.sha256))
    }

    /// Marks or unmarks the selected release.
    pub(super) fn mark(&mut self) -> Result<(), String> {
        let sha256 = self.pointed()?.sha256.clone();
        if !self.marked.remove(&sha256) {
            self.marked.insert(sha256);
        }
        Ok(())
    }

    /// The recipe that makes the selected release again.
    pub(super) fn recipe_to_open(&self, shared: &Shared) -> Result<RecodingRecipe, String> {
        let entry = self.pointed()?;
        let recipe =
            entry.recipe.repeatable().ok_or("the history has too little to make this release again here")?;
        let changed = entry.changed_inputs(&shared.analysis);
        if !changed.is_empty() {
            let names: Vec<String> = changed.iter().map(|path| path.display().to_string()).collect();
            return Err(format!("changed since: {}; it would be another release", names.join(", ")));
        }
        if entry.criteria != *shared.problem.policy().criteria() {
            return Err("the project enforces other criteria now; it would be another release".to_owned());
        }
        if entry.delta != shared.delta() {
            let delta = entry.delta;
            let key = shared.key("policy");
            return Err(format!(
                "it was written under δ {}: set this δ first ({key})",
                crate::kit::text::delta(delta)
            ));
        }
        Ok(recipe.clone())
    }

    /// Takes a message of a job; returns a message for the analyst.
    pub(super) fn take(&mut self, message: Message) -> Option<String> {
        match message {
            Message::Listed(answer) => {
                let taken = self.reading.take(answer)?;
                let why = || self.reading.failure().unwrap_or_default().to_owned();
                let listing = taken.unwrap_or_else(|_| Err(why()));
                self.cursor =
                    self.cursor.min(listing.as_ref().map_or(0, |entries| entries.len().saturating_sub(1)));
                self.listing = Some(listing);
                None
            }
            Message::Done(answer) => match self.work.take(answer)? {
                Ok(done) => {
                    self.is_to_read = done.what == Work::Papers;
                    self.done.retain(|other| (&other.of, other.what) != (&done.of, done.what));
                    let message = done.message.clone();
                    self.done.push(done);
                    Some(message)
                }
                Err(message) => Some(message),
            },
        }
    }
}
