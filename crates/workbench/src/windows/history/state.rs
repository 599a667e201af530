//! The list of steps, with a cursor.

use crossterm::event::{KeyCode, KeyEvent};

use crate::kit::command::Movement;
use crate::shared::intent::{Edit, Intent};

/// The open list of steps.
pub(crate) struct History {
    /// The index of a step.
    pub(crate) cursor: usize,
}

impl History {
    /// Handles a key; the sitting has `step_count` steps.
    pub(super) fn press(&mut self, step_count: usize, key: KeyEvent) -> Intent {
        if let Some(movement) = Movement::in_list(key.code) {
            movement.shift(&mut self.cursor, step_count);
            return Intent::None;
        }
        match key.code {
            KeyCode::Enter => {
                let quiet = Intent::Say(String::new());
                Intent::Many(vec![quiet, Intent::Close, Intent::Edit(Edit::Jump(self.cursor))])
            }
            _ => Intent::Close,
        }
    }
}
