//! The cautions of the place where the analyst stands, or of a release that is pointed at.

use std::sync::Arc;

use palmtop_flow::session::Place;
use palmtop_search::release::{KnowsAlgorithm, Release};

use super::cautions::{Known, Shown};
use super::state::{Message, Shared};

impl Shared {
    /// Counts the cautions of the project, and those of the place if it keeps δ.
    pub(crate) fn count_cautions(&mut self) {
        let here = self.current_view().filter(|view| view.summary.violations() == 0);
        let release = here.map(|view| Arc::clone(view.release()));
        self.count_cautions_of(release.as_ref());
    }

    /// Counts the cautions of the project and of a release that somebody asks for; another program may have written a release
    /// or a session meanwhile.
    pub(crate) fn count_asked_cautions(&mut self, release: Option<&Arc<Release>>) {
        self.cautions.forget_existing();
        self.count_cautions_of(release);
    }

    fn count_cautions_of(&mut self, release: Option<&Arc<Release>>) {
        self.cautions.count(&self.link, Message::Cautions, (&self.analysis, &self.saver), release);
    }

    /// The cautions of the place, as far as they are counted; those of the project alone if its own are not.
    ///
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn cautions_here(&self) -> Option<Result<Shown, String>> {
        self.cautions_of(self.current_view().map(|view| (&view.place, view.release())))
    }

    /// The cautions of a release, as far as they are counted; those of the project alone without one.
    ///
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn cautions_of(
        &self,
        release: Option<(&Place, &Arc<Release>)>,
    ) -> Option<Result<Shown, String>> {
        let known = release.map(|(place, release)| {
            let audit = match place {
                Place::Search(search) => self.audit_of(search, release),
                Place::Node(_) => None,
            };
            Known {
                place,
                release,
                audited: audit.map(KnowsAlgorithm::of_audit),
                changes: self.log.decisions().len().saturating_sub(1),
            }
        });
        self.cautions.shown(known.as_ref())
    }
}
