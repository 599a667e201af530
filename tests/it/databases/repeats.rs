//! Identifiers that several rows of the database have are one person or several: the project says it.

use std::fs;
use std::process::Command;

use palmtop::verify::{OtherDelta, VerifySpec};

use super::engine::{Engine, python};
use super::values::snapshot;

const REST: &str = r#"
[private]
path = "t.csv"
[delta]
max = "1/2"
[[attribute]]
name = "age"
role = "quasi"
hierarchy = "flat.toml"
[[attribute]]
name = "id"
role = "identifier"
"#;

/// The rows of `a` agree, those of `b` differ, and two people have no identifier.
const TABLES: &str = r"
import sqlite3, duckdb
rows = [('a', 30), ('a', 30), ('A', 30), ('b', 30), ('b', 40), ('b', 40), (None, 50), ('', 50)]
once = [('a', 30), ('a', 30), ('A', 30), ('c', 40), (None, 50), ('', 50), (' ', 50), ('  ', 50), ('k.A.', 50), ('k.A.', 50)]
lite, duck = sqlite3.connect('sqlite.db'), duckdb.connect('duckdb.db')
for name, rows in [('people', rows), ('agreeing', once)]:
    lite.execute(f'create table {name} (id text collate nocase, age integer)')
    lite.executemany(f'insert into {name} values (?, ?)', rows)
    duck.execute(f'create table {name} (id varchar collate nocase, age integer)')
    duck.executemany(f'insert into {name} values (?, ?)', rows)
lite.commit()
duck.close()
";

#[test]
fn repeated_identifiers_are_asked_about() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("t.csv"), "age,id\n30,a\n").unwrap();
    fs::write(folder.join("flat.toml"), "type = \"flat\"\n").unwrap();
    let made = Command::new(&python).args(["-c", TABLES]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    for engine in [Some(Engine::sqlite(&python)), Engine::duckdb(&python)].into_iter().flatten() {
        let fetch = |table: &str, key: &str| {
            let project = engine.project(folder, table, &format!("{REST}{key}"));
            let text = fs::read_to_string(&project).unwrap();
            fs::write(&project, format!("missing = [\"k.A.\"]\n{text}")).unwrap();
            let output = engine.palmtop(folder, &["fetch", project.to_str().unwrap(), "--force"]);
            (output.status.success(), String::from_utf8(output.stderr).unwrap())
        };
        let counts = || {
            let rows = snapshot(&folder.join(format!("{}.parquet", engine.name)));
            rows.into_iter().map(|(texts, people)| (texts[0].clone().unwrap(), people)).collect::<Vec<_>>()
        };
        let expected = |counts: [u64; 3]| {
            ["30", "40", "50"].map(ToOwned::to_owned).into_iter().zip(counts).collect::<Vec<_>>()
        };
        let (is_done, said) = fetch("people", "");
        assert!(!is_done && said.contains("identifiers in several rows: 2, with 5 rows"), "{said}");
        assert!(said.contains("those of 1 differ"), "{said}");
        assert!(!folder.join(format!("{}.parquet", engine.name)).exists());
        assert!(fetch("people", "repeats = \"Households share these numbers.\"\n").0);
        assert_eq!(counts(), expected([4, 2, 2]), "{}", engine.name);
        let (is_done, said) = fetch("agreeing", "");
        assert!(!is_done && said.contains("identifiers in several rows: 1, with 2 rows"), "{said}");
        assert!(fetch("agreeing", "distinct = true\n").0);
        assert_eq!(counts(), expected([2, 1, 6]), "{}", engine.name);
        let project = folder.join(format!("{}.toml", engine.name));
        let check = || engine.palmtop(folder, &["check", project.to_str().unwrap()]);
        let checked = check();
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        let spec = VerifySpec::of_project(&project, OtherDelta::default());
        assert!(spec.is_ok(), "{spec:?}");
        // The snapshot is that of another question.
        let text = fs::read_to_string(&project).unwrap();
        fs::write(&project, text.replace("distinct = true", "repeats = \"Households share these numbers.\""))
            .unwrap();
        let said = String::from_utf8(check().stderr).unwrap();
        assert!(said.contains("something else of the rows that share an identifier"), "{said}");
        let said = VerifySpec::of_project(&project, OtherDelta::default()).unwrap_err().to_string();
        assert!(said.contains("something else of rows that share an identifier"), "{said}");
    }
}

#[test]
fn columns_that_only_the_database_has_are_asked() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("t.csv"), "age\n30\n").unwrap();
    fs::write(folder.join("flat.toml"), "type = \"flat\"\n").unwrap();
    let made = Command::new(&python).args(["-c", TABLES]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (rest, _) = REST.rsplit_once("[[attribute]]").unwrap();
    for engine in [Some(Engine::sqlite(&python)), Engine::duckdb(&python)].into_iter().flatten() {
        let fetch = |person: &str| {
            let path = engine.project(folder, "agreeing", rest);
            let text = fs::read_to_string(&path).unwrap();
            fs::write(&path, format!("missing = [\"k.A.\"]\n[public]\n{person}{text}")).unwrap();
            let output = engine.palmtop(folder, &["fetch", path.to_str().unwrap(), "--force"]);
            (output.status.success(), String::from_utf8(output.stderr).unwrap())
        };
        let (is_done, said) = fetch("");
        assert!(!is_done && said.contains("person = { column = \"id\", distinct = true }"), "{said}");
        let (is_done, said) = fetch("person = { column = \"name\", distinct = true }\n");
        assert!(!is_done && said.contains("there is no column `name`"), "{said}");
        let (is_done, said) = fetch("person = { column = \"id\", distinct = true }\n");
        assert!(is_done, "{said}");
        let project = folder.join(format!("{}.toml", engine.name));
        let checked = engine.palmtop(folder, &["check", project.to_str().unwrap()]);
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
        let people: u64 =
            snapshot(&folder.join(format!("{}.parquet", engine.name))).iter().map(|row| row.1).sum();
        assert_eq!(people, 9, "{}", engine.name);
    }
}
