//! One table of commands: it feeds the keys, the footer and the help.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Something that the analyst can ask for with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Up,
    Down,
    Left,
    Right,
    PageUp,
    PageDown,
    First,
    Last,
    NextPane,
    Undo,
    Redo,
    Pin,
    Strategies,
    Compare,
    Export,
    RunOne,
    RunAll,
    Cancel,
    CancelAll,
    Open,
    Base,
    Forget,
    Help,
    Close,
    Suspend,
    Interrupt,
}

/// Where a command is to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Anywhere,
    Workbench,
    Strategies,
    Compare,
}

/// One line of the table.
pub(crate) struct Binding {
    pub(crate) command: Command,
    pub(crate) place: Place,
    keys: &'static [Key],
    /// The keys, as the footer and the help write them.
    pub(crate) written: &'static str,
    /// A word for the footer; empty for what the footer leaves out.
    pub(crate) short: &'static str,
    /// A sentence for the help.
    pub(crate) long: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Char(char),
    Control(char),
    Code(KeyCode),
}

use Command as C;
use Key::{Char, Code, Control};
use Place as P;

const fn bind(
    command: Command,
    place: Place,
    keys: &'static [Key],
    written: &'static str,
    short: &'static str,
    long: &'static str,
) -> Binding {
    Binding { command, place, keys, written, short, long }
}

/// Every command and its keys.
pub(crate) const TABLE: &[Binding] = &[
    bind(C::Down, P::Anywhere, &[Char('j'), Code(KeyCode::Down)], "j ↓", "", "next row"),
    bind(C::Up, P::Anywhere, &[Char('k'), Code(KeyCode::Up)], "k ↑", "", "previous row"),
    bind(C::PageDown, P::Anywhere, &[Code(KeyCode::PageDown), Control('d')], "PgDn ^D", "", "ten rows on"),
    bind(C::PageUp, P::Anywhere, &[Code(KeyCode::PageUp), Control('u')], "PgUp ^U", "", "ten rows back"),
    bind(C::First, P::Anywhere, &[Code(KeyCode::Home)], "Home", "", "first row"),
    bind(C::Last, P::Anywhere, &[Char('G'), Code(KeyCode::End)], "End G", "", "last row"),
    bind(C::Left, P::Workbench, &[Char('h'), Code(KeyCode::Left)], "h ←", "finer", "one level finer"),
    bind(C::Right, P::Workbench, &[Char('l'), Code(KeyCode::Right)], "l →", "coarser", "one level coarser"),
    bind(C::NextPane, P::Workbench, &[Code(KeyCode::Tab)], "Tab", "pane", "steps or classes"),
    bind(C::Undo, P::Workbench, &[Char('u')], "u", "undo", "back to where you were"),
    bind(C::Redo, P::Workbench, &[Char('U')], "U", "", "on again, after an undo"),
    bind(C::Pin, P::Workbench, &[Char('p')], "p", "pin", "keep this node to compare"),
    bind(C::Strategies, P::Workbench, &[Char('s')], "s", "searches", "the searches"),
    bind(C::Compare, P::Workbench, &[Char('c')], "c", "compare", "side by side"),
    bind(C::Left, P::Strategies, &[Char('h'), Code(KeyCode::Left)], "h ←", "", "the cell to the left"),
    bind(C::Right, P::Strategies, &[Char('l'), Code(KeyCode::Right)], "l →", "", "the cell to the right"),
    bind(C::RunOne, P::Strategies, &[Char('r'), Code(KeyCode::Enter)], "r Enter", "run", "run this search"),
    bind(C::RunAll, P::Strategies, &[Char('a')], "a", "run all", "run all searches"),
    bind(C::Cancel, P::Strategies, &[Char('x')], "x", "stop", "stop it, keep its best"),
    bind(C::CancelAll, P::Strategies, &[Char('X')], "X", "stop all", "stop all searches"),
    bind(C::Open, P::Strategies, &[Char('o')], "o", "open", "show it on the workbench"),
    bind(C::Compare, P::Strategies, &[Char('c')], "c", "compare", "side by side"),
    bind(C::Left, P::Compare, &[Char('h'), Code(KeyCode::Left)], "h ←", "", "the one to the left"),
    bind(C::Right, P::Compare, &[Char('l'), Code(KeyCode::Right)], "l →", "", "the one to the right"),
    bind(C::Base, P::Compare, &[Char('b')], "b", "base", "make it the base"),
    bind(
        C::Open,
        P::Compare,
        &[Char('o'), Code(KeyCode::Enter)],
        "o Enter",
        "open",
        "show it on the workbench",
    ),
    bind(C::Forget, P::Compare, &[Char('x')], "x", "forget", "leave this search out"),
    bind(C::Strategies, P::Compare, &[Char('s')], "s", "searches", "the searches"),
    bind(C::Export, P::Anywhere, &[Char('e')], "e", "export", "write it, verified"),
    bind(C::Help, P::Anywhere, &[Char('?')], "?", "help", "this list"),
    bind(
        C::Close,
        P::Anywhere,
        &[Char('q'), Code(KeyCode::Esc)],
        "q Esc",
        "close",
        "close what is open, or quit",
    ),
    bind(C::Suspend, P::Anywhere, &[Control('z')], "^Z", "", "to the shell; fg comes back"),
    bind(C::Interrupt, P::Anywhere, &[Control('c')], "^C", "", "quit, after a question"),
];

impl Key {
    fn is(self, event: KeyEvent) -> bool {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        match self {
            Self::Char(character) => !control && event.code == KeyCode::Char(character),
            Self::Control(character) => control && event.code == KeyCode::Char(character),
            Self::Code(code) => event.code == code,
        }
    }
}

/// The keys and what they do, in the order of the table: what the README lists.
#[cfg(test)]
pub(crate) fn key_list() -> impl Iterator<Item = (&'static str, &'static str)> {
    TABLE.iter().map(|binding| (binding.written, binding.long))
}

/// The command of a key at a place.
pub(crate) fn command(place: Place, event: KeyEvent) -> Option<Command> {
    let is_meant = |binding: &&Binding| {
        (binding.place == place || binding.place == Place::Anywhere)
            && binding.keys.iter().any(|key| key.is(event))
    };
    TABLE.iter().find(is_meant).map(|binding| binding.command)
}

/// The lines of the table that count at a place.
pub(crate) fn at(place: Place) -> impl Iterator<Item = &'static Binding> {
    TABLE.iter().filter(move |binding| binding.place == place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_means_two_things_at_one_place() {
        for (index, binding) in TABLE.iter().enumerate() {
            for other in &TABLE[index + 1..] {
                let meet = binding.place == other.place
                    || binding.place == Place::Anywhere
                    || other.place == Place::Anywhere;
                let shared = binding.keys.iter().any(|key| other.keys.contains(key));
                assert!(!(meet && shared), "{} and {}", binding.long, other.long);
            }
        }
    }

    #[test]
    fn the_readme_lists_every_key() {
        let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
        for (written, long) in key_list() {
            let line = format!("| `{written}` | {long} |");
            assert!(readme.contains(&line), "the README lacks the line\n{line}");
        }
    }
}
