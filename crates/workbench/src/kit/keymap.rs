//! The keys of commands: those of their verbs, and the keys of a settings file.

use std::collections::BTreeMap;
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::command::Binding;
use super::name::ScreenName;
use super::verb::{ALPHABET, Verb};

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
    #[error(
        "[keys] has no verb or command `{id}`; the nearest name is `{nearest}`; docs/keys.md lists all names"
    )]
    Unknown { id: String, nearest: &'static str },
    #[error("[keys] `{id}` has the key of the verb `{verb}`; set `{verb}`")]
    HasVerb { id: &'static str, verb: &'static str },
    #[error(
        "[keys] {id}: `{key}` is not a key; expected a character, ^A to ^Z, F1 to F12, or one of {}",
        key_names()
    )]
    UnknownKey { id: String, key: String },
    #[error("[keys] {id}: {key} is reserved, since ^C quits and ^Z suspends; choose another key")]
    Reserved { id: String, key: String },
    #[error("[keys] `{first}` and `{second}` both have the key {key}; choose another key for one of them")]
    Conflict { first: &'static str, second: &'static str, key: String },
    #[error("[keys] `{id}` needs at least one key; without it a screen cannot be left")]
    NoWayOut { id: &'static str },
}

/// Something that has keys: a verb, or a command without a verb.
struct Keyed {
    name: &'static str,
    /// The verb; [`Verb::Listed`] for a command.
    verb: Verb,
    keys: Vec<Key>,
}

fn key_names() -> String {
    NAMED.map(|(name, _, _)| name).join(", ")
}

impl Keymap {
    /// The keymap of the defaults.
    pub(crate) fn of(table: &'static [Binding]) -> Self {
        Self::on(table, &usual())
    }

    /// The defaults, with the keys of some verbs replaced: its name → names of keys. A command without a verb can get
    /// keys, too.
    ///
    /// # Errors
    /// A [`KeymapError`]: a name or key is unknown, or two verbs share a key.
    pub(crate) fn with(
        table: &'static [Binding],
        changes: &BTreeMap<String, Vec<String>>,
    ) -> Result<Self, KeymapError> {
        let mut keyed = usual();
        for (id, names) in changes {
            let (name, verb) = what(table, id)?;
            let key = |name: &String| {
                let unknown = || KeymapError::UnknownKey { id: id.clone(), key: name.clone() };
                match Key::parse(name).ok_or_else(unknown)? {
                    Key::Control('c') if verb != Verb::Quit => Err(reserved(id, name)),
                    Key::Control('z') if verb != Verb::Suspend => Err(reserved(id, name)),
                    key => Ok(key),
                }
            };
            let keys = names.iter().map(key).collect::<Result<_, _>>()?;
            keyed.retain(|other| verb == Verb::Listed || other.verb != verb);
            keyed.push(Keyed { name, verb, keys });
        }
        check(&keyed)?;
        Ok(Self::on(table, &keyed))
    }

    /// A table with these keys.
    fn on(table: &'static [Binding], keyed: &[Keyed]) -> Self {
        let keys_of = |binding: &Binding| {
            let is_meant = |keyed: &&Keyed| match binding.verb {
                Verb::Listed => keyed.verb == Verb::Listed && keyed.name == binding.id,
                verb => keyed.verb == verb,
            };
            keyed.iter().find(is_meant).map(|keyed| keyed.keys.clone()).unwrap_or_default()
        };
        Self { table, keys: table.iter().map(keys_of).collect() }
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

    /// The verb that a key means, on whatever screen.
    pub(crate) fn verb(&self, event: KeyEvent) -> Option<Verb> {
        let is_meant = |index: &usize| {
            self.table[*index].verb != Verb::Listed && self.keys[*index].iter().any(|key| key.is(event))
        };
        (0..self.table.len()).find(is_meant).map(|index| self.table[index].verb)
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

    /// The first key of a command, for a hint: `press r`. Of a screen without a key, that of its tab. Else its name for the
    /// list of commands: `:audit`.
    pub(crate) fn hint(&self, id: &str) -> String {
        let index = self.index_of(id);
        debug_assert!(index.is_some(), "no command is called {id}");
        let of_tab = |index: usize| {
            let tab = self.table[index].tab;
            (0..self.table.len()).find(|&row| tab != Verb::Listed && self.table[row].verb == tab)
        };
        let keys = index.into_iter().chain(index.and_then(of_tab)).map(|index| self.first(index));
        keys.into_iter().find(|key| !key.is_empty()).unwrap_or_else(|| format!(":{id}"))
    }
}

/// The name of a screen: that of the command that opens it, else the first part of the names of its
/// commands.
pub(crate) fn name_of(table: &[Binding], screen: ScreenName) -> &'static str {
    let opening = table.iter().find(|binding| binding.opens == Some(screen)).map(|binding| binding.id);
    let first = || table.iter().find(|binding| binding.screen == Some(screen)).map(|binding| binding.id);
    opening.or_else(|| first()?.split('.').next()).unwrap_or_default()
}

/// The verbs with their keys.
fn usual() -> Vec<Keyed> {
    let keys = |names: &[&str]| names.iter().filter_map(|name| Key::parse(name)).collect();
    ALPHABET.iter().map(|row| Keyed { name: row.name, verb: row.verb, keys: keys(row.keys) }).collect()
}

/// The verb or command of a name.
fn what(table: &'static [Binding], id: &str) -> Result<(&'static str, Verb), KeymapError> {
    if let Some(row) = ALPHABET.iter().find(|row| row.name == id) {
        return Ok((row.name, row.verb));
    }
    let unknown = || KeymapError::Unknown { id: id.to_owned(), nearest: nearest(table, id) };
    let binding = table.iter().find(|binding| binding.id == id).ok_or_else(unknown)?;
    match binding.verb.row() {
        Some(row) => Err(KeymapError::HasVerb { id: binding.id, verb: row.name }),
        None => Ok((binding.id, Verb::Listed)),
    }
}

fn reserved(id: &str, key: &str) -> KeymapError {
    KeymapError::Reserved { id: id.to_owned(), key: key.to_owned() }
}

/// Checks that no key means two things, and that what is open can be closed.
fn check(keyed: &[Keyed]) -> Result<(), KeymapError> {
    for (index, one) in keyed.iter().enumerate() {
        if one.keys.is_empty() && matches!(one.verb, Verb::Close | Verb::All) {
            return Err(KeymapError::NoWayOut { id: one.name });
        }
        for other in &keyed[index + 1..] {
            if let Some(key) = one.keys.iter().find(|key| other.keys.contains(key)) {
                let (first, second, key) = (one.name, other.name, key.to_string());
                return Err(KeymapError::Conflict { first, second, key });
            }
        }
    }
    Ok(())
}

/// The name of a verb or command that is most similar to an unknown one.
fn nearest(table: &'static [Binding], id: &str) -> &'static str {
    let names = ALPHABET.iter().map(|row| row.name).chain(table.iter().map(|binding| binding.id));
    let shared = |name: &&str| {
        let word = id.rsplit('.').next().unwrap_or(id);
        let start = name.chars().zip(id.chars()).take_while(|(left, right)| left == right).count();
        start + if name.ends_with(word) { 10 } else { 0 }
    };
    let names: Vec<&'static str> = names.collect();
    names.into_iter().rev().max_by_key(shared).unwrap_or("here")
}
