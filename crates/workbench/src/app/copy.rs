//! Copying: figures and command lines only, never a row of a table; through tmux, through the terminal, or to a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use palmtop_tables::write::Gate;

use super::message::Message;
use super::state::{App, Effect};
use crate::kit::link::Link;
use crate::kit::words::chain;
use crate::shared::intent::Figures;
use crate::shared::saver::said_of_removed;

/// What its threads are called.
const KIND: &str = "copy";

/// How a copy leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// tmux drops what a program hands to the terminal, but takes it itself.
    Tmux,
    /// OSC 52.
    Terminal,
    /// A console that knows no clipboard.
    File,
}

impl Way {
    /// The way of this terminal, as the environment has it.
    pub(crate) fn of_this_terminal() -> Self {
        let set = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        match set("TERM").and_then(|terminal| terminal.into_string().ok()).as_deref() {
            _ if set("TMUX").is_some() => Self::Tmux,
            None | Some("dumb" | "linux" | "vt100" | "vt220") => Self::File,
            Some(_) => Self::Terminal,
        }
    }
}

impl App {
    /// Copies by whatever way there is. Where it is pasted it must not drive anything either.
    pub(super) fn copy(&mut self, text: Figures) {
        let text = safe(text);
        match Way::of_this_terminal() {
            Way::Tmux => to_tmux(&self.link, text),
            Way::Terminal => {
                self.status = format!("{} handed to the terminal's clipboard (OSC 52)", text.what);
                self.effects.push(Effect::Clipboard(text.content));
            }
            Way::File => to_file(&self.link, text),
        }
    }
}

/// A text that drives no terminal.
pub(super) fn safe(mut text: Figures) -> Figures {
    text.content = palmtop_core::text::escape_lines(&text.content).into_owned();
    text
}

fn failed(why: &str) -> Message {
    Message::Said(format!("copying: {why}"))
}

/// Hands a text to tmux, which passes it on to the terminal's clipboard.
pub(crate) fn to_tmux(link: &Link<Message>, text: Figures) {
    let work = move |link: &Link<Message>| {
        let copied = load_buffer(&text.content);
        let said = match copied {
            Ok(()) => format!("{}: in tmux's buffer, and in the clipboard where tmux may set it", text.what),
            Err(error) => format!("tmux did not take it: {error}"),
        };
        link.send(Message::Said(said));
    };
    link.start(KIND, work, |why| failed(&why));
}

fn load_buffer(content: &str) -> std::io::Result<()> {
    let mut tmux = Command::new("tmux")
        .args(["load-buffer", "-w", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = tmux.stdin.take() {
        stdin.write_all(content.as_bytes())?;
    }
    let status = tmux.wait()?;
    if status.success() { Ok(()) } else { Err(std::io::Error::other(format!("it ended with {status}"))) }
}

/// Writes a text to a new file beside where palmtop was started, for nobody else to read.
pub(crate) fn to_file(link: &Link<Message>, text: Figures) {
    let work = move |link: &Link<Message>| {
        let names = (1_u64..).map(|number| PathBuf::from(format!("palmtop-figures-{number}.txt")));
        let mut gate = Gate::default();
        let said = match gate.put_new(names, text.content.as_bytes()) {
            Ok(path) => format!("{}: written to {}", text.what, path.display()),
            Err(error) => format!("{} could not be written here: {}", text.what, chain(&error)),
        };
        let removed = said_of_removed(&gate.take_removed());
        let said = removed.map_or(said.clone(), |removed| format!("{said}; {removed}"));
        link.send(Message::Said(said));
    };
    link.start(KIND, work, |why| failed(&why));
}
