//! A file before it gets its name: without a name if the file system supports that, else with a
//! temporary one.
//!
//! A temporary name is `.palmtop-*.tmp`; its writer keeps the file locked. An unlocked file with
//! such a name is the leftover of a killed run.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::fs::{Mode, OFlags};

use super::disk::{Disk, descriptor};
use crate::source::file_id::{FileId, folder_of};

const PREFIX: &str = ".palmtop-";
const SUFFIX: &str = ".tmp";

/// Makes a new temporary name.
pub(super) fn new_name() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).suffix(SUFFIX);
    builder
}

/// Whether a name is a temporary one.
pub(super) fn has_temporary_name(name: &OsStr) -> bool {
    name.to_str().is_some_and(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX))
}

/// The files and folders that an immediate exit would leave behind.
#[derive(Default)]
pub(super) struct Unfinished {
    /// Whether they were removed because the program ends.
    is_over: bool,
    /// The files with a temporary name.
    pub(super) files: BTreeSet<PathBuf>,
    /// The private folders of this run, and those without their final names.
    pub(super) folders: BTreeSet<PathBuf>,
}

static UNFINISHED: Mutex<Unfinished> =
    Mutex::new(Unfinished { is_over: false, files: BTreeSet::new(), folders: BTreeSet::new() });

/// Removes all unfinished files and private folders, for an immediate exit: a signal, or an analyst
/// who quits. After this call no file is written or named.
pub fn remove_unfinished() {
    let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    unfinished.is_over = true;
    for path in std::mem::take(&mut unfinished.files) {
        let _ = fs::remove_file(path);
    }
    for path in std::mem::take(&mut unfinished.folders) {
        let _ = fs::remove_dir_all(path);
    }
}

/// The unfinished files, for a caller who adds or names one. After the program began to end, the
/// caller waits here until it has ended.
pub(super) fn unfinished() -> MutexGuard<'static, Unfinished> {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    if unfinished.is_over {
        drop(unfinished);
        loop {
            std::thread::park();
        }
    }
    unfinished
}

/// The unfinished files, for a caller who tidies up; `None` if the exit has removed them.
pub(super) fn unfinished_to_tidy() -> Option<MutexGuard<'static, Unfinished>> {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    (!unfinished.is_over).then_some(unfinished)
}

/// A file without its final name; dropping it removes it.
pub(super) struct Temporary {
    file: File,
    /// Its temporary name, if it has one.
    name: Option<PathBuf>,
}

impl Temporary {
    /// Creates a file that only its owner may read, whatever the umask is.
    pub(super) fn create(disk: &mut dyn Disk, folder: &Path) -> io::Result<Self> {
        let mut unfinished = unfinished();
        if let Ok(file) = disk.unnamed(folder)
            && can_be_read_again(&file)
        {
            file.set_permissions(Permissions::from_mode(0o600))?;
            // It may have a temporary name for a moment before its final one.
            let _ = file.try_lock();
            return Ok(Self { file, name: None });
        }
        loop {
            let (file, name) = new_name().tempfile_in(folder)?.keep()?;
            unfinished.files.insert(name.clone());
            match claim(&file, &name) {
                Ok(true) => return Ok(Self { file, name: Some(name) }),
                lost => {
                    let _ = fs::remove_file(&name);
                    unfinished.files.remove(&name);
                    lost?;
                }
            }
        }
    }

    pub(super) fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// A path at which the file can be read.
    pub(super) fn path(&self) -> PathBuf {
        self.name.clone().unwrap_or_else(|| descriptor(&self.file))
    }

    /// Gives the file its final name.
    pub(super) fn name(mut self, disk: &mut dyn Disk, target: &Path, overwrite: bool) -> io::Result<()> {
        // The program cannot end between the two steps of overwriting.
        let mut unfinished = unfinished();
        match self.name.take() {
            Some(name) => {
                let renamed = disk.rename(&name, target, overwrite);
                if renamed.is_err() {
                    let _ = fs::remove_file(&name);
                }
                unfinished.files.remove(&name);
                renamed
            }
            None => match disk.link(&self.file, target) {
                Err(error) if overwrite && error.kind() == io::ErrorKind::AlreadyExists => {
                    self.replace(disk, target)
                }
                linked => linked,
            },
        }
    }

    /// Only a rename replaces a file, so a file without a name needs a temporary one for a moment.
    fn replace(&self, disk: &mut dyn Disk, target: &Path) -> io::Result<()> {
        let link = |name: &Path| disk.link(&self.file, name);
        let linked = new_name().make_in(folder_of(target), link)?.into_temp_path();
        // If this fails, dropping `linked` removes the temporary name.
        disk.rename(&linked, target, true)?;
        linked.keep().map(drop).or(Ok(()))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(name) = &self.name
            && let Some(mut unfinished) = unfinished_to_tidy()
        {
            let _ = fs::remove_file(name);
            unfinished.files.remove(name);
        }
    }
}

/// Locks a new file; returns whether it still has its name. Another process may have removed it as
/// a leftover before the lock.
fn claim(file: &File, name: &Path) -> io::Result<bool> {
    file.set_permissions(Permissions::from_mode(0o600))?;
    // Without file locks, leftovers cannot be distinguished from files in progress.
    let _ = file.lock();
    Ok(is_at(file, name))
}

/// Whether a file without a name can be found by its descriptor: not if /proc is not mounted.
fn can_be_read_again(file: &File) -> bool {
    let id = file.metadata().ok().as_ref().map(FileId::of);
    id.is_some() && FileId::at(&descriptor(file)) == id
}

/// Whether an open file has this name.
fn is_at(file: &File, name: &Path) -> bool {
    let id = file.metadata().ok().as_ref().map(FileId::of);
    id.is_some() && name.symlink_metadata().ok().as_ref().map(FileId::of) == id
}

/// Removes the leftovers of killed runs from a folder, and returns them.
pub(super) fn remove_leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.flatten().map(|entry| entry.file_name());
    let temporary = names.filter(|name| has_temporary_name(name));
    let mut removed: Vec<PathBuf> =
        temporary.map(|name| folder.join(name)).filter(|path| remove_leftover(path)).collect();
    removed.sort_unstable();
    removed
}

/// Removes our file if no process holds it locked; returns whether it did.
fn remove_leftover(path: &Path) -> bool {
    // The name may belong to another file by the time we have the lock.
    open_owned(path).is_some_and(|file| file.try_lock().is_ok() && is_at(&file, path))
        && fs::remove_file(path).is_ok()
}

/// Opens a regular file that we own. Links and pipes are not opened, as a file of such a name need
/// not be ours.
pub(super) fn open_owned(path: &Path) -> Option<File> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    file.metadata().is_ok_and(|found| found.is_file() && found.uid() == current_user()).then_some(file)
}

/// The user who owns our files.
pub(super) fn current_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
