//! The session file: saved whole or not at all, never over somebody else's.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Log, SessionError, written};
use crate::data::error::DataError;
use crate::data::write::{self, Disk, RealDisk, WriteError};

/// A session file that is ours: made by us, or read by us to go on with it.
///
/// Two workbenches that go on with one file do not overwrite each other: whoever saves second is told
/// [`SessionError::ChangedOnDisk`], and takes a new name.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    /// What we read or wrote last.
    content: Vec<u8>,
}

impl LogFile {
    /// Writes a log under the first free name: `STEM.session.toml`, `STEM.session-2.toml`, …, mode 0600.
    ///
    /// # Errors
    /// [`SessionError::Data`] where the disk refuses.
    pub fn create(folder: &Path, stem: &str, log: &Log) -> Result<Self, SessionError> {
        let content = log.render().into_bytes();
        for number in 1_u64.. {
            let path = folder.join(name(stem, number));
            match write(&mut RealDisk, &path, false, &content) {
                Ok(()) => return Ok(Self { path, content }),
                Err(WriteError::Exists { .. }) => {}
                Err(WriteError::Disk(error)) => return Err(error.into()),
            }
        }
        unreachable!("a folder has fewer files than there are numbers")
    }

    /// Reads a session file to go on with it.
    ///
    /// # Errors
    /// A [`SessionError`], as [`Log::read`] has it.
    pub fn open(path: &Path) -> Result<(Self, Log), SessionError> {
        let (log, content) = written::read(path)?;
        Ok((Self { path: path.to_owned(), content }, log))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes the log in place of what we read or wrote last. Whatever fails, the file is as it was.
    ///
    /// # Errors
    /// [`SessionError::ChangedOnDisk`] where the file is no longer that; [`SessionError::Data`] where the disk refuses.
    pub fn save(&mut self, log: &Log) -> Result<(), SessionError> {
        self.save_to(&mut RealDisk, log)
    }

    /// [`save`](Self::save) to a disk that may fail.
    ///
    /// # Errors
    /// As [`save`](Self::save).
    pub fn save_to(&mut self, disk: &mut dyn Disk, log: &Log) -> Result<(), SessionError> {
        let changed = || SessionError::ChangedOnDisk { path: self.path.clone() };
        let content = log.render().into_bytes();
        // Held until the rename, so that nobody can save between our look and our rename. A file system without locks
        // leaves that moment open.
        let own = File::open(&self.path);
        if let Ok(own) = &own {
            let _ = own.lock();
        }
        let is_there = match fs::read(&self.path) {
            Ok(found) if found == self.content => true,
            Ok(_) => return Err(changed()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) => return Err(DataError::io("read", &self.path)(error).into()),
        };
        match write(disk, &self.path, is_there, &content) {
            Ok(()) => self.content = content,
            Err(WriteError::Exists { .. }) => return Err(changed()),
            Err(WriteError::Disk(error)) => return Err(error.into()),
        }
        Ok(())
    }
}

/// The session of this stem that was saved last, if there is one.
pub fn newest(folder: &Path, stem: &str) -> Option<PathBuf> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let dated = fs::read_dir(folder).ok()?.filter_map(|entry| {
        let entry = entry.ok()?;
        let number = number(entry.file_name().to_str()?, stem)?;
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, number, entry.path()))
    });
    dated.max().map(|(_, _, path)| path)
}

/// The project file as a session in `folder` names it: the way to it from there.
///
/// # Errors
/// A [`SessionError`] where a folder does not exist, or the way is no UTF-8.
pub fn project_beside(folder: &Path, project: &Path) -> Result<String, SessionError> {
    let real = |folder: &Path| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().map_err(|error| SessionError::from(DataError::io("find", folder)(error)))
    };
    let (from, to) = (real(folder)?, real(project.parent().unwrap_or_else(|| Path::new("")))?);
    let common = from.components().zip(to.components()).take_while(|(from, to)| from == to).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let mut way: PathBuf = up.chain(to.components().skip(common)).collect();
    way.push(project.file_name().unwrap_or_default());
    let text = way.to_str().ok_or_else(|| SessionError::PathNotUtf8 { path: way.clone() })?;
    // A file whose name begins as a built-in project's does.
    Ok(if text.starts_with('@') { format!("./{text}") } else { text.to_owned() })
}

fn write(
    disk: &mut dyn Disk,
    path: &Path,
    overwrite: bool,
    content: &[u8],
) -> Result<(), WriteError<Infallible>> {
    write::write_whole(disk, path, overwrite, content, |_| Ok(()))
}

fn name(stem: &str, number: u64) -> String {
    if number == 1 { format!("{stem}.session.toml") } else { format!("{stem}.session-{number}.toml") }
}

/// The number of a session of this stem.
fn number(file: &str, stem: &str) -> Option<u64> {
    let between = file.strip_prefix(stem)?.strip_prefix(".session")?.strip_suffix(".toml")?;
    let number = if between.is_empty() { 1 } else { between.strip_prefix('-')?.parse().ok()? };
    (name(stem, number) == file).then_some(number)
}
