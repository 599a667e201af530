//! The cells of a sheet that are not empty, as `calamine` decodes them.

use std::collections::BTreeSet;
use std::io::Cursor;

use calamine::{Data, DataRef, Reader, SheetType, Xls, Xlsx};

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

enum Book {
    Xlsx(Box<Xlsx<Cursor<Vec<u8>>>>),
    Xls(Box<Xls<Cursor<Vec<u8>>>>),
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
            _ => Book::Xlsx(Box::new(Xlsx::new(cursor(bytes)).map_err(error_text)?)),
        };
        let sheets = match &book {
            Book::Xlsx(book) => book.sheets_metadata(),
            Book::Xls(book) => book.sheets_metadata(),
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

    fn add(&mut self, index: CellIndex, value: Data) -> Result<(), String> {
        let (row, column) = index;
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
