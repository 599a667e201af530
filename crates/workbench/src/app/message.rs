//! The messages of the loop. Each room defines the messages of its part.

use super::loading::Loaded;
use crate::kit::keyboard::Typed;
use crate::kit::slot::Answer;
use crate::shared::report::Report;
use crate::shared::screen::ScreenReport;
use crate::shared::state;

/// The result of writing settings into the project: a sentence, or the reason why it failed.
pub(crate) type SettingsWritten = Result<String, String>;

/// A message to the loop: an event of the terminal, or a report of a job.
pub(crate) enum Message {
    /// A key, a click, a paste or a new size; or the terminal is lost.
    Typed(Typed),
    /// Time passed while jobs run.
    Tick,
    /// A report of loading a project.
    Loading(Answer<Loaded>),
    /// A job of what all screens share.
    Shared(state::Message),
    /// A job of a screen.
    Screen(ScreenReport),
    /// A job of a window.
    Window(Report),
    /// The end of writing settings into the project file.
    SettingsWritten(Answer<SettingsWritten>),
    /// A sentence for the analyst.
    Status(String),
}
