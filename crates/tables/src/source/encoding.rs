//! Decodes texts that are not in UTF-8 while they are read. A byte that is invalid in its encoding
//! is an error with its position. Nothing is replaced or guessed: UTF-16 has a byte-order mark, and
//! the project names every other encoding.

use palmtop_core::located::{LocatedError, Position};
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use encoding_rs::{Decoder, DecoderResult, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How the characters of a text are encoded as bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-16, lower byte first.
    Utf16Le,
    /// UTF-16, higher byte first.
    Utf16Be,
    /// Windows code page 1252; five bytes are invalid.
    Windows1252,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 4] = [Self::Utf8, Self::Utf16Le, Self::Utf16Be, Self::Windows1252];

    /// Its name in a project.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows1252 => "windows-1252",
        }
    }
}

impl FromStr for Encoding {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "latin-1" {
            return Err(LATIN_1.to_owned());
        }
        let known = Self::ALL.into_iter().find(|encoding| encoding.as_str() == text);
        known.ok_or_else(|| {
            let names = Self::ALL.map(|encoding| format!("`{}`", encoding.as_str())).join(", ");
            format!("encoding {text:?} is unknown; expected one of {names}")
        })
    }
}

/// The remedy for an encoding that is no longer read. Its bytes 80 to 9f are control characters, but
/// letters and signs in windows-1252.
const LATIN_1: &str = "encoding `latin-1` is gone: write `windows-1252`, or convert a file that has bytes from 80 to 9f to UTF-8";

/// Bytes that are invalid in their encoding. [`DataError::io`](crate::error::DataError::io) adds the
/// file.
fn undecodable(bytes: &[u8], encoding: Encoding) -> LocatedError {
    let invalid = match bytes {
        [] => "the character before it is cut off".to_owned(),
        [_] => format!("byte {} is invalid", hexadecimal(bytes)),
        _ => format!("bytes {} are invalid", hexadecimal(bytes)),
    };
    LocatedError::new(format!("{invalid} in {encoding}")).remedy("correct it, or the project's `encoding`")
}

/// An error of the byte-order mark.
fn wrong_mark(problem: impl Into<String>, remedy: &str) -> io::Error {
    io::Error::other(LocatedError::new(problem).remedy(remedy))
}

/// Bytes in hexadecimal: `ff fe`.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    let bytes: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    bytes.join(" ")
}

/// Bytes decoded as windows-1252; `None` if one of them is invalid.
pub(crate) fn as_windows_1252(bytes: &[u8]) -> Option<String> {
    if bytes.iter().any(is_undefined) {
        return None;
    }
    WINDOWS_1252.decode_without_bom_handling_and_without_replacement(bytes).map(Into::into)
}

/// Whether a byte is invalid in windows-1252. Browsers decode such bytes as control characters.
fn is_undefined(byte: &u8) -> bool {
    matches!(byte, 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)
}

/// Converts a text to UTF-8. Removes the byte-order mark of UTF-16, but not that of UTF-8.
pub(crate) struct Decoded<R> {
    inner: R,
    encoding: Encoding,
    /// `None` if all bytes pass unchanged.
    decoder: Option<Decoder>,
    /// Bytes that are not decoded yet.
    bytes: Vec<u8>,
    /// Text that the reader has not taken yet, from `at` on.
    text: Vec<u8>,
    at: usize,
    is_over: bool,
    line: u64,
    character: u64,
}

impl<R: Read> Decoded<R> {
    /// The number of bytes decoded at once.
    const CHUNK: usize = 1 << 15;

    /// Looks for a byte-order mark; without one the text is in `stated`, or else in UTF-8.
    ///
    /// # Errors
    /// As `inner`; an error if the mark is that of another encoding.
    pub(crate) fn new(mut inner: R, stated: Option<Encoding>) -> io::Result<Self> {
        let mut bytes = Vec::new();
        (&mut inner).take(4).read_to_end(&mut bytes)?;
        let marked = Mark::of(&bytes);
        if marked == Some(Mark::Utf32) {
            return Err(wrong_mark(
                "the text is in UTF-32",
                "convert it, for instance with `iconv -f UTF-32 -t UTF-8`",
            ));
        }
        if let (Some(mark), Some(stated)) = (marked, stated)
            && mark.encoding() != Some(stated)
        {
            let found = mark.as_str();
            return Err(wrong_mark(
                format!("its byte-order mark is {found}, but the project has `encoding = \"{stated}\"`"),
                "correct one of them",
            ));
        }
        let encoding = marked.and_then(Mark::encoding).or(stated).unwrap_or(Encoding::Utf8);
        if matches!(encoding, Encoding::Utf16Le | Encoding::Utf16Be) && marked.is_some() {
            bytes.drain(..2);
            if Mark::of(&bytes) == marked {
                return Err(wrong_mark("two byte-order marks", "remove them"));
            }
        }
        let decoder = match encoding {
            Encoding::Utf8 => None,
            Encoding::Utf16Le => Some(UTF_16LE.new_decoder_without_bom_handling()),
            Encoding::Utf16Be => Some(UTF_16BE.new_decoder_without_bom_handling()),
            Encoding::Windows1252 => Some(WINDOWS_1252.new_decoder_without_bom_handling()),
        };
        let (text, bytes) =
            if encoding == Encoding::Utf8 { (bytes, Vec::new()) } else { (Vec::new(), bytes) };
        Ok(Self { inner, encoding, decoder, bytes, text, at: 0, is_over: false, line: 1, character: 1 })
    }

    /// Decodes the next bytes.
    fn fill(&mut self) -> io::Result<()> {
        // The first time, these are the bytes read to find the mark.
        let before = self.bytes.len();
        self.bytes.resize(before + Self::CHUNK, 0);
        let count = self.inner.read(&mut self.bytes[before..])?;
        self.bytes.truncate(before + count);
        self.is_over = count == 0;
        self.text.clear();
        self.at = 0;
        let bytes = std::mem::take(&mut self.bytes);
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        let undefined = bytes.iter().position(is_undefined);
        let end = undefined.filter(|_| self.encoding == Encoding::Windows1252).unwrap_or(bytes.len());
        let room = decoder.max_utf8_buffer_length_without_replacement(end);
        let room = room.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        self.text.resize(room, 0);
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(&bytes[..end], &mut self.text, self.is_over);
        self.text.truncate(written);
        let wrong = match result {
            DecoderResult::Malformed(length, behind) => {
                // The sequence may have begun in an earlier chunk.
                let end = read.saturating_sub(usize::from(behind));
                Some(bytes[end.saturating_sub(usize::from(length))..end].to_vec())
            }
            DecoderResult::InputEmpty | DecoderResult::OutputFull => bytes.get(end).map(|&byte| vec![byte]),
        };
        self.walk();
        if let Some(bytes) = wrong {
            let error = undecodable(&bytes, self.encoding).at_line(self.line);
            return Err(io::Error::other(error.at(Position::Character(self.character))));
        }
        Ok(())
    }

    /// Counts lines and characters of the decoded text.
    fn walk(&mut self) {
        let is_beginning = |byte: &&u8| (**byte & 0xc0) != 0x80;
        match self.text.iter().rposition(|&byte| byte == b'\n') {
            Some(end) => {
                self.line += memchr::memchr_iter(b'\n', &self.text[..=end]).count() as u64;
                self.character = 1 + self.text[end + 1..].iter().filter(is_beginning).count() as u64;
            }
            None => self.character += self.text.iter().filter(is_beginning).count() as u64,
        }
    }
}

impl<R: Read> Read for Decoded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.encoding == Encoding::Utf8 && self.at == self.text.len() {
            return self.inner.read(buffer);
        }
        while self.at == self.text.len() && !self.is_over {
            self.fill()?;
        }
        let text = &self.text[self.at..];
        let count = text.len().min(buffer.len());
        buffer[..count].copy_from_slice(&text[..count]);
        self.at += count;
        Ok(count)
    }
}

/// A byte-order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Utf8,
    Utf16Le,
    Utf16Be,
    Utf32,
}

impl Mark {
    fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [0xff, 0xfe, 0, 0] | [0, 0, 0xfe, 0xff] => Some(Self::Utf32),
            [0xef, 0xbb, 0xbf, ..] => Some(Self::Utf8),
            [0xff, 0xfe, ..] => Some(Self::Utf16Le),
            [0xfe, 0xff, ..] => Some(Self::Utf16Be),
            _ => None,
        }
    }

    fn encoding(self) -> Option<Encoding> {
        match self {
            Self::Utf8 => Some(Encoding::Utf8),
            Self::Utf16Le => Some(Encoding::Utf16Le),
            Self::Utf16Be => Some(Encoding::Utf16Be),
            Self::Utf32 => None,
        }
    }

    fn as_str(self) -> &'static str {
        self.encoding().map_or("utf-32", Encoding::as_str)
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(bytes: &[u8], stated: Option<Encoding>) -> Result<String, String> {
        let mut text = Vec::new();
        let read = Decoded::new(bytes, stated).and_then(|mut decoded| decoded.read_to_end(&mut text));
        match read {
            Ok(_) => Ok(String::from_utf8(text).unwrap()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn utf_16(text: &str, to: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to).collect()
    }

    #[test]
    fn a_text_is_the_same_in_every_encoding() {
        // Longer than a chunk, with characters across chunk boundaries.
        let text = "name;Stra\u{df}e\nM\u{fc}ller;\u{e9}t\u{e9}\n".repeat(4000);
        let latin: Vec<u8> = text.chars().map(|character| u8::try_from(character).unwrap()).collect();
        for (bytes, stated) in [
            (text.as_bytes().to_vec(), None),
            (latin, Some(Encoding::Windows1252)),
            (utf_16(&format!("\u{feff}{text}"), u16::to_le_bytes), None),
            (utf_16(&format!("\u{feff}{text}"), u16::to_be_bytes), None),
            (utf_16(&text, u16::to_le_bytes), Some(Encoding::Utf16Le)),
            (utf_16(&text, u16::to_be_bytes), Some(Encoding::Utf16Be)),
        ] {
            assert_eq!(decode(&bytes, stated), Ok(text.clone()), "{stated:?}");
        }
        let odd = "\u{1f600}\u{20ac}x";
        assert_eq!(decode(&utf_16(odd, u16::to_le_bytes), Some(Encoding::Utf16Le)), Ok(odd.to_owned()));
        assert_eq!(decode(b"\x80\xe4", Some(Encoding::Windows1252)), Ok("\u{20ac}\u{e4}".to_owned()));
        assert_eq!(decode(b"", Some(Encoding::Windows1252)), Ok(String::new()));
        assert_eq!("latin-1".parse::<Encoding>(), Err(LATIN_1.to_owned()));
    }

    // holds: Formats are equal
    #[test]
    fn undecodable_bytes_are_reported_with_their_place() {
        let bytes = |line, character, bytes: &[u8], encoding| {
            Err(format!("line {line}, character {character}: {}", undecodable(bytes, encoding)))
        };
        let cp = Encoding::Windows1252;
        assert_eq!(decode(b"a\nb\xe4\x81c", Some(cp)), bytes(2, 3, b"\x81", cp));
        let le = Encoding::Utf16Le;
        assert_eq!(decode(b"a\0\n\0\x00\xd8b\0", Some(le)), bytes(2, 1, b"\x00\xd8", le));
        assert!(decode(b"a\0b", Some(le)).is_err(), "half a character");
        let mark = |found, stated| {
            Err(format!(
                "its byte-order mark is {found}, but the project has `encoding = \"{stated}\"`; correct one of them"
            ))
        };
        assert_eq!(decode(b"\xff\xfea\0", Some(Encoding::Utf8)), mark("utf-16le", Encoding::Utf8));
        assert_eq!(decode(b"\xef\xbb\xbfa", Some(cp)), mark("utf-8", cp));
        assert_eq!(decode(b"\xff\xfe\xff\xfea\0", None), Err("two byte-order marks; remove them".to_owned()));
        assert_eq!(
            decode(b"\xff\xfe\0\0a\0\0\0", None),
            Err("the text is in UTF-32; convert it, for instance with `iconv -f UTF-32 -t UTF-8`".to_owned())
        );
        // UTF-8 is checked field by field, and its mark by the form of CSV.
        assert_eq!(decode(b"\xef\xbb\xbfa", None), Ok("\u{feff}a".to_owned()));
    }
}
