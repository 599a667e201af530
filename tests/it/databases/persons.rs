//! Who is a person in a database: what is asked, what the statements print, and what the record keeps.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use palmtop::verify::{OtherDelta, VerifySpec};

use super::engine::{Engine, python};

const REST: &str = r#"
[private]
path = "t.csv"
unlisted = "drop"
[delta]
max = "1/2"
[[attribute]]
name = "age"
role = "quasi"
hierarchy = "flat.toml"
"#;

/// Nobody is in two rows of `flags`; each person is in two rows of `numbers`.
const TABLES: &str = r"
import sqlite3
lite = sqlite3.connect('sqlite.db')
lite.execute('create table flags (age integer, resident integer, ward_case_id text)')
lite.executemany('insert into flags values (?, ?, ?)', [(30 + row % 3, row % 2, 'k.A.') for row in range(24)])
lite.execute('create table numbers (age integer, patient_id text, case_id text, chosen text)')
lite.executemany('insert into numbers values (?, ?, ?, ?)', [(30 + row % 3, f'p{row % 6}', f'c{row % 6}', 'no' if row % 6 else 'yes') for row in range(12)])
lite.execute('create table withdrawn (age integer, nr text)')
lite.executemany('insert into withdrawn values (?, ?)', [(30, 'a'), (30, 'b'), (40, 'unknown')])
lite.commit()
";

/// A folder with T, a hierarchy and the database.
fn folder(python: &Path) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    files(folder.path());
    let made = Command::new(python).args(["-c", TABLES]).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    folder
}

fn files(folder: &Path) {
    fs::write(folder.join("t.csv"), "age,id,nr\n30,a,a\n").unwrap();
    fs::write(folder.join("flat.toml"), "type = \"flat\"\n").unwrap();
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Fetches a table with lines of `[public]`; returns whether that was done, and what was said.
fn fetch(engine: &Engine, folder: &Path, table: &str, public: &str, rest: &str) -> (bool, String) {
    let path = engine.project(folder, table, rest);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{public}{text}")).unwrap();
    let output = engine.palmtop(folder, &["fetch", path.to_str().unwrap(), "--force"]);
    (output.status.success(), said(&output))
}

#[test]
fn flags_are_no_people() {
    let Some(python) = python() else { return };
    let folder = folder(&python);
    let (is_done, said) =
        fetch(&Engine::sqlite(&python), folder.path(), "flags", "missing = [\"k.A.\"]\n", REST);
    assert!(is_done, "{said}");
}

#[test]
fn a_shared_column_answers_for_itself_alone() {
    let Some(python) = python() else { return };
    let folder = folder(&python);
    let engine = Engine::sqlite(&python);
    let shared = "[public]\nperson = { column = \"case_id\", repeats = \"Families share a case.\" }\n";
    let (is_done, said) = fetch(&engine, folder.path(), "numbers", shared, REST);
    assert!(!is_done && said.contains("`patient_id`") && said.contains("now `case_id`"), "{said}");
    let distinct = "[public]\nperson = { column = \"patient_id\", distinct = true }\n";
    let (is_done, said) = fetch(&engine, folder.path(), "numbers", distinct, REST);
    assert!(is_done && said.contains("6 people"), "{said}");
    fs::write(folder.path().join("p.sql"), "SELECT age, case_id FROM numbers").unwrap();
    let (is_done, said) = fetch(&engine, folder.path(), "p.sql", shared, REST);
    assert!(is_done && said.contains("12 people"), "{said}");
}

#[test]
fn members_in_several_rows_are_asked_about() {
    let Some(python) = python() else { return };
    let folder = folder(&python);
    let engine = Engine::sqlite(&python);
    let member = "[public]\nmember = \"chosen\"\n";
    let rest = REST.replace("path = \"t.csv\"\n", "");
    let (is_done, said) = fetch(&engine, folder.path(), "numbers", member, &rest);
    assert!(!is_done && said.contains("`case_id`") && said.contains("distinct = true"), "{said}");
    let person = format!("{member}person = {{ column = \"patient_id\", distinct = true }}\n");
    let (is_done, said) = fetch(&engine, folder.path(), "numbers", &person, &rest);
    assert!(is_done && said.contains("6 people"), "{said}");
}

#[test]
fn a_record_fixes_who_counts_as_a_person() {
    let Some(python) = python() else { return };
    let folder = folder(&python);
    let (folder, engine) = (folder.path(), Engine::sqlite(&python));
    let attribute = |name: &str| format!("[[attribute]]\nname = \"{name}\"\nrole = \"identifier\"\n");
    let (nr, id) = (attribute("nr"), attribute("id"));
    let missing = "missing = [\"unknown\"]\n";
    let (is_done, all) = fetch(&engine, folder, "withdrawn", missing, &format!("{REST}{nr}"));
    assert!(is_done, "{all}");
    let project = folder.join("sqlite.toml");
    let text = fs::read_to_string(&project).unwrap();
    let check = |text: &str| {
        fs::write(&project, text).unwrap();
        let spec = VerifySpec::of_project(&project, OtherDelta::default());
        let checked = engine.palmtop(folder, &["check", project.to_str().unwrap()]);
        assert_eq!(spec.is_ok(), checked.status.success(), "{spec:?}: {}", said(&checked));
        (
            checked.status.success(),
            said(&checked),
            spec.err().map(|error| error.to_string()).unwrap_or_default(),
        )
    };
    // The database has no column `id`, and the order of attributes decides nothing.
    for same in [text.clone(), format!("{text}{id}"), text.replace(&nr, &format!("{id}{nr}"))] {
        let (is_same, said, _) = check(&same);
        assert!(is_same, "{said}");
    }
    let (is_same, said, of_verifier) = check(&text.replace(missing, "missing = [\"unknown\", \"b\"]\n"));
    assert!(
        !is_same && said.contains("`missing`") && of_verifier.contains("`missing`"),
        "{said}{of_verifier}"
    );
    let record = folder.join("sqlite.parquet.source.json");
    let mut old: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    old.as_object_mut().unwrap().remove("persons").unwrap();
    fs::write(&record, old.to_string()).unwrap();
    let (is_same, said, of_verifier) = check(&text);
    assert!(
        !is_same && said.contains("an earlier version") && of_verifier.contains("an earlier version"),
        "{said}{of_verifier}"
    );
}

#[test]
fn statements_say_whether_they_count_people() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    files(folder);
    let palmtop = |arguments: &[&str], public: &str, more: &str| {
        fs::write(folder.join("p.toml"), format!("[public]\n{public}\n{REST}{more}")).unwrap();
        let output =
            Command::new(env!("CARGO_BIN_EXE_palmtop")).args(arguments).current_dir(folder).output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        said(&output)
    };
    let sql = |public: &str, more: &str| palmtop(&["fetch", "p.toml", "--dry-run"], public, more);
    let counts = "-- counts = \"people\"\n";
    let rows = sql("path = \"p.csv\"", "");
    assert!(rows.contains("COUNT(*) AS \"people\"\nFROM") && !rows.contains(counts), "{rows}");
    let shared = "path = \"p.csv\"\nperson = { column = \"id\", repeats = \"Families share a number.\" }";
    assert!(!sql(shared, "").contains(counts));
    let person = sql("path = \"p.csv\"\nperson = { column = \"id\", distinct = true }", "");
    assert!(person.contains("COUNT(DISTINCT") && person.contains(counts), "{person}");
    let distinct = "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\ndistinct = true\n";
    let attribute = sql("path = \"p.csv\"", distinct);
    assert!(attribute.contains("COUNT(DISTINCT") && attribute.contains(counts), "{attribute}");
    assert!(sql("path = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"", "").contains(counts));

    let source =
        "[public.source]\ndriver = \"sqlite\"\nuri = \"x.db\"\ntable = \"people\"\nsnapshot = \"p.parquet\"";
    let dry_run = |public: &str, more: &str| palmtop(&["fetch", "p.toml", "--dry-run"], public, more);
    let asked = dry_run(source, "");
    assert!(asked.contains("`COLUMN`") && !asked.contains("If P has"), "{asked}");
    let asked = dry_run(source, distinct);
    assert!(asked.contains("-- If P has the column `id`") && asked.contains("COUNT(DISTINCT"), "{asked}");
    let person = format!("person = {{ column = \"id\", distinct = true }}\n{source}");
    let asked = dry_run(&person, "");
    assert!(!asked.contains("`COLUMN`") && asked.contains("COUNT(DISTINCT"), "{asked}");
}
