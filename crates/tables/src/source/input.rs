//! Opens every input: only regular files, copied by ordinary reads into memory that no other
//! process can change.
//!
//! A pipe or a device could block forever or never end. A memory map ends the program with SIGBUS
//! if another process shortens the file.

use std::fs::{File, Metadata};
use std::io::{self, Read};
use std::path::Path;

/// The largest text file that is read at once: a project, a session, a hierarchy, settings.
pub const MOST_TEXT: u64 = 256 << 20;

/// The largest Parquet file, Arrow file or workbook: a private copy of it is kept in memory.
pub const MOST_TYPED: u64 = 8 << 30;

/// The largest unpacked size of such a file if it is packed: at most half of the memory of the
/// machine, if that is known. The size of a packed file gives no bound.
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

/// Opens a regular file for reading; follows a link.
///
/// # Errors
/// The system's error; [`io::ErrorKind::InvalidInput`] for a folder, a pipe or a device, which is
/// never opened.
pub fn open(path: &Path) -> io::Result<File> {
    check_regular(&path.metadata()?)?;
    let file = File::open(path)?;
    // The path may lead to another file by now.
    check_regular(&file.metadata()?)?;
    Ok(file)
}

/// Reads a regular file of at most `most` bytes into memory.
///
/// # Errors
/// As [`open`]; [`io::ErrorKind::FileTooLarge`] above the limit, [`io::ErrorKind::OutOfMemory`] if
/// the memory is too small.
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
        let detail = format!("it has {size} bytes; at most {most} are allowed");
        io::Error::new(io::ErrorKind::FileTooLarge, detail)
    };
    if size > most {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    let room = usize::try_from(size).map_err(|_| too_large())?;
    bytes.try_reserve_exact(room).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    // Stops if the file grows while it is read.
    around(file).take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(too_large()) } else { Ok(bytes) }
}

/// Reads an unpacked file, at most `most` bytes.
pub(crate) fn read_unpacked(unpacked: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    unpacked.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let detail = format!(
            "it unpacks to more than {most} bytes, the limit in memory; unpack it, or save it as CSV"
        );
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, detail));
    }
    Ok(bytes)
}

fn check_regular(metadata: &Metadata) -> io::Result<()> {
    if metadata.is_file() {
        return Ok(());
    }
    let what = if metadata.is_dir() { "a folder" } else { "a pipe, a device or similar" };
    let detail = format!("it is {what}, expected a regular file; save its content to one");
    Err(io::Error::new(io::ErrorKind::InvalidInput, detail))
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: Regular files
    #[test]
    fn only_regular_files_of_limited_size_are_read() {
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
    fn pipe_without_a_writer_is_refused_at_once() {
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
