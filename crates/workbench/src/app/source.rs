//! What to open, and how soon it answers.

use std::path::PathBuf;
use std::time::Duration;

use palmtop_flow::pipeline::Overrides;
use palmtop_flow::session::{Log, LogFile};

use super::settings::Settings;
use crate::kit::terminal::OnExit;
use crate::screens::proposal::state::Begin;
use crate::shared::saver::Home;

/// How long a frame waits for an answer that is about to come.
pub(crate) const ANSWER: Duration = Duration::from_millis(30);

/// A project, or none yet.
#[expect(clippy::large_enum_variant, reason = "there is one of them")]
pub enum What {
    /// A project file.
    Project(PathBuf),
    /// Tables to propose one for.
    Tables(Begin),
}

/// What to open.
pub struct Source {
    /// The project file, or the tables to propose one for.
    pub project: What,
    /// δ from the command line.
    pub overrides: Overrides,
    /// How a command names the project.
    pub command_name: String,
    /// A line to greet with.
    pub banner: Option<String>,
    /// How a session names the project, and where sessions lie; none for a built-in project.
    pub home: Option<(String, Home)>,
    /// The session to go on with.
    pub resumed: Option<(LogFile, Log)>,
    /// Whether to ask about that: the analyst may begin anew.
    pub asks_to_go_on: bool,
    /// How it looks, and its keys.
    pub settings: Settings,
    /// What to do on every way out, signals among them.
    pub on_exit: OnExit,
}
