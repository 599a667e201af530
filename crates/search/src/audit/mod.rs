//! What a release tells an adversary who knows the algorithm: how many people one necessary event alone takes out of δ.
//!
//! Exact posteriors of a search over a whole table are out of reach. An audit looks at one event at a time that must have
//! happened before this release: that every cut of a region was rejected. The posterior given that event alone is a mean over
//! all T of the event. The whole release can move it in either direction, so a count is an indication and no bound; only
//! [`simulatable`](mod@super::simulatable) rules people out. If there are few possible T's, all of them are run, and the posterior
//! is exact.
//!
//! Prior throughout: uniform over all T ⊆ P of the size of T.

mod event;
mod every_table;
mod finding;
mod parents;
mod rejected_cuts;
mod replay;
mod resampled;
mod sampler;
mod words;
#[cfg(test)]
mod tests;

#[cfg(test)]
pub(super) use self::every_table::every_count;
use self::every_table::{every_table, is_small};
pub use self::finding::AuditFinding;
use self::parents::Parents;
use self::rejected_cuts::rejected_cuts;
pub use self::replay::is_transcript;
use self::replay::replayed;
use self::resampled::resampled;
use super::mpalm::Rules;
use super::simulatable::Span;
use super::worker_pool::watched;
use super::{Config, Family, Observer, Strategy};
use palmtop_core::model::{Counts, Delta, Histogram, Partition, Problem, Raised, Recoding};

/// What the roundings of a posterior may come to.
const ROUNDING: f64 = 1e-12;

/// How an audit was made, and so what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditMethod {
    /// The answers of `simulatable` alone make the release again, with another T in place of the true one; it asks nothing
    /// of which some answer would take anybody out of δ: exact.
    Replayed,
    /// Every possible T was run: exact.
    EveryTable,
    /// One event for each region, that its cuts were all rejected, and with it the choice of the split that made it: no bound
    /// on what the whole release tells.
    RejectedCuts,
    /// T's were drawn within the published classes, and those kept of which the search makes the release again: the
    /// posterior, but for its sampling.
    Resampled,
    /// There is no audit for this strategy on a table of this size, or where criteria look at sensitive values.
    None,
}

/// What an audit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// How it was made.
    pub method: AuditMethod,
    /// The regions with members.
    pub regions: u64,
    /// The people in them.
    pub people: u64,
    /// The regions that were gone through exactly.
    pub exact: u64,
    /// The regions that were sampled.
    pub sampled: u64,
    /// Regions whose event is too rare to be sampled.
    pub too_rare: u64,
    /// The members in those.
    pub too_rare_members: u64,
    /// Regions that still have a valid cut, and so tell nothing here.
    pub with_cut: u64,
    /// Regions for which the choice of the split that made them was looked at, too.
    pub parents: u64,
    /// The T's that were drawn of the whole table, and those that gave the same release.
    pub draws: u64,
    /// See [`draws`](Self::draws).
    pub had: u64,
    /// The questions that `simulatable` asked.
    pub offers: u64,
    /// The posteriors after every answer that was possible to those.
    pub span: Option<Span>,
    /// What leaves δ.
    pub beyond: Beyond,
    /// The people outside δ by the cuts of their own region alone.
    pub beyond_by_own: u64,
    /// The highest posterior, and how many people have it.
    pub worst: Option<(f64, u64)>,
}

/// What leaves δ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// Regions with somebody beyond.
    pub regions: u64,
    /// People whose posterior is above δmax or below δmin.
    pub people: u64,
    /// The members among them.
    pub members: u64,
    /// Further people whose sampled posterior is outside, by fewer than [`Self::ERRORS`] standard errors: not counted above.
    pub doubtful: u64,
}

impl Beyond {
    /// How many standard errors a sampled posterior is beyond a bound where its people are counted.
    pub const ERRORS: f64 = 5.0;
}

/// Settings of an audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditConfig {
    /// What it draws from.
    pub seed: u64,
    /// How often it draws in a region at most.
    pub draws: u64,
    /// Whether it looks at how the nine came to a region, too, and not only at where they could not go on.
    pub parents: bool,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self { seed: 0, draws: 1_000_000, parents: true }
    }
}

/// Audits what a strategy released; `None` where it was stopped.
///
/// `config` is what the search was told: with another one the small tables that are run in full would not be its own.
pub fn audit(
    problem: &Problem,
    strategy: Strategy,
    recoding: &Recoding,
    (config, how): (&Config, AuditConfig),
    observer: &mut Observer,
) -> Option<Audit> {
    if let (Recoding::Regions(partition), false) = (recoding, problem.levels_reach_the_base()) {
        // Nobody sees apart what is not published apart.
        let raised = Raised::of(problem);
        let recoding = Recoding::Regions(raised.raise_partition(partition));
        return audit(&raised.problem, strategy, &recoding, (config, how), observer);
    }
    if strategy == Strategy::Simulatable {
        return watched(observer, |pool| replayed(problem, recoding, pool));
    }
    // Which classes are withdrawn tells something, too, of which nothing here knows; and another T has other secrets, of which nobody
    // knows how likely they are.
    let may_withdraw = matches!(strategy, Strategy::Spalm | Strategy::Best);
    if matches!(recoding, Recoding::Withdrawn(_))
        || (may_withdraw && !problem.policy().suppression().is_none())
        || problem.policy().criteria().need_values()
    {
        return Some(Audit::of(AuditMethod::None, problem, &[]));
    }
    // What a clock stopped cannot be made again.
    if !config.is_open_ended(strategy) && is_small(problem.histogram().total()) {
        return watched(observer, |pool| every_table(problem, strategy, recoding, config, pool));
    }
    match recoding {
        Recoding::Withdrawn(_) | Recoding::Node(_) => {
            watched(observer, |pool| resampled(problem, strategy, recoding, (config, how), pool))
        }
        Recoding::Regions(partition) => watched(observer, |pool| {
            let parents = match strategy {
                Strategy::Mpalm(column, value) if how.parents => {
                    let parents = Parents::of(problem, Rules { column, value }, partition, pool);
                    // A release that the strategy does not make tells nothing by its rules.
                    pool.go_on().continue_value()?;
                    Some(parents?)
                }
                _ => None,
            };
            match strategy.info().family {
                Family::Mpalm | Family::Best => {
                    rejected_cuts(problem, partition, parents.as_ref(), how, pool)
                }
                _ => Some(Audit::of(AuditMethod::None, problem, &of_partition(problem, partition))),
            }
        }),
    }
}

impl Audit {
    /// Nothing found yet, of these regions.
    fn of(method: AuditMethod, problem: &Problem, regions: &[Vec<u32>]) -> Self {
        let people = |region: &Vec<u32>| people_of(problem.histogram(), region).public;
        Self {
            method,
            regions: regions.len() as u64,
            people: regions.iter().map(people).sum(),
            exact: 0,
            sampled: 0,
            too_rare: 0,
            too_rare_members: 0,
            with_cut: 0,
            parents: 0,
            draws: 0,
            had: 0,
            offers: 0,
            span: None,
            beyond_by_own: 0,
            beyond: Beyond::default(),
            worst: None,
        }
    }

    /// Takes in what was found of a region, and what was found with the choice of its parent, too.
    fn take(
        &mut self,
        problem: &Problem,
        region: &[u32],
        finding: &Finding,
        with_parent: Option<&[Posterior]>,
    ) {
        match finding.kind {
            Kind::Exact => self.exact += 1,
            Kind::Sampled => self.sampled += 1,
            Kind::WithCut => self.with_cut += 1,
            Kind::TooRare => {
                self.too_rare += 1;
                self.too_rare_members += people_of(problem.histogram(), region).private;
            }
        }
        self.parents += u64::from(with_parent.is_some());
        let delta = problem.delta();
        let mut is_out = false;
        for (place, &combination) in region.iter().enumerate() {
            let counts = problem.histogram().counts()[combination as usize];
            let own = finding.posteriors.get(place);
            let known: Vec<Posterior> =
                own.into_iter().chain(with_parent.map(|posteriors| &posteriors[place])).copied().collect();
            let is_beyond = |errors| known.iter().any(|posterior| posterior.is_beyond(delta, errors));
            if own.is_some_and(|own| own.is_beyond(delta, Beyond::ERRORS)) {
                self.beyond_by_own += counts.public;
            }
            if is_beyond(Beyond::ERRORS) {
                is_out = true;
                self.beyond.people += counts.public;
                self.beyond.members += counts.private;
            } else if is_beyond(0.0) {
                self.beyond.doubtful += counts.public;
            }
            let Some(mean) = known.iter().map(|posterior| posterior.mean).reduce(f64::max) else { continue };
            match &mut self.worst {
                Some((worst, people)) if (*worst - mean).abs() < ROUNDING => *people += counts.public,
                Some((worst, _)) if *worst > mean => {}
                worst => *worst = Some((mean, counts.public)),
            }
        }
        self.beyond.regions += u64::from(is_out);
    }
}

/// What is found of a region, and the posterior of each combination's people.
struct Finding {
    kind: Kind,
    posteriors: Vec<Posterior>,
}

#[derive(Clone, Copy)]
enum Kind {
    Exact,
    Sampled,
    TooRare,
    WithCut,
}

/// A posterior with its standard error.
#[derive(Clone, Copy, Default)]
struct Posterior {
    mean: f64,
    error: f64,
}

impl Posterior {
    /// Whether it is outside δ by more than so many standard errors.
    fn is_beyond(&self, delta: Delta, errors: f64) -> bool {
        let room = self.error * errors + ROUNDING;
        self.mean - room > delta.max().to_f64() || self.mean + room < delta.min().to_f64()
    }
}

/// The combinations of each region that has members; a node has no regions.
fn regions_of(problem: &Problem, recoding: &Recoding) -> Vec<Vec<u32>> {
    match recoding {
        Recoding::Regions(partition) => of_partition(problem, partition),
        Recoding::Node(_) | Recoding::Withdrawn(_) => Vec::new(),
    }
}

fn of_partition(problem: &Problem, partition: &Partition) -> Vec<Vec<u32>> {
    let mut regions = vec![Vec::new(); partition.len()];
    for (place, &region) in (0..).zip(partition.region_of()) {
        regions[region as usize].push(place);
    }
    regions.retain(|region| people_of(problem.histogram(), region).private > 0);
    regions
}

fn people_of(histogram: &Histogram, region: &[u32]) -> Counts {
    region.iter().map(|&place| histogram.counts()[place as usize]).sum()
}

/// C(n, k), 0 where k is above n.
fn binomial(n: u64, k: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts up to some thousands")]
    let factor = |place: u64| n.saturating_sub(place) as f64 / (place + 1) as f64;
    (0..k).map(factor).product()
}
