//! The help as it is seen.

use crate::testing::{Bench, snapshots};

#[test]
fn help_at_80_columns_says_how_much_follows() {
    let mut bench = Bench::paper();
    let screen = bench.keys("?").screen(80, 24);
    for expected in ["1 workbench", "4 releases", "7 hierarchies", "8 tables", "lines 1 to 20 of "] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let all = (0..8).map(|_| bench.keys("<PgDn>").screen(80, 24)).collect::<String>();
    let global = all.find("write the release, verified").expect("the global keys are there");
    let legend = all.find("A class is everyone").expect("the legend is there");
    assert!(global < legend, "keys come before words");
}

#[test]
fn the_help() {
    snapshots("windows/help", "help", "paper/paper.toml", "?");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["?"]);
}
