//! Reads a stream of the Java Object Serialization Protocol, version 5, into a graph of objects.
//!
//! The reader creates no object of Java and runs no code of a class: it returns the fields as they
//! are written. It keeps whole numbers, objects and arrays of `long`, and skips other content. It follows chapter 6 of the Java Object Serialization Specification. It refuses
//! proxies, exceptions, resets and externalizable classes of version 1, which ARX does not write.

/// The deepest nesting of objects. Files of ARX have about 30.
const MOST_DEPTH: usize = 150;

/// The first handle of a stream.
const FIRST_HANDLE: i32 = 0x7e_0000;

const WRITE_METHOD: u8 = 0x01;
const SERIALIZABLE: u8 = 0x02;
const EXTERNALIZABLE: u8 = 0x04;
const BLOCK_DATA: u8 = 0x08;

/// A stream that is not as the protocol, or one of its parts that this reader does not read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {offset}: {problem}")]
pub(super) struct Malformed {
    /// The offset in bytes, from 0.
    pub(super) offset: usize,
    pub(super) problem: String,
}

/// A field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Null,
    /// A `byte`, `short`, `int` or `long`.
    Whole(i64),
    /// The index of an object.
    Object(usize),
    /// Any other value, which is skipped.
    Skipped,
}

/// An object of the stream.
#[derive(Debug)]
pub(super) enum Object {
    /// An array of `long`.
    Longs(Vec<i64>),
    /// The fields of each class of its ancestry in their order, the topmost first. The objects that
    /// a class wrote after its fields are skipped.
    Instance { class: usize, parts: Vec<(usize, Vec<Value>)> },
    /// A text, a constant or another array, which are skipped, or an object whose end is not read yet.
    Skipped,
}

/// The description of a class.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: String,
    flags: u8,
    pub(super) fields: Vec<(u8, String)>,
    parent: Option<usize>,
}

/// A stream that was read.
#[derive(Debug, Default)]
pub(super) struct Stream {
    pub(super) classes: Vec<Class>,
    pub(super) objects: Vec<Object>,
    /// The first object.
    pub(super) root: usize,
}

/// Reads the first object of a stream, with all objects that it refers to.
pub(super) fn read(bytes: &[u8]) -> Result<Stream, Malformed> {
    let mut reader = Reader { bytes, offset: 0, handles: Vec::new(), stream: Stream::default() };
    if reader.bytes.get(..4) != Some(&[0xac, 0xed, 0, 5]) {
        return Err(reader.wrong("no Java object stream of version 5"));
    }
    reader.offset = 4;
    match reader.content(0)? {
        Content::Value(Value::Object(root)) => {
            reader.stream.root = root;
            Ok(reader.stream)
        }
        _ => Err(reader.wrong("the stream does not begin with an object")),
    }
}

/// What a handle refers to.
#[derive(Clone, Copy, Debug)]
enum Handle {
    Class(usize),
    Object(usize),
    Other,
}

enum Content {
    Value(Value),
    /// Bytes that a class wrote by itself; they are skipped.
    Block,
    EndOfBlocks,
}

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    handles: Vec<Handle>,
    stream: Stream,
}

impl<'a> Reader<'a> {
    fn wrong(&self, problem: impl Into<String>) -> Malformed {
        Malformed { offset: self.offset, problem: problem.into() }
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Malformed> {
        let end = self.offset.checked_add(count).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| self.wrong("the file ends too early"))?;
        let taken = &self.bytes[self.offset..end];
        self.offset = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    fn byte(&mut self) -> Result<u8, Malformed> {
        Ok(self.array::<1>()?[0])
    }

    fn short(&mut self) -> Result<u16, Malformed> {
        self.array().map(u16::from_be_bytes)
    }

    fn int(&mut self) -> Result<i32, Malformed> {
        self.array().map(i32::from_be_bytes)
    }

    fn length(&mut self) -> Result<usize, Malformed> {
        let length = self.int()?;
        usize::try_from(length).map_err(|_| self.wrong(format!("the length {length} is negative")))
    }

    /// The name of a class or a field. Names of ARX are ASCII.
    fn name(&mut self) -> Result<String, Malformed> {
        let length = usize::from(self.short()?);
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    /// Reserves the place and the handle of an object.
    fn begin(&mut self) -> usize {
        let index = self.stream.objects.len();
        self.stream.objects.push(Object::Skipped);
        self.handles.push(Handle::Object(index));
        index
    }

    fn end(&mut self, index: usize, object: Object) -> Content {
        self.stream.objects[index] = object;
        Content::Value(Value::Object(index))
    }

    fn content(&mut self, depth: usize) -> Result<Content, Malformed> {
        if depth > MOST_DEPTH {
            return Err(self.wrong(format!("objects are nested more than {MOST_DEPTH} deep")));
        }
        let tag = self.byte()?;
        match tag {
            0x70 => Ok(Content::Value(Value::Null)),
            0x71 => Ok(Content::Value(match self.handle()? {
                Handle::Object(index) => Value::Object(index),
                Handle::Class(_) | Handle::Other => Value::Skipped,
            })),
            0x73 => {
                let class = self.described_class(depth)?;
                let index = self.begin();
                let parts = self.parts(class, depth)?;
                Ok(self.end(index, Object::Instance { class, parts }))
            }
            0x74 | 0x7c => {
                let index = self.begin();
                let length =
                    if tag == 0x74 { self.short()?.into() } else { u64::from_be_bytes(self.array()?) };
                let length = usize::try_from(length).map_err(|_| self.wrong("a text is too long"))?;
                self.take(length)?;
                Ok(Content::Value(Value::Object(index)))
            }
            0x75 => self.elements(depth),
            0x76 => {
                self.class(depth)?;
                self.handles.push(Handle::Other);
                Ok(Content::Value(Value::Skipped))
            }
            0x77 => {
                let length = usize::from(self.byte()?);
                self.take(length)?;
                Ok(Content::Block)
            }
            0x7a => {
                let length = self.length()?;
                self.take(length)?;
                Ok(Content::Block)
            }
            0x78 => Ok(Content::EndOfBlocks),
            0x7e => {
                self.described_class(depth)?;
                let index = self.begin();
                self.object(depth + 1)?;
                Ok(Content::Value(Value::Object(index)))
            }
            0x79 | 0x7b | 0x7d => {
                Err(self.wrong("a reset, an exception or a proxy, which ARX does not write"))
            }
            _ => Err(self.wrong(format!("the byte {tag:#04x} begins no object"))),
        }
    }

    fn handle(&mut self) -> Result<Handle, Malformed> {
        let written = self.int()?;
        let index = written.checked_sub(FIRST_HANDLE).and_then(|index| usize::try_from(index).ok());
        let handle = index.and_then(|index| self.handles.get(index));
        handle.copied().ok_or_else(|| self.wrong(format!("no object has the handle {written:#x}")))
    }

    fn object(&mut self, depth: usize) -> Result<Value, Malformed> {
        match self.content(depth)? {
            Content::Value(value) => Ok(value),
            _ => Err(self.wrong("expected an object")),
        }
    }

    /// A class, or `None` for the class above the topmost one.
    fn class(&mut self, depth: usize) -> Result<Option<usize>, Malformed> {
        if depth > MOST_DEPTH {
            return Err(self.wrong(format!("classes are nested more than {MOST_DEPTH} deep")));
        }
        match self.byte()? {
            0x70 => Ok(None),
            0x71 => match self.handle()? {
                Handle::Class(class) => Ok(Some(class)),
                _ => Err(self.wrong("expected a class")),
            },
            0x72 => {
                let name = self.name()?;
                self.take(8)?;
                let index = self.stream.classes.len();
                self.handles.push(Handle::Class(index));
                let flags = self.byte()?;
                self.stream.classes.push(Class { name, flags, fields: Vec::new(), parent: None });
                for _ in 0..self.short()? {
                    let kind = self.byte()?;
                    let field = self.name()?;
                    match kind {
                        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => {}
                        b'[' | b'L' => {
                            self.object(depth + 1)?;
                        }
                        _ => return Err(self.wrong(format!("field `{field}` has an unknown type"))),
                    }
                    self.stream.classes[index].fields.push((kind, field));
                }
                self.skip_extra(depth)?;
                let parent = self.class(depth + 1)?;
                // A class is its own ancestor only in a forged stream.
                if parent.is_some_and(|parent| self.is_below(parent, index)) {
                    return Err(self.wrong("a class is its own ancestor"));
                }
                self.stream.classes[index].parent = parent;
                Ok(Some(index))
            }
            _ => Err(self.wrong("expected a class")),
        }
    }

    /// Whether a class is another one, or one of its descendants.
    fn is_below(&self, class: usize, ancestor: usize) -> bool {
        let next = |class: &usize| self.stream.classes[*class].parent;
        std::iter::successors(Some(class), next).any(|class| class == ancestor)
    }

    fn described_class(&mut self, depth: usize) -> Result<usize, Malformed> {
        let class = self.class(depth + 1)?;
        class.ok_or_else(|| self.wrong("an object has no class"))
    }

    /// The fields of each class of an object, the topmost first.
    fn parts(&mut self, class: usize, depth: usize) -> Result<Vec<(usize, Vec<Value>)>, Malformed> {
        let next = |class: &usize| self.stream.classes[*class].parent;
        let ancestry: Vec<usize> = std::iter::successors(Some(class), next).collect();
        let mut parts = Vec::with_capacity(ancestry.len());
        for class in ancestry.into_iter().rev() {
            let Class { flags, name, fields, .. } = &self.stream.classes[class];
            let (flags, kinds): (u8, Vec<u8>) = (*flags, fields.iter().map(|(kind, _)| *kind).collect());
            if flags & EXTERNALIZABLE != 0 && flags & BLOCK_DATA == 0 {
                let problem = format!("`{name}` is written in its own format");
                return Err(self.wrong(problem));
            }
            let mut fields = Vec::new();
            if flags & SERIALIZABLE != 0 {
                for kind in kinds {
                    fields.push(self.field(kind, depth)?);
                }
            }
            let has_extra = flags & SERIALIZABLE != 0 && flags & WRITE_METHOD != 0;
            if has_extra || flags & EXTERNALIZABLE != 0 {
                self.skip_extra(depth)?;
            }
            parts.push((class, fields));
        }
        Ok(parts)
    }

    fn field(&mut self, kind: u8, depth: usize) -> Result<Value, Malformed> {
        Ok(match kind {
            b'B' => Value::Whole(i8::from_be_bytes(self.array()?).into()),
            b'I' => Value::Whole(self.int()?.into()),
            b'J' => Value::Whole(i64::from_be_bytes(self.array()?)),
            b'S' => Value::Whole(i16::from_be_bytes(self.array()?).into()),
            b'C' | b'D' | b'F' | b'Z' => {
                self.take(size_of(kind).unwrap_or_default())?;
                Value::Skipped
            }
            _ => self.object(depth + 1)?,
        })
    }

    /// Skips the objects that a class wrote after its fields, such as the elements of a list.
    fn skip_extra(&mut self, depth: usize) -> Result<(), Malformed> {
        while !matches!(self.content(depth + 1)?, Content::EndOfBlocks) {}
        Ok(())
    }

    fn elements(&mut self, depth: usize) -> Result<Content, Malformed> {
        let class = self.described_class(depth)?;
        let index = self.begin();
        let length = self.length()?;
        let kind = self.stream.classes[class].name.as_bytes().get(1).copied().unwrap_or(b'?');
        if matches!(kind, b'[' | b'L') {
            // Each element has a byte at least, so the file bounds the length.
            let left = self.bytes.len() - self.offset;
            if length > left {
                return Err(self.wrong(format!("an array of {length} elements has {left} bytes")));
            }
            for _ in 0..length {
                self.object(depth + 1)?;
            }
            return Ok(Content::Value(Value::Object(index)));
        }
        let size = size_of(kind).ok_or_else(|| self.wrong("an array has an unknown type"))?;
        let total = length.checked_mul(size).ok_or_else(|| self.wrong("an array is too long"))?;
        let bytes = self.take(total)?;
        if kind == b'J' {
            let numbers = bytes.as_chunks::<8>().0.iter().map(|bytes| i64::from_be_bytes(*bytes));
            return Ok(self.end(index, Object::Longs(numbers.collect())));
        }
        Ok(Content::Value(Value::Object(index)))
    }
}

/// The bytes of a number, a character or a boolean; `None` for an object.
fn size_of(kind: u8) -> Option<usize> {
    match kind {
        b'B' | b'Z' => Some(1),
        b'C' | b'S' => Some(2),
        b'F' | b'I' => Some(4),
        b'D' | b'J' => Some(8),
        _ => None,
    }
}
