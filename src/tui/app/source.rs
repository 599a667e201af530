//! What to open, and how soon it answers.

use std::path::PathBuf;
use std::time::Duration;

use palmtop::pipeline::Overrides;
use palmtop::session::{Log, LogFile};

use super::settings::Settings;
use crate::tui::kit::terminal::OnExit;
use crate::tui::screens::proposal::state::Begin;
use crate::tui::shared::saver::Home;

/// How long a frame waits for an answer that is about to come.
pub(crate) const ANSWER: Duration = Duration::from_millis(30);

/// A project, or none yet.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
pub(crate) enum What {
    /// A project file.
    Project(PathBuf),
    /// Tables to propose one for.
    Tables(Begin),
}

/// What to open.
pub(crate) struct Source {
    /// The project file, or the tables to propose one for.
    pub(crate) project: What,
    /// δ from the command line.
    pub(crate) overrides: Overrides,
    /// How a command names the project.
    pub(crate) command_name: String,
    /// A line to greet with.
    pub(crate) banner: Option<String>,
    /// How a session names the project, and where sessions lie; none for a built-in project.
    pub(crate) home: Option<(String, Home)>,
    /// The session to go on with.
    pub(crate) resumed: Option<(LogFile, Log)>,
    /// Whether to ask about that: the analyst may begin anew.
    pub(crate) asks_to_go_on: bool,
    /// How it looks, and its keys.
    pub(crate) settings: Settings,
    /// What to do on every way out, signals among them.
    pub(crate) on_exit: OnExit,
}
