//! The screen of utility: what is measured, in what order, and as it is seen.

use crate::kit::name::ScreenName;
use crate::testing::{Bench, snapshots};

#[test]
fn utility_is_measured_for_every_candidate() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("sa0").screen(100, 30);
    assert!(screen.contains("13 releases"), "{screen}");
    for expected in ["query", "90th", "distance", "loses most: ", "shares of T and of the release", "089**"] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let first = bench.chosen().0;
    assert_ne!(bench.keys("j").chosen().0, first);
    assert_eq!(bench.keys("k").chosen().0, first);
    bench.keys("<Enter>");
    assert_eq!(bench.shared().open, ScreenName::WORKBENCH);
    assert_eq!(bench.chosen().0, first);
}

#[test]
fn each_part_and_each_attribute_can_stand_first() {
    let mut bench = Bench::clinic();
    assert!(bench.keys("0").screen(80, 24).contains("zip .000"), "{}", bench.screen(80, 24));
    let screen = bench.keys("l").screen(80, 24);
    assert!(screen.contains("age .000") && !screen.contains("089**"), "{screen}");
    assert!(bench.keys("<Tab>").screen(80, 24).contains("zip × age"));
    assert!(bench.keys("<Tab>").screen(80, 24).contains("1,000 queries"));
    assert!(bench.keys("<Tab>").screen(80, 24).contains("the classes that lose most"));
    assert!(bench.keys("<Tab>h").screen(80, 24).contains("089**"));
}

#[test]
fn what_cannot_be_measured_says_why() {
    let mut bench = Bench::clinic();
    bench.break_jobs(&["utility"]);
    let screen = bench.keys("0").screen(100, 30);
    assert!(screen.contains("not measured: an internal error"), "{screen}");
}

#[test]
fn the_utility_as_it_is_seen() {
    snapshots("screens/utility", "utility", "clinic/clinic.toml", "sa0");
    snapshots("screens/utility", "utility-paper", "paper/paper.toml", "ll0<Tab>");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["sa0jl", "0<Tab><Tab>"]);
}
