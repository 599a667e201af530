//! Keeps the reduction of P in a file next to the project, so an unchanged large P need not be read
//! again.
//!
//! The file has the tally of P's files before its texts are read: for each quasi-identifier the
//! distinct texts with their first rows, and the combinations with their people. It depends only on
//! P's files and the project's settings for them, never on T.

pub(super) mod bytes;

use std::convert::Infallible;
use std::fmt::{self, Write as _};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use self::bytes::{Bytes, Sealing, put_number, put_signed, put_text};
use super::packed::Combinations;
use super::tally::{Tally, TallySpec, Texts};
use crate::error::DataError;
use crate::read::{ReadFile, Table};
use crate::source::input;
use crate::source::position::At;
use crate::source::spec::TableSpec;
use crate::source::stamp::Stamp;
use crate::source::watch::{self, Hashing};
use crate::write::{Gate, RealDisk, WriteError};
use palmtop_core::progress::Meter;

/// The first bytes of such a file, and of no other file.
const MAGIC: &[u8] = b"palmtop reduced table\n";

/// The limit in bytes for the list of P's files.
const MOST_START: u64 = 1 << 20;

/// Must be raised with each change of the file's content, or of the reduction of tables.
const FORMAT: u64 = 3;

/// The reason why a kept tally does not match the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stale {
    /// Another version of palmtop wrote it.
    Version,
    /// It is cut off, or its bytes were changed.
    Damaged,
    /// The project's settings for P's columns or files are different now.
    Settings,
    /// A file of P has changed.
    Changed(PathBuf),
}

impl fmt::Display for Stale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version => f.write_str("another version of palmtop wrote it"),
            Self::Damaged => f.write_str("it is damaged or was edited"),
            Self::Settings => f.write_str("the project says something else of P now"),
            Self::Changed(path) => write!(f, "{} changed since", path.display()),
        }
    }
}

/// The file at the path of a kept tally.
#[derive(Debug)]
pub enum Kept {
    /// No file exists.
    Nothing,
    /// A file that is not a kept tally, or cannot be read: it is never overwritten.
    Foreign,
    /// A tally that does not match the table.
    Stale(Stale),
    /// The table's tally; `true` if the stamps of its files are outdated but their hashes match, so
    /// it should be written again.
    Good(Box<Tally>, bool),
}

/// Looks for the tally of a table at a path. The meter receives the bytes of the table's files that
/// must be read.
///
/// # Errors
/// A [`DataError`] if a file of the table cannot be read; [`DataError::Cancelled`] if the meter
/// asks to stop.
pub fn find(path: &Path, table: &Table, spec: &TallySpec, meter: &mut Meter) -> Result<Kept, DataError> {
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Kept::Nothing),
        // A link is not our file.
        Ok(found) if found.is_file() && is_kept(path) => {}
        _ => return Ok(Kept::Foreign),
    }
    let mut asked = |_| meter(0);
    let bytes = input::read_through(path, input::MOST_TYPED, |file| Hashing::new(file, None, &mut asked));
    let stale = |why| Ok(Kept::Stale(why));
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(error) if watch::is_cancelled(&error) => return Err(DataError::Cancelled),
        Err(_) => return stale(Stale::Damaged),
    };
    let ControlFlow::Continue(content) = Sealing::open(&bytes, meter) else {
        return Err(DataError::Cancelled);
    };
    let content = content.and_then(|content| content.strip_prefix(MAGIC));
    let Some(mut content) = content.map(Bytes) else { return stale(Stale::Damaged) };
    if !is_current_version(&mut content) {
        return stale(Stale::Version);
    }
    if content.take(Sealing::SEAL) != Some(&digest(table, spec)) {
        return stale(Stale::Settings);
    }
    let Some(files) = content.list(6 * 8, file) else { return stale(Stale::Damaged) };
    let (mut is_same, mut is_settled, mut before) = (true, true, 0);
    if files.len() != table.parts().len() {
        return stale(Stale::Settings);
    }
    for (part, known) in table.parts().iter().zip(&files) {
        if !part.stamp().is_some_and(|stamp| known.stamp.is_same(&stamp)) {
            if part.size() != known.stamp.size || part.hash(&mut |done| meter(before + done))? != known.sha256
            {
                return stale(Stale::Changed(part.path.clone()));
            }
            is_same = false;
        }
        is_settled &= part.stamp().is_some_and(|stamp| stamp.is_settled);
        before += part.size();
    }
    let tally = tally(&mut content, table, &files, spec.quasi.len(), meter).filter(|_| content.0.is_empty());
    if meter(0).is_break() {
        return Err(DataError::Cancelled);
    }
    Ok(tally.map_or(Kept::Stale(Stale::Damaged), |tally| Kept::Good(Box::new(tally), !is_same && is_settled)))
}

fn is_current_version(content: &mut Bytes) -> bool {
    content.number() == Some(FORMAT) && content.text().as_deref() == Some(env!("CARGO_PKG_VERSION"))
}

/// The SHA-256 of each file behind a kept tally of this version: all readers have read these files
/// to their end. The seal is not checked, so only the choice of a trial may depend on the result.
/// It is empty if anything is wrong with the tally.
pub fn tried(path: &Path) -> Vec<String> {
    let mut start = Vec::new();
    let Ok(file) = input::open(path) else { return Vec::new() };
    let read = file.take(MOST_START).read_to_end(&mut start);
    let content = read.ok().and_then(|_| start.strip_prefix(MAGIC)).map(Bytes);
    let files = content.and_then(|mut content| {
        let is_complete = is_current_version(&mut content) && content.take(Sealing::SEAL).is_some();
        is_complete.then(|| content.list(6 * 8, self::file))?
    });
    files.unwrap_or_default().into_iter().map(|file| file.sha256).collect()
}

/// Whether a tally can be kept: its combinations are packed in numbers, without members of T.
pub fn can_be_kept(tally: &Tally) -> bool {
    tally.member_rows == 0 && tally.combinations.can_be_kept()
}

/// Writes the tally of a table, before its texts are read, to a name that is free or has a kept
/// tally. Returns the number of bytes.
///
/// # Errors
/// [`WriteError`] as for [`Gate::write`], for instance if another file has the name, or the meter
/// asks to stop.
pub fn put(
    gate: &mut Gate,
    path: &Path,
    table: &Table,
    spec: &TallySpec,
    tally: &Tally,
    meter: &mut Meter,
) -> Result<u64, WriteError<Infallible>> {
    let mut bytes = 0;
    let fill = |out: &mut dyn Write| {
        let mut out = Sealing::new(out, meter);
        put_all(&mut out, table, spec, tally)?;
        bytes = out.seal()?;
        Ok(())
    };
    gate.write(&mut RealDisk, path, is_kept(path), fill, |_| Ok(()))?;
    Ok(bytes)
}

/// Whether a path has a kept tally, which palmtop may replace.
pub fn is_kept(path: &Path) -> bool {
    let mut start = [0; MAGIC.len()];
    input::open(path).is_ok_and(|mut file| file.read_exact(&mut start).is_ok()) && start == MAGIC
}

/// The SHA-256 of all that the reduction depends on, except for the content of the files.
fn digest(table: &Table, spec: &TallySpec) -> [u8; Sealing::SEAL] {
    let TallySpec { quasi, count, member, identifiers, persons, spare, maybe_persons } = spec;
    let people = (table.person_rule(), persons, maybe_persons);
    // The folder of a file has no effect; the name determines the format.
    let name = |path: &PathBuf| PathBuf::from(path.file_name().unwrap_or_default());
    let paths = table.spec().paths.iter().map(name).collect();
    let files = TableSpec { paths, pattern: None, ..table.spec().clone() };
    let mut text = String::new();
    let settings = (files, quasi, count, member, identifiers, spare, people);
    write!(text, "{settings:?}").expect("a text takes what is written to it");
    Sha256::digest(text).into()
}

/// A file of the table as it was when read.
struct KnownFile {
    stamp: Stamp,
    sha256: String,
    rows: u64,
    left_out: u64,
}

fn put_all(out: &mut dyn Write, table: &Table, spec: &TallySpec, tally: &Tally) -> io::Result<()> {
    out.write_all(MAGIC)?;
    put_number(out, FORMAT)?;
    put_text(out, env!("CARGO_PKG_VERSION"))?;
    out.write_all(&digest(table, spec))?;
    put_number(out, tally.files.len() as u64)?;
    for (file, part) in tally.files.iter().zip(table.parts()) {
        let stamp = part.stamp().ok_or(io::ErrorKind::NotFound)?;
        put_number(out, stamp.size)?;
        for time in [stamp.modified, stamp.changed] {
            put_signed(out, time.0)?;
            put_signed(out, time.1)?;
        }
        put_number(out, stamp.inode)?;
        put_number(out, stamp.is_settled.into())?;
        put_text(out, &file.sha256)?;
        put_number(out, file.rows)?;
        put_number(out, file.left_out)?;
    }
    put_number(out, tally.rows)?;
    put_number(out, tally.count_like.len() as u64)?;
    for column in &tally.count_like {
        put_text(out, column)?;
    }
    put_number(out, tally.texts.len() as u64)?;
    for texts in &tally.texts {
        let listed = texts.listed();
        put_number(out, listed.len() as u64)?;
        for (text, at) in listed {
            put_text(out, text)?;
            put_number(out, at.file as u64)?;
            put_number(out, at.row)?;
        }
    }
    tally.combinations.put(out)
}

fn file(content: &mut Bytes) -> Option<KnownFile> {
    let size = content.number()?;
    let mut time = || Some((content.signed()?, content.signed()?));
    let (modified, changed) = (time()?, time()?);
    let (inode, is_settled) = (content.number()?, content.number()? == 1);
    let stamp = Stamp { size, modified, changed, inode, is_settled };
    Some(KnownFile { stamp, sha256: content.text()?, rows: content.number()?, left_out: content.number()? })
}

/// The tally after the list of files, with this number of columns; `None` also if the meter asks to
/// stop.
fn tally(
    content: &mut Bytes,
    table: &Table,
    files: &[KnownFile],
    columns: usize,
    meter: &mut Meter,
) -> Option<Tally> {
    let rows = content.number()?;
    let count_like = content.list(8, Bytes::text)?;
    let text = |content: &mut Bytes| {
        let text = content.text()?;
        let at = At { file: usize::try_from(content.number()?).ok()?, row: content.number()? };
        (at.row >= 1 && at.row <= files.get(at.file)?.rows).then_some((text, at))
    };
    let texts: Vec<Texts> = content.list(8, |content| content.list(3 * 8, text).map(Texts::of))?;
    let limits: Vec<usize> = texts.iter().map(Texts::len).collect();
    if texts.len() != columns {
        return None;
    }
    let combinations = Combinations::take(content, &limits, meter)?;
    let read = files.iter().zip(table.parts()).map(|(file, part)| ReadFile {
        path: part.path.clone(),
        sha256: file.sha256.clone(),
        rows: file.rows,
        left_out: file.left_out,
    });
    Some(Tally {
        texts,
        distinct_combinations: combinations.len(),
        combinations,
        rows,
        member_rows: 0,
        count_like,
        alike: Vec::new(),
        files: read.collect(),
    })
}

#[cfg(test)]
mod tests;
