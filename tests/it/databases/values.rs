//! Every kind of value gives the same snapshot and the same release, from a database and from a
//! file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use palmtop::pipeline::{Analysis, Overrides};
use polars::prelude::{ParquetReader, SerReader as _};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::engine::{Engine, python, quoted};

/// A kind of value with its types in `DuckDB`, `PostgreSQL` and `SQLite`. `SQLite` stores texts for
/// types that it lacks.
pub(crate) struct Kind {
    pub(crate) name: &'static str,
    duckdb: &'static str,
    pub(crate) postgresql: &'static str,
    sqlite: &'static str,
}

const fn kind(
    name: &'static str,
    duckdb: &'static str,
    postgresql: &'static str,
    sqlite: &'static str,
) -> Kind {
    Kind { name, duckdb, postgresql, sqlite }
}

pub(crate) const KINDS: [Kind; 11] = [
    kind("plain", "varchar", "varchar(60)", "text"),
    kind("padded", "varchar", "char(8)", "text"),
    kind("awkward", "varchar", "text", "text"),
    kind("amount", "decimal(12,2)", "numeric(12,2)", "text"),
    kind("born", "date", "date", "text"),
    kind("seen", "timestamp", "timestamp", "text"),
    kind("met", "timestamptz", "timestamptz", "text"),
    kind("alive", "boolean", "boolean", "text"),
    kind("number", "bigint", "bigint", "integer"),
    kind("weight", "double", "double precision", "real"),
    kind("mood", "enum('fine', 'so ''so''')", "mood", "text"),
];

/// A value as it is inserted, and its text, which is the same everywhere.
#[derive(Clone)]
pub(crate) struct Value {
    pub(crate) inserted: String,
    pub(crate) text: String,
}

pub(crate) type Row = Vec<Option<Value>>;

fn draw(kind: &Kind, draws: &mut ChaCha8Rng) -> Option<Value> {
    let one_of =
        |texts: &[&str], draws: &mut ChaCha8Rng| texts[draws.random_range(0..texts.len())].to_owned();
    if draws.random_range(0..8) == 0 {
        return None;
    }
    let day = format!("19{:02}-{:02}-{:02}", draws.random_range(60..64), draws.random_range(1..3), 28);
    let time = format!("{:02}:30:{:02}", draws.random_range(3..6), draws.random_range(58..60));
    let micros = one_of(&["000000", "000001", "250000"], draws);
    let (inserted, text) = match kind.name {
        "plain" => {
            (one_of(&["nurse", "clerk", "Nurse", "a text that is longer than twelve bytes"], draws), None)
        }
        "padded" => (one_of(&["a", "ab c", "", "abcdefgh"], draws), None),
        "awkward" => {
            let texts = [
                "",
                " lead",
                "trail ",
                "it's",
                "\"q\"",
                "a,b",
                "two\nlines",
                "ö ß 漢 🙂",
                "\\n",
                "NULL",
                "#",
            ];
            (one_of(&texts, draws), None)
        }
        "amount" => (one_of(&["-3.50", "0.00", "12.00", "1234567890.05", "-0.01"], draws), None),
        "born" => (day, None),
        "seen" => (format!("{day} {time}.{micros}"), None),
        "met" => {
            // The same moment may be written in another time zone.
            let text = format!("{day} {time}.{micros}Z");
            let hour: u32 = time[..2].parse().unwrap();
            let zoned = format!("{day} {:02}{}.{micros}+02", hour + 2, &time[2..]);
            let inserted =
                if draws.random_range(0..2) == 0 { zoned } else { format!("{day} {time}.{micros}+00") };
            (inserted, Some(text))
        }
        "alive" => (one_of(&["true", "false"], draws), None),
        "number" => {
            let texts = [
                "9007199254740993",
                "9007199254740992",
                "-9223372036854775808",
                "9223372036854775807",
                "0",
                "-1",
            ];
            (one_of(&texts, draws), None)
        }
        "weight" => (one_of(&["35.0", "-0.5", "0.1", "123456.789", "0.0"], draws), None),
        "mood" => (one_of(&["fine", "so 'so'"], draws), None),
        other => panic!("{other}"),
    };
    Some(Value { text: text.unwrap_or_else(|| inserted.clone()), inserted })
}

/// Rows with a value of every kind.
pub(crate) fn rows(seed: u64, count: usize) -> Vec<Row> {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    (0..count).map(|_| KINDS.iter().map(|kind| draw(kind, &mut draws)).collect()).collect()
}

/// The histogram of some columns, by the texts of the values.
pub(crate) fn expected(rows: &[Row], columns: &[usize]) -> Vec<(Vec<Option<String>>, u64)> {
    let mut counts = BTreeMap::new();
    for row in rows {
        let texts = columns.iter().map(|&column| row[column].as_ref().map(|value| value.text.clone()));
        *counts.entry(texts.collect::<Vec<_>>()).or_insert(0) += 1;
    }
    counts.into_iter().collect()
}

/// The rows of a snapshot.
pub(crate) fn snapshot(path: &Path) -> Vec<(Vec<Option<String>>, u64)> {
    let frame = ParquetReader::new(fs::File::open(path).unwrap()).finish().unwrap();
    let (counts, texts) = frame.columns().split_last().unwrap();
    let counts = counts.u64().unwrap();
    let row = |row: usize| {
        let texts = texts.iter().map(|column| column.str().unwrap().get(row).map(str::to_owned));
        (texts.collect(), counts.get(row).unwrap())
    };
    (0..frame.height()).map(row).collect()
}

/// The lines of a project for these columns, after those of P.
pub(crate) fn rest(columns: &[usize]) -> String {
    let mut rest = "[private]\npath = \"t.csv\"\n[delta]\nmax = \"1/2\"\n".to_owned();
    for &column in columns {
        let name = KINDS[column].name;
        writeln!(rest, "[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"flat.toml\"")
            .unwrap();
    }
    rest
}

/// Writes these columns of P as a file, T as every fifth of its people, and the hierarchy.
fn write_files(folder: &Path, rows: &[Row], columns: &[usize]) {
    let header: Vec<&str> = columns.iter().map(|&column| KINDS[column].name).collect();
    let table = |rows: &mut dyn Iterator<Item = &Row>| {
        let mut table = header.join(",") + "\n";
        for row in rows {
            let texts = columns.iter().map(|&column| row[column].as_ref().map_or("", |value| &value.text));
            let cells: Vec<String> = texts.map(quoted).collect();
            table += &(cells.join(",") + "\n");
        }
        table
    };
    fs::write(folder.join("p.csv"), table(&mut rows.iter())).unwrap();
    fs::write(folder.join("t.csv"), table(&mut rows.iter().step_by(5))).unwrap();
    fs::write(folder.join("flat.toml"), "type = \"flat\"\n").unwrap();
}

/// Creates the table `kinds` of `SQLite` and `DuckDB`. `rows.json` has the types, the inserted
/// values, and the texts.
const TABLES: &str = r"
import json, sqlite3, duckdb
names, duck_types, lite_types, inserted, texts = json.load(open('rows.json'))
columns = lambda types: ', '.join(map(' '.join, zip(names, types)))
marks = ', '.join('?' * len(names))
convert = {'integer': int, 'real': float, 'text': str}
stored = [[None if cell is None else convert[kind](cell) for kind, cell in zip(lite_types, row)] for row in texts]
lite = sqlite3.connect('sqlite.db')
lite.execute(f'create table kinds ({columns(lite_types)})')
lite.executemany(f'insert into kinds values ({marks})', stored)
lite.commit()
duck = duckdb.connect('duckdb.db')
duck.execute(f'create table kinds ({columns(duck_types)})')
duck.executemany(f'insert into kinds values ({marks})', inserted)
duck.close()
";

fn write_tables(python: &Path, folder: &Path, rows: &[Row]) {
    let cells = |of: &dyn Fn(&Value) -> String| -> Vec<Vec<Option<String>>> {
        rows.iter().map(|row| row.iter().map(|value| value.as_ref().map(of)).collect()).collect()
    };
    let types = |of: &dyn Fn(&Kind) -> &'static str| KINDS.iter().map(of).collect::<Vec<_>>();
    let json = serde_json::json!([
        types(&|kind| kind.name),
        types(&|kind| kind.duckdb),
        types(&|kind| kind.sqlite),
        cells(&|value| value.inserted.clone()),
        cells(&|value| value.text.clone()),
    ]);
    fs::write(folder.join("rows.json"), json.to_string()).unwrap();
    let made = Command::new(python).args(["-c", TABLES]).current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
}

/// Fetches some columns of `kinds` and compares the snapshot, the histogram and a release with
/// those of the file.
pub(crate) fn compare(engine: &Engine, folder: &Path, rows: &[Row], columns: &[usize]) -> Vec<u8> {
    let names: Vec<&str> = columns.iter().map(|&column| KINDS[column].name).collect();
    let what = format!("{} {names:?}", engine.name);
    write_files(folder, rows, columns);
    let project = engine.project(folder, "kinds", &rest(columns));
    let fetched = engine.palmtop(folder, &["fetch", project.to_str().unwrap(), "--force"]);
    assert!(fetched.status.success(), "{what}: {}", String::from_utf8_lossy(&fetched.stderr));
    let path = folder.join(format!("{}.parquet", engine.name));
    assert_eq!(snapshot(&path), expected(rows, columns), "{what}");
    fs::write(folder.join("file.toml"), format!("[public]\npath = \"p.csv\"\n{}", rest(columns))).unwrap();
    let load = |project: &Path| Analysis::load(project, &Overrides::default()).unwrap();
    let (of_engine, of_file) = (load(&project), load(&folder.join("file.toml")));
    assert!(of_engine.problem().histogram() == of_file.problem().histogram(), "{what}");
    let release = |project: &str| {
        let arguments = ["anonymize", project, "--strategy", "spalm", "-o", "release.csv", "--force"];
        let made = engine.palmtop(folder, &arguments);
        assert!(made.status.success(), "{what}: {}", String::from_utf8_lossy(&made.stderr));
        fs::read(folder.join("release.csv")).unwrap()
    };
    assert!(release(project.to_str().unwrap()) == release("file.toml"), "{what}: the releases differ");
    fs::read(path).unwrap()
}

// holds: Snapshots are whole
#[test]
fn every_kind_of_value_survives_the_snapshot() {
    let Some(python) = python() else { return };
    let engines: Vec<Engine> =
        [Some(Engine::sqlite(&python)), Engine::duckdb(&python)].into_iter().flatten().collect();
    for seed in 0..3 {
        let folder = tempfile::tempdir().unwrap();
        let rows = rows(seed, 60);
        write_tables(&python, folder.path(), &rows);
        let mut sets: Vec<Vec<usize>> =
            (0..KINDS.len()).map(|column| vec![column, (column + 1) % KINDS.len()]).collect();
        sets.push((0..KINDS.len()).collect());
        for columns in sets {
            let snapshots: Vec<Vec<u8>> =
                engines.iter().map(|engine| compare(engine, folder.path(), &rows, &columns)).collect();
            assert!(snapshots.windows(2).all(|two| two[0] == two[1]), "{columns:?}, seed {seed}");
        }
    }
}

/// The driver of `SQLite` takes the type of a column from its first rows. Here these have no value.
#[test]
fn an_sqlite_column_that_begins_empty_is_read() {
    let Some(python) = python() else { return };
    let folder = tempfile::tempdir().unwrap();
    let script = "import sqlite3\nlite = sqlite3.connect('sqlite.db')\nlite.execute('create table kinds (plain text, number integer)')\n\
                  lite.executemany('insert into kinds values (?, ?)', [(None, row) for row in range(3000)] + [('x', 1)])\nlite.commit()";
    let made = Command::new(&python).args(["-c", script]).current_dir(folder.path()).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let engine = Engine::sqlite(&python);
    let project = engine.project(folder.path(), "kinds", &rest(&[0, 8]));
    fs::write(folder.path().join("flat.toml"), "type = \"flat\"\n").unwrap();
    let fetched = engine.palmtop(folder.path(), &["fetch", project.to_str().unwrap()]);
    assert!(fetched.status.success(), "{}", String::from_utf8_lossy(&fetched.stderr));
    let read = snapshot(&folder.path().join("sqlite.parquet"));
    assert_eq!(read.len(), 3001);
    assert_eq!(read.last().unwrap(), &(vec![Some("x".to_owned()), Some("1".to_owned())], 1));
}
