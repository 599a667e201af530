//! Copies figures and command lines, never a row of a table: through tmux, through the terminal, or to a file.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use palmtop_tables::write::Gate;

use super::message::Message;
use super::state::{App, Effect};
use crate::kit::link::Link;
use crate::kit::words::chain;
use crate::shared::intent::Figures;
use crate::shared::saver::describe_removed;

/// The name of the threads that copy.
const KIND: &str = "copy";

/// A way to the clipboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Through tmux, which drops the escape sequence of the terminal way.
    Tmux,
    /// Through the terminal, with OSC 52.
    Terminal,
    /// To a file, on a console without a clipboard.
    File,
}

impl Way {
    /// The way of this terminal, read from the environment.
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
    /// Copies a text. The text is escaped, so that it controls no terminal into which it is pasted.
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

/// Escapes a text, so that it controls no terminal.
pub(super) fn safe(mut text: Figures) -> Figures {
    text.content = palmtop_core::escape::escape_lines(&text.content).into_owned();
    text
}

fn failed(why: &str) -> Message {
    Message::Status(format!("copying: {why}"))
}

/// Hands a text to tmux, which sets the clipboard of the terminal.
pub(crate) fn to_tmux(link: &Link<Message>, text: Figures) {
    let work = move |link: &Link<Message>| {
        let copied = load_buffer(&text.content);
        let message = match copied {
            Ok(()) => format!("{}: in tmux's buffer, and in the clipboard where tmux may set it", text.what),
            Err(error) => format!("tmux did not take it: {error}"),
        };
        link.send(Message::Status(message));
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

/// Writes a text to a new file in the current folder; only the user can read the file.
pub(crate) fn to_file(link: &Link<Message>, text: Figures) {
    let work = move |link: &Link<Message>| {
        let names = (1_u64..).map(|number| PathBuf::from(format!("palmtop-figures-{number}.txt")));
        let mut gate = Gate::default();
        let message = match gate.put_new(names, text.content.as_bytes()) {
            Ok(path) => format!("{}: written to {}", text.what, path.display()),
            Err(error) => format!("{} could not be written here: {}", text.what, chain(&error)),
        };
        let removed = describe_removed(&gate.take_removed());
        let message = removed.map_or(message.clone(), |removed| format!("{message}; {removed}"));
        link.send(Message::Status(message));
    };
    link.start(KIND, work, |why| failed(&why));
}
