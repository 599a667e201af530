//! What stands behind a key of `[policy]` that is no single number: a TOML table on one line.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::model::Fraction;
use crate::model::sensitive::{SensitiveColumn, SensitiveValues};

/// A number or a text that is to be one, without a sign.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Whole(u64),
    Decimal(f64),
    Text(String),
}

#[derive(Deserialize)]
struct Setting<T> {
    it: T,
}

/// Reads the text behind a key.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    toml::from_str::<Setting<T>>(&format!("it = {text}")).ok().map(|setting| setting.it)
}

impl Number {
    /// Exactly what is written; `None` where that is no number of 0 or more.
    pub(super) fn exact(&self) -> Option<Fraction> {
        match self {
            Self::Whole(number) => number.to_string(),
            // The shortest decimal that is this number, which is what was written.
            Self::Decimal(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
        .parse()
        .ok()
    }
}

/// A number as it reads back: in digits where it is whole or has an end, else in quotes.
pub(super) fn written(number: &Fraction) -> String {
    let text = number.to_string();
    if text.contains('/') { format!("\"{text}\"") } else { text }
}

/// `, of = "name"`, where an attribute is named.
pub(super) fn of(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(", of = {}", toml::Value::from(name)))
}

/// The attribute that is meant, or what is wrong with it.
pub(super) fn column<'a>(
    values: &'a SensitiveValues,
    name: Option<&str>,
) -> Result<&'a SensitiveColumn, String> {
    values.column(name).ok_or_else(|| {
        let known: Vec<String> = values.columns().iter().map(|column| format!("`{}`", column.name)).collect();
        match (name, known.is_empty()) {
            (_, true) => "no attribute of the project has `role = \"sensitive\"`".to_owned(),
            (Some(name), _) => format!("`{name}` is no sensitive attribute; there are {}", known.join(", ")),
            (None, _) => {
                format!(
                    "it has to say of which sensitive attribute: `of = \"NAME\"`, one of {}",
                    known.join(", ")
                )
            }
        }
    })
}
