//! The keys of commands: the defaults of the table, and the keys of a settings file.

use std::collections::BTreeMap;
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::command::{Binding, Duty};
use super::name::ScreenName;

/// A key that terminals and tmux pass on: a character, a control character, or a named key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Control(char),
    Named(KeyCode),
}

/// The names of keys, and their symbols on the screen.
const NAMED: [(&str, &str, KeyCode); 16] = [
    ("Up", "↑", KeyCode::Up),
    ("Down", "↓", KeyCode::Down),
    ("Left", "←", KeyCode::Left),
    ("Right", "→", KeyCode::Right),
    ("PgUp", "PgUp", KeyCode::PageUp),
    ("PgDn", "PgDn", KeyCode::PageDown),
    ("Home", "Home", KeyCode::Home),
    ("End", "End", KeyCode::End),
    ("Tab", "Tab", KeyCode::Tab),
    ("Enter", "Enter", KeyCode::Enter),
    ("Esc", "Esc", KeyCode::Esc),
    ("Space", "Space", KeyCode::Char(' ')),
    ("Backspace", "Bksp", KeyCode::Backspace),
    ("Delete", "Del", KeyCode::Delete),
    ("Insert", "Ins", KeyCode::Insert),
    ("BackTab", "S-Tab", KeyCode::BackTab),
];

impl Key {
    /// Reads a key's name: `j`, `^D`, `PgDn`, `F5`.
    pub(crate) fn parse(name: &str) -> Option<Self> {
        if let Some((_, _, code)) = NAMED.iter().find(|(known, _, _)| *known == name) {
            return Some(if *code == KeyCode::Char(' ') { Self::Char(' ') } else { Self::Named(*code) });
        }
        let mut characters = name.chars();
        match (characters.next(), characters.next(), characters.next()) {
            (Some(only), None, None) if !only.is_control() => Some(Self::Char(only)),
            // A terminal sends Tab, Enter and Backspace for these keys.
            (Some('^'), Some('i' | 'I' | 'm' | 'M' | 'h' | 'H'), None) => None,
            (Some('^'), Some(letter), None) if letter.is_ascii_alphabetic() => {
                Some(Self::Control(letter.to_ascii_lowercase()))
            }
            (Some('F'), Some(_), _) => {
                let number = name[1..].parse().ok().filter(|number| (1..=12).contains(number));
                number.map(|number| Self::Named(KeyCode::F(number)))
            }
            _ => None,
        }
    }

    fn is(self, event: KeyEvent) -> bool {
        let control = event.modifiers.contains(KeyModifiers::CONTROL);
        match self {
            Self::Char(character) => !control && event.code == KeyCode::Char(character),
            Self::Control(character) => control && event.code == KeyCode::Char(character),
            Self::Named(code) => event.code == code,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(' ') => f.write_str("Space"),
            Self::Char(character) => write!(f, "{character}"),
            Self::Control(character) => write!(f, "^{}", character.to_ascii_uppercase()),
            Self::Named(KeyCode::F(number)) => write!(f, "F{number}"),
            Self::Named(code) => {
                let known = NAMED.iter().find(|(_, _, known)| known == code);
                f.write_str(known.map_or("?", |(_, drawn, _)| drawn))
            }
        }
    }
}

/// A table of commands with the keys of every row.
#[derive(Clone, Debug)]
pub(crate) struct Keymap {
    table: &'static [Binding],
    keys: Vec<Vec<Key>>,
}

/// The reason why a keymap is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeymapError {
    #[error("[keys] has no command `{id}`; the nearest name is `{nearest}`; docs/keys.md lists all names")]
    UnknownCommand { id: String, nearest: &'static str },
    #[error("[keys] `{id}` is now `{today}`; write this name, or remove the line")]
    Renamed { id: String, today: &'static str },
    #[error(
        "[keys] {id}: `{key}` is not a key; expected a character, ^A to ^Z, F1 to F12, or one of {}",
        key_names()
    )]
    UnknownKey { id: String, key: String },
    #[error("[keys] {id}: {key} is reserved, since ^C quits and ^Z suspends; choose another key")]
    Reserved { id: String, key: String },
    #[error(
        "[keys] `{first}` and `{second}` both have the key {key} on one screen; choose another key for one of them"
    )]
    Conflict { first: &'static str, second: &'static str, key: String },
    #[error("[keys] `{id}` needs at least one key; without it a screen cannot be left")]
    NoWayOut { id: &'static str },
}

fn key_names() -> String {
    NAMED.map(|(name, _, _)| name).join(", ")
}

impl Keymap {
    /// The keymap of the defaults.
    pub(crate) fn of(table: &'static [Binding]) -> Self {
        let usual = |binding: &Binding| binding.keys.iter().filter_map(|name| Key::parse(name)).collect();
        Self { table, keys: table.iter().map(usual).collect() }
    }

    /// The defaults, with the keys of some commands replaced: command → names of keys.
    /// # Errors
    /// A [`KeymapError`]: a command or key is unknown, or two commands share a key on one screen.
    pub(crate) fn with(
        table: &'static [Binding],
        changes: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self, KeymapError> {
        let mut keymap = Self::of(table);
        for (id, names) in changes {
            let index = keymap.index_of(id).ok_or_else(|| unknown(table, id))?;
            let key = |name: &String| {
                let unknown = || KeymapError::UnknownKey { id: id.clone(), key: name.clone() };
                match Key::parse(name).ok_or_else(unknown)? {
                    Key::Control(letter @ ('c' | 'z')) if table[index].duty != Duty::Signal(letter) => {
                        Err(KeymapError::Reserved { id: id.clone(), key: name.clone() })
                    }
                    key => Ok(key),
                }
            };
            keymap.keys[index] = names.iter().map(key).collect::<Result<_, _>>()?;
        }
        keymap.check()?;
        Ok(keymap)
    }

    fn check(&self) -> Result<(), KeymapError> {
        for (index, binding) in self.table.iter().enumerate() {
            if matches!(binding.duty, Duty::WayOut | Duty::UnlistedWayOut) && self.keys[index].is_empty() {
                return Err(KeymapError::NoWayOut { id: binding.id });
            }
            for (other_index, other) in self.table.iter().enumerate().skip(index + 1) {
                let meet =
                    binding.screen == other.screen || binding.screen.is_none() || other.screen.is_none();
                let shared = self.keys[index].iter().find(|key| self.keys[other_index].contains(key));
                if let (true, Some(key)) = (meet, shared) {
                    let (first, second, key) = (binding.id, other.id, key.to_string());
                    return Err(KeymapError::Conflict { first, second, key });
                }
            }
        }
        Ok(())
    }

    /// The complete table.
    pub(crate) fn table(&self) -> &'static [Binding] {
        self.table
    }

    /// The name of a screen: that of the command that opens it.
    pub(crate) fn name_of(&self, screen: ScreenName) -> &'static str {
        name_of(self.table, screen)
    }

    /// The rows of the table that hold on a screen; the rows of the screen come first.
    pub(crate) fn on_screen(&self, screen: ScreenName) -> impl Iterator<Item = (usize, &'static Binding)> {
        let is_of_screen = move |line: &(usize, &Binding)| line.1.screen == Some(screen);
        let all = |line: &(usize, &Binding)| line.1.screen.is_none();
        self.table.iter().enumerate().filter(is_of_screen).chain(self.table.iter().enumerate().filter(all))
    }

    /// The row of the table that a key means on a screen.
    pub(crate) fn line(&self, screen: ScreenName, event: KeyEvent) -> Option<usize> {
        let is_meant = |index: &usize| self.keys[*index].iter().any(|key| key.is(event));
        self.on_screen(screen).map(|(index, _)| index).find(is_meant)
    }

    fn index_of(&self, id: &str) -> Option<usize> {
        self.table.iter().position(|binding| binding.id == id)
    }

    /// All keys of a row, as the help shows them.
    pub(crate) fn written(&self, index: usize) -> String {
        self.keys[index].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The first key of a row; empty if it has none.
    pub(crate) fn first(&self, index: usize) -> String {
        self.keys[index].first().map(ToString::to_string).unwrap_or_default()
    }

    /// The last key of a row; empty if it has none. That of a screen is its digit.
    pub(crate) fn last(&self, index: usize) -> String {
        self.keys[index].last().map(ToString::to_string).unwrap_or_default()
    }

    /// The first key of a command, for a hint: `press s`. Without a key, its name for the palette:
    /// `:export`.
    pub(crate) fn hint(&self, id: &str) -> String {
        let index = self.index_of(id);
        debug_assert!(index.is_some(), "no command is called {id}");
        index.map(|index| self.first(index)).filter(|key| !key.is_empty()).unwrap_or_else(|| format!(":{id}"))
    }
}

/// The name of a screen: that of the command that opens it, else the first part of the names of its
/// commands.
pub(crate) fn name_of(table: &[Binding], screen: ScreenName) -> &'static str {
    let opening = table.iter().find(|binding| binding.opens == Some(screen)).map(|binding| binding.id);
    let first = || table.iter().find(|binding| binding.screen == Some(screen)).map(|binding| binding.id);
    opening.or_else(|| first()?.split('.').next()).unwrap_or_default()
}

/// The names of commands in earlier versions, and those of today.
const RENAMED: [(&str, &str); 31] = [
    ("delta", "policy"),
    ("trade-off", "policy"),
    ("trade-off.left", "policy.left"),
    ("trade-off.right", "policy.right"),
    ("trade-off.run", "policy.run"),
    ("trade-off.run-all", "policy.add"),
    ("trade-off.stop", "policy.stop"),
    ("trade-off.take", "policy.edit"),
    ("searches", "releases"),
    ("searches.run", "releases.run"),
    ("searches.run-all", "releases.run-all"),
    ("searches.best", "releases.best"),
    ("searches.stop", "releases.stop"),
    ("searches.stop-all", "releases.stop-all"),
    ("searches.open", "releases.open"),
    ("searches.more", "releases.more"),
    ("searches.seconds", "releases.seconds"),
    ("searches.left", "releases.left"),
    ("searches.right", "releases.right"),
    ("compare", "releases"),
    ("compare.base", "releases.base"),
    ("compare.open", "releases.open"),
    ("compare.forget", "releases.stop"),
    ("risk", "releases"),
    ("risk.open", "releases.open"),
    ("utility", "releases"),
    ("utility.open", "releases.open"),
    ("releases.verify", "files.verify"),
    ("releases.report", "files.report"),
    ("releases.recipient", "files.recipient"),
    ("releases.compose", "files.compose"),
];

/// Why there is no command of this name.
fn unknown(table: &'static [Binding], id: &str) -> KeymapError {
    let id = id.to_owned();
    match RENAMED.iter().find(|(before, _)| *before == id) {
        Some(&(_, today)) => KeymapError::Renamed { id, today },
        None => KeymapError::UnknownCommand { nearest: nearest(table, &id), id },
    }
}

/// The command whose name is most similar to an unknown one.
fn nearest(table: &'static [Binding], id: &str) -> &'static str {
    let shared = |binding: &&Binding| {
        let word = id.rsplit('.').next().unwrap_or(id);
        let start = binding.id.chars().zip(id.chars()).take_while(|(left, right)| left == right).count();
        start + if binding.id.ends_with(word) { 10 } else { 0 }
    };
    table.iter().rev().max_by_key(shared).map_or("help", |binding| binding.id)
}
