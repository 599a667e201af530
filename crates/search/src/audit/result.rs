//! The options and the result of an audit, and the finding of one region.

use crate::simulatable::Span;
use palmtop_core::model::{Classes, Counts, Delta, Partition, Problem, Recoding};

/// The rounding error of a posterior.
const ROUNDING: f64 = 1e-12;

/// The method of an audit, which determines what its figures mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuditMethod {
    /// The answers of `simulatable` reproduce the release with another T. Every question that it
    /// asks keeps every posterior within δ for every answer, so that the result is exact.
    Replayed,
    /// Every possible T was run. The posteriors are exact.
    EveryTable,
    /// For each region, the audit conditions on the rejection of all its cuts, and on the choice of
    /// the split that made it. The complete release may reveal more or less.
    RejectedCuts,
    /// T's were drawn within the published classes. Those for which the search gives the same
    /// release were kept. The posteriors are those of the release, up to sampling errors.
    Resampled,
    /// There is no audit for this strategy on a table of this size, or for criteria on sensitive
    /// values.
    None,
}

/// The result of an audit.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// The method of the audit.
    pub method: AuditMethod,
    /// The number of regions, or of classes of a node, with members.
    pub regions: u64,
    /// The number of people in these regions.
    pub people: u64,
    /// The number of regions whose event was enumerated.
    pub exact: u64,
    /// The number of regions whose event was sampled.
    pub sampled: u64,
    /// The number of regions whose event is too rare to sample.
    pub too_rare: u64,
    /// The number of members in these regions.
    pub too_rare_members: u64,
    /// The number of regions that still have a valid cut. They were not tested.
    pub with_cut: u64,
    /// The number of regions for which the choice of the parent's split was examined, too.
    pub parents: u64,
    /// The number of T's of the complete table that were drawn.
    pub draws: u64,
    /// The number of drawn T's that give the same release.
    pub had: u64,
    /// The number of questions that `simulatable` asked.
    pub offers: u64,
    /// The range of the posteriors after every possible answer to these questions.
    pub span: Option<Span>,
    /// The people outside δ.
    pub beyond: Beyond,
    /// The number of people outside δ by the rejected cuts of their region alone.
    pub beyond_by_region_cuts: u64,
    /// The highest posterior, and the number of people who have it.
    pub worst: Option<(f64, u64)>,
}

/// The numbers of people and regions outside δ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beyond {
    /// The number of regions with a person outside δ.
    pub regions: u64,
    /// The number of people whose posterior is above δmax or below δmin.
    pub people: u64,
    /// The number of members among them.
    pub members: u64,
    /// The number of further people whose sampled posterior is outside δ by fewer than
    /// [`Self::ERRORS`] standard errors. They are not counted above.
    pub doubtful: u64,
}

impl Beyond {
    /// The number of standard errors by which a sampled posterior must be outside δ to count.
    pub const ERRORS: f64 = 5.0;
}

/// The options of an audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditConfig {
    /// The seed of the random draws.
    pub seed: u64,
    /// The largest number of draws for each region.
    pub draws: u64,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self { seed: 0, draws: 1_000_000 }
    }
}

impl Audit {
    /// An audit of these regions, without findings.
    pub(super) fn of(method: AuditMethod, problem: &Problem, regions: &[Vec<u32>]) -> Self {
        let people = |region: &Vec<u32>| people_of(problem, region).public;
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
            beyond_by_region_cuts: 0,
            beyond: Beyond::default(),
            worst: None,
        }
    }

    /// Adds the finding of a region, and the posteriors given the choice of its parent's split.
    pub(super) fn take(
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
                self.too_rare_members += people_of(problem, region).private;
            }
        }
        self.parents += u64::from(with_parent.is_some());
        let delta = problem.delta();
        let mut is_out = false;
        for (index, &unit) in region.iter().enumerate() {
            let counts = problem.unit_counts()[unit as usize];
            let by_own_cuts = finding.posteriors.get(index);
            let known: Vec<Posterior> = by_own_cuts
                .into_iter()
                .chain(with_parent.map(|posteriors| &posteriors[index]))
                .copied()
                .collect();
            let is_beyond = |errors| known.iter().any(|posterior| posterior.is_beyond(delta, errors));
            if by_own_cuts.is_some_and(|posterior| posterior.is_beyond(delta, Beyond::ERRORS)) {
                self.beyond_by_region_cuts += counts.public;
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

/// The finding of a region, with the posterior of the people of each unit.
pub(super) struct Finding {
    pub(super) kind: Kind,
    pub(super) posteriors: Vec<Posterior>,
}

/// Whether the event of a region was enumerated or sampled.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Exact,
    Sampled,
    TooRare,
    WithCut,
}

/// A posterior with its standard error.
#[derive(Clone, Copy, Default)]
pub(super) struct Posterior {
    pub(super) mean: f64,
    pub(super) error: f64,
}

impl Posterior {
    /// Whether the posterior is outside δ by more than `errors` standard errors.
    pub(super) fn is_beyond(&self, delta: Delta, errors: f64) -> bool {
        let room = self.error * errors + ROUNDING;
        self.mean - room > delta.max().to_f64() || self.mean + room < delta.min().to_f64()
    }
}

/// The units of each region with members, or of each class of a node with members.
pub(super) fn regions_of(problem: &Problem, recoding: &Recoding) -> Vec<Vec<u32>> {
    match recoding {
        Recoding::Regions(partition) => of_partition(problem, partition),
        Recoding::Node(_) | Recoding::Withdrawn(_) => of_classes(&Classes::of(problem, recoding)),
    }
}

/// The units of each class with members.
pub(super) fn of_classes(classes: &Classes) -> Vec<Vec<u32>> {
    let mut units_of = vec![Vec::new(); classes.len()];
    (0..).zip(&classes.class_of).for_each(|(unit, &class)| units_of[class as usize].push(unit));
    let released = units_of.into_iter().zip(classes.all_counts());
    released.filter(|(_, counts)| counts.private > 0).map(|(units, _)| units).collect()
}

pub(super) fn of_partition(problem: &Problem, partition: &Partition) -> Vec<Vec<u32>> {
    let mut regions = vec![Vec::new(); partition.len()];
    for (combination, &region) in (0..).zip(partition.region_of()) {
        regions[region as usize].push(combination);
    }
    regions.retain(|region| people_of(problem, region).private > 0);
    regions
}

pub(super) fn people_of(problem: &Problem, region: &[u32]) -> Counts {
    region.iter().map(|&unit| problem.unit_counts()[unit as usize]).sum()
}

/// The binomial coefficient C(n, k); 0 if k > n.
pub(super) fn binomial(n: u64, k: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts up to some thousands")]
    let factor = |index: u64| n.saturating_sub(index) as f64 / (index + 1) as f64;
    (0..k).map(factor).product()
}
