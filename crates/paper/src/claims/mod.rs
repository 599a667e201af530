//! The claims in section 7 of the paper, judged only by the numbers of this experiment.
//!
//! Each function has the rule of judgement for its claim. If the numbers cannot decide a claim, its
//! verdict is undecided.

mod nine;

use palmtop_core::model::Presence;
use palmtop_search::Strategy;
use serde::{Serialize, Serializer};

use super::baseline::Baseline;
use super::grid::Grid;
use super::measure::Measure;
use super::method::Method;
use palmtop_release::chart::{label, loss};

/// The verdict of the numbers on a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Holds,
    DoesNotHold,
    Undecided,
}

/// A claim with its verdict and the numbers behind it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Claim {
    #[serde(rename = "claim")]
    says: &'static str,
    verdict: Verdict,
    evidence: String,
}

/// Losses that differ by less are equal: only the order of summation may differ.
const ALIKE: f64 = 1e-9;

pub(super) fn judge(over_max: &Grid, over_min: &Grid) -> Vec<Claim> {
    vec![
        nine::below_spalm(over_max),
        needed_k_varies(over_max),
        k_costs_more(over_max),
        spalm_falls(over_max),
        nine::fall(over_max),
        nine::first_split_when_tight(over_max),
        nine::next_column_near_best(over_max),
        nine::faster_than_spalm(over_max),
        nine::time_grows_moderately(over_max),
        nine::stricter_minimum_can_cost_less(over_min),
    ]
}

/// The claims as text, in 80 columns.
pub(super) fn text(claims: &[Claim]) -> String {
    let mut text = "── Claims after the paper's section 7, judged by the numbers above\n".to_owned();
    text.push_str(
        "   What holds here, not what held there: the paper's hierarchies, ties and\n   machine are not known.\n",
    );
    for claim in claims {
        let heading = format!("{} {}: {}", claim.verdict.mark(), claim.verdict.as_str(), claim.says);
        text.push_str(&format!("\n{}\n", wrapped(&heading, 78).join("\n  ")));
        text.push_str(&format!("    {}\n", wrapped(&claim.evidence, 74).join("\n    ")));
    }
    text
}

impl Verdict {
    fn as_str(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::DoesNotHold => "does not hold",
            Self::Undecided => "cannot be said here",
        }
    }

    fn mark(self) -> char {
        match self {
            Self::Holds => '✓',
            Self::DoesNotHold => '✗',
            Self::Undecided => '?',
        }
    }

    fn of(holds: bool) -> Self {
        if holds { Self::Holds } else { Self::DoesNotHold }
    }
}

impl Serialize for Verdict {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl Claim {
    fn new(claim: &'static str, holds: bool, evidence: String) -> Self {
        Self { says: claim, verdict: Verdict::of(holds), evidence }
    }

    fn undecided(claim: &'static str, why: impl Into<String>) -> Self {
        Self { says: claim, verdict: Verdict::Undecided, evidence: why.into() }
    }
}

/// The greatest k over the sweep is at least twice the least.
fn needed_k_varies(grid: &Grid) -> Claim {
    let claim = "the k that k-anonymity needs varies widely with δmax, so no one k stands for δ";
    let Some((baseline, ks)) = baseline(grid, |ks| ks.len() >= 2) else {
        return Claim::undecided(claim, "k-anonymity has no k at two or more δmax");
    };
    let ks: Vec<(Presence, f64)> = ks;
    let by_k = |left: &&(Presence, f64), right: &&(Presence, f64)| left.1.total_cmp(&right.1);
    let (Some(least), Some(most)) = (ks.iter().min_by(by_k), ks.iter().max_by(by_k)) else {
        return Claim::undecided(claim, "there is no k");
    };
    let factor = most.1 / least.1;
    let steps: Vec<f64> = ks.windows(2).map(|pair| pair[0].1 / pair[1].1).collect();
    let rises = steps.iter().filter(|step| **step < 1.0).count();
    let widest = steps.iter().copied().fold(1.0, |widest: f64, step| widest.max(step).max(1.0 / step));
    let mut evidence = format!(
        "{baseline} needs k = {} at δmax {} and k = {} at {}, a factor of {factor:.1}; from one δmax to the next k \
         changes by a factor of up to {widest:.1}, and it rises with δmax in {rises} of {} steps",
        most.1,
        label(most.0),
        least.1,
        label(least.0),
        steps.len(),
    );
    let losses = grid.line(baseline, Measure::Loss);
    let at = |value: Presence| {
        grid.values.iter().position(|known| *known == value).and_then(|index| losses[index])
    };
    if let (Some(strict), Some(loose)) = (at(most.0), at(least.0)) {
        evidence.push_str(&format!(
            "; the k that serves δmax {} costs a loss of {}, where {} would do with {}",
            label(most.0),
            loss(strict),
            label(least.0),
            loss(loose)
        ));
    }
    Claim::new(claim, factor >= 2.0, evidence)
}

/// k-anonymity's loss is above SPALM's at more than half of the δmax where both have a release.
fn k_costs_more(grid: &Grid) -> Claim {
    let claim = "k-anonymity that reaches δ loses more than SPALM at most δmax";
    let pairs = pairs(grid, Baseline::KOptimal, Strategy::Spalm);
    if pairs.is_empty() {
        return Claim::undecided(claim, "k-optimal and SPALM have no δmax in common");
    }
    let above = pairs.iter().filter(|(_, k, spalm)| *k > spalm + ALIKE).count();
    let below = pairs.iter().filter(|(_, k, spalm)| *k < spalm - ALIKE).count();
    let widest = pairs.iter().max_by(|left, right| (left.1 - left.2).total_cmp(&(right.1 - right.2)));
    let mut evidence = format!("k-optimal loses more at {above} of {} δmax, less at {below}", pairs.len());
    if let Some((value, k, spalm)) = widest {
        evidence.push_str(&format!("; most so at {}, {} to {}", label(*value), loss(*k), loss(*spalm)));
    }
    Claim::new(claim, 2 * above > pairs.len(), evidence)
}

/// SPALM's loss never rises with δmax.
fn spalm_falls(grid: &Grid) -> Claim {
    let claim = "SPALM's loss never rises as δmax grows";
    let numbers = known(grid, Strategy::Spalm, Measure::Loss);
    let (Some(first), Some(last), true) = (numbers.first(), numbers.last(), numbers.len() >= 2) else {
        return Claim::undecided(claim, "SPALM has fewer than two δmax");
    };
    let rises = rises(&numbers);
    let evidence = format!(
        "{} at δmax {} to {} at {}; it rises in {} of {} steps",
        loss(first.1),
        label(first.0),
        loss(last.1),
        label(last.0),
        rises.len(),
        numbers.len() - 1
    );
    Claim::new(claim, rises.is_empty(), evidence)
}

/// The first baseline whose k, listed by δmax, satisfy a predicate.
fn baseline(
    grid: &Grid,
    is_enough: impl Fn(&[(Presence, f64)]) -> bool,
) -> Option<(Baseline, Vec<(Presence, f64)>)> {
    let all = Baseline::ALL.into_iter();
    all.map(|baseline| (baseline, known(grid, baseline, Measure::K))).find(|(_, ks)| is_enough(ks))
}

/// The numbers of a method with their values of the sweep.
fn known(grid: &Grid, method: impl Into<Method>, measure: Measure) -> Vec<(Presence, f64)> {
    let line = grid.line(method, measure);
    grid.values.iter().copied().zip(line).filter_map(|(value, number)| Some((value, number?))).collect()
}

/// The losses of two methods at each value where both have one.
fn pairs(grid: &Grid, left: impl Into<Method>, right: impl Into<Method>) -> Vec<(Presence, f64, f64)> {
    let lines = grid.line(left, Measure::Loss).into_iter().zip(grid.line(right, Measure::Loss));
    grid.values.iter().zip(lines).filter_map(|(value, (left, right))| Some((*value, left?, right?))).collect()
}

/// The steps of the sweep where a number rises: the later value, and the rise.
fn rises(numbers: &[(Presence, f64)]) -> Vec<(Presence, f64)> {
    let rise = |pair: &[(Presence, f64)]| {
        let rise = pair[1].1 - pair[0].1;
        (rise > ALIKE).then_some((pair[1].0, rise))
    };
    numbers.windows(2).filter_map(rise).collect()
}

/// Wraps a text into lines of at most `width` characters.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let length = lines.last().map_or(0, |line| line.chars().count());
        if length > 0 && length + 1 + word.chars().count() > width {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

#[cfg(test)]
mod tests;
