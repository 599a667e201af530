//! The state of a line that the analyst types for a screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::kit::complete::rest_of_path;
use crate::kit::input::Input;
use crate::shared::intent::{Intent, Manner, Question, Stage};

/// The line.
pub(crate) struct Prompt {
    pub(crate) question: Question,
    pub(crate) input: Input,
    /// What is wrong with the line.
    pub(crate) wrong: Option<String>,
}

impl Prompt {
    /// A line that begins with the text of its question.
    pub(crate) fn new(question: Question) -> Self {
        Self { input: Input::new(question.text.clone()), question, wrong: None }
    }

    /// Handles a key.
    pub(super) fn press(&mut self, key: KeyEvent) -> Intent {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let manner = self.question.manner;
        match key.code {
            KeyCode::Esc if manner == Manner::Followed => {
                return self.typed(&self.question.text, Stage::GivenUp);
            }
            KeyCode::Esc => return Intent::Close,
            KeyCode::Enter => return self.typed(self.input.text(), Stage::Complete),
            KeyCode::Tab if manner == Manner::Path => {
                for character in rest_of_path(self.input.text()).chars() {
                    self.input.insert(character);
                }
            }
            KeyCode::Char(character) if !control => self.input.insert(character),
            _ => self.input.edit(key),
        }
        self.wrong = None;
        self.part()
    }

    /// Hands over the line as typed so far, if the screen follows it while it is typed.
    pub(crate) fn part(&self) -> Intent {
        if self.question.manner == Manner::Followed {
            return self.typed(self.input.text(), Stage::Part);
        }
        Intent::None
    }

    fn typed(&self, text: &str, stage: Stage) -> Intent {
        Intent::Typed { id: self.question.id, text: text.to_owned(), stage }
    }
}
