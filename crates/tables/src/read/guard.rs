//! Libraries that read tables, on a leash: what they throw is caught and becomes an error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::error::DataError;

/// Lets a library work on the bytes of a file; a panic of it is an error like any other.
pub(super) fn guarded<R>(path: &Path, work: impl FnOnce() -> Result<R, String>) -> Result<R, DataError> {
    let _guard = Guard::new();
    let worked = catch_unwind(AssertUnwindSafe(work));
    let gave_up =
        || "the library that reads it gave up; it is damaged, or holds values out of range".to_owned();
    worked.unwrap_or_else(|_| Err(gave_up())).map_err(|detail| complaint(path, detail))
}

pub(super) fn complaint(path: &Path, detail: String) -> DataError {
    DataError::Polars { path: path.to_owned(), detail }
}

/// What a library says of an error.
pub(super) fn detail(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// How many calls of a library are under way whose panics are caught.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// Whether a library is at work whose panics are caught and told as errors: a panic hook then has nothing to say.
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
