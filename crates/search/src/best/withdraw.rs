//! Withdraws parts of regions, if the policy permits the withdrawal of members. A few outliers can
//! make the box of all others wide, so that their withdrawal costs less.
//!
//! It starts with a release that publishes every member, and ends with one that costs the same or
//! less. A step cuts a region in two and withdraws one side; the remaining side is cut again. After
//! every step, the pool keeps δ, and the number of withdrawn members is permitted. The method is
//! deterministic, and the table bounds its work.

use super::value::value_of;
use crate::control::pace::Pace;
use crate::counts::value_judge::ValueJudge;
use crate::nodes::spalm::spalm_at;
use crate::nodes::withdrawal;
use crate::regions::cut_boxes::BoxRules;
use crate::regions::mpalm::mpalm;
use crate::{ColumnRule, Config, Observer, SearchReport, ValueRule};
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Classes, Counts, Cuts, Partition, Problem, Recoding, size};
use palmtop_core::progress::unwatched;

/// The largest region, in combinations, that is examined. A larger one would take too long.
const LARGEST: usize = 1 << 12;
/// The work that SPALM may spend on withdrawing classes of nodes.
const NODES: u64 = 1 << 28;

/// The release that publishes every member, or a cheaper one with withdrawn members.
pub(super) fn withdraw(problem: &Problem, config: &Config, found: Recoding) -> Recoding {
    if !withdrawal::is_possible(problem) {
        return found;
    }
    let value = |recoding: &Recoding| value_of(problem, recoding, config.metric);
    let is_allowed = |recoding: &Recoding| Classes::of(problem, recoding).satisfy(problem.policy());
    let peeled = match &found {
        // If levels or terms are limited, a side of a region may break the limit.
        Recoding::Regions(partition)
            if config.metric != Metric::Discernibility
                && problem.region_floors_are_the_base()
                && !BoxRules::of(problem).has_limits() =>
        {
            Peeling::of(problem, partition).run()
        }
        _ => None,
    };
    let (candidates, _) = node(problem, config, &mut unwatched);
    let candidates = peeled.into_iter().chain(candidates).filter(is_allowed);
    // The release of every member comes first, so that only a cheaper one replaces it.
    candidates
        .fold((value(&found), found), |(least, best), candidate| {
            let cost = value(&candidate);
            if cost < least { (cost, candidate) } else { (least, best) }
        })
        .1
}

/// The best node with its withdrawn classes that SPALM finds within a fixed amount of work.
pub(super) fn node(
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    spalm_at(problem, config, &mut Pace::new(observer, 0).within(NODES))
}

/// A partition, some parts of which are withdrawn.
struct Peeling<'a> {
    problem: &'a Problem,
    /// The combinations of each region that is not withdrawn.
    regions: Vec<Vec<u32>>,
    /// For each region, the best side to withdraw.
    cuts: Vec<Cut>,
    withdrawn: Vec<Vec<u32>>,
    /// The counts of everyone who matches no released row.
    pool: Counts,
    /// The largest permitted number of withdrawn members.
    most: u64,
}

/// The best side of a region to withdraw, if it has been computed.
#[derive(Clone, Debug)]
enum Cut {
    NotYet,
    Nowhere,
    Here(Peel),
}

/// A side of a region to withdraw.
#[derive(Clone, Debug)]
struct Peel {
    side: Vec<u32>,
    rest: Vec<u32>,
    counts: Counts,
    /// The decrease of the loss, summed over T, for each member of the side.
    gain: f64,
}

impl<'a> Peeling<'a> {
    fn of(problem: &'a Problem, partition: &Partition) -> Self {
        let mut regions = vec![Vec::new(); partition.len()];
        for (combination, &region) in (0..).zip(partition.region_of()) {
            regions[region as usize].push(combination);
        }
        let people = |region: &[u32]| people(problem, region);
        let empty = regions.iter().map(|region| people(region)).filter(|counts| counts.private == 0);
        let pool = empty.sum();
        Self {
            cuts: vec![Cut::NotYet; regions.len()],
            most: problem.policy().suppression().most(problem.histogram().total().private),
            problem,
            regions,
            withdrawn: Vec::new(),
            pool,
        }
    }

    /// Withdraws one side after another, always the one with the greatest gain for each member.
    fn run(mut self) -> Option<Recoding> {
        while self.pool.private < self.most {
            for region in 0..self.regions.len() {
                if matches!(self.cuts[region], Cut::NotYet) {
                    self.cuts[region] = self.peel(&self.regions[region]).map_or(Cut::Nowhere, Cut::Here);
                }
            }
            let is_possible = |peel: &Peel| {
                let pool = self.pool + peel.counts;
                self.problem.policy().allows_pool(pool, self.problem.histogram().total().private)
            };
            let possible = self.cuts.iter().enumerate().filter_map(|(region, cut)| {
                let Cut::Here(peel) = cut else { return None };
                is_possible(peel).then_some((region, peel.gain))
            });
            let best = possible.reduce(|best, next| if next.1 > best.1 { next } else { best });
            let Some((region, _)) = best else { break };
            self.take(region);
        }
        (!self.withdrawn.is_empty()).then(|| self.recoding())
    }

    /// Withdraws the best side of a region, and cuts the remaining side again.
    fn take(&mut self, region: usize) {
        let Cut::Here(peel) = std::mem::replace(&mut self.cuts[region], Cut::NotYet) else { return };
        self.pool += peel.counts;
        self.withdrawn.push(peel.side);
        let mut parts = self.cut(&peel.rest).into_iter();
        self.regions[region] = parts.next().unwrap_or_default();
        for part in parts {
            self.regions.push(part);
            self.cuts.push(Cut::NotYet);
        }
        // Parts without members match no released row, either.
        self.pool.public = self.unmatched();
    }

    /// The number of individuals who match no released row.
    fn unmatched(&self) -> u64 {
        let empty = self
            .regions
            .iter()
            .map(|region| people(self.problem, region))
            .filter(|counts| counts.private == 0);
        let withdrawn = self.withdrawn.iter().map(|side| people(self.problem, side));
        empty.chain(withdrawn).map(|counts| counts.public).sum()
    }

    /// Cuts a region by the paper's strategy n2.
    fn cut(&self, region: &[u32]) -> Vec<Vec<u32>> {
        let uncut = || vec![region.to_vec()];
        let Ok(within) = self.problem.within(region) else { return uncut() };
        let (found, _) = mpalm(&within, ColumnRule::Next, ValueRule::FirstSplit, &mut unwatched);
        let Some(found) = found else { return uncut() };
        let classes = Classes::of(&within, &found);
        if !classes.satisfy(within.policy()) {
            return uncut();
        }
        let mut parts = vec![Vec::new(); classes.len()];
        for (&combination, &class) in region.iter().zip(&classes.class_of) {
            parts[class as usize].push(combination);
        }
        parts
    }

    /// The side of a region with the greatest gain for each member; `None` if no side has a gain.
    fn peel(&self, region: &[u32]) -> Option<Peel> {
        let (problem, counts_of_region) = (self.problem, people(self.problem, region));
        if counts_of_region.private == 0 || region.len() < 2 || region.len() > LARGEST {
            return None;
        }
        let before = float(counts_of_region.private) * self.loss(region);
        let (on_counts, values) = (problem.policy().on_counts(), ValueJudge::of(problem));
        let mut best: Option<Peel> = None;
        let mut offer = |side: Vec<u32>, rest: Vec<u32>| {
            let (counts, kept) = (people(problem, &side), people(problem, &rest));
            if counts.private == 0
                || counts.private > self.most
                || kept.private == 0
                || !on_counts.allows(kept)
            {
                return;
            }
            let after = float(kept.private) * self.loss(&rest) + float(counts.private);
            let gain = (before - after) / float(counts.private);
            if gain > 1e-12
                && best.as_ref().is_none_or(|best| gain > best.gain)
                && values.as_ref().is_none_or(|values| values.holds(rest.iter().copied()))
            {
                best = Some(Peel { side, rest, counts, gain });
            }
        };
        // Columns with declared cuts are skipped here.
        for attribute in
            (0..problem.quasi().len()).filter(|&attribute| problem.cuts(attribute) == Cuts::Values)
        {
            let codes = problem.histogram().column(attribute);
            let code = |combination: &u32| codes[*combination as usize];
            let mut values: Vec<u32> = region.iter().map(code).collect();
            values.sort_unstable();
            values.dedup();
            let is_ordered = problem.hierarchy(attribute).kind().is_ordered();
            for &value in &values {
                let is_side = |combination: &u32| {
                    if is_ordered { code(combination) < value } else { code(combination) == value }
                };
                let (side, rest): (Vec<u32>, Vec<u32>) =
                    region.iter().partition(|combination| is_side(combination));
                if !side.is_empty() && !rest.is_empty() {
                    offer(side.clone(), rest.clone());
                    offer(rest, side);
                }
            }
        }
        best
    }

    /// The loss of the smallest box around some combinations.
    fn loss(&self, region: &[u32]) -> f64 {
        let problem = self.problem;
        let of = |attribute: usize| {
            let (codes, hierarchy) = (problem.histogram().column(attribute), problem.hierarchy(attribute));
            let mut values: Vec<u32> =
                region.iter().map(|&combination| codes[combination as usize]).collect();
            values.sort_unstable();
            values.dedup();
            let (Some(&low), Some(&high)) = (values.first(), values.last()) else { return 0.0 };
            let leaves =
                if hierarchy.kind().is_ordered() { high - low } else { size::number(values.len()) - 1 };
            let all = size::number(hierarchy.leaf_count()) - 1;
            let weight = problem.weights().relative(attribute);
            if all == 0 { 0.0 } else { weight * f64::from(leaves) / f64::from(all) }
        };
        (0..problem.quasi().len()).map(of).sum::<f64>() / float(problem.quasi().len() as u64)
    }

    fn recoding(&self) -> Recoding {
        let regions: Vec<Vec<u32>> = self.regions.iter().chain(&self.withdrawn).cloned().collect();
        let first = size::number(self.regions.len());
        let partition = Partition::of_regions(self.problem, &regions, &[]);
        Recoding::Regions(partition).withdrawing((first..size::number(regions.len())).collect())
    }
}

fn people(problem: &Problem, region: &[u32]) -> Counts {
    region.iter().map(|&combination| problem.histogram().counts()[combination as usize]).sum()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of people and columns, for a loss")]
fn float(count: u64) -> f64 {
    count as f64
}
