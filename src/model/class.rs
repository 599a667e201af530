//! Recodings and the equivalence classes that they make.

use super::columns::ClassColumns;
use super::label::Label;
use super::lattice::Node;
use super::partition::Partition;
use super::policy::Policy;
use super::presence::Counts;
use super::problem::Problem;
use super::rollup::Rollup;

/// How combinations become classes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recoding {
    /// Single-dimensional: each quasi-identifier at one level.
    Node(Node),
    /// Multi-dimensional: disjoint regions.
    Regions(Partition),
}

impl Recoding {
    /// The node, where the recoding is single-dimensional.
    pub fn node(&self) -> Option<&Node> {
        match self {
            Self::Node(node) => Some(node),
            Self::Regions(_) => None,
        }
    }
}

/// A class: what is published of it and how many people it has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EquivalenceClass {
    /// One label per quasi-identifier.
    pub labels: Vec<Label>,
    /// Its public and private people.
    pub counts: Counts,
}

impl EquivalenceClass {
    /// The written labels, in project order.
    pub fn texts(&self, problem: &Problem) -> Vec<String> {
        let written = self.labels.iter().zip(problem.quasi());
        written.map(|(label, attribute)| label.text(&attribute.hierarchy)).collect()
    }
}

/// The classes of a recoding, with the class of each combination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Classes {
    /// Every class, those without private people too. For a node in lexicographic order of label numbers, for
    /// regions in the partition's.
    pub classes: Vec<EquivalenceClass>,
    /// The class of each combination of the histogram, as an index into `classes`.
    pub class_of: Vec<u32>,
}

impl Classes {
    /// Counts the classes of a recoding from the histogram.
    pub fn of(problem: &Problem, recoding: &Recoding) -> Self {
        match recoding {
            Recoding::Node(node) => Self::of_node(problem, node),
            Recoding::Regions(partition) => Self::of_partition(problem, partition),
        }
    }

    fn of_node(problem: &Problem, node: &Node) -> Self {
        let histogram = problem.histogram();
        let mut rollup = Rollup::new();
        let count = rollup.number(problem, node.levels());
        let class_of = rollup.class_of().to_vec();
        let mut counts = vec![Counts::default(); count];
        let mut example = vec![0_usize; count];
        for (index, (&class, &people)) in class_of.iter().zip(histogram.counts()).enumerate() {
            counts[class as usize] += people;
            example[class as usize] = index;
        }
        let label = |attribute: usize, level, index: usize| {
            let code = histogram.column(attribute)[index];
            Label::Of(level, problem.hierarchy(attribute).labels_of(level)[code as usize])
        };
        let classes = std::iter::zip(counts, example)
            .map(|(counts, index)| EquivalenceClass {
                labels: (0..)
                    .zip(node.levels())
                    .map(|(attribute, &level)| label(attribute, level, index))
                    .collect(),
                counts,
            })
            .collect();
        Self { classes, class_of }
    }

    fn of_partition(problem: &Problem, partition: &Partition) -> Self {
        let mut counts = vec![Counts::default(); partition.len()];
        for (&region, &people) in partition.region_of().iter().zip(problem.histogram().counts()) {
            counts[region as usize] += people;
        }
        // Finding the finest label of a side walks the hierarchy: once for each distinct side.
        let columns: Vec<(Vec<Label>, &[u32])> = (0..problem.quasi().len())
            .map(|attribute| {
                let (sides, side_of) = partition.sides(attribute);
                let label = |side| Label::of_side(problem, attribute, side);
                (sides.iter().map(label).collect(), side_of)
            })
            .collect();
        let label = |(labels, side_of): &(Vec<Label>, &[u32]), region: usize| {
            labels[side_of[region] as usize].clone()
        };
        let classes = counts
            .into_iter()
            .enumerate()
            .map(|(region, counts)| EquivalenceClass {
                labels: columns.iter().map(|column| label(column, region)).collect(),
                counts,
            })
            .collect();
        Self { classes, class_of: partition.region_of().to_vec() }
    }

    /// Whether every class satisfies a policy.
    pub fn satisfy(&self, policy: &Policy) -> bool {
        self.classes.iter().all(|class| policy.allows(class.counts))
    }

    /// The classes, worst first: those that break the policy most (δ before other criteria), then highest presence, then
    /// labels: numbers and dates by their value, others as written.
    pub fn worst_first(&self, problem: &Problem) -> Vec<&EquivalenceClass> {
        let order = ClassColumns::of(problem, self).worst_first(problem.policy());
        order.into_iter().map(|class| &self.classes[class as usize]).collect()
    }
}
