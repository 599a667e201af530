//! Audits of MPALM's nine and of `best`: for each region, all its cuts were rejected. For the nine,
//! the choice of the split that made the region is examined, too.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::event::{Limits, Rejection};
use super::parents::{Parent, Parents};
use super::result::{Audit, AuditConfig, AuditMethod, Finding, Kind, Posterior, binomial, of_partition};
use super::sampler::Sampler;
use crate::Step;
use crate::control::worker_pool::WorkerPool;
use crate::regions::cut_boxes::BoxRules;
use palmtop_core::model::{Partition, Problem, size};

/// The largest number of members of a region whose sets of members are enumerated.
const MOST_MEMBERS: u64 = 3;
/// The largest number of sets of members that are enumerated.
const MOST_SETS: f64 = 300_000.0;
/// The largest work for a region.
const MOST_WORK: u64 = 200_000_000;
/// The largest work for the choice of a region's parent.
const MOST_PARENT_WORK: u64 = 50_000_000;

/// Computes, for each region, the posteriors given that every cut was rejected. If the splits are
/// known, it also computes them given that the parent's split was chosen.
///
/// Which cuts a limit of terms permits depends on the cut box of the region. Without the splits, it is
/// unknown, and cuts of limited columns are left out.
pub(super) fn rejected_cuts(
    problem: &Problem,
    partition: &Partition,
    parents: Option<&Parents>,
    how: AuditConfig,
    pool: &WorkerPool,
) -> Option<Audit> {
    let boxes = BoxRules::of(problem);
    let regions = of_partition(problem, partition);
    let total = regions.len() as u64;
    let done = AtomicU64::new(0);
    let find = |(number, region): (usize, &Vec<u32>)| {
        let before = done.fetch_add(1, Ordering::Relaxed);
        pool.report(Step::of(before, total)).continue_value()?;
        let random = |half: u64| {
            let mut random = ChaCha8Rng::seed_from_u64(how.seed);
            random.set_stream(2 * number as u64 + half);
            random
        };
        let cut_box = parents.and_then(|parents| parents.cut_box_of(region));
        let audit = RegionAudit::of(problem, region, (&boxes, cut_box));
        let finding_of_region = audit.find(&mut random(0), how.draws, pool).continue_value()?;
        let parent = match parents.and_then(|parents| parents.parent_of(problem, region, &boxes)) {
            Some(parent) if !matches!(finding_of_region.kind, Kind::WithCut) => {
                audit.find_with(&parent, &mut random(1), how.draws, pool).continue_value()?
            }
            _ => None,
        };
        Some((finding_of_region, parent))
    };
    let findings: Vec<Option<(Finding, Option<Vec<Posterior>>)>> =
        regions.par_iter().enumerate().map(find).collect();
    let mut audit = Audit::of(AuditMethod::RejectedCuts, problem, &regions);
    for (region, finding) in regions.iter().zip(findings) {
        let (finding_of_region, parent) = finding?;
        audit.take(problem, region, &finding_of_region, parent.as_deref());
    }
    Some(audit)
}

/// A region, every cut of which was rejected.
pub(super) struct RegionAudit<'a> {
    problem: &'a Problem,
    rejection: Rejection,
}

impl<'a> RegionAudit<'a> {
    pub(super) fn of(problem: &'a Problem, region: &[u32], limits: Limits) -> Self {
        Self { problem, rejection: Rejection::of_every_cut(problem, region, limits) }
    }

    fn sampler(&self) -> Sampler {
        let people = self.rejection.counts.iter().map(|counts| counts.public).collect();
        Sampler::of(self.problem.delta(), people)
    }

    /// The posteriors given that no cut of the region is valid.
    pub(super) fn find(
        &self,
        random: &mut ChaCha8Rng,
        draws: u64,
        pool: &WorkerPool,
    ) -> ControlFlow<(), Finding> {
        let mut tally = Vec::new();
        let finding = |kind, posteriors| ControlFlow::Continue(Finding { kind, posteriors });
        if !self.rejection.happens(&self.rejection.members(), &mut tally) {
            return finding(Kind::WithCut, Vec::new());
        }
        if self.is_small() {
            return finding(Kind::Exact, self.exact(&mut tally));
        }
        let (people, chosen) = (self.rejection.people(), size::index(self.rejection.total.private));
        let mut sampler = self.sampler();
        for draw in 0..draws.min(MOST_WORK / self.rejection.work().max(1)) {
            if sampler.go_on().is_break() {
                break;
            }
            if draw % 256 == 0 {
                pool.go_on()?;
            }
            let sample = index::sample(random, people.len(), chosen);
            let members: Vec<u32> = sample.iter().map(|person| people[person]).collect();
            if self.rejection.happens(&members, &mut tally) {
                sampler.take(&members);
            }
        }
        match sampler.posteriors() {
            Some(posteriors) => finding(Kind::Sampled, posteriors),
            None => finding(Kind::TooRare, Vec::new()),
        }
    }

    /// The posteriors given that no cut of the region is valid, and that its parent chose the cut
    /// that made it; `None` if that is too rare to sample.
    pub(super) fn find_with(
        &self,
        parent: &Parent,
        random: &mut ChaCha8Rng,
        draws: u64,
        pool: &WorkerPool,
    ) -> ControlFlow<(), Option<Vec<Posterior>>> {
        let mut tally = Vec::new();
        let mut sampler = self.sampler();
        let (people, chosen) = (self.rejection.people(), size::index(self.rejection.total.private));
        for draw in 0..draws.min(MOST_PARENT_WORK / (parent.chosen.work() + self.rejection.work()).max(1)) {
            if sampler.go_on().is_break() {
                break;
            }
            if draw % 64 == 0 {
                pool.go_on()?;
            }
            let sample = index::sample(random, people.len(), chosen);
            let members: Vec<u32> = sample.iter().map(|person| people[person]).collect();
            if self.rejection.happens(&members, &mut tally)
                && parent.chosen.happens(&parent.draw(&members, random), &mut tally)
            {
                sampler.take(&members);
            }
        }
        ControlFlow::Continue(sampler.posteriors())
    }

    /// Whether all sets of members can be enumerated.
    #[expect(clippy::cast_precision_loss, reason = "a rough number")]
    fn is_small(&self) -> bool {
        let members = self.rejection.total.private;
        let sets: f64 = (0..members)
            .map(|index| (self.rejection.counts.len() as u64 + index) as f64 / (index + 1) as f64)
            .product();
        members <= MOST_MEMBERS && sets <= MOST_SETS
    }

    /// Enumerates every set of members.
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts up to some hundred thousands, and their quotients"
    )]
    fn exact(&self, tally: &mut Vec<u64>) -> Vec<Posterior> {
        let counts = &self.rejection.counts;
        let (mut total, mut sums) = (0.0, vec![0.0; counts.len()]);
        let mut members = vec![0_u32; size::index(self.rejection.total.private)];
        let last = size::number(counts.len()) - 1;
        loop {
            // Each multiset of combinations once, weighted by its number of sets of people.
            let mut ways = 1.0;
            for some in members.chunk_by(|left, right| left == right) {
                ways *= binomial(counts[some[0] as usize].public, some.len() as u64);
            }
            if ways > 0.0 && self.rejection.happens(&members, tally) {
                total += ways;
                for &member in &members {
                    sums[member as usize] += ways;
                }
            }
            let Some(index) = members.iter().rposition(|&member| member < last) else { break };
            let next = members[index] + 1;
            members[index..].fill(next);
        }
        let posteriors = sums.iter().zip(counts);
        posteriors
            .map(|(sum, counts)| Posterior { mean: sum / total / counts.public as f64, error: 0.0 })
            .collect()
    }
}
