//! The list of screens. It decides which screen gets a key, a click, a message or a change, and it makes the command table.

use std::sync::LazyLock;

use super::commands;
use super::mounted::{AnyScreen, Mounted};
use crate::kit::command::{Binding, Duty, Row};
use crate::kit::hits::Hits;
use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::screens;
use crate::screens::proposal::state::ProposalScreen;
use crate::shared::intent::Intent;
use crate::shared::screen::Screen;
use crate::shared::state::Shared;

macro_rules! screens {
    ($($Name:ident, $field:ident: $Type:ty;)*) => {
        /// Every screen.
        pub(crate) struct Screens {
            $(pub(crate) $field: Mounted<$Type>,)*
        }

        /// A message of a job of a screen.
        pub(crate) enum Message {
            $($Name(<$Type as Screen>::Message),)*
        }

        impl Screens {
            /// Makes every screen, before any of them was open.
            pub(crate) fn new(shared: &Shared, link: &Link<Message>) -> Self {
                Self {
                    $($field: Mounted { screen: Screen::new(shared), link: link.map(Message::$Name) },)*
                }
            }

            /// The screen of a name.
            pub(crate) fn get(&self, name: ScreenName) -> &dyn AnyScreen {
                match name {
                    $(ScreenName::$Name => &self.$field,)*
                    // The first screen after a proposal.
                    ScreenName::Proposal => &self.workbench,
                }
            }

            /// The screen of a name, to act on it.
            pub(crate) fn get_mut(&mut self, name: ScreenName) -> &mut dyn AnyScreen {
                match name {
                    $(ScreenName::$Name => &mut self.$field,)*
                    ScreenName::Proposal => &mut self.workbench,
                }
            }

            /// Hands a message to its screen.
            pub(crate) fn update(&mut self, shared: &Shared, seen: &Hits, message: Message) -> Intent {
                match message {
                    $(Message::$Name(message) => self.$field.update(shared, seen, message),)*
                }
            }
        }

        /// All screens, in the order of their keys.
        pub(crate) const NAMES: &[ScreenName] = &[$(ScreenName::$Name),*];

        /// The command table: the commands of each screen, then those that hold on every screen.
        static TABLE: LazyLock<(Vec<Binding>, Vec<Command>)> = LazyLock::new(|| {
            let mut table = (Vec::new(), Vec::new());
            for (place, row) in ProposalScreen::ROWS.iter().enumerate() {
                table.0.push(Binding::of(row, Some(ScreenName::Proposal), Duty::Plain));
                table.1.push(Command::Own(place));
            }
            $(
                for (place, row) in <$Type as Screen>::ROWS.iter().enumerate() {
                    table.0.push(Binding::of(row, Some(ScreenName::$Name), Duty::Plain));
                    table.1.push(Command::Own(place));
                }
            )*
            let everywhere = |table: &mut (Vec<_>, Vec<_>), rows: &[Row<commands::Command>]| {
                for row in rows {
                    table.0.push(Binding::of(row, None, row.command.duty()));
                    table.1.push(Command::All(row.command));
                }
            };
            everywhere(&mut table, commands::ROWS);
            $(
                table.0.push(Binding::opening(&<$Type as Screen>::SHOW, ScreenName::$Name));
                table.1.push(Command::All(commands::Command::Show(ScreenName::$Name)));
            )*
            everywhere(&mut table, commands::MORE_ROWS);
            table
        });
    };
}

screens! {
    Workbench, workbench: screens::workbench::state::Workbench;
    Classes, classes: screens::classes::Classes;
    Lattice, lattice: screens::lattice::walk::LatticeWalk;
    Searches, searches: screens::searches::state::Searches;
    Compare, compare: screens::compare::state::Compare;
    TradeOff, trade_off: screens::trade_off::state::Sweep;
    Hierarchies, hierarchies: screens::hierarchies::state::HierarchyTree;
    Tables, tables: screens::tables::state::TablePages;
    Risk, risk: screens::risk::state::Risks;
    Utility, utility: screens::utility::state::UtilityTable;
    Releases, releases: screens::releases::state::Releases;
}

/// The command in a row of the command table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// A command of one screen, as an index into the rows of that screen.
    Own(usize),
    /// A command that holds on every screen.
    All(commands::Command),
}

/// The command table.
pub(crate) fn table() -> &'static [Binding] {
    &TABLE.0
}

/// The command in a row of the table.
pub(crate) fn command(place: usize) -> Command {
    TABLE.1[place]
}

/// The keys of each command, its name in a keymap, and what it does.
pub fn keys_of_commands() -> Vec<(String, &'static str, &'static str)> {
    let keymap = crate::kit::keymap::Keymap::of(table());
    table()
        .iter()
        .enumerate()
        .map(|(index, binding)| (keymap.written(index), binding.id, binding.long))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::commands::{Command as All, WindowName};
    use super::*;
    use crate::kit::keymap::{Key, Keymap, KeymapError};
    use crate::overlays::palette::state::Palette;

    fn changed(changes: &[(&str, &[&str])]) -> Result<Keymap, KeymapError> {
        let names = |keys: &[&str]| keys.iter().map(ToString::to_string).collect();
        Keymap::with(table(), &changes.iter().map(|(id, keys)| ((*id).to_owned(), names(keys))).collect())
    }

    #[test]
    fn every_name_in_the_table_is_a_key_and_no_key_means_two_things_on_one_screen() {
        for binding in table() {
            for name in binding.keys {
                assert!(Key::parse(name).is_some(), "{}: {name}", binding.id);
            }
        }
        assert_eq!(Keymap::with(table(), &BTreeMap::new()).map(drop), Ok(()));
        let mut ids: Vec<&str> = table().iter().map(|binding| binding.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), table().len(), "every command has a name of its own");
    }

    #[test]
    fn a_keymap_gives_other_keys_and_is_refused_with_the_names_of_what_is_wrong() {
        let keymap = changed(&[("export", &["F5", "^E"])]).unwrap();
        let press = |code, modifiers| {
            let line = keymap.line(ScreenName::Workbench, KeyEvent::new(code, modifiers));
            line.map(command)
        };
        assert_eq!(
            press(KeyCode::F(5), KeyModifiers::NONE),
            Some(Command::All(All::Window(WindowName::Export)))
        );
        assert_eq!(
            press(KeyCode::Char('e'), KeyModifiers::CONTROL),
            Some(Command::All(All::Window(WindowName::Export)))
        );
        assert_eq!(press(KeyCode::Char('e'), KeyModifiers::NONE), None);
        assert_eq!(keymap.hint("export"), "F5");
        for (id, keys, said) in [
            ("export", &["l"][..], "`workbench.coarser` and `export` both have the key l on one screen"),
            ("export", &["Alt-x"], "`Alt-x` is not a key; expected a character, ^A to ^Z"),
            ("export", &["^C"], "^C is reserved"),
            ("exprot", &["x"], "no command `exprot`; the nearest name is `export`"),
            ("close", &[], "`close` needs at least one key"),
        ] {
            let error = changed(&[(id, keys)]).unwrap_err().to_string();
            assert!(error.contains(said), "{id} {keys:?}: {error}");
        }
        assert!(
            changed(&[("searches.open", &["e"]), ("export", &["F6"])]).is_ok(),
            "together they do not meet"
        );
    }

    #[test]
    fn a_few_letters_find_a_command() {
        for (typed, id) in [
            ("exp", "export"),
            ("expo", "export"),
            ("w", "export"),
            ("write", "export"),
            ("best", "searches.best"),
            ("q", "close"),
            ("filt", "workbench.filter"),
            ("compare rel", "compare"),
            ("hole latt", "lattice"),
            ("one level coarser", "workbench.coarser"),
            ("chg del", "delta"),
            ("undo", "undo"),
        ] {
            let mut palette = Palette::open(table(), ScreenName::Workbench);
            typed.chars().for_each(|character| palette.input.insert(character));
            palette.search();
            assert_eq!(palette.chosen().map(|place| table()[place].id), Some(id), "{typed}");
        }
    }

    #[test]
    fn nothing_typed_lists_this_screen_first() {
        let palette = Palette::open(table(), ScreenName::Lattice);
        assert_eq!(palette.chosen().and_then(|place| table()[place].screen), Some(ScreenName::Lattice));
        assert!(palette.matches.len() > 40);
    }
}
