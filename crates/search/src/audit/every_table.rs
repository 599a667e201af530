//! Tables with few possible T's: the search runs on all of them, and the posteriors are exact.

use super::result::{Audit, AuditMethod, Finding, Kind, Posterior, binomial, regions_of};
use crate::control::worker_pool::WorkerPool;
use crate::{Config, Strategy, run};
use palmtop_core::model::{Classes, Counts, Label, Problem, Recoding, size};
use palmtop_core::progress::unwatched;

/// The largest number of possible T's for which all are run.
const FEW: u128 = 5_000;

/// Whether there are so few T's of this size that all are run.
pub(super) fn is_small(total: Counts) -> bool {
    let chosen = total.private.min(total.public - total.private);
    let mut ways: u128 = 1;
    (0..chosen).all(|index| {
        ways = ways * u128::from(total.public - index) / u128::from(index + 1);
        ways <= FEW
    })
}

/// Runs the search on every possible T, and computes the posteriors from those with the same
/// release.
#[expect(clippy::cast_precision_loss, reason = "counts up to some thousands")]
pub(super) fn every_table(
    problem: &Problem,
    strategy: Strategy,
    recoding: &Recoding,
    config: &Config,
    pool: &WorkerPool,
) -> Option<Audit> {
    let units = problem.unit_counts();
    let release = published(problem, recoding);
    let (mut same, mut sums) = (0.0, vec![0.0; units.len()]);
    let people: Vec<u64> = units.iter().map(|counts| counts.public).collect();
    for members in every_count(&people, problem.total().private) {
        if pool.go_on().is_break() {
            return None;
        }
        let other = problem.with_members(&members).ok()?;
        let (found, _) = run(strategy, &other, config, &mut unwatched);
        if found.is_some_and(|found| published(&other, &found) == release) {
            let ways: f64 =
                units.iter().zip(&members).map(|(counts, &k)| binomial(counts.public, k)).product();
            same += ways;
            sums.iter_mut().zip(&members).for_each(|(sum, &k)| *sum += ways * k as f64);
        }
    }
    let regions = regions_of(problem, recoding);
    if same <= 0.0 {
        // The run could not be repeated.
        return Some(Audit::of(AuditMethod::None, problem, &regions));
    }
    let posteriors = sums.iter().zip(units).map(|(sum, counts)| {
        let mean = sum / same / counts.public as f64;
        Posterior { mean, error: 0.0 }
    });
    let finding = Finding { kind: Kind::Exact, posteriors: posteriors.collect() };
    let everybody: Vec<u32> = (0..size::number(units.len())).collect();
    let mut audit = Audit::of(AuditMethod::EveryTable, problem, &regions);
    audit.take(problem, &everybody, &finding, None);
    Some(audit)
}

/// The content of a release: the labels of its published classes, with their numbers of members.
pub(super) fn published(problem: &Problem, recoding: &Recoding) -> Vec<(Vec<Label>, u64)> {
    let classes = Classes::of(problem, recoding);
    let published = classes.iter().filter(|class| class.counts.private > 0);
    let mut shown: Vec<(Vec<Label>, u64)> =
        published.map(|class| (class.labels, class.counts.private)).collect();
    shown.sort();
    shown
}

/// Every way to distribute members among units with these numbers of people.
pub(crate) fn every_count(people: &[u64], members: u64) -> Vec<Vec<u64>> {
    let mut ways = vec![(Vec::new(), members)];
    for (index, &most) in people.iter().enumerate() {
        let after: u64 = people[index + 1..].iter().sum();
        ways = ways
            .into_iter()
            .flat_map(|(way, left): (Vec<u64>, u64)| {
                (left.saturating_sub(after)..=left.min(most)).map(move |count| {
                    let mut way = way.clone();
                    way.push(count);
                    (way, left - count)
                })
            })
            .collect();
    }
    ways.into_iter().map(|(way, _)| way).collect()
}
