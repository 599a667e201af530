//! Lists of values and labels: one by one, or as ranges of numbers and dates.

use std::fmt;

use serde::{Deserialize, Serialize};

use palmtop_core::model::description::member;
use palmtop_core::model::{Code, Hierarchy, Kind};
use palmtop_project::keys;

keys! {
/// The ends of a range of values, both included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueRange {
    /// The lowest value.
    pub low: String,
    /// The highest value.
    pub high: String,
}
}

impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", name(&self.low), name(&self.high))
    }
}

/// A value or a label in a list: itself, or a JSON string if it could be misread, as by a comma or as a range `low to high`.
pub(super) fn name(text: &str) -> String {
    if text.contains(" to ") { serde_json::Value::from(text).to_string() } else { member(text) }
}

/// Values and ranges as a list: `unknown, 18 to 29`.
pub(super) fn list(names: &[String], ranges: &[ValueRange]) -> String {
    let names = names.iter().map(|text| name(text));
    names.chain(ranges.iter().map(ToString::to_string)).collect::<Vec<_>>().join(", ")
}

/// The runs of values of P that a reader can decode as a range, as their first and last value. No other value of P is between the
/// ends, in the order of numbers or of dates. Every other value is a run by itself, and so are all if `ascends` is false.
pub(super) fn runs(
    hierarchy: &Hierarchy,
    codes: &[Code],
    (people, ascends): (&[u64], bool),
) -> Vec<(Code, Code)> {
    let mut runs: Vec<(Code, Code)> = Vec::new();
    for &code in codes {
        let continues = |&(_, high): &(Code, Code)| {
            let is_between = |between: Code| people[between as usize] == 0;
            let is_next = (high + 1..code).all(is_between) && hierarchy.missing() != Some(high);
            is_next && ascends && are_alike(hierarchy.kind(), hierarchy.leaf(high), hierarchy.leaf(code))
        };
        match runs.last_mut() {
            Some(last) if continues(last) => last.1 = code,
            _ => runs.push((code, code)),
        }
    }
    runs
}

/// Whether the values of P that can be ends of a range ascend in the order of the hierarchy.
pub(super) fn ascends(hierarchy: &Hierarchy, people: &[u64]) -> bool {
    let occurring =
        (0..).zip(people).filter(|(_, people)| **people > 0).map(|(code, _)| hierarchy.leaf(code));
    match hierarchy.kind() {
        Kind::Category => false,
        Kind::Number => occurring.filter_map(number).is_sorted_by(|one, next| one < next),
        Kind::Date => {
            let mut dates: Vec<(String, &str)> = occurring.map(|leaf| (shape(leaf), leaf)).collect();
            // Stable: within a shape, the order remains that of the hierarchy.
            dates.sort_by(|(one, _), (next, _)| one.cmp(next));
            dates.is_sorted_by(|one, next| one.0 != next.0 || one.1 < next.1)
        }
    }
}

/// Whether two values are numbers, or dates of one form.
fn are_alike(kind: Kind, one: &str, other: &str) -> bool {
    match kind {
        Kind::Category => false,
        Kind::Number => number(one).is_some() && number(other).is_some(),
        Kind::Date => one.starts_with(|first: char| first.is_ascii_digit()) && shape(one) == shape(other),
    }
}

/// A decimal number; `None` for a band, or a text.
fn number(text: &str) -> Option<f64> {
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"-.".contains(&byte));
    text.parse().ok().filter(|_| is_decimal)
}

/// A date with `0` for each digit. Dates of one shape ascend as their texts do.
fn shape(date: &str) -> String {
    date.chars().map(|character| if character.is_ascii_digit() { '0' } else { character }).collect()
}
