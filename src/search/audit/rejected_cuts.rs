//! MPALM's nine and `best`: of each region the one event that all of its cuts were rejected.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::super::Step;
use super::super::tally::Judge;
use super::super::worker_pool::WorkerPool;
use super::{Audit, AuditConfig, AuditMethod, Finding, Kind, Posterior, binomial, of_partition};
use crate::model::{Code, Counts, Partition, Problem, size};

/// Up to so many members, and so many possible sets of them, a region's are all gone through.
const MOST_MEMBERS: u64 = 3;
const MOST_SETS: f64 = 300_000.0;
/// A region is sampled until so many draws had the event, or so much work was done.
const ENOUGH: u64 = 4_000;
const MOST_WORK: u64 = 200_000_000;
/// With fewer, it is too rare to be sampled.
const FEWEST: u64 = 30;

/// For each region the posterior given that every cut of it was rejected.
pub(super) fn rejected_cuts(
    problem: &Problem,
    partition: &Partition,
    how: AuditConfig,
    pool: &WorkerPool,
) -> Option<Audit> {
    let regions = of_partition(problem, partition);
    let total = regions.len() as u64;
    let done = AtomicU64::new(0);
    let find = |(number, region): (usize, &Vec<u32>)| {
        let before = done.fetch_add(1, Ordering::Relaxed);
        pool.report(Step::of(before, total)).continue_value()?;
        let mut random = ChaCha8Rng::seed_from_u64(how.seed);
        random.set_stream(number as u64);
        RegionAudit::of(problem, region).find(&mut random, how.draws, pool).continue_value()
    };
    let findings: Vec<Option<Finding>> = regions.par_iter().enumerate().map(find).collect();
    let mut audit = Audit::of(AuditMethod::RejectedCuts, problem, &regions);
    for (region, finding) in regions.iter().zip(findings) {
        audit.take(problem, region, &finding?);
    }
    Some(audit)
}

/// A region and its cuts, between neighbouring values of each quasi-identifier.
pub(super) struct RegionAudit {
    judge: Judge,
    counts: Vec<Counts>,
    total: Counts,
    columns: Vec<AuditColumn>,
}

/// A quasi-identifier in a region: the value of each combination as a number, and how many people have those up to each.
struct AuditColumn {
    value_of: Vec<u32>,
    below: Vec<u64>,
}

impl RegionAudit {
    pub(super) fn of(problem: &Problem, region: &[u32]) -> Self {
        let histogram = problem.histogram();
        let counts: Vec<Counts> = region.iter().map(|&place| histogram.counts()[place as usize]).collect();
        let column = |attribute: usize| {
            let codes = || region.iter().map(|&place| histogram.column(attribute)[place as usize]);
            let mut values: Vec<Code> = codes().collect();
            values.sort_unstable();
            values.dedup();
            let value_of: Vec<u32> = codes()
                .map(|code| size::number(values.binary_search(&code).unwrap_or_else(|place| place)))
                .collect();
            let mut below = vec![0; values.len()];
            for (&value, counts) in value_of.iter().zip(&counts) {
                below[value as usize] += counts.public;
            }
            for value in 1..below.len() {
                below[value] += below[value - 1];
            }
            AuditColumn { value_of, below }
        };
        let columns = (0..histogram.width()).map(column).filter(|column| column.below.len() > 1).collect();
        Self { judge: Judge::of(problem), total: counts.iter().copied().sum(), counts, columns }
    }

    /// Whether no cut is valid for these members, given as places of combinations, one for each.
    fn is_stuck(&self, members: &[u32], tally: &mut Vec<u64>) -> bool {
        self.columns.iter().all(|column| {
            tally.clear();
            tally.resize(column.below.len(), 0);
            for &member in members {
                tally[column.value_of[member as usize] as usize] += 1;
            }
            let mut left = 0;
            (0..column.below.len() - 1).all(|value| {
                left += tally[value];
                let half = Counts::new(column.below[value], left);
                let rest = Counts::new(self.total.public - half.public, self.total.private - left);
                !(self.judge.allows(half) && self.judge.allows(rest))
            })
        })
    }

    /// The posteriors given that no cut is valid.
    #[expect(clippy::cast_precision_loss, reason = "estimates")]
    pub(super) fn find(
        &self,
        random: &mut ChaCha8Rng,
        draws: u64,
        pool: &WorkerPool,
    ) -> ControlFlow<(), Finding> {
        let mut tally = Vec::new();
        let own: Vec<u32> = (0..)
            .zip(&self.counts)
            .flat_map(|(place, counts)| (0..counts.private).map(move |_| place))
            .collect();
        let finding = |kind, posteriors| ControlFlow::Continue(Finding { kind, posteriors });
        if !self.is_stuck(&own, &mut tally) {
            return finding(Kind::WithCut, Vec::new());
        }
        let sets: f64 = (0..self.total.private)
            .map(|place| (self.counts.len() as u64 + place) as f64 / (place + 1) as f64)
            .product();
        if self.total.private <= MOST_MEMBERS && sets <= MOST_SETS {
            return finding(Kind::Exact, self.exact(&mut tally));
        }
        // Each person's combination.
        let combination_of: Vec<u32> = (0..)
            .zip(&self.counts)
            .flat_map(|(place, counts)| (0..counts.public).map(move |_| place))
            .collect();
        let (mut sums, mut squares) = (vec![0_u64; self.counts.len()], vec![0_u64; self.counts.len()]);
        let mut had = 0_u64;
        let each = self.total.private * (self.columns.len() as u64 + 1)
            + self.columns.iter().map(|column| column.below.len() as u64).sum::<u64>();
        let most = draws.min(MOST_WORK / each.max(1));
        let mut counts = vec![0_u64; self.counts.len()];
        for draw in 0..most {
            if had >= ENOUGH {
                break;
            }
            if draw % 256 == 0 {
                pool.go_on()?;
            }
            let people = index::sample(random, combination_of.len(), own.len());
            let members: Vec<u32> = people.iter().map(|person| combination_of[person]).collect();
            if !self.is_stuck(&members, &mut tally) {
                continue;
            }
            had += 1;
            for &member in &members {
                counts[member as usize] += 1;
            }
            for &member in &members {
                let count = std::mem::take(&mut counts[member as usize]);
                sums[member as usize] += count;
                squares[member as usize] += count * count;
            }
        }
        if had < FEWEST {
            return finding(Kind::TooRare, Vec::new());
        }
        let posterior = |place: usize| {
            let people = self.counts[place].public as f64;
            let mean = sums[place] as f64 / had as f64;
            let variance = (squares[place] as f64 / had as f64 - mean * mean).max(0.0);
            Posterior { mean: mean / people, error: (variance / had as f64).sqrt() / people }
        };
        finding(Kind::Sampled, (0..self.counts.len()).map(posterior).collect())
    }

    /// Goes through every set of members.
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts up to some hundred thousands, and their quotients"
    )]
    fn exact(&self, tally: &mut Vec<u64>) -> Vec<Posterior> {
        let (mut whole, mut sums) = (0.0, vec![0.0; self.counts.len()]);
        let mut members = vec![0_u32; size::index(self.total.private)];
        let last = size::number(self.counts.len()) - 1;
        loop {
            // Members in the order of combinations: each multiset once, weighing as many sets as there are.
            let mut ways = 1.0;
            for some in members.chunk_by(|one, other| one == other) {
                ways *= binomial(self.counts[some[0] as usize].public, some.len() as u64);
            }
            if ways > 0.0 && self.is_stuck(&members, tally) {
                whole += ways;
                for &member in &members {
                    sums[member as usize] += ways;
                }
            }
            let Some(place) = members.iter().rposition(|&member| member < last) else { break };
            let next = members[place] + 1;
            members[place..].fill(next);
        }
        let posteriors = sums.iter().zip(&self.counts);
        posteriors
            .map(|(sum, counts)| Posterior { mean: sum / whole / counts.public as f64, error: 0.0 })
            .collect()
    }
}
