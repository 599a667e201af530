//! The file of the register. It is written completely or not at all, and never over an entry of another program.

use std::fs::{File, Metadata, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};

use super::written::{self, HEADER};
use super::{Entry, Register, RegisterError};
use palmtop_core::located::LocatedError;
use palmtop_tables::write::{Gate, RealDisk, TargetError, WriteError};

/// The greatest number of attempts to add an entry while other programs write.
const ATTEMPTS: usize = 100;

/// The path of a project's register: `NAME.releases.toml` in the folder of `NAME.toml`.
pub fn path_of(project: &Path) -> PathBuf {
    let stem = project.file_stem().unwrap_or_default().to_string_lossy();
    project.with_file_name(format!("{stem}.releases.toml"))
}

/// The register of a project; an empty one if no release was written yet.
///
/// # Errors
/// A [`RegisterError`] that names the file, the line, the key and what was expected.
pub fn of_project(project: &Path) -> Result<Register, RegisterError> {
    let path = path_of(project);
    Ok(read(&path)?.unwrap_or_default())
}

/// Adds an entry to the register of a project, and returns the path of the register. A register that cannot be read is not
/// changed.
///
/// # Errors
/// A [`RegisterError`]; then the register is not changed.
pub fn record(project: &Path, entry: &Entry) -> Result<PathBuf, RegisterError> {
    let path = path_of(project);
    for _ in 0..ATTEMPTS {
        if add(&path, entry)? {
            return Ok(path);
        }
    }
    let busy = LocatedError::new("other programs wrote to it during every attempt").remedy("try again");
    Err(busy.in_named("register of releases", &path).into())
}

/// Adds an entry; `false` if another program wrote first.
fn add(path: &Path, entry: &Entry) -> Result<bool, RegisterError> {
    // The lock is on the file, not on its name. So the name is checked again while the lock is held. A file system without
    // locks cannot exclude a change in between.
    let held = File::open(path);
    if let Ok(held) = &held {
        let _ = held.lock();
        let inode = |found: std::io::Result<std::fs::Metadata>| found.map(|found| found.ino()).ok();
        if inode(held.metadata()) != inode(path.metadata()) {
            return Ok(false);
        }
    }
    let found = read(path)?;
    let is_there = found.is_some();
    let mut register = found.unwrap_or_default();
    register.entries.push(entry.clone());
    let text = format!("{HEADER}{}", written::render(&register));
    let before = held.as_ref().ok().and_then(|held| held.metadata().ok());
    match Gate::default().put(&mut RealDisk, path, is_there, text.as_bytes()) {
        Ok(()) => {
            if let Some(before) = before {
                keep_access(path, &before);
            }
            // The lock ends here.
            drop(held);
            Ok(true)
        }
        Err(WriteError::Target(TargetError::Exists { .. })) => Ok(false),
        Err(WriteError::Target(error)) => Err(error.into()),
        Err(WriteError::Disk(error)) => Err(error.into()),
        Err(WriteError::Refused(never)) => match never {},
    }
}

/// Gives a rewritten register the group and the mode that it had, so that people who share a project can go on. A register
/// whose group cannot be kept is for its owner alone.
fn keep_access(path: &Path, before: &Metadata) {
    let is_kept = path.metadata().is_ok_and(|now| now.gid() == before.gid())
        || chown(path, None, Some(before.gid())).is_ok();
    let mode = before.mode() & if is_kept { 0o666 } else { 0o600 };
    let _ = std::fs::set_permissions(path, Permissions::from_mode(mode));
}

/// Reads a register; `None` if the file does not exist.
fn read(path: &Path) -> Result<Option<Register>, RegisterError> {
    match palmtop_tables::input::read(path, palmtop_tables::input::MOST_TEXT) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(LocatedError::cannot("read the register of releases", path, error).into()),
        Ok(bytes) => written::read(path, &bytes).map(Some),
    }
}
