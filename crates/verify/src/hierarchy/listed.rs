//! Hierarchies that list every leaf: a CSV file has a line for each, a tree is unfolded into the same.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::grid::{Grid, NONE};
use super::{HierarchySource, Key};
use crate::error::VerifyError;
use crate::file::{self, Beginning};
use crate::records::{Fault, Record};
use crate::value::{DateForm, Day, Number};
use palmtop_terms::Kind;

/// Every leaf with its labels, checked to nest and to mean one thing each.
pub(super) struct Listed {
    grid: Grid,
    kind: Kind,
    /// Of each level and label, the first row, or [`NONE`].
    first: Vec<Vec<u32>>,
    /// Whether it is a tree. Its leaves are those that the public table has, and a coarser label of it stands for itself;
    /// in a CSV file all are leaves, and a coarser label stands where its least leaf does.
    is_tree: bool,
}

impl Listed {
    fn new(grid: Grid, kind: Kind, is_tree: bool) -> Self {
        let first = (0..grid.width()).map(|level| grid.first_rows(level)).collect();
        Self { grid, kind, first, is_tree }
    }

    /// The rows of a tree, unfolded.
    pub(super) fn of_tree(grid: Grid) -> Result<Self, String> {
        grid.check_meanings(0)?;
        Ok(Self::new(grid, Kind::Category, true))
    }

    pub(super) fn top(&self) -> u8 {
        self.grid.top()
    }

    pub(super) fn top_label(&self) -> String {
        self.grid.label(0, self.grid.width() - 1).to_string()
    }

    pub(super) fn kind(&self) -> Kind {
        self.kind
    }

    /// A row that has a text at a level.
    fn row(&self, text: &str, level: u8) -> Option<usize> {
        let number = self.grid.find(text)?;
        let row = self.first.get(usize::from(level))?[number as usize];
        (row != NONE).then_some(row as usize)
    }

    pub(super) fn raise(&self, text: &str, level: u8, base: u8) -> Option<&str> {
        let row = self.row(text, level)?;
        Some(self.grid.label(row, usize::from(base)))
    }

    /// Whether a row is the first that has its label of a level.
    fn is_first(&self, row: usize, level: usize) -> bool {
        self.first[level][self.grid.cell(row, level) as usize] as usize == row
    }

    /// The labels of a level that are leaves, each with those above it, in the order of the file.
    pub(super) fn above(&self, base: u8, occurring: &BTreeSet<&str>) -> Result<Cow<'_, Grid>, String> {
        let base = usize::from(base);
        // A CSV file lists its leaves once each.
        if base == 0 && !self.is_tree {
            return Ok(Cow::Borrowed(&self.grid));
        }
        let is_own = |row: &usize| {
            self.is_first(*row, base) && (!self.is_tree || occurring.contains(self.grid.label(*row, base)))
        };
        self.grid.part((0..self.grid.height()).filter(is_own), base).map(Cow::Owned)
    }

    /// The rows of [`above`](Self::above) in the order of a walk from the top, for a CSV file.
    pub(super) fn walk(&self, base: u8) -> Option<Vec<usize>> {
        let base = usize::from(base);
        if self.is_tree {
            return None;
        }
        let own: Vec<usize> = (0..self.grid.height()).filter(|&row| self.is_first(row, base)).collect();
        let appeared =
            |place: usize, level: usize| self.first[level][self.grid.cell(own[place], level) as usize];
        let mut order: Vec<usize> = (0..own.len()).collect();
        order.sort_by(|&left, &right| {
            let mut levels = (base..self.grid.width()).rev();
            let orders = levels.find_map(|level| {
                Some(appeared(left, level).cmp(&appeared(right, level))).filter(|order| order.is_ne())
            });
            orders.unwrap_or(Ordering::Equal)
        });
        Some(order)
    }

    /// The place of a label in the order of values.
    pub(super) fn key(&self, label: &str, base: u8, kind: Kind) -> Option<Key> {
        let value = |text: &str| match kind {
            Kind::Number => Number::read(text).map(Key::Number),
            Kind::Date if !self.is_tree => Day::read_any(text).map(|(day, _)| Key::Day(day)),
            Kind::Date => Day::read(text).map(Key::Day),
            Kind::Category => None,
        };
        if kind.is_ordered() && (self.is_tree || base == 0) {
            return value(label);
        }
        let row = self.row(label, base)?;
        let base = usize::from(base);
        if kind == Kind::Category {
            let above = self.first[base..].iter().zip(&self.grid.row(row)[base..]);
            return Some(Key::Walk(above.rev().map(|(first, &number)| first[number as usize]).collect()));
        }
        let number = self.grid.cell(row, base);
        let rows = (0..self.grid.height()).filter(|&row| self.grid.cell(row, base) == number);
        rows.map(|row| value(self.grid.label(row, 0))).collect::<Option<Vec<Key>>>()?.into_iter().min()
    }
}

/// Reads a CSV hierarchy: no header, one leaf a line, finest level first.
pub(super) fn read(source: &HierarchySource) -> Result<Listed, VerifyError> {
    let path = &source.path;
    let at = |line: Option<u64>, detail: String| VerifyError::Hierarchy { path: path.clone(), line, detail };
    let (grid, lines) = read_rows(source)?;
    let first = grid.first_rows(0);
    for row in 0..grid.height() {
        let known = first[grid.cell(row, 0) as usize] as usize;
        if known != row {
            let (leaf, first) = (grid.label(row, 0), lines[known]);
            let detail = format!("value `{leaf}` stands in line {first} already; remove one of the lines");
            return Err(at(Some(lines[row]), detail));
        }
    }
    let grid = grid.crown().map_err(|detail| at(None, detail))?;
    if let Some(two) = grid.two_parents() {
        let detail = format!(
            "level {} `{}` belongs to `{}` here and to `{}` in line {}; a label must have one parent",
            two.level, two.label, two.second.1, two.first.1, lines[two.first.0]
        );
        return Err(at(Some(lines[two.second.0]), detail));
    }
    grid.check_meanings(0).map_err(|detail| at(None, detail))?;
    let kind = source.kind.unwrap_or_else(|| likely_kind(&grid));
    check_leaves(&grid, kind).map_err(|(row, detail)| at(Some(lines[row]), detail))?;
    Ok(Listed::new(grid, kind, false))
}

/// The labels of every line, and the line's number.
fn read_rows(source: &HierarchySource) -> Result<(Grid, Vec<u64>), VerifyError> {
    let path = &source.path;
    let form = |line, detail| VerifyError::Form { path: path.clone(), line, detail };
    let wrong = |detail| VerifyError::Hierarchy { path: path.clone(), line: None, detail };
    let file = file::open_small(path, file::MOST_TEXT)?;
    let beginning = Beginning::of(file, Some(b'"')).map_err(VerifyError::io(path))?;
    if beginning.has_two_marks {
        return Err(form(1, "two byte-order marks; remove them".to_owned()));
    }
    let separator = beginning.most_frequent(b";", Some(b'"')).unwrap_or(b',');
    let mut records = beginning.records(separator, Some(b'"'));
    let mut record = Record::default();
    let mut grid: Option<Grid> = None;
    let mut lines = Vec::new();
    loop {
        match records.read(&mut record) {
            Ok(true) => {}
            Ok(false) => break,
            Err(Fault::Io(source)) => return Err(VerifyError::io(path)(source)),
            Err(fault) => return Err(form(fault.line(), fault.to_string())),
        }
        if record.is_blank() {
            return Err(form(record.line, "it is blank; remove it".to_owned()));
        }
        let grid = match &mut grid {
            Some(grid) => grid,
            none => none.insert(Grid::new(record.len()).map_err(wrong)?),
        };
        let (found, expected) = (record.len(), grid.width());
        if found != expected {
            let detail =
                format!("{found} fields, expected {expected}; give every leaf as many levels as the first");
            return Err(form(record.line, detail));
        }
        grid.push(record.fields()).map_err(wrong)?;
        lines.push(record.line);
    }
    let empty = || wrong("it is empty; expected one value a line, finest level first".to_owned());
    Ok((grid.ok_or_else(empty)?, lines))
}

/// Number where every leaf is one and no label gathers leaves that are not neighbours; else category.
fn likely_kind(grid: &Grid) -> Kind {
    let number = |row| {
        let text = grid.label(row, 0);
        Number::read(text).filter(|_| !Number::is_padded(text))
    };
    let Some(numbers) = (0..grid.height()).map(number).collect::<Option<Vec<Number>>>() else {
        return Kind::Category;
    };
    let mut order: Vec<usize> = (0..grid.height()).collect();
    // Stable, so that equal numbers stay in the order of the file.
    order.sort_by(|&left, &right| numbers[left].cmp(&numbers[right]));
    let are_neighbours = (1..grid.width()).all(|level| {
        let mut labels: Vec<u32> = order.iter().map(|&row| grid.cell(row, level)).collect();
        labels.dedup();
        let runs = labels.len();
        labels.sort_unstable();
        labels.dedup();
        labels.len() == runs
    });
    if are_neighbours { Kind::Number } else { Kind::Category }
}

/// Leaves of a kind that has one form must have it, each value once; else the row of one that has not.
fn check_leaves(grid: &Grid, kind: Kind) -> Result<(), (usize, String)> {
    let leaf = |row| grid.label(row, 0);
    let refuse = |row, what: &str| {
        Err((row, format!("`{}` is no {what}; correct it, or the attribute's kind", leaf(row))))
    };
    let rows = 0..grid.height();
    match kind {
        Kind::Category => Ok(()),
        Kind::Number => {
            let mut numbers = Vec::new();
            for row in rows {
                match Number::read(leaf(row)) {
                    Some(number) => numbers.push((number, row)),
                    None => return refuse(row, "number"),
                }
            }
            numbers.sort_unstable();
            match numbers.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                None => Ok(()),
                Some(pair) => {
                    let (first, second) = (leaf(pair[0].1), leaf(pair[1].1));
                    Err((pair[1].1, format!("`{first}` and `{second}` are the same number written twice")))
                }
            }
        }
        Kind::Date => {
            let mut common: Option<DateForm> = None;
            for row in rows {
                match Day::read_any(leaf(row)) {
                    None => return refuse(row, "date (YYYY-MM-DD, or YYYY-MM or YYYY throughout)"),
                    Some((_, form)) if *common.get_or_insert(form) != form => {
                        return Err((
                            row,
                            format!(
                                "`{}` is a date of another form than the first; write all alike",
                                leaf(row)
                            ),
                        ));
                    }
                    Some(_) => {}
                }
            }
            Ok(())
        }
    }
}
