//! Numbers in tables: with a decimal comma, with thousands separators, with redundant zeros, with
//! open bands.

use crate::values::literal::toml_string;
use rust_decimal::Decimal;

/// How numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberForm {
    decimal: char,
    thousands: Option<char>,
    /// All numbers below this one are one value.
    first: Option<Decimal>,
    /// All numbers from this one on are one value.
    last: Option<Decimal>,
}

/// The blanks that separate thousands. A form with one of them reads all of them: they look alike.
const BLANKS: [char; 5] = [' ', '\u{a0}', '\u{2007}', '\u{2009}', '\u{202f}'];

impl NumberForm {
    /// The most digits of a number: so many fit a decimal exactly.
    const MOST_DIGITS: usize = 28;

    /// A decimal point and no thousands separator.
    pub const POINT: Self = Self::of('.', None);

    /// A form whose marks are known to be valid.
    pub const fn of(decimal: char, thousands: Option<char>) -> Self {
        Self { decimal, thousands, first: None, last: None }
    }

    /// A form with this decimal mark and, optionally, a thousands separator; `None` if a mark could
    /// be part of a number, or both marks are equal.
    pub fn new(decimal: char, thousands: Option<char>) -> Option<Self> {
        let is_part =
            |character: char| character.is_alphanumeric() || matches!(character, '+' | '-' | '\u{2212}');
        let is_decimal = !decimal.is_whitespace() && !is_part(decimal);
        let separates = |thousands| !is_part(thousands) && thousands != decimal;
        (is_decimal && thousands.is_none_or(separates)).then_some(Self::of(decimal, thousands))
    }

    /// The form of an example such as `1.234,5`: at least four digits, with or without separators,
    /// and a fraction. Fewer digits, or no fraction, would leave one of both marks open.
    ///
    /// # Errors
    /// The remedy, if the example leaves a mark open.
    pub fn like(example: &str) -> Result<Self, String> {
        let form = || {
            let is_digit = |character: char| character.is_ascii_digit();
            let before = example.trim_end_matches(is_digit);
            let decimal = before.chars().next_back().filter(|_| before.len() < example.len())?;
            let integer = before.strip_suffix(decimal)?;
            let thousands = integer.chars().find(|&character| !is_digit(character));
            let has_thousands = integer.chars().filter(|&character| is_digit(character)).count() > 3;
            let form = Self::new(decimal, thousands).filter(|_| has_thousands)?;
            form.read_exact(example).map(|_| form)
        };
        form().ok_or_else(|| {
            format!(
                "`number = {example:?}` leaves open how decimals or thousands are separated; write an example with \
                 four digits and a fraction, such as \"1234.5\", \"1,234.5\" or \"1.234,5\""
            )
        })
    }

    /// The form in which all numbers below `first` are `<first`, and all from `last` on `>=last`.
    #[must_use]
    pub fn with_open(self, first: Option<Decimal>, last: Option<Decimal>) -> Self {
        let normal = |bound: Option<Decimal>| bound.map(|bound| bound.normalize());
        Self { first: normal(first), last: normal(last), ..self }
    }

    /// The number as a plain decimal without redundant zeros: `39` for `39,00`, `+39` and `039`. An
    /// open band is `<1` or `>=90`.
    ///
    /// Either all thousands are separated or none. A fraction has digits on both sides. There is no
    /// exponent and no space.
    pub fn read(self, text: &str) -> Option<String> {
        for mark in [">=", "<"] {
            if let Some(bound) = text.strip_prefix(mark) {
                return Some(format!("{mark}{}", self.read_exact(bound)?));
            }
        }
        let number = self.read_exact(text)?;
        if self.first.is_none() && self.last.is_none() {
            return Some(number);
        }
        let value = Decimal::from_str_exact(&number).ok()?;
        Some(match (self.first, self.last) {
            (Some(first), _) if value < first => format!("<{first}"),
            (_, Some(last)) if value >= last => format!(">={last}"),
            _ => number,
        })
    }

    /// As [`read`](Self::read), without open bands.
    pub fn read_exact(self, text: &str) -> Option<String> {
        let unsigned = text.strip_prefix(['+', '-', '\u{2212}']).unwrap_or(text);
        let (integer, fraction) = match unsigned.split_once(self.decimal) {
            Some((_, "")) => return None,
            Some(parts) => parts,
            None => (unsigned, ""),
        };
        let mut digits = String::new();
        let integer = match self.thousands {
            Some(_) if integer.contains(|mark| self.separates(mark)) => {
                let mut groups = integer.split(|mark| self.separates(mark));
                let is_grouped =
                    (1..=3).contains(&groups.next()?.len()) && groups.all(|group| group.len() == 3);
                if !is_grouped {
                    return None;
                }
                digits.extend(integer.split(|mark| self.separates(mark)));
                digits.as_str()
            }
            _ => integer,
        };
        let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
        if integer.is_empty() || !is_digits(integer) || !is_digits(fraction) {
            return None;
        }
        if integer.len() + fraction.len() > Self::MOST_DIGITS {
            return None;
        }
        let (integer, fraction) = (integer.trim_start_matches('0'), fraction.trim_end_matches('0'));
        if integer.is_empty() && fraction.is_empty() {
            return Some("0".to_owned());
        }
        let sign = if text.starts_with(['-', '\u{2212}']) { "-" } else { "" };
        let integer = if integer.is_empty() { "0" } else { integer };
        let point = if fraction.is_empty() { "" } else { "." };
        Some([sign, integer, point, fraction].concat())
    }

    /// The decimal mark.
    pub fn decimal(self) -> char {
        self.decimal
    }

    /// The thousands separator, if there is one.
    pub fn thousands(self) -> Option<char> {
        self.thousands
    }

    /// The bounds of the open first band and the open last band, as plain decimals.
    pub fn open(self) -> (Option<String>, Option<String>) {
        let text = |bound: Option<Decimal>| bound.map(|bound| bound.to_string());
        (text(self.first), text(self.last))
    }

    /// Whether a mark separates thousands.
    pub fn separates(self, mark: char) -> bool {
        self.thousands.is_some_and(|separator| is_separator(separator, mark))
    }

    /// The expected form.
    pub(super) fn expected(self) -> String {
        format!("a number of at most 28 digits written as {}", self.example())
    }

    /// The example that sets this form.
    fn example(self) -> String {
        let (decimal, thousands) = (self.decimal, self.thousands.map(String::from).unwrap_or_default());
        format!("1{thousands}234{decimal}5")
    }

    /// The line of a project that sets this form.
    pub fn key(self) -> String {
        let example = toml_string(&self.example());
        let first = self.first.map(|first| format!(", first = {first}"));
        let last = self.last.map(|last| format!(", last = {last}"));
        match (first, last) {
            (None, None) => format!("number = {example}"),
            (first, last) => format!(
                "number = {{ like = {example}{}{} }}",
                first.unwrap_or_default(),
                last.unwrap_or_default()
            ),
        }
    }
}

/// Whether a mark separates thousands as this separator does.
fn is_separator(separator: char, mark: char) -> bool {
    mark == separator || (BLANKS.contains(&separator) && BLANKS.contains(&mark))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rust_decimal::Decimal;

    use super::*;

    proptest! {
        /// The `rust_decimal` library gives the same shortest text.
        #[test]
        fn a_number_has_the_text_of_its_decimal(text in "[+-]?[0-9]{1,14}(\\.[0-9]{1,14})?") {
            let decimal = Decimal::from_str_exact(&text).unwrap().normalize();
            let expected = if decimal.is_zero() { "0".to_owned() } else { decimal.to_string() };
            prop_assert_eq!(NumberForm::POINT.read(&text), Some(expected));
        }
    }

    #[test]
    fn one_number_has_one_text_in_every_notation() {
        let plain = NumberForm::new('.', None).unwrap();
        for (text, value) in [
            ("39", "39"),
            ("39.0", "39"),
            ("+39", "39"),
            ("039", "39"),
            ("-0.50", "-0.5"),
            ("-0", "0"),
            ("0.00", "0"),
            ("9999999999999999999999999999", "9999999999999999999999999999"),
        ] {
            assert_eq!(plain.read(text).as_deref(), Some(value), "{text}");
        }
        let german = NumberForm::new(',', Some('.')).unwrap();
        for (text, value) in
            [("1.234,50", "1234.5"), ("1234,5", "1234.5"), ("-1.234.567", "-1234567"), ("39,00", "39")]
        {
            assert_eq!(german.read(text).as_deref(), Some(value), "{text}");
        }
        for text in [
            "", "-", "1,", ",5", "1e3", " 1", "12.34", "1.2345", "1234.567", ".123", "1,2,3", "--1", "+-1",
            "٣",
        ] {
            assert_eq!(german.read(text), None, "{text}");
        }
        assert_eq!(plain.read("10000000000000000000000000000"), None);
    }

    #[test]
    fn lookalike_blanks_and_minus_signs_are_read() {
        let blank = NumberForm::of(',', Some(' '));
        for text in ["1 234,5", "1\u{a0}234,50", "1\u{202f}234,5", "1\u{2009}234,5"] {
            assert_eq!(blank.read(text).as_deref(), Some("1234.5"), "{text:?}");
        }
        assert_eq!(NumberForm::POINT.read("\u{2212}7.0").as_deref(), Some("-7"));
        assert_eq!(NumberForm::POINT.read("1 234"), None);
    }

    #[test]
    fn numbers_inside_an_open_band_are_the_band() {
        let form = NumberForm::of(',', Some('.')).with_open(Some(Decimal::ONE), Some(Decimal::from(1_000)));
        for (text, value) in [
            ("0,5", "<1"),
            ("1", "1"),
            ("999,9", "999.9"),
            ("1.000", ">=1000"),
            ("20.000", ">=1000"),
            ("<1,0", "<1"),
            (">=1.000", ">=1000"),
        ] {
            assert_eq!(form.read(text).as_deref(), Some(value), "{text:?}");
        }
        assert_eq!((form.read("> 5"), form.read("<"), form.read_exact("<1")), (None, None, None));
        assert_eq!(form.key(), "number = { like = \"1.234,5\", first = 1, last = 1000 }");
    }

    #[test]
    fn number_is_read_only_in_the_stated_form() {
        let comma = NumberForm::of(',', Some('.'));
        for (form, text, expected) in [
            (NumberForm::POINT, "39.0", Some("39")),
            (NumberForm::POINT, "+39", Some("39")),
            (NumberForm::POINT, "-0.50", Some("-0.5")),
            (NumberForm::POINT, "-0", Some("0")),
            (NumberForm::POINT, "007", Some("7")),
            (NumberForm::POINT, "39,0", None),
            (NumberForm::POINT, "3.", None),
            (NumberForm::POINT, ".5", None),
            (NumberForm::POINT, "", None),
            (comma, "39,00", Some("39")),
            (comma, "1.234.567,5", Some("1234567.5")),
            (comma, "1.23", None),
        ] {
            assert_eq!(form.read(text).as_deref(), expected, "{text:?}");
        }
    }

    #[test]
    fn number_separators_are_distinct_and_never_digits() {
        for (decimal, thousands) in
            [('1', None), ('-', None), (' ', None), ('.', Some('.')), ('.', Some('0'))]
        {
            assert!(NumberForm::new(decimal, thousands).is_none(), "{decimal} {thousands:?}");
        }
        assert!(NumberForm::new(',', Some('\u{a0}')).is_some());
    }
    #[test]
    fn an_example_says_both_separators_or_is_refused() {
        for (example, decimal, thousands) in [
            ("1234.5", '.', None),
            ("1234,5", ',', None),
            ("1.234,5", ',', Some('.')),
            ("1,234.5", '.', Some(',')),
            ("12 345,67", ',', Some(' ')),
            ("1\u{202f}234,5", ',', Some('\u{202f}')),
            ("1.234.567,8", ',', Some('.')),
            ("1234.567", '.', None),
        ] {
            let form = NumberForm::of(decimal, thousands);
            assert_eq!(NumberForm::like(example), Ok(form), "{example}");
            assert_eq!(form.key(), format!("number = {}", toml_string(&form.example())));
            assert_eq!(NumberForm::like(&form.example()), Ok(form), "{example}");
        }
        for example in [
            "1,5",
            "1.234",
            "1.234.567",
            "1234",
            "1234,",
            ",5",
            "",
            "12.34,5",
            "1.234.5",
            "-1234,5",
            "1 234 5",
            "1,234,5",
            "x234,5",
            "1.2345,6",
            "1.234,567.8",
        ] {
            let refused = NumberForm::like(example).unwrap_err();
            assert!(refused.contains("such as \"1234.5\", \"1,234.5\" or \"1.234,5\""), "{refused}");
        }
    }
}
