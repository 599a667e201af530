//! The screen of hierarchies: labels with their people, folding, finding, and steps from there.

mod editing;

use std::fs;

use palmtop_release::pipeline::Overrides;

use crate::testing::{Bench, paper_files, snapshots};

/// The lines of the tree: what stands below its heading.
fn tree(bench: &Bench) -> Vec<String> {
    let screen = bench.screen(80, 30);
    let lines =
        screen.lines().skip_while(|line| !line.contains("label") || !line.contains("presence")).skip(1);
    lines.take_while(|line| line.contains('.') || line.contains('–')).map(str::to_owned).collect()
}

/// The label under the cursor, with its mark of folding.
fn here(bench: &Bench) -> String {
    let marked = tree(bench).into_iter().find(|line| line.starts_with('▸')).unwrap_or_default();
    marked.trim_start_matches(['▸', ' ', '◆']).split("  ").next().unwrap_or_default().to_owned()
}

#[test]
fn labels_show_their_people_down_to_current_level() {
    let mut bench = Bench::paper();
    bench.keys("jjll:hierarchies<Enter>v<Tab><Tab>");
    assert_eq!(
        tree(&bench),
        [
            "▸   - *                           3       7    5    9     0.556  ███████████████",
            "  ◆   + America                   2       4    3    6     0.500  ███████████████",
            "  ◆   + Europe                    2       3    2    3     0.667  ████████",
        ]
    );
    assert!(bench.screen(80, 30).contains("◆ level 2 of 3: 2 labels · 7 of 7 leaves in P"));
}

#[test]
fn permitted_cuts_are_shown_for_each_attribute() {
    let folder = paper_files();
    let project = folder.path().join("paper.toml");
    let text = fs::read_to_string(&project).unwrap();
    let with_cuts = text.replacen(
        "name = \"age\"\nrole = \"quasi\"",
        "name = \"age\"\nrole = \"quasi\"\nshape = \"labels\"",
        1,
    );
    assert_ne!(text, with_cuts);
    fs::write(&project, with_cuts).unwrap();
    let mut bench = Bench::open(&project, Overrides::default());
    let screen = bench.keys(":hierarchies<Enter>v").screen(80, 24);
    for (name, cuts) in [("zip", "values"), ("age", "labels"), ("nationality", "values")] {
        let line = screen.lines().find(|line| line.contains(&format!("{name} "))).unwrap();
        assert!(line.contains(&format!("cuts: {cuts}")), "{screen}");
    }
}

#[test]
fn steps_among_hierarchies_change_the_workbench_too() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v<Tab><Tab>");
    assert_eq!(tree(&bench).len(), 13);
    assert_eq!((bench.keys("ll").recipe_name().as_str(), tree(&bench).len()), ("node 0,0,2", 3));
    assert_eq!((bench.keys("h").recipe_name().as_str(), tree(&bench).len()), ("node 0,0,1", 6));
    assert_eq!((bench.keys("u").recipe_name().as_str(), tree(&bench).len()), ("node 0,0,2", 3));
    assert_eq!(bench.keys("ll").app.status, "nationality is at its coarsest level already");
    bench.keys("<Tab>");
    assert_eq!(bench.keys("h").app.status, "zip is at its finest level already");
}

#[test]
fn cursor_stays_visible_when_labels_are_folded() {
    let mut bench = Bench::paper();
    bench.keys("jjll:hierarchies<Enter>v<Tab><Tab>j");
    assert_eq!(here(&bench), "+ America");
    bench.keys("<Enter>1");
    assert_eq!((here(&bench).as_str(), tree(&bench).len()), ("- America", 5));
    bench.keys("j<Enter>1j");
    assert_eq!(here(&bench), "USA");
    assert_eq!(bench.keys("<Enter>1").app.status, "a leaf has no labels below it");
    bench.keys("<Home><Enter>1");
    assert_eq!((here(&bench).as_str(), tree(&bench).len()), ("+ *", 1));
    assert_eq!(here(bench.keys("<Enter>1G")), "+ Europe");
}

#[test]
fn label_is_found_in_the_chosen_attribute_first() {
    let mut bench = Bench::paper();
    bench.keys("jlljll:hierarchies<Enter>v");
    assert_eq!(bench.keys("/eur<Enter>").app.status, "nationality: `Europe` at level 2; 1 other has it");
    assert_eq!(bench.keys("n").app.status, "nationality: `Europe` at level 1; 1 other has it");
    assert_eq!(here(&bench), "+ Europe");
    assert_eq!(bench.keys("/peru<Enter>").app.status, "nationality: `Peru` at level 0; the only one");
    assert_eq!(here(&bench), "Peru");
    bench.keys("/atlantis<Enter>");
    assert!(bench.screen(80, 24).contains("no hierarchy has a label with `atlantis`"));
    bench.keys("<Esc>");
    assert_eq!(bench.keys("N").app.status, "nationality: `Peru` at level 0; the only one");
    assert_eq!(Bench::paper().keys(":hierarchies<Enter>vn").app.status, "find something first");
}

#[test]
fn search_starts_in_the_chosen_attribute_then_continues() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v");
    for (typed, expected) in [
        ("47906", "zip: `47906` at level 0; the only one"),
        ("EUROPE", "nationality: `Europe` at level 2; 1 other has it"),
        ("40", "age: `<=40` at level 1; 1 other has it"),
    ] {
        assert_eq!(bench.keys(&format!("/{typed}<Enter>")).app.status, expected);
    }
    bench.keys("/*<Enter>");
    let mut walk: Vec<String> = Vec::new();
    for _ in 0..3 {
        let status = bench.keys("N").app.status.clone();
        walk.push(status.split(';').next().unwrap().to_owned());
    }
    assert_eq!(walk, ["zip: `4897*` at level 1", "zip: `489**` at level 2", "zip: `48***` at level 3"]);
}

#[test]
fn labels_without_people_are_not_counted() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v");
    let problem = &bench.shared().problem;
    let counts: Vec<usize> =
        problem.hierarchy(2).levels().map(|level| bench.hierarchies().occurring(problem, 2, level)).collect();
    assert_eq!(counts, [7, 3, 2, 1]);
}

#[test]
fn leaves_that_nobody_has_are_there_without_people() {
    let mut bench = Bench::clinic();
    bench.keys(":hierarchies<Enter>v<Tab><Tab><Tab><Tab><Tab>");
    let nobody = bench.hierarchies().tree().map(|tree| {
        (0..tree.row_count())
            .filter_map(|row| tree.row(row))
            .filter(|branch| branch.counts.public == 0)
            .count()
    });
    let leaves = bench.shared().problem.leaf_counts(5).iter().filter(|leaf| leaf.public == 0).count();
    assert!(leaves > 0 && nobody.unwrap_or(0) >= leaves);
}

#[test]
fn a_click_chooses_an_attribute_and_a_label() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v");
    bench.screen(80, 24);
    bench.click(4, 5);
    assert_eq!(bench.hierarchies().attribute, 2);
    bench.screen(80, 24);
    bench.click(10, 9);
    assert_eq!(here(&bench), "- America");
    bench.click(10, 9);
    assert_eq!(here(&bench), "+ America");
}

#[test]
fn the_hierarchies() {
    snapshots(
        "screens/hierarchies",
        "hierarchies",
        "clinic/clinic.toml",
        "llljll:hierarchies<Enter>v<Tab>jj",
    );
    snapshots(
        "screens/hierarchies",
        "hierarchies-nationality",
        "clinic/clinic.toml",
        ":hierarchies<Enter>v<Tab><Tab><Tab><Tab><Tab>ll/fin<Enter>n",
    );
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&[":hierarchies<Enter>v<Tab><Tab>G"]);
}
