//! The list of cautions, from a row on.

use std::sync::Arc;

use palmtop_flow::session::Place;
use palmtop_search::release::Release;

use crate::kit::scroll::Scroll;

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
}
