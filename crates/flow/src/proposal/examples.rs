//! Values of T for the eyes of the analyst who asks for them: they are shown, and never written or logged.

use std::cmp::Reverse;

use super::sources::Sources;
use super::{Private, ProposedAttribute};

/// So many values are shown.
const SHOWN: usize = 3;

impl Sources {
    /// Three values of an attribute in T, the most frequent first, then those of the first rows; blank ones only if there
    /// are no others. Where T is part of P, of P's column.
    pub fn examples(&self, attribute: &ProposedAttribute) -> Vec<&str> {
        let survey = match self.people() {
            Private::Table(private) => private,
            Private::Member(_) => self.public(),
        };
        let Some(column) = survey.column(&attribute.name) else { return Vec::new() };
        let mut best: Vec<(bool, Reverse<u64>, Option<u64>, &str)> = Vec::new();
        for (text, rows) in &column.texts {
            let first = rows.first.first().copied();
            let key = (text.trim().is_empty(), Reverse(rows.count), first, text.as_str());
            let position = best.partition_point(|known| *known < key);
            if position < SHOWN {
                best.insert(position, key);
                best.truncate(SHOWN);
            }
        }
        best.into_iter().map(|(.., text)| text).collect()
    }
}
