//! The keys of `[public]` and `[private]` for the files of a table and their format.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::rows::WrittenRows;
use crate::values;
use palmtop_tables::pattern::FilePattern;
use palmtop_tables::read::{Quote, TableSpec};

/// One file or a pattern of files, or a list of files.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected the path of a file, or a list of paths")]
pub(super) enum WrittenPath {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

values!(WrittenPath);

/// These keys as they are written in the project file.
#[derive(Debug, Default)]
pub(super) struct WrittenTable {
    pub(super) path: Option<WrittenPath>,
    pub(super) separator: Option<char>,
    pub(super) quote: Option<String>,
    pub(super) encoding: Option<String>,
    pub(super) sheet: Option<String>,
    pub(super) header_row: Option<u32>,
    pub(super) rows: WrittenRows,
}

impl WrittenTable {
    /// The first key about the format of files that is set.
    pub(super) fn first_key(&self) -> Option<&'static str> {
        let keys = [
            ("separator", self.separator.is_some()),
            ("quote", self.quote.is_some()),
            ("encoding", self.encoding.is_some()),
            ("sheet", self.sheet.is_some()),
            ("header_row", self.header_row.is_some()),
        ];
        let first = keys.into_iter().find(|(_, is_set)| *is_set).map(|(key, _)| key);
        first.or_else(|| self.rows.first_key())
    }

    /// Checks the keys. Paths are relative to `folder`; `part` names the part of the project file in messages.
    pub(super) fn settle(self, part: &str, folder: &Path) -> Result<TableSpec, String> {
        let wrong = |detail: String| format!("{part}: {detail}");
        let separator =
            self.separator.map(|written| ascii("separator", written)).transpose().map_err(wrong)?;
        let quote = quote(self.quote.as_deref()).map_err(wrong)?;
        if separator.is_some() && separator == quote.mark() {
            return Err(wrong("`separator` and `quote` are the same character; take another".to_owned()));
        }
        if self.header_row == Some(0) {
            return Err(wrong("`header_row` counts from 1".to_owned()));
        }
        let (paths, pattern) = files(self.path, folder).map_err(wrong)?;
        let rows = self.rows.settle(paths.len()).map_err(wrong)?;
        Ok(TableSpec {
            paths,
            pattern,
            separator,
            quote,
            encoding: self.encoding.map(|written| written.parse()).transpose().map_err(wrong)?,
            sheet: self.sheet,
            header_row: self.header_row,
            rows,
        })
    }
}

fn ascii(key: &str, written: char) -> Result<u8, String> {
    match u8::try_from(written) {
        Ok(byte)
            if byte.is_ascii() && !matches!(byte, b'\n' | b'\r') && (key != "separator" || byte != b'"') =>
        {
            Ok(byte)
        }
        _ => Err(format!("{key} {written:?} is not possible; take one ASCII character")),
    }
}

fn quote(written: Option<&str>) -> Result<Quote, String> {
    let Some(written) = written else { return Ok(Quote::Double) };
    let mut characters = written.chars();
    let mark = match (characters.next(), characters.next()) {
        (None, _) => None,
        (Some(mark), None) => Some(ascii("quote", mark)?),
        (Some(_), Some(_)) => {
            return Err(format!(
                "quote {written:?} is not possible; take one ASCII character, or \"\" for none"
            ));
        }
    };
    Ok(Quote::Custom(mark))
}

/// The keys of a table about the form of its files and about their rows.
pub const TABLE_KEYS: [&str; 9] = [
    "separator",
    "quote",
    "encoding",
    "sheet",
    "header_row",
    "header",
    "leave_out",
    "keep_rows",
    "hidden_rows",
];

/// A table from paths or patterns of files, and from settings with the keys of a project file.
///
/// # Errors
/// A description of the problem of a path, a key or a value.
pub fn table_spec(paths: &[PathBuf], settings: &[(String, String)]) -> Result<TableSpec, String> {
    let mut written = WrittenTable::default();
    for (key, value) in settings {
        let character = || {
            let mut characters = value.chars();
            let first = characters.next().filter(|_| characters.next().is_none());
            first.ok_or_else(|| format!("`{key}` is one character, not {value:?}"))
        };
        match key.as_str() {
            "separator" => written.separator = Some(character()?),
            "quote" => written.quote = Some(value.clone()),
            "encoding" => written.encoding = Some(value.clone()),
            "sheet" => written.sheet = Some(value.clone()),
            "header_row" => {
                let row =
                    value.parse().map_err(|_| format!("`header_row` is a row from 1, not {value:?}"))?;
                written.header_row = Some(row);
            }
            key if written.rows.take(key, value)? => {}
            _ => {
                let [others @ .., last] = &TABLE_KEYS;
                let others = others.join(", ");
                return Err(format!("`{key}` is not a setting of a table; expected {others} or {last}"));
            }
        }
    }
    let folder = Path::new("");
    let expanded = paths.iter().map(|path| expand(path, folder)).collect::<Result<Vec<_>, _>>()?;
    written.path = Some(WrittenPath::Several(expanded.into_iter().flat_map(|(files, _)| files).collect()));
    written.settle("table", folder)
}

/// The paths of the files, with the pattern that they match if there is one.
type Files = (Vec<PathBuf>, Option<FilePattern>);

fn files(path: Option<WrittenPath>, folder: &Path) -> Result<Files, String> {
    match path {
        Some(WrittenPath::One(path)) => expand(&path, folder),
        Some(WrittenPath::Several(paths)) if paths.is_empty() => {
            Err("`path` names no file; name at least one".to_owned())
        }
        Some(WrittenPath::Several(paths)) => Ok((paths.iter().map(|path| folder.join(path)).collect(), None)),
        None => Err("there is no file; add `path`".to_owned()),
    }
}

/// One file, or the files that match a pattern.
fn expand(path: &Path, folder: &Path) -> Result<Files, String> {
    match FilePattern::of(path, folder)? {
        None => Ok((vec![folder.join(path)], None)),
        Some(pattern) => Ok((pattern.files()?, Some(pattern))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settle(written: WrittenTable, folder: &Path) -> Result<TableSpec, String> {
        written.settle("[public]", folder)
    }

    fn of(path: &str) -> WrittenTable {
        WrittenTable { path: Some(WrittenPath::One(path.into())), ..WrittenTable::default() }
    }

    #[test]
    fn file_pattern_expands_to_files_sorted_by_name() {
        let folder = tempfile::tempdir().unwrap();
        // The name of a folder may look like a pattern.
        let root = folder.path().join("a[b]");
        std::fs::create_dir(&root).unwrap();
        for name in ["p-2.csv", "p-10.csv", "p-1.csv.gz", ".p-3.csv", "q.csv", "p-[1].csv"] {
            std::fs::write(root.join(name), "a\n1\n").unwrap();
        }
        let names = |pattern: &str| {
            settle(of(pattern), &root).map(|spec| {
                let name = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
                spec.paths.iter().map(name).collect::<Vec<_>>()
            })
        };
        assert_eq!(names("p-?*.csv").unwrap(), ["p-10.csv", "p-2.csv", "p-[1].csv"]);
        assert_eq!(names("*.gz").unwrap(), ["p-1.csv.gz"]);
        assert_eq!(names("p-[1].csv").unwrap(), ["p-[1].csv"]);
        assert_eq!(names("none.csv").unwrap(), ["none.csv"]);
        assert!(names("none-*.csv").unwrap_err().starts_with("[public]: pattern \"none-*.csv\": no file"));
    }

    #[test]
    fn file_format_settings_are_characters_or_known_names() {
        let written = |quote: &str| WrittenTable { quote: Some(quote.into()), ..of("p.csv") };
        assert_eq!(settle(written("'"), Path::new("")).unwrap().quote, Quote::Custom(Some(b'\'')));
        assert_eq!(settle(written(""), Path::new("")).unwrap().quote, Quote::Custom(None));
        for (written, refusal) in [
            (written("''"), "quote \"''\" is not possible"),
            (WrittenTable { separator: Some('\''), ..written("'") }, "`separator` and `quote` are the same"),
            (
                WrittenTable { encoding: Some("cp850".into()), ..of("p.csv") },
                "encoding \"cp850\" is unknown; expected",
            ),
            (
                WrittenTable { encoding: Some("latin-1".into()), ..of("p.csv") },
                "encoding `latin-1` is gone: write `windows-1252`",
            ),
            (WrittenTable { header_row: Some(0), ..of("p.xlsx") }, "`header_row` counts from 1"),
            (
                WrittenTable { path: Some(WrittenPath::Several(Vec::new())), ..of("p.csv") },
                "`path` names no file",
            ),
        ] {
            let refused = settle(written, Path::new("")).unwrap_err();
            assert!(refused.starts_with(&format!("[public]: {refusal}")), "{refused}");
        }
    }
}
