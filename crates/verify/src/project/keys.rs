//! Reads the keys of the tables in a project file.

use palmtop_terms::Level;
use toml::{Table, Value};

pub(crate) fn wrong(key: &str, value: &str) -> String {
    format!("`{key} = {value:?}` is not known here")
}

/// The keys that older projects may have, and what to do about each.
const GONE: [(&str, &str); 4] = [
    ("entrypoint", "the ADBC manifest of the driver has it; name the manifest as `driver`"),
    ("dialect", "remove the line; the name of the driver's ADBC manifest tells the database"),
    ("rehearse", "remove the line; it changes no promise"),
    ("prior", "remove it; `palmtop compare --show risk --prior FILE` measures what an uneven prior changes"),
];

/// Refuses a key that no list has.
pub(crate) fn known(table: &Table, lists: &[&[&str]], part: &str) -> Result<(), String> {
    let is_known = |key: &&String| lists.iter().any(|list| list.contains(&key.as_str()));
    let Some(key) = table.keys().find(|key| !is_known(key)) else { return Ok(()) };
    match GONE.iter().find(|(gone, _)| gone == key) {
        Some((_, remedy)) => Err(format!("`{key}` is gone: {remedy}")),
        None => Err(format!("{part} has the key `{key}`, which is not known here")),
    }
}

pub(crate) fn table<'a>(table: &'a Table, key: &str) -> Result<Option<&'a Table>, String> {
    let value = table.get(key);
    value.map(|value| value.as_table().ok_or_else(|| format!("`{key}` is no table"))).transpose()
}

pub(crate) fn word<'a>(table: &'a Table, key: &str) -> Result<Option<&'a str>, String> {
    let value = table.get(key);
    value.map(|value| value.as_str().ok_or_else(|| format!("`{key}` is no text"))).transpose()
}

pub(crate) fn flag(table: &Table, key: &str) -> Result<Option<bool>, String> {
    let value = table.get(key);
    value.map(|value| value.as_bool().ok_or_else(|| format!("`{key}` is neither true nor false"))).transpose()
}

pub(crate) fn level(table: &Table, key: &str) -> Result<Option<Level>, String> {
    let read = |value: &Value| value.as_integer().and_then(|level| u8::try_from(level).ok()).map(Level);
    let value = table.get(key);
    value.map(|value| read(value).ok_or_else(|| format!("`{key}` is no level"))).transpose()
}

pub(crate) fn texts(table: &Table, key: &str) -> Result<Option<Vec<String>>, String> {
    let read = |value: &Value| {
        let list = value.as_array()?;
        list.iter().map(|text| text.as_str().map(str::to_owned)).collect::<Option<Vec<String>>>()
    };
    let value = table.get(key);
    value.map(|value| read(value).ok_or_else(|| format!("`{key}` is no list of texts"))).transpose()
}

pub(crate) fn character(table: &Table, key: &str) -> Result<Option<char>, String> {
    let Some(text) = word(table, key)? else { return Ok(None) };
    let mut characters = text.chars();
    let first = characters.next().filter(|_| characters.next().is_none());
    first.map(Some).ok_or_else(|| format!("`{key} = {text:?}` is not one character"))
}

pub(crate) fn byte(character: char, key: &str) -> Result<u8, String> {
    let byte = u8::try_from(character).ok().filter(u8::is_ascii);
    byte.ok_or_else(|| format!("`{key} = {character:?}` is no ASCII character"))
}

/// A whole number from 1.
pub(crate) fn positive(table: &Table, key: &str) -> Result<Option<u32>, String> {
    let read = |value: &Value| value.as_integer().and_then(|number| u32::try_from(number).ok());
    let value = table.get(key);
    let number = value.map(|value| read(value).filter(|number| *number > 0));
    number.map(|number| number.ok_or_else(|| format!("`{key}` is no whole number from 1"))).transpose()
}
