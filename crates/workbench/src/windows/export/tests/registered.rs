//! What an export leaves behind: a step, an entry in the history, and a report with it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use palmtop_core::progress::unwatched;
use palmtop_release::caution::Caution;
use palmtop_release::history::{self, Action, Entry};
use palmtop_release::pipeline::{Overrides, Together, reading, together};
use tempfile::TempDir;

use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::terminal::Keeper as _;
use crate::shared::saver::Saver;
use crate::testing::{Bench, sample};
use crate::windows::export::items::{About, Item, Kind};
use crate::windows::export::state::Stage;

/// The paper's project in a folder of the analyst, opened with its history there.
fn open(folder: &TempDir, edit: impl Fn(String) -> String) -> (Bench, PathBuf) {
    let project = folder.path().join("paper.toml");
    for file in ["private.csv", "public.csv", "nationality.toml"] {
        fs::copy(sample("paper").join(file), folder.path().join(file)).unwrap();
    }
    let hierarchies = sample("clinic").join("../../hierarchies").canonicalize().unwrap();
    let text = fs::read_to_string(sample("paper/paper.toml")).unwrap();
    let text = text.replace("../../hierarchies", hierarchies.to_str().unwrap());
    fs::write(&project, edit(text)).unwrap();
    (bench_of(&project), project)
}

fn bench_of(project: &Path) -> Bench {
    let mut bench = Bench::open(project, Overrides::default());
    bench.ready_mut().shared.saver = Saver::start(project, None, Link::new(mpsc::channel().0));
    bench
}

/// Names the file.
fn name(bench: &mut Bench, folder: &TempDir) {
    bench.keys("<Tab><^U>").paste(folder.path().join("out.csv").to_str().unwrap());
    bench.keys("<Enter>");
}

/// Answers what is unanswered, writes, and waits until all is on the disk.
fn export(bench: &mut Bench) {
    answer(bench);
    bench.keys("w");
    assert!(bench.dialog().is_written(), "{:?}", bench.dialog().stage);
    bench.shared().saver.flush();
}

fn answer(bench: &mut Bench) {
    while bench.dialog().unanswered() > 0 {
        bench.keys("w<Enter>");
        let answer = match bench.dialog().opened().and_then(|item| item.answer) {
            Some(Kind::Reason) => "<^U>all of them agreed to it<Enter>".to_owned(),
            Some(Kind::Words(words)) => format!("<^U>{words}<Enter>"),
            _ => "y".to_owned(),
        };
        bench.keys(&answer);
    }
}

fn only_entry(project: &Path) -> Entry {
    let history = history::of_project(project).unwrap();
    assert_eq!(history.releases().len(), 1);
    history.releases()[0].clone()
}

/// The signer's report of the package.
fn report(folder: &TempDir) -> String {
    fs::read_to_string(folder.path().join("out/to-keep/out.report.html")).unwrap()
}

// holds: Exports are recorded
#[test]
fn an_exported_search_is_a_recorded_step() {
    let folder = TempDir::new().unwrap();
    let (mut bench, project) = open(&folder, |text| text);
    // simulatable, then another δ for a reason, then the search again, exported from the screen of searches.
    bench.keys(
        "3r4<Enter><^U>1<Enter>jjjjjjj<Enter><^U>the board asked for more detail<Enter>:policy.try<Enter>3re",
    );
    assert_eq!(bench.shared().log.current(), 1, "the step that changed δ: {:?}", bench.shared().log.steps());
    name(&mut bench, &folder);
    export(&mut bench);
    let log = &bench.shared().log;
    let step = &log.steps()[log.current()];
    assert_eq!(step.action, Action::Exported);
    assert_eq!(step.recoding, bench.dialog().recipe);
    let entry = only_entry(&project);
    assert_eq!((entry.file.as_str(), entry.rows, entry.is_present), ("out/to-send/out.csv", 5, true));
    assert_eq!(entry.highest, Some(bench.dialog().release.achieved.max));
    assert!(entry.loss.is_some_and(|loss| loss > 0.0));
    assert_eq!(entry.recipe.recoding, step.recoding);
    assert_eq!(entry.reason.as_deref(), Some("the board asked for more detail"));
    assert!(entry.changed_inputs(&bench.analysis()).is_empty() && entry.inputs.len() >= 5);
    let (saved, name) = (history::of_project(&project).unwrap(), entry.step.unwrap());
    assert_eq!(saved.sittings[name.sitting].steps()[name.step], *step);
    let page = report(&folder);
    let readers: Vec<&str> = saved.reports.iter().map(|report| report.reader.as_str()).collect();
    assert_eq!(readers, ["signer", "recipient"]);
    assert!(page.contains("the board asked for more detail"), "{page}");
    assert!(page.contains("a second run of the search gives this release"), "{page}");
    assert!(
        !page.contains("no step of the history is known") && !page.contains("How it was made is not known"),
        "{page}"
    );
    assert!(page.contains("this release"), "the step is named: {page}");
}

// holds: Exports are recorded
#[test]
fn an_audit_finding_reaches_history_and_report() {
    let folder = TempDir::new().unwrap();
    let (mut bench, project) = open(&folder, |text| text.replace("min = \"1/2\"", "min = \"0\""));
    bench.keys("3");
    let found = ["", "j", "l", "jl", "ll", "jj", "jjl"].into_iter().find_map(|way| {
        bench.keys(&format!("<Home>{way}r:audit<Enter>"));
        bench.keys("q");
        bench.keys("e");
        let beyond = bench.dialog().release.knows_algorithm().people_beyond();
        let is_found = beyond.is_some_and(|people| people > 0);
        if !is_found {
            bench.keys("<Esc>");
        }
        is_found.then(|| way.to_owned())
    });
    assert!(found.is_some(), "an audit of some search finds somebody");
    name(&mut bench, &folder);
    bench.keys("w<Enter>");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("An audit found "), "{screen}");
    // A yes is not enough, nor is Enter.
    bench.keys("y<Enter>yes<Enter><Esc>");
    assert_eq!(bench.dialog().unanswered(), 1);
    assert!(!folder.path().join("out").exists());
    export(&mut bench);
    let entry = only_entry(&project);
    let audit = entry.audit.unwrap();
    assert!(
        audit.people.is_some_and(|people| people > 0)
            && audit.verdict == "audited"
            && !audit.method.is_empty(),
        "{audit:?}"
    );
    let page = report(&folder);
    assert!(page.contains("an audit found") && !page.contains("not audited"), "{page}");
}

#[test]
fn a_severe_caution_needs_a_written_reason() {
    let folder = TempDir::new().unwrap();
    let (mut bench, project) = open(&folder, |text| text);
    bench.keys("e");
    name(&mut bench, &folder);
    let screen = bench.screen(100, 40);
    assert!(screen.contains("2 of ") && screen.contains("unanswered"), "{screen}");
    bench.keys("w<Enter>the test needs it here<Enter><Enter>");
    assert_eq!(bench.dialog().opened().and_then(|item| item.answer), Some(Kind::Reason));
    for typed in ["<Enter>", "y<Enter>", "<^U>so it is<Enter>"] {
        bench.keys(typed);
        assert!(!folder.path().join("out").exists(), "{typed}");
        assert!(bench.screen(100, 40).contains("reason"), "{}", bench.screen(100, 40));
    }
    bench.keys("<^U>all five agreed in writing<Enter>");
    export(&mut bench);
    let entry = only_entry(&project);
    assert_eq!(entry.accepted[0].key, "not_present");
    let accepted = &entry.accepted[1];
    assert_eq!((accepted.key.as_str(), accepted.reason.as_str()), ("certain", "all five agreed in writing"));
    let line = bench.dialog().command_line();
    assert!(line.contains("--accept 'certain=all five agreed in writing'"), "{line}");
}

#[test]
fn keys_typed_ahead_answer_the_cautions() {
    let folder = TempDir::new().unwrap();
    let (mut bench, _) = open(&folder, |text| text);
    bench.keys("3jjr<Enter>");
    bench.keys_at_once("e<Tab><^U>");
    bench.paste(folder.path().join("out.csv").to_str().unwrap());
    bench.keys_at_once("<Enter>w<Enter>yw");
    bench.settle();
    assert!(matches!(bench.dialog().stage, Stage::Written(_)), "{:?}", bench.dialog().stage);
}

#[test]
fn a_broken_delta_is_never_said_to_hold() {
    let mut bench = Bench::paper();
    bench.keys("e");
    let screen = bench.screen(100, 40);
    assert!(screen.contains("✗ NOT δ-present: presence 0 % to 100 %"), "{screen}");
    assert!(!screen.contains("nobody of"), "{screen}");
}

#[test]
fn a_delta_promising_nothing_needs_typed_consent() {
    let folder = TempDir::new().unwrap();
    let (mut bench, _) = open(&folder, |text| text.replace("max = \"2/3\"", "max = \"1\""));
    bench.keys("3r<Enter>e");
    name(&mut bench, &folder);
    bench.keys("w<Enter>");
    assert!(bench.screen(80, 24).contains("δmax is 1: this δ promises nothing"), "{}", bench.screen(80, 24));
    bench.keys("y<Enter><Enter><Esc>");
    assert!(!folder.path().join("out").exists());
    export(&mut bench);
}

#[test]
fn a_damaged_history_is_kept_and_stops_exports() {
    let folder = TempDir::new().unwrap();
    let (mut bench, project) = open(&folder, |text| text);
    let path = history::path_of(&project);
    fs::write(&path, "format = 1\nrelease = 3\n").unwrap();
    bench.keys("3r<Enter>e<Tab><^U>");
    bench.paste(path.to_str().unwrap());
    bench.keys("<Tab> <Tab> <Tab> <Tab>w");
    let Stage::Refused(why) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert!(why.contains("is kept for the history of a project"), "{why}");
    bench.keys("<Enter>");
    name(&mut bench, &folder);
    bench.keys("w");
    let Stage::Refused(why) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert!(why.contains("cannot be recorded in the history") && why.contains("line 2"), "{why}");
    assert!(!folder.path().join("out.csv").exists());
    assert_eq!(fs::read_to_string(&path).unwrap(), "format = 1\nrelease = 3\n");
}

// holds: One list of cautions
#[test]
fn every_caution_has_its_line_and_its_sentence() {
    for keys in ["3jjjlre", "e"] {
        for (width, height) in [(80, 24), (100, 30), (200, 50)] {
            let mut bench = Bench::clinic();
            bench.keys(keys);
            let judged = bench.dialog().counted.as_ref().unwrap().as_ref().unwrap().clone();
            let of_list = |item: &Item| matches!(item.about, About::Caution(..));
            let items: Vec<Item> =
                bench.dialog().items.iter().filter(|item| of_list(item)).cloned().collect();
            assert_eq!(items.len(), judged.cautions.len());
            bench.keys("G<Home>");
            for (index, caution) in judged.cautions.iter().enumerate() {
                assert_eq!(items[index].brief, caution.brief());
                while bench.dialog().items[bench.dialog().cursor] != items[index] {
                    bench.keys("j");
                }
                let screen = bench.screen(width, height);
                assert!(screen.contains(items[index].brief.name.trim_end()), "{}: {screen}", caution.name());
                let screen = bench.keys("<Enter>").screen(width, height);
                for word in caution.sentence.split_whitespace() {
                    assert!(
                        screen.contains(word),
                        "{width}x{height}: {word} of {}: {screen}",
                        caution.name()
                    );
                }
                bench.keys("<Esc>");
            }
        }
    }
}

#[test]
fn a_second_release_shows_the_figure_of_both() {
    let folder = TempDir::new().unwrap();
    let (mut bench, project) = open(&folder, |text| text);
    bench.keys("3r<Enter>e");
    name(&mut bench, &folder);
    export(&mut bench);
    bench.keys("<Esc>3jjr<Enter>e");
    let together = bench.dialog().together.clone().unwrap();
    assert_eq!(together.files, ["out.csv"]);
    let people = together.people.unwrap();
    let screen = bench.screen(100, 40);
    assert!(screen.contains("together with out.csv"), "{screen}");
    // It is the figure of `compose` once both are written.
    bench.keys("<Tab><^U>").paste(folder.path().join("second.csv").to_str().unwrap());
    bench.keys("<Enter>");
    export(&mut bench);
    let analysis = bench.analysis();
    let releases = history::of_project(&project).unwrap();
    let read =
        releases.releases().iter().map(|entry| reading::read(&analysis, &entry.path(&project)).unwrap());
    let read: Vec<_> = read.collect();
    let both: Vec<_> = read.iter().collect();
    let composed = together::of_releases(&analysis, &both, Together::default(), &mut unwatched).unwrap();
    let judged = composed.judge(bench.shared().problem.bounds());
    assert_eq!(people, judged.exact.people + judged.estimated.people);
}

#[test]
fn a_reason_must_meet_the_stated_rules() {
    let folder = TempDir::new().unwrap();
    let (mut bench, _) = open(&folder, |text| text);
    bench.keys("e");
    name(&mut bench, &folder);
    bench.keys("w<Enter>the test needs it here<Enter><Enter>so it is<Enter>");
    let screen = bench.screen(80, 24);
    for words in ["Type the reason why", "in at least 3 words", "at least 3 words and 10 letters"] {
        let inside = screen.lines().filter_map(|line| line.split('│').nth(1));
        let line = inside.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
        assert!(line.contains(words), "{words}: {screen}");
    }
    assert!(!screen.contains("the board asked for it"), "{screen}");
    bench.keys("<^U>The board asked for it.<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Opened(..)), "{:?}", bench.dialog().stage);
    assert!(!folder.path().join("out").exists());
}

#[test]
fn five_lists_what_was_written() {
    let folder = TempDir::new().unwrap();
    let (mut bench, _) = open(&folder, |text| text);
    bench.keys("3r<Enter>e");
    name(&mut bench, &folder);
    export(&mut bench);
    assert!(bench.screen(200, 50).contains("5 lists what was written"), "{}", bench.screen(200, 50));
    bench.keys("5");
    assert!(bench.app.windows.is_empty());
    assert_eq!(bench.shared().open, ScreenName::FILES);
    // A key without a meaning says so.
    bench.keys("2R");
    assert!(bench.app.status.starts_with("R does nothing on this screen"), "{}", bench.app.status);
}

#[test]
fn an_export_becomes_a_caution_for_later_releases() {
    let folder = TempDir::new().unwrap();
    let (mut bench, _) = open(&folder, |text| text);
    let earlier = |bench: &Bench| -> Option<String> {
        let cautions = bench.shared().cautions_here().unwrap().unwrap().cautions;
        let earlier = cautions.into_iter().find(|caution| caution.name() == "earlier_release");
        earlier.map(|caution| caution.sentence)
    };
    bench.keys("3r<Enter>");
    assert_eq!(earlier(&bench), None);
    bench.keys("e");
    name(&mut bench, &folder);
    export(&mut bench);
    bench.keys("<Esc>");
    bench.settle();
    assert_eq!(earlier(&bench), None, "the release that was written is no other release");
    assert!(!bench.keys("!").screen(200, 50).contains("This project has another release"));
    bench.keys("<Esc>3jr<Enter>");
    bench.settle();
    let named = "This project has another release: out/to-send/out.csv.";
    assert_eq!(earlier(&bench).as_deref(), Some(named));
    assert!(bench.keys("!").screen(200, 50).contains(named));
    // The next dialog has the same list.
    bench.keys("<Esc>e");
    let counted = bench.dialog().counted.as_ref().unwrap().as_ref().unwrap();
    let here = bench.shared().cautions_here().unwrap().unwrap();
    let listed = |list: &[Caution]| list.iter().map(Caution::name).collect::<Vec<_>>();
    assert_eq!(listed(&counted.cautions), listed(&here.cautions));
    // After undo the analyst is back at the release that was written, and its dialog does not name it either.
    bench.keys("<Esc>ue");
    let counted = bench.dialog().counted.as_ref().unwrap().as_ref().unwrap();
    assert!(!listed(&counted.cautions).contains(&"earlier_release".to_owned()));
}
