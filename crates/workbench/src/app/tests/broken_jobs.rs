//! Jobs that break: a waiting part gets the reason and waits no longer; a part that has asked again is not touched.

use palmtop_release::pipeline::Overrides;
use palmtop_search::Strategy;

use crate::app::message::Message;
use crate::app::state::Phase;
use crate::screens::policy::curve::Figure;
use crate::screens::policy::field::Field;
use crate::screens::workbench::neighbours::Cell;
use crate::shared::bound::Known;
use crate::shared::report::Report;
use crate::shared::runs::Run;
use crate::testing::{Bench, sample};
use crate::windows::export::state::{Message as ExportMessage, Stage};

/// The message for the analyst after a panic. It has nothing of the panic's text, which may contain rows.
const INTERNAL_ERROR: &str = "an internal error stopped it; the rest of the workbench goes on";

/// A kind of job that is asked for again and again, and where its answer is awaited.
struct Case {
    kind: &'static str,
    /// What is typed before.
    before: &'static str,
    /// What asks for it.
    ask: &'static str,
    /// What asks for it anew, so that the first request is out of date.
    again: &'static str,
    /// What the status says of its failure.
    doing: &'static str,
    is_waiting: fn(&Bench) -> bool,
    /// Whether the answer is there.
    is_answered: fn(&Bench) -> bool,
    /// What the screen says where there is none, and what it does not say.
    expected: &'static str,
    unexpected: &'static str,
}

const CASES: [Case; 12] = [
    Case {
        kind: "view",
        before: "",
        ask: "l",
        again: "l",
        doing: "counting the classes",
        is_waiting: |bench| bench.shared().views.is_open(),
        is_answered: |bench| bench.shared().current_view().is_some_and(|view| view.name() == "node 2,0,0"),
        expected: "? node 1,0,0 is not counted: an internal error",
        unexpected: "counting node",
    },
    Case {
        kind: "list",
        before: "",
        ask: "o",
        again: "o",
        doing: "listing the classes",
        is_waiting: |bench| bench.shared().classes.lists.is_open(),
        is_answered: |bench| bench.shared().classes.lists.failure().is_none(),
        expected: "NOT UPDATED: the list failed",
        unexpected: "by zip",
    },
    Case {
        kind: "find",
        before: "",
        ask: "/Spain<Enter>",
        again: "/Peru<Enter>",
        doing: "searching the classes",
        is_waiting: |bench| bench.shared().classes.is_busy(),
        is_answered: |bench| {
            bench.shared().classes.search.as_ref().is_some_and(|search| search.rows.len() == 1)
        },
        expected: "searching the classes",
        unexpected: "have `Spain`",
    },
    Case {
        kind: "explain",
        before: ":classes<Enter>",
        ask: "j",
        again: "j",
        doing: "explaining the class",
        is_waiting: |bench| bench.shared().classes.explanations.is_open(),
        is_answered: |bench| {
            let class =
                bench.shared().view.as_ref().and_then(|view| view.class(bench.shared().classes.cursor));
            class.map(|(class, _)| class)
                == bench.shared().classes.explanation.as_ref().map(|(class, _)| *class)
        },
        expected: "not explained: an internal error",
        unexpected: "its combination",
    },
    Case {
        kind: "neighbours",
        before: "",
        ask: "l",
        again: "l",
        doing: "counting the neighbours",
        is_waiting: |bench| bench.workbench().steps.progress().0 < bench.workbench().steps.progress().1,
        is_answered: |bench| matches!(bench.workbench().steps.cells(0), [Cell::Counted(_), Cell::Counted(_)]),
        expected: "        ?",
        unexpected: "neighbours 0 of",
    },
    Case {
        kind: "bound",
        before: "lp",
        ask: "3",
        again: "4<Enter><^U>1<Enter>:policy.try<Enter>3",
        doing: "computing the least possible loss",
        is_waiting: |bench| bench.shared().bound.known() == Known::Counting,
        is_answered: |bench| matches!(bench.shared().bound.known(), Known::Counted(Some(_))),
        expected: "least possible",
        unexpected: "…",
    },
    Case {
        kind: "member",
        before: "3",
        ask: "n",
        again: "n",
        doing: "reading a row of T",
        is_waiting: |bench| bench.releases().member.is_open(),
        is_answered: |bench| bench.releases().member.is_found(),
        expected: "not read: an internal error",
        unexpected: "0,0,0 …",
    },
    Case {
        kind: "survey",
        before: "",
        ask: ":lattice<Enter>",
        again: "4<Enter><^U>1<Enter>:policy.try<Enter>:lattice<Enter>",
        doing: "surveying the lattice",
        is_waiting: |bench| bench.lattice().is_surveying(),
        is_answered: |bench| bench.lattice().map().is_some(),
        expected: "Checking the nodes failed",
        unexpected: "checking the nodes:",
    },
    Case {
        kind: "node",
        before: ":lattice<Enter>",
        ask: "k",
        again: "k",
        doing: "counting a node",
        is_waiting: |bench| bench.lattice().is_counting(),
        is_answered: |bench| bench.lattice().figures(&bench.lattice().cursor).is_some(),
        expected: "? classes",
        unexpected: "… classes",
    },
    Case {
        kind: "outlook",
        before: "",
        ask: "4",
        again: "<Enter><Enter>",
        doing: "counting what the policy would give",
        is_waiting: |bench| bench.policy().counting.is_open(),
        is_answered: |bench| bench.policy().outlook.effect(Field::Max).is_some(),
        expected: "counting what the policy would give: an internal error",
        unexpected: "highest",
    },
    Case {
        kind: "sweep",
        before: "4",
        ask: "r",
        again: "xr",
        doing: "measuring the curve",
        is_waiting: |bench| bench.sweep().is_running(),
        is_answered: |bench| {
            matches!(bench.sweep().figure(Strategy::Simulatable, bench.shared().delta()), Figure::Loss(_))
        },
        expected: "measuring the curve: an internal error",
        unexpected: " stops",
    },
    Case {
        kind: "page",
        before: "",
        ask: "1",
        again: "<Tab>",
        doing: "reading the table",
        is_waiting: |bench| bench.tables().is_busy(),
        is_answered: |bench| bench.tables().window().total() == 9,
        expected: "This table cannot be read: an internal error",
        unexpected: "reading …",
    },
];

// holds: Counts are jobs
#[test]
fn failed_job_is_reported_and_no_longer_awaited() {
    for case in &CASES {
        let mut bench = Bench::paper();
        bench.keys(case.before).break_jobs(&[case.kind]);
        bench.keys(case.ask);
        let kind = case.kind;
        assert_eq!(bench.app.status, format!("{}: {INTERNAL_ERROR}", case.doing), "{kind}");
        assert!(!(case.is_waiting)(&bench) && !bench.app.activity().is_answering, "{kind}");
        assert!(!(case.is_answered)(&bench), "{kind}");
        let screen = bench.screen(100, 30);
        assert!(screen.contains(case.expected) && !screen.contains(case.unexpected), "{kind}\n{screen}");
        // The rest goes on, and it can be asked again.
        bench.break_jobs(&[]).keys(case.again);
        assert!((case.is_answered)(&bench), "{kind}");
    }
}

// holds: Counts are jobs
#[test]
fn outdated_failure_does_not_end_the_current_wait() {
    for case in &CASES {
        let mut bench = Bench::paper();
        bench.keys(case.before).break_jobs(&[case.kind]).keys_at_once(case.ask);
        let stale = bench.next_broken();
        bench.break_jobs(&[]).keys_at_once(case.again);
        let kind = case.kind;
        assert!((case.is_waiting)(&bench), "{kind}");
        bench.app.update(stale);
        assert!((case.is_waiting)(&bench), "{kind}: it is still awaited");
        assert!(!bench.app.status.contains(INTERNAL_ERROR), "{kind}: {}", bench.app.status);
        bench.settle();
        assert!((case.is_answered)(&bench), "{kind}");
        assert!(!bench.app.status.contains(INTERNAL_ERROR), "{kind}: {}", bench.app.status);
    }
}

#[test]
fn failure_after_the_answer_changes_nothing() {
    for case in &CASES {
        let mut bench = Bench::paper();
        bench.keys(case.before).break_jobs(&[case.kind]).keys_at_once(case.ask);
        let stale = bench.next_broken();
        bench.break_jobs(&[]).keys_at_once(case.again);
        bench.settle();
        let before = bench.screen(100, 30);
        bench.app.update(stale);
        assert!((case.is_answered)(&bench), "{}", case.kind);
        assert_eq!(bench.screen(100, 30), before, "{}", case.kind);
    }
}

#[test]
fn failed_search_is_reported_in_its_cell() {
    let mut bench = Bench::paper();
    bench.break_jobs(&["search"]).keys("3jjjlr");
    assert_eq!(bench.app.status, format!("n2: {INTERNAL_ERROR}"));
    let cell = Strategy::Mpalm(palmtop_search::ColumnRule::Next, palmtop_search::ValueRule::FirstSplit);
    let key = bench.shared().run_key(cell);
    assert!(matches!(bench.shared().runs.get(key), Some(Run::Broken(_))));
    bench.break_jobs(&[]).keys_at_once("r");
    let stale = bench.forge_run(key, Err(INTERNAL_ERROR));
    bench.settle();
    assert!(bench.is_done(cell));
    bench.app.update(stale);
    assert!(bench.is_done(cell), "it was another run");
}

#[test]
fn dialog_hears_only_of_its_own_jobs() {
    let mut bench = Bench::paper();
    bench.break_jobs(&["preview"]).keys_at_once("e");
    let stale = bench.next_broken();
    bench.break_jobs(&[]).keys_at_once("<Esc>e");
    bench.app.update(stale);
    assert!(bench.dialog().preview.is_none(), "that was another dialog's");
    bench.settle();
    assert!(matches!(&bench.dialog().preview, Some(Ok(_))));
    let late = bench.dialog().previews.forge(Err(INTERNAL_ERROR));
    bench.app.update(Message::Window(Report::new(ExportMessage::Previewed(late))));
    assert!(matches!(&bench.dialog().preview, Some(Ok(_))), "it is there");
    bench.break_jobs(&["export", "preview"]).keys("<Esc>e");
    assert_eq!(bench.dialog().preview, Some(Err(INTERNAL_ERROR.to_owned())));
    bench.keys("w<Enter>all of them agreed to it<Enter><Enter>all of them agreed to it<Enter>w");
    assert!(matches!(&bench.dialog().stage, Stage::Refused(why) if why == INTERNAL_ERROR));
    bench.keys("j");
    let late = bench.dialog().exports.forge(Err(INTERNAL_ERROR));
    bench.app.update(Message::Window(Report::new(ExportMessage::Exported(late))));
    assert!(matches!(&bench.dialog().stage, Stage::Waiting), "nothing is being written");
}

#[test]
fn failed_loading_ends_with_its_reason() {
    let mut bench = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
    let broken = bench.forge_loading(Err(INTERNAL_ERROR));
    bench.app.update(broken);
    assert!(bench.app.is_done());
    assert_eq!(bench.app.into_failure().unwrap(), INTERNAL_ERROR);
    let mut bench = Bench::loading(&sample("paper/paper.toml"), Overrides::default());
    let late = bench.forge_loading(Err(INTERNAL_ERROR));
    while matches!(bench.app.phase, Phase::Loading(_)) {
        bench.take_next();
    }
    bench.app.update(late);
    assert!(!bench.app.is_done() && matches!(bench.app.phase, Phase::Ready(_)));
}

#[test]
fn copying_that_breaks_is_told() {
    let mut bench = Bench::paper();
    bench.break_jobs(&["copy"]).keys_at_once(":copy-to-file<Enter>");
    let broken = bench.next_broken();
    bench.app.update(broken);
    assert_eq!(bench.app.status, format!("copying: {INTERNAL_ERROR}"));
}
