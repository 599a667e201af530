//! Mask hierarchies: each level hides one more character, or first shows which five characters it is one of.

use std::sync::Arc;

use serde::Deserialize;

use super::builder::{HierarchyBuilder, LevelRule, Position, position_of_text};
use palmtop_core::model::{Kind, Level};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MaskFile {
    /// Already read; declared so that serde does not refuse the key as unknown.
    #[serde(rename = "type")]
    _type: String,
    length: usize,
    #[serde(default)]
    from: End,
    #[serde(default = "star")]
    character: char,
    #[serde(default)]
    fives: bool,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum End {
    #[default]
    Right,
    Left,
}

fn star() -> char {
    '*'
}

/// A mask over codes of equal length.
pub(super) struct Mask {
    length: usize,
    from: End,
    character: char,
    fives: bool,
}

/// The groups of five characters, each as the first and the last; those that end the alphabet have six.
const FIVES: [(char, char); 12] = [
    ('0', '4'),
    ('5', '9'),
    ('A', 'E'),
    ('F', 'J'),
    ('K', 'O'),
    ('P', 'T'),
    ('U', 'Z'),
    ('a', 'e'),
    ('f', 'j'),
    ('k', 'o'),
    ('p', 't'),
    ('u', 'z'),
];

/// The group of a digit or a letter; `None` for other characters.
fn five_around(character: char) -> Option<(char, char)> {
    FIVES.into_iter().find(|&(first, last)| (first..=last).contains(&character))
}

impl Mask {
    pub(super) fn new(written: &MaskFile) -> Result<Self, String> {
        // There are at most 255 levels.
        let most = if written.fives { 100 } else { 200 };
        if written.length == 0 || written.length > most {
            return Err(format!("length {} is not between 1 and {most}", written.length));
        }
        let MaskFile { length, from, character, fives, .. } = *written;
        Ok(Self { length, from, character, fives })
    }

    /// The number of hidden characters at a level, and whether the next one is shown as one of five.
    fn hidden_at(&self, level: usize) -> (usize, bool) {
        if self.fives { (level / 2, level % 2 == 1) } else { (level, false) }
    }

    /// The character that is hidden after some others.
    fn next_hidden(&self, hidden: usize) -> usize {
        match self.from {
            End::Right => self.length - hidden - 1,
            End::Left => hidden,
        }
    }

    /// The label of a code at a level.
    fn hide(&self, code: &[char], level: usize) -> String {
        let (hidden, is_five) = self.hidden_at(level);
        if hidden == self.length {
            return "*".to_owned();
        }
        let is_hidden = |index: usize| match self.from {
            End::Right => index >= self.length - hidden,
            End::Left => index < hidden,
        };
        let mut label = String::with_capacity(code.len() + 4);
        for (index, &character) in code.iter().enumerate() {
            let five = five_around(character).filter(|_| is_five && index == self.next_hidden(hidden));
            match five {
                Some((first, last)) => label.extend(['[', first, '-', last, ']']),
                None => label.push(if is_hidden(index) { self.character } else { character }),
            }
        }
        label
    }

    /// A code with this label at a level: hidden characters remain hidden, and of five characters it has the
    /// first. `None` if the text is no such label.
    fn code_of(&self, text: &str, level: usize) -> Option<Vec<char>> {
        let mut characters: Vec<char> = text.chars().collect();
        let (hidden, is_five) = self.hidden_at(level);
        if is_five && characters.len() == self.length + 4 {
            let start = self.next_hidden(hidden);
            // Of `[0-4]`, only `0` remains.
            characters.drain(start + 2..start + 5);
            characters.remove(start);
        }
        (characters.len() == self.length && self.hide(&characters, level) == text).then_some(characters)
    }
}

impl HierarchyBuilder for Mask {
    fn rule(&self, level: Level) -> Option<LevelRule> {
        let (hidden, is_five) = self.hidden_at(usize::from(level.0));
        let (length, character) = (self.length, self.character);
        let hides_end = matches!(self.from, End::Right);
        (!is_five).then_some(LevelRule::Mask { length, hidden, hides_end, character })
    }

    fn kind(&self) -> Kind {
        Kind::Category
    }

    fn height(&self) -> usize {
        if self.fives { self.length * 2 } else { self.length }
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        if level == self.top() {
            return (text == "*").then(|| vec![Arc::from("*")]);
        }
        let code = self.code_of(text, usize::from(level.0))?;
        let levels = usize::from(level.0)..=self.height();
        Some(levels.map(|level| Arc::from(self.hide(&code, level))).collect())
    }

    fn remedy(&self, _text: &str) -> String {
        format!("its values are codes of {} characters; correct the table, or its `length`", self.length)
    }

    fn position(&self, text: &str, _level: Level, kind: Kind) -> Option<Position> {
        position_of_text(text, kind, Position::Text(text.to_owned()))
    }
}
