//! Withdrawing parts of regions, where members may be withdrawn: a few who are like nobody else make the box of all others
//! wide, and cost less by themselves.
//!
//! It begins with a release in which everybody is published, and ends with one that costs less or with the same. A step
//! cuts a region in two, as any search for regions does, and withdraws one side; what stays is cut anew. After every step
//! the pool keeps δ, and no more members are withdrawn than may be. It draws nothing and asks nobody, so that the same
//! release comes of the same rounds; what it does is bounded by the table.

use super::super::mpalm::mpalm;
use super::super::pace::Pace;
use super::super::spalm::spalm_at;
use super::super::{ColumnRule, Config, Observer, SearchReport, ValueRule, withdrawal};
use super::value_of;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Classes, Counts, Cuts, Partition, Problem, Recoding, size};
use palmtop_core::progress::unwatched;

/// Regions of more combinations are left as they are: looking for a cut would take too long.
const LARGEST: usize = 1 << 12;
/// How much SPALM may do, which withdraws classes of nodes.
const NODES: u64 = 1 << 28;

/// What was found with everybody published, or what costs less with some members withdrawn.
pub(super) fn withdraw(problem: &Problem, config: &Config, found: Recoding) -> Recoding {
    if !withdrawal::is_possible(problem) {
        return found;
    }
    let value = |recoding: &Recoding| value_of(problem, recoding, config.metric);
    let is_allowed = |recoding: &Recoding| Classes::of(problem, recoding).satisfy(problem.policy());
    let peeled = match &found {
        // Where levels are limited, a side of a region may be no label.
        Recoding::Regions(partition)
            if config.metric != Metric::Discernibility && problem.levels_reach_the_base() =>
        {
            Peeling::of(problem, partition).run()
        }
        _ => None,
    };
    let (others, _) = node(problem, config, &mut unwatched);
    let others = peeled.into_iter().chain(others).filter(is_allowed);
    // What everybody is published in comes first, and only what costs less takes its place.
    others
        .fold((value(&found), found), |(least, best), other| {
            let cost = value(&other);
            if cost < least { (cost, other) } else { (least, best) }
        })
        .1
}

/// The best node with what is withdrawn of it, as far as that comes within a fixed amount of work.
pub(super) fn node(
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    spalm_at(problem, config, &mut Pace::new(observer, 0).within(NODES))
}

/// Regions of which parts are withdrawn.
struct Peeling<'a> {
    problem: &'a Problem,
    /// The combinations of each region that is not withdrawn.
    regions: Vec<Vec<u32>>,
    /// Of each, the best side to withdraw.
    cuts: Vec<Cut>,
    withdrawn: Vec<Vec<u32>>,
    /// Who matches no row.
    pool: Counts,
    /// How many members may be withdrawn.
    most: u64,
}

/// What is known of where to cut a region.
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
    /// How much less the loss is over all of T, for each member of the side.
    gain: f64,
}

impl<'a> Peeling<'a> {
    fn of(problem: &'a Problem, partition: &Partition) -> Self {
        let mut regions = vec![Vec::new(); partition.len()];
        for (place, &region) in (0..).zip(partition.region_of()) {
            regions[region as usize].push(place);
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

    /// Takes away one side after another, always the one that gains most for each of its members.
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

    /// Withdraws the side that was found of a region, and cuts what stays anew.
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
        // Parts without members match no row, either.
        self.pool.public = self.unmatched();
    }

    /// The people who match no row.
    fn unmatched(&self) -> u64 {
        let empty =
            self.regions.iter().map(|region| people(self.problem, region)).filter(|own| own.private == 0);
        let withdrawn = self.withdrawn.iter().map(|side| people(self.problem, side));
        empty.chain(withdrawn).map(|own| own.public).sum()
    }

    /// A region cut by the paper's rules, as far as it can be.
    fn cut(&self, region: &[u32]) -> Vec<Vec<u32>> {
        let whole = || vec![region.to_vec()];
        let Ok(within) = self.problem.within(region) else { return whole() };
        let (found, _) = mpalm(&within, ColumnRule::Next, ValueRule::FirstSplit, &mut unwatched);
        let Some(found) = found else { return whole() };
        let classes = Classes::of(&within, &found);
        if !classes.satisfy(within.policy()) {
            return whole();
        }
        let mut parts = vec![Vec::new(); classes.len()];
        for (&place, &class) in region.iter().zip(&classes.class_of) {
            parts[class as usize].push(place);
        }
        parts
    }

    /// The side of a region that gains most for each member when it is withdrawn; `None` where none gains anything.
    fn peel(&self, region: &[u32]) -> Option<Peel> {
        let (problem, own) = (self.problem, people(self.problem, region));
        if own.private == 0 || region.len() < 2 || region.len() > LARGEST {
            return None;
        }
        let before = float(own.private) * self.loss(region);
        let mut best: Option<Peel> = None;
        let mut offer = |side: Vec<u32>, rest: Vec<u32>| {
            let (counts, kept) = (people(problem, &side), people(problem, &rest));
            if counts.private == 0
                || counts.private > self.most
                || kept.private == 0
                || !problem.policy().allows(kept)
            {
                return;
            }
            let after = float(kept.private) * self.loss(&rest) + float(counts.private);
            let gain = (before - after) / float(counts.private);
            if gain > 1e-12 && best.as_ref().is_none_or(|best| gain > best.gain) {
                best = Some(Peel { side, rest, counts, gain });
            }
        };
        // Where cuts are declared, none is made here.
        for attribute in
            (0..problem.quasi().len()).filter(|&attribute| problem.cuts(attribute) == Cuts::Values)
        {
            let codes = problem.histogram().column(attribute);
            let code = |place: &u32| codes[*place as usize];
            let mut values: Vec<u32> = region.iter().map(code).collect();
            values.sort_unstable();
            values.dedup();
            let is_ordered = problem.hierarchy(attribute).kind().is_ordered();
            for &value in &values {
                let is_side =
                    |place: &u32| if is_ordered { code(place) < value } else { code(place) == value };
                let (side, rest): (Vec<u32>, Vec<u32>) = region.iter().partition(|place| is_side(place));
                if !side.is_empty() && !rest.is_empty() {
                    offer(side.clone(), rest.clone());
                    offer(rest, side);
                }
            }
        }
        best
    }

    /// The loss of the smallest box around combinations.
    fn loss(&self, region: &[u32]) -> f64 {
        let problem = self.problem;
        let of = |attribute: usize| {
            let (codes, hierarchy) = (problem.histogram().column(attribute), problem.hierarchy(attribute));
            let mut values: Vec<u32> = region.iter().map(|&place| codes[place as usize]).collect();
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
        let partition = Partition::of_regions(self.problem, &regions);
        Recoding::Regions(partition).withdrawing((first..size::number(regions.len())).collect())
    }
}

fn people(problem: &Problem, region: &[u32]) -> Counts {
    region.iter().map(|&place| problem.histogram().counts()[place as usize]).sum()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of people and columns, for a loss")]
fn float(count: u64) -> f64 {
    count as f64
}
