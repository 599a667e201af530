//! Messages on stderr: escaped. A message that cannot be printed is ignored.
//!
//! The messages have two forms. As text, each begins with `palmtop: `. As JSON, for another program, each is one object in
//! one line; its `kind` is `message`, `caution`, `question`, `progress` or `error`.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use palmtop_core::escape::escape_lines;
use palmtop_release::caution::{Caution, Line};
use serde::Serialize;

use crate::fault::{Fault, faults};
use crate::output::in_ascii;

/// Whether messages are JSON.
static IS_JSON: AtomicBool = AtomicBool::new(false);

/// Prints all further messages as JSON.
pub fn use_json() {
    IS_JSON.store(true, Ordering::Relaxed);
}

/// Whether messages are JSON.
pub fn is_json() -> bool {
    IS_JSON.load(Ordering::Relaxed)
}

/// A message as JSON.
#[derive(Serialize)]
struct Message<'a, T: Serialize> {
    kind: &'static str,
    text: &'a str,
    #[serde(flatten)]
    rest: T,
}

/// The fields of a message that has only its text.
#[derive(Serialize)]
struct Nothing {}

/// The fields of a question about a column; empty if it is about both tables.
#[derive(Serialize)]
struct About<'a> {
    attribute: Option<&'a str>,
    remedy: &'a str,
}

/// The share of some work that is done; `total` is 0 if it is unknown.
#[derive(Serialize)]
struct Share {
    done: u64,
    total: u64,
}

/// The positions of an error: those of its first position, and all positions.
#[derive(Serialize)]
struct Positions<'a> {
    #[serde(flatten)]
    first: Option<&'a Fault>,
    positions: &'a [Fault],
}

fn print_json(kind: &'static str, text: &str, rest: impl Serialize) {
    let Ok(json) = serde_json::to_string(&Message { kind, text, rest }) else { return };
    print(&format!("{}\n", in_ascii(&json)));
}

/// Prints a text as it is, in one write: so lines of several processes on one terminal do not mix.
fn print(text: &str) {
    let mut stderr = io::stderr().lock();
    let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
}

/// Prints the error that ends the program.
pub(crate) fn error(error: &anyhow::Error, text: &str) {
    if is_json() {
        let positions = faults(error);
        print_json("error", text, Positions { first: positions.first(), positions: &positions });
    } else {
        message(text);
    }
}

/// Prints a doubtful choice of a proposal, with the alternative. `folded` is the same as lines of a terminal.
pub fn question(attribute: Option<&str>, (text, remedy): (&str, &str), folded: &str) {
    if is_json() {
        print_json("question", text, About { attribute, remedy });
    } else {
        line(folded);
    }
}

/// Prints a message. `folded` is the same as lines of a terminal.
pub fn folded(text: &str, folded: &str) {
    if is_json() { message(text) } else { line(folded) }
}

/// Prints the share that is done, if messages are JSON.
pub(crate) fn progress(text: &str, done: u64, total: u64) {
    print_json("progress", text, Share { done, total });
}

/// Prints a message: `palmtop: …`.
pub fn message(text: &str) {
    if is_json() { line(text) } else { line(&format!("palmtop: {text}")) }
}

/// Prints a caution: `palmtop: caution withdrawn: …`.
pub fn caution(caution: &Caution) {
    if is_json() {
        print_json("caution", &caution.to_string(), caution);
    } else {
        message(&format!("caution {}: {caution}", caution.name()));
    }
}

/// Prints the cautions of a written release, a line each; a report has them in full. As JSON, each is complete.
pub fn cautions<'a>(cautions: impl Iterator<Item = &'a Caution>) {
    let mut is_cut = false;
    for caution in cautions {
        if is_json() {
            print_json("caution", &caution.to_string(), caution);
            continue;
        }
        for line in Line::of(std::slice::from_ref(caution)) {
            message(&format!("caution {}: {line}", caution.name()));
        }
        is_cut = true;
    }
    if is_cut {
        message("annex A of the signer's report has each caution in full, with what to do");
    }
}

/// Prints a question and leaves the cursor after it.
fn ask(question: &str) {
    print(&escape_lines(question));
}

/// Whether a person can read a question and answer it: stdin and stderr are terminals.
pub fn is_answered() -> bool {
    !is_json() && io::stdin().is_terminal() && io::stderr().is_terminal()
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
    let text = text.trim_end_matches('\n');
    if is_json() {
        print_json("message", text, Nothing {});
    } else {
        print(&format!("{}\n", escape_lines(text)));
    }
}
