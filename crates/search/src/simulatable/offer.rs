//! The choice of the next cut of a region and of the answers that it accepts.
//!
//! Both depend only on P and on the earlier answers.

use std::cmp::Ordering;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::candidates::belief::{is_even, tilted};
use super::candidates::values::{Scratch, Values};
use super::candidates::{Ranked, candidates};
use super::population::{Cut, Population, Rows};
use super::states::cell::Halves;
use super::states::cluster::{Cluster, Region};
use super::states::weight::{Share, Weight};
use super::states::{Outcomes, Part, Side, States};

/// The number of failures after which a region is not cut further.
pub(super) const TRIES: u32 = 4;
/// Cuts with a lower chance of success are ignored.
const LEAST_CHANCE: f64 = 0.001;
/// The exponent of the chance of success in the score of a cut. Below 1, a likely failure weighs less,
/// because another cut can be offered then.
const POWER: f64 = 0.7;
/// The number of members from which a failure keeps a reserve.
const RESERVE_FROM: u64 = 50;
/// The chance of failure from which a failure keeps a reserve.
const RESERVE_CHANCE: f64 = 0.1;
/// The reserve: after a failure, this share of the distance from the mean presence to each bound
/// stays free for later offers.
const RESERVE: f64 = 0.5;

/// The largest number of cuts to judge.
const MOST_JUDGED: usize = 200;
/// The largest number of cuts to judge after the first possible offer, if the cluster is not clean.
const MOST_AFTER: usize = 6;
/// The largest number of steps to judge a cut, if the cluster is not clean.
const MOST_WORK: f64 = 3e6;

/// A cut, and the accepted numbers of members in its left half. Every answer, including *failed*,
/// keeps every posterior within δ.
#[derive(Clone, Debug)]
pub(super) struct Offer {
    pub(super) cut: Cut,
    pub(super) halves: Halves,
    pub(super) accepted: Accepted,
    /// The range of the posteriors after its answers, if it is measured.
    pub(super) span: Option<Span>,
}

/// The least and the greatest posterior over a set of possible answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least posterior.
    pub least: f64,
    /// The greatest posterior.
    pub greatest: f64,
}

impl Span {
    /// The span of one posterior.
    pub(super) fn of(posterior: f64) -> Self {
        Self { least: posterior, greatest: posterior }
    }

    /// The span of both spans together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), greatest: self.greatest.max(other.greatest) }
    }
}

/// The accepted numbers of members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Accepted {
    first: u64,
    is_accepted: Vec<bool>,
}

/// The result of judging a cut: the accepted numbers, and their total chance.
struct Judged {
    accepted: Accepted,
    chance: f64,
    span: Option<Span>,
}

impl Accepted {
    /// Whether a number of members is accepted.
    pub(super) fn contains(&self, members: u64) -> bool {
        let index = members.checked_sub(self.first).and_then(|index| usize::try_from(index).ok());
        index.and_then(|index| self.is_accepted.get(index)).copied().unwrap_or(false)
    }

    /// The accepted numbers as inclusive ranges.
    pub(super) fn ranges(&self) -> Vec<(u64, u64)> {
        let numbers = (self.first..).zip(&self.is_accepted).filter(|(_, is_accepted)| **is_accepted);
        numbers.fold(Vec::new(), |mut ranges: Vec<(u64, u64)>, (number, _)| {
            match ranges.last_mut() {
                Some((_, last)) if *last + 1 == number => *last = number,
                _ => ranges.push((number, number)),
            }
            ranges
        })
    }
}

/// The offer with the least score; `None` if no cut can be offered.
///
/// The cuts are ranked by a lower bound of their score. If the cluster is clean, the search stops
/// as soon as the bound reaches the best score.
pub(super) fn choose(
    population: &Population,
    cluster: &mut Cluster,
    region: usize,
    scratch: &mut Scratch,
) -> Option<Offer> {
    let ranked = cluster.regions[region].ranked.take();
    let ranked = ranked.unwrap_or_else(|| ranked_cuts(population, cluster, region, scratch));
    cluster.regions[region].ranked = Some(Arc::clone(&ranked));
    let is_clean = cluster.is_clean();
    let mut best: Option<(f64, Offer)> = None;
    let mut after = 0;
    for &Ranked { ref candidate, gain, later, score } in ranked.iter() {
        if population.is_stopping() {
            return None;
        }
        match &best {
            Some((least, _)) if *least <= score => break,
            Some(_) if !is_clean && after >= MOST_AFTER => break,
            _ => after += usize::from(best.is_some()),
        }
        // In a clean cluster, the ranking already has the people on the left.
        let halves = if is_clean {
            Halves { region, left: vec![candidate.left] }
        } else {
            cluster.halves(population, region, candidate.cut)
        };
        if !is_clean && work(cluster, &halves) > MOST_WORK {
            continue;
        }
        let Some(Judged { accepted, chance, span }) = judge(population, cluster, &halves, candidate.odds)
        else {
            continue;
        };
        let score = -score_of(chance * later, gain);
        if best.as_ref().is_none_or(|(least, _)| score < *least) {
            best = Some((score, Offer { cut: candidate.cut, halves, accepted, span }));
        }
    }
    best.map(|(_, offer)| offer)
}

/// The best cuts of a region.
fn ranked_cuts(
    population: &Population,
    cluster: &Cluster,
    region: usize,
    scratch: &mut Scratch,
) -> Arc<[Ranked]> {
    let mut cells = cluster.cells_of(region);
    if let (Some(only), None) = (cells.next(), cells.next()) {
        return ranked(population, &cluster.regions[region], &only.rows, scratch);
    }
    let joined = Rows::joined(cluster.cells_of(region).map(|cell| &cell.rows));
    ranked(population, &cluster.regions[region], &joined, scratch)
}

/// The best of the cuts with a positive gain and a sufficient chance, in ascending order of their scores.
#[expect(clippy::cast_precision_loss, reason = "scores")]
fn ranked(population: &Population, region: &Region, rows: &Rows, scratch: &mut Scratch) -> Arc<[Ranked]> {
    let (people, members) = (rows.count(), region.members);
    let Some(values) = Values::of(population, rows, region.parted, scratch) else { return Arc::new([]) };
    let whole_extent = values.extent(population, &region.cut_box);
    let mut chances: FxHashMap<(u64, u64), f64> = FxHashMap::default();
    let mut ranked = Vec::new();
    for candidate in candidates(population, &values, region.parted, &region.cut_box, scratch) {
        let left = candidate.left;
        let right = people - left;
        let mut chance = |left, odds: f64| {
            *chances
                .entry((left, odds.to_bits()))
                .or_insert_with(|| chance(population, left, people - left, members, odds))
        };
        let of_later = candidate.later.iter().map(|&(people, odds)| chance(people, odds));
        let later = of_later.product::<f64>();
        let chance = chance(left, candidate.odds) * later;
        let [left_extent, right_extent] = candidate.extents;
        let gain =
            1.0 - (left as f64 * left_extent + right as f64 * right_extent) / (people as f64 * whole_extent);
        if chance < LEAST_CHANCE || gain <= 0.0 {
            continue;
        }
        ranked.push(Ranked { candidate, gain, later, score: -score_of(chance, gain) });
    }
    let order = |left: &Ranked, right: &Ranked| match left.score.total_cmp(&right.score) {
        // Candidates come column by column, so that the stable sort orders the rest by value.
        Ordering::Equal => left.candidate.cut.column.cmp(&right.candidate.cut.column),
        order => order,
    };
    ranked.sort_by(order);
    ranked.truncate(MOST_JUDGED);
    ranked.into()
}

/// The score of a cut with a chance of success and a gain.
fn score_of(chance: f64, gain: f64) -> f64 {
    libm::pow(chance, POWER) * gain
}

/// The share of the weights of some numbers.
fn share(weights: &[f64], is_counted: impl Fn(usize) -> bool) -> f64 {
    let counted = (0..weights.len()).filter(|&index| is_counted(index)).map(|index| weights[index]);
    counted.sum::<f64>() / weights.iter().sum::<f64>()
}

/// The chance that both halves may be released, if the members of each half are a random part of its people,
/// and people on the left are members with these odds relative to those on the right.
fn chance(population: &Population, left: u64, right: u64, members: u64, odds: f64) -> f64 {
    if !is_even(odds) {
        let divisions = f64::divisions(left, right, members, 1e-200);
        let is_allowed = |index: usize| {
            let k = divisions.first + index as u64;
            population.allows(left, k) && population.allows(right, members - k)
        };
        return share(&tilted(divisions.weights.iter().copied(), odds), is_allowed);
    }
    let divisions = f64::divisions(left, right, members, 1e-18);
    let is_allowed = |k: u64| population.allows(left, k) && population.allows(right, members - k);
    (divisions.first..)
        .zip(&divisions.weights)
        .filter(|(k, _)| is_allowed(*k))
        .map(|(_, weight)| weight)
        .sum()
}

/// The approximate number of steps to judge a cut.
#[expect(clippy::cast_precision_loss, reason = "a rough number")]
fn work(cluster: &Cluster, halves: &Halves) -> f64 {
    let most = cluster.states.most(cluster.cells.len());
    let is_divided = |cell: &usize| halves.divides(&cluster.cells, *cell);
    let span = |members: u64| ((members + 1) as f64).min(10.0 * (members as f64).sqrt() + 1.0);
    let spans: f64 = (0..cluster.cells.len()).filter(is_divided).map(|cell| span(most[cell])).sum();
    let cells = cluster.cells.len() as f64;
    cluster.states.len() as f64 * cells * (cells + 1.0 + spans * spans)
}

fn judge(population: &Population, cluster: &Cluster, halves: &Halves, odds: f64) -> Option<Judged> {
    // No state remains only if a replayed transcript has answers of another search.
    if cluster.states.len() == 0 {
        return None;
    }
    let members: Vec<u64> = cluster.regions.iter().map(|region| region.members).collect();
    match &cluster.states {
        States::Exact(table) => judge_outcomes(
            population,
            cluster,
            halves,
            odds,
            &table.outcomes(&cluster.cells, &members, halves),
        ),
        States::Rounded(table) => judge_outcomes(
            population,
            cluster,
            halves,
            odds,
            &table.outcomes(&cluster.cells, &members, halves),
        ),
    }
}

/// Accepts each number that keeps every part within δ. Then removes numbers from either end, until
/// *failed* keeps every part within δ, too.
#[expect(
    clippy::cast_precision_loss,
    reason = "chances and the reserve; δ itself is held by `Weight::keeps`"
)]
fn judge_outcomes<W: Weight>(
    population: &Population,
    cluster: &Cluster,
    halves: &Halves,
    odds: f64,
    outcomes: &Outcomes<W>,
) -> Option<Judged> {
    let delta = population.delta();
    let region = &cluster.regions[halves.region];
    let left: u64 = halves.left.iter().sum();
    let people: u64 = cluster.cells_of(halves.region).map(|cell| cell.people).sum();
    let keeps = |share: Share<W>| share.weight > W::default() && W::keeps(share, outcomes.lost, delta);
    let is_good = |outcome: usize| {
        let (members, weight) = (outcomes.first + outcome as u64, outcomes.weights[outcome]);
        population.allows(left, members)
            && population.allows(people - left, region.members - members)
            && outcomes.parts.iter().all(|part| keeps(part.share(outcome, weight)))
    };
    let mut is_accepted: Vec<bool> = (0..outcomes.weights.len()).map(is_good).collect();
    let mut failure = Failure::of(outcomes, &is_accepted);
    let total = outcomes.weights.iter().fold(0.0, |sum, weight| sum + weight.to_f64());
    let mean = region.members as f64 / people as f64;
    let reserve = if region.members >= RESERVE_FROM
        && region.tries + 1 < TRIES
        && failure.weight.to_f64() / total >= RESERVE_CHANCE
    {
        RESERVE
    } else {
        0.0
    };
    let highest = delta.max().to_f64() - reserve * (delta.max().to_f64() - mean);
    let lowest = delta.min().to_f64() + reserve * (mean - delta.min().to_f64());
    let (mut low, mut high) = ends(&is_accepted)?;
    while population.rules().checks_failure {
        let drop_low = match failure.verdict(outcomes, &keeps, lowest, highest, reserve > 0.0) {
            FailureVerdict::Keeps => break,
            FailureVerdict::Breaks => return None,
            FailureVerdict::DropLow => true,
            FailureVerdict::DropHigh => false,
            // Only dropped outcomes would fail, about which nothing is known.
            FailureVerdict::Unknown => outcomes.weights[low] <= outcomes.weights[high],
        };
        let dropped = if drop_low { low } else { high };
        is_accepted[dropped] = false;
        failure.take(outcomes, dropped);
        // Numbers between the ends may be rejected from the beginning.
        let (first, last) = ends(&is_accepted[low..=high])?;
        (low, high) = (low + first, low + last);
    }
    let chance = if is_even(odds) {
        (1.0 - failure.weight.to_f64() / total).max(0.0)
    } else {
        share(&tilted(outcomes.weights.iter().map(|weight| weight.to_f64()), odds), |outcome| {
            is_accepted[outcome]
        })
    };
    let span = if population.rules().is_measured { failure.span(outcomes, &is_accepted) } else { None };
    Some(Judged { accepted: Accepted { first: outcomes.first, is_accepted }, chance, span })
}

/// The indices of the first and the last accepted outcome.
fn ends(is_accepted: &[bool]) -> Option<(usize, usize)> {
    let is = |accepted: &bool| *accepted;
    Some((is_accepted.iter().position(is)?, is_accepted.iter().rposition(is)?))
}

/// *Failed*: all numbers that are not accepted, as one event.
struct Failure<W> {
    weight: W,
    /// The moment of each part.
    moments: Vec<W>,
}

/// The consequence of a failure.
enum FailureVerdict {
    /// It is impossible, or it keeps everyone within δ.
    Keeps,
    /// It violates δ in another region, which no choice of accepted numbers can change.
    Breaks,
    /// The left half would have too many members, or the right half too few: the lowest accepted
    /// number must be removed.
    DropLow,
    /// The opposite: the highest accepted number must be removed.
    DropHigh,
    /// It is nearly impossible, but dropped outcomes may lead to it.
    Unknown,
}

impl<W: Weight> Failure<W> {
    fn of(outcomes: &Outcomes<W>, is_accepted: &[bool]) -> Self {
        let mut failure = Self { weight: W::default(), moments: vec![W::default(); outcomes.parts.len()] };
        for (outcome, _) in is_accepted.iter().enumerate().filter(|(_, is_accepted)| !**is_accepted) {
            failure.take(outcomes, outcome);
        }
        failure
    }

    /// Adds one outcome to the failure.
    fn take(&mut self, outcomes: &Outcomes<W>, outcome: usize) {
        self.weight += outcomes.weights[outcome];
        let moments = self.moments.iter_mut().zip(&outcomes.parts);
        moments.for_each(|(sum, part)| *sum += part.moments[outcome]);
    }

    /// The range of the posteriors after each possible answer: each accepted number, and *failed*.
    fn span(&self, outcomes: &Outcomes<W>, is_accepted: &[bool]) -> Option<Span> {
        let each = (0..is_accepted.len()).filter(|&outcome| is_accepted[outcome]);
        let accepted = each.flat_map(|outcome| {
            outcomes.parts.iter().map(move |part| part.share(outcome, outcomes.weights[outcome]))
        });
        let failed = self.moments.iter().zip(&outcomes.parts).map(|(&moment, part)| {
            let Part { people, most, members, .. } = *part;
            Share { moment, weight: self.weight, people, most, members }
        });
        let shares = accepted.chain(failed.filter(|share| share.weight > W::default()));
        shares.filter(|share| share.people > 0).map(|share| Span::of(share.mean())).reduce(Span::and)
    }

    fn verdict(
        &self,
        outcomes: &Outcomes<W>,
        keeps: &dyn Fn(Share<W>) -> bool,
        lowest: f64,
        highest: f64,
        is_reserved: bool,
    ) -> FailureVerdict {
        if self.weight <= W::default() {
            return if outcomes.lost > 0.0 { FailureVerdict::Unknown } else { FailureVerdict::Keeps };
        }
        let mut worst: Option<(f64, FailureVerdict)> = None;
        for (part, &moment) in outcomes.parts.iter().zip(&self.moments) {
            let Part { people, most, members, .. } = *part;
            let share = Share { moment, weight: self.weight, people, most, members };
            let mean = share.mean();
            let (over, under) = (mean - highest, lowest - mean);
            let is_kept = keeps(share);
            if is_kept && (part.side == Side::Elsewhere || !is_reserved || over.max(under) <= 0.0) {
                continue;
            }
            let is_high = over >= under;
            let verdict = match (part.side, is_high) {
                (Side::Elsewhere, _) => return FailureVerdict::Breaks,
                (Side::Left, true) | (Side::Right, false) => FailureVerdict::DropLow,
                (Side::Left, false) | (Side::Right, true) => FailureVerdict::DropHigh,
            };
            let excess = over.max(under);
            if worst.as_ref().is_none_or(|(most, _)| excess > *most) {
                worst = Some((excess, verdict));
            }
        }
        worst.map_or(FailureVerdict::Keeps, |(_, verdict)| verdict)
    }
}
