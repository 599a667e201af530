//! The list of command lines: each one does what the workbench did.

use crate::testing::{Bench, drawn_at_every_size};

/// The lines after this many keys, without the first, which is about the opening.
fn lines_after(keys: &str) -> Vec<String> {
    let mut bench = Bench::paper();
    for key in keys.split(' ') {
        bench.keys(key);
        bench.settle();
    }
    let lines = bench.shared().commands.lines();
    assert_eq!(lines[0], "palmtop check paper.toml");
    lines[1..].to_vec()
}

#[test]
fn each_step_search_and_screen_has_its_command() {
    for (keys, last) in [
        ("l", "palmtop classes paper.toml --node 1,0,0"),
        ("l u", "palmtop classes paper.toml --node 0,0,0"),
        (":lattice<Enter>", "palmtop lattice paper.toml"),
    ] {
        assert_eq!(lines_after(keys).last().map(String::as_str), Some(last), "{keys}");
    }
}

#[test]
fn a_line_holds_the_delta_of_its_moment() {
    let mut bench = Bench::paper();
    bench.keys("l4<Enter><^U>3/4<Enter>:policy.try<Enter>").settle();
    bench.keys("2l").settle();
    let lines = bench.shared().commands.lines();
    assert_eq!(
        lines[2..],
        [
            "palmtop classes paper.toml --node 1,0,0",
            "palmtop classes paper.toml --node 1,0,0 --delta-max 3/4",
            "palmtop classes paper.toml --node 2,0,0 --delta-max 3/4",
        ]
    );
}

#[test]
fn the_list_shows_all_lines_and_copies_one() {
    let mut bench = Bench::paper();
    bench.keys("ll").settle();
    let screen = bench.keys("$").screen(80, 24);
    assert!(screen.contains("palmtop check paper.toml"), "{screen}");
    assert!(screen.contains("▸ palmtop classes paper.toml --node 2,0,0"), "{screen}");
    let screen = bench.keys("k<Esc>:commands<Enter>").screen(80, 24);
    assert!(screen.contains("▸ palmtop classes paper.toml --node 2,0,0"), "{screen}");
}

#[test]
fn every_size_is_drawn() {
    drawn_at_every_size(&["lllj$"]);
}
