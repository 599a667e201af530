//! Strict Mondrian, multidimensional k-anonymity (`LeFevre`, `DeWitt` and Ramakrishnan, ICDE 2006), for
//! the least k whose partition satisfies the policy.
//!
//! # Cuts
//! k counts the rows of T or of P. A region is cut at the median of the counted people: into the values
//! up to the median and those above it. Equal values stay together. A cut is valid if both halves have at
//! least k counted people. Of the columns with a valid cut, the one with the widest spread wins; ties go
//! to the first in project order. The spread is the range of numbers and dates, or the number of distinct
//! values of categories, as a share of the leaves.
//!
//! A column that is cut between labels only is cut at the finest label around the region, into all labels
//! directly below it, if each has at least k. A column that is never cut is skipped. In a column with a
//! limit of terms, both sides of the cut box must obey the limit.
//!
//! # The next k
//! A cut stays the same for every k up to the size of its smallest part: the columns that were rejected
//! before it have smaller parts, and are rejected for a larger k, too. So the next k is one above the
//! smallest part of all cuts, and cuts only those regions anew whose smallest part is below it.

use std::collections::BTreeMap;

use palmtop_core::model::{Code, Counts, CutBox, Cuts, Level, Partition, Problem, Raised, Recoding, size};
use palmtop_search::{BoxRules, Observer, Step, StopReason};

use super::Found;

/// The table whose rows k counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// T: every region has at least k members, which is k-anonymity.
    Private,
    /// P: every region has at least k individuals, whether they are members or not.
    Public,
}

pub(super) fn mondrian(problem: &Problem, rows: Rows, observer: &mut Observer) -> Found {
    if problem.region_floors_are_the_base() {
        return search(problem, rows, observer);
    }
    // The search does not see values that every permitted release merges.
    let raised = Raised::of(problem);
    let found = search(&raised.problem, rows, observer);
    Found { recoding: found.recoding.map(|found| raised.lower(problem, found)), ..found }
}

fn search(problem: &Problem, rows: Rows, observer: &mut Observer) -> Found {
    let mut cutting = Cutting { problem, boxes: BoxRules::of(problem), rows, k: 1 };
    match cutting.search(observer) {
        None => Found::nothing(StopReason::Cancelled),
        Some(regions) => {
            let (regions, boxes): (Vec<_>, Vec<_>) = regions.into_iter().unzip();
            let boxes: Vec<CutBox> = boxes.into_iter().flatten().collect();
            let partition = Partition::of_regions(problem, &regions, &boxes);
            let k = Some(cutting.k);
            Found { recoding: Some(Recoding::Regions(partition)), k, ..Found::nothing(StopReason::Done) }
        }
    }
}

/// The combinations of a region, and its cut box if terms are limited.
type Block = (Vec<u32>, Option<CutBox>);

/// A region that was cut into parts, or one that was not.
enum Tree {
    /// A cut, with the counted people of its smallest part and its cut box.
    Cut {
        least: u64,
        cut_box: Option<CutBox>,
        parts: Vec<Tree>,
    },
    Region(Block),
}

impl Tree {
    /// The counted people of the smallest part of all cuts; `None` if there are no cuts.
    fn least(&self) -> Option<u64> {
        match self {
            Self::Cut { least, parts, .. } => parts.iter().filter_map(Self::least).chain([*least]).min(),
            Self::Region(_) => None,
        }
    }

    /// Adds the regions, in the order of the tree.
    fn list(self, regions: &mut Vec<Block>) {
        match self {
            Self::Cut { parts, .. } => parts.into_iter().for_each(|part| part.list(regions)),
            Self::Region(region) => regions.push(region),
        }
    }

    fn all(&self, holds: &impl Fn(&[u32]) -> bool) -> bool {
        match self {
            Self::Cut { parts, .. } => parts.iter().all(|part| part.all(holds)),
            Self::Region((region, _)) => holds(region),
        }
    }
}

struct Cutting<'a> {
    problem: &'a Problem,
    boxes: BoxRules,
    rows: Rows,
    k: u64,
}

impl Cutting<'_> {
    /// The regions of the first k whose regions satisfy the policy; `None` if the observer stops it.
    /// Without a cut, the one region has presence |T|/|P|, which is feasible.
    fn search(&mut self, observer: &mut Observer) -> Option<Vec<Block>> {
        let mut trees = Vec::new();
        for region in self.coarsest() {
            trees.push(self.cut_down(region, observer)?);
        }
        while !trees.iter().all(|tree| tree.all(&|region| self.is_allowed(region))) {
            let Some(least) = trees.iter().filter_map(Tree::least).min() else { break };
            self.k = least + 1;
            let anew = trees.into_iter().map(|tree| self.cut_anew(tree, observer));
            trees = anew.collect::<Option<_>>()?;
        }
        let mut regions = Vec::new();
        for tree in trees {
            tree.list(&mut regions);
        }
        Some(regions)
    }

    fn is_allowed(&self, region: &[u32]) -> bool {
        let class = self.problem.class_data(self.people(region), region.iter().copied());
        self.problem.policy().allows(class)
    }

    /// Everybody, divided by the coarsest permitted labels.
    fn coarsest(&self) -> Vec<Block> {
        let problem = self.problem;
        let limited = (0..problem.quasi().len()).map(|column| (column, problem.coarsest(column)));
        let limited = limited.filter(|&(column, level)| level < problem.hierarchy(column).top());
        let everybody = (0..size::number(problem.histogram().len())).collect();
        limited.fold(vec![(everybody, self.boxes.start())], |blocks, (column, level)| {
            let codes = problem.histogram().column(column);
            let divide = |(region, cut_box): &Block| {
                let parts = self.by_label(region, column, level).into_iter();
                let inside = |part: Vec<u32>| {
                    let code = codes[part[0] as usize];
                    let cut_box =
                        cut_box.as_ref().map(|around| self.boxes.under_label(around, column, level, code));
                    (part, cut_box)
                };
                parts.map(inside).collect::<Vec<_>>()
            };
            blocks.iter().flat_map(divide).collect()
        })
    }

    /// Cuts a region and its parts as long as possible.
    fn cut_down(&self, (region, cut_box): Block, observer: &mut Observer) -> Option<Tree> {
        let total = self.counted(self.problem.histogram().total());
        observer(Step::of(self.k, total)).continue_value()?;
        let Some((least, parts)) = self.cut(&region, cut_box.as_ref()) else {
            return Some(Tree::Region((region, cut_box)));
        };
        let parts = parts.into_iter().map(|part| self.cut_down(part, observer));
        Some(Tree::Cut { least, cut_box, parts: parts.collect::<Option<_>>()? })
    }

    /// The tree for the current k, from the tree of a smaller k.
    fn cut_anew(&self, tree: Tree, observer: &mut Observer) -> Option<Tree> {
        match tree {
            Tree::Region(_) => Some(tree),
            Tree::Cut { least, cut_box, parts } if least >= self.k => {
                let parts = parts.into_iter().map(|part| self.cut_anew(part, observer));
                Some(Tree::Cut { least, cut_box, parts: parts.collect::<Option<_>>()? })
            }
            Tree::Cut { cut_box, parts, .. } => {
                let mut blocks = Vec::new();
                for part in parts {
                    part.list(&mut blocks);
                }
                let region = blocks.into_iter().flat_map(|(region, _)| region).collect();
                self.cut_down((region, cut_box), observer)
            }
        }
    }

    /// The parts of a region, if it can be cut, and the counted people of the smallest.
    fn cut(&self, region: &[u32], cut_box: Option<&CutBox>) -> Option<(u64, Vec<Block>)> {
        let problem = self.problem;
        if self.counted(self.people(region)) / 2 < self.k {
            return None;
        }
        // The widest share first. Both shares have integer terms, so that they compare exactly.
        let spread = |column: usize| {
            let (values, hierarchy) = (self.values(region, column), problem.hierarchy(column));
            let width = match (values.first_key_value(), values.last_key_value()) {
                (Some((first, _)), Some((last, _))) if hierarchy.kind().is_ordered() => {
                    u64::from(last - first)
                }
                _ => (values.len() as u64).saturating_sub(1),
            };
            let leaves = hierarchy.leaf_count() as u64;
            (width, leaves.saturating_sub(1).max(1), column, values)
        };
        let mut columns: Vec<_> = (0..problem.quasi().len()).map(spread).collect();
        // The sort is stable.
        columns.sort_by(|left, right| (right.0 * left.1).cmp(&(left.0 * right.1)));
        columns.into_iter().find_map(|(.., column, values)| {
            let codes = problem.histogram().column(column);
            let codes_of = || region.iter().map(|&index| codes[index as usize]);
            let parts: Vec<Vec<u32>> = match problem.cuts(column) {
                Cuts::Never => return None,
                Cuts::Values => {
                    let median = median(&values)?;
                    let (left, right) = region.iter().partition(|&&index| codes[index as usize] <= median);
                    vec![left, right]
                }
                Cuts::Labels => {
                    self.by_label(region, column, problem.hierarchy(column).parting_level(codes_of())?)
                }
            };
            let least = parts.iter().map(|part| self.counted(self.people(part))).min()?;
            if least < self.k {
                return None;
            }
            let boxes: Vec<Option<CutBox>> = match cut_box {
                Some(cut_box) if problem.cuts(column) == Cuts::Values => {
                    let code = |&index: &u32| codes[index as usize];
                    let neighbours = [parts[0].iter().map(code).max()?, parts[1].iter().map(code).min()?];
                    let halves = self.boxes.between(cut_box, column, neighbours, codes_of())?;
                    halves.map(Some).to_vec()
                }
                unchanged => vec![unchanged.cloned(); parts.len()],
            };
            Some((least, parts.into_iter().zip(boxes).collect()))
        })
    }

    /// The parts of a region by their label in a column.
    fn by_label(&self, region: &[u32], column: usize, level: Level) -> Vec<Vec<u32>> {
        let codes = self.problem.histogram().column(column);
        let labels = self.problem.hierarchy(column).labels_of(level);
        let mut parts: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &index in region {
            parts.entry(labels[codes[index as usize] as usize]).or_default().push(index);
        }
        parts.into_values().collect()
    }

    /// The counted people of a region by their value in a column.
    fn values(&self, region: &[u32], column: usize) -> BTreeMap<Code, u64> {
        let histogram = self.problem.histogram();
        let mut values = BTreeMap::new();
        for &index in region {
            let people = self.counted(histogram.counts()[index as usize]);
            if people > 0 {
                *values.entry(histogram.column(column)[index as usize]).or_default() += people;
            }
        }
        values
    }

    fn people(&self, region: &[u32]) -> Counts {
        region.iter().map(|&index| self.problem.histogram().counts()[index as usize]).sum()
    }

    fn counted(&self, counts: Counts) -> u64 {
        match self.rows {
            Rows::Private => counts.private,
            Rows::Public => counts.public,
        }
    }
}

/// The least value up to which at least half of the people lie.
fn median(values: &BTreeMap<Code, u64>) -> Option<Code> {
    let people: u64 = values.values().sum();
    let mut below = 0;
    values.iter().find_map(|(&code, &here)| {
        below += here;
        (below * 2 >= people).then_some(code)
    })
}
