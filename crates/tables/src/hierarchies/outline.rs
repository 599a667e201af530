//! The content of a hierarchy file, without the values of a table.

use std::path::Path;

use super::domain::check_named_leaves;
use super::recipe::{read_file, read_recipe};
use crate::error::DataError;
use palmtop_core::model::{Hierarchy, Level};

/// The levels of a hierarchy file, and the number of values that it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its coarsest level.
    pub top: Level,
    /// The number of named values; `None` if the hierarchy is built from the data.
    pub leaves: Option<usize>,
}

impl Outline {
    /// Reads a hierarchy file and checks what needs no values: its form, that it nests, and that
    /// each named text has one meaning.
    ///
    /// # Errors
    /// A [`DataError`] with the file, and with line and value if known.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        Self::of_bytes(path, &read_file(path)?)
    }

    /// As [`read`](Self::read), for given bytes; the path only determines the type.
    ///
    /// # Errors
    /// As [`read`](Self::read).
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let builder = read_recipe(path, bytes, &[], Level(0))?;
        let model = DataError::hierarchy_model(path);
        Hierarchy::check_height(builder.height() + 1).map_err(&model)?;
        check_named_leaves(builder.as_ref()).map_err(model)?;
        Ok(Self { top: builder.top(), leaves: builder.named_leaves().map(|leaves| leaves.len()) })
    }
}
