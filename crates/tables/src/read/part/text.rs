//! CSV files: their records become people, and frames of texts. In lots, a file is read in blocks of
//! whole records: one thread cuts it, all others split the next blocks, and this one takes the lots in
//! the order of the file.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io::Read;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

use polars::prelude::*;
use sha2::Sha256;

use super::super::bad_lines;
use super::super::beginning;
use super::super::bytes::text;
use super::super::guard::guarded;
use super::super::names::settled;
use super::super::records::{Fields, Record, Records};
use super::super::scan::Scan;
use super::super::typed::{Asked, FrameVisitor, Give, Lot, Show, ahead_in_turn};
use super::blocks::{Block, Blocks};
use crate::error::DataError;
use crate::error::doubts::{Doubt, DoubtKind};
use crate::source::form::FromLine;
use crate::source::spec::TableSpec;
use palmtop_core::progress::Meter;

/// A CSV file whose header has been read.
pub(super) struct TextFile<'p> {
    pub(super) path: &'p Path,
    pub(super) spec: &'p TableSpec,
    pub(super) separator: u8,
    pub(super) columns: &'p [String],
    /// The rows that are left out, after a reading of all.
    pub(super) left_out: &'p Mutex<Vec<u64>>,
    /// Whether all rows were looked at once.
    pub(super) is_settled: &'p AtomicBool,
}

/// The people of a block.
struct Rows {
    /// Those before an error; `None` if there are none.
    lot: Option<Lot>,
    ended: Result<(), DataError>,
    /// As that of the block.
    read: u64,
}

impl TextFile<'_> {
    /// Shows lots of a CSV file in its order; `size` is the number of bytes of a block.
    pub(super) fn visit_blocks<'a>(
        &'a self,
        size: usize,
        asked: Asked,
        hasher: &mut Sha256,
        meter: &mut Meter,
        show: &mut Show<'_, Lot>,
    ) -> Result<(), DataError> {
        // The meter stays on this thread. It is asked once for each lot, and told what was read up to it.
        let (read, is_stopped) = (AtomicU64::new(0), AtomicBool::new(false));
        let mut go_on = |done: u64| {
            read.store(done, Ordering::Relaxed);
            if is_stopped.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let (meter, shown) = (RefCell::new(meter), Cell::new(0));
        let ask = || match (meter.borrow_mut())(shown.get()) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => {
                is_stopped.store(true, Ordering::Relaxed);
                Err(DataError::Cancelled)
            }
        };
        let line = self.first_line();
        let input = FromLine::new(text(self.path, self.spec, Some(hasher), &mut go_on)?, line);
        let mut blocks = Blocks::new(input, self.spec.quote.mark(), line, size);
        let read = &read;
        let mut next = move || -> Option<Result<Block, DataError>> {
            let block = blocks.next().map_err(DataError::io("read", self.path)).transpose()?;
            Some(block.map(|block| Block { read: read.load(Ordering::Relaxed), ..block }))
        };
        let mut people = self.people();
        // The first rows show what each column has; a small file has no others.
        while !people.can_branch() {
            let Some(block) = next() else { return self.settle(people, line) };
            let rows = self.split(asked, &block?, &mut people);
            shown.set(rows.read);
            ask()?;
            if !rows.shown(show)? {
                return Ok(());
            }
        }
        let none = people.branch();
        let mut is_stopped_early = false;
        let maker = |blocks: Receiver<Result<Block, DataError>>| {
            let none = &none;
            move |give: &mut Give<'_, (People<'a>, Rows)>| {
                for block in blocks {
                    let mut people = none.clone();
                    let rows = self.split(asked, &block?, &mut people);
                    if !give((people, rows)) {
                        break;
                    }
                }
                Ok(())
            }
        };
        thread::scope(|scope| {
            let threads = 0..rayon::current_num_threads();
            let (gives, takes): (Vec<_>, Vec<_>) = threads.map(|_| sync_channel(1)).unzip();
            scope.spawn(move || {
                for give in gives.iter().cycle() {
                    // Sending fails if no more blocks are wanted.
                    let Some(block) = next() else { break };
                    let is_last = block.is_err();
                    if give.send(block).is_err() || is_last {
                        break;
                    }
                }
            });
            ahead_in_turn(takes.into_iter().map(maker).collect(), &mut || ask(), &mut |(later, rows)| {
                shown.set(rows.read);
                ask()?;
                self.append(&mut people, later, rows.lot.is_some())?;
                is_stopped_early = !rows.shown(show)?;
                Ok(!is_stopped_early)
            })
        })?;
        if is_stopped_early { Ok(()) } else { self.settle(people, line) }
    }

    /// Splits a block of records.
    fn split<'a>(&'a self, asked: Asked, block: &Block, people: &mut People<'a>) -> Rows {
        let mut lot = None;
        let mut take = |frame: DataFrame| {
            lot = Some(guarded(self.path, || Lot::of(&frame, asked))?);
            Ok(true)
        };
        let mark = self.spec.quote.mark();
        let mut records =
            Records::at_line(self.path, self.separator, mark, block.line, block.bytes.as_slice());
        let names = if block.is_first { self.check_names(&mut records) } else { Ok(()) };
        let ended =
            names.and_then(|()| self.take_all(&mut records, asked.columns, usize::MAX, people, &mut take));
        Rows { lot, ended: ended.map(|_| ()), read: block.read }
    }

    /// Adds the people of the next block.
    fn append<'a>(
        &self,
        people: &mut People<'a>,
        later: People<'a>,
        has_rows: bool,
    ) -> Result<(), DataError> {
        // Only at the end of a file a short line may be a note.
        let short =
            people.short.first().filter(|_| has_rows || people.short.len() + later.short.len() > MOST_SHORT);
        if let Some(short) = short {
            return self.ragged(short).map_err(|error| self.all_bad_lines(error));
        }
        people.append(later);
        Ok(())
    }

    /// The line with the names, or else of the first row.
    fn first_line(&self) -> u64 {
        u64::from(self.spec.header_row.unwrap_or(1))
    }

    /// No people yet.
    fn people(&self) -> People<'_> {
        let is_new = !self.is_settled.load(Ordering::Relaxed);
        People::new(is_new.then(|| Scan::new(self.columns, &self.spec.rows)))
    }

    /// Shows the rows of a CSV file as frames.
    pub(super) fn visit_text(
        &self,
        columns: &[&str],
        stride: usize,
        hasher: Option<&mut Sha256>,
        meter: &mut Meter,
        show: &mut FrameVisitor,
    ) -> Result<(), DataError> {
        let line = self.first_line();
        let input = FromLine::new(text(self.path, self.spec, hasher, meter)?, line);
        let mut records = Records::at_line(self.path, self.separator, self.spec.quote.mark(), line, input);
        self.check_names(&mut records)?;
        let mut people = self.people();
        let is_over = self.take_all(&mut records, columns, stride, &mut people, show)?;
        if is_over { self.settle(people, line) } else { Ok(()) }
    }

    /// Checks that the names are still those of the columns.
    fn check_names(&self, records: &mut Records<impl Read>) -> Result<(), DataError> {
        if self.spec.rows.header.is_in_file()
            && let Some(header) = records.next()?
        {
            self.check_width(&header)?;
            let names = header.texts(self.columns).collect::<Result<Vec<&str>, _>>()?;
            if names != self.columns {
                return Err(DataError::changed(self.path));
            }
        }
        Ok(())
    }

    /// Takes records and shows their rows, those before an error too, until `show` wants no more.
    /// Returns whether it wanted all.
    fn take_all(
        &self,
        records: &mut Records<impl Read>,
        columns: &[&str],
        stride: usize,
        people: &mut People,
        show: &mut FrameVisitor,
    ) -> Result<bool, DataError> {
        let mut lines = TextFrame::new(self.columns, columns);
        loop {
            let more = records.next().and_then(|record| match record {
                Some(record) => self.take(&record, people, &mut lines).map(|()| true),
                None => Ok(false),
            });
            let more = more.map_err(|error| self.all_bad_lines(error));
            let is_full = lines.rows >= stride;
            if lines.rows > 0
                && (is_full || !matches!(more, Ok(true)))
                && !show(made(self.path, &mut lines)?)?
            {
                return Ok(false);
            }
            if !more? {
                return Ok(true);
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
        let is_short = record.len() < self.columns.len()
            && (people.is_later || people.rows > 1)
            && people.short.len() < MOST_SHORT;
        let is_short = is_short && !rules.keeps(record.line, record.cells());
        if is_short && record.cells().filter(|cell| !cell.is_empty()).count() <= 2 {
            let texts = record.cells().map(ToOwned::to_owned).collect();
            people.short.push(Doubt { kind: DoubtKind::Sparse, number: record.line, texts });
            return Ok(());
        }
        // Only at the end of a file a short line may be a note.
        people.short.first().map_or(Ok(()), |short| self.ragged(short))?;
        self.check_width(record)?;
        let fields = record.fields(self.columns)?;
        if let Some(scan) = &mut people.scan {
            scan.look(record.line, fields.iter());
        }
        lines.add(&fields);
        Ok(())
    }

    /// Checks that all rows are people, after the last; the names are at `line`.
    fn settle(&self, people: People, line: u64) -> Result<(), DataError> {
        self.check_people(people, line).map_err(|error| self.all_bad_lines(error))
    }

    fn check_people(&self, people: People, line: u64) -> Result<(), DataError> {
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
            beginning::is_title(self.columns) || (lacks_one && row.texts.len() == self.columns.len())
        };
        let second = second.filter(|row| self.spec.header_row.is_none() && is_title(row));
        if let Some(names) = second.map(|row| row.number) {
            let texts = self.columns.to_vec();
            doubts.insert(0, Doubt { kind: DoubtKind::Title { names }, number: line, texts });
        }
        settled(self.path, self.spec, "line", doubts)?;
        self.is_settled.store(true, Ordering::Relaxed);
        *self.left_out.lock().unwrap_or_else(PoisonError::into_inner) = left_out;
        Ok(())
    }

    /// An error of a line, or of all bad lines if there are more.
    fn all_bad_lines(&self, error: DataError) -> DataError {
        bad_lines::all(error, self.path, self.spec, self.separator, Some(self.columns.len()))
    }

    /// The error of a line with too few fields.
    fn ragged(&self, short: &Doubt) -> Result<(), DataError> {
        Err(DataError::ragged(self.path, short.number, short.texts.len(), self.columns.len()))
    }

    fn check_width(&self, record: &Record) -> Result<(), DataError> {
        let (found, expected) = (record.len(), self.columns.len());
        if found == expected {
            return Ok(());
        }
        Err(DataError::ragged(self.path, record.line, found, expected))
    }
}

impl Rows {
    /// Shows the rows before an error, and returns the error; else whether `show` wants more.
    fn shown(self, show: &mut Show<'_, Lot>) -> Result<bool, DataError> {
        if let Some(lot) = self.lot
            && !show(lot)?
        {
            return Ok(false);
        }
        self.ended.map(|()| true)
    }
}

/// The records of a CSV file after its names, or of a later block, while they are read.
#[derive(Clone)]
struct People<'a> {
    /// Whether other records come before them.
    is_later: bool,
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
        Self { is_later: false, scan, rows: 0, left_out: Vec::new(), short: Vec::new() }
    }

    /// Whether a later block can be read apart: its rows are compared with what the first rows have.
    fn can_branch(&self) -> bool {
        self.rows > 0 && self.scan.as_ref().is_none_or(Scan::is_settled)
    }

    /// No people of a later block yet.
    fn branch(&self) -> Self {
        Self { is_later: true, ..Self::new(self.scan.as_ref().map(Scan::branch)) }
    }

    /// Adds those of the next block.
    fn append(&mut self, later: Self) {
        self.left_out.extend(later.left_out.into_iter().map(|row| self.rows + row));
        self.rows += later.rows;
        self.short.extend(later.short);
        if let (Some(scan), Some(later)) = (&mut self.scan, later.scan) {
            scan.append(later);
        }
    }
}

/// Records of a CSV file that become a frame of texts.
pub(super) struct TextFrame<'a> {
    /// Each wanted column once: its index in the file, and its texts.
    columns: Vec<(usize, &'a str, StringChunkedBuilder)>,
    rows: usize,
}

impl<'a> TextFrame<'a> {
    pub(super) fn new(all: &'a [String], wanted: &[&str]) -> Self {
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

/// The rows collected so far, as a frame.
pub(super) fn made(path: &Path, lines: &mut TextFrame) -> Result<DataFrame, DataError> {
    guarded(path, || lines.take().map_err(|error| error.to_string()))
}

#[cfg(test)]
mod tests;
