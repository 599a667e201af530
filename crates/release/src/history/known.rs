//! What the history knows of a release beside its file: what was decided, accepted and written before.

use super::{Accepted, Decision, Entry, History, Moment, RecodingRecipe, Sitting};
use crate::pipeline::Analysis;
use palmtop_core::model::Delta;
use palmtop_tables::read::hash_file;
use std::path::{Path, PathBuf};

/// A release that was written before another one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Earlier<'a> {
    entry: &'a Entry,
    /// Whether its file was written again, with other rows.
    is_replaced: bool,
}

impl Earlier<'_> {
    /// Its file, if it is there as it was written, and if it has the present T.
    pub(crate) fn path(&self, analysis: &Analysis) -> Option<PathBuf> {
        let path = self.entry.path(analysis.path());
        let is_there = || hash_file(&path).is_ok_and(|now| now == self.entry.sha256);
        let is_it = !self.is_replaced && self.entry.has_tables_of(analysis) && is_there();
        is_it.then_some(path)
    }

    /// Their files in words, each once: `a.csv, b.csv (replaced)`.
    pub(crate) fn files(earlier: &[Self]) -> Vec<String> {
        let mut files: Vec<(&str, usize)> = Vec::new();
        for Earlier { entry, is_replaced } in earlier {
            match files.iter_mut().find(|(file, times)| *file == entry.file && (*times > 0) == *is_replaced) {
                Some((_, times)) => *times += usize::from(*is_replaced),
                None => files.push((&entry.file, usize::from(*is_replaced))),
            }
        }
        let words = files.into_iter().map(|(file, times)| {
            let file = without_machine(file);
            match times {
                0 => file,
                1 => format!("{file} (replaced)"),
                times => format!("{file} (replaced {times} times)"),
            }
        });
        words.collect()
    }
}

/// The path of a file in the history. If the file is two or more folders above the project, only its name, so that no report
/// has a path of the machine.
pub(crate) fn without_machine(file: &str) -> String {
    if file.starts_with("../../") {
        Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned()
    } else {
        file.to_owned()
    }
}

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

    /// The other releases that were written before a release with this entry and name, oldest first. A release with the rows of this
    /// one is no other release.
    pub(crate) fn before(&self, entry: Option<&Entry>, name: Option<&str>) -> Vec<Earlier<'_>> {
        self.earlier(entry, name, |other| entry.is_some_and(|entry| other.is_copy(entry)))
    }

    /// The same of a release that is not written yet, by its recipe; every release without one.
    pub(crate) fn beside(
        &self,
        analysis: &Analysis,
        recipe: Option<&RecodingRecipe>,
        name: Option<&str>,
    ) -> Vec<Earlier<'_>> {
        self.earlier(None, name, |other| recipe.is_some_and(|recipe| other.has_rows_of(recipe, analysis)))
    }

    /// The files of other releases of the present T that are there as they were written, for a release that this recipe makes.
    pub fn releases_beside(&self, analysis: &Analysis, recipe: &RecodingRecipe) -> Vec<PathBuf> {
        let earlier = self.beside(analysis, Some(recipe), None);
        earlier.iter().filter_map(|earlier| earlier.path(analysis)).collect()
    }

    fn earlier(
        &self,
        entry: Option<&Entry>,
        name: Option<&str>,
        is_same: impl Fn(&Entry) -> bool,
    ) -> Vec<Earlier<'_>> {
        let is_entry = |other: &&Entry| entry.is_some_and(|entry| std::ptr::eq(entry, *other));
        let before: Vec<&Entry> = self.releases.iter().take_while(|other| !is_entry(other)).collect();
        let is_own = |file: &str| Some(file) == name || entry.is_some_and(|entry| entry.file == file);
        let is_replaced = |index: usize, file: &str| {
            is_own(file) || before[index + 1..].iter().any(|later| later.file == file)
        };
        let all = before.iter().enumerate();
        let all = all.map(|(index, entry)| Earlier { entry, is_replaced: is_replaced(index, &entry.file) });
        let (replaced, mut found): (Vec<Earlier>, Vec<Earlier>) =
            all.filter(|earlier| !is_same(earlier.entry)).partition(|earlier| earlier.is_replaced);
        for earlier in replaced {
            let is_known = |known: &Entry| known.sha256 == earlier.entry.sha256;
            if !entry.is_some_and(is_known) && !found.iter().any(|other| is_known(other.entry)) {
                found.push(earlier);
            }
        }
        found
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
