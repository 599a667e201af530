//! A problem at the finest permitted levels. Combinations that no release distinguishes are merged.

use rustc_hash::FxHashMap;

use super::class::Recoding;
use super::hierarchy::Code;
use super::partition::Partition;
use super::presence::Counts;
use super::problem::Problem;
use super::size;
use super::tables::QuasiIdentifier;

/// A problem whose hierarchies begin at the finest permitted levels, with the origin of its
/// combinations.
///
/// A leaf of the raised problem is a label of the original, and counts in losses as all leaves of
/// that label. Levels keep their numbers, so both problems have the same nodes.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The raised problem.
    pub problem: Problem,
    /// For each combination of the original problem, the raised combination that contains it.
    combination_of: Vec<u32>,
}

impl Raised {
    /// Raises a problem to the finest levels that regions may publish. O(combinations · quasi-identifiers).
    pub fn of(problem: &Problem) -> Self {
        let histogram = problem.histogram();
        let width = problem.quasi().len();
        let labels: Vec<&[u32]> = (0..width)
            .map(|column| problem.hierarchy(column).labels_of(problem.region_floor(column)))
            .collect();
        let mut known: FxHashMap<Vec<Code>, u32> = FxHashMap::default();
        let mut combination_of = Vec::with_capacity(histogram.len());
        let (mut columns, mut counts): (Vec<Vec<Code>>, Vec<Counts>) = (vec![Vec::new(); width], Vec::new());
        for (index, &people) in histogram.counts().iter().enumerate() {
            let codes = (0..width).map(|column| labels[column][histogram.column(column)[index] as usize]);
            let codes: Vec<Code> = codes.collect();
            let next = size::number(counts.len());
            let number = *known.entry(codes).or_insert_with_key(|codes| {
                columns.iter_mut().zip(codes).for_each(|(column, &code)| column.push(code));
                counts.push(Counts::default());
                next
            });
            counts[number as usize] += people;
            combination_of.push(number);
        }
        let raise = |(column, quasi): (usize, &QuasiIdentifier)| QuasiIdentifier {
            name: quasi.name.clone(),
            hierarchy: quasi.hierarchy.raised(problem.region_floor(column)),
        };
        let quasi: Vec<QuasiIdentifier> = problem.quasi().iter().enumerate().map(raise).collect();
        // The histogram sorts its combinations.
        let raised = problem.with_combinations(quasi, columns.clone(), counts);
        let index_in_order = |number: u32| {
            let codes: Vec<Code> = columns.iter().map(|column| column[number as usize]).collect();
            size::number(raised.histogram().find(&codes).unwrap_or_default())
        };
        let index_of: Vec<u32> = (0..size::number(known.len())).map(index_in_order).collect();
        for number in &mut combination_of {
            *number = index_of[*number as usize];
        }
        let raised = match problem.sensitive() {
            Some(values) => {
                raised.with_sensitive(values.merged(|combination| combination_of[combination as usize]))
            }
            None => raised,
        };
        let belief = problem.belief().merged(&combination_of, raised.histogram().len());
        Self { problem: raised.with_belief(belief), combination_of }
    }

    /// For each combination of the raised problem, the original combinations that it contains.
    pub fn parts(&self) -> Vec<Vec<u32>> {
        let mut parts = vec![Vec::new(); self.problem.histogram().len()];
        (0..)
            .zip(&self.combination_of)
            .for_each(|(combination, &raised)| parts[raised as usize].push(combination));
        parts
    }

    /// Converts a recoding of the raised problem to one of the original.
    pub fn lower(&self, problem: &Problem, recoding: Recoding) -> Recoding {
        match recoding {
            Recoding::Node(_) | Recoding::Withdrawn(_) => recoding,
            Recoding::Regions(partition) => Recoding::Regions(self.lower_partition(problem, &partition)),
        }
    }

    /// Converts a partition of the raised problem to one of the original.
    pub fn lower_partition(&self, problem: &Problem, partition: &Partition) -> Partition {
        let region_of = |&combination: &u32| partition.region_of()[combination as usize];
        let lowered =
            Partition::new(problem, self.combination_of.iter().map(region_of).collect(), partition.len());
        // A limited quasi-identifier keeps its values, and so its sides.
        let limited = (0..problem.quasi().len()).filter(|&attribute| problem.terms(attribute).is_some());
        lowered.with_columns_of(partition, limited)
    }

    /// Converts a partition of the original problem to one of the raised problem. Its regions must
    /// consist of complete labels.
    pub fn raise_partition(&self, partition: &Partition) -> Partition {
        let mut region_of = vec![0; self.problem.histogram().len()];
        for (&combination, &region) in self.combination_of.iter().zip(partition.region_of()) {
            region_of[combination as usize] = region;
        }
        let raised = Partition::new(&self.problem, region_of, partition.len());
        let limited =
            (0..self.problem.quasi().len()).filter(|&attribute| self.problem.terms(attribute).is_some());
        raised.with_columns_of(partition, limited)
    }
}
