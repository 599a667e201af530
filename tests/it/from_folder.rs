//! Every command does the same from another folder, with a relative path of the project, for each
//! kind of input.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use palmtop::history::{RecodingRecipe, Sitting, SittingFile, Step};
use palmtop::model::Level;
use palmtop::pipeline::{Analysis, Overrides};
use polars::prelude::{Column, DataFrame, ParquetWriter};
use tempfile::TempDir;

/// A kind of input: its name, the lines of `[public]`, and the lines after `[delta]`.
const KINDS: [(&str, &str, &str); 8] = [
    ("file", "path = \"P.csv\"", ""),
    ("pattern", "path = \"P-*.csv\"", ""),
    ("list", "path = [\"P-1.csv\", \"P-2.csv\"]", ""),
    ("outside", "path = \"../data/P.csv\"", ""),
    (
        "snapshot",
        "[public.source]\ndriver = \"sqlite\"\nuri = \"register.db\"\nquery = \"rows.sql\"\nsnapshot = \"P.parquet\"",
        "",
    ),
    ("member", "path = \"M.csv\"\nmember = \"m\"", ""),
    ("belief", "path = \"P.csv\"", "[search]\nbelief = \"rates.csv\"\n"),
    ("key", "path = \"P.csv\"", ""),
];

/// The commands in their order; `@` stands for the path of the project's folder.
const COMMANDS: [&str; 18] = [
    "check @p.toml",
    "lattice @p.toml",
    "classes @p.toml --node 1",
    "compare @p.toml",
    "audit @p.toml --strategy n1",
    "fetch @p.toml --dry-run",
    "check @p.toml",
    "anonymize @p.toml --node 1 -o @r.csv --with report,codebook,mapping,sql",
    "verify @p.toml @r.csv",
    "report @p.toml @r.csv -o @signer.html",
    "report @p.toml @r.csv --for recipient -o @recipient.html",
    "compare @p.toml @r.csv --show loss,risk,utility",
    "anonymize @p.toml --node 1 --beside @r.csv -o @beside.csv",
    "compose @p.toml @r.csv @beside.csv -o @people.csv",
    "estimate @p.toml",
    "anonymize @p.toml --step 0 -o @again.csv",
    "init --public @P.csv --private @T.csv --hierarchies @h -o @new.toml --yes",
    "check @new.toml",
];

/// A folder `study` with a project, beside its key and a file of P.
fn study((kind, public, more): (&str, &str, &str)) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["study/h", "data", "keys", "elsewhere"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    let rows: Vec<String> = (20..28).map(|age| format!("{age}\n")).collect();
    let ids: Vec<String> = (20..28).map(|age| format!("{age},{}\n", age * 1_000_003)).collect();
    let marked: Vec<String> = (20..28).map(|age| format!("{age},{}\n", i32::from(age < 22))).collect();
    let (all, first, second) = (rows.concat(), rows[..4].concat(), rows[4..].concat());
    let is_key = kind == "key";
    let header = if is_key { "age,id\n" } else { "age\n" };
    let members = if is_key { ids[..2].concat() } else { rows[..2].concat() };
    for (name, text) in [
        ("study/P.csv", format!("age\n{all}")),
        ("data/P.csv", format!("age\n{all}")),
        ("study/P-1.csv", format!("age\n{first}")),
        ("study/P-2.csv", format!("age\n{second}")),
        ("study/M.csv", format!("age,m\n{}", marked.concat())),
        ("study/T.csv", format!("{header}{members}")),
        ("study/h/age.toml", "type = \"interval\"\nwidths = [10]\n".to_owned()),
        ("study/rates.csv", "age,rate\n*,1/4\n".to_owned()),
        ("study/rows.sql", "SELECT age FROM persons".to_owned()),
        ("study/P.parquet.source.json", RECORD.to_owned()),
        ("keys/study.key", "0123456789abcdef0123456789abcdef".to_owned()),
    ] {
        fs::write(path(name), text).unwrap();
    }
    fs::set_permissions(path("keys/study.key"), fs::Permissions::from_mode(0o600)).unwrap();
    let ages = Column::new("age".into(), (20..28).map(|age: i32| age.to_string()).collect::<Vec<_>>());
    let people = Column::new("people".into(), vec![1_u64; 8]);
    let file = fs::File::create(path("study/P.parquet")).unwrap();
    ParquetWriter::new(file).finish(&mut DataFrame::new(8, vec![ages, people]).unwrap()).unwrap();
    let private = if kind == "member" { "" } else { "[private]\npath = \"T.csv\"\n" };
    let id = "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n\
              pseudonym = { key = \"../keys/study.key\", domain = \"study\" }\n";
    let project = format!(
        "{private}[public]\n{public}\n[delta]\nmax = \"3/8\"\n{more}[[attribute]]\nname = \"age\"\nrole = \"quasi\"\n\
         hierarchy = \"h/age.toml\"\n{}",
        if is_key { id } else { "" }
    )
    .replace("[public]\n[public.source]", "[public.source]");
    fs::write(path("study/p.toml"), project).unwrap();
    save_sitting(&path("study"));
    folder
}

const RECORD: &str = r#"{"palmtop": "0.1.0", "connection": "sqlite", "driver": "", "server": "SQLite", "started": "2026-01-02T03:04:05Z",
  "seconds": 0.1, "statements": [], "compared": "bytes", "columns": ["age"], "persons": [], "combinations": 8, "people": 8, "sha256": ""}"#;

/// A sitting with one step.
fn save_sitting(study: &Path) {
    let analysis = Analysis::load(&study.join("p.toml"), &Overrides::default()).unwrap();
    let delta = analysis.problem().delta();
    let recoding = RecodingRecipe::Node(vec![Level(1)]);
    let step = Step { action: "start".parse().unwrap(), recoding, delta };
    SittingFile::new(&study.join("p.toml")).save(&Sitting::new(&analysis, step)).unwrap();
}

/// The exit status of each command, and the files that they wrote.
fn run(folder: &Path, from: &str, path: &str) -> Vec<(String, Option<i32>, String)> {
    let mut done = Vec::new();
    for command in COMMANDS {
        let arguments = command.replace('@', path);
        let mut palmtop = Command::new(env!("CARGO_BIN_EXE_palmtop"));
        let output = palmtop.args(arguments.split(' ')).current_dir(folder.join(from)).output().unwrap();
        done.push((arguments, output.status.code(), String::from_utf8(output.stderr).unwrap()));
    }
    done
}

fn written(study: &Path) -> Vec<(String, Vec<u8>)> {
    let names = ["r.csv", "codes.csv", "map.csv", "beside.csv", "people.csv", "again.csv"];
    names.iter().map(|name| ((*name).to_owned(), fs::read(study.join(name)).unwrap_or_default())).collect()
}

#[test]
fn every_command_works_from_another_folder() {
    for kind in KINDS {
        let inside = study(kind);
        let expected = run(inside.path(), "study", "");
        assert_eq!(expected[0].1, Some(0), "{}: {}", kind.0, expected[0].2);
        assert_eq!(expected[8].1, Some(0), "{}: {}", kind.0, expected[8].2);
        for (from, path) in [("", "study/"), ("elsewhere", "../study/")] {
            let outside = study(kind);
            let found = run(outside.path(), from, path);
            for ((_, status, message), (command, other, said)) in expected.iter().zip(found) {
                assert_eq!(*status, other, "{}: {command}\ninside: {message}\noutside: {said}", kind.0);
            }
            assert!(
                written(&inside.path().join("study")) == written(&outside.path().join("study")),
                "{}",
                kind.0
            );
            assert_eq!(names(inside.path()), names(outside.path()), "{}", kind.0);
        }
    }
}

/// The files of all folders.
fn names(folder: &Path) -> Vec<PathBuf> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            let inner = PathBuf::from(path.file_name().unwrap());
            names.extend(self::names(&path).into_iter().map(|name| inner.join(name)));
        } else {
            names.push(path.file_name().unwrap().into());
        }
    }
    names.sort_unstable();
    names
}
