//! Opens files: only regular files, with limits of size. Finds the separator and the byte-order mark of text files.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use super::records::{LONGEST, Records};
use crate::problems::VerifyError;
use palmtop_terms::LocatedError;

/// Opens a regular file. Other kinds are refused before they are opened: reading a pipe may block, and a device has no end.
pub(crate) fn open(path: &Path) -> Result<File, VerifyError> {
    let refuse = |metadata: io::Result<std::fs::Metadata>| match metadata {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => Err(LocatedError::new("this is not a regular file")
            .in_file(path)
            .remedy("give a file instead of a folder, pipe or device")
            .into()),
        Err(source) => Err(VerifyError::io(path)(source)),
    };
    refuse(path.metadata())?;
    let file = File::open(path).map_err(VerifyError::io(path))?;
    // The name may refer to another file since the first check.
    refuse(file.metadata())?;
    Ok(file)
}

/// The limit of a hierarchy file, in bytes.
pub(crate) const MOST_TEXT: u64 = 256 << 20;
/// The limit of a Parquet or Arrow file, in bytes: its content is kept in memory.
pub(crate) const MOST_TYPED: u64 = 8 << 30;

/// Opens a regular file of at most `most` bytes.
pub(crate) fn open_small(path: &Path, most: u64) -> Result<io::Take<File>, VerifyError> {
    let file = open(path)?;
    let size = file.metadata().map_err(VerifyError::io(path))?.len();
    if size > most {
        return Err(VerifyError::too_large(path, most));
    }
    // Another program may still append to the file. A file that is cut off here is refused by its reader.
    Ok(file.take(most))
}

/// Reads a regular file of at most `most` bytes into memory.
pub(crate) fn read(path: &Path, most: u64) -> Result<Vec<u8>, VerifyError> {
    let mut file = open_small(path, most)?;
    let size = file.get_ref().metadata().map_err(VerifyError::io(path))?.len();
    let mut bytes = Vec::new();
    // A lack of memory is an error and must not abort the program.
    let out_of_memory = || VerifyError::io(path)(io::ErrorKind::OutOfMemory.into());
    let capacity = usize::try_from(size).map_err(|_| out_of_memory())?;
    bytes.try_reserve_exact(capacity).map_err(|_| out_of_memory())?;
    file.read_to_end(&mut bytes).map_err(VerifyError::io(path))?;
    Ok(bytes)
}

/// The first record of a text file, and the unread rest.
pub(crate) struct Beginning<R> {
    /// Whether the file begins with a byte-order mark, which is removed.
    pub(crate) has_mark: bool,
    /// Whether a second byte-order mark follows.
    pub(crate) has_two_marks: bool,
    head: Vec<u8>,
    rest: BufReader<R>,
    /// The line of the first record.
    line: u64,
}

/// The records of a file, from its first.
pub(crate) type FileRecords<R = File> = Records<io::Chain<Cursor<Vec<u8>>, BufReader<R>>>;

impl<R: Read> Beginning<R> {
    const MARK: &'static [u8] = "\u{feff}".as_bytes();

    pub(crate) fn of(source: R, quote: Option<u8>) -> io::Result<Self> {
        Self::from_line(source, quote, 1)
    }

    /// The beginning of what a file has from a line on.
    pub(crate) fn from_line(source: R, quote: Option<u8>, line: u64) -> io::Result<Self> {
        let mut rest = BufReader::with_capacity(1 << 16, source);
        for _ in 1..line {
            rest.skip_until(b'\n')?;
        }
        let mut head = Vec::new();
        let mut is_quoted = false;
        // A quoted name may contain line ends. A first record above the limit is refused when it is read.
        while head.len() <= LONGEST {
            let before = head.len();
            let remaining = (LONGEST + 1 - before) as u64;
            if (&mut rest).take(remaining).read_until(b'\n', &mut head)? == 0 {
                break;
            }
            is_quoted ^= head[before..].split(|&byte| Some(byte) == quote).count() % 2 == 0;
            if !is_quoted && head.ends_with(b"\n") {
                break;
            }
        }
        let has_mark = head.starts_with(Self::MARK);
        if has_mark {
            head.drain(..Self::MARK.len());
        }
        let has_two_marks = has_mark && head.starts_with(Self::MARK);
        Ok(Self { has_mark, has_two_marks, head, rest, line })
    }

    /// The candidate that the first record has most often outside quotes, the first in case of a tie. `None` if it has none.
    pub(crate) fn most_frequent(&self, candidates: &[u8], quote: Option<u8>) -> Option<u8> {
        let mut counts = vec![0_u64; candidates.len()];
        for outside in self.head.split(|&byte| Some(byte) == quote).step_by(2) {
            for byte in outside {
                if let Some(index) = candidates.iter().position(|candidate| candidate == byte) {
                    counts[index] += 1;
                }
            }
        }
        let most = counts.iter().copied().max().filter(|&most| most > 0)?;
        counts.iter().position(|&count| count == most).map(|index| candidates[index])
    }

    /// The text, from the first record.
    pub(crate) fn text(self) -> io::Chain<Cursor<Vec<u8>>, BufReader<R>> {
        Cursor::new(self.head).chain(self.rest)
    }

    /// All records, from the first.
    pub(crate) fn records(self, separator: u8, quote: Option<u8>) -> FileRecords<R> {
        Records::new(Cursor::new(self.head).chain(self.rest), separator, quote).counted_from(self.line)
    }
}
