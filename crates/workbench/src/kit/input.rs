//! A line of typed text with a cursor.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::kit::text;

/// The most bytes that a line takes. A longer text was pasted by mistake, and every frame reads all
/// of it.
const MOST: usize = 4096;

/// The typed text and its cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Input {
    text: String,
    /// The cursor in bytes; always between two characters.
    cursor: usize,
}

impl Input {
    /// A text with the cursor at its end.
    pub(crate) fn new(text: String) -> Self {
        Self { cursor: text.len(), text }
    }

    /// The typed text.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Inserts a character at the cursor.
    pub(crate) fn insert(&mut self, character: char) {
        if self.text.len() + character.len_utf8() > MOST {
            return;
        }
        self.text.insert(self.cursor, character);
        self.cursor += character.len_utf8();
    }

    /// Moves the cursor, or deletes text.
    pub(crate) fn edit(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Left => self.cursor = self.before(),
            KeyCode::Right => self.cursor = self.after(),
            KeyCode::Home => self.cursor = 0,
            KeyCode::Char('a') if control => self.cursor = 0,
            KeyCode::End => self.cursor = self.text.len(),
            KeyCode::Char('e') if control => self.cursor = self.text.len(),
            KeyCode::Backspace => {
                let start = self.before();
                self.text.drain(start..self.cursor);
                self.cursor = start;
            }
            KeyCode::Delete => {
                let end = self.after();
                self.text.drain(self.cursor..end);
            }
            KeyCode::Char('u') if control => {
                self.text.drain(..self.cursor);
                self.cursor = 0;
            }
            _ => {}
        }
    }

    fn before(&self) -> usize {
        self.text[..self.cursor].char_indices().next_back().map_or(0, |(start, _)| start)
    }

    fn after(&self) -> usize {
        self.text[self.cursor..].chars().next().map_or(self.cursor, |next| self.cursor + next.len_utf8())
    }

    /// The part around the cursor that fits into this many columns. If `active`, the cursor is
    /// drawn as a bar.
    pub(crate) fn shown(&self, columns: usize, active: bool) -> String {
        let (before, after) = self.text.split_at(self.cursor);
        let (before, after) = (text::safe(before), text::safe(after));
        let room = columns.saturating_sub(usize::from(active));
        // The user types at the end, so the start is cut first.
        let mut start = before.as_str();
        while text::width(start) > room {
            start = start.char_indices().nth(1).map_or("", |(next, _)| &start[next..]);
        }
        let rest = room - text::width(start);
        let bar = if active { "▏" } else { "" };
        let after = if text::width(&after) <= rest { after } else { text::fit(&after, rest) };
        format!("{start}{bar}{after}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_edited_where_the_cursor_stands() {
        let mut input = Input::new("aé.csv".to_owned());
        let press = |input: &mut Input, code| input.edit(KeyEvent::new(code, KeyModifiers::NONE));
        for _ in 0..4 {
            press(&mut input, KeyCode::Left);
        }
        assert_eq!(input.shown(20, true), "aé▏.csv");
        press(&mut input, KeyCode::Backspace);
        input.insert('日');
        press(&mut input, KeyCode::Delete);
        assert_eq!(input.shown(20, true), "a日▏csv");
        press(&mut input, KeyCode::Home);
        press(&mut input, KeyCode::Left);
        press(&mut input, KeyCode::Backspace);
        assert_eq!(input.shown(20, false), "a日csv");
        press(&mut input, KeyCode::End);
        press(&mut input, KeyCode::Delete);
        input.edit(KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL));
        assert_eq!(input.text(), "");
    }

    #[test]
    fn the_cursor_stays_in_sight() {
        let mut input = Input::new("a-rather-long-name.csv".to_owned());
        assert_eq!(input.shown(10, true), "-name.csv▏");
        input.edit(KeyEvent::new(KeyCode::Home, KeyModifiers::NONE));
        assert_eq!(input.shown(10, true), "▏a-rather…");
        for columns in 0..30 {
            assert!(text::width(&input.shown(columns, false)) <= columns);
        }
    }
}
