//! The settings of `[policy]` as texts, so that no number becomes a float.

use toml::Spanned;

/// A value of the file: a text without its quotes, or any other value as it is written.
pub(super) fn plain(written: &Spanned<toml::Value>, file: &str) -> String {
    match written.get_ref() {
        toml::Value::String(text) => text.clone(),
        _ => file.get(written.span()).unwrap_or_default().to_owned(),
    }
}

/// The value of a key of `[policy]`: a number or a text as it is written, a table or a list on one line and without comments.
pub(super) fn setting(written: &Spanned<toml::Value>, file: &str) -> String {
    match written.get_ref() {
        value @ (toml::Value::Table(_) | toml::Value::Array(_)) => on_one_line(value),
        _ => file.get(written.span()).unwrap_or_default().to_owned(),
    }
}

fn on_one_line(value: &toml::Value) -> String {
    match value {
        toml::Value::Table(entries) => {
            let entry = |(key, value): (&String, &toml::Value)| {
                let is_bare = |character: char| character.is_ascii_alphanumeric() || "-_".contains(character);
                let key = if !key.is_empty() && key.chars().all(is_bare) {
                    key.clone()
                } else {
                    toml::Value::from(key.as_str()).to_string()
                };
                format!("{key} = {}", on_one_line(value))
            };
            let entries: Vec<String> = entries.iter().map(entry).collect();
            if entries.is_empty() { "{}".to_owned() } else { format!("{{ {} }}", entries.join(", ")) }
        }
        toml::Value::Array(values) => {
            format!("[{}]", values.iter().map(on_one_line).collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}
