//! The steps as they are seen.

use crate::testing::snapshots;

#[test]
fn the_history() {
    snapshots("windows/history", "history", "clinic/clinic.toml", "lljl:history<Enter>");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["lljl:history<Enter>"]);
}
