use super::super::delta::Delta;
use super::super::histogram::Histogram;
use super::super::label::{Side, SideLabels};
use super::super::policy::EmptyRegions;
use super::super::presence::{Counts, Presence};
use super::super::problem::Problem;
use super::super::raised::Raised;
use super::super::tables::QuasiIdentifier;
use super::*;
use palmtop_terms::Kind;

/// Lines `value label …`, all of whose values occur.
fn problem(kind: Kind, base: u8, lines: &[&str]) -> Problem {
    let chains: Vec<Vec<String>> = lines
        .iter()
        .map(|line| line.split(" | ").map(str::to_owned).chain(["*".to_owned()]).collect())
        .collect();
    let hierarchy = Hierarchy::new(kind, Level(base), &chains).unwrap().with_missing("none");
    let codes = (0..size::number(lines.len())).collect();
    let histogram = Histogram::new(vec![codes], vec![Counts::new(2, 1); lines.len()]).unwrap();
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    let quasi = vec![QuasiIdentifier { name: "x".into(), hierarchy }];
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
}

/// The text of the values from one code to another.
fn text(problem: &Problem, low: Code, high: Code) -> String {
    let side = Side::between(problem, 0, low, high);
    let label = SideLabels::of(problem, 0).label(problem, &side);
    label.text(problem.hierarchy(0))
}

fn with_borders(kind: Kind, lines: &[&str]) -> Problem {
    problem(kind, 0, lines).with_borders(&[Some(Level(1))]).unwrap()
}

// holds: Ranges are exact
#[test]
fn ranges_mean_the_values_under_their_labels() {
    let open =
        ["none | none", "-7 | <-5", "-3 | [-5, 0)", "0 | [0, 5)", "5 | [5, 9)", "7 | [5, 9)", "9 | >=9"];
    let open = with_borders(Kind::Number, &open);
    for (low, high, expected) in [
        (1, 1, "<-5"),
        (1, 2, "{<-5, [-5, 0)}"),
        (1, 4, "{<-5, [-5, 9)}"),
        (2, 4, "[-5, 9)"),
        (3, 6, "{[0, 9), >=9}"),
        (4, 6, "{[5, 9), >=9}"),
        (0, 2, "{none, <-5, [-5, 0)}"),
        (0, 0, "none"),
    ] {
        assert_eq!(text(&open, low, high), expected);
    }
    let decimals = ["5 | 0-9", "19.5 | 10-19", "25 | 20-29", "35 | 30+"];
    let decimals = with_borders(Kind::Number, &decimals);
    assert_eq!(text(&decimals, 0, 1), "{0-9, 10-19}");
    assert_eq!(text(&decimals, 0, 2), "[0, 29]");
    assert_eq!(text(&decimals, 1, 3), "{[10, 29], 30+}");
    let perverse = ["1 | a", "2 | a", "3 | b", "4 | b", "5 | 1-2", "6 | 1-2", "7 | 3-4", "8 | 3-4"];
    let perverse = with_borders(Kind::Number, &perverse);
    assert_eq!(text(&perverse, 4, 7), "{1-2, 3-4}");
    assert_eq!(text(&perverse, 0, 5), "{a, b, 1-2}");
    let arx = with_borders(Kind::Number, &["1 | [0, 10[", "12 | [10, 20[", "25 | [20, 30["]);
    assert_eq!(text(&arx, 0, 1), "[0, 20[");
    let mixed = with_borders(Kind::Number, &["1 | 0-9", "12 | [10, 20)", "25 | low, high", "37 | 30 to 39"]);
    assert_eq!(text(&mixed, 0, 1), "[0, 20)");
    assert_eq!(text(&mixed, 1, 2), r#"{[10, 20), "low, high"}"#);
    assert_eq!(text(&mixed, 0, 3), "*");
    assert_eq!(text(&mixed, 2, 3), r#"{"low, high", 30 to 39}"#);
    let days =
        ["1980-03-01 | 1980-Q1", "1980-05-01 | 1980-Q2", "1981-01-01 | 1981-1989", "1990-01-01 | 1990s"];
    let days = with_borders(Kind::Date, &days);
    assert_eq!(text(&days, 0, 1), "[1980-Q1, 1980-Q2]");
    assert_eq!(text(&days, 1, 2), "[1980-Q2, 1989]");
    assert_eq!(text(&days, 2, 3), "[1981, 1990s]");
}

#[test]
fn a_last_end_begins_after_the_first() {
    let lines =
        ["2023-05-01 | 2023", "2024-01-05 | 2024-01", "2024-02-03 | 2024-02-03", "2024-05-07 | 2024-Q2"];
    let days = with_borders(Kind::Date, &[&lines[..], &["2024-08-01 | 2024", "2025-01-01 | 2025"]].concat());
    for (low, high, expected) in [
        (1, 4, "{[2024-01, 2024-Q2], 2024}"),
        (0, 4, "[2023, 2024]"),
        (3, 4, "{2024-Q2, 2024}"),
        (3, 5, "[2024-Q2, 2025]"),
        (4, 5, "{2024, 2025}"),
    ] {
        assert_eq!(text(&days, low, high), expected);
    }
    assert!(SideLabels::of(&days, 0).has_sets_of_ranges());
    let months = ["2024-01-05 | 2024-01", "2024-02-05 | 2024"];
    assert!(SideLabels::of(&with_borders(Kind::Date, &months), 0).has_sets_of_ranges());
}

#[test]
fn odd_public_values_never_end_a_range() {
    let open = problem(Kind::Number, 0, &["<1 | a", "85 | b", "86 | c", "90+ | d"]);
    assert_eq!(text(&open, 1, 3), "{[85, 86], 90+}");
    assert_eq!(text(&open, 0, 1), "{<1, 85}");
    let bands = problem(Kind::Number, 1, &["<5 | a", "[5, 10) | b", "[10, 20) | c", "odd | d"]);
    assert_eq!(text(&bands, 0, 1), "[<5, [5, 10)]");
    assert_eq!(text(&bands, 1, 2), "[[5, 10), [10, 20)]");
    let reversed = problem(Kind::Number, 1, &["1 | a", "3 | b", "2 | c", "4 | d"]);
    assert_eq!(text(&reversed, 0, 2), "{1, 3, 2}");
    let commas = problem(Kind::Number, 1, &["a | p", "a, b | q", "c | r", "b, c | s"]);
    assert_eq!(text(&commas, 0, 2), r#"{a, "a, b", c}"#);
}

// holds: Ranges are exact
#[test]
fn the_raised_problem_knows_the_ranges() {
    let lines = ["-7 | <-5", "-3 | [-5, 0)", "0 | [0, 5)", "5 | [5, 9)", "9 | >=9"];
    let raised = Raised::of(&with_borders(Kind::Number, &lines)).problem;
    let label = SideLabels::of(&raised, 0).label(&raised, &Side::Range { low: 0, high: 3 });
    assert_eq!(label.text(raised.hierarchy(0)), "{<-5, [-5, 9)}");
}

#[test]
fn range_that_reads_like_another_label_is_refused() {
    let lines = [
        "5 | [0, 10) | [10, 30)",
        "12.5 | [10, 20) | other",
        "22.5 | [20, 30) | other",
        "31 | [30, 40) | other",
    ];
    let error = problem(Kind::Number, 0, &lines).with_borders(&[Some(Level(1))]).unwrap_err().to_string();
    for part in ["`[10, 20)` to `[20, 30)`", "written `[10, 30)`", "label of level 2"] {
        assert!(error.contains(part), "{error}");
    }
    let same = ["5 | [0, 10) | [0, 20)", "15 | [10, 20) | [0, 20)", "25 | [20, 30) | other"];
    assert!(problem(Kind::Number, 0, &same).with_borders(&[Some(Level(1))]).is_ok());
}
