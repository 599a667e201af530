//! The export dialog: what it writes, what it refuses, what it asks.

use std::fs;
use std::path::PathBuf;

use palmtop::pipeline::Overrides;
use tempfile::TempDir;

use super::harness::{Bench, sample};
use crate::tui::app::Overlay;
use crate::tui::export::Stage;
use crate::tui::message::{ExportFailure, Message};

/// Types a target in place of the one that is offered.
fn name(bench: &mut Bench, folder: &TempDir, file: &str) -> PathBuf {
    let target = folder.path().join(file);
    bench.keys("<^U>");
    bench.paste(target.to_str().unwrap());
    target
}

fn entries(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_release_that_keeps_delta_is_written_and_verified() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("shroe");
    let target = name(&mut bench, &folder, "out.csv");
    bench.keys("<Enter>");
    let Stage::Written(written) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert_eq!((written.rows, written.verification.achieved.max.to_string()), (5, "2/3".to_owned()));
    let text = fs::read_to_string(target).unwrap();
    assert_eq!(text.lines().count(), 6);
    assert!(!text.contains("47906"), "zip is at level 3");
    assert!(bench.keys("<Enter>").app.overlay.is_none());
}

#[test]
fn a_release_that_breaks_delta_is_written_only_for_who_types_so() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("e");
    name(&mut bench, &folder, "out.csv");
    for typed in
        ["<Enter>", "<Enter><Enter>", "yes<Enter>", "<^U>NOT PRESENT<Enter>", "<^U>not presen<Enter>"]
    {
        bench.keys(typed);
        assert!(matches!(bench.dialog().stage, Stage::Admission(_)), "{typed}");
        assert!(entries(&folder).is_empty(), "{typed}");
    }
    assert!(bench.dialog().command_line().ends_with("--allow-not-present"));
    bench.keys("t<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Written(_)));
    assert!(bench.app.status.starts_with("written, NOT δ-present: "));
    assert!(bench.screen(100, 30).contains("NOT δ-present"));
    assert_eq!(entries(&folder), ["out.csv"]);
}

#[test]
fn what_was_admitted_for_one_name_is_asked_again_for_another() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("e");
    let target = name(&mut bench, &folder, "out.csv");
    fs::write(&target, "mine").unwrap();
    bench.keys("<Enter>not present<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Overwrite));
    bench.keys("n");
    assert!(matches!(bench.dialog().stage, Stage::Name));
    bench.keys("2<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Admission(_)));
    assert_eq!(entries(&folder), ["out.csv"]);
}

#[test]
fn a_taken_name_is_asked_about_and_kept_without_a_yes() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("shroe");
    let target = name(&mut bench, &folder, "out.csv");
    fs::write(&target, "mine").unwrap();
    assert!(!bench.dialog().command_line().contains("--force"));
    bench.keys("<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Overwrite));
    assert!(bench.dialog().command_line().contains(" --force"));
    bench.keys("<Enter>");
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine", "Enter is no yes");
    bench.keys("<Enter>y");
    assert!(matches!(bench.dialog().stage, Stage::Written(_)));
    assert_ne!(fs::read_to_string(&target).unwrap(), "mine");
}

#[test]
fn a_failure_leaves_nothing_and_goes_back_to_the_name() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("shroe");
    name(&mut bench, &folder, "no/such/folder.csv");
    bench.keys("<Enter>");
    let Stage::Refused(why) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert!(why.contains("folder.csv"), "{why}");
    bench.keys("<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Name));
    assert!(entries(&folder).is_empty());
}

#[test]
fn what_an_earlier_dialog_asked_for_does_not_reach_a_later_one() {
    let mut bench = Bench::paper();
    bench.keys("e<Esc>").keys_at_once("e");
    bench.app.update(Message::Previewed(1, Ok(vec![vec!["old".to_owned()]])));
    bench.app.update(Message::Exported(1, Err(ExportFailure::Exists)));
    assert!(bench.dialog().preview.is_none());
    assert!(matches!(bench.dialog().stage, Stage::Name));
}

#[test]
fn the_dialog_shows_the_headless_twin() {
    let mut bench = Bench::paper();
    let twin = |bench: &Bench| bench.dialog().command_line();
    bench.keys("sroe");
    assert_eq!(twin(&bench), "palmtop anonymize paper.toml --strategy n2 -o paper-release.csv");
    bench.keys("<^U>");
    bench.paste("it's here\n.csv");
    assert_eq!(twin(&bench), r"palmtop anonymize paper.toml --strategy n2 -o 'it'\''s here.csv'");
    let wider = Overrides { delta_min: "1/3".parse().ok(), delta_max: "1".parse().ok() };
    let mut bench = Bench::open(&sample("paper/paper.toml"), wider);
    bench.keys("lllke");
    let expected =
        "palmtop anonymize paper.toml --node 3,0,0 --delta-min 1/3 --delta-max 1 -o paper-release.csv";
    assert!(twin(&bench).starts_with(expected), "{}", twin(&bench));
}

#[test]
fn sensitive_values_are_never_shown() {
    let mut bench = Bench::open(&sample("clinic/clinic.toml"), Overrides::default());
    let analysis = bench.analysis();
    let sensitive = analysis.sensitive_columns();
    assert!(!sensitive.is_empty(), "the clinic has a sensitive column");
    let rows = analysis.preview(bench.view().release(), 3).unwrap();
    bench.keys("e");
    let Some(Ok(shown)) = &bench.dialog().preview else { panic!("it is read") };
    let screen = bench.screen(200, 50);
    for (place, column) in rows[0].iter().enumerate().filter(|(_, column)| sensitive.contains(column)) {
        for (row, shown) in rows.iter().zip(shown).skip(1) {
            assert_eq!(shown[place], "hidden", "{column}");
            assert!(!screen.contains(&row[place]), "{column}");
        }
    }
    assert!(matches!(bench.app.overlay, Some(Overlay::Export(_))));
}
