//! Baseline: strict Mondrian, multi-dimensional k-anonymity that does not look at δ (`LeFevre` and others 2006).

use std::cell::Cell;
use std::ops::ControlFlow;

use super::limits::{at_the_finest, blocks_of};
use super::pace::Pace;
use super::{Config, Observer, Rows, SearchReport, Step, StopReason};
use palmtop_core::model::size;
use palmtop_core::model::{Code, Counts, Cuts, Partition, Problem, Recoding};

/// For k = 1, 2, 3, …: the partition of strict Mondrian; the first that satisfies the policy. With `config.k`, that k's partition
/// whatever its verdict.
///
/// k counts the rows of T or of P. A region is cut at the median of the counted people into the values up to it and those
/// above, in the quasi-identifier in which they spread widest (the range of numbers and dates, the distinct values of
/// categories, as a share of the leaves; ties in project order) of those where both halves keep k counted people. Equal
/// values never come apart. Another k makes another partition only once it is above the smallest half that was made, so
/// the ks between are skipped; a cut stays as it is for a larger k, as long as its parts keep that. Of what is cut between labels only, the finest label around the people goes into all that are
/// under it, where each keeps k; what may not be cut is left whole. O(n·m) a level of the tree for n combinations and m quasi-identifiers, for each k tried.
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
    // Where nothing was cut, the one region has presence |T|/|P|, which is feasible.
    while let Some(least) = tree.least().filter(|_| config.k.is_none() && !tree.is_allowed(problem)) {
        cutting.k = least + 1;
        match cutting.cut_anew(tree) {
            ControlFlow::Continue(next) => tree = next,
            ControlFlow::Break(()) => return (None, report(None, StopReason::Cancelled)),
        }
    }
    let regions: Vec<Vec<u32>> = tree.into_regions();
    (
        Some(Recoding::Regions(Partition::of_regions(problem, &regions))),
        report(Some(cutting.k), StopReason::Done),
    )
}

/// From so many rows on, the values of a column take no more memory than they need.
const MANY: usize = 1 << 14;

/// What it costs to sort the values of a row, in look-ups.
const SORTING: usize = 16;

/// A partition with the cuts that led to it: each cut comes before its parts, and a part before those to its right.
///
/// A cut stays as it is for every k up to its smallest part: the columns before its own have smaller parts, for this k as for a
/// larger one. So the next k cuts only those regions anew whose smallest part is below it.
#[derive(Debug, Default)]
struct Tree {
    entries: Vec<Entry>,
    /// The cuts some parts of which are still to come: the entry, and how many parts.
    open: Vec<(usize, usize)>,
}

/// A cut or a region.
#[derive(Debug)]
enum Entry {
    /// A region that is cut: the counted people of its smallest part, and the entry behind all of its parts.
    Cut { least: u64, parts: usize, end: usize },
    /// A region that is not, and whether it satisfies the policy, once that was asked.
    Region { combinations: Vec<u32>, is_allowed: Cell<Option<bool>> },
}

impl Tree {
    /// Adds a cut, of which the parts come next.
    fn push_cut(&mut self, least: u64, parts: usize) {
        self.open.push((self.entries.len(), parts));
        self.entries.push(Entry::Cut { least, parts, end: 0 });
    }

    /// Adds a region; cuts of which it is the last part are complete.
    fn push_region(&mut self, region: Entry) {
        self.entries.push(region);
        while let Some((cut, left)) = self.open.last_mut() {
            *left -= 1;
            if *left > 0 {
                break;
            }
            let behind = self.entries.len();
            if let Entry::Cut { end, .. } = &mut self.entries[*cut] {
                *end = behind;
            }
            self.open.pop();
        }
    }

    /// The counted people of the smallest part of all cuts; `None` without cuts.
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
            Entry::Region { combinations, is_allowed } => is_allowed.get().unwrap_or_else(|| {
                let class = problem.class_data(people(problem, combinations), combinations.iter().copied());
                let holds = problem.policy().allows(class);
                is_allowed.set(Some(holds));
                holds
            }),
        })
    }

    /// The combinations of each region, in order.
    fn into_regions(self) -> Vec<Vec<u32>> {
        let region = |entry| match entry {
            Entry::Cut { .. } => None,
            Entry::Region { combinations, .. } => Some(combinations),
        };
        self.entries.into_iter().filter_map(region).collect()
    }
}

/// The combinations of each part of a region, and the counted people of the smallest.
type Parts = (Vec<Vec<u32>>, u64);

/// One partition in the making.
struct Cutting<'a, 'p, 'o> {
    problem: &'a Problem,
    rows: Rows,
    k: u64,
    pace: &'a mut Pace<'p, 'o>,
    /// The counted people of each value of one column; all 0 between two uses.
    by_code: Vec<u64>,
}

/// How the counted people of a region spread in one column.
struct Spread {
    width: u64,
    /// What the width is a share of.
    whole: u64,
    column: usize,
    values: Vec<(Code, u64)>,
}

impl<'a, 'p, 'o> Cutting<'a, 'p, 'o> {
    fn new(problem: &'a Problem, rows: Rows, k: u64, pace: &'a mut Pace<'p, 'o>) -> Self {
        let leaves = (0..problem.quasi().len()).map(|column| problem.hierarchy(column).leaf_count()).max();
        Self { problem, rows, k, pace, by_code: vec![0; leaves.unwrap_or(0)] }
    }

    /// Cuts everybody.
    fn cut_all(&mut self, tree: &mut Tree) -> ControlFlow<()> {
        let all = 0..size::number(self.problem.histogram().len());
        blocks_of(self.problem, all.collect()).into_iter().try_for_each(|block| self.cut_down(block, tree))
    }

    /// The tree for this k, from that of a smaller one.
    fn cut_anew(&mut self, old: Tree) -> ControlFlow<(), Tree> {
        let mut tree = Tree::default();
        let mut entries = old.entries.into_iter();
        let mut place = 0;
        while let Some(entry) = entries.next() {
            place += 1;
            match entry {
                Entry::Cut { least, end, .. } if least < self.k => {
                    let below = entries.by_ref().take(end - place);
                    let region: Vec<u32> = below
                        .flat_map(|entry| match entry {
                            Entry::Cut { .. } => Vec::new(),
                            Entry::Region { combinations, .. } => combinations,
                        })
                        .collect();
                    place = end;
                    self.cut_down(region, &mut tree)?;
                }
                Entry::Cut { least, parts, .. } => tree.push_cut(least, parts),
                Entry::Region { .. } => tree.push_region(entry),
            }
        }
        ControlFlow::Continue(tree)
    }

    /// Cuts a region and its parts to the end.
    fn cut_down(&mut self, region: Vec<u32>, tree: &mut Tree) -> ControlFlow<()> {
        let mut waiting = vec![region];
        while let Some(region) = waiting.pop() {
            let total = of(self.problem.histogram().total(), self.rows);
            self.pace.tell(Step::of(self.k, total))?;
            if let Some((parts, least)) = self.cut(&region)? {
                tree.push_cut(least, parts.len());
                waiting.extend(parts.into_iter().rev());
            } else {
                tree.push_region(Entry::Region { combinations: region, is_allowed: Cell::new(None) });
            }
        }
        ControlFlow::Continue(())
    }

    /// The parts of a region, if it can be cut.
    fn cut(&mut self, region: &[u32]) -> ControlFlow<(), Option<Parts>> {
        let histogram = self.problem.histogram();
        let counted = of(people(self.problem, region), self.rows);
        if counted / 2 < self.k {
            return ControlFlow::Continue(None);
        }
        // By width, widest first; both widths are over the same kind of denominator, so shares are compared exactly.
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
            columns.push(Spread { width, whole: leaves.saturating_sub(1).max(1), column, values });
        }
        columns.sort_by(|left, right| {
            let (left_share, right_share) = (left.width * right.whole, right.width * left.whole);
            right_share.cmp(&left_share).then_with(|| left.column.cmp(&right.column))
        });
        for Spread { column, values, .. } in columns {
            match self.problem.cuts(column) {
                Cuts::Values => {}
                Cuts::Never => continue,
                Cuts::Labels => {
                    let Some(parts) = self.part_by_labels(region, column) else { continue };
                    return ControlFlow::Continue(Some(parts));
                }
            }
            let Some((median, left)) = median(&values, counted) else { continue };
            let least = left.min(counted - left);
            if least < self.k {
                continue;
            }
            let codes = histogram.column(column);
            let (left, right) = region.iter().partition(|&&index| codes[index as usize] <= median);
            return ControlFlow::Continue(Some((vec![left, right], least)));
        }
        ControlFlow::Continue(None)
    }

    /// A region cut into the labels under the finest around it, if each part keeps k counted people.
    fn part_by_labels(&self, region: &[u32], column: usize) -> Option<Parts> {
        let (codes, hierarchy) = (self.problem.histogram().column(column), self.problem.hierarchy(column));
        let level = hierarchy.parting_level(region.iter().map(|&index| codes[index as usize]))?;
        let label = |index: u32| hierarchy.labels_of(level)[codes[index as usize] as usize];
        let mut by_label = region.to_vec();
        by_label.sort_by_key(|&index| label(index));
        let parts = by_label.chunk_by(|&one, &other| label(one) == label(other));
        let least = parts.clone().map(|part| of(people(self.problem, part), self.rows)).min()?;
        if least < self.k {
            return None;
        }
        Some((parts.map(<[u32]>::to_vec).collect(), least))
    }

    /// The counted people of a region by their value in a column, in the order of values.
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
        // A wide table has many columns, perhaps of few values each.
        if region.len() > MANY {
            values.shrink_to_fit();
        }
        values
    }
}

/// The value up to which at least half of the people lie, with how many do.
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

fn people(problem: &Problem, region: &[u32]) -> Counts {
    region.iter().map(|&index| problem.histogram().counts()[index as usize]).sum()
}
