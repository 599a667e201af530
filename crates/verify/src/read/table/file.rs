//! A file of a table: CSV, Parquet, Arrow or a workbook.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::ahead::{gather, visit_ahead};
use super::source::TableSource;
use crate::problems::Stop;
use crate::problems::VerifyError;
use crate::read::batch::{Batch, BatchVisitor};
use crate::read::doubtful::{Doubtful, Top, refusal, starts_with_digit, top};
use crate::read::position::{Position, Visitor};
use crate::read::rows_source::{Naming, RowsSource};
use crate::read::sheet::Sheet;
use crate::read::text::{
    Beginning, Contents, Fault, FileRecords, Record, Text, bad_lines, no_text_of, unpack,
};
use crate::read::trial;
use crate::read::typed::{Typed, TypedFormat};
use palmtop_terms::LocatedError;
use palmtop_terms::words::plural;

/// The form of a CSV file, as far as the project says it.
#[derive(Debug)]
struct Csv {
    separator: Option<u8>,
    quote: Option<u8>,
    encoding: Option<String>,
}

/// An opened CSV file.
struct Opened {
    /// The records after the header.
    records: FileRecords<Text<Contents>>,
    header: Record,
}

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
                file.check_top(csv)?;
                let Opened { mut records, header: mut first } = file.csv(csv)?;
                let is_person = |record: &Record| {
                    file.rows.naming.is_in_row() || !file.rows.leaves_out(record.line, record.fields())
                };
                while !is_person(&first) {
                    if !records.read(&mut first).map_err(|fault| file.fault(fault))? {
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
            Content::Csv(csv) => {
                visit_ahead(columns.len(), |show| self.visit_csv(self.csv(csv)?, columns, show), &mut one)
            }
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

    /// Refuses a file that begins with something else than the names, unless the project says where they are.
    fn check_top(&self, csv: &Csv) -> Result<(), VerifyError> {
        if self.header_row.is_some() {
            return Ok(());
        }
        let text = Text::of(unpack::open(&self.path)?, csv.encoding.as_deref())
            .map_err(|error| self.fault(Fault::Io(error)))?;
        let mut beginning = Vec::new();
        text.take(1 << 16).read_to_end(&mut beginning).map_err(|error| self.fault(Fault::Io(error)))?;
        let (what, names) = match top(&beginning, csv.separator, csv.quote) {
            None => return Ok(()),
            Some(Top::Note) => ("a note for spreadsheets", 2),
            Some(Top::Title(line)) => ("a title", line),
        };
        let first = beginning.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first).trim().to_owned();
        Err(refusal(&self.path, "line", 1, what, &[first])
            .remedy(format!("write `header_row = {names}` under its path in the project if the names are there, else `header_row = 1`"))
            .into())
    }

    fn visit_csv(&self, opened: Opened, columns: &[usize], show: &mut Visitor) -> Result<(), VerifyError> {
        let Opened { mut records, header: mut record } = opened;
        let mut is_first = !self.rows.naming.is_in_row();
        if !is_first && !record.fields().eq(self.columns.iter().map(String::as_str)) {
            return Err(self.form(
                record.line,
                "the header changed while the file was read; try again when no program writes to it",
            ));
        }
        let header = record.line;
        let (mut doubtful, mut left_out) = (Doubtful::new(&self.columns, &self.rows), 0);
        let is_settled = self.is_settled.load(Ordering::Relaxed);
        while std::mem::take(&mut is_first)
            || records.read(&mut record).map_err(|fault| self.with_others(self.fault(fault)))?
        {
            if self.rows.leaves_out(record.line, record.fields()) {
                left_out += 1;
                continue;
            }
            if record.is_blank() {
                let detail = "a blank line; remove it, or write \"\" for a row of one empty value";
                return Err(self.with_others(self.form(record.line, detail)));
            }
            let (found, expected) = (record.len(), self.columns.len());
            if found != expected {
                let detail = format!(
                    "{}; expected {expected}; complete the line, quote fields that contain the separator, or write \
                     `leave_out = [{}]` in the project",
                    plural(found as u64, "field"),
                    record.line
                );
                return Err(self.with_others(self.form(record.line, &detail)));
            }
            if !is_settled {
                doubtful.look(record.line, record.fields());
            }
            let texts: Vec<&str> = columns.iter().map(|&column| record.field(column)).collect();
            show(Position::Line(record.line), &texts)?;
        }
        self.left_out.store(left_out, Ordering::Relaxed);
        if is_settled {
            return Ok(());
        }
        doubtful.refuse(&self.path, "line", header)?;
        self.is_settled.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn csv(&self, csv: &Csv) -> Result<Opened, VerifyError> {
        let contents = unpack::open(&self.path)?;
        let text =
            Text::of(contents, csv.encoding.as_deref()).map_err(|error| self.fault(Fault::Io(error)))?;
        let line = self.header_row.unwrap_or(1).into();
        let beginning =
            Beginning::from_line(text, csv.quote, line).map_err(|error| self.fault(Fault::Io(error)))?;
        if beginning.has_two_marks {
            return Err(self.form(1, "two byte-order marks; remove them"));
        }
        let likely = || beginning.most_frequent(b",;\t|", csv.quote).unwrap_or(b',');
        let separator = csv.separator.unwrap_or_else(likely);
        let mut records = beginning.records(separator, csv.quote);
        let mut header = Record::default();
        if !records.read(&mut header).map_err(|fault| self.fault(fault))? {
            return Err(
                self.form(1, "the file is empty; expected a header line with the names of the columns")
            );
        }
        if header.is_blank() {
            return Err(self.form(1, "a blank line; expected a header line with the names of the columns"));
        }
        Ok(Opened { records, header })
    }

    /// An error of a line, or of all bad lines if there are more.
    fn with_others(&self, error: VerifyError) -> VerifyError {
        let Content::Csv(csv) = &self.content else { return error };
        let line = self.header_row.unwrap_or(1).into();
        let list = || -> Option<String> {
            let text = Text::of(unpack::open(&self.path).ok()?, csv.encoding.as_deref()).ok()?;
            let beginning = Beginning::from_line(text, csv.quote, line).ok()?;
            let likely = beginning.most_frequent(b",;\t|", csv.quote).unwrap_or(b',');
            let separator = csv.separator.unwrap_or(likely);
            let columns = Some(self.columns.len());
            bad_lines::listed(beginning.text(), line, separator, csv.quote, columns).ok()?
        };
        match list().filter(|_| self.rows.leave_out.is_empty()) {
            Some(message) => LocatedError::new(message)
                .in_file(&self.path)
                .remedy("complete these lines, put quotes around whole fields, or set `quote` in the project")
                .into(),
            None => error,
        }
    }

    fn fault(&self, fault: Fault) -> VerifyError {
        match fault {
            Fault::Io(source) => match no_text_of(&source) {
                Some(no_text) => self.form(no_text.line, &no_text.detail),
                None => VerifyError::io(&self.path)(source),
            },
            Fault::NotUtf8 { line, field } if field < self.columns.len() => {
                self.form(line, &format!("column `{}`: {fault}", self.columns[field]))
            }
            fault => self.form(fault.line(), &fault.to_string()),
        }
    }

    pub(super) fn form(&self, line: u64, detail: &str) -> VerifyError {
        LocatedError::new(detail).in_file(&self.path).at_line(line).into()
    }
}
