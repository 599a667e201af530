//! The dialog as it is seen, and what it says of what is typed.

use crate::testing::{Bench, snapshots};
use palmtop_release::pipeline::Overrides;

#[test]
fn delta_at_hand() {
    snapshots("windows/delta", "delta", "clinic/clinic.toml", "lld<Tab>0.07<Tab>0.01");
}

/// The screen's words without its frame, so that lines that were broken read on.
pub(crate) fn dialog_text(bench: &Bench) -> String {
    let screen = bench.screen(80, 24);
    screen.replace(['│', '─'], " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn an_unreadable_entry_is_named_by_its_field() {
    let mut bench = Bench::paper();
    for (keys, expected) in [
        ("d<^U>flu<Enter>", "invalid δmax `flu`: expected a fraction such as 2/3"),
        ("<^U><Enter>", "δmax is missing: expected a fraction such as 2/3"),
        ("<^U>2/3<Up><^U>7/6<Enter>", "invalid δmin `7/6`: expected a fraction such as 2/3"),
        ("<^U>0<Tab><Tab>flu", "invalid prior `flu`: expected a fraction such as 2/3"),
        ("<^U><Tab>.05", "prior is missing: expected a fraction such as 2/3"),
        ("<Up>60%<Tab><^U>-1", "invalid misuse `-1`: expected a fraction such as 3/2"),
        ("<^U>5%<Tab>much", "invalid misuse down `much`: expected a fraction such as 3/2"),
    ] {
        let screen = dialog_text(bench.keys(keys));
        assert!(screen.contains(expected), "{keys}: {screen}");
        assert!(!screen.contains("` is n"), "{keys}: {screen}");
    }
}

/// N28: an error stands once, before and after the key that is refused, and the field behind δmax is the prior.
#[test]
fn an_error_stands_once() {
    let mut bench = Bench::paper();
    bench.keys("sljr");
    for (keys, error) in [
        ("d<Tab><Tab>.05", "prior is missing"),
        ("<^T>", "prior is missing"),
        ("<Up>60%<Tab><^U>-1", "invalid misuse `-1`"),
        ("<^T>", "invalid misuse `-1`"),
        ("<^U><Up><^U><^T>", "the advisor needs a prior and a misuse"),
        ("<Up><^U>flu", "invalid δmax `flu`"),
        ("<Enter>", "invalid δmax `flu`"),
        ("<^W>", "invalid δmax `flu`"),
        ("<^U>1/1000", "is above"),
        ("<Enter>", "is above"),
        ("<^U>3/4<Enter>", "a reason is missing"),
        ("<Enter>", "a reason is missing"),
        ("<Up><Up><Up><Up><Up><Up><^U>0<Tab><^U>1/1000<Enter>", "infeasible: "),
    ] {
        let screen = dialog_text(bench.keys(keys));
        assert_eq!(screen.matches(error).count(), 1, "{keys}: {error}: {screen}");
    }
    let screen = dialog_text(bench.keys("<Esc>d<Tab>7%"));
    assert!(screen.contains("prior 7%"), "{screen}");
}

#[test]
fn the_advisor_agrees_with_the_command() {
    let mut bench = Bench::clinic();
    let one_sided = dialog_text(bench.keys("d<Tab>7%<Tab>.01"));
    for expected in [
        "advised δmin 0 0.00000 belief afterwards at least 0.03125",
        "advised δmax 39/775 0.05032 belief afterwards at most 0.08000",
        "believes of nobody more than 0.08000",
    ] {
        assert!(one_sided.contains(expected), "{expected}: {one_sided}");
    }
    let both = dialog_text(bench.keys("<Tab>.02"));
    for expected in [
        "advised δmin 3/155 0.01936 belief afterwards at least 0.05000",
        "with 0.05000 to 0.08000; 7% before",
    ] {
        assert!(both.contains(expected), "{expected}: {both}");
    }
}

#[test]
fn the_example_of_the_advisor_is_true() {
    let mut bench = Bench::paper();
    assert!(dialog_text(bench.keys("d")).contains("prior 0.07"));
    // The example's own numbers, for T a 25th of P.
    let advised = |cost: &str| {
        use palmtop_core::model::{Stakes, advise};
        let stakes = Stakes {
            prior: "0.07".parse().unwrap(),
            cost: cost.parse().unwrap(),
            misuse: "0.01".parse().unwrap(),
            misuse_down: None,
        };
        advise("1/25".parse().unwrap(), &stakes).unwrap().beliefs().1
    };
    assert_eq!((advised("1").as_str(), advised("2").as_str()), ("0.08000", "0.07500"));
}

#[test]
fn the_advisor_remembers_what_was_typed() {
    let mut bench = Bench::clinic();
    bench.keys("d<Tab>7%<Tab>.01<Tab><Tab><^U>2");
    let before = dialog_text(&bench);
    assert!(before.contains("advised δmax"), "{before}");
    for keys in ["<Esc>d", "<Enter>d"] {
        let again = dialog_text(bench.keys(keys));
        for expected in ["prior 7%", "misuse .01", "cost 2", "belief afterwards at most 0.07500"] {
            assert!(again.contains(expected), "{keys}: {expected}: {again}");
        }
    }
}

/// A search fixes δ; another is then taken with a reason alone, and going back is noted, too.
// holds: Δ before results
#[test]
fn changing_delta_after_results_needs_a_reason() {
    let mut bench = Bench::paper();
    assert!(!dialog_text(bench.keys("d")).contains("a reason is missing"));
    bench.keys("<Esc>");
    bench.keys("sljr");
    let before = bench.shared().delta();
    assert!(dialog_text(bench.keys("d<^U>3/4")).contains("reason"));
    let screen = dialog_text(bench.keys("<Enter>"));
    assert!(screen.contains("a reason is missing"), "{screen}");
    assert_eq!(bench.shared().delta(), before);
    bench.keys("one in ten is usual here<Enter>");
    assert_eq!(bench.shared().delta().max().to_string(), "3/4");
    bench.keys("u");
    let reasons: Vec<String> = bench
        .shared()
        .log
        .decisions()
        .iter()
        .map(|step| step.reason.as_ref().map_or_else(|| "fixed".to_owned(), ToString::to_string))
        .collect();
    assert_eq!(reasons[..2], ["fixed", "one in ten is usual here"]);
    assert!(reasons[2].starts_with("went to step"), "{reasons:?}");
}

#[test]
fn what_withdrawing_can_rescue_is_not_infeasible() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    // One person in zip 1, who is in T, nine in zip 2, of whom two are, and five in zip 3; all zips have to stay.
    put("p.csv", &format!("zip\n1\n{}{}", "2\n".repeat(9), "3\n".repeat(5)));
    put("t.csv", "zip\n1\n2\n2\n");
    put("zip.csv", "1,*\n2,*\n3,*\n");
    let project = folder.path().join("x.toml");
    let written = |policy: &str| {
        let text = format!(
            "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n{policy}\
             [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\nkeep = true\n"
        );
        std::fs::write(&project, text).unwrap();
    };
    written("");
    let mut bench = Bench::open(&project, Overrides::default());
    assert!(
        dialog_text(bench.keys("d<^U>2/5<Enter>"))
            .contains("the coarsest levels that are permitted break it")
    );
    written("[policy]\nsuppress_at_most = \"1/2\"\n");
    let mut bench = Bench::open(&project, Overrides::default());
    assert!(!dialog_text(bench.keys("s")).contains("infeasible"), "{}", dialog_text(&bench));
    let screen = dialog_text(bench.keys("<Esc>d<^U>2/5<Enter>"));
    assert!(!screen.contains("infeasible"), "{screen}");
}

#[test]
fn every_size_is_drawn() {
    crate::testing::drawn_at_every_size(&["d<Tab>0.07"]);
}
