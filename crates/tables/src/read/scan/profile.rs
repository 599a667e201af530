//! What the first rows of a column have: numbers and dates, a few values, or many.

use std::collections::HashMap;

use super::words;

/// The most values that are known.
const MOST_KNOWN: usize = 256;

/// What a column has.
pub(super) struct Profile {
    /// Whether its values begin with digits, as numbers and dates do.
    has_digits: bool,
    /// The number of cells with a value.
    pub(super) filled: usize,
    /// Each text with its number of rows; empty if there are many texts.
    counts: HashMap<String, usize>,
    /// The one shape of all values that have digits and letters, such as `A-9999`.
    pub(super) shape: Option<String>,
    /// The least and the greatest number, if all values are numbers.
    pub(super) range: Option<(f64, f64)>,
}

impl Profile {
    pub(super) fn of<'a>(cells: impl Iterator<Item = &'a str> + Clone) -> Self {
        let filled = cells.filter(|text| !words::is_blank(text));
        let (mut count, mut digits, mut odd) = (0, 0, 0);
        let mut counts: HashMap<&str, usize> = HashMap::new();
        for text in filled.clone() {
            count += 1;
            if words::begins_with_digit(text) {
                digits += 1;
            } else if words::is_word(text) {
                odd += 1;
            }
            *counts.entry(text).or_default() += 1;
        }
        let has_digits = digits >= 3 && odd <= (count / 20).max(2) && digits > 2 * odd;
        let is_few = counts.len() <= MOST_KNOWN && 2 * counts.len() <= count;
        let counts =
            counts.into_iter().filter(|_| is_few).map(|(text, rows)| (text.to_owned(), rows)).collect();
        Self { has_digits, filled: count, counts, shape: one_shape(filled.clone()), range: range(filled) }
    }

    /// Whether its values begin with digits, as numbers and dates do.
    pub(super) fn has_digits(&self) -> bool {
        self.has_digits
    }

    /// Whether the column has few values, so that it should know each.
    pub(super) fn has_few(&self) -> bool {
        !self.counts.is_empty()
    }

    /// Whether a text is no value of the column: a word among numbers or dates.
    pub(super) fn is_foreign(&self, text: &str) -> bool {
        self.has_digits && !words::begins_with_digit(text) && words::is_word(text)
    }

    /// Whether several rows have the text, or it is a number among numbers: a person has it.
    pub(super) fn knows(&self, text: &str) -> bool {
        let rows = self.counts.get(text).copied().unwrap_or_default();
        rows > 1 || (self.has_digits && words::begins_with_digit(text))
    }

    /// Whether a row has the text.
    pub(super) fn has(&self, text: &str) -> bool {
        self.counts.contains_key(text)
    }
}

/// The shape of a text: a letter for each letter, `9` for each digit.
pub(super) fn shape(text: &str) -> String {
    let kind = |character: char| match character {
        _ if character.is_numeric() => '9',
        _ if character.is_uppercase() => 'A',
        _ if character.is_alphabetic() => 'a',
        other => other,
    };
    text.chars().map(kind).collect()
}

fn one_shape<'a>(mut filled: impl Iterator<Item = &'a str>) -> Option<String> {
    let first = filled.next().filter(|text| text.len() <= 40 && text.contains(char::is_numeric))?;
    let wanted = shape(first);
    filled.all(|text| text.len() <= 80 && shape(text) == wanted).then_some(wanted)
}

fn range<'a>(filled: impl Iterator<Item = &'a str>) -> Option<(f64, f64)> {
    let mut range = None;
    for text in filled {
        let number = number(text)?;
        let (least, greatest) = range.unwrap_or((number, number));
        range = Some((number.min(least), number.max(greatest)));
    }
    range
}

/// A text as a number, for a comparison that decides nothing but a question.
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().replace(',', ".").parse().ok().filter(|number: &f64| number.is_finite())
}
