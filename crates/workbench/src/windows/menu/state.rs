//! The list of commands: all of them, or those of the open screen. What is typed finds them by the words of their names and
//! descriptions.

use crate::kit::command::{Binding, Duty};
use crate::kit::input::Input;
use crate::kit::keymap::name_of;
use crate::kit::name::ScreenName;

/// Which commands the list has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Those of the open screen and of every screen.
    Here,
    /// All.
    All,
}

/// The open list.
pub(crate) struct CommandMenu {
    pub(crate) input: Input,
    /// The rows of the command table that match, best first.
    pub(crate) matches: Vec<usize>,
    pub(crate) cursor: usize,
    pub(crate) screen: ScreenName,
    pub(crate) reach: Reach,
    table: &'static [Binding],
}

impl CommandMenu {
    /// Opens the list on a screen; the commands of that screen come first.
    pub(crate) fn open(table: &'static [Binding], screen: ScreenName, reach: Reach) -> Self {
        let mut menu = Self { input: Input::default(), matches: Vec::new(), cursor: 0, screen, reach, table };
        menu.search();
        menu
    }

    /// The row of the command table under the cursor.
    pub(crate) fn chosen(&self) -> Option<usize> {
        self.matches.get(self.cursor).copied()
    }

    /// Finds the rows that match the typed text.
    pub(crate) fn search(&mut self) {
        let typed = self.input.text().trim().to_lowercase();
        let listed = self.table.iter().enumerate();
        let is_near = |index: usize| self.table[index].screen.is_none_or(|screen| screen == self.screen);
        let listed = listed.filter(|(index, binding)| {
            binding.duty == Duty::Plain
                && is_there(binding, self.screen)
                && (self.reach == Reach::All || is_near(*index))
        });
        self.cursor = 0;
        if typed.is_empty() {
            self.matches = listed.map(|(index, _)| index).collect();
            self.matches.sort_by_key(|&index| (!is_near(index), self.table[index].screen.is_none(), index));
            return;
        }
        let mut found: Vec<(Hit, usize)> = listed
            .filter_map(|(index, binding)| Some((Hit::of(self.table, binding, &typed)?, index)))
            .collect();
        // Scattered letters count only if no word has the typed text in one piece.
        if found.iter().any(|(hit, _)| *hit < Hit::Letters) {
            found.retain(|(hit, _)| *hit < Hit::Letters);
        }
        let everywhere = |index: usize| self.table[index].screen.is_none();
        found.sort_by_key(|&(hit, index)| (hit, !everywhere(index), !is_near(index), index));
        self.matches = found.into_iter().map(|(_, index)| index).collect();
    }
}

/// The names of commands in other programs: `:w` writes.
const CALLED: [(&str, &str); 5] = [
    ("w", "export"),
    ("write", "export"),
    ("q", "close"),
    ("quit", "close"),
    // `best` alone means the search, not the best node of the lattice.
    ("best", "releases.best"),
];

/// How a command matches the typed text, the best match first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Hit {
    /// The text is the name of the command in other programs.
    Called,
    /// The name begins with the text: `exp` of `export`, `coa` of `workbench.coarser`.
    Name,
    /// Each typed word begins a word of the name, the screen or the description.
    Words,
    /// Each typed word is part of such a word.
    Parts,
    /// The letters of each typed word occur in such a word in order, beginning with its first: `chg` of `change`.
    Letters,
}

impl Hit {
    fn of(table: &[Binding], binding: &Binding, typed: &str) -> Option<Self> {
        let last_part = binding.id.rsplit('.').next().unwrap_or(binding.id);
        if CALLED.contains(&(typed, binding.id)) {
            return Some(Self::Called);
        }
        if [last_part, binding.id, binding.short].iter().any(|name| name.starts_with(typed)) {
            return Some(Self::Name);
        }
        let screen = binding.screen.map_or("", |screen| name_of(table, screen));
        let searched = format!("{} {screen} {} {}", binding.id, binding.short, binding.long).to_lowercase();
        let words: Vec<&str> = searched
            .split(|character: char| !character.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .collect();
        let each = |is_hit: &dyn Fn(&str, &str) -> bool| {
            typed.split_whitespace().all(|part| words.iter().any(|word| is_hit(word, part)))
        };
        if each(&|word, part| word.starts_with(part)) {
            Some(Self::Words)
        } else if each(&|word, part| word.contains(part)) || searched.contains(typed) {
            Some(Self::Parts)
        } else {
            each(&has_letters).then_some(Self::Letters)
        }
    }
}

/// Whether a word begins with the first of some letters and has the others later, in order.
fn has_letters(word: &str, letters: &str) -> bool {
    let mut left = word.chars();
    word.chars().next() == letters.chars().next()
        && letters.chars().all(|letter| left.any(|other| other == letter))
}

/// Whether a row counts on a screen: the commands of the proposal count on the proposal alone, and no others do there.
fn is_there(binding: &Binding, open: ScreenName) -> bool {
    let is_of = |screen: Option<ScreenName>| screen == Some(ScreenName::PROPOSAL);
    match open {
        ScreenName::PROPOSAL => {
            binding.opens.is_none() && (binding.screen.is_none() || is_of(binding.screen))
        }
        _ => !is_of(binding.screen),
    }
}
