//! The cells of a sheet that are not empty, as `calamine` decodes them.

use std::collections::BTreeSet;
use std::io::{Cursor, Read};

use calamine::{Data, DataRef, Ods, Reader, SheetType, Xls, Xlsx};
use zip::ZipArchive;

use super::long;
use crate::source::form::MOST_RECORD;
use crate::source::spec::Format;

/// A cell that is not empty; row and column from 0.
#[derive(Debug)]
pub(super) struct Cell {
    pub(super) row: u32,
    pub(super) column: u32,
    pub(super) value: Data,
}

/// The cells of a sheet in row order, and the first and last cell of each merged range.
#[derive(Debug, Default)]
pub(super) struct Cells {
    pub(super) list: Vec<Cell>,
    pub(super) merged: Vec<((u32, u32), (u32, u32))>,
    /// The rows that the workbook hides.
    pub(super) hidden: BTreeSet<u32>,
    /// The bytes of all texts.
    bytes: u64,
}

/// A row and a column, from 0.
type CellIndex = (u32, u32);

/// The most cells of a sheet.
const MOST_CELLS: usize = 100_000_000;
/// The most bytes of a sheet's texts.
const MOST_TEXT: u64 = 2 << 30;
/// The most unpacked bytes of an .ods file's content.
pub(super) const MOST_CONTENT: u64 = 2 << 30;
/// The rows of the largest sheet; `calamine` ignores rows beyond.
const MOST_ROWS: u32 = 1 << 20;

enum Book {
    Xlsx(Box<Xlsx<Cursor<Vec<u8>>>>),
    Xls(Box<Xls<Cursor<Vec<u8>>>>),
    Ods(Box<Ods<Cursor<Vec<u8>>>>, Vec<u8>),
}

/// A workbook with its list of sheets.
pub(super) struct Sheets {
    book: Book,
    names: Vec<String>,
}

impl Sheets {
    pub(super) fn open(format: Format, bytes: Vec<u8>) -> Result<Self, String> {
        let cursor = |bytes| Cursor::new(bytes);
        if format != Format::Xls {
            long::check(&bytes)?;
        }
        let book = match format {
            Format::Xls => Book::Xls(Box::new(Xls::new(cursor(bytes)).map_err(error_text)?)),
            Format::Ods => {
                let content = content(&bytes)?;
                Book::Ods(Box::new(Ods::new(cursor(bytes)).map_err(error_text)?), content)
            }
            _ => Book::Xlsx(Box::new(Xlsx::new(cursor(bytes)).map_err(error_text)?)),
        };
        let sheets = match &book {
            Book::Xlsx(book) => book.sheets_metadata(),
            Book::Xls(book) => book.sheets_metadata(),
            Book::Ods(book, _) => book.sheets_metadata(),
        };
        let names = sheets.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
        let names = names.map(|sheet| sheet.name.clone()).collect();
        Ok(Self { book, names })
    }

    /// The sheets that have cells, in the workbook's order.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn read(self, name: &str) -> Result<Cells, String> {
        let mut cells = Cells::default();
        match self.book {
            Book::Xlsx(mut book) => {
                let merged = book.merge_cells_by_sheet_name(name).map_err(error_text)?;
                cells.merged = merged.iter().map(|merged| (merged.start, merged.end)).collect();
                let mut reader = book.worksheet_cells_reader(name).map_err(error_text)?;
                while let Some(record) = reader.next_cell_with_formula_metadata().map_err(error_text)? {
                    let is_empty = matches!(record.value, DataRef::Empty);
                    if is_empty && record.formula.is_some() {
                        let cell = address(record.pos.0, record.pos.1);
                        return Err(format!(
                            "sheet `{name}`, cell {cell}: a formula without a computed value; open the workbook in a \
                             spreadsheet and save it there"
                        ));
                    }
                    cells.add(record.pos, record.value.into())?;
                }
            }
            Book::Xls(mut book) => {
                let merged = book.merge_cells_by_sheet_name(name).map_err(error_text)?;
                cells.merged = merged.iter().map(|merged| (merged.start, merged.end)).collect();
                cells.add_range(&book.worksheet_range(name).map_err(error_text)?)?;
            }
            Book::Ods(mut book, content) => {
                let position = self.names.iter().position(|known| known == name);
                let position = position.ok_or_else(|| format!("no sheet `{name}`"))?;
                if has_covered_cells(&content, position) {
                    return Err(format!(
                        "sheet `{name}` has merged cells; unmerge them, and give each its value"
                    ));
                }
                cells.add_range(&book.worksheet_range(name).map_err(error_text)?)?;
                if let Some(cell) = cells.list.iter().find(|cell| is_error(&cell.value)) {
                    let cell = address(cell.row, cell.column);
                    return Err(format!("sheet `{name}`, cell {cell}: the cell has an error; correct it"));
                }
                if cells.list.last().is_some_and(|cell| cell.row + 1 >= MOST_ROWS) {
                    return Err(format!("sheet `{name}` has too many rows; save it as CSV"));
                }
            }
        }
        Ok(cells)
    }
}

impl Cells {
    fn add_range(&mut self, range: &calamine::Range<Data>) -> Result<(), String> {
        let Some((top, left)) = range.start() else { return Ok(()) };
        for (row, values) in (top..).zip(range.rows()) {
            for (column, value) in (left..).zip(values) {
                self.add((row, column), value.clone())?;
            }
        }
        Ok(())
    }

    fn add(&mut self, (row, column): CellIndex, value: Data) -> Result<(), String> {
        if matches!(&value, Data::Empty) || matches!(&value, Data::String(text) if text.is_empty()) {
            return Ok(());
        }
        if self.list.last().is_some_and(|last| (last.row, last.column) >= (row, column)) {
            let cell = address(row, column);
            return Err(format!("cell {cell} is out of order; save the workbook again"));
        }
        if self.list.len() == MOST_CELLS {
            return Err(format!("more than {MOST_CELLS} cells; save it as CSV"));
        }
        if let Data::String(text) = &value {
            self.bytes += text.len() as u64;
            if text.len() as u64 > MOST_RECORD {
                return Err(format!("cell {}: {}", address(row, column), long::too_long()));
            }
            if self.bytes > MOST_TEXT {
                return Err("its texts have more than 2 GiB; save it as CSV".to_owned());
            }
        }
        self.list.push(Cell { row, column, value });
        Ok(())
    }
}

/// The content of an .ods file: `calamine` does not report all of it.
fn content(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut archive = ZipArchive::new(Cursor::new(bytes)).map_err(error_text)?;
    let mut content = Vec::new();
    archive
        .by_name("content.xml")
        .map_err(error_text)?
        .take(MOST_CONTENT)
        .read_to_end(&mut content)
        .map_err(error_text)?;
    if content.len() as u64 == MOST_CONTENT {
        Err("it is too large; save it as CSV".to_owned())
    } else {
        Ok(content)
    }
}

/// Whether table `nth` of an .ods file has a cell covered by another one.
fn has_covered_cells(content: &[u8], nth: usize) -> bool {
    let mut table = 0;
    for tag in content.split(|&byte| byte == b'<') {
        let name = tag.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/')).next();
        match name {
            Some(b"table:table") => table += 1,
            Some(b"table:covered-table-cell") if table == nth + 1 => return true,
            _ => {}
        }
    }
    false
}

/// Whether a text of an .ods file represents an error.
fn is_error(value: &Data) -> bool {
    let Data::String(text) = value else { return false };
    let known = ["#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!"];
    known.contains(&text.as_str())
        || text.strip_prefix("Err:").is_some_and(|code| code.parse::<u16>().is_ok())
}

fn error_text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// The name of a cell, such as `B7`; row and column from 0.
pub(super) fn address(row: u32, column: u32) -> String {
    let (mut letters, mut rest) = (Vec::new(), u64::from(column) + 1);
    while rest > 0 {
        letters.push(char::from(b'A' + u8::try_from((rest - 1) % 26).unwrap_or_default()));
        rest = (rest - 1) / 26;
    }
    format!("{}{}", letters.iter().rev().collect::<String>(), u64::from(row) + 1)
}
