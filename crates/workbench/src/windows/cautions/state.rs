//! The list of cautions: its release, and the first row shown.

use std::sync::Arc;

use palmtop_release::history::RecodingRecipe;
use palmtop_search::release::Release;

use crate::kit::scroll::Scroll;

/// The release of a list of cautions.
pub(crate) enum Subject {
    /// The release of the current recipe.
    Here,
    /// The release under the cursor, which an export would write.
    Pointed(RecodingRecipe, Arc<Release>),
    /// No release is under the cursor, for this reason: the list has the cautions of the project.
    Nothing(String),
}

/// The open list of cautions.
pub(crate) struct CautionList {
    pub(crate) subject: Subject,
    pub(crate) scroll: Scroll,
}

impl CautionList {
    /// A list, shown from its first row.
    pub(crate) fn of(subject: Subject) -> Self {
        Self { subject, scroll: Scroll::default() }
    }
}
