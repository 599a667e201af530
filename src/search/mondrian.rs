//! Baseline: strict Mondrian, multi-dimensional k-anonymity that does not look at δ (`LeFevre` and others 2006).

use std::ops::ControlFlow;

use super::limits::{at_the_finest, blocks_of};
use super::pace::Pace;
use super::{Config, Observer, Rows, SearchReport, Step, StopReason};
use crate::model::size;
use crate::model::{Code, Counts, Cuts, Partition, Problem, Recoding};

/// For k = 1, 2, 3, …: the partition of strict Mondrian; the first that satisfies the policy. With `config.k`, that k's partition
/// whatever its verdict.
///
/// k counts the rows of T or of P. A region is cut at the median of the counted people into the values up to it and those
/// above, in the quasi-identifier in which they spread widest (the range of numbers and dates, the distinct values of
/// categories, as a share of the leaves; ties in project order) of those where both halves keep k counted people. Equal
/// values never come apart. Another k makes another partition only once it is above the smallest half that was made, so
/// the ks between are skipped. Of what is cut between labels only, the finest label around the people goes into all that are
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
    let mut k = config.k.unwrap_or(1);
    if k > total {
        return (None, report(Some(k), StopReason::None));
    }
    loop {
        let step = Step::of(k, total);
        let mut pace = Pace::new(observer, total);
        let mut cutting = Cutting { problem, rows, k, least: None, step, pace: &mut pace };
        let ControlFlow::Continue(regions) = cutting.regions() else {
            return (None, report(None, StopReason::Cancelled));
        };
        let least = cutting.least;
        let is_allowed = |region: &Vec<u32>| {
            let class = problem.class_data(people(problem, region), region.iter().copied());
            problem.policy().allows(class)
        };
        let is_present = || regions.iter().all(is_allowed);
        // Where nothing was cut, the one region has presence |T|/|P|, which is feasible.
        match least {
            Some(least) if config.k.is_none() && !is_present() => k = least + 1,
            _ => {
                return (
                    Some(Recoding::Regions(Partition::of_regions(problem, &regions))),
                    report(Some(k), StopReason::Done),
                );
            }
        }
    }
}

/// From so many rows on, the values of a column take no more memory than they need.
const MANY: usize = 1 << 14;

/// The combinations of each part of a region.
type Parts = Vec<Vec<u32>>;

/// What it costs to sort the values of a row, in look-ups.
const SORTING: usize = 16;

/// One partition in the making.
struct Cutting<'a, 'p, 'o> {
    problem: &'a Problem,
    rows: Rows,
    k: u64,
    /// The counted people of the smallest half so far.
    least: Option<u64>,
    step: Step,
    pace: &'a mut Pace<'p, 'o>,
}

/// How the counted people of a region spread in one column.
struct Spread {
    width: u64,
    /// What the width is a share of.
    whole: u64,
    column: usize,
    values: Vec<(Code, u64)>,
}

impl Cutting<'_, '_, '_> {
    /// The regions, as the combinations of each.
    fn regions(&mut self) -> ControlFlow<(), Vec<Vec<u32>>> {
        let all = 0..size::number(self.problem.histogram().len());
        let (mut waiting, mut regions) = (blocks_of(self.problem, all.collect()), Vec::new());
        waiting.reverse();
        while let Some(region) = waiting.pop() {
            self.pace.tell(self.step)?;
            match self.cut(&region)? {
                Some(parts) => waiting.extend(parts.into_iter().rev()),
                None => regions.push(region),
            }
        }
        ControlFlow::Continue(regions)
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
            self.least = Some(self.least.map_or(least, |known| known.min(least)));
            let codes = histogram.column(column);
            let (left, right) = region.iter().partition(|&&index| codes[index as usize] <= median);
            return ControlFlow::Continue(Some(vec![left, right]));
        }
        ControlFlow::Continue(None)
    }

    /// A region cut into the labels under the finest around it, if each part keeps k counted people.
    fn part_by_labels(&mut self, region: &[u32], column: usize) -> Option<Parts> {
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
        self.least = Some(self.least.map_or(least, |known| known.min(least)));
        Some(parts.map(<[u32]>::to_vec).collect())
    }

    /// The counted people of a region by their value in a column, in the order of values.
    fn values(&self, region: &[u32], column: usize) -> Vec<(Code, u64)> {
        let histogram = self.problem.histogram();
        let mut values: Vec<(Code, u64)> = region
            .iter()
            .map(|&index| {
                let index = index as usize;
                (histogram.column(column)[index], of(histogram.counts()[index], self.rows))
            })
            .filter(|(_, people)| *people > 0)
            .collect();
        values.sort_unstable_by_key(|(code, _)| *code);
        values.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
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
