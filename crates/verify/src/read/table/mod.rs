//! Reads the tables P and T with the verifier's own readers. Every cell is text.

use std::collections::BTreeSet;
use std::io::Read;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::thread;

use rustc_hash::FxHashSet;

use super::batch::{Batch, BatchVisitor, FULL};
use super::doubtful::{Doubtful, Top, refusal, starts_with_digit, top};
use super::position::{Location, Position, Visitor};
use super::rows_source::{Naming, RowsSource};
use super::sheet::Sheet;
use super::text::{Beginning, Contents, Fault, FileRecords, Record, Text, bad_lines, no_text_of, unpack};
use super::trial;
use super::typed::{Typed, TypedFormat};
use crate::problems::VerifyError;
use palmtop_terms::LocatedError;
use palmtop_terms::words::{names, plural};

/// The files of a table and their formats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSource {
    /// At least one file, all with the same columns: CSV (`.csv`, `.tsv`, `.txt`), Parquet (`.parquet`), Arrow IPC
    /// (`.arrow`, `.ipc`, `.feather`) or a workbook (`.xlsx`, `.xls`), optionally followed by `.gz` or `.zst`.
    pub paths: Vec<PathBuf>,
    /// The separator of CSV files. By default, the most frequent of `,` `;` tab and `|` in the header of each file.
    pub separator: Option<u8>,
    /// The quote character of CSV files. Without one, no field is quoted.
    pub quote: Option<u8>,
    /// The encoding of CSV files, by its name in the project. By default UTF-8, or UTF-16 if the file has its byte-order mark.
    pub encoding: Option<String>,
    /// The sheet of workbooks. By default, the only one.
    pub sheet: Option<String>,
    /// The line of CSV files or the row of workbooks with the column names, from 1; by default 1.
    pub header_row: Option<u32>,
    /// Which rows are people, and whether a row has the names of the columns.
    pub rows: RowsSource,
}

impl TableSource {
    /// A table in one file with the default settings.
    pub fn of(path: PathBuf) -> Self {
        Self {
            paths: vec![path],
            separator: None,
            quote: Some(b'"'),
            encoding: None,
            sheet: None,
            header_row: None,
            rows: RowsSource::default(),
        }
    }
}

/// Receives the location and the texts of each row.
pub(crate) type RowVisitor<'a> = dyn FnMut(Location, &[&str]) -> Result<(), VerifyError> + 'a;

/// A table whose header has been read.
#[derive(Debug)]
pub(crate) struct Table {
    /// The name of the table in messages: its file, or its first file and the number of others.
    pub(crate) path: PathBuf,
    pub(crate) columns: Vec<String>,
    files: Vec<TableFile>,
    /// The indices of rows, from 0, that repeat a person and do not count.
    pub(crate) repeats: FxHashSet<u64>,
}

impl Table {
    pub(crate) fn open(source: &TableSource) -> Result<Self, VerifyError> {
        let files = source.paths.iter().map(|path| TableFile::open(path, source));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let path = match source.paths.as_slice() {
            [first, _, ..] => PathBuf::from(format!("{} and {} more", first.display(), files.len() - 1)),
            paths => paths.first().cloned().unwrap_or_default(),
        };
        let columns = files.first().map(|file| file.columns.clone()).unwrap_or_default();
        let expected: BTreeSet<&String> = columns.iter().collect();
        for file in &files {
            if file.columns.iter().collect::<BTreeSet<_>>() != expected {
                return Err(file.form(
                    1,
                    &format!(
                        "its columns differ from those of {}; give all files the same columns",
                        files[0].path.display()
                    ),
                ));
            }
        }
        Ok(Self { path, columns, files, repeats: FxHashSet::default() })
    }

    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// Whether a column may have identifiers in every file. Typed days are none.
    pub(crate) fn may_identify(&self, column: usize) -> bool {
        self.files.iter().all(|file| match &file.content {
            Content::Csv { .. } | Content::Sheet(_) => true,
            Content::Typed(typed) => typed.may_identify(&self.columns[column]),
        })
    }

    /// The index of a column that a setting of the project names.
    pub(crate) fn column_index(&self, column: &str, setting: &str) -> Result<usize, VerifyError> {
        let index = self.columns.iter().position(|known| known == column);
        index.ok_or_else(|| {
            let columns = names(&self.columns);
            LocatedError::new(format!("no column `{column}`; the columns are {columns}"))
                .in_file(&self.path)
                .remedy(format!("correct the project's {setting}"))
                .into()
        })
    }

    /// An error of a cell.
    pub(crate) fn error_at(&self, location: Location, column: &str, problem: &str) -> LocatedError {
        LocatedError::new(problem).in_file(self.file(location)).at(location.position.into()).at_column(column)
    }

    /// The file of a row.
    pub(crate) fn file(&self, location: Location) -> &Path {
        &self.files[location.file].path
    }

    /// The rows that the project leaves out, as far as the table was read.
    pub(crate) fn left_out(&self) -> u64 {
        self.files.iter().map(|file| file.left_out.load(Ordering::Relaxed)).sum()
    }

    /// The file with this index.
    pub(crate) fn file_name(&self, file: usize) -> &Path {
        &self.files[file].path
    }

    /// Whether a column can be read as texts in all files.
    pub(crate) fn is_readable(&self, column: usize) -> bool {
        self.files.iter().all(|file| match &file.content {
            Content::Csv { .. } | Content::Sheet(_) => true,
            Content::Typed(typed) => typed.readable_columns().contains(&self.columns[column]),
        })
    }

    /// Calls `show` with the texts of some columns of one file, row by row.
    pub(crate) fn visit_file(
        &self,
        file: usize,
        columns: &[usize],
        show: &mut dyn FnMut(&[&str]) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        let file = &self.files[file];
        let in_file = |&column: &usize| file.columns.iter().position(|known| *known == self.columns[column]);
        let in_file: Option<Vec<usize>> = columns.iter().map(in_file).collect();
        let in_file = in_file.ok_or_else(|| file.form(1, "a column is missing"))?;
        file.visit_batches(&in_file, &mut |batch| {
            (0..batch.len()).try_for_each(|row| show(&batch.texts(row, 0..columns.len())))
        })
    }

    /// Calls `show` with the texts of some columns, row by row, without the rows that repeat a person.
    pub(crate) fn visit(&self, columns: &[usize], show: &mut RowVisitor) -> Result<(), VerifyError> {
        let mut before = 0;
        self.visit_batches(columns, &mut |batch| {
            let first = before;
            before += batch.len() as u64;
            let counted = |row: &usize| !self.repeats.contains(&(first + *row as u64));
            (0..batch.len())
                .filter(counted)
                .try_for_each(|row| show(batch.location(row), &batch.texts(row, 0..columns.len())))
        })
    }

    /// Calls `show` with some columns, many rows at once, also those that repeat a person.
    pub(crate) fn visit_batches(
        &self,
        columns: &[usize],
        show: &mut dyn FnMut(&Batch) -> Result<(), VerifyError>,
    ) -> Result<(), VerifyError> {
        for (nth, file) in self.files.iter().enumerate() {
            let in_file =
                |&column: &usize| file.columns.iter().position(|known| *known == self.columns[column]);
            let in_file: Option<Vec<usize>> = columns.iter().map(in_file).collect();
            let in_file = in_file.ok_or_else(|| file.form(1, "a column is missing"))?;
            file.visit_batches(&in_file, &mut |batch| show(batch.in_file(nth)))?;
        }
        Ok(())
    }
}

/// Collects rows of `width` columns and calls `show` with each batch.
fn gather(
    width: usize,
    read: impl FnOnce(&mut Visitor) -> Result<(), VerifyError>,
    show: &mut BatchVisitor,
) -> Result<(), VerifyError> {
    let mut batch = Batch::new(width);
    read(&mut |position, texts| {
        batch.push(position, texts);
        if batch.len() < FULL {
            return Ok(());
        }
        show(&mut batch)?;
        batch.clear();
        Ok(())
    })?;
    if batch.len() > 0 { show(&mut batch) } else { Ok(()) }
}

/// The number of batches that are read ahead.
const AHEAD: usize = 2;

/// [`gather`] with a thread that reads the next rows while `show` runs. An error of `show` takes precedence over an error in
/// later rows.
fn visit_ahead(
    width: usize,
    read: impl FnOnce(&mut Visitor) -> Result<(), VerifyError> + Send,
    show: &mut BatchVisitor,
) -> Result<(), VerifyError> {
    let (full, batches) = sync_channel::<Batch>(AHEAD);
    let (shown, empty) = channel::<Batch>();
    thread::scope(|scope| {
        let reader = scope.spawn(move || {
            gather(width, read, &mut |batch| {
                let next = empty.try_recv().unwrap_or_else(|_| Batch::new(width));
                // The receiver is gone after an error of `show`: no further batch is needed.
                full.send(std::mem::replace(batch, next)).map_err(|_| VerifyError::Cancelled)
            })
        });
        // The receiver is dropped with the first error, which ends the reader.
        let batches = batches;
        for mut batch in &batches {
            show(&mut batch)?;
            batch.clear();
            // The reader may have ended already and need no batch.
            let _ = shown.send(batch);
        }
        reader.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// A file of a table.
#[derive(Debug)]
struct TableFile {
    path: PathBuf,
    columns: Vec<String>,
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
    Csv { separator: Option<u8>, quote: Option<u8>, encoding: Option<String> },
    Typed(Typed),
    Sheet(Sheet),
}

impl TableFile {
    fn open(path: &Path, source: &TableSource) -> Result<Self, VerifyError> {
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
                Ok(Content::Csv { separator, quote, encoding: source.encoding.clone() })
            }
            "parquet" => typed(TypedFormat::Parquet),
            "arrow" | "ipc" | "feather" => typed(TypedFormat::Ipc),
            "xlsx" | "xls" => {
                let rows = (source.header_row, &source.rows);
                Sheet::of(&path, &ending, &tried(&ending)?, source.sheet.as_deref(), rows).map(Content::Sheet)
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
            Content::Csv { separator, quote, encoding } => {
                file.check_top((*separator, *quote), encoding.as_deref())?;
                let (mut records, mut first) = file.csv(*separator, *quote, encoding.as_deref())?;
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

    fn visit_batches(&self, columns: &[usize], show: &mut BatchVisitor) -> Result<(), VerifyError> {
        match &self.content {
            Content::Csv { separator, quote, encoding } => {
                let opened = || self.csv(*separator, *quote, encoding.as_deref());
                visit_ahead(columns.len(), |show| self.visit_csv(opened()?, columns, show), show)
            }
            Content::Typed(typed) => self.visit_typed(typed, columns, show),
            Content::Sheet(sheet) => {
                self.left_out.store(sheet.left_out, Ordering::Relaxed);
                gather(columns.len(), |show| sheet.visit(columns, show), show)
            }
        }
    }

    /// Visits a Parquet or Arrow file. Before the first time, all of its columns are looked at.
    fn visit_typed(
        &self,
        typed: &Typed,
        columns: &[usize],
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let wanted: Vec<&str> = columns.iter().map(|&column| self.columns[column].as_str()).collect();
        if !self.is_settled.load(Ordering::Relaxed) {
            self.look_at(typed)?;
        }
        let all = typed.readable_columns();
        let texts: Vec<&str> = all.iter().map(String::as_str).collect();
        let place = |name: &&str| texts.iter().position(|column| column == name);
        let places: Option<Vec<usize>> = wanted.iter().map(place).collect();
        // A column that cannot be read is the error of this visit.
        let Some(places) = places.filter(|_| !self.rows.leave_out.is_empty()) else {
            return typed.visit_batches(&self.path, &wanted, show);
        };
        let (mut number, mut left_out) = (0, 0);
        gather(
            columns.len(),
            |show| {
                typed.visit(&self.path, &texts, &mut |position, cells| {
                    number += 1;
                    if self.rows.leaves_out(number, cells.iter().copied()) {
                        left_out += 1;
                        return Ok(());
                    }
                    let cells: Vec<&str> = places.iter().map(|&place| cells[place]).collect();
                    show(position, &cells)
                })
            },
            show,
        )?;
        self.left_out.store(left_out, Ordering::Relaxed);
        Ok(())
    }

    /// Looks at all rows of a Parquet or Arrow file, once, for rows that may be no people. In a few columns alone, a
    /// person without values would look like none. If the file has values without a text, nothing is looked at: a
    /// column that the project uses ends the visit, and another one does not matter.
    fn look_at(&self, typed: &Typed) -> Result<(), VerifyError> {
        let all = typed.readable_columns();
        let texts: Vec<&str> = all.iter().map(String::as_str).collect();
        let mut doubtful = Doubtful::new(&all, &self.rows);
        let mut number = 0;
        let is_read = typed.visit(&self.path, &texts, &mut |_, cells| {
            number += 1;
            if !self.rows.leaves_out(number, cells.iter().copied()) {
                doubtful.look(number, cells.iter().copied());
            }
            Ok(())
        });
        self.is_settled.store(true, Ordering::Relaxed);
        if is_read.is_err() { Ok(()) } else { doubtful.refuse(&self.path, "row", 0) }
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
    fn check_top(
        &self,
        (separator, quote): (Option<u8>, Option<u8>),
        encoding: Option<&str>,
    ) -> Result<(), VerifyError> {
        if self.header_row.is_some() {
            return Ok(());
        }
        let text =
            Text::of(unpack::open(&self.path)?, encoding).map_err(|error| self.fault(Fault::Io(error)))?;
        let mut beginning = Vec::new();
        text.take(1 << 16).read_to_end(&mut beginning).map_err(|error| self.fault(Fault::Io(error)))?;
        let (what, names) = match top(&beginning, separator, quote) {
            None => return Ok(()),
            Some(Top::Note) => ("a note for spreadsheets", 2),
            Some(Top::Title(line)) => ("a title", line),
        };
        let first = beginning.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let first = String::from_utf8_lossy(first).trim().to_owned();
        Err(refusal(&self.path, ("line", 1), what, &[first])
            .remedy(format!("write `header_row = {names}` under its path in the project if the names are there, else `header_row = 1`"))
            .into())
    }

    fn visit_csv(
        &self,
        (mut records, header): (FileRecords<Text<Contents>>, Record),
        columns: &[usize],
        show: &mut Visitor,
    ) -> Result<(), VerifyError> {
        let mut record = header;
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

    /// The records after the header, and the header.
    fn csv(
        &self,
        separator: Option<u8>,
        quote: Option<u8>,
        encoding: Option<&str>,
    ) -> Result<(FileRecords<Text<Contents>>, Record), VerifyError> {
        let contents = unpack::open(&self.path)?;
        let text = Text::of(contents, encoding).map_err(|error| self.fault(Fault::Io(error)))?;
        let line = self.header_row.unwrap_or(1).into();
        let beginning =
            Beginning::from_line(text, quote, line).map_err(|error| self.fault(Fault::Io(error)))?;
        if beginning.has_two_marks {
            return Err(self.form(1, "two byte-order marks; remove them"));
        }
        let likely = || beginning.most_frequent(b",;\t|", quote).unwrap_or(b',');
        let separator = separator.unwrap_or_else(likely);
        let mut records = beginning.records(separator, quote);
        let mut header = Record::default();
        if !records.read(&mut header).map_err(|fault| self.fault(fault))? {
            return Err(
                self.form(1, "the file is empty; expected a header line with the names of the columns")
            );
        }
        if header.is_blank() {
            return Err(self.form(1, "a blank line; expected a header line with the names of the columns"));
        }
        Ok((records, header))
    }

    /// An error of a line, or of all bad lines if there are more.
    fn with_others(&self, error: VerifyError) -> VerifyError {
        let Content::Csv { separator, quote, encoding } = &self.content else { return error };
        let line = self.header_row.unwrap_or(1).into();
        let list = || -> Option<String> {
            let text = Text::of(unpack::open(&self.path).ok()?, encoding.as_deref()).ok()?;
            let beginning = Beginning::from_line(text, *quote, line).ok()?;
            let likely = beginning.most_frequent(b",;\t|", *quote).unwrap_or(b',');
            let form = (separator.unwrap_or(likely), *quote);
            bad_lines::listed(beginning.text(), line, form, Some(self.columns.len())).ok()?
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

    fn form(&self, line: u64, detail: &str) -> VerifyError {
        LocatedError::new(detail).in_file(&self.path).at_line(line).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal() -> VerifyError {
        LocatedError::new("a refusal").into()
    }

    /// Rows in more batches than are read ahead.
    const ROWS: u64 = (AHEAD as u64 + 3) * FULL as u64 + 7;

    fn read(rows: u64, end: Result<(), VerifyError>) -> impl FnOnce(&mut Visitor) -> Result<(), VerifyError> {
        move |show| {
            for row in 0..rows {
                show(Position::Line(row + 2), &[&(row % 1000).to_string(), "x"])?;
            }
            end
        }
    }

    #[test]
    fn rows_read_ahead_keep_their_order() {
        let mut next = 0;
        let shown = visit_ahead(2, read(ROWS, Ok(())), &mut |batch| {
            for row in 0..batch.len() {
                assert_eq!(batch.position(row), Position::Line(next + 2));
                assert_eq!(batch.texts(row, 0..2), [(next % 1000).to_string().as_str(), "x"]);
                next += 1;
            }
            Ok(())
        });
        assert!(shown.is_ok());
        assert_eq!(next, ROWS);
    }

    #[test]
    fn error_while_showing_rows_ends_the_reader() {
        let refused = visit_ahead(2, read(u64::MAX, Ok(())), &mut |_| Err(refusal()));
        assert_eq!(refused.unwrap_err().to_string(), refusal().to_string());
        let mut rows = 0;
        let broken = visit_ahead(2, read(ROWS, Err(refusal())), &mut |batch| {
            rows += batch.len() as u64;
            Ok(())
        });
        assert_eq!(broken.unwrap_err().to_string(), refusal().to_string());
        assert_eq!(rows, ROWS - 7);
    }
}
