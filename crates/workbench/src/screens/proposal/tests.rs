//! The proposal as it is seen, and what its keys do.

use std::fs;
use std::path::Path;

use palmtop_core::model::Role;
use palmtop_proposal::{HierarchySource, Named, Proposal};
use palmtop_tables::hierarchies::build::ValueKind;
use palmtop_tables::read::TableSpec;
use tempfile::TempDir;

use super::state::Begin;
use crate::app::state::Phase;
use crate::kit::name::ScreenName;
use crate::screens::proposal::state::ProposalScreen;
use crate::testing::{Bench, sample, snapshots_of};
use crate::windows::choices::state::Choices;
use crate::windows::notice::Notice;
use crate::windows::prompt::state::Prompt;

fn named(public: &Path, private: Option<&Path>) -> Named {
    let table = |path: &Path| TableSpec::of(path.to_owned());
    Named { private: private.map(table), ..Named::of(table(public)) }
}

fn clinic() -> Bench {
    let named = named(&sample("clinic/public.csv"), Some(&sample("clinic/private.csv")));
    Bench::propose(Begin { named, target: None, is_offered: false })
}

/// Two tables whose dates can be read in two ways; T writes blanks around the sex, and has a town that P has not where
/// `stranger` says so.
fn dirty(stranger: bool) -> (TempDir, Begin) {
    let folder = tempfile::tempdir().unwrap();
    let (mut public, mut private) =
        ("age,sex,born,town\n".to_owned(), "patient,age,sex,born,town,diagnosis\n".to_owned());
    for row in 0..60 {
        let (age, sex) = (20 + row % 30, ["female", "male"][row % 2]);
        let born = format!("{:02}/{:02}/19{}", 1 + row % 12, 1 + row * 5 % 12, 50 + row % 40);
        let town = ["Aytown", "Beetown", "Ceetown"][row % 3];
        public.push_str(&format!("{age},{sex},{born},{town}\n"));
        if row % 6 == 0 {
            let town = if stranger && row == 0 { "Atlantis" } else { town };
            private.push_str(&format!("{row},{age}, {sex} ,{born},{town},d{}\n", row % 4));
        }
    }
    fs::write(folder.path().join("p.csv"), public).unwrap();
    fs::write(folder.path().join("t.csv"), private).unwrap();
    let named = named(&folder.path().join("p.csv"), Some(&folder.path().join("t.csv")));
    (folder, Begin { named, target: None, is_offered: false })
}

fn proposal(bench: &Bench) -> &Proposal {
    &bench.proposal().shown.as_ref().expect("something is proposed").proposal
}

fn role(bench: &Bench, name: &str) -> Role {
    proposal(bench).attributes.iter().find(|attribute| attribute.name == name).unwrap().role
}

fn kind(bench: &Bench, name: &str) -> ValueKind {
    proposal(bench).attributes.iter().find(|attribute| attribute.name == name).unwrap().kind
}

fn hierarchy(bench: &Bench, name: &str) -> String {
    let attribute = proposal(bench).attributes.iter().find(|attribute| attribute.name == name).unwrap();
    attribute.hierarchy.as_ref().unwrap().source.describe()
}

fn target(folder: &TempDir) -> String {
    folder.path().join("study.toml").display().to_string()
}

#[test]
fn the_clinic_is_proposed() {
    snapshots_of("screens/proposal", "proposal", &mut clinic());
}

/// A clinic's export: German dates, M and F where P has male and female, a home town, and people whom P lacks.
fn german() -> (TempDir, Begin) {
    let folder = tempfile::tempdir().unwrap();
    let mut public = "name,date_of_birth,sex,town\n".to_owned();
    let mut private = "Fallnr;Geburtsdatum;Geschl.;town;Diagnose\n".to_owned();
    for row in 0..600 {
        let (year, month, day) = (1970 + row % 23, 1 + row * 7 % 12, 1 + row * 11 % 28);
        let (sex, letter) = [("male", 'M'), ("female", 'F')][row * row / 7 % 2];
        let town = row * 3 % 40;
        public.push_str(&format!("p{row},{year}-{month:02}-{day:02},{sex},Town {town}\n"));
        if row % 8 == 0 {
            let year = if row == 8 { 1901 } else { year };
            let ill = ["Zerrung", "Grippe"][row / 8 % 2];
            private
                .push_str(&format!("{};{day:02}.{month:02}.{year};{letter};Town {town};{ill}\n", 1000 + row));
        }
    }
    fs::write(folder.path().join("p.csv"), public).unwrap();
    fs::write(folder.path().join("t.csv"), private).unwrap();
    let named = named(&folder.path().join("p.csv"), Some(&folder.path().join("t.csv")));
    (folder, Begin { named, target: None, is_offered: false })
}

/// The keys that put the cursor on a column.
fn to(bench: &Bench, name: &str) -> String {
    let row = proposal(bench).attributes.iter().position(|attribute| attribute.name == name).unwrap();
    format!("<Home>{}", "j".repeat(row))
}

fn cursor_is_on(bench: &Bench) -> String {
    let screen = bench.screen(80, 24);
    let line = screen.lines().find(|line| line.starts_with('▸')).unwrap_or_default();
    line.trim_start_matches(['▸', ' ', '?', '✓']).split("  ").next().unwrap_or_default().to_owned()
}

/// `4 of 9 done`.
fn done(bench: &Bench) -> (usize, usize) {
    let screen = bench.screen(80, 24);
    let line = screen.lines().nth(1).unwrap().trim_end().strip_suffix(" done").unwrap();
    let (rest, all) = line.rsplit_once(" of ").unwrap();
    (rest.rsplit(' ').next().unwrap().parse().unwrap(), all.parse().unwrap())
}

fn written(folder: &TempDir) -> String {
    fs::read_to_string(target(folder)).unwrap()
}

#[test]
fn the_cursor_is_the_question() {
    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    snapshots_of("screens/proposal", "open", &mut bench);
    assert_eq!(cursor_is_on(&bench), "patient");
    bench.keys("n");
    assert_eq!(cursor_is_on(&bench), "born");
    snapshots_of("screens/proposal", "choosing", &mut bench);
    bench.keys("2");
    assert!(bench.app.status.contains("changed: born: form"), "{}", bench.app.status);
    assert_eq!(cursor_is_on(&bench), "diagnosis", "the answer leads to the next question");
    // On a row that is done, the pane has its roles, and the cursor alone says whose.
    bench.keys("k");
    assert_eq!(cursor_is_on(&bench), "town");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("─ town ─") && screen.contains("▸ 1  generalize it"), "{screen}");
    bench.keys("2");
    assert_eq!(role(&bench, "town"), Role::Withheld);
    bench.keys("N");
    assert_eq!(cursor_is_on(&bench), "patient");
}

/// The second number of the counter stays, whatever is answered, and the foot says what is next (M6).
#[test]
fn the_counter_counts_to_a_number_that_stays() {
    let (_folder, begin) = german();
    let mut bench = Bench::propose(begin);
    let (mut before, all) = done(&bench);
    assert_eq!(all, proposal(&bench).attributes.len() + 2);
    for _ in 0..30 {
        if before == all {
            break;
        }
        assert!(bench.proposal().question().is_some(), "the cursor is on a question");
        bench.keys("<Esc>");
        assert!(bench.screen(80, 24).contains("next: Enter answers"), "{}", bench.screen(80, 24));
        bench.keys("<Enter>");
        let (now, still) = done(&bench);
        assert!(now >= before && still == all, "{now} of {still}");
        before = now;
    }
    assert_eq!(before, all);
    bench.keys("<Esc>");
    assert!(bench.screen(80, 24).contains("next: w writes the project"), "{}", bench.screen(80, 24));
    assert!(bench.keys("w").window::<Prompt>().is_some(), "it asks where to write");
}

/// No state of the screen is wordy (A5).
// holds: Few words
#[test]
fn the_proposal_keeps_to_its_words() {
    for begin in [german(), dirty(true), dirty(false)] {
        let (_folder, begin) = begin;
        let mut bench = Bench::propose(begin);
        for _ in 0..10 {
            for keys in ["v", "v<Tab>", "<Tab>j"] {
                let count = bench.keys(keys).words();
                assert!(count <= 110, "{count} words\n{}", bench.screen(80, 24));
            }
        }
    }
    let mut bench = clinic();
    for keys in ["", "j", "n", "n", "n"] {
        let count = bench.keys(keys).words();
        assert!(count <= 110, "{count} words\n{}", bench.screen(80, 24));
    }
}

/// T's column that has P's values in other words is asked about, and the map of words is the answer (M4, A17).
// holds: Possible columns of P
#[test]
fn other_words_are_offered_as_ps_column() {
    let (_folder, begin) = german();
    let mut bench = Bench::propose(begin);
    bench.keys(&to(&bench, "Geschl."));
    let screen = bench.screen(80, 24);
    assert!(screen.contains("Is it P's column `sex`"), "{screen}");
    assert!(screen.contains("▸ 1  never publish it") && screen.contains("sex ?"), "{screen}");
    assert!(screen.contains("2  it is P's sex: F = female, M = male"), "{screen}");
    snapshots_of("screens/proposal", "sex", &mut bench);
    bench.keys("2");
    bench.keys(&to(&bench, "Geschl."));
    assert_eq!(role(&bench, "Geschl."), Role::Quasi);
    let screen = bench.screen(80, 24);
    assert!(
        screen.lines().any(|line| line.starts_with('▸') && line.contains("F = female, M = male")),
        "{screen}"
    );
}

/// Labels alone are an answer of a column that is generalized (A20).
#[test]
fn single_labels_are_offered_with_their_price() {
    let mut bench = clinic();
    bench.keys(&to(&bench, "nationality"));
    let screen = bench.screen(80, 24);
    let line = screen.lines().find(|line| line.contains("(terms = 1)")).unwrap_or_else(|| panic!("{screen}"));
    bench.keys(line.split_whitespace().next().unwrap());
    let attributes = &proposal(&bench).attributes;
    let found = attributes.iter().find(|attribute| attribute.name == "nationality").unwrap();
    assert_eq!(found.limit.as_ref().and_then(|own| own.limit.key()).as_deref(), Some("terms = 1"));
}

/// Every column can be withheld, and the project then opens: also one of both tables whose values repeat (B2).
#[test]
fn every_column_can_be_withheld() {
    for name in ["Fallnr", "Geburtsdatum", "Geschl.", "town", "Diagnose"] {
        let (folder, begin) = german();
        let mut bench = Bench::propose(begin);
        bench.keys(&to(&bench, name));
        for _ in 0..6 {
            let is_never = |screen: &str| {
                screen
                    .lines()
                    .any(|line| line.starts_with(" ▸ ") && line.trim_end().ends_with("never publish it"))
            };
            if is_never(&bench.screen(80, 24)) {
                break;
            }
            bench.keys("l");
        }
        bench.keys("<Enter>");
        assert!(role(&bench, name).is_left_out(), "{name}");
        bench.keys(&format!("w<^U>{}<Enter>", target(&folder)));
        assert!(matches!(bench.app.phase, Phase::Ready(_)), "{name}: {}", bench.screen(80, 24));
    }
}

/// What Enter accepts is not called a decision; what a digit chooses is (M8).
#[test]
fn an_accepted_answer_is_not_called_decided() {
    for (key, says) in [("<Enter>", "Proposed, and accepted"), ("1", "By your decision")] {
        let (folder, begin) = dirty(false);
        let mut bench = Bench::propose(begin);
        bench.keys(&to(&bench, "diagnosis")).keys(key);
        assert_eq!(role(&bench, "diagnosis"), Role::Withheld);
        bench.keys(&format!("w<^U>{}<Enter>", target(&folder)));
        let project = written(&folder);
        let comment =
            project.lines().rev().skip_while(|line| *line != "name = \"diagnosis\"").nth(2).unwrap();
        assert!(comment.contains(says), "{comment}");
    }
}

/// Values of T are shown when somebody asks, and hidden again on the next row (N6, A18). A value that P lacks can mean a missing one.
// holds: A person decides
#[test]
fn values_of_t_are_shown_on_request() {
    let (folder, begin) = dirty(true);
    let mut bench = Bench::propose(begin);
    bench.keys(&to(&bench, "town"));
    let hidden = bench.screen(80, 24);
    assert!(hidden.contains("v shows values") && !hidden.contains("Atlantis"), "{hidden}");
    assert!(hidden.contains("the value in 1 row(s) means a missing value"), "{hidden}");
    let shown = bench.keys("v").screen(80, 24);
    assert!(shown.contains("not in P   \"Atlantis\"") && shown.contains("   P   \"Aytown\" 20"), "{shown}");
    assert!(shown.contains("\"Atlantis\": the value in"), "{shown}");
    assert!(!bench.keys("kj").screen(80, 24).contains("Atlantis"));
    bench.keys("2");
    let attribute = proposal(&bench).attributes.iter().find(|attribute| attribute.name == "town").unwrap();
    assert_eq!(
        (attribute.readings.0.missing.len(), &attribute.readings.1.missing[..]),
        (0, &["Atlantis".to_owned()][..])
    );
    assert!(!folder.path().join("project.toml").exists());
}

/// What is open is counted before anything is written, and the project marks it (N10, N25).
#[test]
fn writing_with_open_questions_says_so() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    let open = bench.proposal().open().len();
    let screen = bench.keys("w").screen(80, 24);
    assert!(screen.contains("to be written, then opened"), "{screen}");
    assert!(screen.contains(&format!("{open} questions are open")), "{screen}");
    bench.keys(&format!("<^U>{}<Enter>", target(&folder)));
    let written = written(&folder);
    assert_eq!(written.matches("role = \"undecided\"").count(), 1, "{written}");
    assert!(written.contains("A starting point, not a recommendation"), "{written}");
}

/// Keys that are typed while a proposal is made answer the questions that come with it.
#[test]
fn typed_ahead_answers_wait_for_their_questions() {
    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    bench.keys_at_once("<Enter>2");
    bench.settle();
    assert_eq!(cursor_is_on(&bench), "diagnosis", "{}", bench.screen(80, 24));
}

/// A person's decision leaves no mark, and a δ that was set is not called a starting point (N6, N25).
#[test]
fn decisions_are_written_as_made_on_screen() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    bench.keys("d<^U>1/3<Enter>");
    bench.keys(&to(&bench, "diagnosis")).keys("2");
    assert_eq!(role(&bench, "diagnosis"), Role::Sensitive);
    bench.keys(&format!("w<^U>{}<Enter>", target(&folder)));
    let written = written(&folder);
    assert!(!written.contains("undecided"), "{written}");
    assert!(!written.contains("A starting point") && written.contains("You decided δmax"), "{written}");
}

/// A starting point that was accepted as it was is no decision; another δmax is typed.
#[test]
fn an_accepted_delta_is_not_called_decided() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    assert!(bench.screen(80, 24).contains("δ up to 34 %, not decided"), "{}", bench.screen(80, 24));
    bench.keys("N<Enter>");
    assert!(bench.screen(80, 24).contains(", accepted"), "{}", bench.screen(80, 24));
    bench.keys(&format!("w<^U>{}<Enter>", target(&folder)));
    let project = written(&folder);
    assert!(project.contains("starting point, accepted as it was"), "{project}");
    assert!(!project.contains("You decided δmax"), "{project}");

    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    bench.keys("N2");
    assert!(bench.window::<Prompt>().is_some_and(|prompt| prompt.question.word == "δmax"));
    bench.keys("<^U>1/3<Enter>");
    assert!(bench.screen(80, 24).contains("δ up to 1/3 "), "{}", bench.screen(80, 24));
}

/// While hierarchies are looked for, a line says so and Esc ends it: no window comes up afterwards (N25).
#[test]
fn looking_for_hierarchies_shows_and_escape_stops_it() {
    let mut bench = clinic();
    bench.keys("j").keys_at_once(":proposal.hierarchy<Enter>");
    assert!(bench.screen(80, 24).contains("looking for what fits …"), "{}", bench.screen(80, 24));
    bench.keys_at_once("<Esc>");
    bench.settle();
    assert_eq!(bench.app.status, "stopped; all is as it was");
    assert!(bench.app.windows.is_empty());
    assert!(bench.keys(":proposal.hierarchy<Enter>").window::<Choices>().is_some());
}

/// A zip code is offered no bands of ages (N25).
#[test]
fn only_hierarchies_that_may_suit_are_offered() {
    let mut bench = clinic();
    bench.keys("j:proposal.hierarchy<Enter>");
    let Some(choices) = bench.window::<Choices>() else { panic!("{}", bench.app.status) };
    let labels = choices.choosing.labels.join("\n");
    assert!(labels.contains("zip.toml") && !labels.contains("age") && !labels.contains("year"), "{labels}");
}

#[test]
fn a_hierarchy_choice_can_be_undone_and_redone() {
    let mut bench = clinic();
    let before = hierarchy(&bench, "age");
    bench.keys("jj:proposal.hierarchy<Enter>");
    snapshots_of("screens/proposal", "hierarchies", &mut bench);
    bench.keys("<End><Enter>");
    assert_eq!(hierarchy(&bench, "age"), "the value, then *");
    assert!(bench.app.status.contains("changed: age: hierarchy"), "{}", bench.app.status);
    bench.keys("u");
    assert_eq!(hierarchy(&bench, "age"), before);
    bench.keys("U");
    assert_eq!(hierarchy(&bench, "age"), "the value, then *");
    bench.keys("uu");
    assert_eq!(bench.app.status, "no decision yet");
}

#[test]
fn a_role_a_kind_and_delta_are_decided() {
    let mut bench = clinic();
    bench.keys("jj:proposal.role<Enter>2");
    assert_eq!(role(&bench, "age"), Role::Withheld);
    bench.keys(":proposal.hierarchy<Enter>");
    assert!(bench.app.status.contains("not a quasi-identifier"), "{}", bench.app.status);
    bench.keys("u:proposal.kind<Enter><End><Enter>");
    assert_eq!(kind(&bench, "age"), ValueKind::Category, "the last of what its values can be");
    bench.keys("d<^U>1/3<Enter>");
    assert_eq!(proposal(&bench).delta.1.to_string(), "1/3");
    bench.keys("d<^U>7<Enter>");
    assert!(bench.window::<Prompt>().is_some_and(|prompt| prompt.wrong.is_some()));
}

// holds: One screen before a project
#[test]
fn a_written_proposal_opens_as_a_project() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    bench.keys("w");
    let screen = bench.screen(80, 24);
    assert!(screen.contains("to be written, then opened") && screen.contains("project.toml"), "{screen}");
    bench.keys(&format!("<^U>{}<Enter>", target(&folder)));
    assert!(matches!(bench.app.phase, Phase::Ready(_)), "{}", bench.app.status);
    assert!(bench.app.status.contains("study.toml is written"), "{}", bench.app.status);
    let written = fs::read_to_string(target(&folder)).unwrap();
    assert!(written.contains("role = \"quasi\"") && folder.path().join("study-hierarchies").is_dir());
    bench.keys("l");
    assert!(bench.recipe_name().starts_with("node 1"), "{}", bench.recipe_name());
}

#[test]
fn replacing_a_file_needs_yes_and_spares_tables() {
    let (folder, begin) = dirty(false);
    fs::write(target(&folder), "mine").unwrap();
    let mut bench = Bench::propose(begin);
    let table = folder.path().join("t.csv").display().to_string();
    bench.keys(&format!("w<^U>{table}<Enter>"));
    assert!(bench.window::<Prompt>().is_some_and(|prompt| prompt.wrong.is_some()));
    bench.keys(&format!("<^U>{}<Enter>", target(&folder)));
    assert!(bench.screen(80, 24).contains("y replaces it"), "{}", bench.screen(80, 24));
    bench.keys("n");
    assert_eq!(fs::read_to_string(target(&folder)).unwrap(), "mine");
    bench.keys("w<Enter>y");
    assert!(matches!(bench.app.phase, Phase::Ready(_)), "{}", bench.app.status);
    assert_ne!(fs::read_to_string(target(&folder)).unwrap(), "mine");
}

// holds: One screen before a project
#[test]
fn the_proposal_survives_a_failed_opening() {
    let (folder, begin) = dirty(true);
    let mut bench = Bench::propose(begin);
    let people = "j".repeat(proposal(&bench).attributes.len());
    bench.keys(&format!("<Home>{people}1w<^U>{}<Enter>", target(&folder)));
    let Some(notice) = bench.window::<Notice>() else { panic!("{}", bench.screen(80, 24)) };
    assert!(notice.text.contains("written, but not complete yet"), "{}", notice.text);
    assert!(!bench.app.is_done());
    bench.keys(&format!("<Enter><Home>{people}2"));
    bench.keys("w<Enter>y");
    assert!(matches!(bench.app.phase, Phase::Ready(_)), "{}", bench.screen(80, 24));
    // Who is left out stays in the title, however narrow it is (N10).
    for (width, height) in [(200, 50), (80, 24), (62, 16)] {
        let screen = bench.screen(width, height);
        assert!(screen.lines().next().is_some_and(|title| title.contains("T 9 of 10")), "{screen}");
    }
}

// holds: No T in proposals
#[test]
fn values_that_only_t_has_stay_off_screen() {
    let (_folder, begin) = dirty(true);
    let mut bench = Bench::propose(begin);
    for keys in [
        "",
        "j",
        "j",
        "j",
        "j",
        "j",
        ":proposal.hierarchy<Enter>",
        "<Esc>:proposal.kind<Enter>",
        "<Esc>n",
        "n",
        "<Tab>",
        "l",
    ] {
        let screen = bench.keys(keys).screen(200, 50);
        assert!(!screen.contains("Atlantis"), "{screen}");
    }
    let open = &proposal(&bench).ambiguities;
    assert!(open.iter().any(|open| open.what.contains("of T are not in P")), "{open:?}");
}

#[test]
fn an_unreadable_column_of_t_shows_its_remedy() {
    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    let place = bench.app.phase.place(ScreenName::PROPOSAL).unwrap();
    let screen: &mut dyn std::any::Any = &mut **place;
    let screen: &mut ProposalScreen = screen.downcast_mut().unwrap();
    screen.shown.as_mut().unwrap().proposal.unreadable.push("stay".to_owned());
    let screen = bench.keys("G").screen(200, 50);
    let is_row = |line: &str| line.starts_with('▸') && line.contains("stay") && line.contains("not used");
    assert!(screen.lines().any(is_row), "{screen}");
    assert!(screen.contains("Its type cannot be read as text; write it as text"), "{screen}");
}

#[test]
fn with_one_table_the_other_is_asked_for() {
    let (_folder, begin) = dirty(false);
    let private = begin.named.private.as_ref().unwrap().name();
    let named = Named { private: None, ..begin.named };
    let mut bench = Bench::propose(Begin { named, is_offered: true, ..begin });
    snapshots_of("screens/proposal", "offered", &mut bench);
    bench.keys("1nowhere.csv<Enter>");
    assert!(bench.screen(80, 24).contains("there is no file nowhere.csv"), "{}", bench.screen(80, 24));
    // Completed as far as the name is clear.
    let typed = private.display().to_string();
    bench.keys(&format!("<^U>{}<Tab><Enter>", typed.trim_end_matches(".csv")));
    assert_eq!(proposal(&bench).private.as_ref().unwrap().name(), canonical(&private));
}

fn canonical(path: &Path) -> std::path::PathBuf {
    path.canonicalize().unwrap()
}

#[test]
fn a_column_of_members_is_found_or_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let mut table = "age,smoker,ill\n".to_owned();
    for row in 0..40 {
        let (smoker, ill) = (["yes", "no"][row % 2], ["yes", "no", "no"][row % 3]);
        table.push_str(&format!("{},{smoker},{ill}\n", 20 + row % 10));
    }
    fs::write(folder.path().join("p.csv"), table).unwrap();
    let named = named(&folder.path().join("p.csv"), None);
    let mut bench = Bench::propose(Begin { named, target: None, is_offered: true });
    bench.keys("2");
    let screen = bench.screen(200, 50);
    assert!(screen.contains("only one can mark the people of T"), "{screen}");
    bench.keys("2");
    assert_eq!(proposal(&bench).member.as_deref(), Some("ill"));
}

#[test]
fn a_proposal_can_be_stopped_and_quitting_asks() {
    let mut bench = clinic();
    assert!(bench.keys("q").is_asked());
    assert!(!bench.keys("n").keys("<Esc>").is_asked());
    assert!(bench.keys("e").app.status.contains("there is no project yet"), "{}", bench.app.status);
    assert!(bench.keys("qy").app.is_done());
    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(Begin { is_offered: true, ..begin });
    bench.keys_at_once("q");
    assert!(bench.is_asked() || bench.app.is_done());
}

#[test]
fn an_unreadable_table_shows_why_on_screen() {
    let (folder, begin) = dirty(false);
    fs::write(folder.path().join("p.csv"), "age,sex\n1\n").unwrap();
    let bench = Bench::propose(begin);
    let screen = bench.screen(100, 30);
    assert!(screen.contains("line 2: 1 field; expected 2"), "{screen}");
}

#[test]
fn help_and_palette_list_only_proposal_commands() {
    let mut bench = clinic();
    bench.keys("?");
    snapshots_of("screens/proposal", "help", &mut bench);
    bench.keys("<Esc>:hier");
    let screen = bench.screen(100, 30);
    assert!(screen.contains("proposal.hierarchy") && !screen.contains("hierarchies.finer"), "{screen}");
    bench.keys("<Esc>:proposal hier<Enter>");
    assert!(bench.app.windows.is_empty() || bench.window::<Choices>().is_some());
    let built = |source: &HierarchySource| matches!(source, HierarchySource::Built(_));
    assert!(
        proposal(&bench)
            .attributes
            .iter()
            .flat_map(|attribute| &attribute.hierarchy)
            .any(|attribute| !built(&attribute.source))
    );
}
