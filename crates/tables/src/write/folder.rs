//! A folder that is there only while we are, for nobody else to look into.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::temporary::{Unfinished, open_own, own_user, unfinished, unfinished_to_tidy};
use crate::error::DataError;

/// What its owner holds locked in it.
const LOCK: &str = ".lock";

/// A folder in the system's folder for temporary files, mode 0700, that is removed when this is dropped, by
/// [`remove_unfinished`](super::remove_unfinished), and, where we were killed, by the next of us.
#[derive(Debug)]
pub struct PrivateFolder {
    path: PathBuf,
    /// Locked for as long as it is open.
    _lock: File,
}

impl PrivateFolder {
    /// Makes a folder whose name begins with `prefix` and puts these files in it, each by its path in it. Folders of that
    /// prefix whose owner is gone are removed.
    ///
    /// # Errors
    /// [`DataError::Io`] where the disk refuses; nothing is left behind.
    pub fn create<'a>(
        prefix: &str,
        files: impl IntoIterator<Item = (&'a Path, &'a [u8])>,
    ) -> Result<Self, DataError> {
        let parent = std::env::temp_dir();
        remove_leftovers(&parent, prefix);
        // Held until every file is there: a way out in between would leave those that come after it.
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

/// Makes the folder with the lock in it.
fn make(parent: &Path, prefix: &str, unfinished: &mut Unfinished) -> io::Result<(PathBuf, File)> {
    loop {
        let made = tempfile::Builder::new()
            .prefix(prefix)
            .make_in(parent, |path| DirBuilder::new().mode(0o700).create(path))?;
        let path = made.into_temp_path().keep()?;
        unfinished.folders.insert(path.clone());
        // Whatever the umask takes away: its owner may do everything.
        let locked = fs::set_permissions(&path, Permissions::from_mode(0o700)).and_then(|()| lock(&path));
        match locked {
            Ok(lock) => return Ok((path, lock)),
            Err(error) => {
                let _ = fs::remove_dir_all(&path);
                unfinished.folders.remove(&path);
                // Another of us, who looked for leftovers, took the empty folder for one.
                if error.kind() != io::ErrorKind::NotFound {
                    return Err(error);
                }
            }
        }
    }
}

/// Makes the lock of a folder and holds it.
fn lock(folder: &Path) -> io::Result<File> {
    let path = folder.join(LOCK);
    let lock = create_new(&path)?;
    // Where there are no locks, nobody can tell that we are gone, and the folder stays if we are killed.
    if lock.lock().is_ok() && path.symlink_metadata().is_err() {
        return Err(io::ErrorKind::NotFound.into());
    }
    Ok(lock)
}

/// Writes a file that is not there yet, which only its owner may read.
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

/// Removes folders of ours that nobody holds locked. Nothing is said of it: they hold nothing of the analyst's.
fn remove_leftovers(parent: &Path, prefix: &str) {
    let Ok(entries) = fs::read_dir(parent) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        let path = entry.path();
        let is_ours = || {
            let found = path.symlink_metadata();
            found.is_ok_and(|found| found.is_dir() && found.uid() == own_user())
        };
        if !is_named || !is_ours() {
            continue;
        }
        match open_own(&path.join(LOCK)) {
            Some(lock) if lock.try_lock().is_ok() => {
                let _ = fs::remove_dir_all(&path);
            }
            Some(_) => {}
            // Somebody was killed before the lock was there, or is about to make it, and then begins anew.
            None => {
                let _ = fs::remove_dir(&path);
            }
        }
    }
}
