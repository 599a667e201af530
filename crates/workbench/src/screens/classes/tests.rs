//! The classes as they are seen.

use crate::testing::{Bench, ascii_snapshot, snapshots};

#[test]
fn the_classes_and_one_explained() {
    snapshots("screens/classes", "classes", "clinic/clinic.toml", "lll:classes<Enter>jj");
    ascii_snapshot("screens/classes", "classes-ascii", "clinic/clinic.toml", "lll:classes<Enter>jj");
    snapshots(
        "screens/classes",
        "classes-filtered",
        "clinic/clinic.toml",
        "lll:classes<Enter>fover presence<lt>.5<Enter>oo",
    );
}

#[test]
fn full_class_view_scrolls_to_its_last_line() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("lll:classes<Enter>").screen(80, 24);
    assert!(screen.contains("Tab: show all lines"), "{screen}");
    let cursor = bench.shared().classes.cursor;
    let first = bench.keys("<Tab>").screen(80, 24);
    assert!(first.contains("lines 1 to 9 of ") && first.contains("after one coarser step"), "{first}");
    let second = bench.keys("j").screen(80, 24);
    assert!(second.contains("lines 2 to 10 of "), "{second}");
    let last = bench.keys("<End>j").screen(80, 24);
    assert!(last.contains("members of T among individuals in P"), "{last}");
    assert!(!last.contains("after one coarser step"), "{last}");
    assert_eq!(bench.shared().classes.cursor, cursor, "the table stays where it is");
    bench.keys("<Tab>j").screen(80, 24);
    assert_eq!(bench.shared().classes.cursor, cursor + 1);
    assert!(
        bench.keys("<Tab>").screen(80, 24).contains("lines 1 to 9 of "),
        "another class begins at its beginning"
    );
}

#[test]
fn widened_columns_show_labels_in_full() {
    let mut bench = Bench::clinic();
    let narrow = bench.keys(":classes<Enter>").screen(80, 24);
    let rows = |screen: &str| screen.lines().skip(4).take(6).map(str::to_owned).collect::<Vec<_>>();
    assert!(rows(&narrow).iter().any(|row| row.contains('…')), "{narrow}");
    let wide = bench.keys("m").screen(80, 24);
    assert!(!rows(&wide).iter().any(|row| row.contains('…')), "{wide}");
    assert!(wide.contains("attributes 1–"), "the others are to the right: {wide}");
    let right = bench.keys("lll").screen(80, 24);
    assert!(!rows(&right).iter().any(|row| row.contains('…')), "{right}");
    assert_eq!(bench.keys("hhhm").screen(80, 24), narrow);
}
