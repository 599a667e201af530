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
        let mut scored: Vec<(u32, bool, usize)> = self
            .table
            .iter()
            .enumerate()
            .filter(|(_, binding)| is_listed(binding))
            .filter_map(|(place, binding)| {
                let score = pattern
                    .score(Utf32Str::new(&haystack(self.table, binding), &mut buffer), &mut matcher)?;
                let is_near = binding.screen.is_none() || binding.screen == Some(self.screen);
                Some((score, is_near, place))
            })
            .collect();
        // The best first; of equals those of this screen, then in the order of the table.
        scored.sort_by(|left, right| {
            (right.0, right.1).cmp(&(left.0, left.1)).then_with(|| left.2.cmp(&right.2))
        });
        if typed.is_empty() {
            scored.sort_by_key(|(_, is_near, place)| (!is_near, self.table[*place].screen.is_none(), *place));
        }
        self.matches = scored.into_iter().map(|(_, _, place)| place).collect();
        self.cursor = 0;
    }
}

/// What is searched of a command.
fn haystack(table: &[Binding], binding: &Binding) -> String {
    let screen = binding.screen.map_or("", |screen| name_of(table, screen));
    format!("{} {} {screen}", binding.id.replace('.', " "), binding.long)
}

/// Moving the cursor is for keys.
fn is_listed(binding: &Binding) -> bool {
    !matches!(binding.duty, Duty::Unlisted | Duty::UnlistedWayOut | Duty::Signal('c'))
}
