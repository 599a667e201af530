//! Walking the lattice: steps, undo, pins, and what the step table says of them.

use palmtop_core::model::Presence;
use palmtop_release::pipeline::Overrides;

use super::neighbours::{Cell, Counted};
use crate::testing::{Bench, answered, ascii_snapshot, sample, snapshots};

#[test]
fn undo_and_redo_retrace_the_steps() {
    let mut bench = Bench::paper();
    for (keys, expected) in [
        ("l", "node 1,0,0"),
        ("jll", "node 1,2,0"),
        ("h", "node 1,1,0"),
        ("lh", "node 1,1,0"),
        ("uu", "node 1,1,0"),
        ("u", "node 1,2,0"),
        ("U", "node 1,1,0"),
        ("uuuuuuuuu", "node 0,0,0"),
        ("UU", "node 1,1,0"),
        ("l", "node 1,2,0"),
    ] {
        assert_eq!(bench.keys(keys).recipe_name(), expected, "{keys}");
    }
    assert_eq!(bench.keys("U").app.status, "there is nothing to redo");
}

#[test]
fn an_infeasible_delta_is_said_at_every_step() {
    let narrow = Overrides { delta_min: Some(Presence::ZERO), delta_max: "1/100".parse().ok() };
    let mut bench = Bench::open(&sample("paper/paper.toml"), narrow);
    for (width, height) in [(80, 24), (100, 30), (200, 50)] {
        let screen = bench.screen(width, height);
        assert!(screen.contains("infeasible: |T|/|P| is 5/9, outside 0 to 1/100"), "{screen}");
    }
    assert!(bench.keys("l").screen(80, 24).contains("infeasible"), "wherever one steps");
    let clinic = Bench::open(&sample("clinic/clinic.toml"), narrow);
    for (width, height) in [(60, 16), (80, 24), (100, 30)] {
        let screen = clinic.screen(width, height);
        assert!(screen.contains(": 4 changes "), "what can be done is not cut off\n{screen}");
    }
    assert!(!Bench::paper().screen(80, 24).contains("infeasible"));
}

#[test]
fn a_filter_shows_on_the_narrowest_screen() {
    let mut bench = Bench::clinic();
    bench.keys("fpresence>.05 private>0 zip:0 over<Enter>");
    for (width, height) in [(60, 16), (80, 24), (100, 30), (200, 50)] {
        let screen = bench.screen(width, height);
        assert!(screen.contains("with presence>.05"), "{screen}");
    }
}

// holds: No stale verdict
#[test]
fn regions_have_no_numbers_of_the_node_before() {
    let mut bench = Bench::paper();
    assert!(bench.screen(80, 24).contains("0/5"));
    let screen = bench.keys("3jjjlr<Enter>").screen(80, 24);
    assert!(!screen.contains("0/5") && !screen.contains("finest already"), "{screen}");
    let losses = bench.view().release().metrics.loss.by_attribute().to_vec();
    for loss in losses {
        let expected = format!("by region   {}", crate::kit::text::loss(loss));
        assert!(screen.contains(&expected), "{expected}: {screen}");
    }
}

#[test]
fn an_impossible_step_says_so() {
    let mut bench = Bench::paper();
    assert_eq!(bench.keys("h").app.status, "zip is at its finest level already");
    assert_eq!(bench.keys("jlll").app.status, "age is at its coarsest level already");
    assert_eq!(bench.keys("uuu").app.status, "there is nothing to undo");
}

#[test]
fn the_step_table_foretells_each_step() {
    let mut bench = Bench::paper();
    bench.keys("lll").keys("jll").keys("j").keys("l");
    let [Cell::Counted(coarser), _] = bench.workbench().steps.cells(2) else { panic!("it is counted") };
    let before = bench.view().release().metrics.loss.mean();
    assert_eq!((coarser.violations, coarser.classes), (0, 2), "the paper's zip 3, age 2, nationality 2");
    bench.keys("l");
    let view = bench.view();
    assert_eq!(bench.recipe_name(), "node 3,2,2");
    assert_eq!((view.summary.violations(), view.summary.classes), (0, 2));
    assert!((view.release().metrics.loss.mean() - coarser.loss).abs() < 1e-12);
    assert!(before < coarser.loss);
}

#[test]
fn a_late_count_of_a_neighbour_is_dropped() {
    let mut bench = Bench::paper();
    bench.keys_at_once("l");
    let mut stale = bench.next_neighbour();
    let Some(Counted::Step(neighbour)) = answered(&mut stale) else { panic!("a neighbour comes") };
    neighbour.classes = 999;
    let attribute = neighbour.attribute;
    bench.keys("h");
    let before = bench.workbench().steps.cells(attribute);
    bench.app.update(stale);
    assert_eq!(bench.workbench().steps.cells(attribute), before);
}

#[test]
fn large_figures_are_shown_whole_and_apart() {
    let mut bench = Bench::paper();
    bench.keys_at_once("l");
    let mut message = bench.next_neighbour();
    let Some(Counted::Step(neighbour)) = answered(&mut message) else { panic!("a neighbour comes") };
    (neighbour.classes, neighbour.violations) = (93_820_813, 46_832_582);
    bench.app.update(message);
    for (width, height) in [(80, 24), (200, 50)] {
        let screen = bench.screen(width, height);
        let steps = &screen[screen.find("─ step").unwrap()..];
        let line =
            steps.lines().find(|line| line.contains("93,820,813")).unwrap_or_else(|| panic!("{screen}"));
        let words: Vec<&str> = line.split_whitespace().collect();
        let position =
            words.iter().position(|word| *word == "93,820,813").unwrap_or_else(|| panic!("{screen}"));
        assert!(words[position - 1].starts_with(['+', '−']), "{screen}");
        assert!(words[position - 2].ends_with("✗46,832,582"), "{screen}");
        assert!(steps.lines().nth(1).unwrap().matches("classes").count() == 2, "{screen}");
    }
}

#[test]
fn held_keys_end_with_the_last_table() {
    let mut bench = Bench::paper();
    bench.keys_at_once("llllhhlljl");
    bench.settle();
    let direct = {
        let mut direct = Bench::paper();
        direct.keys("llll").keys("j").keys("l");
        (0..3).map(|index| direct.workbench().steps.cells(index)).collect::<Vec<_>>()
    };
    assert_eq!(bench.recipe_name(), "node 4,1,0");
    assert_eq!((0..3).map(|index| bench.workbench().steps.cells(index)).collect::<Vec<_>>(), direct);
}

#[test]
fn the_suggestion_costs_least_per_mended_class() {
    let mut bench = Bench::paper();
    assert_eq!(bench.workbench().steps.suggestion(), Some(1), "age alone mends anything");
    assert_eq!(bench.keys("llljlljll").workbench().steps.suggestion(), None, "nothing to mend");
}

#[test]
fn a_pinned_node_stays_in_the_comparison() {
    let mut bench = Bench::paper();
    assert_eq!(bench.keys("lp").app.status, "node 1,0,0 is pinned: 3 compares it");
    assert_eq!(bench.shared().candidates().len(), 1, "where one stands is no second candidate");
    bench.keys("l");
    assert_eq!(bench.shared().candidates().len(), 2);
    bench.keys("3<End><Enter>");
    assert_eq!(bench.recipe_name(), "node 1,0,0");
    assert_eq!(bench.keys("p").app.status, "node 1,0,0 is no longer pinned");
}

#[test]
fn cancelling_a_filter_restores_the_list() {
    let mut bench = Bench::paper();
    bench.keys("fprivate>0<Enter>");
    let before = bench.view().shown.len();
    assert!(before < 9);
    bench.keys("f<^U>public>100");
    assert_eq!(bench.view().shown.len(), 0, "it is shown as it is typed");
    bench.keys("<Esc>");
    assert_eq!(bench.view().shown.len(), before);
    assert_eq!(bench.shared().classes.filter_text, "private>0");
}

#[test]
fn an_uncounted_node_can_be_entered_and_left() {
    let mut bench = Bench::paper();
    bench.keys("ll");
    bench.ready_mut().shared.refuse_view("it was stopped");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("? node 2,0,0 is not counted: it was stopped"), "{screen}");
    assert!(!screen.contains("worst first"), "classes of another place stand under no verdict\n{screen}");
    assert_eq!(bench.keys("e").app.status, "it was stopped");
    assert_eq!(bench.keys("u").recipe_name(), "node 1,0,0");
    assert_eq!(bench.keys("U").recipe_name(), "node 2,0,0");
    assert_eq!(bench.view().summary.violations(), 9);
}

// holds: No stale verdict
#[test]
fn answers_of_the_place_before_are_dropped() {
    let mut bench = Bench::clinic();
    // Each of these asks for something of the many classes and leaves for the one class of the coarsest node at once.
    for keys in ["o", ":workbench.reverse<Enter>", "fover<Enter>", "/Finland<Enter>", "<Tab>jjj", "n"] {
        bench.keys(":lattice<Enter>/5,5,1,3,3,3<Enter><Enter>:lattice<Enter>/0,0,0,0,0,0<Enter><Enter>");
        bench.keys_at_once(keys).keys_at_once("u");
        bench.settle();
        assert_eq!(bench.view().summary.classes, 1, "{keys}");
        let view = bench.view();
        assert!(view.shown.iter().all(|class| *class == 0), "{keys}");
        bench.screen(80, 24);
        bench.keys("f<^U><Enter>");
    }
}

#[test]
fn the_workbench() {
    snapshots("screens/workbench", "workbench-fails", "paper/paper.toml", "ljll<Tab>j");
    snapshots("screens/workbench", "workbench-present", "paper/paper.toml", "llljlljll");
    snapshots("screens/workbench", "workbench-clinic", "clinic/clinic.toml", "lllljlljjll");
    ascii_snapshot("screens/workbench", "workbench-ascii", "clinic/clinic.toml", "lllljlljjll");
}

#[test]
fn the_workbench_at_a_release_by_region() {
    snapshots("screens/workbench", "workbench-region", "clinic/clinic.toml", "3jjjlr<Enter>");
    snapshots("screens/workbench", "workbench-region-paper", "paper/paper.toml", "l3jr<Enter>");
}

/// A project of sixteen attributes whose values are long words.
fn wide() -> (tempfile::TempDir, Bench) {
    let folder = tempfile::tempdir().unwrap();
    let names: Vec<String> = (1..=16).map(|number| format!("question{number:02}")).collect();
    let rows = |count: usize| -> String {
        let row = |row: usize| {
            (0..16)
                .map(|column| format!("answer-{}", (row >> (column % 4)) % 2))
                .collect::<Vec<_>>()
                .join(",")
        };
        (0..count).map(|number| row(number) + "\n").collect()
    };
    let write = |name: &str, text: String| std::fs::write(folder.path().join(name), text).unwrap();
    write("t.csv", format!("{}\n{}", names.join(","), rows(4)));
    write("p.csv", format!("{}\n{}", names.join(","), rows(16)));
    write("h.csv", "answer-0,*\nanswer-1,*\n".to_owned());
    let attributes = names
        .iter()
        .map(|name| format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"h.csv\"\n"));
    let tables =
        "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = \"0\"\nmax = \"1/2\"\n";
    write("p.toml", format!("{tables}{}", attributes.collect::<String>()));
    let bench = Bench::open(&folder.path().join("p.toml"), palmtop_release::pipeline::Overrides::default());
    (folder, bench)
}

#[test]
fn sixteen_attributes_are_reachable_at_80_columns() {
    let (_folder, mut bench) = wide();
    let names: Vec<String> = (1..=16).map(|number| format!("question{number:02}")).collect();
    let missing = |seen: &[String]| -> Vec<String> {
        names
            .iter()
            .filter(|name| !seen.iter().any(|screen| screen.contains(name.as_str())))
            .cloned()
            .collect()
    };
    let steps = |screen: &str| screen[screen.find("─ step").unwrap()..].to_owned();
    let mut seen = vec![steps(&bench.screen(80, 24))];
    assert!(seen[0].contains(" of 16"), "{}", seen[0]);
    for _ in 0..16 {
        seen.push(steps(&bench.keys("j").screen(80, 24)));
    }
    assert_eq!(missing(&seen), Vec::<String>::new(), "steps");
    let heading = |screen: &str| {
        screen.lines().skip_while(|line| !line.starts_with("─ classes")).nth(1).unwrap().to_owned()
    };
    for keys in ["<Tab>", ":classes<Enter>"] {
        bench.keys(keys);
        let screen = bench.screen(80, 24);
        assert!(screen.contains("attributes 1–") && screen.contains("answer-1"), "{screen}");
        let mut seen = vec![heading(&screen)];
        for _ in 0..16 {
            seen.push(heading(&bench.keys("l").screen(80, 24)));
        }
        assert_eq!(missing(&seen), Vec::<String>::new(), "classes");
        assert_eq!(bench.app.status, "no more attributes to the right");
        for _ in 0..16 {
            bench.keys("h").screen(80, 24);
        }
        assert!(heading(&bench.screen(80, 24)).contains("question01"));
    }
    // The class under the cursor says all of its labels there.
    let screen = bench.screen(80, 24);
    let below = &screen[screen.find("─ the class under").unwrap()..];
    assert!(below.contains("question01 answer-") && below.contains("question05 answer-"), "{below}");
    assert!(!bench.screen(200, 50).contains("attributes 1–"), "where there is room, all are shown");
}

#[test]
fn the_preview_is_cut_at_80_columns_only() {
    let (_folder, mut bench) = wide();
    bench.keys("e");
    let preview = |width, height| {
        let screen = bench.screen(width, height);
        let lines: Vec<&str> = screen
            .lines()
            .skip_while(|line| !line.contains("one row"))
            .take_while(|line| !line.contains("─ before you sign"))
            .collect();
        let before = lines[0].split("one row").next().unwrap().chars().count();
        // The window's part of the line, up to its border.
        let within =
            |line: &&str| -> String { line.chars().skip(before).take_while(|sign| *sign != '│').collect() };
        lines
            .iter()
            .map(within)
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    let narrow = preview(80, 24);
    assert!(narrow.starts_with("one row answer-"), "{narrow}");
    assert_eq!((narrow.matches("answer-").count() < 16, narrow.contains("… (")), (true, true), "{narrow}");
    let full = preview(200, 50);
    assert_eq!((full.matches("answer-").count(), full.contains('…')), (16, false), "{full}");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["", "l<Tab>", "3jr<Enter>", "/47<Enter>n"]);
}
