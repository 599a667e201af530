//! The one way in: files are regular files, and are read by ordinary reads into memory that only we write to.
//!
//! A pipe or a device could keep a reader waiting for ever or never end, and a memory map of a file that others may cut
//! short ends the program with SIGBUS.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The most that a file may hold which is read whole before it is understood: a project, a session, a hierarchy, settings.
pub const MOST_TEXT: u64 = 256 << 20;

/// The most that a Parquet or Arrow file or a workbook may hold: a private copy of it is kept in memory.
pub const MOST_TYPED: u64 = 8 << 30;

/// The most that such a file may hold where it comes out of a packed one, whose size tells nothing: no more than half of
/// the memory that there is, where that is known.
pub(crate) fn most_unpacked() -> u64 {
    #[cfg(target_os = "linux")]
    {
        let memory = rustix::system::sysinfo();
        let half = memory.totalram.saturating_mul(memory.mem_unit.into()) / 2;
        half.min(MOST_TYPED)
    }
    #[cfg(not(target_os = "linux"))]
    {
        MOST_TYPED / 8
    }
}

/// Opens a regular file to read it; a link is followed.
///
/// # Errors
/// As the operating system says; [`io::ErrorKind::InvalidInput`] for a folder, a pipe or a device, which is never opened.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(&path.metadata()?)?;
    let file = File::open(path)?;
    // It may have become another meanwhile.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a whole regular file of at most `most` bytes.
///
/// # Errors
/// As [`open`]; [`io::ErrorKind::FileTooLarge`] beyond the limit, [`io::ErrorKind::OutOfMemory`] where there is no room.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_through(path, most, |file| file)
}

/// [`read`] through a reader around the file.
pub(crate) fn read_through<R: Read>(
    path: &Path,
    most: u64,
    around: impl FnOnce(File) -> R,
) -> io::Result<Vec<u8>> {
    let file = open(path)?;
    let size = file.metadata()?.len();
    let too_large = || {
        let detail = format!("it has {size} bytes, and at most {most} are read");
        io::Error::new(io::ErrorKind::FileTooLarge, detail)
    };
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let room = usize::try_from(size).map_err(|_| too_large())?;
    bytes.try_reserve_exact(room).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // A file that grows meanwhile is not followed for ever.
    around(file).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Reads what comes out of a packed file, at most so many bytes.
pub(crate) fn read_unpacked(unpacked: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    unpacked.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let detail = format!(
            "more than {most} bytes come out of it, the most that are held; unpack it, or save it as CSV"
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, detail));
    }
    Ok(bytes)
}

fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "a folder" } else { "a pipe, a device or the like" };
    let detail = format!("it is {what}, expected a regular file; save what it holds to one");
    Err(io::Error::new(io::ErrorKind::InvalidInput, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_of_a_limited_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        std::fs::write(&file, "12345").unwrap();
        assert_eq!(read(&file, 5).unwrap(), b"12345");
        assert_eq!(read(&file, 4).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        for odd in [folder.path(), Path::new("/dev/zero"), Path::new("/dev/null")] {
            assert_eq!(read(odd, 5).unwrap_err().kind(), io::ErrorKind::InvalidInput, "{}", odd.display());
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_that_nobody_writes_to_is_refused_and_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &pipe,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR,
            0,
        )
        .unwrap();
        assert_eq!(open(&pipe).unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }
}
