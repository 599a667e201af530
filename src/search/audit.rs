//! What a release tells an adversary who knows the algorithm: how many people one necessary event alone takes out of δ.
//!
//! Exact posteriors of a search over a whole table are out of reach. What is within it is one thing at a time that must have
//! happened for this release to come about: that every cut of a region was rejected. Given that, whoever knows P, |T|, δ and
//! the algorithm has the posterior that is computed here, and with all else that they know a sharper one. So this finds
//! people beyond δ, and never that there are none; only [`simulatable`](mod@super::simulatable) rules them out. Where there are few
//! possible T's all of them are run, and the posterior is exact.
//!
//! Prior throughout: uniform over all T ⊆ P of the size of T.

use std::ops::ControlFlow;

use rand::SeedableRng;
use rand::seq::index;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::simulatable::{Members, Replay, Transcript, TranscriptError, ask};
use super::tally::Judge;
use super::worker_pool::{WorkerPool, watched};
use super::{Config, Family, Observer, Step, Strategy, run};
use crate::model::{Code, Counts, Histogram, Partition, Problem, Recoding, size};
use crate::progress::unwatched;

/// As many possible T's as all are run.
const FEW: u64 = 5_000;
/// Up to so many members, and so many possible sets of them, a region's are all gone through.
const MOST_MEMBERS: u64 = 3;
const MOST_SETS: f64 = 300_000.0;
/// A region is sampled until so many draws had the event, or so much work was done.
const ENOUGH: u64 = 4_000;
const MOST_WORK: u64 = 200_000_000;
/// With fewer, it is too rare to be sampled.
const FEWEST: u64 = 30;

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
    /// One event for each region, that its cuts were all rejected: from below.
    RejectedCuts,
    /// There is no audit for this strategy on a table of this size.
    None,
}

/// What an audit found.
#[derive(Clone, Debug, PartialEq)]
pub struct Audit {
    /// How it was made.
    pub method: AuditMethod,
    /// The regions with members, and the people in them.
    pub regions: u64,
    /// The people in them.
    pub people: u64,
    /// Of them, those that were gone through exactly, sampled, could not be as the event is too rare, and that have a cut left
    /// and so tell nothing here.
    pub exact: u64,
    /// Sampled regions.
    pub sampled: u64,
    /// Regions whose event is too rare to be sampled.
    pub too_rare: u64,
    /// The members in those.
    pub too_rare_members: u64,
    /// Regions that still have a valid cut.
    pub with_cut: u64,
    /// What leaves δ.
    pub beyond: Beyond,
    /// The posterior farthest above δmax, or the highest there is, and how many people have it.
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
    pub const ERRORS: f64 = 4.0;
}

/// Settings of an audit.
#[derive(Clone, Copy, Debug)]
pub struct AuditConfig {
    /// What it draws from.
    pub seed: u64,
    /// How often it draws in a region at most.
    pub draws: u64,
}

impl Default for AuditConfig {
    fn default() -> Self {
        Self { seed: 0, draws: 100_000 }
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
    if strategy == Strategy::Simulatable {
        return watched(observer, |_| replayed(problem, recoding));
    }
    // What a clock stopped cannot be made again.
    let is_repeatable = !strategy.info().takes_rounds || config.rounds.or(config.opening).is_some();
    if is_repeatable && possible_tables(problem.histogram().total()).is_some() {
        return watched(observer, |pool| every_table(problem, strategy, recoding, config, pool));
    }
    match (strategy.info().family, recoding) {
        (Family::Mpalm | Family::Best, Recoding::Regions(partition)) => {
            watched(observer, |pool| rejected_cuts(problem, partition, how, pool))
        }
        _ => Some(Audit::nothing(AuditMethod::None, problem, recoding)),
    }
}

impl Audit {
    fn nothing(method: AuditMethod, problem: &Problem, recoding: &Recoding) -> Self {
        let regions = regions(problem, recoding);
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
            beyond: Beyond::default(),
            worst: None,
        }
    }

    /// Takes in what was found of a region.
    fn take(&mut self, problem: &Problem, region: &[u32], finding: &Finding) {
        match finding.kind {
            Kind::Exact => self.exact += 1,
            Kind::Sampled => self.sampled += 1,
            Kind::WithCut => self.with_cut += 1,
            Kind::TooRare => {
                self.too_rare += 1;
                self.too_rare_members += people_of(problem.histogram(), region).private;
            }
        }
        let delta = problem.delta();
        let (max, min) = (delta.max().to_f64(), delta.min().to_f64());
        let mut is_out = false;
        for (&place, posterior) in region.iter().zip(&finding.posteriors) {
            let counts = problem.histogram().counts()[place as usize];
            let Posterior { mean, error } = *posterior;
            let is_beyond = |room: f64| mean - room > max || mean + room < min;
            if is_beyond(error * Beyond::ERRORS + ROUNDING) {
                is_out = true;
                self.beyond.people += counts.public;
                self.beyond.members += counts.private;
            } else if is_beyond(ROUNDING) {
                self.beyond.doubtful += counts.public;
            }
            match &mut self.worst {
                Some((worst, people)) if (*worst - mean).abs() < 1e-12 => *people += counts.public,
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

/// The combinations of each region or class that has members.
fn regions(problem: &Problem, recoding: &Recoding) -> Vec<Vec<u32>> {
    let Recoding::Regions(partition) = recoding else { return Vec::new() };
    of_partition(problem, partition)
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

/// How many T's of this size there are; `None` where they are more than are run.
fn possible_tables(total: Counts) -> Option<u64> {
    let chosen = total.private.min(total.public - total.private);
    let mut ways: u128 = 1;
    for place in 0..chosen {
        ways = ways * u128::from(total.public - place) / u128::from(place + 1);
        if ways > u128::from(FEW) {
            return None;
        }
    }
    // No more than a few.
    u64::try_from(ways).ok()
}

/// Whether the answers alone make the same release.
fn replayed(problem: &Problem, recoding: &Recoding) -> Option<Audit> {
    let (found, _) = ask(problem, Members::of(problem.histogram()), &mut unwatched);
    let (partition, transcript) = found?;
    let (again, _) = ask(&another_table(problem)?, Replay::of(transcript.answers()), &mut unwatched);
    let is_same =
        again.as_ref() == Some(&(partition.clone(), transcript)) && *recoding == Recoding::Regions(partition);
    let method = if is_same { AuditMethod::Replayed } else { AuditMethod::None };
    Some(Audit::nothing(method, problem, recoding))
}

/// Whether a written transcript is of `simulatable` on this P, |T| and policy: its answers alone bring up its questions, with
/// another T in place of the true one.
///
/// # Errors
/// A [`TranscriptError`] for a line that is none of a transcript.
pub fn is_transcript(problem: &Problem, text: &str) -> Result<bool, TranscriptError> {
    let answers = Transcript::read_answers(text)?;
    let found = another_table(problem)
        .and_then(|another| ask(&another, Replay::of(answers.into_iter()), &mut unwatched).0);
    Ok(found.is_some_and(|(_, transcript)| transcript.text(problem) == text))
}

/// The same problem with another T of the size: whatever is made without T is made of it, too.
fn another_table(problem: &Problem) -> Option<Problem> {
    let mut left = problem.histogram().total().private;
    let members = problem.histogram().counts().iter().map(|counts| {
        let members = counts.public.min(left);
        left -= members;
        members
    });
    with_members(problem, &members.collect::<Vec<u64>>())
}

/// Runs every possible T, and keeps those that give the same release.
#[expect(clippy::cast_precision_loss, reason = "counts up to some thousands")]
fn every_table(
    problem: &Problem,
    strategy: Strategy,
    recoding: &Recoding,
    config: &Config,
    pool: &WorkerPool,
) -> Option<Audit> {
    let histogram = problem.histogram();
    let own = published(problem, recoding, histogram);
    let (mut same, mut sums) = (0.0, vec![0.0; histogram.len()]);
    for members in every_count(histogram) {
        if pool.go_on().is_break() {
            return None;
        }
        let other = with_members(problem, &members)?;
        let (found, _) = run(strategy, &other, config, &mut unwatched);
        if found.is_some_and(|found| published(&other, &found, other.histogram()) == own) {
            let ways: f64 = histogram
                .counts()
                .iter()
                .zip(&members)
                .map(|(counts, &k)| binomial(counts.public, k))
                .product();
            same += ways;
            sums.iter_mut().zip(&members).for_each(|(sum, &k)| *sum += ways * k as f64);
        }
    }
    let mut audit = Audit::nothing(AuditMethod::EveryTable, problem, recoding);
    let posteriors = sums.iter().zip(histogram.counts()).map(|(sum, counts)| {
        let mean = sum / same / counts.public as f64;
        Posterior { mean, error: 0.0 }
    });
    if same <= 0.0 {
        // It was not repeatable after all.
        return Some(Audit::nothing(AuditMethod::None, problem, recoding));
    }
    let finding = Finding { kind: Kind::Exact, posteriors: posteriors.collect() };
    let everybody: Vec<u32> = (0..size::number(histogram.len())).collect();
    audit.take(problem, &everybody, &finding);
    Some(audit)
}

/// What a release shows: the texts of its published classes with their rows.
fn published(problem: &Problem, recoding: &Recoding, histogram: &Histogram) -> Vec<(String, u64)> {
    let classes = crate::model::Classes::of(problem, recoding);
    debug_assert_eq!(classes.class_of.len(), histogram.len());
    let mut shown: Vec<(String, u64)> = classes
        .classes
        .iter()
        .filter(|class| class.counts.private > 0)
        .map(|class| (format!("{:?}", class.labels), class.counts.private))
        .collect();
    shown.sort();
    shown
}

/// C(n, k), 0 where k is above n.
fn binomial(n: u64, k: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "counts up to some thousands")]
    let factor = |place: u64| n.saturating_sub(place) as f64 / (place + 1) as f64;
    (0..k).map(factor).product()
}

/// Every way to have T's members among the combinations.
fn every_count(histogram: &Histogram) -> Vec<Vec<u64>> {
    let people: Vec<u64> = histogram.counts().iter().map(|counts| counts.public).collect();
    let mut ways = vec![(Vec::new(), histogram.total().private)];
    for (place, &most) in people.iter().enumerate() {
        let behind: u64 = people[place + 1..].iter().sum();
        ways = ways
            .into_iter()
            .flat_map(|(way, left): (Vec<u64>, u64)| {
                (left.saturating_sub(behind)..=left.min(most)).map(move |own| {
                    let mut way = way.clone();
                    way.push(own);
                    (way, left - own)
                })
            })
            .collect();
    }
    ways.into_iter().map(|(way, _)| way).collect()
}

/// The same P and policy with another T.
fn with_members(problem: &Problem, members: &[u64]) -> Option<Problem> {
    let histogram = problem.histogram();
    let columns = (0..histogram.width()).map(|column| histogram.column(column).to_vec()).collect();
    let people = histogram.counts().iter().map(|counts| counts.public);
    let counts = people.zip(members).map(|(people, &members)| Counts::new(people, members)).collect();
    let histogram = Histogram::new(columns, counts).ok()?;
    let other =
        Problem::new(problem.quasi().to_vec(), histogram, problem.delta(), problem.empty_regions()).ok()?;
    let cuts = (0..problem.quasi().len()).map(|attribute| problem.cuts(attribute)).collect();
    Some(other.with_criteria(problem.policy().criteria().clone()).with_cuts(cuts))
}

/// For each region the posterior given that every cut of it was rejected.
fn rejected_cuts(
    problem: &Problem,
    partition: &Partition,
    how: AuditConfig,
    pool: &WorkerPool,
) -> Option<Audit> {
    let regions = of_partition(problem, partition);
    let total = regions.len() as u64;
    let done = std::sync::atomic::AtomicU64::new(0);
    let find = |(number, region): (usize, &Vec<u32>)| {
        let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        pool.report(Step::of(before, total)).continue_value()?;
        let mut random = ChaCha8Rng::seed_from_u64(how.seed);
        random.set_stream(number as u64);
        RegionAudit::of(problem, region).find(&mut random, how.draws, pool).continue_value()
    };
    let findings: Vec<Option<Finding>> = regions.par_iter().enumerate().map(find).collect();
    let recoding = Recoding::Regions(partition.clone());
    let mut audit = Audit::nothing(AuditMethod::RejectedCuts, problem, &recoding);
    for (region, finding) in regions.iter().zip(findings) {
        audit.take(problem, region, &finding?);
    }
    Some(audit)
}

/// A region and its cuts, between neighbouring values of each quasi-identifier.
struct RegionAudit {
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
    fn of(problem: &Problem, region: &[u32]) -> Self {
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
    fn find(&self, random: &mut ChaCha8Rng, draws: u64, pool: &WorkerPool) -> ControlFlow<(), Finding> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Delta, EmptyRegions, Hierarchy, Kind as ValueKind, Level, QuasiIdentifier};

    /// A line of people, one a value, with so many members of each, under δ = (0, 1/2).
    fn line(members: &[u64]) -> Problem {
        let chains: Vec<Vec<String>> =
            (0..members.len()).map(|x| vec![x.to_string(), "*".to_owned()]).collect();
        let hierarchy = Hierarchy::new(ValueKind::Number, Level(0), &chains).unwrap();
        let codes = (0..size::number(members.len())).collect();
        let counts = members.iter().map(|&members| Counts::new(1, members)).collect();
        let histogram = Histogram::new(vec![codes], counts).unwrap();
        let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
        let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    fn audited(problem: &Problem, strategy: Strategy) -> Audit {
        let (found, _) = run(strategy, problem, &Config::default(), &mut unwatched);
        let how = (&Config::default(), AuditConfig::default());
        audit(problem, strategy, &found.unwrap(), how, &mut unwatched).unwrap()
    }

    fn strategy(name: &str) -> Strategy {
        name.parse().unwrap()
    }

    #[test]
    fn a_region_that_nothing_but_one_t_leaves_uncut_tells_that_t() {
        // Two of four: cuts keep δ but where all of T is on one side. Members at both ends: n1 cuts in the middle.
        let region = |members: &[u64]| {
            let problem = line(members);
            let places: Vec<u32> = (0..size::number(members.len())).collect();
            let mut random = ChaCha8Rng::seed_from_u64(0);
            let found = watched(&mut unwatched, |pool| {
                RegionAudit::of(&problem, &places).find(&mut random, 1000, pool).continue_value()
            });
            let found = found.unwrap();
            let means = found.posteriors.iter().map(|posterior| posterior.mean);
            (matches!(found.kind, Kind::WithCut), means.collect::<Vec<f64>>())
        };
        assert!(region(&[1, 0, 0, 1]).0, "0 1 | 2 3 is valid");
        // Every cut of {1, 2} leaves too many on one side: x = 0 alone is no one, x = 0 and 1 have one, 0 to 2 have two of three.
        assert!(region(&[0, 1, 1, 0]).0);
        // All on the left: 1 of 1, 2 of 2, 2 of 3 are each too many; on the right likewise. So T is one of the two.
        let (has_cut, means) = region(&[1, 1, 0, 0]);
        assert!(!has_cut);
        assert_eq!(means, [0.5, 0.5, 0.5, 0.5]);
        // One of two: both T's are stuck.
        assert_eq!(region(&[1, 0]), (false, vec![0.5, 0.5]));
    }

    #[test]
    fn where_all_ts_can_be_run_the_posterior_is_that_of_the_release() {
        // Every T of three of nine: whoever of them n1 gives away is found by the audit and by counting releases.
        let mut exposed = 0;
        let all = every_count(line(&[1, 1, 1, 0, 0, 0, 0, 0, 0]).histogram());
        let release = |members: &Vec<u64>| {
            let problem = line(members);
            let (found, _) = run(strategy("n1"), &problem, &Config::default(), &mut unwatched);
            published(&problem, &found.unwrap(), problem.histogram())
        };
        let releases: Vec<Vec<(String, u64)>> = all.iter().map(release).collect();
        for (members, own) in all.iter().zip(&releases) {
            let same: Vec<&Vec<u64>> = all
                .iter()
                .zip(&releases)
                .filter(|(_, other)| *other == own)
                .map(|(members, _)| members)
                .collect();
            let beyond =
                (0..9).filter(|&x| 2 * same.iter().filter(|members| members[x] == 1).count() > same.len());
            let audited = audited(&line(members), strategy("n1"));
            assert_eq!(audited.method, AuditMethod::EveryTable);
            let people = beyond.count() as u64;
            assert_eq!(audited.beyond.people, people, "{members:?}");
            exposed += usize::from(people > 0);
        }
        assert!(exposed > 0, "n1 tells something");
    }

    #[test]
    fn simulatable_is_replayed_and_a_release_that_is_not_its_own_is_not() {
        let problem = line(&[1, 0, 0, 1, 0, 0, 0, 1, 0]);
        let own = audited(&problem, strategy("simulatable"));
        assert_eq!((own.method, own.beyond), (AuditMethod::Replayed, Beyond::default()));
        let (found, _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched);
        let text = found.unwrap().1.text(&problem);
        assert_eq!(is_transcript(&problem, &text), Ok(true), "{text}");
        let other = text.replace("\tfailed\n", "\t0\n").replacen("x before", "x is", 1);
        assert_eq!(is_transcript(&problem, &other), Ok(false), "{other}");
        let wrong = text.replacen('\t', " ", 5);
        assert!(is_transcript(&problem, &wrong).unwrap_err().to_string().starts_with("line 1: "), "{wrong}");
        let (other, _) = run(strategy("n2"), &problem, &Config::default(), &mut unwatched);
        let how = (&Config::default(), AuditConfig::default());
        let other = audit(&problem, Strategy::Simulatable, &other.unwrap(), how, &mut unwatched).unwrap();
        assert_eq!(other.method, AuditMethod::None);
    }
}
