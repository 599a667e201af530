//! The claims about MPALM's nine strategies.

use palmtop_core::model::Presence;
use palmtop_search::{ColumnRule, Strategy, ValueRule};

use super::super::grid::{Grid, column_rule};
use super::super::measure::{Measure, duration as time};
use super::{ALIKE, Claim, known, pairs, rises};
use palmtop_release::chart::{label, loss};

/// The column rule `n` is near the best if its loss is at most this factor times the best loss of
/// the other six.
const NEAR: f64 = 1.1;
/// Growth is moderate if the longest time of a sweep is at most this factor times the shortest.
const MODERATE: f64 = 10.0;
/// Times within this factor are alike, because another measurement may reverse their order.
const TIMES_ALIKE: f64 = 1.25;
/// Times below this many seconds are too short to judge.
const TOO_SHORT: f64 = 0.001;

/// Each strategy's loss is below SPALM's at each δmax where both have one.
pub(super) fn below_spalm(grid: &Grid) -> Claim {
    let claim = "MPALM loses less than SPALM at every δmax";
    let nine = grid.measured_nine(Measure::Loss);
    let all: Vec<(Strategy, Presence, f64, f64)> = nine
        .iter()
        .flat_map(|&strategy| {
            pairs(grid, strategy, Strategy::Spalm)
                .into_iter()
                .map(move |(at, low, high)| (strategy, at, low, high))
        })
        .collect();
    if all.is_empty() {
        return Claim::undecided(claim, "SPALM and MPALM have no δmax in common");
    }
    let exceptions: Vec<_> = all.iter().filter(|(_, _, mpalm, spalm)| *mpalm >= spalm - ALIKE).collect();
    let mut evidence = format!(
        "below SPALM in {} of {} runs of {}",
        all.len() - exceptions.len(),
        all.len(),
        strategies(&nine)
    );
    let spalm = known(grid, Strategy::Spalm, Measure::Loss);
    for (at, spalm) in ends(&spalm) {
        let at_delta = all.iter().filter(|(_, value, ..)| *value == at);
        if let Some((least, most)) = span(at_delta.map(|(_, _, mpalm, _)| *mpalm)) {
            evidence.push_str(&format!(
                "; at {} {} to {} where SPALM has {}",
                label(at),
                loss(least),
                loss(most),
                loss(spalm)
            ));
        }
    }
    if !exceptions.is_empty() {
        let some = exceptions.iter().take(3).map(|(strategy, at, mpalm, spalm)| {
            format!("{strategy} at {} ({} to {})", label(*at), loss(*mpalm), loss(*spalm))
        });
        let more = if exceptions.len() > 3 { " and more" } else { "" };
        evidence.push_str(&format!("; not below: {}{more}", some.collect::<Vec<_>>().join(", ")));
    }
    Claim::new(claim, exceptions.is_empty(), evidence)
}

/// No strategy's loss rises from one δmax to the next.
pub(super) fn fall(grid: &Grid) -> Claim {
    let claim = "MPALM's loss never rises as δmax grows";
    let mut steps = 0;
    let mut all = Vec::new();
    for strategy in grid.measured_nine(Measure::Loss) {
        let numbers = known(grid, strategy, Measure::Loss);
        steps += numbers.len().saturating_sub(1);
        all.push((strategy, rises(&numbers)));
    }
    if steps == 0 {
        return Claim::undecided(claim, "no strategy of MPALM has two or more δmax");
    }
    let count: usize = all.iter().map(|(_, rises)| rises.len()).sum();
    let each = all
        .iter()
        .map(|(strategy, rises)| format!("{strategy} {}", rises.len()))
        .collect::<Vec<_>>()
        .join(", ");
    let mut evidence = format!("it rises in {count} of {steps} steps ({each})");
    let flat =
        all.iter().flat_map(|(strategy, rises)| rises.iter().map(move |(at, rise)| (strategy, at, rise)));
    if let Some((strategy, at, rise)) = flat.max_by(|left, right| left.2.total_cmp(right.2)) {
        let rise = if *rise < 0.0005 { "less than .001".to_owned() } else { loss(*rise) };
        evidence.push_str(&format!("; most by {strategy}, {rise} at {}", label(*at)));
    }
    Claim::new(claim, count == 0, evidence)
}

/// At the tightest δmax, value rule 2 has the least loss under each column rule with all three
/// value rules.
pub(super) fn first_split_when_tight(grid: &Grid) -> Claim {
    let claim = "FirstSplit (2) loses least of the value rules at a tight δmax";
    let rules = ColumnRule::ALL.map(|column| ValueRule::ALL.map(|value| Strategy::Mpalm(column, value)));
    let losses = rules.map(|strategies| strategies.map(|strategy| grid.line(strategy, Measure::Loss)));
    let at = |index: usize, lines: &[Vec<Option<f64>>; 3]| {
        let [one, two, three] = lines.each_ref().map(|line| line.get(index).copied().flatten());
        Some([one?, two?, three?])
    };
    let has_numbers = |index: &usize| losses.iter().any(|lines| at(*index, lines).is_some());
    let Some(tight) = (0..grid.values.len()).find(has_numbers) else {
        return Claim::undecided(claim, "no column rule has all three value rules at any δmax");
    };
    let is_best = |[one, two, three]: [f64; 3]| two <= one + ALIKE && two <= three + ALIKE;
    let mut holds = true;
    let mut differs = false;
    let mut parts = Vec::new();
    for (column, lines) in ColumnRule::ALL.iter().zip(&losses) {
        let Some(tightest) = at(tight, lines) else { continue };
        holds &= is_best(tightest);
        differs |= tightest.iter().any(|loss_of_rule| (loss_of_rule - tightest[0]).abs() > ALIKE);
        let known = (0..grid.values.len()).filter_map(|index| at(index, lines));
        let (count, best) =
            known.fold((0, 0), |(count, best), losses| (count + 1, best + usize::from(is_best(losses))));
        let [one, two, three] = tightest.map(loss);
        let least = if is_best(tightest) { "least" } else { "not least" };
        let letter = column.letter();
        parts.push(format!("{letter} {one} {two} {three}, {least} (and least at {best} of {count} δmax)"));
    }
    let evidence =
        format!("losses by rules 1 2 3 at δmax {}: {}", label(grid.values[tight]), parts.join("; "));
    if !differs {
        return Claim::undecided(claim, format!("{evidence}; they do not differ"));
    }
    Claim::new(claim, holds, evidence)
}

/// At every δmax, the best loss of n1, n2 and n3 is at most a tenth above the best of the other
/// six.
pub(super) fn next_column_near_best(grid: &Grid) -> Claim {
    let claim = "the column rule n is the best, or within a tenth of it, at every δmax";
    let nine = grid.measured_nine(Measure::Loss);
    let (next, others): (Vec<_>, Vec<_>) =
        nine.into_iter().partition(|strategy| column_rule(*strategy) == Some(ColumnRule::Next));
    let (next, others) = (grid.span(&next, Measure::Loss), grid.span(&others, Measure::Loss));
    let mut ratios = Vec::new();
    for (value, (next, others)) in grid.values.iter().zip(next.into_iter().zip(others)) {
        if let (Some((next, _)), Some((others, _))) = (next, others) {
            // Two losses of zero are equally good.
            let ratio = if next <= others + ALIKE { 1.0 } else { next / others.max(ALIKE) };
            ratios.push((*value, ratio, next, others));
        }
    }
    let Some(worst) = ratios.iter().max_by(|left, right| left.1.total_cmp(&right.1)) else {
        return Claim::undecided(claim, "there is no δmax with both n and another column rule");
    };
    let best = ratios.iter().filter(|(_, ratio, ..)| *ratio <= 1.0).count();
    let near = ratios.iter().filter(|(_, ratio, ..)| *ratio <= NEAR).count();
    let mut evidence = format!("best at {best} of {} δmax, within a tenth at {near}", ratios.len());
    if worst.1 > 1.0 {
        let (value, ratio, next, others) = worst;
        evidence.push_str(&format!(
            "; farthest at {}, {} to {} ({:.0} % more)",
            label(*value),
            loss(*next),
            loss(*others),
            (ratio - 1.0) * 100.0
        ));
    }
    Claim::new(claim, near == ratios.len(), evidence)
}

/// SPALM takes clearly longer than the median of the nine, by the geometric mean over δmax.
pub(super) fn faster_than_spalm(grid: &Grid) -> Claim {
    let claim = "MPALM takes less time than SPALM";
    let nine = grid.measured_nine(Measure::Seconds);
    let lines: Vec<_> = nine.iter().map(|&strategy| grid.line(strategy, Measure::Seconds)).collect();
    let spalm = grid.line(Strategy::Spalm, Measure::Seconds);
    let both: Vec<(f64, f64)> = (0..spalm.len())
        .filter_map(|index| {
            Some((median(lines.iter().filter_map(|line| line[index]).collect())?, spalm[index]?))
        })
        .collect();
    let (Some(mpalm), Some(spalm)) =
        (span(both.iter().map(|times| times.0)), span(both.iter().map(|times| times.1)))
    else {
        return Claim::undecided(claim, "SPALM and MPALM have no δmax in common");
    };
    let faster = both.iter().filter(|(mpalm, spalm)| mpalm < spalm).count();
    let logarithms: f64 = both.iter().map(|(mpalm, spalm)| (spalm / mpalm).ln()).sum();
    let ratio = (logarithms / f64::from(u32::try_from(both.len()).unwrap_or(u32::MAX))).exp();
    let evidence = format!(
        "the median of {} takes {} to {}, SPALM {} to {}; MPALM is faster at {faster} of {} δmax, SPALM takes \
         {ratio:.2} times as long on the geometric mean",
        strategies(&nine),
        time(mpalm.0),
        time(mpalm.1),
        time(spalm.0),
        time(spalm.1),
        both.len()
    );
    if mpalm.1.max(spalm.1) < TOO_SHORT {
        return Claim::undecided(claim, format!("{evidence}; too short to tell"));
    }
    if (1.0 / TIMES_ALIKE..=TIMES_ALIKE).contains(&ratio) {
        return Claim::undecided(claim, format!("{evidence}, too near to tell"));
    }
    Claim::new(claim, ratio > 1.0, evidence)
}

/// No strategy's longest time over the sweep is more than ten times its shortest.
pub(super) fn time_grows_moderately(grid: &Grid) -> Claim {
    let claim = "MPALM's time differs at most tenfold over δmax";
    let nine = grid.measured_nine(Measure::Seconds);
    let numbers =
        |strategy: Strategy| known(grid, strategy, Measure::Seconds).into_iter().map(|(_, seconds)| seconds);
    let spans = nine.iter().filter(|strategy| numbers(**strategy).count() >= 2);
    let spans: Vec<_> = spans.filter_map(|&strategy| Some((strategy, span(numbers(strategy))?))).collect();
    let widest = spans.iter().max_by(|left, right| (left.1.1 / left.1.0).total_cmp(&(right.1.1 / right.1.0)));
    let Some((strategy, (least, most))) = widest else {
        return Claim::undecided(claim, "no strategy of MPALM has two or more δmax");
    };
    let factor = most / least;
    let mut evidence =
        format!("most by {strategy}, {} to {}, a factor of {factor:.1}", time(*least), time(*most));
    if let Some((least, most)) =
        span(known(grid, Strategy::Spalm, Measure::Seconds).into_iter().map(|time_at| time_at.1))
    {
        evidence.push_str(&format!(
            "; SPALM {} to {}, a factor of {:.1}",
            time(least),
            time(most),
            most / least
        ));
    }
    if *most < TOO_SHORT {
        return Claim::undecided(claim, format!("{evidence}; too short to tell"));
    }
    Claim::new(claim, factor <= MODERATE, evidence)
}

/// At some step to a stricter δmin, the loss of a strategy falls.
pub(super) fn stricter_minimum_can_cost_less(grid: &Grid) -> Claim {
    let claim = "a stricter δmin can give MPALM a lower loss (the paper's anomaly)";
    let mut steps = 0;
    let mut all = Vec::new();
    for strategy in grid.measured_nine(Measure::Loss) {
        let numbers = known(grid, strategy, Measure::Loss);
        steps += numbers.len().saturating_sub(1);
        let fall = |pair: &[(Presence, f64)]| {
            (pair[1].1 < pair[0].1 - ALIKE).then_some((strategy, pair[0], pair[1]))
        };
        all.extend(numbers.windows(2).filter_map(fall));
    }
    if steps == 0 {
        return Claim::undecided(claim, "no strategy of MPALM has two or more δmin");
    }
    let mut evidence = format!("the loss falls in {} of {steps} steps to a stricter δmin", all.len());
    let fall = |fall: &(Strategy, (Presence, f64), (Presence, f64))| fall.1.1 - fall.2.1;
    if let Some((strategy, from, to)) = all.iter().max_by(|left, right| fall(left).total_cmp(&fall(right))) {
        evidence.push_str(&format!(
            "; most for {strategy}, {} at {} to {} at {}",
            loss(from.1),
            label(from.0),
            loss(to.1),
            label(to.0)
        ));
    }
    Claim::new(claim, !all.is_empty(), evidence)
}

/// The first and the last number; only one if the list has one.
fn ends(numbers: &[(Presence, f64)]) -> Vec<(Presence, f64)> {
    match numbers {
        [first, .., last] => vec![*first, *last],
        other => other.to_vec(),
    }
}

fn span(numbers: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    numbers.fold(None, |span: Option<(f64, f64)>, number| {
        Some(span.map_or((number, number), |(least, most)| (least.min(number), most.max(number))))
    })
}

fn median(mut numbers: Vec<f64>) -> Option<f64> {
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied()
}

/// `the nine`, or the names if fewer were run.
fn strategies(nine: &[Strategy]) -> String {
    if nine.len() == 9 {
        "the nine".to_owned()
    } else {
        nine.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}
