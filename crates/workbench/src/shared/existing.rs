//! The releases and sittings of the project that exist already, as the cautions name them.

use palmtop_flow::caution::{ReleaseFile, Surroundings};
use palmtop_flow::history::{self, Entry, RecodingRecipe};
use palmtop_flow::pipeline::Analysis;
use palmtop_search::release::Release;

use crate::kit::terminal::Keeper as _;
use crate::shared::saver::Saver;

/// The written releases of the history, and the other sittings in which δ was searched.
#[derive(Clone, Debug, Default)]
pub(crate) struct Existing {
    surroundings: Surroundings,
    /// For each earlier release, in the same order: the newest entry of its file. None if an input or palmtop changed since.
    entries: Vec<Option<Entry>>,
}

impl Existing {
    /// Reads the history, after everything that waits for the disk is written. A built-in project has none.
    pub(crate) fn read(analysis: &Analysis, saver: &Saver) -> Self {
        if !saver.is_kept() {
            return Self::default();
        }
        saver.flush();
        // The next export reports a history that cannot be read.
        let history = history::of_project(analysis.path()).unwrap_or_default();
        let file = ReleaseFile { sitting: saver.index(), ..ReleaseFile::default() };
        let newest = |file: &str| history.releases().iter().rev().find(|entry| entry.file == file);
        let is_current = |entry: &&Entry| {
            entry.palmtop == env!("CARGO_PKG_VERSION") && entry.changed_inputs(analysis).is_empty()
        };
        let files = history.earlier_files(None, None);
        let entries = files.into_iter().map(|file| newest(file).filter(is_current).cloned()).collect();
        Self { surroundings: Surroundings::of(analysis.path(), &history, file), entries }
    }

    /// All of them: for the project alone.
    pub(crate) fn surroundings(&self) -> Surroundings {
        self.surroundings.clone()
    }

    /// The surroundings of a release. A file that holds this very release is no other release.
    pub(crate) fn surroundings_of(&self, recipe: &RecodingRecipe, release: &Release) -> Surroundings {
        let Surroundings { earlier_releases, other_sittings, made } = self.surroundings.clone();
        let is_other =
            |entry: &Option<Entry>| !entry.as_ref().is_some_and(|entry| is_of(entry, recipe, release));
        let others = earlier_releases.into_iter().zip(&self.entries).filter(|(_, entry)| is_other(entry));
        Surroundings { earlier_releases: others.map(|(file, _)| file).collect(), other_sittings, made }
    }
}

/// Whether a recipe gives the written release again, under the same δ and the same criteria.
fn is_of(entry: &Entry, recipe: &RecodingRecipe, release: &Release) -> bool {
    let has_policy = entry.delta == release.delta() && entry.criteria == *release.policy.criteria();
    has_policy && entry.recipe.repeatable() == Some(recipe)
}
