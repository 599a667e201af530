//! How the tables write the values of a quasi-identifier, read by the verifier for itself: blanks, spellings, missing values,
//! numbers and dates.

use std::collections::BTreeMap;

use super::value::{Day, Number};

/// How the two tables write the values of a quasi-identifier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spelling {
    /// In P.
    pub public: Writing,
    /// In T, where it is a table of its own.
    pub private: Writing,
    /// What a release writes for people without a value, where somebody may have none: no value may be that.
    pub missing_label: Option<String>,
    /// Whether they are to be `*` from the next level on.
    pub missing_at_top: bool,
}

/// How one table writes them: blanks are taken off, then spellings replaced, then missing values found, then the rest read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Writing {
    /// Whether blanks around a value are taken off.
    pub trim: bool,
    /// Spellings, each with what stands for it.
    pub values: BTreeMap<String, String>,
    /// The texts of people without a value.
    pub missing: Vec<String>,
    /// What the others are.
    pub notation: Notation,
}

/// What the texts of a column are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Notation {
    /// Texts.
    #[default]
    Text,
    /// Numbers.
    Number {
        /// What stands before the fraction.
        decimal: char,
        /// What stands between thousands, if anything.
        thousands: Option<char>,
    },
    /// Dates by a pattern of `%Y %y %m %b %B %d %H %M %S %%`.
    Date(String),
}

impl Spelling {
    /// Whether the texts of a table stand for themselves.
    pub(super) fn is_plain(&self, writing: &Writing) -> bool {
        self.missing_label.is_none() && *writing == Writing::default()
    }

    /// The value of a text, or what people without one are called; else what was expected.
    pub(super) fn value(&self, writing: &Writing, text: &str) -> Result<String, String> {
        let bare = if writing.trim { text.trim_matches(char::is_whitespace) } else { text };
        let spelt = writing.values.get(bare).map_or(bare, String::as_str);
        if writing.missing.iter().any(|missing| missing == spelt) {
            return Ok(self.missing_label.clone().unwrap_or_default());
        }
        let value = match &writing.notation {
            Notation::Text => Some(spelt.to_owned()),
            Notation::Number { decimal, thousands } => number(spelt, *decimal, *thousands),
            Notation::Date(pattern) => date(spelt, pattern),
        };
        match value {
            Some(value) if Some(&value) == self.missing_label.as_ref() => {
                Err("another text than the one of people without a value".to_owned())
            }
            Some(value) => Ok(value),
            None => Err(match &writing.notation {
                Notation::Date(pattern) => format!("a date written {pattern:?}"),
                _ => "a number written as the project says".to_owned(),
            }),
        }
    }
}

/// A number as plain digits, no more than it needs.
fn number(text: &str, decimal: char, thousands: Option<char>) -> Option<String> {
    let (sign, digits) = match text.chars().next()? {
        '-' => ("-", &text[1..]),
        '+' => ("", &text[1..]),
        _ => ("", text),
    };
    let (whole, fraction) = digits.split_at(digits.find(decimal).unwrap_or(digits.len()));
    let fraction = match fraction.strip_prefix(decimal) {
        Some("") => return None,
        Some(fraction) => format!(".{fraction}"),
        None => String::new(),
    };
    let groups: Vec<&str> = thousands.map_or_else(|| vec![whole], |mark| whole.split(mark).collect());
    if let [first, rest @ ..] = groups.as_slice()
        && !rest.is_empty()
        && (first.is_empty() || first.len() > 3 || rest.iter().any(|group| group.len() != 3))
    {
        return None;
    }
    // What is left must be digits: a point of another meaning must not pass for one.
    if groups.iter().any(|group| group.bytes().any(|byte| !byte.is_ascii_digit())) {
        return None;
    }
    Number::read(&format!("{sign}{}{fraction}", groups.concat())).map(|number| number.to_string())
}

/// The names of the months, of which the first three letters are the short ones.
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A day as `2024-01-05`.
fn date(text: &str, pattern: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut place = 0;
    let (mut year, mut month, mut day) = (0, 0, 0);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        let part = if character == '%' { characters.next()? } else { 'x' };
        match part {
            'Y' => year = digits(bytes, &mut place, 4)?,
            'y' => {
                let short = two_digits(bytes, &mut place)?;
                year = if short < 70 { 2000 + short } else { 1900 + short };
            }
            'm' => month = two_digits(bytes, &mut place)?,
            'd' => day = two_digits(bytes, &mut place)?,
            'b' | 'B' => {
                let rest = bytes.get(place..)?;
                let name = |name: &&str| name[..if part == 'b' { 3 } else { name.len() }].to_owned();
                let names = MONTHS.iter().map(name);
                let begins = |name: &String| {
                    rest.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name.as_bytes()))
                };
                let (number, name) = (1..).zip(names).find(|(_, name)| begins(name))?;
                month = number;
                place += name.len();
            }
            'H' => drop(Some(two_digits(bytes, &mut place)?).filter(|hour| *hour < 24)?),
            'M' | 'S' => drop(Some(two_digits(bytes, &mut place)?).filter(|unit| *unit < 60)?),
            '%' => literal(bytes, &mut place, '%')?,
            'x' if character != '%' => literal(bytes, &mut place, character)?,
            _ => return None,
        }
    }
    let written = format!("{year:04}-{month:02}-{day:02}");
    (place == bytes.len() && Day::read(&written).is_some()).then_some(written)
}

fn literal(bytes: &[u8], place: &mut usize, character: char) -> Option<()> {
    let mut buffer = [0; 4];
    let expected = character.encode_utf8(&mut buffer).as_bytes();
    bytes.get(*place..)?.starts_with(expected).then(|| *place += expected.len())
}

fn digits(bytes: &[u8], place: &mut usize, count: usize) -> Option<u32> {
    let own = bytes.get(*place..*place + count)?;
    let number = own
        .iter()
        .try_fold(0, |sum, byte| byte.is_ascii_digit().then(|| sum * 10 + u32::from(byte - b'0')))?;
    *place += count;
    Some(number)
}

/// A number of two digits; of one, where it stands alone.
fn two_digits(bytes: &[u8], place: &mut usize) -> Option<u32> {
    if let Some(number) = digits(bytes, place, 2) {
        return Some(number);
    }
    let is_joined = *place > 0 && bytes[*place - 1].is_ascii_digit();
    if is_joined { None } else { digits(bytes, place, 1) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(notation: Notation) -> Writing {
        Writing { trim: true, missing: vec![String::new()], notation, ..Writing::default() }
    }

    #[test]
    fn numbers_have_one_text() {
        let spelling = Spelling { missing_label: Some("unknown".into()), ..Spelling::default() };
        let writing = written(Notation::Number { decimal: ',', thousands: Some('.') });
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
        let swiss = written(Notation::Number { decimal: ',', thousands: None });
        assert!(spelling.value(&swiss, "1.5").is_err());
    }

    #[test]
    fn dates_have_one_text() {
        for (pattern, text, value) in [
            ("%d.%m.%Y", "1.3.2024", Some("2024-03-01")),
            ("%d.%m.%Y", "31.03.24", None),
            ("%d.%m.%Y", "30.02.2024", None),
            ("%d.%m.%Y", "001.3.2024", None),
            ("%Y%m%d", "20240331", Some("2024-03-31")),
            ("%Y%m%d", "2024331", None),
            ("%d %b %y", "5 MAR 70", Some("1970-03-05")),
            ("%d %b %y", "5 march 70", None),
            ("%B %d, %Y", "march 05, 2024", Some("2024-03-05")),
            ("%Y-%m-%dT%H:%M", "2024-03-31T7:30", Some("2024-03-31")),
            ("%Y-%m-%dT%H:%M", "2024-03-31T24:30", None),
        ] {
            assert_eq!(date(text, pattern).as_deref(), value, "{pattern} {text}");
        }
    }

    #[test]
    fn a_value_that_is_called_as_people_without_one_is_refused() {
        let spelling = Spelling { missing_label: Some("unknown".into()), ..Spelling::default() };
        assert!(spelling.value(&Writing::default(), "unknown").is_err());
    }
}
