//! Decisions survive: a reason for δ, an accepted caution and an override are found again, whatever comes between.

use std::fs;

use crate::support::{self, Done, palmtop};
use palmtop::history::{self, Action, Moment, Reason, RecodingRecipe, Sitting, SittingFile, Stated, Step};
use palmtop::model::Delta;
use palmtop::pipeline::{Analysis, Overrides};
use serde_json::Value;
use tempfile::TempDir;

const NODE: [&str; 4] = ["anonymize", "paper.toml", "--node", "0,0,0"];
const NOT_PRESENT: [&str; 2] = ["--accept", "not_present=a test of the tables"];

fn run(folder: &TempDir, arguments: &[&str]) -> Done {
    palmtop(folder.path(), arguments)
}

fn written(folder: &TempDir, arguments: &[&str], name: &str) -> Done {
    run(folder, &[&NODE[..], &NOT_PRESENT, arguments, &["-o", name]].concat())
}

/// The report of a file.
fn reported(folder: &TempDir, name: &str) -> Value {
    run(folder, &["report", "paper.toml", name, "-o", "r.json", "--force"]);
    serde_json::from_slice(&fs::read(folder.path().join("r.json")).unwrap()).unwrap()
}

fn accepted(report: &Value, key: &str) -> Option<String> {
    let cautions = report["verdict"]["cautions"].as_array().unwrap();
    let found = cautions.iter().find(|caution| caution["key"] == key)?;
    Some(found["accepted"].as_str()?.to_owned())
}

/// A sitting of the project that is not saved.
fn sitting(folder: &TempDir) -> Sitting {
    let analysis = Analysis::load(&folder.path().join("paper.toml"), &Overrides::default()).unwrap();
    let recoding = RecodingRecipe::from(&analysis.problem().lattice().bottom());
    let first = Step { action: Action::Start, recoding, delta: analysis.problem().delta() };
    Sitting::new(&analysis, first)
}

fn save(folder: &TempDir, sitting: &Sitting) {
    SittingFile::new(&folder.path().join("paper.toml")).save(sitting).unwrap();
}

// holds: Decisions survive
#[test]
fn an_accepted_caution_answers_the_same_fact() {
    let folder = support::paper();
    written(&folder, &[], "a.csv").expect(3, "caution certain");
    written(&folder, &["--accept", "certain=all five agreed in writing"], "a.csv").expect(3, "NOT δ-present");
    // A command, a changed project and a sitting that is begun anew come between.
    let reason = "[delta]\nreason = \"the board asked for it so\"\n";
    support::edit(&folder.path().join("paper.toml"), "[delta]\n", reason);
    let mut anew = sitting(&folder);
    anew.anew = Reason::read("another colleague wants to look").ok();
    save(&folder, &anew);
    run(&folder, &["check", "paper.toml", "--history"])
        .says("was begun anew: another colleague wants to look");
    let again = written(&folder, &[], "b.csv");
    again.expect(3, "NOT δ-present").expect(3, "accepted: all five agreed in writing");
    for name in ["a.csv", "b.csv"] {
        let reason = accepted(&reported(&folder, name), "certain");
        assert_eq!(reason.as_deref(), Some("all five agreed in writing"), "{name}");
    }
    // The same caution with other figures is another fact, and is not answered.
    let fewer = ["anonymize", "paper.toml", "--node", "1,2,0", "-o", "c.csv"];
    run(&folder, &[&fewer[..], &NOT_PRESENT].concat()).expect(3, "caution certain");
    // An override is for one file: it is typed each time, and the history has it.
    assert_eq!(run(&folder, &[&NODE[..], &["-o", "c.csv"]].concat()).status, 3);
    assert!(!folder.path().join("c.csv").exists());
    let listed = run(&folder, &["check", "paper.toml", "--history"]);
    for line in ["accepted certain for b.csv, ", "accepted not_present for a.csv, ", ": a test of the tables"]
    {
        listed.says(line);
    }
    let listed = run(&folder, &["check", "paper.toml", "--history", "--format", "json"]).json();
    assert_eq!(listed["accepted"][0]["reason"], "all five agreed in writing");
}

/// The reason for δ in the report of a file. Without one, the command and the report say that δ is not justified.
fn justification(folder: &TempDir) -> Option<String> {
    let done = run(folder, &["anonymize", "paper.toml", "--node", "3,2,2", "-o", "j.csv", "--force"]);
    let report = reported(folder, "j.csv");
    let said = [&done.err, &report.to_string()].map(|text| text.contains("unjustified_delta"));
    let reason = report["delta"]["reason"].as_str().map(ToOwned::to_owned);
    assert_eq!(said, [reason.is_none(); 2], "{}", done.err);
    reason
}

/// What was accepted for other people answers nothing, even if the sentence is the same.
// holds: Decisions survive
#[test]
fn an_acceptance_is_for_the_same_tables() {
    let folder = support::paper();
    written(&folder, &["--accept", "certain=all five agreed in writing"], "a.csv").expect(3, "NOT δ-present");
    written(&folder, &[], "b.csv").expect(3, "accepted: all five agreed in writing");
    let private = folder.path().join("private.csv");
    support::edit(&private, "h,48972,47,Bulgaria", "g,48973,33,Spain");
    written(&folder, &[], "c.csv").expect(3, "caution certain: 5 of the 9 people");
    assert!(!folder.path().join("c.csv").exists());
    // The report of the file that was accepted still has the reason.
    support::edit(&private, "g,48973,33,Spain", "h,48972,47,Bulgaria");
    let reason = accepted(&reported(&folder, "b.csv"), "certain");
    assert_eq!(reason.as_deref(), Some("all five agreed in writing"));
}

// holds: Decisions survive
#[test]
fn a_reason_before_a_search_survives() {
    let folder = support::paper();
    let mut first = sitting(&folder);
    let given = "two in three is usual here";
    assert_eq!(justification(&folder), None);
    // Before a search there is no decision, and yet the reason is kept, whatever sitting follows.
    let (delta, reason) = (first.step().delta, Reason::read(given).ok());
    first.state(Moment::now(), Stated { delta, reason, grounds: None });
    assert!(first.is_begun() && first.decisions().is_empty());
    save(&folder, &first);
    assert_eq!(justification(&folder), Some(given.to_owned()));
    run(&folder, &["check", "paper.toml", "--history"]).says(given);
    save(&folder, &sitting(&folder));
    let history = history::of_project(&folder.path().join("paper.toml")).unwrap();
    assert_eq!(history.sittings[0].stated(), first.stated());
    assert_eq!(justification(&folder), Some(given.to_owned()));
}

// holds: Decisions survive
#[test]
fn words_of_palmtop_are_no_reason() {
    let folder = support::paper();
    let mut went = sitting(&folder);
    went.fix_policy(Moment::now(), None);
    for max in ["3/4", "2/3"] {
        let delta = Delta::read("1/2", max).unwrap();
        went.push(Step { delta, ..went.step().clone() });
        went.record_decision(Moment::now(), None);
    }
    save(&folder, &went);
    assert_eq!(justification(&folder), None);
}

// holds: Decisions survive
#[test]
fn an_accepted_looser_delta_is_found_again() {
    let folder = support::paper();
    let looser = ["anonymize", "paper.toml", "--node", "3,2,2", "--delta-max", "3/4"];
    let reason = ["--accept", "looser_delta=the board decided on three quarters"];
    run(&folder, &[&looser[..], &reason, &["-o", "a.csv"]].concat()).expect(0, "accepted: the board decided");
    let again = run(&folder, &[&looser[..], &["-o", "b.csv"]].concat());
    again.expect(0, "accepted: the board decided on three quarters");
    let report = run(&folder, &["report", "paper.toml", "b.csv", "-o", "r.json", "--delta-max", "3/4"]);
    report.expect(0, "accepted: the board decided on three quarters");
    for done in [again, report] {
        assert!(!done.err.contains("δ is not justified"), "{}", done.err);
    }
}
