//! What tells without reading it that a file is still the one that was read.

use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A file's size, its times and its inode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stamp {
    pub(crate) size: u64,
    /// When its content was last written to, in seconds and nanoseconds; anybody may set it to another time.
    pub(crate) modified: (i64, i64),
    /// When it, its name or its times were last changed: the system sets it, and nobody sets it back.
    pub(crate) changed: (i64, i64),
    pub(crate) inode: u64,
    /// Whether it was old enough when it was looked at: times of files go in steps, and what is written within one step of being looked
    /// at has the same ones.
    pub(crate) is_settled: bool,
}

impl Stamp {
    /// No file system's times have longer steps.
    const STEP: Duration = Duration::from_secs(2);

    /// That of a file; `None` where it cannot be looked at.
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

    /// Whether a file with the other stamp was not written to in between, as its size and its time of writing tell.
    pub(crate) fn is_as_written(&self, other: &Self) -> bool {
        (self.size, self.modified) == (other.size, other.modified)
    }

    /// Whether a file with the other stamp is this one without a doubt.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        self.is_settled && other == self
    }
}
