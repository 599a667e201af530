//! Baseline: strict Mondrian, multidimensional k-anonymity, which ignores δ (`LeFevre`, `DeWitt`
//! and Ramakrishnan, ICDE 2006).

use std::cell::Cell;
use std::ops::ControlFlow;

use super::cut_boxes::BoxRules;
use super::limits::{Block, at_the_finest, blocks_of};
use super::pace::Pace;
use super::split::Split;
use super::{Config, Observer, SearchReport, Step, StopReason};
use palmtop_core::model::size;
use palmtop_core::model::{Code, Counts, CutBox, Cuts, Partition, Problem, Recoding};

/// The table whose rows k counts, for a k-anonymous baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rows {
    /// T: every class has at least k members, which is k-anonymity.
    Private,
    /// P: every class has at least k individuals, whether they are members or not.
    Public,
}

/// Computes the partition of strict Mondrian for k = 1, 2, 3, …, and returns the first that
/// satisfies the policy. If `config.k` is given, it returns that k's partition, whatever its
/// verdict.
///
/// # Cuts
/// k counts the rows of T or of P. A region is cut at the median of the counted people: into the
/// values up to the median and those above it. Equal values stay together. A cut is valid if both
/// halves have at least k counted people. Of the columns with a valid cut, the one with the widest
/// spread wins; ties go to the first in project order. The spread is the range of numbers and
/// dates, or the number of distinct values of categories, as a share of the leaves.
///
/// A column that is cut between labels only is cut at the finest label around the counted people,
/// into all labels directly below it, if each has at least k. A column that is never cut is
/// skipped.
///
/// In a column with a limit of terms, the cut at the median is valid only if both sides of the cut box
/// obey the limit.
///
/// # The next k
/// A larger k changes the partition only if it exceeds the smallest part of a cut, so that the
/// values of k in between are skipped. A cut stays the same for a larger k, as long as its parts
/// have k.
///
/// Complexity: O(n·m) for each level of the tree and each k, with n combinations and m
/// quasi-identifiers.
pub fn mondrian(
    problem: &Problem,
    rows: Rows,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    at_the_finest(problem, |problem| search(problem, rows, config, observer))
}

fn search(
    problem: &Problem,
    rows: Rows,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    let report = |k: Option<u64>, stop| SearchReport { k, ..SearchReport::without_nodes(stop) };
    if config.k.is_none() && !problem.feasibility().holds() {
        return (None, report(None, StopReason::Infeasible));
    }
    let total = of(problem.histogram().total(), rows);
    let k = config.k.unwrap_or(1);
    if k > total {
        return (None, report(Some(k), StopReason::None));
    }
    let mut pace = Pace::new(observer, total);
    let mut cutting = Cutting::new(problem, rows, k, &mut pace);
    let mut tree = Tree::default();
    if cutting.cut_all(&mut tree).is_break() {
        return (None, report(None, StopReason::Cancelled));
    }
    // Without a cut, the one region has presence |T|/|P|, which is feasible.
    while let Some(least) = tree.least().filter(|_| config.k.is_none() && !tree.is_allowed(problem)) {
        cutting.k = least + 1;
        match cutting.cut_anew(tree) {
            ControlFlow::Continue(next) => tree = next,
            ControlFlow::Break(()) => return (None, report(None, StopReason::Cancelled)),
        }
    }
    let (regions, boxes): (Vec<Vec<u32>>, Vec<Option<CutBox>>) = tree.into_regions().into_iter().unzip();
    let boxes: Vec<CutBox> = boxes.into_iter().flatten().collect();
    (
        Some(Recoding::Regions(Partition::of_regions(problem, &regions, &boxes))),
        report(Some(cutting.k), StopReason::Done),
    )
}

/// The number of rows above which the values of a column are shrunk to the memory that they need.
const MANY: usize = 1 << 14;

/// The cost of sorting the values of a row, in look-ups.
const SORTING: usize = 16;

/// A partition with the cuts that made it, in preorder: a cut comes before its parts, and a part
/// before the parts to its right.
///
/// A cut stays the same for every k up to the size of its smallest part. The columns that were
/// rejected before it have smaller parts, and are rejected for a larger k, too. So the next k cuts
/// only the regions whose smallest part is below it.
#[derive(Debug, Default)]
struct Tree {
    entries: Vec<Entry>,
    /// The cuts that still lack parts: the index of the entry, and the number of missing parts.
    open: Vec<(usize, usize)>,
}

/// A cut or a region.
#[derive(Debug)]
enum Entry {
    /// A cut region: the counted people of its smallest part, the number of its parts, the
    /// index after the last entry of its parts, and its cut box if terms are limited.
    Cut { least: u64, parts: usize, end: usize, cut_box: Option<CutBox> },
    /// A region that is not cut, its cut box, and whether it satisfies the policy, once that has been
    /// evaluated.
    Region { combinations: Vec<u32>, cut_box: Option<CutBox>, is_allowed: Cell<Option<bool>> },
}

impl Tree {
    /// Adds a cut, whose parts are added next.
    fn push_cut(&mut self, least: u64, parts: usize, cut_box: Option<CutBox>) {
        self.open.push((self.entries.len(), parts));
        self.entries.push(Entry::Cut { least, parts, end: 0, cut_box });
    }

    /// Adds a region, and completes the cuts of which it is the last part.
    fn push_region(&mut self, region: Entry) {
        self.entries.push(region);
        while let Some((cut, left)) = self.open.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            let end_index = self.entries.len();
            if let Entry::Cut { end, .. } = &mut self.entries[*cut] {
                *end = end_index;
            }
            self.open.pop();
        }
    }

    /// The counted people of the smallest part of all cuts; `None` if there are no cuts.
    fn least(&self) -> Option<u64> {
        let least = |entry: &Entry| match entry {
            Entry::Cut { least, .. } => Some(*least),
            Entry::Region { .. } => None,
        };
        self.entries.iter().filter_map(least).min()
    }

    /// Whether every region satisfies the policy.
    fn is_allowed(&self, problem: &Problem) -> bool {
        self.entries.iter().all(|entry| match entry {
            Entry::Cut { .. } => true,
            Entry::Region { combinations, is_allowed, .. } => is_allowed.get().unwrap_or_else(|| {
                let class = problem.class_data(people(problem, combinations), combinations.iter().copied());
                let holds = problem.policy().allows(class);
                is_allowed.set(Some(holds));
                holds
            }),
        })
    }

    /// The regions, in the order of the tree.
    fn into_regions(self) -> Vec<Block> {
        let region = |entry| match entry {
            Entry::Cut { .. } => None,
            Entry::Region { combinations, cut_box, .. } => Some((combinations, cut_box)),
        };
        self.entries.into_iter().filter_map(region).collect()
    }
}

/// The parts of a region, and the counted people of the smallest part.
type Parts = (Vec<Block>, u64);

/// The state of the computation of one partition.
struct Cutting<'a, 'p, 'o> {
    problem: &'a Problem,
    boxes: BoxRules,
    rows: Rows,
    k: u64,
    pace: &'a mut Pace<'p, 'o>,
    /// The counted people of each value of one column; all 0 between two uses.
    by_code: Vec<u64>,
}

/// The spread of a region's counted people in one column: `width` / `denominator`.
struct Spread {
    width: u64,
    /// The number of leaves of the column, minus one.
    denominator: u64,
    column: usize,
    values: Vec<(Code, u64)>,
}

impl<'a, 'p, 'o> Cutting<'a, 'p, 'o> {
    fn new(problem: &'a Problem, rows: Rows, k: u64, pace: &'a mut Pace<'p, 'o>) -> Self {
        let leaves = (0..problem.quasi().len()).map(|column| problem.hierarchy(column).leaf_count()).max();
        let boxes = BoxRules::of(problem);
        Self { problem, boxes, rows, k, pace, by_code: vec![0; leaves.unwrap_or(0)] }
    }

    /// Cuts the region of everyone.
    fn cut_all(&mut self, tree: &mut Tree) -> ControlFlow<()> {
        let all = 0..size::number(self.problem.histogram().len());
        let blocks = blocks_of(self.problem, &self.boxes, all.collect());
        blocks.into_iter().try_for_each(|block| self.cut_down(block, tree))
    }

    /// The tree for the current k, from the tree of a smaller k.
    fn cut_anew(&mut self, old: Tree) -> ControlFlow<(), Tree> {
        let mut tree = Tree::default();
        let mut entries = old.entries.into_iter();
        let mut index = 0;
        while let Some(entry) = entries.next() {
            index += 1;
            match entry {
                Entry::Cut { least, end, cut_box, .. } if least < self.k => {
                    let below = entries.by_ref().take(end - index);
                    let region: Vec<u32> = below
                        .flat_map(|entry| match entry {
                            Entry::Cut { .. } => Vec::new(),
                            Entry::Region { combinations, .. } => combinations,
                        })
                        .collect();
                    index = end;
                    self.cut_down((region, cut_box), &mut tree)?;
                }
                Entry::Cut { least, parts, cut_box, .. } => tree.push_cut(least, parts, cut_box),
                Entry::Region { .. } => tree.push_region(entry),
            }
        }
        ControlFlow::Continue(tree)
    }

    /// Cuts a region and its parts as long as possible.
    fn cut_down(&mut self, region: Block, tree: &mut Tree) -> ControlFlow<()> {
        let mut waiting = vec![region];
        while let Some((region, cut_box)) = waiting.pop() {
            let total = of(self.problem.histogram().total(), self.rows);
            self.pace.report(Step::of(self.k, total))?;
            if let Some((parts, least)) = self.cut(&region, cut_box.as_ref())? {
                tree.push_cut(least, parts.len(), cut_box);
                waiting.extend(parts.into_iter().rev());
            } else {
                tree.push_region(Entry::Region {
                    combinations: region,
                    cut_box,
                    is_allowed: Cell::new(None),
                });
            }
        }
        ControlFlow::Continue(())
    }

    /// The parts of a region, if it can be cut.
    fn cut(&mut self, region: &[u32], cut_box: Option<&CutBox>) -> ControlFlow<(), Option<Parts>> {
        let histogram = self.problem.histogram();
        let counted = of(people(self.problem, region), self.rows);
        if counted / 2 < self.k {
            return ControlFlow::Continue(None);
        }
        // The widest share first. Both shares have integer terms, so that they compare exactly.
        let mut columns: Vec<Spread> = Vec::with_capacity(histogram.width());
        for column in 0..histogram.width() {
            self.pace.spend(region.len() * SORTING)?;
            let values = self.values(region, column);
            let leaves = self.problem.hierarchy(column).leaf_count() as u64;
            let width = match (values.first(), values.last()) {
                (Some(first), Some(last)) if self.problem.hierarchy(column).kind().is_ordered() => {
                    u64::from(last.0 - first.0)
                }
                _ => (values.len() as u64).saturating_sub(1),
            };
            columns.push(Spread { width, denominator: leaves.saturating_sub(1).max(1), column, values });
        }
        columns.sort_by(|left, right| {
            let (left_share, right_share) = (left.width * right.denominator, right.width * left.denominator);
            right_share.cmp(&left_share).then_with(|| left.column.cmp(&right.column))
        });
        for Spread { column, values, .. } in columns {
            match self.problem.cuts(column) {
                Cuts::Values => {}
                Cuts::Never => continue,
                Cuts::Labels => {
                    let Some(parts) = self.part_by_labels(region, column, cut_box) else { continue };
                    return ControlFlow::Continue(Some(parts));
                }
            }
            let Some((median, left)) = median(&values, counted) else { continue };
            let least = left.min(counted - left);
            if least < self.k {
                continue;
            }
            let [left_box, right_box] = match cut_box {
                Some(cut_box) => {
                    let Some(split) = self.after(region, column, median, cut_box) else { continue };
                    split.halves(&self.boxes, Some(cut_box), column, codes_of(self.problem, region, column))
                }
                None => [None, None],
            };
            let codes = histogram.column(column);
            let (left, right) = region.iter().partition(|&&index| codes[index as usize] <= median);
            return ControlFlow::Continue(Some((vec![(left, left_box), (right, right_box)], least)));
        }
        ControlFlow::Continue(None)
    }

    /// The cut of a box after the median of a region, if it is permitted.
    fn after(&self, region: &[u32], column: usize, median: Code, cut_box: &CutBox) -> Option<Split> {
        let Some(limited) = self.boxes.limited(column) else { return Some(Split::At(median + 1)) };
        let codes = codes_of(self.problem, region, column);
        let last = codes.clone().filter(|&code| code <= median).max()?;
        let first = codes.filter(|&code| code > median).min()?;
        let values = limited.tree.set(codes_of(self.problem, region, column));
        let is_permitted = |split: &Split| split.is_permitted(&self.boxes, cut_box, column, &values);
        limited.between(last, first).map(Split::At).find(is_permitted)
    }

    /// Cuts a region into the labels below the finest label around it, if each part has at least k
    /// counted people.
    fn part_by_labels(&self, region: &[u32], column: usize, cut_box: Option<&CutBox>) -> Option<Parts> {
        let (codes, hierarchy) = (self.problem.histogram().column(column), self.problem.hierarchy(column));
        let level = hierarchy.parting_level(region.iter().map(|&index| codes[index as usize]))?;
        let label = |index: u32| hierarchy.labels_of(level)[codes[index as usize] as usize];
        let mut by_label = region.to_vec();
        by_label.sort_by_key(|&index| label(index));
        let parts = by_label.chunk_by(|&left, &right| label(left) == label(right));
        let least = parts.clone().map(|part| of(people(self.problem, part), self.rows)).min()?;
        if least < self.k {
            return None;
        }
        Some((parts.map(|part| (part.to_vec(), cut_box.cloned())).collect(), least))
    }

    /// The counted people of a region by their value in a column, in ascending order of values.
    fn values(&mut self, region: &[u32], column: usize) -> Vec<(Code, u64)> {
        let (codes, counts) = (self.problem.histogram().column(column), self.problem.histogram().counts());
        let mut values: Vec<(Code, u64)> = Vec::new();
        for &index in region {
            let (code, people) = (codes[index as usize], of(counts[index as usize], self.rows));
            if people == 0 {
                continue;
            }
            let sum = &mut self.by_code[code as usize];
            if *sum == 0 {
                values.push((code, 0));
            }
            *sum += people;
        }
        values.sort_unstable_by_key(|(code, _)| *code);
        for (code, people) in &mut values {
            *people = std::mem::take(&mut self.by_code[*code as usize]);
        }
        // A wide table has many columns, possibly with few values each.
        if region.len() > MANY {
            values.shrink_to_fit();
        }
        values
    }
}

/// The least value up to which at least half of the people lie, and the number of people up to it.
fn median(values: &[(Code, u64)], people: u64) -> Option<(Code, u64)> {
    let mut below = 0;
    values.iter().find_map(|&(code, here)| {
        below += here;
        (below * 2 >= people).then_some((code, below))
    })
}

/// The people that k counts.
fn of(counts: Counts, rows: Rows) -> u64 {
    match rows {
        Rows::Private => counts.private,
        Rows::Public => counts.public,
    }
}

fn codes_of(problem: &Problem, region: &[u32], column: usize) -> impl Iterator<Item = Code> + Clone {
    let codes = problem.histogram().column(column);
    region.iter().map(move |&index| codes[index as usize])
}

fn people(problem: &Problem, region: &[u32]) -> Counts {
    region.iter().map(|&index| problem.histogram().counts()[index as usize]).sum()
}
