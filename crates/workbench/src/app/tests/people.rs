//! A project whose people have several rows: every screen counts people where it says people, and rows where it says rows.
//!
//! Nine people, of whom T has a, d and f, with 14 rows in P and 5 in T:
//!
//! ```text
//! a, b  17000 30        d  17000 30, 42000 30        f, g  42000 50 twice        i  42000 50
//! c     17001 30        e  17000 30, 42001 30        h     42000 50, 42001 50
//! ```

use std::fs;
use std::ops::ControlFlow;
use std::sync::mpsc;

use palmtop_core::model::{Counts, Problem};
use palmtop_project::compatibility::{Command, Feature};
use palmtop_release::explain::explain;
use palmtop_release::history;
use palmtop_release::pipeline::{self, Overrides, Which, export, reading};
use palmtop_search::Strategy;
use palmtop_search::release::Release;
use tempfile::TempDir;

use crate::kit::link::Link;
use crate::kit::name::ScreenName;
use crate::kit::terminal::Keeper as _;
use crate::shared::runs::Run;
use crate::shared::saver::Saver;
use crate::testing::{Bench, snapshots_of};
use crate::windows::export::items::Kind;

/// Why searches for regions are refused.
const REGIONS: &str = "people with several rows have nodes only, found by spalm or chosen";

const PUBLIC: &str = "who,zip,age\na,17000,30\nb,17000,30\nc,17001,30\nd,42000,30\nd,17000,30\ne,42001,30\ne,17000,30\n\
     f,42000,50\nf,42000,50\ng,42000,50\ng,42000,50\nh,42001,50\nh,42000,50\ni,42000,50\n";
const PRIVATE: &str =
    "who,zip,age,ill\na,17000,30,flu\nd,17000,30,flu\nf,42000,50,cold\nd,42000,30,flu\nf,42000,50,cold\n";

/// The project in a folder of its own, and its workbench.
fn visits() -> (TempDir, Bench) {
    let folder = tempfile::tempdir().unwrap();
    let project = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n\
         [[attribute]]\nname = \"who\"\nrole = \"entity\"\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.csv\"\n\
         [[attribute]]\nname = \"ill\"\nrole = \"sensitive\"\n";
    for (name, text) in [
        ("visits.toml", project),
        ("p.csv", PUBLIC),
        ("t.csv", PRIVATE),
        ("zip.csv", "17000,17***,*\n17001,17***,*\n42000,42***,*\n42001,42***,*\n"),
        ("age.csv", "30,under 40,*\n50,40 and over,*\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let bench = Bench::open(&folder.path().join("visits.toml"), Overrides::default());
    (folder, bench)
}

/// Checks that a screen has all of these texts.
fn has(screen: &str, expected: &[&str]) {
    for text in expected {
        assert!(screen.contains(text), "{text}\n{screen}");
    }
}

// holds: No row for a person
#[test]
fn verdicts_steps_and_shares_are_those_of_people() {
    let (_folder, mut bench) = visits();
    for (width, height) in [(80, 24), (200, 50)] {
        let screen = bench.screen(width, height);
        // d alone has 17000 and 42000.
        has(&screen, &["✗ 1 of 7 classes fail", "1 of 3 members are in them", "classes of people"]);
        has(&screen, &["people of P by presence"]);
    }
    // d and e share 17*** and 42***; of a, b, c and of f, g, h one each is a member.
    let screen = bench.keys("l").screen(80, 24);
    has(&screen, &["✓ 4 classes keep δ: presence 0 % to 50 %", "loss .167"]);
    let ranking = &bench.view().measured.ranking;
    let mut counts: Vec<Counts> = ranking.worst_first().iter().map(|class| ranking.counts(*class)).collect();
    counts.sort_unstable_by_key(|counts| (counts.public, counts.private));
    assert_eq!(counts, [Counts::new(1, 0), Counts::new(2, 1), Counts::new(3, 1), Counts::new(3, 1)]);
    // The table of steps: back to seven classes, on to four.
    has(&screen, &["✓      0  +.333        4 ✗      1  −.167        7"]);
    let screen = bench.keys(":lattice<Enter>").screen(100, 30);
    has(
        &screen,
        &["✓ 6 keep δ  ✗ 3 break it", "★ the best node", "Only nodes keep the rows of a person together"],
    );
    has(&bench.keys("4").screen(80, 24), &["T is 3 of P's 9: 1/3"]);
}

#[test]
fn class_shows_its_peoples_rows_and_remedies() {
    let (_folder, mut bench) = visits();
    has(
        &bench.keys(":classes<Enter>").screen(100, 30),
        &[
            "2 rows: zip 17000 · age 30 + zip 42000 · age 30",
            "1 of 1 individuals are members of T   presence 1",
            "over δmax 50 %: needs 1 more non-member, or 1 fewer member",
            "zip 17*** · 42*** 1/2 ✓   age under 40 · under 40 1/1 ✗",
            "zip 17000 · 42001 1/2 ✓",
            "the rows of each person",
        ],
    );
    has(
        &bench.keys("jj").screen(100, 30),
        &["2 rows: 2 × zip 42000 · age 50", "1 of 2 individuals are members"],
    );
    has(&bench.keys("j").screen(100, 30), &["0 of 1 individuals are members of T"]);
    has(&bench.keys("fprivate>0<Enter>").screen(100, 30), &["3 of 7 classes with private>0"]);
    has(&bench.keys("f<^U>zip:42001<Enter>").screen(100, 30), &["2 of 7 classes with zip:42001"]);
}

/// The labels of all rows of a class, except those of one attribute, in an order of their own.
fn rows_without(problem: &Problem, release: &Release, class: u32, attribute: usize) -> Vec<Vec<String>> {
    let mut rows = release.classes.class(class).row_texts(problem);
    for row in &mut rows {
        row.remove(attribute);
    }
    rows.sort();
    rows
}

#[test]
fn class_remedies_agree_with_a_second_count() {
    let (_folder, bench) = visits();
    let (analysis, problem) = (bench.analysis(), &bench.shared().problem);
    let (mut steps, mut unions) = (0, 0);
    for node in problem.lattice().nodes() {
        let release = analysis.by_hand(problem, node.clone());
        let classes = &release.classes;
        for class in (0..).take(classes.len()) {
            let explained = explain(problem, &release, class);
            let unit = classes.class_of.iter().position(|of| *of == class).unwrap();
            let people: u64 = explained.members.iter().map(|member| member.counts.public).sum();
            assert_eq!(people, classes.counts(class).public, "{node} {class}");
            for step in &explained.coarser {
                let coarser = problem.lattice().coarser(&node, step.attribute).unwrap();
                let there = analysis.by_hand(problem, coarser);
                let grown = there.classes.class(there.classes.class_of[unit]);
                assert_eq!(step.counts, grown.counts, "{node} {class}");
                let sorted = |text: &str| {
                    let mut labels: Vec<String> = text.split(" · ").map(str::to_owned).collect();
                    labels.sort();
                    labels
                };
                assert_eq!(sorted(&step.text), sorted(&grown.texts(problem)[step.attribute]));
                steps += 1;
            }
            let wanted = |attribute| rows_without(problem, &release, class, attribute);
            for other in (0..).take(classes.len()).filter(|other| *other != class) {
                let alike = (0..2).find(|&a| rows_without(problem, &release, other, a) == wanted(a));
                let merge = explained.merges.iter().find(|merge| merge.class == other);
                assert_eq!(merge.map(|merge| merge.attribute), alike, "{node} {class} {other}");
                if let Some(merge) = merge {
                    let (left, right) = (classes.counts(class), classes.counts(other));
                    assert_eq!(merge.counts, left + right);
                    unions += 1;
                }
            }
        }
    }
    assert!(steps > 20 && unions > 10, "{steps} {unions}");
}

#[test]
fn region_searches_of_people_are_refused_with_reason() {
    let (_folder, mut bench) = visits();
    let screen = bench.keys("3").screen(100, 30);
    has(&screen, &["▸ spalm", "cannot run"]);
    assert!(!screen.contains("simulatable◈"), "{screen}");
    bench.keys("jr");
    assert!(bench.app.status.contains(REGIONS), "{}", bench.app.status);
    has(&bench.screen(200, 50), &[REGIONS]);
    bench.keys(":releases.run-all<Enter>");
    let ran: Vec<Strategy> =
        Strategy::all().filter(|strategy| bench.shared().run(*strategy).is_some()).collect();
    assert_eq!(ran, [Strategy::Spalm]);
    // A sitting of the time before the project had people may ask for a region again.
    let _news = bench.ready_mut().shared.run_all(&[Strategy::Best]);
    let Some(Run::Broken(why)) = bench.shared().run(Strategy::Best) else { panic!("it ran") };
    assert!(why.contains(REGIONS), "{why}");
    // The curve measures SPALM alone.
    has(&bench.keys("4").screen(100, 30), &["r measures spalm"]);
    bench.keys("r");
    assert_eq!(bench.sweep().strategies(bench.shared().delta().min()), [Strategy::Spalm]);
    assert!(bench.keys("r").app.status.contains("everything is measured"), "{}", bench.app.status);
}

// holds: No row for a person
#[test]
fn row_based_figures_are_labelled_or_hidden() {
    let (_folder, mut bench) = visits();
    let screen = bench.keys(":hierarchies<Enter>v").screen(80, 24);
    has(&screen, &["T rows  P rows", "5      14"]);
    assert!(!screen.contains("presence"), "{screen}");
    has(&bench.keys("3r").screen(100, 30), &["least possible: for rows only"]);
    // Utility is shown as soon as the table of combinations has no rule against it.
    let refused = bench.analysis().refusal(Feature::Command(Command::Compare));
    let screen = bench.keys("<Tab><Tab>").screen(200, 50);
    assert_eq!(screen.contains("not measured: "), refused.is_some(), "{screen}");
    assert!(refused.is_none_or(|refused| screen.contains(refused.why)), "{screen}");
    // Two of the three members are in classes of three people, one is in a class of two.
    has(&bench.keys("<Tab><Tab>").screen(100, 30), &["alone in their class", ".3889"]);
}

#[test]
fn table_row_leads_to_its_persons_class() {
    let (_folder, mut bench) = visits();
    // The fourth row of T is the second row of d; the third row of P is c; its last row is i, who has one row.
    for (keys, counts, rows) in [
        ("1jjj<Enter>", Counts::new(1, 1), vec!["17000", "42000"]),
        ("1<Tab>jj<Enter>", Counts::new(1, 0), vec!["17001"]),
        ("1jjjjjjj<Enter>", Counts::new(2, 1), vec!["42000", "42000"]),
        ("1<End><Enter>", Counts::new(1, 0), vec!["42000"]),
    ] {
        bench.keys(keys);
        assert_eq!(bench.shared().open, ScreenName::WORKBENCH, "{keys}: {}", bench.app.status);
        let (_, class) = bench.view().class(bench.shared().classes.cursor).unwrap();
        let zips = class.row_texts(&bench.shared().problem).into_iter().map(|row| row[0].clone());
        assert_eq!(
            (class.counts, zips.collect::<Vec<_>>()),
            (counts, rows.into_iter().map(str::to_owned).collect())
        );
    }
    bench.keys("1<Tab><Enter>");
    assert!(bench.app.status.contains("does not show whose it is"), "{}", bench.app.status);
}

#[test]
fn exported_people_are_verified_and_recorded() {
    let (folder, mut bench) = visits();
    let project = folder.path().join("visits.toml");
    bench.ready_mut().shared.saver = Saver::start(&project, None, Link::new(mpsc::channel().0));
    let target = folder.path().join("out.csv");
    bench.keys("3r<Enter>e");
    has(&bench.screen(100, 60), &["5 rows of 3 people", "[x] signer's report"]);
    has(&bench.keys("$").screen(100, 60), &["palmtop anonymize paper.toml --strategy spalm"]);
    bench.keys("<Esc><Tab><^U>").paste(target.to_str().unwrap());
    bench.keys("<Tab> <Tab> <Tab> <Tab>");
    while bench.dialog().unanswered() > 0 {
        bench.keys("w<Enter>");
        let is_typed = bench.dialog().opened().is_some_and(|item| item.answer == Some(Kind::Reason));
        bench.keys(if is_typed { "all of them agreed to it<Enter>" } else { "y" });
    }
    bench.keys("w");
    assert!(bench.dialog().is_written(), "{:?}", bench.dialog().stage);
    has(&bench.screen(100, 60), &["✓ 5 rows written and verified: presence 0 % to 50 %"]);
    bench.shared().saver.flush();
    let analysis = bench.analysis();
    let found = export::verify(&analysis, bench.shared().delta(), &target).unwrap();
    assert_eq!((found.public, found.private, found.classes, found.is_present()), (9, 3, 3, true));
    let read = reading::read(&analysis, &target).unwrap();
    assert_eq!(read.people.map(|people| people.classes.len()), Some(3));
    assert_eq!(history::of_project(analysis.path()).unwrap().releases().len(), 1);
    has(
        &bench.keys("<Esc>:audit<Enter>").screen(100, 30),
        &["audit: an attacker who knows palmtop", "spalm"],
    );
}

#[test]
fn every_size_is_drawn() {
    for keys in [
        "<Tab>j",
        ":classes<Enter><Tab>",
        ":lattice<Enter>",
        "3r",
        "3<Tab>",
        "3<Tab><Tab>",
        "tr",
        ":hierarchies<Enter>v",
        "1",
        "4",
        "e",
        "!",
    ] {
        let (_folder, mut bench) = visits();
        bench.keys(keys);
        for width in [1, 12, 20, 39, 40, 60, 79, 100, 160, 250] {
            for height in [1, 3, 5, 8, 12, 24, 60] {
                bench.screen(width, height);
            }
        }
    }
}

#[test]
fn as_it_is_seen() {
    for (name, keys) in [
        ("people", "<Tab>"),
        ("people-class", ":classes<Enter>"),
        ("people-releases", "3"),
        ("people-hierarchy", ":hierarchies<Enter>v"),
    ] {
        let (_folder, mut bench) = visits();
        bench.keys(keys);
        bench.app.status = "ready".to_owned();
        snapshots_of("app/tests", name, &mut bench);
    }
}

#[test]
fn each_row_has_the_class_of_its_person() {
    let (_folder, bench) = visits();
    let (analysis, problem) = (&bench.shared().analysis, &bench.shared().problem);
    let page = pipeline::page::of_table(analysis, Which::Private, 0, 10).unwrap();
    let mut go_on = || ControlFlow::Continue(());
    for node in problem.lattice().nodes() {
        let release = analysis.by_hand(problem, node);
        let mut found = Vec::new();
        let seen = pipeline::find::visit_units(analysis, &mut || ControlFlow::Continue(()), &mut |unit| {
            found.push(unit.map(|unit| release.classes.class_of[unit]));
            ControlFlow::Continue(())
        });
        seen.unwrap();
        let expected = page.rows.iter().map(|row| {
            pipeline::find::class_of_row(analysis, &release, (Which::Private, row), &mut go_on).unwrap()
        });
        assert_eq!(found, expected.collect::<Vec<_>>());
    }
}
