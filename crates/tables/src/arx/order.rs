//! Groups of ordered values: an order-based builder of ARX.

use std::cmp::Ordering;
use std::collections::HashMap;

use rust_decimal::Decimal;

use super::label::{Distinct, Function};
use super::part::Groups;
use crate::hierarchies::plain_decimal;

/// An order-based builder.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) sorting: Sorting,
    pub(super) is_number: bool,
    /// The groups of each level. They repeat until all elements of the level below have a group.
    pub(super) levels: Vec<Groups>,
}

/// The order of the values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Sorting {
    /// As they come.
    AsGiven,
    /// By number, or as texts.
    ByValue,
    /// In the order of this list.
    Listed(Vec<String>),
}

impl Order {
    /// The values that the specification lists.
    pub(super) fn listed(&self) -> Option<&[String]> {
        match &self.sorting {
            Sorting::Listed(listed) => Some(listed),
            Sorting::AsGiven | Sorting::ByValue => None,
        }
    }

    /// The labels of each value, as ARX builds them.
    ///
    /// # Errors
    /// A value that has no place in the order.
    pub(super) fn rows(&self, values: &[String]) -> Result<Vec<Vec<String>>, String> {
        let values = self.sorted(values)?;
        let mut rows: Vec<Vec<String>> = values.iter().map(|value| vec![value.clone()]).collect();
        // The elements of the level below: the values from `start` to `end`.
        let mut elements: Vec<(usize, usize)> = (0..values.len()).map(|index| (index, index + 1)).collect();
        for groups in &self.levels {
            if elements.len() <= 1 {
                break;
            }
            let mut above = Vec::new();
            let mut distinct = Distinct::new();
            let mut next = 0;
            for (size, function) in groups.iter().cycle() {
                let last = (next + size).min(elements.len());
                let (start, end) = (elements[next].0, elements[last - 1].1);
                let label = distinct.label(self.label(function, &values[start..end])?, start);
                for row in &mut rows[start..end] {
                    row.push(label.clone());
                }
                above.push((start, end));
                next = last;
                if next == elements.len() {
                    break;
                }
            }
            elements = above;
        }
        Ok(rows)
    }

    fn sorted(&self, values: &[String]) -> Result<Vec<String>, String> {
        let mut values = values.to_vec();
        match &self.sorting {
            Sorting::AsGiven => {}
            Sorting::ByValue if self.is_number => {
                let numbers = values.into_iter().map(|value| Ok((number(&value)?, value)));
                let mut numbers = numbers.collect::<Result<Vec<_>, String>>()?;
                numbers.sort();
                values = numbers.into_iter().map(|(_, value)| value).collect();
            }
            Sorting::ByValue => values.sort_by(|one, other| compare_as_java(one, other)),
            Sorting::Listed(listed) => {
                let positions: HashMap<&String, usize> = listed.iter().zip(0..).collect();
                if let Some(other) = values.iter().find(|value| !positions.contains_key(value)) {
                    return Err(format!("the order of the specification does not have the value `{other}`"));
                }
                values.sort_by_key(|value| positions[value]);
            }
        }
        Ok(values)
    }

    fn label(&self, function: &Function, values: &[String]) -> Result<String, String> {
        let mut ends = (0, values.len() - 1);
        if *function == Function::Ends && self.is_number {
            let numbers = values.iter().map(|value| number(value)).collect::<Result<Vec<_>, _>>()?;
            let by_number = |index: &usize| numbers[*index];
            let indexes = 0..numbers.len();
            ends = (
                indexes.clone().min_by_key(by_number).unwrap_or(0),
                indexes.max_by_key(by_number).unwrap_or(0),
            );
        }
        Ok(function.of_values(values, ends))
    }
}

/// The order of Java's texts: by UTF-16 code units.
fn compare_as_java(one: &str, other: &str) -> Ordering {
    one.encode_utf16().cmp(other.encode_utf16())
}

fn number(value: &str) -> Result<Decimal, String> {
    plain_decimal(value).ok_or_else(|| format!("`{value}` is no plain number"))
}
