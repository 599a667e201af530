//! JSON as leaves: each text, number, boolean and null with its path.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// JSON in which no object has a key twice. With two values of one key, a reader and a program could use different values.
pub(super) struct Strict(pub(super) Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(StrictVisitor).map(Strict)
    }
}

struct StrictVisitor;

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Value, E> {
        Number::from_f64(value).map(Value::Number).ok_or_else(|| E::custom("a number is not finite"))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(Strict(value)) = items.next_element()? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some((key, Strict(value))) = entries.next_entry::<String, Strict>()? {
            if map.contains_key(&key) {
                return Err(A::Error::custom(format!("the key {key:?} occurs twice in one object")));
            }
            map.insert(key, value);
        }
        Ok(Value::Object(map))
    }
}

/// The leaves by their paths, such as `criteria[1].achieved`, each as JSON text. An empty list or object is a leaf.
pub(super) fn leaves(value: &Value) -> BTreeMap<String, String> {
    let mut leaves = BTreeMap::new();
    collect(value, String::new(), &mut leaves);
    leaves
}

fn collect(value: &Value, path: String, leaves: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (key, value) in map {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                collect(value, path, leaves);
            }
        }
        Value::Array(values) if !values.is_empty() => {
            for (index, value) in values.iter().enumerate() {
                collect(value, format!("{path}[{index}]"), leaves);
            }
        }
        leaf => {
            leaves.insert(path, leaf.to_string());
        }
    }
}

/// Whether a path is equal to a pattern or below it; `[]` in the pattern stands for every index.
pub(super) fn at(pattern: &str, path: &str) -> bool {
    let mut rest = path;
    for (index, part) in pattern.split("[]").enumerate() {
        if index > 0 {
            let Some((_, after)) = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')) else {
                return false;
            };
            rest = after;
        }
        let Some(after) = rest.strip_prefix(part) else { return false };
        rest = after;
    }
    rest.is_empty() || rest.starts_with(['.', '['])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaf_is_known_by_its_path_and_a_key_that_occurs_twice_is_refused() {
        let Strict(value) =
            serde_json::from_str("{\"a\": [{\"b\": 0.1}, {\"b\": null}], \"c\": {}, \"d\": \"x\"}").unwrap();
        let found = leaves(&value);
        let found: Vec<(&str, &str)> =
            found.iter().map(|(path, leaf)| (path.as_str(), leaf.as_str())).collect();
        assert_eq!(found, [("a[0].b", "0.1"), ("a[1].b", "null"), ("c", "{}"), ("d", "\"x\"")]);
        let twice = serde_json::from_str::<Strict>("{\"a\": {\"b\": 1, \"b\": 2}}").map(|_| ());
        assert!(twice.unwrap_err().to_string().contains("\"b\" occurs twice"));
        // Reading keeps the digits of a number.
        for number in ["0.1", "0.30000000000000004", "1e-7", "0.39999999999999997", "12345.678901234567"] {
            let Strict(value) = serde_json::from_str(number).unwrap();
            assert_eq!(leaves(&value)[""], number);
        }
    }

    #[test]
    fn a_pattern_is_of_a_leaf_and_of_all_under_it() {
        for (pattern, path, is_at) in [
            ("made_by", "made_by.seed", true),
            ("made_by", "made_by", true),
            ("made_by", "made_bys", false),
            ("inputs[].path", "inputs[12].path", true),
            ("inputs[].path", "inputs[12].sha256", false),
            ("inputs[].path", "inputs", false),
            ("session", "session.steps[0].how", true),
        ] {
            assert_eq!(at(pattern, path), is_at, "{pattern} {path}");
        }
    }
}
