//! Objects of a Java stream by the names of their classes and fields.

use super::java::{Object, Stream, Value};

/// An object with its stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    stream: &'a Stream,
    pub(super) index: usize,
}

impl<'a> Node<'a> {
    pub(super) fn root(stream: &'a Stream) -> Self {
        Self { stream, index: stream.root }
    }

    fn object(self) -> &'a Object {
        &self.stream.objects[self.index]
    }

    fn of(self, value: Value) -> Option<Self> {
        match value {
            Value::Object(index) => Some(Self { stream: self.stream, index }),
            _ => None,
        }
    }

    /// The name of the class; empty for texts, constants and arrays.
    pub(super) fn class(self) -> &'a str {
        match self.object() {
            Object::Instance { class, .. } => &self.stream.classes[*class].name,
            _ => "",
        }
    }

    /// The name of the class without its packages.
    pub(super) fn short_class(self) -> &'a str {
        self.class().rsplit(['.', '$']).next().unwrap_or_default()
    }

    /// A field, of the lowest class that has it.
    pub(super) fn field(self, name: &str) -> Option<Value> {
        let Object::Instance { parts, .. } = self.object() else { return None };
        parts.iter().rev().find_map(|part| {
            let fields = &self.stream.classes[part.class].fields;
            let position = fields.iter().position(|(_, field)| &**field == name)?;
            part.fields.get(position).copied()
        })
    }

    /// Whether a field exists and is `null`.
    pub(super) fn is_null(self, name: &str) -> bool {
        self.field(name) == Some(Value::Null)
    }

    pub(super) fn node(self, name: &str) -> Option<Self> {
        self.of(self.field(name)?)
    }

    pub(super) fn whole(self, name: &str) -> Option<i64> {
        match self.field(name)? {
            Value::Whole(number) => Some(number),
            _ => None,
        }
    }

    pub(super) fn character(self, name: &str) -> Option<char> {
        match self.field(name)? {
            Value::Character(unit) => char::from_u32(unit.into()),
            _ => None,
        }
    }

    pub(super) fn text(self, name: &str) -> Option<&'a str> {
        self.node(name)?.as_text()
    }

    pub(super) fn as_text(self) -> Option<&'a str> {
        match self.object() {
            Object::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The name of an enum's constant.
    pub(super) fn as_constant(self) -> Option<&'a str> {
        match self.object() {
            Object::Constant(name) => Some(name),
            _ => None,
        }
    }

    /// The number of a `Long`, `Integer` or `Double`.
    pub(super) fn as_number(self) -> Option<Value> {
        let is_number = matches!(self.class(), "java.lang.Long" | "java.lang.Integer" | "java.lang.Double");
        self.field("value").filter(|_| is_number)
    }

    /// The elements of an array of `long`.
    pub(super) fn as_longs(self) -> Option<&'a [i64]> {
        match self.object() {
            Object::Longs(numbers) => Some(numbers),
            _ => None,
        }
    }

    /// The elements of an array of objects, or of an `ArrayList`.
    pub(super) fn elements(self) -> Option<Vec<Self>> {
        let values = match self.object() {
            Object::Objects(values) => values,
            Object::Instance { parts, .. } if self.class() == "java.util.ArrayList" => &parts.last()?.extra,
            _ => return None,
        };
        values.iter().map(|value| self.of(*value)).collect()
    }

    /// The keys and values of a `HashMap`. A value that is no object is left out.
    pub(super) fn entries(self) -> Option<Vec<(Self, Self)>> {
        let is_map = matches!(self.class(), "java.util.HashMap" | "java.util.LinkedHashMap");
        let Object::Instance { parts, .. } = self.object() else { return None };
        // The topmost class, `HashMap`, writes the entries of both.
        let pairs = parts.first()?.extra.as_chunks::<2>().0.iter();
        is_map.then(|| pairs.filter_map(|[key, value]| Some((self.of(*key)?, self.of(*value)?))).collect())
    }
}
