//! Files of ARX: hierarchies as CSV files and as specifications (`.ahs`), which become hierarchies of
//! palmtop, and projects (`.deid`).

mod java;
mod object;
mod label;
mod part;
mod dates;
mod redaction;
mod order;
mod intervals;
mod specification;
mod rows;
mod archive;
mod settings;
mod criterion;
mod subset;
mod project;

use std::path::Path;

use self::rows::{NO_VALUE, is_value, of_rows};
use self::specification::Specification;
use crate::error::DataError;
use crate::hierarchies::{self, read_rows};

pub use self::criterion::{Criterion, Diversity};
pub use self::project::{ArxAttribute, ArxProject};
pub use self::rows::{Form, Imported};

#[cfg(test)]
mod tests;

/// Translates a file of ARX: a CSV hierarchy, or a specification if the name ends in `.ahs`.
/// `values` are the distinct values of a column in their order in the table. A specification in
/// CSV form, and one whose groups depend on the data, need them.
///
/// # Errors
/// A [`DataError`] with the file: it is malformed, or a part of it has no counterpart.
pub fn import(path: &Path, mut values: Option<&[String]>, form: Form) -> Result<Imported, DataError> {
    let bytes = hierarchies::read_file(path)?;
    let is_specification = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ahs"));
    if !is_specification {
        let imported = of_rows(path, read_rows(path, &bytes)?, form, Vec::new())?;
        return Ok(Imported { values: sorted(present(values.unwrap_or_default())), ..imported });
    }
    let wrong = |detail: String| DataError::hierarchy(path, None, detail);
    let specification = specification::read(&bytes).map_err(wrong)?;
    let mut notes = Vec::new();
    let rule = match (&specification, form) {
        (Specification::Intervals(intervals), Form::Toml) => Some((intervals.to_toml(), "bands of numbers")),
        (Specification::Redaction(redaction), Form::Toml) => {
            Some((redaction.to_toml(values), "a mask of codes"))
        }
        (Specification::Dates(dates), Form::Toml) => {
            notes.extend(dates.notes());
            values = values.filter(|_| dates.are_iso());
            Some((Ok(dates.to_toml()), "levels of dates"))
        }
        _ => None,
    };
    if let Some((text, summary)) = rule {
        let bytes = text.map_err(wrong)?.into_bytes();
        let values = sorted(present(values.unwrap_or_default()));
        return Ok(Imported { bytes, summary: summary.to_owned(), notes, values });
    }
    let listed = match &specification {
        Specification::Order(order) => order.listed(),
        _ => None,
    };
    let missing = || wrong("its labels depend on the values; add --values TABLE:COLUMN".to_owned());
    let given = values.or(listed).ok_or_else(missing)?;
    let present = present(given);
    if present.len() < given.len() {
        notes.push(NO_VALUE.to_owned());
    }
    if present.is_empty() {
        return Err(missing());
    }
    let rows = match &specification {
        Specification::Intervals(intervals) => intervals.rows(&present),
        Specification::Order(order) => order.rows(&present),
        Specification::Redaction(redaction) => Ok(redaction.rows(&present)),
        Specification::Dates(_) => Err("levels of dates are a rule; write a .toml file".to_owned()),
    };
    let imported = of_rows(path, rows.map_err(wrong)?, form, notes)?;
    Ok(Imported { values: sorted(present), ..imported })
}

/// The values without those that mean "no value" in ARX.
fn present(values: &[String]) -> Vec<String> {
    values.iter().filter(|value| is_value(value)).cloned().collect()
}

fn sorted(mut values: Vec<String>) -> Vec<String> {
    values.sort_unstable();
    values
}
