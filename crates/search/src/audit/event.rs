//! An event that must have occurred for a release: some cuts of a region were all rejected.

use super::super::tally::Judge;
use palmtop_core::model::{Code, Counts, Cuts, Problem, size};

/// Some combinations, and the cuts of them that were all rejected.
pub(super) struct Rejection {
    judge: Judge,
    pub(super) counts: Vec<Counts>,
    pub(super) total: Counts,
    columns: Vec<Column>,
}

/// A quasi-identifier with at least two values in the region.
///
/// A column that is cut between labels only has a single cut, into all labels directly below the
/// finest label around the region. Its values are then these labels.
struct Column {
    /// The value of each combination, as an index.
    value_of: Vec<u32>,
    /// The number of people with a value up to each value.
    below: Vec<u64>,
    /// Whether the cut after each value was rejected; a single entry for a cut between labels.
    is_rejected: Vec<bool>,
    /// Whether the column is cut between labels only.
    is_by_labels: bool,
}

/// A cut between two neighbouring values of a quasi-identifier, with its sizes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Between {
    pub(super) column: usize,
    /// The least value of the right half.
    pub(super) value: Code,
    /// The number of people on the left.
    pub(super) left: u64,
    /// The number of people on both sides.
    pub(super) people: u64,
    /// The number of values on the left.
    pub(super) values_left: usize,
    /// The number of values on both sides.
    pub(super) values: usize,
}

impl Rejection {
    /// The rejection of those cuts between neighbouring values that `was_rejected` selects.
    pub(super) fn of(problem: &Problem, region: &[u32], was_rejected: impl Fn(Between) -> bool) -> Self {
        let histogram = problem.histogram();
        let counts: Vec<Counts> =
            region.iter().map(|&combination| histogram.counts()[combination as usize]).collect();
        let total: Counts = counts.iter().copied().sum();
        let column = |column: usize| {
            let hierarchy = problem.hierarchy(column);
            let leaves = || region.iter().map(|&combination| histogram.column(column)[combination as usize]);
            let is_by_labels = problem.cuts(column) == Cuts::Labels;
            let parting = if is_by_labels { hierarchy.parting_level(leaves()) } else { None };
            let labels = hierarchy.labels_of(parting.unwrap_or(hierarchy.base()));
            let codes = || leaves().map(|code| labels[code as usize]);
            let mut values: Vec<Code> = codes().collect();
            values.sort_unstable();
            values.dedup();
            let value_of: Vec<u32> = codes()
                .map(|code| size::number(values.binary_search(&code).unwrap_or_else(|index| index)))
                .collect();
            let mut below = vec![0; values.len()];
            for (&value, counts) in value_of.iter().zip(&counts) {
                below[value as usize] += counts.public;
            }
            for value in 1..below.len() {
                below[value] += below[value - 1];
            }
            let between = |index: usize| Between {
                column,
                value: values[index + 1],
                left: below[index],
                people: total.public,
                values_left: index + 1,
                values: values.len(),
            };
            let is_rejected = match problem.cuts(column) {
                Cuts::Never => Vec::new(),
                Cuts::Values => (0..values.len() - 1).map(|index| was_rejected(between(index))).collect(),
                Cuts::Labels => parting.map(|_| was_rejected(between(0))).into_iter().collect(),
            };
            Column { value_of, below, is_rejected, is_by_labels }
        };
        let columns = (0..histogram.width()).map(column);
        let columns = columns.filter(|column| column.is_rejected.contains(&true)).collect();
        Self { judge: Judge::of(problem), counts, total, columns }
    }

    /// The rejection of every cut of a region.
    pub(super) fn of_every_cut(problem: &Problem, region: &[u32]) -> Self {
        Self::of(problem, region, |_| true)
    }

    /// Whether these members have the event. Each member is given as the index of its combination
    /// in the region.
    pub(super) fn happens(&self, members: &[u32], tally: &mut Vec<u64>) -> bool {
        self.columns.iter().all(|column| {
            tally.clear();
            tally.resize(column.below.len(), 0);
            for &member in members {
                tally[column.value_of[member as usize] as usize] += 1;
            }
            if column.is_by_labels {
                let people = column
                    .below
                    .iter()
                    .scan(0, |before, &below| Some(below - std::mem::replace(before, below)));
                let parts = people.zip(tally.iter());
                return !parts
                    .map(|(people, &members)| Counts::new(people, members))
                    .all(|part| self.judge.allows_counts(part));
            }
            let mut left = 0;
            column.is_rejected.iter().enumerate().all(|(value, &is_rejected)| {
                left += tally[value];
                let half = Counts::new(column.below[value], left);
                let rest = Counts::new(self.total.public - half.public, self.total.private - left);
                !(is_rejected && self.judge.allows_counts(half) && self.judge.allows_counts(rest))
            })
        })
    }

    /// The approximate number of steps of one check.
    pub(super) fn work(&self) -> u64 {
        let values: usize = self.columns.iter().map(|column| column.below.len()).sum();
        self.total.private * (self.columns.len() as u64 + 1) + values as u64
    }

    /// For each member, the index of its combination.
    pub(super) fn members(&self) -> Vec<u32> {
        self.each(|counts| counts.private)
    }

    /// For each person, the index of its combination.
    pub(super) fn people(&self) -> Vec<u32> {
        self.each(|counts| counts.public)
    }

    fn each(&self, people: impl Fn(&Counts) -> u64) -> Vec<u32> {
        let each = (0..).zip(&self.counts);
        each.flat_map(|(index, counts)| (0..people(counts)).map(move |_| index)).collect()
    }
}
