//! What a hierarchy file says by itself, without the values of a table.

use std::path::Path;

use super::domain::check_named_leaves;
use super::recipe::{read_file, read_recipe};
use crate::error::DataError;
use palmtop_core::model::{Hierarchy, Level};

/// The levels of a hierarchy file, and the values that it names itself, where it names any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its coarsest level.
    pub top: Level,
    /// How many values it names; `None` for one that is built from the data.
    pub leaves: Option<usize>,
}

impl Outline {
    /// Reads a hierarchy file and checks what can be checked without values: its form, that it nests, and that each of the
    /// texts that it names means one thing.
    ///
    /// # Errors
    /// A [`DataError`] that names the file, and the line and value where there is one.
    pub fn read(path: &Path) -> Result<Self, DataError> {
        Self::of_bytes(path, &read_file(path)?)
    }

    /// The same of what stands in a file; its name only says of what type it is.
    ///
    /// # Errors
    /// As [`read`](Self::read) has them.
    pub fn of_bytes(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let builder = read_recipe(path, bytes, &[], Level(0))?;
        let model = |source| DataError::Hierarchy { path: path.to_owned(), source };
        Hierarchy::check_height(builder.height() + 1).map_err(model)?;
        check_named_leaves(builder.as_ref()).map_err(model)?;
        Ok(Self { top: builder.top(), leaves: builder.named_leaves().map(|leaves| leaves.len()) })
    }
}
