//! The program in a pseudo-terminal: what an analyst types and sees, and the state that remains.
#![cfg(unix)]

mod commands;
mod harness;
mod input;
mod proposal;

use crate::support;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::Duration;

use portable_pty::native_pty_system;
use tempfile::TempDir;

use harness::{Terminal, size};

fn count(haystack: &[u8], needle: &[u8]) -> usize {
    haystack.windows(needle.len()).filter(|window| *window == needle).count()
}

fn verify(project: &str, release: &Path) -> i32 {
    let program = env!("CARGO_BIN_EXE_palmtop");
    Command::new(program).args(["verify", project]).arg(release).output().unwrap().status.code().unwrap()
}

#[test]
fn from_the_practice_project_to_a_verified_export() {
    let mut terminal = Terminal::start(&[]);
    terminal.wait_for("A town");
    terminal.wait_for("classes fail");
    terminal.wait_for("node 0,0,0,0,0,0");
    terminal.keys("ll");
    terminal.wait_for("node 2,0,0,0,0,0");
    terminal.keys("jl");
    terminal.wait_for("node 2,1,0,0,0,0");
    terminal.keys("u");
    terminal.wait_for("node 2,0,0,0,0,0");
    terminal.keys("U");
    terminal.wait_for("node 2,1,0,0,0,0");
    terminal.keys("3");
    terminal.wait_for("▸ simulatable");
    terminal.keys("jjjl");
    terminal.wait_for("─ n2 ─");
    terminal.keys("r");
    terminal.wait_for("n2 ended");
    terminal.wait_for(".169");
    terminal.keys("p\x1b[F"); // End
    terminal.wait_for("▸ 2,1,0,0,0,0");
    terminal.wait_for("─ compared ─");
    terminal.keys("kkkl");
    terminal.wait_for("─ n2 ─");
    terminal.keys("e");
    terminal.wait_for("write the release");
    terminal.wait_for("characters)");
    terminal.wait_for("1 of ");
    terminal.keys("$");
    terminal.wait_for("palmtop anonymize @clinic --strategy n2");
    terminal.keys("\x1b");
    terminal.wait_for("before you sign");
    let target = terminal.path("release/to-send/release.csv");
    terminal.keys("\t\x15release.csv\r");
    terminal.wait_for("to         release.csv");
    terminal.keys("w\r");
    terminal.wait_for("also knows palmtop");
    terminal.keys("yw");
    terminal.wait_for("800 rows written and verified: presence 0 % to 10 %");
    terminal.keys("\r");
    terminal.keys("q");
    terminal.wait_for("─ step");
    terminal.keys("q");
    terminal.wait_for("Quit palmtop?");
    terminal.keys("y");
    terminal.expect_clean_end(0);
    assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 801);
    assert_eq!(verify("@clinic", &target), 0);
}

#[test]
fn keys_faster_than_counting_are_not_lost() {
    let mut terminal = Terminal::start(&[]);
    terminal.wait_for("classes fail");
    terminal.wait_for("node 0,0,0,0,0,0");
    terminal.keys("lllpjllpl3");
    terminal.wait_for("─ releases");
    terminal.wait_until("both pins among the releases", |screen| {
        [" ●3,0,0,0,0,0 ", " ●3,2,0,0,0,0 ", "  3,3,0,0,0,0 "].iter().all(|row| screen.contains(row))
    });
    terminal.keys("qqy");
    terminal.expect_clean_end(0);
}

#[test]
fn breaking_delta_or_overwriting_needs_confirmation() {
    let mut terminal = Terminal::start(&["@paper"]);
    fs::write(terminal.path("paper-release.csv"), "mine").unwrap();
    terminal.wait_for("classes fail");
    terminal.keys("e");
    terminal.wait_for("✗ NOT δ-present");
    terminal.wait_for("2 of ");
    // Without boxes, a file is written.
    terminal.keys("\t\t \t \t \tw\r");
    terminal.wait_for("least 3 words, Enter:");
    terminal.keys("present\r");
    terminal.wait_for("present▏");
    terminal.keys("\x15all of them agreed to it\r\r");
    terminal.wait_for("choose a coarser release that keeps δ");
    terminal.keys("the register is of one region\rw");
    terminal.wait_for("This file exists. y replaces it");
    assert_eq!(fs::read_to_string(terminal.path("paper-release.csv")).unwrap(), "mine");
    terminal.keys("y");
    terminal.wait_for("5 rows written and verified: presence 0 % to 100 %");
    assert_eq!(verify("@paper", &terminal.path("paper-release.csv")), 3);
    terminal.keys(" \x03");
    terminal.wait_for("Quit palmtop?");
    terminal.keys("y");
    terminal.expect_clean_end(0);
}

#[test]
fn a_signal_gives_the_terminal_back() {
    for (signal, code) in [("TERM", 143), ("HUP", 129), ("INT", 130), ("USR1", 138), ("XCPU", 152)] {
        let mut terminal = Terminal::start(&["@paper"]);
        terminal.wait_for("classes fail");
        terminal.signal(signal);
        terminal.expect_clean_end(code);
    }
}

#[test]
fn a_terminal_that_goes_away_ends_the_program() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    let tmp = terminal.path("tmp");
    let Terminal { folder, child, master, writer, seen } = &mut terminal;
    let _ = (folder, seen);
    *writer = Box::new(std::io::sink());
    *master = native_pty_system().openpty(size(80, 24)).unwrap().master;
    // The reader thread has a copy of the master, so the test sends the hangup that the kernel
    // would send.
    let process = child.process_id().unwrap().to_string();
    assert!(Command::new("kill").args(["-HUP", &process]).status().unwrap().success());
    assert_eq!(terminal.exit().exit_code(), 129);
    assert_eq!(fs::read_dir(tmp).unwrap().count(), 0);
}

/// Whether a project's folder has something without a name.
fn has_unnamed(folder: &Path) -> bool {
    fs::read_dir(folder)
        .unwrap()
        .any(|entry| entry.unwrap().file_name().to_string_lossy().starts_with(".palmtop-"))
}

// holds: All or none
#[test]
fn a_killed_window_leaves_no_partial_package() {
    for signal in ["KILL", "HUP"] {
        let folder = support::copies(&["sample-data/clinic", "hierarchies"]);
        let project = "sample-data/clinic/clinic.toml";
        let mut terminal = Terminal::start_in(folder, &[project]);
        terminal.wait_for("node 0,0,0,0,0,0");
        terminal.keys("3jjjl");
        terminal.wait_for("─ n2 ─");
        terminal.keys("r");
        terminal.wait_for("n2 ended");
        terminal.keys("e");
        terminal.wait_for("characters)");
        terminal.keys("\t\x15sample-data/clinic/out.csv\rw\r");
        terminal.wait_for("also knows palmtop");
        terminal.keys("yw");
        let at = terminal.path("sample-data/clinic");
        while !has_unnamed(&at) && !at.join("out").exists() {
            thread::sleep(Duration::from_millis(1));
        }
        terminal.signal(signal);
        terminal.exit();
        let is_there = at.join("out").exists();
        let files = |name: &str| support::names(&at.join("out").join(name));
        assert!(!is_there || (files("to-send").len(), files("to-keep").len()) == (3, 1), "{signal}");
        assert!(signal == "KILL" || !has_unnamed(&at), "{signal}");
        let Terminal { folder, .. } = terminal;
        let mut next = Terminal::start_in(folder, &[project]);
        next.wait_until("the next start", |screen| {
            screen.contains("sitting of this project") || screen.contains("─ step")
        });
        assert!(!has_unnamed(&at), "{signal}");
        next.signal("TERM");
        next.expect_clean_end(143);
    }
}

#[test]
fn an_unloadable_project_leaves_a_restored_terminal() {
    let mut terminal = Terminal::start(&["nowhere.toml"]);
    terminal.wait_for("palmtop: cannot read project nowhere.toml: No such file or directory");
    terminal.expect_clean_end(1);
}

#[test]
fn idle_writes_nothing_a_key_writes_one_frame() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    terminal.wait_idle();
    let before = terminal.raw().len();
    thread::sleep(Duration::from_secs(2));
    assert_eq!(terminal.raw().len(), before, "idle for two seconds");
    terminal.keys("j");
    terminal.wait_until("the cursor on age", |screen| screen.contains("▸ age"));
    thread::sleep(Duration::from_millis(200));
    let frame = terminal.raw().split_off(before);
    assert_eq!((count(&frame, b"\x1b[?2026h"), count(&frame, b"\x1b[?2026l")), (1, 1));
    assert!(frame.len() < 8_192, "{} bytes for a step", frame.len());
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn suspending_returns_the_terminal_continuing_takes_it_back() {
    // A shell with job control is the parent. Without it, the system does not stop a process that
    // no process could continue.
    let script = "set -m; \"$0\" @paper; echo SUSPENDED; until [ -e go ]; do sleep 0.05; done; fg >/dev/null";
    let mut terminal = Terminal::spawn(
        tempfile::tempdir().unwrap(),
        "bash",
        &["-c", script, env!("CARGO_BIN_EXE_palmtop")],
        &[],
    );
    terminal.wait_for("classes fail");
    terminal.wait_idle();
    terminal.keys("\x1a");
    terminal.wait_for("SUSPENDED");
    terminal.wait_restored();
    terminal.resize(100, 30);
    fs::write(terminal.path("go"), "").unwrap();
    terminal.wait_until("the screen at its new size", |screen| {
        screen.lines().next().is_some_and(|line| line.trim_end().ends_with("loss .000") && line.len() > 90)
    });
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

// holds: No control of a terminal
#[test]
fn a_hostile_table_cannot_drive_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let long = "x".repeat(10_000);
    let hostile = ["\x1b[2J\x1b]0;owned\x07", "\u{202e}reversed", "two\nlines", "tab\there", &long, "日本語"];
    let rows: Vec<String> = hostile.iter().map(|cell| format!("\"{cell}\"")).collect();
    fs::write(folder.path().join("p.csv"), format!("word\n{}\n{}\n", rows.join("\n"), rows.join("\n")))
        .unwrap();
    fs::write(folder.path().join("t.csv"), format!("word\n{}\n", rows.join("\n"))).unwrap();
    let lines: Vec<String> = rows.iter().map(|row| format!("{row};*\n")).collect();
    fs::write(folder.path().join("w.csv"), lines.concat()).unwrap();
    let project = "name = \"a\\u001b[31mb\"\n[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n\
                   [[attribute]]\nname = \"word\"\nrole = \"quasi\"\nhierarchy = \"w.csv\"\n";
    fs::write(folder.path().join("h.toml"), project).unwrap();
    let mut terminal = Terminal::start_in(folder, &["h.toml"]);
    terminal.wait_for("keep δ");
    terminal.wait_for("]0;owned");
    terminal.keys("\tjjjj");
    for (keys, heading) in [
        (":classes\rjjj", "classes"),
        (":lattice\r", "coarse"),
        (":hierarchies\rjjj", "quasi-identifiers"),
        (":tables\rv\t\tjj", "as it would be written"),
        (":workbench\r", "─ step"),
    ] {
        terminal.keys(keys);
        terminal.wait_for(heading);
    }
    terminal.keys("e");
    terminal.wait_for("characters)");
    terminal.keys("\x1b");
    terminal.wait_idle();
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(raw.contains("\u{fffd}[2J\u{fffd}]0;owned\u{fffd}"));
    assert!(!raw.contains("\x1b]0;") && !raw.contains("\x1b[31mb") && !raw.contains('\u{202e}'));
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn suspension_without_a_shell_is_refused() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    terminal.wait_idle();
    terminal.keys("\x1a");
    terminal.wait_for("there is no shell above that could continue it");
    terminal.keys("l");
    terminal.wait_for("node 1,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

/// A folder with a copy of the paper's project.
fn paper_copy() -> TempDir {
    support::copies(&["sample-data/paper", "hierarchies"])
}

const PAPER: &str = "sample-data/paper/paper.toml";
const PAPER_HISTORY: &str = "sample-data/paper/paper.history.toml";

#[test]
fn a_lost_connection_leaves_a_repeatable_sitting() {
    let mut terminal = Terminal::start_in(paper_copy(), &[PAPER]);
    terminal.wait_for("classes fail");
    terminal.keys("lll");
    terminal.wait_for("node 3,0,0");
    terminal.keys("3jjjlr");
    terminal.wait_for("n2 ended");
    terminal.keys("lr");
    terminal.wait_for("n3 ended");
    terminal.keys("h\r");
    terminal.wait_for("keep δ");
    terminal.signal("HUP");
    terminal.expect_clean_end(129);
    let saved = fs::read_to_string(terminal.path(PAPER_HISTORY)).unwrap();
    assert!(saved.contains("n2") && !saved.contains("47906"), "{saved}");

    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &[PAPER]);
    terminal.go_on();
    terminal.wait_for("goes on with sitting 1");
    terminal.wait_for("keep δ");
    // A result that is not at the current step is computed again when the analyst requests it, and
    // not before.
    terminal.keys("3jjjll");
    terminal.wait_for("found in an earlier session: r makes it again");
    terminal.keys("r");
    terminal.wait_for("✓ keeps δ");
    terminal.keys("2");
    terminal.keys("e");
    terminal.wait_for("before you sign");
    terminal.keys("$");
    terminal.wait_for("--step 1.");
    terminal.keys("\x1b");
    terminal.wait_for("before you sign");
    terminal.keys("\t\x15one.csv\t \t \t \tw\ryw");
    terminal.wait_for("5 rows written and verified");
    terminal.keys("\r");
    // The export is a step, too.
    terminal.keys("uuu");
    terminal.wait_for("node 2,0,0");
    terminal.keys("UUU");
    terminal.wait_for("keep δ");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
    let replayed = Command::new(env!("CARGO_BIN_EXE_palmtop"))
        .args(["anonymize", PAPER, "--step", "5", "-o", "two.csv"])
        .current_dir(terminal.folder.path())
        .output()
        .unwrap();
    assert!(replayed.status.success(), "{}", String::from_utf8_lossy(&replayed.stderr));
    let read = |name| fs::read(terminal.path(name)).unwrap();
    assert_eq!(read("one.csv"), read("two.csv"));
}

#[test]
fn resuming_says_that_an_input_changed() {
    let mut terminal = Terminal::start_in(paper_copy(), &[PAPER]);
    terminal.wait_for("classes fail");
    terminal.keys("ll");
    terminal.wait_for("node 2,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
    let private = terminal.path("sample-data/paper/private.csv");
    let text = fs::read_to_string(&private).unwrap();
    let shorter: Vec<&str> = text.lines().take(5).collect();
    fs::write(&private, shorter.join("\n") + "\n").unwrap();
    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &[PAPER]);
    terminal.go_on();
    terminal.wait_for("CHANGED SINCE");
    terminal.wait_for("node 2,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn palette_commands_and_filters_work_when_typed() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    terminal.keys(":redo");
    terminal.wait_for("there is nothing to redo");
    terminal.keys("\x15coarser");
    terminal.wait_for("one level coarser");
    terminal.keys("\r");
    terminal.wait_for("node 1,0,0");
    terminal.keys("f");
    terminal.wait_for("presence>.4");
    terminal.keys("private>0\r");
    terminal.wait_for("with private>0");
    terminal.keys("f\x15nowhere:1\r");
    terminal.wait_for("there is no `nowhere` here");
    // Both keys act at any speed. A terminal sends the same bytes for Alt and the letter, but this
    // combination is not a key here.
    terminal.keys("\x1bd");
    terminal.wait_for("advisor");
    terminal.keys("\r\x151\r:policy.try\r");
    terminal.wait_for("δ 50 % to 100 %");
    terminal.keys("u");
    terminal.wait_for("δ 50 % to 2/3");
    terminal.keys("2qy");
    terminal.expect_clean_end(0);
}

/// The paper's project in a terminal. The program breaks at this point.
fn breaking(point: &str) -> Terminal {
    Terminal::spawn(
        paper_copy(),
        env!("CARGO_BIN_EXE_palmtop"),
        &[PAPER],
        &[("PALMTOP_BREAK", point), ("RUST_BACKTRACE", "0")],
    )
}

#[test]
fn a_screen_panic_restores_terminal_and_steps() {
    let mut terminal = breaking("screen");
    terminal.wait_for("classes fail");
    terminal.keys("ll");
    terminal.wait_for("node 2,0,0");
    terminal.keys("?");
    terminal.expect_clean_end(101);
    let text = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(text.contains("an internal error at crates/workbench/src/kit/rehearsal.rs"), "{text}");
    assert!(
        text.contains("Your steps are saved. Continue with palmtop sample-data/paper/paper.toml"),
        "{text}"
    );
    assert!(!text.contains("rehearsed"), "a panic's text may hold rows: {text}");
    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &[PAPER]);
    terminal.go_on();
    terminal.wait_for("node 2,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn a_panicking_job_fails_alone() {
    let mut terminal = breaking("search");
    terminal.wait_for("classes fail");
    terminal.keys("3r");
    terminal.wait_for("simulatable: an internal error stopped it");
    terminal.keys("2l");
    terminal.wait_for("node 1,0,0");
    let text = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(!text.contains("rehearsed"), "a panic's text may hold rows: {text}");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn a_broken_count_is_told_without_waiting() {
    let mut terminal = breaking("view");
    terminal.wait_for("? node 0,0,0 is not counted: an internal error stopped it");
    terminal.keys("l");
    terminal.wait_for("? node 1,0,0 is not counted: an internal error stopped it");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn lattice_and_curve_lead_to_steps() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    terminal.keys(":lattice\r");
    terminal.wait_for("72 nodes");
    terminal.wait_for("best .622");
    terminal.keys(":lattice.best\r");
    terminal.wait_for("the best node");
    terminal.keys("/3,2,*\r");
    terminal.wait_for("node 3,2,2");
    terminal.keys("\r");
    terminal.wait_for("keep δ");
    terminal.wait_for("node 3,2,2");
    terminal.keys("dr");
    terminal.wait_for("at δmax 66.7 %");
    terminal.keys("l+\r");
    terminal.wait_for("not enforced");
    terminal.keys("\rit loses less here\r:policy.try\r");
    terminal.wait_for("goes back");
    terminal.keys("u");
    terminal.wait_for("keep δ");
    terminal.keys("2qy");
    terminal.expect_clean_end(0);
}

#[test]
fn restarting_over_a_saved_sitting_needs_a_reason() {
    let mut terminal = Terminal::start_in(paper_copy(), &[PAPER]);
    terminal.wait_for("classes fail");
    terminal.keys("ll");
    terminal.wait_for("node 2,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
    // A key that answers does nothing else.
    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &[PAPER]);
    terminal.wait_for("The history has a sitting of this project.");
    terminal.keys("l");
    terminal.wait_for("goes on with sitting 1");
    terminal.wait_for("node 2,0,0");
    terminal.keys("l");
    terminal.wait_for("node 3,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
    let sittings = |terminal: &Terminal| {
        fs::read_to_string(terminal.path(PAPER_HISTORY)).unwrap().matches("[[sitting]]").count()
    };
    assert_eq!(sittings(&terminal), 1);
    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &[PAPER]);
    terminal.wait_for("The history has a sitting of this project.");
    terminal.keys("N");
    terminal.keys("x\r");
    terminal.wait_for("is not a reason");
    terminal.keys("\x15the tables were cleaned\r");
    terminal.wait_for("a new sitting begins");
    terminal.keys("l");
    terminal.wait_for("node 1,0,0");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
    let text = fs::read_to_string(terminal.path(PAPER_HISTORY)).unwrap();
    assert!(text.contains("anew = \"the tables were cleaned\""), "{text}");
    assert_eq!(sittings(&terminal), 2);
    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &[PAPER]);
    terminal.go_on();
    terminal.wait_for("goes on with sitting 2");
}

#[test]
fn people_with_several_rows_can_be_exported_interactively() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("p.csv", "who,zip\n1,17000\n2,17001\n3,17000\n3,42000\n4,17001\n4,42000\n5,42000\n"),
        ("t.csv", "who,zip\n1,17000\n3,17000\n3,42000\n"),
        ("zip.csv", "17000,17***,*\n17001,17***,*\n42000,42***,*\n"),
        (
            "visits.toml",
            "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n\
             [[attribute]]\nname = \"who\"\nrole = \"entity\"\n\
             [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n",
        ),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut terminal = Terminal::start_in(folder, &["visits.toml"]);
    terminal.wait_for("✗ 2 of 5 classes fail");
    terminal.keys("l");
    terminal.wait_for("3 classes keep δ: presence 0 % to 50 %");
    terminal.resize(200, 50);
    terminal.wait_for("classes of people");
    terminal.resize(80, 24);
    terminal.keys("e");
    terminal.wait_for("write the release");
    terminal.keys("\t\x15out.csv");
    terminal.wait_for("to         out.csv▏");
    terminal.keys("\t \t \t \tw\r");
    terminal.wait_for("also knows palmtop");
    terminal.keys("yw");
    terminal.wait_for("3 rows written and verified: presence 0 % to 50 %");
    terminal.keys("\rqy");
    terminal.expect_clean_end(0);
    let target = terminal.path("out.csv");
    assert_eq!(fs::read_to_string(&target).unwrap().lines().count(), 4);
    let project = terminal.path("visits.toml");
    assert_eq!(verify(project.to_str().unwrap(), &target), 0);
    let Terminal { folder, .. } = terminal;
    let mut terminal = Terminal::start_in(folder, &["visits.toml"]);
    terminal.go_on();
    terminal.wait_for("node 1");
    terminal.wait_for("3 classes keep δ");
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}
