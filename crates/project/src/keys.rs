//! The keys of a file or of an output, taken from the structure that serde reads or writes.
//!
//! The macro `keys!` defines a structure. The documentation of a field is the meaning of its key:
//! a field without it does not compile, nor does a type that is not [`Keyed`]. So the references in
//! `docs/` have every key.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::PathBuf;

use palmtop_tables::literal::Literal;
use toml::Spanned;

/// A key, and its meaning without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key {
    /// The path from the top, such as `delta.max` or `criteria[].name`.
    pub path: String,
    /// The meaning: a phrase without a full stop.
    pub meaning: String,
}

/// The type of a key: a value, or a structure with keys of its own.
pub trait Keyed {
    /// The keys; a value has none. A path that begins with `[]` is that of a list.
    fn keys() -> Vec<Key> {
        Vec::new()
    }
}

impl Key {
    /// The keys under a key with this name.
    pub fn under(name: &str, keys: Vec<Self>) -> Vec<Self> {
        let path = |path: String| {
            if path.starts_with('[') { format!("{name}{path}") } else { format!("{name}.{path}") }
        };
        keys.into_iter().map(|key| Self { path: path(key.path), ..key }).collect()
    }

    /// The key of a field, and the keys of its type.
    ///
    /// `attributes` has the text of its attributes for serde.
    pub fn of_field<T: Keyed>(field: &str, attributes: &str, documentation: &[&str]) -> Vec<Self> {
        if attributes == "skip" {
            return Vec::new();
        }
        if attributes == "flatten" {
            return T::keys();
        }
        let renamed = attributes.strip_prefix("rename = \"").and_then(|rest| rest.strip_suffix('"'));
        let name = renamed.unwrap_or(field);
        let lines: Vec<&str> = documentation.iter().map(|line| line.trim()).collect();
        let meaning = as_phrase(lines.join(" ").trim_end_matches('.'));
        let key = Self { path: name.to_owned(), meaning };
        std::iter::once(key).chain(Self::under(name, T::keys())).collect()
    }
}

/// A sentence as a phrase: without its capital, unless the first word is a name such as `T`.
fn as_phrase(sentence: &str) -> String {
    let mut rest = sentence.chars();
    match (rest.next(), rest.as_str().chars().next()) {
        (Some(first), Some(second)) if second.is_lowercase() => first.to_lowercase().chain(rest).collect(),
        _ => sentence.to_owned(),
    }
}

/// Defines structures whose fields are keys. The documentation of a field is the meaning of its
/// key.
#[macro_export]
macro_rules! keys {
    ($($(#[$outer:meta])* $access:vis struct $name:ident $(<$life:lifetime>)? {
        $($(#[doc = $doc:literal])+ $(#[serde($($serde:tt)*)])? $field_access:vis $field:ident: $type:ty,)*
    })+) => {$(
        $(#[$outer])*
        $access struct $name $(<$life>)? {
            $($(#[doc = $doc])+ $(#[serde($($serde)*)])? $field_access $field: $type,)*
        }

        impl $(<$life>)? $crate::keys::Keyed for $name $(<$life>)? {
            fn keys() -> Vec<$crate::keys::Key> {
                [$($crate::keys::Key::of_field::<$type>(
                    stringify!($field),
                    stringify!($($($serde)*)?),
                    &[$($doc),+],
                )),*]
                .concat()
            }
        }
    )+};
}

/// Marks types as values.
#[macro_export]
macro_rules! values {
    ($($type:ty),+ $(,)?) => {
        $(impl $crate::keys::Keyed for $type {})+
    };
}

values!(
    String,
    str,
    bool,
    char,
    u8,
    u16,
    u32,
    u64,
    usize,
    i64,
    f64,
    NonZeroU64,
    PathBuf,
    serde_json::Value,
    serde_json::Map<String, serde_json::Value>,
    toml::Value,
    Literal,
    BTreeMap<String, String>,
    BTreeMap<String, u32>,
    BTreeMap<String, u64>,
    BTreeMap<String, Spanned<toml::Value>>
);

impl<T: Keyed + ?Sized> Keyed for &T {
    fn keys() -> Vec<Key> {
        T::keys()
    }
}

impl<T: Keyed> Keyed for Option<T> {
    fn keys() -> Vec<Key> {
        T::keys()
    }
}

impl<T: Keyed> Keyed for Spanned<T> {
    fn keys() -> Vec<Key> {
        T::keys()
    }
}

impl<T: Keyed> Keyed for Vec<T> {
    fn keys() -> Vec<Key> {
        T::keys().into_iter().map(|key| Key { path: format!("[].{}", key.path), ..key }).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize;
    use serde_json::json;

    use super::*;

    keys! {
    #[derive(Serialize)]
    struct Inner {
        /// A number.
        number: u64,
    }

    #[derive(Serialize)]
    struct Outer {
        /// T's numbers.
        #[serde(rename = "list")]
        inner: Vec<Inner>,
        /// Not written.
        #[serde(skip)]
        hidden: bool,
        /// Its keys are those of the outer structure.
        #[serde(flatten)]
        flat: Option<Inner>,
    }
    }

    // holds: Keys are those of serde
    #[test]
    fn the_keys_are_those_that_serde_writes() {
        let keys = Outer::keys();
        let found: Vec<(&str, &str)> =
            keys.iter().map(|key| (key.path.as_str(), key.meaning.as_str())).collect();
        assert_eq!(found, [("list", "T's numbers"), ("list[].number", "A number"), ("number", "A number")]);
        let outer = Outer { inner: vec![Inner { number: 1 }], hidden: true, flat: Some(Inner { number: 2 }) };
        assert!(outer.hidden);
        assert_eq!(json!(outer), json!({ "list": [{ "number": 1 }], "number": 2 }));
    }
}
