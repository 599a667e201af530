//! MPALM's nine and `best`: of each region that all of its cuts were rejected; of the nine also that the split that made it
//! was chosen.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::super::Step;
use super::super::worker_pool::WorkerPool;
use super::event::Rejection;
use super::parents::{Parent, Parents};
use super::sampler::Sampler;
use super::{Audit, AuditConfig, AuditMethod, Finding, Kind, Posterior, binomial, of_partition};
use palmtop_core::model::{Partition, Problem, size};

/// Up to so many members, and so many possible sets of them, a region's are all gone through.
const MOST_MEMBERS: u64 = 3;
const MOST_SETS: f64 = 300_000.0;
/// So much work is done in a region, and for the choice of its parent.
const MOST_WORK: u64 = 200_000_000;
const MOST_PARENT_WORK: u64 = 50_000_000;

/// For each region the posterior given that every cut of it was rejected; and, where the splits are known, given also that
/// the one that made it was chosen.
pub(super) fn rejected_cuts(
    problem: &Problem,
    partition: &Partition,
    parents: Option<&Parents>,
    how: AuditConfig,
    pool: &WorkerPool,
) -> Option<Audit> {
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
        let audit = RegionAudit::of(problem, region);
        let own = audit.find(&mut random(0), how.draws, pool).continue_value()?;
        let parent = match parents.and_then(|parents| parents.parent_of(problem, region)) {
            Some(parent) if !matches!(own.kind, Kind::WithCut) => {
                audit.find_with(&parent, &mut random(1), how.draws, pool).continue_value()?
            }
            _ => None,
        };
        Some((own, parent))
    };
    let findings: Vec<Option<(Finding, Option<Vec<Posterior>>)>> =
        regions.par_iter().enumerate().map(find).collect();
    let mut audit = Audit::of(AuditMethod::RejectedCuts, problem, &regions);
    for (region, finding) in regions.iter().zip(findings) {
        let (own, parent) = finding?;
        audit.take(problem, region, &own, parent.as_deref());
    }
    Some(audit)
}

/// A region, of which every cut was rejected.
pub(super) struct RegionAudit<'a> {
    problem: &'a Problem,
    own: Rejection,
}

impl<'a> RegionAudit<'a> {
    pub(super) fn of(problem: &'a Problem, region: &[u32]) -> Self {
        Self { problem, own: Rejection::of_every_cut(problem, region) }
    }

    fn sampler(&self) -> Sampler {
        let people = self.own.counts.iter().map(|counts| counts.public).collect();
        Sampler::of(self.problem.delta(), people)
    }

    /// The posteriors given that no cut is valid.
    pub(super) fn find(
        &self,
        random: &mut ChaCha8Rng,
        draws: u64,
        pool: &WorkerPool,
    ) -> ControlFlow<(), Finding> {
        let mut tally = Vec::new();
        let finding = |kind, posteriors| ControlFlow::Continue(Finding { kind, posteriors });
        if !self.own.happens(&self.own.members(), &mut tally) {
            return finding(Kind::WithCut, Vec::new());
        }
        if self.is_small() {
            return finding(Kind::Exact, self.exact(&mut tally));
        }
        let (people, chosen) = (self.own.people(), size::index(self.own.total.private));
        let mut sampler = self.sampler();
        for draw in 0..draws.min(MOST_WORK / self.own.work().max(1)) {
            if sampler.go_on().is_break() {
                break;
            }
            if draw % 256 == 0 {
                pool.go_on()?;
            }
            let sample = index::sample(random, people.len(), chosen);
            let members: Vec<u32> = sample.iter().map(|person| people[person]).collect();
            if self.own.happens(&members, &mut tally) {
                sampler.take(&members);
            }
        }
        match sampler.posteriors() {
            Some(posteriors) => finding(Kind::Sampled, posteriors),
            None => finding(Kind::TooRare, Vec::new()),
        }
    }

    /// The posteriors given that no cut is valid, and that the region's parent chose the cut that made it; `None` where that
    /// is too rare to be sampled.
    pub(super) fn find_with(
        &self,
        parent: &Parent,
        random: &mut ChaCha8Rng,
        draws: u64,
        pool: &WorkerPool,
    ) -> ControlFlow<(), Option<Vec<Posterior>>> {
        let mut tally = Vec::new();
        let mut sampler = self.sampler();
        let (people, chosen) = (self.own.people(), size::index(self.own.total.private));
        for draw in 0..draws.min(MOST_PARENT_WORK / (parent.chosen.work() + self.own.work()).max(1)) {
            if sampler.go_on().is_break() {
                break;
            }
            if draw % 64 == 0 {
                pool.go_on()?;
            }
            let sample = index::sample(random, people.len(), chosen);
            let members: Vec<u32> = sample.iter().map(|person| people[person]).collect();
            if self.own.happens(&members, &mut tally)
                && parent.chosen.happens(&parent.draw(&members, random), &mut tally)
            {
                sampler.take(&members);
            }
        }
        ControlFlow::Continue(sampler.posteriors())
    }

    /// Whether all sets of members can be gone through.
    #[expect(clippy::cast_precision_loss, reason = "a rough number")]
    fn is_small(&self) -> bool {
        let members = self.own.total.private;
        let sets: f64 = (0..members)
            .map(|place| (self.own.counts.len() as u64 + place) as f64 / (place + 1) as f64)
            .product();
        members <= MOST_MEMBERS && sets <= MOST_SETS
    }

    /// Goes through every set of members.
    #[expect(
        clippy::cast_precision_loss,
        reason = "counts up to some hundred thousands, and their quotients"
    )]
    fn exact(&self, tally: &mut Vec<u64>) -> Vec<Posterior> {
        let counts = &self.own.counts;
        let (mut whole, mut sums) = (0.0, vec![0.0; counts.len()]);
        let mut members = vec![0_u32; size::index(self.own.total.private)];
        let last = size::number(counts.len()) - 1;
        loop {
            // Members in the order of combinations: each multiset once, weighing as many sets as there are.
            let mut ways = 1.0;
            for some in members.chunk_by(|one, other| one == other) {
                ways *= binomial(counts[some[0] as usize].public, some.len() as u64);
            }
            if ways > 0.0 && self.own.happens(&members, tally) {
                whole += ways;
                for &member in &members {
                    sums[member as usize] += ways;
                }
            }
            let Some(place) = members.iter().rposition(|&member| member < last) else { break };
            let next = members[place] + 1;
            members[place..].fill(next);
        }
        let posteriors = sums.iter().zip(counts);
        posteriors
            .map(|(sum, counts)| Posterior { mean: sum / whole / counts.public as f64, error: 0.0 })
            .collect()
    }
}
