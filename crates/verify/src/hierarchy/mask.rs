//! Mask hierarchies: each level hides one more character.

use toml::de::DeValue;

use super::built::{Key, LabelRule};
use super::settings::Settings;
use crate::error::VerifyError;
use crate::value::{Day, Number};
use palmtop_terms::Kind;

/// A mask over codes of one length.
pub(super) struct Mask {
    length: u8,
    from_left: bool,
    character: char,
}

pub(super) fn read(settings: &Settings) -> Result<Mask, VerifyError> {
    settings.only(&["type", "length", "from", "character"])?;
    let length = settings.get("length").ok_or_else(|| {
        settings.wrong(None, "`length` is missing; give the number of characters of a value".to_owned())
    })?;
    let number = match length.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse::<u8>().ok(),
        _ => None,
    };
    let number = number.filter(|number| (1..=200).contains(number)).ok_or_else(|| {
        settings.wrong(Some(length.span()), "`length` is not a whole number from 1 to 200".to_owned())
    })?;
    let from_left = match settings.get("from") {
        None => false,
        Some(value) => match settings.text_in(value, "from")? {
            "left" => true,
            "right" => false,
            side => {
                let detail = format!("`from` is `{side}`; expected `left` or `right`");
                return Err(settings.wrong(Some(value.span()), detail));
            }
        },
    };
    let character = match settings.get("character") {
        None => '*',
        Some(value) => {
            let mut characters = settings.text_in(value, "character")?.chars();
            let (Some(character), None) = (characters.next(), characters.next()) else {
                return Err(
                    settings.wrong(Some(value.span()), "`character` is not exactly one character".to_owned())
                );
            };
            character
        }
    };
    Ok(Mask { length: number, from_left, character })
}

impl Mask {
    /// The text with `hidden` of its characters replaced.
    fn hide(&self, text: &str, hidden: u8) -> String {
        if hidden == self.length {
            return "*".to_owned();
        }
        let hidden = usize::from(hidden);
        let shown = usize::from(self.length) - hidden;
        let mask = self.character.to_string().repeat(hidden);
        if self.from_left {
            mask + &text.chars().skip(hidden).collect::<String>()
        } else {
            text.chars().take(shown).collect::<String>() + &mask
        }
    }

    /// Whether a text is a label of a level.
    fn has(&self, text: &str, level: u8) -> bool {
        if level == self.length {
            return text == "*";
        }
        text.chars().count() == usize::from(self.length) && self.hide(text, level) == text
    }
}

impl LabelRule for Mask {
    fn kind(&self) -> Kind {
        Kind::Category
    }

    fn top(&self) -> u8 {
        self.length
    }

    fn generalize(&self, text: &str, from: u8, to: u8) -> Option<String> {
        self.has(text, from).then(|| self.hide(text, to))
    }

    fn key(&self, text: &str, _level: u8, kind: Kind) -> Option<Key> {
        match kind {
            Kind::Number => Number::read(text).map(Key::Number),
            Kind::Date => Day::read(text).map(Key::Day),
            Kind::Category => Some(Key::Text(text.to_owned())),
        }
    }
}
