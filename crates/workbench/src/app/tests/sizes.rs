//! Any size is drawn, however small; what stands in a table's row ends where the row ends.

use palmtop_flow::pipeline::Overrides;
use palmtop_search::{SearchStage, Step, Strategy};

use super::opening_keys;
use crate::shared::runs::Running;
use crate::testing::{Bench, sample};

/// Keys to what screens and dialogs can show, beside each screen as it opens.
const PLACES: [&str; 24] = [
    "",
    "l<Tab>",
    "sa",
    "sjro",
    "sac",
    "e",
    "e<Enter>no",
    "?",
    "q",
    "saclllb",
    ":exp",
    "d<Tab>0.07",
    "lljlB",
    "fover zip:4",
    "/47<Enter>n",
    "gb",
    "g/9",
    "trl",
    "7<Tab><Tab>G",
    "8<Tab>v",
    "8<Tab><Tab>l",
    "sa9j",
    "sa0jl",
    "0<Tab><Tab>",
];

#[test]
fn every_screen_survives_every_size() {
    for keys in PLACES.into_iter().chain(opening_keys()) {
        let mut bench = Bench::paper();
        bench.keys(keys);
        let widths = [1, 2, 3, 5, 8, 12, 19, 20, 21, 30, 39, 40, 41, 60, 79, 80, 99, 100, 159, 160, 250];
        for width in widths {
            for height in [1, 2, 3, 4, 5, 6, 8, 11, 12, 15, 20, 24, 30, 60] {
                bench.screen(width, height);
            }
        }
    }
}

#[test]
fn loading_and_running_survive_small_sizes() {
    let loading = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
    let mut running = Bench::paper();
    running.keys_at_once("sa");
    let done = u64::MAX;
    let key = running.shared().run_key(Strategy::Spalm);
    let step = Step { stage: SearchStage { best: Some(0.1), lower: None, rounds: None }, done, total: 1 };
    let step = running.forge_run(key, Ok(Running::Step(step)));
    running.app.update(step);
    for (width, height) in [(1, 1), (2, 2), (20, 5), (5, 20), (80, 1), (1, 24)] {
        loading.screen(width, height);
        running.screen(width, height);
    }
    running.settle();
}

#[test]
fn many_attributes_and_classes_fit_80_columns() {
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    for keys in ["", "lljl<Tab>G", "sjro", "c"] {
        bench.keys(keys);
        let screen = bench.screen(80, 24);
        assert_eq!(screen.lines().count(), 24);
        let verdict = screen.lines().nth(1).unwrap();
        assert!(!verdict.contains('…'), "{verdict}");
        assert!(verdict.contains("loss"), "{verdict}");
    }
}
