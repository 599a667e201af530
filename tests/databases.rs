//! P from real databases by ADBC: the same snapshot and the same histogram as from a file, whatever the engine.
//!
//! `PALMTOP_DATABASES` names a Python with the packages `adbc-driver-sqlite` and `duckdb`, which has the drivers and makes the tables.
//! Without it the tests say that they skip.
#![cfg(feature = "databases")]
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]
#![expect(clippy::print_stderr, reason = "a test that is skipped says so")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use palmtop::pipeline::{Analysis, Overrides};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A Python with drivers, if there is one.
fn python() -> Option<PathBuf> {
    let found = std::env::var_os("PALMTOP_DATABASES").map(PathBuf::from);
    if found.is_none() {
        eprintln!("skipped: PALMTOP_DATABASES names no Python with adbc-driver-sqlite and duckdb");
    }
    found
}

fn asked(python: &Path, script: &str) -> String {
    let output = Command::new(python).args(["-c", script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// An engine: the lines of its connection, how a table of it is made from `rows.csv`, and what has to be loaded before its driver.
struct Engine {
    name: &'static str,
    connection: String,
    preload: Option<String>,
}

impl Engine {
    fn sqlite(python: &Path) -> Self {
        let driver = asked(python, "import adbc_driver_sqlite as d; print(d._driver_path())");
        Self {
            name: "sqlite",
            connection: format!("driver = {driver:?}\nuri = \"sqlite.db\"\n"),
            preload: None,
        }
    }

    /// `None` if there is no library of Python that its driver could be loaded with.
    fn duckdb(python: &Path) -> Option<Self> {
        let driver = asked(python, "import _duckdb; print(_duckdb.__file__)");
        // The driver is a module of Python: it needs the library of Python.
        let library = "import sysconfig as s, os; print(os.path.join(s.get_config_var('LIBDIR'), s.get_config_var('LDLIBRARY')))";
        let library = asked(python, library);
        if !Path::new(&library).exists()
            || Path::new(&library).extension().is_some_and(|ending| ending == "a")
        {
            eprintln!("skipped for DuckDB: there is no shared library of Python, which its driver needs");
            return None;
        }
        let connection =
            format!("driver = {driver:?}\nentrypoint = \"duckdb_adbc_init\"\nuri = \"duckdb.db\"\n");
        Some(Self { name: "duckdb", connection, preload: Some(library) })
    }

    fn project(&self, folder: &Path) -> PathBuf {
        let path = folder.join(format!("{}.toml", self.name));
        let public = format!(
            "[public.source]\n{}table = \"persons\"\nsnapshot = \"{}.parquet\"\n",
            self.connection, self.name
        );
        fs::write(&path, format!("{public}{REST}")).unwrap();
        path
    }

    fn palmtop(&self, folder: &Path, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
        command.args(arguments).current_dir(folder).env("PALMTOP_HUSH", "hush42");
        if let Some(library) = &self.preload {
            command.env("LD_PRELOAD", library);
        }
        command.output().unwrap()
    }
}

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

/// Makes the table `persons` of both engines from `rows.csv`; `NULL` is no value.
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

fn quoted(cell: &str) -> String {
    if cell.contains(['"', ',', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// P as rows of a database and as the file that says the same, T, and the hierarchies.
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

#[test]
fn every_engine_gives_the_histogram_of_the_file_and_the_same_snapshot() {
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
            let project = engine.project(folder.path());
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
            // Nothing of T is asked: no value of it, and no condition.
            assert!(
                record.contains("GROUP BY") && !record.contains("WHERE") && !record.contains("IN ("),
                "{record}"
            );
        }
        assert!(snapshots.windows(2).all(|two| two[0] == two[1]), "the snapshots differ, seed {seed}");
    }
}

#[test]
fn what_goes_wrong_is_said_and_nothing_is_written_and_no_secret_is_seen() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), 9);
    let made = Command::new(&python).args(["-c", TABLES]).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let sqlite = Engine::sqlite(&python);
    let refused = |connection: &str, table: &str| {
        let engine = Engine { name: "wrong", connection: connection.to_owned(), preload: None };
        let path = engine.project(folder.path());
        let text = fs::read_to_string(&path).unwrap().replace("\"persons\"", &format!("{table:?}"));
        fs::write(&path, text).unwrap();
        let output = engine.palmtop(folder.path(), &["fetch", "wrong.toml"]);
        assert_eq!(output.status.code(), Some(1));
        assert!(
            !folder.path().join("wrong.parquet").exists()
                && !folder.path().join("wrong.parquet.source.json").exists()
        );
        let said = String::from_utf8(output.stderr).unwrap() + &String::from_utf8(output.stdout).unwrap();
        assert!(!said.contains("hush42"), "{said}");
        said
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
    // An earlier snapshot stays, unless it is to be overwritten.
    let project = sqlite.project(folder.path());
    let project = project.to_str().unwrap();
    assert!(sqlite.palmtop(folder.path(), &["fetch", project]).status.success());
    let again = sqlite.palmtop(folder.path(), &["fetch", project]);
    assert!(String::from_utf8_lossy(&again.stderr).contains("--force"));
    assert!(sqlite.palmtop(folder.path(), &["fetch", project, "--force"]).status.success());
    let dry = sqlite.palmtop(folder.path(), &["fetch", project, "--dry-run"]);
    assert!(String::from_utf8_lossy(&dry.stdout).contains("GROUP BY"));
}
