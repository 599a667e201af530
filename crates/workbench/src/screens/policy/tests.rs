//! δ and policy: what a field would give is what is enforced once it is written, the file says all that was typed, and the curve
//! has the figures of the searches.

use std::fs;
use std::path::PathBuf;

use palmtop_core::metrics::Metric;
use palmtop_project::Project;
use palmtop_release::pipeline::Overrides;
use palmtop_search::{Config, Strategy};
use tempfile::TempDir;

use super::curve::{Figure, ROUNDS, Swept};
use super::field::Field;
use crate::testing::{Bench, answered, sample, snapshots};

/// The practice clinic in a folder of its own, with a history.
fn clinic() -> (TempDir, PathBuf, Bench) {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(sample("clinic/clinic.toml")).unwrap();
    let hierarchies = sample("../hierarchies/").display().to_string();
    let project = folder.path().join("clinic.toml");
    fs::write(&project, text.replace("../../hierarchies/", &hierarchies)).unwrap();
    for file in fs::read_dir(sample("clinic")).unwrap() {
        let file = file.unwrap().path();
        let to = folder.path().join(file.file_name().unwrap());
        if file.is_file() && !to.exists() {
            fs::copy(&file, to).unwrap();
        }
    }
    let mut bench = Bench::open(&project, Overrides::default());
    bench.app.opening.home = Some(project.clone());
    fs::write(&project, fs::read_to_string(&project).unwrap() + "\n# ours\n").unwrap();
    bench.keys(":reload<Enter>");
    (folder, project, bench)
}

/// The keys that put the cursor on a field of the first page and type into it.
fn typed(field: Field, text: &str) -> String {
    format!("<Home>{}<Enter><^U>{text}<Enter>", "j".repeat(field as usize))
}

// holds: One judge
#[test]
fn every_effect_is_what_is_enforced_after_writing() {
    let (_folder, project, mut bench) = clinic();
    bench.keys("lll4");
    let mut earlier = String::new();
    for (field, text) in [
        (Field::Max, "20%"),
        (Field::Min, "1/1000"),
        (Field::K, "3"),
        (Field::L, "2"),
        (Field::T, "0.5"),
        (Field::KMap, "11"),
    ] {
        bench.keys(&typed(field, text));
        let outlook = &bench.policy().outlook;
        let promised = outlook.together.clone().unwrap().unwrap();
        let screen = bench.screen(80, 24);
        assert!(screen.contains("not enforced"), "{field:?}: {screen}");
        let title = screen.lines().next().unwrap().to_owned();
        bench.keys("w");
        assert_eq!(bench.view().summary, promised, "{field:?}: {}", bench.app.status);
        let now = bench.screen(80, 24).lines().next().unwrap().to_owned();
        assert_ne!(now, title, "{field:?}: the title had what was enforced");
        let written = fs::read_to_string(&project).unwrap();
        assert!(written.contains("# ours") && written != earlier, "{field:?}: {written}");
        assert!(!bench.screen(80, 24).contains("not enforced"), "{field:?}");
        earlier = written;
    }
    let read = Project::read(&project).unwrap();
    let criteria: Vec<&str> = read.policy.iter().map(|(key, _)| key.as_str()).collect();
    assert_eq!(criteria, ["k", "k_map", "l", "t"]);
    bench.keys("<Home>jjjjjj<Enter>");
    let promised = bench.policy().outlook.together.clone().unwrap().unwrap();
    bench.keys("w");
    assert_eq!(bench.view().summary, promised, "{}", bench.app.status);
    assert!(fs::read_to_string(&project).unwrap().contains("empty_regions = \"forbid\""));
}

#[test]
fn advice_is_written_with_its_grounds() {
    let (_folder, project, mut bench) = clinic();
    let keys = [typed(Field::Prior, "7%"), typed(Field::Misuse, ".01")].concat();
    let screen = bench.keys(&format!("d{keys}")).screen(80, 24);
    assert!(screen.contains("→ δmax 5%"), "{screen}");
    bench.keys(":policy.advice<Enter>").keys(&typed(Field::Reason, "the board asked for this"));
    bench.keys("w");
    let text = fs::read_to_string(&project).unwrap();
    for line in [
        "max = \"5%\"",
        "prior = \"7%\"",
        "misuse = \".01\"",
        "cost = \"1\"",
        "reason = \"the board asked for this\"",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert_eq!(bench.shared().delta().max().to_string(), "1/20");
    // The advice and the reason survive another reading.
    fs::write(&project, text.replace("# ours", "# theirs")).unwrap();
    bench.keys(":reload<Enter>");
    assert_eq!(bench.policy().draft.text(Field::Reason), "the board asked for this");
    assert_eq!(bench.policy().draft.text(Field::Prior), "7%");
    // A δ beyond the advice has no grounds.
    bench.keys(&typed(Field::Max, "50%")).keys("w");
    assert!(bench.app.status.contains("δ is wider than the advisor's"), "{}", bench.app.status);
}

#[test]
fn rubbish_is_refused_with_a_sentence() {
    let mut bench = Bench::clinic();
    bench.keys("4");
    for (field, text, expected) in [
        (Field::Max, "flu", "invalid δmax `flu`"),
        (Field::Min, "7/6", "invalid δmin `7/6`"),
        (Field::K, "-1", "a whole number from 1"),
        (Field::L, "many", "expected `{ distinct = 3 }`"),
        (Field::T, "2", "from 0 to 1"),
        (Field::KMap, "0", "a whole number from 1"),
        (Field::Reason, "x", "at least 3 words"),
        (Field::Prior, "flu", "invalid prior `flu`"),
        (Field::Cost, "much", "invalid cost `much`"),
    ] {
        let screen = bench.keys(&typed(field, text)).screen(160, 45);
        assert!(screen.contains(expected), "{field:?}: {screen}");
        bench.keys("<Esc>");
    }
}

#[test]
fn the_report_is_stated_on_the_second_page() {
    let (_folder, project, mut bench) = clinic();
    bench.keys("4<Tab><Enter>R. Berg<Enter>jj<Enter>2024<Enter>jjj<Enter>agreement<Enter>w");
    let stated = Project::read(&project).unwrap().stated;
    assert_eq!(stated.responsible.as_deref(), Some("R. Berg"));
    assert_eq!((stated.period.as_deref(), stated.context.as_deref()), (Some("2024"), Some("agreement")));
    bench.keys("4<Tab><Home>jjjjjjjj<Enter>40% 20% 1/4<Enter>w");
    let stated = Project::read(&project).unwrap().stated;
    let breach = stated.attempt.map(|attempt| attempt.breach.to_string());
    assert_eq!(breach.as_deref(), Some("1/4"), "{}", bench.app.status);
    bench.keys("<Tab>");
    for (row, text, expected) in
        [(3, "soon", "a day is expected"), (8, "40%", "three probabilities"), (8, "2 0 0", "deliberate")]
    {
        let keys = format!("<Home>{}<Enter><^U>{text}<Enter>", "j".repeat(row));
        let screen = bench.keys(&keys).screen(160, 45);
        assert!(screen.contains(expected), "{text}: {screen}");
        bench.keys("<Esc>");
    }
}

#[test]
fn typed_fields_survive_another_reading() {
    let (_folder, project, mut bench) = clinic();
    bench.keys("4").keys(&typed(Field::K, "3"));
    let text = fs::read_to_string(&project).unwrap();
    fs::write(&project, text + "\n[report]\nperiod = \"2024\"\n").unwrap();
    bench.keys(":reload<Enter>y");
    assert_eq!(bench.policy().draft.text(Field::K), "3", "{}", bench.screen(80, 24));
    assert_eq!(bench.policy().draft.text(Field::Period), "2024", "{}", bench.screen(80, 24));
    bench.keys("w");
    assert!(bench.policy().draft == bench.policy().taken, "what is written is no draft");
}

#[test]
fn every_figure_is_the_loss_a_search_finds() {
    let mut bench = Bench::paper();
    bench.keys("4  r");
    let (analysis, shared, sweep) = (bench.analysis(), bench.shared(), bench.sweep());
    let config = Config { metric: Metric::Loss, rounds: Some(ROUNDS), ..Config::default() };
    let deltas = sweep.deltas(&shared.problem);
    assert!(deltas.len() > 3 && deltas.contains(&shared.delta()));
    assert_eq!(sweep.chosen(shared).len(), 4);
    for delta in deltas {
        for strategy in sweep.chosen(shared) {
            let found = analysis.search(&shared.problem.with_delta(delta), strategy, &config, &mut |_| {
                std::ops::ControlFlow::Continue(())
            });
            let loss = found.release.map(|release| release.metrics.loss.mean());
            let expected = loss.map_or(Figure::Nothing, Figure::Loss);
            assert_eq!(sweep.figure(strategy, delta), expected, "{strategy} at {}", delta.max());
        }
    }
}

#[test]
fn a_strategy_marked_on_releases_joins_the_curve() {
    let mut bench = Bench::paper();
    let names = |bench: &Bench| {
        let chosen = bench.sweep().chosen(bench.shared());
        chosen.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let usual = names(bench.keys("4"));
    assert_eq!(usual.len(), 2);
    // n2 and p2 are marked, then b2, for which there is no room.
    bench.keys("3jjjl<Space>j<Space>j<Space>4");
    assert_eq!(names(&bench)[2..], ["n2", "p2"]);
    let screen = bench.keys("r+").screen(160, 45);
    assert!(screen.contains("2 n2  p p2"), "each has its own mark: {screen}");
    bench.keys("3kk<Space>4");
    assert_eq!(names(&bench)[2..], ["p2", "b2"], "what is unmarked makes room");
    bench.keys("-3j<Space>j<Space>4");
    assert_eq!(names(&bench), usual);
}

#[test]
fn measuring_can_be_stopped_and_continued() {
    let mut bench = Bench::paper();
    bench.keys("4");
    bench.keys_at_once("r");
    let total = bench.sweep().sweep_progress().unwrap().total;
    let first = bench.next_swept();
    bench.app.update(first);
    bench.keys_at_once("x");
    assert!(!bench.sweep().is_running());
    assert_eq!(bench.app.status, "stopped; the measurements are kept");
    assert_eq!(bench.keys("x").app.status, "nothing is being measured");
    bench.keys_at_once("r");
    assert_eq!(bench.sweep().sweep_progress().unwrap().total, total - 1, "one was kept");
    bench.settle();
    assert_eq!(bench.keys("r").app.status, "everything is measured");
}

#[test]
fn figures_of_stopped_jobs_are_dropped() {
    let mut bench = Bench::paper();
    bench.keys("4");
    bench.keys_at_once("r");
    let mut stale = bench.next_swept();
    let (key, _) = *answered::<Swept>(&mut stale).unwrap();
    bench.keys_at_once("xr");
    assert_eq!(bench.sweep().figure(key.strategy, key.delta), Figure::Open);
    bench.app.update(stale);
    assert_eq!(bench.sweep().figure(key.strategy, key.delta), Figure::Open);
    bench.settle();
    let delta = bench.shared().delta();
    assert!(matches!(bench.sweep().figure(Strategy::Best, delta), Figure::Loss(loss) if loss > 0.1));
}

#[test]
fn taking_a_delta_is_an_undoable_step() {
    let mut bench = Bench::paper();
    let before = bench.shared().delta();
    assert_eq!(bench.keys("4+<Enter>").app.status, "no measurements yet");
    bench.keys("rl<Enter>");
    assert_eq!(bench.shared().delta(), before, "results have been seen: why is asked first");
    assert_eq!(
        bench.keys(":policy.try<Enter>").app.status,
        "reason: a reason is missing: a search has shown results, so every report gives the reason for a new δ"
    );
    bench.keys("<Enter>it loses much less<Enter>:policy.try<Enter>");
    let taken = bench.shared().delta();
    assert_eq!(bench.shared().log.decisions().len(), 2);
    assert!(taken.max() > before.max() && taken.min() == before.min());
    assert!(bench.app.status.contains("u goes back"), "{}", bench.app.status);
    bench.keys("u");
    assert_eq!(bench.shared().delta(), before);
    let reasons: Vec<String> = bench
        .shared()
        .log
        .decisions()
        .iter()
        .filter_map(|step| Some(step.reason.as_ref()?.to_string()))
        .collect();
    assert_eq!(reasons[0], "it loses much less");
    assert!(reasons[1].starts_with("went to step"), "{reasons:?}");
}

#[test]
fn its_figures_are_copied_as_a_table() {
    let mut bench = Bench::paper();
    assert_eq!(bench.keys("4").figures().unwrap_err(), "no measurements yet");
    let text = bench.keys("r").figures().unwrap().content;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[2], "| δmax | simulatable | best |");
    assert!(lines.iter().any(|line| line.starts_with("| 2/3 | 1.000 |")), "{text}");
}

#[test]
fn at_most_110_words_on_a_small_terminal() {
    let mut measured = Bench::paper();
    let mut bench = Bench::clinic();
    bench.keys("lll4");
    let words_of = |bench: &mut Bench, keys: &str| {
        let screen = bench.keys(keys).screen(80, 24);
        let is_word = |word: &&str| word.chars().filter(|character| character.is_alphabetic()).count() > 1;
        let words = screen.split(|character: char| !character.is_alphabetic()).filter(is_word).count();
        assert!(words <= 110, "{keys}: {words}: {screen}");
    };
    for keys in ["", "<Enter><^U>20%<Enter>", "<Tab>", "<Tab>+"] {
        words_of(&mut bench, keys);
    }
    for keys in ["4r", "  r", "+"] {
        words_of(&mut measured, keys);
    }
}

#[test]
fn delta_and_policy_as_they_are_seen() {
    snapshots("screens/policy", "policy", "clinic/clinic.toml", "lll4");
    snapshots("screens/policy", "policy-typed", "clinic/clinic.toml", "lll4jj<Enter>3<Enter>");
    snapshots("screens/policy", "policy-large", "paper/paper.toml", "4r+h");
    snapshots("screens/policy", "policy-measured", "paper/paper.toml", "lj4r");
    snapshots("screens/policy", "policy-report", "clinic/clinic.toml", "4<Tab>");
}

#[test]
fn every_size_is_drawn() {
    let mut bench = Bench::paper();
    assert!(bench.keys("4r+").ascii_screen(160, 45).is_ascii());
    crate::testing::drawn_at_every_size(&["4rl", "4<Tab>", "4r+"]);
}
