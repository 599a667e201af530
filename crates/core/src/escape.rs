//! Makes texts of files and names of files safe for terminals and TOML; splits names into words.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// Replaces a character that is not shown.
const REPLACEMENT: char = '\u{fffd}';

/// A text on one line. Each character that could control a terminal, reverse or end a line, or
/// hide, becomes U+FFFD.
///
/// The replaced characters are control characters (C0, DEL, C1), line and paragraph separators, and
/// Unicode's format characters and default ignorables. The latter are marks of direction, joiners,
/// fillers, variation selectors and tags.
pub fn escape(text: &str) -> Cow<'_, str> {
    replace(text, is_unsafe)
}

/// As [`escape`], but keeps line feeds. For texts of several lines that palmtop wrote.
pub fn escape_lines(text: &str) -> Cow<'_, str> {
    replace(text, |character| character != '\n' && is_unsafe(character))
}

/// Whether [`escape`] replaces a character.
pub fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            '\u{ad}'
                | '\u{34f}'
                | '\u{61c}'
                | '\u{115f}'..='\u{1160}'
                | '\u{17b4}'..='\u{17b5}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff0}'..='\u{fffb}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Whether a spreadsheet may run a text as a formula: it begins with `=`, `+`, `-` or `@`, has a
/// letter or a digit, and is no number.
pub fn is_formula(text: &str) -> bool {
    let text = text.trim_start_matches(['\t', '\r']);
    let Some(rest) = text.strip_prefix(['=', '+', '-', '@']) else { return false };
    if !rest.chars().any(char::is_alphanumeric) {
        return false;
    }
    let (number, exponent) = rest.split_once(['e', 'E']).unwrap_or((rest, "0"));
    let is_digit = |character: char| character.is_ascii_digit();
    let is_number =
        number.chars().all(|character| is_digit(character) || ".,' \u{a0}\u{202f}%".contains(character))
            && exponent.strip_prefix(['+', '-']).unwrap_or(exponent).chars().all(is_digit);
    !(is_number && text.starts_with(['+', '-']))
}

/// A text as a quoted string of TOML. The notation is that of JSON, except that TOML requires an
/// escaped DEL.
pub fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A word for a shell: unchanged, or in single quotes.
pub fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "@%+=:,./-_".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A count with separators: `12,345`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The displayed text of a blank value.
pub const NO_VALUE: &str = "no value";

/// A value as a table shows it. A blank value becomes [`NO_VALUE`].
pub fn named_value(value: &str) -> &str {
    if value.trim().is_empty() { NO_VALUE } else { value }
}

/// A name in lower case, without blanks and marks between words.
pub fn plain_name(name: &str) -> String {
    name.chars().filter(|character| character.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The words of a name in lower case: `NativeCountry_2` is `native`, `country`, `2`.
pub fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for character in name.chars() {
        let begins = !before.is_alphanumeric()
            || (before.is_lowercase() && character.is_uppercase())
            || (before.is_alphabetic() && character.is_numeric());
        if character.is_alphanumeric() {
            if begins {
                words.push(String::new());
            }
            if let Some(word) = words.last_mut() {
                word.extend(character.to_lowercase());
            }
        }
        before = character;
    }
    words
}

/// An example of earlier messages. It is refused, because it gives no reason for this decision.
pub(crate) const EXAMPLE: &str = "the board asked for it";

/// The least number of words in a [`reason`].
pub const LEAST_WORDS: usize = 3;
/// The least number of letters in a [reason](reason).
const LEAST_LETTERS: usize = 10;
/// The greatest number of characters in a [`reason`].
pub const MOST_CHARACTERS: usize = 300;

/// The different words of a sentence, in lower case, without marks. One letter over and over is no word.
fn different_words(text: &str) -> BTreeSet<String> {
    let plain = |word: &str| word.chars().filter(|character| character.is_alphanumeric()).collect::<String>();
    let is_word = |word: &String| {
        let mut letters = word.chars();
        let Some(first) = letters.next() else { return false };
        !first.is_alphabetic() || word.len() == first.len_utf8() || letters.any(|letter| letter != first)
    };
    text.to_lowercase().split_whitespace().map(plain).filter(is_word).collect()
}

/// Checks a reason that a report quotes, and trims it: one line of at most 300 characters, with at least 3 different words
/// and 10 letters. A word is not one letter over and over.
///
/// # Errors
/// What the text lacks, without a full stop.
pub fn reason(text: &str) -> Result<&str, String> {
    let text = text.trim();
    if text.chars().any(is_unsafe) {
        return Err("expected one line without control characters".to_owned());
    }
    if text.chars().count() > MOST_CHARACTERS {
        return Err(format!("expected at most {MOST_CHARACTERS} characters"));
    }
    let word_count = different_words(text).len();
    let letter_count = text.chars().filter(|character| character.is_alphabetic()).count();
    if word_count < LEAST_WORDS || letter_count < LEAST_LETTERS {
        return Err(format!(
            "expected a sentence that a reader of the report understands: at least {LEAST_WORDS} words and {LEAST_LETTERS} letters"
        ));
    }
    let letters = text.chars().filter(|character| character.is_alphabetic() || *character == ' ');
    if letters.collect::<String>().trim().eq_ignore_ascii_case(EXAMPLE) {
        return Err(format!("`{EXAMPLE}` is only an example: expected the reason for this very decision"));
    }
    Ok(text)
}

fn replace(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&is_replaced) {
        let safe = |character| if is_replaced(character) { REPLACEMENT } else { character };
        return Cow::Owned(text.chars().map(safe).collect());
    }
    Cow::Borrowed(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_a_string_of_toml() {
        for text in ["a\"b", "a\\b", "a\nb", "\r\t\u{8}\u{1b}", "\u{7f}", "ü\u{200b}", "'", ""] {
            let line = format!("x = {}", toml_string(text));
            let table: toml::Table = line.parse().unwrap_or_else(|error| panic!("{line:?}: {error}"));
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }

    #[test]
    fn formulas_are_no_numbers_and_no_signs() {
        for text in ["=1+1", "+1+1", "-10--1", "@SUM(A1)", "\t=cmd|' /C calc'!A1", "-x", "+49 30/123", "=5"] {
            assert!(is_formula(text), "{text}");
        }
        for text in [
            "", "a=b", "-5", "+5.0", "-1,5", "-1 000", "-1e5", "+1E-3", "-", "+++", "--", "[-5, 0)", " =1",
            "1-2", "*", "'=1", "5",
        ] {
            assert!(!is_formula(text), "{text}");
        }
    }

    #[test]
    fn terminal_control_characters_are_replaced_one_by_one() {
        for (text, safe) in [
            ("plain, ß, 日本語, ✓", "plain, ß, 日本語, ✓"),
            ("a\x1b[31mb", "a\u{fffd}[31mb"),
            ("\x07\x7f\u{9b}1m\u{85}", "\u{fffd}\u{fffd}\u{fffd}1m\u{fffd}"),
            ("a\tb\r\nc", "a\u{fffd}b\u{fffd}\u{fffd}c"),
            ("x\u{202e}y\u{2066}z\u{200b}", "x\u{fffd}y\u{fffd}z\u{fffd}"),
            ("one\u{2028}two\u{2029}", "one\u{fffd}two\u{fffd}"),
            ("\u{feff}\u{ad}\u{e0041}\u{fe0f}", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(escape(text), safe, "{text:?}");
        }
        assert!(matches!(escape("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn reason_needs_one_line_of_three_words() {
        for (text, read) in [
            (" The board decided so. ", "The board decided so."),
            ("Dörfer sind öffentlich", "Dörfer sind öffentlich"),
        ] {
            assert_eq!(reason(text).as_deref(), Ok(read));
        }
        for text in ["", "x", "because", "the board", "a b c", "- - - abcdefghijk", "1 2 3 4 5 6 7 8 9 10 11"]
        {
            assert!(reason(text).unwrap_err().contains("at least 3 words and 10 letters"), "{text:?}");
        }
        for text in ["aaaa bbbb cccc", "asdf asdf asdf asdf", "because because, because"] {
            assert!(reason(text).unwrap_err().contains("at least 3 words"), "{text:?}");
        }
        assert!(reason(&"the board decided so ".repeat(20)).unwrap_err().contains("at most 300 characters"));
        for text in ["the board\ndecided so", "the board decided\u{202e} so"] {
            assert!(reason(text).unwrap_err().contains("one line"), "{text:?}");
        }
    }

    #[test]
    fn lines_of_our_own_stay_apart() {
        assert_eq!(escape_lines("one\ntwo\r\n\x1b]0;x\x07"), "one\ntwo\u{fffd}\n\u{fffd}]0;x\u{fffd}");
    }
}
