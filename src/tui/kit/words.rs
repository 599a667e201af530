//! Errors as sentences, and words for a shell.

/// An error with its causes, as one sentence.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let errors = std::iter::successors(Some(error), |error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "@%+=:,./-_".contains(character);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A row of a Markdown table.
pub(crate) fn table_row(first: &str, rest: &[String]) -> String {
    format!("| {first} | {} |", rest.join(" | "))
}
