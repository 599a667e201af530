//! The operations on disk that can fail.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use tempfile::TempPath;

/// The operations on disk that can fail; tests replace them.
pub trait Disk {
    /// Writes bytes to a file and returns the number written.
    ///
    /// # Errors
    /// The system's error.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Writes a file's content to the disk.
    ///
    /// # Errors
    /// The system's error.
    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Opens a file without a name in a folder; it disappears when the process ends.
    ///
    /// # Errors
    /// The system's error; the caller then tries a file with a temporary name.
    fn unnamed(&mut self, folder: &Path) -> io::Result<File> {
        unnamed(folder)
    }

    /// Gives a file without a name a free name.
    ///
    /// # Errors
    /// The system's error, for instance if the name exists.
    fn link(&mut self, file: &File, name: &Path) -> io::Result<()> {
        link(file, name)
    }

    /// Renames a file from its temporary name to its final name.
    ///
    /// # Errors
    /// The system's error; without `overwrite` also if the name exists.
    fn rename(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        rename(temporary, name, overwrite)
    }

    /// Renames a folder from its temporary name to its final name. With `overwrite`, a folder of that name gets the temporary
    /// one.
    ///
    /// # Errors
    /// The system's error; without `overwrite` also if the name exists.
    fn rename_folder(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        rename_folder(temporary, name, overwrite)
    }
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {}

/// Opens a file without a name for reading and writing.
fn unnamed(folder: &Path) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        Ok(rustix::fs::open(folder, flags, Mode::RUSR | Mode::WUSR)?.into())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = folder;
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Gives a file without a name a free name.
fn link(file: &File, name: &Path) -> io::Result<()> {
    Ok(rustix::fs::linkat(CWD, descriptor(file), CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

/// Renames a file with a temporary name.
fn rename(temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
    if overwrite {
        fs::rename(temporary, name)
    } else {
        TempPath::try_from_path(temporary)?.persist_noclobber(name).map_err(|error| error.error)
    }
}

/// Renames a folder. Where the system can exchange two names, a folder is replaced by one rename.
fn rename_folder(temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
    let is_there = name.symlink_metadata().is_ok();
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{RenameFlags, renameat_with};
        use rustix::io::Errno;
        let flags = if overwrite && is_there { RenameFlags::EXCHANGE } else { RenameFlags::NOREPLACE };
        match renameat_with(CWD, temporary, CWD, name, flags) {
            // The file system does not know these flags.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
            renamed => return Ok(renamed?),
        }
    }
    match (is_there, overwrite) {
        (false, _) => fs::rename(temporary, name),
        (true, false) => Err(io::ErrorKind::AlreadyExists.into()),
        (true, true) => {
            // The next run does not remove this name: if the program is killed here, the old folder is still there.
            let before = temporary.with_extension("before");
            fs::rename(name, &before)?;
            fs::rename(temporary, name).or_else(|error| fs::rename(&before, name).and(Err(error)))?;
            fs::rename(&before, temporary)
        }
    }
}

/// The path of an open file, by which it can be opened again and named.
pub(super) fn descriptor(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
