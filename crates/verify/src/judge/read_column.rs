//! Reads the texts of a quasi-identifier in a release.

use rayon::prelude::*;
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
    /// Reads the texts of the classes in an attribute on all cores, each with its first line, and with the leaves that occur in
    /// P. After a stop, it is incomplete.
    pub(super) fn of<'a>(
        list: impl Iterator<Item = (u64, &'a str)>,
        people: &People,
        attribute: usize,
        occurs: &[bool],
        stop: &Stop,
    ) -> Self {
        let quasi = &people.quasi[attribute];
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        let mut numbers = Vec::new();
        // Each distinct text with its first line.
        let mut distinct: Vec<(&str, u64)> = Vec::new();
        for (line, text) in list {
            numbers.push(*known.entry(text).or_insert_with(|| {
                distinct.push((text, line));
                u32::try_from(distinct.len() - 1).expect("a release has fewer rows than 32 bits can number")
            }));
        }
        let reader = TextReader::new(&quasi.hierarchy, quasi.limits, occurs);
        let limits = quasi.limits.checker(&quasi.hierarchy, occurs);
        let column = people.quasi_column(attribute);
        // The leaves of a text, and what is wrong with it.
        let read_text = |&(text, line): &(&str, u64)| {
            let cell = Cell { line, column: &column, text };
            if stop.is_wanted() {
                return (None, None);
            }
            match reader.read(text) {
                Ok(denoted) => {
                    let broken = limits.broken(text, &denoted);
                    (Some(denoted.leaves), broken.map(|expected| Finding::beyond_limits(cell, &expected)))
                }
                Err(expected) => {
                    let problem = format!("unreadable text: {expected}");
                    (None, Some(Finding::in_cell(FindingKind::Unreadable, cell, problem)))
                }
            }
        };
        let (leaves, found): (Vec<Option<Leaves>>, Vec<Option<Finding>>) =
            distinct.par_iter().map(read_text).unzip();
        let problems: Vec<Finding> = found.into_iter().flatten().collect();
        let beyond = |problem: &&Finding| problem.kind == FindingKind::BeyondLimits;
        let beyond_limits = problems.iter().filter(beyond).count() as u64;
        let mut read = Self { numbers, leaves, problems, beyond_limits };
        let texts: Vec<&str> = distinct.iter().map(|(text, _)| *text).collect();
        for (text, expected) in limits.finer_than_borders(&texts) {
            let (text, line) = distinct[text];
            read.problems.push(Finding::beyond_limits(Cell { line, column: &column, text }, &expected));
            read.beyond_limits += 1;
        }
        read
    }
}
