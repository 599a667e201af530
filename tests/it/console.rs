//! Types the commands of the `console` blocks of README and of the book, and compares what they print.
//!
//! The commands of a page are typed in one folder, which has copies of `sample-data` and
//! `hierarchies`. Each quoted line must be part of the output, except what `…` stands for. Comments
//! that a reader does not see prepare this:
//!
//! - `<!-- first: COMMAND -->` runs a command; `$CHECKOUT` is the folder of the repository.
//! - `<!-- file: NAME -->` writes the next block to a file.
//! - `<!-- after: PAGE -->` takes over the files that another page has made.
//! - `<!-- not run: REASON -->` leaves the next block out.
//! - `<!-- slow: REASON -->` leaves out the rest of the page,
//!   unless `PALMTOP` names a program that was built with optimizations.
//! - `<!-- console` begins a block that is checked and not shown, up to `-->`: for numbers in prose.
//!
//! A `diff` block is an edit of `project.toml`.
#![cfg(unix)]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::{env, fs, thread};

use tempfile::TempDir;

use crate::architecture::root;
use crate::book::book;
use crate::support::copy_folder;

/// A step of a page.
enum Step<'a> {
    First(&'a str),
    After(&'a str),
    /// A fenced block: the word after its backticks, its lines, and the file to which they are written.
    Block {
        kind: &'a str,
        lines: Vec<&'a str>,
        file: Option<&'a str>,
    },
    /// A block that is not run, with the reason.
    Left(&'a str),
    /// What follows takes long, with the reason.
    Slow(&'a str),
}

/// README and the pages of the book.
fn pages() -> Vec<PathBuf> {
    book().into_keys().chain(["README.md".into()]).map(|page| root().join(page)).collect()
}

fn steps(page: &str) -> Vec<Step<'_>> {
    let (mut steps, mut file, mut reason) = (Vec::new(), None, None);
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        let said = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"));
        match said.and_then(|said| said.split_once(": ")) {
            Some(("first", command)) => steps.push(Step::First(command)),
            Some(("after", page)) => steps.push(Step::After(page)),
            Some(("slow", why)) => steps.push(Step::Slow(why)),
            Some(("file", name)) => file = Some(name),
            Some(("not run", why)) => reason = Some(why),
            _ => {}
        }
        if line == "<!-- console" {
            let lines = lines.by_ref().take_while(|line| *line != "-->").collect();
            steps.push(Step::Block { kind: "console", lines, file: None });
        }
        let Some(kind) = line.strip_prefix("```") else { continue };
        let lines = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        steps.push(match reason.take() {
            Some(reason) => Step::Left(reason),
            None => Step::Block { kind, lines, file: file.take() },
        });
    }
    steps
}

/// The commands after `$`, each with the quoted lines below it. A line that ends in `\` continues.
fn commands(lines: &[&str]) -> Vec<(String, Vec<String>)> {
    let mut commands: Vec<(String, Vec<String>)> = Vec::new();
    for line in lines {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command.to_owned(), Vec::new())),
            (None, Some((command, quoted))) if quoted.is_empty() && command.ends_with('\\') => {
                command.pop();
                command.push_str(line);
            }
            (None, Some((_, quoted))) => quoted.push((*line).to_owned()),
            (None, None) => {}
        }
    }
    commands
}

/// The text after a change: the lines marked `+` replace the lines marked `-`.
fn edited(text: &str, lines: &[&str]) -> String {
    let marked = |mark: char| {
        let lines: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix(mark)).collect();
        lines.join("\n")
    };
    let (old, new) = (marked('-'), marked('+'));
    assert_eq!(text.matches(old.as_str()).count(), 1, "{old} is to be changed in\n{text}");
    text.replace(&old, &new)
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The program that `PALMTOP` names, as for the packages for Python and R.
fn optimized() -> Option<PathBuf> {
    env::var_os("PALMTOP").map(|program| fs::canonicalize(program).unwrap())
}

/// Runs a command in a folder. Returns its output, and whether its status is 0.
fn run(command: &str, folder: &Path) -> (String, bool) {
    let program = optimized().unwrap_or_else(|| env!("CARGO_BIN_EXE_palmtop").into());
    let mut path = vec![program.parent().unwrap().to_path_buf()];
    path.extend(env::split_paths(&env::var_os("PATH").unwrap()));
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder);
    shell.env("PATH", env::join_paths(path).unwrap()).env("CHECKOUT", root());
    let done = shell.output().unwrap();
    let (out, err) = (String::from_utf8(done.stdout).unwrap(), String::from_utf8(done.stderr).unwrap());
    (format!("{out}\n{err}"), done.status.success())
}

/// What a page got wrong: each command that prints something else.
#[derive(Default)]
struct Typed {
    count: usize,
    wrong: String,
    left: Vec<String>,
}

impl Typed {
    fn type_command(&mut self, command: &str, quoted: &[String], folder: &Path) {
        self.count += 1;
        let (shown, is_success) = run(command, folder);
        let line = one_line(&shown);
        let mut parts = quoted.iter().flat_map(|line| line.split('…')).map(one_line);
        let missing: Vec<String> = parts.clone().filter(|part| !line.contains(part)).collect();
        // A command may fail if the page shows how.
        if !missing.is_empty() {
            let missing = missing.join("\n");
            writeln!(self.wrong, "`{command}` does not say\n{missing}\nbut\n{shown}").unwrap();
        } else if !is_success && parts.all(|part| part.is_empty()) {
            writeln!(self.wrong, "`{command}` fails:\n{shown}").unwrap();
        }
    }

    fn type_page(&mut self, page: &Path, folder: &Path) {
        for step in steps(&fs::read_to_string(page).unwrap()) {
            match step {
                Step::First(command) => {
                    let (shown, is_success) = run(command, folder);
                    if !is_success {
                        writeln!(self.wrong, "`{command}` fails:\n{shown}").unwrap();
                    }
                }
                Step::After(page) => {
                    assert_eq!(page, "tutorial.md", "the one page that others begin with");
                    copy_folder(tutorial().0.path(), folder);
                }
                Step::Block { lines, file: Some(name), .. } => {
                    fs::write(folder.join(name), lines.join("\n") + "\n").unwrap();
                }
                Step::Block { kind: "diff", lines, .. } => {
                    let project = folder.join("project.toml");
                    fs::write(&project, edited(&fs::read_to_string(&project).unwrap(), &lines)).unwrap();
                }
                Step::Block { kind: "console", lines, .. } => {
                    for (command, quoted) in commands(&lines) {
                        self.type_command(&command, &quoted, folder);
                    }
                }
                Step::Left(reason) => self.left.push(reason.to_owned()),
                Step::Slow(reason) if optimized().is_none() => {
                    self.left.push(format!("{reason}; run with PALMTOP"));
                    return;
                }
                Step::Block { .. } | Step::Slow(_) => {}
            }
        }
    }
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["sample-data", "hierarchies"] {
        copy_folder(&root().join(name), &folder.path().join(name));
    }
    folder
}

/// A page, typed in a folder of its own.
fn typed(page: &Path) -> (TempDir, Typed) {
    let (folder, mut typed) = (folder(), Typed::default());
    typed.type_page(page, folder.path());
    (folder, typed)
}

fn tutorial() -> &'static (TempDir, Typed) {
    static TUTORIAL: OnceLock<(TempDir, Typed)> = OnceLock::new();
    TUTORIAL.get_or_init(|| typed(&root().join("docs/tutorial.md")))
}

// holds: Pages are true
#[test]
fn pages_show_what_their_commands_print() {
    let waiting = Mutex::new(pages());
    let all = Mutex::new(Typed::default());
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(page) = { waiting.lock().unwrap().pop() } {
                    let own;
                    let typed = if page.ends_with("tutorial.md") {
                        &tutorial().1
                    } else {
                        own = typed(&page);
                        &own.1
                    };
                    let name = page.file_name().unwrap().display();
                    let mut all = all.lock().unwrap();
                    all.count += typed.count;
                    if !typed.wrong.is_empty() {
                        writeln!(all.wrong, "── {name}\n{}", typed.wrong).unwrap();
                    }
                    all.left.extend(typed.left.iter().map(|reason| format!("{name}: {reason}")));
                }
            });
        }
    });
    let all = all.into_inner().unwrap();
    assert!(all.wrong.is_empty(), "{}", all.wrong);
    assert!(all.count >= 40, "only {} commands were found", all.count);
    println!("{} commands; not run:\n{}", all.count, all.left.join("\n"));
}

#[test]
fn comments_of_a_page_prepare_its_commands() {
    let page = "<!-- file: a.txt -->\n```text\none\ntwo\n```\n<!-- first: mv a.txt b.txt -->\n```console\n$ cat \\\n  b.txt\none\n…\n$ false\n```\n\
                <!-- not run: it is slow -->\n```console\n$ sleep 100\n```\n\
                <!-- console\n$ echo a 5 b\na 5\n-->\n";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("page.md");
    fs::write(&path, page).unwrap();
    let mut typed = Typed::default();
    typed.type_page(&path, folder.path());
    assert_eq!((typed.count, typed.left), (3, vec!["it is slow".to_owned()]));
    assert_eq!(typed.wrong.trim(), "`false` fails:");
}
