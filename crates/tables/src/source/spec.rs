//! The files of a table, their formats, and how their texts are written.

use std::path::{Path, PathBuf};

use super::encoding::Encoding;
use super::packing::Packing;
use super::pattern::FilePattern;
use super::rows::{Header, RowRules};

/// The files of a table and their settings. Opening a file refuses settings that its format does
/// not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableSpec {
    /// The files in order; at least one. The ending of each name gives its format.
    pub paths: Vec<PathBuf>,
    /// The pattern that the files match, if there is one.
    pub pattern: Option<FilePattern>,
    /// The separator of CSV files. By default it is, for each file, the most frequent of `,` `;`
    /// tab and `|` in the header.
    pub separator: Option<u8>,
    /// The quote character of CSV files.
    pub quote: Quote,
    /// The encoding of CSV files; by default UTF-8, or UTF-16 if there is a byte-order mark.
    pub encoding: Option<Encoding>,
    /// The sheet of a workbook; by default the only one.
    pub sheet: Option<String>,
    /// The line of a CSV file or the row of a workbook with the column names, from 1; by default
    /// the first.
    pub header_row: Option<u32>,
    /// Which rows are people, and whether the files have names for the columns.
    pub rows: RowRules,
}

/// The quote character of a CSV file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quote {
    /// A double quote, as in RFC 4180.
    #[default]
    Double,
    /// One ASCII character, or none, as the project sets it.
    Custom(Option<u8>),
}

impl Quote {
    /// The character, if there is one.
    pub fn mark(self) -> Option<u8> {
        match self {
            Self::Double => Some(b'"'),
            Self::Custom(mark) => mark,
        }
    }
}

impl TableSpec {
    /// A table in one file, with default settings.
    pub fn of(path: PathBuf) -> Self {
        Self {
            paths: vec![path],
            pattern: None,
            separator: None,
            quote: Quote::Double,
            encoding: None,
            sheet: None,
            header_row: None,
            rows: RowRules::default(),
        }
    }

    /// A file that is no raw table, such as a table of rates or a release: its first row has the names, and all others count.
    pub fn of_all_rows(path: PathBuf) -> Self {
        let rows = RowRules { header: Header::InFile, all_count: true, ..RowRules::default() };
        Self { rows, ..Self::of(path) }
    }

    /// The name of the table in messages: its file, or its first and last files.
    pub fn name(&self) -> PathBuf {
        match self.paths.as_slice() {
            [] => PathBuf::new(),
            [path] => path.clone(),
            [first, .., last] => {
                let last = last.file_name().unwrap_or_default().to_string_lossy();
                PathBuf::from(format!("{} … {last} ({} files)", first.display(), self.paths.len()))
            }
        }
    }

    /// A setting that files of a format do not have, and the files that have it.
    pub(crate) fn surplus(&self, format: Format) -> Option<(&'static str, String)> {
        let (text, book) = (&[Format::Text][..], &[Format::Xlsx][..]);
        let both = &[Format::Text, Format::Xlsx][..];
        let settings = [
            ("separator", self.separator.is_some(), text),
            ("quote", self.quote != Quote::Double, text),
            ("encoding", self.encoding.is_some(), text),
            ("sheet", self.sheet.is_some(), book),
            ("header_row", self.header_row.is_some(), both),
            ("header", !self.rows.header.is_in_file(), both),
            ("hidden_rows", self.rows.hidden_are_people.is_some(), book),
        ];
        let has = |formats: &[Format]| formats.iter().any(|other| other.kind() == format.kind());
        let (key, _, formats) = settings.into_iter().find(|(_, is_set, formats)| *is_set && !has(formats))?;
        Some((key, formats.iter().map(|format| format.kind()).collect::<Vec<_>>().join(" and ")))
    }
}

/// The format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Parquet,
    Ipc,
    Xlsx,
    Xls,
}

/// Whether a file's name has the ending of a table, packed or not.
pub fn names_table(path: &Path) -> bool {
    Format::of(path).is_some()
}

/// Whether a file's name has the ending of an `OpenDocument` workbook, packed or not.
pub(crate) fn names_ods(path: &Path) -> bool {
    let (_, path) = Packing::of(path);
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ods"))
}

impl Format {
    /// The format by the ending of a file's name, packed or not; `None` if unknown.
    pub(crate) fn of(path: &Path) -> Option<Self> {
        let (_, path) = Packing::of(path);
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "csv" | "tsv" | "txt" => Some(Self::Text),
            "parquet" => Some(Self::Parquet),
            "arrow" | "ipc" | "feather" => Some(Self::Ipc),
            "xlsx" => Some(Self::Xlsx),
            "xls" => Some(Self::Xls),
            _ => None,
        }
    }

    /// An ending of this format.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Text => "csv",
            Self::Parquet => "parquet",
            Self::Ipc => "arrow",
            Self::Xlsx => "xlsx",
            Self::Xls => "xls",
        }
    }

    /// The name of files of such formats.
    pub(crate) fn kind(self) -> &'static str {
        match self {
            Self::Text => "CSV files",
            Self::Parquet | Self::Ipc => "Parquet and Arrow files",
            Self::Xlsx | Self::Xls => "workbooks (.xlsx, .xls)",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_ending_tells_the_format_of_a_table() {
        let of = |name: &str| Format::of(Path::new(name));
        assert_eq!(of("a.csv"), Some(Format::Text));
        assert_eq!(of("a.parquet.zst"), Some(Format::Parquet));
        assert_eq!(of("a.XLSX"), Some(Format::Xlsx));
        assert_eq!((of("a"), of("a.gz"), of("a.csv.bz2")), (None, None, None));
        let mut spec = TableSpec::of("d/p-1.csv".into());
        assert_eq!(spec.name(), Path::new("d/p-1.csv"));
        spec.paths.push("d/p-2.csv".into());
        spec.paths.push("d/p-3.csv".into());
        assert_eq!(spec.name(), Path::new("d/p-1.csv … p-3.csv (3 files)"));
    }
}
