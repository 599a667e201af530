//! Errors as sentences, and words for a shell.

pub(crate) use palmtop_core::text::quoted;

/// An error with its causes, as one sentence.
pub(crate) fn chain(error: &dyn std::error::Error) -> String {
    let errors = std::iter::successors(Some(error), |error| error.source());
    errors.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A row of a Markdown table.
pub(crate) fn table_row(first: &str, rest: &[String]) -> String {
    format!("| {first} | {} |", rest.join(" | "))
}
