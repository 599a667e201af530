//! Mask hierarchies: each level hides one more character.

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
}

impl Mask {
    pub(super) fn new(written: &MaskFile) -> Result<Self, String> {
        if written.length == 0 || written.length > 200 {
            return Err(format!("length {} is not between 1 and 200", written.length));
        }
        Ok(Self { length: written.length, from: written.from, character: written.character })
    }

    /// The text with `hidden` characters hidden, counted from the mask's end.
    fn hide(&self, text: &[char], hidden: usize) -> String {
        if hidden == self.length {
            return "*".to_owned();
        }
        let is_hidden = |index: usize| match self.from {
            End::Right => index >= self.length - hidden,
            End::Left => index < hidden,
        };
        let shown = |(index, &character)| if is_hidden(index) { self.character } else { character };
        text.iter().enumerate().map(shown).collect()
    }
}

impl HierarchyBuilder for Mask {
    fn rule(&self, level: Level) -> Option<LevelRule> {
        let (length, hidden, character) = (self.length, usize::from(level.0), self.character);
        let hides_end = matches!(self.from, End::Right);
        Some(LevelRule::Mask { length, hidden, hides_end, character })
    }

    fn kind(&self) -> Kind {
        Kind::Category
    }

    fn height(&self) -> usize {
        self.length
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        if level == self.top() {
            return (text == "*").then(|| vec![Arc::from("*")]);
        }
        let characters: Vec<char> = text.chars().collect();
        let fits = characters.len() == self.length && self.hide(&characters, usize::from(level.0)) == text;
        fits.then(|| {
            let levels = usize::from(level.0)..=self.length;
            levels.map(|hidden| Arc::from(self.hide(&characters, hidden))).collect()
        })
    }

    fn remedy(&self, _text: &str) -> String {
        format!("its values are codes of {} characters; correct the table, or its `length`", self.length)
    }

    fn position(&self, text: &str, _level: Level, kind: Kind) -> Option<Position> {
        position_of_text(text, kind, Position::Text(text.to_owned()))
    }
}
