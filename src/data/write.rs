//! Writing a file whole or not at all: a temporary name, a sync, a check, a rename.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use tempfile::NamedTempFile;

use super::error::DataError;

/// The temporary files that are being written now: what a program that ends at once would leave behind.
static UNFINISHED: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Removes every file that is being written, for a way out that cannot wait for it: a signal, or an analyst who quits. From
/// then on nothing is written any more.
pub fn remove_unfinished() {
    static IS_DONE: AtomicBool = AtomicBool::new(false);
    // A second call, as when a panic ends what a signal was ending, would wait for ever.
    if IS_DONE.swap(true, Ordering::Relaxed) {
        return;
    }
    let unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in unfinished.iter() {
        let _ = fs::remove_file(path);
    }
    // Never unlocked again: whoever begins another file waits here until the program has ended.
    std::mem::forget(unfinished);
}

/// A temporary file that is known to be unfinished until this is dropped.
struct Unfinished(PathBuf);

impl Unfinished {
    /// Creates a temporary file and notes it.
    fn create(folder: &Path) -> io::Result<(NamedTempFile, Self)> {
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        let file = tempfile::Builder::new().prefix(".palmtop-").suffix(".tmp").tempfile_in(folder)?;
        let path = file.path().to_owned();
        unfinished.insert(path.clone());
        Ok((file, Self(path)))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.0);
    }
}

/// The operations on disk that can fail; tests make them fail.
pub trait Disk {
    /// Writes some bytes of a file and says how many.
    ///
    /// # Errors
    /// As the operating system says.
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize>;
    /// Brings a file's contents to the disk.
    ///
    /// # Errors
    /// As the operating system says.
    fn sync(&mut self, file: &File) -> io::Result<()>;
    /// Gives a temporary file its name.
    ///
    /// # Errors
    /// As the operating system says; without `overwrite` also where the name is taken.
    fn rename(&mut self, file: NamedTempFile, target: &Path, overwrite: bool) -> io::Result<()>;
}

/// The real disk.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    fn sync(&mut self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    fn rename(&mut self, file: NamedTempFile, target: &Path, overwrite: bool) -> io::Result<()> {
        let renamed = if overwrite { file.persist(target) } else { file.persist_noclobber(target) };
        renamed.map(drop).map_err(|error| error.error)
    }
}

/// Why a file was not written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError<E> {
    /// The name is taken and overwriting was not asked for.
    #[error("{} exists; choose another name, or overwrite it with --force", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The disk failed; nothing is left behind.
    #[error(transparent)]
    Disk(#[from] DataError),
    /// The check of the temporary file refused it; nothing is left behind.
    #[error("{0}")]
    Refused(E),
}

/// Writes `content` to `target`, mode 0600, through a temporary file beside it that `check` may refuse once it is
/// written and synced. Whatever fails, `target` is as it was and the temporary file is gone.
///
/// # Errors
/// [`WriteError`]: the name is taken, the disk failed, or `check` refused.
pub fn write_whole<T, E>(
    disk: &mut dyn Disk,
    target: &Path,
    overwrite: bool,
    content: &[u8],
    check: impl FnOnce(&Path) -> Result<T, E>,
) -> Result<T, WriteError<E>> {
    if !overwrite && target.symlink_metadata().is_ok() {
        return Err(WriteError::Exists { path: target.to_owned() });
    }
    let folder = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let failed = |action| DataError::io(action, target);
    let (mut temporary, _unfinished) =
        Unfinished::create(folder).map_err(failed("create a temporary file beside"))?;
    write_all(disk, temporary.as_file_mut(), content).map_err(failed("write"))?;
    disk.sync(temporary.as_file()).map_err(failed("sync"))?;
    let checked = check(temporary.path()).map_err(WriteError::Refused)?;
    disk.rename(temporary, target, overwrite).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists && !overwrite {
            WriteError::Exists { path: target.to_owned() }
        } else {
            WriteError::Disk(DataError::io("rename the finished file to", target)(error))
        }
    })?;
    // The rename itself reaches the disk with its folder; where a folder cannot be synced, the file still stands whole.
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
    Ok(checked)
}

fn write_all(disk: &mut dyn Disk, file: &mut File, content: &[u8]) -> io::Result<()> {
    let mut writer = BufWriter::new(Through { disk, file });
    writer.write_all(content)?;
    writer.flush()
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

/// A table as a release has it: a header, rows sorted by their written text, comma, LF, quotes where needed (RFC 4180).
///
/// The order tells nothing that the content does not.
///
/// # Errors
/// Never in practice: it writes to memory.
pub fn render(header: &[String], rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut lines = rows.into_iter().map(|row| line(&row)).collect::<io::Result<Vec<_>>>()?;
    lines.sort_unstable();
    let mut bytes = line(header)?;
    bytes.extend(lines.into_iter().flatten());
    Ok(bytes)
}

/// Rows in the order in which [`render`] writes them.
///
/// # Errors
/// Never in practice: it writes to memory.
pub fn in_order(rows: Vec<Vec<String>>) -> io::Result<Vec<Vec<String>>> {
    let written = |row: Vec<String>| Ok((line(&row)?, row));
    let mut rows = rows.into_iter().map(written).collect::<io::Result<Vec<_>>>()?;
    rows.sort_unstable();
    Ok(rows.into_iter().map(|(_, row)| row).collect())
}

/// A row as it is written.
fn line(fields: &[String]) -> io::Result<Vec<u8>> {
    let mut writer =
        csv::WriterBuilder::new().terminator(csv::Terminator::Any(b'\n')).from_writer(Vec::new());
    writer.write_record(fields)?;
    writer.into_inner().map_err(csv::IntoInnerError::into_error)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A disk that fails after some bytes, at sync, or at rename.
    struct Failing {
        bytes_left: usize,
        sync: bool,
        rename: bool,
    }

    impl Disk for Failing {
        fn write(&mut self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
            if self.bytes_left == 0 {
                return Err(io::Error::other("no space left on device"));
            }
            let count = file.write(&bytes[..bytes.len().min(self.bytes_left)])?;
            self.bytes_left -= count;
            Ok(count)
        }

        fn sync(&mut self, _: &File) -> io::Result<()> {
            if self.sync { Err(io::Error::other("the disk is gone")) } else { Ok(()) }
        }

        fn rename(&mut self, file: NamedTempFile, target: &Path, overwrite: bool) -> io::Result<()> {
            if self.rename {
                Err(io::Error::other("read-only"))
            } else {
                RealDisk.rename(file, target, overwrite)
            }
        }
    }

    fn write(disk: &mut dyn Disk, target: &Path, overwrite: bool) -> Result<(), WriteError<String>> {
        write_whole(disk, target, overwrite, b"new\n", |_| Ok(()))
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_failure_at_any_byte_at_sync_or_at_rename_leaves_nothing_new_and_the_old_file_whole() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let whole = usize::MAX;
        let failures =
            (0..4).map(|bytes| (bytes, false, false)).chain([(whole, true, false), (whole, false, true)]);
        for old in [None, Some("old\n")] {
            if let Some(old) = old {
                fs::write(&target, old).unwrap();
            }
            for (bytes_left, sync, rename) in failures.clone() {
                let error = write(&mut Failing { bytes_left, sync, rename }, &target, true).unwrap_err();
                assert!(matches!(error, WriteError::Disk(_)), "{error}");
                assert_eq!(fs::read_to_string(&target).ok().as_deref(), old);
                assert_eq!(names(folder.path()).len(), usize::from(old.is_some()));
            }
        }
        write(&mut Failing { bytes_left: 4, sync: false, rename: false }, &target, true).unwrap();
        assert_eq!(fs::read_to_string(&target).unwrap(), "new\n");
    }

    #[test]
    fn a_name_that_is_taken_is_kept_without_force_even_if_it_is_taken_late() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let late = |_: &Path| {
            fs::write(&target, "theirs\n").unwrap();
            Ok::<(), String>(())
        };
        for _ in 0..2 {
            let error = write_whole(&mut RealDisk, &target, false, b"ours\n", late).unwrap_err();
            assert!(matches!(error, WriteError::Exists { .. }), "{error}");
            assert_eq!(fs::read_to_string(&target).unwrap(), "theirs\n");
        }
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn a_refused_file_is_never_seen() {
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        let refusal = write_whole(&mut RealDisk, &target, false, b"x\n", |_| Err::<(), _>("not δ-present"));
        assert_eq!(refusal.unwrap_err().to_string(), "not δ-present");
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_may_read_a_written_file() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let target = folder.path().join("out.csv");
        write(&mut RealDisk, &target, false).unwrap();
        assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn rows_are_sorted_as_written_and_quoted_where_needed() {
        let row = |fields: &[&str]| fields.iter().map(|&field| field.to_owned()).collect::<Vec<_>>();
        let bytes =
            render(&row(&["age", "x"]), [row(&["9", "b"]), row(&["[10, 19]", "a"]), row(&["10", "c\"d"])]);
        assert_eq!(String::from_utf8(bytes.unwrap()).unwrap(), "age,x\n\"[10, 19]\",a\n10,\"c\"\"d\"\n9,b\n");
    }
}
