//! Runs the program on a random project and compares its exit statuses, its classes, and its files.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use palmtop::search::Strategy;

use super::compare::Disagreement;
use super::naive::{self, People};
use crate::support::dice::Dice;

/// Runs the program in the project's folder.
fn run(project: &Path, arguments: &[&str]) -> Output {
    let folder = project.parent().unwrap_or(Path::new("."));
    let mut command = Command::new(env!("CARGO_BIN_EXE_palmtop"));
    command.args(arguments).current_dir(folder).env_remove("RUST_BACKTRACE").env("NO_COLOR", "1");
    command.output().unwrap()
}

fn wrong<T>(what: &str, output: &Output) -> Result<T, Disagreement> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let detail =
        format!("{what}: {:?}\n{}{}", output.status.code(), text(&output.stdout), text(&output.stderr));
    Err(Disagreement { kind: "the program", detail })
}

/// Compares `check`, `classes`, `anonymize` and `verify` with the third reading.
pub(crate) fn compare(project: &Path, releases: &[Vec<u8>], seed: u64) -> Result<(), Disagreement> {
    let mut dice = Dice::new(seed);
    let naive = naive::load(project);
    let check = run(project, &["check", "project.toml"]);
    let expected = match &naive {
        Err(_) => 1,
        Ok(world) if world.allows(world.people()) => 0,
        Ok(_) => 3,
    };
    if check.status.code() != Some(expected) {
        return wrong(&format!("check instead of {expected}"), &check);
    }
    for release in releases {
        verify(project, &naive, release)?;
    }
    let Ok(world) = &naive else { return Ok(()) };
    let node: Vec<usize> = world.quasi.iter().map(|quasi| dice.within(quasi.base, quasi.top())).collect();
    let words: Vec<String> = node.iter().map(ToString::to_string).collect();
    let classes = run(project, &["classes", "project.toml", "--node", &words.join(","), "--format", "csv"]);
    let expected = world.classes(&node);
    let status = if expected.values().all(|&people| world.allows(people)) { 0 } else { 3 };
    if classes.status.code() != Some(status) {
        return wrong(&format!("classes instead of {status}"), &classes);
    }
    // The program escapes characters that could control a terminal.
    let odd = |character: char| character.is_control() || "\u{feff}\u{202e}\u{a0}".contains(character);
    let is_plain = |texts: &Vec<String>| !texts.iter().any(|text| text.contains(odd));
    if expected.keys().all(is_plain) {
        let found = listed(&classes.stdout, world.quasi.len());
        if found.as_ref() != Some(&expected) {
            return wrong(&format!("classes: {found:?} instead of {expected:?}"), &classes);
        }
    }
    let strategies: Vec<String> = Strategy::all().map(|strategy| strategy.to_string()).collect();
    let strategy = dice.pick(&strategies);
    let target = project.with_file_name("by-program.csv");
    drop(fs::remove_file(&target));
    let mut arguments = vec!["anonymize", "project.toml", "--strategy", strategy, "-o", "by-program.csv"];
    if strategy == "best" {
        arguments.extend(["--budget", "1rounds"]);
    }
    let anonymize = run(project, &arguments);
    match (anonymize.status.code(), fs::read(&target)) {
        (Some(0), Ok(content)) if world.judge(&content).is_present => verify(project, &naive, &content),
        (Some(3), Err(_)) => Ok(()),
        (Some(1), Err(_)) if world.has_disguises() => Ok(()),
        _ => wrong(&format!("anonymize --strategy {strategy}"), &anonymize),
    }
}

fn verify(
    project: &Path,
    naive: &Result<naive::World, naive::Refusal>,
    release: &[u8],
) -> Result<(), Disagreement> {
    fs::write(project.with_file_name("recounted.csv"), release).unwrap();
    let verify = run(project, &["verify", "project.toml", "recounted.csv"]);
    let accepts = match naive {
        Ok(world) => world.judge(release).is_present,
        Err(_) => false,
    };
    match verify.status.code() {
        Some(0) if accepts => Ok(()),
        Some(1 | 3) if !accepts => Ok(()),
        _ => wrong(&format!("verify, of which the third reading says {accepts}"), &verify),
    }
}

/// The classes in the output of `classes --format csv`.
fn listed(printed: &[u8], width: usize) -> Option<BTreeMap<Vec<String>, People>> {
    let text = std::str::from_utf8(printed).ok()?;
    let mut classes = BTreeMap::new();
    for record in naive::csv::records(text, b',').ok()?.into_iter().skip(1) {
        let people = (record.get(width)?.parse().ok()?, record.get(width + 1)?.parse().ok()?);
        classes.insert(record[..width].to_vec(), people);
    }
    Some(classes)
}
