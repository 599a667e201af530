//! Reads a sheet of a workbook. A library decodes the cells; this module decides their texts.

mod hidden;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Cursor};
use std::path::Path;

use calamine::{Data, Range, Reader, SheetType, Xls, Xlsx};

use self::hidden::hidden;
use super::doubtful::{Doubtful, refusal, starts_with_digit};
use super::guard::{broken, caught};
use super::position::{Position, Visitor};
use super::rows_source::RowsSource;
use super::text::LONGEST;
use super::typed::{date, instant};
use crate::problems::VerifyError;

/// A sheet as a table.
#[derive(Debug)]
pub(crate) struct Sheet {
    pub(crate) columns: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The rows that the project leaves out.
    pub(crate) left_out: u64,
    /// The columns with a value that has no text, by their index, and where the first one is.
    without_text: BTreeMap<usize, String>,
}

/// The non-empty cells of a sheet, by row and column, from 0.
struct Cells {
    rows: BTreeMap<u32, BTreeMap<u32, Data>>,
    /// The last row of each merged area.
    merged: Vec<u32>,
    /// The rows that are hidden, from 1.
    hidden: BTreeSet<u64>,
    /// Whether days are counted from 1904 instead of 1900.
    is_1904: bool,
}

impl Sheet {
    pub(crate) fn of(
        path: &Path,
        ending: &str,
        bytes: &[u8],
        name: Option<&str>,
        header_row: Option<u32>,
        rows_source: &RowsSource,
    ) -> Result<Self, VerifyError> {
        let names = caught(path, || Ok(sheets(ending, bytes)?.0))?;
        let name = match (name, names.as_slice()) {
            (Some(name), _) if names.iter().any(|known| known == name) => name,
            (None, [only]) => only,
            _ => {
                return Err(broken(
                    path,
                    &format!("it has the sheets {names:?}; name one with `sheet` in the project"),
                ));
            }
        };
        let mut cells = caught(path, || sheets(ending, bytes)?.1(name))?;
        cells.hidden = caught(path, || hidden(ending, bytes, name))?;
        let below = u64::from(header_row.unwrap_or(1));
        let is_counted =
            |row: &&u64| **row > below && cells.rows.keys().any(|number| u64::from(*number) + 1 == **row);
        if rows_source.hidden_are_people.is_none()
            && let Some(row) = cells.hidden.iter().find(is_counted)
        {
            return Err(refusal(path, "row", *row, "the workbook hides rows", &[])
                .remedy("write `hidden_rows = \"keep\"` under its path in the project if they are people, else `hidden_rows = \"leave_out\"`")
                .into());
        }
        if header_row.is_none()
            && let Some((names, title)) = title(&cells)
        {
            return Err(refusal(path, "row", 1, "a title", &[title])
                .remedy(format!("write `header_row = {names}` under its path in the project if the names are there, else `header_row = 1`"))
                .into());
        }
        let (sheet, numbers) = Self::arranged(&cells, header_row, rows_source)
            .map_err(|detail| broken(path, &format!("sheet `{name}`: {detail}")))?;
        let mut doubtful = Doubtful::new(&sheet.columns, rows_source);
        for (row, number) in sheet.rows.iter().zip(numbers) {
            doubtful.look(number, row.iter().map(String::as_str));
        }
        doubtful.refuse(path, "row", header_row.unwrap_or(1).into())?;
        Ok(sheet)
    }

    /// The sheet as a table, and the number of each of its rows.
    fn arranged(
        cells: &Cells,
        header_row: Option<u32>,
        rows_source: &RowsSource,
    ) -> Result<(Self, Vec<u64>), String> {
        let header_row = header_row.unwrap_or(1);
        let naming = &rows_source.naming;
        let top = header_row.checked_sub(1).ok_or("`header_row` is 0; the first row is 1")?;
        if cells.merged.iter().any(|last| *last >= top) {
            return Err("it has merged cells; unmerge them".to_owned());
        }
        let header = cells.rows.get(&top).ok_or_else(|| {
            format!("row {header_row} has no column names; correct `header_row` in the project")
        })?;
        let mut used = cells.rows.range(top..).flat_map(|(_, cells)| cells.keys());
        let bounds = if naming.is_in_row() {
            header.keys().next().zip(header.keys().next_back())
        } else {
            used.clone().min().zip(used.by_ref().max())
        };
        let Some((left, right)) = bounds else {
            return Err(format!("row {header_row} has no column names; correct `header_row` in the project"));
        };
        let read = |row: u32, column: u32| {
            let cell = cells.rows.get(&row).and_then(|cells| cells.get(&column));
            let text = cell.map_or(Some(String::new()), |cell| text(cell, cells.is_1904));
            if text.as_ref().is_some_and(|text| text.len() > LONGEST) {
                return Err(format!("row {}, column {}: a text of more than 16 MiB", row + 1, column + 1));
            }
            Ok(text)
        };
        let no_text = |row: u32, column: u32| {
            format!(
                "row {}, column {}: a value that cannot be read as text, such as an error; correct it",
                row + 1,
                column + 1
            )
        };
        let columns: Vec<String> = if naming.is_in_row() {
            let name = |column| read(top, column)?.ok_or_else(|| no_text(top, column));
            (*left..=*right).map(name).collect::<Result<_, _>>()?
        } else {
            let names = naming.names((right - left) as usize + 1);
            names.ok_or("`header` has another number of names than the sheet has columns")?
        };
        if columns.iter().any(String::is_empty) {
            return Err("a column has no name; give each column one".to_owned());
        }
        let (mut rows, mut numbers, mut left_out) = (Vec::new(), Vec::new(), 0);
        let (mut without_text, is_1904) = (BTreeMap::new(), cells.is_1904);
        let mut expected = top + u32::from(naming.is_in_row());
        for (&row, cells_of_row) in cells.rows.range(expected..) {
            let number = u64::from(row) + 1;
            let texts: Vec<String> = cells_of_row.values().map(|cell| shown(cell, cells.is_1904)).collect();
            let is_hidden = rows_source.hidden_are_people == Some(false) && cells.hidden.contains(&number);
            if is_hidden || rows_source.leaves_out(number, texts.iter().map(String::as_str)) {
                left_out += 1;
                expected = row + 1;
                continue;
            }
            if row != expected {
                return Err(format!(
                    "row {} is empty; remove it, or write `leave_out = [{number}]` in the project if row {number} is no person: {}",
                    expected + 1,
                    texts.join(", ")
                ));
            }
            expected = row + 1;
            if cells_of_row.keys().any(|column| column < left || column > right) {
                return Err(format!(
                    "row {} has a value outside the columns of the table; remove it",
                    row + 1
                ));
            }
            let mut texts = Vec::new();
            for (index, column) in (*left..=*right).enumerate() {
                texts.push(read(row, column)?.unwrap_or_else(|| {
                    without_text.entry(index).or_insert_with(|| no_text(row, column));
                    cells_of_row.get(&column).map_or_else(String::new, |cell| shown(cell, is_1904))
                }));
            }
            rows.push(texts);
            numbers.push(number);
        }
        Ok((Self { columns, rows, left_out, without_text }, numbers))
    }

    /// Refuses a column that is used if a value has no text.
    pub(crate) fn check_texts(&self, path: &Path, column: usize) -> Result<(), VerifyError> {
        self.without_text.get(&column).map_or(Ok(()), |detail| Err(broken(path, detail)))
    }

    pub(crate) fn visit(&self, columns: &[usize], show: &mut Visitor) -> Result<(), VerifyError> {
        for (row, number) in self.rows.iter().zip(1..) {
            let texts: Vec<&str> = columns.iter().map(|&column| row[column].as_str()).collect();
            show(Position::Row(number), &texts)?;
        }
        Ok(())
    }
}

/// The row with the names under a title, from 1, and the title. Only a row of one cell can be a title.
fn title(cells: &Cells) -> Option<(u32, String)> {
    let texts = |row: u32| -> Vec<String> {
        let cells_of_row = cells.rows.get(&row).into_iter().flat_map(BTreeMap::values);
        cells_of_row.map(|cell| text(cell, cells.is_1904).unwrap_or_default()).collect()
    };
    let names = (1..=10).find(|row| texts(*row).len() > 1)?;
    let first = texts(0);
    let is_title =
        first.len() == 1 && (1..names).all(|row| texts(row).len() < 2) && texts(names + 1).len() > 1;
    let are_names = texts(names).iter().all(|name| !starts_with_digit(name));
    (is_title && are_names).then(|| (names + 1, first.concat()))
}

/// Decodes one sheet of a workbook, or every sheet, with the same calls as a verification.
pub(crate) fn attempt(ending: &str, name: Option<&str>, bytes: &[u8]) -> Result<(), VerifyError> {
    let path = Path::new("stdin");
    let names = caught(path, || Ok(sheets(ending, bytes)?.0))?;
    for sheet in names.iter().filter(|sheet| name.is_none_or(|name| name == *sheet)) {
        caught(path, || sheets(ending, bytes)?.1(sheet).map(drop))?;
    }
    Ok(())
}

/// Reads the sheet with a name.
type ReadSheet<'a> = Box<dyn FnOnce(&str) -> Result<Cells, String> + 'a>;

/// The names of a workbook's sheets, and a function that reads one.
fn sheets<'a>(ending: &str, bytes: &'a [u8]) -> Result<(Vec<String>, ReadSheet<'a>), String> {
    let names = |sheets: &[calamine::Sheet]| -> Vec<String> {
        let tables = sheets.iter().filter(|sheet| matches!(sheet.typ, SheetType::WorkSheet));
        tables.map(|sheet| sheet.name.clone()).collect()
    };
    let source = Cursor::new(bytes);
    check_texts(bytes).map_err(|()| "a text of more than 16 MiB; shorten it, or save the sheet as CSV")?;
    Ok(if ending == "xls" {
        let mut book = Xls::new(source).map_err(message)?;
        (
            names(book.sheets_metadata()),
            Box::new(move |name| {
                let merged = book.merge_cells_by_sheet_name(name).map_err(message)?;
                let range = book.worksheet_range(name).map_err(message)?;
                let merged = merged.iter().map(|merged| merged.end.0).collect();
                Ok(Cells {
                    rows: by_rows(&range),
                    merged,
                    hidden: BTreeSet::new(),
                    is_1904: book.has_1904_epoch(),
                })
            }),
        )
    } else {
        let mut book = Xlsx::new(source).map_err(message)?;
        let names = names(book.sheets_metadata());
        let read = move |name: &str| {
            let is_1904 = book.has_1904_epoch();
            let merged = book.merge_cells_by_sheet_name(name).map_err(message)?;
            let merged = merged.iter().map(|merged| merged.end.0).collect();
            let mut rows: BTreeMap<u32, BTreeMap<u32, Data>> = BTreeMap::new();
            let mut reader = book.worksheet_cells_reader(name).map_err(message)?;
            while let Some(cell) = reader.next_cell_with_formula_metadata().map_err(message)? {
                let value = Data::from(cell.value);
                if is_empty(&value) {
                    if cell.formula.is_some() && value == Data::Empty {
                        return Err(format!(
                            "row {}: a formula without a stored value; save the workbook again",
                            cell.pos.0 + 1
                        ));
                    }
                    continue;
                }
                if rows.entry(cell.pos.0).or_default().insert(cell.pos.1, value).is_some() {
                    return Err(format!(
                        "row {}: the same cell occurs twice; save the workbook again",
                        cell.pos.0 + 1
                    ));
                }
            }
            Ok(Cells { rows, merged, hidden: BTreeSet::new(), is_1904 })
        };
        (names, Box::new(read))
    })
}

/// An error if a part of a packed workbook has more bytes between two tags than a record of a CSV file may have.
fn check_texts(bytes: &[u8]) -> Result<(), ()> {
    // Other files are not packed, or their reader says what is wrong.
    let Ok(mut archive) = zip::ZipArchive::new(Cursor::new(bytes)) else { return Ok(()) };
    for index in 0..archive.len() {
        let Ok(part) = archive.by_index(index) else { continue };
        let mut part = BufReader::new(part);
        let mut since_tag = 0;
        while let Ok(read) = part.fill_buf() {
            let size = read.len();
            if size == 0 {
                break;
            }
            let mut pieces = read.split(|&byte| byte == b'<');
            since_tag += pieces.next().map_or(0, <[u8]>::len);
            let longest = pieces.clone().map(<[u8]>::len).fold(since_tag, usize::max);
            since_tag = pieces.next_back().map_or(since_tag, <[u8]>::len);
            if longest > LONGEST {
                return Err(());
            }
            part.consume(size);
        }
    }
    Ok(())
}

fn by_rows(range: &Range<Data>) -> BTreeMap<u32, BTreeMap<u32, Data>> {
    let mut rows: BTreeMap<u32, BTreeMap<u32, Data>> = BTreeMap::new();
    let (top, left) = range.start().unwrap_or_default();
    for (row, cells) in (top..).zip(range.rows()) {
        for (column, value) in (left..).zip(cells).filter(|(_, value)| !is_empty(value)) {
            rows.entry(row).or_default().insert(column, value.clone());
        }
    }
    rows
}

fn is_empty(value: &Data) -> bool {
    matches!(value, Data::Empty) || matches!(value, Data::String(text) if text.is_empty())
}

/// The text of a cell; `None` if its value has no text.
fn text(cell: &Data, is_1904: bool) -> Option<String> {
    let mut text = String::new();
    match cell {
        Data::Empty => {}
        Data::String(value) => text.push_str(value),
        Data::Int(number) => text = format!("{number}"),
        Data::Bool(true) => text.push_str("true"),
        Data::Bool(false) => text.push_str("false"),
        Data::Float(number) if *number == 0.0 => text.push('0'),
        Data::Float(number) if number.is_finite() => text = format!("{number}"),
        Data::DateTime(moment) if moment.is_datetime() => {
            let (day, serial) = (moment.as_f64().floor(), moment.as_f64());
            if !(1.0..2_950_000.0).contains(&serial) {
                return None;
            }
            // 1 January 1970 is day 25569. The calendar counts a 29 February 1900 (day 60), which does not exist. In the system
            // that starts in 1904, 1 January 1970 is day 24107.
            let before_1970 = match (is_1904, day < 60.0, day < 61.0) {
                (true, ..) => 24_107,
                (false, true, _) => 25_568,
                (false, false, true) => return None,
                (false, false, false) => 25_569,
            };
            let moment = ((serial - day) * 86_400_000.0).round();
            // Both are integers with at most eight digits.
            let (days, milli): (i64, i64) =
                (format!("{day}").parse().ok()?, format!("{moment}").parse().ok()?);
            let days = days - before_1970;
            if milli == 0 {
                date(days, &mut text)?;
            } else {
                instant(days * 86_400_000 + milli, 1_000, 3, &mut text)?;
            }
        }
        Data::DateTimeIso(moment) => {
            let (day, time) = moment.split_once('T').unwrap_or((moment, "00:00:00"));
            let (time, fraction) = time.split_once('.').unwrap_or((time, "0"));
            if !has_form(day, "0000-00-00")
                || !has_form(time, "00:00:00")
                || fraction.is_empty()
                || fraction.len() > 3
            {
                return None;
            }
            fraction.bytes().all(|byte| byte.is_ascii_digit()).then_some(())?;
            text.push_str(day);
            if time != "00:00:00" || fraction.bytes().any(|byte| byte != b'0') {
                text.push_str(&format!(" {time}.{fraction:0<3}"));
            }
        }
        Data::Float(_) | Data::DateTime(_) | Data::DurationIso(_) | Data::Error(_) => return None,
    }
    Some(text)
}

/// The text of a cell; that of an error is its name, such as `#N/A`.
fn shown(cell: &Data, is_1904: bool) -> String {
    match cell {
        Data::Error(error) => error.to_string(),
        cell => text(cell, is_1904).unwrap_or_default(),
    }
}

/// Whether a text has a digit for each `0` of the form, and otherwise the same characters.
fn has_form(text: &str, form: &str) -> bool {
    let is_alike = |(byte, form): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(is_alike)
}

fn message(error: impl std::fmt::Display) -> String {
    error.to_string()
}
