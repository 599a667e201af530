//! Searches that minimize a measure of the caller.

use std::cell::Cell;
use std::ops::ControlFlow;

use crate::support::generate::cases;
use palmtop::metrics::{Loss, Metrics};
use palmtop::model::{Classes, Problem, Recoding};
use palmtop::progress::unwatched;
use palmtop::search::{Config, StopReason, Strategy as Search, for_use, run};
use proptest::prelude::*;

/// An arbitrary measure of a release: it has no monotonicity that a search could use.
fn measure(problem: &Problem, recoding: &Recoding, salt: u64) -> f64 {
    let classes = Classes::of(problem, recoding);
    let mix =
        |sum: u64, label: usize| (sum ^ label as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    let sizes =
        classes.all_counts().map(|counts| usize::try_from(counts.public * 31 + counts.private).unwrap());
    f64::from(u16::try_from(sizes.fold(salt, mix) >> 48).unwrap())
}

/// The loss of one quasi-identifier alone, the measure of a reader who needs no other.
fn of_one(problem: &Problem, recoding: &Recoding, attribute: usize) -> f64 {
    Loss::of_classes(problem, &Classes::of(problem, recoding)).by_attribute()[attribute]
}

fn least(problem: &Problem, measure: impl Fn(&Recoding) -> f64) -> Option<f64> {
    let lattice = problem.lattice();
    let present = lattice.nodes().map(Recoding::Node);
    let present = present.filter(|node| Classes::of(problem, node).satisfy(problem.policy()));
    present.map(|node| measure(&node)).min_by(f64::total_cmp)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spalm_finds_the_node_of_the_least_measure(case in cases(), salt in any::<u64>()) {
        let problem = case.problem();
        let measured = |recoding: &Recoding| measure(&problem, recoding, salt);
        let (found, report) = for_use(Search::Spalm, &problem, &Config::default(), &measured, &mut unwatched);
        prop_assert_eq!(found.as_ref().map(measured), least(&problem, measured));
        let expected = if problem.feasibility().holds() { StopReason::Done } else { StopReason::Infeasible };
        prop_assert_eq!(report.stop, expected);
    }

    /// If the caller stops the search, it returns a release, and this release keeps the policy.
    #[test]
    fn what_is_stopped_shows_what_it_has(case in cases(), steps in 0..6_u32) {
        let problem = case.problem();
        for strategy in [Search::Spalm, Search::Best] {
            let left = Cell::new(steps);
            let observer = &mut |_| {
                let now = left.get();
                left.set(now.saturating_sub(1));
                if now == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let measured = |recoding: &Recoding| measure(&problem, recoding, 7);
            let (found, _) = for_use(strategy, &problem, &Config::default(), &measured, observer);
            if let Some(found) = found {
                prop_assert!(Classes::of(&problem, &found).satisfy(problem.policy()));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 15, failure_persistence: None, ..ProptestConfig::default() })]

    /// The search starts from the release that `best` finds for the loss. It accepts no release
    /// with a worse measure.
    #[test]
    fn best_is_never_worse_for_having_looked(case in cases()) {
        let problem = case.problem();
        if !problem.feasibility().holds() {
            return Ok(());
        }
        let config = Config { rounds: Some(3), ..Config::default() };
        for attribute in 0..problem.quasi().len() {
            let measured = |recoding: &Recoding| of_one(&problem, recoding, attribute);
            let plain = run(Search::Best, &problem, &config, &mut unwatched).0.unwrap();
            let (found, _) = for_use(Search::Best, &problem, &config, &measured, &mut unwatched);
            let found = found.unwrap();
            prop_assert!(measured(&found) <= measured(&plain));
            let again = for_use(Search::Best, &problem, &config, &measured, &mut unwatched).0.unwrap();
            prop_assert_eq!(&found, &again);
            let classes = Classes::of(&problem, &found);
            prop_assert!(classes.satisfy(problem.policy()));
            prop_assert!(Metrics::of(&problem, &found, &classes).loss.mean() >= 0.0);
        }
    }
}
