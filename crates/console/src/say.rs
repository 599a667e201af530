//! What is said on stderr: escaped, and never a reason to fail.

use std::io::{self, BufRead, IsTerminal, Write};

use anyhow::Context;
use palmtop_core::text::escape_lines;
use palmtop_flow::caution::Caution;

/// Says something of palmtop's own accord: `palmtop: …`.
pub fn message(text: &str) {
    line(&format!("palmtop: {text}"));
}

/// Says a caution: `palmtop: caution withdrawn: …`.
pub fn caution(caution: &Caution) {
    message(&format!("caution {}: {caution}", caution.name()));
}

/// Asks something, and leaves the cursor behind it.
fn ask(question: &str) {
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(escape_lines(question).as_bytes()).and_then(|()| stderr.flush());
}

/// Whether somebody is there to read a question and to answer it.
pub fn is_answered() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks, and reads a line; the end of the input is an empty one.
pub fn line_of(question: &str) -> anyhow::Result<String> {
    ask(question);
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer).context("cannot read the answer")?;
    Ok(answer.trim().to_owned())
}

/// Says a line, or several. Nobody may be left to read it, or the disk behind it be full; what the command does is done
/// all the same.
pub fn line(text: &str) {
    // One write, so that lines of several processes on one terminal do not mix.
    let text = format!("{}\n", escape_lines(text.trim_end_matches('\n')));
    let mut stderr = std::io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}
