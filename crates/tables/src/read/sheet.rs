//! Workbooks: one sheet of an .xlsx, .xls or .ods file, decoded by `calamine`; each cell is text.
//!
//! Refuses a sheet that is not plainly a table, with the cell: a column without a name, a cell
//! outside the columns, an empty row between others, merged cells, errors, formulas without a
//! computed value.

mod cells;
mod text;

use palmtop_core::located::{LocatedError, Position};
use std::path::Path;

use polars::prelude::*;

use super::guard::guarded;
use crate::error::DataError;
use crate::source::spec::Format;
use cells::{Cells, Sheets, address};

/// A decoded sheet: its columns, and the texts of its cells in one string.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    columns: Vec<String>,
    rows: usize,
    /// All texts, row by row, and the end of each.
    texts: String,
    ends: Vec<usize>,
}

impl Sheet {
    /// Reads a sheet from the bytes of a workbook: the named one, or the only one. `header_row` has
    /// the column names, from 1.
    pub(crate) fn new(
        path: &Path,
        format: Format,
        bytes: Vec<u8>,
        name: Option<&str>,
        header_row: Option<u32>,
    ) -> Result<Self, DataError> {
        let sheets = guarded(path, || Sheets::open(format, bytes))?;
        let name = choose(path, sheets.names(), name)?;
        let cells = guarded(path, || sheets.read(&name))?;
        let header_row = header_row.unwrap_or(1);
        Self::of(&cells, header_row).map_err(|(cell, detail)| {
            let error = LocatedError::new(detail).in_file(path).at(Position::Sheet(name));
            let cell = cell.map(|(row, column)| Position::Cell(address(row, column)));
            cell.into_iter().fold(error, LocatedError::at).into()
        })
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The text at a row, from 0, and a column.
    fn text(&self, row: usize, column: usize) -> &str {
        let index = row * self.columns.len() + column;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.texts[start..self.ends[index]]
    }

    /// The sheet as a frame of texts.
    ///
    /// # Errors
    /// If two columns have the same name.
    pub(crate) fn frame(&self) -> PolarsResult<DataFrame> {
        let columns = self.columns.iter().enumerate().map(|(column, name)| {
            let mut texts = StringChunkedBuilder::new(name.as_str().into(), self.rows);
            (0..self.rows).for_each(|row| texts.append_value(self.text(row, column)));
            texts.finish().into_column()
        });
        DataFrame::new(self.rows, columns.collect())
    }
}

/// The trial of a workbook: decodes one sheet, or all.
pub(super) fn attempt(
    path: &Path,
    format: Format,
    bytes: &[u8],
    name: Option<&str>,
) -> Result<(), DataError> {
    let sheets = guarded(path, || Sheets::open(format, bytes.to_vec()))?;
    let names = match name {
        Some(name) => vec![name.to_owned()],
        None => sheets.names().to_vec(),
    };
    for name in names {
        guarded(path, || Sheets::open(format, bytes.to_vec())?.read(&name).map(drop))?;
    }
    Ok(())
}

/// The sheet to read.
fn choose(path: &Path, names: &[String], wanted: Option<&str>) -> Result<String, DataError> {
    let wrong = |detail: String| DataError::from(LocatedError::new(detail).in_file(path));
    let listed = || names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    match (wanted, names) {
        (_, []) => Err(wrong("no sheet has cells".to_owned())),
        (Some(wanted), _) if names.iter().any(|name| name == wanted) => Ok(wanted.to_owned()),
        (Some(wanted), _) => Err(wrong(format!(
            "no sheet {wanted:?}; the file has {}; correct the project's `sheet`",
            listed()
        ))),
        (None, [only]) => Ok(only.clone()),
        (None, _) => Err(wrong(format!(
            "several sheets: {}; choose one in the project: `sheet = {:?}`",
            listed(),
            names[0]
        ))),
    }
}

/// The row and column of a cell, from 0, and what is wrong there.
type Wrong = (Option<(u32, u32)>, String);

impl Sheet {
    fn of(cells: &Cells, header_row: u32) -> Result<Self, Wrong> {
        let header = header_row - 1;
        let say = "set `header_row` in the project to the row with the column names";
        let empty = || (None, format!("row {header_row} is empty; {say}"));
        let names: Vec<_> = cells.list.iter().filter(|cell| cell.row == header).collect();
        let (Some(first), Some(last)) = (names.first(), names.last()) else { return Err(empty()) };
        let (first, last) = (first.column, last.column);
        if let Some(&start) = cells.merged.iter().find(|(_, end)| end.0 >= header).map(|(start, _)| start) {
            return Err((Some(start), "merged cells; unmerge them, and give each its value".to_owned()));
        }
        let mut sheet = Self::default();
        for (expected, cell) in (first..).zip(names) {
            if cell.column != expected {
                return Err((
                    Some((header, expected)),
                    format!("a column without a name; give it one, or {say}"),
                ));
            }
            sheet
                .columns
                .push(text::of(&cell.value).map_err(|detail| (Some((header, cell.column)), detail))?);
        }
        let width = sheet.columns.len();
        for cell in cells.list.iter().filter(|cell| cell.row > header) {
            let at = Some((cell.row, cell.column));
            if !(first..=last).contains(&cell.column) {
                let detail =
                    "the cell is outside the table's columns; give its column a name, or clear the cell";
                return Err((at, detail.to_owned()));
            }
            let row = (cell.row - header - 1) as usize;
            if row > sheet.rows {
                let detail = format!("row {} is empty; remove it", header as usize + 2 + sheet.rows);
                return Err((None, detail));
            }
            // Cells between two cells are blank.
            sheet.blank_until(row * width + (cell.column - first) as usize);
            sheet.texts.push_str(&text::of(&cell.value).map_err(|detail| (at, detail))?);
            sheet.ends.push(sheet.texts.len());
            sheet.rows = row + 1;
        }
        sheet.blank_until(sheet.rows * width);
        Ok(sheet)
    }

    fn blank_until(&mut self, width: usize) {
        self.ends.resize(width.max(self.ends.len()), self.texts.len());
    }
}

#[cfg(test)]
mod tests;
