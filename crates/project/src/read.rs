//! Reads a project file.

use std::path::Path;

use palmtop_core::located::LocatedError;
use palmtop_tables::error::line_of;
use palmtop_tables::input;

use crate::file::{self, ProjectFile};
use crate::{Project, older};

impl Project {
    /// Reads and checks a project file. Keys of older projects are read as those of today that replaced them;
    /// [`older`](Self::older) has their lines.
    ///
    /// # Errors
    /// A [`LocatedError`] with the file, the line if there is one, the setting and the remedy.
    pub fn read(path: &Path) -> Result<Self, LocatedError> {
        Self::from_text(path, &read_text(path)?)
    }

    /// Reads and checks the text of a project file, as [`read`](Self::read).
    ///
    /// # Errors
    /// A [`LocatedError`] with the file, the line if there is one, the setting and the remedy.
    pub fn from_text(path: &Path, text: &str) -> Result<Self, LocatedError> {
        let wrong = |detail: String| LocatedError::new(detail).in_named("project", path);
        let Some(today) = older::rewritten(text).map_err(wrong)? else { return Self::of_text(path, text) };
        let project = Self::of_text(path, &today).map_err(|error| {
            // A line of the rewritten text need not be the same line of the file.
            let is_same = today.lines().count() == text.lines().count();
            if is_same { error } else { wrong(error.problem().to_owned()) }
        })?;
        Ok(Self { older: older::changed_lines(text, &today), ..project })
    }

    /// The text of a project file in the keys of today; `None` if it has no older key. It is the same project.
    ///
    /// # Errors
    /// The file can no longer be read, or its text of today would be another project.
    pub fn rewritten(&self) -> Result<Option<String>, LocatedError> {
        let wrong = |detail: String| LocatedError::new(detail).in_named("project", &self.path);
        let Some(today) = older::rewritten(&read_text(&self.path)?).map_err(wrong)? else { return Ok(None) };
        let project = Self::of_text(&self.path, &today)?;
        if (Self { older: self.older.clone(), ..project }) == *self {
            return Ok(Some(today));
        }
        Err(wrong("its lines cannot be rewritten; write them as `palmtop check` lists them".to_owned()))
    }

    fn of_text(path: &Path, text: &str) -> Result<Self, LocatedError> {
        let wrong = |detail: String| LocatedError::new(detail).in_named("project", path);
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

fn read_text(path: &Path) -> Result<String, LocatedError> {
    let io = |source: std::io::Error| LocatedError::cannot("read project", path, source);
    let bytes = input::read(path, input::MOST_TEXT).map_err(io)?;
    String::from_utf8(bytes).map_err(|error| {
        let line = line_of(error.as_bytes(), error.utf8_error().valid_up_to());
        let wrong =
            LocatedError::new("not UTF-8; save the file as UTF-8".to_owned()).in_named("project", path);
        wrong.at_line(line)
    })
}
