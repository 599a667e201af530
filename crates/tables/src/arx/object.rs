//! Objects of a Java stream by the names of their classes and fields.

use super::java::{Object, Stream, Value};

/// An object with its stream.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<'a> {
    stream: &'a Stream,
    index: usize,
}

impl<'a> Node<'a> {
    pub(super) fn root(stream: &'a Stream) -> Self {
        Self { stream, index: stream.root }
    }

    fn object(self) -> &'a Object {
        &self.stream.objects[self.index]
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
        parts.iter().rev().find_map(|(class, values)| {
            let fields = &self.stream.classes[*class].fields;
            let position = fields.iter().position(|(_, field)| field == name)?;
            values.get(position).copied()
        })
    }

    pub(super) fn node(self, name: &str) -> Option<Self> {
        match self.field(name)? {
            Value::Object(index) => Some(Self { stream: self.stream, index }),
            _ => None,
        }
    }

    pub(super) fn whole(self, name: &str) -> Option<i64> {
        match self.field(name)? {
            Value::Whole(number) => Some(number),
            _ => None,
        }
    }

    /// The elements of an array of `long`.
    pub(super) fn as_longs(self) -> Option<&'a [i64]> {
        match self.object() {
            Object::Longs(numbers) => Some(numbers),
            _ => None,
        }
    }
}
