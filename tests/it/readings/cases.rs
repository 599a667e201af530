//! Projects on which readings disagreed once. Each has a folder under `cases/loads` or
//! `cases/refused`.

use std::fs;
use std::path::Path;

use super::compare::{Depth, compare};
use super::random::{Files, Project};

/// A folder's files as a project. Files named `guess-…` are releases.
fn project(folder: &Path) -> Project {
    let mut project = Project { files: Files::new(), guesses: Vec::new() };
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let content = fs::read(&path).unwrap();
        if name.starts_with("guess-") {
            project.guesses.push(content);
        } else {
            project.files.insert(name, content);
        }
    }
    project
}

/// Compares every case of a folder and returns the errors. All cases have to load, or all have to
/// be refused.
fn wrong(cases: &Path, loads: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let Ok(entries) = fs::read_dir(cases) else { return wrong };
    for entry in entries {
        let folder = entry.unwrap().path();
        let work = tempfile::tempdir().unwrap();
        let project = project(&folder);
        let path = project.write(&work.path().join("project")).unwrap();
        for seed in 0..3 {
            let complaint = match compare(Depth::Full, &path, &project.guesses, seed) {
                Ok(agreed) if agreed.loads == loads => continue,
                Ok(agreed) => format!("loads: {}", agreed.loads),
                Err(disagreement) => format!("{}: {}", disagreement.kind, disagreement.detail),
            };
            wrong.push(format!("{}: {complaint}", folder.display()));
            break;
        }
    }
    wrong
}

#[test]
fn the_three_readers_agree_on_past_disagreements() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/readings/cases");
    let cases = std::env::var_os("PALMTOP_CASES").map_or(cases, Into::into);
    let wrong = [wrong(&cases.join("loads"), true), wrong(&cases.join("refused"), false)].concat();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
