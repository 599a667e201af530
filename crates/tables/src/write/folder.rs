//! A private folder that exists only during the run.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::temporary::{Unfinished, current_user, open_owned, unfinished, unfinished_to_tidy};
use crate::error::DataError;

/// The file that the owner keeps locked.
const LOCK: &str = ".lock";

/// A folder in the system's folder for temporary files, mode 0700. It is removed when this value is
/// dropped, or by [`remove_unfinished`](super::remove_unfinished). If the process was killed, the
/// next run removes it.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    /// Locked while open.
    _lock: File,
}

impl PrivateFolder {
    /// Creates a folder whose name begins with `prefix`, with these files by their paths in it.
    /// Removes folders with that prefix whose owner has ended.
    ///
    /// # Errors
    /// A [`DataError`] if the disk fails; no file is left behind.
    pub fn create<'a>(
        prefix: &str,
        files: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
    ) -> Result<Self, DataError> {
        let parent = std::env::temp_dir();
        remove_leftovers(&parent, prefix);
        // Held until all files exist: an exit in between would leave later files.
        let mut unfinished = unfinished();
        let (path, lock) =
            make(&parent, prefix, &mut unfinished).map_err(DataError::io("make a folder in", &parent))?;
        let filled = files.into_iter().try_for_each(|(name, content)| {
            let target = path.join(name);
            write_new(&target, content).map_err(DataError::io("write", &target))
        });
        match filled {
            Ok(()) => Ok(Self { path, _lock: lock }),
            Err(error) => {
                let _ = fs::remove_dir_all(&path);
                unfinished.folders.remove(&path);
                Err(error)
            }
        }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for PrivateFolder {
    fn drop(&mut self) {
        if let Some(mut unfinished) = unfinished_to_tidy() {
            let _ = fs::remove_dir_all(&self.path);
            unfinished.folders.remove(&self.path);
        }
    }
}

/// Creates the folder with its lock.
fn make(parent: &Path, prefix: &str, unfinished: &mut Unfinished) -> io::Result<(PathBuf, File)> {
    loop {
        let made = tempfile::Builder::new()
            .prefix(prefix)
            .make_in(parent, |path| DirBuilder::new().mode(0o700).create(path))?;
        let path = made.into_temp_path().keep()?;
        unfinished.folders.insert(path.clone());
        // The owner has all rights, whatever the umask is.
        let locked = fs::set_permissions(&path, Permissions::from_mode(0o700)).and_then(|()| lock(&path));
        match locked {
            Ok(lock) => return Ok((path, lock)),
            Err(error) => {
                let _ = fs::remove_dir_all(&path);
                unfinished.folders.remove(&path);
                // Another process that removes leftovers may have removed the empty folder.
                if error.kind() != io::ErrorKind::NotFound {
                    return Err(error);
                }
            }
        }
    }
}

/// Creates the lock of a folder and holds it.
fn lock(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    let lock = create_new(&path)?;
    // Without file locks, other processes cannot see that we have ended: the folder remains if we
    // are killed.
    if lock.lock().is_ok() && path.symlink_metadata().is_err() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(lock)
}

/// Creates a file that only its owner may read.
fn write_new(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(parent) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(parent)?;
    }
    create_new(path)?.write_all(content)
}

fn create_new(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().read(true).write(true).create_new(true).mode(0o600).open(path)?;
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

/// Removes our folders that no process holds locked. It reports nothing, as they contain nothing of
/// the analyst's.
fn remove_leftovers(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        let path = entry.path();
        let is_ours = || {
            let found = path.symlink_metadata();
            found.is_ok_and(|found| found.is_dir() && found.uid() == current_user())
        };
        if !is_named || !is_ours() {
            continue;
        }
        match open_owned(&path.join(LOCK)) {
            Some(lock) if lock.try_lock().is_ok() => {
                let _ = fs::remove_dir_all(&path);
            }
            Some(_) => {}
            // The owner was killed before it made the lock, or is about to make it and then starts
            // again.
            None => {
                let _ = fs::remove_dir(&path);
            }
        }
    }
}
