//! How one of MPALM's nine came to its regions: the split that made each, and the cuts that its rules would have liked better.
//!
//! Whatever T gives the same release was split in the same way, but for where nobody of T is. For let T' be another that does,
//! cut at c', where T was cut at c. Both cuts go between published regions and through none, so that the members on each side
//! of both are the same for T and T', and each cut is valid for both. Then the rules, which look at nothing else of T, took
//! the same one; and so on down. So T' rejected what T rejected there, and that is an event that the release itself tells.

use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashSet;

use super::super::ValueRule;
use super::super::column_table::ColumnTable;
use super::super::limits::blocks;
use super::super::mpalm::Rules;
use super::super::split::{self, Part, Splitter};
use super::super::worker_pool::WorkerPool;
use super::event::{Between, Rejection};
use palmtop_core::model::{Code, Counts, Partition, Problem, size};

/// The choice of a parent with more combinations is not looked at: its members can be drawn too seldom.
const MOST_COMBINATIONS: usize = 1 << 15;

/// Every split of a run, with the combinations in an order in which those of each region, and of each region that was split,
/// stand next to each other.
pub(super) struct Parents {
    rules: Rules,
    places: Vec<u32>,
    /// Where each combination stands.
    rank: Vec<u32>,
    /// The regions that were split, and those that were not.
    splits: Vec<Split>,
    leaves: Vec<Leaf>,
}

/// A region that was split: its rows, the column that was looked at first, and the cut.
struct Split {
    start: usize,
    end: usize,
    first: usize,
    column: usize,
    cut: split::Split,
}

/// A region that was not split, and who made it; the whole table has no parent.
struct Leaf {
    start: usize,
    end: usize,
    parent: Option<usize>,
}

/// The region that was split to make another.
pub(super) struct Parent {
    /// That its rules came to the cut: all that they like better were rejected. The region's own combinations come first.
    pub(super) chosen: Rejection,
    #[cfg(test)]
    pub(super) combinations: Vec<u32>,
    /// The other regions under the parent: the parent's combination of each of their people, and how many members they have.
    others: Vec<(Vec<u32>, usize)>,
}

impl Parents {
    /// Splits again, as the strategy does; `None` where it was stopped, or where the regions are others than those given.
    pub(super) fn of(
        problem: &Problem,
        rules: Rules,
        partition: &Partition,
        pool: &WorkerPool,
    ) -> Option<Self> {
        let mut table = ColumnTable::of(problem.histogram());
        let mut splitter = Splitter::new(problem, rules.value);
        let width = problem.quasi().len();
        let (mut splits, mut leaves) = (Vec::new(), Vec::new());
        let everybody = Part::of(table.rows(), problem.histogram().total());
        let mut waiting: Vec<(Part, usize, Option<usize>)> =
            blocks(problem, everybody).into_iter().rev().map(|part| (part, 0, None)).collect();
        while let Some((mut part, first, parent)) = waiting.pop() {
            pool.go_on().continue_value()?;
            let (start, end) = (part.start(), part.start() + part.len());
            let Some((column, split)) = rules.choose(width, &mut splitter, &mut part, first, pool) else {
                leaves.push(Leaf { start, end, parent });
                continue;
            };
            let parts = part.divide(problem, column, split);
            let next = (column + 1) % width;
            let parent = Some(splits.len());
            splits.push(Split { start, end, first, column, cut: split });
            waiting.extend(parts.into_iter().rev().map(|part| (part, next, parent)));
        }
        let places = table.places().to_vec();
        let mut rank = vec![0; places.len()];
        (0..).zip(&places).for_each(|(at, &place)| rank[place as usize] = at);
        let region = |leaf: &Leaf| {
            let regions = places[leaf.start..leaf.end].iter();
            regions.map(|&place| partition.region_of()[place as usize])
        };
        let is_region =
            |leaf: &Leaf| region(leaf).collect::<Vec<u32>>().windows(2).all(|two| two[0] == two[1]);
        let is_same = leaves.len() == partition.len() && leaves.iter().all(is_region);
        is_same.then_some(Self { rules, places, rank, splits, leaves })
    }

    /// The parent of a region, given as its combinations.
    pub(super) fn parent_of(&self, problem: &Problem, region: &[u32]) -> Option<Parent> {
        let own = self.rank[*region.first()? as usize] as usize;
        // A pile gives the left half first, so leaves stand in order.
        let place = self.leaves.partition_point(|leaf| leaf.end <= own);
        let leaf = self.leaves.get(place)?;
        let split = &self.splits[leaf.parent?];
        if split.end - split.start > MOST_COMBINATIONS {
            return None;
        }
        // The region's combinations in the order in which it was given, and then the others.
        let rest = (split.start..split.end).filter(|at| !(leaf.start..leaf.end).contains(at));
        let mut combinations = region.to_vec();
        combinations.extend(rest.map(|at| self.places[at]));
        let codes = |column: usize| {
            let column = problem.histogram().column(column);
            combinations.iter().map(move |&place| column[place as usize])
        };
        let distinct = |column: usize| Some(codes(column).collect::<FxHashSet<Code>>().len());
        let order = self.rules.columns(problem.quasi().len(), split.first, &distinct)?;
        let at = order.iter().position(|&column| column == split.column)?;
        let public = combinations.iter().map(|&place| problem.histogram().counts()[place as usize].public);
        let cut = |value: Code| {
            let on_left = |code: Code| code < value;
            let left = codes(split.column).zip(public.clone()).filter(|(code, _)| on_left(*code));
            Some(Between {
                column: split.column,
                value,
                left: left.map(|(_, people)| people).sum(),
                people: public.clone().sum(),
                values_left: codes(split.column)
                    .filter(|&code| on_left(code))
                    .collect::<FxHashSet<Code>>()
                    .len(),
                values: distinct(split.column)?,
            })
        };
        // Into labels there is one cut, which was taken.
        let taken = match split.cut {
            split::Split::At(value) => Some(self.liking(cut(value)?)),
            split::Split::Labels(_) => None,
        };
        let is_liked_better = |cut| taken.is_some_and(|taken| self.liking(cut) < taken);
        let chosen = Rejection::of(problem, &combinations, |cut| {
            order[..at].contains(&cut.column) || (cut.column == split.column && is_liked_better(cut))
        });
        let mut others = Vec::new();
        let mut from = region.len();
        let first = self.leaves.partition_point(|other| other.end <= split.start);
        let under = self.leaves[first..].iter().take_while(|other| other.end <= split.end);
        for other in under.filter(|other| other.start != leaf.start) {
            let counts = self.places[other.start..other.end].iter();
            let counts: Vec<Counts> =
                counts.map(|&place| problem.histogram().counts()[place as usize]).collect();
            let each = (size::number(from)..).zip(&counts);
            let people = each.flat_map(|(place, counts)| (0..counts.public).map(move |_| place)).collect();
            let members: u64 = counts.iter().map(|counts| counts.private).sum();
            others.push((people, size::index(members)));
            from += counts.len();
        }
        Some(Parent {
            chosen,
            #[cfg(test)]
            combinations,
            others,
        })
    }

    /// The less, the better the rule likes a valid cut.
    fn liking(&self, cut: Between) -> (u64, Code) {
        let imbalance = match self.rules.value {
            ValueRule::BalancedCardinality => cut.left.abs_diff(cut.people - cut.left),
            ValueRule::FirstSplit => 0,
            ValueRule::BalancedValues => cut.values_left.abs_diff(cut.values - cut.values_left) as u64,
        };
        (imbalance, cut.value)
    }
}

impl Parent {
    /// The members of all regions under the parent, drawn at random but for those of the region itself.
    pub(super) fn draw(&self, own: &[u32], random: &mut ChaCha8Rng) -> Vec<u32> {
        let mut members = own.to_vec();
        for (people, chosen) in &self.others {
            members.extend(index::sample(random, people.len(), *chosen).iter().map(|person| people[person]));
        }
        members
    }
}
