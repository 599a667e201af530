//! A grid of labels with one row per leaf and one column per level; checks that each text has one meaning.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

/// Distinct texts with numbers, stored in one string without an allocation for each.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    joined: String,
    /// The end of each text in `joined`.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

impl Words {
    pub(super) fn text(&self, number: u32) -> &str {
        text_at(&self.joined, &self.ends, number)
    }

    /// The number of texts.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The number of a known text.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        let is_it = |&number: &u32| self.text(number) == text;
        self.numbers.find(FxBuildHasher.hash_one(text), is_it).copied()
    }

    /// The number of a text, known or new; `None` if there are too many texts.
    fn number(&mut self, text: &str) -> Option<u32> {
        match self.find(text) {
            None => self.add(text),
            known => known,
        }
    }

    /// Adds an unknown text; `None` if there are too many texts.
    fn add(&mut self, text: &str) -> Option<u32> {
        let number = u32::try_from(self.ends.len()).ok().filter(|number| *number < NONE)?;
        self.joined.push_str(text);
        self.ends.push(self.joined.len());
        let (joined, ends) = (&self.joined, &self.ends);
        let hash = |&number: &u32| FxBuildHasher.hash_one(text_at(joined, ends, number));
        self.numbers.insert_unique(FxBuildHasher.hash_one(text), number, hash);
        Some(number)
    }
}

fn text_at<'a>(joined: &'a str, ends: &[usize], number: u32) -> &'a str {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &joined[start..ends[number]]
}

/// Marks a missing row or leaf.
pub(super) const NONE: u32 = u32::MAX;

/// The labels of every leaf, row by row from the finest level.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    words: Words,
    width: usize,
    /// The index of the last level.
    top: u8,
    cells: Vec<u32>,
}

/// The rows that have each text at a level.
#[derive(Debug)]
pub(super) struct RowsOf {
    /// The end of each text's rows in `rows`.
    ends: Vec<usize>,
    rows: Vec<u32>,
}

impl RowsOf {
    /// The rows of a text, ascending.
    pub(super) fn text(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |previous| self.ends[previous]);
        &self.rows[start..self.ends[number]]
    }
}

/// A label with two parents.
#[derive(Debug)]
pub(super) struct TwoParents {
    pub(super) level: usize,
    pub(super) label: String,
    /// The first row with the label, and the parent in that row.
    pub(super) first: (usize, String),
    /// A later row with the label, and the other parent.
    pub(super) second: (usize, String),
}

impl Grid {
    /// The limit of levels.
    const TALLEST: u8 = 250;

    pub(super) fn new(width: usize) -> Result<Self, String> {
        match u8::try_from(width) {
            Ok(0) => Err("it has no levels; give at least one".to_owned()),
            Ok(levels @ 1..=Self::TALLEST) => {
                Ok(Self { words: Words::default(), width, top: levels - 1, cells: Vec::new() })
            }
            _ => Err(format!("it has {width} levels; at most {} are possible", Self::TALLEST)),
        }
    }

    /// Adds a row with one label per level.
    pub(super) fn push<'a>(&mut self, labels: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let start = self.cells.len();
        for (level, label) in labels.into_iter().enumerate() {
            // Most labels equal those of the previous row.
            let previous = (start + level).checked_sub(self.width).map(|index| self.cells[index]);
            let number = match previous.filter(|&number| self.words.text(number) == label) {
                Some(number) => number,
                None => {
                    self.words.number(label).ok_or("it has too many labels; at most 2^32 - 1 are possible")?
                }
            };
            self.cells.push(number);
        }
        debug_assert_eq!(self.cells.len() - start, self.width, "a label for every level");
        Ok(())
    }

    pub(super) fn width(&self) -> usize {
        self.width
    }

    pub(super) fn top(&self) -> u8 {
        self.top
    }

    pub(super) fn height(&self) -> usize {
        self.cells.len() / self.width
    }

    /// The number of the label of a row at a level.
    pub(super) fn cell(&self, row: usize, level: usize) -> u32 {
        self.cells[row * self.width + level]
    }

    pub(super) fn words(&self) -> &Words {
        &self.words
    }

    pub(super) fn text(&self, number: u32) -> &str {
        self.words.text(number)
    }

    pub(super) fn label(&self, row: usize, level: usize) -> &str {
        self.text(self.cell(row, level))
    }

    /// The number of a text that occurs in the grid.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.words.find(text)
    }

    /// The numbers of the labels of a row, finest first.
    pub(super) fn row(&self, row: usize) -> &[u32] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    /// For each text, the rows that have it at a level.
    pub(super) fn rows_of(&self, level: usize) -> RowsOf {
        let of_level = || self.cells.iter().skip(level).step_by(self.width).map(|&number| number as usize);
        let mut ends = vec![0; self.words.len()];
        of_level().for_each(|number| ends[number] += 1);
        let mut next = 0;
        for end in &mut ends {
            next += std::mem::replace(end, next);
        }
        let mut rows = vec![0; self.height()];
        for (row, number) in (0..).zip(of_level()) {
            rows[ends[number]] = row;
            ends[number] += 1;
        }
        RowsOf { ends, rows }
    }

    /// For each text, the first row that has it at a level, or [`NONE`].
    pub(super) fn first_rows(&self, level: usize) -> Vec<u32> {
        let mut first = vec![NONE; self.words.len()];
        for (row, number) in (0_u32..).zip(self.cells.iter().skip(level).step_by(self.width)) {
            let first = &mut first[*number as usize];
            *first = row.min(*first);
        }
        first
    }

    /// Adds `*` as a last level if the last level has several labels.
    pub(super) fn with_single_top(self) -> Result<Self, String> {
        let top = self.width - 1;
        if (1..self.height()).all(|row| self.cell(row, top) == self.cell(0, top)) {
            return Ok(self);
        }
        self.with_star()
    }

    /// Adds `*` as a last level.
    pub(super) fn with_star(mut self) -> Result<Self, String> {
        let taller = Self::new(self.width + 1)?;
        let star = self.words.number("*").ok_or("it has too many labels; at most 2^32 - 1 are possible")?;
        let rows = self.cells.chunks(self.width);
        let cells = rows.flat_map(|row| row.iter().copied().chain([star])).collect();
        Ok(Self { words: self.words, cells, ..taller })
    }

    /// The grid of some rows, from level `base` on.
    pub(super) fn part(&self, rows: impl Iterator<Item = usize>, base: usize) -> Result<Self, String> {
        let mut part = Self::new(self.width - base)?;
        let mut known = vec![None; self.words.len()];
        for row in rows {
            for &number in &self.cells[row * self.width + base..(row + 1) * self.width] {
                let number = match &mut known[number as usize] {
                    Some(known) => *known,
                    new => {
                        let added = part.words.add(self.text(number));
                        *new.insert(added.ok_or("it has too many labels; at most 2^32 - 1 are possible")?)
                    }
                };
                part.cells.push(number);
            }
        }
        Ok(part)
    }

    /// The first label, from the finest level, with different parents in two rows.
    pub(super) fn two_parents(&self) -> Option<TwoParents> {
        for level in 0..self.width - 1 {
            let first = self.first_rows(level);
            for row in 0..self.height() {
                let known = first[self.cell(row, level) as usize] as usize;
                if self.cell(known, level + 1) != self.cell(row, level + 1) {
                    let parent = |row| (row, self.label(row, level + 1).to_owned());
                    let label = self.label(row, level).to_owned();
                    return Some(TwoParents { level, label, first: parent(known), second: parent(row) });
                }
            }
        }
        None
    }

    /// Checks that each text denotes the same rows at every level, and that no text reads as a range or a set of a release.
    /// `lowest` is the number of the first level, for messages.
    pub(super) fn check_meanings(&self, lowest: u8) -> Result<(), String> {
        for number in (0..).take(self.words.len()) {
            check_plain(self.text(number))?;
        }
        // Only a text that occurs at several levels can have several meanings.
        let mut first: Vec<u8> = vec![u8::MAX; self.words.len()];
        let mut is_at_several_levels = false;
        for row in self.cells.chunks(self.width) {
            for (level, &number) in (0..).zip(row) {
                let first = &mut first[number as usize];
                is_at_several_levels |= *first != u8::MAX && *first != level;
                *first = level.min(*first);
            }
        }
        if !is_at_several_levels {
            return Ok(());
        }
        let levels: Vec<RowsOf> = (0..self.width).map(|level| self.rows_of(level)).collect();
        for (level, rows_of) in (0_u8..).zip(&levels) {
            for (number, &first) in (0_u32..).zip(&first).filter(|(_, first)| **first < level) {
                let text = number as usize;
                let rows = rows_of.text(text);
                if !rows.is_empty() && rows != levels[usize::from(first)].text(text) {
                    let level_number = |level: u8| u16::from(level) + u16::from(lowest);
                    return Err(format!(
                        "`{}` means one set of values at level {} and another at level {}; rename one of them",
                        self.text(number),
                        level_number(first),
                        level_number(level)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Refuses a label that reads as a range `[low, high]`, a set `{a, b}`, or a set with exceptions `label except {a, b}`.
pub(super) fn check_plain(label: &str) -> Result<(), String> {
    let has_exceptions = label.contains(" except {");
    let what = match label.chars().last() {
        Some(']') if label.starts_with('[') => "range",
        Some('}') if label.starts_with('{') || has_exceptions => "set",
        _ => return Ok(()),
    };
    Err(format!("`{label}` reads as a {what} of values; rename it"))
}
