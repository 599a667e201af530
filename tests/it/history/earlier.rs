//! Sessions and registers of palmtop 0.1.0 are taken over once, and nothing of them is lost.

use std::fs;
use std::path::Path;

use crate::support::palmtop;
use palmtop::history::{self, History};
use tempfile::TempDir;

/// A folder of palmtop 0.1.0, with some of its files.
pub(super) fn old_folder(files: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/histories");
    for file in ["p.toml", "P.csv", "T.csv", "flat.toml", "r.csv", "s.csv"].iter().chain(files) {
        fs::copy(from.join(file), folder.path().join(file)).unwrap();
    }
    folder
}

fn history_in(folder: &TempDir) -> History {
    history::of_project(&folder.path().join("p.toml")).unwrap()
}

// holds: Exports are recorded
#[test]
fn files_of_earlier_versions_are_taken_over_once() {
    let all = ["p.session.toml", "p.session-2.toml", "p.releases.toml"];
    for (files, sittings, releases) in
        [(&all[..1], 1, 0), (&all[..2], 2, 0), (&all[2..], 0, 2), (&all[..], 2, 2)]
    {
        let folder = old_folder(files);
        let run = |arguments: &str| palmtop(folder.path(), arguments.split(' '));
        let before: Vec<Vec<u8>> =
            files.iter().map(|file| fs::read(folder.path().join(file)).unwrap()).collect();
        // What only reads writes nothing, and knows everything.
        assert_eq!(run("check p.toml --history").status, 0);
        assert!(!folder.path().join("p.history.toml").exists());
        let found = history_in(&folder);
        assert_eq!((found.sittings.len(), found.releases().len()), (sittings, releases), "{files:?}");
        let done = run("anonymize p.toml --node 1,1 -o t.csv");
        let line = format!("taken over into p.history.toml: {}", files.join(", "));
        assert!(done.status == 0 && done.err.contains(&line), "{}", done.err);
        let done = run("anonymize p.toml --node 1,1 -o u.csv");
        assert!(done.status == 0 && !done.err.contains("taken over"), "{}", done.err);
        let found = history_in(&folder);
        assert_eq!((found.sittings.len(), found.releases().len()), (sittings, releases + 2), "{files:?}");
        for (file, before) in files.iter().zip(before) {
            assert_eq!(fs::read(folder.path().join(file)).unwrap(), before, "{file} stays");
        }
    }
}

#[test]
fn what_earlier_versions_knew_is_known() {
    let folder = old_folder(&["p.session.toml", "p.session-2.toml", "p.releases.toml"]);
    let run = |arguments: &str| palmtop(folder.path(), arguments.split(' '));
    let found = history_in(&folder);
    let [first, second] = &found.sittings[..] else { panic!("{:?}", found.sittings) };
    assert_eq!(first.decisions()[0].grounds.as_ref().unwrap().prior, "40%");
    assert_eq!(second.anew.as_ref().unwrap().to_string(), "another colleague wants to look");
    assert_eq!(second.searches().next().unwrap().strategy.known(), None);
    assert_eq!(found.releases()[0].step.unwrap().to_string(), "1.1");
    let done = run("anonymize p.toml --step 1.1 -o again.csv");
    assert_eq!(done.status, 0, "{}", done.err);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("again.csv"), read("r.csv"));
    let done = run("anonymize p.toml --step 2.1 -o gone.csv");
    assert!(done.status == 1 && done.err.contains("mondrian is gone"), "{}", done.err);
    let done = run("report p.toml r.csv -o r.html");
    assert!(done.status == 0 && done.out.contains("VERIFIED"), "{}{}", done.out, done.err);
    let page = read("r.html");
    assert!(page.contains("a prior of 40 %, a misuse of 20 %") && page.contains("p.history.toml"), "{page}");
    assert!(!page.contains("δ is not justified"), "{page}");
}

#[test]
fn a_damaged_earlier_register_stops_an_export() {
    let folder = old_folder(&["p.session.toml", "p.releases.toml"]);
    let run = |arguments: &str| palmtop(folder.path(), arguments.split(' '));
    let register = folder.path().join("p.releases.toml");
    let intact = fs::read_to_string(&register).unwrap();
    let spoil: [&dyn Fn(); 2] =
        [&|| fs::write(&register, intact.replacen("rows = 3", "rows = x", 1)).unwrap(), &|| {
            fs::remove_file(&register).unwrap();
            fs::create_dir(&register).unwrap();
        }];
    for spoil in spoil {
        spoil();
        let done = run("anonymize p.toml --node 1,1 -o t.csv");
        let words = "the register of releases of palmtop 0.1.0 cannot be taken over";
        assert!(done.status == 1 && done.err.contains(words), "{}", done.err);
        assert!(done.err.contains("p.releases.toml") && done.err.contains("move it away"), "{}", done.err);
        assert!(!folder.path().join("t.csv").exists());
        // A verdict needs no history, and says what it cannot read.
        let done = run("verify p.toml r.csv");
        assert!(done.status == 0 && done.err.contains("p.releases.toml"), "{}", done.err);
    }
    fs::remove_dir(&register).unwrap();
    // A damaged session is told, and stops nothing.
    fs::write(folder.path().join("p.session.toml"), "format = 1\nstep = 3\n").unwrap();
    let done = run("anonymize p.toml --node 1,1 -o t.csv");
    assert!(done.status == 0 && done.err.contains("p.session.toml, line"), "{}", done.err);
}
