//! Tests the best search and the lower bound on random small problems.

use std::ops::ControlFlow;

use crate::support::check::check_regions;
use crate::support::generate::{Case, cases};
use palmtop::metrics::{Metric, Metrics};
use palmtop::model::{Classes, Counts, EmptyRegions, Kind, Problem, Recoding};
use palmtop::pipeline::{Analysis, Overrides};
use palmtop::search::{Config, SearchReport, Step, StopReason, Strategy as Search, bound, run};
use proptest::prelude::*;
use proptest::strategy::ValueTree;

fn go_on(_: Step) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn best(problem: &Problem, config: Config) -> (Option<Recoding>, SearchReport) {
    run(Search::Best, problem, &config, &mut go_on)
}

fn value(problem: &Problem, recoding: &Recoding, metric: Metric) -> f64 {
    Metrics::of(problem, recoding, &Classes::of(problem, recoding)).value(metric)
}

/// Checks that a recoding is a valid release. All of P is in classes that keep δ. No class is empty
/// if the project forbids it. No public combination is in the box of another class.
fn check(case: &Case, problem: &Problem, recoding: &Recoding) {
    if let Recoding::Regions(partition) = recoding {
        return check_regions(case, problem, partition);
    }
    let classes = Classes::of(problem, recoding);
    assert!(classes.satisfy(problem.policy()), "a class breaks the policy");
    assert_eq!(classes.all_counts().sum::<Counts>(), problem.histogram().total());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn best_is_never_worse_than_the_papers_ten(case in cases(), seed in 0..3_u64) {
        let problem = case.problem();
        for metric in Metric::ALL {
            let config = Config { metric, seed, rounds: Some(3), ..Config::default() };
            let (found, report) = best(&problem, config);
            let Some(found) = found else {
                prop_assert!(!problem.feasibility().holds());
                prop_assert_eq!(report.stop, StopReason::Infeasible);
                continue;
            };
            check(&case, &problem, &found);
            prop_assert_eq!((report.stop, report.rounds), (StopReason::Rounds, Some(3)));
            let found_value = value(&problem, &found, metric);
            for other in Search::of_the_paper() {
                let (Some(recoding), _) = run(other, &problem, &config, &mut go_on) else { continue };
                prop_assert!(found_value <= value(&problem, &recoding, metric), "{}", other);
            }
            prop_assert_eq!(best(&problem, config).0, Some(found), "the same again");
        }
    }

    #[test]
    fn a_stopped_best_is_valid_and_repeatable(case in cases(), after in 0..40_u32) {
        let problem = case.problem();
        let mut left = after;
        let mut observer = |_: Step| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (found, report) = run(Search::Best, &problem, &Config::default(), &mut observer);
        prop_assert_eq!(found.is_some(), problem.feasibility().holds());
        if let Some(found) = found {
            check(&case, &problem, &found);
            prop_assert!(report.rounds.is_some() != report.opening.is_some(), "{report:?}");
            let config = Config { rounds: report.rounds, opening: report.opening, ..Config::default() };
            let (again, report_again) = best(&problem, config);
            prop_assert_eq!(again, Some(found));
            prop_assert_eq!((report_again.rounds, report_again.opening), (report.rounds, report.opening));
        }
    }

    #[test]
    fn no_release_is_below_the_bound(case in cases()) {
        let problem = case.problem();
        let Some(bound) = bound(&problem, &mut go_on).ok().filter(|_| problem.feasibility().holds()) else {
            return Ok(());
        };
        prop_assert!((0.0..=1.0).contains(&bound));
        for strategy in Search::all() {
            let config = Config { rounds: Some(3), ..Config::default() };
            if let (Some(recoding), _) = run(strategy, &problem, &config, &mut go_on) {
                prop_assert!(bound <= value(&problem, &recoding, Metric::Loss), "{}", strategy);
            }
        }
    }
}

/// The paper's strategies in the order in which the opening runs them.
const IN_ORDER: [&str; 10] = ["n3", "n1", "n2", "p3", "p1", "p2", "b3", "b1", "b2", "spalm"];

/// Checks budgets that count opening steps. The release is no worse than that of each strategy that
/// the budget covers, and no worse than under a smaller budget.
fn is_never_worse(problem: &Problem, metric: Metric, budgets: &[u64]) {
    let config = Config { metric, ..Config::default() };
    let of = |name: &str| {
        let (found, _) = run(name.parse().unwrap(), problem, &config, &mut go_on);
        found.map(|recoding| value(problem, &recoding, metric))
    };
    let ten: Vec<Option<f64>> = IN_ORDER.iter().map(|name| of(name)).collect();
    let mut before = f64::INFINITY;
    for &steps in budgets {
        let (found, report) = best(problem, Config { opening: Some(steps), ..config });
        let found = value(problem, &found.unwrap(), metric);
        let covered = usize::try_from(steps).unwrap().min(10);
        let least = ten[..covered].iter().flatten().copied().fold(f64::INFINITY, f64::min);
        assert!(found <= least, "{metric:?}, {steps} steps: {found} and {least}, {report:?}");
        assert!(found <= before, "{metric:?}, {steps} steps: {found} after {before}");
        before = found;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Best keeps up
    #[test]
    fn best_at_any_budget_matches_covered_strategies(case in cases()) {
        let problem = case.problem();
        if problem.feasibility().holds() {
            for metric in Metric::ALL {
                is_never_worse(&problem, metric, &[0, 1, 2, 3, 5, 8, 9, 10, 11, 13, 30]);
            }
        }
    }
}

#[test]
fn best_on_samples_matches_covered_strategies() {
    for sample in ["paper/paper.toml", "clinic/clinic.toml"] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data").join(sample);
        let analysis = Analysis::load(&path, &Overrides::default()).unwrap();
        is_never_worse(analysis.problem(), Metric::Loss, &[1, 4, 10, 14]);
    }
}

/// A table that is too large for a dozen trees: sixteen quasi-identifiers of 64 values each. The
/// first values are by far the most frequent.
fn skewed() -> Problem {
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let chain = |leaf: u32| vec![format!("{leaf:02}"), "*".to_owned()];
    let attributes = vec![(Kind::Category, 0, (0..64).map(chain).collect()); 16];
    let mut people = std::collections::BTreeMap::new();
    for _ in 0..9000 {
        let value = |draw: &mut dyn FnMut(u64) -> u64| draw(64) * draw(64) * draw(64) / (64 * 64);
        let codes: Vec<u32> = (0..16).map(|_| u32::try_from(value(&mut draw)).unwrap()).collect();
        people.insert(codes, (1, u64::from(draw(25) == 0)));
    }
    let people = people.into_iter().map(|(codes, (public, private))| (codes, public, private)).collect();
    let delta = [(0, 1), (1, 10)];
    Case { attributes, people, delta, empty_regions: EmptyRegions::Allow, k: None, k_map: None }.problem()
}

// holds: Best keeps up
#[test]
fn best_on_skewed_tables_matches_covered_strategies() {
    is_never_worse(&skewed(), Metric::Loss, &[1, 2, 8, 10, 12]);
}

#[test]
fn best_ends_when_nothing_improves_for_long() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..20 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let problem = case.problem();
        let (_, report) = best(&problem, Config::default());
        assert!(matches!(report.stop, StopReason::Done | StopReason::Infeasible), "{report:?}");
    }
}

/// The label `y` denotes the second, fourth and sixth value. It costs less than the range from the
/// second to the sixth, whose place it takes where the others do not occur.
#[test]
fn a_label_that_skips_values_counts() {
    let plain = ["leaf 0", "leaf 1", "leaf 2", "leaf 3"];
    let chain = |labels: &[&str]| labels.iter().map(|&label| label.to_owned()).collect::<Vec<_>>();
    let first = plain.iter().map(|leaf| chain(&[leaf, "*"])).collect();
    let second = [["a", "x"], ["b", "y"], ["c", "x"], ["d", "y"], ["e", "z"], ["f", "y"]];
    let second = second.iter().map(|[leaf, group]| chain(&[leaf, group, "*"])).collect();
    let case = Case {
        attributes: vec![(Kind::Number, 0, first), (Kind::Number, 0, second)],
        people: vec![
            (vec![0, 1], 4, 2),
            (vec![1, 0], 3, 2),
            (vec![1, 3], 1, 1),
            (vec![2, 5], 4, 0),
            (vec![3, 0], 2, 0),
        ],
        delta: [(0, 56), (29, 56)],
        empty_regions: EmptyRegions::Forbid,
        k: None,
        k_map: Some(5),
    };
    let problem = case.problem();
    for metric in Metric::ALL {
        let config = Config { metric, rounds: Some(3), ..Config::default() };
        let found = value(&problem, &best(&problem, config).0.unwrap(), metric);
        for other in Search::of_the_paper() {
            let (recoding, _) = run(other, &problem, &config, &mut go_on);
            assert!(found <= value(&problem, &recoding.unwrap(), metric), "{metric:?}, {other}");
        }
    }
}
