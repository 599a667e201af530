//! The window of the audit: what it says, and who knows of it afterwards.

use crate::testing::{Bench, snapshots};
use crate::windows::audit::state::AuditWindow;
use crate::windows::audit::state::Stage;

#[test]
fn the_audit_of_n2() {
    snapshots("windows/audit", "audit", "paper/paper.toml", "3jjjlr:audit<Enter>");
}

#[test]
fn an_audit_finding_shows_in_the_export() {
    let mut bench = Bench::paper();
    bench.keys("3jjjlr:audit<Enter>");
    let Some(window) = bench.window::<AuditWindow>() else { panic!("no window") };
    assert!(matches!(window.stage, Stage::Done(_)), "{}", bench.screen(80, 24));
    assert!(bench.screen(80, 24).contains("every possible T was run"), "{}", bench.screen(80, 24));
    assert!(bench.keys("q").app.windows.is_empty());
    bench.keys("e");
    let screen = bench.screen(100, 40);
    assert!(screen.contains("audited: "), "{screen}");
}

#[test]
fn a_node_by_hand_cannot_be_audited() {
    let mut bench = Bench::paper();
    bench.keys(":audit<Enter>");
    assert!(bench.app.windows.is_empty());
    assert!(bench.app.status.contains("no search did"), "{}", bench.app.status);
}
