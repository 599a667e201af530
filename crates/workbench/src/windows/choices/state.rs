//! The state of a list of choices.

use crossterm::event::{KeyCode, KeyEvent};

use crate::kit::command::Movement;
use crate::shared::intent::{Choosing, Intent};

/// The open choices.
pub(crate) struct Choices {
    pub(crate) choosing: Choosing,
    pub(crate) cursor: usize,
}

impl Choices {
    /// The choices, with the cursor on the one that holds now.
    pub(crate) fn new(choosing: Choosing) -> Self {
        Self { cursor: choosing.taken.unwrap_or(0), choosing }
    }

    /// Handles a key: a digit takes the choice with this number.
    pub(super) fn press(&mut self, key: KeyEvent) -> Intent {
        let count = self.choosing.labels.len();
        let movement = match key.code {
            KeyCode::Down | KeyCode::Char('j') | KeyCode::Tab => Movement::Down,
            KeyCode::Up | KeyCode::Char('k') | KeyCode::BackTab => Movement::Up,
            KeyCode::PageDown => Movement::PageDown,
            KeyCode::PageUp => Movement::PageUp,
            KeyCode::Home => Movement::First,
            KeyCode::End => Movement::Last,
            KeyCode::Enter => return Intent::Chosen(self.cursor),
            KeyCode::Char(digit @ '1'..='9') => {
                let index = digit.to_digit(10).map_or(0, |digit| digit as usize - 1);
                return if index < count { Intent::Chosen(index) } else { Intent::None };
            }
            KeyCode::Esc | KeyCode::Char('q') => return Intent::Close,
            _ => return Intent::None,
        };
        movement.shift(&mut self.cursor, count);
        Intent::None
    }
}
