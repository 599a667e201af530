//! The cautions of the place where the analyst stands.

use std::sync::Arc;

use palmtop::release::KnowsAlgorithm;
use palmtop::session::Place;

use super::cautions::{Known, Shown};
use super::state::{Message, Shared};

impl Shared {
    /// Counts the cautions of the project, and those of the place if it keeps δ or somebody asks for them.
    pub(crate) fn count_cautions(&mut self, is_asked: bool) {
        let here = self.current_view().filter(|view| is_asked || view.summary.violations() == 0);
        let release = here.map(|view| Arc::clone(view.release()));
        self.cautions.count(&self.link, Message::Cautions, &self.analysis, release.as_ref());
    }

    /// The cautions of the place, as far as they are counted; those of the project alone if its own are not.
    ///
    /// # Errors
    /// Why they cannot be counted.
    pub(crate) fn cautions_here(&self) -> Option<Result<Shown, String>> {
        let here = self.current_view().map(|view| {
            let audit = match &view.place {
                Place::Search(search) => self.audit_of(search, view.release()),
                Place::Node(_) => None,
            };
            Known {
                release: view.release(),
                audited: audit.map(KnowsAlgorithm::of_audit),
                changes: self.log.decisions().len().saturating_sub(1),
            }
        });
        self.cautions.shown(here.as_ref())
    }
}
