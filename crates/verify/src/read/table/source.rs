//! What the project says of the files of a table.

use std::path::PathBuf;

use crate::read::rows_source::RowsSource;

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
