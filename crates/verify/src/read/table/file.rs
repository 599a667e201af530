//! A file of a table: CSV, Parquet, Arrow or a workbook.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::csv::{Csv, CsvFile, Opened, form};
use super::gather::gather;
use super::source::TableSource;
use crate::problems::Stop;
use crate::problems::VerifyError;
use crate::read::batch::{Batch, BatchVisitor};
use crate::read::doubtful::{Doubtful, starts_with_digit};
use crate::read::position::Visitor;
use crate::read::rows_source::{Naming, RowsSource};
use crate::read::sheet::Sheet;
use crate::read::text::{Record, unpack};
use crate::read::trial;
use crate::read::typed::{Typed, TypedFormat};
use palmtop_terms::LocatedError;

/// The bytes of a piece of a CSV file.
const PIECE: usize = 1 << 20;

/// A file of a table.
#[derive(Debug)]
pub(super) struct TableFile {
    pub(super) path: PathBuf,
    pub(super) columns: Vec<String>,
    content: Content,
    header_row: Option<u32>,
    rows: RowsSource,
    /// The rows that the last reading left out.
    left_out: AtomicU64,
    /// Whether all rows were looked at, and each is a person.
    is_settled: AtomicBool,
}

#[derive(Debug)]
enum Content {
    Csv(Csv),
    Typed(Typed),
    Sheet(Sheet),
}

impl TableFile {
    pub(super) fn open(path: &Path, source: &TableSource) -> Result<Self, VerifyError> {
        let path = path.to_owned();
        let bare = unpack::bare_name(&path);
        let ending = bare.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        let ending = ending.to_ascii_lowercase();
        let tried = |format: &str| -> Result<Vec<u8>, VerifyError> {
            let bytes = unpack::read(&path)?;
            trial::check(&path, format, source.sheet.as_deref(), &bytes)?;
            Ok(bytes)
        };
        let typed =
            |format: TypedFormat| Ok(Content::Typed(Typed::of(&path, format, tried(format.name())?)?));
        let content = match ending.as_str() {
            "csv" | "tsv" | "txt" => {
                let is_bad =
                    |byte: &u8| !byte.is_ascii() || b"\r\n".contains(byte) || source.quote == Some(*byte);
                if let Some(byte) = source.separator.filter(is_bad) {
                    return Err(LocatedError::new(format!(
                        "separator {:?} is not allowed",
                        char::from(byte)
                    ))
                    .in_file(&path)
                    .remedy("use one ASCII character other than the quote and the line ends")
                    .into());
                }
                let (separator, quote) = (source.separator, source.quote);
                Ok(Content::Csv(Csv { separator, quote, encoding: source.encoding.clone() }))
            }
            "parquet" => typed(TypedFormat::Parquet),
            "arrow" | "ipc" | "feather" => typed(TypedFormat::Ipc),
            "xlsx" | "xls" => {
                let (bytes, name) = (tried(&ending)?, source.sheet.as_deref());
                let sheet = Sheet::of(&path, &ending, &bytes, name, source.header_row, &source.rows);
                sheet.map(Content::Sheet)
            }
            "ods" => {
                let error = LocatedError::new("an .ods file is not read").in_file(&path);
                return Err(error.remedy("save it as .xlsx").into());
            }
            _ => {
                return Err(LocatedError::new("unknown kind of table")
                    .in_file(&path)
                    .expected(
                        "a name ending in .csv, .tsv, .txt, .parquet, .arrow, .ipc, .feather, .xlsx or .xls, \
                         optionally followed by .gz or .zst",
                    )
                    .into());
            }
        }?;
        let (header_row, rows) = (source.header_row, source.rows.clone());
        let left_out = AtomicU64::new(0);
        let is_settled = AtomicBool::new(false);
        let mut file = Self { path, columns: Vec::new(), content, header_row, rows, left_out, is_settled };
        file.columns = match &file.content {
            Content::Csv(csv) => {
                let csv = file.csv_file(csv);
                csv.check_top()?;
                let Opened { mut records, header: mut first } = csv.open()?;
                let is_person = |record: &Record| {
                    file.rows.naming.is_in_row() || !file.rows.leaves_out(record.line, record.fields())
                };
                while !is_person(&first) {
                    if !records.read(&mut first).map_err(|fault| csv.fault(fault))? {
                        return Err(
                            file.form(first.line, "all rows are left out; expected at least one person")
                        );
                    }
                }
                file.name(&first)?
            }
            Content::Typed(typed) => typed.columns(),
            Content::Sheet(sheet) => sheet.columns.clone(),
        };
        file.check_names()?;
        Ok(file)
    }

    /// The file as one of CSV.
    pub(super) fn csv_file<'f>(&'f self, csv: &'f Csv) -> CsvFile<'f> {
        CsvFile {
            csv,
            path: &self.path,
            columns: &self.columns,
            header_row: self.header_row,
            rows: &self.rows,
            left_out: &self.left_out,
            is_settled: &self.is_settled,
        }
    }

    /// Whether a column may have identifiers. Typed days are none.
    pub(super) fn may_identify(&self, column: &str) -> bool {
        match &self.content {
            Content::Csv(_) | Content::Sheet(_) => true,
            Content::Typed(typed) => typed.may_identify(column),
        }
    }

    /// Whether a column can be read as texts.
    pub(super) fn is_readable(&self, column: &str) -> bool {
        match &self.content {
            Content::Csv(_) | Content::Sheet(_) => true,
            Content::Typed(typed) => typed.readable_columns().iter().any(|known| known == column),
        }
    }

    /// Refuses a column that is used if a cell has no text.
    pub(super) fn check_texts(&self, column: &str) -> Result<(), VerifyError> {
        match &self.content {
            Content::Sheet(sheet) => {
                let index = self.columns.iter().position(|known| known == column);
                index.map_or(Ok(()), |index| sheet.check_texts(&self.path, index))
            }
            Content::Csv(_) | Content::Typed(_) => Ok(()),
        }
    }

    /// The rows that the last reading left out.
    pub(super) fn left_out(&self) -> u64 {
        self.left_out.load(Ordering::Relaxed)
    }

    fn check_names(&self) -> Result<(), VerifyError> {
        if self.columns.is_empty() {
            return Err(self.form(1, "the file has no columns; expected at least one"));
        }
        let mut seen = BTreeSet::new();
        let Some(column) = self.columns.iter().find(|column| !seen.insert(*column)) else { return Ok(()) };
        let is_person =
            self.rows.naming == Naming::Unsaid && self.columns.iter().any(|name| starts_with_digit(name));
        let remedy = if is_person {
            "write `header = false` under its path in the project if these are no names, else rename one"
        } else {
            "rename one"
        };
        Err(self
            .form(self.header_row.unwrap_or(1).into(), &format!("column `{column}` occurs twice; {remedy}")))
    }

    pub(super) fn visit_batches(
        &self,
        columns: &[usize],
        stop: &Stop,
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let mut one = |batch: &mut Batch| {
            if stop.is_wanted() { Err(VerifyError::Cancelled) } else { show(std::slice::from_mut(batch)) }
        };
        match &self.content {
            Content::Csv(csv) => self.csv_file(csv).visit(PIECE, columns, stop, show),
            Content::Typed(typed) => self.visit_typed(typed, columns, stop, show),
            Content::Sheet(sheet) => {
                self.left_out.store(sheet.left_out, Ordering::Relaxed);
                gather(columns.len(), |show| sheet.visit(columns, show), &mut one)
            }
        }
    }

    /// Visits a Parquet or Arrow file. The first time, all of its columns are looked at for rows that may be no people: in a
    /// few columns alone, a person without values would look like none. If the file has values without a text, nothing is
    /// looked at: a column that the project uses ends the visit, and another one does not matter.
    fn visit_typed(
        &self,
        typed: &Typed,
        columns: &[usize],
        stop: &Stop,
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let wanted: Vec<&str> = columns.iter().map(|&column| self.columns[column].as_str()).collect();
        let all = typed.readable_columns();
        let place = |name: &&str| all.iter().position(|column| column == name);
        let places: Option<Vec<usize>> = wanted.iter().map(place).collect();
        let is_settled = self.is_settled.load(Ordering::Relaxed);
        // A column that cannot be read is the error of this visit.
        let Some(places) = places.filter(|_| !is_settled || !self.rows.leave_out.is_empty()) else {
            return typed.visit_batches(&self.path, &wanted, stop, show);
        };
        let mut doubtful = (!is_settled).then(|| Doubtful::new(&all, &self.rows));
        if self.rows.leave_out.is_empty() {
            typed.visit_parts(&self.path, &all, &places, stop, &mut |batches, are_complete| {
                doubtful = doubtful.take().filter(|_| are_complete);
                if let Some(doubtful) = &mut doubtful {
                    doubtful.look_at(batches);
                }
                show(batches)
            })?;
        } else {
            self.visit_some(typed, &all, &places, &mut doubtful, show)?;
        }
        self.is_settled.store(true, Ordering::Relaxed);
        doubtful.map_or(Ok(()), |doubtful| doubtful.refuse(&self.path, "row", 0))
    }

    /// Visits a Parquet or Arrow file without the rows that the project leaves out.
    fn visit_some(
        &self,
        typed: &Typed,
        all: &[String],
        places: &[usize],
        doubtful: &mut Option<Doubtful>,
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let texts: Vec<&str> = all.iter().map(String::as_str).collect();
        let (mut number, mut left_out) = (0, 0);
        let mut some = |show: &mut Visitor| {
            typed.visit(&self.path, &texts, &mut |position, cells| {
                number += 1;
                if self.rows.leaves_out(number, cells.iter().copied()) {
                    left_out += 1;
                    return Ok(());
                }
                if let Some(doubtful) = doubtful {
                    doubtful.look(number, cells.iter().copied());
                }
                let cells: Vec<&str> = places.iter().map(|&place| cells[place]).collect();
                show(position, &cells)
            })
        };
        gather(places.len(), &mut some, &mut |batch| show(std::slice::from_mut(batch)))?;
        self.left_out.store(left_out, Ordering::Relaxed);
        Ok(())
    }

    /// The names of the columns, by the first record.
    fn name(&self, first: &Record) -> Result<Vec<String>, VerifyError> {
        if self.rows.naming.is_in_row() {
            return Ok(first.fields().map(ToOwned::to_owned).collect());
        }
        let names = self.rows.naming.names(first.len());
        names.ok_or_else(|| {
            self.form(first.line, "`header` has another number of names than the file has columns")
        })
    }

    pub(super) fn form(&self, line: u64, detail: &str) -> VerifyError {
        form(&self.path, line, detail)
    }
}
