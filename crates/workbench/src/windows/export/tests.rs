//! The window of an export: what it writes, what it refuses, what must be answered.

mod registered;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use palmtop_release::caution::Key;
use palmtop_release::pipeline::{self, Overrides};
use tempfile::TempDir;

use crate::app::message::Message;
use crate::kit::link::Link;
use crate::kit::terminal::Keeper as _;
use crate::shared::report::Report;
use crate::shared::saver::Saver;
use crate::testing::{Bench, sample, snapshots};
use crate::windows::export::items::About;
use crate::windows::export::state::{
    ExportDialog, ExportFailure, Exported, Focus, Message as ExportMessage, Stage,
};
use crate::windows::field_help::KeyHelp;

const KNOWS_ALGORITHM: About = About::Caution(Key::KnowsAlgorithm, None);

/// Types a target instead of the one that is offered.
fn name(bench: &mut Bench, folder: &TempDir, file: &str) -> PathBuf {
    let target = folder.path().join(file);
    bench.keys("<Tab><^U>").paste(target.to_str().unwrap());
    bench.keys("<Enter>");
    target
}

/// Empties all boxes: a plain file is written.
fn plain(bench: &mut Bench) {
    bench.keys("<Tab><Tab> <Tab> <Tab> <Tab>");
}

fn entries(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// The line under the cursor.
fn pointed(bench: &Bench) -> About {
    bench.dialog().items[bench.dialog().cursor].about.clone()
}

#[track_caller]
fn is_written(bench: &Bench) {
    assert!(bench.dialog().is_written(), "{:?}", bench.dialog().stage);
}

// holds: All or none
#[test]
fn w_writes_a_package() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("3r<Enter>e");
    assert!(bench.screen(100, 30).contains("also for an attacker who knows palmtop"));
    name(&mut bench, &folder, "out.csv");
    bench.keys("w");
    is_written(&bench);
    let package = folder.path().join("out");
    assert_eq!(
        (entries(folder.path()), entries(&package)),
        (vec!["out".to_owned()], vec!["to-keep".to_owned(), "to-send".to_owned()])
    );
    assert_eq!(entries(&package.join("to-send")), ["out.codebook.csv", "out.csv", "out.recipient.html"]);
    assert_eq!(entries(&package.join("to-keep")), ["out.report.html"]);
    let report = fs::read_to_string(package.join("to-keep/out.report.html")).unwrap();
    assert!(report.contains("✓ VERIFIED") && !report.contains(".tmp"), "{report}");
    assert!(bench.keys("<Enter>").app.windows.is_empty());
}

#[test]
fn a_plain_file_is_written_without_boxes() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("3jjr<Enter>e");
    let target = name(&mut bench, &folder, "out.csv");
    plain(&mut bench);
    bench.keys("w");
    assert_eq!(pointed(&bench), KNOWS_ALGORITHM);
    assert!(entries(folder.path()).is_empty() && bench.app.status.contains("1 caution needs an answer"));
    bench.keys("<Enter>n");
    assert!(matches!(bench.dialog().stage, Stage::Waiting) && bench.dialog().unanswered() == 1);
    bench.keys("<Enter>yw");
    let Stage::Written(done) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert_eq!(
        (done.written.rows, done.written.verification.achieved.max.to_string()),
        (5, "2/3".to_owned())
    );
    let text = fs::read_to_string(target).unwrap();
    assert_eq!((text.lines().count(), entries(folder.path()).len()), (6, 1));
    assert!(!text.contains("47906"), "zip is at level 3");
}

#[test]
fn writing_a_broken_release_needs_typed_consent() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("e");
    name(&mut bench, &folder, "out.csv");
    plain(&mut bench);
    bench.keys("w<Enter>");
    for typed in
        ["<Enter>", "<Enter><Enter>", "yes<Enter>", "<^U>NOT PRESENT<Enter>", "<^U>not presen<Enter>"]
    {
        bench.keys(typed);
        assert!(bench.dialog().opened().is_some_and(|item| item.about == About::NotPresent), "{typed}");
        assert!(entries(folder.path()).is_empty(), "{typed}");
    }
    bench.keys("<^U>the test needs it here<Enter>");
    let line = bench.dialog().command_line();
    assert!(line.ends_with("--accept 'not_present=the test needs it here'"), "{line}");
    // Somebody is certain to be a member: that is a caution that needs a reason, and the cursor is on it.
    assert_eq!(pointed(&bench), About::Caution(Key::Certain, None));
    bench.keys("<Enter>all of them agreed to it<Enter>w");
    is_written(&bench);
    assert!(bench.app.status.starts_with("written, NOT δ-present: "));
    assert!(bench.screen(100, 30).contains("NOT δ-present"));
    assert_eq!(entries(folder.path()), ["out.csv"]);
}

#[test]
fn escape_leaves_fields_and_help_has_keys() {
    let mut bench = Bench::paper();
    bench.keys("3jjr<Enter>");
    assert!(bench.screen(100, 30).contains("next: "));
    bench.keys("e");
    assert!(!bench.screen(100, 30).contains("next: "), "it is about the screen below");
    for keys in ["", "<Tab><Tab>", "<Tab><Tab><Tab>"] {
        bench.keys(keys).keys("?");
        assert!(bench.window::<KeyHelp>().is_some(), "{keys}");
        bench.keys("<Esc><Esc>");
        if !keys.is_empty() {
            assert_eq!(bench.dialog().focus, Focus::List, "{keys}");
            bench.keys("<Esc>");
        }
        assert!(bench.app.windows.is_empty(), "{keys}");
        bench.keys("e");
    }
    bench.keys("<Tab><Esc>");
    assert_eq!(bench.dialog().focus, Focus::List);
}

#[test]
fn a_taken_name_is_kept_without_yes() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("3jjr<Enter>e");
    let target = name(&mut bench, &folder, "out.csv");
    fs::write(&target, "mine").unwrap();
    plain(&mut bench);
    assert!(!bench.dialog().command_line().contains("--force"));
    bench.keys("<Enter>yw");
    assert!(matches!(bench.dialog().stage, Stage::Overwrite));
    assert!(bench.dialog().command_line().contains(" --force"));
    bench.keys("<Enter>");
    assert_eq!(fs::read_to_string(&target).unwrap(), "mine", "Enter is no yes");
    bench.keys("wy");
    is_written(&bench);
    assert_ne!(fs::read_to_string(&target).unwrap(), "mine");
}

#[test]
fn replacing_a_package_is_asked_for() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    for is_taken in [false, true] {
        bench.keys("3r<Enter>e");
        name(&mut bench, &folder, "out.csv");
        bench.keys("w");
        assert_eq!(matches!(bench.dialog().stage, Stage::Overwrite), is_taken);
        if is_taken {
            fs::write(folder.path().join("out/to-send/old.csv"), "old").unwrap();
            bench.keys("n");
            assert!(folder.path().join("out/to-send/old.csv").exists());
            bench.keys("wy");
            assert!(!folder.path().join("out/to-send/old.csv").exists());
        }
        is_written(&bench);
        bench.keys("<Enter>");
    }
    // A folder with anything else is not replaced, whatever is said.
    fs::write(folder.path().join("out/mine.txt"), "mine").unwrap();
    bench.keys("e");
    name(&mut bench, &folder, "out.csv");
    bench.keys("w");
    assert!(matches!(&bench.dialog().stage, Stage::Refused(why) if why.contains("other files")));
}

/// Saves the sitting in a folder from now on.
fn save_in(bench: &mut Bench, folder: &TempDir) {
    let project = folder.path().join("paper.toml");
    bench.ready_mut().shared.saver = Saver::start(&project, None, Link::new(mpsc::channel().0));
}

#[test]
fn a_history_is_not_overwritten_whatever_is_said() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    save_in(&mut bench, &folder);
    // Ours, and a session of palmtop 0.1.0.
    let earlier = folder.path().join("paper.session.toml");
    fs::write(&earlier, "earlier").unwrap();
    bench.keys("3r<Enter>");
    bench.shared().saver.flush();
    let ours = bench.shared().saver.path().unwrap();
    let before = fs::read(&ours).unwrap();
    for file in [&earlier, &ours] {
        bench.keys("e");
        name(&mut bench, &folder, file.file_name().unwrap().to_str().unwrap());
        plain(&mut bench);
        bench.keys("w");
        let Stage::Refused(why) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
        assert!(why.contains("is kept for the history of a project, and is never overwritten"), "{why}");
        bench.keys("<Enter><Esc>");
    }
    assert_eq!((fs::read(&earlier).unwrap(), fs::read(&ours).unwrap()), (b"earlier".to_vec(), before));
}

#[test]
fn an_input_is_never_overwritten() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("3r<Enter>e");
    let linked = folder.path().join("link.csv");
    fs::hard_link(sample("paper/private.csv"), &linked)
        .or_else(|_| {
            // On another file system than the samples, a symbolic link has to do.
            std::os::unix::fs::symlink(sample("paper/private.csv"), &linked)
        })
        .unwrap();
    name(&mut bench, &folder, "link.csv");
    plain(&mut bench);
    bench.keys("w");
    let Stage::Refused(why) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert!(why.contains("is a file of this project"), "{why}");
}

#[test]
fn the_command_of_a_step_accepts_looser_delta() {
    for (max, is_looser) in [("2/3", false), ("3/5", false), ("3/4", true)] {
        let folder = TempDir::new().unwrap();
        let overrides = Overrides { delta_min: None, delta_max: max.parse().ok() };
        let mut bench = Bench::open(&sample("paper/paper.toml"), overrides);
        save_in(&mut bench, &folder);
        bench.keys("l");
        bench.shared().saver.flush();
        bench.keys("e");
        let line = bench.dialog().step_line().unwrap();
        assert_eq!(line.contains(" --accept 'looser_delta="), is_looser, "{line}");
        assert!(!bench.dialog().command_line().contains("looser"));
    }
}

#[test]
fn formula_cells_are_noted_without_their_values() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("zip.csv", "a;*\nb;*\n");
    write("public.csv", "zip\na\na\nb\nb\n");
    write("private.csv", "zip,note\na,=cmd()\nb,@sum\n");
    write(
        "p.toml",
        "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmax = \"1/2\"\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
         [[attribute]]\nname = \"note\"\nrole = \"sensitive\"\n",
    );
    let mut bench = Bench::open(&folder.path().join("p.toml"), Overrides::default());
    bench.keys("e");
    name(&mut bench, &folder, "out.csv");
    bench.keys("w<Enter>yw");
    let screen = bench.screen(100, 30);
    assert!(screen.contains("2 cells begin as formulas do, in `note`"), "{screen}");
    assert!(!screen.contains("cmd"), "{screen}");
}

#[test]
fn a_failed_export_leaves_nothing_and_asks_again() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("3r<Enter>e");
    name(&mut bench, &folder, "no/such/folder.csv");
    bench.keys("w");
    let Stage::Refused(why) = &bench.dialog().stage else { panic!("{:?}", bench.dialog().stage) };
    assert!(why.contains("folder"), "{why}");
    bench.keys("<Enter>");
    assert!(matches!(bench.dialog().stage, Stage::Waiting));
    assert!(entries(folder.path()).is_empty());
}

#[test]
fn results_of_an_earlier_dialog_are_ignored() {
    let mut bench = Bench::paper();
    bench.keys_at_once("e");
    let old = bench.dialog();
    let preview = old.previews.forge(Ok(Err("old".to_owned())));
    let export = old.exports.forge(Ok(Exported::Ended(Err(ExportFailure::Exists))));
    bench.keys_at_once("<Esc>e");
    bench.app.update(Message::Window(Report::new(ExportMessage::Previewed(preview))));
    bench.app.update(Message::Window(Report::new(ExportMessage::Exported(export))));
    assert!(bench.dialog().preview.is_none());
    assert!(matches!(bench.dialog().stage, Stage::Waiting));
}

#[test]
fn the_dialog_shows_the_headless_twin() {
    let mut bench = Bench::paper();
    let twin = |bench: &Bench| bench.dialog().command_line();
    bench.keys("3jjjlr<Enter>e");
    let package = "palmtop anonymize paper.toml --strategy n2 -o paper-release/";
    assert_eq!(twin(&bench), package);
    assert!(bench.keys("$").screen(100, 30).contains(package), "{}", bench.screen(100, 30));
    bench.keys("<Esc><Tab><Tab> ");
    assert_eq!(twin(&bench), format!("{package} --with recipient,codebook"));
    bench.keys(" <Tab><Tab><Tab>");
    plain(&mut bench);
    assert_eq!(twin(&bench), "palmtop anonymize paper.toml --strategy n2 -o paper-release.csv");
    bench.keys("<Tab><^U>");
    bench.paste("it's here\n.csv");
    assert_eq!(twin(&bench), r"palmtop anonymize paper.toml --strategy n2 -o 'it'\''s here.csv'");
    let wider = Overrides { delta_min: "1/3".parse().ok(), delta_max: "1".parse().ok() };
    let mut bench = Bench::open(&sample("paper/paper.toml"), wider);
    bench.keys("lllke");
    plain(&mut bench);
    let expected =
        "palmtop anonymize paper.toml --node 3,0,0 --delta-min 1/3 --delta-max 1 -o paper-release.csv";
    assert!(twin(&bench).starts_with(expected), "{}", twin(&bench));
}

#[test]
fn sensitive_values_are_never_shown() {
    let mut bench = Bench::clinic();
    let analysis = bench.analysis();
    let sensitive = analysis.sensitive_columns();
    assert!(!sensitive.is_empty(), "the clinic has a sensitive column");
    let longest = pipeline::page::longest_rows(&analysis, bench.view().release(), 1).unwrap();
    bench.keys("e");
    let Some(Ok(shown)) = &bench.dialog().preview else { panic!("it is read") };
    let screen = bench.screen(200, 50);
    let names = longest.columns.iter().map(|column| &column.name).enumerate();
    for (index, column) in names.filter(|(_, column)| sensitive.contains(column)) {
        for ((_, row), (_, shown)) in longest.rows.iter().zip(&shown.rows) {
            assert_eq!(shown[index], "hidden", "{column}");
            assert!(!screen.contains(&row[index]), "{column}");
        }
    }
    assert!(bench.window::<ExportDialog>().is_some());
}

#[test]
fn pseudonyms_are_named_and_no_identifier_shown() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("public.csv", "age\n23\n24\n35\n36\n");
    write("private.csv", "id,age\nC-17,23\nC-18,35\n");
    write("age.toml", "type = \"interval\"\nwidths = [10]\n");
    let open = |pseudonym: &str| {
        write(
            "p.toml",
            &format!(
                "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmax = \"1/2\"\n\
                 [[attribute]]\nname = \"id\"\nrole = \"identifier\"\npseudonym = {pseudonym}\n\
                 [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n"
            ),
        );
        let mut bench = Bench::open(&folder.path().join("p.toml"), Overrides::default());
        bench.keys("le");
        bench.screen(100, 40)
    };
    for (pseudonym, expected) in [
        ("\"new\"", "coded      id: pseudonyms, drawn for this file; no key is kept"),
        ("{ key = \"../k\", domain = \"study\" }", "26 letters and digits by the key, domain `study`"),
        ("{ key = \"../k\", domain = \"study\", form = \"digits\" }", "as many digits by the key"),
    ] {
        let screen = open(pseudonym);
        assert!(screen.contains(expected) && screen.contains("(pseudonym)"), "{screen}");
        assert!(!screen.contains("C-1") && !screen.contains("never"), "{screen}");
        assert_eq!(screen.contains("it finds people"), pseudonym != "\"new\"", "{screen}");
    }
}

#[test]
fn the_export() {
    snapshots("windows/export", "export", "clinic/clinic.toml", "3jjjlre");
    snapshots("windows/export", "export-not-present", "paper/paper.toml", "e<Enter>not pr");
}

#[test]
fn letters_are_text_in_the_name_alone() {
    let mut bench = Bench::paper();
    bench.keys("3r<Enter>e<Tab><^U>w$!q.csv");
    assert_eq!(bench.dialog().target.text(), "w$!q.csv");
    let full = bench.keys("<Enter>!").screen(100, 30);
    assert!(full.contains("weak_delta") && full.contains("→ "), "{full}");
    assert!(!bench.keys("<Esc>q").app.is_done() && bench.app.windows.is_empty(), "q closes the window");
}

#[test]
fn an_empty_box_leaves_its_paper_out() {
    let folder = TempDir::new().unwrap();
    let mut bench = Bench::paper();
    bench.keys("3r<Enter>e");
    name(&mut bench, &folder, "out.csv");
    bench.keys("<Tab><Tab> <Enter>");
    assert_eq!(bench.dialog().boxes, [true, true, true], "Enter ticks, too");
    bench.keys(" <Tab> <Tab><Tab>w");
    is_written(&bench);
    assert_eq!(entries(&folder.path().join("out")), ["to-send"]);
    assert_eq!(entries(&folder.path().join("out/to-send")), ["out.codebook.csv", "out.csv"]);
}

#[test]
fn a_large_release_is_confirmed_before_writing() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let zips = ["a", "b"].map(|zip| zip.repeat(501));
    let rows = |count: usize| zips.iter().map(|zip| format!("{zip}\n").repeat(count)).collect::<String>();
    write("p.csv", format!("zip\n{}", rows(4)));
    write("t.csv", format!("zip\n{}", rows(1)));
    write("zip.csv", format!("{};*\n{};*\n", zips[0], zips[1]));
    let tables = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/3\"\n";
    let zip = "[[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n";
    write("p.toml", format!("{tables}{zip}"));
    let mut bench = Bench::open(&folder.path().join("p.toml"), Overrides::default());
    bench.keys("e");
    let target = name(&mut bench, &folder, "out.csv");
    plain(&mut bench);
    let large = About::Caution(Key::LargeRelease, None);
    bench.keys("<Home>w<Enter>yw<Enter>");
    assert!(bench.dialog().opened().is_some_and(|item| item.about == large), "{:?}", bench.dialog().items);
    assert!(bench.screen(80, 24).contains("501 characters"), "{}", bench.screen(80, 24));
    bench.keys("n");
    assert!(matches!(bench.dialog().stage, Stage::Waiting) && !target.exists());
    bench.keys("<Enter>yw");
    is_written(&bench);
    assert!(target.exists());
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["e", "e<Enter>no", "e!", "e$", "e<Tab>", "e<Tab><Tab>"]);
}
