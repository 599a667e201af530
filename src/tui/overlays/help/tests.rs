//! The help as it is seen.

use crate::tui::testing::snapshots;

#[test]
fn the_help() {
    snapshots("overlays/help", "help", "paper/paper.toml", "?");
}
