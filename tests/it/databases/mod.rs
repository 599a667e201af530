//! P from real databases by ADBC: every engine gives the same snapshot and the same histogram as a
//! file.
//!
//! `PALMTOP_DATABASES` names a Python with the packages `adbc-driver-sqlite`, `duckdb` and
//! `adbc-driver-postgresql`. It contains the drivers and creates the tables. `PALMTOP_POSTGRESQL`
//! names the folder of `PostgreSQL`'s programs. If they are missing, the tests print that they
//! skip.
#![cfg(feature = "databases")]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

mod collations;
mod engine;
mod persons;
mod postgresql;
mod repeats;
mod server;
mod values;

use std::fs;
use std::path::Path;
use std::process::Command;

use palmtop::pipeline::{Analysis, Overrides};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use engine::{Engine, python, quoted};

const REST: &str = r#"
[private]
path = "t.csv"
[delta]
max = "1/2"
[[attribute]]
name = "age"
role = "quasi"
hierarchy = "age.toml"
[[attribute]]
name = "zip"
role = "quasi"
hierarchy = "zip.toml"
public_level = 1
[[attribute]]
name = "job"
role = "quasi"
hierarchy = "flat.toml"
[[attribute]]
name = "born"
role = "quasi"
hierarchy = "born.toml"
public_level = 1
"#;

/// Creates the table `persons` of both engines from `rows.csv`. `NULL` is a missing value.
const TABLES: &str = r"
import csv, sqlite3, duckdb, sys
rows = [[None if cell == 'NULL' else cell for cell in row] for row in list(csv.reader(open('rows.csv', newline='')))[1:]]
lite = sqlite3.connect('sqlite.db')
lite.execute('create table persons (age integer, zip text, job text, born text)')
lite.executemany('insert into persons values (?, ?, ?, ?)', rows)
lite.commit()
duck = duckdb.connect('duckdb.db')
duck.execute('create table persons (age smallint, zip char(5), job varchar, born date)')
duck.executemany('insert into persons values (?, ?, ?, ?)', rows)
duck.close()
";

/// Writes P as rows of a database and as the equivalent file, T, and the hierarchies.
fn write(folder: &Path, seed: u64) {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    let jobs = [
        "nurse",
        "clerk, junior",
        "\"boss\"",
        "a'b",
        "ö ß",
        "",
        "NULL",
        "a text that is longer than twelve bytes",
    ];
    let (mut rows, mut file, mut members) =
        ("age,zip,job,born\n".to_owned(), "age,zip,job,born\n".to_owned(), "age,zip,job,born\n".to_owned());
    for person in 0..300 {
        let (age, zip) = (draws.random_range(-3..40), 80_000 + draws.random_range(0..40));
        let job = jobs[draws.random_range(0..jobs.len())];
        let born = format!(
            "{}-{:02}-{:02}",
            draws.random_range(1990..1993),
            draws.random_range(1..13),
            draws.random_range(1..29)
        );
        let read = if job == "NULL" { "" } else { job };
        rows += &format!("{age},{zip},{},{born}\n", quoted(job));
        let masked = format!("{}*", zip / 10);
        file += &format!("{age},{masked},{},{}\n", quoted(read), &born[..7]);
        if person % 9 == 0 {
            members += &format!("{age},{zip},{},{born}\n", quoted(read));
        }
    }
    for (name, text) in [
        ("rows.csv", rows.as_str()),
        ("p.csv", &file),
        ("t.csv", &members),
        ("age.toml", "type = \"interval\"\nwidths = [10]\n"),
        ("zip.toml", "type = \"mask\"\nlength = 5\nfrom = \"right\"\ncharacter = \"*\"\n"),
        ("flat.toml", "type = \"flat\"\n"),
        ("born.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    fs::write(folder.join("file.toml"), format!("[public]\npath = \"p.csv\"\n{REST}")).unwrap();
}

// holds: Snapshots are whole
#[test]
fn every_database_engine_gives_the_same_snapshot() {
    let Some(python) = python() else { return };
    let engines: Vec<Engine> =
        [Some(Engine::sqlite(&python)), Engine::duckdb(&python)].into_iter().flatten().collect();
    for seed in 0..6 {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path(), seed);
        let made = Command::new(&python).args(["-c", TABLES]).current_dir(folder.path()).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let of_file = Analysis::load(&folder.path().join("file.toml"), &Overrides::default()).unwrap();
        let mut snapshots = Vec::new();
        for engine in &engines {
            let project = engine.project(folder.path(), "persons", REST);
            let fetched = engine.palmtop(folder.path(), &["fetch", project.to_str().unwrap()]);
            assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
            let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
            assert!(
                analysis.problem().histogram() == of_file.problem().histogram(),
                "{} {seed}",
                engine.name
            );
            let snapshot = folder.path().join(format!("{}.parquet", engine.name));
            snapshots.push(fs::read(&snapshot).unwrap());
            let record =
                fs::read_to_string(folder.path().join(format!("{}.parquet.source.json", engine.name)))
                    .unwrap();
            // The query contains no data of T: no value of T and no condition.
            let queries = record.replace("WHERE 1 = 0", "");
            assert!(
                queries.contains("GROUP BY") && !queries.contains("WHERE") && !queries.contains("IN ("),
                "{record}"
            );
        }
        assert!(snapshots.windows(2).all(|two| two[0] == two[1]), "the snapshots differ, seed {seed}");
    }
}

// holds: Snapshots are whole
#[test]
fn a_failed_fetch_writes_nothing_and_hides_secrets() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 9);
    let made = Command::new(&python).args(["-c", TABLES]).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let sqlite = Engine::sqlite(&python);
    let refused = |connection: &str, table: &str| {
        let engine =
            Engine { name: "wrong", connection: connection.to_owned(), preload: None, manifests: None };
        engine.project(folder.path(), table, REST);
        let output = engine.palmtop(folder.path(), &["fetch", "wrong.toml"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            !folder.path().join("wrong.parquet").exists()
                && !folder.path().join("wrong.parquet.source.json").exists()
        );
        let text = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        assert!(!text.contains("hush42"), "{text}");
        text
    };
    let good = &sqlite.connection;
    assert!(refused(good, "nobody").contains("no such table"), "{}", refused(good, "nobody"));
    assert!(
        refused("driver = \"/nowhere/libdriver.so\"\nuri = \"x.db\"\n", "persons")
            .contains("there is no such file")
    );
    assert!(refused("driver = \"no-such-driver\"\n", "persons").contains("install its manifest"));
    assert!(refused("profile = \"no-such-profile\"\n", "persons").contains("profile"));
    let hidden = good.replace("sqlite.db", "/nowhere/{{ env_var(PALMTOP_HUSH) }}/x.db");
    assert!(refused(&hidden, "persons").contains("palmtop: "));
    assert!(refused(&good.replace("sqlite.db", "{{ env_var(NOT_SET) }}"), "persons").contains("NOT_SET"));
    // A profile in the working folder is never used.
    for name in ["near.toml", "near"] {
        fs::write(folder.path().join(name), "profile_version = 1\ndriver = \"sqlite\"\n[Options]\n").unwrap();
    }
    for name in ["near", "near.toml"] {
        let text = refused(&format!("profile = \"{name}\"\n"), "persons");
        assert!(text.contains("was not found"), "{text}");
    }
    // T is never overwritten.
    let over_t = sqlite.project(folder.path(), "persons", &REST.replace("t.csv", "sqlite.parquet"));
    fs::write(folder.path().join("sqlite.parquet"), "T").unwrap();
    let over_t = sqlite.palmtop(folder.path(), &["fetch", over_t.to_str().unwrap(), "--force"]);
    assert!(String::from_utf8_lossy(&over_t.stderr).contains("never overwritten"));
    assert_eq!(fs::read_to_string(folder.path().join("sqlite.parquet")).unwrap(), "T");
    fs::remove_file(folder.path().join("sqlite.parquet")).unwrap();
    // An existing snapshot is kept, unless the command asks to overwrite it.
    let project = sqlite.project(folder.path(), "persons", REST);
    let project = project.to_str().unwrap();
    assert!(sqlite.palmtop(folder.path(), &["fetch", project]).status.success());
    let again = sqlite.palmtop(folder.path(), &["fetch", project]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force"));
    assert!(sqlite.palmtop(folder.path(), &["fetch", project, "--force"]).status.success());
    let dry = sqlite.palmtop(folder.path(), &["fetch", project, "--dry-run"]);
    assert!(String::from_utf8_lossy(&dry.stdout).contains("GROUP BY"));
}

/// Rows with texts that are no number and no day.
const ODD: &str = r"
import sqlite3
lite = sqlite3.connect('sqlite.db')
for name, rows in [('numbers', [('7', '1990-01-02'), ('', '1990-01-02')]), ('words', [('7', '1990-01-02'), ('x', '1990-01-02')]),
                   ('days', [('7', '1990-01-02'), ('7', '')]), ('spring', [('7', '1990-02-30'), ('7', '1990-01-02')]),
                   ('year', [('7', '1990'), ('7', '1990-01-02')]), ('good', [('7', '1990-01-02'), ('12', '1990-01-02 10:00')])]:
    lite.execute(f'create table {name} (age, born)')
    lite.executemany(f'insert into {name} values (?, ?)', rows)
lite.commit()
";

#[test]
fn texts_that_no_rule_fits_get_no_label() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for (name, text) in [
        ("t.csv", "age,born\n7,1990-01-02\n"),
        ("age.toml", "type = \"interval\"\nwidths = [10]\n"),
        ("born.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n"),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let rest = "[private]\npath = \"t.csv\"\n[delta]\nmax = \"1/2\"\n\
                [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\npublic_level = 1\n\
                [[attribute]]\nname = \"born\"\nrole = \"quasi\"\nhierarchy = \"born.toml\"\npublic_level = 1\n";
    let made = Command::new(&python).args(["-c", ODD]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let sqlite = Engine::sqlite(&python);
    for (table, is_read) in [
        ("numbers", false),
        ("words", false),
        ("days", false),
        ("spring", false),
        ("year", false),
        ("good", true),
    ] {
        let project = sqlite.project(folder, table, rest);
        let project = project.to_str().unwrap();
        let fetched = sqlite.palmtop(folder, &["fetch", project, "--force"]);
        assert!(fetched.status.success(), "{table}: {}", String::from_utf8_lossy(&fetched.stderr));
        let checked = sqlite.palmtop(folder, &["check", project]);
        assert_eq!(
            checked.status.success(),
            is_read,
            "{table}: {}",
            String::from_utf8_lossy(&checked.stderr)
        );
    }
}
