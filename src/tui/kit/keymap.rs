//! Which key means which command: the table's own keys, and those that a settings file gives instead.

use std::collections::BTreeMap;
use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::tui::app::commands::{self, Binding, Command, TABLE};
use crate::tui::kit::name::ScreenName;

/// A key that a terminal and tmux let through: a character, a control character, a named key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Char(char),
    Control(char),
    Named(KeyCode),
}

/// The names of keys, and how they are drawn.
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
            // A terminal sends Tab, Enter and Backspace for these.
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

/// The keys of every line of the command table.
#[derive(Clone, Debug)]
pub(crate) struct Keymap {
    keys: Vec<Vec<Key>>,
}

/// Why a keymap is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum KeymapError {
    #[error(
        "[keys] has no command `{id}`; the nearest is `{nearest}`, and palmtop's help (?) names them all"
    )]
    UnknownCommand { id: String, nearest: &'static str },
    #[error(
        "[keys] {id}: `{key}` is no key; expected a character, ^A to ^Z, F1 to F12, or one of {}",
        key_names()
    )]
    UnknownKey { id: String, key: String },
    #[error("[keys] {id}: ^C and ^Z always quit and suspend; give it another key than {key}")]
    Reserved { id: String, key: String },
    #[error(
        "[keys] `{first}` and `{second}` both have the key {key} on one screen; give one of them another"
    )]
    Conflict { first: &'static str, second: &'static str, key: String },
    #[error("[keys] `{id}` has no key left; give it one, since without it there is no way out")]
    NoWayOut { id: &'static str },
}

fn key_names() -> String {
    NAMED.map(|(name, _, _)| name).join(", ")
}

impl Default for Keymap {
    /// The table's own keys.
    fn default() -> Self {
        let own = |binding: &Binding| binding.keys.iter().filter_map(|name| Key::parse(name)).collect();
        Self { keys: TABLE.iter().map(own).collect() }
    }
}

impl Keymap {
    /// The table's keys, with those of some commands replaced: command → names of keys.
    ///
    /// # Errors
    /// A [`KeymapError`]: an unknown command or key, or two commands that would share a key on one screen.
    pub(crate) fn with(changes: &BTreeMap<String, Vec<String>>) -> Result<Self, KeymapError> {
        let mut keymap = Self::default();
        for (id, names) in changes {
            let place = TABLE
                .iter()
                .position(|binding| binding.id == id)
                .ok_or_else(|| KeymapError::UnknownCommand { id: id.clone(), nearest: nearest(id) })?;
            let key = |name: &String| {
                let unknown = || KeymapError::UnknownKey { id: id.clone(), key: name.clone() };
                match Key::parse(name).ok_or_else(unknown)? {
                    Key::Control('c') if TABLE[place].command != Command::Interrupt => {
                        Err(KeymapError::Reserved { id: id.clone(), key: name.clone() })
                    }
                    Key::Control('z') if TABLE[place].command != Command::Suspend => {
                        Err(KeymapError::Reserved { id: id.clone(), key: name.clone() })
                    }
                    key => Ok(key),
                }
            };
            keymap.keys[place] = names.iter().map(key).collect::<Result<_, _>>()?;
        }
        keymap.check()?;
        Ok(keymap)
    }

    fn check(&self) -> Result<(), KeymapError> {
        for (place, binding) in TABLE.iter().enumerate() {
            if matches!(binding.command, Command::Close | Command::Palette) && self.keys[place].is_empty() {
                return Err(KeymapError::NoWayOut { id: binding.id });
            }
            for (other_place, other) in TABLE.iter().enumerate().skip(place + 1) {
                let meet =
                    binding.screen == other.screen || binding.screen.is_none() || other.screen.is_none();
                let shared = self.keys[place].iter().find(|key| self.keys[other_place].contains(key));
                if let (true, Some(key)) = (meet, shared) {
                    let (first, second, key) = (binding.id, other.id, key.to_string());
                    return Err(KeymapError::Conflict { first, second, key });
                }
            }
        }
        Ok(())
    }

    /// The command of a key on a screen.
    pub(crate) fn command(&self, screen: ScreenName, event: KeyEvent) -> Option<Command> {
        let is_meant = |(place, _): &(usize, &Binding)| self.keys[*place].iter().any(|key| key.is(event));
        commands::on_screen(screen).find(is_meant).map(|(_, binding)| binding.command)
    }

    /// All keys of a line of the table, as the help writes them.
    pub(crate) fn written(&self, place: usize) -> String {
        self.keys[place].iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    /// The first key of a line of the table; empty where it has none.
    pub(crate) fn first(&self, place: usize) -> String {
        self.keys[place].first().map(ToString::to_string).unwrap_or_default()
    }

    /// The first key of a command by its id, for a hint: `press s`.
    pub(crate) fn hint(&self, id: &str) -> String {
        let place = TABLE.iter().position(|binding| binding.id == id);
        debug_assert!(place.is_some(), "no command is called {id}");
        place.map(|place| self.first(place)).filter(|key| !key.is_empty()).unwrap_or_else(|| format!(":{id}"))
    }
}

/// The command whose name shares most with a mistyped one.
fn nearest(id: &str) -> &'static str {
    let shared = |binding: &&Binding| {
        let word = id.rsplit('.').next().unwrap_or(id);
        let start = binding.id.chars().zip(id.chars()).take_while(|(left, right)| left == right).count();
        start + if binding.id.ends_with(word) { 10 } else { 0 }
    };
    TABLE.iter().rev().max_by_key(shared).map_or("help", |binding| binding.id)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(changes: &[(&str, &[&str])]) -> Result<Keymap, KeymapError> {
        let names = |keys: &[&str]| keys.iter().map(ToString::to_string).collect();
        Keymap::with(&changes.iter().map(|(id, keys)| ((*id).to_owned(), names(keys))).collect())
    }

    #[test]
    fn every_name_in_the_table_is_a_key_and_no_key_means_two_things_on_one_screen() {
        for binding in TABLE {
            for name in binding.keys {
                assert!(Key::parse(name).is_some(), "{}: {name}", binding.id);
            }
        }
        assert_eq!(Keymap::default().check(), Ok(()));
        let mut ids: Vec<&str> = TABLE.iter().map(|binding| binding.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), TABLE.len(), "every command has a name of its own");
    }

    #[test]
    fn a_keymap_gives_other_keys_and_is_refused_with_the_names_of_what_is_wrong() {
        let keymap = changed(&[("export", &["F5", "^E"])]).unwrap();
        let press = |code, modifiers| keymap.command(ScreenName::Workbench, KeyEvent::new(code, modifiers));
        assert_eq!(press(KeyCode::F(5), KeyModifiers::NONE), Some(Command::Export));
        assert_eq!(press(KeyCode::Char('e'), KeyModifiers::CONTROL), Some(Command::Export));
        assert_eq!(press(KeyCode::Char('e'), KeyModifiers::NONE), None);
        assert_eq!(keymap.hint("export"), "F5");
        for (id, keys, said) in [
            ("export", &["l"][..], "`workbench.coarser` and `export` both have the key l on one screen"),
            ("export", &["Alt-x"], "`Alt-x` is no key; expected a character, ^A to ^Z"),
            ("export", &["^C"], "give it another key than ^C"),
            ("exprot", &["x"], "no command `exprot`; the nearest is `export`"),
            ("close", &[], "`close` has no key left"),
        ] {
            let error = changed(&[(id, keys)]).unwrap_err().to_string();
            assert!(error.contains(said), "{id} {keys:?}: {error}");
        }
        assert!(
            changed(&[("searches.open", &["e"]), ("export", &["E"])]).is_ok(),
            "together they do not meet"
        );
    }

    #[test]
    fn the_readme_lists_every_key() {
        let readme = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"));
        let keymap = Keymap::default();
        let lines = TABLE.iter().enumerate().map(|(place, binding)| {
            format!("| `{}` | `{}` | {} |\n", keymap.written(place), binding.id, binding.long)
        });
        let table = lines.collect::<String>();
        assert!(readme.contains(&format!("|---|---|---|\n{table}\n")), "its table of keys is\n{table}");
    }
}
