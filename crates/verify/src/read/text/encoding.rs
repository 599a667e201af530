//! Decodes texts to UTF-8 while a file is read: UTF-16 and Windows-1252 itself, other encodings with `encoding_rs`.

use std::fmt;
use std::io::{self, Read};

use encoding_rs::{Decoder, DecoderResult, Encoding};

/// The characters of the bytes 0x80 to 0x9f in Windows code page 1252; 0 for bytes without a character.
const WINDOWS: [u16; 32] = [
    0x20ac, 0, 0x201a, 0x0192, 0x201e, 0x2026, 0x2020, 0x2021, 0x02c6, 0x2030, 0x0160, 0x2039, 0x0152, 0,
    0x017d, 0, 0, 0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014, 0x02dc, 0x2122, 0x0161, 0x203a,
    0x0153, 0, 0x017e, 0x0178,
];

/// What to do about the encoding of older projects, whose bytes 80 to 9f have no sign.
const LATIN: &str = "encoding `latin-1` is gone: write `windows-1252` if the file has none of the bytes 80 to 9f, else save it as UTF-8";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Utf8,
    /// The index of the high byte in a unit of two bytes.
    Utf16 {
        high: usize,
    },
    Windows,
    /// Another encoding of the Encoding Standard.
    Other(&'static Encoding),
}

/// A text that cannot be decoded: the line, from 1, and the reason.
#[derive(Debug)]
pub(crate) struct NoText {
    pub(crate) line: u64,
    pub(crate) detail: String,
}

impl fmt::Display for NoText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl std::error::Error for NoText {}

fn no_text(line: u64, detail: &str) -> io::Error {
    io::Error::other(NoText { line, detail: detail.to_owned() })
}

/// A text as UTF-8. The byte-order mark of UTF-16 is removed; that of UTF-8 is kept.
pub(crate) struct Text<R> {
    source: R,
    kind: Kind,
    /// The decoder of another encoding.
    decoder: Option<Decoder>,
    /// The first bytes of an incomplete character.
    rest: Vec<u8>,
    /// Decoded UTF-8 in reverse order: the next byte is the last element.
    ready: Vec<u8>,
    is_over: bool,
    line: u64,
}

impl<R: Read> Text<R> {
    /// Decodes `source` in the encoding of this name. Without a name, the byte-order mark decides, and UTF-8 is the default.
    pub(crate) fn of(mut source: R, name: Option<&str>) -> io::Result<Self> {
        let declared = name.map(|name| {
            if name == "latin-1" {
                return Err(no_text(1, LATIN));
            }
            match Encoding::for_label_no_replacement(name.as_bytes())
                .map(|encoding| (encoding, encoding.name()))
            {
                Some((_, "UTF-8")) => Ok(Kind::Utf8),
                Some((_, "UTF-16LE")) => Ok(Kind::Utf16 { high: 1 }),
                Some((_, "UTF-16BE")) => Ok(Kind::Utf16 { high: 0 }),
                Some((_, "windows-1252")) => Ok(Kind::Windows),
                Some((other, _)) => Ok(Kind::Other(other)),
                None => {
                    let detail = format!(
                        "encoding {name:?} is unknown; expected one of the Encoding Standard, such as utf-8"
                    );
                    Err(no_text(1, &detail))
                }
            }
        });
        let declared = declared.transpose()?;
        let mut rest = Vec::new();
        (&mut source).take(4).read_to_end(&mut rest)?;
        let mark = Self::mark(&rest);
        if rest == [0xff, 0xfe, 0, 0] || rest == [0, 0, 0xfe, 0xff] {
            return Err(no_text(1, "UTF-32 is not supported; save the file as UTF-8"));
        }
        if mark.is_some() && declared.is_some() && mark != declared {
            return Err(no_text(
                1,
                "the byte-order mark contradicts the `encoding` in the project; correct the project",
            ));
        }
        let kind = mark.or(declared).unwrap_or(Kind::Utf8);
        if let (Some(Kind::Utf16 { .. }), [_, _, after @ ..]) = (mark, rest.as_slice()) {
            let after = after.to_vec();
            if Self::mark(&after) == mark {
                return Err(no_text(1, "two byte-order marks; remove them"));
            }
            rest = after;
        }
        let decoder = match kind {
            Kind::Other(encoding) => Some(encoding.new_decoder_without_bom_handling()),
            _ => None,
        };
        Ok(Self { source, kind, decoder, rest, ready: Vec::new(), is_over: false, line: 1 })
    }

    fn mark(bytes: &[u8]) -> Option<Kind> {
        match bytes {
            [0xef, 0xbb, 0xbf, ..] => Some(Kind::Utf8),
            [0xff, 0xfe, ..] => Some(Kind::Utf16 { high: 1 }),
            [0xfe, 0xff, ..] => Some(Kind::Utf16 { high: 0 }),
            _ => None,
        }
    }

    /// Decodes the next bytes of the source.
    fn decode(&mut self) -> io::Result<()> {
        let before = self.rest.len();
        self.rest.resize(before + (1 << 14), 0);
        let count = self.source.read(&mut self.rest[before..])?;
        self.rest.truncate(before + count);
        self.is_over = count == 0;
        let bytes = std::mem::take(&mut self.rest);
        let mut text = String::with_capacity(bytes.len());
        match self.kind {
            // It is read as it is.
            Kind::Utf8 => {}
            Kind::Windows => {
                for &byte in &bytes {
                    let nth = usize::from(byte).checked_sub(0x80).filter(|nth| *nth < WINDOWS.len());
                    let code = nth.map_or(u16::from(byte), |nth| WINDOWS[nth]);
                    if code == 0 && byte != 0 {
                        let line = self.line + super::records::line_ends(text.as_bytes());
                        return Err(no_text(
                            line,
                            &format!(
                                "byte {byte:02x} is not a character of windows-1252; correct the byte or the `encoding`"
                            ),
                        ));
                    }
                    text.extend(char::from_u32(code.into()));
                }
            }
            Kind::Utf16 { high } => self.rest = self.units(&bytes, high, &mut text)?,
            Kind::Other(encoding) => self.other(&bytes, encoding, &mut text)?,
        }
        self.line += super::records::line_ends(text.as_bytes());
        self.ready = text.into_bytes();
        self.ready.reverse();
        Ok(())
    }

    /// Appends the characters of another encoding. A control character from U+0080 on is a byte that the encoding does not define.
    fn other(&mut self, bytes: &[u8], encoding: &'static Encoding, text: &mut String) -> io::Result<()> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        let most = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
        text.reserve(most.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?);
        let (result, _) = decoder.decode_to_string_without_replacement(bytes, text, self.is_over);
        let undefined = text.find(|character| ('\u{80}'..='\u{9f}').contains(&character));
        let end = undefined.unwrap_or(text.len());
        if undefined.is_some() || matches!(result, DecoderResult::Malformed(..)) {
            let line = self.line + super::records::line_ends(&text.as_bytes()[..end]);
            let name = encoding.name();
            return Err(no_text(
                line,
                &format!("bytes that are no character of {name}; correct them or the `encoding`"),
            ));
        }
        Ok(())
    }

    /// Appends the characters of UTF-16 units. Returns the bytes of an incomplete character at the end.
    fn units(&self, bytes: &[u8], high: usize, text: &mut String) -> io::Result<Vec<u8>> {
        let unit = |start: usize| u32::from(bytes[start + high]) << 8 | u32::from(bytes[start + 1 - high]);
        let mut start = 0;
        while start + 1 < bytes.len() {
            let first = unit(start);
            let (code, width) = match first {
                0xd800..=0xdbff if start + 3 < bytes.len() => {
                    let second = unit(start + 2);
                    let is_pair = (0xdc00..=0xdfff).contains(&second);
                    (is_pair.then(|| 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)), 4)
                }
                0xd800..=0xdbff if !self.is_over => break,
                _ => (Some(first), 2),
            };
            let Some(character) = code.and_then(char::from_u32) else {
                let line = self.line + super::records::line_ends(text.as_bytes());
                return Err(no_text(line, "half a UTF-16 character; save the file again"));
            };
            text.push(character);
            start += width;
        }
        if self.is_over && start < bytes.len() {
            return Err(no_text(
                self.line,
                "the file ends in the middle of a UTF-16 character; save it again",
            ));
        }
        Ok(bytes[start..].to_vec())
    }
}

impl<R: Read> Read for Text<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.kind == Kind::Utf8 {
            if self.rest.is_empty() {
                return self.source.read(buffer);
            }
            let count = self.rest.len().min(buffer.len());
            buffer[..count].copy_from_slice(&self.rest[..count]);
            self.rest.drain(..count);
            return Ok(count);
        }
        while self.ready.is_empty() && !self.is_over {
            self.decode()?;
        }
        let count = self.ready.len().min(buffer.len());
        for byte in &mut buffer[..count] {
            *byte = self.ready.pop().unwrap_or_default();
        }
        Ok(count)
    }
}

/// The reason why a text could not be decoded, if that is the cause of an error.
pub(crate) fn no_text_of(error: &io::Error) -> Option<&NoText> {
    error.get_ref()?.downcast_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8], name: Option<&str>) -> Result<String, u64> {
        let mut text = String::new();
        let read = Text::of(bytes, name).and_then(|mut decoded| decoded.read_to_string(&mut text));
        read.map(|_| text).map_err(|error| no_text_of(&error).unwrap().line)
    }

    // holds: Formats are equal
    #[test]
    fn known_encodings_are_decoded_and_invalid_bytes_refused() {
        let text = "M\u{fc}ller;\u{e9}\n".repeat(5000) + "\u{ff}";
        let latin: Vec<u8> = text.chars().map(|character| u8::try_from(character).unwrap()).collect();
        let units = |to: fn(u16) -> [u8; 2], mark: &str| -> Vec<u8> {
            format!("{mark}{text}\u{1f600}").encode_utf16().flat_map(to).collect()
        };
        let pictured = format!("{text}\u{1f600}");
        assert_eq!(decode(text.as_bytes(), None), Ok(text.clone()));
        assert_eq!(decode(&latin, Some("windows-1252")), Ok(text.clone()));
        assert_eq!(decode(&units(u16::to_le_bytes, "\u{feff}"), None), Ok(pictured.clone()));
        assert_eq!(decode(&units(u16::to_be_bytes, "\u{feff}"), None), Ok(pictured.clone()));
        assert_eq!(decode(&units(u16::to_le_bytes, ""), Some("utf-16le")), Ok(pictured.clone()));
        assert_eq!(decode(&units(u16::to_be_bytes, ""), Some("utf-16be")), Ok(pictured));
        assert_eq!(decode(b"\x80\x9f", Some("windows-1252")), Ok("\u{20ac}\u{178}".to_owned()));
        assert_eq!(decode(b"a\nb\x81", Some("windows-1252")), Err(2));
        assert_eq!(decode(b"a\0\n\0\0\xd8b\0", Some("utf-16le")), Err(2));
        assert_eq!(decode(b"a\0b", Some("utf-16le")), Err(1));
        assert_eq!(decode(b"\0\xd8", Some("utf-16le")), Err(1));
        for (bytes, name) in [
            (&b"\xff\xfea\0"[..], Some("utf-8")),
            (b"\xef\xbb\xbfa", Some("windows-1252")),
            (b"a", Some("latin-1")),
            (b"a", Some("cp850")),
        ] {
            assert_eq!(decode(bytes, name), Err(1), "{name:?}");
        }
        assert_eq!(decode(b"\xff\xfe\xff\xfea\0", None), Err(1));
        let lodz = b"\xa3\xf3d\x9f\n".repeat(9_000);
        assert_eq!(decode(&lodz, Some("cp1250")), Ok("\u{141}\u{f3}d\u{17a}\n".repeat(9_000)));
        assert_eq!(decode(b"\x93\x8c\x8b\x9e", Some("Shift_JIS")), Ok("\u{6771}\u{4eac}".to_owned()));
        assert_eq!(decode(b"a\nb\x81", Some("windows-1250")), Err(2));
        assert_eq!(decode(b"a\nb\xff", Some("euc-kr")), Err(2));
        assert_eq!(decode(b"a\x93", Some("shift_jis")), Err(1), "half a character");
    }
}
