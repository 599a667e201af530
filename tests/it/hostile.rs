//! Hostile files cannot control a terminal. A command whose output fails still does its work, and
//! its status reports the work.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use palmtop::escape::is_unsafe;
use tempfile::TempDir;

/// Sequences that clear a screen, set a title, move the cursor by a C1 character, reverse a line,
/// or end a line.
const NASTY: [&str; 6] =
    ["a\x1b[2Jb", "c\x1b]0;owned\x07d", "e\u{9b}2Jf", "g\u{202e}h", "i\u{2028}j\u{85}k", "l\rm\u{200b}n\x7f"];

/// A text as a TOML string.
fn toml(text: &str) -> String {
    let escaped = text.chars().map(|character| match character {
        '"' | '\\' => format!("\\{character}"),
        _ if is_unsafe(character) => format!("\\U{:08X}", u32::from(character)),
        _ => character.to_string(),
    });
    format!("\"{}\"", escaped.collect::<String>())
}

/// A line of CSV with every field quoted.
fn line(fields: &[&str]) -> String {
    fields.iter().map(|field| format!("\"{field}\"")).collect::<Vec<_>>().join(",") + "\n"
}

/// A project in which every name and every value is hostile: two quasi-identifiers and one
/// sensitive column.
fn project(folder: &Path, delta: &str) -> String {
    let [name, first, second, kept, file, label] = NASTY.map(str::to_owned);
    let (private, public) = (format!("private {file}.csv"), format!("public {file}.csv"));
    let tree = |index: usize| format!("hierarchy {index} {file}.csv");
    let mut people = line(&[&first, &second]);
    let mut members = line(&[&first, &second, &kept]);
    for (index, value) in NASTY.iter().cycle().take(60).enumerate() {
        let row = [*value, NASTY[index % 5]];
        people.push_str(&line(&row));
        if index % 7 == 0 {
            members.push_str(&line(&[row[0], row[1], &format!("{label} {index}")]));
        }
    }
    let leaves: String = NASTY.iter().map(|value| line(&[value, &format!("up {label}"), "*"])).collect();
    for (name, text) in
        [(&private, members), (&public, people), (&tree(1), leaves.clone()), (&tree(2), leaves)]
    {
        fs::write(folder.join(name), text).unwrap();
    }
    let attribute = |name: &str, role: &str, more: String| {
        format!("[[attribute]]\nname = {}\nrole = \"{role}\"\n{more}\n", toml(name))
    };
    let hierarchy = |index| format!("hierarchy = {}", toml(&tree(index)));
    let text = format!(
        "name = {}\n[private]\npath = {}\nheader = true\n[public]\npath = {}\nheader = true\nkeep_rows = [9, 39]\n[delta]\nmax = {}\n{}{}{}",
        toml(&name),
        toml(&private),
        toml(&public),
        toml(delta),
        attribute(&first, "quasi", hierarchy(1)),
        attribute(&second, "quasi", hierarchy(2)),
        attribute(&kept, "sensitive", String::new())
    );
    let written = format!("project {file}.toml");
    fs::write(folder.join(&written), text).unwrap();
    written
}

fn palmtop(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(arguments).current_dir(folder).env("XDG_CONFIG_HOME", folder.join("config"));
    command.output().unwrap()
}

/// Checks that the output of a command contains no control sequence for a terminal. Returns the
/// status.
#[track_caller]
fn is_harmless(folder: &Path, arguments: &[&str]) -> i32 {
    let output = palmtop(folder, arguments);
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        let text = String::from_utf8(bytes.clone()).unwrap();
        let found = text.chars().find(|&character| character != '\n' && is_unsafe(character));
        assert_eq!(found, None, "{arguments:?}, {name}:\n{text}");
    }
    let status = output.status.code().unwrap();
    assert!(
        (0..=3).contains(&status),
        "{arguments:?}: {status}\n{}",
        String::from_utf8_lossy(&output.stderr)
    );
    status
}

// holds: No control of a terminal
#[test]
fn results_drive_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let project = project(folder, "1/2");
    for format in ["table", "json", "csv"] {
        for command in ["check", "classes", "lattice"] {
            is_harmless(folder, &[command, &project, "--format", format]);
        }
        let run =
            ["compare", &project, "--strategy", "spalm,n1,best", "--budget", "1rounds", "--format", format];
        let done = palmtop(folder, &run);
        assert_eq!(is_harmless(folder, &run), 0, "{}", String::from_utf8_lossy(&done.stderr));
        is_harmless(folder, &["advise", &project, "--prior", "1/2", "--misuse", "1/10", "--format", format]);
        let run = ["anonymize", &project, "--strategy", "n1", "-o", "out.csv", "--force", "--format", format];
        is_harmless(folder, &run);
        is_harmless(folder, &["verify", &project, "out.csv", "--format", format]);
        fs::write(folder.join("forged.csv"), line(&NASTY[1..4])).unwrap();
        is_harmless(folder, &["verify", &project, "forged.csv", "--format", format]);
    }
    for name in &NASTY[1..3] {
        let run = ["anonymize", &project, "--strategy", "n1", "-o", name, "--with", "report"];
        is_harmless(folder, &run);
        is_harmless(folder, &run);
    }
}

// holds: No control of a terminal
#[test]
fn messages_drive_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let project_of = |delta: &str| project(folder, delta);
    let good = project_of("1/2");
    for nasty in NASTY {
        for arguments in [
            vec![nasty],
            vec!["check", nasty],
            vec!["check", &good, nasty],
            vec!["check", &good, "--delta-max", nasty],
            vec!["classes", &good, "--filter", &format!("{nasty}=x")],
            vec!["classes", &good, "--sort", nasty],
            vec!["classes", &good, "--node", nasty],
            vec!["anonymize", &good, "--strategy", nasty, "-o", "x"],
            vec!["verify", &good, nasty],
            vec!["anonymize", "@paper", "--step", "0", "--history", nasty, "-o", "x.csv"],
            vec!["completions", nasty],
            vec!["lattice", &format!("@{nasty}")],
        ] {
            assert_ne!(is_harmless(folder, &arguments), 0, "{arguments:?}");
        }
        is_harmless(folder, &["classes", &good, "--filter", nasty]);
        let session = format!("format = 1\npalmtop = {0}\nproject = {0}\ncurrent = {0}\n", toml(nasty));
        fs::write(folder.join("x.session.toml"), session).unwrap();
        is_harmless(
            folder,
            &["anonymize", "@paper", "--step", "0", "--history", "x.session.toml", "-o", "x.csv"],
        );
        let bad = project_of(nasty);
        assert_eq!(is_harmless(folder, &["check", &bad]), 1);
        fs::create_dir_all(folder.join("config/palmtop")).unwrap();
        let settings = format!("background = {0}\n[colours]\n{0} = {0}\n[keys]\n{0} = [{0}]\n", toml(nasty));
        fs::write(folder.join("config/palmtop/settings.toml"), settings).unwrap();
        assert_eq!(is_harmless(folder, &["bench-frame", "@paper", "--presses", "1"]), 1);
    }
}

#[test]
fn errors_about_files_drive_no_terminal() {
    let spoil = |name: &str, text: &str| {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let project = project(folder, "1/2");
        let file = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
        let file = file.into_iter().find(|path| path.to_string_lossy().contains(name)).unwrap();
        fs::write(&file, fs::read_to_string(&file).unwrap() + text).unwrap();
        assert_eq!(is_harmless(folder, &["check", &project]), 1, "{name}");
        is_harmless(folder, &["verify", &project, &project]);
    };
    spoil("private", &line(&["nowhere \x1b[2J", NASTY[0], NASTY[1]]));
    spoil("private", &line(&[NASTY[0]]));
    spoil("public", &line(&["nowhere \x1b[2J", NASTY[0]]));
    spoil("public", "x\"\x1b[2J,y\n");
    spoil("hierarchy 1", &line(&[NASTY[0], "up", "*"]));
    spoil("hierarchy 2", &line(&["\x1b[2J", "\x1b[3J", "\x1b[4J"]));
    spoil("hierarchy 2", &line(&["\x1b[2J"]));
    spoil("project", "[\"\\u001B[2J\"]\nx = 1\n");
    spoil("project", "\x1b[2J");
}

/// The status of a command with this redirection in a shell.
fn redirected(folder: &TempDir, command: &str, to: &str) -> Option<i32> {
    let line = format!("exec {} {command} {to}", env!("CARGO_BIN_EXE_palmtop"));
    let mut shell = Command::new("sh");
    let done = shell.args(["-c", &line]).current_dir(folder.path()).stdin(Stdio::null()).output().unwrap();
    done.status.code()
}

#[test]
fn a_closed_or_full_stderr_changes_no_status() {
    let folder = tempfile::tempdir().unwrap();
    for (command, status) in [
        ("classes @paper --filter over", 3),
        ("classes @paper --node 5,2,3 --delta-max 1 --filter ok", 0),
        ("classes @paper --strategy spalm --delta-max 1/2 --delta-min 1/2", 3),
        ("advise 1/2 --prior 1/4 --misuse 1/10", 3),
        ("anonymize @paper --strategy spalm -o release.csv --force", 0),
        ("anonymize @paper --strategy spalm -o release.csv", 1),
        ("anonymize @paper --node 5,2,2 --delta-max 5/9 -o fails.csv", 3),
        (
            "anonymize @paper --node 5,2,2 --delta-max 5/9 --accept 'not_present=the test needs it' -o fails.csv --force",
            3,
        ),
        ("verify @paper release.csv", 0),
        ("check nowhere.toml", 1),
        ("check", 2),
        ("--no-such-option", 2),
        ("--help", 0),
        ("--version", 0),
    ] {
        for to in [">out 2>err", ">out 2>/dev/full", ">out 2>&-"] {
            assert_eq!(redirected(&folder, command, to), Some(status), "{command} {to}");
        }
        let closed = redirected(&folder, command, ">&- 2>&-");
        assert_eq!(closed, Some(status), "{command} with nothing open");
    }
}

#[test]
fn full_output_fails_a_closed_pipe_does_not() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["check @paper", "--help", "--version", "man", "completions bash"] {
        assert_eq!(redirected(&folder, command, ">/dev/full"), Some(1), "{command}");
        assert_eq!(redirected(&folder, command, ">/dev/full 2>/dev/full"), Some(1), "{command}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(["classes", "@clinic", "--format", "csv"]).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    drop(child.stdout.take());
    assert_eq!(child.wait().unwrap().code(), Some(3));
}

#[test]
fn a_limit_that_no_clock_reaches_is_none() {
    let folder = tempfile::tempdir().unwrap();
    for seconds in ["99999999999999999999", "18446744073709551615", "0.0000000000001"] {
        let status = redirected(&folder, &format!("classes @paper --strategy spalm --budget {seconds}s"), "");
        assert_eq!(status, Some(0), "{seconds}");
    }
}
