//! The workbench: a loop that waits for a message, updates the state, and draws if something changed.

mod message;
mod keys;
mod job;
mod theme;
mod view;
mod neighbours;
mod runs;
mod bound;
mod export;
mod app;
mod actions;
mod screens;
mod widgets;
mod terminal;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use palmtop::pipeline::Overrides;

use self::app::{App, Opening};
pub(crate) use self::export::quoted;
use self::job::Jobs;
use self::message::Message;
use self::terminal::{OnExit, Screen};

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
    /// What to do on every way out, signals among them.
    pub(crate) on_exit: OnExit,
}

/// How often the screen is drawn again while jobs run.
const TICK: Duration = Duration::from_millis(100);

/// Opens the workbench; returns the number of the signal that ended it, plus 128, or 0.
pub(crate) fn run(source: Source) -> anyhow::Result<u8> {
    let (sender, messages) = mpsc::channel();
    let mut screen = Screen::enter(source.on_exit, sender.clone())?;
    let jobs = Jobs::new(sender);
    let opening =
        Opening { overrides: source.overrides, command_name: source.command_name, banner: source.banner };
    let mut app = App::new(source.project, opening, jobs);
    while !app.is_done() {
        screen.draw(&app)?;
        let mut next = if app.is_busy() {
            messages.recv_timeout(TICK).unwrap_or(Message::Tick)
        } else {
            messages.recv()?
        };
        // Whatever else has come meanwhile is handled before the next frame.
        loop {
            let refused = matches!(next, Message::Suspend) && !screen.suspend()?;
            app.update(next);
            if refused {
                "there is no shell above that could continue it, so it goes on".clone_into(&mut app.status);
            }
            match messages.try_recv() {
                Ok(message) => next = message,
                Err(_) => break,
            }
        }
    }
    drop(screen);
    match app.into_failure() {
        Some(failure) => Err(anyhow::Error::msg(failure)),
        None => Ok(0),
    }
}
