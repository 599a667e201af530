//! The rehearsal and the belief of `simulatable`, through the program: what is recorded, and what is made again.

use std::fs;

use crate::support::{copies, palmtop};
use serde_json::Value;

/// The project of the paper with some lines under `[search]`.
fn with_search(lines: &str) -> tempfile::TempDir {
    let copy = copies(&["sample-data/paper", "hierarchies"]);
    let path = copy.path().join("sample-data/paper/paper.toml");
    let project = fs::read_to_string(&path).unwrap();
    fs::write(&path, project.replacen("[delta]", &format!("[search]\n{lines}\n\n[delta]"), 1)).unwrap();
    copy
}

#[test]
fn a_rehearsal_is_recorded_and_makes_the_same_release_again() {
    let copy = with_search("rehearse = 0");
    let folder = copy.path().join("sample-data/paper");
    let run = |arguments: &[&str]| palmtop(&folder, arguments);
    let made = run(&[
        "anonymize",
        "paper.toml",
        "--strategy",
        "simulatable",
        "--rehearse",
        "4",
        "-o",
        "r.csv",
        "--report",
        "r.json",
        "--transcript",
        "t.tsv",
    ]);
    made.expect(0, "").says("rehearsed           on 4 drawn tables: ");
    let report: Value = serde_json::from_str(&fs::read_to_string(folder.join("r.json")).unwrap()).unwrap();
    assert_eq!(report["search"]["rehearsed"], 4);
    let chosen = report["search"]["chosen"].as_str().unwrap().to_owned();
    let transcript = fs::read_to_string(folder.join("t.tsv")).unwrap();
    let first = transcript.lines().next().unwrap();
    assert!(
        first.starts_with("# rehearsal: 4 drawn tables from seed 0, ") && first.ends_with(&chosen),
        "{first}"
    );
    let register = fs::read_to_string(folder.join("paper.releases.toml")).unwrap();
    assert!(register.contains("rehearsed = 4") && register.contains(&chosen), "{register}");
    // The audit finds the rehearsal in the transcript, and the report in the run's report.
    let audit = ["audit", "paper.toml", "--strategy", "simulatable", "--transcript", "t.tsv"];
    run(&audit).expect(0, "its answers lead to its questions");
    let other = ["--delta-max", "9/10"];
    run(&[&audit[..], &other].concat()).expect(3, "does NOT belong to this project and δ");
    let signed = run(&["report", "paper.toml", "r.csv", "--run", "r.json", "-o", "signed.json"]);
    assert!(!signed.err.contains("different release"), "{}", signed.err);
    assert!(fs::read_to_string(folder.join("signed.json")).unwrap().contains("--rehearse 4"));
}

#[test]
fn a_belief_is_read_like_rates_and_a_wrong_one_is_refused_with_its_place() {
    let copy = with_search("belief = \"rates.csv\"");
    let folder = copy.path().join("sample-data/paper");
    let rates = folder.join("rates.csv");
    let arguments = ["anonymize", "paper.toml", "--strategy", "simulatable", "-o", "r.csv", "--force"];
    fs::write(&rates, "nationality,rate\nUSA,0\nCanada,1\n*,0.5\n").unwrap();
    palmtop(&folder, arguments).expect(1, "rates.csv");
    fs::write(&rates, "nationality,rate\n*,0.5\n").unwrap();
    palmtop(&folder, arguments).expect(0, "written and verified");
    palmtop(&folder, ["verify", "paper.toml", "r.csv"]).expect(0, "");
    fs::write(&rates, "nationality,share\n*,0.5\n").unwrap();
    palmtop(&folder, arguments).expect(1, "`belief` of [search]");
}

#[test]
fn a_word_other_than_auto_is_refused() {
    let copy = with_search("rehearse = \"often\"");
    palmtop(&copy.path().join("sample-data/paper"), ["check", "paper.toml"])
        .expect(1, "expected a number of drawn tables, or \"auto\"");
}
