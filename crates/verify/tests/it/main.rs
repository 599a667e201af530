//! `palmtop-verify` as an auditor runs it.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use palmtop_terms::Level;
use palmtop_verify::{Limits, OtherDelta, PrivateSource, VerifySpec};
use tempfile::TempDir;

/// Five people in two classes: 1 of 2 and 2 of 3 are in T.
const PUBLIC: &str = "zip,age\n47906,30\n47907,30\n48201,40\n48202,41\n48203,40\n";
const PRIVATE: &str = "zip,age\n47906,30\n48201,40\n48203,40\n";
const RELEASE: &str = "zip,age\n47***,30\n48***,40-41\n48***,40-41\n";
const ZIP: &str = "47906;47***;*\n47907;47***;*\n48201;48***;*\n48202;48***;*\n48203;48***;*\n";
const AGE: &str = "30;30;*\n40;40-41;*\n41;40-41;*\n";
const PROJECT: &str = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = \"1/2\"\nmax = \"2/3\"\n\
                       [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
                       [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nkind = \"category\"\nhierarchy = \"age.csv\"\n";

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("p.csv", PUBLIC),
        ("t.csv", PRIVATE),
        ("r.csv", RELEASE),
        ("zip.csv", ZIP),
        ("age.csv", AGE),
        ("p.toml", PROJECT),
    ];
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

fn run(folder: &Path, arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop-verify"));
    let done = command.args(arguments.split_whitespace()).current_dir(folder).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (done.status.code().unwrap(), text(done.stdout), text(done.stderr))
}

// holds: Verifier alone
#[test]
fn a_release_is_recounted_from_the_project_alone() {
    let folder = folder();
    let (status, out, err) = run(folder.path(), "p.toml r.csv");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
    for line in ["✓ VERIFIED", "achieved   (1/2, 2/3)", "3 in 2 released classes", "3 of T, 5 of P"] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    let (status, out, _) = run(folder.path(), "p.toml r.csv --delta-max 0.6 --json");
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &json["faithful"], &json["present"]), (3, &true.into(), &false.into()), "{out}");
    assert_eq!(json["achieved"]["max"], "2/3");
}

// holds: Verifier alone
#[test]
fn forged_release_and_bad_input_are_told_apart() {
    let folder = folder();
    fs::write(folder.path().join("forged.csv"), RELEASE.replace("47***,30", "48***,40-41")).unwrap();
    let (status, out, _) = run(folder.path(), "p.toml forged.csv");
    assert!(status == 3 && out.starts_with("✗ NOT a faithful release of T"), "{out}");
    fs::write(folder.path().join("p.ods"), "PK").unwrap();
    fs::write(folder.path().join("ods.toml"), PROJECT.replace("p.csv", "p.ods")).unwrap();
    for (arguments, status, message) in [
        ("p.toml", 2, "expected a project file and a release"),
        ("p.toml r.csv --fast", 2, "there is no option --fast"),
        ("p.toml r.csv --delta-max two", 2, "--delta-max: invalid presence `two`"),
        ("p.toml none.csv", 1, "cannot read none.csv"),
        ("ods.toml r.csv", 1, "an .ods file is not read; save it as .xlsx"),
        ("none.toml r.csv", 1, "project none.toml: cannot read it"),
    ] {
        let (found, out, err) = run(folder.path(), arguments);
        assert_eq!((found, out.as_str()), (status, ""), "{arguments}\n{err}");
        assert!(err.contains(message), "{arguments}: expected {message:?} in\n{err}");
    }
    let (status, out, _) = run(folder.path(), "--help");
    assert!(status == 0 && out.contains("Usage: palmtop-verify"), "{out}");
    let (status, out, _) = run(folder.path(), "--version");
    assert_eq!((status, out), (0, format!("palmtop-verify {}\n", env!("CARGO_PKG_VERSION"))));
}

fn read(project: &str) -> Result<VerifySpec, String> {
    let folder = folder();
    let path = folder.path().join("p.toml");
    fs::write(&path, project).unwrap();
    VerifySpec::of_project(&path, OtherDelta::default()).map_err(|error| error.detail)
}

// holds: Two readings of the project
#[test]
fn a_key_that_could_matter_is_never_skipped() {
    for (from, to, refusal) in [
        ("path = \"p.csv\"", "path = \"p.csv\"\ncuont = \"n\"", "[public] has the key `cuont`"),
        ("[delta]", "[deltas]\n[delta]", "the project has the key `deltas`"),
        ("max = \"2/3\"", "max = \"2/3\"\nmost = 1", "[delta] has the key `most`"),
        ("role = \"quasi\"", "role = \"secret\"", "`zip`: `role = \"secret\"` is not known here"),
        (
            "hierarchy = \"zip.csv\"",
            "hierarchy = \"zip.csv\"\nround = 5",
            "`zip`: [[attribute]] has the key `round`",
        ),
        ("hierarchy = \"zip.csv\"", "hierarchy = \"zip.csv\"\nlevels = \"one\"", "`zip`: `levels = \"one\"`"),
        ("role = \"quasi\"", "role = \"quasi\"\nterms = 0", "`zip`: `terms` is no whole number from 1"),
        ("role = \"quasi\"", "role = \"quasi\"\nterms = 1.5", "`zip`: `terms` is no whole number from 1"),
        ("role = \"quasi\"", "role = \"quasi\"\nborders = \"1\"", "`zip`: `borders` is no level"),
        ("[delta]", "[search]\nrehearse = 32\n[delta]", "`rehearse` is gone: remove the line"),
        ("max = \"2/3\"\n", "", "there is no δmax"),
        (
            "path = \"p.csv\"",
            "source = { snapshot = \"p.parquet\", dialect = \"spark\" }",
            "`dialect` is gone: remove the line",
        ),
        ("path = \"t.csv\"", "", "there is no T"),
        ("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"in\"", "T is given twice"),
    ] {
        let refused = read(&PROJECT.replacen(from, to, 1)).unwrap_err();
        assert!(refused.starts_with(refusal), "expected {refusal}\n   found {refused}");
    }
}

#[test]
fn terms_and_borders_are_limits_of_an_attribute() {
    let limits = |keys: &str| {
        let from = "role = \"quasi\"";
        read(&PROJECT.replacen(from, &format!("{from}\n{keys}"), 1)).unwrap().attributes[0].limits
    };
    assert_eq!(limits(""), Limits::default());
    assert_eq!(limits("terms = 3"), Limits { terms: Some(3), ..Limits::default() });
    assert_eq!(limits("terms = 1"), Limits { terms: Some(1), ..Limits::default() });
    assert_eq!(limits("borders = 2"), Limits { borders: Some(Level(2)), ..Limits::default() });
}

// holds: Two readings of the project
#[test]
fn project_bounds_are_read_exactly_by_their_digits() {
    let spec = read(&PROJECT.replace("\"2/3\"", "0.6666666666666666667").replace("\"1/2\"", "0")).unwrap();
    assert!(spec.delta.max() > "2/3".parse().unwrap(), "{}", spec.delta);
    let spec = read(&PROJECT.replace("\"t.csv\"", "\"t*.csv\"")).unwrap();
    let PrivateSource::Table(table) = spec.private else { panic!("T is a table") };
    let names: Vec<PathBuf> = table.paths.iter().map(|path| path.file_name().unwrap().into()).collect();
    assert_eq!(names, [PathBuf::from("t.csv")]);
}

/// A length in this file makes the decoder ask for more memory than there is, which ends the process.
#[test]
fn a_damaged_file_ends_in_an_error() {
    let folder = folder();
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/arrow");
    fs::copy(seeds.join("length-without-memory.arrow"), folder.path().join("p.arrow")).unwrap();
    fs::write(folder.path().join("p.toml"), PROJECT.replace("p.csv", "p.arrow")).unwrap();
    let (status, _, err) = run(folder.path(), "p.toml r.csv");
    assert!(status == 1 && err.contains("the file is damaged"), "{err}");
}

#[test]
fn a_project_in_another_folder_is_verified() {
    let folder = folder();
    let from = folder.path().join("elsewhere");
    fs::create_dir(&from).unwrap();
    let (status, out, err) = run(&from, "../p.toml ../r.csv");
    assert_eq!((status, err.as_str()), (0, ""), "{out}");
}
