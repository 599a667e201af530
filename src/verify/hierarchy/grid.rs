//! Rows of labels, a row a leaf, a column a level; and whether each text in them means one thing.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// Texts, each with a number.
#[derive(Debug, Default)]
struct Words {
    texts: Vec<Rc<str>>,
    numbers: FxHashMap<Rc<str>, u32>,
}

impl Words {
    /// The number of a text, known or new; `None` where there are too many.
    fn number(&mut self, text: &str) -> Option<u32> {
        if let Some(&number) = self.numbers.get(text) {
            return Some(number);
        }
        self.add(text.into())
    }

    /// The number of a text that is not known yet.
    fn add(&mut self, text: Rc<str>) -> Option<u32> {
        let number = u32::try_from(self.texts.len()).ok()?;
        self.texts.push(Rc::clone(&text));
        self.numbers.insert(text, number);
        Some(number)
    }
}

/// The labels of every leaf, finest first.
#[derive(Debug)]
pub(super) struct Grid {
    words: Words,
    width: usize,
    /// The last level.
    top: u8,
    cells: Vec<u32>,
}

/// The rows of each text at a level.
#[derive(Debug)]
pub(super) struct RowsOf {
    /// Where the rows of each text end.
    ends: Vec<usize>,
    rows: Vec<u32>,
}

impl RowsOf {
    /// The rows of a text, ascending.
    pub(super) fn text(&self, number: usize) -> &[u32] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[number]]
    }
}

/// A label with two parents.
#[derive(Debug)]
pub(super) struct TwoParents {
    pub(super) level: usize,
    pub(super) label: Rc<str>,
    /// The first row that has it, and its parent there.
    pub(super) first: (usize, Rc<str>),
    /// A row that has it under another.
    pub(super) second: (usize, Rc<str>),
}

impl Grid {
    /// How many levels there may be.
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

    /// Adds a row; it must have as many labels as there are levels.
    pub(super) fn push<'a>(&mut self, labels: impl IntoIterator<Item = &'a str>) -> Result<(), String> {
        let before = self.cells.len();
        for label in labels {
            let number = self.words.number(label).ok_or("it has too many labels")?;
            self.cells.push(number);
        }
        debug_assert_eq!(self.cells.len() - before, self.width, "a label for every level");
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

    pub(super) fn text(&self, number: u32) -> &Rc<str> {
        &self.words.texts[number as usize]
    }

    /// The texts by their numbers.
    pub(super) fn texts(&self) -> &[Rc<str>] {
        &self.words.texts
    }

    pub(super) fn label(&self, row: usize, level: usize) -> &Rc<str> {
        self.text(self.cell(row, level))
    }

    /// The number of a text that stands somewhere.
    pub(super) fn find(&self, text: &str) -> Option<u32> {
        self.words.numbers.get(text).copied()
    }

    /// Of each text, the rows that have it at a level.
    pub(super) fn rows_of(&self, level: usize) -> RowsOf {
        let own = || self.cells.iter().skip(level).step_by(self.width).map(|&number| number as usize);
        let mut ends = vec![0; self.words.texts.len()];
        own().for_each(|number| ends[number] += 1);
        let mut before = 0;
        for end in &mut ends {
            before += std::mem::replace(end, before);
        }
        let mut rows = vec![0; self.height()];
        for (row, number) in (0..).zip(own()) {
            rows[ends[number]] = row;
            ends[number] += 1;
        }
        RowsOf { ends, rows }
    }

    /// Of each text, the first row that has it at a level.
    pub(super) fn first_rows(&self, level: usize) -> Vec<Option<u32>> {
        let mut first = vec![None; self.words.texts.len()];
        for (row, number) in (0_u32..).zip(self.cells.iter().skip(level).step_by(self.width)) {
            first[*number as usize].get_or_insert(row);
        }
        first
    }

    /// Puts `*` on top where the last level has several labels.
    pub(super) fn crown(self) -> Result<Self, String> {
        let top = self.width - 1;
        if (1..self.height()).all(|row| self.cell(row, top) == self.cell(0, top)) {
            return Ok(self);
        }
        self.raise()
    }

    /// Puts `*` on top.
    pub(super) fn raise(mut self) -> Result<Self, String> {
        let raised = Self::new(self.width + 1)?;
        let star = self.words.number("*").ok_or("it has too many labels")?;
        let rows = self.cells.chunks(self.width);
        let cells = rows.flat_map(|row| row.iter().copied().chain([star])).collect();
        Ok(Self { words: self.words, cells, ..raised })
    }

    /// Some of its rows, from a level on.
    pub(super) fn part(&self, rows: impl Iterator<Item = usize>, base: usize) -> Result<Self, String> {
        let mut part = Self::new(self.width - base)?;
        let mut known = vec![None; self.words.texts.len()];
        for row in rows {
            for &number in &self.cells[row * self.width + base..(row + 1) * self.width] {
                let number = match &mut known[number as usize] {
                    Some(known) => *known,
                    new => {
                        let added = part.words.add(Rc::clone(self.text(number)));
                        *new.insert(added.ok_or("it has too many labels")?)
                    }
                };
                part.cells.push(number);
            }
        }
        Ok(part)
    }

    /// The first label, from the finest level up, whose rows have different labels above it.
    pub(super) fn two_parents(&self) -> Option<TwoParents> {
        for level in 0..self.width - 1 {
            let first = self.first_rows(level);
            for row in 0..self.height() {
                let label = self.cell(row, level);
                let known = first[label as usize].map_or(row, |row| row as usize);
                if self.cell(known, level + 1) != self.cell(row, level + 1) {
                    let parent = |row| (row, Rc::clone(self.label(row, level + 1)));
                    let label = Rc::clone(self.text(label));
                    return Some(TwoParents { level, label, first: parent(known), second: parent(row) });
                }
            }
        }
        None
    }

    /// Each text must denote the same rows wherever it stands, and none may read as a range or a set of a release.
    /// `lowest` is the number of the first level, for messages.
    pub(super) fn check_meanings(&self, lowest: u8) -> Result<(), String> {
        for text in &self.words.texts {
            check_plain(text)?;
        }
        // Only a text of several levels can mean several things.
        let mut first: Vec<Option<usize>> = vec![None; self.words.texts.len()];
        let mut is_of_several = false;
        for row in self.cells.chunks(self.width) {
            for (level, &number) in row.iter().enumerate() {
                let first = first[number as usize].get_or_insert(level);
                is_of_several |= *first != level;
                *first = level.min(*first);
            }
        }
        if !is_of_several {
            return Ok(());
        }
        let levels: Vec<RowsOf> = (0..self.width).map(|level| self.rows_of(level)).collect();
        for (level, rows_of) in levels.iter().enumerate() {
            for (text, first) in first.iter().enumerate() {
                let Some(first) = first.filter(|first| *first < level) else { continue };
                let rows = rows_of.text(text);
                if !rows.is_empty() && rows != levels[first].text(text) {
                    let number = |level: usize| level + usize::from(lowest);
                    return Err(format!(
                        "`{}` means one set of values at level {} and another at level {}; rename one of them",
                        self.words.texts[text],
                        number(first),
                        number(level)
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Refuses a label that a release would show as a range `[low, high]` or a set `{a, b}`.
pub(super) fn check_plain(label: &str) -> Result<(), String> {
    for (open, close, what) in [('[', ']', "range"), ('{', '}', "set")] {
        if label.starts_with(open) && label.ends_with(close) {
            return Err(format!("`{label}` reads as a {what} of values; rename it"));
        }
    }
    Ok(())
}
