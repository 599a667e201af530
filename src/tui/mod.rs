//! The workbench: a loop that waits for a message, updates the state, and draws if something changed.

mod kit;
mod shared;
mod screens;
mod overlays;
mod app;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use palmtop::pipeline::Overrides;
use palmtop::session::{Log, LogFile};

pub(crate) use self::app::bench_frame::bench_frame;
use self::app::message::Message;
pub(crate) use self::app::settings::Settings;
use self::app::{App, Effect, Opening};
use self::kit::job::Jobs;
use self::kit::terminal::{OnExit, Screen};
pub(crate) use self::kit::words::quoted;
pub(crate) use self::shared::saver::Home;

/// What to open.
pub(crate) struct Source {
    /// The project file.
    pub(crate) project: PathBuf,
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
    /// How it looks, and its keys.
    pub(crate) settings: Settings,
    /// What to do on every way out, signals among them.
    pub(crate) on_exit: OnExit,
}

/// How often the screen is drawn again while jobs run.
const TICK: Duration = Duration::from_millis(100);
/// How long a frame waits for an answer that is about to come.
const ANSWER: Duration = Duration::from_millis(30);

/// Opens the workbench; returns the number of the signal that ended it, plus 128, or 0.
pub(crate) fn run(source: Source) -> anyhow::Result<u8> {
    let (sender, messages) = mpsc::channel();
    let mut screen = Screen::enter(source.on_exit, source.settings.symbols, sender.clone())?;
    let jobs = Jobs::new(sender);
    let opening = Opening {
        overrides: source.overrides,
        command_name: source.command_name,
        banner: source.banner,
        home: source.home,
        resumed: source.resumed,
    };
    let mut app = App::new(source.project, opening, source.settings, jobs);
    perform(&mut screen, &mut app)?;
    while !app.is_done() {
        screen.draw(&app)?;
        let mut next = if app.is_busy() {
            messages.recv_timeout(TICK).unwrap_or(Message::Tick)
        } else {
            messages.recv()?
        };
        let began = Instant::now();
        // Whatever else has come meanwhile is handled before the next frame, and what is about to come.
        loop {
            app.update(next);
            perform(&mut screen, &mut app)?;
            let patience = if app.is_about_to_answer() {
                ANSWER.saturating_sub(began.elapsed())
            } else {
                Duration::ZERO
            };
            match messages.recv_timeout(patience) {
                Ok(message) => next = message,
                Err(_) => break,
            }
        }
        screen.keep(app.saver());
    }
    drop(screen);
    match app.into_failure() {
        Some(failure) if failure.is_empty() => Ok(0),
        Some(failure) => Err(anyhow::Error::msg(failure)),
        None => Ok(0),
    }
}

/// Does what only the owner of the terminal can do.
fn perform(screen: &mut Screen, app: &mut App) -> anyhow::Result<()> {
    for effect in app.take_effects() {
        match effect {
            Effect::Suspend => {
                if !screen.suspend()? {
                    "there is no shell above that could continue it, so it goes on"
                        .clone_into(&mut app.status);
                }
            }
            Effect::Redraw => screen.redraw()?,
            Effect::Mouse(on) => screen.listen_to_mouse(on)?,
            Effect::Clipboard(text) => screen.to_clipboard(&text)?,
        }
    }
    Ok(())
}
