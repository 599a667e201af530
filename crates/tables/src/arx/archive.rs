//! The parts of an ARX project: a ZIP archive, from which parts are read by name.
//!
//! No part is unpacked to disk, and no name of a part becomes a path.

use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::DataError;
use crate::source::input::{self, MOST_TEXT};
use palmtop_core::located::LocatedError;

/// The part with the table.
pub(super) const TABLE: &str = "data/input.csv";
/// The most bytes of the table of a project. Its rows are kept in memory.
const MOST_TABLE: u64 = 1 << 30;
/// The most bytes of a part that is no table.
const MOST_PART: u64 = 64 << 20;
/// The most bytes of all parts that are read.
const MOST_PARTS: u64 = 2 << 30;

/// An open project file.
pub(super) struct Archive {
    path: PathBuf,
    zip: ZipArchive<Cursor<Vec<u8>>>,
    /// The number of bytes that may still be unpacked.
    left: u64,
}

impl Archive {
    /// Opens a project file.
    ///
    /// # Errors
    /// A [`DataError`] with the file: it cannot be read, or is no ZIP archive.
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        let bytes = input::read(path, MOST_TEXT).map_err(DataError::io("read", path))?;
        let zip = ZipArchive::new(Cursor::new(bytes)).map_err(|error| {
            LocatedError::new(format!("no ZIP archive, or not all of one ({error})"))
                .in_named("ARX project", path)
                .expected("a project file of ARX (.deid)")
                .remedy("save the project in ARX again")
        })?;
        Ok(Self { path: path.to_owned(), zip, left: MOST_PARTS })
    }

    /// An error of a part.
    pub(super) fn wrong(&self, part: &str, problem: &str) -> LocatedError {
        LocatedError::new(format!("part `{part}`: {problem}")).in_named("ARX project", &self.path)
    }

    /// The bytes of a part; `None` if the archive lacks it.
    ///
    /// # Errors
    /// A [`DataError`] with file and part: it is encrypted, damaged or too large.
    pub(super) fn find(&mut self, part: &str) -> Result<Option<Vec<u8>>, DataError> {
        let most = if part == TABLE { MOST_TABLE } else { MOST_PART }.min(self.left);
        let mut bytes = Vec::new();
        let read = match self.zip.by_name(part) {
            // The size that the archive states may be wrong, so only the read bytes count.
            Ok(file) => file.take(most + 1).read_to_end(&mut bytes).map_err(|error| error.to_string()),
            Err(ZipError::FileNotFound) => return Ok(None),
            Err(error) => Err(error.to_string()),
        };
        if let Err(error) = read {
            let wrong = self.wrong(part, &format!("cannot be unpacked ({error})"));
            return Err(wrong
                .expected("parts as ARX writes them, without a password")
                .remedy("save the project in ARX again")
                .into());
        }
        let length = bytes.len() as u64;
        if length > most {
            return Err(self
                .wrong(part, &format!("more than {most} bytes unpacked"))
                .remedy(
                    "export the data from ARX as CSV files, and use `palmtop init --public P --private T`",
                )
                .into());
        }
        self.left -= length;
        Ok(Some(bytes))
    }

    /// The bytes of a part that ARX always writes.
    ///
    /// # Errors
    /// As [`find`](Self::find), and if the archive lacks the part.
    pub(super) fn require(&mut self, part: &str) -> Result<Vec<u8>, DataError> {
        let found = self.find(part)?;
        found.ok_or_else(|| {
            LocatedError::new(format!("it has no part `{part}`"))
                .in_named("ARX project", &self.path)
                .expected("a project with data, as ARX saves it")
                .remedy("import data in ARX, and save the project again")
                .into()
        })
    }
}
