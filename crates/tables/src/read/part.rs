//! One file of a table: CSV, Parquet, Arrow IPC or a workbook. Its rows come as frames, which are
//! texts if the format has no types. Read row by row, each cell is text.

mod blocks;
mod text;

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use polars::prelude::*;
use sha2::{Digest, Sha256};

use super::bytes::{hash_watched, hexadecimal, read_all};
use super::disguise;
use super::guard::guarded;
use super::names::{check_beginning, checked, header, separator, settled};
use super::sheet::{Sheet, Textless};
use super::trial;
use super::typed::{Asked, FrameVisitor, Lot, Typed, behind};
use crate::error::DataError;
use crate::source::spec::{Format, TableSpec, names_ods};
use crate::source::stamp::Stamp;
use palmtop_core::located::LocatedError;
use palmtop_core::progress::{Meter, unwatched};
use text::{TextFile, TextFrame};

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
            let file = self.text_file(separator);
            file.visit_text(&columns, usize::MAX, Some(&mut hasher), meter, &mut |frame| {
                all = Some(frame);
                Ok(true)
            })?;
            let none = || text::made(&self.path, &mut TextFrame::new(&self.columns, &columns));
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

    /// The file as one of CSV, with its separator.
    fn text_file(&self, separator: u8) -> TextFile<'_> {
        TextFile {
            path: &self.path,
            spec: &self.spec,
            separator,
            columns: &self.columns,
            left_out: &self.left_out,
            is_settled: &self.is_settled,
        }
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
                self.text_file(*separator).visit_blocks(
                    blocks::SIZE,
                    asked,
                    &mut hasher,
                    meter,
                    &mut show,
                )?;
            }
            Source::Frame(_) => {
                self.visit_frames(asked.columns, 0, Typed::STRIDE, None, meter, &mut |frame| {
                    show(guarded(&self.path, || Lot::of(&frame, asked))?)
                })?;
            }
        }
        Ok((self.hashed(hasher)?, rows))
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
            Source::Text { separator } => {
                self.text_file(*separator).visit_text(columns, stride, hasher, meter, show)
            }
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
}
