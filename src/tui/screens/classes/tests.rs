//! The classes as they are seen.

use crate::tui::testing::snapshots;

#[test]
fn the_classes_and_one_explained() {
    snapshots("screens/classes", "classes", "clinic/clinic.toml", "lll2jj");
    snapshots(
        "screens/classes",
        "classes-filtered",
        "clinic/clinic.toml",
        "lll2fover presence<lt>.5<Enter>oo",
    );
}
