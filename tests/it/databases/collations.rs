//! Texts are counted by their bytes, whatever the collation of a column says is equal.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::engine::{Engine, python};
use super::values::snapshot;
use palmtop::verify::{OtherDelta, VerifySpec};

const REST: &str = r#"
[private]
path = "t.csv"
[delta]
max = "1/2"
[[attribute]]
name = "word"
role = "quasi"
hierarchy = "word.csv"
[[attribute]]
name = "job"
role = "quasi"
hierarchy = "job.csv"
public_level = 1
"#;

/// The values of both columns in the rows of P.
pub(crate) const ROWS: [&str; 6] = ["a", "A", "a", "ä", "a ", "b"];

/// Writes T and the hierarchies. The texts that a collation takes for one have different labels.
pub(crate) fn write(folder: &Path) {
    for (name, text) in [
        ("t.csv", "word,job\na,a\n"),
        ("word.csv", "a;*\nA;*\nä;*\na ;*\nb;*\n"),
        ("job.csv", "a;x;*\nA;y;*\nä;z;*\na ;w;*\nb;x;*\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
}

/// Creates the table `texts` of both engines from the rows in the argument.
fn create(python: &Path, folder: &Path) {
    let script = r"
import json, sqlite3, duckdb, sys
rows = [(text, text) for text in json.loads(sys.argv[1])]
lite = sqlite3.connect('sqlite.db')
lite.execute('create table texts (word text collate nocase, job text collate rtrim)')
lite.executemany('insert into texts values (?, ?)', rows)
lite.commit()
duck = duckdb.connect('duckdb.db')
duck.execute('create table texts (word varchar collate nocase.noaccent, job varchar collate nocase)')
duck.executemany('insert into texts values (?, ?)', rows)
duck.close()
";
    let rows = serde_json::to_string(&ROWS).unwrap();
    let made = Command::new(python).args(["-c", script, &rows]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", said(&made));
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The engine counts each text by its bytes.
pub(crate) fn check(engine: &Engine, folder: &Path) {
    let project = engine.project(folder, "texts", REST);
    let project = project.to_str().unwrap();
    let fetched = engine.palmtop(folder, &["fetch", project, "--force"]);
    assert!(fetched.status.success(), "{}: {}", engine.name, said(&fetched));
    let expected = [("A", "y", 1), ("a", "x", 2), ("a ", "w", 1), ("b", "x", 1), ("ä", "z", 1)];
    let expected =
        expected.map(|(word, job, people)| (vec![Some(word.to_owned()), Some(job.to_owned())], people));
    assert_eq!(snapshot(&folder.join(format!("{}.parquet", engine.name))), expected, "{}", engine.name);
    let checked = engine.palmtop(folder, &["check", project]);
    assert!(checked.status.success(), "{}: {}", engine.name, said(&checked));
}

#[test]
fn texts_are_counted_by_their_bytes() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    create(&python, folder.path());
    for engine in [Some(Engine::sqlite(&python)), Engine::duckdb(&python)].into_iter().flatten() {
        check(&engine, folder.path());
    }
}

#[test]
fn an_old_snapshot_is_not_current() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path());
    create(&python, folder.path());
    let engine = Engine::sqlite(&python);
    let project = engine.project(folder.path(), "texts", REST);
    let project = project.to_str().unwrap();
    assert!(engine.palmtop(folder.path(), &["fetch", project]).status.success());
    let release = ["anonymize", project, "--strategy", "spalm", "-o", "r.csv"];
    assert!(engine.palmtop(folder.path(), &release).status.success());
    let record = folder.path().join("sqlite.parquet.source.json");
    let text = fs::read_to_string(&record).unwrap();
    let old = text.replace("  \"compared\": \"bytes\",\n", "");
    assert_ne!(text, old);
    fs::write(&record, old).unwrap();
    for has_record in [true, false] {
        if !has_record {
            fs::remove_file(&record).unwrap();
        }
        for arguments in [&["check", project][..], &["verify", project, "r.csv"]] {
            let said = said(&engine.palmtop(folder.path(), arguments));
            assert!(said.contains("fetch it again: palmtop fetch"), "{arguments:?}: {said}");
        }
        let read = VerifySpec::of_project(Path::new(project), OtherDelta::default());
        assert!(read.unwrap_err().to_string().contains("fetch it again"));
    }
}
