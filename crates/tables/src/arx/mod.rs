//! Hierarchies of ARX as hierarchies of palmtop: CSV files, and hierarchy specifications (`.ahs`).

mod java;
mod object;
mod label;
mod part;
mod dates;
mod redaction;
mod order;
mod intervals;
mod specification;

use std::path::Path;
use std::sync::Arc;

use self::specification::Specification;
use crate::error::DataError;
use crate::hierarchies::{self, arx, read_rows, tree_of};
use palmtop_core::model::hierarchy::reads_as_side;
use palmtop_core::model::{Hierarchy, Kind, Level};
use palmtop_core::words::plural;

#[cfg(test)]
mod tests;

/// A hierarchy of ARX as a file of palmtop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The content of the file.
    pub bytes: Vec<u8>,
    /// What the file has, in a few words.
    pub summary: String,
    /// What differs from ARX, each as a sentence without its end.
    pub notes: Vec<String>,
    /// The values that the file must have, sorted. Empty if there are none, or if a project must
    /// first declare how they are read.
    pub values: Vec<String>,
}

/// The form of the file to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A rule, or a tree of values.
    Toml,
    /// A line for each value.
    Csv,
}

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
        notes.push(
            "an empty text or NULL is no value here: declare it with `missing` in the project".to_owned(),
        );
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
    let is_value = |value: &&String| !value.is_empty() && !value.eq_ignore_ascii_case("null");
    values.iter().filter(is_value).cloned().collect()
}

fn sorted(mut values: Vec<String>) -> Vec<String> {
    values.sort_unstable();
    values
}

/// The file of a hierarchy with a row of labels for each value.
fn of_rows(
    path: &Path,
    mut rows: Vec<Vec<String>>,
    form: Form,
    mut notes: Vec<String>,
) -> Result<Imported, DataError> {
    let mut renamed = 0;
    for label in rows.iter_mut().flat_map(|row| row.iter_mut().skip(1)) {
        if reads_as_side(label).is_some() {
            *label = label::readable(label);
            renamed += 1;
        }
    }
    if renamed > 0 {
        notes.push(format!(
            "{} read as a range or a set of a release, and are renamed: `[0, 10]` to `0 to 10`, `{{a, b}}` to `a, b`",
            plural(renamed, "cell")
        ));
    }
    let is_top_shared = rows.windows(2).all(|pair| pair[0].last() == pair[1].last());
    if !is_top_shared {
        for row in &mut rows {
            row.push("*".to_owned());
        }
    }
    let chains: Vec<Vec<Arc<str>>> =
        rows.iter().map(|row| row.iter().map(|label| Arc::from(label.as_str())).collect()).collect();
    let model = DataError::hierarchy_model(path);
    let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).map_err(model)?;
    let bytes = match form {
        Form::Toml => tree_of(&chains).into_bytes(),
        Form::Csv => {
            arx::to_csv(&hierarchy).map_err(|error| DataError::hierarchy(path, None, error.to_string()))?
        }
    };
    let (values, levels) = (hierarchy.leaf_count() as u64, hierarchy.levels().count() as u64);
    let summary = format!("{}, {}", plural(values, "value"), plural(levels, "level"));
    Ok(Imported { bytes, summary, notes, values: Vec::new() })
}
