//! Errors as sentences, and words for a shell.

pub(crate) use palmtop_core::shell::quoted;
pub(crate) use palmtop_core::words::chain;

/// A row of a Markdown table.
pub(crate) fn table_row(first: &str, rest: &[String]) -> String {
    format!("| {first} | {} |", rest.join(" | "))
}

/// A text with a capital first letter.
pub(crate) fn sentence(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
