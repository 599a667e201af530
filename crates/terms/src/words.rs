//! Numbers and names in messages.

/// A number with its noun: `1 field`, `2 fields`.
pub fn plural(count: u64, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

/// Names between backticks, with commas between them.
pub fn names(names: &[String]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// At most the first 60 characters of a text.
pub fn short(text: &str) -> &str {
    text.char_indices().nth(60).map_or(text, |(end, _)| &text[..end])
}
