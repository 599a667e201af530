//! A question over everything else, such as whether to quit.
//!
//! ```text
//! ┌────────────────────────────────────────────────────────┐
//! │ Quit palmtop? The sitting is saved for the next time.  │
//! │ y or ^C quits, any other key stays.                    │
//! └────────────────────────────────────────────────────────┘
//! ```
//!
//! Every key closes it, and does nothing else: a yes does what was asked, and any other key is a no.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Rect;
use ratatui::text::Line;
use ratatui::widgets::{Block, Paragraph};

use crate::kit::keymap::Keymap;
use crate::kit::layout::{centred, clear_for_window};
use crate::kit::page::Page;
use crate::kit::text;
use crate::shared::component::{Component, Context, Event};
use crate::shared::intent::{Confirm, Intent};

/// The open question.
pub(crate) struct QuestionWindow(pub(crate) Confirm);

/// The keys that are an answer, so no command's key is shown as a yes.
const ANSWERS: [&str; 6] = ["Esc", "Enter", "n", "N", "y", "Y"];

impl QuestionWindow {
    /// The keys that say yes: the letter, and the key that led to the question, unless that key also closes windows.
    fn yes(&self, keymap: &Keymap) -> String {
        let letter = self.0.letter;
        let key = self.0.command.map(|id| keymap.hint(id)).unwrap_or_default();
        if key.is_empty() || ANSWERS.contains(&key.as_str()) || key.starts_with(':') {
            letter.to_string()
        } else {
            format!("{letter} or {key}")
        }
    }

    /// What the keys do.
    fn keys(&self, keymap: &Keymap) -> String {
        format!("{} {}, any other key {}.", self.yes(keymap), self.0.yes_does, self.0.no_does)
    }

    /// The question in few words, if there is no room for a window.
    pub(crate) fn brief(&self, keymap: &Keymap) -> String {
        format!("{} {}", self.0.brief, self.keys(keymap))
    }

    fn is_yes(&self, context: &Context, key: KeyEvent) -> bool {
        let typed = match key.code {
            KeyCode::Char(letter) if !key.modifiers.contains(KeyModifiers::CONTROL) => Some(letter),
            _ => None,
        };
        let is_letter = |letter: char| letter == self.0.letter || letter == 'Y' && self.0.letter == 'y';
        // The same command once more is a yes.
        let command = context.command_of(key).map(|(_, binding)| binding.id);
        typed.is_some_and(is_letter) || self.0.command.is_some() && command == self.0.command
    }
}

impl Component for QuestionWindow {
    fn handle(&mut self, context: &Context, event: Event) -> Result<Intent, String> {
        let Event::Key(key) = event else { return Ok(Intent::None) };
        let is_no = matches!(key.code, KeyCode::Esc | KeyCode::Enter)
            || self.0.letter == 'y' && matches!(key.code, KeyCode::Char('n' | 'N'));
        let is_yes = !is_no && self.is_yes(context, key);
        Ok(if is_yes { std::mem::replace(&mut self.0.yes, Intent::None) } else { Intent::None })
    }

    fn draw(&self, page: &mut Page, area: Rect, context: &Context) {
        let keys = self.keys(context.keymap);
        let lines = self.0.sentences.iter().chain([&keys]).flat_map(|sentence| text::wrap(sentence, 54));
        let lines: Vec<Line> = lines.map(|line| Line::raw(format!(" {line}"))).collect();
        let area = centred(area, 58, u16::try_from(lines.len() + 2).unwrap_or(u16::MAX));
        clear_for_window(page, area);
        let block = Block::bordered().border_style(page.theme.strong());
        page.render_widget(Paragraph::new(lines).block(block), area);
    }
}
