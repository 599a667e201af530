//! The cautions of the current recipe, or of the release under the cursor.

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::{KnowsAlgorithm, Release};

use super::cautions::{Known, Shown};
use super::state::{Message, Shared};

impl Shared {
    /// Counts the cautions of the project, and of the current release if it keeps δ.
    pub(crate) fn count_cautions(&mut self) {
        let here = self.current_view().filter(|view| view.summary.violations() == 0);
        let release = here.map(|view| Arc::clone(view.release()));
        self.count_cautions_of(release.as_ref());
    }

    /// Counts the cautions of the project and of a requested release. Reads the history again,
    /// because another program may have written to it.
    pub(crate) fn count_asked_cautions(&mut self, release: Option<&Arc<Release>>) {
        self.cautions.forget_existing();
        self.count_cautions_of(release);
    }

    fn count_cautions_of(&mut self, release: Option<&Arc<Release>>) {
        self.cautions.count(&self.link, Message::Cautions, (&self.analysis, &self.saver), release);
    }

    /// The cautions of the current release; those of the project alone if the release is not
    /// counted.
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn cautions_here(&self) -> Option<Result<Shown, String>> {
        self.cautions_of(self.current_view().map(|view| (&view.recipe, view.release())))
    }

    /// The cautions of a release; those of the project alone if the release is not counted, or
    /// without a release.
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn cautions_of(
        &self,
        release: Option<(&RecodingRecipe, &Arc<Release>)>,
    ) -> Option<Result<Shown, String>> {
        let known = release.map(|(recipe, release)| {
            let audit = match recipe {
                RecodingRecipe::Search(search) => self.audit_of(search, release),
                RecodingRecipe::Node(_) => None,
            };
            Known { recipe, release, audited: audit.map(KnowsAlgorithm::of_audit) }
        });
        self.cautions.shown((&self.analysis, &self.log), known.as_ref())
    }
}
