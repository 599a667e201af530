//! A file before it has its name: without any where the file system can do that, else with a temporary one.
//!
//! A temporary name is `.palmtop-*.tmp`, and its file is locked for as long as its writer lives. What has such a name and
//! is not locked was left by a run that was killed.

use std::collections::BTreeSet;
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

/// What a program that ends at once would leave behind.
#[derive(Default)]
pub(super) struct Unfinished {
    /// Whether it was removed, because the program ends.
    is_over: bool,
    /// The files that have a temporary name now.
    pub(super) files: BTreeSet<PathBuf>,
    /// The folders that are there only while we are.
    pub(super) folders: BTreeSet<PathBuf>,
}

static UNFINISHED: Mutex<Unfinished> =
    Mutex::new(Unfinished { is_over: false, files: BTreeSet::new(), folders: BTreeSet::new() });

/// Removes every file that is being written and every folder that is only ours, for a way out that cannot wait for them: a
/// signal, or an analyst who quits. From then on nothing is written any more, and nothing gets a name.
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

/// What is unfinished, for whoever adds to it or names a file. Once the program ends it is nobody's any more, and whoever
/// comes waits here until it has ended.
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

/// What is unfinished, for whoever tidies up; `None` where the way out has done it.
pub(super) fn unfinished_to_tidy() -> Option<MutexGuard<'static, Unfinished>> {
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    (!unfinished.is_over).then_some(unfinished)
}

/// A file that has not its name yet. It goes when this is dropped.
pub(super) struct Temporary {
    file: File,
    /// Its temporary name, if it has any.
    name: Option<PathBuf>,
}

impl Temporary {
    /// Creates a file that only its owner may read, whatever the umask.
    pub(super) fn create(disk: &mut dyn Disk, folder: &Path) -> io::Result<Self> {
        let mut unfinished = unfinished();
        if let Ok(file) = disk.unnamed(folder)
            && can_be_read_again(&file)
        {
            file.set_permissions(Permissions::from_mode(0o600))?;
            // For the moment in which it may have a temporary name on its way to its own.
            let _ = file.try_lock();
            return Ok(Self { file, name: None });
        }
        loop {
            let (file, name) =
                tempfile::Builder::new().prefix(PREFIX).suffix(SUFFIX).tempfile_in(folder)?.keep()?;
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

    /// Where it can be read.
    pub(super) fn path(&self) -> PathBuf {
        self.name.clone().unwrap_or_else(|| descriptor(&self.file))
    }

    /// Gives it its name.
    pub(super) fn name(mut self, disk: &mut dyn Disk, target: &Path, overwrite: bool) -> io::Result<()> {
        // Nobody ends the program between the two steps that overwriting takes.
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

    /// Only a rename replaces a file, so one without a name needs a temporary one for a moment.
    fn replace(&self, disk: &mut dyn Disk, target: &Path) -> io::Result<()> {
        let link = |name: &Path| disk.link(&self.file, name);
        let linked = tempfile::Builder::new()
            .prefix(PREFIX)
            .suffix(SUFFIX)
            .make_in(folder_of(target), link)?
            .into_temp_path();
        // Where it fails, the temporary name goes with `linked`.
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

/// Locks a file that was just created; answers whether it still has its name. Somebody who looked for leftovers may have
/// come before the lock.
fn claim(file: &File, name: &Path) -> io::Result<bool> {
    file.set_permissions(Permissions::from_mode(0o600))?;
    // Where there are no locks, what a killed run left cannot be told from what is being written.
    let _ = file.lock();
    Ok(is_at(file, name))
}

/// Whether a file without a name can be found by its descriptor: not where no /proc is mounted.
fn can_be_read_again(file: &File) -> bool {
    let own = file.metadata().ok().as_ref().map(FileId::of);
    own.is_some() && FileId::at(&descriptor(file)) == own
}

/// Whether an open file has this name.
fn is_at(file: &File, name: &Path) -> bool {
    let own = file.metadata().ok().as_ref().map(FileId::of);
    own.is_some() && name.symlink_metadata().ok().as_ref().map(FileId::of) == own
}

/// Removes from a folder what killed runs left unfinished there; answers what that was.
pub(super) fn remove_leftovers(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let temporary = names.filter(|name| name.starts_with(PREFIX) && name.ends_with(SUFFIX));
    let mut removed: Vec<PathBuf> =
        temporary.map(|name| folder.join(name)).filter(|path| remove_leftover(path)).collect();
    removed.sort_unstable();
    removed
}

/// Removes a file of ours that nobody holds locked; says whether it was one.
fn remove_leftover(path: &Path) -> bool {
    // The name may be another file's by the time that the lock is ours.
    open_own(path).is_some_and(|file| file.try_lock().is_ok() && is_at(&file, path))
        && fs::remove_file(path).is_ok()
}

/// Opens a regular file that is ours. Neither a link nor a pipe is opened: whatever has such a name need not be ours.
pub(super) fn open_own(path: &Path) -> Option<File> {
    let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    file.metadata().is_ok_and(|found| found.is_file() && found.uid() == own_user()).then_some(file)
}

/// Whose files are ours.
pub(super) fn own_user() -> u32 {
    rustix::process::geteuid().as_raw()
}
