//! Texts that look alike and are not the same: composed and decomposed letters, dashes, blanks,
//! apostrophes, and characters without a width.

use unicode_normalization::UnicodeNormalization;

use super::literal::toml_string;

/// Characters of one look; the first one stands for all.
pub const SIGNS: [&[char]; 3] = [
    &[
        '-', '\u{2010}', '\u{2011}', '\u{2012}', '\u{2013}', '\u{2014}', '\u{2015}', '\u{2212}', '\u{fe58}',
        '\u{fe63}', '\u{ff0d}',
    ],
    &[
        ' ', '\t', '\u{a0}', '\u{2002}', '\u{2003}', '\u{2007}', '\u{2008}', '\u{2009}', '\u{200a}',
        '\u{202f}', '\u{3000}',
    ],
    &['\'', '`', '\u{b4}', '\u{2bc}', '\u{2018}', '\u{2019}', '\u{2032}', '\u{ff07}'],
];

/// Whether a character has no width: a reader does not see that it is there.
pub fn is_invisible(character: char) -> bool {
    matches!(character, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A text that is equal for all texts of one look.
pub fn look(text: &str) -> String {
    let sign = |character: char| {
        SIGNS.iter().find(|signs| signs.contains(&character)).map_or(character, |signs| signs[0])
    };
    let seen = text.chars().filter(|character| !is_invisible(*character)).map(sign);
    let composed: String = seen.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text with composed letters (NFC): `ü` is one character.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// A text with decomposed letters (NFD): `ü` is `u` and a mark.
pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}

/// The characters in which two texts differ: the numbers of characters that are equal before them, and
/// after them.
fn difference(one: &str, other: &str) -> (usize, usize) {
    let same =
        |pairs: &mut dyn Iterator<Item = (char, char)>| pairs.take_while(|(one, other)| one == other).count();
    let before = same(&mut one.chars().zip(other.chars()));
    let after = same(&mut one.chars().rev().zip(other.chars().rev()));
    let most = one.chars().count().min(other.chars().count()) - before;
    (before, after.min(most))
}

/// The code points of a text in which it differs from another one, such as `U+0075 U+0308`.
pub fn code_points(text: &str, other: &str) -> String {
    let (before, after) = difference(text, other);
    let count = text.chars().count() - before - after;
    let points: Vec<String> = text
        .chars()
        .skip(before)
        .take(count)
        .map(|character| format!("U+{:04X}", u32::from(character)))
        .collect();
    if points.is_empty() { "nothing".to_owned() } else { points.join(" ") }
}

/// A text as TOML writes it, with escapes for what differs from another text of its look.
fn toml_told_apart(text: &str, other: &str) -> String {
    if look(text) != look(other) {
        return toml_string(text);
    }
    let (before, after) = difference(text, other);
    let end = text.chars().count() - after;
    let mut written = String::new();
    for (index, character) in text.chars().enumerate() {
        if index < before || index >= end || character.is_ascii_alphanumeric() {
            let quoted = toml_string(&character.to_string());
            written.push_str(&quoted[1..quoted.len() - 1]);
        } else {
            written.push_str(&format!("\\U{:08x}", u32::from(character)));
        }
    }
    format!("\"{written}\"").replace("\\U0000", "\\u")
}

/// Texts with their values as an inline table of TOML, as `values` has them.
pub fn toml_values<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let pairs =
        pairs.map(|(text, value)| format!("{} = {}", toml_told_apart(text, value), toml_string(value)));
    format!("{{ {} }}", pairs.collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_one_look_are_told_apart() {
        let zurich = "Z\u{fc}rich";
        for (text, other, points) in [
            ("Zu\u{308}rich", zurich, ["U+0075 U+0308", "U+00FC"]),
            ("Saint\u{2010}Denis", "Saint-Denis", ["U+2010", "U+002D"]),
            ("Bad\u{a0}Ischl", "Bad Ischl", ["U+00A0", "U+0020"]),
            ("L\u{2019}Aquila", "L'Aquila", ["U+2019", "U+0027"]),
            ("\u{feff}Graz", "Graz", ["U+FEFF", "nothing"]),
            ("Graz\u{200b}", "Graz", ["U+200B", "nothing"]),
            ("aa", "aaa", ["nothing", "U+0061"]),
        ] {
            assert_eq!([code_points(text, other), code_points(other, text)], points, "{text}");
            if text != "aa" {
                assert_eq!(look(text), look(other));
                let read: toml::Value =
                    toml::from_str(&format!("x = {}", toml_told_apart(text, other))).unwrap();
                assert_eq!(read["x"].as_str(), Some(text));
                assert!(toml_told_apart(text, other).contains("\\u"));
            }
        }
        for (one, other) in [("m\u{b2}", "m2"), ("Graz", "graz"), ("o", "\u{f6}"), ("a-b", "ab")] {
            assert_ne!(look(one), look(other));
        }
        assert_eq!(toml_told_apart("a\"b", "x"), toml_string("a\"b"));
    }

    #[test]
    fn letters_are_composed_and_decomposed() {
        assert_eq!((composed("e\u{301}").as_str(), decomposed("\u{e9}").as_str()), ("\u{e9}", "e\u{301}"));
    }
}
