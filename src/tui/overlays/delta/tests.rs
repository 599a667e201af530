//! The dialog as it is seen.

use crate::tui::testing::snapshots;

#[test]
fn delta_at_hand() {
    snapshots("overlays/delta", "delta", "clinic/clinic.toml", "lld<Tab>0.07<Tab>0.01");
}
