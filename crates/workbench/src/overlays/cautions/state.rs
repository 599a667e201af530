//! The list of cautions, from a row on.

use std::sync::Arc;

use crossterm::event::KeyEvent;
use palmtop_flow::session::Place;
use palmtop_search::release::Release;

use crate::kit::scroll::Scroll;
use crate::shared::intent::Intent;

/// The release that a list of cautions is of.
pub(crate) enum Subject {
    /// Where the analyst stands.
    Here,
    /// The one under the cursor, which an export would write.
    Pointed(Place, Arc<Release>),
    /// There is none under the cursor, and why: the list is the project's.
    Nothing(String),
}

/// The open list of cautions.
pub(crate) struct CautionList {
    pub(crate) subject: Subject,
    pub(crate) scroll: Scroll,
}

impl CautionList {
    /// A list from its beginning on.
    pub(crate) fn of(subject: Subject) -> Self {
        Self { subject, scroll: Scroll::default() }
    }

    /// A key: one that does not scroll closes it.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Intent {
        if self.scroll.key(key) { Intent::None } else { Intent::Close }
    }
}
