//! Decodes a file in a process that may crash.

use std::path::Path;

use super::error::VerifyError;
use super::guard::broken;
use super::sheet;
use super::typed::{Typed, TypedFormat};

/// Decodes a file in a process that may crash: all readable columns of a Parquet (`parquet`) or Arrow (`arrow`) file, or one
/// sheet of a workbook, or all sheets. It makes the same library calls as a verification; the work on decoded cells cannot crash.
///
/// # Errors
/// The errors that a verification of the table returns.
pub fn try_typed(format: &str, sheet: Option<&str>, bytes: Vec<u8>) -> Result<(), VerifyError> {
    let path = Path::new("stdin");
    let format = match format {
        "parquet" => TypedFormat::Parquet,
        "arrow" => TypedFormat::Ipc,
        book => return sheet::attempt(book, sheet, &bytes),
    };
    let typed = Typed::of(path, format, bytes)?;
    let columns = typed.readable_columns();
    if columns.is_empty() {
        return Err(broken(path, "none of its columns can be read"));
    }
    typed.visit_columns(path, &columns, &|_| (), &mut |_, _| Ok(()))
}
