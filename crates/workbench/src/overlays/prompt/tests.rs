//! The line as it is seen.

use crate::testing::snapshots;

#[test]
fn a_line_with_a_mistake() {
    snapshots("overlays/prompt", "prompt-wrong", "clinic/clinic.toml", "f<^U>nowhere:1<Enter>");
}
