//! The project file: the tables, δ, and the role of every attribute of one analysis.

mod repeated;
mod definition;
mod attribute;
mod person;
mod levels;
mod limit;
mod pseudonym;
mod readings;
mod source;
mod stated;
mod rows;
mod table;
mod file;
mod policy;
pub(crate) mod lines;
#[cfg(test)]
pub(crate) mod tests;

use std::path::Path;

use palmtop_core::located::LocatedError;
use palmtop_tables::error::line_of;
use palmtop_tables::input;

pub use self::definition::{Attribute, HierarchyFile, PrivateSource, Project, PublicTable};
use self::file::ProjectFile;
pub use self::limit::Limit;
pub use self::repeated::{PersonColumn, Repeated};
pub(crate) use self::rows::set as set_rows;
pub use self::source::{Connection, PublicSource, SourceRows};
pub use self::stated::{Attempt, Statements};
pub use self::table::table_spec;

impl Project {
    /// Reads and checks a project file.
    ///
    /// # Errors
    /// A [`LocatedError`] with the file, the line if there is one, the setting and the remedy.
    pub fn read(path: &Path) -> Result<Self, LocatedError> {
        let io = |source: std::io::Error| LocatedError::cannot("read project", path, source);
        let bytes = input::read(path, input::MOST_TEXT).map_err(io)?;
        let wrong = |detail: String| LocatedError::new(detail).in_named("project", path);
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = line_of(&bytes, error.valid_up_to());
            wrong("not UTF-8; save the file as UTF-8".to_owned()).at_line(line)
        })?;
        let written: ProjectFile = toml::from_str(text).map_err(|error| {
            let start = error.span().map(|span| span.start);
            let hint = start.and_then(|start| file::hint(text, start)).unwrap_or_default();
            let message = error.message();
            let error = wrong(file::gone(message).unwrap_or_else(|| message.replace('\n', "; ") + hint));
            match start {
                Some(start) => error.at_line(line_of(text.as_bytes(), start)),
                None => error,
            }
        })?;
        written.check(path, text).map_err(wrong)
    }
}
