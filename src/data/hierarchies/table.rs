//! A CSV hierarchy, as ARX writes it: no header, one leaf a line, finest first.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::builder::{HierarchyBuilder, KindReason, Place};
use super::plain::{first_day, is_unpadded, plain_decimal};
use crate::data::error::DataError;
use crate::data::read::records::{Records, first_record_unquoted};
use crate::model::{Kind, Level, size};

/// The distinct labels of all levels, each with a number.
#[derive(Default)]
struct Labels {
    texts: Vec<Arc<str>>,
    numbers: FxHashMap<Arc<str>, u32>,
}

impl Labels {
    fn number(&mut self, text: &str) -> u32 {
        if let Some(&number) = self.numbers.get(text) {
            return number;
        }
        let number = size::number(self.texts.len());
        let text: Arc<str> = Arc::from(text);
        self.texts.push(Arc::clone(&text));
        self.numbers.insert(text, number);
        number
    }
}

/// The lines of a CSV hierarchy, checked to nest.
pub(super) struct Table {
    labels: Labels,
    /// The labels of the leaves in the order of the file, each as many as there are levels, finest first.
    cells: Vec<u32>,
    width: usize,
    /// For each level and label, the first line that has it.
    first_row: Vec<Vec<Option<u32>>>,
    reason: KindReason,
}

impl Table {
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let (mut labels, mut cells, lines) = read_rows(path, bytes)?;
        let mut width = cells.len() / lines.len();
        let first_row = first_rows(&labels, &cells, width);
        check_leaves(path, (&labels, &cells, width), &first_row[0], &lines)?;
        check_nesting(path, (&labels, &cells, width), &first_row, &lines)?;
        if cells.chunks(width).any(|row| row[width - 1] != cells[width - 1]) {
            let star = labels.number("*");
            cells = cells.chunks(width).flat_map(|row| row.iter().copied().chain([star])).collect();
            width += 1;
        }
        let first_row = first_rows(&labels, &cells, width);
        let mut table = Self { labels, cells, width, first_row, reason: KindReason::NotNumbers };
        table.reason = table.reason();
        Ok(table)
    }

    fn rows(&self) -> impl Iterator<Item = &[u32]> {
        self.cells.chunks(self.width)
    }

    fn text(&self, label: u32) -> &Arc<str> {
        &self.labels.texts[label as usize]
    }

    fn row(&self, text: &str, level: Level) -> Option<&[u32]> {
        let label = *self.labels.numbers.get(text)?;
        let row = (*self.first_row.get(usize::from(level.0))?.get(label as usize)?)? as usize;
        Some(&self.cells[row * self.width..(row + 1) * self.width])
    }

    /// The leaves of a label.
    fn leaves<'a>(&'a self, text: &str, level: Level) -> impl Iterator<Item = &'a str> {
        let depth = usize::from(level.0);
        // At level 0 there is one line, which need not be looked for.
        let own = self.row(text, level);
        let label = own.map(|row| row[depth]);
        let rows = match own {
            Some(row) if depth == 0 => row,
            Some(_) => &self.cells,
            None => &[],
        };
        rows.chunks(self.width).filter(move |row| Some(row[depth]) == label).map(|row| &**self.text(row[0]))
    }

    /// What the leaves are: numbers where they are plain decimals without leading zeros, and those of each label neighbours.
    fn reason(&self) -> KindReason {
        let number = |row: &[u32]| {
            let leaf = self.text(row[0]);
            is_unpadded(leaf).then(|| plain_decimal(leaf)).flatten()
        };
        let Some(numbers) = self.rows().map(number).collect::<Option<Vec<_>>>() else {
            return KindReason::NotNumbers;
        };
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&row| numbers[row]);
        let are_neighbours = |level: usize| {
            let mut has_ended = vec![false; self.labels.texts.len()];
            let mut current: Option<u32> = None;
            order.iter().map(|&row| self.cells[row * self.width + level]).all(|label| {
                if current != Some(label)
                    && let Some(before) = current.replace(label)
                {
                    has_ended[before as usize] = true;
                }
                !has_ended[label as usize]
            })
        };
        if (1..self.width).all(are_neighbours) { KindReason::Numbers } else { KindReason::Codes }
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
        self.width - 1
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        let labels = self.row(text, level)?[usize::from(level.0)..].iter();
        Some(labels.map(|&label| Arc::clone(self.text(label))).collect())
    }

    fn label(&self, text: &str, level: Level, above: Level) -> Option<Arc<str>> {
        self.row(text, level)?.get(usize::from(above.0)).map(|&label| Arc::clone(self.text(label)))
    }

    fn listed(&self, level: Level) -> Option<Vec<String>> {
        let first_row = self.first_row.get(usize::from(level.0))?;
        let own = (0..).zip(self.rows().map(|row| row[usize::from(level.0)]));
        let firsts = own.filter(|(row, label)| first_row[*label as usize] == Some(*row));
        Some(firsts.map(|(_, label)| self.text(label).to_string()).collect())
    }

    fn is_listed(&self) -> bool {
        true
    }

    fn walk(&self, level: Level) -> Option<Vec<Vec<Arc<str>>>> {
        let depth = usize::from(level.0);
        let first_row = self.first_row.get(depth)?;
        let firsts =
            (0_u32..).zip(self.rows()).filter(|(row, own)| first_row[own[depth] as usize] == Some(*row));
        let mut rows: Vec<&[u32]> = firsts.map(|(_, row)| row).collect();
        let place = |row: &&[u32], above: usize| self.first_row[above][row[above] as usize];
        // Most files are in this order already.
        rows.sort_by(|left, right| {
            let orders = (depth..self.width).rev().map(|above| place(left, above).cmp(&place(right, above)));
            orders.fold(Ordering::Equal, Ordering::then)
        });
        let chain = |row: &&[u32]| row[depth..].iter().map(|&label| Arc::clone(self.text(label))).collect();
        Some(rows.iter().map(chain).collect())
    }

    fn named_leaves(&self) -> Option<Vec<String>> {
        Some(self.rows().map(|row| self.text(row[0]).to_string()).collect())
    }

    fn top_label(&self) -> Arc<str> {
        self.cells.get(self.width - 1).map_or_else(|| Arc::from("*"), |&label| Arc::clone(self.text(label)))
    }

    fn remedy(&self, text: &str) -> String {
        let mut labels: Vec<String> = (1..self.width).map(|level| format!("(level {level})")).collect();
        if let Some(top) = labels.last_mut() {
            *top = self.top_label().to_string();
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
                let form = self.text(*self.cells.first()?).len();
                let day = |leaf: &str| first_day(leaf).filter(|_| leaf.len() == form);
                let days = self.leaves(text, level).map(day).collect::<Option<Vec<_>>>();
                days?.into_iter().min().map(Place::Day)
            }
            Kind::Category => {
                let row = self.row(text, level)?;
                let levels = (usize::from(level.0)..row.len()).rev();
                let appeared = levels.map(|above| self.first_row[above][row[above] as usize]);
                appeared.map(|row| row.map(|row| row as usize)).collect::<Option<Vec<_>>>().map(Place::Walk)
            }
        }
    }
}

/// Of each level and label, the first row that has it.
fn first_rows(labels: &Labels, cells: &[u32], width: usize) -> Vec<Vec<Option<u32>>> {
    let mut first = vec![vec![None; labels.texts.len()]; width];
    for (number, row) in (0..).zip(cells.chunks(width)) {
        for (first, &label) in first.iter_mut().zip(row) {
            first[label as usize].get_or_insert(number);
        }
    }
    first
}

/// The labels of every line, and its number.
fn read_rows(path: &Path, bytes: &[u8]) -> Result<(Labels, Vec<u32>, Vec<u64>), DataError> {
    let quote = Some(b'"');
    let separator = if first_record_unquoted(bytes, quote).contains(&b';') { b';' } else { b',' };
    let mut records = Records::new(path, separator, quote, bytes);
    let (mut labels, mut cells, mut lines) = (Labels::default(), Vec::new(), Vec::new());
    let mut expected = None;
    while let Some(record) = records.next()? {
        for text in record.texts(&[]) {
            cells.push(labels.number(text.map_err(DataError::of_hierarchy)?));
        }
        let (line, found) = (record.line, record.len());
        let expected = *expected.get_or_insert(found);
        if found != expected {
            return Err(DataError::Ragged { path: path.to_owned(), line, found, expected });
        }
        lines.push(line);
    }
    if lines.is_empty() {
        let detail = "it is empty; expected one value a line, finest level first".to_owned();
        return Err(DataError::HierarchyFile { path: path.to_owned(), line: None, detail });
    }
    Ok((labels, cells, lines))
}

/// The labels, the cells and how many there are of each line.
type Rows<'a> = (&'a Labels, &'a [u32], usize);

fn check_leaves(
    path: &Path,
    (labels, cells, width): Rows,
    first_row: &[Option<u32>],
    lines: &[u64],
) -> Result<(), DataError> {
    for (number, (row, &line)) in cells.chunks(width).zip(lines).enumerate() {
        let first = first_row[row[0] as usize].map_or(number, |first| first as usize);
        if first != number {
            let (text, first) = (&labels.texts[row[0] as usize], lines[first]);
            let detail = format!("value `{text}` stands in line {first} already; remove one of the lines");
            return Err(DataError::HierarchyFile { path: path.to_owned(), line: Some(line), detail });
        }
    }
    Ok(())
}

fn check_nesting(
    path: &Path,
    (labels, cells, width): Rows,
    first_row: &[Vec<Option<u32>>],
    lines: &[u64],
) -> Result<(), DataError> {
    for (level, first_row) in first_row.iter().enumerate().take(width - 1) {
        for (number, (row, &line)) in cells.chunks(width).zip(lines).enumerate() {
            let first = first_row[row[level] as usize].map_or(number, |first| first as usize);
            let known = cells[first * width + level + 1];
            if known != row[level + 1] {
                let text = |label: u32| &labels.texts[label as usize];
                let detail = format!(
                    "level {level} `{}` belongs to `{}` here and to `{}` in line {}; a label must have one parent",
                    text(row[level]),
                    text(row[level + 1]),
                    text(known),
                    lines[first]
                );
                return Err(DataError::HierarchyFile { path: path.to_owned(), line: Some(line), detail });
            }
        }
    }
    Ok(())
}
