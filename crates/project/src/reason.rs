//! Reasons that a report quotes: one sentence, for the very decision.

use std::collections::BTreeSet;

use palmtop_core::escape::is_unsafe;

/// An example of earlier messages. It is refused, because it gives no reason for this decision.
pub(crate) const EXAMPLE: &str = "the board asked for it";

/// The least number of words in a [reason](read).
pub const LEAST_WORDS: usize = 3;
/// The least number of letters in a [reason](read).
const LEAST_LETTERS: usize = 10;
/// The greatest number of characters in a [reason](read).
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
pub fn read(text: &str) -> Result<&str, String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reason_needs_one_line_of_three_words() {
        for (text, trimmed) in [
            (" The board decided so. ", "The board decided so."),
            ("Dörfer sind öffentlich", "Dörfer sind öffentlich"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(trimmed));
        }
        for text in ["", "x", "because", "the board", "a b c", "- - - abcdefghijk", "1 2 3 4 5 6 7 8 9 10 11"]
        {
            assert!(read(text).unwrap_err().contains("at least 3 words and 10 letters"), "{text:?}");
        }
        for text in ["aaaa bbbb cccc", "asdf asdf asdf asdf", "because because, because"] {
            assert!(read(text).unwrap_err().contains("at least 3 words"), "{text:?}");
        }
        assert!(read(&"the board decided so ".repeat(20)).unwrap_err().contains("at most 300 characters"));
        for text in ["the board\ndecided so", "the board decided\u{202e} so"] {
            assert!(read(text).unwrap_err().contains("one line"), "{text:?}");
        }
    }
}
