//! Hierarchies that list every leaf: a CSV file with a line per leaf, or an unfolded tree.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::BTreeSet;

use super::built::Key;
use super::grid::{Grid, NONE};
use super::source::HierarchySource;
use crate::problems::VerifyError;
use crate::read::text::file;
use crate::read::{Beginning, Fault, Record};
use crate::values::{DateForm, Day, Number};
use palmtop_terms::Kind;
use palmtop_terms::LocatedError;
use palmtop_terms::words::plural;

/// Every leaf with its labels. Labels are nested, and each text has one meaning.
pub(super) struct Listed {
    grid: Grid,
    kind: Kind,
    /// For each level and label its first row, or [`NONE`].
    first: Vec<Vec<u32>>,
    /// Whether it is a tree. The leaves of a tree are the values that occur, and a coarser label sorts by its own text. In a
    /// CSV file all values are leaves, and a coarser label sorts by its least value.
    is_tree: bool,
}

impl Listed {
    fn new(grid: Grid, kind: Kind, is_tree: bool) -> Self {
        let first = (0..grid.width()).map(|level| grid.first_rows(level)).collect();
        Self { grid, kind, first, is_tree }
    }

    /// The hierarchy of an unfolded tree.
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

    /// The first row that has a text at a level.
    fn row(&self, text: &str, level: u8) -> Option<usize> {
        let number = self.grid.find(text)?;
        let row = self.first.get(usize::from(level))?[number as usize];
        (row != NONE).then_some(row as usize)
    }

    /// The label at level `base` of a text of level `level`.
    pub(super) fn generalize(&self, text: &str, level: u8, base: u8) -> Option<&str> {
        let row = self.row(text, level)?;
        Some(self.grid.label(row, usize::from(base)))
    }

    /// Whether a row is the first with its label of a level.
    fn is_first(&self, row: usize, level: usize) -> bool {
        self.first[level][self.grid.cell(row, level) as usize] as usize == row
    }

    /// A grid with a row for each label of level `base` that is a leaf, in the order of the file.
    pub(super) fn above(&self, base: u8, occurring: &BTreeSet<&str>) -> Result<Cow<'_, Grid>, String> {
        let base = usize::from(base);
        // A CSV file lists each leaf once.
        if base == 0 && !self.is_tree {
            return Ok(Cow::Borrowed(&self.grid));
        }
        let is_leaf = |row: &usize| {
            self.is_first(*row, base) && (!self.is_tree || occurring.contains(self.grid.label(*row, base)))
        };
        self.grid.part((0..self.grid.height()).filter(is_leaf), base).map(Cow::Owned)
    }

    /// The order of the rows of [`above`](Self::above) in a depth-first walk from the top. `None` for a tree.
    pub(super) fn walk(&self, base: u8) -> Option<Vec<usize>> {
        let base = usize::from(base);
        if self.is_tree {
            return None;
        }
        let rows: Vec<usize> = (0..self.grid.height()).filter(|&row| self.is_first(row, base)).collect();
        let first_row =
            |index: usize, level: usize| self.first[level][self.grid.cell(rows[index], level) as usize];
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by(|&left, &right| {
            let mut levels = (base..self.grid.width()).rev();
            let orders = levels.find_map(|level| {
                Some(first_row(left, level).cmp(&first_row(right, level))).filter(|order| order.is_ne())
            });
            orders.unwrap_or(Ordering::Equal)
        });
        Some(order)
    }

    /// The sort keys of the labels of level `base`, for values of a kind. Linear in the size of the grid.
    pub(super) fn sort_keys(&self, base: u8, kind: Kind) -> SortKeys<'_> {
        let least = match kind {
            Kind::Number | Kind::Date if base > 0 && !self.is_tree => {
                Some(self.least_values(usize::from(base), kind))
            }
            Kind::Number | Kind::Date | Kind::Category => None,
        };
        SortKeys { listed: self, base, kind, least }
    }

    /// The value of a text of a kind; categories have none.
    fn value(&self, text: &str, kind: Kind) -> Option<Key> {
        match kind {
            Kind::Number => Number::read(text).map(Key::Number),
            Kind::Date if !self.is_tree => Day::read_any(text).map(|(day, _)| Key::Day(day)),
            Kind::Date => Day::read(text).map(Key::Day),
            Kind::Category => None,
        }
    }

    /// For each text, the least value of the leaves below it at level `base`. `None` if one of them is not of this kind.
    fn least_values(&self, base: usize, kind: Kind) -> Vec<Option<Key>> {
        let mut least: Vec<Option<Key>> = vec![None; self.grid.words().len()];
        let mut is_invalid = vec![false; least.len()];
        for row in 0..self.grid.height() {
            let number = self.grid.cell(row, base) as usize;
            match self.value(self.grid.label(row, 0), kind) {
                Some(value) if least[number].as_ref().is_none_or(|known| value < *known) => {
                    least[number] = Some(value);
                }
                Some(_) => {}
                None => is_invalid[number] = true,
            }
        }
        for (least, _) in least.iter_mut().zip(is_invalid).filter(|(_, is_invalid)| *is_invalid) {
            *least = None;
        }
        least
    }
}

/// The sort keys of the labels of one level.
pub(super) struct SortKeys<'a> {
    listed: &'a Listed,
    base: u8,
    kind: Kind,
    /// The least value below each text, if labels sort by it.
    least: Option<Vec<Option<Key>>>,
}

impl SortKeys<'_> {
    /// The sort key of a label; `None` if it has no value of the kind.
    pub(super) fn of(&self, label: &str) -> Option<Key> {
        let Self { listed, base, kind, least } = self;
        if let Some(least) = least {
            return least[listed.grid.find(label)? as usize].clone();
        }
        if kind.is_ordered() {
            return listed.value(label, *kind);
        }
        let row = listed.row(label, *base)?;
        let base = usize::from(*base);
        let above = listed.first[base..].iter().zip(&listed.grid.row(row)[base..]);
        Some(Key::Walk(above.rev().map(|(first, &number)| first[number as usize]).collect()))
    }
}

/// Reads a CSV hierarchy: no header, one leaf per line, finest level first.
pub(super) fn read(source: &HierarchySource) -> Result<Listed, VerifyError> {
    let path = &source.path;
    let wrong = |line: Option<u64>, detail: String| VerifyError::hierarchy(path, line, detail);
    let (grid, lines) = read_rows(source)?;
    let first = grid.first_rows(0);
    for row in 0..grid.height() {
        let known = first[grid.cell(row, 0) as usize] as usize;
        if known != row {
            let (leaf, first) = (grid.label(row, 0), lines[known]);
            let detail = format!("value `{leaf}` already occurs in line {first}; remove one of the lines");
            return Err(wrong(Some(lines[row]), detail));
        }
    }
    let grid = grid.with_single_top().map_err(|detail| wrong(None, detail))?;
    if let Some(two) = grid.two_parents() {
        let detail = format!(
            "level {} `{}` has the parent `{}` here and `{}` in line {}; give it one parent",
            two.level, two.label, two.second.1, two.first.1, lines[two.first.0]
        );
        return Err(wrong(Some(lines[two.second.0]), detail));
    }
    grid.check_meanings(0).map_err(|detail| wrong(None, detail))?;
    let kind = source.kind.unwrap_or_else(|| likely_kind(&grid));
    check_leaves(&grid, kind).map_err(|(row, detail)| wrong(Some(lines[row]), detail))?;
    Ok(Listed::new(grid, kind, false))
}

/// The labels of every line, and the numbers of the lines.
fn read_rows(source: &HierarchySource) -> Result<(Grid, Vec<u64>), VerifyError> {
    let path = &source.path;
    let form = |line, detail: String| LocatedError::new(detail).in_file(path).at_line(line).into();
    let wrong = |detail: String| VerifyError::hierarchy(path, None, detail);
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
            return Err(form(record.line, "a blank line; remove it".to_owned()));
        }
        let grid = match &mut grid {
            Some(grid) => grid,
            empty => empty.insert(Grid::new(record.len()).map_err(wrong)?),
        };
        let (found, expected) = (record.len(), grid.width());
        if found != expected {
            let found = plural(found as u64, "field");
            let remedy = "give every line as many levels as the first";
            return Err(form(record.line, format!("{found}; expected {expected}; {remedy}")));
        }
        grid.push(record.fields()).map_err(wrong)?;
        lines.push(record.line);
    }
    let empty = || wrong("the file is empty; expected one value per line, finest level first".to_owned());
    Ok((grid.ok_or_else(empty)?, lines))
}

/// Number if every leaf is a number and every label covers consecutive leaves; else category.
fn likely_kind(grid: &Grid) -> Kind {
    let number = |row| {
        let text = grid.label(row, 0);
        Number::read(text).filter(|_| !Number::is_padded(text))
    };
    let Some(numbers) = (0..grid.height()).map(number).collect::<Option<Vec<Number>>>() else {
        return Kind::Category;
    };
    let mut order: Vec<usize> = (0..grid.height()).collect();
    // The sort is stable, so equal numbers keep the order of the file.
    order.sort_by(|&left, &right| numbers[left].cmp(&numbers[right]));
    let are_consecutive = (1..grid.width()).all(|level| {
        let mut labels: Vec<u32> = order.iter().map(|&row| grid.cell(row, level)).collect();
        labels.dedup();
        let runs = labels.len();
        labels.sort_unstable();
        labels.dedup();
        labels.len() == runs
    });
    if are_consecutive { Kind::Number } else { Kind::Category }
}

/// Checks that all leaves have the form of the kind, and that no number occurs twice. An error names the row.
fn check_leaves(grid: &Grid, kind: Kind) -> Result<(), (usize, String)> {
    let leaf = |row| grid.label(row, 0);
    let refuse = |row, what: &str| {
        Err((row, format!("`{}` is not a {what}; correct it, or the attribute's kind", leaf(row))))
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
                    Err((pair[1].1, format!("`{first}` and `{second}` are the same number; remove one")))
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
                                "`{}` has another date form than the first line; use one form for all",
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
