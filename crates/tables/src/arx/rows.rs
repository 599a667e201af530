//! The file of a hierarchy with a row of labels for each value.

use std::path::Path;
use std::sync::Arc;

use crate::error::DataError;
use crate::hierarchies::{arx, tree_of};
use palmtop_core::model::hierarchy::reads_as_side;
use palmtop_core::model::{Hierarchy, Kind, Level};
use palmtop_core::words::plural;

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
    /// A tree of values.
    Toml,
    /// A line for each value.
    Csv,
}

/// The note on values that mean "no value" in ARX.
pub(super) const NO_VALUE: &str =
    "an empty text or NULL is no value here: declare it with `missing` in the project";

/// Whether a text is a value in ARX.
pub(super) fn is_value(text: &str) -> bool {
    !text.is_empty() && !text.eq_ignore_ascii_case("null")
}

/// The file of a hierarchy with a row of labels for each value.
pub(super) fn of_rows(path: &Path, mut rows: Vec<Vec<String>>, form: Form) -> Result<Imported, DataError> {
    let mut notes = Vec::new();
    let mut renamed = 0;
    for label in rows.iter_mut().flat_map(|row| row.iter_mut().skip(1)) {
        if reads_as_side(label).is_some() {
            *label = readable(label);
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

/// A label that reads as a range or a set of a release, in other words: `[0, 10]` becomes `0 to 10`,
/// and `{a, b}` becomes `a, b`.
pub fn readable(text: &str) -> String {
    let inner = || text[1..text.len() - 1].to_owned();
    match reads_as_side(text) {
        Some("range") => inner().replacen(", ", " to ", 1),
        Some(_) if text.starts_with('{') => inner(),
        Some(_) => text.replace(['{', '}'], ""),
        None => text.to_owned(),
    }
}
