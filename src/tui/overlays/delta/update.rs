//! What keys do in the dialog.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::state::{DeltaDialog, Field};
use crate::tui::shared::intent::Intent;
use crate::tui::shared::state::Shared;

impl DeltaDialog {
    /// A key.
    pub(crate) fn key(&mut self, shared: &Shared, key: KeyEvent) -> Intent {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc => return Intent::Close,
            KeyCode::Tab | KeyCode::Down => self.next(true),
            KeyCode::BackTab | KeyCode::Up => self.next(false),
            KeyCode::Char('t') if control => {
                if let Err(why) = self.take_advice(&shared.problem) {
                    self.refused = Some(why);
                }
            }
            KeyCode::Enter => match self.delta(&shared.problem) {
                Ok(delta) if delta == shared.delta() => {
                    let said = format!("δ is {} to {} already", delta.min(), delta.max());
                    return Intent::Many(vec![Intent::Close, Intent::Say(said)]);
                }
                Ok(delta) => {
                    let reason = match self.reason() {
                        Ok(reason) => reason,
                        Err(why) => {
                            self.field = Field::Reason;
                            self.refused = Some(why);
                            return Intent::None;
                        }
                    };
                    let undo = shared.key("undo");
                    let said = format!("δ is {} to {} now; {undo} goes back", delta.min(), delta.max());
                    return Intent::Many(vec![
                        Intent::Delta(delta, reason),
                        Intent::Close,
                        Intent::Say(said),
                    ]);
                }
                Err(why) => self.refused = Some(why),
            },
            KeyCode::Char(character) if !control => self.input().insert(character),
            _ => self.input().edit(key),
        }
        Intent::None
    }
}
