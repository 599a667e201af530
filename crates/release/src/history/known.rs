//! What the history knows of a release beside its file: what was decided, accepted and written before.

use super::{Accepted, Decision, Entry, History, Moment, RecodingRecipe, Sitting};
use crate::pipeline::Analysis;
use palmtop_core::model::Delta;
use palmtop_tables::read::hash_file;
use std::path::PathBuf;

impl History {
    /// The history with a sitting as it is now, and the sitting's place. `place` is its place in the file; `None` if it is not
    /// saved yet.
    #[must_use]
    pub fn with_sitting(mut self, place: Option<usize>, sitting: Sitting) -> (Self, usize) {
        match place.and_then(|place| self.sittings.get_mut(place)) {
            Some(saved) => *saved = sitting,
            None => self.sittings.push(sitting),
        }
        let place = place.filter(|place| *place < self.sittings.len());
        let last = self.sittings.len() - 1;
        (self, place.unwrap_or(last))
    }

    /// The decisions on δ of all sittings up to a moment, in the order of time. A sitting that goes on from another one has its
    /// decisions, too; they count once.
    pub fn decisions(&self, until: Option<&Moment>) -> Vec<&Decision> {
        let mut all: Vec<&Decision> = Vec::new();
        for sitting in &self.sittings {
            let is_known = |decision: &Decision| {
                all.iter().any(|known| (&known.at, known.delta) == (&decision.at, decision.delta))
            };
            let first = sitting.decisions().iter().position(|decision| !is_known(decision));
            all.extend(first.map_or(&[][..], |first| &sitting.decisions()[first..]));
        }
        all.retain(|decision| until.is_none_or(|until| decision.at <= *until));
        all.sort_by_key(|decision| &decision.at);
        all
    }

    /// What was given for a δ and is in no decision: no search fixed it yet.
    pub fn statements(&self) -> impl Iterator<Item = &Decision> {
        self.sittings.iter().filter_map(|sitting| {
            let stated = sitting.stated.as_ref()?;
            let is_decided = sitting.decisions().iter().any(|decision| decision.stated() == stated.stated());
            (!is_decided).then_some(stated)
        })
    }

    /// How often δ was changed after the first search, the δ of a release included.
    pub fn changes(&self, delta: Delta, until: Option<&Moment>) -> usize {
        let decided = self.decisions(until).into_iter().map(|decision| decision.delta);
        let mut deltas: Vec<Delta> = decided.collect();
        if deltas.is_empty() {
            return 0;
        }
        deltas.push(delta);
        deltas.windows(2).filter(|two| two[0] != two[1]).count()
    }

    /// The files of other releases that were written before a release with this entry and name. A file that has the rows of the
    /// release is no other release.
    pub(crate) fn other_files(&self, entry: &Entry, name: Option<&str>) -> Vec<&str> {
        self.others(Some(entry), name, |other| other.is_copy(entry))
    }

    /// [`other_files`](Self::other_files) of a release that is not written yet, by its recipe; `None` for every release.
    pub(crate) fn files_beside(
        &self,
        analysis: &Analysis,
        recipe: Option<&RecodingRecipe>,
        name: Option<&str>,
    ) -> Vec<&str> {
        self.others(None, name, |other| recipe.is_some_and(|recipe| other.has_rows_of(recipe, analysis)))
    }

    /// The files of other releases of the present T that are there as they were written, for a release that this recipe makes.
    pub fn releases_beside(&self, analysis: &Analysis, recipe: &RecodingRecipe) -> Vec<PathBuf> {
        let names = self.files_beside(analysis, Some(recipe), None);
        self.there(analysis, &names, None)
    }

    /// The files of other releases of the present T that were written before a release with this entry and name, and are there
    /// as they were written.
    pub(crate) fn releases_before(
        &self,
        analysis: &Analysis,
        entry: Option<&Entry>,
        name: Option<&str>,
    ) -> Vec<PathBuf> {
        let names = match entry {
            Some(entry) => self.other_files(entry, name),
            None => self.earlier_files(None, name),
        };
        self.there(analysis, &names, entry)
    }

    /// The files with these names that are there as they were last written, until an entry or now, from the present tables.
    fn there(&self, analysis: &Analysis, names: &[&str], until: Option<&Entry>) -> Vec<PathBuf> {
        let is_before = |other: &&Entry| until.is_none_or(|until| other.at <= until.at);
        let newest =
            |name: &&str| self.releases.iter().rev().filter(is_before).find(|entry| entry.file == *name);
        let of_these = names.iter().filter_map(newest).filter(|entry| entry.has_tables_of(analysis));
        let path = |entry: &Entry| entry.path(analysis.path());
        let is_there = |entry: &&Entry| hash_file(&path(entry)).is_ok_and(|now| now == entry.sha256);
        of_these.filter(is_there).map(path).collect()
    }

    fn others(
        &self,
        entry: Option<&Entry>,
        name: Option<&str>,
        is_copy: impl Fn(&Entry) -> bool,
    ) -> Vec<&str> {
        let mut files = self.earlier_files(entry, name);
        let is_before = |other: &&Entry| entry.is_none_or(|entry| other.at <= entry.at);
        let newest =
            |file: &str| self.releases.iter().rev().filter(is_before).find(|other| other.file == file);
        files.retain(|file| !newest(file).is_some_and(&is_copy));
        files
    }

    /// What was accepted for releases up to this entry, the newest first; for all releases without one. Each acceptance has the
    /// entry of its release.
    pub fn accepted(&self, until: Option<&Entry>) -> impl Iterator<Item = (&Entry, &Accepted)> {
        let last = until.and_then(|until| self.releases.iter().position(|entry| std::ptr::eq(entry, until)));
        let count = last.map_or(self.releases.len(), |last| last + 1);
        let entries = self.releases[..count].iter().rev();
        entries.flat_map(|entry| entry.accepted.iter().map(move |accepted| (entry, accepted)))
    }
}
