//! Numbers, names and causes in messages.

use std::error::Error;

/// A number with its noun: `1 field`, `2 fields`, `1 person`, `2 people`.
pub fn plural(count: u64, noun: &str) -> String {
    match noun {
        _ if count == 1 => format!("1 {noun}"),
        "person" => format!("{count} people"),
        _ if noun.ends_with('s') => format!("{count} {noun}es"),
        _ => match noun.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'o']) => format!("{count} {stem}ies"),
            _ => format!("{count} {noun}s"),
        },
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

/// Names between backticks, with commas between them.
pub fn names(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// An error with its causes, the outermost first, as one sentence.
pub fn chain(error: &dyn Error) -> String {
    let errors = std::iter::successors(Some(error), |error| (*error).source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// At most the first 60 characters of a text.
pub fn short(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests {
    use super::{count, plural};

    #[test]
    fn a_count_has_a_comma_between_thousands() {
        for (value, text) in
            [(0, "0"), (999, "999"), (1_000, "1,000"), (12_345, "12,345"), (1_000_000, "1,000,000")]
        {
            assert_eq!(count(value), text);
        }
    }

    #[test]
    fn only_a_count_of_one_is_singular() {
        for (noun, many) in [
            ("field", "fields"),
            ("person", "people"),
            ("class", "classes"),
            ("query", "queries"),
            ("day", "days"),
        ] {
            assert_eq!(plural(1, noun), format!("1 {noun}"));
            assert_eq!(
                [0, 2].map(|count| plural(count, noun)),
                [0, 2].map(|count| format!("{count} {many}"))
            );
        }
    }
}
