//! Running the searches, opening and comparing what they found.

use palmtop_core::model::Presence;
use palmtop_release::history::{RecodingRecipe, Search};
use palmtop_release::pipeline::Overrides;
use palmtop_search::{Config, SearchReport, SearchStage, Step, StopReason, Strategy};

use crate::kit::name::ScreenName;
use crate::shared::candidates::index_of;
use crate::shared::runs::{Outcome, Run, RunKey, Running};
use crate::shared::view::Measured;
use crate::testing::{Bench, sample, snapshots};

fn named(name: &str) -> Strategy {
    name.parse().unwrap()
}

/// A search of the paper, stopped before its end, with the release that it had by then.
fn stopped(bench: &mut Bench, name: &str) {
    let mut other = Bench::paper();
    other.keys("sa");
    let found = other.shared().outcome(named(name)).unwrap().measured.clone().unwrap();
    let mut release = found.release.as_ref().clone();
    let report = SearchReport::without_nodes(StopReason::Cancelled);
    release.search = Some(report);
    let key = key(bench, name);
    let search = Search::new(named(name), &Config::default(), key.delta, &report, release.recoding.node());
    let measured = Some(Measured::new(&bench.shared().problem, release));
    let outcome = Outcome { measured, search, report, seconds: 0.25 };
    let news = bench.ready_mut().shared.finished(key, false, Ok(Box::new(outcome)));
    bench.app.tell(news);
}

fn key(bench: &Bench, name: &str) -> RunKey {
    bench.shared().run_key(named(name))
}

/// The strategy that a recipe comes from.
fn strategy_of(recipe: Option<&RecodingRecipe>) -> Option<Strategy> {
    match recipe {
        Some(RecodingRecipe::Search(search)) => search.strategy.known(),
        _ => None,
    }
}

fn finished(bench: &Bench) -> usize {
    bench.shared().runs.finished(bench.shared().delta()).count()
}

#[test]
fn one_key_runs_one_search_another_runs_all() {
    let mut bench = Bench::paper();
    bench.keys("sljr");
    assert!(bench.is_done(named("n2")));
    assert_eq!(finished(&bench), 1);
    bench.keys("a");
    assert!(Strategy::all().all(|strategy| bench.is_done(strategy)));
    assert_eq!(bench.keys("a").app.status, "all have run or are running");
    assert_eq!(bench.keys("r").app.status, "n2 has run; another run would end the same way");
}

#[test]
fn a_finishing_search_does_not_move_the_cursor() {
    let mut bench = Bench::paper();
    bench.keys("sljrc<Home>");
    let (_, pointed) = bench.chosen();
    assert_eq!(strategy_of(bench.compare().pointed.as_ref()), Some(named("n2")));
    // SPALM stands before n2 in the list.
    stopped(&mut bench, "spalm");
    assert_eq!(bench.shared().candidates().len(), 3);
    assert!(std::sync::Arc::ptr_eq(&pointed, &bench.chosen().1));
}

#[test]
fn the_cursor_walks_cells_and_stops_at_edges() {
    let mut bench = Bench::paper();
    bench.keys("s");
    for (keys, cell) in [
        ("k", "simulatable"),
        ("j", "best"),
        ("j", "spalm"),
        ("kkh", "simulatable"),
        ("l", "n1"),
        ("jj", "n3"),
        ("h", "spalm"),
        ("jj", "spalm"),
        ("lll", "b3"),
        ("kkk", "b1"),
        ("jhh", "n2"),
    ] {
        bench.keys(keys);
        assert_eq!(bench.searches().cell, named(cell), "{keys}");
    }
}

#[test]
fn comparison_strategies_stay_folded_until_asked_for() {
    let mut bench = Bench::paper();
    let screen = bench.keys("s").screen(80, 24);
    for expected in ["simulatable ◈", " best ─", " spalm ─", " n2 ─", "m shows 8 more"] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    for absent in [" n1 ", " p2 ", " b3 "] {
        assert!(!screen.contains(absent), "{absent}: {screen}");
    }
    assert!(bench.keys("m").screen(80, 24).contains(" b3 "));
    assert!(!bench.keys("m").screen(80, 24).contains(" b3 "));
    assert!(bench.keys("l").screen(80, 24).contains("▸ n1"), "going there shows them");
    bench.keys("rm");
    assert_eq!(bench.app.status, "the others were run under this δ: they stay");
}

#[test]
fn the_seconds_of_best_are_shown_and_set() {
    let mut bench = Bench::paper();
    assert!(
        bench.keys("sj").screen(100, 30).contains("600 seconds, 2 rounds at most or until x, from seed 0")
    );
    bench.keys("S<^u>0<Enter>");
    assert!(bench.screen(80, 24).contains("expected whole seconds from 1 to 86400"));
    bench.keys("<^u>90<Enter>");
    assert_eq!(bench.app.status, "best may take 90 s from its next run on");
    assert_eq!(bench.shared().runs.budget.limit.as_secs(), 90);
}

#[test]
fn exporting_a_broken_node_offers_the_recommended_release() {
    let mut bench = Bench::paper();
    bench.keys("srbqe");
    assert!(
        bench.app.status.starts_with("node 0,0,0 breaks δ: this is simulatable, recommended"),
        "{}",
        bench.app.status
    );
}

#[test]
fn searches_open_safe_and_export_the_best_found() {
    let mut bench = Bench::paper();
    bench.keys("s");
    assert_eq!(bench.searches().cell, named("simulatable"));
    bench.keys("ljrq");
    assert_eq!(bench.recipe_name(), "node 0,0,0", "it breaks δ");
    bench.keys("e");
    assert!(bench.app.status.starts_with("node 0,0,0 breaks δ: this is n2, the best found"));
    assert!(bench.dialog().command_line().contains("--strategy n2"));
    // What is pointed at in the comparison is meant.
    bench.keys("<Esc>c<End>");
    assert_eq!(bench.chosen().0, RecodingRecipe::from(&bench.shared().ground.node));
}

#[test]
fn one_command_runs_best_from_anywhere() {
    let mut bench = Bench::paper();
    bench.keys(":best<Enter>");
    assert_eq!(bench.shared().open, ScreenName::SEARCHES);
    assert!(bench.is_done(named("best")));
    assert_eq!(bench.keys("ljb").app.status, "best has run; another run would end the same way");
    assert_eq!(bench.searches().cell, named("best"));
}

#[test]
fn the_star_knows_what_best_has_so_far() {
    let mut bench = Bench::paper();
    bench.keys("sljr").keys_at_once("h").keys_at_once("r");
    let best = key(&bench, "best");
    let step = Step { stage: SearchStage { best: Some(0.001), ..SearchStage::default() }, done: 1, total: 2 };
    let step = bench.forge_run(best, Ok(Running::Step(step)));
    bench.app.update(step);
    let screen = bench.screen(80, 24);
    assert!(screen.contains(".001 ★"), "{screen}");
    assert!(!screen.contains(".386 ★"), "{screen}");
    bench.settle();
}

#[test]
fn exporting_during_a_search_says_what_to_do() {
    let mut bench = Bench::paper();
    bench.keys("sj").keys_at_once("r");
    assert_eq!(
        bench.keys_at_once("e").app.status,
        "best still runs: x stops it; then o opens its release, e exports it"
    );
    let best = key(&bench, "best");
    let step = Step { stage: SearchStage { best: Some(0.044), ..SearchStage::default() }, done: 1, total: 2 };
    let step = bench.forge_run(best, Ok(Running::Step(step)));
    bench.app.update(step);
    assert_eq!(
        bench.keys_at_once("e").app.status,
        "best still runs (loss .044): x stops it; then o opens its release, e exports it"
    );
    bench.keys_at_once("1e");
    assert!(bench.app.windows.is_empty(), "nobody means the node that breaks δ");
    assert_eq!(
        bench.app.status,
        "this breaks δ; best still runs (loss .044): s x stops it, e then offers that"
    );
    bench.settle();
    assert!(bench.keys("e").app.status.starts_with("node 0,0,0 breaks δ: this is best, the best found"));
}

#[test]
fn what_has_no_release_says_why() {
    let mut bench = Bench::paper();
    assert_eq!(bench.keys("sljo").app.status, "n2 has not been run under this δ; r on the searches runs it");
    assert_eq!(bench.keys("e").app.status, "n2 has not been run under this δ; r on the searches runs it");
    assert_eq!(bench.keys("x").app.status, "n2 is not running");
    assert_eq!(bench.keys("X").app.status, "no search is running");
    let narrow = Overrides { delta_min: Some(Presence::ZERO), delta_max: "1/100".parse().ok() };
    let mut bench = Bench::open(&sample("paper/paper.toml"), narrow);
    let infeasible = "n2 ended: infeasible: |T|/|P| is 5/9, outside 0 to 1/100";
    assert_eq!(bench.keys("sljr").app.status, infeasible, "there is nothing to open");
    assert_eq!(bench.keys("o").app.status, "n2 found no release that keeps δ");
}

#[test]
fn a_step_from_regions_returns_to_the_node() {
    let mut bench = Bench::paper();
    bench.keys("lsljro");
    assert_eq!(bench.recipe_name(), "n2");
    assert_eq!(bench.shared().open, ScreenName::WORKBENCH);
    assert!(bench.screen(100, 30).contains("steps apply to nodes: h or l goes back to node 1,0,0"));
    assert!(bench.keys("p").app.status.starts_with("n2 is pinned"));
    assert_eq!(bench.keys("l").recipe_name(), "node 1,0,0");
    assert_eq!(bench.keys("u").recipe_name(), "n2");
}

#[test]
fn spalms_node_is_somewhere_to_step_from() {
    let mut bench = Bench::paper();
    bench.keys("sjjro");
    assert_eq!(bench.recipe_name(), "spalm: node 3,2,2");
    assert_eq!(bench.keys("h").recipe_name(), "node 2,2,2");
    assert_eq!(bench.keys("u").recipe_name(), "spalm: node 3,2,2");
    assert_eq!(bench.shared().ground.node.to_string(), "3,2,2");
}

#[test]
fn a_stopped_search_keeps_its_release_and_reruns() {
    let mut bench = Bench::paper();
    stopped(&mut bench, "n2");
    assert!(bench.keys("slj").screen(100, 30).contains("stopped early"));
    bench.keys("o");
    assert_eq!(bench.recipe_name(), "n2");
    bench.keys("e");
    assert!(bench.dialog().command_line().starts_with("no command makes this release again"));
    bench.keys("<Esc>sr");
    let Some(Run::Done(outcome)) = bench.shared().run(named("n2")) else { panic!("it ran") };
    assert_eq!(outcome.report.stop, StopReason::Done);
}

#[test]
fn rerunning_a_search_keeps_what_it_found() {
    let mut bench = Bench::paper();
    stopped(&mut bench, "n2");
    bench.keys("s");
    let loss = |bench: &Bench| bench.shared().outcome(named("n2")).and_then(Outcome::loss);
    let had = loss(&bench);
    assert!(had.is_some());
    // All that have nothing yet: what was stopped with a release is left as it is.
    bench.keys("a");
    let Some(Run::Done(outcome)) = bench.shared().run(named("n2")) else { panic!("it had run") };
    assert_ne!(outcome.report.stop, StopReason::Done);
    // Run anew and stopped before it begins, it has what it had; so it has while it runs.
    bench.keys_at_once("ljr");
    assert_eq!(loss(&bench), had);
    bench.keys_at_once("X");
    bench.settle();
    assert!(loss(&bench) <= had, "{:?}", loss(&bench));
}

#[test]
fn cancelling_reaches_a_running_search() {
    let mut bench = Bench::paper();
    bench.keys_at_once("sljra");
    let Some(Run::Running { .. }) = bench.shared().run(named("n2")) else { panic!("it runs") };
    bench.keys_at_once("x");
    assert_eq!(bench.app.status, "n2 stops; its best so far is kept");
    bench.keys_at_once("X");
    bench.settle();
    assert_eq!(bench.shared().runs.unfinished(), 0);
    let waiting = Strategy::all().filter(|strategy| bench.shared().run(*strategy).is_none()).count();
    assert_eq!(waiting, Strategy::all().count() - 2, "those that waited never ran");
}

#[test]
fn progress_and_failure_of_a_search_are_shown() {
    let mut bench = Bench::paper();
    bench.keys_at_once("sljr");
    let key = |bench: &Bench, name| key(bench, name);
    let n2 = key(&bench, "n2");
    let step = Step::of(1, 2);
    let step = bench.forge_run(n2, Ok(Running::Step(step)));
    bench.app.update(step);
    assert!(bench.screen(80, 24).contains("━━━━╌╌╌╌"), "{}", bench.screen(80, 24));
    bench.settle();
    let p1 = key(&bench, "p1");
    bench.keys_at_once("lkr");
    let broken = bench.forge_run(p1, Err("it broke"));
    bench.app.update(broken);
    assert!(bench.screen(80, 24).contains("✗ it broke"));
    bench.keys("r");
    assert!(bench.is_done(named("p1")), "it can be run again");
}

#[test]
fn the_comparison_base_stays_when_rows_move() {
    let mut bench = Bench::paper();
    let point_at_n1 = |bench: &mut Bench| {
        bench.keys("<Home>");
        for _ in 0..20 {
            if strategy_of(bench.compare().pointed.as_ref()) != Some(named("n1")) {
                bench.keys("j");
            }
        }
    };
    bench.keys("sac");
    point_at_n1(&mut bench);
    bench.keys("b");
    assert_eq!(strategy_of(bench.shared().base.as_ref()), Some(named("n1")));
    bench.keys("q").keys("lpl").keys("c");
    let candidates = bench.shared().candidates();
    let base = &candidates[index_of(&candidates, bench.shared().base.as_ref())].recipe;
    assert_eq!(strategy_of(Some(base)), Some(named("n1")));
    // Forgotten, the best candidate takes its place.
    point_at_n1(&mut bench);
    assert_eq!(strategy_of(bench.compare().pointed.as_ref()), Some(named("n1")));
    bench.keys("x");
    assert_eq!(index_of(&bench.shared().candidates(), bench.shared().base.as_ref()), 0);
}

#[test]
fn an_open_release_cannot_be_forgotten() {
    let mut bench = Bench::paper();
    bench.keys("sljroc<Home>x");
    assert_eq!(bench.app.status, "it is open on the workbench; open another release first");
    bench.keys("<End>x");
    assert_eq!(bench.app.status, "steps start from this node, so it stays");
    bench.keys("q").keys("l").keys("c<Home>x");
    assert_eq!(finished(&bench), 0);
    assert_eq!(
        bench.keys("q").keys("u").recipe_name(),
        "n2",
        "a step to what was forgotten finds it all the same"
    );
}

#[test]
fn the_searches() {
    snapshots("screens/searches", "strategies-before", "paper/paper.toml", "s");
    snapshots("screens/searches", "strategies-after", "clinic/clinic.toml", "sa");
    snapshots("screens/searches", "strategies-spalm", "paper/paper.toml", "saj");
}

#[test]
fn opening_a_running_search_says_why_not() {
    let mut bench = Bench::paper();
    bench.keys("s").keys_at_once("ro");
    let status = bench.app.status.clone();
    assert!(status.contains("simulatable still runs") || status.contains("simulatable waits"), "{status}");
    bench.settle();
    assert!(bench.app.messages.newest_first().any(|message| message == status), "{status}");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["sa"]);
}
