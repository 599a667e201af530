//! Decisions survive on the workbench: another reading of the project, `w`, a sitting that is begun anew, and a restart.

use std::fs;
use std::path::PathBuf;

use palmtop_release::caution::Caution;
use palmtop_release::history::{self, Reason, SittingFile};
use palmtop_release::pipeline::Overrides;
use tempfile::TempDir;

use crate::kit::terminal::Keeper as _;
use crate::testing::{Bench, paper_to_edit};

const GIVEN: &str = "two in three is usual here";

/// The paper's project in its own folder, with a history beside it.
fn kept() -> (TempDir, PathBuf, Bench) {
    let (folder, mut bench) = paper_to_edit();
    let project = folder.path().join("paper.toml");
    bench.app.opening.home = Some(project.clone());
    edit(&project, "[delta]\n", "# ours\n[delta]\n");
    bench.keys(":reload<Enter>");
    (folder, project, bench)
}

fn edit(project: &PathBuf, from: &str, to: &str) {
    let text = fs::read_to_string(project).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(project, text.replace(from, to)).unwrap();
}

/// The names of the cautions of the window of an export.
fn listed(bench: &mut Bench) -> Vec<String> {
    bench.keys("<Esc><Esc>e");
    let judged = bench.dialog().counted.as_ref().unwrap().as_ref().unwrap();
    let names = judged.cautions.iter().map(Caution::name).collect();
    bench.keys("<Esc>");
    names
}

#[track_caller]
fn is_justified(bench: &mut Bench) -> bool {
    let listed = listed(bench);
    let here = bench.keys("!").shared().cautions_here().unwrap().unwrap().cautions;
    bench.keys("<Esc>");
    let here: Vec<String> = here.iter().map(Caution::name).collect();
    assert_eq!(listed, here, "the window and the list");
    !listed.contains(&"unjustified_delta".to_owned())
}

// holds: Decisions survive
#[test]
fn a_typed_reason_survives_reading_and_restart() {
    let (_folder, project, mut bench) = kept();
    assert!(!is_justified(&mut bench));
    // No search has fixed δ yet.
    bench.keys(&format!("d<Home><Enter><^U>3/4<Enter>jjjjjjj<Enter><^U>{GIVEN}<Enter>:policy.try<Enter>"));
    assert!(is_justified(&mut bench));
    edit(&project, "# ours\n", "# theirs\n");
    bench.keys(":reload<Enter>");
    assert_eq!(bench.shared().delta().max().to_string(), "3/4");
    assert!(is_justified(&mut bench));
    // The reason is for its δ alone.
    bench.keys("4<Home><Enter><^U>2/3<Enter>:policy.try<Enter>");
    assert!(!is_justified(&mut bench));
    bench.keys("4<Home><Enter><^U>3/4<Enter>:policy.try<Enter>");
    assert!(is_justified(&mut bench));
    bench.shared().saver.flush();
    let (file, sitting) = SittingFile::newest(&project).unwrap().unwrap();
    let mut again = Bench::loading(&project, Overrides::default());
    again.app.opening.home = Some(project);
    again.app.opening.resumed = Some((file, sitting));
    again.load();
    again.settle();
    assert!(is_justified(&mut again));
    again.app.begin_anew("another colleague wants to look").unwrap();
    again.settle();
    again.keys("4<Home><Enter><^U>3/4<Enter>:policy.try<Enter>");
    assert!(is_justified(&mut again));
}

// holds: Decisions survive
#[test]
fn grounds_survive_the_way_into_the_project() {
    let (_folder, project, mut bench) = kept();
    bench.keys(&format!("d<Home><Enter><^U>3/4<Enter>jjjjjjj<Enter><^U>{GIVEN}<Enter>w"));
    assert!(is_justified(&mut bench));
    edit(&project, "# ours\n", "# theirs\n");
    bench.keys(":reload<Enter>");
    assert!(is_justified(&mut bench));
    // A δ that only the file changed has no reason, and none is invented.
    bench.keys("3r<Enter><Esc>");
    edit(&project, &format!("reason = \"{GIVEN}\"\n"), "");
    edit(&project, "\"3/4\"", "\"4/5\"");
    bench.keys(":reload<Enter>");
    let list = listed(&mut bench);
    for name in ["unjustified_delta", "changed_delta"] {
        assert!(list.contains(&name.to_owned()), "{list:?}");
    }
    let decided = bench.shared().log.decisions().last().unwrap().clone();
    assert_eq!(decided.words(), "changed in the project file, no reason given");
}

// holds: Decisions survive
#[test]
fn an_accepted_caution_is_not_asked_twice() {
    let (folder, project, mut bench) = kept();
    let write = |bench: &mut Bench, name: &str| {
        bench.keys("e<Tab><^U>").paste(folder.path().join(name).to_str().unwrap());
        bench.keys("<Enter>");
        let asked = bench.dialog().unanswered();
        for _ in 0..asked {
            bench.keys("w<Enter>all of them agreed to it<Enter>");
        }
        bench.keys("w");
        assert!(bench.dialog().is_written(), "{:?}", bench.dialog().stage);
        bench.keys("<Esc>").shared().saver.flush();
        asked
    };
    assert_eq!(write(&mut bench, "a.csv"), 2, "the broken policy, and who is certain");
    bench.app.begin_anew("another colleague wants to look").unwrap();
    bench.settle();
    assert_eq!(write(&mut bench, "b.csv"), 1, "only the broken policy is asked about again");
    let history = history::of_project(&project).unwrap();
    for entry in history.releases() {
        let certain = entry.accepted.iter().find(|accepted| accepted.key == "certain").unwrap();
        assert!(Reason::read(&certain.reason).is_ok(), "{}", entry.file);
    }
    assert_eq!(history.releases().len(), 2);
}
