//! Handles the keys of the export dialog.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use palmtop_release::pipeline::Analysis;

use super::question::Kind;
use super::state::{ExportDialog, Stage};
use crate::shared::intent::{Errand, Figures, Intent};

impl ExportDialog {
    /// Handles a key.
    pub(super) fn press(&mut self, analysis: &Arc<Analysis>, key: KeyEvent) -> Intent {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if self.scrolls(key.code) {
            return Intent::None;
        }
        let asks_yes = self.asked().is_some_and(|question| question.about.kind() == Kind::Yes);
        if let (Stage::Counting(keys), false) = (&mut self.stage, key.code == KeyCode::Esc) {
            keys.push(key);
            return Intent::None;
        }
        match (key.code, &self.stage) {
            // A file is written in full or not at all.
            (KeyCode::Esc | KeyCode::Char('x'), Stage::Running { .. }) => self.cancel(),
            (_, Stage::Running { .. }) => {}
            (KeyCode::Char('r'), Stage::Written(_)) if !self.reports.is_open() => self.write_report(analysis),
            (KeyCode::Esc, _) | (_, Stage::Written(_)) => return Intent::Close,
            (KeyCode::Char('y' | 'Y'), Stage::Overwrite) => self.write(analysis, true),
            (KeyCode::Char('y' | 'Y'), Stage::Asked(..)) if asks_yes => self.agree(analysis),
            (_, Stage::Asked(..)) if asks_yes => self.stage = Stage::Name,
            (_, Stage::Overwrite | Stage::Refused(_)) => self.stage = Stage::Name,
            (KeyCode::Enter, _) => self.confirm(analysis),
            (KeyCode::Char('y'), _) if control => {
                return Intent::Errand(Errand::Copy(Figures {
                    what: "the command",
                    content: self.command_line(),
                }));
            }
            (KeyCode::Char(character), _) if !control => self.type_character(character),
            _ => self.input().edit(key),
        }
        Intent::None
    }

    /// Scrolls, if the key scrolls; such a key never answers a question. Returns whether it scrolls.
    fn scrolls(&mut self, code: KeyCode) -> bool {
        /// Less than the rows that remain below a long question.
        const PAGE: usize = 5;
        let row = &mut self.scroll.row;
        *row = match code {
            KeyCode::Down => *row + 1,
            KeyCode::Up => row.saturating_sub(1),
            KeyCode::PageDown => *row + PAGE,
            KeyCode::PageUp => row.saturating_sub(PAGE),
            _ => return false,
        };
        true
    }
}
