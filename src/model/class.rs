//! Recodings and the equivalence classes that they make.

use std::collections::HashMap;

use super::delta::Delta;
use super::hierarchy::Code;
use super::label::{Label, Side};
use super::lattice::Node;
use super::presence::Counts;
use super::problem::Problem;
use super::rollup::Rollup;

/// A box of leaf ranges and sets: the smallest around its public people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// One side per quasi-identifier.
    pub sides: Vec<Side>,
}

impl Region {
    /// Whether a combination lies in the box.
    pub fn contains(&self, combination: &[Code]) -> bool {
        self.sides.iter().zip(combination).all(|(side, &code)| side.contains(code))
    }

    /// Whether some combination could lie in both boxes.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.sides.iter().zip(&other.sides).all(|(own, theirs)| own.overlaps(theirs))
    }
}

/// A multi-dimensional recoding: every combination in one region.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    region_of: Vec<u32>,
    regions: Vec<Region>,
}

impl Partition {
    /// The partition that puts the histogram's combination `i` into region `region_of[i]`, each region's box being the
    /// smallest around its **public** people (DESIGN, section 2; line 20 of the paper's MPALM prints a smaller box, which
    /// is unsafe).
    ///
    /// # Panics
    /// If `region_of` is not as long as the histogram, or the numbers are not all of `0..count`.
    pub fn new(problem: &Problem, region_of: Vec<u32>, count: usize) -> Self {
        let histogram = problem.histogram();
        assert_eq!(region_of.len(), histogram.len(), "a region for every combination");
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (index, &region) in (0..).zip(&region_of) {
            members[region as usize].push(index);
        }
        let side = |attribute: usize, combinations: &[u32]| {
            let codes = combinations.iter().map(|&index| histogram.column(attribute)[index as usize]);
            if problem.hierarchy(attribute).kind().is_ordered() {
                let (low, high) =
                    codes.fold((Code::MAX, 0), |(low, high), code| (low.min(code), high.max(code)));
                Side::Range { low, high }
            } else {
                let mut codes: Vec<Code> = codes.collect();
                codes.sort_unstable();
                codes.dedup();
                Side::Set(codes)
            }
        };
        let regions = members
            .iter()
            .map(|combinations| {
                assert!(!combinations.is_empty(), "a region holds somebody public");
                Region {
                    sides: (0..histogram.width()).map(|attribute| side(attribute, combinations)).collect(),
                }
            })
            .collect();
        Self { region_of, regions }
    }

    /// The region of each combination of the histogram.
    pub fn region_of(&self) -> &[u32] {
        &self.region_of
    }

    /// The regions.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }
}

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
        let mut counts = vec![Counts::default(); partition.regions().len()];
        for (&region, &people) in partition.region_of().iter().zip(problem.histogram().counts()) {
            counts[region as usize] += people;
        }
        // Many regions share a side, and finding its finest label walks the hierarchy: look each up once.
        let mut known: Vec<HashMap<&Side, Label>> = vec![HashMap::new(); problem.quasi().len()];
        let mut label = |attribute: usize, side| -> Label {
            known[attribute].entry(side).or_insert_with(|| Label::of_side(problem, attribute, side)).clone()
        };
        let classes = partition
            .regions()
            .iter()
            .zip(counts)
            .map(|(region, counts)| {
                let labels = region.sides.iter().enumerate().map(|(attribute, side)| label(attribute, side));
                EquivalenceClass { labels: labels.collect(), counts }
            })
            .collect();
        Self { classes, class_of: partition.region_of().to_vec() }
    }

    /// Whether every class keeps δ.
    pub fn are_present(&self, delta: Delta) -> bool {
        self.classes.iter().all(|class| delta.allows(class.counts))
    }

    /// The classes, worst first: farthest outside δ, then highest presence, then labels as written.
    pub fn worst_first(&self, problem: &Problem) -> Vec<&EquivalenceClass> {
        let delta = problem.delta();
        let mut ranked: Vec<(&EquivalenceClass, Vec<String>)> =
            self.classes.iter().map(|class| (class, class.texts(problem))).collect();
        ranked.sort_by(|(left, left_texts), (right, right_texts)| {
            delta
                .compare_distance(right.counts, left.counts)
                .then_with(|| right.counts.presence().cmp(&left.counts.presence()))
                .then_with(|| left_texts.cmp(right_texts))
        });
        ranked.into_iter().map(|(class, _)| class).collect()
    }
}
