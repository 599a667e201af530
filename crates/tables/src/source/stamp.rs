//! Signs that a file is still the one that was read, without reading it again.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file's size, its times and its inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) size: u64,
    /// The time of the last write, in seconds and nanoseconds. A program can set it to another
    /// time.
    pub(crate) modified: (i64, i64),
    /// The time of the last change of content, name or times. Only the system sets it.
    pub(crate) changed: (i64, i64),
    pub(crate) inode: u64,
    /// Whether the file was old enough when this stamp was made. File times advance in steps: a
    /// write within one step of the stamp would leave the same times.
    pub(crate) is_settled: bool,
}

impl Stamp {
    /// The longest step of a file system's times.
    const STEP: Duration = Duration::from_secs(2);

    /// The stamp of a file; `None` if the file cannot be examined.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let now = SystemTime::now();
        let found = path.metadata().ok()?;
        let changed = (found.ctime(), found.ctime_nsec());
        let settled = now.checked_sub(Self::STEP)?.duration_since(UNIX_EPOCH).ok()?;
        Some(Self {
            size: found.len(),
            modified: (found.mtime(), found.mtime_nsec()),
            changed,
            inode: found.ino(),
            is_settled: i64::try_from(settled.as_secs()).is_ok_and(|settled| changed.0 < settled),
        })
    }

    /// Whether nothing was written between two stamps, by size and time of writing.
    pub(crate) fn is_as_written(&self, other: &Self) -> bool {
        (self.size, self.modified) == (other.size, other.modified)
    }

    /// Whether two stamps prove that the file is the same.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.is_settled && other == self
    }
}
