//! The values that a published text means: one by one, or as ranges of numbers and dates.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::CodedText;
use super::form::TextForm;
use palmtop_core::model::description::member;
use palmtop_core::model::{Code, Hierarchy, Problem};
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

impl CodedText {
    /// Explains a text of a quasi-identifier. `codes` are its values in ascending order; `people` has
    /// the people of P of each value.
    pub(super) fn of(
        problem: &Problem,
        attribute: usize,
        (text, codes): (&str, &[Code]),
        people: &[u64],
    ) -> Self {
        let hierarchy = problem.hierarchy(attribute);
        let is_ordered = hierarchy.kind().is_ordered();
        let leaf = |code: Code| hierarchy.leaf(code).to_owned();
        let (mut values, mut ranges) = (Vec::new(), Vec::new());
        if is_ordered {
            for run in runs(hierarchy, codes, people) {
                match run {
                    (low, high) if low == high => values.push(leaf(low)),
                    (low, high) => ranges.push(ValueRange { low: leaf(low), high: leaf(high) }),
                }
            }
        } else {
            values.extend(codes.iter().map(|&code| leaf(code)));
        }
        let form = TextForm::of(hierarchy, text);
        let borders = ends(hierarchy, text).filter(|ends| {
            let is_value = |end: &str| codes.iter().any(|&code| hierarchy.leaf(code) == end);
            is_ordered && form != TextForm::Label && !(is_value(&ends.low) && is_value(&ends.high))
        });
        // P's own labels are no borders: `[[5, 10), [10, 20)]`, or `{unknown, [20, 25)}`.
        let borders = borders.filter(|_| problem.borders(attribute).is_some());
        let mut known = codes.iter().copied().filter(|&code| is_ordered && hierarchy.missing() != Some(code));
        Self {
            text: text.to_owned(),
            form,
            count: codes.len() as u64,
            values,
            ranges,
            low: known.clone().next().map(leaf),
            high: known.next_back().map(leaf),
            borders,
            people: codes.iter().map(|&code| people[code as usize]).sum(),
        }
    }

    /// The borders in words: `20 to 34`, or `0 to below 30` if the last one does not belong to the text.
    pub fn border_words(&self) -> Option<String> {
        let ValueRange { low, high } = self.borders.as_ref()?;
        let below = if self.text.trim_end_matches('}').ends_with(']') { "" } else { "below " };
        Some(format!("{} to {below}{}", member(low), member(high)))
    }

    /// The values as the members of a set, each range as `low to high`: `unknown, 18 to 29`.
    pub fn members(&self) -> String {
        let values = self.values.iter().map(|value| member(value));
        let ranges = self.ranges.iter().map(ToString::to_string);
        values.chain(ranges).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for ValueRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", member(&self.low), member(&self.high))
    }
}

/// The runs of values without another value of P between them, as their first and last value. The
/// missing value is a run by itself.
fn runs(hierarchy: &Hierarchy, codes: &[Code], people: &[u64]) -> Vec<(Code, Code)> {
    let mut runs: Vec<(Code, Code)> = Vec::new();
    for &code in codes {
        let continues = |&(low, high): &(Code, Code)| {
            let is_between = |between: Code| people[between as usize] == 0;
            hierarchy.missing() != Some(low) && (high + 1..code).all(is_between)
        };
        match runs.last_mut() {
            Some(last) if continues(last) => last.1 = code,
            _ => runs.push((code, code)),
        }
    }
    runs
}

/// The ends of a range as the text has them, also of a range in a set with the missing value alone.
fn ends(hierarchy: &Hierarchy, text: &str) -> Option<ValueRange> {
    let range = match text.strip_prefix('{').and_then(|text| text.strip_suffix('}')) {
        Some(members) => {
            let rest = members.strip_prefix(&member(hierarchy.leaf(hierarchy.missing()?)))?;
            rest.strip_prefix(", ").filter(|rest| rest.matches(", ").count() == 1)?
        }
        None => text,
    };
    let inside = range.strip_prefix('[')?.strip_suffix([']', ')', '['])?;
    let (low, high) = inside.split_once(", ")?;
    // A label may look like a range.
    if hierarchy.levels().any(|level| hierarchy.labels(level).iter().any(|label| label == range)) {
        return None;
    }
    Some(ValueRange { low: low.to_owned(), high: high.to_owned() })
}
