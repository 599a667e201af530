//! Hierarchies that are edited: marks, changes, what they change, the way back, saving.

use std::fs;

use palmtop_release::pipeline::Overrides;

use crate::testing::{Bench, paper_files, paper_to_edit, sample, snapshots, snapshots_of};

/// The last line of the screen.
fn foot(bench: &Bench) -> String {
    let screen = bench.screen(120, 30);
    let lines: Vec<&str> = screen.lines().collect();
    lines[lines.len() - 3].trim().to_owned()
}

#[test]
fn marked_labels_are_grouped_and_effects_shown() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v<Tab><Tab>");
    assert!(foot(&bench).starts_with("unchanged"), "{}", foot(&bench));
    bench.keys("/Canada<Enter> /Peru<Enter> ");
    assert!(foot(&bench).starts_with("nationality: 2 marked"), "{}", foot(&bench));
    bench.keys("<Enter>2Far<Enter>");
    assert_eq!(bench.app.status, "Canada, Peru grouped as Far");
    let line = foot(&bench);
    assert!(
        line.starts_with("● nationality: 1 change, not saved   node 0,0,0   ✗ 9 → 9 of 9 → 9 classes"),
        "{line}"
    );
    bench.keys("l");
    let line = foot(&bench);
    assert!(line.contains("node 0,0,1   ✗ 9 → 9"), "{line}");
    assert!(line.contains("loss .078 → .067"), "{line}");
    assert_eq!(bench.keys("u").app.status, "taken back: Canada, Peru grouped as Far");
    assert_eq!(bench.keys("u").recipe_name(), "node 0,0,0", "then the steps are undone");
    bench.keys("U");
    assert_eq!(
        bench.keys(":undo<Enter>").app.status,
        "taken back: Canada, Peru grouped as Far",
        "at step 0, too"
    );
    assert_eq!(bench.keys("U").app.status, "again: Canada, Peru grouped as Far");
    bench.keys("/S. Amer<Enter><Enter>4<^U>South<Enter>");
    assert!(foot(&bench).starts_with("● nationality: 2 changes"), "{}", foot(&bench));
    assert!(bench.screen(80, 24).contains("South"));
}

#[test]
fn all_labels_like_a_pattern_are_marked() {
    let mut bench = Bench::clinic();
    bench.keys(":hierarchies<Enter>");
    assert!(bench.keys(":hierarchies.mark-found<Enter>").app.status.starts_with("find labels first"));
    bench.keys("/^08<Enter>nnn:hierarchies.mark-found<Enter>");
    let labels: Vec<String> = bench.hierarchies().marks.labels.iter().cloned().collect();
    assert!(
        labels.len() > 1 && labels.iter().all(|label| label.starts_with("08")),
        "{labels:?}: {}",
        bench.screen(80, 24)
    );
    assert!(bench.app.status.starts_with(&format!("{} marked", labels.len())), "{}", bench.app.status);
}

#[test]
fn another_file_is_chosen_for_a_hierarchy() {
    let folder = paper_files();
    let project = folder.path().join("paper.toml");
    let other = folder.path().join("other.csv");
    let mut bench = Bench::open(&project, Overrides::default());
    let choose = format!(":hierarchies.file<Enter>{}<Enter>", other.display());
    fs::write(&other, "USA,*\nCanada,*\n").unwrap();
    bench.keys(":hierarchies<Enter><Tab><Tab>").keys(&choose);
    assert!(
        bench.app.status.contains("Peru") || bench.screen(160, 45).contains("Peru"),
        "{}",
        bench.app.status
    );
    assert!(!fs::read_to_string(&project).unwrap().contains("other.csv"), "nothing is written");
    let names = ["USA", "Canada", "Peru", "Brazil", "Bulgaria", "Spain", "France"];
    fs::write(&other, names.map(|name| format!("{name},*\n")).concat()).unwrap();
    bench.keys("<Esc>").keys(&choose);
    assert!(fs::read_to_string(&project).unwrap().contains("\"other.csv\""), "{}", bench.app.status);
    assert_eq!(bench.shared().problem.hierarchy(2).levels().count(), 2);
}

#[test]
fn grouping_values_fits_a_small_terminal() {
    let folder = paper_files();
    let put = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let text = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    for file in ["private.csv", "public.csv"] {
        put(file, text(file).replace("Bulgaria", ""));
    }
    put("flat.csv", "USA,*\nCanada,*\nPeru,*\nBrazil,*\nSpain,*\nFrance,*\n".to_owned());
    let project = text("paper.toml").replace("\"nationality.toml\"", "\"flat.csv\"\nmissing = [\"\"]");
    put("paper.toml", project);
    let mut bench = Bench::open(&folder.path().join("paper.toml"), Overrides::default());
    bench.keys(":hierarchies<Enter>v<Tab><Tab>/unknown<Enter> ");
    let why = "`unknown` means no value: it has its own label at each level, and no group";
    assert_eq!(bench.app.status, why);
    assert!(bench.screen(80, 24).contains(why), "{}", bench.screen(80, 24));
    bench.keys("/USA<Enter> /Canada<Enter> /Peru<Enter> /Brazil<Enter> <Enter>2Americas<Enter>");
    let said = "Brazil, Canada, Peru and 1 more grouped as Americas; level 1 is new";
    assert_eq!(bench.app.status, said);
    // The other values have twins one level up, and are marked there.
    bench.keys("/Spain<Enter> /France<Enter> <Enter>2Europe<Enter>");
    assert_eq!(bench.app.status, "France, Spain grouped as Europe");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("France, Spain grouped as Europe"), "{screen}");
    assert!(screen.contains("□□ 0/2"), "one level between the values and the top: {screen}");
}

#[test]
fn impossible_edit_is_explained_and_leaves_the_input() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v<Tab><Tab>/Canada<Enter> /Spain<Enter> <Enter>2x<Enter>");
    assert!(bench.screen(120, 30).contains("lie in different labels of level 2, `America` and `Europe`"));
    bench.keys("<Esc>");
    assert!(bench.keys("<Enter>6").app.status.starts_with("borders are for bands of numbers"));
    assert!(bench.keys("<Enter>3").app.status.starts_with("`Spain` is a value of the tables"));
    assert_eq!(bench.keys("w").app.status, "this hierarchy has no changes");
    bench.keys("/S. Am<Enter><Enter>4<^U>Andes<Enter><Tab>/4797<Enter>");
    bench.keys("<Tab>");
}

#[test]
fn one_hierarchy_is_edited_at_a_time() {
    let mut bench = Bench::paper();
    bench.keys(":hierarchies<Enter>v<Tab><Tab>/S. Am<Enter><Enter>4<^U>Andes<Enter><Tab><Enter>3");
    assert!(bench.app.status.starts_with("nationality has unsaved changes"), "{}", bench.app.status);
    bench.keys(":reload<Enter>");
    let question = bench.app.windows.question().unwrap();
    assert_eq!(question.0.command, Some("reload"));
    assert!(bench.screen(80, 24).contains("The changes of hierarchy nationality are not saved."));
    bench.keys("n<^C>");
    assert!(bench.screen(80, 24).contains("The changes of hierarchy nationality are not saved."));
    bench.keys("n<Tab><Tab>u<Tab><Tab><Tab>");
    bench.keys(":reload<Enter>");
    assert!(!bench.is_asked());
}

#[test]
fn edited_hierarchy_is_saved_to_a_new_file() {
    let (folder, mut bench) = paper_to_edit();
    let project = folder.path().join("paper.toml");
    let before = (
        fs::read_to_string(&project).unwrap(),
        fs::read_to_string(folder.path().join("nationality.toml")).unwrap(),
    );
    bench.keys("ll:hierarchies<Enter>v<Tab><Tab>/S. Am<Enter><Enter>4<^U>Andes<Enter>w");
    assert!(bench.screen(80, 24).contains("save as nationality-edited.toml"), "{}", bench.screen(80, 24));
    bench.keys("<Enter>");
    assert_eq!(bench.app.status, "saved nationality-edited.toml; the project uses it; all is counted anew");
    assert_eq!(bench.recipe_name(), "node 2,0,0", "the place is kept");
    assert_eq!(&bench.shared().problem.hierarchy(2).labels(palmtop_core::model::Level(1))[1], "Andes");
    assert!(foot(&bench).starts_with("unchanged"));
    let after = fs::read_to_string(&project).unwrap();
    assert_eq!(after, before.0.replace("\"nationality.toml\"", "\"nationality-edited.toml\""));
    assert_eq!(fs::read_to_string(folder.path().join("nationality.toml")).unwrap(), before.1);
    assert!(bench.screen(80, 24).contains("Andes"));
    // The name is taken now, and the analyst's own file is never written over.
    bench.keys("/Andes<Enter><Enter>4<^U>South<Enter>w<^U>nationality.toml<Enter>");
    assert!(bench.screen(120, 24).contains("exists; choose another name"), "{}", bench.screen(120, 24));
    bench.keys("<^U>paper.toml<Enter>");
    assert_eq!(fs::read_to_string(&project).unwrap(), after);
    bench.keys("<Esc>w<Enter>");
    assert!(fs::read_to_string(&project).unwrap().contains("\"nationality-edited-2.toml\""));
}

// holds: Hierarchies read back
#[test]
fn externally_edited_project_is_not_overwritten() {
    let (folder, mut bench) = paper_to_edit();
    let project = folder.path().join("paper.toml");
    bench.keys(":hierarchies<Enter>v<Tab><Tab>/S. Am<Enter><Enter>4<^U>Andes<Enter>");
    let text = format!("# mine\n{}", fs::read_to_string(&project).unwrap());
    fs::write(&project, &text).unwrap();
    bench.keys("w<Enter>");
    assert!(bench.screen(120, 24).contains("changed since it was loaded"));
    assert_eq!(fs::read_to_string(&project).unwrap(), text);
    assert!(!folder.path().join("nationality-edited.toml").exists());
}

#[test]
fn typing_a_limit_previews_the_widest_row() {
    let (folder, mut bench) = paper_to_edit();
    let project = folder.path().join("paper.toml");
    let before = fs::read_to_string(&project).unwrap();
    let widest = |bench: &Bench| {
        let screen = bench.screen(160, 30);
        let line = screen.lines().find(|line| line.contains("widest row:")).unwrap();
        line.split("widest row: ").nth(1).unwrap().trim().to_owned()
    };
    bench.keys(":hierarchies<Enter>v<Tab><Tab>");
    let free = widest(&bench);
    assert!(free.starts_with("nationality {USA, Peru, Spain, France} · zip {"), "{free}");
    bench.keys("<Enter>9<^U>terms 2");
    let short = widest(&bench);
    let own = short.split(" · ").next().unwrap();
    assert!(own.starts_with("nationality {") && own.matches(',').count() == 1, "{short}");
    bench.keys("<^U>borders 1");
    assert!(widest(&bench).contains("categories, which have no ranges"), "{}", widest(&bench));
    bench.keys("<Esc>");
    assert_eq!(widest(&bench), free);
    bench.keys("<Enter>9<^U>terms 2<Enter>");
    assert_eq!(bench.app.status, "nationality: `terms = 2` is in the project; all is counted anew");
    let after = fs::read_to_string(&project).unwrap();
    assert_eq!(after.replacen("terms = 2\n", "", 1), before);
    assert_eq!(widest(&bench), short);
    assert!(bench.screen(80, 30).contains("terms: 2"), "{}", bench.screen(80, 30));
    bench.keys("<Enter>9<^U>none<Enter>");
    assert_eq!(fs::read_to_string(&project).unwrap(), before);
}

#[test]
fn limit_waits_until_the_edited_hierarchy_is_saved() {
    let (folder, mut bench) = paper_to_edit();
    let before = fs::read_to_string(folder.path().join("paper.toml")).unwrap();
    bench.keys(":hierarchies<Enter>v<Tab><Tab>/S. Am<Enter><Enter>4<^U>Andes<Enter><Enter>9");
    assert!(bench.app.status.contains("save your changes first"), "{}", bench.app.status);
    bench.keys("u<Tab><Enter>9<^U>much<Enter>");
    assert!(bench.screen(120, 24).contains("`much` is not a limit"), "{}", bench.screen(120, 24));
    bench.keys("<^U>terms 0<Enter>");
    assert!(bench.screen(120, 24).contains("`terms 0` is not a limit"), "{}", bench.screen(120, 24));
    assert_eq!(fs::read_to_string(folder.path().join("paper.toml")).unwrap(), before);
}

#[test]
fn borders_preview_their_effect_while_typed() {
    let mut bench = Bench::clinic();
    bench.keys(":hierarchies<Enter>v<Tab><Enter>6<^U>0,18,65");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("18-64"), "{screen}");
    assert!(foot(&bench).contains("follows"), "{}", foot(&bench));
    bench.keys(",x");
    assert!(foot(&bench).starts_with("✗ `x` is not a number"), "{}", foot(&bench));
    bench.keys("<Esc>");
    assert!(!bench.screen(80, 24).contains("18-64"));
    bench.keys("<Enter>6<^U>0,18,65<Enter>");
    assert!(foot(&bench).starts_with("● age: 1 change, not saved"), "{}", foot(&bench));
}

#[test]
fn an_edited_hierarchy_is_seen() {
    snapshots(
        "screens/hierarchies",
        "hierarchies-borders",
        "clinic/clinic.toml",
        "ljll:hierarchies<Enter>v<Tab><Enter>6<^U>0,18,65",
    );
    let mut bench = Bench::open(&sample("paper/paper.toml"), Overrides::default());
    bench.keys(":hierarchies<Enter>v<Tab><Tab>l/S. Am<Enter> /N. Am<Enter> <Enter>2Americas<Enter>");
    bench.app.status = "ready".to_owned();
    snapshots_of("screens/hierarchies", "hierarchies-edited", &mut bench);
}
