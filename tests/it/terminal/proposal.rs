//! From two raw files to a verified export in one terminal: a project is proposed, inspected,
//! changed, written and opened.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::harness::Terminal;

/// P, and T with blanks around a value. The dates of both tables are ambiguous.
fn raw_tables(folder: &Path) {
    let mut public = "age,zip,sex,born\n".to_owned();
    let mut private = "patient,age,zip,sex,born,diagnosis\n".to_owned();
    for row in 0..320 {
        let age = 20 + row * 7 % 50;
        let zip = ["08913", "08914", "10207", "10208", "10310"][row % 5];
        let sex = ["female", "male"][row / 5 % 2];
        let born = format!("{:02}/{:02}/{}", 1 + row % 12, 1 + row * 5 % 12, 1950 + row % 40);
        public.push_str(&format!("{age},{zip},{sex},{born}\n"));
        if row % 8 == 0 {
            private.push_str(&format!("P-{row},{age},{zip}, {sex} ,{born},d{}\n", row / 8 % 4));
        }
    }
    fs::write(folder.join("p.csv"), public).unwrap();
    fs::write(folder.join("t.csv"), private).unwrap();
}

fn started(arguments: &[&str]) -> Terminal {
    let folder: TempDir = tempfile::tempdir().unwrap();
    raw_tables(folder.path());
    Terminal::start_in(folder, arguments)
}

/// Groups the two lowest ages on the screen of hierarchies, undoes and redoes this, and saves. The
/// project names the new file and is loaded again.
fn mend_a_hierarchy(terminal: &mut Terminal) {
    terminal.keys(":hierarchies\r");
    terminal.wait_for("─ quasi-identifiers");
    terminal.keys("j j ");
    terminal.wait_for("2 marked");
    terminal.keys("\r2");
    terminal.wait_for("a name for the marked labels");
    terminal.keys("\x15young\r");
    terminal.wait_for("grouped as young");
    terminal.wait_for("1 change, not saved");
    terminal.keys("u");
    terminal.wait_for("◆ level 0 of 1");
    terminal.keys("U");
    terminal.wait_for("1 change, not saved");
    terminal.keys("w");
    terminal.wait_for("save as");
    terminal.keys("\r");
    terminal.wait_for("saved study-hierarchies/age-edited");
    // The project is read again; its sentence is wider than 80 columns.
    terminal.resize(200, 24);
    terminal.wait_for("begins anew");
    terminal.resize(80, 24);
    let project = fs::read_to_string(terminal.path("study.toml")).unwrap();
    assert!(project.contains("hierarchy = \"study-hierarchies/age-edited"), "{project}");
}

/// Changes the hierarchy of `age` on the proposal: a computed one replaces the one that was found.
fn choose_a_hierarchy(terminal: &mut Terminal) {
    terminal.keys("\x1b[H"); // Home
    terminal.wait_for("─ patient ─");
    terminal.keys("j");
    terminal.wait_for("─ age ─");
    terminal.keys(":proposal.hierarchy\r");
    terminal.wait_for("age: hierarchy: Enter takes it");
    terminal.wait_for("✓ now");
    terminal.keys("\x1b[F"); // End
    terminal.wait_until("the last choice", |screen| {
        screen.lines().any(|line| line.contains('▸') && line.contains("built: the value, then *"))
    });
    terminal.keys("\r");
    terminal.wait_for("changed: age: hierarchy");
}

#[test]
fn from_two_raw_files_to_a_verified_export() {
    let mut terminal = started(&["--public", "p.csv", "--private", "t.csv"]);
    terminal.wait_for("new project   T t.csv 40   P p.csv 320");
    // The patient's number and the diagnosis are in T only, the dates are ambiguous, and δ is
    // undecided.
    terminal.wait_for("4 of 8 done");
    terminal.keys("n");
    terminal.wait_for("No day is above 12");
    terminal.keys("2");
    terminal.wait_for("changed: born: form");
    terminal.wait_for("─ diagnosis ─");
    terminal.keys("\r");
    terminal.wait_for("6 of 8 done");
    choose_a_hierarchy(&mut terminal);
    terminal.keys("w");
    terminal.wait_for("to be written, then opened");
    terminal.wait_for("2 questions are open");
    terminal.keys("\x15study.toml");
    terminal.wait_for("study.toml▏");
    terminal.keys("\r");
    terminal.wait_for("study.toml is written");
    terminal.wait_for("classes fail");
    let project = terminal.path("study.toml");
    let written = fs::read_to_string(&project).unwrap();
    assert!(written.contains("date = \"%m/%d/%Y\"") && written.contains("trim = true"), "{written}");
    let hierarchy = fs::read_to_string(terminal.path("study-hierarchies/age.toml")).unwrap();
    assert_eq!(hierarchy, "type = \"flat\"\n");
    mend_a_hierarchy(&mut terminal);
    terminal.keys("3");
    terminal.wait_for("▸ simulatable");
    terminal.keys("jjjl");
    terminal.wait_for("─ n2 ─");
    terminal.keys("r");
    terminal.wait_for("n2 ended");
    terminal.keys("e");
    terminal.wait_for("write the release");
    terminal.keys("\t\x15release.csv");
    terminal.wait_for("release.csv▏");
    terminal.keys("\rw\r");
    terminal.wait_for("also knows palmtop");
    terminal.keys("yw");
    terminal.wait_for("40 rows written and verified");
    terminal.keys("\rq");
    terminal.wait_for("─ step");
    terminal.keys("q");
    terminal.wait_for("Quit palmtop?");
    terminal.keys("y");
    terminal.expect_clean_end(0);
    let program = env!("CARGO_BIN_EXE_palmtop");
    let verified = Command::new(program)
        .arg("verify")
        .args([project, terminal.path("release/to-send/release.csv")])
        .output();
    let verified = verified.unwrap();
    assert_eq!(verified.status.code(), Some(0), "{}", String::from_utf8_lossy(&verified.stderr));
}

/// Raw files to a package: what is proposed is accepted, one order of day and month is said, a search runs.
#[test]
fn raw_files_become_a_package_in_sixty_keys() {
    let mut terminal = started(&["--public", "p.csv", "--private", "t.csv"]);
    let mut count = 0;
    let mut press = |terminal: &mut Terminal, keys: &str, then: &str| {
        count += keys.chars().count();
        terminal.keys(keys);
        terminal.wait_for(then);
    };
    terminal.wait_for("4 of 8 done");
    press(&mut terminal, "n", "No day is above 12");
    press(&mut terminal, "2", "─ diagnosis ─");
    press(&mut terminal, "\r", "6 of 8 done");
    press(&mut terminal, "n\r", "7 of 8 done");
    press(&mut terminal, "n\r", "8 of 8 done");
    press(&mut terminal, "w", "to be written, then opened");
    press(&mut terminal, "\r", "classes fail");
    press(&mut terminal, "3", "▸ simulatable");
    press(&mut terminal, "r", "simulatable ended");
    press(&mut terminal, "e", "Enter opens one");
    press(&mut terminal, "w", "40 rows written and verified");
    press(&mut terminal, "\r5", "✓ verified");
    assert!(count <= 60, "{count} keys");
    let report = terminal.path("project-release/to-keep/project-release.report.html");
    let report = fs::read_to_string(report).unwrap();
    assert!(!report.contains("Another sitting"), "the sitting that made it is no other one");
}

#[test]
fn a_bare_table_is_offered_a_project() {
    let mut terminal = started(&["p.csv"]);
    terminal.wait_for("p.csv is a table, not a project");
    terminal.keys("1");
    terminal.wait_for("the path of T");
    terminal.keys("t.c\t");
    terminal.wait_for("t.csv▏");
    terminal.keys("\r");
    terminal.wait_for("new project   T t.csv 40   P p.csv 320");
    terminal.wait_for("4 of 8 done");
    terminal.keys("q");
    terminal.wait_for("Quit palmtop?");
    terminal.keys("y");
    terminal.expect_clean_end(0);
}

#[test]
fn two_bare_tables_are_t_and_p() {
    let mut terminal = started(&["t.csv", "p.csv"]);
    terminal.wait_for("new project   T t.csv 40   P p.csv 320");
    terminal.keys("q");
    terminal.wait_for("Quit palmtop?");
    terminal.keys("y");
    terminal.expect_clean_end(0);
}

/// `init` asks for the role of each column that only T has. `v` shows three of its values, on the
/// terminal only.
#[test]
fn init_asks_about_every_column_of_t() {
    let arguments = ["init", "--public", "p.csv", "--private", "t.csv", "-o", "study.toml"];
    let mut terminal = started(&arguments);
    terminal.wait_for("never publish it: each value is one person");
    assert!(!terminal.screen().contains("P-16"), "{}", terminal.screen());
    terminal.keys("v\n");
    terminal.wait_for("P-0 | P-8 | P-16");
    // The patient's number is withheld, the day precedes the month, the diagnosis is withheld, and
    // δ does not change.
    terminal.keys("\n\n\n\n");
    terminal.wait_for("study.toml: written");
    terminal.wait_for("next: read study.toml");
    assert_eq!(terminal.exit().exit_code(), 0);
    let written = fs::read_to_string(terminal.path("study.toml")).unwrap();
    assert!(written.contains("role = \"withheld\"") && !written.contains("undecided"), "{written}");
    assert!(!written.contains("P-16"), "{written}");
}
