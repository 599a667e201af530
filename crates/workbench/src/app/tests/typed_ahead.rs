//! Keys that are typed before the recipe is counted.

use palmtop_release::pipeline::Overrides;

use crate::shared::view::recipe_name;
use crate::testing::{Bench, sample};
use crate::windows::export::state::ExportDialog;
use crate::windows::messages::Messages;

// holds: No key is lost
#[test]
fn keys_typed_during_a_count_take_effect_afterwards() {
    let mut bench = Bench::paper();
    bench.keys_at_once("lllpjllpl3").settle();
    let delta = bench.shared().delta();
    let pinned: Vec<String> = bench.shared().pins.iter().map(|pin| recipe_name(&pin.recipe, delta)).collect();
    assert_eq!(pinned, ["node 3,0,0", "node 3,2,0"], "{}", bench.app.status);
    assert!(bench.screen(80, 24).contains("─ releases"), "the last key is done, too");
    assert_eq!(bench.recipe_name(), "node 3,2,0");
}

#[test]
fn export_and_comparison_choice_wait_for_results() {
    let mut bench = Bench::paper();
    bench.keys_at_once("le").settle();
    assert!(bench.window::<ExportDialog>().is_some(), "{}", bench.app.status);
    let mut slow = Bench::paper();
    let mut quick = Bench::paper();
    slow.keys("pll3G<Enter>");
    quick.keys_at_once("pll3G<Enter>").settle();
    assert_eq!(slow.recipe_name(), "node 2,0,0");
    assert_eq!(quick.recipe_name(), slow.recipe_name());
}

#[test]
fn waiting_keys_are_shown_and_escape_drops_them() {
    let mut bench = Bench::paper();
    bench.keys_at_once("lpll");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("3 keys wait for the count of node 1,0,0; Esc gives up"), "{screen}");
    bench.keys_at_once("<Esc>").settle();
    assert_eq!((bench.recipe_name().as_str(), bench.shared().pins.len()), ("node 1,0,0", 0));
    assert_eq!(bench.app.status, "3 keys typed ahead: given up");
    bench.keys_at_once("lpl<^C>");
    assert!(bench.is_asked(), "quitting does not wait");
    bench.settle();
    assert!(bench.is_asked() && !bench.app.is_done(), "what was typed before is no answer");
}

#[test]
fn next_key_answers_a_question_typed_ahead() {
    let mut bench = Bench::paper();
    bench.keys_at_once("lpqnlpqll:messages<Enter>").settle();
    assert!(!bench.is_asked() && !bench.app.is_done());
    assert_eq!(bench.recipe_name(), "node 3,0,0", "a key that answers does nothing else");
    assert!(bench.window::<Messages>().is_some(), "the last key is done, too");
    bench.keys_at_once("<Esc>hpqnqy");
    bench.settle();
    assert!(bench.app.is_done(), "the answer comes after the second question");
}

#[test]
fn keys_typed_while_loading_take_effect_afterwards() {
    let mut bench = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
    bench.keys_at_once("llj");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("3 keys wait for the project"), "{screen}");
    bench.load().settle();
    assert_eq!(bench.recipe_name(), "node 2,0,0", "{}", bench.app.status);
    let mut stopped = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
    stopped.keys_at_once("llq");
    stopped.load();
    assert!(stopped.app.is_done(), "q stops, and does not wait");
}

#[test]
fn lattice_moves_wait_until_nodes_are_checked() {
    let mut quick = Bench::clinic();
    let mut slow = Bench::clinic();
    slow.keys(":lattice<Enter>").settle();
    slow.keys(":lattice.best<Enter>h");
    quick.keys_at_once(":lattice<Enter>:lattice.best<Enter>h");
    quick.settle();
    assert_eq!(quick.lattice().cursor, slow.lattice().cursor, "{}", quick.app.status);
}
