//! Handles the keys of the dialog of δ.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use palmtop_core::model::Delta;

use super::state::{DeltaDialog, Field};
use crate::shared::intent::{Edit, Errand, Intent};
use crate::shared::state::Shared;

impl DeltaDialog {
    /// Handles a key.
    pub(super) fn press(&mut self, shared: &Shared, key: KeyEvent) -> Intent {
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
            KeyCode::Enter => return self.take(shared, false),
            KeyCode::Char('w') if control => return self.take(shared, true),
            KeyCode::Char(character) if !control => self.input().insert(character),
            _ => self.input().edit(key),
        }
        self.judge(&shared.problem);
        Intent::None
    }

    /// Takes the typed δ; with `into_project`, also writes it into the project file.
    fn take(&mut self, shared: &Shared, into_project: bool) -> Intent {
        let delta = match self.delta() {
            Ok(delta) => delta,
            Err(why) => {
                self.refused = Some(why);
                return Intent::None;
            }
        };
        let is_same = delta == shared.delta();
        let grounds = self.grounds(&shared.problem, delta);
        let is_more = grounds.is_some() || !self.text(Field::Reason).is_empty();
        if is_same && !into_project && !is_more {
            let message = format!("δ is {} to {} already", delta.min(), delta.max());
            return Intent::Many(vec![Intent::Close, Intent::Say(message)]);
        }
        if into_project && let Some(why) = why_not_into_project(shared, delta, is_more) {
            self.refused = Some(why);
            return Intent::None;
        }
        let reason = match self.reason() {
            Ok(reason) => reason,
            // The analyst gave the reason when this δ was taken.
            Err(_) if is_same && self.text(Field::Reason).is_empty() => None,
            Err(why) => {
                self.field = Field::Reason;
                self.refused = Some(why);
                return Intent::None;
            }
        };
        let mut intents = vec![Intent::Edit(Edit::Delta { delta, reason, grounds }), Intent::Close];
        if into_project {
            intents.push(Intent::Errand(Errand::WriteDelta(delta)));
        } else {
            let undo = shared.key("undo");
            intents.push(Intent::Say(format!(
                "δ is {} to {} now; {undo} goes back; ^W there writes it into the project",
                delta.min(),
                delta.max()
            )));
        }
        Intent::Many(intents)
    }
}

/// Why δ cannot be written into the project file, as far as that is known in advance.
fn why_not_into_project(shared: &Shared, delta: Delta, is_more: bool) -> Option<String> {
    if !shared.saver.is_kept() {
        return Some("a built-in project is not written; Enter takes δ for this sitting".to_owned());
    }
    let project_delta = shared.analysis.project().delta(None, None).ok();
    (project_delta == Some(delta) && !is_more).then(|| "the project file has this δ already".to_owned())
}
