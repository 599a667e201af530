//! Messages on stderr: escaped. A message that cannot be printed is ignored.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use palmtop_core::text::escape_lines;
use palmtop_flow::caution::Caution;

/// Prints a message: `palmtop: …`.
pub fn message(text: &str) {
    line(&format!("palmtop: {text}"));
}

/// Prints a caution: `palmtop: caution withdrawn: …`.
pub fn caution(caution: &Caution) {
    message(&format!("caution {}: {caution}", caution.name()));
}

/// Prints a question and leaves the cursor after it.
fn ask(question: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(escape_lines(question).as_bytes()).and_then(|()| stderr.flush());
}

/// Whether a person can read a question and answer it: stdin and stderr are terminals.
pub fn is_answered() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Prints a question and reads a line; at the end of the input, the line is empty.
pub fn line_of(question: &str) -> anyhow::Result<String> {
    ask(question);
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    Ok(answer.trim().to_owned())
}

/// Prints one or more lines. A reader that went away or a full disk does not stop the command.
pub fn line(text: &str) {
    // One write, so that lines of several processes on one terminal do not mix.
    let text = format!("{}\n", escape_lines(text.trim_end_matches('\n')));
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
