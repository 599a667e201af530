//! Releases before and after a change of the program: those of `spalm` and the nine have the same
//! bytes, and those of `simulatable` and `best` lose at most 1 % more.
//!
//! `tests/net/releases.txt` has the recorded ones. If a release is meant to change,
//! `PALMTOP_NET=write cargo test --test it net::` records it anew, and the commit says why. UCI Adult is
//! not part of the repository: `PALMTOP_DATA` names its folder, by default `../shared/data`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use palmtop::data::read::hash_file;
use palmtop::model::Delta;
use palmtop::pipeline::{Analysis, ExportOptions, Overrides, export};
use palmtop::search::{Config, Strategy};

/// Rounds of `best`. A number of rounds gives the same release on every machine.
const ROUNDS: u64 = 1;

/// A project, by its name in the record, its path, and the δ under which it is released.
type Case = (&'static str, &'static str, [(&'static str, &'static str); 3]);

const SAMPLES: [Case; 5] = [
    ("paper", "paper/paper.toml", [("1/2", "2/3"), ("0", "2/3"), ("1/3", "1")]),
    ("trial", "trial/trial.toml", [("0", "1/4"), ("0", "1/2"), ("0", "1")]),
    ("google", "google/google.toml", [("0", "1/5"), ("0", "1/10"), ("0", "1/2")]),
    ("neighbours", "neighbours/neighbours.toml", [("0", "2/3"), ("1/2", "1/2"), ("0", "1/3")]),
    ("clinic", "clinic/clinic.toml", [("0", "0.1"), ("0", "0.06"), ("0.01", "0.2")]),
];
const RANDOM: Case =
    ("adult-random", "adult-45222/random.toml", [("0", "0.05"), ("0", "0.2"), ("0.02", "0.1")]);
const DIABETES: Case =
    ("adult-diabetes", "adult-45222/diabetes.toml", [("0", "0.05"), ("0", "0.2"), ("0.02", "0.1")]);

/// The hash of a written release, or `-` if only the loss is compared, and the loss; `none` twice if
/// there is no release.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    sha256: String,
    loss: String,
}

/// Released lines by project, δ and strategy.
type Lines = BTreeMap<String, Line>;

#[test]
fn releases_of_the_samples_stay() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data");
    hold(SAMPLES.iter().flat_map(|case| released(&root, case)).collect());
}

#[test]
fn releases_of_adult_random_stay() {
    hold_adult(&RANDOM);
}

#[test]
fn releases_of_adult_diabetes_stay() {
    hold_adult(&DIABETES);
}

fn hold_adult(case: &Case) {
    let root =
        std::env::var_os("PALMTOP_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    if root.join(case.1).is_file() {
        hold(released(&root, case));
    } else {
        let missing = root.join(case.1);
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}; set PALMTOP_DATA", missing.display());
    }
}

/// Searches, writes and verifies each release of a project.
fn released(root: &Path, (name, path, deltas): &Case) -> Lines {
    let folder = tempfile::tempdir().unwrap();
    let analysis = Analysis::load(&root.join(path), &Overrides::default()).unwrap();
    let mut lines = Lines::new();
    for (min, max) in deltas {
        let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let problem = analysis.problem().with_delta(delta);
        let by_loss = [Strategy::Simulatable, Strategy::Best];
        for strategy in Strategy::of_the_paper().chain(by_loss) {
            let config = Config { rounds: Some(ROUNDS), ..Config::default() };
            let go_on = &mut |_| ControlFlow::Continue(());
            let found = analysis.search(&problem, strategy, &config, go_on);
            let key = format!("{name} {min}..{max} {strategy}");
            let Some(release) = found.release else {
                lines.insert(key, Line { sha256: "none".to_owned(), loss: "none".to_owned() });
                continue;
            };
            let sha256 = if by_loss.contains(&strategy) {
                "-".to_owned()
            } else {
                let target = folder.path().join("release.csv");
                let options = ExportOptions { force: true, allow_not_present: false };
                export::write(&analysis, &release, &target, options).unwrap();
                hash_file(&target).unwrap()
            };
            let loss = format!("{:.6}", release.metrics.loss.mean());
            lines.insert(key, Line { sha256, loss });
        }
    }
    lines
}

fn record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/net/releases.txt")
}

fn recorded() -> Lines {
    let text = fs::read_to_string(record()).unwrap_or_default();
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let line = |line: &str| {
        let [project, delta, strategy, sha256, loss] = line.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("not a line of the record: {line}");
        };
        let line = Line { sha256: sha256.to_owned(), loss: loss.to_owned() };
        (format!("{project} {delta} {strategy}"), line)
    };
    lines.map(line).collect()
}

/// Compares releases with the record, or records them.
#[track_caller]
fn hold(now: Lines) {
    if std::env::var_os("PALMTOP_NET").is_some_and(|net| net == "write") {
        return write(now);
    }
    let mut before = recorded();
    before.retain(|key, _| is_of(key, &now));
    let keys: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let changed: Vec<String> = keys
        .iter()
        .map(|key| (key, before.get(*key), now.get(*key)))
        .filter(|(_, before, now)| !before.zip(*now).is_some_and(|(before, now)| is_held(before, now)))
        .map(|(key, before, now)| format!("{key}\n  before {before:?}\n  now    {now:?}"))
        .collect();
    assert!(changed.is_empty(), "{} of {} changed:\n{}", changed.len(), keys.len(), changed.join("\n"));
}

/// Whether a line belongs to a project of these lines.
fn is_of(key: &str, lines: &Lines) -> bool {
    let project = |key: &str| key.split(' ').next().map(str::to_owned);
    lines.keys().any(|other| project(other) == project(key))
}

/// Whether a release is as it was, or loses at most 1 % more where only the loss counts.
fn is_held(before: &Line, now: &Line) -> bool {
    match (before.loss.parse::<f64>(), now.loss.parse::<f64>()) {
        (Ok(before), Ok(now_loss)) if now.sha256 == "-" => now_loss <= before * 1.01,
        _ => before == now,
    }
}

/// Records these releases and keeps the lines of other projects.
fn write(now: Lines) {
    static WRITING: Mutex<()> = Mutex::new(());
    let _writing = WRITING.lock();
    let mut lines = recorded();
    lines.retain(|key, _| !is_of(key, &now));
    lines.extend(now);
    let mut text =
        String::from("# project, δ, strategy, SHA-256 of the release, loss; written by PALMTOP_NET=write\n");
    for (key, Line { sha256, loss }) in lines {
        text.push_str(&format!("{key} {sha256} {loss}\n"));
    }
    fs::write(record(), text).unwrap();
}

#[test]
fn a_changed_byte_or_loss_is_seen() {
    let line = |sha256: &str, loss: &str| Line { sha256: sha256.to_owned(), loss: loss.to_owned() };
    assert!(is_held(&line("ab", "0.5"), &line("ab", "0.5")));
    assert!(!is_held(&line("ab", "0.5"), &line("ac", "0.5")));
    assert!(!is_held(&line("ab", "0.5"), &line("ab", "0.4")));
    assert!(is_held(&line("-", "0.5"), &line("-", "0.505")));
    assert!(is_held(&line("-", "0.5"), &line("-", "0.1")));
    assert!(!is_held(&line("-", "0.5"), &line("-", "0.506")));
    assert!(!is_held(&line("-", "0.5"), &line("none", "none")));
    assert!(!is_held(&line("none", "none"), &line("-", "0.5")));
}
