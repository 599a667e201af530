//! `w` on the screen of δ and the policy: keys in, the project file and the history out.

use std::fs;

use palmtop_release::history::{self, Action};

use crate::kit::terminal::Keeper as _;
use crate::testing::{Bench, paper_to_edit};

/// The paper's project in its own folder, with a history next to it.
fn kept() -> (tempfile::TempDir, Bench) {
    let (folder, mut bench) = paper_to_edit();
    bench.app.opening.home = Some(folder.path().join("paper.toml"));
    let project = folder.path().join("paper.toml");
    let text = fs::read_to_string(&project).unwrap();
    fs::write(&project, format!("# ours\n{text}\n[policy]\nk = 2\n")).unwrap();
    bench.keys(":reload<Enter>");
    (folder, bench)
}

#[test]
fn writing_delta_after_a_search_needs_a_reason() {
    let (folder, mut bench) = kept();
    let project = folder.path().join("paper.toml");
    let text = || fs::read_to_string(&project).unwrap();
    let before = text();

    // Without a search, no reason is asked for.
    bench.keys("4<Enter><^U>3/4<Enter>w");
    let written = before.replace("max = \"2/3\"", "max = \"3/4\"");
    assert_ne!(written, before);
    assert_eq!(text(), written, "every other line stays as it is");
    assert!(bench.app.status.contains("delta.max written into "), "{}", bench.app.status);
    bench.keys("w");
    assert_eq!(bench.app.status, "the project file has all of this already");

    // A search fixes δ. Another δ then needs a reason that is a sentence.
    bench.keys("<Esc>3jjjlr4");
    for (keys, why) in [
        ("<Home><Enter><^U>4/5<Enter>w", "reason: a reason is missing"),
        ("<Enter>x<Enter>", "at least 3 words and 10 letters"),
        ("<Esc>w", "reason: a reason is missing"),
        ("<Home><Enter><^U>flu<Enter>", "invalid δmax `flu`"),
    ] {
        let screen = bench.keys(keys).screen(120, 30);
        assert!(screen.contains(why), "{keys}: {screen}");
        assert_eq!(text(), written, "{keys}");
        assert_eq!(bench.shared().delta().max().to_string(), "3/4", "{keys}");
    }
    bench.keys("<^U>4/5<Enter>jjjjjjj<Enter><^U>one in ten is usual here<Enter>w");
    let reason = "reason = \"one in ten is usual here\"\n";
    assert_eq!(text().replace(reason, ""), written.replace("\"3/4\"", "\"4/5\""));
    assert!(text().contains(&format!("max = \"4/5\"\n{reason}")), "{}", text());
    assert_eq!(bench.shared().delta().max().to_string(), "4/5");

    bench.shared().saver.flush();
    let why = "; it goes on as sitting 3, because its inputs are other ones now";
    assert!(bench.app.status.contains(why), "{}", bench.app.status);
    // The project is another file now, so another sitting goes on, with all steps.
    let sittings = history::of_project(&project).unwrap().sittings;
    let log = sittings.last().unwrap();
    let steps: Vec<&Action> = log.steps().iter().map(|step| &step.action).collect();
    let into_project = steps.iter().filter(|how| ***how == Action::IntoProject).count();
    assert_eq!(into_project, 2, "{steps:?}");
    assert_eq!(log.steps()[log.current()].delta, bench.shared().delta());
    assert_eq!(log.reason_of(bench.shared().delta()).as_deref(), Some("one in ten is usual here"));
}

#[test]
fn unwritable_project_stays_unchanged_with_the_reason_shown() {
    let (folder, mut bench) = kept();
    let project = folder.path().join("paper.toml");
    let edited = fs::read_to_string(&project).unwrap().replace("# ours", "# theirs");
    fs::write(&project, &edited).unwrap();
    let screen = bench.keys("4<Enter><^U>3/4<Enter>w").screen(80, 24);
    assert!(screen.contains("the project was not written"), "{screen}");
    assert_eq!(fs::read_to_string(&project).unwrap(), edited);

    // A built-in project has no file that could be written.
    let mut bench = Bench::paper();
    bench.keys("4<Enter><^U>3/4<Enter>w");
    assert!(bench.app.status.contains("a built-in project is not written"), "{}", bench.app.status);
    assert_eq!(bench.shared().delta().max().to_string(), "2/3");
}
