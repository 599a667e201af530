//! T as utility measures it: its rows by combination, with their sensitive values. If each row is a
//! person, the rows are the members.

use super::attribute::MeasuredAttribute;
use palmtop_core::model::{Code, Problem, SensitiveValues, ValueCounts};

/// T by combination, over the values that occur in P.
#[derive(Clone, Debug, PartialEq)]
pub struct OriginalTable {
    /// The quasi-identifiers in project order, then the sensitive attributes.
    attributes: Vec<MeasuredAttribute>,
    /// The number of quasi-identifiers.
    width: usize,
    /// For each quasi-identifier and leaf, the number of occurring leaves before it, which is its
    /// index among the values. One more entry has the number of all occurring leaves.
    value_indices: Vec<Vec<u32>>,
    /// The index of the value of each combination with rows of T, for each quasi-identifier.
    columns: Vec<Vec<u32>>,
    /// The rows of T with each combination.
    rows_of: Vec<u64>,
    /// The values of each combination's rows, for each sensitive attribute.
    sensitive: Vec<SparseCounts>,
    /// The rows of T.
    rows: u64,
    /// The members of T, in people.
    members: u64,
    /// Whether a person may have several rows.
    has_people: bool,
}

/// Lists of counts of values, one list after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SparseCounts {
    /// The end of each list in `values`.
    ends: Vec<usize>,
    values: Vec<(u32, u64)>,
}

impl SparseCounts {
    pub(super) fn push(&mut self, values: impl IntoIterator<Item = (u32, u64)>) {
        self.values.extend(values);
        self.ends.push(self.values.len());
    }

    pub(super) fn of(&self, thing: usize) -> &[(u32, u64)] {
        let begin = if thing == 0 { 0 } else { self.ends[thing - 1] };
        &self.values[begin..self.ends[thing]]
    }

    pub(super) fn all(&self) -> &[(u32, u64)] {
        &self.values
    }
}

impl OriginalTable {
    /// T of a problem, with the sensitive values of its rows. Takes O(combinations and leaves).
    ///
    /// If people have several rows, `values` must be of rows, not of people: by combination of the
    /// histogram.
    ///
    /// The table has no sensitive attributes if `values` has no columns.
    pub fn of(problem: &Problem, values: &SensitiveValues) -> Self {
        let histogram = problem.histogram();
        let width = histogram.width();
        let with_members: Vec<u32> = (0..)
            .zip(histogram.counts())
            .filter(|(_, people)| people.private > 0)
            .map(|(index, _)| index)
            .collect();
        let rows_of: Vec<u64> =
            with_members.iter().map(|&index| histogram.counts()[index as usize].private).collect();
        let (mut attributes, mut value_indices, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for attribute in 0..width {
            let leaves = problem.leaf_counts(attribute);
            let occurring: Vec<Code> =
                (0..).zip(leaves).filter(|(_, people)| people.public > 0).map(|(code, _)| code).collect();
            let members: Vec<u64> = occurring.iter().map(|&code| leaves[code as usize].private).collect();
            attributes.push(MeasuredAttribute::quasi(problem, attribute, &occurring, &members));
            let mut before = vec![0; leaves.len() + 1];
            for (code, people) in leaves.iter().enumerate() {
                before[code + 1] = before[code] + u32::from(people.public > 0);
            }
            let codes = histogram.column(attribute);
            columns.push(
                with_members
                    .iter()
                    .map(|&combination| before[codes[combination as usize] as usize])
                    .collect(),
            );
            value_indices.push(before);
        }
        attributes.extend(values.columns().iter().map(MeasuredAttribute::sensitive));
        let known = values.by_class(|_, combination| combination);
        let sensitive = (0..values.columns().len()).map(|column| {
            let mut counts = SparseCounts::default();
            for combination in &with_members {
                let values = known.get(combination).map(|values| &values.counts()[column]);
                counts.push(values.into_iter().flat_map(ValueCounts::iter));
            }
            counts
        });
        Self {
            attributes,
            width,
            value_indices,
            columns,
            sensitive: sensitive.collect(),
            rows: rows_of.iter().sum(),
            rows_of,
            members: problem.total().private,
            has_people: problem.people().is_some(),
        }
    }

    /// The attributes: the quasi-identifiers in project order, then the sensitive ones.
    pub fn attributes(&self) -> &[MeasuredAttribute] {
        &self.attributes
    }

    /// The number of quasi-identifiers.
    pub fn width(&self) -> usize {
        self.width
    }

    /// The number of rows of T.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The number of members of T, in people. If a person has several rows, T has more rows.
    pub fn members(&self) -> u64 {
        self.members
    }

    /// What every count but [`members`](Self::members) counts: `rows` if people have several, else
    /// `members`, because each row is one.
    pub fn counted(&self) -> &'static str {
        if self.has_people { "rows" } else { "members" }
    }

    /// The number of combinations with rows of T.
    pub(super) fn combinations(&self) -> usize {
        self.rows_of.len()
    }

    /// The number of rows of each combination that has rows.
    pub(super) fn rows_of(&self) -> &[u64] {
        &self.rows_of
    }

    /// The index of each combination's value of a quasi-identifier.
    pub(super) fn column(&self, attribute: usize) -> &[u32] {
        &self.columns[attribute]
    }

    /// The values of each combination. `nth` counts the sensitive attributes from 0.
    pub(super) fn sensitive(&self, nth: usize) -> &SparseCounts {
        &self.sensitive[nth]
    }

    /// The index of a leaf among the values of a quasi-identifier. If the leaf does not occur in P,
    /// it is the index of the next leaf that occurs.
    pub(super) fn value_index(&self, attribute: usize, code: Code) -> u32 {
        self.value_indices[attribute][code as usize]
    }

    /// The index of the first value after a leaf.
    pub(super) fn index_after(&self, attribute: usize, code: Code) -> u32 {
        self.value_indices[attribute][code as usize + 1]
    }

    /// The number of rows of T with each value of an attribute.
    pub(super) fn rows_by_value(&self, attribute: usize) -> Vec<u64> {
        let mut rows = vec![0; self.attributes[attribute].values.len()];
        match attribute.checked_sub(self.width) {
            None => {
                for (&value, &count) in self.columns[attribute].iter().zip(&self.rows_of) {
                    rows[value as usize] += count;
                }
            }
            Some(nth) => {
                for &(value, count) in self.sensitive[nth].all() {
                    rows[value as usize] += count;
                }
            }
        }
        rows
    }
}
