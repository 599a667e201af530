//! The comparison: who stands where, and as it is seen.

use palmtop::pipeline::Overrides;
use palmtop::session::Place;

use super::rows::MEASURES;
use crate::tui::testing::{Bench, sample, snapshots};

#[test]
fn the_best_stands_first_and_is_what_the_others_are_compared_with() {
    let mut bench = Bench::paper();
    bench.keys("sac");
    let shared = bench.shared();
    let rows = bench.compare().ordered(shared);
    let broken = |row: usize| rows[row].measured.broken(shared.problem.policy()) > 0;
    let loss = |row: usize| rows[row].measured.release.metrics.loss.mean();
    assert!((1..rows.len()).all(|row| (broken(row - 1), loss(row - 1)) <= (broken(row), loss(row))));
    assert_eq!(rows.last().map(|row| &row.place), Some(&Place::from(&shared.ground.node)), "it breaks δ");
    assert!(!broken(0));
    let (place, _) = bench.chosen();
    assert_eq!(place, rows[0].place);
    assert_eq!(bench.compare().pair(shared), None, "the best is the base until another is chosen");
}

#[test]
fn rows_are_sorted_by_any_figure_and_what_is_pointed_at_stays() {
    let mut bench = Bench::paper();
    bench.keys("sacj");
    let (pointed, _) = bench.chosen();
    for (nth, measure) in MEASURES.iter().enumerate().skip(1) {
        assert_eq!(bench.keys("l").app.status, format!("sorted by {}", measure.head));
        assert_eq!(bench.compare().sort, nth);
        let shared = bench.shared();
        let rows = bench.compare().ordered(shared);
        let kept = rows.iter().filter(|row| row.measured.broken(shared.problem.policy()) == 0);
        assert!(kept.map(|row| measure.key(row)).is_sorted(), "{}", measure.head);
        assert_eq!(bench.chosen().0, pointed);
    }
    bench.keys("hhhhhhhhhh");
    assert_eq!(bench.compare().sort, 0);
}

#[test]
fn all_candidates_and_their_figures_are_seen_at_80_columns() {
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    let screen = bench.keys("sac").screen(80, 24);
    for said in
        ["best ", "n1 ", "b3 ", "spalm", "mondrian", "↓loss", "Δloss", "released", "discern.", "highest"]
    {
        assert!(screen.contains(said), "{said}: {screen}");
    }
}

#[test]
fn candidates_that_are_out_of_sight_are_told() {
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    let screen = bench.keys("sac").screen(80, 24);
    assert!(screen.contains("1 to 14 of 16 candidates"), "{screen}");
    let screen = bench.keys("<End>").screen(80, 24);
    assert!(screen.contains("3 to 16 of 16 candidates"), "{screen}");
    assert!(bench.screen(100, 30).contains("· 16 candidates"));
}

#[test]
fn the_comparison() {
    snapshots("screens/compare", "compare-alone", "paper/paper.toml", "c");
    snapshots("screens/compare", "compare", "clinic/clinic.toml", "sacjjj");
}
