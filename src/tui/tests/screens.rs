//! The screens as they are seen, in three sizes and without colour.

use super::harness::Bench;

/// One snapshot for each size.
macro_rules! seen {
    ($bench:expr, $name:literal) => {
        seen!($bench, $name, (80, 24), (100, 30), (200, 50))
    };
    ($bench:expr, $name:literal, $(($width:literal, $height:literal)),+) => {
        $(insta::assert_snapshot!(concat!($name, "-", $width, "x", $height), $bench.screen($width, $height));)+
    };
}

#[test]
fn the_workbench() {
    let mut bench = Bench::paper();
    seen!(bench, "workbench-start");
    bench.keys("lljlkp").keys("l");
    seen!(bench, "workbench-walked");
    bench.keys("<Tab>jj");
    seen!(bench, "workbench-class", (80, 24), (200, 50));
}

#[test]
fn the_workbench_at_regions() {
    let mut bench = Bench::paper();
    bench.keys("lsro");
    seen!(bench, "workbench-regions");
}

#[test]
fn the_searches() {
    let mut bench = Bench::paper();
    bench.keys("s");
    seen!(bench, "strategies-start", (80, 24));
    bench.keys("ah");
    seen!(bench, "strategies-done");
}

#[test]
fn the_comparison() {
    let mut bench = Bench::paper();
    bench.keys("c");
    seen!(bench, "compare-alone", (80, 24));
    bench.keys("q").keys("sacll");
    seen!(bench, "compare");
}

#[test]
fn the_export() {
    let mut bench = Bench::paper();
    bench.keys("sroe");
    seen!(bench, "export");
    bench.keys("<Esc>l").keys("e<Enter>not pr");
    seen!(bench, "export-not-present", (80, 24));
}

#[test]
fn the_help_and_the_question() {
    let mut bench = Bench::paper();
    bench.keys("?");
    seen!(bench, "help");
    bench.keys("q").keys("q");
    seen!(bench, "quit", (80, 24));
}
