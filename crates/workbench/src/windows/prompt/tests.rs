//! The line as it is seen.

use crate::testing::snapshots;

#[test]
fn a_line_with_a_mistake() {
    snapshots("windows/prompt", "prompt-wrong", "clinic/clinic.toml", "f<^U>nowhere:1<Enter>");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["fover zip:4"]);
}
