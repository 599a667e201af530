//! `palmtop-experiment` as a shell sees it: tables, charts, claims, files, and what it refuses.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use serde_json::Value;
use tempfile::TempDir;

const FIGURES: [&str; 7] = [
    "k-by-delta-max",
    "loss-by-delta-max",
    "discernibility-by-delta-max",
    "seconds-by-delta-max",
    "loss-by-delta-min",
    "discernibility-by-delta-min",
    "seconds-by-delta-min",
];

/// The keys of a run in JSON: those of `palmtop compare`.
const RUN_KEYS: [&str; 27] = [
    "strategy",
    "delta",
    "achieved",
    "present",
    "knows_algorithm",
    "criteria",
    "headline",
    "cautions",
    "node",
    "classes",
    "released_classes",
    "suppressed",
    "dropped",
    "added",
    "metrics",
    "search",
    "seed",
    "seconds",
    "load_seconds",
    "write_seconds",
    "verify_seconds",
    "metric",
    "empty_regions",
    "taken_from",
    "beside",
    "pseudonyms",
    "decisions",
];

/// Runs `palmtop-experiment` in a folder; words are separated by blanks.
fn experiment(folder: &TempDir, arguments: &str) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop-experiment"));
    command.args(arguments.split_whitespace()).current_dir(folder.path());
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code().unwrap(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

#[track_caller]
fn done(folder: &TempDir, arguments: &str) -> String {
    let (status, out, err) = experiment(folder, arguments);
    assert_eq!(status, 0, "{arguments}\n{err}");
    out
}

#[track_caller]
fn refused(folder: &TempDir, arguments: &str, status: i32, message: &str) {
    let before = names(folder.path());
    let (found, out, err) = experiment(folder, arguments);
    assert_eq!((found, out.as_str()), (status, ""), "{arguments}\n{err}");
    assert!(err.contains(message), "{arguments}: expected {message:?} in\n{err}");
    assert_eq!(names(folder.path()), before, "{arguments}");
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

fn empty() -> TempDir {
    tempfile::tempdir().unwrap()
}

#[test]
fn experiment_output_fits_eighty_columns() {
    for project in ["@paper", "@trial", "@clinic --delta-max 0.1,0.3 --delta-min 0,0.02"] {
        let out = done(&empty(), &format!("{project} --rounds 5"));
        for line in out.lines() {
            assert!(line.chars().count() <= 80, "{project}: {line}");
        }
        for expected in [
            "Loss over δmax",
            "figure 4",
            "Loss over δmin",
            "figure 7",
            "Discernibility",
            "Time",
            "S spalm",
            "┬│┴ the nine",
        ] {
            assert!(out.contains(expected), "{project}: {expected}\n{out}");
        }
        assert_eq!(
            out.lines().filter(|line| line.starts_with(['✓', '✗', '?'])).count(),
            10,
            "{project}\n{out}"
        );
    }
}

#[test]
fn losses_on_the_papers_table_match_compare() {
    let out = done(&empty(), "@paper --strategies spalm,n2 --delta-max 2/3,0.9 --delta-min 1/2 --format csv");
    let mut reader = csv::Reader::from_reader(out.as_bytes());
    let header: Vec<String> = reader.headers().unwrap().iter().map(ToOwned::to_owned).collect();
    assert_eq!(
        header.join(","),
        "strategy,delta_min,delta_max,verdict,k,node,achieved_min,achieved_max,loss,loss_geometric,discernibility,\
         average_class_size,precision,classes,released_classes,rounds,seed,stop,seconds"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // (1/2, 2/3) is in both sweeps and is run once.
    assert_eq!(rows.len(), 4);
    assert_eq!((&rows[0][0], &rows[0][1], &rows[0][2], &rows[0][5]), ("spalm", "1/2", "2/3", "3,2,2"));
    assert!(rows[0][8].starts_with("0.62") && rows[1][8].starts_with("0.386"), "{out}");
}

#[test]
fn json_has_run_keys_and_judges_every_claim() {
    let json: Value =
        serde_json::from_str(&done(&empty(), "@paper --strategies spalm,n1 --format json")).unwrap();
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(keys(&json["runs"][0]), RUN_KEYS);
    let claims = json["claims"].as_array().unwrap();
    assert_eq!(claims.len(), 10);
    for claim in claims {
        assert_eq!(keys(claim), ["claim", "verdict", "evidence"]);
        let verdict = claim["verdict"].as_str().unwrap();
        assert!(["holds", "does not hold", "cannot be said here"].contains(&verdict), "{verdict}");
        assert!(!claim["evidence"].as_str().unwrap().is_empty());
    }
}

/// The figures of the baselines of version 0.1.0, where they were strategies of `palmtop`.
#[test]
fn baselines_have_the_figures_of_before() {
    let folder = empty();
    let figures = |options: &str, names: [&str; 2]| {
        let arguments = "@clinic --strategies k-optimal,mondrian,mondrian-p --delta-max 0.05,0.1,0.3";
        done(&folder, &format!("{arguments} --delta-min 0 {options} --force -o out"));
        names.map(|name| fs::read_to_string(folder.path().join("out").join(name)).unwrap())
    };
    let names = ["k-by-delta-max.csv", "loss-by-delta-max.csv"];
    let head = "delta_max,delta_max_decimal,k-optimal,mondrian,mondrian-p\n";
    let losses = "1/20,0.05,0.7037052083333334,1,0.8920455747706059\n\
         1/10,0.1,0.7037052083333334,0.762613063597532,0.5558690077387544\n\
         3/10,0.3,0.7037052083333334,0.481710843567078,0.17155026103464643\n";
    let ks = "1/20,0.05,2,398,8884\n1/10,0.1,2,104,1033\n3/10,0.3,2,10,23\n";
    assert_eq!(figures("--metric loss_geometric", names), [ks, losses].map(|lines| format!("{head}{lines}")));
    let ks = "1/20,0.05,115,398,8884\n1/10,0.1,8,104,1033\n3/10,0.3,2,10,23\n";
    assert_eq!(figures("--metric discernibility", names)[0], format!("{head}{ks}"));
    let json: Value = serde_json::from_str(&done(
        &folder,
        "@clinic --strategies mondrian,n1 --delta-max 0.1 --delta-min 0 --format json",
    ))
    .unwrap();
    let ks = json["runs"].as_array().unwrap().iter().map(|run| run["search"]["k"].as_u64());
    assert_eq!(ks.collect::<Vec<_>>(), [Some(104), None]);
}

#[test]
fn every_figure_is_written_as_csv_and_svg() {
    let folder = empty();
    let arguments =
        "@paper --strategies spalm,n1,n2,k-optimal --delta-max 2/3,0.9 --delta-min 0,0.5 -o new/out";
    done(&folder, arguments);
    let out = folder.path().join("new/out");
    let mut expected: Vec<String> =
        FIGURES.iter().flat_map(|stem| [format!("{stem}.csv"), format!("{stem}.svg")]).collect();
    expected.push("table.csv".to_owned());
    expected.sort();
    assert_eq!(names(&out), expected);
    let csv = fs::read_to_string(out.join("loss-by-delta-max.csv")).unwrap();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines[0], "delta_max,delta_max_decimal,spalm,n1,n2,k-optimal");
    assert!(lines[1].starts_with("2/3,0.66") && lines[2].starts_with("9/10,0.9,"), "{csv}");
    let k = fs::read_to_string(out.join("k-by-delta-max.csv")).unwrap();
    assert!(k.starts_with("delta_max,delta_max_decimal,k-optimal\n2/3,"), "{k}");
    for stem in FIGURES {
        let svg = fs::read_to_string(out.join(format!("{stem}.svg"))).unwrap();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"), "{stem}\n{svg}");
        assert_eq!(svg.matches("<text").count(), svg.matches("</text>").count(), "{stem}\n{svg}");
        assert!(svg.contains("Paper, Table 1") && svg.contains("after the paper"), "{stem}\n{svg}");
        assert!(!svg.contains("href") && !svg.contains("NaN") && !svg.contains("inf"), "{stem}\n{svg}");
    }
    let svg = fs::read_to_string(out.join("loss-by-delta-max.svg")).unwrap();
    for label in [">2/3<", ">0.9<", ">spalm<", ">n2<", "loss (0 as loaded"] {
        assert!(svg.contains(label), "{label:?}\n{svg}");
    }
}

#[test]
fn existing_files_are_refused_before_searching_without_force() {
    let folder = empty();
    let arguments = "@paper --strategies spalm --delta-max 0.9 --delta-min 0 -o .";
    fs::write(folder.path().join("loss-by-delta-max.svg"), "mine").unwrap();
    refused(&folder, arguments, 1, "loss-by-delta-max.svg exists; choose another name");
    assert_eq!(fs::read_to_string(folder.path().join("loss-by-delta-max.svg")).unwrap(), "mine");
    done(&folder, &format!("{arguments} --force"));
    assert_eq!(names(folder.path()).len(), 15);
    fs::write(folder.path().join("file"), "mine").unwrap();
    refused(&folder, "@paper --strategies spalm -o file", 1, "file is no folder");
}

#[test]
fn infeasible_delta_is_refused_with_three_numbers() {
    let folder = empty();
    let numbers = "is infeasible: |T|/|P| = 5/9 = 0.555556";
    refused(&folder, "@paper --delta-max 0.9,0.5 -o out", 3, numbers);
    refused(&folder, "@paper --delta-min 0.6 -o out", 3, numbers);
    refused(&folder, "@paper --delta-min 0.9", 2, "δmin 9/10 is above δmax 2/3");
    refused(&folder, "@paper --delta-max x", 2, "x");
    refused(&folder, "@paper --strategies spam", 2, "unknown strategy `spam`");
}

#[test]
fn equal_seed_and_rounds_give_equal_numbers() {
    let without_time = |out: String| {
        let lines = out.lines().map(|line| line.rsplit_once(',').unwrap().0.to_owned());
        lines.collect::<Vec<_>>()
    };
    let run = || without_time(done(&empty(), "@paper --rounds 20 --seed 7 --format csv"));
    assert_eq!(run(), run());
}

#[test]
fn interrupt_exits_with_130_and_writes_nothing() {
    let folder = empty();
    let pair = native_pty_system().openpty(PtySize { rows: 24, cols: 80, ..PtySize::default() }).unwrap();
    let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_palmtop-experiment"));
    command.args(["@clinic", "-o", "out", "--delta-max"]);
    command.arg((50..900).map(|value| format!("{value}/1000")).collect::<Vec<_>>().join(","));
    command.cwd(folder.path());
    let mut child = pair.slave.spawn_command(command).unwrap();
    drop(pair.slave);
    let mut reader = pair.master.try_clone_reader().unwrap();
    let mut writer = pair.master.take_writer().unwrap();
    let mut seen = String::new();
    let mut is_asked = false;
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        seen.push_str(&String::from_utf8_lossy(&buffer[..count]));
        // The first search shows its progress only after the signals are watched for.
        if !is_asked && seen.contains(" of ") {
            writer.write_all(b"\x03").unwrap();
            is_asked = true;
        }
    }
    assert_eq!(child.wait().unwrap().exit_code(), 130, "{seen}");
    assert!(seen.contains("stopped by a signal; nothing was written"), "{seen}");
    assert_eq!(names(folder.path()), Vec::<String>::new());
}

/// A folder with the paper's project, whose T has the name of the experiment's own table.
fn paper_files() -> TempDir {
    let folder = empty();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap();
    for file in ["private.csv", "public.csv", "nationality.toml"] {
        fs::copy(root.join("sample-data/paper").join(file), folder.path().join(file)).unwrap();
    }
    fs::rename(folder.path().join("private.csv"), folder.path().join("table.csv")).unwrap();
    let hierarchies = format!("{}/", root.join("hierarchies").display());
    let project = fs::read_to_string(root.join("sample-data/paper/paper.toml")).unwrap();
    let project = project.replace("private.csv", "table.csv").replace("../../hierarchies/", &hierarchies);
    fs::write(folder.path().join("p.toml"), project).unwrap();
    folder
}

#[test]
fn inputs_are_never_overwritten_by_output_names() {
    let folder = paper_files();
    let arguments = "p.toml --strategies n1 --rounds 1 --force";
    let before = fs::read(folder.path().join("table.csv")).unwrap();
    refused(&folder, &format!("{arguments} -o ."), 1, "table.csv is a file of this project");
    assert_eq!(fs::read(folder.path().join("table.csv")).unwrap(), before);
    assert_eq!(experiment(&folder, &format!("{arguments} -o figures")).0, 0);
}

#[test]
fn project_with_several_rows_per_person_is_refused() {
    let folder = paper_files();
    let project = fs::read_to_string(folder.path().join("p.toml")).unwrap();
    let project =
        project.replace("name = \"person\"\nrole = \"identifier\"", "name = \"person\"\nrole = \"entity\"");
    assert!(project.contains("\"entity\""), "{project}");
    fs::write(folder.path().join("p.toml"), project).unwrap();
    let (status, out, err) = experiment(&folder, "p.toml --strategies n1");
    assert_eq!((status, out.as_str()), (1, ""), "{err}");
}
