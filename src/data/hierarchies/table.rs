//! A CSV hierarchy, as ARX writes it: no header, one leaf a line, finest first.

use std::collections::HashMap;
use std::path::Path;

use super::{Place, Recipe, iso_date, plain_decimal};
use crate::data::error::DataError;
use crate::data::read::first_record_unquoted;
use crate::model::{Kind, Level};

/// The lines of a CSV hierarchy, checked to nest.
pub(super) struct Table {
    /// One chain of labels per leaf, in the order of the file.
    rows: Vec<Vec<String>>,
    /// For each level, the first row that has a label.
    first_row: Vec<HashMap<String, usize>>,
    kind: Kind,
}

impl Table {
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let (mut rows, lines) = read_rows(path, bytes)?;
        check_leaves(path, &rows, &lines)?;
        check_nesting(path, &rows, &lines)?;
        let last = rows.iter().filter_map(|row| row.last());
        if last.clone().any(|label| Some(label) != last.clone().next()) {
            for row in &mut rows {
                row.push("*".to_owned());
            }
        }
        let height = rows.first().map_or(0, Vec::len);
        let mut first_row = vec![HashMap::new(); height];
        for (index, row) in rows.iter().enumerate() {
            for (known, label) in first_row.iter_mut().zip(row) {
                known.entry(label.clone()).or_insert(index);
            }
        }
        let is_number = |row: &Vec<String>| is_unpadded_decimal(&row[0]);
        let kind = if rows.iter().all(is_number) { Kind::Number } else { Kind::Category };
        Ok(Self { rows, first_row, kind })
    }

    fn row(&self, text: &str, level: Level) -> Option<usize> {
        self.first_row.get(usize::from(level.0))?.get(text).copied()
    }
}

impl Recipe for Table {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn top(&self) -> Level {
        Level(u8::try_from(self.first_row.len() - 1).unwrap_or(u8::MAX))
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<String>> {
        Some(self.rows[self.row(text, level)?][usize::from(level.0)..].to_vec())
    }

    fn listed(&self, level: Level) -> Option<Vec<String>> {
        let level = usize::from(level.0);
        let is_first = |(index, row): &(usize, &Vec<String>)| self.first_row[level][&row[level]] == *index;
        Some(self.rows.iter().enumerate().filter(is_first).map(|(_, row)| row[level].clone()).collect())
    }

    fn place(&self, text: &str, level: Level, kind: Kind) -> Option<Place> {
        let depth = usize::from(level.0);
        let leaves = || self.rows.iter().filter(|row| row[depth] == text).map(|row| row[0].as_str());
        match kind {
            // A coarser label stands where its least leaf does.
            Kind::Number if level == Level(0) => plain_decimal(text).map(Place::Number),
            Kind::Number => {
                leaves().map(plain_decimal).collect::<Option<Vec<_>>>()?.into_iter().min().map(Place::Number)
            }
            Kind::Date if level == Level(0) => iso_date(text).then(|| Place::Text(text.to_owned())),
            Kind::Date => {
                leaves().all(iso_date).then(|| leaves().min().map(|leaf| Place::Text(leaf.to_owned())))?
            }
            Kind::Category => {
                let row = &self.rows[self.row(text, level)?];
                let appeared = (depth..row.len()).rev().map(|above| self.first_row[above][&row[above]]);
                Some(Place::Walk(appeared.collect()))
            }
        }
    }
}

/// The fields of every line and its number.
fn read_rows(path: &Path, bytes: &[u8]) -> Result<(Vec<Vec<String>>, Vec<u64>), DataError> {
    let delimiter = if first_record_unquoted(bytes).contains(&b';') { b';' } else { b',' };
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).flexible(true).delimiter(delimiter).from_reader(bytes);
    let (mut rows, mut lines) = (Vec::<Vec<String>>::new(), Vec::new());
    let mut record = csv::ByteRecord::new();
    while reader
        .read_byte_record(&mut record)
        .map_err(|source| DataError::Csv { path: path.to_owned(), source })?
    {
        let line = record.position().map_or(0, csv::Position::line);
        let fields: Result<Vec<String>, _> =
            record.iter().map(|field| std::str::from_utf8(field).map(ToOwned::to_owned)).collect();
        let fields = fields.map_err(|_| DataError::NotUtf8 { path: path.to_owned(), line, column: None })?;
        let expected = rows.first().map_or(fields.len(), Vec::len);
        if fields.len() != expected {
            return Err(DataError::Ragged { path: path.to_owned(), line, found: fields.len(), expected });
        }
        rows.push(fields);
        lines.push(line);
    }
    if rows.is_empty() {
        let detail = "it is empty; expected one value a line, finest level first".to_owned();
        return Err(DataError::HierarchyFile { path: path.to_owned(), line: None, detail });
    }
    Ok((rows, lines))
}

fn check_leaves(path: &Path, rows: &[Vec<String>], lines: &[u64]) -> Result<(), DataError> {
    let mut seen: HashMap<&str, u64> = HashMap::new();
    for (row, &line) in rows.iter().zip(lines) {
        if let Some(first) = seen.insert(&row[0], line) {
            let detail =
                format!("value `{}` stands in line {first} already; remove one of the lines", row[0]);
            return Err(DataError::HierarchyFile { path: path.to_owned(), line: Some(line), detail });
        }
    }
    Ok(())
}

fn check_nesting(path: &Path, rows: &[Vec<String>], lines: &[u64]) -> Result<(), DataError> {
    let height = rows.first().map_or(0, Vec::len);
    for level in 0..height.saturating_sub(1) {
        let mut parent: HashMap<&str, (&str, u64)> = HashMap::new();
        for (row, &line) in rows.iter().zip(lines) {
            let (known, first) = *parent.entry(&row[level]).or_insert((&row[level + 1], line));
            if known != row[level + 1] {
                let detail = format!(
                    "level {level} `{}` belongs to `{}` here and to `{known}` in line {first}; a label must have one \
                     parent",
                    row[level],
                    row[level + 1]
                );
                return Err(DataError::HierarchyFile { path: path.to_owned(), line: Some(line), detail });
            }
        }
    }
    Ok(())
}

/// A plain decimal without leading zeros: `7`, `-1.5`, `0.25`, but not `007`.
fn is_unpadded_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let padded = unsigned.len() > 1 && unsigned.starts_with('0') && !unsigned.starts_with("0.");
    !padded && plain_decimal(text).is_some()
}
