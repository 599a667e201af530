//! What the workbench opens.

use std::path::PathBuf;
use std::time::Duration;

use palmtop_release::pipeline::Overrides;

use super::proposing::Begin;
use super::settings::Settings;
use crate::kit::terminal::OnExit;

/// How long a frame waits for the answer to the last key.
pub(crate) const ANSWER: Duration = Duration::from_millis(30);

/// A project, or tables without one.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
pub enum What {
    /// A project file.
    Project(PathBuf),
    /// Tables to propose one for.
    Tables(Begin),
}

/// What to open, and how.
pub struct Source {
    /// The project file, or the tables to propose one for.
    pub project: What,
    /// The options of the command line that override the project.
    pub overrides: Overrides,
    /// How a command names the project.
    pub command_name: String,
    /// The first line of the status, instead of the loading time.
    pub banner: Option<String>,
    /// The project file, whose history is kept; `None` for a built-in project.
    pub home: Option<PathBuf>,
    /// The colours, symbols, mouse and keys.
    pub settings: Settings,
    /// What to do on every exit, also on a signal.
    pub on_exit: OnExit,
}
