//! The best search and the lower bound, on random small problems.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

#[path = "properties/check.rs"]
mod check;
#[path = "properties/generate.rs"]
mod generate;

use std::ops::ControlFlow;

use check::check_regions;
use generate::{Case, cases};
use palmtop::metrics::{Metric, Metrics};
use palmtop::model::{Classes, Counts, Problem, Recoding};
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

/// Whether a recoding is a release that DESIGN allows: all of P in classes that keep δ, none of them empty where that is
/// forbidden, and no public combination in the box of another class.
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
    fn best_is_valid_and_never_worse_than_the_paper_s_ten(case in cases(), seed in 0..3_u64) {
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
            let own = value(&problem, &found, metric);
            for other in Search::of_the_paper() {
                let (Some(recoding), _) = run(other, &problem, &config, &mut go_on) else { continue };
                prop_assert!(own <= value(&problem, &recoding, metric), "{}", other);
            }
            prop_assert_eq!(best(&problem, config).0, Some(found), "the same again");
        }
    }

    #[test]
    fn stopped_anywhere_it_is_valid_and_its_rounds_make_it_again(case in cases(), after in 0..40_u32) {
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

#[test]
fn it_ends_by_itself_when_nothing_gets_better_for_long() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..20 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let problem = case.problem();
        let (_, report) = best(&problem, Config::default());
        assert!(matches!(report.stop, StopReason::Done | StopReason::Infeasible), "{report:?}");
    }
}
