//! Calls of libraries that read tables: a panic becomes an error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::DataError;

/// Runs a library on the bytes of a file; a panic becomes an error.
pub(super) fn guarded<R>(path: &Path, work: impl FnOnce() -> Result<R, String>) -> Result<R, DataError> {
    let _guard = Guard::new();
    let worked = catch_unwind(AssertUnwindSafe(work));
    let gave_up =
        || "the library that reads it failed; the file is damaged, or has values out of range".to_owned();
    worked.unwrap_or_else(|_| Err(gave_up())).map_err(|detail| complaint(path, detail))
}

pub(super) fn complaint(path: &Path, detail: String) -> DataError {
    DataError::unreadable(path, detail)
}

/// A library's error as text.
pub(super) fn detail(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The number of library calls in progress whose panics are caught.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// Whether such a call is in progress. A panic hook must then stay silent: the panic is reported as
/// an error.
pub fn panics_are_caught() -> bool {
    GUARDED.load(Ordering::SeqCst) > 0
}

struct Guard;

impl Guard {
    fn new() -> Self {
        GUARDED.fetch_add(1, Ordering::SeqCst);
        Self
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        GUARDED.fetch_sub(1, Ordering::SeqCst);
    }
}
