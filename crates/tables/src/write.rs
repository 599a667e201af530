//! The only way to write files. It first checks what has the name already, and writes a file
//! completely or not at all.
//!
//! No other source opens a file for writing. A file is written, synced and checked without a name,
//! and named last. If the file system has no files without names, it has a temporary name until
//! then.

mod disk;
mod temporary;
mod folder;
mod staged;
mod lines;
mod columns;
pub mod pseudonym;

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::{Path, PathBuf};

use palmtop_core::located::{Located, Place};

use self::staged::sync_folder;
use self::temporary::Temporary;
use crate::error::DataError;
use crate::source::file_id::{FileId, folder_of};
use crate::source::pattern::FilePattern;

pub use self::columns::ReleaseFormat;
pub use self::disk::{Disk, RealDisk};
pub use self::folder::PrivateFolder;
pub use self::lines::{Lines, TooManyRows};
pub use self::staged::StagedFolder;
pub use self::temporary::remove_unfinished;

/// A folder to write, with its subfolders and the files in them.
#[derive(Clone, Debug)]
pub struct FolderPlan<'a> {
    /// The name of the folder.
    pub target: &'a Path,
    /// The names of the subfolders that such a folder may have.
    pub subfolders: &'a [&'a str],
    /// The files, relative to the folder.
    pub files: Vec<PathBuf>,
    /// Whether an existing folder of this kind is replaced.
    pub overwrite: bool,
}

impl<'a> FolderPlan<'a> {
    /// The subfolders that have a file.
    fn used_subfolders(&self) -> Vec<&'a str> {
        let is_used = |name: &&str| self.files.iter().any(|file| file.starts_with(name));
        self.subfolders.iter().copied().filter(is_used).collect()
    }
}

/// The reason why a name must not be written to.
#[derive(Debug, thiserror::Error)]
pub enum TargetError {
    /// The name exists and overwriting was not requested.
    #[error("{} exists; choose another name, or overwrite it with --force", path.display())]
    Exists {
        /// The name.
        path: PathBuf,
    },
    /// The name leads to one of the project's own files.
    #[error("{} is a file of this project, and is never overwritten; choose another name", path.display())]
    IsInput {
        /// The name.
        path: PathBuf,
    },
    /// The file would become a file of one of the project's tables.
    #[error("{}: the project's `path = \"{pattern}\"` stands for this name, too: once written, the file would be a part of that input; choose another name or folder, or a narrower pattern", path.display())]
    IsMatched {
        /// The name.
        path: PathBuf,
        /// The pattern in the project.
        pattern: String,
    },
    /// The name leads to a history.
    #[error("{} is kept for the history of a project, and is never overwritten; choose another name", path.display())]
    IsHistory {
        /// The name.
        path: PathBuf,
    },
    /// This run wrote the file that the name leads to.
    #[error("{} was written by this run, and is not overwritten; choose another name", path.display())]
    IsWritten {
        /// The name.
        path: PathBuf,
    },
    /// The name is a folder, a device, a pipe or a link.
    #[error("{} is not a regular file, and is not replaced by one; choose another name", path.display())]
    IsNoFile {
        /// The name.
        path: PathBuf,
    },
    /// The name of a folder leads to something else.
    #[error("{} is not a folder, and is not replaced by one; choose another name", path.display())]
    IsNoFolder {
        /// The name.
        path: PathBuf,
    },
    /// The folder has files that palmtop did not write.
    #[error("{} is a folder with other files, and is never replaced; choose another name", path.display())]
    HasOtherFiles {
        /// The name.
        path: PathBuf,
    },
    /// The system cannot tell what has the name.
    #[error(transparent)]
    Disk(DataError),
}

impl Located for TargetError {
    fn places(&self) -> Vec<Place> {
        match self {
            Self::Exists { path }
            | Self::IsInput { path }
            | Self::IsMatched { path, pattern: _ }
            | Self::IsHistory { path }
            | Self::IsWritten { path }
            | Self::IsNoFile { path }
            | Self::IsNoFolder { path }
            | Self::HasOtherFiles { path } => vec![Place::of(path)],
            Self::Disk(error) => error.places(),
        }
    }
}

/// The reason why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E> {
    /// The name must not be written to.
    #[error(transparent)]
    Target(#[from] TargetError),
    /// The disk failed; no file is left behind.
    #[error(transparent)]
    Disk(#[from] DataError),
    /// The check refused the unnamed file; no file is left behind.
    #[error("{0}")]
    Refused(E),
}

/// The reason why a file is never overwritten.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ward {
    /// It is an input of the project.
    Input,
    /// It is a history, or a session or a register that is taken over into one.
    History,
    /// This run wrote it.
    Written,
}

impl Ward {
    fn refusal(self, path: PathBuf) -> TargetError {
        match self {
            Self::Input => TargetError::IsInput { path },
            Self::History => TargetError::IsHistory { path },
            Self::Written => TargetError::IsWritten { path },
        }
    }
}

/// Writes all files of one run. It knows the files that must never be overwritten, even with
/// `--force`.
///
/// Files are compared by device and inode, not by path, so links and other spellings of a path make
/// no difference.
#[derive(Clone, Debug, Default)]
pub struct Gate {
    guarded: Vec<Guarded>,
    /// Whether it replaces histories, of which no other gate replaces one.
    keeps_history: bool,
    patterns: Vec<FilePattern>,
    removed: Vec<PathBuf>,
}

/// A file that is never overwritten.
#[derive(Clone, Debug)]
struct Guarded {
    path: PathBuf,
    ward: Ward,
    /// The file that had the path when it was guarded. A file that has the path later is guarded,
    /// too.
    file: Option<FileId>,
}

/// Gives a rewritten file the group and the mode that it had, so that people who share a project can go on. A file whose group
/// cannot be kept is for its owner alone.
pub fn keep_access(path: &Path, before: &Metadata) {
    let is_kept = path.metadata().is_ok_and(|now| now.gid() == before.gid())
        || chown(path, None, Some(before.gid())).is_ok();
    let mode = before.mode() & if is_kept { 0o666 } else { 0o600 };
    let _ = fs::set_permissions(path, Permissions::from_mode(mode));
}

/// Whether a name is that of a project's history. One folder may have the histories of several projects.
fn names_history(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().to_lowercase().ends_with(".history.toml"))
}

impl Gate {
    /// A gate that guards these files.
    pub fn guarding<'a>(ward: Ward, paths: impl IntoIterator<Item = &'a Path>) -> Self {
        let mut gate = Self::default();
        paths.into_iter().for_each(|path| gate.guard(ward, path));
        gate
    }

    /// A gate for the history of a project: the only one that may replace a file named `….history.toml`.
    pub fn of_history() -> Self {
        Self { keeps_history: true, ..Self::default() }
    }

    /// Guards a file from now on.
    pub fn guard(&mut self, ward: Ward, path: &Path) {
        self.guarded.push(Guarded { path: path.to_owned(), ward, file: FileId::at(path) });
    }

    /// Refuses every name that a pattern matches.
    pub fn guard_pattern(&mut self, pattern: FilePattern) {
        self.patterns.push(pattern);
    }

    /// Checks whether a file may be written to a name.
    ///
    /// # Errors
    /// [`TargetError`] with the reason.
    pub fn check(&self, target: &Path, overwrite: bool) -> Result<(), TargetError> {
        let path = || target.to_owned();
        let matched = self.patterns.iter().find(|pattern| pattern.matches(target));
        let unmatched = || match matched {
            Some(pattern) => Err(TargetError::IsMatched { path: path(), pattern: pattern.to_string() }),
            None => Ok(()),
        };
        let found = match target.symlink_metadata() {
            Ok(found) => found,
            // The name of a file that palmtop keeps is kept free before the file exists, too.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let is_kept =
                    |guarded: &&Guarded| guarded.ward != Ward::Written && is_same_file(&guarded.path, target);
                return match self.guarded.iter().find(is_kept) {
                    Some(guarded) => Err(guarded.ward.refusal(path())),
                    None => unmatched(),
                };
            }
            Err(error) => return Err(TargetError::Disk(DataError::io("write", target)(error))),
        };
        // A link is followed to see whether its target is guarded; a link is refused in any case.
        let file = if found.is_symlink() { FileId::at(target) } else { Some(FileId::of(&found)) };
        let is_it = |guarded: &&Guarded| {
            file.is_some() && (guarded.file == file || FileId::at(&guarded.path) == file)
        };
        match self.guarded.iter().find(is_it).map(|guarded| guarded.ward) {
            Some(ward) => Err(ward.refusal(path())),
            None if !found.is_file() => Err(TargetError::IsNoFile { path: path() }),
            None if !self.keeps_history && names_history(target) => Err(Ward::History.refusal(path())),
            None if !overwrite => unmatched().and(Err(TargetError::Exists { path: path() })),
            None => unmatched(),
        }
    }

    /// Checks whether a folder may be written to a name.
    ///
    /// # Errors
    /// [`TargetError`] with the reason. A folder that has anything else than such subfolders with files is never replaced.
    pub fn check_folder(&self, plan: &FolderPlan) -> Result<(), TargetError> {
        let target = plan.target;
        let path = || target.to_owned();
        let failed = |error| TargetError::Disk(DataError::io("read", target)(error));
        match target.symlink_metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.check(target, false)?,
            Err(error) => return Err(failed(error)),
            Ok(found) if !found.is_dir() => return Err(TargetError::IsNoFolder { path: path() }),
            Ok(_) => self.check_replaced(plan)?,
        }
        plan.files.iter().try_for_each(|file| self.check(&target.join(file), true))
    }

    /// Checks whether an existing folder may be replaced.
    fn check_replaced(&self, plan: &FolderPlan) -> Result<(), TargetError> {
        let target = plan.target;
        let path = || target.to_owned();
        let failed = |error| TargetError::Disk(DataError::io("read", target)(error));
        for entry in fs::read_dir(target).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let is_known = plan.subfolders.iter().any(|name| entry.file_name() == OsStr::new(name));
            if !is_known || !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                return Err(TargetError::HasOtherFiles { path: path() });
            }
            for file in fs::read_dir(entry.path()).map_err(failed)? {
                let file = file.map_err(failed)?;
                if !file.file_type().is_ok_and(|kind| kind.is_file()) {
                    return Err(TargetError::HasOtherFiles { path: path() });
                }
                self.check(&file.path(), true)?;
            }
        }
        if plan.overwrite { Ok(()) } else { Err(TargetError::Exists { path: path() }) }
    }

    /// Begins a folder: it has its subfolders, and no name yet. Files are written into it through this gate.
    ///
    /// # Errors
    /// [`WriteError`]: the name must not be written to, or the disk failed.
    pub fn stage(&mut self, plan: &FolderPlan) -> Result<StagedFolder, WriteError<Infallible>> {
        self.check_folder(plan)?;
        let parent = folder_of(plan.target);
        self.removed.extend(leftovers(parent));
        let staged = StagedFolder::create(parent, &plan.used_subfolders());
        Ok(staged.map_err(DataError::io("make a temporary folder beside", plan.target))?)
    }

    /// Gives a folder its name, by one rename. After a failure neither the folder nor a file of it remains, and the target is
    /// unchanged.
    ///
    /// # Errors
    /// [`WriteError`]: the name must not be written to, or the disk failed.
    pub fn name_folder(
        &mut self,
        disk: &mut dyn Disk,
        staged: StagedFolder,
        plan: &FolderPlan,
    ) -> Result<(), WriteError<Infallible>> {
        let target = plan.target;
        plan.used_subfolders().iter().for_each(|name| sync_folder(&staged.path().join(name)));
        sync_folder(staged.path());
        // The files took time: the name may have another folder by now.
        self.check_folder(plan)?;
        staged.name(disk, target, plan.overwrite).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists && !plan.overwrite {
                WriteError::Target(TargetError::Exists { path: target.to_owned() })
            } else {
                WriteError::Disk(DataError::io("rename the finished folder to", target)(error))
            }
        })?;
        sync_folder(folder_of(target));
        Ok(())
    }

    /// Removes the unfinished files and folders of killed runs from a folder.
    pub fn tidy(&mut self, folder: &Path) {
        self.removed.extend(leftovers(folder));
    }

    /// Writes the output of `fill` to `target`, mode 0600. It writes a file without a name in the
    /// same folder, syncs it, and lets `check` refuse it. After any failure `target` is unchanged
    /// and no other file remains.
    ///
    /// # Errors
    /// [`WriteError`]: the name must not be written to, the disk failed, or `check` refused.
    pub fn write<T, E>(
        &mut self,
        disk: &mut dyn Disk,
        target: &Path,
        overwrite: bool,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        check: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<T, WriteError<E>> {
        self.check(target, overwrite)?;
        let folder = folder_of(target);
        let failed = |action| DataError::io(action, target);
        let mut temporary = self.fill(disk, target, fill)?;
        disk.sync(temporary.file()).map_err(failed("sync"))?;
        let checked = check(&temporary.path()).map_err(WriteError::Refused)?;
        // The check took time: the name may have another file by now.
        self.check(target, overwrite)?;
        temporary.name(disk, target, overwrite).map_err(|error| {
            if error.kind() == io::ErrorKind::AlreadyExists && !overwrite {
                WriteError::Target(TargetError::Exists { path: target.to_owned() })
            } else {
                WriteError::Disk(failed("rename the finished file to")(error))
            }
        })?;
        sync_folder(folder);
        self.guard(Ward::Written, target);
        Ok(checked)
    }

    /// Writes the output of `fill` to a file without a name beside `target`, and lets `look` read it. Then the file is gone.
    ///
    /// # Errors
    /// [`WriteError`]: the disk failed, or `look` did.
    pub fn rehearse<T, E>(
        &mut self,
        target: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        look: impl FnOnce(&Path) -> Result<T, E>,
    ) -> Result<T, WriteError<E>> {
        let temporary = self.fill(&mut RealDisk, target, fill)?;
        look(&temporary.path()).map_err(WriteError::Refused)
    }

    /// A file without a name beside `target`, with the output of `fill`.
    fn fill(
        &mut self,
        disk: &mut dyn Disk,
        target: &Path,
        fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<Temporary, DataError> {
        let folder = folder_of(target);
        self.removed.extend(leftovers(folder));
        let failed = |action| DataError::io(action, target);
        let mut temporary =
            Temporary::create(disk, folder).map_err(failed("create a temporary file beside"))?;
        {
            let mut writer = BufWriter::with_capacity(1 << 16, Through { disk, file: temporary.file() });
            fill(&mut writer).and_then(|()| writer.flush()).map_err(failed("write"))?;
        }
        Ok(temporary)
    }

    /// Writes a text without a check.
    ///
    /// # Errors
    /// [`WriteError`], as for [`write`](Self::write).
    pub fn put(
        &mut self,
        disk: &mut dyn Disk,
        target: &Path,
        overwrite: bool,
        content: &[u8],
    ) -> Result<(), WriteError<Infallible>> {
        self.write(disk, target, overwrite, |out| out.write_all(content), |_| Ok(()))
    }

    /// Replaces a file that people share, such as a project file: it keeps its group and its mode.
    ///
    /// # Errors
    /// [`WriteError`], as for [`write`](Self::write).
    pub fn replace(&mut self, target: &Path, content: &[u8]) -> Result<(), WriteError<Infallible>> {
        let before = target.metadata().ok();
        self.put(&mut RealDisk, target, true, content)?;
        if let Some(before) = before {
            keep_access(target, &before);
        }
        Ok(())
    }

    /// Writes several texts without a check, all or none. All are written and synced before the
    /// first gets its name; they are named from last to first.
    ///
    /// # Errors
    /// [`WriteError`], as for [`write`](Self::write). If naming one fails, the new files that were
    /// already named are removed.
    pub fn put_all(
        &mut self,
        disk: &mut dyn Disk,
        files: &[(PathBuf, Vec<u8>)],
        overwrite: bool,
    ) -> Result<(), WriteError<Infallible>> {
        for (target, _) in files {
            self.check(target, overwrite)?;
        }
        let is_new = |(target, _): &&(PathBuf, Vec<u8>)| target.symlink_metadata().is_err();
        let new: Vec<PathBuf> = files.iter().filter(is_new).map(|(target, _)| target.clone()).collect();
        let put = self.put_rest(disk, files, overwrite);
        if put.is_err() {
            for target in new {
                let _ = fs::remove_file(target);
            }
        }
        put
    }

    /// Writes the first file, and all others before it gets its name.
    fn put_rest(
        &mut self,
        disk: &mut dyn Disk,
        files: &[(PathBuf, Vec<u8>)],
        overwrite: bool,
    ) -> Result<(), WriteError<Infallible>> {
        let Some(((target, content), rest)) = files.split_first() else { return Ok(()) };
        let mut inner = self.clone();
        let mut others = RealDisk;
        let written = self.write(
            disk,
            target,
            overwrite,
            |out| out.write_all(content),
            |_| inner.put_rest(&mut others, rest, overwrite),
        );
        self.removed.append(&mut inner.removed);
        self.guarded = inner.guarded;
        self.guard(Ward::Written, target);
        written.map_err(|error| match error {
            WriteError::Target(error) => WriteError::Target(error),
            WriteError::Disk(error) => WriteError::Disk(error),
            WriteError::Refused(inner) => inner,
        })
    }

    /// Writes a text to the first free name of some, and returns that name.
    ///
    /// # Errors
    /// [`WriteError`], as for [`write`](Self::write).
    ///
    /// # Panics
    /// If no name is free.
    pub fn put_new(
        &mut self,
        names: impl IntoIterator<Item = PathBuf>,
        content: &[u8],
    ) -> Result<PathBuf, WriteError<Infallible>> {
        for target in names {
            // A name that is taken is skipped, whatever has it.
            if target.symlink_metadata().is_ok() {
                continue;
            }
            match self.put(&mut RealDisk, &target, false, content) {
                Ok(()) => return Ok(target),
                Err(WriteError::Target(TargetError::Exists { .. })) => {}
                Err(error) => return Err(error),
            }
        }
        unreachable!("a folder has fewer files than there are numbers")
    }

    /// The unfinished files of killed runs that were found and removed; the caller reports them.
    pub fn take_removed(&mut self) -> Vec<PathBuf> {
        std::mem::take(&mut self.removed)
    }
}

/// Removes the unfinished files and folders of killed runs from a folder, and returns them.
fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let files = temporary::remove_leftovers(folder).into_iter();
    files.chain(staged::remove_leftovers(folder)).collect()
}

/// Whether two names are the same file, or the same name in the same folder.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    let location = |path: &Path| Some((FileId::at(folder_of(path))?, path.file_name()?.to_owned()));
    let file = |path: &Path| path.symlink_metadata().ok().as_ref().map(FileId::of);
    let is_same_name = one == other || location(one).is_some_and(|known| location(other) == Some(known));
    is_same_name || file(one).is_some_and(|known| file(other) == Some(known))
}

/// Creates a folder and the missing folders above it.
///
/// # Errors
/// A [`DataError`] if that fails.
pub fn make_folder(path: &Path) -> Result<(), DataError> {
    fs::create_dir_all(path).map_err(DataError::io("make folder", path))
}

/// Removes a folder if it is empty.
pub fn remove_empty_folder(path: &Path) {
    let _ = fs::remove_dir(path);
}

/// A writer to a file on a disk that may fail.
struct Through<'a> {
    disk: &'a mut dyn Disk,
    file: &'a mut File,
}

impl Write for Through<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.disk.write(self.file, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
