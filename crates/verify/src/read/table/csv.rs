//! A CSV file of a table. It is cut into pieces that have whole records, and all cores read pieces; their rows are shown in
//! the order of the file.

use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use palmtop_terms::LocatedError;
use palmtop_terms::words::plural;
use rayon::prelude::*;

use crate::problems::Stop;
use crate::problems::VerifyError;
use crate::read::batch::{Batch, BatchVisitor};
use crate::read::doubtful::{Doubtful, Top, refusal, top};
use crate::read::position::Position;
use crate::read::rows_source::RowsSource;
use crate::read::text::{
    Beginning, Contents, Fault, FileRecords, Piece, Pieces, Record, Text, bad_lines, no_text_of, unpack,
};

/// The form of a CSV file, as far as the project says it.
#[derive(Debug)]
pub(super) struct Csv {
    pub(super) separator: Option<u8>,
    pub(super) quote: Option<u8>,
    pub(super) encoding: Option<String>,
}

/// A CSV file, with what the project says of it.
pub(super) struct CsvFile<'f> {
    pub(super) csv: &'f Csv,
    pub(super) path: &'f Path,
    /// The names of the columns; none before they are read.
    pub(super) columns: &'f [String],
    pub(super) header_row: Option<u32>,
    pub(super) rows: &'f RowsSource,
    /// The rows that the last reading left out.
    pub(super) left_out: &'f AtomicU64,
    /// Whether all rows were looked at, and each is a person.
    pub(super) is_settled: &'f AtomicBool,
}

/// An opened CSV file.
pub(super) struct Opened {
    /// The records after the header.
    pub(super) records: FileRecords<Text<Contents>>,
    pub(super) header: Record,
}

/// What rows of a CSV file are.
struct Look<'a> {
    /// `None` if the rows were looked at before.
    doubtful: Option<Doubtful<'a>>,
    left_out: u64,
}

impl Look<'_> {
    /// Whether rows can be looked at apart from those above.
    fn is_taught(&self) -> bool {
        self.doubtful.as_ref().is_none_or(Doubtful::is_taught)
    }

    /// A look at rows further down.
    fn apart(&self) -> Self {
        Self { doubtful: self.doubtful.as_ref().map(Doubtful::apart), left_out: 0 }
    }

    /// Adds the look at the next rows.
    fn join(&mut self, next: Self) {
        self.left_out += next.left_out;
        if let (Some(doubtful), Some(next)) = (&mut self.doubtful, next.doubtful) {
            doubtful.join(next);
        }
    }
}

impl CsvFile<'_> {
    /// Calls `show` with rows, pieces of about `size` bytes at once.
    pub(super) fn visit(
        &self,
        size: usize,
        columns: &[usize],
        stop: &Stop,
        show: &mut BatchVisitor,
    ) -> Result<(), VerifyError> {
        let Opened { records, header } = self.open()?;
        let doubtful =
            (!self.is_settled.load(Ordering::Relaxed)).then(|| Doubtful::new(self.columns, self.rows));
        let mut look = Look { doubtful, left_out: 0 };
        let mut first = Batch::new(columns.len());
        if !self.rows.naming.is_in_row() {
            self.take(&header, columns, &mut look, &mut first)?;
        } else if !header.fields().eq(self.columns.iter().map(String::as_str)) {
            return Err(self.form(
                header.line,
                "the header changed while the file was read; try again when no program writes to it",
            ));
        }
        let mut show = |mut batches: Vec<Batch>| {
            batches.retain(|batch| batch.len() > 0);
            match () {
                () if stop.is_wanted() => Err(VerifyError::Cancelled),
                () if batches.is_empty() => Ok(()),
                () => show(&mut batches),
            }
        };
        show(vec![first])?;
        let mut pieces = Pieces::of(records, size);
        let unread = |error| self.fault(Fault::Io(error));
        // The first rows tell what is usual below them.
        while !look.is_taught() {
            let Some(piece) = pieces.next().map_err(unread)? else { break };
            let mut batch = Batch::new(columns.len());
            let ended = self.read_piece(&piece, columns, &mut look, &mut batch);
            show(vec![batch])?;
            ended?;
        }
        loop {
            let some = pieces.some(2 * rayon::current_num_threads()).map_err(unread)?;
            if some.is_empty() {
                break;
            }
            let read: Vec<_> = some
                .into_par_iter()
                .map(|piece| {
                    let (mut look, mut batch) = (look.apart(), Batch::new(columns.len()));
                    let ended = self.read_piece(&piece, columns, &mut look, &mut batch);
                    (batch, look, ended)
                })
                .collect();
            let (mut batches, mut ended) = (Vec::with_capacity(read.len()), Ok(()));
            for (batch, next, end) in read {
                batches.push(batch);
                look.join(next);
                ended = end;
                if ended.is_err() {
                    break;
                }
            }
            show(batches)?;
            ended?;
        }
        self.left_out.store(look.left_out, Ordering::Relaxed);
        if let Some(doubtful) = look.doubtful {
            doubtful.refuse(self.path, "line", header.line)?;
            self.is_settled.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Reads the rows of a piece, up to an error.
    fn read_piece(
        &self,
        piece: &Piece,
        columns: &[usize],
        look: &mut Look,
        batch: &mut Batch,
    ) -> Result<(), VerifyError> {
        let (mut records, mut record) = (piece.records(), Record::default());
        while records.read(&mut record).map_err(|fault| self.with_others(self.fault(fault)))? {
            self.take(&record, columns, look, batch)?;
        }
        Ok(())
    }

    /// Takes a row, unless the project leaves it out.
    fn take(
        &self,
        record: &Record,
        columns: &[usize],
        look: &mut Look,
        batch: &mut Batch,
    ) -> Result<(), VerifyError> {
        if self.rows.leaves_out(record.line, record.fields()) {
            look.left_out += 1;
            return Ok(());
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
        if let Some(doubtful) = &mut look.doubtful {
            doubtful.look(record.line, record.fields());
        }
        batch.push(Position::Line(record.line), columns.iter().map(|&column| record.field(column)));
        Ok(())
    }

    /// Refuses a file that begins with something else than the names, unless the project says where they are.
    pub(super) fn check_top(&self) -> Result<(), VerifyError> {
        if self.header_row.is_some() {
            return Ok(());
        }
        let csv = self.csv;
        let text = Text::of(unpack::open(self.path)?, csv.encoding.as_deref())
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
        Err(refusal(self.path, "line", 1, what, &[first])
            .remedy(format!("write `header_row = {names}` under its path in the project if the names are there, else `header_row = 1`"))
            .into())
    }

    /// Opens the file and reads its first record.
    pub(super) fn open(&self) -> Result<Opened, VerifyError> {
        let csv = self.csv;
        let contents = unpack::open(self.path)?;
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
        let Self { csv, columns, .. } = self;
        let line = self.header_row.unwrap_or(1).into();
        let list = || -> Option<String> {
            let text = Text::of(unpack::open(self.path).ok()?, csv.encoding.as_deref()).ok()?;
            let beginning = Beginning::from_line(text, csv.quote, line).ok()?;
            let likely = beginning.most_frequent(b",;\t|", csv.quote).unwrap_or(b',');
            let separator = csv.separator.unwrap_or(likely);
            bad_lines::listed(beginning.text(), line, separator, csv.quote, Some(columns.len())).ok()?
        };
        match list().filter(|_| self.rows.leave_out.is_empty()) {
            Some(message) => LocatedError::new(message)
                .in_file(self.path)
                .remedy("complete these lines, put quotes around whole fields, or set `quote` in the project")
                .into(),
            None => error,
        }
    }

    /// The error of a fault.
    pub(super) fn fault(&self, fault: Fault) -> VerifyError {
        match fault {
            Fault::Io(source) => match no_text_of(&source) {
                Some(no_text) => self.form(no_text.line, &no_text.detail),
                None => VerifyError::io(self.path)(source),
            },
            Fault::NotUtf8 { line, field } if field < self.columns.len() => {
                self.form(line, &format!("column `{}`: {fault}", self.columns[field]))
            }
            fault => self.form(fault.line(), &fault.to_string()),
        }
    }

    fn form(&self, line: u64, detail: &str) -> VerifyError {
        form(self.path, line, detail)
    }
}

/// An error of a line.
pub(super) fn form(path: &Path, line: u64, detail: &str) -> VerifyError {
    LocatedError::new(detail).in_file(path).at_line(line).into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::read::rows_source::NamedRow;
    use crate::read::table::TableSource;
    use crate::read::table::file::TableFile;

    /// The rows of a file, with their lines, and the number of those left out; or the error.
    type Read = Result<(Vec<(String, Vec<String>)>, u64), String>;

    fn read(path: &Path, rows: &RowsSource, size: usize, threads: usize) -> Read {
        let source = TableSource { rows: rows.clone(), ..TableSource::of(path.to_owned()) };
        let read = || {
            let file = TableFile::open(path, &source)?;
            let csv = Csv { separator: None, quote: Some(b'"'), encoding: None };
            let mut found = Vec::new();
            let columns: Vec<usize> = (0..file.columns.len()).collect();
            file.csv_file(&csv).visit(size, &columns, &Stop::default(), &mut |batches| {
                for batch in batches.iter() {
                    for row in 0..batch.len() {
                        let texts = batch.texts(row, 0..columns.len()).into_iter().map(str::to_owned);
                        found.push((batch.position(row).to_string(), texts.collect()));
                    }
                }
                Ok(())
            })?;
            Ok((found, file.left_out()))
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| read().map_err(|error: VerifyError| error.to_string()))
    }

    /// Lines of people.
    const PEOPLE: [&str; 9] = [
        "1,2,m",
        "17,4,f",
        "\"3\",\"4\",\"m\"",
        "\"5\n6\",7,m",
        "8,9,\"say \"\"m\"\"\"",
        "10,\"1,\r\n\",na\u{ef}ve",
        "1,2,\r",
        "left out,1,m",
        "\u{feff}12,,f",
    ];

    /// Lines that are wrong, or look like no person.
    const ODD: [&str; 12] = [
        "1,a\"b,m",
        "\"a\"b,1,m",
        "",
        "1\r2,1,m",
        "1,2",
        "1,2,3,4",
        "total,,",
        "a,b,c",
        ",,",
        "\"open,1,2",
        "years,weeks,x",
        "a note,,",
    ];

    #[test]
    fn odd_rows_are_found_in_any_piece() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let people: Vec<String> = (0..2_100).map(|row| format!("{},{},m\n", row % 70, row % 9)).collect();
        let totals = "total,1,m\n".repeat(11);
        let mut refused = 0;
        for [above, below] in [
            ["", "a note,,\n"],
            ["12,,\n", "a note,,\n"],
            ["12,,m\n", "a note,1,\n"],
            ["3,1,\n", "a note,1,\n"],
            [",,\n,,\n", ",,\n"],
            [",1,m\n,2,f\n", ",,\n"],
            ["", "total,,\n"],
            ["", "a,b,c\n"],
            ["years,weeks,x\n", "1,2,m\n"],
            [&totals, "1,2,m\n"],
        ] {
            let text = format!("a,b,c\n{}{above}{}{below}", people.concat(), people[..300].concat());
            std::fs::write(&path, text).unwrap();
            let expected = read(&path, &RowsSource::default(), 1 << 22, 1);
            refused += u32::from(expected.is_err());
            for size in [6, 31, 1 << 10] {
                assert_eq!(
                    read(&path, &RowsSource::default(), size, 2),
                    expected,
                    "{above:?} {below:?} {size}"
                );
            }
        }
        assert!(refused > 5, "{refused}");
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

        // holds: Formats are equal
        #[test]
        fn pieces_give_the_rows_of_one_reading(
            taught in select(vec![0_usize, 30, 2_010]),
            people in prop::collection::vec(select(PEOPLE.to_vec()), 0..40),
            odd in prop::option::of(select(ODD.to_vec())),
            at in any::<prop::sample::Index>(),
            is_ended in any::<bool>(),
            size in select(vec![30_usize, 47, 200, 5_000]),
            threads in select(vec![1_usize, 2, 7, 16]),
        ) {
            let first = (0..taught).map(|row| format!("{},{},m", row % 70, row % 9));
            let mut lines: Vec<String> = first.chain(people.iter().map(|line| (*line).to_owned())).collect();
            if let Some(odd) = odd {
                // Half of them in the last lines.
                let from = if at.index(2) == 0 { 0 } else { lines.len() - lines.len().min(3) };
                lines.insert(from + at.index(lines.len() - from + 1), odd.to_owned());
            }
            let end = if is_ended { "\n" } else { "" };
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("t.csv");
            std::fs::write(&path, format!("a,b,c\n{}{end}", lines.join("\n"))).unwrap();
            for leave_out in [vec![], vec![NamedRow::Text("left out".to_owned())]] {
                let rows = RowsSource { leave_out, ..RowsSource::default() };
                let found = read(&path, &rows, size, threads);
                prop_assert_eq!(found, read(&path, &rows, 1 << 22, 1));
            }
        }
    }
}
