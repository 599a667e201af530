//! A recount by several threads.

use std::fs;
use std::path::Path;
use std::process::Command;

use polars::prelude::DataType;

use crate::support::tables::{self, numbers, texts};

/// Writes rows with an identifier, an age and a sex, in row groups of 9000.
fn write(path: &Path, rows: impl Iterator<Item = u32> + Clone) {
    let age = |row: u32| row / 7 % 80 + row % 11;
    let columns = [
        ("id", numbers(&DataType::UInt32, rows.clone().map(Some))),
        ("age", numbers(&DataType::Int32, rows.clone().map(|row| Some(age(row).cast_signed())))),
        ("sex", texts(rows.map(|row| Some(if row % 3 == 0 { "f" } else { "m" })))),
    ];
    tables::write(path, &columns, 9000);
}

const PROJECT: &str = "[private]\npath = \"t.parquet\"\n[public]\npath = \"p.parquet\"\n[delta]\nmax = \"1/2\"\n\
                       [[attribute]]\nname = \"id\"\nrole = \"identifier\"\n\
                       [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
                       [[attribute]]\nname = \"sex\"\nrole = \"quasi\"\nhierarchy = \"sex.toml\"\n";

// holds: Equal inputs, equal results
#[test]
fn threads_change_no_recount() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("p.toml"), PROJECT).unwrap();
    fs::write(folder.join("age.toml"), "type = \"interval\"\nwidths = [10]\n").unwrap();
    fs::write(folder.join("sex.toml"), "type = \"flat\"\n").unwrap();
    write(&folder.join("p.parquet"), 0..300_000);
    write(&folder.join("t.parquet"), (0..300_000).step_by(50));
    let run = |arguments: &str, threads: usize| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
        command.args(arguments.split_whitespace()).env("RAYON_NUM_THREADS", threads.to_string());
        let run = command.current_dir(folder).output().unwrap();
        (run.status.code(), run.stdout, run.stderr)
    };
    let made = run("anonymize p.toml --strategy n1 -o r.csv", 2);
    assert_eq!(made.0, Some(0), "{}", String::from_utf8_lossy(&made.2));
    let release = fs::read_to_string(folder.join("r.csv")).unwrap();
    fs::write(folder.join("wrong.csv"), release.replacen(",f\n", ",m\n", 3)).unwrap();
    // The rows with an identifier of before are named.
    write(&folder.join("again.parquet"), (0..200_000).chain([77_777, 5]).chain(200_000..300_000));
    fs::write(folder.join("again.toml"), PROJECT.replace("p.parquet", "again.parquet")).unwrap();
    for (arguments, status) in [("p.toml r.csv", 0), ("p.toml wrong.csv", 3), ("again.toml r.csv", 1)] {
        let arguments = format!("verify {arguments}");
        let one = run(&arguments, 1);
        assert_eq!(one.0, Some(status), "{arguments}: {}", String::from_utf8_lossy(&one.2));
        for threads in [2, 7, 16] {
            assert!(run(&arguments, threads) == one, "{arguments}: {threads} threads");
        }
    }
}
