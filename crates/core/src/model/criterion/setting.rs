//! Values of `[policy]` keys that are not one number: an inline TOML table.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::model::Fraction;
use crate::model::sensitive::{SensitiveColumn, SensitiveValues};

/// A number without a sign, or a text that has to be one.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Number {
    Integer(u64),
    Decimal(f64),
    Text(String),
}

#[derive(Deserialize)]
struct Setting<T> {
    it: T,
}

/// Reads the value of a key.
pub(super) fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    toml::from_str::<Setting<T>>(&format!("it = {text}")).ok().map(|setting| setting.it)
}

impl Number {
    /// The exact written number; `None` if it is not a number of at least 0.
    pub(super) fn exact(&self) -> Option<Fraction> {
        match self {
            Self::Integer(number) => number.to_string(),
            // The shortest decimal of this number is the written text.
            Self::Decimal(number) => number.to_string(),
            Self::Text(text) => text.clone(),
        }
        .parse()
        .ok()
    }
}

/// A number in a form that reads back exactly: digits if its decimal is finite, otherwise a quoted
/// fraction.
pub(super) fn written(number: &Fraction) -> String {
    let text = number.to_string();
    if text.contains('/') { format!("\"{text}\"") } else { text }
}

/// `, of = "name"`, if an attribute is named.
pub(super) fn of(name: Option<&str>) -> String {
    name.map_or_else(String::new, |name| format!(", of = {}", toml::Value::from(name)))
}

/// The named attribute, or a description of the error.
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
