//! Runs the program with an input: its output reveals no value of T and cannot control a terminal.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use super::targets::{Input, SECRET, Target, lay_out, write_arx};

/// The time limit of a command.
const LONGEST: Duration = Duration::from_secs(10);

/// Runs `check`, `classes`, `anonymize` and `verify` on the project with this input.
pub(crate) fn run(input: &Input, folder: &Path) -> Result<(), String> {
    if matches!(input.target, Target::Random | Target::Deltas | Target::Filters) {
        return Ok(());
    }
    std::fs::create_dir_all(folder).unwrap();
    if input.target == Target::ArxProjects {
        write_arx(input, &folder.join("input.deid"));
        let options = ["found.csv", "-o", "found.toml", "--yes"];
        return command(folder, &[&["init", "input.deid"], &options[..]].concat());
    }
    lay_out(input, folder);
    if input.target == Target::Histories {
        std::fs::write(folder.join("project.history.toml"), &input.content).unwrap();
        return command(folder, &["check", "project.toml", "--history"]);
    }
    command(folder, &["check", "project.toml"])?;
    command(folder, &["classes", "project.toml"])?;
    command(folder, &["anonymize", "project.toml", "--strategy", "n2", "-o", "found.csv"])?;
    command(folder, &["verify", "project.toml", "release.csv"])?;
    command(folder, &["verify", "project.toml", "release.csv", "--format", "json"])
}

fn command(folder: &Path, arguments: &[&str]) -> Result<(), String> {
    let started = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(arguments).current_dir(folder).stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().map_err(|error| error.to_string())?;
    let wrong = |what: &str| {
        let text = String::from_utf8_lossy(&stderr).into_owned();
        Err(format!("{}: {what}: {status}: {text:?}", arguments.join(" ")))
    };
    if !matches!(status.code(), Some(0..=3)) {
        return wrong("no proper exit");
    }
    if started.elapsed() > LONGEST {
        return wrong("slow");
    }
    if stdout.windows(SECRET.len()).any(|window| window == SECRET) {
        return wrong("a value of T on stdout");
    }
    let moves =
        |bytes: &[u8]| bytes.iter().any(|byte| (*byte < 32 && !b"\n\t".contains(byte)) || *byte == 127);
    if moves(&stdout) || moves(&stderr) {
        return wrong("control characters");
    }
    Ok(())
}
