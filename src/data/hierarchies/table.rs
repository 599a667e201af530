//! A CSV hierarchy, as ARX writes it: no header, one leaf a line, finest first.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use super::{HierarchyBuilder, KindReason, Place, first_day, plain_decimal};
use crate::data::error::DataError;
use crate::data::records::{Records, first_record_unquoted};
use crate::model::{Kind, Level};

/// A leaf and its labels, finest first. A label is held once, however many lines have it.
type Chain = Vec<Arc<str>>;

/// The lines of a CSV hierarchy, checked to nest.
pub(super) struct Table {
    /// One chain of labels per leaf, in the order of the file.
    rows: Vec<Chain>,
    /// For each level, the first line that has a label.
    first_row: Vec<HashMap<Arc<str>, usize>>,
    reason: KindReason,
}

impl Table {
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let (mut rows, lines) = read_rows(path, bytes)?;
        check_leaves(path, &rows, &lines)?;
        check_nesting(path, &rows, &lines)?;
        let last = rows.iter().filter_map(|row| row.last());
        if last.clone().any(|label| Some(label) != last.clone().next()) {
            let star: Arc<str> = Arc::from("*");
            for row in &mut rows {
                row.push(Arc::clone(&star));
            }
        }
        let height = rows.first().map_or(0, Vec::len);
        let mut first_row = vec![HashMap::new(); height];
        for (index, row) in rows.iter().enumerate() {
            for (known, label) in first_row.iter_mut().zip(row) {
                known.entry(Arc::clone(label)).or_insert(index);
            }
        }
        let reason = reason(&rows);
        Ok(Self { rows, first_row, reason })
    }

    fn row(&self, text: &str, level: Level) -> Option<usize> {
        self.first_row.get(usize::from(level.0))?.get(text).copied()
    }

    /// The leaves of a label.
    fn leaves<'a>(&'a self, text: &'a str, level: Level) -> impl Iterator<Item = &'a str> {
        let depth = usize::from(level.0);
        // At level 0 there is one line, which need not be looked for.
        let own =
            if depth == 0 { self.row(text, level).map(|row| row..row + 1) } else { Some(0..self.rows.len()) };
        let rows = own.map_or(&self.rows[..0], |range| &self.rows[range]);
        rows.iter().filter(move |row| &*row[depth] == text).map(|row| &*row[0])
    }
}

impl HierarchyBuilder for Table {
    fn kind(&self) -> Kind {
        if self.reason == KindReason::Numbers { Kind::Number } else { Kind::Category }
    }

    fn reason(&self) -> KindReason {
        self.reason
    }

    fn height(&self) -> usize {
        self.first_row.len() - 1
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        Some(self.rows[self.row(text, level)?][usize::from(level.0)..].to_vec())
    }

    fn listed(&self, level: Level) -> Option<Vec<String>> {
        let level = usize::from(level.0);
        let is_first = |(index, row): &(usize, &Chain)| {
            self.first_row.get(level)?.get(&row[level]).map(|first| first == index)
        };
        let firsts = self.rows.iter().enumerate().filter(|row| is_first(row) == Some(true));
        Some(firsts.map(|(_, row)| row[level].to_string()).collect())
    }

    fn named_leaves(&self) -> Option<Vec<String>> {
        Some(self.rows.iter().map(|row| row[0].to_string()).collect())
    }

    fn top_label(&self) -> Arc<str> {
        self.rows.first().and_then(|row| row.last()).map_or_else(|| Arc::from("*"), Arc::clone)
    }

    fn remedy(&self, text: &str) -> String {
        let mut labels: Vec<String> =
            (1..self.first_row.len()).map(|level| format!("(level {level})")).collect();
        if let (Some(top), Some(row)) = (labels.last_mut(), self.rows.first()) {
            *top = row.last().map(ToString::to_string).unwrap_or_default();
        }
        let line = [vec![text.to_owned()], labels].concat().join(";");
        format!("add a line for each to it, such as `{line}`, or correct the table")
    }

    fn place(&self, text: &str, level: Level, kind: Kind) -> Option<Place> {
        match kind {
            // A coarser label stands where its least leaf does.
            Kind::Number => {
                let numbers = self.leaves(text, level).map(plain_decimal).collect::<Option<Vec<_>>>();
                numbers?.into_iter().min().map(Place::Number)
            }
            Kind::Date => {
                // Dates of one form: a month has no place among days.
                let form = self.rows.first()?[0].len();
                let day = |leaf: &str| first_day(leaf).filter(|_| leaf.len() == form);
                let days = self.leaves(text, level).map(day).collect::<Option<Vec<_>>>();
                days?.into_iter().min().map(Place::Day)
            }
            Kind::Category => {
                let (depth, row) = (usize::from(level.0), &self.rows[self.row(text, level)?]);
                let appeared =
                    (depth..row.len()).rev().map(|above| self.first_row[above].get(&row[above]).copied());
                appeared.collect::<Option<Vec<_>>>().map(Place::Walk)
            }
        }
    }
}

/// The fields of every line and its number.
fn read_rows(path: &Path, bytes: &[u8]) -> Result<(Vec<Chain>, Vec<u64>), DataError> {
    let quote = Some(b'"');
    let separator = if first_record_unquoted(bytes, quote).contains(&b';') { b';' } else { b',' };
    let mut records = Records::new(path, separator, quote, bytes);
    let (mut rows, mut lines) = (Vec::<Chain>::new(), Vec::new());
    // Coarse labels stand in many lines.
    let mut shared: HashMap<String, Arc<str>> = HashMap::new();
    while let Some(record) = records.next()? {
        let mut row = Vec::with_capacity(record.len());
        for (level, text) in record.texts(&[]).enumerate() {
            let text = text.map_err(DataError::of_hierarchy)?;
            row.push(match shared.get(text) {
                Some(known) => Arc::clone(known),
                None if level == 0 => Arc::from(text),
                None => Arc::clone(shared.entry(text.to_owned()).or_insert_with(|| Arc::from(text))),
            });
        }
        let expected = rows.first().map_or(row.len(), Vec::len);
        if row.len() != expected {
            let (line, found) = (record.line, row.len());
            return Err(DataError::Ragged { path: path.to_owned(), line, found, expected });
        }
        rows.push(row);
        lines.push(record.line);
    }
    if rows.is_empty() {
        let detail = "it is empty; expected one value a line, finest level first".to_owned();
        return Err(DataError::HierarchyFile { path: path.to_owned(), line: None, detail });
    }
    Ok((rows, lines))
}

fn check_leaves(path: &Path, rows: &[Chain], lines: &[u64]) -> Result<(), DataError> {
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

fn check_nesting(path: &Path, rows: &[Chain], lines: &[u64]) -> Result<(), DataError> {
    let height = rows.first().map_or(0, Vec::len);
    for level in 0..height.saturating_sub(1) {
        let mut parent: HashMap<&str, (&str, u64)> = HashMap::new();
        for (row, &line) in rows.iter().zip(lines) {
            let (known, first) = *parent.entry(&row[level]).or_insert((&row[level + 1], line));
            if known != &*row[level + 1] {
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

/// What the leaves are: numbers where they are plain decimals without leading zeros, and those of each label neighbours.
fn reason(rows: &[Chain]) -> KindReason {
    let number = |row: &Chain| is_unpadded(&row[0]).then(|| plain_decimal(&row[0])).flatten();
    let Some(numbers) = rows.iter().map(number).collect::<Option<Vec<_>>>() else {
        return KindReason::NotNumbers;
    };
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| numbers[row]);
    let height = rows.first().map_or(0, Vec::len);
    let are_neighbours = |level: usize| {
        let mut ended = HashSet::new();
        let mut current: Option<&str> = None;
        order.iter().map(|&row| &*rows[row][level]).all(|label| {
            if current != Some(label) {
                ended.extend(current.replace(label));
            }
            !ended.contains(label)
        })
    };
    if (1..height).all(are_neighbours) { KindReason::Numbers } else { KindReason::Codes }
}

/// Whether a number has no leading zeros: `7`, `-1.5`, `0.25`, but not `007`.
pub(super) fn is_unpadded(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    !(unsigned.len() > 1 && unsigned.starts_with('0') && !unsigned.starts_with("0."))
}
