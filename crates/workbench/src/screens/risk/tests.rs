//! The screen of risks: what is measured, in what order, and as it is seen.

use crate::kit::name::ScreenName;
use crate::testing::{Bench, snapshots};

#[test]
fn risk_is_measured_for_every_candidate() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("sa9").screen(100, 30);
    assert!(screen.contains("13 releases"), "{screen}");
    for expected in ["k-map", "risk P", "even", "(3, l)", "diagnosis: ", "members of T a class", "presence"] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    assert!(bench.screen(200, 50).contains("risk, risk P: means over members"), "what the words mean");
    assert!(bench.screen(80, 24).contains(" far"), "of what there is no room for, this is told first");
    let first = bench.chosen().0;
    assert_ne!(bench.keys("j").chosen().0, first);
    assert_eq!(bench.keys("k").chosen().0, first);
    bench.keys("<Enter>");
    assert_eq!(bench.shared().open, ScreenName::WORKBENCH);
    assert_eq!(bench.chosen().0, first);
}

#[test]
fn without_sensitive_columns_only_class_sizes_show() {
    let screen = Bench::paper().keys("9").screen(100, 30);
    assert!(screen.contains("k-map") && !screen.contains("(3, l)"), "{screen}");
    assert!(!screen.contains("sensitive values a class"), "{screen}");
}

#[test]
fn what_cannot_be_measured_says_why() {
    let mut bench = Bench::clinic();
    bench.break_jobs(&["risk"]);
    let screen = bench.keys("9").screen(100, 30);
    assert!(screen.contains("not measured: an internal error"), "{screen}");
}

#[test]
fn the_risks_as_they_are_seen() {
    snapshots("screens/risk", "risk", "clinic/clinic.toml", "sa9");
    snapshots("screens/risk", "risk-sizes", "paper/paper.toml", "9");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["sa9j"]);
}
