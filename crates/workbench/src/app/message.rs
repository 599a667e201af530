//! Everything that can happen to the workbench. Each room names its own part.

use super::loading::Loaded;
use super::registry;
use crate::kit::keyboard::Typed;
use crate::kit::slot::Answer;
use crate::screens::proposal;
use crate::shared::state;
use crate::shared::window::Report;

/// What came of writing δ into the project: a sentence, or why it is not there.
pub(crate) type DeltaWritten = Result<String, String>;

/// Something that happened: a key, or what a job has to say.
pub(crate) enum Message {
    /// A key, a click, a paste, a new size; or the terminal went away.
    Typed(Typed),
    /// Time passed while jobs run.
    Tick,
    /// Loading went on, or ended.
    Loading(Answer<Loaded>),
    /// To what all share.
    Shared(state::Message),
    /// To a screen.
    Screen(registry::Message),
    /// To a window.
    Window(Report),
    /// A job of the proposal.
    Proposal(proposal::state::Message),
    /// δ was written into the project file, or was not.
    DeltaWritten(Answer<DeltaWritten>),
    /// A sentence for the analyst.
    Said(String),
}
