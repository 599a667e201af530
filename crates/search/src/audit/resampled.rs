//! Audits of releases with a node: T's are drawn within its classes, and those are kept for which
//! the search gives the same release.

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::result::{Audit, AuditConfig, AuditMethod, Finding, Kind, Posterior, of_classes};
use super::sampler::Sampler;
use crate::control::pace::Pace;
use crate::control::worker_pool::WorkerPool;
use crate::nodes::spalm::spalm_at;
use crate::{Config, Step, Strategy, run};
use palmtop_core::model::{Classes, Problem, Recoding, size};

/// The number of draws between two checks whether they suffice.
const BATCH: u64 = 64;
/// The largest number of draws for SPALM; each draw is a search.
const MOST_DRAWS: u64 = 4_096;
/// The largest number of draws for a longer search, `best`.
const MOST_LONG_DRAWS: u64 = 256;

/// Computes the posteriors given the released node and the counts of its classes.
///
/// Every T with the same release has the same number of members in each class. So T is uniform
/// within each class, conditioned on the search's choice of this node.
pub(super) fn resampled(
    problem: &Problem,
    strategy: Strategy,
    recoding: &Recoding,
    config: &Config,
    how: AuditConfig,
    pool: &WorkerPool,
) -> Option<Audit> {
    let classes = Classes::of(problem, recoding);
    let mut people: Vec<Vec<u32>> = vec![Vec::new(); classes.len()];
    for ((unit, &class), counts) in (0..).zip(&classes.class_of).zip(problem.unit_counts()) {
        if classes.counts(class).private > 0 {
            people[class as usize].extend((0..counts.public).map(|_| unit));
        }
    }
    let is_spalm = strategy == Strategy::Spalm;
    let sample = |draw: u64| -> Vec<u32> {
        let mut random = ChaCha8Rng::seed_from_u64(how.seed);
        random.set_stream(draw);
        let classes = people.iter().zip(classes.all_counts());
        classes
            .flat_map(|(people, counts)| {
                let chosen = size::index(counts.private);
                let members = index::sample(&mut random, people.len(), chosen).into_iter();
                members.map(|person| people[person]).collect::<Vec<u32>>()
            })
            .collect()
    };
    let kept = |draw: u64| -> Option<Vec<u32>> {
        pool.go_on().continue_value()?;
        let members = sample(draw);
        let mut counts = vec![0; problem.unit_counts().len()];
        for &member in &members {
            counts[member as usize] += 1;
        }
        let other = problem.with_members(&counts).ok()?;
        let again = if is_spalm {
            // On this thread: a search with a pool of its own would wait for this pool.
            spalm_at(&other, config, &mut Pace::new(&mut |_| pool.go_on(), 0)).0
        } else {
            run(strategy, &other, config, &mut |_| pool.go_on()).0
        };
        (again.as_ref() == Some(recoding)).then_some(members)
    };
    let counts = problem.unit_counts().iter();
    let mut sampler = Sampler::of(problem.delta(), counts.map(|counts| counts.public).collect());
    let most = how.draws.min(if is_spalm { MOST_DRAWS } else { MOST_LONG_DRAWS });
    let mut draws = 0;
    while draws < most && sampler.go_on().is_continue() {
        pool.report(Step::of(draws, most)).continue_value()?;
        let batch = draws..(draws + BATCH).min(most);
        draws = batch.end;
        let found: Vec<Option<Vec<u32>>> =
            if is_spalm { batch.into_par_iter().map(kept).collect() } else { batch.map(kept).collect() };
        found.iter().flatten().for_each(|members| sampler.take(members));
    }
    pool.go_on().continue_value()?;
    let regions = of_classes(&classes);
    let mut audit =
        Audit { draws, had: sampler.had(), ..Audit::of(AuditMethod::Resampled, problem, &regions) };
    let posteriors = sampler.posteriors();
    for region in &regions {
        let of_region = |posteriors: &Vec<Posterior>| {
            region.iter().map(|&unit| posteriors[unit as usize]).collect::<Vec<Posterior>>()
        };
        let finding = match &posteriors {
            Some(all) => Finding { kind: Kind::Sampled, posteriors: of_region(all) },
            None => Finding { kind: Kind::TooRare, posteriors: Vec::new() },
        };
        audit.take(problem, region, &finding, None);
    }
    Some(audit)
}
