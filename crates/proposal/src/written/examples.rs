//! Values of T for an analyst who asks for them. They are shown, but never written or logged.

use std::cmp::Reverse;

use crate::sources::named::Sources;
use crate::{Private, ProposedAttribute};

/// The number of shown values.
const SHOWN: usize = 3;

impl Sources {
    /// Three values of an attribute in T: the most frequent, then those of the first rows. A missing value is shown only if there are no
    /// others. If T is a part of P, the values are from P's column.
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
