//! Runs the `console` blocks of the tutorial, and of the page on ARX, in order and compares their
//! output.
#![cfg(unix)]

use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// A fenced block: the text after its first backticks, and its lines.
struct Block<'a> {
    kind: &'a str,
    lines: Vec<&'a str>,
}

fn read(page: impl AsRef<Path>) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(page)).unwrap()
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for line in page.lines() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(kind), None) => open = Some(Block { kind, lines: Vec::new() }),
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The commands after `$`, each with the quoted lines below it.
fn commands<'a>(block: &Block<'a>) -> Vec<(&'a str, Vec<&'a str>)> {
    let mut commands: Vec<(&str, Vec<&str>)> = Vec::new();
    for &line in &block.lines {
        if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command, Vec::new()));
        } else if let Some((_, quoted)) = commands.last_mut() {
            quoted.push(line);
        }
    }
    commands
}

/// The text after a change: the lines marked `+` replace the lines marked `-`.
fn edited(text: &str, change: &Block<'_>) -> String {
    let marked = |mark: char| {
        let lines: Vec<&str> = change.lines.iter().filter_map(|line| line.strip_prefix(mark)).collect();
        lines.join("\n")
    };
    let (old, new) = (marked('-'), marked('+'));
    assert_eq!(text.matches(old.as_str()).count(), 1, "{old} is to be changed in\n{text}");
    text.replace(&old, &new)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The complete output of a command in a folder. Its status has to be 0.
fn output_of(command: &str, folder: &Path) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_palmtop"));
    let mut path = vec![program.parent().unwrap().to_path_buf()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).env("PATH", env::join_paths(path).unwrap()).current_dir(folder);
    let done = shell.output().unwrap();
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    assert!(done.status.success(), "{command}: {}\n{out}\n{err}", done.status);
    one_line(&format!("{out}\n{err}"))
}

/// Runs the commands of a block and compares their output. Returns the number of commands.
fn type_commands(block: &Block<'_>, folder: &Path) -> usize {
    let commands = commands(block);
    for (command, quoted) in &commands {
        let shown = output_of(command, folder);
        for part in quoted.iter().flat_map(|line| line.split('…')).map(one_line) {
            assert!(shown.contains(&part), "`{command}` does not say\n{part}\nbut\n{shown}");
        }
    }
    commands.len()
}

// holds: Pages are true
#[test]
fn the_page_on_arx_shows_real_output() {
    let folder = tempfile::tempdir().unwrap();
    let study = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/arx/study.deid");
    fs::copy(study, folder.path().join("study.deid")).unwrap();
    let page = read("docs/palmtop-and-arx.md");
    let blocks = blocks(&page);
    let console = blocks.iter().filter(|block| block.kind == "console");
    assert_eq!(console.map(|block| type_commands(block, folder.path())).sum::<usize>(), 5);
}

// holds: Pages are true
#[test]
fn the_tutorial_shows_what_its_commands_print() {
    let folder = tempfile::tempdir().unwrap();
    for file in ["public.csv", "private.csv"] {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/clinic").join(file);
        fs::copy(from, folder.path().join(file)).unwrap();
    }
    let project = folder.path().join("project.toml");
    let page = read("docs/tutorial.md");
    let mut typed = 0;
    for block in blocks(&page) {
        if block.kind == "diff" {
            let text = fs::read_to_string(&project).unwrap();
            fs::write(&project, edited(&text, &block)).unwrap();
        }
        if block.kind != "console" {
            continue;
        }
        typed += type_commands(&block, folder.path());
    }
    assert!(typed >= 16, "only {typed} commands were found");
}
