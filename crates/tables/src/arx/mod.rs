//! Files of ARX: hierarchies as CSV files, which become hierarchies of palmtop, and projects (`.deid`).

mod java;
mod object;
mod rows;
mod archive;
mod settings;
mod criterion;
mod subset;
pub(crate) mod project;

use std::path::Path;

use self::rows::{is_value, of_rows};
use crate::error::DataError;
use crate::hierarchies::{self, read_rows};

pub use self::criterion::{Criterion, Diversity};
pub use self::project::{ArxAttribute, ArxProject};
pub use self::rows::{Form, Imported, readable};

#[cfg(test)]
mod tests;

/// Translates a CSV hierarchy of ARX. `values` are the distinct values of the column that it is for.
///
/// # Errors
/// A [`DataError`] with the file: it is malformed, or it is a specification (`.ahs`).
pub fn import(path: &Path, values: Option<&[String]>, form: Form) -> Result<Imported, DataError> {
    let is_specification = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ahs"));
    if is_specification {
        let problem = "a hierarchy specification of ARX, which is not read; in ARX, export the hierarchy as a \
                       CSV file, and import that";
        return Err(DataError::hierarchy(path, None, problem.to_owned()));
    }
    let bytes = hierarchies::read_file(path)?;
    let imported = of_rows(path, read_rows(path, &bytes)?, form)?;
    let mut values = present(values.unwrap_or_default());
    values.sort_unstable();
    Ok(Imported { values, ..imported })
}

/// The values without those that mean "no value" in ARX.
fn present(values: &[String]) -> Vec<String> {
    values.iter().filter(|value| is_value(value)).cloned().collect()
}
