use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::*;
use palmtop_core::metrics::Metric;
use palmtop_core::model::{Level, Presence};
use palmtop_search::Strategy;

fn entry(file: &str, sha256: &str) -> Entry {
    let bound = |text: &str| text.parse::<Presence>().unwrap();
    let delta = Delta::new(bound("0"), bound("1/10")).unwrap();
    Entry {
        file: file.to_owned(),
        sha256: sha256.repeat(64),
        at: Moment::read("2026-03-01T12:00:00Z").unwrap(),
        palmtop: "0.1.0".to_owned(),
        delta,
        reason: Some("the board asked for one in ten".to_owned()),
        criteria: Criteria::read([("k", "5")]).unwrap(),
        is_present: true,
        rows: 800,
        withdrawn: 12,
        recipe: Recipe {
            k: Some(5),
            ..Recipe::of(RecodingRecipe::Search(Search {
                strategy: Strategy::Best.into(),
                delta,
                metric: Metric::Loss,
                seed: u64::MAX,
                rounds: Some(20),
                opening: None,
                rehearsed: None,
                node: Some(vec![Level(1), Level(0)]),
                complete: false,
            }))
        },
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
        }],
        session: Some(SessionStep { file: "clinic.session.toml".to_owned(), step: 4 }),
    }
}

#[test]
fn newest_register_entry_of_a_file_counts() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("clinic.toml");
    assert_eq!(of_project(&project).unwrap(), Register::default());
    let plain = Entry {
        reason: None,
        audit: None,
        accepted: Vec::new(),
        session: None,
        recipe: Recipe::of(RecodingRecipe::Node(vec![Level(3)])),
        ..entry("first.csv", "a")
    };
    let again = Entry { file: "again.csv".to_owned(), ..plain.clone() };
    let entries = [plain, entry("sub/second.csv", "b"), again];
    for one in &entries {
        assert_eq!(record(&project, one).unwrap(), folder.path().join("clinic.releases.toml"));
    }
    let read = of_project(&project).unwrap();
    assert_eq!(read.entries(), entries);
    assert_eq!(read.find(&"a".repeat(64)).unwrap().file, "again.csv");
    assert_eq!(read.find(&"c".repeat(64)), None);
    assert_eq!(entries[1].path(&project), folder.path().join("sub/second.csv"));
    let mode = fs::metadata(path_of(&project)).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
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
    let register = of_project(&project).unwrap();
    assert_eq!(register.entries(), [gone]);
    assert_eq!(register.entries()[0].recipe.repeatable(), None);
}

// holds: Exports are recorded
#[test]
fn concurrent_register_entries_are_all_kept() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    std::thread::scope(|scope| {
        for number in 0..8 {
            let project = &project;
            scope.spawn(move || record(project, &entry(&format!("{number}.csv"), "a")).unwrap());
        }
    });
    let mut files: Vec<String> =
        of_project(&project).unwrap().entries().iter().map(|entry| entry.file.clone()).collect();
    files.sort();
    assert_eq!(files, (0..8).map(|number| format!("{number}.csv")).collect::<Vec<_>>());
}

#[test]
fn damaged_register_is_named_and_left_unchanged() {
    let folder = tempfile::tempdir().unwrap();
    let project = folder.path().join("p.toml");
    record(&project, &entry("a.csv", "a")).unwrap();
    let path = path_of(&project);
    let intact = fs::read_to_string(&path).unwrap();
    for (old, new, line, complaint) in [
        ("rows = 800", "rows = -1", "rows = -1", "`rows`: invalid value"),
        ("rows = 800", "rows = 800\nrow = 1", "row = 1", "unknown field `row`"),
        ("present = true", "", "[[release]]", "missing field `present`"),
        ("at = \"2026", "at = \"26", "[[release]]", "is not a moment; expected a time in UTC"),
        ("step = 4\n", "", "[[release]]", "`session` needs the number of its `step`"),
        ("session = \"clinic.session.toml\"\n", "", "[[release]]", "`step` needs the file of its `session`"),
        ("worst = 1.0", "worst = 1.5", "[[release]]", "`worst` is 1.5; expected a number from 0 to 1"),
        ("worst_people = 77\n", "", "[[release]]", "`worst` and `worst_people` go together"),
        ("sha256 = \"a", "sha256 = \"g", "sha256 = \"g", "is not a SHA-256"),
        ("k = \"5\"", "l = \"x\"", "l = \"x\"", "`l`"),
        ("\"1/10\"]\nreason", "\"2\"]\nreason", "delta = [", "delta"),
        ("strategy = \"best\"", "strategy = \"worst\"", "strategy = \"worst\"", "worst"),
        ("format = 1", "format = 2", "format = 2", "expected 1; use the palmtop that wrote the file"),
        ("format = 1", "format = ", "format = ", "register of releases"),
    ] {
        let damaged = intact.replacen(old, new, 1);
        assert_ne!(damaged, intact, "{old}");
        fs::write(&path, &damaged).unwrap();
        let number = damaged.lines().position(|written| written.starts_with(line)).unwrap() + 1;
        let error = of_project(&project).unwrap_err().to_string();
        assert!(error.contains(complaint), "{error}");
        assert!(error.contains(&format!("p.releases.toml, line {number}:")), "{line}: {error}\n{damaged}");
        assert_eq!(record(&project, &entry("b.csv", "b")).unwrap_err().to_string(), error);
        assert_eq!(fs::read_to_string(&path).unwrap(), damaged);
    }
    for bytes in [&b"\xff"[..], b"[", b"", b"format = 1\nrelease = 3\n", b"format = 1\n[[release]]\n"] {
        fs::write(&path, bytes).unwrap();
        let error = of_project(&project).unwrap_err().to_string();
        assert!(error.starts_with("register of releases "), "{error}");
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
