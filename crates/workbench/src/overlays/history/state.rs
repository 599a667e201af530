//! Every step so far, with a cursor.

use crossterm::event::{KeyCode, KeyEvent};

use crate::kit::command::Movement;
use crate::kit::hits::Target;
use crate::shared::intent::{Edit, Intent};

/// The list.
pub(crate) struct History {
    /// A step.
    pub(crate) cursor: usize,
}

impl History {
    /// A key, among so many steps.
    pub(crate) fn key(&mut self, steps: usize, key: KeyEvent) -> Intent {
        if let Some(movement) = Movement::in_list(key.code) {
            movement.shift(&mut self.cursor, steps);
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

    /// A click on a step.
    pub(crate) fn click(&mut self, target: Target) {
        if let Target::Row(row) = target {
            self.cursor = row;
        }
    }
}
