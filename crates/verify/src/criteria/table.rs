//! What stands behind a key of `[policy]` that is a table on one line, and the numbers in it.

use super::super::ratio::Ratio;

/// The entries of the table that a text is; `None` where it is none, or has a key that is not among these.
pub(super) fn entries(text: &str, keys: &[&str]) -> Option<toml::Table> {
    let parsed: toml::Table = format!("criterion = {text}").parse().ok()?;
    match parsed.get("criterion") {
        Some(toml::Value::Table(own))
            if parsed.len() == 1 && own.keys().all(|key| keys.contains(&key.as_str())) =>
        {
            Some(own.clone())
        }
        _ => None,
    }
}

/// A number that is written as one or as a text: `3`, `2.5`, `"5/2"`, `"20%"`.
pub(super) fn number(value: &toml::Value) -> Option<Ratio> {
    match value {
        toml::Value::Integer(number) => Ratio::read(&number.to_string()),
        toml::Value::Float(number) => Ratio::read(&number.to_string()),
        toml::Value::String(text) => Ratio::read(text),
        _ => None,
    }
}
