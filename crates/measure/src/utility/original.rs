//! T as utility measures it: the members of each combination, with their sensitive values.

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
    places: Vec<Vec<u32>>,
    /// The index of the value of each combination with members, for each quasi-identifier.
    columns: Vec<Vec<u32>>,
    /// The members of each combination.
    members: Vec<u64>,
    /// The values of each combination's members, for each sensitive attribute.
    sensitive: Vec<SparseCounts>,
    total: u64,
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
    /// T of a problem, with the sensitive values of its members. Takes O(combinations and leaves).
    ///
    /// The table has no sensitive attributes if `values` has no columns.
    pub fn of(problem: &Problem, values: &SensitiveValues) -> Self {
        let histogram = problem.histogram();
        let width = histogram.width();
        let with_members: Vec<u32> = (0..)
            .zip(histogram.counts())
            .filter(|(_, people)| people.private > 0)
            .map(|(place, _)| place)
            .collect();
        let members: Vec<u64> =
            with_members.iter().map(|&place| histogram.counts()[place as usize].private).collect();
        let (mut attributes, mut places, mut columns) = (Vec::new(), Vec::new(), Vec::new());
        for attribute in 0..width {
            let leaves = problem.leaf_counts(attribute);
            let occurring: Vec<Code> =
                (0..).zip(leaves).filter(|(_, people)| people.public > 0).map(|(code, _)| code).collect();
            let own: Vec<u64> = occurring.iter().map(|&code| leaves[code as usize].private).collect();
            attributes.push(MeasuredAttribute::quasi(problem, attribute, &occurring, &own));
            let mut before = vec![0; leaves.len() + 1];
            for (code, people) in leaves.iter().enumerate() {
                before[code + 1] = before[code] + u32::from(people.public > 0);
            }
            let codes = histogram.column(attribute);
            columns.push(with_members.iter().map(|&place| before[codes[place as usize] as usize]).collect());
            places.push(before);
        }
        attributes.extend(values.columns().iter().map(MeasuredAttribute::sensitive));
        let known = values.by_class(|_, combination| combination);
        let sensitive = (0..values.columns().len()).map(|column| {
            let mut counts = SparseCounts::default();
            for combination in &with_members {
                let own = known.get(combination).map(|values| &values.own()[column]);
                counts.push(own.into_iter().flat_map(ValueCounts::iter));
            }
            counts
        });
        Self {
            attributes,
            width,
            places,
            columns,
            sensitive: sensitive.collect(),
            total: members.iter().sum(),
            members,
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

    /// The number of members of T.
    pub fn members(&self) -> u64 {
        self.total
    }

    /// The number of combinations with members.
    pub(super) fn combinations(&self) -> usize {
        self.members.len()
    }

    /// The number of members of each combination that has members.
    pub(super) fn members_of(&self) -> &[u64] {
        &self.members
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
    pub(super) fn place(&self, attribute: usize, code: Code) -> u32 {
        self.places[attribute][code as usize]
    }

    /// The index of the first value after a leaf.
    pub(super) fn place_after(&self, attribute: usize, code: Code) -> u32 {
        self.places[attribute][code as usize + 1]
    }

    /// The number of members of T with each value of an attribute.
    pub(super) fn members_by_value(&self, attribute: usize) -> Vec<u64> {
        let mut members = vec![0; self.attributes[attribute].values.len()];
        match attribute.checked_sub(self.width) {
            None => {
                for (&value, &people) in self.columns[attribute].iter().zip(&self.members) {
                    members[value as usize] += people;
                }
            }
            Some(nth) => {
                for &(value, people) in self.sensitive[nth].all() {
                    members[value as usize] += people;
                }
            }
        }
        members
    }
}
