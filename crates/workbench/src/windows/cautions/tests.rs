//! The list of cautions, and the line that leads to it.

use crate::shared::view::recipe_name;
use crate::testing::{Bench, snapshots};
use crate::windows::cautions::state::CautionList;
use crate::windows::cautions::state::Subject;

#[test]
fn the_summary_line_counts_the_listed_cautions() {
    for (width, height) in [(80, 24), (200, 50)] {
        let mut bench = Bench::paper();
        bench.keys("3r<Enter>");
        let screen = bench.screen(width, height);
        let shown = bench.shared().cautions_here().expect("they are counted").unwrap();
        assert!(shown.cautions.iter().any(|caution| caution.name() == "weak_delta"), "δmax is 2/3");
        assert!(screen.contains(&format!("! {}", shown.cautions.len())), "{screen}");
        let pages: String = (0..10)
            .map(|nth| bench.keys(if nth == 0 { "!" } else { "<PgDn>" }).screen(width, height))
            .collect();
        let is_shown = |text: &str| pages.contains(text);
        for caution in &shown.cautions {
            assert!(is_shown(&caution.name()), "{}: {pages}", caution.name());
            let start: String = caution.sentence.chars().take(30).collect();
            let remedy: String = caution.remedy.chars().take(30).collect();
            assert!(is_shown(&start) && is_shown(&format!("→ {remedy}")), "{}: {pages}", caution.name());
        }
    }
}

#[test]
fn cautions_follow_each_step_or_say_why_not() {
    let mut bench = Bench::clinic();
    assert!(bench.screen(80, 24).contains("! 2"), "{}", bench.screen(80, 24));
    let before = bench.shared().cautions_here().unwrap().unwrap().headline;
    assert_eq!(before, None, "a place that breaks δ is not counted before somebody asks");
    let headline = bench.keys("!").shared().cautions_here().unwrap().unwrap().headline.unwrap();
    assert!(headline.contains("δ is broken"), "{headline}");
    let mut broken = Bench::paper();
    broken.break_jobs(&["cautions"]);
    let screen = broken.keys("3r<Enter>!").screen(80, 24);
    assert!(screen.contains("They cannot be counted: an internal error"), "{screen}");
}

/// On a screen with several releases, `C` and an export are of the same one, and both name it.
#[test]
fn cautions_and_export_concern_the_selected_release() {
    let mut bench = Bench::paper();
    bench.keys("3r<Enter>jj3");
    bench.keys("jr");
    let pointed = bench.chosen().0;
    assert_ne!(pointed, *bench.shared().recipe(), "another release is opened on the workbench");
    bench.keys("!");
    let Some(list) = bench.window::<CautionList>() else { panic!("! lists the cautions") };
    let Subject::Pointed(recipe, release) = &list.subject else { panic!("of the one under the cursor") };
    assert_eq!(*recipe, pointed);
    let shown = bench.shared().cautions_of(Some((recipe, release))).unwrap().unwrap();
    assert!(shown.headline.is_some(), "its own cautions are counted");
    let name = recipe_name(recipe, bench.shared().delta());
    let screen = bench.screen(200, 50);
    assert!(screen.contains(&format!("{name}: {}", shown.summary())), "{screen}");
    bench.keys("<Esc>e");
    assert_eq!(bench.dialog().recipe, pointed);
    // A search that was not run has no release: both say so.
    bench.keys("<Esc>j");
    bench.keys("e");
    assert!(
        bench.app.windows.is_empty() && bench.app.status.contains("has not been run"),
        "{}",
        bench.app.status
    );
    let screen = bench.keys("!").screen(200, 50);
    assert!(
        screen.contains("No release is under the cursor") && screen.contains("has not been run"),
        "{screen}"
    );
}

#[test]
fn the_cautions_as_they_are_seen() {
    snapshots("windows/cautions", "cautions", "paper/paper.toml", "3r<Enter>!");
}
