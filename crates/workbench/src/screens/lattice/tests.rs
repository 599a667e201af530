//! The screen of the lattice: what it says is what the searches and the workbench say, and going there is a step.

use palmtop_core::metrics::Metric;
use palmtop_core::progress::unwatched;
use palmtop_release::pipeline::Overrides;
use palmtop_search::{Config, Strategy};

use crate::screens::lattice::map::{LatticeMap, NodeFigures};
use crate::screens::lattice::walk::{LatticeWalk, Survey};

use crate::testing::{Bench, sample, snapshots};

#[test]
fn best_node_equals_what_spalm_finds() {
    for project in ["paper/paper.toml", "trial/trial.toml", "clinic/clinic.toml"] {
        let mut bench = Bench::open(&sample(project), Overrides::default());
        bench.keys(":lattice<Enter>:lattice.best<Enter>");
        let screen = bench.screen(100, 30);
        assert!(screen.contains("★ the best node") || project.contains("trial"), "{project}\n{screen}");
        let best = format!("node {}", bench.lattice().cursor);
        assert_eq!(bench.keys("<Enter>").recipe_name(), best, "{project}");
        let (violations, loss) =
            (bench.view().summary.violations(), bench.view().release().metrics.loss.mean());
        let config = Config { metric: Metric::Loss, ..Config::default() };
        let (analysis, problem) = (bench.analysis(), bench.shared().problem.clone());
        let found = analysis.search(&problem, Strategy::Spalm, &config, &mut unwatched);
        let spalm = found.release.unwrap().metrics.loss.mean();
        assert_eq!(violations, 0, "{project}");
        assert!((loss - spalm).abs() < 1e-12, "{project}: {loss} instead of {spalm}");
    }
}

#[test]
fn lattice_opens_at_the_frontier_or_current_node() {
    let mut bench = Bench::clinic();
    let screen = bench.keys(":lattice<Enter>").screen(80, 24);
    let map = bench.lattice().map().unwrap();
    let position = map.position(&bench.lattice().cursor);
    assert!(map.frontier_rank(position).is_ok() && map.optimum() == Some(position), "{screen}");
    assert!(
        screen.contains("★ the best node") && screen.contains('●') && screen.contains("53 classes"),
        "{screen}"
    );
    // Whoever has looked elsewhere is left there; the node of the workbench is one key away.
    let elsewhere = bench.keys("k").lattice().cursor.clone();
    assert_eq!(bench.keys(":workbench<Enter>:lattice<Enter>").lattice().cursor, elsewhere);
    assert_eq!(bench.keys(":lattice.here<Enter>").lattice().cursor.to_string(), "0,0,0,0,0,0");
    // Another node of the workbench that breaks δ leads to the frontier again, one that keeps it is what is wanted.
    assert_ne!(bench.keys(":workbench<Enter>l:lattice<Enter>").lattice().cursor.to_string(), "1,0,0,0,0,0");
    assert_eq!(
        bench.keys("<Enter>k:lattice<Enter>").recipe_name(),
        format!("node {}", bench.lattice().cursor)
    );
}

#[test]
fn lattice_explains_its_marks_and_weak_method() {
    let mut bench = Bench::clinic();
    let screen = bench.keys(":lattice<Enter>").screen(80, 24);
    for expected in ["▁▅█ share that keeps δ", "◇ before", "Nodes are the weak method", "zip 0→4  age 0→5"]
    {
        assert!(screen.contains(expected), "{expected}\n{screen}");
    }
    let screen = Bench::paper().keys(":lattice<Enter>").screen(80, 24);
    assert!(screen.contains("● ○ keep δ  × · break it (● × checked)"), "{screen}");
    let screen = bench.keys("3jr:lattice<Enter>").screen(80, 24);
    assert!(screen.contains(" so far"), "{screen}");
}

#[test]
fn going_to_a_node_is_a_single_step() {
    let mut bench = Bench::paper();
    assert_eq!(bench.keys(":lattice<Enter>/3,2,2<Enter><Enter>").recipe_name(), "node 3,2,2");
    assert_eq!(bench.keys("u").recipe_name(), "node 0,0,0");
}

#[test]
fn request_for_an_unknown_node_is_refused() {
    let mut bench = Bench::paper();
    for (typed, expected) in [("9,0,0", "zip"), ("1,2,3,4", "3"), ("one", "one")] {
        bench.keys(&format!(":lattice<Enter>/{typed}<Enter>"));
        let screen = bench.screen(80, 24);
        let foot = screen.lines().last().unwrap();
        assert!(foot.contains(expected), "{typed}: {foot}");
        bench.keys("<Esc>:workbench<Enter>");
    }
}

#[test]
fn another_delta_has_other_verdicts() {
    let mut bench = Bench::paper();
    bench.keys(":lattice<Enter>");
    assert!(bench.screen(80, 24).contains("✓ 6 keep δ"));
    bench.keys("4<Home><Enter><^U>1<Enter>j<Enter><^U>0<Enter>:policy.try<Enter>:lattice<Enter>");
    assert!(bench.screen(80, 24).contains("✓ 72 keep δ"), "{}", bench.screen(80, 24));
}

#[test]
fn a_click_on_a_node_points_at_it() {
    let mut bench = Bench::paper();
    bench.keys(":lattice<Enter>:lattice.here<Enter>");
    let screen = bench.screen(80, 24);
    let (row, line) = (0..)
        .zip(screen.lines())
        .find(|(_, line)| line.contains('★') && line.starts_with(' ') && !line.contains("best"))
        .unwrap();
    let column = line.chars().position(|character| character == '★').unwrap();
    bench.click(u16::try_from(column).unwrap(), row);
    assert_eq!(bench.lattice().cursor.to_string(), "3,2,2");
}

/// The lines of the map, from the coarsest height that is shown, without what is beside them.
fn rows(screen: &str) -> Vec<String> {
    let rows = screen.lines().skip_while(|line| !line.contains("coarse ↑")).skip(1);
    rows.take_while(|line| !line.contains("fine ↓")).map(|line| line.chars().take(75).collect()).collect()
}

#[test]
fn large_map_shows_bands_line_and_path() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("lllj:lattice<Enter>").screen(160, 45);
    let map = bench.lattice().map().unwrap();
    assert!(map.len() > 4_000);
    let rows = rows(&screen);
    assert_eq!(rows.len(), map.heights(), "{screen}");
    // In the coarsest rows every node keeps δ, in the finest none, and the line is between them.
    assert!(rows[..2].iter().all(|row| row.contains(['●', '○', '█'])), "{screen}");
    assert!(rows.iter().any(|row| row.contains('┤') || row.contains('│')), "{screen}");
    assert!(rows[12..].iter().all(|row| !row.contains(['█', '●', '┤', '│'])), "{screen}");
    let path: usize = rows.iter().map(|row| row.matches(['◇', '◆']).count()).sum();
    assert_eq!(path, 4, "the node of the start and three steps: {screen}");
    assert!(bench.words() <= 110, "{}", bench.screen(80, 24));
}

#[test]
fn band_of_the_cursor_says_its_counts() {
    let mut bench = Bench::clinic();
    let screen = bench.keys(":lattice<Enter>").screen(160, 45);
    let map = bench.lattice().map().unwrap();
    let cursor = map.position(&bench.lattice().cursor);
    let remark = screen.lines().find(|line| line.contains("in its band ✓")).unwrap();
    let number = |mark: char| {
        let text = remark.split(mark).nth(1).unwrap();
        text.trim_start().split(' ').next().unwrap().parse::<usize>().unwrap()
    };
    let row = map.row_of(cursor);
    let bands = (20..120).flat_map(|count| map.bands(row, count));
    let mut around = bands.filter(|band| band.contains(&cursor));
    assert!(around.any(|band| {
        let passing = map.passing(band.clone());
        (passing, band.len() - passing) == (number('✓'), number('✗'))
    }));
}

#[test]
fn the_frontier_is_copied_as_a_table() {
    let mut bench = Bench::paper();
    let text = bench.keys(":lattice<Enter>").figures().unwrap().content;
    assert!(text.ends_with("| 3,2,2 | 3 | 2 | 2 | .622 |\n"), "{text}");
}

/// The clinic's lattice, its survey stopped before it began to count.
fn stopped() -> Bench {
    let mut bench = Bench::paper();
    let problem = bench.shared().problem.clone();
    let (survey, stop) = palmtop_search::survey(&problem, &mut |_| std::ops::ControlFlow::Break(()));
    let map = LatticeMap::new(&problem, survey, stop);
    bench.keys_at_once(":lattice<Enter>");
    bench.ready_mut().screens.of_mut::<LatticeWalk>().unwrap().survey = Survey::Ended(Box::new(map));
    bench
}

#[test]
fn stopped_survey_is_never_called_best_or_complete() {
    let mut bench = stopped();
    assert!(!bench.lattice().map().unwrap().is_complete());
    for (columns, rows) in [(80, 24), (200, 50)] {
        let screen = bench.screen(columns, rows);
        for claim in
            ["★ best .", "the best node", "on the frontier", "nodes that keep δ", "no finer node keeps it"]
        {
            assert!(!screen.contains(claim), "{claim}\n{screen}");
        }
        assert!(screen.contains(" open"), "{screen}");
    }
    let text = bench.figures().unwrap().content;
    assert!(text.contains("CHECKING WAS STOPPED with"), "{text}");
    // It stays as it is until somebody asks for more.
    bench.keys_at_once(":workbench<Enter>").keys_at_once(":lattice<Enter>");
    assert!(!bench.lattice().is_surveying());
    bench.keys("r");
    assert!(bench.lattice().map().unwrap().is_complete());
    assert_eq!(bench.keys("r").app.status, "every node is decided");
}

#[test]
fn a_survey_of_another_delta_is_dropped() {
    let mut bench = Bench::paper();
    bench.keys_at_once(":lattice<Enter>");
    let stale = bench.next_surveyed();
    bench.keys_at_once("4<Home><Enter><^U>1<Enter>j<Enter><^U>0<Enter>:policy.try<Enter>:lattice<Enter>");
    bench.app.update(stale);
    assert!(bench.lattice().map().is_none(), "it is of the δ before");
    bench.settle();
    assert_eq!(bench.lattice().map().unwrap().passing(0..72), 72);
}

#[test]
fn survey_agrees_with_a_count_of_every_node() {
    let mut bench = Bench::paper();
    for keys in
        [":lattice<Enter>", "4<Enter><^U>.6<Enter>j<Enter><^U>.2<Enter>:policy.try<Enter>:lattice<Enter>"]
    {
        bench.keys(keys);
        let shared = bench.shared();
        let map = bench.lattice().map().unwrap();
        for position in 0..map.len() {
            let figures = NodeFigures::of(&shared.problem, &map.node(position));
            let keeps = map.passing(position..position + 1) == 1;
            assert_eq!(figures.violations() == 0, keeps, "{}", map.node(position));
            let release = shared.analysis.by_hand(&shared.problem, map.node(position));
            assert_eq!(release.is_present(), keeps, "{}", map.node(position));
            assert!((figures.loss - release.metrics.loss.mean()).abs() < 1e-9);
        }
    }
}

#[test]
fn the_lattice() {
    snapshots("screens/lattice", "lattice", "clinic/clinic.toml", "llj:lattice<Enter>");
    snapshots("screens/lattice", "lattice-best", "clinic/clinic.toml", ":lattice<Enter>:lattice.best<Enter>");
    snapshots(
        "screens/lattice",
        "lattice-paper",
        "paper/paper.toml",
        ":lattice<Enter>n:lattice.frontier<Enter>",
    );
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&[":lattice<Enter>:lattice.best<Enter>", ":lattice<Enter>/9"]);
}
