//! Reads requirements that are inline tables of TOML, and the numbers in them.

use crate::values::Ratio;

/// The entries of an inline table; `None` if the text is not a table or has an unknown key.
pub(super) fn entries(text: &str, keys: &[&str]) -> Option<toml::Table> {
    let parsed: toml::Table = format!("criterion = {text}").parse().ok()?;
    match parsed.get("criterion") {
        Some(toml::Value::Table(table))
            if parsed.len() == 1 && table.keys().all(|key| keys.contains(&key.as_str())) =>
        {
            Some(table.clone())
        }
        _ => None,
    }
}

/// A number, written as a number or as a text: `3`, `2.5`, `"5/2"`, `"20%"`.
pub(super) fn number(value: &toml::Value) -> Option<Ratio> {
    match value {
        toml::Value::Integer(number) => Ratio::read(&number.to_string()),
        toml::Value::Float(number) => Ratio::read(&number.to_string()),
        toml::Value::String(text) => Ratio::read(text),
        _ => None,
    }
}
