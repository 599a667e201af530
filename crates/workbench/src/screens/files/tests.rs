//! The screen of releases: what it lists, and what can be done with a release long after its export.

use std::fs;
use std::path::PathBuf;
use std::sync::mpsc;

use palmtop_release::history::Action;
use palmtop_release::pipeline::Overrides;
use tempfile::TempDir;

use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::shared::saver::Saver;
use crate::testing::{Bench, sample};
use crate::windows::export::state::Stage;

/// The paper's project in a folder of the analyst, with its history there.
fn open(folder: &TempDir) -> Bench {
    for file in ["private.csv", "public.csv", "nationality.toml"] {
        fs::copy(sample("paper").join(file), folder.path().join(file)).unwrap();
    }
    let hierarchies = sample("clinic").join("../../hierarchies").canonicalize().unwrap();
    let text = fs::read_to_string(sample("paper/paper.toml")).unwrap();
    let project = folder.path().join("paper.toml");
    fs::write(&project, text.replace("../../hierarchies", hierarchies.to_str().unwrap())).unwrap();
    let mut bench = Bench::open(&project, Overrides::default());
    bench.ready_mut().shared.saver = Saver::start(&project, None, Link::new(mpsc::channel().0));
    bench
}

/// Exports what is pointed at.
fn export(bench: &mut Bench, folder: &TempDir, file: &str, (boxes, answer): (&str, &str)) -> PathBuf {
    let target = folder.path().join(file);
    bench.keys("e<Tab><^U>").paste(target.to_str().unwrap());
    bench.keys(boxes).keys(answer).keys("w");
    let Stage::Written(done) = &bench.dialog().stage else { panic!("{}", bench.screen(80, 24)) };
    let written = done.written.path.clone();
    assert!(written.exists());
    bench.keys("<Esc>");
    written
}

/// The keys from the name that empty all boxes, and those that leave them.
const PLAIN: &str = "<Tab> <Tab> <Tab> <Tab>";
const PACKAGE: &str = "<Enter>";

#[test]
fn earlier_releases_can_be_verified_reported_and_composed() {
    let folder = TempDir::new().unwrap();
    let mut bench = open(&folder);
    assert!(bench.keys("5").screen(80, 24).contains("this project has no written release yet"));
    bench.keys("3r");
    let first = export(&mut bench, &folder, "first.csv", (PLAIN, ""));
    bench.keys("jjjl").keys("r");
    // The window names the release that is there already.
    assert!(bench.keys("e").screen(100, 40).contains("together with first.csv"), "{}", bench.screen(100, 40));
    bench.keys("<Esc>");
    export(&mut bench, &folder, "second.csv", (PACKAGE, "w<Enter>y"));
    let screen = bench.keys("5").screen(80, 24);
    let position = |name: &str| screen.find(name).unwrap_or_else(|| panic!("{name}: {screen}"));
    assert!(position("second.csv") < position("first.csv") && screen.contains("simulatable ◈"), "{screen}");
    let row = |screen: &str, name: &str| screen.lines().find(|line| line.contains(name)).unwrap().to_owned();
    for (name, ends) in [("second.csv", "✓ same  S R L"), ("first.csv", "✓ same  – – –")] {
        let row = row(&screen, name);
        assert!(row.ends_with(ends) && row.contains("today ") && row.contains(" %"), "{row}");
    }
    let screen = bench.keys("jr").screen(80, 24);
    assert!(screen.contains("✓ verified under δ 50 % to 2/3"), "{screen}");
    assert!(screen.contains("✓ verified, today ") && screen.contains("○ code list"), "{screen}");
    let screen = bench.keys("w").screen(80, 24);
    assert!(row(&screen, "first.csv").ends_with("S R L") && screen.contains("✓ code list"), "{screen}");
    assert!(bench.keys("w").app.status.contains("it has its reports"), "{}", bench.app.status);
    for (file, expected) in [("first.report.html", "From "), ("first.recipient.html", "✓ VERIFIED")] {
        let page = fs::read_to_string(folder.path().join(file)).unwrap();
        assert!(page.contains(expected), "{file}: {page}");
    }
    assert!(bench.keys("b").app.status.contains("mark another release"), "{}", bench.app.status);
    let screen = bench.keys(" kb").screen(80, 24);
    assert!(screen.contains("beside first.csv: together"), "{screen}");
    // It is made again where the analyst is now elsewhere.
    bench.keys("2l").keys("5j<Enter>");
    let shared = bench.shared();
    assert_eq!(shared.open, ScreenName::WORKBENCH);
    assert_eq!(shared.log.steps()[shared.log.current()].action, Action::Registered);
    assert!(bench.view().release().is_present());
    // A file that is no longer what was written is not reported on.
    fs::write(&first, "zip,age,nationality\n").unwrap();
    let screen = bench.keys("5jr").screen(80, 24);
    assert!(screen.contains("was changed after it was written"), "{screen}");
    assert!(row(&screen, "first.csv").contains("✗ changed"), "{screen}");
    fs::remove_file(&first).unwrap();
    assert!(row(&bench.keys("25").screen(80, 24), "first.csv").contains("✗ missing"));
}

#[test]
fn a_file_says_what_it_publishes() {
    let folder = TempDir::new().unwrap();
    let mut bench = open(&folder);
    bench.keys("3jjr<Enter>");
    export(&mut bench, &folder, "second-export.csv", (PLAIN, "w<Enter>y"));
    let screen = bench.keys("5").screen(80, 24);
    let line = |name: &str| screen.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    let levels = bench.view().release().recoding.node().unwrap().levels().to_vec();
    let zip = format!("zip {}/5", levels[0].0);
    assert!(line(" published  ").contains(&zip) && line(" never  ").contains("person"), "{screen}");
    assert!(screen.contains("▸   second-export.csv "), "no name is cut beside blanks: {screen}");
    // What is on the workbench already is shown there.
    bench.keys("<Enter>");
    assert_eq!(bench.shared().open, ScreenName::WORKBENCH);
}

#[test]
fn a_damaged_or_missing_history_is_reported() {
    let folder = TempDir::new().unwrap();
    let mut bench = open(&folder);
    fs::write(folder.path().join("paper.history.toml"), "format = 1\nrelease = 1\n").unwrap();
    let screen = bench.keys("5").screen(80, 24);
    assert!(screen.contains("line 2") && screen.contains("paper.history.toml"), "{screen}");
    assert!(bench.keys("r").app.status.contains("line 2"));
    let screen = Bench::paper().keys("5").screen(80, 24);
    assert!(screen.contains("a built-in project has no history"), "{screen}");
}
