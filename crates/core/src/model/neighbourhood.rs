//! The neighbours of a node: how many classes each has, and how many of them break the policy.

use std::collections::BTreeMap;
use std::sync::Arc;

use rayon::prelude::*;

use super::hierarchy::{Hierarchy, Level};
use super::keys::SHARED;
use super::lattice::Node;
use super::node_classes::{NodeClasses, broken};
use super::numbering::{Digit, Numbering, bits_limit};
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::ranked_bits::RankedBits;
use super::rollup::{people_by_class, unite};
use super::sensitive::ClassValues;
use super::size;

/// The numbers of classes of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeTally {
    /// The number of all classes, with or without members.
    pub classes: usize,
    /// The number of classes that break the policy.
    pub broken: usize,
}

/// A node with known classes, from which its neighbours are counted.
///
/// A coarser neighbour is counted from the node's classes. A finer one is counted from the
/// combinations by two numbers: the combination's class, and its part of that class. The labels of
/// neighbours are not created.
#[derive(Debug)]
pub struct Neighbourhood<'a> {
    problem: &'a Problem,
    classes: NodeClasses,
    /// The class of each unit.
    class_of: Vec<u32>,
    buffers: Buffers,
}

impl<'a> Neighbourhood<'a> {
    /// Counts the classes of a node.
    pub fn of(problem: &'a Problem, node: &Node) -> Self {
        let (classes, class_of) = NodeClasses::with_class_of(problem, node);
        Self { problem, classes, class_of, buffers: Buffers::default() }
    }

    /// The numbers of classes of the node.
    pub fn here(&self) -> NodeTally {
        self.classes.tally(self.problem.policy())
    }

    /// The numbers of classes of another node. Nodes that are not neighbours take longer.
    pub fn tally(&mut self, node: &Node) -> NodeTally {
        let (problem, classes) = (self.problem, &self.classes);
        if problem.people().is_some() {
            NodeClasses::of(problem, node).tally(problem.policy())
        } else if node.generalizes(classes.node()) {
            let above = classes.labels_above(problem, node);
            let span =
                self.buffers.numbering.pack(classes.len(), classes.digits_above(problem, node, &above));
            let values = |class_of: &[u32]| classes.values_above(class_of);
            self.buffers.tally(span, classes.counts(), problem.policy(), values)
        } else if classes.node().generalizes(node) {
            let levels = classes.node().levels().iter().zip(node.levels()).enumerate();
            let finer = levels.filter(|(_, (from, to))| from != to);
            let parts: Vec<(usize, Parts)> = finer
                .map(|(attribute, (&from, &to))| {
                    (attribute, Parts::of(problem.hierarchy(attribute), from, to))
                })
                .collect();
            let class = Digit { radix: classes.len() as u64, codes: &self.class_of, labels: None };
            let digits = parts.iter().map(|(attribute, parts)| {
                let codes = problem.histogram().column(*attribute);
                Digit { radix: parts.most, codes, labels: Some(&parts.part_of) }
            });
            let digits: Vec<Digit> = std::iter::once(class).chain(digits).collect();
            let span = self.buffers.numbering.pack(self.class_of.len(), digits.into_iter());
            let values = |class_of: &[u32]| match problem.sensitive() {
                Some(values) => values.by_class(|_, combination| class_of[combination as usize]),
                None => BTreeMap::new(),
            };
            self.buffers.tally(span, problem.histogram().counts(), problem.policy(), values)
        } else {
            NodeClasses::of(problem, node).tally(problem.policy())
        }
    }
}

/// The part of each leaf within its label, if labels are divided into those of a finer level.
#[derive(Debug)]
struct Parts {
    /// The largest number of parts of a label.
    most: u64,
    part_of: Vec<u32>,
}

impl Parts {
    fn of(hierarchy: &Hierarchy, from: Level, to: Level) -> Self {
        let mut parts = vec![0_u32; hierarchy.label_count(from)];
        let number = |&label: &u32| {
            let parts = &mut parts[label as usize];
            *parts += 1;
            *parts - 1
        };
        let numbers: Vec<u32> = hierarchy.labels_above(to, from).iter().map(number).collect();
        let part_of = hierarchy.labels_of(to).iter().map(|&label| numbers[label as usize]).collect();
        Self { most: parts.iter().max().map_or(1, |&most| u64::from(most)), part_of }
    }
}

impl NodeClasses {
    fn tally(&self, policy: &Policy) -> NodeTally {
        NodeTally { classes: self.len(), broken: self.broken(policy) }
    }
}

/// The buffers of a count of classes.
#[derive(Debug, Default)]
struct Buffers {
    numbering: Numbering,
    /// All keys.
    present: RankedBits,
    /// The keys of items with members.
    members: RankedBits,
}

impl Buffers {
    /// Counts the classes of items by their packed keys, which are below `span`. `values` computes
    /// the sensitive values of the classes.
    fn tally(
        &mut self,
        span: u64,
        people: &[Counts],
        policy: &Policy,
        values: impl FnOnce(&[u32]) -> BTreeMap<u32, Arc<ClassValues>>,
    ) -> NodeTally {
        // If δ is the only criterion, all classes without members have the same verdict.
        let spares_empty = policy.criteria().is_empty() && policy.allows(Counts::new(1, 0));
        if spares_empty && span <= bits_limit(people.len()) {
            return self.tally_by_members(span, people, policy);
        }
        let classes = self.numbering.number_keys(span);
        let class_of = self.numbering.class_of();
        let counts = people_by_class(class_of, people, classes);
        NodeTally { classes, broken: broken(&counts, &values(class_of), policy) }
    }

    /// The same counts, if no class without members breaks the policy. Only the other classes are
    /// summed.
    fn tally_by_members(&mut self, span: u64, people: &[Counts], policy: &Policy) -> NodeTally {
        let classes = self.present.fill(self.numbering.keys(), span);
        let part = people.len().div_ceil(rayon::current_num_threads()).max(SHARED);
        let parts = || self.numbering.keys().par_chunks(part).zip(people.par_chunks(part));
        let with_members = parts().flat_map_iter(|(keys, people)| {
            keys.iter().zip(people).filter(|(_, people)| people.private > 0).map(|(&key, _)| key)
        });
        let with_members: Vec<u64> = with_members.collect();
        let count = self.members.fill(&with_members, span);
        let add = |(keys, people): (&[u64], &[Counts])| {
            let mut sums = vec![Counts::default(); count];
            for (&key, &people) in keys.iter().zip(people) {
                let key = size::index(key);
                if self.members.has(key) {
                    sums[self.members.rank(key) as usize] += people;
                }
            }
            sums
        };
        let sums = parts().map(add).reduce_with(unite).unwrap_or_default();
        NodeTally { classes, broken: sums.iter().filter(|&&counts| !policy.allows(counts)).count() }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node_classes::tests::{scattered, scattered_by};
    use super::*;
    use crate::model::{Criteria, Delta, EmptyRegions};

    /// Every node of small lattices and the neighbours of a node of a large table, under policies that spare classes without
    /// members and policies that do not.
    // holds: Neighbours count alike
    #[test]
    fn neighbours_equal_those_counted_one_by_one() {
        let (all, large) = (scattered(3, 300), scattered_by(5, 3 * SHARED as u64, 40));
        for (problem, bounds, k) in [
            (&all, ("0", "1/6"), None),
            (&all, ("1/20", "1/6"), None),
            (&all, ("0", "1/6"), Some("3")),
            (&large, ("0", "1/6"), None),
            (&large, ("1/20", "1/6"), None),
        ] {
            let delta = Delta::new(bounds.0.parse().unwrap(), bounds.1.parse().unwrap()).unwrap();
            for empty in [EmptyRegions::Allow, EmptyRegions::Forbid] {
                let problem = problem
                    .with_delta(delta)
                    .with_empty_regions(empty)
                    .with_criteria(Criteria::read(k.map(|k| ("k", k))).unwrap());
                check(&problem);
            }
        }
    }

    fn check(problem: &Problem) {
        let lattice = problem.lattice();
        let is_small = problem.histogram().len() < SHARED;
        let middle = lattice.unrank(lattice.len() / 2);
        let nodes = || lattice.nodes().filter(|node| is_small || *node == middle);
        let mut broken = 0;
        for here in nodes() {
            let mut around = Neighbourhood::of(problem, &here);
            let neighbours = (0..lattice.width())
                .flat_map(|attribute| [lattice.coarser(&here, attribute), lattice.finer(&here, attribute)])
                .flatten();
            let others = nodes().filter(|_| is_small);
            for there in neighbours.chain(others) {
                let classes = NodeClasses::of(problem, &there);
                let naive = classes.data().filter(|class| !problem.policy().allows(class)).count();
                let expected = NodeTally { classes: classes.len(), broken: naive };
                assert_eq!(around.tally(&there), expected, "{here} to {there}");
                broken += naive;
            }
            assert_eq!(around.here(), NodeClasses::of(problem, &here).tally(problem.policy()));
        }
        assert!(broken > 0, "some classes break the policy");
    }
}
