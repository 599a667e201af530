//! The screens of an open project, and the command table, both made from the list of `screens/mod.rs`.

use std::any::Any;
use std::sync::LazyLock;

use super::commands;
use crate::kit::command::{Binding, Row};
use crate::kit::name::ScreenName;
use crate::screens::{BEFORE, SCREENS};
use crate::shared::component::Component;
use crate::shared::screen::{About, Screen};
use crate::shared::state::Shared;

/// The screens of an open project, in the order of the list.
pub(crate) struct Screens(Vec<Box<dyn Component>>);

impl Screens {
    /// Makes every screen, before any of them was open.
    pub(crate) fn new(shared: &Shared) -> Self {
        Self(SCREENS.iter().map(|screen| (screen.make)(shared)).collect())
    }

    /// The screen of a name, with what is known of it; the first screen if no screen of a project has the name.
    pub(crate) fn get(&self, name: ScreenName) -> (&'static About, &dyn Component) {
        let index = Self::index(name).unwrap_or_default();
        (&SCREENS[index].about, &*self.0[index])
    }

    /// The place of the screen of a name.
    pub(crate) fn place(&mut self, name: ScreenName) -> Option<&mut Box<dyn Component>> {
        self.0.get_mut(Self::index(name)?)
    }

    /// Every screen.
    pub(crate) fn all(&self) -> impl Iterator<Item = &dyn Component> {
        self.0.iter().map(|screen| &**screen)
    }

    /// The screen of this type.
    pub(crate) fn of<S: Component>(&self) -> Option<&S> {
        let mut screens = self.all().map(|screen| -> &dyn Any { screen });
        screens.find_map(|screen| screen.downcast_ref())
    }

    /// The screen of this type, to change it.
    pub(crate) fn of_mut<S: Component>(&mut self) -> Option<&mut S> {
        let mut screens = self.0.iter_mut().map(|screen| -> &mut dyn Any { &mut **screen });
        screens.find_map(|screen| screen.downcast_mut())
    }

    fn index(name: ScreenName) -> Option<usize> {
        SCREENS.iter().position(|screen| screen.about.name == name)
    }
}

/// The command table: the commands of each screen, then those that hold on every screen.
static TABLE: LazyLock<(Vec<Binding>, Vec<Command>)> = LazyLock::new(|| {
    let of_screen =
        |rows: Vec<Binding>| rows.into_iter().enumerate().map(|(index, row)| (row, Command::Screen(index)));
    let everywhere = |rows: &'static [Row<commands::Command>]| {
        rows.iter().map(|row| (Binding::of(row, None, row.command.duty()), Command::All(row.command)))
    };
    let opening = |screen: &Screen| {
        let name = screen.about.name;
        (Binding::opening(&screen.show, name), Command::All(commands::Command::Show(name)))
    };
    of_screen((BEFORE.rows)())
        .chain(SCREENS.iter().flat_map(|screen| of_screen((screen.about.rows)())))
        .chain(everywhere(commands::ROWS))
        .chain(SCREENS.iter().map(opening))
        .chain(everywhere(commands::MORE_ROWS))
        .unzip()
});

/// The command in a row of the command table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// A command of one screen, as an index into the rows of that screen.
    Screen(usize),
    /// A command that holds on every screen.
    All(commands::Command),
}

/// The command table.
pub(crate) fn table() -> &'static [Binding] {
    &TABLE.0
}

/// The command in a row of the table.
pub(crate) fn command(index: usize) -> Command {
    TABLE.1[index]
}

/// The keys of each screen, its name, and what one does there.
pub fn screens() -> Vec<(&'static [&'static str], &'static str, &'static str)> {
    let listed = |screen: &'static Screen| (screen.show.keys, screen.about.name.0, screen.about.purpose);
    SCREENS.iter().map(listed).collect()
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
    use crate::windows::palette::state::Palette;

    fn changed(changes: &[(&str, &[&str])]) -> Result<Keymap, KeymapError> {
        let names = |keys: &[&str]| keys.iter().map(ToString::to_string).collect();
        Keymap::with(table(), &changes.iter().map(|(id, keys)| ((*id).to_owned(), names(keys))).collect())
    }

    // holds: One list of screens
    #[test]
    fn no_key_means_two_things_on_one_screen() {
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
    fn screen_names_used_elsewhere_exist() {
        use ScreenName as N;
        for name in [N::WORKBENCH, N::CLASSES, N::RELEASES, N::POLICY, N::FILES] {
            assert!(SCREENS.iter().any(|screen| screen.about.name == name), "{name:?}");
        }
    }

    #[test]
    fn keymap_changes_keys_and_names_what_is_wrong() {
        let keymap = changed(&[("export", &["F5", "^E"])]).unwrap();
        let press = |code, modifiers| {
            let line = keymap.line(ScreenName::WORKBENCH, KeyEvent::new(code, modifiers));
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
        for (id, keys, expected) in [
            ("export", &["l"][..], "`workbench.coarser` and `export` both have the key l on one screen"),
            ("export", &["Alt-x"], "`Alt-x` is not a key; expected a character, ^A to ^Z"),
            ("export", &["^C"], "^C is reserved"),
            ("trade-off.run", &["r"], "`trade-off.run` is now `policy.run`"),
            ("exprot", &["x"], "no command `exprot`; the nearest name is `export`"),
            ("close", &[], "`close` needs at least one key"),
        ] {
            let error = changed(&[(id, keys)]).unwrap_err().to_string();
            assert!(error.contains(expected), "{id} {keys:?}: {error}");
        }
        assert!(
            changed(&[("releases.open", &["e"]), ("export", &["F6"])]).is_ok(),
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
            ("best", "releases.best"),
            ("q", "close"),
            ("filt", "workbench.filter"),
            ("compare rel", "releases"),
            ("hole latt", "lattice"),
            ("one level coarser", "workbench.coarser"),
            ("chg pol", "policy"),
            ("undo", "undo"),
        ] {
            let mut palette = Palette::open(table(), ScreenName::WORKBENCH);
            typed.chars().for_each(|character| palette.input.insert(character));
            palette.search();
            assert_eq!(palette.chosen().map(|index| table()[index].id), Some(id), "{typed}");
        }
    }

    #[test]
    fn nothing_typed_lists_this_screen_first() {
        let palette = Palette::open(table(), crate::screens::lattice::walk::LatticeWalk::NAME);
        assert_eq!(
            palette.chosen().and_then(|index| table()[index].screen),
            Some(crate::screens::lattice::walk::LatticeWalk::NAME)
        );
        assert!(palette.matches.len() > 40);
    }
}
