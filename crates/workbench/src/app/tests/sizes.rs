//! Any size is drawn, however small; what stands in a table's row ends where the row ends.

use palmtop_release::pipeline::Overrides;
use palmtop_search::{SearchStage, Step, Strategy};

use super::opening_keys;
use crate::shared::runs::Running;
use crate::testing::{Bench, drawn_at_every_size, sample};

#[test]
fn every_screen_survives_every_size() {
    let keys: Vec<String> = opening_keys().chain(["q".to_owned()]).collect();
    drawn_at_every_size(&keys.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn loading_and_running_survive_small_sizes() {
    let loading = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
    let mut running = Bench::paper();
    running.keys("3").keys_at_once(":releases.run-all<Enter>");
    let done = u64::MAX;
    let key = running.shared().run_key(Strategy::Spalm);
    let step = Step { stage: SearchStage { best: Some(0.1), ..SearchStage::default() }, done, total: 1 };
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
    let mut bench = Bench::clinic();
    for keys in ["", "lljl<Tab>G", "3jr<Enter>", "3"] {
        bench.keys(keys);
        let screen = bench.screen(80, 24);
        assert_eq!(screen.lines().count(), 24);
        let verdict = screen.lines().nth(1).unwrap();
        assert!(!verdict.contains('…'), "{verdict}");
        assert!(screen.lines().next().unwrap().contains("loss"), "{screen}");
    }
}
