//! Decodes texts that are not in UTF-8 while they are read, by the WHATWG Encoding Standard. A byte that is invalid in its encoding
//! is an error with its position. Nothing is replaced or guessed: UTF-16 has a byte-order mark, and
//! the project names every other encoding.

use palmtop_core::located::{LocatedError, Position};
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use encoding_rs::{Decoder, DecoderResult, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// How the characters of a text are encoded as bytes: an encoding of the WHATWG Encoding Standard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Encoding(&'static encoding_rs::Encoding);

impl Encoding {
    /// UTF-8.
    pub const UTF_8: Self = Self(UTF_8);
    /// UTF-16, lower byte first.
    pub const UTF_16LE: Self = Self(UTF_16LE);
    /// UTF-16, higher byte first.
    pub const UTF_16BE: Self = Self(UTF_16BE);
    /// Windows code page 1252; five bytes are invalid.
    pub const WINDOWS_1252: Self = Self(WINDOWS_1252);

    /// The encoding of the library.
    pub(crate) fn of(encoding: &'static encoding_rs::Encoding) -> Self {
        Self(encoding)
    }

    /// Bytes as a text; `None` if some are invalid.
    pub(crate) fn decode(self, bytes: &[u8]) -> Option<String> {
        let text = self.0.decode_without_bom_handling_and_without_replacement(bytes)?;
        (self.is_unicode() || control(text.as_bytes()).is_none()).then(|| text.into())
    }

    fn is_unicode(self) -> bool {
        [Self::UTF_8, Self::UTF_16LE, Self::UTF_16BE].contains(&self)
    }
}

impl FromStr for Encoding {
    type Err = String;

    /// Reads a label of the standard, in any case: `windows-1250`, `cp1250`, `shift_jis`.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "latin-1" {
            return Err(LATIN_1.to_owned());
        }
        let known = encoding_rs::Encoding::for_label_no_replacement(text.as_bytes());
        known.map(Self).ok_or_else(|| {
            format!(
                "encoding {text:?} is unknown; expected a label of the Encoding Standard, such as utf-8, windows-1250, \
                 iso-8859-2, koi8-r or shift_jis; convert a file in another one, for instance with `iconv -f CP850 -t UTF-8`"
            )
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

/// The position of the first control character from U+0080 to U+009F in a text of UTF-8. The standard
/// decodes bytes that an encoding does not define as such characters, and no table has them.
fn control(text: &[u8]) -> Option<usize> {
    memchr::memchr_iter(0xc2, text)
        .find(|&at| text.get(at + 1).is_some_and(|next| (0x80..=0x9f).contains(next)))
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
            let found = mark.encoding().map_or_else(|| "utf-32".to_owned(), |encoding| encoding.to_string());
            return Err(wrong_mark(
                format!("its byte-order mark is {found}, but the project has `encoding = \"{stated}\"`"),
                "correct one of them",
            ));
        }
        let encoding = marked.and_then(Mark::encoding).or(stated).unwrap_or(Encoding::UTF_8);
        if encoding != Encoding::UTF_8 && marked.is_some() {
            bytes.drain(..2);
            if Mark::of(&bytes) == marked {
                return Err(wrong_mark("two byte-order marks", "remove them"));
            }
        }
        let is_plain = encoding == Encoding::UTF_8;
        let decoder = (!is_plain).then(|| encoding.0.new_decoder_without_bom_handling());
        let (text, bytes) = if is_plain { (bytes, Vec::new()) } else { (Vec::new(), bytes) };
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
        let room = decoder.max_utf8_buffer_length_without_replacement(bytes.len());
        let room = room.ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        self.text.resize(room, 0);
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(&bytes, &mut self.text, self.is_over);
        self.text.truncate(written);
        let control = control(&self.text).filter(|_| !self.encoding.is_unicode());
        let wrong = match (control, result) {
            (Some(at), _) => {
                // Such a character has the number of its byte.
                let byte = self.text[at + 1];
                self.text.truncate(at);
                Some(vec![byte])
            }
            (None, DecoderResult::Malformed(length, behind)) => {
                // The sequence may have begun in an earlier chunk.
                let end = read.saturating_sub(usize::from(behind));
                Some(bytes[end.saturating_sub(usize::from(length))..end].to_vec())
            }
            (None, DecoderResult::InputEmpty | DecoderResult::OutputFull) => None,
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
        if self.encoding == Encoding::UTF_8 && self.at == self.text.len() {
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
            Self::Utf8 => Some(Encoding::UTF_8),
            Self::Utf16Le => Some(Encoding::UTF_16LE),
            Self::Utf16Be => Some(Encoding::UTF_16BE),
            Self::Utf32 => None,
        }
    }
}

impl fmt::Display for Encoding {
    /// Its name in a project.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.name().to_ascii_lowercase())
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
            (latin, Some(Encoding::WINDOWS_1252)),
            (utf_16(&format!("\u{feff}{text}"), u16::to_le_bytes), None),
            (utf_16(&format!("\u{feff}{text}"), u16::to_be_bytes), None),
            (utf_16(&text, u16::to_le_bytes), Some(Encoding::UTF_16LE)),
            (utf_16(&text, u16::to_be_bytes), Some(Encoding::UTF_16BE)),
        ] {
            assert_eq!(decode(&bytes, stated), Ok(text.clone()), "{stated:?}");
        }
        let odd = "\u{1f600}\u{20ac}x";
        assert_eq!(decode(&utf_16(odd, u16::to_le_bytes), Some(Encoding::UTF_16LE)), Ok(odd.to_owned()));
        assert_eq!(decode(b"\x80\xe4", Some(Encoding::WINDOWS_1252)), Ok("\u{20ac}\u{e4}".to_owned()));
        assert_eq!(decode(b"", Some(Encoding::WINDOWS_1252)), Ok(String::new()));
        assert_eq!("latin-1".parse::<Encoding>(), Err(LATIN_1.to_owned()));
    }

    /// Texts whose bytes were written by another program (Python 3.11).
    #[test]
    fn labels_of_the_standard_are_read() {
        for (label, bytes, text) in [
            ("CP1250", &b"\xa3\xf3d\x9f"[..], "\u{141}\u{f3}d\u{17a}"),
            ("iso-8859-2", b"\xa3\xf3d\xbc", "\u{141}\u{f3}d\u{17a}"),
            ("windows-1251", b"\xcc\xee\xf1\xea\xe2\xe0", "\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}"),
            ("koi8-r", b"\xed\xcf\xd3\xcb\xd7\xc1", "\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}"),
            ("ibm866", b"\x8c\xae\xe1\xaa\xa2\xa0", "\u{41c}\u{43e}\u{441}\u{43a}\u{432}\u{430}"),
            ("Shift_JIS", b"\x93\x8c\x8b\x9e", "\u{6771}\u{4eac}"),
            ("euc-jp", b"\xc5\xec\xb5\xfe", "\u{6771}\u{4eac}"),
            ("gbk", b"\xb1\xb1\xbe\xa9", "\u{5317}\u{4eac}"),
            ("big5", b"\xa5_\xa8\xca", "\u{5317}\u{4eac}"),
            ("euc-kr", b"\xbc\xad\xbf\xef", "\u{c11c}\u{c6b8}"),
            ("macintosh", b"Z\x9frich", "Z\u{fc}rich"),
            ("latin1", b"Z\xfcrich", "Z\u{fc}rich"),
            ("windows-1253", b"\xc1\xe8\xde\xed\xe1", "\u{391}\u{3b8}\u{3ae}\u{3bd}\u{3b1}"),
        ] {
            let encoding: Encoding = label.parse().unwrap();
            let many = [bytes, b"\n"].concat().repeat(20_000);
            assert_eq!(decode(&many, Some(encoding)).unwrap(), format!("{text}\n").repeat(20_000), "{label}");
            assert_eq!(encoding.decode(bytes).as_deref(), Some(text));
            assert_eq!(encoding.to_string().parse(), Ok(encoding), "its name is a label");
        }
        for label in ["cp850", "utf-7", "hz-gb-2312", ""] {
            assert!(label.parse::<Encoding>().unwrap_err().contains("is unknown"), "{label}");
        }
        // A byte that the encoding does not define is no character.
        let undefined: Encoding = "windows-1250".parse().unwrap();
        assert!(
            decode(b"a\nb\x81", Some(undefined)).unwrap_err().starts_with("line 2, character 2: byte 81")
        );
        assert_eq!(undefined.decode(b"\x81"), None);
    }

    // holds: Formats are equal
    #[test]
    fn undecodable_bytes_are_reported_with_their_place() {
        let bytes = |line, character, bytes: &[u8], encoding| {
            Err(format!("line {line}, character {character}: {}", undecodable(bytes, encoding)))
        };
        let cp = Encoding::WINDOWS_1252;
        assert_eq!(decode(b"a\nb\xe4\x81c", Some(cp)), bytes(2, 3, b"\x81", cp));
        let le = Encoding::UTF_16LE;
        assert_eq!(decode(b"a\0\n\0\x00\xd8b\0", Some(le)), bytes(2, 1, b"\x00\xd8", le));
        assert!(decode(b"a\0b", Some(le)).is_err(), "half a character");
        let mark = |found, stated| {
            Err(format!(
                "its byte-order mark is {found}, but the project has `encoding = \"{stated}\"`; correct one of them"
            ))
        };
        assert_eq!(decode(b"\xff\xfea\0", Some(Encoding::UTF_8)), mark("utf-16le", Encoding::UTF_8));
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
