//! All input from the terminal: keys, incomplete sequences, pastes, clicks, sizes.

use std::thread;
use std::time::Duration;

use super::harness::{Terminal, size};

#[test]
fn any_size_is_survived() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    terminal.resize(20, 5);
    terminal.wait_for("palmtop needs 60 x");
    for (columns, rows) in [(1, 1), (200, 50)] {
        terminal.resize(columns, rows);
        terminal.keys("jk");
    }
    terminal.wait_for("path");
    terminal.resize(80, 24);
    terminal.wait_until("the layout of 80 columns", |screen| {
        screen.contains("9 of 9 classes") && !screen.contains("path")
    });
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn keys_during_a_resize_are_not_lost() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    for round in 0..60 {
        terminal.resize(80 + round % 2, 24);
        terminal.keys(if round % 2 == 0 { "?" } else { "\x1b" });
        terminal.wait_until("the list", |screen| screen.contains(" here: ") == (round % 2 == 0));
    }
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn no_size_that_a_terminal_claims_ends_it() {
    for (claimed, drawn) in [
        ((65_535, 65_535), (1_000, 500)),
        ((0, 0), (80, 24)),
        ((65_535, 20), (1_000, 20)),
        ((70, 65_535), (70, 500)),
    ] {
        let mut terminal = Terminal::spawn_sized(
            [size(claimed.0, claimed.1), size(drawn.0, drawn.1)],
            tempfile::tempdir().unwrap(),
            env!("CARGO_BIN_EXE_palmtop"),
            &["@paper"],
            &[],
        );
        terminal.wait_for("classes fail");
        terminal.resize(80, 24);
        terminal.wait_for("[2 Classes]");
        terminal.master.resize(size(claimed.0, claimed.1)).unwrap();
        terminal.keys(":lattice\r");
        terminal.resize(100, 30);
        terminal.wait_until("the layout of 100 columns", |screen| {
            screen.contains("72 nodes")
                && screen.lines().nth(28).is_some_and(|line| line.contains("step 0 of 0"))
        });
        terminal.keys(":workbench\rqy");
        terminal.expect_clean_end(0);
    }
}

/// Sequences without an end.
const UNFINISHED: [&str; 7] =
    ["\x1b[200~", "\x1b[200~half", "\x1b[<0;5;5", "\x1b[?2026;2$y", "\x1b[", "\x1b]11;rgb:00", "\x1b[M"];

#[test]
fn an_interrupt_is_heard_in_an_unfinished_sequence() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    for sequence in UNFINISHED {
        terminal.keys(sequence);
        terminal.keys("\x03");
        terminal.wait_for("Quit palmtop?");
        thread::sleep(Duration::from_millis(300));
        terminal.keys("n");
        terminal.wait_until("no question", |screen| !screen.contains("Quit palmtop?"));
    }
    terminal.keys("\x1b[<0;5\x03");
    terminal.wait_for("Quit palmtop?");
    terminal.keys("y");
    terminal.expect_clean_end(0);
}

#[test]
fn keys_work_after_an_unfinished_escape_sequence() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    for (nth, sequence) in UNFINISHED.iter().enumerate() {
        terminal.keys(sequence);
        // A paste may pause for a second.
        thread::sleep(Duration::from_millis(1_500));
        terminal.keys(if nth % 2 == 0 { "l" } else { "u" });
        terminal.wait_for(if nth % 2 == 0 { "node 1,0,0" } else { "node 0,0,0" });
    }
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}

#[test]
fn escape_sequences_pastes_and_clicks_are_understood() {
    let mut terminal = Terminal::start(&["@paper"]);
    terminal.wait_for("classes fail");
    terminal.keys("\x1b[B");
    terminal.wait_for("▸ age");
    terminal.keys("\x1bOA\x1b[C");
    terminal.wait_for("node 1,0,0");
    terminal.keys("f");
    terminal.wait_for("presence>.4");
    terminal.keys("\x1b[200~private>0\x1b[201~");
    terminal.wait_for("private>0▏");
    terminal.keys("\x1b[H");
    terminal.wait_for("▏private>0");
    terminal.keys("\x1b");
    terminal.wait_for("worst first · 9 ✗ of 9");
    // The second class, at any position on the screen.
    let screen = terminal.screen();
    let row = screen.lines().position(|line| line.starts_with("▹ ")).unwrap() + 2;
    terminal.keys(&format!("\x1b[<0;10;{row}M\x1b[<0;10;{row}m"));
    terminal.wait_until("the cursor on the second class", |screen| {
        screen.lines().nth(row - 1).is_some_and(|line| line.starts_with("▸ "))
    });
    terminal.keys("qy");
    terminal.expect_clean_end(0);
}
