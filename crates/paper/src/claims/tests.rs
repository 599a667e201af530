use super::super::grid::tests::grid;
use super::*;

const NINE: [&str; 9] = ["n1", "n2", "n3", "p1", "p2", "p3", "b1", "b2", "b3"];

/// The verdict of one claim on a sweep, with its evidence.
#[track_caller]
fn expect(claim: &Claim, verdict: Verdict, evidence: &str) {
    assert_eq!(claim.verdict, verdict, "{}", claim.evidence);
    assert!(claim.evidence.contains(evidence), "expected {evidence:?} in {:?}", claim.evidence);
}

/// A sweep in which the baselines have these k, and losses of .1.
fn with_k(values: &str, lines: &[(&str, &str)]) -> Grid {
    let plain: Vec<(&str, String)> = lines
        .iter()
        .map(|(name, ks)| {
            (*name, ks.split(' ').map(|k| if k == "·" { "·" } else { ".1" }).collect::<Vec<_>>().join(" "))
        })
        .collect();
    let plain: Vec<(&str, &str)> = plain.iter().map(|(name, losses)| (*name, losses.as_str())).collect();
    let mut grid = grid(values, &plain);
    for ((_, cells), (_, ks)) in grid.columns.iter_mut().zip(lines) {
        for (cell, k) in cells.iter_mut().zip(ks.split(' ')) {
            if let Some(cell) = cell {
                cell.k = Some(k.parse().unwrap());
            }
        }
    }
    grid
}

/// A sweep in which the strategies take these milliseconds.
fn with_time(values: &str, lines: &[(&str, &str)]) -> Grid {
    let mut grid = grid(values, lines);
    for (_, cells) in &mut grid.columns {
        for cell in cells.iter_mut().flatten() {
            cell.seconds = cell.loss / 1000.0;
        }
    }
    grid
}

#[test]
fn mpalm_below_spalm() {
    let both = |n1: &str, n2: &str| {
        nine::below_spalm(&grid("0.05 0.1 0.2", &[("spalm", ".7 .6 .5"), ("n1", n1), ("n2", n2)]))
    };
    expect(
        &both(".6 .5 .4", ".2 .1 ·"),
        Verdict::Holds,
        "below SPALM in 5 of 5 runs of n1, n2; at 0.05 .200 to .600 where SPALM has .700",
    );
    expect(&both(".6 .5 .5", ".2 .1 .1"), Verdict::DoesNotHold, "not below: n1 at 0.2 (.500 to .500)");
    expect(&both("· · ·", "· · ·"), Verdict::Undecided, "no δmax in common");
}

#[test]
fn the_needed_k() {
    let of = |lines: &[(&str, &str)]| needed_k_varies(&with_k("0.05 0.1 0.2", lines));
    let varied = of(&[("k-optimal", "90 40 45")]);
    expect(&varied, Verdict::Holds, "k-optimal needs k = 90 at δmax 0.05 and k = 40 at 0.1, a factor of 2.2");
    expect(&varied, Verdict::Holds, "it rises with δmax in 1 of 2 steps");
    expect(&of(&[("k-optimal", "7 6 6")]), Verdict::DoesNotHold, "a factor of 1.2");
    expect(&of(&[("k-optimal", "7 · ·")]), Verdict::Undecided, "no k");
    expect(&of(&[("k-optimal", "· · ·"), ("mondrian", "30 20 10")]), Verdict::Holds, "mondrian needs k = 30");
}

#[test]
fn what_k_anonymity_costs() {
    let of = |k: &str| k_costs_more(&grid("0.05 0.1 0.2", &[("k-optimal", k), ("spalm", ".7 .6 .5")]));
    expect(
        &of(".9 .7 .5"),
        Verdict::Holds,
        "loses more at 2 of 3 δmax, less at 0; most so at 0.05, .900 to .700",
    );
    expect(&of(".7 .6 .8"), Verdict::DoesNotHold, "more at 1 of 3");
    expect(&of("· · ·"), Verdict::Undecided, "no δmax in common");
}

#[test]
fn loss_over_a_growing_maximum() {
    let spalm = |losses: &str| spalm_falls(&grid("0.05 0.1 0.2", &[("spalm", losses)]));
    expect(&spalm(".7 .6 .6"), Verdict::Holds, ".700 at δmax 0.05 to .600 at 0.2; it rises in 0 of 2 steps");
    expect(&spalm(".7 · .8"), Verdict::DoesNotHold, "it rises in 1 of 1 steps");
    expect(&spalm("· .7 ·"), Verdict::Undecided, "fewer than two");
    let mpalm = |n1: &str, b3: &str| nine::fall(&grid("0.05 0.1 0.2", &[("n1", n1), ("b3", b3)]));
    expect(&mpalm(".7 .6 .5", ".2 .1 .1"), Verdict::Holds, "it rises in 0 of 4 steps (n1 0, b3 0)");
    expect(
        &mpalm(".7 .8 .5", ".2 .1 .15"),
        Verdict::DoesNotHold,
        "it rises in 2 of 4 steps (n1 1, b3 1); most by n1, .100 at 0.1",
    );
    expect(&mpalm(".7 · ·", "· · ·"), Verdict::Undecided, "two or more δmax");
}

#[test]
fn value_rules_at_a_tight_maximum() {
    let of = |one: &str, two: &str, three: &str| {
        nine::first_split_when_tight(&grid("0.05 0.1 0.2", &[("n1", one), ("n2", two), ("n3", three)]))
    };
    expect(
        &of(".3 .3 .3", ".2 .4 .4", ".4 .2 .2"),
        Verdict::Holds,
        "losses by rules 1 2 3 at δmax 0.05: n .300 .200 .400, least (and least at 1 of 3 δmax)",
    );
    expect(&of(".3 .3 .3", ".4 .1 .1", ".4 .2 .2"), Verdict::DoesNotHold, "not least (and least at 2 of 3");
    expect(&of("· .3 .3", "· .2 .1", "· .2 .2"), Verdict::Holds, "at δmax 0.1");
    expect(&of(".3 .3 .3", ".3 .4 .4", ".3 .2 .2"), Verdict::Undecided, "they do not differ");
    expect(&of(".3 .3 .3", "· · ·", ".4 .2 .2"), Verdict::Undecided, "no column rule");
}

#[test]
fn the_next_column_rule() {
    let of = |n: &str, p: &str| nine::next_column_near_best(&grid("0.05 0.1", &[("n2", n), ("p2", p)]));
    expect(
        &of(".2 .11", ".3 .1"),
        Verdict::Holds,
        "best at 1 of 2 δmax, within a tenth at 2; farthest at 0.1, .110 to .100 (10 % more)",
    );
    expect(&of(".2 .2", ".3 .1"), Verdict::DoesNotHold, "within a tenth at 1");
    expect(&of("0 0", "0 0"), Verdict::Holds, "best at 2 of 2 δmax");
    expect(&of(".2 ·", "· .1"), Verdict::Undecided, "no δmax with both");
}

#[test]
fn times() {
    let faster = |spalm: &str, n1: &str, n2: &str| {
        nine::faster_than_spalm(&with_time("0.05 0.1 0.2", &[("spalm", spalm), ("n1", n1), ("n2", n2)]))
    };
    expect(
        &faster("50 60 3", "9 9 9", "10 10 10"),
        Verdict::Holds,
        "n1, n2 takes 10 ms to 10 ms, SPALM 3.0 ms to 60 ms",
    );
    expect(
        &faster("5 6 3", "9 9 9", "10 10 10"),
        Verdict::DoesNotHold,
        "faster at 0 of 3 δmax, SPALM takes 0.45",
    );
    expect(&faster("5 60 3", "9 9 9", "10 10 10"), Verdict::Undecided, "too near to tell");
    expect(&faster(".05 .06 .03", ".1 .1 .1", ".2 .2 .2"), Verdict::Undecided, "too short to tell");
    expect(&faster("· · ·", "9 9 9", "9 9 9"), Verdict::Undecided, "no δmax in common");
    let grows = |n1: &str| {
        nine::time_grows_moderately(&with_time("0.05 0.1 0.2", &[("spalm", "1 10 2"), ("n1", n1)]))
    };
    expect(
        &grows("5 20 30"),
        Verdict::Holds,
        "most by n1, 5.0 ms to 30 ms, a factor of 6.0; SPALM 1.0 ms to 10 ms",
    );
    expect(&grows("2 20 30"), Verdict::DoesNotHold, "a factor of 15.0");
    expect(&grows(".1 .2 .3"), Verdict::Undecided, "too short to tell");
    expect(&grows("5 · ·"), Verdict::Undecided, "two or more δmax");
}

#[test]
fn the_anomaly() {
    let of = |n1: &str| nine::stricter_minimum_can_cost_less(&grid("0 0.01 0.02", &[("n1", n1)]));
    expect(
        &of(".2 .15 .3"),
        Verdict::Holds,
        "falls in 1 of 2 steps to a stricter δmin; most for n1, .200 at 0 to .150 at 0.01",
    );
    expect(&of(".2 .2 .3"), Verdict::DoesNotHold, "falls in 0 of 2 steps");
    expect(&of(".2 · ·"), Verdict::Undecided, "two or more δmin");
}

#[test]
fn every_claim_is_judged_within_eighty_columns() {
    let lines: Vec<(&str, &str)> = NINE.map(|name| (name, ".3 .2 .1")).to_vec();
    let nothing = grid("0.05 0.1 0.2", &[]);
    assert!(judge(&nothing, &nothing).iter().all(|claim| claim.verdict == Verdict::Undecided));
    let some = grid("0.05 0.1 0.2", &lines);
    let shown = text(&judge(&some, &some));
    assert_eq!(shown.lines().filter(|line| line.starts_with(['✓', '✗', '?'])).count(), 10, "{shown}");
    assert!(shown.lines().all(|line| line.chars().count() <= 80), "{shown}");
    let json = serde_json::to_value(judge(&some, &some)).unwrap();
    assert_eq!(json[4]["verdict"], "holds");
}
