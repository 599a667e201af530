//! The project read again after it was edited, and another one opened.

use std::fs;
use std::path::Path;

use palmtop_release::history::{self, Action, Moment, RecodingRecipe, Search, Sitting, SittingFile};
use palmtop_release::pipeline::{Analysis, Overrides};
use palmtop_search::{Config, SearchReport, StopReason};
use tempfile::TempDir;

use crate::kit::name::ScreenName;
use crate::kit::terminal::Keeper as _;
use crate::testing::{Bench, paper_to_edit, sample};
use crate::windows::notice::Notice;
use crate::windows::prompt::state::Prompt;

/// The paper's project where it can be edited, two steps up.
fn paper() -> (TempDir, Bench) {
    let (folder, mut bench) = paper_to_edit();
    bench.keys("ll");
    (folder, bench)
}

fn edit(folder: &Path, file: &str, change: impl Fn(&str) -> String) {
    let path = folder.join(file);
    let text = change(&fs::read_to_string(&path).unwrap());
    fs::write(path, text).unwrap();
}

#[test]
fn reloading_a_project_reports_what_changed() {
    let (folder, mut bench) = paper();
    let before = bench.view().summary;
    bench.keys(":reload<Enter>");
    assert_eq!(bench.app.status, "nothing has changed since it was read");
    edit(folder.path(), "paper.toml", |text| text.replace("max = \"2/3\"", "max = \"3/4\""));
    bench.keys("1:reload<Enter>");
    assert_eq!(bench.app.status, "changed: paper.toml, δ 50 % to 75 %; all is counted anew");
    assert_eq!(bench.recipe_name(), "node 2,0,0", "the place is kept");
    assert!(bench.screen(80, 24).contains("T private.csv"), "and the screen");
    assert_eq!(bench.shared().delta().max().to_string(), "3/4");
    for file in ["private.csv", "public.csv"] {
        edit(folder.path(), file, |text| text.replace("c,47906,42,USA", "c,47906,35,USA"));
    }
    bench.keys(":reload<Enter>");
    assert_eq!(bench.app.status, "changed: private.csv, public.csv; all is counted anew");
    assert_ne!(bench.view().summary, before);
    assert_eq!(bench.keys("u").recipe_name(), "node 2,0,0", "the steps are there, δ's own among them");
}

#[test]
fn another_lattice_begins_anew() {
    let (folder, mut bench) = paper();
    edit(folder.path(), "paper.toml", |text| text.replace("age-40.toml", "age.toml"));
    bench.keys(":reload<Enter>");
    let status = &bench.app.status;
    assert!(status.starts_with("changed: ") && status.contains("paper.toml"), "{status}");
    assert!(status.ends_with("; the lattice is another: it begins anew"), "{status}");
    assert_eq!(bench.recipe_name(), "node 0,0,0");
}

#[test]
fn a_broken_project_leaves_the_present_one_standing() {
    let (folder, mut bench) = paper();
    edit(folder.path(), "private.csv", |text| format!("{text}z,47906,99,USA\n"));
    bench.keys(":reload<Enter>");
    assert_eq!(bench.app.status, "all is as it was read before");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("the project cannot be read: any key closes"), "{screen}");
    assert_eq!(bench.keys("j<Enter>l").recipe_name(), "node 3,0,0", "and it goes on");
    edit(folder.path(), "private.csv", |text| text.replace("z,47906,99,USA\n", ""));
    assert_eq!(bench.keys(":reload<Enter>").app.status, "nothing has changed since it was read");
}

#[test]
fn another_project_is_opened_once_it_is_read() {
    let (folder, mut bench) = paper();
    bench.keys(":open-project<Enter>/nowhere/p.toml<Enter>");
    assert!(bench.screen(80, 24).contains("there is no file /nowhere/p.toml"));
    bench.keys("<Esc>");
    let broken = folder.path().join("nationality.toml").display().to_string();
    bench.keys(&format!(":open-project<Enter>{broken}<Enter>"));
    assert!(bench.window::<Notice>().is_some());
    assert_eq!(bench.keys("<Enter>").recipe_name(), "node 2,0,0");
    let clinic = sample("clinic/clinic.toml").display().to_string();
    bench.keys(&format!("1:open-project<Enter>{clinic}<Enter>"));
    assert!(bench.app.status.starts_with("opened A town and its chest clinic"), "{}", bench.app.status);
    assert_eq!(bench.recipe_name(), "node 0,0,0,0,0,0");
    // A step would be saved next to the sample.
    assert!(bench.screen(80, 24).contains("A town and its chest clinic"));
}

/// A sitting of the other project is asked for as at the start of palmtop: Enter goes on with it.
#[test]
fn another_project_goes_on_with_its_sitting() {
    let (_folder, mut bench) = paper();
    let (other, _) = paper_to_edit();
    let project = other.path().join("paper.toml");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let recoding = RecodingRecipe::from(&analysis.problem().lattice().bottom());
    let first = history::Step { action: Action::Start, recoding, delta: analysis.problem().delta() };
    let mut saved = Sitting::new(&analysis, first);
    let node = analysis.problem().lattice().top();
    saved.push(history::Step { recoding: RecodingRecipe::from(&node), ..saved.step().clone() });
    let (config, delta) = (Config::default(), analysis.problem().delta());
    for (strategy, stop) in [("n2", StopReason::Done), ("best", StopReason::Cancelled)] {
        let report = SearchReport::without_nodes(stop);
        let ended = Search::new(strategy.parse().unwrap(), &config, delta, &report, None);
        saved.note_search(&ended, Moment::now());
    }
    SittingFile::new(&project).save(&saved).unwrap();
    bench.keys(&format!(":open-project<Enter>{}<Enter>", project.display()));
    assert!(bench.screen(80, 24).contains("The history has a sitting"), "{}", bench.screen(80, 24));
    // A key that answers does nothing else.
    bench.keys("3");
    assert!(!bench.is_asked() && bench.shared().open == ScreenName::WORKBENCH);
    assert!(bench.app.status.contains("goes on with sitting 1 at step 1"), "{}", bench.app.status);
    assert_eq!(bench.recipe_name(), "node 5,2,3");
    let lines = bench.shared().commands.lines();
    let has = |part: &str| lines.iter().filter(|line| line.contains(part)).count();
    assert_eq!((has(" --strategy n2"), has("# best: ")), (1, 1), "{lines:?}");
}

#[test]
fn who_does_not_wait_for_it_stops_it() {
    let (_folder, mut bench) = paper();
    bench.keys_at_once(":reload<Enter><Esc>");
    assert_eq!(bench.app.status, "stopped: the project is the one that was read before");
    bench.settle();
    assert_eq!(bench.recipe_name(), "node 2,0,0");
}

/// Begins a search that goes on until it is stopped.
fn search(bench: &mut Bench) {
    bench.ready_mut().shared.runs.budget.rounds = None;
    bench.keys("3j").keys_at_once("r");
}

#[test]
fn running_search_is_never_dropped_without_consent() {
    let (folder, mut bench) = paper();
    search(&mut bench);
    edit(folder.path(), "paper.toml", |text| text.replace("max = \"2/3\"", "max = \"3/4\""));
    for (keys, asked) in [(":reload<Enter>", "reload"), (":open-project<Enter>", "open-project")] {
        bench.keys_at_once(keys);
        assert_eq!(bench.app.windows.question().and_then(|question| question.0.command), Some(asked));
        let screen = bench.screen(80, 24);
        assert!(
            screen.contains("A search is running.") && screen.contains("any other key stays"),
            "{screen}"
        );
        bench.keys_at_once("n");
        assert!(!bench.is_asked() && bench.app.reading.is_none() && bench.app.windows.is_empty());
        assert_eq!(bench.shared().runs.unfinished(), 1);
    }
    bench.keys_at_once(":reload<Enter>y").settle();
    assert_eq!(bench.shared().runs.unfinished(), 0);
    let expected = "changed: paper.toml, δ 50 % to 75 %; all is counted anew; 1 search is dropped";
    assert_eq!(bench.app.status, expected);
}

#[test]
fn where_nothing_has_changed_the_search_goes_on() {
    let (_folder, mut bench) = paper();
    search(&mut bench);
    bench.keys_at_once(":reload<Enter>y");
    while bench.app.reading.is_some() {
        bench.take_next();
    }
    assert_eq!(bench.shared().runs.unfinished(), 1);
    bench.keys_at_once(":releases.stop-all<Enter>").settle();
}

#[test]
fn reload_after_mere_looking_leaves_no_sitting() {
    let (folder, mut bench) = paper_to_edit();
    let project = folder.path().join("paper.toml");
    bench.app.opening.home = Some(project.clone());
    let sittings = |bench: &Bench| {
        bench.shared().saver.flush();
        history::of_project(&project).unwrap().sittings.len()
    };
    search(&mut bench);
    edit(folder.path(), "paper.toml", |text| text.replace("max = \"2/3\"", "max = \"3/4\""));
    bench.keys_at_once(":reload<Enter>y").settle();
    assert_eq!(bench.shared().delta().max().to_string(), "3/4");
    assert_eq!(sittings(&bench), 0);
    bench.keys("2l");
    assert_eq!(sittings(&bench), 1);
}

#[test]
fn work_key_closes_the_notice_and_still_acts() {
    let (folder, mut bench) = paper();
    let broken = |bench: &mut Bench| {
        edit(folder.path(), "private.csv", |text| format!("{text}z,47906,99,USA\n"));
        bench.keys(":reload<Enter>");
        assert!(bench.window::<Notice>().is_some());
        edit(folder.path(), "private.csv", |text| text.replace("z,47906,99,USA\n", ""));
    };
    broken(&mut bench);
    assert_eq!(bench.keys(":reload<Enter>").app.status, "nothing has changed since it was read");
    assert!(bench.app.windows.is_empty());
    broken(&mut bench);
    assert!(bench.keys(":open-project<Enter>").window::<Prompt>().is_some());
    bench.keys("<Esc>");
    // What only closes does nothing behind it.
    for key in ["<Enter>", "<Esc>", "q", "#"] {
        broken(&mut bench);
        assert!(bench.keys(key).app.windows.is_empty() && !bench.is_asked(), "{key}");
        assert!(bench.screen(80, 24).contains("─ step ─"), "{key}");
    }
}
