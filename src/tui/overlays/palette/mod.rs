//! The palette: every command by a few letters of its description, its name, or its key.

pub(crate) mod view;

use nucleo_matcher::pattern::{CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::tui::app::commands::{Binding, Command, TABLE};
use crate::tui::kit::input::Input;
use crate::tui::kit::name::ScreenName;

/// The open palette.
pub(crate) struct Palette {
    pub(crate) input: Input,
    /// The lines of the command table that match, best first.
    pub(crate) matches: Vec<usize>,
    pub(crate) cursor: usize,
    screen: ScreenName,
}

impl Palette {
    /// Opens it on a screen: its own commands come first.
    pub(crate) fn open(screen: ScreenName) -> Self {
        let mut palette = Self { input: Input::default(), matches: Vec::new(), cursor: 0, screen };
        palette.search();
        palette
    }

    /// The line under the cursor.
    pub(crate) fn chosen(&self) -> Option<&'static Binding> {
        self.matches.get(self.cursor).map(|place| &TABLE[*place])
    }

    /// Matches anew what was typed.
    pub(crate) fn search(&mut self) {
        let typed = self.input.text().trim();
        let mut matcher = Matcher::new(Config::DEFAULT);
        let pattern = Pattern::parse(typed, CaseMatching::Ignore, Normalization::Smart);
        let mut buffer = Vec::new();
        let mut scored: Vec<(u32, bool, usize)> = TABLE
            .iter()
            .enumerate()
            .filter(|(_, binding)| !is_movement(binding.command))
            .filter_map(|(place, binding)| {
                let score = pattern.score(Utf32Str::new(&haystack(binding), &mut buffer), &mut matcher)?;
                let is_near = binding.screen.is_none() || binding.screen == Some(self.screen);
                Some((score, is_near, place))
            })
            .collect();
        // The best first; of equals those of this screen, then in the order of the table.
        scored.sort_by(|left, right| {
            (right.0, right.1).cmp(&(left.0, left.1)).then_with(|| left.2.cmp(&right.2))
        });
        if typed.is_empty() {
            scored.sort_by_key(|(_, is_near, place)| (!is_near, TABLE[*place].screen.is_none(), *place));
        }
        self.matches = scored.into_iter().map(|(_, _, place)| place).collect();
        self.cursor = 0;
    }
}

/// What is searched of a command.
fn haystack(binding: &Binding) -> String {
    let screen = binding.screen.map_or("", ScreenName::word);
    format!("{} {} {screen}", binding.id.replace('.', " "), binding.long)
}

/// Moving the cursor is for keys.
fn is_movement(command: Command) -> bool {
    use Command as C;
    matches!(
        command,
        C::Up | C::Down | C::PageUp | C::PageDown | C::First | C::Last | C::Palette | C::Interrupt
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_letters_find_a_command() {
        for (typed, id) in [
            ("expo", "export"),
            ("sbs", "compare"),
            ("hole latt", "lattice"),
            ("one level coarser", "workbench.coarser"),
            ("chg del", "delta"),
            ("undo", "undo"),
        ] {
            let mut palette = Palette::open(ScreenName::Workbench);
            typed.chars().for_each(|character| palette.input.insert(character));
            palette.search();
            assert_eq!(palette.chosen().map(|binding| binding.id), Some(id), "{typed}");
        }
    }

    #[test]
    fn nothing_typed_lists_this_screen_first() {
        let palette = Palette::open(ScreenName::Lattice);
        assert_eq!(palette.chosen().and_then(|binding| binding.screen), Some(ScreenName::Lattice));
        assert!(palette.matches.len() > 40);
    }
}
