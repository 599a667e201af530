//! Values that no hierarchy has: listed if a project cannot be read because of them, and given labels.

use std::fs;

use palmtop_release::pipeline::Overrides;
use tempfile::TempDir;

use crate::app::state::Phase;
use crate::testing::{Bench, paper_files, snapshots_of};
use crate::windows::unplaced::state::UnplacedValues;

/// The paper's project, of which some countries are spelt otherwise.
fn paper(change: impl Fn(&str) -> String) -> TempDir {
    let folder = paper_files();
    for file in ["private.csv", "public.csv"] {
        let path = folder.path().join(file);
        let text = change(&fs::read_to_string(&path).unwrap());
        fs::write(path, text).unwrap();
    }
    folder
}

fn wait(bench: &mut Bench) {
    while matches!(bench.app.phase, Phase::Loading(_)) {
        bench.take_next();
    }
    bench.settle();
}

#[test]
fn missing_labels_are_chosen_and_the_project_opens() {
    let folder = paper(|text| text.replace("Canada", "Kanada").replace("Peru", "Q"));
    let mut bench = Bench::open(&folder.path().join("paper.toml"), Overrides::default());
    let screen = bench.screen(80, 24);
    assert!(screen.contains("values that no hierarchy has: 0 of 2 have a label"), "{screen}");
    assert!(screen.contains("? N. America") && screen.contains("? no label is like it"), "{screen}");
    bench.keys("S");
    assert!(bench.screen(80, 24).contains("2 of them have no label yet"));
    bench.keys("a");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("1 of 2 have a label"), "{screen}");
    assert!(screen.contains("1 proposal accepted; 1 value has no proposal: c chooses a label"), "{screen}");
    let row = screen.lines().find(|line| line.contains("no label is like it")).unwrap();
    assert!(row.contains('▸'), "the cursor is on the value that is left: {row}");
    snapshots_of("windows/unplaced", "unplaced", &mut bench);
    bench.keys("cAtl<Enter>");
    assert!(bench.screen(80, 24).contains("no label begins with `Atl`"));
    bench.keys("<Esc>cs. <Enter>S");
    wait(&mut bench);
    assert!(matches!(bench.app.phase, Phase::Ready(_)), "{}", bench.screen(80, 24));
    let text = fs::read_to_string(folder.path().join("nationality-edited.toml")).unwrap();
    assert!(text.contains("\"Kanada\"") && text.contains("\"Q\""), "{text}");
}

#[test]
fn leaving_after_a_reload_keeps_the_open_project() {
    let folder = paper(str::to_owned);
    let mut bench = Bench::open(&folder.path().join("paper.toml"), Overrides::default());
    for file in ["private.csv", "public.csv"] {
        let path = folder.path().join(file);
        let text = fs::read_to_string(&path).unwrap().replace("Bulgaria", "Bulgarien");
        fs::write(path, text).unwrap();
    }
    bench.keys(":reload<Enter>");
    assert!(bench.window::<UnplacedValues>().is_some());
    assert!(bench.screen(80, 24).contains("? Europe"));
    bench.keys("<Esc>");
    assert!(bench.app.windows.is_empty());
    bench.keys(":reload<Enter>aS");
    assert!(bench.app.status.starts_with("saved nationality-edited.toml"), "{}", bench.app.status);
    assert!(bench.shared().problem.hierarchy(2).code("Bulgarien").is_some());
}

#[test]
fn leaving_says_why_the_project_is_unreadable() {
    let folder = paper(|text| text.replace("Canada", "Kanada"));
    let mut bench = Bench::open(&folder.path().join("paper.toml"), Overrides::default());
    bench.keys("q");
    assert!(bench.screen(80, 24).contains("q does nothing here: Esc leaves"));
    assert!(matches!(&bench.app.phase, Phase::Failed { .. }), "one key does not lose the work");
    bench.keys("?");
    let help = bench.screen(80, 24);
    assert!(help.contains("value: Kanada") && help.contains("labels: ") && !help.contains('…'), "{help}");
    bench.keys("qa<Esc>");
    assert!(bench.screen(80, 24).contains("1 chosen and not saved"), "{}", bench.screen(80, 24));
    bench.keys("<Esc>");
    assert!(matches!(&bench.app.phase, Phase::Failed { why, .. } if why.contains("Kanada")));
    assert!(bench.app.is_done());
}
