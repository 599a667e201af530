//! Workbooks: one sheet of an .xlsx or .xls file, decoded by `calamine`; each cell is text.
//!
//! Refuses a sheet that is not plainly a table, with the cell: a column without a name, a cell
//! outside the columns, an empty row between others, merged cells, formulas without a computed value.
//! A column with a cell that has no text, such as an error, is refused when the project uses it.

mod cells;
mod hidden;
mod long;
mod text;

use palmtop_core::located::{LocatedError, Position};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polars::prelude::*;

use super::guard::guarded;
use super::scan::{Scan, is_value};
use crate::error::DataError;
use crate::error::doubts::{Doubt, DoubtKind};
use crate::source::rows::{Header, RowRules};
use crate::source::spec::{Format, TableSpec};
use cells::{Cell, Cells, Sheets, address};

/// A decoded sheet: its columns, and the texts of its cells in one string.
#[derive(Debug, Default)]
pub(crate) struct Sheet {
    columns: Vec<String>,
    rows: usize,
    /// All texts, row by row, and the end of each.
    texts: String,
    ends: Vec<usize>,
    /// The row of the sheet with the names; 0 if it has none.
    header: u64,
    /// The number of each row in the sheet, from 1.
    numbers: Vec<u64>,
    /// The rows that are left out, from 1 after the names.
    left_out: Vec<u64>,
    /// Rows of which the cells alone show that they may be no people.
    doubts: Vec<Doubt>,
    /// The first cell of each column that has no text, and why.
    textless: BTreeMap<usize, ((u32, u32), String)>,
}

/// A column of a sheet with a cell that has no text.
#[derive(Clone, Debug)]
pub(super) struct Textless {
    pub(super) column: String,
    sheet: String,
    /// The first such cell.
    cell: String,
    detail: String,
}

impl Textless {
    /// The error of a column that is used.
    pub(super) fn error(&self, path: &Path) -> DataError {
        let error = LocatedError::new(&self.detail).in_file(path).at(Position::Sheet(self.sheet.clone()));
        error.at(Position::Cell(self.cell.clone())).into()
    }
}

impl Sheet {
    /// Reads a sheet from the bytes of a workbook: the named one, or the only one. Also returns its
    /// columns with cells that have no text.
    pub(super) fn new(
        path: &Path,
        format: Format,
        bytes: &[u8],
        spec: &TableSpec,
    ) -> Result<(Self, Vec<Textless>), DataError> {
        let sheets = guarded(path, || Sheets::open(format, bytes.to_vec()))?;
        let name = choose(path, sheets.names(), spec.sheet.as_deref())?;
        let mut cells = guarded(path, || sheets.read(&name))?;
        cells.hidden = guarded(path, || hidden::rows(format, bytes, &name))?;
        let sheet = Self::of(&mut cells, spec.header_row, &spec.rows).map_err(|(cell, detail)| {
            let error = LocatedError::new(detail).in_file(path).at(Position::Sheet(name.clone()));
            let cell = cell.map(|(row, column)| Position::Cell(address(row, column)));
            DataError::from(cell.into_iter().fold(error, LocatedError::at))
        })?;
        let textless = sheet.textless.iter().map(|(&column, ((row, at), detail))| Textless {
            column: sheet.columns[column].clone(),
            sheet: name.clone(),
            cell: address(*row, *at),
            detail: detail.clone(),
        });
        let textless = textless.collect();
        Ok((sheet, textless))
    }

    pub(crate) fn columns(&self) -> &[String] {
        &self.columns
    }

    /// The rows that are left out, from 1 after the names.
    pub(crate) fn left_out(&self) -> &[u64] {
        &self.left_out
    }

    /// The rows that may be no people.
    pub(crate) fn doubts(&self, rules: &RowRules) -> Vec<Doubt> {
        let mut scan = Scan::new(&self.columns, rules);
        for (row, &number) in self.numbers.iter().enumerate() {
            let texts: Vec<&str> = (0..self.columns.len()).map(|column| self.text(row, column)).collect();
            scan.look(number, texts.into_iter());
        }
        scan.finish(self.header).into_iter().chain(self.doubts.iter().cloned()).collect()
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
    fn of(cells: &mut Cells, header_row: Option<u32>, rules: &RowRules) -> Result<Self, Wrong> {
        if header_row.is_none()
            && let Some(doubt) = title(&cells.list)
        {
            // Nothing else of the sheet can be judged before.
            return Ok(Self { columns: vec![String::new()], doubts: vec![doubt], ..Self::default() });
        }
        let header_row = header_row.unwrap_or(1);
        let header = header_row - 1;
        if rules.header == Header::Unsaid
            && let Some(doubt) = person(&cells.list, header)
        {
            return Ok(Self { columns: vec![String::new()], doubts: vec![doubt], ..Self::default() });
        }
        if let Some(&start) = cells.merged.iter().find(|(_, end)| end.0 >= header).map(|(start, _)| start) {
            return Err((Some(start), "merged cells; unmerge them, and give each its value".to_owned()));
        }
        let mut sheet = Self::default();
        let first = if rules.header.is_in_file() {
            sheet.header = header_row.into();
            sheet.name(cells, header)?
        } else {
            let columns = || cells.list.iter().filter(|cell| cell.row >= header).map(|cell| cell.column);
            let empty = || (None, format!("there is nothing from row {header_row} on"));
            let (first, last) = (columns().min().ok_or_else(empty)?, columns().max().ok_or_else(empty)?);
            sheet.columns =
                rules.header.names((last - first) as usize + 1).map_err(|detail| (None, detail))?;
            first
        };
        let mut next = header + u32::from(rules.header.is_in_file());
        let list: Vec<&Cell> = cells.list.iter().filter(|cell| cell.row >= next).collect();
        sheet.doubts.extend(hidden(&list, &cells.hidden).filter(|_| rules.hidden_are_people.is_none()));
        let is_hidden = |row: u32| rules.hidden_are_people == Some(false) && cells.hidden.contains(&row);
        let (mut rest, mut nth) = (list.as_slice(), 0);
        while let Some(cell) = rest.first() {
            let end = rest.iter().position(|other| other.row != cell.row).unwrap_or(rest.len());
            let (row, after) = rest.split_at(end);
            let texts: Vec<String> = row.iter().map(|cell| text::shown(&cell.value)).collect();
            let number = u64::from(cell.row) + 1;
            if is_hidden(cell.row) || rules.leaves_out(number, texts.iter().map(String::as_str)) {
                nth += 1;
                sheet.left_out.push(nth);
            } else if cell.row > next
                && sheet.is_note(rest)
                && !rules.keeps(number, texts.iter().map(String::as_str))
            {
                sheet.doubts.push(Doubt { kind: DoubtKind::Sparse, number, texts });
            } else {
                if cell.row > next {
                    return Err((None, format!("row {} is empty; remove it", next + 1)));
                }
                nth += 1;
                sheet.add(row, first, &texts)?;
            }
            (rest, next) = (after, cell.row + 1);
        }
        Ok(sheet)
    }

    /// Takes the names of the columns from a row; returns the first column.
    fn name(&mut self, cells: &Cells, header: u32) -> Result<u32, Wrong> {
        let say = "set `header_row` in the project to the row with the column names";
        let names: Vec<_> = cells.list.iter().filter(|cell| cell.row == header).collect();
        let empty = || (None, format!("row {} is empty; {say}", header + 1));
        let first = names.first().ok_or_else(empty)?.column;
        for (expected, cell) in (first..).zip(names) {
            let at = |column| Some((header, column));
            if cell.column != expected {
                return Err((at(expected), format!("a column without a name; give it one, or {say}")));
            }
            self.columns.push(text::of(&cell.value).map_err(|detail| (at(cell.column), detail))?);
        }
        Ok(first)
    }

    /// Adds a row of people.
    fn add(&mut self, row: &[&Cell], first: u32, texts: &[String]) -> Result<(), Wrong> {
        let width = self.columns.len();
        for (cell, text) in row.iter().zip(texts) {
            let at = Some((cell.row, cell.column));
            let column = cell.column.checked_sub(first).map(|column| column as usize);
            let Some(column) = column.filter(|&column| column < width) else {
                let detail =
                    "the cell is outside the table's columns; give its column a name, or clear the cell";
                return Err((at, detail.to_owned()));
            };
            if let Err(detail) = text::of(&cell.value) {
                self.textless.entry(column).or_insert(((cell.row, cell.column), detail));
            }
            // Cells between two cells are blank.
            self.blank_until(self.rows * width + column);
            self.texts.push_str(text);
            self.ends.push(self.texts.len());
        }
        self.rows += 1;
        self.blank_until(self.rows * width);
        self.numbers.extend(row.first().map(|cell| u64::from(cell.row) + 1));
        Ok(())
    }

    /// Whether the rest of a sheet, after empty rows, is a note: a few rows of one or two cells.
    fn is_note(&self, rest: &[&Cell]) -> bool {
        let in_row = |row: u32| rest.iter().filter(|cell| cell.row == row).count();
        let is_word = |cell: &&Cell| text::of(&cell.value).is_ok_and(|text| !is_value(&text));
        self.rows > 0
            && rest.first().is_some_and(is_word)
            && rest.len() <= 10
            && rest.iter().all(|cell| in_row(cell.row) <= 2 && in_row(cell.row) < self.columns.len().max(2))
    }

    fn blank_until(&mut self, width: usize) {
        self.ends.resize(width.max(self.ends.len()), self.texts.len());
    }
}

/// The hidden rows with cells, if there are any.
fn hidden(list: &[&Cell], hidden: &BTreeSet<u32>) -> Option<Doubt> {
    let rows: BTreeSet<u32> = list.iter().map(|cell| cell.row).filter(|row| hidden.contains(row)).collect();
    let (first, end) = (u64::from(*rows.first()?) + 1, u64::from(*rows.last()?) + 1);
    let kind = DoubtKind::Hidden { rows: rows.len() as u64 };
    Some(Doubt { kind, number: first, texts: vec![format!("from row {first} to row {end}")] })
}

/// A person in the row of the names, if a column with values lacks a name there, and another name
/// looks like a value.
fn person(cells: &[Cell], header: u32) -> Option<Doubt> {
    let names: Vec<&Cell> = cells.iter().filter(|cell| cell.row == header).collect();
    let texts: Vec<String> = names.iter().map(|cell| text::of(&cell.value).unwrap_or_default()).collect();
    if !texts.iter().any(|name| is_value(name)) {
        return None;
    }
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for cell in cells.iter().filter(|cell| cell.row > header) {
        *counts.entry(cell.column).or_default() += 1;
    }
    let rows = cells.iter().map(|cell| cell.row).filter(|&row| row > header).collect::<BTreeSet<_>>().len();
    // A few cells beside a table are no column.
    let lacks_name = |(&column, &count): (&u32, &usize)| {
        2 * count >= rows && names.iter().all(|cell| cell.column != column)
    };
    counts.iter().any(lacks_name).then(|| Doubt {
        kind: DoubtKind::Header,
        number: u64::from(header) + 1,
        texts,
    })
}

/// A title in the first row, if a row below it has the names.
fn title(cells: &[Cell]) -> Option<Doubt> {
    let first = cells.first()?;
    let row = |row: u32| cells.iter().filter(move |cell| cell.row == row);
    let texts = |number: u32| -> Vec<String> {
        row(number).map(|cell| text::of(&cell.value).unwrap_or_default()).collect()
    };
    let names = (first.row + 1..=first.row + 10).find(|&number| row(number).count() > 1)?;
    let are_names = texts(names).iter().all(|name| !is_value(name));
    let is_title = first.row == 0 && (first.row..names).all(|number| row(number).count() <= 1);
    let is_table = row(names + 1).count() > 1;
    (is_title && are_names && is_table).then(|| Doubt {
        kind: DoubtKind::Title { names: u64::from(names) + 1 },
        number: 1,
        texts: texts(first.row),
    })
}

#[cfg(test)]
pub(crate) mod tests;
