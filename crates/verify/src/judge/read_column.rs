//! Reads the texts of a quasi-identifier in a release.

use rustc_hash::FxHashMap;

use crate::labels::{Leaves, TextReader};
use crate::people::People;
use crate::problems::{Cell, Finding, FindingKind, Stop};

/// The texts of a quasi-identifier in a release.
pub(super) struct ReadColumn {
    /// The number of each class's text.
    pub(super) numbers: Vec<u32>,
    /// The leaves of each text; `None` if it cannot be read.
    pub(super) leaves: Vec<Option<Leaves>>,
    pub(super) problems: Vec<Finding>,
    pub(super) beyond_limits: u64,
}

impl ReadColumn {
    /// Reads the texts of the classes in an attribute, each with its first line, and with the leaves that occur in P. After a stop,
    /// it is incomplete.
    pub(super) fn of<'a>(
        list: impl Iterator<Item = (u64, &'a str)>,
        people: &People,
        attribute: usize,
        occurs: &[bool],
        stop: &Stop,
    ) -> Self {
        let quasi = &people.quasi[attribute];
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        let mut read =
            Self { numbers: Vec::new(), leaves: Vec::new(), problems: Vec::new(), beyond_limits: 0 };
        // Each distinct text with its first line.
        let mut distinct: Vec<(&str, u64)> = Vec::new();
        let reader = TextReader::new(&quasi.hierarchy, quasi.limits, occurs);
        let limits = quasi.limits.checker(&quasi.hierarchy, occurs);
        let column = people.quasi_column(attribute);
        for (line, text) in list {
            let cell = Cell { line, column: &column, text };
            let number = *known.entry(text).or_insert_with(|| {
                distinct.push((text, line));
                u32::try_from(distinct.len() - 1).expect("a release has fewer rows than 32 bits can number")
            });
            read.numbers.push(number);
            if (number as usize) < read.leaves.len() || stop.is_wanted() {
                continue;
            }
            match reader.read(text) {
                Ok(denoted) => {
                    if let Some(expected) = limits.broken(text, &denoted) {
                        read.problems.push(Finding::beyond_limits(cell, &expected));
                        read.beyond_limits += 1;
                    }
                    read.leaves.push(Some(denoted.leaves));
                }
                Err(expected) => {
                    let problem = format!("unreadable text: {expected}");
                    read.problems.push(Finding::in_cell(FindingKind::Unreadable, cell, problem));
                    read.leaves.push(None);
                }
            }
        }
        let texts: Vec<&str> = distinct.iter().map(|(text, _)| *text).collect();
        for (text, expected) in limits.finer_than_borders(&texts) {
            let (text, line) = distinct[text];
            read.problems.push(Finding::beyond_limits(Cell { line, column: &column, text }, &expected));
            read.beyond_limits += 1;
        }
        read
    }
}
