//! Values of T for an analyst who asks for them. They are shown, but never written or logged.

use std::cmp::Reverse;

use crate::sources::named::Sources;
use crate::{Column, Private, ProposedAttribute};

/// The number of shown values.
const SHOWN: usize = 3;

impl Sources {
    /// Three values of an attribute in T: the most frequent, then those of the first rows. A missing value is shown only if there are no
    /// others. If T is a part of P, the values are from P's column.
    pub fn examples(&self, attribute: &ProposedAttribute) -> Vec<&str> {
        self.frequent(attribute).into_iter().map(|(text, _)| text).collect()
    }

    /// The same values, each with its number of rows.
    pub fn frequent(&self, attribute: &ProposedAttribute) -> Vec<(&str, u64)> {
        let survey = match self.people() {
            Private::Table(private) => private,
            Private::Member(_) => self.public(),
        };
        survey.column(&attribute.name).map(most_frequent).unwrap_or_default()
    }

    /// Three values of a column of P, each with its number of rows.
    pub fn frequent_in_public(&self, column: &str) -> Vec<(&str, u64)> {
        self.public().column(column).map(most_frequent).unwrap_or_default()
    }
}

fn most_frequent(column: &Column) -> Vec<(&str, u64)> {
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
    best.into_iter().map(|(_, rows, _, text)| (text, rows.0)).collect()
}
