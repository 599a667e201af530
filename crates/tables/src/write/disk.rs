//! The operations on disk that can fail.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags};
use tempfile::TempPath;

/// The operations on disk that can fail; tests make them fail.
pub trait Disk {
    /// Writes some bytes of a file and says how many.
    ///
    /// # Errors
    /// As the operating system says.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Brings a file's contents to the disk.
    ///
    /// # Errors
    /// As the operating system says.
    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Opens a file without a name in a folder: however we end, it ends with us.
    ///
    /// # Errors
    /// As the operating system says; whatever it is, a file with a temporary name is tried next.
    fn unnamed(&mut self, folder: &Path) -> io::Result<File> {
        unnamed(folder)
    }

    /// Gives a file without a name one that is free.
    ///
    /// # Errors
    /// As the operating system says: among others where the name is taken.
    fn link(&mut self, file: &File, name: &Path) -> io::Result<()> {
        link(file, name)
    }

    /// Gives a file with a temporary name its own.
    ///
    /// # Errors
    /// As the operating system says; without `overwrite` also where the name is taken.
    fn rename(&mut self, temporary: &Path, name: &Path, overwrite: bool) -> io::Result<()> {
        rename(temporary, name, overwrite)
    }
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {}

/// Opens a file without a name, to read and write.
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

/// Gives a file without a name one that is free.
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

/// An open file's own path, by which it can be opened once more and named.
pub(super) fn descriptor(file: &File) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()))
}
