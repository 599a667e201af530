//! The session file: saved whole or not at all, never over somebody else's.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Log, SessionError, written};
use palmtop_tables::error::DataError;
use palmtop_tables::write::{Disk, Gate, RealDisk, TargetError, WriteError};

/// A session file that is ours: made by us, or read by us to go on with it.
///
/// Two workbenches that go on with one file do not overwrite each other: whoever saves second is told
/// [`SessionError::ChangedOnDisk`], and takes a new name.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    /// What we read or wrote last.
    content: Vec<u8>,
    /// What killed runs had left beside it.
    removed: Vec<PathBuf>,
}

impl LogFile {
    /// Writes a log under the first free name: `STEM.session.toml`, `STEM.session-2.toml`, …, mode 0600.
    ///
    /// # Errors
    /// [`SessionError::Data`] where the disk refuses.
    pub fn create(folder: &Path, stem: &str, log: &Log) -> Result<Self, SessionError> {
        let content = log.render().into_bytes();
        let names = (1_u64..).map(|number| folder.join(name(stem, number)));
        let mut gate = Gate::default();
        let path = gate.put_new(names, &content).map_err(failure)?;
        Ok(Self { path, content, removed: gate.take_removed() })
    }

    /// Reads a session file to go on with it.
    ///
    /// # Errors
    /// A [`SessionError`], as [`Log::read`] has it.
    pub fn open(path: &Path) -> Result<(Self, Log), SessionError> {
        let (log, content) = written::read(path)?;
        // A link stays one: what it leads to is read, and written.
        let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let real = if is_link { path.canonicalize().ok() } else { None };
        let path = real.unwrap_or_else(|| path.to_owned());
        Ok((Self { path, content, removed: Vec::new() }, log))
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The unfinished files of runs that were killed, which were found beside it and removed: to be said.
    pub fn take_removed(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.removed)
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
        // Held until the file has its name, so that nobody can save between our look and that. A file system without
        // locks leaves that moment open.
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
        let mut gate = Gate::default();
        let put = gate.put(disk, &self.path, is_there, &content);
        self.removed.extend(gate.take_removed());
        match put {
            Ok(()) => self.content = content,
            Err(WriteError::Target(TargetError::Exists { .. })) => return Err(changed()),
            Err(error) => return Err(failure(error)),
        }
        Ok(())
    }
}

/// The session of this stem that was saved last, if there is one.
pub fn newest(folder: &Path, stem: &str) -> Option<PathBuf> {
    let dated = numbered(folder, stem).filter_map(|(number, path)| {
        let metadata = path.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, number, path))
    });
    dated.max().map(|(_, _, path)| path)
}

/// Every session of this stem.
pub fn saved(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let mut saved: Vec<_> = numbered(folder, stem).collect();
    saved.sort_unstable();
    saved.into_iter().map(|(_, path)| path).collect()
}

/// What is called as a session of this stem, with its number.
fn numbered(folder: &Path, stem: &str) -> impl Iterator<Item = (u64, PathBuf)> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| Some((number(entry.file_name().to_str()?, stem)?, entry.path())))
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

fn failure(error: WriteError<Infallible>) -> SessionError {
    match error {
        WriteError::Target(error) => error.into(),
        WriteError::Disk(error) => error.into(),
        WriteError::Refused(never) => match never {},
    }
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
