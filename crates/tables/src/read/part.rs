//! One file of a table: CSV, Parquet, Arrow IPC or a workbook. Its rows come as frames, which are
//! texts if the format has no types. Read row by row, each cell is text.

use std::cell::RefCell;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::*;
use sha2::{Digest, Sha256};

use super::bad_lines;
use super::beginning;
use super::bytes::{hash_watched, hexadecimal, read_all, text};
use super::disguise;
use super::guard::guarded;
use super::names::{check_beginning, checked, header, separator, settled};
use super::records::{Fields, Record, Records};
use super::scan::Scan;
use super::sheet::{Sheet, Textless};
use super::trial;
use super::typed::{Asked, FrameVisitor, Give, Lot, Show, Typed, ahead, behind};
use crate::error::DataError;
use crate::error::doubts::{Doubt, DoubtKind};
use crate::source::spec::{Format, TableSpec, names_ods};
use crate::source::stamp::Stamp;
use palmtop_core::located::LocatedError;
use palmtop_core::progress::{Meter, unwatched};

/// How to read a file of a table.
#[derive(Clone, Debug)]
enum Source {
    /// A CSV file, read again each time.
    Text { separator: u8 },
    /// The bytes of a Parquet or Arrow file.
    Typed(Typed),
    /// All rows of a workbook, or of a [kept](Part::kept) CSV file.
    Frame(DataFrame),
}

/// The default number of rows of a CSV file in a frame: few enough that a frame reuses the memory
/// of the previous one.
const TEXT_STRIDE: usize = 1 << 14;

/// Receives the number of a row, from 1, and its texts; returns whether it wants more.
pub(crate) type PartVisitor<'a> = dyn FnMut(u64, &[&str]) -> Result<bool, DataError> + 'a;

/// Receives the number of a row, from 1, and its texts.
pub(crate) type RowVisitor<'a, E> = dyn FnMut(u64, &[&str]) -> Result<(), E> + 'a;

/// Receives the number of the first row of a lot, from 1, and the lot.
pub(crate) type LotVisitor<'a> = dyn FnMut(u64, Lot) -> Result<(), DataError> + 'a;

/// A file of a table whose header has been read.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) path: PathBuf,
    source: Source,
    /// The settings of the table.
    spec: TableSpec,
    pub(crate) columns: Vec<String>,
    /// The same names, to find one of many.
    names: HashSet<String>,
    /// The stamp from before the file was opened.
    stamp: Option<Stamp>,
    /// The SHA-256 of the bytes that are kept in memory.
    sha256: Option<String>,
    /// The rows of the file that are left out, in order, as far as it was read; from 1.
    left_out: Arc<Mutex<Vec<u64>>>,
    /// Whether all rows were looked at once and are people: they are not looked at again.
    is_settled: Arc<AtomicBool>,
    /// The columns of a workbook with cells that have no text.
    textless: Vec<Textless>,
}

impl Part {
    /// Opens a file. The meter receives the bytes of a file that must be in memory. A file whose
    /// hash is among `tried` needs no trial.
    pub(crate) fn open(
        path: &Path,
        spec: &TableSpec,
        tried: &[String],
        meter: &mut Meter,
    ) -> Result<Self, DataError> {
        let stamp = Stamp::of(path);
        let Some(format) = Format::of(path) else {
            if names_ods(path) {
                return Err(DataError::of_file(path, "palmtop reads no .ods file", "save it as .xlsx"));
            }
            disguise::check(path, spec.encoding)?;
            return Err(DataError::unknown_format(path));
        };
        if let Some((setting, others)) = spec.surplus(format) {
            return Err(LocatedError::new(format!("`{setting}` applies only to {others}"))
                .in_file(path)
                .remedy("remove it from the project, or use files of that kind")
                .into());
        }
        disguise::check(path, spec.encoding)?;
        let (mut sha256, mut left_out, mut textless) = (None, Vec::new(), Vec::new());
        let (columns, source) = if format == Format::Text {
            check_beginning(path, spec)?;
            let separator = separator(path, spec)?;
            (checked(path, spec, "line", header(path, spec, separator)?)?, Source::Text { separator })
        } else {
            let (bytes, hash) = read_all(path, meter)?;
            let sheet = spec.sheet.as_deref();
            if sheet.is_some() || !tried.contains(&hash) {
                trial::check(path, format, sheet, &bytes, meter)?;
            }
            sha256 = Some(hash);
            match format {
                Format::Xlsx | Format::Xls => {
                    let sheet;
                    (sheet, textless) = Sheet::new(path, format, &bytes, spec)?;
                    settled(path, spec, "row", sheet.doubts(&spec.rows))?;
                    let columns = checked(path, spec, "row", sheet.columns().to_vec())?;
                    let frame = guarded(path, || sheet.frame().map_err(|error| error.to_string()))?;
                    left_out = sheet.left_out().to_vec();
                    (columns, Source::Frame(frame))
                }
                _ => {
                    let typed = Typed::new(path, format, bytes)?;
                    let columns =
                        checked(path, spec, "row", typed.columns().map(ToOwned::to_owned).collect())?;
                    let rules = &spec.rows;
                    if rules.leave_out.is_empty() {
                        let doubts = typed.doubts(&columns, rules)?;
                        settled(path, spec, "row", doubts)?;
                        (columns, Source::Typed(typed))
                    } else {
                        let (frame, without, doubts) = typed.without(&columns, rules)?;
                        settled(path, spec, "row", doubts)?;
                        left_out = without;
                        (columns, Source::Frame(frame))
                    }
                }
            }
        };
        let names = columns.iter().cloned().collect();
        let left_out = Arc::new(Mutex::new(left_out));
        let is_settled = Arc::new(AtomicBool::new(false));
        Ok(Self {
            path: path.to_owned(),
            source,
            spec: spec.clone(),
            columns,
            names,
            stamp,
            sha256,
            left_out,
            is_settled,
            textless,
        })
    }

    /// The number of rows that are left out, after the file was read to its end.
    pub(crate) fn left_out(&self) -> u64 {
        self.left_out.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }

    /// The row of the file, after its names, that is the row of people with this number; both from
    /// 1.
    pub(crate) fn row_in_file(&self, row: u64) -> u64 {
        let left_out = self.left_out.lock().unwrap_or_else(PoisonError::into_inner);
        left_out.iter().fold(row, |row, &without| row + u64::from(without <= row))
    }

    /// Keeps all rows of the file in memory: later reads see these rows.
    pub(super) fn kept(mut self, meter: &mut Meter) -> Result<Self, DataError> {
        if let Source::Text { separator } = self.source {
            let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
            let mut hasher = Sha256::new();
            let mut all = None;
            self.visit_text(separator, &columns, usize::MAX, Some(&mut hasher), meter, &mut |frame| {
                all = Some(frame);
                Ok(true)
            })?;
            let none = || self.made(&mut TextFrame::new(&self.columns, &columns));
            self.source = Source::Frame(all.map_or_else(none, Ok)?);
            self.sha256 = Some(hexadecimal(&hasher.finalize()));
        }
        Ok(self)
    }

    /// Whether the file was written to since it was opened, by its size and time.
    pub(crate) fn was_changed(&self) -> bool {
        let now = Stamp::of(&self.path);
        self.stamp.is_none_or(|stamp| now.is_none_or(|now| !stamp.is_as_written(&now)))
    }

    /// The stamp from before the file was opened.
    pub(crate) fn stamp(&self) -> Option<Stamp> {
        self.stamp
    }

    /// The SHA-256 of the content that later reads see, in hexadecimal. The meter receives the
    /// bytes that must be read for it.
    pub(crate) fn hash(&self, meter: &mut Meter) -> Result<String, DataError> {
        match &self.sha256 {
            Some(sha256) => Ok(sha256.clone()),
            None => hash_watched(&self.path, meter),
        }
    }

    /// The size in bytes on disk.
    pub(crate) fn size(&self) -> u64 {
        self.stamp.map_or(0, |stamp| stamp.size)
    }

    /// Checks that each cell of a column that the project uses has a text.
    pub(super) fn check_texts(&self, column: &str) -> Result<(), DataError> {
        let textless = self.textless.iter().find(|textless| textless.column == column);
        textless.map_or(Ok(()), |textless| Err(textless.error(&self.path)))
    }

    /// Whether a column can be read as text. Columns of CSV files and workbooks always can.
    pub(crate) fn is_readable(&self, column: &str) -> bool {
        match &self.source {
            Source::Text { .. } => self.names.contains(column),
            Source::Frame(frame) => frame.schema().contains(column),
            Source::Typed(typed) => typed.is_readable(column),
        }
    }

    /// Whether the file declares the values of a column to be numbers.
    pub(crate) fn is_numeric(&self, column: &str) -> bool {
        matches!(&self.source, Source::Typed(typed) if typed.is_numeric(column))
    }

    /// Whether rows can be skipped without reading them.
    pub(crate) fn skips(&self) -> bool {
        !matches!(self.source, Source::Text { .. })
    }

    /// Shows the texts of some columns row by row, and returns the SHA-256 of the file in
    /// hexadecimal. The meter receives the bytes of a CSV file; for other formats it is asked
    /// between frames.
    ///
    /// # Errors
    /// The visitor's own error, or a [`DataError`] if the file cannot be read.
    pub(crate) fn visit<E: From<DataError>>(
        &self,
        columns: &[&str],
        meter: &mut Meter,
        show: &mut RowVisitor<E>,
    ) -> Result<String, E> {
        let mut hasher = Sha256::new();
        let mut refused = None;
        let mut until_refused = |row, texts: &[&str]| {
            refused = show(row, texts).err();
            Ok(refused.is_none())
        };
        let stride = if self.skips() { Typed::STRIDE } else { TEXT_STRIDE };
        self.visit_rows(columns, 0, stride, Some(&mut hasher), meter, &mut until_refused)?;
        match refused {
            Some(error) => Err(error),
            None => Ok(self.hashed(hasher)?),
        }
    }

    /// Shows some columns in lots of rows, with the first `numbered` columns numbered. Returns the
    /// SHA-256 of the file and its number of rows.
    pub(crate) fn visit_lots(
        &self,
        asked: Asked,
        meter: &mut Meter,
        show: &mut LotVisitor,
    ) -> Result<(String, u64), DataError> {
        let mut rows = 0;
        let mut hasher = Sha256::new();
        let mut show = |lot: Lot| {
            let first = rows + 1;
            rows += lot.rows as u64;
            show(first, lot).map(|()| true)
        };
        match &self.source {
            Source::Typed(typed) => {
                // Rows are reported as a share of the file's bytes.
                let (all, size) = (typed.rows().map_or(0, |rows| rows as u64), self.size());
                let mut before = 0;
                typed.visit_ahead(asked, &mut |lot| {
                    let done = u128::from(size) * u128::from(before) / u128::from(all.max(1));
                    if meter(if all > 0 { u64::try_from(done).unwrap_or(size) } else { 0 }).is_break() {
                        return Err(DataError::Cancelled);
                    }
                    before += lot.rows as u64;
                    show(lot)
                })?;
            }
            Source::Text { separator } => {
                self.visit_text_ahead(*separator, asked, &mut hasher, meter, &mut show)?;
            }
            Source::Frame(_) => {
                self.visit_frames(asked.columns, 0, Typed::STRIDE, None, meter, &mut |frame| {
                    show(guarded(&self.path, || Lot::of(&frame, asked))?)
                })?;
            }
        }
        Ok((self.hashed(hasher)?, rows))
    }

    /// Shows lots of a CSV file that a second thread reads, at most one lot ahead.
    fn visit_text_ahead(
        &self,
        separator: u8,
        asked: Asked,
        hasher: &mut Sha256,
        meter: &mut Meter,
        show: &mut Show<'_, Lot>,
    ) -> Result<(), DataError> {
        // The meter stays on this thread and is asked once for each lot.
        let (read, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let mut go_on = |done: u64| {
            read.store(done, Ordering::Relaxed);
            if is_stopped.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let make = |give: &mut Give<'_, Lot>| {
            self.visit_text(separator, asked.columns, TEXT_STRIDE, Some(hasher), &mut go_on, &mut |frame| {
                Ok(give(guarded(&self.path, || Lot::of(&frame, asked))?))
            })
        };
        let meter = RefCell::new(meter);
        let ask = || match (meter.borrow_mut())(read.load(Ordering::Relaxed)) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                is_stopped.store(true, Ordering::Relaxed);
                Err(DataError::Cancelled)
            }
        };
        ahead(make, &mut || ask(), &mut |lot| {
            ask()?;
            show(lot)
        })
    }

    /// Shows the texts of some columns from a row on, until `show` wants no more. Reads at most
    /// `stride` rows beyond that. Rows of a CSV file are not skipped.
    pub(crate) fn visit_rows(
        &self,
        columns: &[&str],
        from: usize,
        stride: usize,
        hasher: Option<&mut Sha256>,
        meter: &mut Meter,
        show: &mut PartVisitor,
    ) -> Result<(), DataError> {
        let mut number = if self.skips() { from as u64 } else { 0 };
        self.visit_frames(columns, from, stride, hasher, meter, &mut |frame| {
            let lot = guarded(&self.path, || Lot::of(&frame, Asked::all(columns, 0)))?;
            let mut cells: Vec<_> = lot.texts.iter().map(StringChunked::iter).collect();
            let mut texts = Vec::with_capacity(columns.len());
            for _ in 0..lot.rows {
                texts.clear();
                texts.extend(cells.iter_mut().map(|cells| cells.next().flatten().unwrap_or_default()));
                number += 1;
                if !show(number, &texts)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Shows some columns from a row on, as frames of at most `stride` rows.
    fn visit_frames(
        &self,
        columns: &[&str],
        from: usize,
        stride: usize,
        hasher: Option<&mut Sha256>,
        meter: &mut Meter,
        show: &mut FrameVisitor,
    ) -> Result<(), DataError> {
        match &self.source {
            Source::Text { separator } => self.visit_text(*separator, columns, stride, hasher, meter, show),
            Source::Typed(typed) => typed.visit(columns, from, stride, &mut |frame| {
                if meter(0).is_break() {
                    return Err(DataError::Cancelled);
                }
                show(frame)
            }),
            Source::Frame(frame) => {
                let mut rest = behind(frame, from);
                while rest.height() > 0 {
                    if meter(0).is_break() {
                        return Err(DataError::Cancelled);
                    }
                    let rows = rest.head(Some(stride));
                    rest = behind(&rest, rows.height());
                    if !show(rows)? {
                        break;
                    }
                }
                Ok(())
            }
        }
    }

    /// The SHA-256 of what was read: from the hasher for a CSV file, else already known.
    fn hashed(&self, hasher: Sha256) -> Result<String, DataError> {
        match &self.source {
            Source::Text { .. } => Ok(hexadecimal(&hasher.finalize())),
            _ => self.hash(&mut unwatched),
        }
    }

    fn visit_text(
        &self,
        separator: u8,
        columns: &[&str],
        stride: usize,
        hasher: Option<&mut Sha256>,
        meter: &mut Meter,
        show: &mut FrameVisitor,
    ) -> Result<(), DataError> {
        let rules = &self.spec.rows;
        let line = u64::from(self.spec.header_row.unwrap_or(1));
        let input = text(&self.path, &self.spec, hasher, meter)?;
        let mut records = Records::from_line(&self.path, separator, self.spec.quote.mark(), line, input);
        if rules.header.is_in_file()
            && let Some(header) = records.next()?
        {
            self.check_width(&header)?;
            let names = header.texts(&self.columns).collect::<Result<Vec<&str>, _>>()?;
            if names != self.columns {
                return Err(DataError::changed(&self.path));
            }
        }
        let mut lines = TextFrame::new(&self.columns, columns);
        let is_new = !self.is_settled.load(Ordering::Relaxed);
        let mut people = People::new(is_new.then(|| Scan::new(&self.columns, rules)));
        loop {
            let more = records.next().and_then(|record| match record {
                Some(record) => self.take(&record, &mut people, &mut lines).map(|()| true),
                None => self.settle(std::mem::replace(&mut people, People::new(None)), line).map(|()| false),
            });
            let more = more.map_err(|error| self.all_bad_lines(error, separator));
            // The rows before an error are shown before the error is returned.
            let is_full = lines.rows >= stride;
            if lines.rows > 0 && (is_full || !matches!(more, Ok(true))) && !show(self.made(&mut lines)?)? {
                return Ok(());
            }
            if !more? {
                return Ok(());
            }
        }
    }

    /// Takes a record: as a person, unless it is left out or is too short to be one.
    fn take(&self, record: &Record, people: &mut People, lines: &mut TextFrame) -> Result<(), DataError> {
        let rules = &self.spec.rows;
        people.rows += 1;
        if !rules.leave_out.is_empty() && rules.leaves_out(record.line, record.cells()) {
            people.left_out.push(people.rows);
            return Ok(());
        }
        let is_short =
            record.len() < self.columns.len() && people.rows > 1 && people.short.len() < MOST_SHORT;
        let is_short = is_short && !rules.keeps(record.line, record.cells());
        if is_short && record.cells().filter(|cell| !cell.is_empty()).count() <= 2 {
            let texts = record.cells().map(ToOwned::to_owned).collect();
            people.short.push(Doubt { kind: DoubtKind::Sparse, number: record.line, texts });
            return Ok(());
        }
        // Only at the end of a file a short line may be a note.
        people.short.first().map_or(Ok(()), |short| self.ragged(short))?;
        self.check_width(record)?;
        let fields = record.fields(&self.columns)?;
        if let Some(scan) = &mut people.scan {
            scan.look(record.line, fields.iter());
        }
        lines.add(&fields);
        Ok(())
    }

    /// Checks that all rows are people, after the last.
    fn settle(&self, people: People, line: u64) -> Result<(), DataError> {
        let People { mut scan, short, left_out, .. } = people;
        let mut is_note = |short: &Doubt| scan.as_mut().is_some_and(|scan| scan.is_note(&short.texts));
        if let Some(short) = short.iter().find(|short| !is_note(short)) {
            return self.ragged(short);
        }
        let mut doubts = scan.map_or_else(Vec::new, |scan| scan.finish(line));
        doubts.extend(short);
        let second = doubts.iter().find(|doubt| doubt.kind == DoubtKind::SecondHeader);
        // A name that is missing above a row that has all is that of a title.
        let is_title = |row: &&Doubt| {
            let lacks_one = self.columns.iter().any(|name| name.trim().is_empty());
            beginning::is_title(&self.columns) || (lacks_one && row.texts.len() == self.columns.len())
        };
        let second = second.filter(|row| self.spec.header_row.is_none() && is_title(row));
        if let Some(names) = second.map(|row| row.number) {
            let texts = self.columns.clone();
            doubts.insert(0, Doubt { kind: DoubtKind::Title { names }, number: line, texts });
        }
        settled(&self.path, &self.spec, "line", doubts)?;
        self.is_settled.store(true, Ordering::Relaxed);
        *self.left_out.lock().unwrap_or_else(PoisonError::into_inner) = left_out;
        Ok(())
    }

    /// An error of a line, or of all bad lines if there are more.
    fn all_bad_lines(&self, error: DataError, separator: u8) -> DataError {
        bad_lines::all(error, &self.path, &self.spec, separator, Some(self.columns.len()))
    }

    fn made(&self, lines: &mut TextFrame) -> Result<DataFrame, DataError> {
        guarded(&self.path, || lines.take().map_err(|error| error.to_string()))
    }

    /// The error of a line with too few fields.
    fn ragged(&self, short: &Doubt) -> Result<(), DataError> {
        Err(DataError::ragged(&self.path, short.number, short.texts.len(), self.columns.len()))
    }

    fn check_width(&self, record: &Record) -> Result<(), DataError> {
        let (found, expected) = (record.len(), self.columns.len());
        if found == expected {
            return Ok(());
        }
        Err(DataError::ragged(&self.path, record.line, found, expected))
    }
}

/// The records of a CSV file after its names, while they are read.
struct People<'a> {
    /// The look at the rows, if they were not looked at before.
    scan: Option<Scan<'a>>,
    /// The number of records.
    rows: u64,
    left_out: Vec<u64>,
    /// The last records, if they have too few fields.
    short: Vec<Doubt>,
}

/// The most lines of a note at the end of a file.
const MOST_SHORT: usize = 10;

impl<'a> People<'a> {
    fn new(scan: Option<Scan<'a>>) -> Self {
        Self { scan, rows: 0, left_out: Vec::new(), short: Vec::new() }
    }
}

/// Records of a CSV file that become a frame of texts.
struct TextFrame<'a> {
    /// Each wanted column once: its index in the file, and its texts.
    columns: Vec<(usize, &'a str, StringChunkedBuilder)>,
    rows: usize,
}

impl<'a> TextFrame<'a> {
    fn new(all: &'a [String], wanted: &[&str]) -> Self {
        let wanted: HashSet<&str> = wanted.iter().copied().collect();
        let columns = all.iter().enumerate().filter(|(_, name)| wanted.contains(name.as_str()));
        let columns = columns.map(|(index, name)| (index, name.as_str(), builder(name)));
        Self { columns: columns.collect(), rows: 0 }
    }

    fn add(&mut self, fields: &Fields) {
        for (index, _, builder) in &mut self.columns {
            builder.append_value(fields.get(*index));
        }
        self.rows += 1;
    }

    /// Takes the rows collected so far and leaves none.
    fn take(&mut self) -> PolarsResult<DataFrame> {
        let taken = self
            .columns
            .iter_mut()
            .map(|(_, name, texts)| std::mem::replace(texts, builder(name)).finish().into_column());
        DataFrame::new(std::mem::take(&mut self.rows), taken.collect())
    }
}

fn builder(name: &str) -> StringChunkedBuilder {
    StringChunkedBuilder::new(name.into(), 0)
}
