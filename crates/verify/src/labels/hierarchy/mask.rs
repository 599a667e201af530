//! Mask hierarchies: each level hides one more character, or shows the group of five that it is one of.

use toml::de::DeValue;

use super::built::{Key, LabelRule};
use super::settings::Settings;
use crate::problems::VerifyError;
use crate::values::{Day, Number};
use palmtop_terms::Kind;

/// A mask over codes of one length.
pub(super) struct Mask {
    length: u8,
    from_left: bool,
    character: char,
    /// Whether a character is shown as one of five before it is hidden.
    fives: bool,
}

pub(super) fn read(settings: &Settings) -> Result<Mask, VerifyError> {
    settings.only(&["type", "length", "from", "character", "fives"])?;
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
    let fives = match settings.get("fives") {
        None => false,
        Some(value) => {
            let DeValue::Boolean(written) = value.get_ref() else {
                let detail = "`fives` is neither `true` nor `false`".to_owned();
                return Err(settings.wrong(Some(value.span()), detail));
            };
            *written
        }
    };
    if fives && number > 100 {
        let detail = "with `fives`, `length` is at most 100".to_owned();
        return Err(settings.wrong(Some(length.span()), detail));
    }
    Ok(Mask { length: number, from_left, character, fives })
}

/// The groups of characters that `fives` shows, as they are written.
const FIVES: [&str; 12] = [
    "01234", "56789", "ABCDE", "FGHIJ", "KLMNO", "PQRST", "UVWXYZ", "abcde", "fghij", "klmno", "pqrst",
    "uvwxyz",
];

/// The parts of a label.
struct Parts<'t> {
    mask: &'t str,
    /// The character next to the mask, as it is written.
    next: &'t str,
    others: &'t str,
}

impl Mask {
    /// The number of hidden characters at a level.
    fn hidden(&self, level: u8) -> usize {
        usize::from(if self.fives { level / 2 } else { level })
    }

    /// Whether a level shows the group of one character.
    fn shows_group(&self, level: u8) -> bool {
        self.fives && level % 2 == 1
    }

    /// The parts of a label. `None` if the text has another length or another mask.
    fn parts<'t>(&self, text: &'t str, level: u8) -> Option<Parts<'t>> {
        let hidden = self.hidden(level);
        let shown = usize::from(self.length).checked_sub(hidden + 1)?;
        let starts = || text.char_indices().map(|(start, _)| start).chain([text.len()]);
        let all = starts().count() - 1;
        let at = |nth: usize| starts().nth(nth).unwrap_or(text.len());
        // The character next to the mask is one, or a group of five characters such as `[0-4]`.
        let next = all.checked_sub(hidden + shown)?;
        let (mask, next, others) = if self.from_left {
            (&text[..at(hidden)], &text[at(hidden)..at(hidden + next)], &text[at(hidden + next)..])
        } else {
            (&text[at(shown + next)..], &text[at(shown)..at(shown + next)], &text[..at(shown)])
        };
        let is_mask = mask.chars().all(|found| found == self.character);
        let is_next = next.chars().count() == 1 || self.shows_group(level) && group_in(next).is_some();
        // A digit or a letter is written as its group.
        let is_bare = self.shows_group(level) && next.chars().count() == 1 && group_of(next).is_some();
        (is_mask && is_next && !is_bare).then_some(Parts { mask, next, others })
    }

    /// The label of the same level, or of a coarser one.
    fn raised(&self, parts: &Parts, to: u8) -> String {
        if to == self.top() {
            return "*".to_owned();
        }
        let hidden = self.hidden(to);
        // What is not hidden yet, from the mask outwards.
        let mut others: Vec<char> = parts.others.chars().collect();
        if !self.from_left {
            others.reverse();
        }
        let shown = std::iter::once(parts.next.to_owned()).chain(others.into_iter().map(String::from));
        let mut rest: Vec<String> = shown.skip(hidden - parts.mask.chars().count()).collect();
        if self.shows_group(to)
            && let Some(first) = rest.first_mut()
            && let Some(group) = group_of(first)
        {
            *first = group;
        }
        let mask = self.character.to_string().repeat(hidden);
        if self.from_left {
            mask + &rest.concat()
        } else {
            rest.into_iter().rev().collect::<String>() + &mask
        }
    }
}

/// The group of a digit or a letter, as it is written.
fn group_of(character: &str) -> Option<String> {
    let group = FIVES.iter().find(|group| group.contains(character))?;
    Some(format!("[{}-{}]", &group[..1], &group[group.len() - 1..]))
}

/// The group that a text such as `[0-4]` is.
fn group_in(text: &str) -> Option<&'static str> {
    FIVES.into_iter().find(|group| group_of(&group[..1]).as_deref() == Some(text))
}

impl LabelRule for Mask {
    fn kind(&self) -> Kind {
        Kind::Category
    }

    fn top(&self) -> u8 {
        if self.fives { self.length * 2 } else { self.length }
    }

    fn generalize(&self, text: &str, from: u8, to: u8) -> Option<String> {
        if from == self.top() {
            return (text == "*").then(|| text.to_owned());
        }
        self.parts(text, from).map(|parts| self.raised(&parts, to))
    }

    fn key(&self, text: &str, _level: u8, kind: Kind) -> Option<Key> {
        match kind {
            Kind::Number => Number::read(text).map(Key::Number),
            Kind::Date => Day::read(text).map(Key::Day),
            Kind::Category => Some(Key::Text(text.to_owned())),
        }
    }
}
