//! The workbench: a loop that waits for a message, updates the state, and draws if something changed.

mod kit;
mod shared;
mod screens;
mod windows;
mod app;

#[cfg(test)]
mod messages;
#[cfg(test)]
mod testing;

use std::sync::mpsc;
use std::time::{Duration, Instant};

pub use self::app::bench_frame::{FrameFigures, bench_frame};
use self::app::message::Message;
pub use self::app::proposing::Begin;
pub use self::app::registry::{alphabet, commands_without_key, screens as list_of_screens};
pub use self::app::settings::Settings;
use self::app::source::ANSWER;
pub use self::app::source::{Source, What};
use self::app::state::{App, Effect, Opening};
pub use self::kit::chart;
use self::kit::link::Link;
use self::kit::terminal::Screen;

/// How often the screen is drawn again while jobs run.
const TICK: Duration = Duration::from_millis(100);

/// Opens the workbench; returns the number of the signal that ended it, plus 128, or 0.
///
/// # Errors
/// The terminal cannot be used, or the project cannot be loaded.
pub fn run(source: Source) -> anyhow::Result<u8> {
    let (sender, messages) = mpsc::channel();
    let link = Link::new(sender);
    let mut screen = Screen::enter(source.on_exit, source.settings.symbols, link.map(Message::Typed))?;
    let mut opening = Opening {
        overrides: source.overrides,
        command_name: source.command_name,
        banner: source.banner,
        home: source.home,
        resumed: None,
        asks_to_go_on: false,
    };
    if let Some(problem) = opening.find_sitting() {
        opening.banner = Some(problem);
    }
    let mut app = match source.project {
        What::Project(path) => App::new(path, opening, source.settings, link),
        What::Tables(begin) => App::propose(begin, opening, source.settings, link),
    };
    perform(&mut screen, &mut app)?;
    while !app.is_done() {
        if let Some(seen) = screen.draw(|frame| app.draw(frame))? {
            app.seen = seen;
        }
        let mut next = if app.activity().is_busy {
            messages.recv_timeout(TICK).unwrap_or(Message::Tick)
        } else {
            messages.recv()?
        };
        let began = Instant::now();
        // Whatever else has come meanwhile is handled before the next frame, and what is about to come.
        loop {
            app.update(next);
            perform(&mut screen, &mut app)?;
            let patience = if app.activity().is_answering {
                ANSWER.saturating_sub(began.elapsed())
            } else {
                Duration::ZERO
            };
            match messages.recv_timeout(patience) {
                Ok(message) => next = message,
                Err(_) => break,
            }
        }
        screen.keep(app.keeper());
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
