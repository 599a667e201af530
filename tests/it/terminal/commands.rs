//! The list of command lines: each line that the workbench lists runs, and ends as its screen did.

use std::fs;
use std::process::Command;

use super::harness::Terminal;

#[test]
fn every_listed_command_runs() {
    let mut terminal = Terminal::start(&[]);
    terminal.wait_for("node 0,0,0,0,0,0");
    terminal.keys("ll");
    terminal.wait_for("node 2,0,0,0,0,0");
    terminal.keys("3jjjl");
    terminal.wait_for("─ n2 ─");
    terminal.keys("r");
    terminal.wait_for("n2 ended");
    for (key, seen) in [
        (":lattice\r", "4,608 nodes"),
        (":hierarchies\r", "─ quasi-identifiers"),
        ("3", "[loss]"),
        ("\t", "[risk]"),
        ("\t", "[utility]"),
        ("\t", "[loss]"),
    ] {
        terminal.keys(key);
        terminal.wait_for(seen);
    }
    terminal.keys("e");
    terminal.wait_for("characters)");
    terminal.keys("\t\x15out.csv");
    terminal.wait_for("to         out.csv");
    terminal.keys("\rw\r");
    terminal.wait_for("also knows palmtop");
    terminal.keys("yw");
    terminal.wait_for("800 rows written and verified");
    terminal.wait_for("out.report.html");
    terminal.keys("\r$Y");
    terminal.wait_for("the commands: written to palmtop-figures-1.txt");
    terminal.keys("\x1bqqy");
    terminal.expect_clean_end(0);
    let list = fs::read_to_string(terminal.path("palmtop-figures-1.txt")).unwrap();
    let folder = terminal.path("");
    let sent = || {
        ["out.csv", "out.codebook.csv", "out.recipient.html"]
            .map(|name| fs::read_to_string(folder.join("out/to-send").join(name)).unwrap())
    };
    let by_window = sent();
    fs::remove_dir_all(folder.join("out")).unwrap();
    let program = env!("CARGO_BIN_EXE_palmtop");
    let mut commands: Vec<&str> = Vec::new();
    for line in list.lines() {
        let mut words = line.strip_prefix("palmtop ").unwrap_or_else(|| panic!("{line}")).split(' ');
        let output = Command::new(program).args(words.clone()).current_dir(&folder).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(matches!(output.status.code(), Some(0 | 3)), "{line}: {:?} {said}", output.status);
        commands.extend(words.next());
    }
    for command in ["check", "classes", "compare", "lattice", "anonymize"] {
        assert!(commands.contains(&command), "{command} is not in {list}");
    }
    assert!(list.contains(" -o out/"), "{list}");
    assert!(folder.join("out/to-keep/out.report.html").is_file());
    // The reports have the day, which may have changed.
    for (one, other) in by_window.iter().zip(sent()).take(2) {
        assert_eq!(*one, other);
    }
    let without_day = |page: &str| {
        let days = page.split(|character: char| !(character.is_ascii_digit() || character == '-'));
        days.filter(|word| word.len() == 10 && word.starts_with("20"))
            .fold(page.to_owned(), |text, day| text.replace(day, ""))
    };
    assert_eq!(without_day(&by_window[2]), without_day(&sent()[2]));
}
