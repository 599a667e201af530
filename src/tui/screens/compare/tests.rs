//! The comparison as it is seen.

use crate::tui::testing::snapshots;

#[test]
fn the_comparison() {
    snapshots("screens/compare", "compare-alone", "paper/paper.toml", "c");
    snapshots("screens/compare", "compare", "clinic/clinic.toml", "saclll");
}
