//! The form of a release: its format, and how a row is written.

use std::path::Path;

/// The limit of a release, in rows.
pub(crate) const MOST_ROWS: u64 = 50_000_000;

/// The file format of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReleaseForm {
    /// Comma-separated values.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// Apache Arrow IPC.
    Arrow,
}

impl ReleaseForm {
    /// The format that the ending of a file name stands for; CSV for all other endings.
    pub fn of(path: &Path) -> Self {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
        match () {
            () if ends(&[".parquet"]) => Self::Parquet,
            () if ends(&[".arrow", ".ipc", ".feather"]) => Self::Arrow,
            () => Self::Csv,
        }
    }
}

/// Writes a row in the form of a release: commas between fields, quotes around fields that contain a comma, a quote or a
/// line end, and a line feed. A row of one empty field is quoted too; without quotes it would be a blank line.
pub(crate) fn write_fields<'a>(fields: impl ExactSizeIterator<Item = &'a str>, line: &mut Vec<u8>) {
    line.clear();
    let count = fields.len();
    for (index, field) in fields.enumerate() {
        if index > 0 {
            line.push(b',');
        }
        let is_alone = count == 1 && field.is_empty();
        if is_alone || field.contains([',', '"', '\n', '\r']) {
            line.push(b'"');
            line.extend_from_slice(field.replace('"', "\"\"").as_bytes());
            line.push(b'"');
        } else {
            line.extend_from_slice(field.as_bytes());
        }
    }
    line.push(b'\n');
}
