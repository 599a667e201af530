//! The notation of values in the tables: blanks, spellings, missing values, numbers and dates. The verifier reads each text
//! with its own code.

use std::collections::BTreeMap;

use super::date::DateNotation;
use super::value::Number;

/// The notation of an attribute's values in both tables, and its missing values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// The notation in P.
    pub public: TableNotation,
    /// The notation in T, unless T is part of P.
    pub private: TableNotation,
    /// The label of people without a value, if values may be missing. No value may equal it.
    pub missing_label: Option<String>,
    /// Whether people without a value have the label `*` on all coarser levels.
    pub missing_at_top: bool,
}

/// The notation of one table. The steps: remove blanks, replace spellings, recognise missing values, read the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableNotation {
    /// Whether blanks around a value are removed.
    pub trim: bool,
    /// Spellings, each with the text that replaces it.
    pub values: BTreeMap<String, String>,
    /// The texts that mean a missing value.
    pub missing: Vec<String>,
    /// The kind of all other texts.
    pub notation: Notation,
}

/// The kind of the texts in a column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// Texts, unchanged.
    #[default]
    Text,
    /// Decimal numbers.
    Number {
        /// The decimal mark.
        decimal: char,
        /// The mark between groups of three digits, if the column has one.
        thousands: Option<char>,
        /// All numbers below this one, in plain form, are one value.
        first: Option<String>,
        /// All numbers from this one on, in plain form, are one value.
        last: Option<String>,
    },
    /// Dates by a pattern.
    Date(DateNotation),
}

impl Spelling {
    /// Whether a table's texts need no conversion.
    pub(crate) fn is_plain(&self, writing: &TableNotation) -> bool {
        self.missing_label.is_none() && *writing == TableNotation::default()
    }

    /// The value of a text, or the label of a missing value.
    ///
    /// # Errors
    /// The text that was expected.
    pub(crate) fn value(&self, writing: &TableNotation, text: &str) -> Result<String, String> {
        let bare = if writing.trim { text.trim_matches(char::is_whitespace) } else { text };
        let spelt = writing.values.get(bare).map_or(bare, String::as_str);
        if writing.missing.iter().any(|missing| missing == spelt) {
            return Ok(self.missing_label.clone().unwrap_or_default());
        }
        let value = match &writing.notation {
            Notation::Text => Some(spelt.to_owned()),
            Notation::Number { .. } => writing.notation.number(spelt),
            Notation::Date(notation) => notation.day(spelt),
        };
        match value {
            Some(value) if Some(&value) == self.missing_label.as_ref() => {
                Err("a text other than the label of missing values".to_owned())
            }
            Some(value) => Ok(value),
            None => Err(match &writing.notation {
                Notation::Date(date) => format!("a date written {:?}", date.pattern),
                _ => "a number in the notation of the project".to_owned(),
            }),
        }
    }
}

impl Notation {
    /// A number in its shortest plain form, or an open band of numbers such as `<1` and `>=90`. A number inside an open band
    /// that the notation names is the band.
    pub(crate) fn number(&self, text: &str) -> Option<String> {
        let Self::Number { decimal, thousands, first, last } = self else { return None };
        let plain = |text| number(text, *decimal, *thousands);
        if let Some(bound) = text.strip_prefix('<') {
            return Some(format!("<{}", plain(bound)?));
        }
        if let Some(bound) = text.strip_prefix(">=") {
            return Some(format!(">={}", plain(bound)?));
        }
        let found = plain(text)?;
        let value = Number::read(&found)?;
        let bound = |bound: &Option<String>| bound.as_deref().and_then(Number::read);
        if let (Some(text), Some(first)) = (first, bound(first))
            && value < first
        {
            return Some(format!("<{text}"));
        }
        match (last, bound(last)) {
            (Some(text), Some(last)) if value >= last => Some(format!(">={text}")),
            _ => Some(found),
        }
    }
}

/// A number with a decimal point in its shortest plain form.
pub(crate) fn plain_number(text: &str) -> Option<String> {
    number(text, '.', None)
}

/// The blanks between thousands, which look alike.
const BLANKS: &str = " \u{a0}\u{2007}\u{2009}\u{202f}";

/// A number in its shortest plain form.
fn number(text: &str, decimal: char, thousands: Option<char>) -> Option<String> {
    let (sign, digits) = match text.chars().next()? {
        '-' => ("-", &text[1..]),
        '+' => ("", &text[1..]),
        minus @ '\u{2212}' => ("-", &text[minus.len_utf8()..]),
        _ => ("", text),
    };
    let (integer, fraction) = digits.split_at(digits.find(decimal).unwrap_or(digits.len()));
    let fraction = match fraction.strip_prefix(decimal) {
        Some("") => return None,
        Some(fraction) => format!(".{fraction}"),
        None => String::new(),
    };
    let separates = |found: char| match thousands {
        Some(mark) if BLANKS.contains(mark) => BLANKS.contains(found),
        mark => mark == Some(found),
    };
    let groups: Vec<&str> = integer.split(separates).collect();
    if let [first, rest @ ..] = groups.as_slice()
        && !rest.is_empty()
        && (first.is_empty() || first.len() > 3 || rest.iter().any(|group| group.len() != 3))
    {
        return None;
    }
    // Only digits may remain: a mark that the project does not name must not pass as a decimal point.
    if groups.iter().any(|group| group.bytes().any(|byte| !byte.is_ascii_digit())) {
        return None;
    }
    Number::read(&format!("{sign}{}{fraction}", groups.concat())).map(|number| number.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(notation: Notation) -> TableNotation {
        TableNotation { trim: true, missing: vec![String::new()], notation, ..TableNotation::default() }
    }

    fn of(decimal: char, thousands: Option<char>) -> Notation {
        Notation::Number { decimal, thousands, first: None, last: None }
    }

    #[test]
    fn lookalike_blanks_and_minus_signs_are_read() {
        let blanks = of(',', Some('\u{a0}'));
        for text in ["1 234,5", "1\u{a0}234,50", "1\u{202f}234,5", "1\u{2009}234,5"] {
            assert_eq!(blanks.number(text).as_deref(), Some("1234.5"), "{text:?}");
        }
        assert_eq!(plain_number("\u{2212}7.0").as_deref(), Some("-7"));
        assert_eq!((plain_number("1 234"), plain_number("\u{2212}")), (None, None));
    }

    #[test]
    fn numbers_inside_an_open_band_are_the_band() {
        let (first, last) = (Some("1".to_owned()), Some("1000".to_owned()));
        let notation = Notation::Number { decimal: ',', thousands: Some('.'), first, last };
        for (text, value) in [
            ("0,5", "<1"),
            ("1", "1"),
            ("999,9", "999.9"),
            ("1.000", ">=1000"),
            ("20.000", ">=1000"),
            ("<1,0", "<1"),
            (">=1.000", ">=1000"),
        ] {
            assert_eq!(notation.number(text).as_deref(), Some(value), "{text:?}");
        }
        assert_eq!((notation.number("> 5"), notation.number("<")), (None, None));
    }

    #[test]
    fn numbers_have_one_text() {
        let spelling = Spelling { missing_label: Some("unknown".into()), ..Spelling::default() };
        let writing = written(of(',', Some('.')));
        for (text, value) in [
            ("1.234,50", "1234.5"),
            (" +39 ", "39"),
            ("-0,0", "0"),
            ("007", "7"),
            ("", "unknown"),
            ("1234", "1234"),
        ] {
            assert_eq!(spelling.value(&writing, text).as_deref(), Ok(value), "{text:?}");
        }
        for text in
            ["1.23", "1234.567", "1,", ",5", "1,2,3", "1.234.5", "+-1", "-", "1e3", ".123", "1,234.567"]
        {
            assert!(spelling.value(&writing, text).is_err(), "{text:?}");
        }
        let swiss = written(of(',', None));
        assert!(spelling.value(&swiss, "1.5").is_err());
    }

    #[test]
    fn value_equal_to_the_missing_label_is_refused() {
        let spelling = Spelling { missing_label: Some("unknown".into()), ..Spelling::default() };
        assert!(spelling.value(&TableNotation::default(), "unknown").is_err());
    }
}
