//! The comparison: its order, its figures, and its screen.

use palmtop_release::history::RecodingRecipe;

use super::rows::{MEASURES, facts, key};
use crate::shared::view::recipe_name;
use crate::testing::{Bench, snapshots};

#[test]
fn best_candidate_stands_first_and_is_the_reference() {
    let mut bench = Bench::paper();
    bench.keys("sac");
    let shared = bench.shared();
    let rows = bench.compare().ordered(shared);
    let broken = |row: usize| rows[row].measured.broken(shared.problem.policy()) > 0;
    let loss = |row: usize| rows[row].measured.release.metrics.loss.mean();
    assert!((1..rows.len()).all(|row| (broken(row - 1), loss(row - 1)) <= (broken(row), loss(row))));
    assert_eq!(
        rows.last().map(|row| &row.recipe),
        Some(&RecodingRecipe::from(&shared.ground.node)),
        "it breaks δ"
    );
    assert!(!broken(0));
    let (recipe, _) = bench.chosen();
    assert_eq!(recipe, rows[0].recipe);
    assert_eq!(bench.compare().pair(shared), None, "the best is the base until another is chosen");
}

#[test]
fn sorting_keeps_the_chosen_row() {
    let mut bench = Bench::paper();
    bench.keys("sacj");
    let (pointed, _) = bench.chosen();
    for (nth, measure) in MEASURES.iter().enumerate().skip(1) {
        assert_eq!(bench.keys("l").app.status, format!("sorted by {}", measure.screen));
        assert_eq!(bench.compare().sort, nth);
        let shared = bench.shared();
        let rows = bench.compare().ordered(shared);
        let kept = rows.iter().filter(|row| row.measured.broken(shared.problem.policy()) == 0);
        assert!(
            kept.map(|row| key(measure, &facts(row, bench.compare().utility_of(row)))).is_sorted(),
            "{}",
            measure.screen
        );
        assert_eq!(bench.chosen().0, pointed);
    }
    bench.keys(&"h".repeat(MEASURES.len()));
    assert_eq!(bench.compare().sort, 0);
}

#[test]
fn all_candidates_and_figures_fit_80_columns() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("sac").screen(80, 24);
    for expected in [
        "best ",
        "n1 ",
        "b3 ",
        "knows",
        "simulatable ◈",
        "◈ recommended",
        "↓loss",
        "Δloss",
        "released",
        "highest",
    ] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
}

#[test]
fn candidates_that_are_out_of_sight_are_told() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("lplplpsac").screen(80, 24);
    let count = bench.shared().candidates().len();
    assert!(count > 13, "pinned nodes, and every search: {count}");
    assert!(screen.contains(&format!("1 to 13 of {count} candidates")), "{screen}");
    let screen = bench.keys("<End>").screen(80, 24);
    assert!(screen.contains(&format!("{} to {count} of {count} candidates", count - 12)), "{screen}");
    assert!(bench.screen(100, 30).contains(&format!("· {count} candidates")));
}

#[test]
fn compare_shows_what_knowing_the_algorithm_reveals() {
    let mut bench = Bench::paper();
    bench.keys("sr").keys("b").keys("c");
    let cell = |bench: &Bench, name: &str| {
        let screen = bench.screen(80, 24);
        let line = screen
            .lines()
            .find(|line| line.trim_start_matches([' ', '▸']).starts_with(name))
            .map(ToOwned::to_owned);
        let line = line.unwrap_or_else(|| panic!("{name}: {screen}"));
        line.replace('▸', " ").split_whitespace().filter(|word| *word != "◈").nth(2).unwrap().to_owned()
    };
    assert_eq!((cell(&bench, "simulatable ◈").as_str(), cell(&bench, "best").as_str()), ("✓", "?"));
    // The audit of what the cursor points at: of tables this small every T is counted.
    bench.keys("<Home>");
    let (recipe, _) = bench.chosen();
    bench.keys("A<Esc>");
    let name = recipe_name(&recipe, bench.shared().delta());
    let found = cell(&bench, &name);
    assert!(found != "?", "{name}: {found}");
    assert_ne!(name, "simulatable", "it does not lose least here");
    assert!(bench.screen(80, 24).contains("Choosing by loss leaks"), "{}", bench.screen(80, 24));
    assert!(bench.figures().unwrap().content.contains("| exact, within δ |"));
}

#[test]
fn the_comparison() {
    snapshots("screens/compare", "compare-alone", "paper/paper.toml", "c");
    snapshots("screens/compare", "compare", "clinic/clinic.toml", "sacjjjjjj");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["sac", "saclllb"]);
}
