//! The raw tables, read by the verifier's own readers: every cell is text.

use std::collections::BTreeSet;
use std::path::PathBuf;

use super::error::{Place, VerifyError};
use super::file::{self, Beginning, FileRecords};
use super::records::{Fault, Record};
use super::typed::{Typed, TypedFormat};

/// Which file, and how its fields are separated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSource {
    /// A CSV (`.csv`, `.tsv`, `.txt`), Parquet (`.parquet`) or Arrow IPC (`.arrow`, `.ipc`, `.feather`) file.
    pub path: PathBuf,
    /// The separator of a CSV file; by default the one of `,` `;` tab and `|` that its header has most of.
    pub separator: Option<u8>,
}

/// Is shown a row: where it stands, and its texts.
pub(super) type Visitor<'a> = dyn FnMut(Place, &[&str]) -> Result<(), VerifyError> + 'a;

/// A table whose header has been read.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) path: PathBuf,
    pub(super) columns: Vec<String>,
    content: Content,
}

#[derive(Debug)]
enum Content {
    Csv { separator: Option<u8> },
    Typed(Typed),
}

impl Table {
    pub(super) fn open(source: &TableSource) -> Result<Self, VerifyError> {
        let path = source.path.clone();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        let format = match extension.to_ascii_lowercase().as_str() {
            "csv" | "tsv" | "txt" => None,
            "parquet" => Some(TypedFormat::Parquet),
            "arrow" | "ipc" | "feather" => Some(TypedFormat::Ipc),
            _ => return Err(VerifyError::UnknownFormat { path }),
        };
        let (content, columns) = if let Some(format) = format {
            let typed = Typed::open(&path, format)?;
            let columns = typed.columns();
            (Content::Typed(typed), columns)
        } else {
            let separator = source.separator;
            if let Some(byte) = separator.filter(|byte| !byte.is_ascii() || b"\"\r\n".contains(byte)) {
                return Err(VerifyError::Separator { path, separator: char::from(byte) });
            }
            (Content::Csv { separator }, Vec::new())
        };
        let mut table = Self { path, columns, content };
        if let Content::Csv { separator } = table.content {
            let (_, header) = table.csv(separator)?;
            table.columns = header.fields().map(ToOwned::to_owned).collect();
        }
        table.check_names()?;
        Ok(table)
    }

    fn check_names(&self) -> Result<(), VerifyError> {
        if self.columns.is_empty() {
            return Err(self.form(1, "it has no columns; give it at least one"));
        }
        let mut seen = BTreeSet::new();
        match self.columns.iter().find(|column| !seen.insert(*column)) {
            Some(column) => Err(self.form(1, &format!("column `{column}` occurs twice; rename one"))),
            None => Ok(()),
        }
    }

    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|known| known == column)
    }

    /// The place of a column that a setting of the project names.
    pub(super) fn place(&self, column: &str, setting: &str) -> Result<usize, VerifyError> {
        let place = self.columns.iter().position(|known| known == column);
        place.ok_or_else(|| VerifyError::MissingColumn {
            path: self.path.clone(),
            column: column.to_owned(),
            setting: setting.to_owned(),
            available: self.columns.clone(),
        })
    }

    /// Shows the texts of some columns, row by row.
    pub(super) fn visit(&self, places: &[usize], show: &mut Visitor) -> Result<(), VerifyError> {
        match &self.content {
            Content::Csv { separator } => self.visit_csv(*separator, places, show),
            Content::Typed(typed) => {
                let columns: Vec<&str> = places.iter().map(|&place| self.columns[place].as_str()).collect();
                typed.visit(&self.path, &columns, show)
            }
        }
    }

    fn visit_csv(
        &self,
        separator: Option<u8>,
        places: &[usize],
        show: &mut Visitor,
    ) -> Result<(), VerifyError> {
        let (mut records, header) = self.csv(separator)?;
        if !header.fields().eq(self.columns.iter().map(String::as_str)) {
            return Err(
                self.form(1, "its header changed while it was read; start again when nobody writes to it")
            );
        }
        let mut record = header;
        while records.read(&mut record).map_err(|fault| self.fault(fault))? {
            if record.is_blank() {
                let detail = "it is blank; remove it, or write \"\" where a row of one empty value is meant";
                return Err(self.form(record.line, detail));
            }
            let (found, expected) = (record.len(), self.columns.len());
            if found != expected {
                let detail = format!(
                    "{found} fields, expected {expected}; complete the line, or quote fields that hold the separator"
                );
                return Err(self.form(record.line, &detail));
            }
            let texts: Vec<&str> = places.iter().map(|&place| record.field(place)).collect();
            show(Place::Line(record.line), &texts)?;
        }
        Ok(())
    }

    /// The records behind the header, and the header.
    fn csv(&self, separator: Option<u8>) -> Result<(FileRecords, Record), VerifyError> {
        let beginning = Beginning::of(file::open(&self.path)?).map_err(VerifyError::io(&self.path))?;
        if beginning.has_two_marks {
            return Err(self.form(1, "two byte-order marks; remove them"));
        }
        let likely = || beginning.most_frequent(b",;\t|").unwrap_or(b',');
        let separator = separator.unwrap_or_else(likely);
        let mut records = beginning.records(separator);
        let mut header = Record::default();
        if !records.read(&mut header).map_err(|fault| self.fault(fault))? {
            return Err(self.form(1, "it is empty; expected a header line with the names of the columns"));
        }
        if header.is_blank() {
            return Err(self.form(1, "it is blank; expected a header line with the names of the columns"));
        }
        Ok((records, header))
    }

    fn fault(&self, fault: Fault) -> VerifyError {
        match fault {
            Fault::Io(source) => VerifyError::io(&self.path)(source),
            Fault::NotUtf8 { line, field } if field < self.columns.len() => {
                self.form(line, &format!("column `{}`: {fault}", self.columns[field]))
            }
            fault => self.form(fault.line(), &fault.to_string()),
        }
    }

    fn form(&self, line: u64, detail: &str) -> VerifyError {
        VerifyError::Form { path: self.path.clone(), line, detail: detail.to_owned() }
    }
}
