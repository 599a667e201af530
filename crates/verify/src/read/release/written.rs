//! Reads a released file and compares each row with the bytes that palmtop would write.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::form::{MOST_ROWS, ReleaseForm, write_fields};
use crate::problems::{Finding, FindingKind, Problems, VerifyError};
use crate::read::text::{Beginning, End, Fault, FileRecords, Record, file};
use crate::read::typed::TypedFormat;
use palmtop_terms::words::plural;

/// A released file whose header has been read.
pub(crate) struct Written<R = Box<dyn Read>> {
    path: PathBuf,
    records: FileRecords<R>,
    header: Vec<String>,
    record: Record,
    /// The previous row, as palmtop would write it.
    previous: Vec<u8>,
    current: Vec<u8>,
    rows_read: u64,
    is_partial: bool,
    is_over: bool,
}

impl Written {
    /// Opens a release and reports problems of its form. `None` if its header cannot be read.
    pub(crate) fn open(
        path: &Path,
        form: ReleaseForm,
        problems: &mut Problems,
    ) -> Result<Option<Self>, VerifyError> {
        let format = match form {
            ReleaseForm::Csv => return Self::of(path, Box::new(file::open(path)?), problems),
            ReleaseForm::Parquet => TypedFormat::Parquet,
            ReleaseForm::Arrow => TypedFormat::Ipc,
        };
        match super::as_csv(path, format, problems)? {
            Some(csv) => Self::of(path, Box::new(csv), problems),
            None => Ok(None),
        }
    }
}

impl<R: Read> Written<R> {
    fn of(path: &Path, source: R, problems: &mut Problems) -> Result<Option<Self>, VerifyError> {
        let beginning = Beginning::of(source, Some(b'"')).map_err(VerifyError::io(path))?;
        if beginning.has_mark {
            let problem = "begins with a byte-order mark; expected none";
            problems.push(Finding::at_line(FindingKind::ByteOrderMark, 1, problem));
        }
        let mut written = Self {
            path: path.to_owned(),
            records: beginning.records(b',', Some(b'"')).keep_raw(),
            header: Vec::new(),
            record: Record::default(),
            previous: Vec::new(),
            current: Vec::new(),
            rows_read: 0,
            is_partial: false,
            is_over: false,
        };
        if !written.advance(problems)? {
            if !written.is_partial {
                let problem = "the file is empty; expected a header line";
                problems.push(Finding::new(FindingKind::Empty, problem));
            }
            return Ok(None);
        }
        written.header = written.record.fields().map(ToOwned::to_owned).collect();
        Ok(Some(written))
    }

    pub(crate) fn header(&self) -> &[String] {
        &self.header
    }

    /// The number of rows that were read, including those with a wrong number of fields.
    pub(crate) fn rows_read(&self) -> u64 {
        self.rows_read
    }

    /// Whether a part of the file could not be read, so that its matches are unknown.
    pub(crate) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// The next row with as many fields as the header.
    pub(crate) fn next(&mut self, problems: &mut Problems) -> Result<Option<&Record>, VerifyError> {
        loop {
            let is_first = self.rows_read == 0;
            if !self.advance(problems)? {
                return Ok(None);
            }
            if self.rows_read == MOST_ROWS {
                let problem = format!(
                    "more than {MOST_ROWS} rows, the limit of a release; the rest of the file was not read"
                );
                problems.push(Finding::new(FindingKind::TooManyRows, problem));
                (self.is_partial, self.is_over) = (true, true);
                return Ok(None);
            }
            self.rows_read += 1;
            if !is_first && self.previous > self.current {
                let problem = "sorts before the line above it; expected rows sorted by their written text";
                problems.push(Finding::at_line(FindingKind::Unsorted, self.record.line, problem));
            }
            let (found, expected) = (self.record.len(), self.header.len());
            if found == expected {
                return Ok(Some(&self.record));
            }
            let problem = format!("{}, expected {expected}", plural(found as u64, "field"));
            problems.push(Finding::at_line(FindingKind::Fields, self.record.line, problem));
            self.is_partial = true;
        }
    }

    /// Reads the next line that is not blank and compares it with the bytes that palmtop would write. `false` if no further
    /// line can be read.
    fn advance(&mut self, problems: &mut Problems) -> Result<bool, VerifyError> {
        std::mem::swap(&mut self.previous, &mut self.current);
        while !self.is_over {
            match self.records.read(&mut self.record) {
                Ok(true) => {}
                Ok(false) => {
                    self.is_over = true;
                    break;
                }
                Err(Fault::Io(source)) => return Err(VerifyError::io(&self.path)(source)),
                Err(fault) => {
                    problems.push(finding_of(&fault));
                    (self.is_partial, self.is_over) = (true, true);
                    break;
                }
            }
            let line = self.record.line;
            match self.record.end {
                End::Line => {}
                End::ReturnAndLine => problems.push(carriage_return(line)),
                End::File => {
                    let problem = "the last line has no line end; the file may be cut off";
                    problems.push(Finding::at_line(FindingKind::NoLineEnd, self.records.line(), problem));
                }
            }
            if self.record.is_blank() {
                problems.push(Finding::at_line(FindingKind::BlankLine, line, "a blank line; expected none"));
                continue;
            }
            write_fields(self.record.fields(), &mut self.current);
            let (end, bytes) = self.current.split_last().unwrap_or((&b'\n', &[]));
            debug_assert_eq!(*end, b'\n');
            if bytes != self.record.raw {
                let problem = "quotes that are not needed; expected quotes only around fields that contain a comma, a \
                               quote or a line end";
                problems.push(Finding::at_line(FindingKind::Spelling, line, problem));
            }
            return Ok(true);
        }
        Ok(false)
    }
}

fn finding_of(fault: &Fault) -> Finding {
    let line = fault.line();
    let (kind, problem) = match fault {
        Fault::LoneReturn { .. } => return carriage_return(line),
        Fault::NotUtf8 { .. } => (FindingKind::NotUtf8, "not UTF-8"),
        Fault::TooLong { .. } => (FindingKind::TooLong, "a row longer than 16 MiB"),
        Fault::Io(_) | Fault::StrayQuote { .. } | Fault::OpenQuote { .. } => (
            FindingKind::StrayQuote,
            "a stray quote; expected quotes around the whole field, and quotes inside it doubled (RFC 4180)",
        ),
    };
    Finding::at_line(kind, line, format!("{problem}; the rest of the file was not read"))
}

fn carriage_return(line: u64) -> Finding {
    let problem = "a carriage return; expected lines that end in LF alone";
    Finding::at_line(FindingKind::CarriageReturn, line, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header, the rows with as many fields, each with its line, and the problems.
    type Found = (Vec<String>, Vec<(u64, Vec<String>)>, Vec<Finding>);

    fn parse(text: &str) -> Found {
        let mut problems = Problems::default();
        let (mut header, mut rows) = (Vec::new(), Vec::new());
        let written = Written::of(Path::new("release.csv"), text.as_bytes(), &mut problems).unwrap();
        if let Some(mut written) = written {
            header = written.header().to_vec();
            while let Some(row) = written.next(&mut problems).unwrap() {
                rows.push((row.line, row.fields().map(ToOwned::to_owned).collect()));
            }
        }
        (header, rows, problems.into_list())
    }

    fn line(fields: &[String]) -> String {
        let must =
            |field: &str| field.contains([',', '"', '\n', '\r']) || (field.is_empty() && fields.len() == 1);
        let field = |field: &String| {
            if must(field) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.clone() }
        };
        fields.iter().map(field).collect::<Vec<_>>().join(",") + "\n"
    }

    /// Checks every file of up to seven of these characters. A file without problems equals, byte for byte, its header and
    /// sorted rows as palmtop writes them. So no two such files have the same rows.
    #[test]
    fn files_without_findings_are_exactly_what_palmtop_writes() {
        let mut files = vec![String::new()];
        let mut clean = 0;
        for _ in 0..7 {
            files = files
                .iter()
                .flat_map(|file| ["a", ",", "\"", "\n", "\r"].map(|next| format!("{file}{next}")))
                .collect();
            for file in &files {
                let (header, rows, problems) = parse(file);
                if !problems.is_empty() {
                    continue;
                }
                clean += 1;
                let mut lines: Vec<String> = rows.iter().map(|(_, fields)| line(fields)).collect();
                lines.sort();
                assert_eq!(line(&header) + &lines.concat(), *file);
            }
        }
        assert!(clean > 200, "{clean}");
    }

    #[test]
    fn lines_are_numbered_as_an_editor_numbers_them() {
        let (_, rows, problems) = parse("a,b\n\"1\n2\",x\n\n3,y,z\n4,\"\"\"\"\n");
        assert_eq!(rows.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 6]);
        let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
        assert_eq!(problems, ["line 4: a blank line; expected none", "line 5: 3 fields, expected 2"]);
    }

    #[test]
    fn needless_quotes_are_reported_row_by_row() {
        for (file, lines) in [
            ("a,b\n1,2\n\"1\",2\n1,2\n", vec![3]),
            ("\"a\",b\n1,\"2\"\n", vec![1, 2]),
            ("a,b\n1,\"2,3\"\n1,\"2\n3\"\n1,\" 2\"\n", vec![5]),
            ("a\n\"\"\n", vec![]),
            ("a,b\n,\"\"\n", vec![2]),
        ] {
            let (_, _, problems) = parse(file);
            let of = |kind| problems.iter().filter(move |problem| problem.kind == kind);
            let found = of(FindingKind::Spelling).map(ToString::to_string);
            let expected = lines.iter().map(|line| format!("line {line}: quotes that are not needed"));
            assert_eq!(found.clone().count() + of(FindingKind::Unsorted).count(), problems.len(), "{file:?}");
            assert_eq!(found.clone().count(), lines.len(), "{file:?}");
            assert!(found.zip(expected).all(|(found, expected)| found.starts_with(&expected)), "{file:?}");
        }
    }
}
