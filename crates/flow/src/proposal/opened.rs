//! Tables without settings: opened, surveyed, with the assumptions that were needed to read them.

use std::ops::ControlFlow;

use super::Ambiguity;
use super::listed::TableRows;
use super::survey::Survey;
use palmtop_tables::error::DataError;
use palmtop_tables::read::{Encoding, Listed, Table, TableSpec};
use palmtop_tables::trial;

/// A table with its survey.
#[derive(Clone, Debug)]
pub struct Opened {
    /// The rows of the table.
    pub table: TableRows,
    /// The result of one pass over the table.
    pub survey: Survey,
    /// The assumption about the encoding, if one was needed.
    pub assumed: Option<Ambiguity>,
}

impl Opened {
    /// Opens a table and surveys it. Text that is not UTF-8 is read as windows-1252 if no encoding is set and all its bytes are
    /// windows-1252. Then the project has this encoding, and [`assumed`](Self::assumed) reports it.
    ///
    /// # Errors
    /// A [`DataError`] with file and line if the table cannot be read; [`DataError::Cancelled`] if
    /// `progress`, which gets the number of read bytes and of all bytes, stops the work.
    pub fn read(
        spec: &TableSpec,
        which: &'static str,
        progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<Self, DataError> {
        trial::check_files(spec)?;
        let mut surveyed = |spec: &TableSpec| {
            let table = Table::open(spec)?;
            let total = table.size();
            // A small table is read before the first report of progress.
            if progress(0, total).is_break() {
                return Err(DataError::Cancelled);
            }
            let survey = Survey::of(&table, which, &mut |done| progress(done, total))?;
            Ok((table, survey))
        };
        match surveyed(spec) {
            Ok((table, survey)) => Ok(Self { table: TableRows::Files(table), survey, assumed: None }),
            Err(DataError::NotUtf8(wrong)) if spec.encoding.is_none() => {
                let assumed = TableSpec { encoding: Some(Encoding::Windows1252), ..spec.clone() };
                let refused = |_| DataError::NotUtf8(wrong.clone());
                let (table, survey) = surveyed(&assumed).map_err(|error| match error {
                    DataError::Cancelled => error,
                    error => refused(error),
                })?;
                let path = wrong.path.file_name().unwrap_or_default().to_string_lossy();
                let assumed = Ambiguity {
                    attribute: None,
                    what: format!("{path} is not UTF-8 (line {}), and is read as windows-1252", wrong.line),
                    remedy: "look at a value with accents; if it is wrong, correct `encoding` in the project"
                        .to_owned(),
                    choices: Vec::new(),
                };
                Ok(Self { table: TableRows::Files(table), survey, assumed: Some(assumed) })
            }
            Err(error) => Err(error),
        }
    }

    /// Surveys a table in memory.
    ///
    /// # Errors
    /// A [`DataError`] if the table has no rows.
    pub fn of_listed(listed: Listed, which: &'static str) -> Result<Self, DataError> {
        let survey = Survey::of_listed(&listed, which)?;
        Ok(Self { table: TableRows::Listed(listed), survey, assumed: None })
    }
}
