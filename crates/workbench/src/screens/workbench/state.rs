//! The state of the workbench: the focused pane, and the step table.

use super::neighbours::{Counted, StepTable};
use crate::kit::slot::Answer;

/// The panes of the workbench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pane {
    Steps,
    Classes,
}

/// The state of the workbench.
pub(crate) struct Workbench {
    pub(crate) pane: Pane,
    /// A row of the step table.
    pub(crate) cursor: usize,
    pub(crate) steps: StepTable,
}

/// A message of the screen's job: counts of neighbours.
pub(crate) type Message = Answer<Counted>;
