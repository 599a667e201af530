//! The workbench: a loop that waits for a message, updates the state, and draws if something changed.

mod message;
mod commands;
mod keymap;
mod settings;
mod theme;
mod symbols;
mod job;
mod slot;
mod view;
mod class_table;
mod neighbours;
mod runs;
mod bound;
mod difference;
mod lattice_map;
mod lattice_walk;
mod sweep;
mod label_tree;
mod hierarchy_tree;
mod table_pages;
mod saver;
mod session;
mod prompt;
mod palette;
mod delta_dialog;
mod export;
mod copy;
mod hits;
mod app;
mod answers;
mod input;
mod actions;
mod screens;
mod widgets;
mod rehearsal;
mod canvas;
mod decode;
mod keyboard;
mod terminal;
mod bench_frame;

#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use palmtop::pipeline::Overrides;
use palmtop::session::{Log, LogFile};

use self::app::{App, Effect, Opening};
pub(crate) use self::bench_frame::bench_frame;
pub(crate) use self::export::quoted;
use self::job::Jobs;
use self::message::Message;
pub(crate) use self::saver::Home;
pub(crate) use self::settings::Settings;
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
