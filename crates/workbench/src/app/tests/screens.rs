//! What is seen whatever screen is open: before it is loaded, where there is no room, in ASCII.

use std::path::Path;

use palmtop_core::progress::Progress;
use palmtop_release::pipeline::{LoadStage, Overrides};

use super::opening_keys;
use crate::app::loading::Loaded;
use crate::testing::{Bench, snapshots, snapshots_of};

#[test]
fn loading() {
    // Nothing that the job says is taken, so it need not be there.
    let mut bench = Bench::loading(Path::new("clinic.toml"), Overrides::default());
    snapshots_of("app", "loading-begins", &mut bench);
    let progress = Progress { stage: LoadStage::Public, done: 12_000, total: 20_000 };
    let progress = bench.forge_loading(Ok(Loaded::Progress(progress)));
    bench.app.update(progress);
    snapshots_of("app", "loading", &mut bench);
}

#[test]
fn the_question() {
    snapshots("app", "quit", "paper/paper.toml", "q");
}

#[test]
fn where_there_is_no_room() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("lll").screen(40, 10);
    let lines: Vec<&str> = screen.lines().collect();
    assert!(lines[0].contains("classes fail"), "{screen}");
    assert!(screen.contains("palmtop needs 60 x 16; this is 40 x 10"), "{screen}");
    for (columns, rows) in [(60, 16), (200, 15), (59, 50)] {
        let screen = bench.screen(columns, rows);
        assert_eq!(screen.contains("palmtop needs"), (columns, rows) != (60, 16), "{screen}");
    }
}

#[test]
fn ascii_screen_keeps_every_mark_in_place() {
    let mut bench = Bench::clinic();
    let keys = [
        "lll",
        ":lattice<Enter>",
        ":lattice.best<Enter>",
        "3r",
        ":releases<Enter>",
        "4",
        "2e",
        "<Esc>4<Enter>.1",
        "<Esc>?",
        "<Esc>:history<Enter>",
        "<Esc>:le",
        "<Esc>",
    ];
    for keys in keys.into_iter().map(str::to_owned).chain(opening_keys()) {
        bench.keys(&keys);
        let (unicode, ascii) = (bench.screen(160, 40), bench.ascii_screen(160, 40));
        assert!(ascii.is_ascii(), "{ascii}");
        for (one, other) in unicode.lines().zip(ascii.lines()) {
            assert_eq!(one.chars().count(), other.chars().count(), "{one}\n{other}");
            // A question mark says that nothing is known of a node.
            let differ = one.chars().zip(other.chars()).find(|(one, other)| *other == '?' && *one != '?');
            assert_eq!(differ, None, "{keys}\n{one}\n{other}");
        }
    }
}
