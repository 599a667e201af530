//! Makes texts of files, and their names, safe for terminals.

use std::borrow::Cow;

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
    fn lines_of_our_own_stay_apart() {
        assert_eq!(escape_lines("one\ntwo\r\n\x1b]0;x\x07"), "one\ntwo\u{fffd}\n\u{fffd}]0;x\u{fffd}");
    }
}
