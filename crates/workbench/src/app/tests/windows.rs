//! What opens over a screen, what is asked, and where keys go.

use palmtop_release::pipeline::Overrides;
use palmtop_search::{SearchStage, Step};

use crate::app::message::Message;
use crate::app::state::Phase;
use crate::kit::keyboard::Typed;
use crate::kit::link::Link;
use crate::kit::terminal::Keeper as _;
use crate::shared::runs::Running;
use crate::shared::saver::Saver;
use crate::testing::{Bench, sample};
use crate::windows::menu::state::{CommandMenu, Reach};

#[test]
fn quitting_is_asked_and_keeps_what_is_open() {
    let mut bench = Bench::paper();
    assert!(bench.keys("q").is_asked());
    assert!(!bench.keys("n").is_asked());
    bench.keys("e<Tab>x").keys_at_once("<^C>");
    assert!(bench.is_asked());
    bench.paste("yes");
    bench.keys("n");
    assert_eq!(
        bench.dialog().target.text(),
        "paper-release.csvx",
        "the dialog took neither the answer nor the paste"
    );
    assert!(!bench.app.is_done());
    bench.keys_at_once("<^C><^C>");
    assert!(bench.app.is_done(), "^C asks, then quits");
}

#[test]
fn only_y_quits_and_q_asks_again() {
    let mut bench = Bench::paper();
    assert!(!bench.keys("q<Enter>").app.is_done());
    assert!(!bench.keys("qqq").app.is_done(), "q also closes screens, so it is no answer");
    assert!(bench.is_asked());
    assert!(bench.screen(80, 24).contains("y or ^C quits, any other key stays."), "{}", bench.screen(80, 24));
    assert!(bench.keys("y").app.is_done());
}

#[test]
fn quitting_says_what_a_running_search_loses() {
    let mut bench = Bench::paper();
    bench.keys("3j").keys_at_once("r<^C>");
    let asked = bench.screen(80, 24);
    assert!(asked.contains("best has run 0 s; the search is lost."), "{asked}");
    bench.keys_at_once("n");
    let key = bench.shared().run_key("best".parse().unwrap());
    let step = Step { stage: SearchStage { best: Some(0.1), ..SearchStage::default() }, done: 1, total: 2 };
    let forged = bench.forge_run(key, Ok(Running::Step(step)));
    bench.app.update(forged);
    let asked = bench.keys_at_once("<^C>").screen(80, 24);
    assert!(asked.contains("best has run 0 s; its result so far is lost."), "{asked}");
    bench.keys_at_once("n");
    bench.settle();
    assert!(!bench.keys("<^C>").screen(80, 24).contains("lost"), "{}", bench.screen(80, 24));
}

#[test]
fn quitting_counts_the_steps_that_are_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut bench = Bench::paper();
    // A folder has the name of the history, so it cannot be written.
    let project = folder.path().join("paper.toml");
    std::fs::create_dir_all(palmtop_release::history::path_of(&project)).unwrap();
    bench.ready_mut().shared.saver = Saver::start(&project, None, Link::new(std::sync::mpsc::channel().0));
    bench.keys("lll");
    bench.shared().saver.flush();
    let asked = bench.keys("q").screen(80, 24);
    assert!(asked.contains("3 steps are NOT saved and will be lost"), "{asked}");
}

#[test]
fn escape_with_nothing_open_asks_nothing() {
    let mut bench = Bench::paper();
    bench.keys("<Esc>");
    assert!(!bench.is_asked());
    assert_eq!(bench.app.status, "nothing is open; q quits");
    assert_eq!(bench.keys("l").recipe_name(), "node 1,0,0");
    // A key that answers does nothing else.
    assert_eq!(bench.keys("ql").recipe_name(), "node 1,0,0");
    assert!(!bench.is_asked());
}

#[test]
fn the_list_runs_and_escape_closes_a_screen() {
    let mut bench = Bench::paper();
    assert!(bench.keys("?").window::<CommandMenu>().is_some_and(|menu| menu.reach == Reach::Here));
    assert!(bench.keys("one level coarser<Enter>").app.windows.is_empty());
    assert_eq!(bench.recipe_name(), "node 1,0,0", "Enter runs what was found");
    bench.keys("3<Esc>3q");
    assert!(!bench.is_asked());
    assert!(bench.screen(80, 24).contains("─ step ─"));
}

#[test]
fn letters_are_text_in_fields_and_f1_helps() {
    for (opens, shown) in [("e<Tab>", "F1 keys"), (":", "Enter runs"), ("/", "find")] {
        let mut bench = Bench::paper();
        assert!(bench.keys(opens).screen(80, 24).contains(shown), "{opens}: {}", bench.screen(80, 24));
        let help = "letters      go into the field, ? and q too";
        assert!(!bench.keys("?q").screen(80, 24).contains(help), "{opens}");
        assert!(bench.keys("<F1>").screen(80, 24).contains(help), "{opens}: {}", bench.screen(80, 24));
        assert!(!bench.keys("x").screen(80, 24).contains(help), "any key closes it");
        assert!(!bench.app.windows.is_empty() && !bench.app.is_done(), "{opens}: the dialog stays");
    }
    assert!(Bench::paper().keys("?").window::<CommandMenu>().is_some());
}

#[test]
fn while_it_loads_there_is_nothing_to_ask() {
    for key in ["q", "<Esc>", "<^C>"] {
        let mut bench = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
        assert!(bench.screen(80, 24).contains("loading"));
        assert!(bench.keys_at_once(key).app.is_done(), "{key}");
    }
}

#[test]
fn unloadable_project_ends_with_its_reason() {
    let bench = Bench::open(&sample("paper/no-such.toml"), Overrides::default());
    assert!(bench.app.is_done());
    assert!(bench.app.into_failure().unwrap().contains("no-such.toml"));
}

#[test]
fn a_terminal_that_went_away_ends_it() {
    let mut bench = Bench::paper();
    bench.app.update(Message::Typed(Typed::Lost));
    assert!(bench.app.is_done());
    assert!(matches!(&bench.app.phase, Phase::Failed { .. }));
}

#[test]
fn a_click_beside_a_window_does_nothing() {
    let mut bench = Bench::clinic();
    bench.keys("1:");
    bench.screen(100, 30);
    bench.click(2, 26);
    assert!(bench.window::<CommandMenu>().is_some() && !bench.tables().revealed);
}

#[test]
fn what_cannot_be_seen_takes_no_keys() {
    let mut bench = Bench::paper();
    bench.keys("e<Tab>");
    bench.screen(40, 10);
    bench.keys("<Enter>x");
    assert_eq!(bench.dialog().target.text(), "paper-release.csv");
    bench.keys("<Esc>l");
    assert!(bench.app.windows.is_empty());
    assert_eq!(bench.recipe_name(), "node 0,0,0");
    bench.screen(80, 24);
    assert_eq!(bench.keys("l").recipe_name(), "node 1,0,0");
}

#[test]
fn far_too_much_that_is_pasted_is_cut() {
    let mut bench = Bench::paper();
    bench.keys("e<Tab>");
    bench.paste(&"x".repeat(300_000));
    assert!(bench.dialog().target.text().len() <= 4096);
}
