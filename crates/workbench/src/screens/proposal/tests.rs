//! The proposal as it is seen, and what its keys do.

use std::fs;
use std::path::Path;

use palmtop_core::model::Role;
use palmtop_proposal::{Ambiguity, HierarchySource, Named, Proposal};
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

#[test]
fn what_is_open_is_looked_at_and_settled() {
    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    snapshots_of("screens/proposal", "open", &mut bench);
    let before = proposal(&bench).ambiguities.len();
    bench.keys("n<Enter>");
    snapshots_of("screens/proposal", "settling", &mut bench);
    bench.keys("2");
    assert_eq!(proposal(&bench).ambiguities.len(), before - 1);
    assert!(bench.app.status.contains("changed: born: form"), "{}", bench.app.status);
    // δ is settled here, too (N25).
    bench.keys("NN<Enter>");
    assert!(bench.window::<Prompt>().is_some_and(|prompt| prompt.question.word == "δmax"));
    bench.keys("<^U>1/3<Enter>");
    assert!(proposal(&bench).ambiguities.iter().all(|open| !open.is_about_delta()));
}

/// After an answer, the next question is looked at; a note is none, and does not stop the writing.
#[test]
fn answer_leads_to_the_next_question_skipping_notes() {
    let (_folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    let questions = |bench: &Bench| -> Vec<(Option<String>, String)> {
        let open = proposal(bench).ambiguities.iter().filter(|open| open.is_question());
        open.map(|open| (open.attribute.clone(), open.what.clone())).collect()
    };
    let looked_at = |bench: &Bench| bench.proposal().question().map(|open| open.what.clone());
    while looked_at(&bench) != Some(questions(&bench)[1].1.clone()) {
        bench.keys("n");
    }
    let before = questions(&bench);
    bench.keys("<Enter>2");
    let after = questions(&bench);
    assert!(after.len() < before.len(), "{after:?}");
    let next = before[2..].iter().find(|old| after.contains(old)).map(|(_, what)| what.clone());
    assert!(next.is_some() && looked_at(&bench) == next, "{:?}: {after:?}", looked_at(&bench));
    let screen = bench.screen(80, 24);
    assert!(screen.contains(&format!("{} questions are open", after.len())), "{screen}");
    // Once every question is answered, notes alone are left: nothing stops the writing.
    for _ in 0..40 {
        if bench.proposal().open_counts().0 == 0 {
            break;
        }
        while !bench.proposal().question().is_some_and(Ambiguity::is_question) {
            bench.keys("n");
        }
        let is_delta = bench.proposal().question().is_some_and(Ambiguity::is_about_delta);
        bench.keys(if is_delta { "<Enter><^U>1/3<Enter>" } else { "<Enter>1" });
    }
    assert_eq!(bench.proposal().open_counts().0, 0, "{:?}", questions(&bench));
    assert!(bench.screen(80, 24).contains("no question is open"), "{}", bench.screen(80, 24));
    assert!(bench.keys("w").window::<Prompt>().is_some(), "it asks where to write");
}

/// Values of T are shown when somebody asks, and one that P has nowhere can be declared to be none (N6, N25).
// holds: A person decides
#[test]
fn three_values_of_t_are_shown_on_request() {
    let (folder, begin) = dirty(true);
    let mut bench = Bench::propose(begin);
    let row = proposal(&bench).attributes.iter().position(|attribute| attribute.name == "town").unwrap();
    bench.keys(&format!("<Home>{}", "j".repeat(row)));
    let hidden = bench.screen(80, 24);
    assert!(hidden.contains("v shows three values") && !hidden.contains("Atlantis"), "{hidden}");
    bench.keys("<Enter>");
    let hidden = bench.screen(80, 24);
    assert!(hidden.contains("the value in 1 row(s) means a missing value"), "{hidden}");
    assert!(!hidden.contains("Atlantis"), "{hidden}");
    bench.keys("<Esc>v");
    let shown = bench.screen(80, 24);
    assert!(shown.contains("Missing in P: \"Atlantis\""), "{shown}");
    assert!(shown.contains("Values in T: "), "{shown}");
    assert!(bench.keys("<Enter>").screen(80, 24).contains("\"Atlantis\": the value in"));
    bench.keys("2v");
    assert!(!bench.screen(80, 24).contains("Atlantis"));
    let attribute = proposal(&bench).attributes.iter().find(|attribute| attribute.name == "town").unwrap();
    assert_eq!(
        (attribute.readings.0.missing.len(), &attribute.readings.1.missing[..]),
        (0, &["Atlantis".to_owned()][..])
    );
    assert!(!folder.path().join("project.toml").exists());
}

/// What is open is counted before anything is written, and stays in sight (N10, N25).
#[test]
fn writing_with_open_questions_is_confirmed_first() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    let open = proposal(&bench).ambiguities.iter().filter(|open| open.is_question()).count();
    let screen = bench.keys("w").screen(80, 24);
    assert!(screen.contains(&format!("{open} questions are open.")), "{screen}");
    assert!(screen.contains("role of diagnosis"), "{screen}");
    assert!(bench.keys("<Enter>").app.windows.is_empty(), "Enter looks at what is open");
    let screen = bench.keys("w2").screen(80, 24);
    assert!(screen.contains("to be written, then opened"), "{screen}");
    assert!(screen.contains(&format!("question 1 of {open}")), "{screen}");
    bench.keys(&format!("<^U>{}<Enter>", target(&folder)));
    let written = fs::read_to_string(target(&folder)).unwrap();
    assert_eq!(written.matches("role = \"undecided\"").count(), 1, "{written}");
    assert!(written.contains("A starting point, not a recommendation"), "{written}");
}

/// A person's decision leaves no mark, and a δ that was set is not called a starting point (N6, N25).
#[test]
fn decisions_are_written_as_made_on_screen() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    bench.keys("d<^U>1/3<Enter>");
    let row = proposal(&bench).attributes.iter().position(|attribute| attribute.name == "diagnosis").unwrap();
    bench.keys(&format!("<Home>{}:proposal.role<Enter>2", "j".repeat(row)));
    assert_eq!(role(&bench, "diagnosis"), Role::Sensitive);
    bench.keys(&format!("w2<^U>{}<Enter>", target(&folder)));
    let written = fs::read_to_string(target(&folder)).unwrap();
    assert!(!written.contains("undecided"), "{written}");
    assert!(!written.contains("A starting point") && written.contains("You decided δmax"), "{written}");
}

/// A starting point that was accepted as it was is no decision.
#[test]
fn an_accepted_default_is_not_called_decided() {
    let (folder, begin) = dirty(false);
    let mut bench = Bench::propose(begin);
    assert!(bench.screen(160, 45).contains("a first proposal"));
    assert!(bench.keys("d<Enter>").screen(160, 45).contains(", accepted"), "{}", bench.screen(160, 45));
    bench.keys(&format!("w2<^U>{}<Enter>", target(&folder)));
    let written = fs::read_to_string(target(&folder)).unwrap();
    assert!(written.contains("starting point, accepted as it was"), "{written}");
    assert!(!written.contains("You decided δmax"), "{written}");
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
    assert!(bench.screen(80, 24).contains("● age"), "{}", bench.screen(80, 24));
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
    bench.keys("w2");
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
    bench.keys(&format!("w2<^U>{table}<Enter>"));
    assert!(bench.window::<Prompt>().is_some_and(|prompt| prompt.wrong.is_some()));
    bench.keys(&format!("<^U>{}<Enter>", target(&folder)));
    assert!(bench.screen(80, 24).contains("y replaces it"), "{}", bench.screen(80, 24));
    bench.keys("n");
    assert_eq!(fs::read_to_string(target(&folder)).unwrap(), "mine");
    bench.keys("w2<Enter>y");
    assert!(matches!(bench.app.phase, Phase::Ready(_)), "{}", bench.app.status);
    assert_ne!(fs::read_to_string(target(&folder)).unwrap(), "mine");
}

// holds: One screen before a project
#[test]
fn the_proposal_survives_a_failed_opening() {
    let (folder, begin) = dirty(true);
    let mut bench = Bench::propose(begin);
    bench.keys(&format!(":proposal.missing<Enter>k1w2<^U>{}<Enter>", target(&folder)));
    let Some(notice) = bench.window::<Notice>() else { panic!("{}", bench.screen(80, 24)) };
    assert!(notice.text.contains("written, but not complete yet"), "{}", notice.text);
    assert!(!bench.app.is_done());
    bench.keys("<Enter>:proposal.missing<Enter>2");
    bench.keys("w2<Enter>y");
    assert!(matches!(bench.app.phase, Phase::Ready(_)), "{}", bench.screen(80, 24));
    // Who is left out stays in the title, however narrow it is (N10).
    for (width, height) in [(200, 50), (80, 24), (62, 16)] {
        let screen = bench.screen(width, height);
        assert!(screen.lines().next().is_some_and(|title| title.contains("−1")), "{screen}");
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
        "n",
        "<Enter>",
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
    assert!(screen.lines().any(|line| line.starts_with('▸') && line.contains("stay  not used")), "{screen}");
    assert!(screen.contains("its type cannot be read as text; write it as text"), "{screen}");
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
    bench.keys("<Enter>2");
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
    bench.keys("<Esc>");
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
