//! What is looked at before the rows of a file: its first lines, its separator and its names.

use std::collections::HashSet;
use std::io::Read;
use std::path::Path;

use super::bytes::text;
use super::records::{self, Records};
use super::{bad_lines, beginning, scan};
use crate::error::DataError;
use crate::error::doubts::{Doubt, DoubtKind, Doubts};
use crate::source::form::FromLine;
use crate::source::rows::Header;
use crate::source::spec::TableSpec;
use palmtop_core::located::LocatedError;
use palmtop_core::progress::{Meter, unwatched};

/// Refuses a table of which the project does not say whether all rows are people.
pub(super) fn settled(
    path: &Path,
    spec: &TableSpec,
    unit: &'static str,
    list: Vec<Doubt>,
) -> Result<(), DataError> {
    if list.is_empty() || spec.rows.all_count {
        return Ok(());
    }
    let is_one_of_several = spec.paths.len() > 1;
    let doubts = Doubts { file: path.to_owned(), unit, is_one_of_several, list };
    Err(DataError::Doubts(Box::new(doubts.names_first())))
}

/// Refuses a CSV file whose first line does not have the names, unless the project says which has.
pub(super) fn check_beginning(path: &Path, spec: &TableSpec) -> Result<(), DataError> {
    if spec.header_row.is_some() {
        return Ok(());
    }
    let mut start = Vec::new();
    let mut unwatched = unwatched;
    let input = text(path, spec, None, &mut unwatched)?;
    input.take(beginning::LENGTH).read_to_end(&mut start).map_err(DataError::io("read", path))?;
    let doubt = beginning::doubt(&start, spec.separator, spec.quote.mark());
    settled(path, spec, "line", doubt.into_iter().collect())
}

/// The separator of a CSV file: that of the project, or the most likely one.
pub(super) fn separator(path: &Path, spec: &TableSpec) -> Result<u8, DataError> {
    if let Some(separator) = spec.separator {
        return Ok(separator);
    }
    let mut unwatched = unwatched;
    let input = FromLine::new(text(path, spec, None, &mut unwatched)?, spec.header_row.unwrap_or(1).into());
    records::sniff_separator(input, spec.quote.mark()).map_err(DataError::io("read", path))
}

/// The column names of a CSV file.
pub(super) fn header(path: &Path, spec: &TableSpec, separator: u8) -> Result<Vec<String>, DataError> {
    let meter: &mut Meter = &mut unwatched;
    let line = spec.header_row.unwrap_or(1).into();
    let input = FromLine::new(text(path, spec, None, meter)?, line);
    let mut records = Records::at_line(path, separator, spec.quote.mark(), line, input);
    loop {
        let first = records.next().map_err(|error| bad_lines::all(error, path, spec, separator, None))?;
        let Some(first) = first else { return Err(no_header(path)) };
        if spec.rows.header.is_in_file() {
            return first.texts(&[]).map(|name| name.map(ToOwned::to_owned)).collect();
        }
        // The first person has as many fields as there are columns.
        if !spec.rows.leaves_out(first.line, first.cells()) {
            let names = spec.rows.header.names(first.len());
            return names.map_err(|problem| LocatedError::new(problem).in_file(path).into());
        }
    }
}

/// Checks the columns of a table: at least one, each name once. One that occurs twice, among others
/// that look like values, is a value; one name alone is a title.
pub(super) fn checked(
    path: &Path,
    spec: &TableSpec,
    unit: &'static str,
    columns: Vec<String>,
) -> Result<Vec<String>, DataError> {
    if columns.is_empty() {
        return Err(no_header(path));
    }
    let mut seen = HashSet::new();
    let Some(column) = columns.iter().find(|name| !seen.insert(*name)) else { return Ok(columns) };
    let line = spec.header_row.unwrap_or(1).into();
    let texts: Vec<String> = columns.iter().filter(|name| !name.trim().is_empty()).cloned().collect();
    let kind = if texts.len() == 1 && spec.header_row.is_none() {
        Some(DoubtKind::Title { names: line + 1 })
    } else {
        let are_values =
            spec.rows.header == Header::Unsaid && columns.iter().any(|name| scan::is_value(name));
        are_values.then_some(DoubtKind::Header)
    };
    settled(path, spec, unit, kind.map(|kind| Doubt { kind, number: line, texts }).into_iter().collect())?;
    Err(LocatedError::new(format!("column `{column}` occurs twice"))
        .in_file(path)
        .at_line(line)
        .remedy("rename one, or write `header = false` in the project if these are no names")
        .into())
}

fn no_header(path: &Path) -> DataError {
    LocatedError::new("the file is empty")
        .in_file(path)
        .expected("a header line with the column names")
        .into()
}
