use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::*;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Criteria, Delta, Level};
use palmtop_search::Strategy;

fn delta() -> Delta {
    Delta::read("0", "1/10").unwrap()
}

fn search() -> Search {
    Search {
        strategy: Strategy::Best.into(),
        delta: delta(),
        metric: Metric::Loss,
        seed: u64::MAX,
        rounds: Some(20),
        opening: None,
        rehearsed: None,
        node: Some(vec![Level(1), Level(0)]),
        complete: false,
    }
}

fn entry(file: &str, sha256: &str) -> Entry {
    Entry {
        file: file.to_owned(),
        sha256: sha256.repeat(64),
        at: Moment::read("2026-03-01T12:00:00Z").unwrap(),
        palmtop: "0.1.0".to_owned(),
        delta: delta(),
        reason: Some("the board asked for one in ten".to_owned()),
        criteria: Criteria::read([("k", "5")]).unwrap(),
        is_present: true,
        rows: 800,
        loss: Some(0.25),
        highest: "9/125".parse().ok(),
        withdrawn: 12,
        recipe: Recipe { k: Some(5), ..Recipe::of(RecodingRecipe::Search(search())) },
        inputs: vec![LoggedInput { path: "clinic.toml".to_owned(), sha256: "0".repeat(64) }],
        audit: Some(AuditRecord {
            verdict: "audited".to_owned(),
            method: "every possible T was run".to_owned(),
            people: Some(628),
            members: 117,
            doubtful: 1,
            worst: Some((1.0, 77)),
        }),
        accepted: vec![Accepted {
            key: "certain".to_owned(),
            subject: None,
            reason: "these people agreed".to_owned(),
            fact: Some("ab".repeat(32)),
        }],
        step: Some(StepName { sitting: 0, step: 1 }),
    }
}

fn sitting() -> Sitting {
    let step = |action: &str, recoding| Step { action: action.parse().unwrap(), recoding, delta: delta() };
    let mut sitting = Sitting {
        begun: Some(Moment::now()),
        palmtop: "0.2.0".to_owned(),
        inputs: vec![LoggedInput { path: "clinic.toml".to_owned(), sha256: "0".repeat(64) }],
        anew: Some(Reason::read("the tables are other ones").unwrap()),
        criteria: Criteria::read([("k", "5")]).unwrap(),
        pins: vec![RecodingRecipe::Node(vec![Level(2)])],
        stated: None,
        searches: Vec::new(),
        decisions: Vec::new(),
        steps: vec![
            step("start", RecodingRecipe::Node(vec![Level(0)])),
            step("search best", RecodingRecipe::Search(search())),
        ],
        current: 1,
    };
    let reason = Reason::read("the board asked for one in ten").ok();
    sitting.state(Moment::now(), Stated { delta: delta(), reason, grounds: None });
    sitting.note_search(&search(), Moment::now());
    sitting.note_search(&search(), Moment::now());
    let grounds =
        Grounds { prior: "4%".to_owned(), misuse: "6%".to_owned(), misuse_down: None, cost: "1".to_owned() };
    let stated = Stated { delta: delta(), reason: None, grounds: Some(grounds) };
    sitting.fix_policy(Moment::now(), Some(&stated));
    sitting.push(Step { delta: Delta::read("0", "1/5").unwrap(), ..sitting.step().clone() });
    sitting.record_file(Moment::now(), Some(&stated));
    sitting
}

/// Adds a release, as a program does that writes one.
fn record(project: &Path, entry: &Entry) -> Result<(), HistoryError> {
    change(project, |history| {
        history.unfinished.push(entry.clone());
        history.releases.extend(history.unfinished.pop());
    })
    .map(drop)
}

#[test]
fn a_history_reads_back_as_written() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("clinic.toml");
    assert_eq!(of_project(&project).unwrap(), History::default());
    let mut file = SittingFile::new(&project);
    assert!(!file.save(&sitting()).unwrap().value);
    let plain = Entry {
        reason: None,
        loss: None,
        highest: None,
        audit: None,
        accepted: Vec::new(),
        step: None,
        recipe: Recipe::of(RecodingRecipe::Node(vec![Level(3)])),
        ..entry("first.csv", "a")
    };
    let entries =
        [plain.clone(), entry("sub/second.csv", "b"), Entry { file: "again.csv".to_owned(), ..plain }];
    for entry in &entries {
        record(&project, entry).unwrap();
    }
    let report = ReportEntry {
        file: "r.html".to_owned(),
        sha256: "c".repeat(64),
        at: Moment::now(),
        reader: "signer".to_owned(),
        release: "a".repeat(64),
    };
    note(&project, &report).unwrap();
    let read = of_project(&project).unwrap();
    assert_eq!(
        (read.releases(), &read.sittings[..], &read.reports[..]),
        (&entries[..], &[sitting_of(&read)][..], &[report][..])
    );
    assert_eq!(read.find(&"a".repeat(64), None).unwrap().file, "again.csv");
    assert_eq!(read.find(&"a".repeat(64), Some("first.csv")).unwrap().file, "first.csv");
    assert_eq!(read.find(&"c".repeat(64), None), None);
    let decisions = read.sittings[0].decisions();
    assert_eq!(decisions[1].words(), "changed in the project file, no reason given");
    assert_eq!(read.grounds_of(delta(), None), Some(&decisions[0]));
    assert_eq!(read.grounds_of(decisions[1].delta, None), None);
    let given = read.sittings[0].stated().and_then(|stated| stated.reason);
    assert_eq!(given.map(|reason| reason.to_string()).as_deref(), Some("the board asked for one in ten"));
    assert_eq!(
        (
            read.seen(&RecodingRecipe::Search(search()), None),
            read.seen(&RecodingRecipe::Node(Vec::new()), None)
        ),
        (0, 1)
    );
    assert_eq!(fs::metadata(path_of(&project)).unwrap().permissions().mode() & 0o777, 0o600);
}

fn sitting_of(history: &History) -> Sitting {
    // The moments are those of the file.
    Sitting {
        begun: history.sittings[0].begun.clone(),
        searches: history.sittings[0].searches.clone(),
        stated: history.sittings[0].stated.clone(),
        decisions: history.sittings[0].decisions.clone(),
        ..sitting()
    }
}

#[test]
fn an_entry_of_a_gone_strategy_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    let mut gone = entry("a.csv", "a");
    let RecodingRecipe::Search(search) = &mut gone.recipe.recoding else { panic!("a search") };
    (search.strategy, search.complete) = ("mondrian".parse().unwrap(), true);
    gone.recipe.k = None;
    record(&project, &gone).unwrap();
    let history = of_project(&project).unwrap();
    assert_eq!(history.releases(), [gone]);
    assert_eq!(history.releases()[0].recipe.repeatable(), None);
}

// holds: Exports are recorded
#[test]
fn concurrent_programs_lose_no_entry() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let project = &project;
            scope.spawn(move || {
                record(project, &entry(&format!("{number}.csv"), "a")).unwrap();
                SittingFile::new(project).save(&sitting()).unwrap();
            });
        }
    });
    let history = of_project(&project).unwrap();
    let mut files: Vec<&str> = history.releases().iter().map(|entry| entry.file.as_str()).collect();
    files.sort_unstable();
    assert_eq!(files, (0..8).map(|number| format!("{number}.csv")).collect::<Vec<_>>());
    assert_eq!(history.sittings.len(), 8);
}

#[test]
fn two_workbenches_never_share_a_sitting() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    assert!(SittingFile::newest(&project).unwrap().is_none());
    SittingFile::new(&project).save(&sitting()).unwrap();
    let (mut one, first) = SittingFile::newest(&project).unwrap().unwrap();
    let (mut other, _) = SittingFile::newest(&project).unwrap().unwrap();
    let mut second = first.clone();
    assert!(second.go_to(0));
    assert!(!one.save(&second).unwrap().value && one.index() == Some(0));
    // The other one finds another sitting than it read, and gets its own.
    assert!(other.save(&first).unwrap().value && other.index() == Some(1));
    assert!(!one.save(&first).unwrap().value && !other.save(&second).unwrap().value);
    assert_eq!(of_project(&project).unwrap().sittings, [first, second.clone()]);
    // After the file was removed, it is written again.
    fs::remove_file(path_of(&project)).unwrap();
    one.save(&second).unwrap();
    assert_eq!(of_project(&project).unwrap().sittings, [second]);
}

#[test]
fn a_pending_release_counts_with_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    fs::write(folder.path().join("a.csv"), "q\n1\n").unwrap();
    let sha256 = palmtop_tables::read::hash_file(&folder.path().join("a.csv")).unwrap();
    let named = Entry { sha256: sha256.clone(), ..entry("a.csv", "a") };
    let others = [entry("a.csv", "b"), Entry { sha256, ..entry("missing.csv", "a") }];
    change(&project, |history| {
        history.unfinished.push(named.clone());
        history.unfinished.extend(others.clone());
    })
    .unwrap();
    assert_eq!(fs::read_to_string(path_of(&project)).unwrap().matches("pending = true").count(), 3);
    let history = of_project(&project).unwrap();
    assert_eq!((history.releases(), &history.unfinished[..]), (&[named.clone()][..], &others[..]));
    // What is written next is settled; an unfinished entry stays, because its program may still be running.
    change(&project, |_| ()).unwrap();
    assert_eq!(fs::read_to_string(path_of(&project)).unwrap().matches("pending = true").count(), 2);
    assert_eq!(of_project(&project).unwrap(), history);
}

#[test]
fn damaged_history_is_named_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    SittingFile::new(&project).save(&sitting()).unwrap();
    record(&project, &entry("a.csv", "a")).unwrap();
    let path = path_of(&project);
    let intact = fs::read_to_string(&path).unwrap();
    for (old, new, line, complaint) in [
        ("rows = 800", "rows = -1", "rows = -1", "`rows`: invalid value"),
        ("rows = 800", "rows = 800\nrow = 1", "row = 1", "unknown field `row`"),
        ("present = true", "", "[[release]]", "missing field `present`"),
        ("worst = 1.0", "worst = 1.5", "[[release]]", "`worst` is 1.5; expected a number from 0 to 1"),
        ("worst_people = 77\n", "", "[[release]]", "`worst` and `worst_people` go together"),
        ("sha256 = \"a", "sha256 = \"g", "sha256 = \"g", "is not a SHA-256"),
        ("how = \"start\"", "how = \"flu\"", "how = \"flu\"", "`how`: `flu` is not an action"),
        ("current = 2", "current = 3", "current = 3", "there is no step 3: the steps are 0 to 2"),
        ("in_file = true\n", "", "[[sitting.decision]]", "needs a `reason`"),
        ("misuse = \"6%\"\n", "", "[[sitting.decision]]", "`prior`, `misuse` and `cost` go together"),
        ("format = 1", "format = 2", "format = 2", "expected 1; use the palmtop that wrote the file"),
        ("format = 1", "format = ", "format = ", "history"),
    ] {
        let damaged = intact.replacen(old, new, 1);
        assert_ne!(damaged, intact, "{old}");
        fs::write(&path, &damaged).unwrap();
        let error = of_project(&project).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
        let at_line = |number: usize| error.contains(&format!("p.history.toml, line {number}:"));
        let is_there = |(number, written): (usize, &str)| written.starts_with(line) && at_line(number + 1);
        assert!(damaged.lines().enumerate().any(is_there), "{line}: {error}\n{damaged}");
        assert_eq!(record(&project, &entry("b.csv", "b")).unwrap_err().to_string(), error);
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
    }
    for bytes in [&b"\xff"[..], b"[", b"", b"format = 1\nrelease = 3\n", b"format = 1\n[[release]]\n"] {
        fs::write(&path, bytes).unwrap();
        let error = of_project(&project).unwrap_err().to_string();
        assert!(error.starts_with("history "), "{error}");
        record(&project, &entry("b.csv", "b")).unwrap_err();
        assert_eq!(fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn what_is_no_file_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (project, other) = (folder.path().join("p.toml"), folder.path().join("mine.toml"));
    fs::write(&other, "format = 1\n").unwrap();
    std::os::unix::fs::symlink(&other, path_of(&project)).unwrap();
    let error = record(&project, &entry("a.csv", "a")).unwrap_err().to_string();
    assert!(error.contains("is not a regular file"), "{error}");
    assert_eq!(fs::read_to_string(&other).unwrap(), "format = 1\n");
}
