//! Handles the keys of the window of an export.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use palmtop_release::pipeline::Analysis;

use super::items::Kind;
use super::state::{ExportDialog, Focus, Stage};
use crate::kit::command::Movement;
use crate::kit::input::Input;
use crate::kit::text;
use crate::kit::verb::Verb;
use crate::shared::intent::{Errand, Figures, Intent};

/// The keys of the window, and what they do.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("w", "writes and verifies, once each line with ! is answered"),
    ("↑ ↓ Enter", "a caution: in full, and its answer"),
    ("Tab", "the name, the boxes, the cautions again"),
    ("Space", "ticks a box or empties it; without boxes, the file is written alone"),
    ("!", "all cautions in full"),
    ("$", "the same as commands"),
    ("Esc", "back to the cautions; from there, closes the window"),
];

impl ExportDialog {
    /// Handles a key, which means this verb where letters are no text.
    pub(super) fn press(&mut self, analysis: &Arc<Analysis>, verb: Option<Verb>, key: KeyEvent) -> Intent {
        if self.waits(verb, key) {
            return Intent::None;
        }
        match &self.stage {
            // A file is written in full or not at all.
            Stage::Running { .. } if key.code == KeyCode::Esc || verb == Some(Verb::Stop) => self.cancel(),
            Stage::Running { .. } => {}
            Stage::Written(_) => return Intent::Close,
            Stage::Overwrite if matches!(key.code, KeyCode::Char('y' | 'Y')) => self.write(analysis, true),
            Stage::Overwrite | Stage::Refused(_) => self.stage = Stage::Waiting,
            Stage::Opened(_) => self.press_opened(key),
            Stage::Full | Stage::Lines => return self.press_text(verb, key),
            Stage::Waiting if self.focus == Focus::To => return self.press_name(key),
            Stage::Waiting => return self.press_list(analysis, verb, key),
        }
        Intent::None
    }

    /// Handles a key of the open caution.
    fn press_opened(&mut self, key: KeyEvent) {
        let Some(item) = self.opened() else { return };
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match (item.answer.filter(|_| item.is_unanswered()), key.code) {
            (Some(Kind::Yes), KeyCode::Char('y' | 'Y')) => self.answer(None),
            (_, KeyCode::Esc) | (None | Some(Kind::Yes), _) => self.stage = Stage::Waiting,
            (Some(_), KeyCode::Enter) => {
                let Stage::Opened(typed) = &self.stage else { return };
                let typed = typed.text().trim().to_owned();
                match self.items[self.cursor].take(&typed) {
                    Ok(()) => self.answer(Some(&typed)),
                    Err(wrong) => self.wrong = wrong,
                }
            }
            (Some(_), KeyCode::Char(character)) if !is_control => self.type_character(character),
            (Some(_), _) => self.input().edit(key),
        }
    }

    /// Handles a key of a text that scrolls.
    fn press_text(&mut self, verb: Option<Verb>, key: KeyEvent) -> Intent {
        if self.scroll.key(key) {
            return Intent::None;
        }
        if matches!(self.stage, Stage::Lines) && verb == Some(Verb::Copy) {
            let content = self.command_line() + "\n";
            return Intent::Errand(Errand::Copy(Figures { what: "the command", content }));
        }
        self.stage = Stage::Waiting;
        Intent::None
    }

    /// Handles a key of the name.
    fn press_name(&mut self, key: KeyEvent) -> Intent {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Esc | KeyCode::Enter | KeyCode::BackTab | KeyCode::Up => self.focus = Focus::List,
            KeyCode::Tab | KeyCode::Down => self.focus = Focus::Box(0),
            KeyCode::Char(character) if !is_control => self.type_character(character),
            _ => self.target.edit(key),
        }
        Intent::None
    }

    /// Handles a key of the boxes or the cautions.
    fn press_list(&mut self, analysis: &Arc<Analysis>, verb: Option<Verb>, key: KeyEvent) -> Intent {
        match (verb, self.focus) {
            (Some(Verb::Close), Focus::List) => return Intent::Close,
            (Some(Verb::Close), _) => self.focus = Focus::List,
            (Some(Verb::Write), _) => return self.try_to_write(analysis),
            (Some(Verb::Cautions), _) => self.show(Stage::Full),
            (Some(Verb::Commands), _) => self.show(Stage::Lines),
            (Some(Verb::Mark | Verb::Open), Focus::Box(index)) => return self.toggle(index),
            (Some(Verb::Pane | Verb::Right), Focus::Box(index)) => {
                self.focus = if index + 1 < self.boxes.len() { Focus::Box(index + 1) } else { Focus::List };
            }
            (Some(Verb::Left), Focus::Box(index)) => self.focus = Focus::Box(index.saturating_sub(1)),
            (Some(Verb::Pane), _) => self.focus = Focus::To,
            (Some(Verb::Open), _) if self.cursor < self.items.len() => {
                self.stage = Stage::Opened(Input::default());
            }
            _ => {
                if let Some(movement) = Movement::in_list(key.code) {
                    self.focus = Focus::List;
                    movement.shift(&mut self.cursor, self.items.len());
                }
            }
        }
        Intent::None
    }

    /// Shows a text instead of the window's fields.
    fn show(&mut self, stage: Stage) {
        (self.stage, self.scroll.row) = (stage, 0);
    }

    /// Ticks a box, or empties it.
    fn toggle(&mut self, index: usize) -> Intent {
        match &self.no_report {
            Some(why) if index < 2 => return Intent::Say(why.clone()),
            _ => self.boxes[index] = !self.boxes[index],
        }
        Intent::None
    }

    /// Writes, if nothing needs an answer first.
    fn try_to_write(&mut self, analysis: &Arc<Analysis>) -> Intent {
        if self.target.text().trim().is_empty() {
            self.focus = Focus::To;
            return Intent::Say("type a name first".to_owned());
        }
        if self.seek_unanswered() {
            self.focus = Focus::List;
            let open = text::counted(self.unanswered(), "caution needs", "cautions need");
            return Intent::Say(format!("{open} an answer before the release is written: Enter opens it"));
        }
        self.write(analysis, false);
        Intent::None
    }
}
