//! Calls of the libraries that decode files: a panic becomes an error.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::problems::VerifyError;
use palmtop_terms::LocatedError;

/// An error of a library that decodes a file.
pub(crate) fn broken(path: &Path, detail: &str) -> VerifyError {
    LocatedError::new(detail).in_named("cannot read", path).into()
}

/// Runs the library. A panic, which a damaged file may cause, becomes an error.
pub(crate) fn caught<T>(path: &Path, read: impl FnOnce() -> Result<T, String>) -> Result<T, VerifyError> {
    CAUGHT.fetch_add(1, Ordering::SeqCst);
    let result = catch_unwind(AssertUnwindSafe(read));
    CAUGHT.fetch_sub(1, Ordering::SeqCst);
    match result {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(broken(path, &error)),
        Err(_) => {
            Err(broken(path, "the library that decodes it failed; save the file again, or save it as CSV"))
        }
    }
}

/// The number of library calls that are running.
static CAUGHT: AtomicUsize = AtomicUsize::new(0);

/// Whether a library call is running, whose panic becomes an error. A panic hook should then print nothing.
pub fn panics_are_caught() -> bool {
    CAUGHT.load(Ordering::SeqCst) > 0
}
