//! The screens of an open project, and the command table, both made from the list of `screens/mod.rs`.

use std::any::Any;
use std::sync::LazyLock;

use super::commands;
use crate::kit::command::{Binding, Row};
use crate::kit::keymap::Keymap;
use crate::kit::name::ScreenName;
use crate::kit::verb::{ALPHABET, Verb};
use crate::screens::{BEFORE, SCREENS, panes};
use crate::shared::component::Component;
use crate::shared::screen::{About, Screen, Tab};
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
        let is_main = panes(screen.tab).next() == Some(name);
        let tab = if is_main { screen.tab.verb() } else { Verb::Listed };
        (Binding::opening(&screen.show, name, tab), Command::All(commands::Command::Show(name)))
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

/// The key of the tab of each screen, the name of the screen, and what one does there.
pub fn screens() -> Vec<(&'static str, &'static str, &'static str)> {
    let digit = |tab: Tab| tab.verb().row().map_or("", |row| row.keys[0]);
    let listed = |screen: &'static Screen| (digit(screen.tab), screen.about.name.0, screen.about.purpose);
    SCREENS.iter().map(listed).collect()
}

/// The alphabet: the keys of each verb, its name in a keymap, and what it does.
pub fn alphabet() -> Vec<(String, &'static str, &'static str)> {
    let keymap = Keymap::of(table());
    let keys =
        |verb| (0..table().len()).find(|&index| table()[index].verb == verb).map(|row| keymap.written(row));
    ALPHABET
        .iter()
        .map(|row| (keys(row.verb).unwrap_or_else(|| row.keys.join(" ")), row.name, row.does))
        .collect()
}

/// The commands without a verb, which have no key unless a keymap gives them one: the name of each, and what it does.
pub fn commands_without_key() -> Vec<(&'static str, &'static str)> {
    let rare = table().iter().filter(|binding| binding.verb == Verb::Listed);
    rare.map(|binding| (binding.id, binding.long)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

    use super::commands::{Command as All, WindowName};
    use super::*;
    use crate::kit::keymap::KeymapError;
    use crate::windows::menu::state::{CommandMenu, Reach};

    fn changed(changes: &[(&str, &[&str])]) -> Result<Keymap, KeymapError> {
        let names = |keys: &[&str]| keys.iter().map(ToString::to_string).collect();
        Keymap::with(table(), &changes.iter().map(|(id, keys)| ((*id).to_owned(), names(keys))).collect())
    }

    // holds: One alphabet
    #[test]
    fn no_verb_has_two_commands_on_one_screen() {
        for (index, binding) in table().iter().enumerate() {
            for other in &table()[index + 1..] {
                assert_ne!(binding.id, other.id);
                let meet =
                    binding.screen == other.screen || binding.screen.is_none() || other.screen.is_none();
                let same = binding.verb != Verb::Listed && binding.verb == other.verb;
                assert!(!(meet && same), "{} and {} are both {:?}", binding.id, other.id, binding.verb);
            }
        }
        assert_eq!(Keymap::with(table(), &BTreeMap::new()).map(drop), Ok(()));
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
        let keymap = changed(&[("export", &["F5", "^E"]), ("audit", &["F6"])]).unwrap();
        let press = |code, modifiers| {
            let line = keymap.line(ScreenName::WORKBENCH, KeyEvent::new(code, modifiers));
            line.map(command)
        };
        let export = Some(Command::All(All::Window(WindowName::Export)));
        assert_eq!(press(KeyCode::F(5), KeyModifiers::NONE), export);
        assert_eq!(press(KeyCode::Char('e'), KeyModifiers::CONTROL), export);
        assert_eq!(press(KeyCode::Char('e'), KeyModifiers::NONE), None);
        let audit = Some(Command::All(All::Window(WindowName::Audit)));
        assert_eq!(
            press(KeyCode::F(6), KeyModifiers::NONE),
            audit,
            "a command without a verb can have a key"
        );
        assert_eq!(keymap.hint("export"), "F5");
        for (id, keys, expected) in [
            ("export", &["l"][..], "`right` and `export` both have the key l"),
            ("export", &["Alt-x"], "`Alt-x` is not a key; expected a character, ^A to ^Z"),
            ("export", &["^C"], "^C is reserved"),
            ("exprot", &["x"], "no verb or command `exprot`; the nearest name is `export`"),
            ("workbench.coarser", &["x"], "`workbench.coarser` has the key of the verb `right`; set `right`"),
            ("close", &[], "`close` needs at least one key"),
        ] {
            let error = changed(&[(id, keys)]).unwrap_err().to_string();
            assert!(error.contains(expected), "{id} {keys:?}: {error}");
        }
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
            ("hole latt", "lattice"),
            ("one level coarser", "workbench.coarser"),
            ("undo", "undo"),
        ] {
            let mut menu = CommandMenu::open(table(), ScreenName::WORKBENCH, Reach::All);
            typed.chars().for_each(|character| menu.input.insert(character));
            menu.search();
            assert_eq!(menu.chosen().map(|index| table()[index].id), Some(id), "{typed}");
        }
    }

    #[test]
    fn nothing_typed_lists_this_screen_first() {
        let lattice = crate::screens::lattice::walk::LatticeWalk::NAME;
        let all = CommandMenu::open(table(), lattice, Reach::All);
        assert_eq!(all.chosen().and_then(|index| table()[index].screen), Some(lattice));
        let here = CommandMenu::open(table(), lattice, Reach::Here);
        assert!(
            here.matches.iter().all(|&index| table()[index].screen.is_none_or(|screen| screen == lattice))
        );
        assert!(here.matches.len() < all.matches.len());
    }
}
