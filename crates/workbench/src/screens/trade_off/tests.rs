//! The trade-off: its figures are what the searches find, measuring can be stopped, and a δmax is taken from it.

use palmtop_core::metrics::Metric;
use palmtop_search::{Config, Strategy};

use crate::screens::trade_off::state::{Figure, ROUNDS, Swept, few};
use crate::testing::{Bench, answered, snapshots};

#[test]
fn every_figure_is_the_loss_a_search_finds() {
    let mut bench = Bench::paper();
    bench.keys("ta");
    let (analysis, shared, sweep) = (bench.analysis(), bench.shared(), bench.sweep());
    let config = Config { metric: Metric::Loss, rounds: Some(ROUNDS), ..Config::default() };
    let deltas = sweep.deltas(&shared.problem);
    assert!(deltas.len() > 3 && deltas.contains(&shared.delta()));
    for delta in deltas {
        for strategy in Strategy::all() {
            let found = analysis.search(&shared.problem.with_delta(delta), strategy, &config, &mut |_| {
                std::ops::ControlFlow::Continue(())
            });
            let loss = found.release.map(|release| release.metrics.loss.mean());
            let expected = loss.map_or(Figure::Nothing, Figure::Loss);
            assert_eq!(sweep.figure(strategy, delta), expected, "{strategy} at {}", delta.max());
        }
    }
}

#[test]
fn what_is_measured_is_not_measured_again() {
    let mut bench = Bench::paper();
    bench.keys("tr");
    assert!(few().all(|strategy| { bench.sweep().figure(strategy, bench.shared().delta()) != Figure::Open }));
    assert_eq!(bench.keys("r").app.status, "everything is measured");
    bench.keys_at_once("a");
    let progress = bench.sweep().sweep_progress().unwrap();
    let delta_count = bench.sweep().deltas(&bench.shared().problem).len();
    assert_eq!(progress.total, (Strategy::all().count() - few().count()) * delta_count);
    bench.settle();
    assert_eq!(bench.keys("a").app.status, "everything is measured");
}

#[test]
fn measuring_can_be_stopped_and_continued() {
    let mut bench = Bench::paper();
    bench.keys("t");
    bench.keys_at_once("r");
    let total = bench.sweep().sweep_progress().unwrap().total;
    let first = bench.next_swept();
    bench.app.update(first);
    bench.keys_at_once("x");
    assert!(!bench.sweep().is_running());
    assert_eq!(bench.app.status, "stopped; the measurements are kept");
    assert_eq!(bench.keys("x").app.status, "nothing is being measured");
    bench.keys_at_once("r");
    assert_eq!(bench.sweep().sweep_progress().unwrap().total, total - 1, "one was kept");
    bench.settle();
    assert!(bench.screen(80, 24).contains("measures all nine and best too"), "{}", bench.screen(80, 24));
}

#[test]
fn figures_of_stopped_jobs_are_dropped() {
    let mut bench = Bench::paper();
    bench.keys_at_once("tr");
    let mut stale = bench.next_swept();
    let (key, _) = *answered::<Swept>(&mut stale).unwrap();
    bench.keys_at_once("xr");
    let delta = bench.shared().delta();
    assert_eq!(bench.sweep().figure(key.strategy, key.delta), Figure::Open);
    bench.app.update(stale);
    assert_eq!(bench.sweep().figure(key.strategy, key.delta), Figure::Open);
    bench.settle();
    assert!(matches!(bench.sweep().figure(Strategy::Spalm, delta), Figure::Loss(loss) if loss > 0.5));
}

#[test]
fn taking_a_delta_is_an_undoable_step() {
    let mut bench = Bench::paper();
    let before = bench.shared().delta();
    assert_eq!(bench.keys("t<Enter>").app.status, "no measurements yet");
    bench.keys("rl<Enter>");
    assert_eq!(bench.shared().delta(), before, "results have been seen: why is asked first");
    bench.keys("it loses much less<Enter>");
    let taken = bench.shared().delta();
    assert_eq!(bench.shared().log.decisions().len(), 2);
    assert!(taken.max() > before.max() && taken.min() == before.min());
    assert!(bench.app.status.contains("u goes back"), "{}", bench.app.status);
    bench.keys("u");
    assert_eq!(bench.shared().delta(), before);
    bench.keys("h<Enter>");
    assert_eq!(bench.app.status, "δmax is 2/3 already");
}

#[test]
fn best_is_measured_when_all_else_is() {
    let mut bench = Bench::paper();
    bench.keys("t");
    bench.keys_at_once("a");
    assert_eq!(bench.sweep().sweep_progress().unwrap().now.strategy, Strategy::Simulatable);
    let mut order = Vec::new();
    while bench.sweep().is_running() {
        order.extend(bench.sweep().sweep_progress().map(|progress| progress.now.strategy));
        bench.take_next();
    }
    let first_best = order.iter().position(|&strategy| strategy == Strategy::Best).unwrap();
    assert!(order[first_best..].iter().all(|&strategy| strategy == Strategy::Best));
}

#[test]
fn its_figures_are_copied_as_a_table() {
    let mut bench = Bench::paper();
    assert_eq!(bench.keys("t").figures().unwrap_err(), "no measurements yet");
    let text = bench.keys("r").figures().unwrap().content;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2], "| δmax | simulatable | spalm | n1 | n2 | n3 |");
    let row = lines.iter().find(|line| line.starts_with("| 2/3 |")).unwrap();
    assert!(row.starts_with("| 2/3 | 1.000 | .622 |") && row.matches('|').count() == 7, "{text}");
}

#[test]
fn the_trade_off() {
    snapshots("screens/trade_off", "trade-off-before", "clinic/clinic.toml", "t");
    snapshots("screens/trade_off", "trade-off", "clinic/clinic.toml", "trh");
    snapshots("screens/trade_off", "trade-off-all", "paper/paper.toml", "tal");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["trl"]);
}
