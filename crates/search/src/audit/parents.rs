//! The splits by which one of MPALM's nine came to its regions, and the cuts that its rules would
//! have preferred.
//!
//! Every T that gives the same release was split in the same way, except in regions without
//! members. Proof: let T' give the same release, and be cut at c' where T was cut at c. Both cuts
//! separate published regions and divide none. So T and T' have the same members on each side of
//! both cuts, and each cut is valid for both. The rules depend on nothing else of T, so that they
//! choose the same cut; and so on for the parts. Hence T' rejected every cut that T rejected, and
//! this event follows from the release.

use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::event::{Cut, Rejection, cuts};
use crate::control::worker_pool::WorkerPool;
use crate::regions::column_table::ColumnTable;
use crate::regions::cut_boxes::BoxRules;
use crate::regions::limits::blocks;
use crate::regions::mpalm::Rules;
use crate::regions::split::{self, Part, Splitter};
use palmtop_core::model::{Code, Counts, CutBox, Partition, Problem, size};

/// The largest number of combinations of a parent that is examined. In a larger one, draws rarely
/// have the event.
const MOST_COMBINATIONS: usize = 1 << 15;

/// Every split of a run, with the combinations in the order of its regions.
pub(super) struct Parents {
    rules: Rules,
    /// The combinations; those of each region, and of each split region, are consecutive.
    combinations: Vec<u32>,
    /// The position of each combination in that order.
    rank: Vec<u32>,
    /// The regions that were split.
    splits: Vec<Split>,
    /// The regions that were not split.
    leaves: Vec<Leaf>,
}

/// A region that was split: its rows, the column that was tried first, the column of the cut, and
/// the cut.
struct Split {
    cut_box: Option<CutBox>,
    start: usize,
    end: usize,
    first: usize,
    column: usize,
    cut: split::Split,
}

/// A region that was not split, with the index of its parent's split. The complete table has no
/// parent.
struct Leaf {
    cut_box: Option<CutBox>,
    start: usize,
    end: usize,
    parent: Option<usize>,
}

/// The region that was split to make another.
pub(super) struct Parent {
    /// The event that the rules came to the cut: all preferred cuts were rejected. The combinations
    /// of the region come first.
    pub(super) chosen: Rejection,
    #[cfg(test)]
    pub(super) combinations: Vec<u32>,
    /// The other regions below the parent: for each of their people the index of the combination in
    /// the parent, and the number of members.
    others: Vec<(Vec<u32>, usize)>,
}

impl Parents {
    /// Repeats the splits of the strategy. `None` if it is stopped, or if the regions differ from
    /// those given.
    pub(super) fn of(
        problem: &Problem,
        rules: Rules,
        partition: &Partition,
        pool: &WorkerPool,
    ) -> Option<Self> {
        let mut table = ColumnTable::of(problem.histogram());
        let boxes = BoxRules::of(problem);
        let mut splitter = Splitter::new(problem, &boxes, rules.value);
        let width = problem.quasi().len();
        let (mut splits, mut leaves) = (Vec::new(), Vec::new());
        let everybody = Part::of(table.rows(), problem.histogram().total(), &boxes);
        let mut waiting: Vec<(Part, usize, Option<usize>)> =
            blocks(problem, &boxes, everybody).into_iter().rev().map(|part| (part, 0, None)).collect();
        while let Some((mut part, first, parent)) = waiting.pop() {
            pool.go_on().continue_value()?;
            let (start, end) = (part.start(), part.start() + part.len());
            let Some((column, split)) = rules.choose(width, &mut splitter, &mut part, first, pool) else {
                leaves.push(Leaf { cut_box: part.cut_box().cloned(), start, end, parent });
                continue;
            };
            let cut_box = part.cut_box().cloned();
            let parts = part.divide(problem, &boxes, column, split);
            let next = (column + 1) % width;
            let parent = Some(splits.len());
            splits.push(Split { cut_box, start, end, first, column, cut: split });
            waiting.extend(parts.into_iter().rev().map(|part| (part, next, parent)));
        }
        let combinations = table.combinations().to_vec();
        let mut rank = vec![0; combinations.len()];
        (0..).zip(&combinations).for_each(|(position, &combination)| rank[combination as usize] = position);
        let region = |leaf: &Leaf| {
            let regions = combinations[leaf.start..leaf.end].iter();
            regions.map(|&combination| partition.region_of()[combination as usize])
        };
        let is_region =
            |leaf: &Leaf| region(leaf).collect::<Vec<u32>>().windows(2).all(|two| two[0] == two[1]);
        let is_same = leaves.len() == partition.len() && leaves.iter().all(is_region);
        is_same.then_some(Self { rules, combinations, rank, splits, leaves })
    }

    fn leaf_of(&self, region: &[u32]) -> Option<&Leaf> {
        let position = self.rank[*region.first()? as usize] as usize;
        // The stack yields left halves first, so that leaves are in ascending order.
        let index = self.leaves.partition_point(|leaf| leaf.end <= position);
        self.leaves.get(index)
    }

    /// The cut box of a region, given by its combinations; `None` if no column has a limit of terms.
    pub(super) fn cut_box_of(&self, region: &[u32]) -> Option<&CutBox> {
        self.leaf_of(region)?.cut_box.as_ref()
    }

    /// The parent of a region, given by its combinations.
    pub(super) fn parent_of(&self, problem: &Problem, region: &[u32], boxes: &BoxRules) -> Option<Parent> {
        let leaf = self.leaf_of(region)?;
        let split = &self.splits[leaf.parent?];
        if split.end - split.start > MOST_COMBINATIONS {
            return None;
        }
        // The region's combinations in the given order, and then all others.
        let rest = (split.start..split.end).filter(|position| !(leaf.start..leaf.end).contains(position));
        let mut combinations = region.to_vec();
        combinations.extend(rest.map(|position| self.combinations[position]));
        let codes = |column: usize| {
            let column = problem.histogram().column(column);
            combinations.iter().map(move |&combination| column[combination as usize])
        };
        let distinct = |column: usize| Some(codes(column).collect::<FxHashSet<Code>>().len());
        let order = self.rules.columns(problem.quasi().len(), split.first, &distinct)?;
        let column_index = order.iter().position(|&column| column == split.column)?;
        let limits = (boxes, split.cut_box.as_ref());
        let taken = cuts(problem, &combinations, limits, split.column).find(|cut| cut.split == split.cut);
        let taken = taken.map(|taken| self.preference(&taken));
        let is_preferred = |cut: &Cut| taken.is_some_and(|taken| self.preference(cut) < taken);
        let chosen = Rejection::of(problem, &combinations, limits, |cut| {
            order[..column_index].contains(&cut.column) || (cut.column == split.column && is_preferred(cut))
        });
        let mut others = Vec::new();
        let mut offset = region.len();
        let first = self.leaves.partition_point(|other| other.end <= split.start);
        let under = self.leaves[first..].iter().take_while(|other| other.end <= split.end);
        for other in under.filter(|other| other.start != leaf.start) {
            let counts = self.combinations[other.start..other.end].iter();
            let counts: Vec<Counts> =
                counts.map(|&combination| problem.histogram().counts()[combination as usize]).collect();
            let each = (size::number(offset)..).zip(&counts);
            let people = each.flat_map(|(index, counts)| (0..counts.public).map(move |_| index)).collect();
            let members: u64 = counts.iter().map(|counts| counts.private).sum();
            others.push((people, size::index(members)));
            offset += counts.len();
        }
        Some(Parent {
            chosen,
            #[cfg(test)]
            combinations,
            others,
        })
    }

    /// The preference of a valid cut under the rule; the least is chosen.
    fn preference(&self, cut: &Cut) -> (u64, usize) {
        let ((left, people), (values_left, values)) = (cut.people, cut.values);
        (self.rules.value.rank(left, people, values_left, values), cut.number)
    }
}

impl Parent {
    /// Draws the members of all regions below the parent; those of the region itself are given.
    pub(super) fn draw(&self, members_of_region: &[u32], random: &mut ChaCha8Rng) -> Vec<u32> {
        let mut members = members_of_region.to_vec();
        for (people, chosen) in &self.others {
            members.extend(index::sample(random, people.len(), *chosen).iter().map(|person| people[person]));
        }
        members
    }
}
