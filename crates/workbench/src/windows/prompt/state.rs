//! The state of a line that the analyst types for a screen.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::kit::complete::rest_of_path;
use crate::kit::input::Input;
use crate::shared::intent::{Intent, Purpose, Question, Stage};

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

    /// Handles a key; `filter` is the current filter of the classes.
    pub(super) fn press(&mut self, key: KeyEvent, filter: &str) -> Intent {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        let purpose = self.question.purpose;
        match key.code {
            KeyCode::Esc if purpose == Purpose::Filter && self.question.text != filter => {
                // The earlier filter is valid, so it is restored.
                let text = self.question.text.clone();
                return Intent::Many(vec![
                    Intent::Typed { purpose, text, stage: Stage::Part },
                    Intent::Close,
                ]);
            }
            KeyCode::Esc if matches!(purpose, Purpose::Find | Purpose::Draft) => {
                return Intent::Typed { purpose, text: String::new(), stage: Stage::GivenUp };
            }
            KeyCode::Esc => return Intent::Close,
            KeyCode::Enter => {
                return Intent::Typed { purpose, text: self.input.text().to_owned(), stage: Stage::Complete };
            }
            KeyCode::Tab if purpose.is_path() => {
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
        let purpose = self.question.purpose;
        if matches!(purpose, Purpose::Filter | Purpose::Find | Purpose::Draft) {
            return Intent::Typed { purpose, text: self.input.text().to_owned(), stage: Stage::Part };
        }
        Intent::None
    }
}
