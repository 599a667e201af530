//! The alphabet of the workbench: a key belongs to a verb, and a verb means the same everywhere.
//!
//! A command is a case of a verb: `files.papers` and `policy.write` both *write*. So no letter can mean two things. What is
//! rarer than these verbs has no key; the list of commands has it.

/// What a key does, on every screen and in every window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Verb {
    /// No key: the command is found in the list.
    Listed,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Left,
    Right,
    Open,
    Data,
    Classes,
    Releases,
    Policy,
    Files,
    Pane,
    Mark,
    Find,
    Next,
    Previous,
    Filter,
    Order,
    Values,
    Run,
    Stop,
    Pin,
    Base,
    Delta,
    Export,
    Write,
    Undo,
    Redo,
    Copy,
    Columns,
    Larger,
    Smaller,
    Here,
    All,
    Cautions,
    Commands,
    Close,
    Redraw,
    Suspend,
    Quit,
}

/// A verb with its keys and its words.
pub(crate) struct VerbRow {
    pub(crate) verb: Verb,
    /// Its name in a keymap.
    pub(crate) name: &'static str,
    /// Its keys, unless a keymap replaces them.
    pub(crate) keys: &'static [&'static str],
    /// What it does, for the documentation.
    pub(crate) does: &'static str,
}

use Verb as V;

const fn verb(verb: Verb, name: &'static str, keys: &'static [&'static str], does: &'static str) -> VerbRow {
    VerbRow { verb, name, keys, does }
}

/// The whole alphabet.
#[rustfmt::skip]
pub(crate) const ALPHABET: &[VerbRow] = &[
    verb(V::Down, "down", &["j", "Down"], "the next row"),
    verb(V::Up, "up", &["k", "Up"], "the row before"),
    verb(V::PageDown, "page-down", &["PgDn", "^D"], "ten rows down"),
    verb(V::PageUp, "page-up", &["PgUp", "^U"], "ten rows up"),
    verb(V::First, "first", &["g", "Home"], "the first row"),
    verb(V::Last, "last", &["G", "End"], "the last row"),
    verb(V::Left, "left", &["h", "Left"], "a level finer on a step, else one column or point to the left"),
    verb(V::Right, "right", &["l", "Right"], "a level coarser on a step, else one column or point to the right"),
    verb(V::Open, "open", &["Enter"], "open, run or answer what is under the cursor"),
    verb(V::Data, "data", &["1"], "tab 1: the tables and hierarchies; again: its next pane"),
    verb(V::Classes, "classes", &["2"], "tab 2: the classes and the steps; again: its next pane"),
    verb(V::Releases, "releases", &["3"], "tab 3: the releases, side by side"),
    verb(V::Policy, "policy", &["4"], "tab 4: δ and the policy"),
    verb(V::Files, "files", &["5"], "tab 5: the written files"),
    verb(V::Pane, "pane", &["Tab"], "the next pane, field or set of columns"),
    verb(V::Mark, "mark", &["Space"], "mark or unmark"),
    verb(V::Find, "find", &["/"], "find"),
    verb(V::Next, "next", &["n"], "the next one found, or the next open question"),
    verb(V::Previous, "previous", &["N"], "the one before"),
    verb(V::Filter, "filter", &["f"], "show only some rows"),
    verb(V::Order, "order", &["o"], "order by the next column"),
    verb(V::Values, "values", &["v"], "show or hide values of T; they are hidden again on leaving"),
    verb(V::Run, "run", &["r"], "run a search, a count, a verification"),
    verb(V::Stop, "stop", &["x"], "stop what runs; else drop the row"),
    verb(V::Pin, "pin", &["p"], "pin to the comparison"),
    verb(V::Base, "base", &["b"], "make it the base of the comparison"),
    verb(V::Delta, "delta", &["d"], "δ and the policy"),
    verb(V::Export, "export", &["e"], "the window of the export"),
    verb(V::Write, "write", &["w"], "write the file that the screen is about"),
    verb(V::Undo, "undo", &["u"], "undo"),
    verb(V::Redo, "redo", &["U"], "redo"),
    verb(V::Copy, "copy", &["y"], "copy the figures"),
    verb(V::Columns, "columns", &["m"], "more or fewer columns"),
    verb(V::Larger, "larger", &["+"], "enlarge the pane"),
    verb(V::Smaller, "smaller", &["-"], "the pane as it was"),
    verb(V::Here, "here", &["?", "F1"], "what can be done here"),
    verb(V::All, "all", &[":"], "everything that can be done"),
    verb(V::Cautions, "cautions", &["!"], "the cautions in full"),
    verb(V::Commands, "commands", &["$"], "what was done, as command lines"),
    verb(V::Close, "close", &["q", "Esc"], "close what is open; q then quits"),
    verb(V::Redraw, "redraw", &["^L"], "draw everything again"),
    verb(V::Suspend, "suspend", &["^Z"], "go to the shell; fg comes back"),
    verb(V::Quit, "quit", &["^C"], "quit, after a question"),
];

impl Verb {
    /// The row of the verb; none if it has no key.
    pub(crate) fn row(self) -> Option<&'static VerbRow> {
        ALPHABET.iter().find(|row| row.verb == self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: One alphabet
    #[test]
    fn the_alphabet_is_small_and_unambiguous() {
        assert!(ALPHABET.len() <= 45, "{}", ALPHABET.len());
        for (index, row) in ALPHABET.iter().enumerate() {
            for other in &ALPHABET[index + 1..] {
                assert!(row.verb != other.verb && row.name != other.name, "{}", row.name);
                assert!(!row.keys.iter().any(|key| other.keys.contains(key)), "{} {}", row.name, other.name);
            }
        }
    }
}
