//! Literals of TOML: a text in quotes; and a number kept as written, which a float would round.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};
use toml::Spanned;

/// A text as a quoted string of TOML. The notation is that of JSON, except that TOML requires an
/// escaped DEL.
pub fn toml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A number, whose digits are in the file, or a text in quotes that represents one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Literal {
    /// A number without quotes.
    Number,
    /// A text.
    Text(String),
}

/// The digits of a literal, as `file` has them.
pub fn digits<'a>(written: &'a Spanned<Literal>, file: &'a str) -> &'a str {
    match written.get_ref() {
        Literal::Text(text) => text,
        Literal::Number => file.get(written.span()).unwrap_or_default(),
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl Visitor<'_> for Any {
            type Value = Literal;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a number, or one in quotes")
            }

            fn visit_i64<E: Error>(self, _: i64) -> Result<Literal, E> {
                Ok(Literal::Number)
            }

            fn visit_u64<E: Error>(self, _: u64) -> Result<Literal, E> {
                Ok(Literal::Number)
            }

            fn visit_i128<E: Error>(self, _: i128) -> Result<Literal, E> {
                Ok(Literal::Number)
            }

            fn visit_u128<E: Error>(self, _: u128) -> Result<Literal, E> {
                Ok(Literal::Number)
            }

            fn visit_f64<E: Error>(self, _: f64) -> Result<Literal, E> {
                Ok(Literal::Number)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Literal, E> {
                Ok(Literal::Text(text.to_owned()))
            }
        }
        deserializer.deserialize_any(Any)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_a_string_of_toml() {
        for text in ["a\"b", "a\\b", "a\nb", "\r\t\u{8}\u{1b}", "\u{7f}", "ü\u{200b}", "'", ""] {
            let line = format!("x = {}", toml_string(text));
            let table: toml::Table = line.parse().unwrap_or_else(|error| panic!("{line:?}: {error}"));
            assert_eq!(table["x"].as_str(), Some(text));
        }
    }
}
