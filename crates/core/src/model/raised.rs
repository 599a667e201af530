//! A problem at the finest levels that may be published: combinations that no release tells apart are one.

use rustc_hash::FxHashMap;

use super::class::Recoding;
use super::hierarchy::Code;
use super::partition::Partition;
use super::presence::Counts;
use super::problem::{Problem, QuasiIdentifier};
use super::size;

/// A problem whose hierarchies begin at the finest levels that may be published, and where its combinations come from.
///
/// A leaf of it is a label of the other problem, and counts in losses as all the leaves that this denotes. Levels keep their
/// numbers, so a node of the one is a node of the other.
#[derive(Clone, Debug)]
pub struct Raised {
    /// The problem. It has no prior, at which no search looks.
    pub problem: Problem,
    /// Of each combination of the other problem, the one that it is part of.
    combination_of: Vec<u32>,
}

impl Raised {
    /// A problem at its finest levels; O(combinations · quasi-identifiers).
    pub fn of(problem: &Problem) -> Self {
        let histogram = problem.histogram();
        let width = problem.quasi().len();
        let labels: Vec<&[u32]> =
            (0..width).map(|column| problem.hierarchy(column).labels_of(problem.finest(column))).collect();
        let mut known: FxHashMap<Vec<Code>, u32> = FxHashMap::default();
        let mut combination_of = Vec::with_capacity(histogram.len());
        let (mut columns, mut counts): (Vec<Vec<Code>>, Vec<Counts>) = (vec![Vec::new(); width], Vec::new());
        for (place, &people) in histogram.counts().iter().enumerate() {
            let codes = (0..width).map(|column| labels[column][histogram.column(column)[place] as usize]);
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
            hierarchy: quasi.hierarchy.raised(problem.finest(column)),
        };
        let quasi: Vec<QuasiIdentifier> = problem.quasi().iter().enumerate().map(raise).collect();
        // The histogram puts its combinations in an order of its own.
        let raised = problem.with_combinations(quasi, columns.clone(), counts);
        let place = |number: u32| {
            let codes: Vec<Code> = columns.iter().map(|column| column[number as usize]).collect();
            size::number(raised.histogram().find(&codes).unwrap_or_default())
        };
        let place_of: Vec<u32> = (0..size::number(known.len())).map(place).collect();
        for number in &mut combination_of {
            *number = place_of[*number as usize];
        }
        let raised = match problem.sensitive() {
            Some(values) => raised.with_sensitive(values.merged(|place| combination_of[place as usize])),
            None => raised,
        };
        Self { problem: raised, combination_of }
    }

    /// Of each combination of the raised problem, those of the other that are part of it.
    pub fn parts(&self) -> Vec<Vec<u32>> {
        let mut parts = vec![Vec::new(); self.problem.histogram().len()];
        (0..).zip(&self.combination_of).for_each(|(place, &whole)| parts[whole as usize].push(place));
        parts
    }

    /// A recoding of the raised problem as one of the other.
    pub fn lower(&self, problem: &Problem, recoding: Recoding) -> Recoding {
        match recoding {
            Recoding::Node(_) | Recoding::Withdrawn(_) => recoding,
            Recoding::Regions(partition) => Recoding::Regions(self.lower_partition(problem, &partition)),
        }
    }

    /// The same of a partition.
    pub fn lower_partition(&self, problem: &Problem, partition: &Partition) -> Partition {
        let region_of = |&combination: &u32| partition.region_of()[combination as usize];
        Partition::new(problem, self.combination_of.iter().map(region_of).collect(), partition.len())
    }

    /// A partition of the other problem, whose regions are of whole labels, as one of the raised problem.
    pub fn raise_partition(&self, partition: &Partition) -> Partition {
        let mut region_of = vec![0; self.problem.histogram().len()];
        for (&combination, &region) in self.combination_of.iter().zip(partition.region_of()) {
            region_of[combination as usize] = region;
        }
        Partition::new(&self.problem, region_of, partition.len())
    }
}
