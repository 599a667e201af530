//! The session file. It is saved completely or not at all, and never over another program's changes.

use std::convert::Infallible;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::{Log, SessionError, written};
use palmtop_core::located::LocatedError;
use palmtop_tables::error::DataError;
use palmtop_tables::write::{Disk, Gate, RealDisk, TargetError, WriteError};

/// A session file that this program made, or read to continue it.
///
/// Two workbenches that continue one file do not overwrite each other: the second one that saves gets
/// [`SessionError::ChangedOnDisk`], and takes a new name.
#[derive(Debug)]
pub struct LogFile {
    path: PathBuf,
    /// The bytes that this program read or wrote last.
    content: Vec<u8>,
    /// Unfinished files of killed runs, which were removed.
    removed: Vec<PathBuf>,
}

impl LogFile {
    /// Writes a log under the first free name: `STEM.session.toml`, `STEM.session-2.toml`, …, mode 0600.
    ///
    /// # Errors
    /// [`SessionError::Data`] if the disk refuses.
    pub fn create(folder: &Path, stem: &str, log: &Log) -> Result<Self, SessionError> {
        let content = log.render().into_bytes();
        let names = (1_u64..).map(|number| folder.join(name(stem, number)));
        let mut gate = Gate::default();
        let path = gate.put_new(names, &content).map_err(failure)?;
        Ok(Self { path, content, removed: gate.take_removed() })
    }

    /// Reads a session file to continue it.
    ///
    /// # Errors
    /// The errors of [`Log::read`].
    pub fn open(path: &Path) -> Result<(Self, Log), SessionError> {
        let (log, content) = written::read(path)?;
        // A symbolic link stays a link: its target is read and written.
        let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
        let real = if is_link { path.canonicalize().ok() } else { None };
        let path = real.unwrap_or_else(|| path.to_owned());
        Ok((Self { path, content, removed: Vec::new() }, log))
    }

    /// The path of the session file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The unfinished files of killed runs that were removed, so that the caller can tell the user.
    pub fn take_removed(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.removed)
    }

    /// Replaces the file by the log. If this fails, the file stays as it was.
    ///
    /// # Errors
    /// [`SessionError::ChangedOnDisk`] if another program changed the file; [`SessionError::Data`] if the disk refuses.
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
        // The lock is held until the new file has its name, so that no other program saves between the check and the rename.
        // A file system without locks cannot exclude this.
        let held = File::open(&self.path);
        if let Ok(held) = &held {
            let _ = held.lock();
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

/// The session with this stem that was saved last; `None` if there is none.
pub fn newest(folder: &Path, stem: &str) -> Option<PathBuf> {
    let dated = numbered(folder, stem).filter_map(|(number, path)| {
        let metadata = path.symlink_metadata().ok().filter(fs::Metadata::is_file)?;
        Some((metadata.modified().ok()?, number, path))
    });
    dated.max().map(|(_, _, path)| path)
}

/// All sessions with this stem, by their numbers.
pub fn saved(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let mut saved: Vec<_> = numbered(folder, stem).collect();
    saved.sort_unstable();
    saved.into_iter().map(|(_, path)| path).collect()
}

/// The files that are named like a session with this stem, with their numbers.
fn numbered(folder: &Path, stem: &str) -> impl Iterator<Item = (u64, PathBuf)> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(move |entry| Some((number(entry.file_name().to_str()?, stem)?, entry.path())))
}

/// The relative path from `folder` to the project file, as a session in `folder` names it.
///
/// # Errors
/// A [`SessionError`] if a folder does not exist, or the path is not UTF-8.
pub fn relative_project_path(folder: &Path, project: &Path) -> Result<String, SessionError> {
    let real = |folder: &Path| {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        folder.canonicalize().map_err(|error| SessionError::from(DataError::io("find", folder)(error)))
    };
    let (from, to) = (real(folder)?, real(project.parent().unwrap_or_else(|| Path::new("")))?);
    let common = from.components().zip(to.components()).take_while(|(from, to)| from == to).count();
    let up = from.components().skip(common).map(|_| Component::ParentDir);
    let mut relative: PathBuf = up.chain(to.components().skip(common)).collect();
    relative.push(project.file_name().unwrap_or_default());
    let text = relative.to_str().ok_or_else(|| {
        let problem = format!("{} is not UTF-8, so a session cannot name it", relative.display());
        LocatedError::new(problem).remedy("rename the file")
    })?;
    // A file name that begins with @ must not look like a built-in project.
    Ok(if text.starts_with('@') { format!("./{text}") } else { text.to_owned() })
}

fn failure(error: WriteError<Infallible>) -> SessionError {
    match error {
        WriteError::Target(error) => error.into(),
        WriteError::Disk(error) => error.into(),
        WriteError::Refused(never) => match never {},
    }
}

/// The paths of a project's saved sessions, and of its first one.
pub(crate) fn session_names(project: &Path) -> Vec<PathBuf> {
    let folder = project.parent().unwrap_or_else(|| Path::new(""));
    let stem = project.file_stem().unwrap_or_default().to_string_lossy();
    let mut names = saved(folder, &stem);
    names.push(folder.join(name(&stem, 1)));
    names
}

fn name(stem: &str, number: u64) -> String {
    if number == 1 { format!("{stem}.session.toml") } else { format!("{stem}.session-{number}.toml") }
}

/// The number of a session with this stem; `None` if the file is not named like one.
fn number(file: &str, stem: &str) -> Option<u64> {
    let between = file.strip_prefix(stem)?.strip_prefix(".session")?.strip_suffix(".toml")?;
    let number = if between.is_empty() { 1 } else { between.strip_prefix('-')?.parse().ok()? };
    (name(stem, number) == file).then_some(number)
}
