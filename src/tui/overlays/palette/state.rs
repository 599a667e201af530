//! The palette: every command by a few letters of its description, its name, or its key.

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::tui::kit::command::{Binding, Duty};
use crate::tui::kit::input::Input;
use crate::tui::kit::keymap::name_of;
use crate::tui::kit::name::ScreenName;

/// The open palette.
pub(crate) struct Palette {
    pub(crate) input: Input,
    /// The lines of the command table that match, best first.
    pub(crate) matches: Vec<usize>,
    pub(crate) cursor: usize,
    screen: ScreenName,
    table: &'static [Binding],
}

impl Palette {
    /// Opens it on a screen: its own commands come first.
    pub(crate) fn open(table: &'static [Binding], screen: ScreenName) -> Self {
        let mut palette = Self { input: Input::default(), matches: Vec::new(), cursor: 0, screen, table };
        palette.search();
        palette
    }

    /// The line of the table under the cursor.
    pub(crate) fn chosen(&self) -> Option<usize> {
        self.matches.get(self.cursor).copied()
    }

    /// Matches anew what was typed.
    pub(crate) fn search(&mut self) {
        let typed = self.input.text().trim();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut scored: Vec<Match> = self
            .table
            .iter()
            .enumerate()
            .filter(|(_, binding)| is_listed(binding) && is_there(binding, self.screen))
            .filter_map(|(place, binding)| {
                let haystack = haystack(self.table, binding);
                let score = pattern.score(Utf32Str::new(&haystack, &mut buffer), &mut matcher);
                let start = Start::of(binding, &typed.to_lowercase());
                // A name that was typed is meant even where its letters are not in what is said.
                let score = if start == Start::None { score? } else { score.unwrap_or(0) };
                let is_near = binding.screen.is_none() || binding.screen == Some(self.screen);
                Some(Match { start, is_near, score, place })
            })
            .collect();
        // What begins so first, of that what holds everywhere or here; then the best, in the order of the table.
        let begins = |found: &Match| found.start != Start::None;
        scored.sort_by_key(|found| {
            let everywhere = begins(found) && self.table[found.place].screen.is_none();
            let near = begins(found) && found.is_near;
            (found.start, !everywhere, !near, std::cmp::Reverse((found.score, found.is_near)), found.place)
        });
        if typed.is_empty() {
            scored
                .sort_by_key(|found| (!found.is_near, self.table[found.place].screen.is_none(), found.place));
        }
        self.matches = scored.into_iter().map(|found| found.place).collect();
        self.cursor = 0;
    }
}

/// What other programs call a command: `:w` writes.
const CALLED: [(&str, &str); 5] = [
    ("w", "export"),
    ("write", "export"),
    ("q", "close"),
    ("quit", "close"),
    // Whoever types no more wants the search, and not the lattice's best node.
    ("best", "searches.best"),
];

/// A command that matches.
struct Match {
    start: Start,
    is_near: bool,
    score: u32,
    place: usize,
}

/// Where in a command stands what was typed, the most telling place first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Start {
    /// It is what the command is called elsewhere.
    Called,
    /// Its name begins so: `exp` of `export`, `coa` of `workbench.coarser`.
    Name,
    /// A word that is said of it begins so.
    Word,
    /// Some letters of it are somewhere.
    None,
}

impl Start {
    fn of(binding: &Binding, typed: &str) -> Self {
        let own = binding.id.rsplit('.').next().unwrap_or(binding.id);
        let mut words = binding.long.split(|character: char| !character.is_alphanumeric());
        if typed.is_empty() {
            Self::None
        } else if CALLED.contains(&(typed, binding.id)) {
            Self::Called
        } else if [own, binding.id, binding.short].iter().any(|name| name.starts_with(typed)) {
            Self::Name
        } else if words.any(|word| word.to_lowercase().starts_with(typed)) {
            Self::Word
        } else {
            Self::None
        }
    }
}

/// What is searched of a command.
fn haystack(table: &[Binding], binding: &Binding) -> String {
    let screen = binding.screen.map_or("", |screen| name_of(table, screen));
    format!("{} {} {screen}", binding.id.replace('.', " "), binding.long)
}

/// Before there is a project there is one screen alone, and afterwards it is not among them.
fn is_there(binding: &Binding, open: ScreenName) -> bool {
    let is_of = |screen: Option<ScreenName>| screen == Some(ScreenName::Proposal);
    match open {
        ScreenName::Proposal => {
            binding.opens.is_none() && (binding.screen.is_none() || is_of(binding.screen))
        }
        _ => !is_of(binding.screen),
    }
}

/// Moving the cursor is for keys.
fn is_listed(binding: &Binding) -> bool {
    !matches!(binding.duty, Duty::Unlisted | Duty::UnlistedWayOut | Duty::Signal('c'))
}
