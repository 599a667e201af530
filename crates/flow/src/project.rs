//! The project file: the tables, δ, and the role of every attribute of one analysis.

mod definition;
mod attribute;
mod entity;
mod levels;
mod pseudonym;
mod readings;
mod source;
mod stated;
mod table;
mod error;
mod file;
mod policy;
pub(crate) mod lines;
#[cfg(test)]
mod tests;

use std::path::Path;

use palmtop_tables::error::line_of;
use palmtop_tables::input;

pub use self::definition::{Attribute, HierarchyFile, PriorSource, PrivateSource, Project, PublicTable};
pub use self::error::ProjectError;
use self::file::ProjectFile;
pub use self::source::{Connection, PublicSource, SourceRows};
pub use self::stated::{Attempt, Statements};
pub use self::table::table_spec;

impl Project {
    /// Reads and checks a project file.
    ///
    /// # Errors
    /// A [`ProjectError`] with the file, the line if there is one, the setting and the remedy.
    pub fn read(path: &Path) -> Result<Self, ProjectError> {
        let io = |source| ProjectError::Io { path: path.to_owned(), source };
        let bytes = input::read(path, input::MOST_TEXT).map_err(io)?;
        let toml = |line, detail| ProjectError::Toml { path: path.to_owned(), line, detail };
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = line_of(&bytes, error.valid_up_to());
            toml(Some(line), "not UTF-8; save the file as UTF-8".to_owned())
        })?;
        let written: ProjectFile = toml::from_str(text).map_err(|error| {
            let start = error.span().map(|span| span.start);
            let line = start.map(|start| line_of(text.as_bytes(), start));
            toml(
                line,
                error.message().replace('\n', "; ")
                    + start.and_then(|start| file::hint(text, start)).unwrap_or_default(),
            )
        })?;
        written.check(path, text).map_err(|detail| ProjectError::Setting { path: path.to_owned(), detail })
    }
}
