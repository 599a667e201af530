//! Opening what is to be read: regular files alone, and their beginning, before anything is made of it.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use super::error::VerifyError;
use super::records::{LONGEST, Records};

/// Opens a regular file. Others are refused before they are opened: a pipe would wait for ever, a device has no end.
pub(super) fn open(path: &Path) -> Result<File, VerifyError> {
    let refuse = |metadata: io::Result<std::fs::Metadata>| match metadata {
        Ok(metadata) if metadata.is_file() => Ok(()),
        Ok(_) => Err(VerifyError::NotAFile { path: path.to_owned() }),
        Err(source) => Err(VerifyError::io(path)(source)),
    };
    refuse(path.metadata())?;
    let file = File::open(path).map_err(VerifyError::io(path))?;
    // Between the two the name may have been given to something else.
    refuse(file.metadata())?;
    Ok(file)
}

/// As many bytes as a hierarchy may have.
pub(super) const MOST_TEXT: u64 = 256 << 20;
/// As many bytes as a Parquet or Arrow file may have: a private copy of it is held in memory.
pub(super) const MOST_TYPED: u64 = 8 << 30;

/// Opens a regular file of at most so many bytes.
pub(super) fn open_small(path: &Path, most: u64) -> Result<io::Take<File>, VerifyError> {
    let file = open(path)?;
    let size = file.metadata().map_err(VerifyError::io(path))?.len();
    if size > most {
        return Err(VerifyError::TooLarge { path: path.to_owned(), most });
    }
    // What is written to it meanwhile is not followed for ever; a form that is cut off is refused as such.
    Ok(file.take(most))
}

/// Reads a regular file whole.
pub(super) fn read(path: &Path, most: u64) -> Result<Vec<u8>, VerifyError> {
    let mut file = open_small(path, most)?;
    let size = file.get_ref().metadata().map_err(VerifyError::io(path))?.len();
    let mut bytes = Vec::new();
    // Memory that is not there is an error, and no end of the program.
    let no_room = || VerifyError::io(path)(io::ErrorKind::OutOfMemory.into());
    let room = usize::try_from(size).map_err(|_| no_room())?;
    bytes.try_reserve_exact(room).map_err(|_| no_room())?;
    file.read_to_end(&mut bytes).map_err(VerifyError::io(path))?;
    Ok(bytes)
}

/// The beginning of a text file, up to the end of its first record, and what comes after it.
pub(super) struct Beginning<R> {
    /// Whether it begins with a byte-order mark, which is no part of its text.
    pub(super) has_mark: bool,
    /// Whether there is a second one, of which nobody knows what it is.
    pub(super) has_two_marks: bool,
    head: Vec<u8>,
    rest: BufReader<R>,
}

/// The records of a file whose beginning was looked at.
pub(super) type FileRecords<R = File> = Records<io::Chain<Cursor<Vec<u8>>, BufReader<R>>>;

impl<R: Read> Beginning<R> {
    const MARK: &'static [u8] = "\u{feff}".as_bytes();

    pub(super) fn of(source: R, quote: Option<u8>) -> io::Result<Self> {
        let mut rest = BufReader::with_capacity(1 << 16, source);
        let mut head = Vec::new();
        let mut is_quoted = false;
        // A quoted name may hold line ends. What has none within the longest record is refused when it is read.
        while head.len() <= LONGEST {
            let before = head.len();
            let room = (LONGEST + 1 - before) as u64;
            if (&mut rest).take(room).read_until(b'\n', &mut head)? == 0 {
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
        Ok(Self { has_mark, has_two_marks, head, rest })
    }

    /// The first of these separators that the first record has most of outside quotes; `None` where it has none.
    pub(super) fn most_frequent(&self, candidates: &[u8], quote: Option<u8>) -> Option<u8> {
        let mut counts = vec![0_u64; candidates.len()];
        for outside in self.head.split(|&byte| Some(byte) == quote).step_by(2) {
            for byte in outside {
                if let Some(place) = candidates.iter().position(|candidate| candidate == byte) {
                    counts[place] += 1;
                }
            }
        }
        let most = counts.iter().copied().max().filter(|&most| most > 0)?;
        counts.iter().position(|&count| count == most).map(|place| candidates[place])
    }

    /// All records, from the first.
    pub(super) fn records(self, separator: u8, quote: Option<u8>) -> FileRecords<R> {
        Records::new(Cursor::new(self.head).chain(self.rest), separator, quote)
    }
}
