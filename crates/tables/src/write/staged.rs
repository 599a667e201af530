//! A folder that gets its name by one rename, after all its files are written.
//!
//! Until then it has a temporary name, `.palmtop-*.tmp`, and its writer keeps it locked. An unlocked
//! folder with such a name is the leftover of a killed run.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::disk::Disk;
use super::temporary::{current_user, has_temporary_name, new_name, unfinished, unfinished_to_tidy};
use crate::source::file_id::FileId;

/// A folder without its final name, mode 0700; dropping it removes it.
#[derive(Debug)]
pub struct StagedFolder {
    path: PathBuf,
    /// Locked while open.
    _lock: File,
}

impl StagedFolder {
    /// Its temporary path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Creates a folder with these subfolders.
    pub(super) fn create(parent: &Path, subfolders: &[&str]) -> io::Result<Self> {
        // Held until the folder is locked: an exit in between would leave it.
        let mut unfinished = unfinished();
        loop {
            let made = new_name().make_in(parent, |path| DirBuilder::new().mode(0o700).create(path))?;
            let path = made.into_temp_path().keep()?;
            unfinished.folders.insert(path.clone());
            match claim(&path, subfolders) {
                Ok(Some(lock)) => return Ok(Self { path, _lock: lock }),
                lost => {
                    let _ = fs::remove_dir_all(&path);
                    unfinished.folders.remove(&path);
                    lost?;
                }
            }
        }
    }

    /// Gives the folder its final name. Afterwards the temporary name has the folder that was replaced, if there was one.
    pub(super) fn name(self, disk: &mut dyn Disk, target: &Path, overwrite: bool) -> io::Result<()> {
        // The program cannot end between the steps. The lock of this list is dropped before `self`.
        let _unfinished = unfinished();
        disk.rename_folder(&self.path, target, overwrite)
    }
}

impl Drop for StagedFolder {
    fn drop(&mut self) {
        if let Some(mut unfinished) = unfinished_to_tidy() {
            let _ = fs::remove_dir_all(&self.path);
            unfinished.folders.remove(&self.path);
        }
    }
}

/// Locks a new folder and makes its subfolders. `None` if another process removed it as a leftover before the lock.
fn claim(path: &Path, subfolders: &[&str]) -> io::Result<Option<File>> {
    let opened = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    // Without file locks, leftovers cannot be distinguished from folders in progress.
    let _ = opened.lock();
    let is_there = path.symlink_metadata().ok().as_ref().map(FileId::of)
        == opened.metadata().ok().as_ref().map(FileId::of);
    if !is_there {
        return Ok(None);
    }
    // The owner has all rights, whatever the umask is.
    let own = Permissions::from_mode(0o700);
    fs::set_permissions(path, own.clone())?;
    for name in subfolders {
        let subfolder = path.join(name);
        DirBuilder::new().mode(0o700).create(&subfolder)?;
        fs::set_permissions(&subfolder, own.clone())?;
    }
    Ok(Some(opened))
}

/// Removes the unnamed folders of killed runs from a folder, and returns them.
pub(super) fn remove_leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let temporary = entries.flatten().filter(|entry| has_temporary_name(&entry.file_name()));
    temporary.map(|entry| entry.path()).filter(|path| is_removed(path)).collect()
}

/// Removes our folder if no process holds it locked; returns whether it did.
fn is_removed(path: &Path) -> bool {
    let is_ours = || {
        let found = path.symlink_metadata();
        found.is_ok_and(|found| found.is_dir() && found.uid() == current_user())
    };
    is_ours()
        && has_subfolders(path)
        && File::open(path).is_ok_and(|folder| folder.try_lock().is_ok())
        && fs::remove_dir_all(path).is_ok()
}

/// Brings the names in a folder to the disk. If a folder cannot be synced, its files are still complete.
pub(super) fn sync_folder(path: &Path) {
    if let Ok(folder) = File::open(path) {
        let _ = folder.sync_all();
    }
}

/// Whether a folder has subfolders with files, and nothing else: only such folders are ours.
fn has_subfolders(path: &Path) -> bool {
    let entries = |path: &Path| fs::read_dir(path).into_iter().flatten().flatten().collect::<Vec<_>>();
    let is_file = |entry: &fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_file());
    let is_ours = |entry: &fs::DirEntry| {
        entry.file_type().is_ok_and(|kind| kind.is_dir()) && entries(&entry.path()).iter().all(is_file)
    };
    let subfolders = entries(path);
    !subfolders.is_empty() && subfolders.iter().all(is_ours)
}
