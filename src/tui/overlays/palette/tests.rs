//! The palette as it is seen.

use crate::tui::testing::snapshots;

#[test]
fn the_palette() {
    snapshots("overlays/palette", "palette", "clinic/clinic.toml", ":re");
}
