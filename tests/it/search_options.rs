//! `best` as a shell sees it, and the bound: budgets, seeds, and refusals.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use palmtop::pipeline::{Analysis, Overrides};
use palmtop::progress::unwatched;
use palmtop::search::Strategy;
use serde_json::Value;

/// Runs palmtop in a folder. Blanks separate the arguments.
fn palmtop(folder: &Path, arguments: &str, threads: usize) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(arguments.split_whitespace()).env("RAYON_NUM_THREADS", threads.to_string());
    command.current_dir(folder).output().unwrap()
}

fn json(output: &Output) -> Value {
    let err = String::from_utf8_lossy(&output.stderr);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}\n{err}"))
}

/// A number in the JSON of a run, by its JSON pointer.
fn number(run: &Value, key: &str) -> f64 {
    let value = run.pointer(key).unwrap();
    value.as_f64().unwrap_or_else(|| panic!("{key} is {value}"))
}

// holds: Equal inputs, equal results
#[test]
fn seed_and_rounds_alone_decide_the_release() {
    let folder = tempfile::tempdir().unwrap();
    let make = |name: &str, seed: u64, threads: usize| {
        let command = format!(
            "anonymize @clinic --strategy best --budget 3rounds --seed {seed} -o {name} --format json"
        );
        let run = json(&palmtop(folder.path(), &command, threads));
        assert_eq!(
            (run["search"]["rounds"].as_u64(), run["search"]["stop"].as_str()),
            (Some(3), Some("rounds"))
        );
        fs::read(folder.path().join(name)).unwrap()
    };
    let one = make("one.csv", 7, 1);
    assert!(one == make("four.csv", 7, 4), "threads change the release");
    assert!(one != make("other.csv", 8, 4), "the seed changes nothing");
}

#[test]
fn a_timed_run_tells_how_to_repeat_it() {
    let folder = tempfile::tempdir().unwrap();
    let timed = palmtop(
        folder.path(),
        "anonymize @clinic --strategy best --budget 0.5s -o timed.csv --format json",
        2,
    );
    let timed = json(&timed);
    // On a slow machine the time may run out during the opening.
    let (rounds, steps) = (&timed["search"]["rounds"], &timed["search"]["opening"]);
    let done =
        if rounds.is_null() { format!("--budget {steps}steps") } else { format!("--budget {rounds}rounds") };
    let again = format!("anonymize @clinic --strategy best {done} -o again.csv");
    assert_eq!(palmtop(folder.path(), &again, 2).status.code(), Some(0));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("timed.csv") == read("again.csv"));
}

#[test]
fn a_run_stopped_in_opening_is_repeatable() {
    let folder = tempfile::tempdir().unwrap();
    let run = "anonymize @clinic --strategy best --budget 0.000001s -o timed.csv --format json";
    let timed = json(&palmtop(folder.path(), run, 2));
    assert!(timed["search"]["rounds"].is_null() && timed["search"]["stop"] == "time", "{timed}");
    let steps = &timed["search"]["opening"];
    let again = format!("anonymize @clinic --strategy best --budget {steps}steps -o again.csv");
    assert_eq!(palmtop(folder.path(), &again, 1).status.code(), Some(0));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("timed.csv") == read("again.csv"));
}

#[test]
fn best_lies_between_bound_and_the_ten() {
    let folder = tempfile::tempdir().unwrap();
    let compared =
        palmtop(folder.path(), "compare @clinic --budget 1rounds --delta-max 0.1 --format json", 2);
    let compared = json(&compared);
    let overrides = Overrides { delta_max: Some("0.1".parse().unwrap()), ..Overrides::default() };
    let clinic = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/clinic/clinic.toml");
    let analysis = Analysis::load(&clinic, &overrides).unwrap();
    let bound = palmtop::search::bound(analysis.problem(), &mut unwatched).unwrap();
    let runs = compared["runs"].as_array().unwrap();
    assert_eq!(runs.len(), Strategy::all().count());
    let loss = |name: &str| number(runs.iter().find(|run| run["strategy"] == name).unwrap(), "/metrics/loss");
    for run in runs {
        let found_loss = number(run, "/metrics/loss");
        assert!(found_loss >= bound && found_loss >= loss("best"), "{run}");
    }
}

#[test]
fn a_looser_delta_reuses_a_better_stricter_release() {
    // With one round, the looser δ of these two finds the worse release.
    let folder = tempfile::tempdir().unwrap();
    let command = "compare @clinic --strategy best --budget 1rounds --delta-max 0.05,0.1,0.2 --format json";
    let compared = json(&palmtop(folder.path(), command, 2));
    let runs = compared["runs"].as_array().unwrap();
    let losses: Vec<f64> = runs.iter().map(|run| number(run, "/metrics/loss")).collect();
    assert!(losses.is_sorted_by(|strict, loose| strict >= loose), "{losses:?}");
    assert!(
        runs.iter().all(|run| run["taken_from"].is_null() || run["taken_from"]["max"] != run["delta"]["max"])
    );
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (options, expected) in [
        ("--strategy spalm --k 3", "unexpected argument '--k'"),
        ("--strategy mondrian", "strategy `mondrian` is gone"),
        ("--strategy best --rounds 3", "`--rounds` is now `--budget 40rounds`"),
        ("--strategy best --budget 0s", "expected a time above 0"),
        ("--strategy best --budget=-1s", "expected a time above 0"),
        ("--strategy spalm --budget 3rounds", "only best has rounds"),
        ("--strategy best --budget some", "5s, 40rounds, 120steps"),
        ("--strategy bets", "bets"),
    ] {
        let done = palmtop(folder.path(), &format!("anonymize @clinic {options} -o out.csv"), 1);
        let err = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{options}\n{err}");
        assert!(err.contains(expected), "{options}\n{err}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_timed_spalm_is_valid_but_not_exact() {
    let folder = tempfile::tempdir().unwrap();
    let run = |rest: &str| palmtop(folder.path(), &format!("anonymize @clinic --strategy spalm {rest}"), 1);
    let stopped = run("--budget 0.000001s -o stopped.csv");
    let text = String::from_utf8_lossy(&stopped.stdout).into_owned();
    assert_eq!(stopped.status.code(), Some(0), "{text}");
    assert!(text.contains("time used up: the best node so far, not the best of all"), "{text}");
    assert!(text.contains("no node that keeps δ has a loss below 0."), "{text}");
    let timed = json(&run("--budget 0.000001s -o json.csv --format json"));
    let complete = run("-o whole.csv");
    assert!(!String::from_utf8_lossy(&complete.stdout).contains("so far"));
    let complete = json(&run("-o again.csv --format json"));
    assert_eq!(
        (timed["search"]["stop"].as_str(), complete["search"]["stop"].as_str()),
        (Some("time"), Some("done"))
    );
    assert!(text.contains("--budget 0.000001s"), "{text}");
    assert!((number(&timed, "/search/budget") - 0.000_001).abs() < 1e-12);
    assert!((number(&complete, "/search/budget") - 60.0).abs() < 1e-12);
    assert!(number(&timed, "/metrics/loss") >= number(&complete, "/metrics/loss"));
}
