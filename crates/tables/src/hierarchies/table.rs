//! A CSV hierarchy in the format of ARX: no header, one leaf per line, finest level first.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::builder::{HierarchyBuilder, KindReason, Order, Position};
use super::lines::{Column, Grid, read_grid};
use super::plain::{first_day, is_unpadded, plain_decimal};
use crate::error::DataError;
use palmtop_core::model::chains::Chains;
use palmtop_core::model::{Kind, Level, ModelError};

/// The labels of each value of a CSV hierarchy, finest level first; checked to nest.
pub(crate) fn read_rows(path: &Path, bytes: &[u8]) -> Result<Vec<Vec<String>>, DataError> {
    let Table { grid, .. } = Table::read(path, bytes)?;
    let row = |row| (0..grid.columns.len()).map(|level| grid.text(level, row).to_owned()).collect();
    Ok((0..grid.height()).map(row).collect())
}

/// The lines of a CSV hierarchy, checked to nest.
pub(super) struct Table {
    grid: Grid,
    reason: KindReason,
}

impl Table {
    pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<Self, DataError> {
        let (mut grid, lines) = read_grid(path, bytes)?;
        check_form(path, &grid, &lines)?;
        check_leaves(path, &grid, &lines)?;
        check_nesting(path, &grid, &lines)?;
        if grid.columns.last().is_some_and(|top| top.label_count() > 1) {
            let level = grid.columns.len();
            for _ in 0..grid.height() {
                grid.push(level, "*");
            }
        }
        let mut table = Self { grid, reason: KindReason::NotNumbers };
        table.reason = table.reason();
        Ok(table)
    }

    /// The first row with a text at a level.
    fn row(&self, text: &str, level: Level) -> Option<usize> {
        let depth = usize::from(level.0);
        let label = self.grid.find(text, depth)?;
        Some(self.grid.columns[depth].first_rows[label as usize] as usize)
    }

    /// The position of a row's leaf among numbers or dates.
    fn leaf_position(&self, row: usize, kind: Kind) -> Option<Position> {
        let leaf = self.grid.text(0, row);
        match kind {
            Kind::Number => plain_decimal(leaf).map(Position::Number),
            // Dates must have one form: a month has no position among dates.
            Kind::Date => {
                first_day(leaf).filter(|_| leaf.len() == self.grid.text(0, 0).len()).map(Position::Day)
            }
            Kind::Category => None,
        }
    }

    /// The first row of each label of a level, in the order of a walk from the top. Labels are
    /// numbered in order of appearance.
    fn walk(&self, depth: usize) -> Vec<u32> {
        let mut rows = self.grid.columns[depth].first_rows.clone();
        let above = &self.grid.columns[depth..];
        // Most files already have this order.
        rows.sort_by(|&left, &right| {
            let mut orders = above
                .iter()
                .rev()
                .map(|column| column.label(left as usize).cmp(&column.label(right as usize)));
            orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
        });
        rows
    }

    /// The first row of each label of a level, sorted by number or date. A coarser label has the
    /// position of its least leaf.
    fn by_value(&self, depth: usize, kind: Kind) -> Result<Vec<u32>, ModelError> {
        let column = &self.grid.columns[depth];
        let text = |label: usize| &self.grid.words.texts()[column.texts[label] as usize];
        let not_of_kind = |label: usize| ModelError::not_of_kind(text(label), kind);
        let labels = 0..column.label_count();
        if kind == Kind::Date
            && depth == 0
            && let Some(other) = labels.clone().find(|&label| text(label).len() != text(0).len())
        {
            return Err(not_of_kind(other));
        }
        let mut least: Vec<Option<Position>> = vec![None; column.label_count()];
        let mut has_other = vec![false; column.label_count()];
        for row in 0..self.grid.height() {
            let label = column.label(row) as usize;
            match self.leaf_position(row, kind) {
                Some(position) if least[label].as_ref().is_none_or(|least| position < *least) => {
                    least[label] = Some(position);
                }
                Some(_) => {}
                None => has_other[label] = true,
            }
        }
        if let Some(label) = has_other.iter().position(|has_other| *has_other) {
            return Err(not_of_kind(label));
        }
        let mut sorted: Vec<_> =
            least.into_iter().zip(labels).map(|(position, label)| (position, text(label), label)).collect();
        sorted.sort_unstable();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(ModelError::equal_values(pair[0].1, pair[1].1, kind));
        }
        Ok(sorted.into_iter().map(|(.., label)| column.first_rows[label]).collect())
    }

    /// The kind of the leaves: numbers if they are plain decimals without leading zeros, and those
    /// of each label are neighbours.
    fn reason(&self) -> KindReason {
        let number = |row: usize| {
            let leaf = self.grid.text(0, row);
            is_unpadded(leaf).then(|| plain_decimal(leaf)).flatten()
        };
        let Some(numbers) = (0..self.grid.height()).map(number).collect::<Option<Vec<_>>>() else {
            return KindReason::NotNumbers;
        };
        let mut order: Vec<usize> = (0..numbers.len()).collect();
        order.sort_by_key(|&row| numbers[row]);
        let mut coarser = self.grid.columns.iter().skip(1);
        let are_neighbours = coarser.all(|column| {
            let mut has_ended = vec![false; column.label_count()];
            let mut current: Option<u32> = None;
            order.iter().map(|&row| column.label(row)).all(|label| {
                if current != Some(label)
                    && let Some(before) = current.replace(label)
                {
                    has_ended[before as usize] = true;
                }
                !has_ended[label as usize]
            })
        });
        if are_neighbours { KindReason::Numbers } else { KindReason::Codes }
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
        self.grid.columns.len() - 1
    }

    fn chain(&self, text: &str, level: Level) -> Option<Vec<Arc<str>>> {
        let row = self.row(text, level)?;
        let levels = usize::from(level.0)..self.grid.columns.len();
        Some(levels.map(|level| Arc::from(self.grid.text(level, row))).collect())
    }

    fn label(&self, text: &str, level: Level, above: Level) -> Option<Cow<'_, str>> {
        let row = self.row(text, level)?;
        (usize::from(above.0) < self.grid.columns.len())
            .then(|| Cow::Borrowed(self.grid.text(usize::from(above.0), row)))
    }

    fn listed(&self, level: Level) -> Option<Vec<String>> {
        let column = self.grid.columns.get(usize::from(level.0))?;
        let texts = self.grid.words.texts();
        Some(column.texts.iter().map(|&text| texts[text as usize].to_owned()).collect())
    }

    fn is_listed(&self) -> bool {
        true
    }

    fn all(&self, level: Level, order: Order) -> Option<Result<Chains<'_>, ModelError>> {
        let depth = usize::from(level.0);
        let column = self.grid.columns.get(depth)?;
        let rows = match order {
            Order::File => Ok(column.first_rows.clone()),
            Order::Values(Kind::Category) => Ok(self.walk(depth)),
            Order::Values(kind) => self.by_value(depth, kind),
        };
        Some(rows.map(|rows| {
            let columns = self.grid.columns[depth..].iter().map(|column| {
                rows.iter().map(|&row| column.texts[column.label(row as usize) as usize]).collect()
            });
            Chains::new(self.grid.words.texts(), columns.collect())
        }))
    }

    fn named_leaves(&self) -> Option<Vec<String>> {
        self.listed(Level(0))
    }

    fn top_label(&self) -> Arc<str> {
        Arc::from(self.grid.text(self.height(), 0))
    }

    fn remedy(&self, text: &str) -> String {
        let mut labels: Vec<String> = (1..=self.height()).map(|level| format!("(level {level})")).collect();
        if let Some(top) = labels.last_mut() {
            *top = self.top_label().to_string();
        }
        let line = [vec![text.to_owned()], labels].concat().join(";");
        format!("add a line for each to it, such as `{line}`, or correct the table")
    }

    fn position(&self, text: &str, level: Level, kind: Kind) -> Option<Position> {
        let depth = usize::from(level.0);
        let row = self.row(text, level)?;
        let column = &self.grid.columns[depth];
        if kind == Kind::Category {
            let walk = self.grid.columns[depth..].iter().rev().map(|column| column.label(row) as usize);
            return Some(Position::Walk(walk.collect()));
        }
        // At level 0 the row is known.
        let rows = if depth == 0 { row..row + 1 } else { 0..self.grid.height() };
        let rows_of_label = rows.filter(|&other| column.label(other) == column.label(row));
        rows_of_label.map(|row| self.leaf_position(row, kind)).collect::<Option<Vec<_>>>()?.into_iter().min()
    }
}

/// Refuses what the lines of other tables have: a separator at the end of each line, a line with the
/// names of the levels, and labels that only blanks tell apart.
fn check_form(path: &Path, grid: &Grid, lines: &[u64]) -> Result<(), DataError> {
    let wrong = |row: usize, detail: String| Err(DataError::hierarchy(path, Some(lines[row]), detail));
    let (top, height) = (grid.columns.len() - 1, grid.height());
    if top > 0 && (0..height).all(|row| grid.text(top, row).is_empty()) {
        let detail = "each line ends with a separator, so the last level has an empty label; remove the separator at the \
                      end of each line";
        return wrong(0, detail.to_owned());
    }
    if has_header(grid) {
        let names: Vec<&str> = (0..=top).map(|level| grid.text(level, 0)).collect();
        return wrong(
            0,
            format!(
                "it looks like a header ({}); a hierarchy file has none: remove the line",
                names.join(", ")
            ),
        );
    }
    for (level, column) in grid.columns.iter().enumerate().skip(1) {
        let mut bare: FxHashMap<&str, u32> = FxHashMap::default();
        for &row in &column.first_rows {
            let text = grid.text(level, row as usize);
            let Some(&other) = bare.get(text.trim()) else {
                bare.insert(text.trim(), row);
                continue;
            };
            let (other, line) = (grid.text(level, other as usize), lines[other as usize]);
            let detail = format!(
                "level {level}: {text:?} and {other:?} in line {line} differ only in blanks; write them alike"
            );
            return wrong(row as usize, detail);
        }
    }
    Ok(())
}

/// Whether the first line has the names of the levels: no other line has one of its labels, all others
/// have one top label, and this label is `*`, or their values are numbers and that of the first line is
/// none.
fn has_header(grid: &Grid) -> bool {
    let (top, height) = (grid.columns.len() - 1, grid.height());
    let is_alone = |column: &Column| (1..height).all(|row| column.label(row) != column.label(0));
    if top == 0 || height < 3 || grid.columns[top].label_count() != 2 || !grid.columns.iter().all(is_alone) {
        return false;
    }
    let is_number = |row: usize| plain_decimal(grid.text(0, row)).is_some();
    grid.text(top, 1) == "*" || (!is_number(0) && (1..height).all(is_number))
}

fn check_leaves(path: &Path, grid: &Grid, lines: &[u64]) -> Result<(), DataError> {
    let leaves = &grid.columns[0];
    let mut labels = (0..grid.height()).map(|row| leaves.label(row)).zip(0_u32..);
    let Some((first, row)) = labels.find(|(label, row)| label != row) else { return Ok(()) };
    let (text, first) = (grid.text(0, row as usize), lines[first as usize]);
    let detail = format!("value `{text}` is already in line {first}; remove one of the lines");
    Err(DataError::hierarchy(path, Some(lines[row as usize]), detail))
}

fn check_nesting(path: &Path, grid: &Grid, lines: &[u64]) -> Result<(), DataError> {
    for (level, pair) in grid.columns.windows(2).enumerate() {
        let (column, above) = (&pair[0], &pair[1]);
        for (row, &line) in lines.iter().enumerate() {
            let first = column.first_rows[column.label(row) as usize] as usize;
            if above.label(first) != above.label(row) {
                let detail = format!(
                    "level {level} `{}` belongs to `{}` here and to `{}` in line {}; a label must have one parent",
                    grid.text(level, row),
                    grid.text(level + 1, row),
                    grid.text(level + 1, first),
                    lines[first]
                );
                return Err(DataError::hierarchy(path, Some(line), detail));
            }
        }
    }
    Ok(())
}
