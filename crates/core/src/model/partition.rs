//! Multi-dimensional recodings: the region of each combination, and the box of each region.

use std::sync::Arc;

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::description::{DescriptionTree, Intervals};
use super::hierarchy::{Code, Level};
use super::label::Side;
use super::problem::Problem;
use super::size;

/// A multi-dimensional recoding, which assigns each combination to one region.
///
/// There may be millions of regions, and many share a side, so each distinct side is stored once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Partition {
    region_of: Vec<u32>,
    /// For each quasi-identifier, its distinct sides and the side of each region.
    columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Column {
    sides: Vec<Side>,
    side_of: Vec<u32>,
}

/// The sides of the cut box of a region: for each quasi-identifier with a limit of
/// [terms](Problem::terms), a set of occurring values; for others an empty list. No sides at all if no
/// quasi-identifier is limited.
///
/// Cuts divide the boxes, so two regions have disjoint boxes. The published side lies between the values
/// of the region's people and this side.
pub type CutBox = Arc<[Intervals]>;

/// A region's box of leaf ranges and sets. It is the smallest box around the region's public
/// people.
///
/// If [labels are published](Problem::publishes_labels), it consists of complete labels.
#[derive(Clone, Copy, Debug)]
pub struct Region<'a> {
    partition: &'a Partition,
    number: usize,
}

impl<'a> Region<'a> {
    /// The sides of the box, one per quasi-identifier.
    pub fn sides(self) -> impl ExactSizeIterator<Item = &'a Side> {
        self.partition.columns.iter().map(move |column| &column.sides[column.side_of[self.number] as usize])
    }

    /// Whether the box contains a combination.
    pub fn contains(self, combination: &[Code]) -> bool {
        self.sides().zip(combination).all(|(side, &code)| side.contains(code))
    }

    /// Whether both boxes could contain the same combination.
    pub fn overlaps(self, other: Region) -> bool {
        self.sides().zip(other.sides()).all(|(side, other)| side.overlaps(other))
    }
}

impl Side {
    /// The range between two leaves: to the borders around them, if the quasi-identifier has borders.
    pub fn between(problem: &Problem, attribute: usize, low: Code, high: Code) -> Self {
        let Some(level) = problem.borders(attribute) else { return Self::Range { low, high } };
        let labels = problem.hierarchy(attribute).labels_of(level);
        // The labels are ranges of leaves in ascending order.
        let from = labels.partition_point(|&label| label < labels[low as usize]);
        let to = labels.partition_point(|&label| label <= labels[high as usize]);
        Self::Range { low: size::number(from), high: size::number(to - 1) }
    }
}

impl Partition {
    /// Creates the partition that assigns the histogram's combination `i` to region `region_of[i]`.
    ///
    /// The box of a region is the smallest around its **public** people (DESIGN, section 2). Line
    /// 20 of the paper's MPALM prints a smaller box, which is unsafe.
    ///
    /// If a quasi-identifier is cut only between labels, the side has all occurring leaves of the
    /// finest label around these people. Boxes of regions that were cut in this way are as disjoint
    /// as the labels.
    ///
    /// # Panics
    /// If `region_of` is not as long as the histogram, or the numbers are not all of `0..count`.
    pub fn new(problem: &Problem, region_of: Vec<u32>, count: usize) -> Self {
        Self::within(problem, region_of, count, &[])
    }

    /// Creates the partition as [`new`](Self::new) does, from regions with these cut boxes.
    ///
    /// If a quasi-identifier has a limit of terms, its sides obey it: see
    /// [`DescriptionTree::published`]. Without boxes, a side has exactly the values of the region's
    /// people, and may break the limit.
    ///
    /// # Panics
    /// As `new` does, or if boxes are given for another number of regions.
    pub fn within(problem: &Problem, region_of: Vec<u32>, count: usize, boxes: &[CutBox]) -> Self {
        assert_eq!(region_of.len(), problem.histogram().len(), "a region for every combination");
        assert!(boxes.is_empty() || boxes.len() == count, "a box for every region");
        let members = Members::of(&region_of, count);
        let columns = (0..problem.quasi().len()).into_par_iter();
        Self {
            columns: columns.map(|attribute| Column::of(problem, attribute, &members, boxes)).collect(),
            region_of,
        }
    }

    /// The same regions with other sides of a quasi-identifier, one for each region, such as those of a
    /// written file.
    ///
    /// # Panics
    /// If the number of sides differs from the number of regions.
    #[must_use]
    pub fn with_sides(mut self, attribute: usize, sides: Vec<Side>) -> Self {
        assert_eq!(sides.len(), self.len(), "a side for every region");
        let side_of = (0..size::number(sides.len())).collect();
        self.columns[attribute] = Column { sides, side_of }.with_distinct_sides();
        self
    }

    /// Creates the partition from the list of each region's combinations, and its cut box if there is a
    /// limit of terms.
    ///
    /// # Panics
    /// If a region is empty, or if a combination is not in the histogram.
    pub fn of_regions(problem: &Problem, regions: &[Vec<u32>], boxes: &[CutBox]) -> Self {
        let mut region_of = vec![0; problem.histogram().len()];
        for (number, region) in (0..).zip(regions) {
            for &combination in region {
                region_of[combination as usize] = number;
            }
        }
        Self::within(problem, region_of, regions.len(), boxes)
    }

    /// The partition with some columns of another partition into the same regions.
    pub(super) fn with_columns_of(mut self, other: &Self, attributes: impl Iterator<Item = usize>) -> Self {
        for attribute in attributes {
            self.columns[attribute] = other.columns[attribute].clone();
        }
        self
    }

    /// The region of each combination of the histogram.
    pub fn region_of(&self) -> &[u32] {
        &self.region_of
    }

    /// The number of regions.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |column| column.side_of.len())
    }

    /// Always false, because the public table has people.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The region with this number.
    ///
    /// # Panics
    /// Methods of the result panic if there is no such region.
    pub fn region(&self, number: usize) -> Region<'_> {
        Region { partition: self, number }
    }

    /// All regions, in the order of their numbers.
    pub fn regions(&self) -> impl ExactSizeIterator<Item = Region<'_>> + Clone {
        (0..self.len()).map(|number| self.region(number))
    }

    /// The distinct sides of one quasi-identifier, in order of first appearance, and the side of
    /// each region.
    pub fn sides(&self, attribute: usize) -> (&[Side], &[u32]) {
        let column = &self.columns[attribute];
        (&column.sides, &column.side_of)
    }
}

/// The combinations of each region, stored one region after the other.
struct Members {
    starts: Vec<u32>,
    indices: Vec<u32>,
}

impl Members {
    fn of(region_of: &[u32], count: usize) -> Self {
        // A counting sort. `starts` is shifted by one region until the combinations are written.
        let mut starts = vec![0_u32; count + 2];
        for &region in region_of {
            starts[region as usize + 2] += 1;
        }
        for region in 2..starts.len() {
            assert!(starts[region] > 0, "a region holds somebody public");
            starts[region] += starts[region - 1];
        }
        let mut indices = vec![0_u32; region_of.len()];
        for (index, &region) in (0..).zip(region_of) {
            let next = &mut starts[region as usize + 1];
            indices[*next as usize] = index;
            *next += 1;
        }
        starts.truncate(count + 1);
        Self { starts, indices }
    }

    fn regions(&self) -> impl Iterator<Item = &[u32]> {
        self.starts.windows(2).map(|ends| &self.indices[ends[0] as usize..ends[1] as usize])
    }
}

impl Column {
    fn of(problem: &Problem, attribute: usize, members: &Members, boxes: &[CutBox]) -> Self {
        let codes = problem.histogram().column(attribute);
        let hierarchy = problem.hierarchy(attribute);
        let mut column = Self { sides: Vec::new(), side_of: Vec::with_capacity(members.starts.len() - 1) };
        let finest = problem.finest(attribute);
        if problem.publishes_labels(attribute) {
            let mut known: FxHashMap<(Level, u32), u32> = FxHashMap::default();
            for combinations in members.regions() {
                let codes = combinations.iter().map(|&index| codes[index as usize]);
                let label = hierarchy.label_around(finest, codes);
                let number = *known.entry(label).or_insert_with(|| {
                    column.sides.push(side_of_label(problem, attribute, label.0, label.1));
                    last(&column.sides)
                });
                column.side_of.push(number);
            }
            return column;
        }
        if hierarchy.kind().is_ordered() {
            let mut known: FxHashMap<(Code, Code), u32> = FxHashMap::default();
            for combinations in members.regions() {
                let (low, high) = combinations.iter().fold((Code::MAX, 0), |(low, high), &index| {
                    let code = codes[index as usize];
                    (low.min(code), high.max(code))
                });
                let number = *known.entry((low, high)).or_insert_with(|| {
                    column.sides.push(Side::between(problem, attribute, low, high));
                    last(&column.sides)
                });
                column.side_of.push(number);
            }
            return column;
        }
        let mut set = CodeSet::new(hierarchy.leaf_count());
        if let (Some(terms), false) = (problem.terms(attribute), boxes.is_empty()) {
            let tree = DescriptionTree::of(problem, attribute);
            let mut known: FxHashMap<(Intervals, &Intervals), u32> = FxHashMap::default();
            for (combinations, cut_box) in members.regions().zip(boxes) {
                let codes = set.distinct(combinations.iter().map(|&index| codes[index as usize]));
                let (values, side) = (tree.set(codes.iter().copied()), &cut_box[attribute]);
                let number = *known.entry((values, side)).or_insert_with_key(|(values, side)| {
                    column.sides.push(Side::Set(tree.codes(&tree.published(values, side, terms))));
                    last(&column.sides)
                });
                column.side_of.push(number);
            }
            return column.with_distinct_sides();
        }
        let mut known: FxHashMap<Vec<Code>, u32> = FxHashMap::default();
        for combinations in members.regions() {
            let codes = set.distinct(combinations.iter().map(|&index| codes[index as usize]));
            let number = known.get(codes).copied().unwrap_or_else(|| {
                column.sides.push(Side::Set(codes.to_vec()));
                known.insert(codes.to_vec(), last(&column.sides));
                last(&column.sides)
            });
            column.side_of.push(number);
        }
        column
    }

    /// The column with each side once.
    fn with_distinct_sides(self) -> Self {
        let mut sides: Vec<Side> = Vec::new();
        let mut known: FxHashMap<Side, u32> = FxHashMap::default();
        let number = |side: Side| {
            *known.entry(side).or_insert_with_key(|side| {
                sides.push(side.clone());
                last(&sides)
            })
        };
        let numbers: Vec<u32> = self.sides.into_iter().map(number).collect();
        Self { side_of: self.side_of.into_iter().map(|side| numbers[side as usize]).collect(), sides }
    }
}

/// The occurring leaves of a label, as a range if they are ordered and no leaf between them has
/// another label.
fn side_of_label(problem: &Problem, attribute: usize, level: Level, label: u32) -> Side {
    let hierarchy = problem.hierarchy(attribute);
    let labels = hierarchy.labels_of(level);
    let codes = (0..).zip(labels).filter(|&(code, &found)| found == label && problem.occurs(attribute, code));
    let codes: Vec<Code> = codes.map(|(code, _)| code).collect();
    if let (true, Some(&low), Some(&high)) = (hierarchy.kind().is_ordered(), codes.first(), codes.last())
        && labels[low as usize..=high as usize].iter().all(|&found| found == label)
    {
        return Side::Range { low, high };
    }
    Side::Set(codes)
}

/// The index of the last side.
fn last(sides: &[Side]) -> u32 {
    size::number(sides.len() - 1)
}

/// Finds distinct codes. The buffers are reused.
struct CodeSet {
    seen: Vec<u64>,
    codes: Vec<Code>,
}

impl CodeSet {
    fn new(leaves: usize) -> Self {
        Self { seen: vec![0; leaves.div_ceil(64)], codes: Vec::new() }
    }

    /// The distinct codes, ascending.
    fn distinct(&mut self, codes: impl ExactSizeIterator<Item = Code>) -> &[Code] {
        self.codes.clear();
        if self.seen.len() > codes.len() * 4 {
            // With few codes over many leaves, sorting is faster than a pass over all bits.
            self.codes.extend(codes);
            self.codes.sort_unstable();
            self.codes.dedup();
            return &self.codes;
        }
        for code in codes {
            self.seen[(code >> 6) as usize] |= 1 << (code & 63);
        }
        for (base, word) in (0..).step_by(64).zip(&mut self.seen) {
            let mut left = std::mem::take(word);
            while left != 0 {
                self.codes.push(base + left.trailing_zeros());
                left &= left - 1;
            }
        }
        &self.codes
    }
}
