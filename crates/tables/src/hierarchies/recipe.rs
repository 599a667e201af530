//! A hierarchy file and its type.

use std::path::Path;

use serde::Deserialize;

use super::builder::HierarchyBuilder;
use super::date::DateLevels;
use super::flat::Flat;
use super::interval::Intervals;
use super::mask::Mask;
use super::table::Table;
use super::tree::Tree;
use crate::error::{DataError, NotUtf8, line_of};
use crate::source::input;
use palmtop_core::model::Level;

/// The bytes of a hierarchy file.
///
/// # Errors
/// A [`DataError`] if the file is missing, too large for a text, or not a regular file.
pub fn read_file(path: &Path) -> Result<Vec<u8>, DataError> {
    input::read(path, input::MOST_TEXT).map_err(DataError::io("read hierarchy", path))
}

/// The one key of all hierarchies in TOML.
#[derive(Deserialize)]
pub(super) struct TypeOnly {
    r#type: String,
}

pub(super) fn read_recipe(
    path: &Path,
    bytes: &[u8],
    public: &[String],
    base: Level,
) -> Result<Box<dyn HierarchyBuilder>, DataError> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if extension.eq_ignore_ascii_case("csv") {
        return Ok(Box::new(Table::read(path, bytes)?));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = line_of(bytes, error.valid_up_to());
        DataError::NotUtf8(Box::new(NotUtf8::new(path, line, None, bytes, error))).of_hierarchy()
    })?;
    if !extension.eq_ignore_ascii_case("toml") {
        let detail =
            "expected a name ending in .csv (as ARX writes hierarchies) or .toml (built from the data)";
        return Err(DataError::hierarchy(path, None, detail));
    }
    let wrong = |detail: String| DataError::hierarchy(path, None, detail);
    let TypeOnly { r#type } = from_toml(path, text)?;
    Ok(match r#type.as_str() {
        "interval" => Box::new(Intervals::new(&from_toml(path, text)?, text, public, base).map_err(wrong)?),
        "mask" => Box::new(Mask::new(&from_toml(path, text)?).map_err(wrong)?),
        "date" => Box::new(DateLevels::new(from_toml(path, text)?).map_err(wrong)?),
        "tree" => Box::new(Tree::new(&from_toml(path, text)?).map_err(wrong)?),
        "flat" => Box::new(Flat::new(&from_toml(path, text)?, public, base)),
        other => {
            let types = "interval, mask, date, tree and flat";
            return Err(wrong(format!("type `{other}` is unknown; types are {types}")));
        }
    })
}

pub(super) fn from_toml<T: serde::de::DeserializeOwned>(path: &Path, text: &str) -> Result<T, DataError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
        DataError::hierarchy(path, line, error.message().replace('\n', "; "))
    })
}
