//! The steps as they are seen.

use crate::testing::snapshots;

#[test]
fn the_history() {
    snapshots("overlays/history", "history", "clinic/clinic.toml", "lljlB");
}
