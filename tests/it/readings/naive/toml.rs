//! TOML as texts, lists and tables. The `toml` crate parses the syntax; numbers keep their digits
//! as written.

use toml::de::{DeTable, DeValue};

use super::{Number, Refusal, refuse};

#[derive(Clone, Debug)]
pub(super) enum Value {
    Text(String),
    /// The digits of the number, as written.
    Number(String),
    Flag(bool),
    List(Vec<Value>),
    Table(Table),
    Other,
}

/// Keys and values in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Table(pub(super) Vec<(String, Value)>);

pub(super) fn read(bytes: &[u8]) -> Result<Table, Refusal> {
    let Ok(text) = std::str::from_utf8(bytes) else { return refuse("TOML that is not UTF-8") };
    match DeTable::parse(text) {
        Ok(table) => Ok(to_table(table.get_ref())),
        Err(error) => refuse(error.message().to_owned()),
    }
}

fn to_table(table: &DeTable) -> Table {
    let entries = table.iter().map(|(key, value)| (key.get_ref().to_string(), to_value(value.get_ref())));
    Table(entries.collect())
}

fn to_value(value: &DeValue) -> Value {
    match value {
        DeValue::String(text) => Value::Text(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Value::Number(number.as_str().to_owned()),
        DeValue::Float(number) => Value::Number(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Value::Flag(*flag),
        DeValue::Array(values) => Value::List(values.iter().map(|value| to_value(value.get_ref())).collect()),
        DeValue::Table(table) => Value::Table(to_table(table)),
        _ => Value::Other,
    }
}

impl Value {
    pub(super) fn text(&self) -> Result<String, Refusal> {
        match self {
            Self::Text(text) => Ok(text.clone()),
            other => refuse(format!("{other:?} instead of a text")),
        }
    }

    pub(super) fn number(&self) -> Result<Number, Refusal> {
        match self {
            Self::Number(digits) => {
                Number::read(digits).ok_or_else(|| Refusal(format!("{digits} is no number")))
            }
            other => refuse(format!("{other:?} instead of a number")),
        }
    }

    pub(super) fn list(&self) -> Result<&[Value], Refusal> {
        match self {
            Self::List(values) => Ok(values),
            other => refuse(format!("{other:?} instead of a list")),
        }
    }

    pub(super) fn table(&self) -> Result<&Table, Refusal> {
        match self {
            Self::Table(table) => Ok(table),
            other => refuse(format!("{other:?} instead of a table")),
        }
    }
}

impl Table {
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(known, _)| known == key).map(|(_, value)| value)
    }

    pub(super) fn text(&self, key: &str) -> Result<Option<String>, Refusal> {
        self.get(key).map(Value::text).transpose()
    }

    /// The text of a key, which is required.
    pub(super) fn needed(&self, key: &str) -> Result<String, Refusal> {
        self.text(key)?.ok_or_else(|| Refusal(format!("`{key}` is missing")))
    }

    /// Refuses a key that is not in this list.
    pub(super) fn only(&self, keys: &[&str]) -> Result<(), Refusal> {
        match self.0.iter().find(|(key, _)| !keys.contains(&key.as_str())) {
            Some((key, _)) => refuse(format!("`{key}` is no key here")),
            None => Ok(()),
        }
    }
}
