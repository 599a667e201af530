//! The trade-off: its figures are what the searches find, measuring can be stopped, and a δmax is taken from it.

use palmtop::metrics::Metric;
use palmtop::search::{Config, Strategy};

use super::harness::Bench;
use crate::tui::copy::figures;
use crate::tui::message::Message;
use crate::tui::runs::RunKey;
use crate::tui::sweep::{FEW, Figure, ROUNDS, all};

#[test]
fn every_figure_is_the_loss_of_what_the_search_finds() {
    let mut bench = Bench::paper();
    bench.keys("ta");
    let (analysis, session) = (bench.analysis(), bench.session());
    let config = Config { metric: Metric::Loss, rounds: Some(ROUNDS), ..Config::default() };
    let deltas = session.trade_off.deltas(&session.problem);
    assert!(deltas.len() > 3 && deltas.contains(&session.delta()));
    for delta in deltas {
        for strategy in all() {
            let found = analysis.search(&session.problem.with_delta(delta), strategy, &config, &mut |_| {
                std::ops::ControlFlow::Continue(())
            });
            let loss = found.release.map(|release| release.metrics.loss.mean());
            let expected = loss.map_or(Figure::Nothing, Figure::Loss);
            assert_eq!(session.trade_off.figure(strategy, delta), expected, "{strategy} at {}", delta.max());
        }
    }
}

#[test]
fn what_is_measured_is_not_measured_again() {
    let mut bench = Bench::paper();
    bench.keys("tr");
    assert!(FEW.iter().all(|&strategy| {
        bench.session().trade_off.figure(strategy, bench.session().delta()) != Figure::Open
    }));
    assert_eq!(bench.keys("r").app.status, "all of it is measured");
    bench.keys_at_once("a");
    let progress = bench.session().trade_off.progress().unwrap();
    let places = bench.session().trade_off.deltas(&bench.session().problem).len();
    assert_eq!(progress.total, (all().count() - FEW.len()) * places);
    bench.settle();
    assert_eq!(bench.keys("a").app.status, "all of it is measured");
}

#[test]
fn measuring_is_stopped_and_goes_on_where_it_was() {
    let mut bench = Bench::paper();
    bench.keys("t");
    bench.keys_at_once("rx");
    assert!(!bench.session().trade_off.is_running());
    assert_eq!(bench.app.status, "stopped; what is measured is kept");
    assert_eq!(bench.keys("x").app.status, "nothing is being measured");
    bench.keys("r");
    assert!(bench.screen(80, 24).contains("measures all nine and best too"), "{}", bench.screen(80, 24));
}

#[test]
fn a_figure_of_a_job_that_was_stopped_is_dropped() {
    let mut bench = Bench::paper();
    bench.keys_at_once("trx");
    let delta = bench.session().delta();
    let stale = super::super::ticket::Tickets::default().next();
    bench.app.update(Message::Swept(stale, RunKey { strategy: Strategy::Spalm, delta }, Some(0.123)));
    assert_ne!(bench.session().trade_off.figure(Strategy::Spalm, delta), Figure::Loss(0.123));
}

#[test]
fn a_delta_is_taken_as_a_step_and_undone() {
    let mut bench = Bench::paper();
    let before = bench.session().delta();
    bench.keys("tl<Enter>");
    let taken = bench.session().delta();
    assert!(taken.max() > before.max() && taken.min() == before.min());
    assert!(bench.app.status.contains("u goes back"), "{}", bench.app.status);
    bench.keys("u");
    assert_eq!(bench.session().delta(), before);
    let said = bench.keys("t<Enter>").app.status.clone();
    assert!(said.contains("already") || bench.session().delta() != before, "{said}");
}

#[test]
fn best_is_measured_when_all_else_is() {
    let mut bench = Bench::paper();
    bench.keys("t");
    bench.keys_at_once("a");
    assert_eq!(bench.session().trade_off.progress().unwrap().now.strategy, Strategy::Spalm);
    let mut order = Vec::new();
    while bench.session().trade_off.is_running() {
        order.extend(bench.session().trade_off.progress().map(|progress| progress.now.strategy));
        bench.take_next();
    }
    let first_best = order.iter().position(|&strategy| strategy == Strategy::Best).unwrap();
    assert!(order[first_best..].iter().all(|&strategy| strategy == Strategy::Best));
}

#[test]
fn its_figures_are_copied_as_a_table() {
    let mut bench = Bench::paper();
    assert_eq!(figures(bench.keys("t").session()).unwrap_err(), "nothing is measured yet");
    let text = figures(bench.keys("r").session()).unwrap().content;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2], "| δmax | spalm | n1 | n2 | n3 |");
    let own = lines.iter().find(|line| line.starts_with("| 2/3 |")).unwrap();
    assert!(own.starts_with("| 2/3 | .622 |") && own.matches('|').count() == 6, "{text}");
}
