//! The releases: what each key does, that figures are those of `compare`, and what a running search may show.

use palmtop_core::model::{Fraction, Presence, Role};
use palmtop_measure::risk::Risk;
use palmtop_measure::utility::Workload;
use palmtop_release::figures::{FIGURES, Facts};
use palmtop_release::history::{RecodingRecipe, Search};
use palmtop_release::pipeline::{self, Overrides};
use palmtop_search::{Config, SearchReport, SearchStage, Step, StopReason, Strategy};

use super::columns::per_cent;
use super::member::Published;
use super::risk::RECURSIVE_C;
use super::rows::Cell;
use super::set::ColumnSet;
use crate::kit::name::ScreenName;
use crate::kit::text;
use crate::shared::intent::Change;
use crate::shared::runs::{Outcome, Run, RunKey, Running};
use crate::shared::view::{Measured, recipe_name};
use crate::testing::{Bench, sample, snapshots};

/// The keys that run every search.
const ALL: &str = ":releases.run-all<Enter>";

fn named(name: &str) -> Strategy {
    name.parse().unwrap()
}

fn key(bench: &Bench, name: &str) -> RunKey {
    bench.shared().run_key(named(name))
}

fn finished(bench: &Bench) -> usize {
    bench.shared().runs.finished(bench.shared().delta()).count()
}

/// The names of the compared releases, the base first.
fn compared(bench: &Bench) -> Vec<String> {
    let shared = bench.shared();
    let compared = bench.releases().compared(shared, &shared.candidates());
    compared.iter().map(|candidate| recipe_name(&candidate.recipe, shared.delta())).collect()
}

/// A search of the paper, stopped before its end, with the release that it had by then.
fn stopped(bench: &mut Bench, name: &str) {
    ended(bench, name, StopReason::Cancelled);
}

/// A search of the paper that ended for this reason.
fn ended(bench: &mut Bench, name: &str, stop: StopReason) {
    let mut other = Bench::paper();
    other.keys("3").keys(ALL);
    let found = other.shared().outcome(named(name)).unwrap().measured.clone().unwrap();
    let mut release = found.release.as_ref().clone();
    let lower = (name == "spalm").then_some(0.1239);
    let report = SearchReport { lower, ..SearchReport::without_nodes(stop) };
    release.search = Some(report);
    let key = key(bench, name);
    let search = Search::new(named(name), &Config::default(), key.delta, &report, release.recoding.node());
    let measured = Some(Measured::new(&bench.shared().problem, release));
    let outcome = Outcome { measured, search, report, seconds: 0.25 };
    let news = bench.ready_mut().shared.finished(key, false, Ok(Box::new(outcome)));
    bench.app.tell(news);
}

/// The step of a search that has a release of this loss.
fn step(best: f64) -> Step {
    Step { stage: SearchStage { best: Some(best), ..SearchStage::default() }, done: 1, total: 2 }
}

#[test]
fn a_key_runs_the_row_or_all_marked() {
    let mut bench = Bench::paper();
    bench.keys("3r");
    assert!(bench.is_done(named("simulatable")));
    assert_eq!(finished(&bench), 1);
    bench.keys("jj<Space>jl<Space>");
    assert_eq!(bench.shared().runs.marked(), [named("spalm"), named("n2")]);
    assert!(bench.screen(80, 24).contains("■spalm"), "{}", bench.screen(80, 24));
    bench.keys("r");
    assert!(bench.is_done(named("spalm")) && bench.is_done(named("n2")));
    assert_eq!((finished(&bench), bench.shared().runs.marked().len()), (3, 2), "the marks stay");
    assert_eq!(bench.keys("r").app.status, "n2 has run; another run would end the same way");
    bench.keys(ALL);
    assert!(Strategy::all().all(|strategy| bench.is_done(strategy)));
    assert_eq!(bench.keys(ALL).app.status, "all have run or are running");
    assert_eq!(
        bench.keys("<End>r").app.status,
        "no search made it: it was chosen by hand, or under another δ"
    );
}

#[test]
fn the_cursor_walks_rows_and_the_block() {
    let mut bench = Bench::paper();
    bench.keys("3");
    for (keys, name) in [
        ("k", "simulatable"),
        ("j", "best"),
        ("j", "spalm"),
        ("l", "spalm"),
        ("j", "n1"),
        ("l", "n2"),
        ("j", "p2"),
        ("ll", "p3"),
        ("j", "b3"),
        ("hh", "b1"),
        ("h", "b1"),
    ] {
        bench.keys(keys);
        assert_eq!(bench.releases().cursor, Cell::Search(named(name)), "{keys}");
    }
    bench.keys("j");
    assert_eq!(bench.chosen().0, RecodingRecipe::from(&bench.shared().ground.node), "the node has a row");
}

#[test]
fn a_finishing_search_does_not_move_the_cursor() {
    let mut bench = Bench::paper();
    bench.keys("3jjjlr");
    let (recipe, pointed) = bench.chosen();
    stopped(&mut bench, "spalm");
    assert_eq!(bench.shared().candidates().len(), 3);
    assert!(std::sync::Arc::ptr_eq(&pointed, &bench.chosen().1));
    assert_eq!(bench.chosen().0, recipe);
}

#[test]
fn what_a_search_found_is_measured_unasked() {
    let mut bench = Bench::paper();
    bench.keys("3r");
    let (shared, screen) = (bench.shared(), bench.releases());
    for candidate in shared.candidates() {
        let measures = screen.measures(shared, &candidate, ColumnSet::Risk);
        assert!(measures.iter().all(|measure| measure.text != "…"), "{}", candidate.recipe);
    }
    for candidate in screen.compared(shared, &shared.candidates()) {
        assert!(screen.member.published(&candidate).is_some(), "{}", candidate.recipe);
    }
    let key = key(&bench, "spalm");
    let news = bench.ready_mut().shared.finished(key, false, Err("it broke".to_owned()));
    assert!(news.changes.contains(&Change::Candidates), "{:?}", news.changes);
}

#[test]
fn tab_changes_columns_and_more_adds_some() {
    let mut bench = Bench::clinic();
    let screen = bench.keys("3r").screen(120, 30);
    for expected in ["[loss]", "terms", "classes", "highest", "alone", "knows"] {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    let screen = bench.keys("<Tab>").screen(80, 24);
    assert!(screen.contains("[risk]") && screen.contains("k-map") && !screen.contains("(3, l)"), "{screen}");
    let screen = bench.keys("m").screen(200, 30);
    assert!(screen.contains("even") && screen.contains("(3, l)"), "{screen}");
    let screen = bench.keys("m<Tab>").screen(200, 30);
    for expected in
        ["[utility]", "query", "90th", "distance", "loses most: ", "shares of T and of the release"]
    {
        assert!(screen.contains(expected), "{expected}: {screen}");
    }
    assert_eq!(bench.keys("<Tab>").releases().set, ColumnSet::Loss);
}

#[test]
fn opening_a_release_is_a_step() {
    let mut bench = Bench::paper();
    bench.keys("l3jjjlr<Enter>");
    assert_eq!((bench.recipe_name().as_str(), bench.shared().open), ("n2", ScreenName::WORKBENCH));
    assert!(bench.screen(100, 30).contains("steps apply to nodes: h or l goes back to node 1,0,0"));
    assert_eq!(bench.keys("l").recipe_name(), "node 1,0,0");
    assert_eq!(bench.keys("u").recipe_name(), "n2");
    let mut bench = Bench::paper();
    assert_eq!(bench.keys("3jjr<Enter>").recipe_name(), "spalm: node 3,2,2");
    assert_eq!(bench.keys("h").recipe_name(), "node 2,2,2");
}

#[test]
fn at_most_four_are_compared_the_base_first() {
    let mut bench = Bench::paper();
    bench.keys("3").keys(ALL).keys("<Home>");
    let least = bench.shared().candidates()[0].recipe.clone();
    assert_eq!(
        compared(&bench)[0],
        recipe_name(&least, bench.shared().delta()),
        "the least loss is the base"
    );
    bench.keys("b");
    assert_eq!(compared(&bench), ["simulatable"], "and the cursor is on it");
    bench.keys("jpjpjlp");
    assert_eq!(compared(&bench)[0], "simulatable");
    assert_eq!(compared(&bench).len(), 4);
    for name in ["best", "spalm", "n2"] {
        assert!(compared(&bench).iter().any(|known| known == name), "{name}");
    }
    assert_eq!(bench.keys("jp").app.status, "4 are compared already: p on one of them lets it go");
    let screen = bench.screen(160, 45);
    assert!(screen.contains("─ compared ─") && screen.contains('★'), "{screen}");
    // What is pinned goes with x or with p.
    bench.keys("kx");
    assert_eq!(bench.app.status, "n2 is no longer pinned");
    assert!(bench.is_done(named("n2")), "its result stays");
    assert_eq!(bench.keys("x").app.status, "n2 neither runs nor is pinned");
    assert_eq!(bench.keys("kp").app.status, "spalm is no longer pinned");
}

#[test]
fn differences_stand_beside_the_figures() {
    let mut bench = Bench::paper();
    bench.keys("3").keys(ALL).keys("<Home>bjp");
    let shared = bench.shared();
    let candidates = shared.candidates();
    let screen = bench.releases();
    let pair = screen.compared(shared, &candidates);
    let losses: Vec<f64> = pair.iter().map(|it| it.measured.release.metrics.loss.mean()).collect();
    let drawn = bench.screen(160, 45);
    let change = text::change(losses[1] - losses[0]);
    assert!(drawn.contains(&change), "{change}: {drawn}");
    for quasi in shared.problem.quasi() {
        assert!(drawn.contains(&quasi.name), "{}: {drawn}", quasi.name);
    }
}

#[test]
fn each_figure_is_the_one_that_compare_prints() {
    let mut bench = Bench::clinic();
    bench.keys("3rjjrp<Tab><Tab>");
    let (shared, screen) = (bench.shared(), bench.releases());
    let basis = pipeline::utility::basis(&shared.analysis, 0, Workload::QUERIES).unwrap();
    let c: Fraction = RECURSIVE_C.parse().unwrap();
    for candidate in shared.candidates() {
        let release = &candidate.measured.release;
        let facts = Facts { release, utility: None, seconds: None };
        for (column, name) in [("loss", "loss"), ("terms", "terms"), ("classes", "released_classes")] {
            let measures = screen.measures(shared, &candidate, ColumnSet::Loss);
            let measure = measures.iter().find(|measure| measure.head == column).unwrap();
            let figure = FIGURES.iter().find(|figure| figure.head.name == name).unwrap();
            assert_eq!(measure.value, (figure.value)(&facts).order(), "{column}");
        }
        let risk = Risk::of(&pipeline::risk::classes(&shared.analysis, release).unwrap(), &c);
        let shown: Vec<String> =
            screen.measures(shared, &candidate, ColumnSet::Risk).into_iter().map(|it| it.text).collect();
        let counts = [risk.k, risk.k_map, risk.unique_members, risk.unique_people].map(text::count);
        assert_eq!(shown[..4], counts);
        let utility = pipeline::utility::of_release(&shared.analysis, &basis, release, 1);
        let shown: Vec<String> =
            screen.measures(shared, &candidate, ColumnSet::Utility).into_iter().map(|it| it.text).collect();
        let errors = utility.queries.all;
        let expected = [errors.median, errors.ninetieth, utility.distance()].map(text::loss);
        assert_eq!(shown[..3], expected);
        for (shown, attribute) in shown[3..].iter().zip(&utility.attributes) {
            assert_eq!(*shown, text::loss(attribute.distance), "{}", attribute.name);
        }
        let highest = per_cent(release.achieved.max);
        assert!(screen.measures(shared, &candidate, ColumnSet::Loss).iter().any(|it| it.text == highest));
    }
}

#[test]
fn a_running_loss_gets_no_star() {
    let mut bench = Bench::paper();
    bench.keys("3r").keys("j").keys_at_once("r");
    let best = key(&bench, "best");
    assert!(!bench.screen(80, 24).contains("if it stops now"), "no release is measured yet");
    let forged = bench.forge_run(best, Ok(Running::Step(step(0.001))));
    bench.app.update(forged);
    let screen = bench.screen(80, 24);
    assert!(screen.contains("loss .001 if it stops now"), "{screen}");
    assert!(screen.contains("━━━╌╌╌") && screen.contains(" .001") && !screen.contains(".001★"), "{screen}");
    bench.settle();
}

#[test]
fn exporting_during_a_search_says_what_to_do() {
    let mut bench = Bench::paper();
    bench.keys("3j").keys_at_once("r");
    let best = key(&bench, "best");
    let forged = bench.forge_run(best, Ok(Running::Step(step(0.044))));
    bench.app.update(forged);
    assert_eq!(
        bench.keys_at_once("e").app.status,
        "best still runs (loss .044): x stops it; then Enter opens its release, e exports it"
    );
    bench.keys_at_once("2e");
    assert!(bench.app.windows.is_empty(), "nobody means the node that breaks δ");
    bench.settle();
    assert!(bench.keys("e").app.status.starts_with("node 0,0,0 breaks δ: this is best, the best found"));
}

#[test]
fn the_cursor_stays_on_a_row_that_exists() {
    let mut bench = Bench::paper();
    bench.keys("lpl3G");
    let row =
        |bench: &Bench| bench.screen(80, 24).lines().find(|line| line.starts_with('▸')).unwrap().to_owned();
    let before = row(&bench);
    bench.keys("x");
    let name = bench.releases().name(bench.shared());
    assert!(row(&bench).contains(name.trim_start_matches("node ")), "{before}: {name}: {}", row(&bench));
    bench.keys("gr");
    let screen = bench.screen(80, 24);
    assert!(!screen.contains("next: 3"), "{screen}");
}

#[test]
fn what_has_no_release_says_the_next_key() {
    let mut bench = Bench::paper();
    assert!(bench.keys("3").screen(80, 24).contains("next: r runs it"), "{}", bench.screen(80, 24));
    let why = "n2 has not been run under this δ; r runs it";
    assert_eq!(bench.keys("jjjl<Enter>").app.status, why);
    assert_eq!(bench.keys("e").app.status, why);
    assert_eq!(bench.keys("p").app.status, why);
    assert_eq!(bench.keys("x").app.status, "n2 neither runs nor is pinned");
    assert_eq!(bench.keys(":releases.stop-all<Enter>").app.status, "no search is running");
    let narrow = Overrides { delta_min: Some(Presence::ZERO), delta_max: "1/100".parse().ok() };
    let mut bench = Bench::open(&sample("paper/paper.toml"), narrow);
    let infeasible = "n2 ended: infeasible: |T|/|P| is 5/9, outside 0 to 1/100";
    assert_eq!(bench.keys("3jjjlr").app.status, infeasible, "there is nothing to open");
    assert_eq!(bench.keys("<Enter>").app.status, "n2 found no release that keeps δ");
}

#[test]
fn a_stopped_search_keeps_its_release_and_reruns() {
    let mut bench = Bench::paper();
    stopped(&mut bench, "n2");
    assert!(bench.keys("3jjjl").screen(100, 30).contains("stopped · "));
    bench.keys("<Enter>");
    assert_eq!(bench.recipe_name(), "n2");
    bench.keys("e");
    assert!(bench.dialog().command_line().starts_with("no command makes this release again"));
    bench.keys("<Esc>3");
    // All that have nothing yet: what was stopped with a release is left as it is.
    bench.keys(ALL);
    let Some(Run::Done(outcome)) = bench.shared().run(named("n2")) else { panic!("it had run") };
    assert_ne!(outcome.report.stop, StopReason::Done);
    bench.keys("r");
    let Some(Run::Done(outcome)) = bench.shared().run(named("n2")) else { panic!("it ran") };
    assert_eq!(outcome.report.stop, StopReason::Done);
}

/// Only the analyst stops a search; one that used up its seconds has its time as any other.
#[test]
fn used_up_time_is_not_called_stopped() {
    for (stop, state, end) in [
        (StopReason::Cancelled, "✓ stopped", "─ stopped · "),
        (StopReason::Time, "✓ 0.25 s", "─ time used up · "),
    ] {
        let mut bench = Bench::paper();
        ended(&mut bench, "best", stop);
        let screen = bench.keys("3j").screen(100, 30);
        assert!(screen.contains(state) && screen.contains(end), "{screen}");
    }
}

#[test]
fn a_stopped_spalm_shows_its_bound() {
    let mut bench = Bench::paper();
    ended(&mut bench, "spalm", StopReason::Time);
    let screen = bench.keys("3jj").screen(100, 30);
    assert!(screen.contains("time used up · 0.25 s · no node below .123"), "{screen}");
}

#[test]
fn the_legend_explains_every_column() {
    let mut bench = Bench::clinic();
    bench.keys("3jjjlr");
    let (shared, legend) = (bench.shared(), super::LEGEND.join(" "));
    let candidates = shared.candidates();
    for set in [ColumnSet::Loss, ColumnSet::Risk] {
        for measure in bench.releases().measures(shared, &candidates[0], set) {
            let is_word = |character: char| character.is_alphanumeric();
            let mut found = legend.match_indices(&measure.head);
            let alone = found.any(|(index, head)| {
                !legend[..index].ends_with(is_word) && !legend[index + head.len()..].starts_with(is_word)
            });
            assert!(alone, "{}", measure.head);
        }
    }
}

#[test]
fn stopping_reaches_a_running_search() {
    let mut bench = Bench::paper();
    bench.keys("3jjjl").keys_at_once("r").keys_at_once(ALL);
    let Some(Run::Running { .. }) = bench.shared().run(named("n2")) else { panic!("it runs") };
    bench.keys_at_once("x");
    assert_eq!(bench.app.status, "n2 stops; its best so far is kept");
    bench.keys_at_once(":releases.stop-all<Enter>");
    bench.settle();
    assert_eq!(bench.shared().runs.unfinished(), 0);
}

#[test]
fn one_command_runs_best_from_anywhere() {
    let mut bench = Bench::paper();
    bench.keys(":best<Enter>");
    assert_eq!(bench.shared().open, ScreenName::RELEASES);
    assert!(bench.is_done(named("best")));
    assert_eq!(bench.releases().cursor, Cell::Search(named("best")));
}

#[test]
fn the_seconds_of_best_are_shown_and_set() {
    let mut bench = Bench::paper();
    assert!(
        bench.keys("3j").screen(100, 30).contains("600 seconds, 2 rounds at most or until x, from seed 0")
    );
    bench.keys(":releases.seconds<Enter><^u>0<Enter>");
    assert!(bench.screen(80, 24).contains("expected whole seconds from 1 to 86400"));
    bench.keys("<^u>90<Enter>");
    assert_eq!(bench.app.status, "best may take 90 s from its next run on");
    assert_eq!(bench.shared().runs.budget.limit.as_secs(), 90);
}

#[test]
fn the_same_member_is_shown_in_each_release() {
    let mut bench = Bench::paper();
    bench.keys("3").keys(ALL).keys("<Home>bjp/3<Enter>");
    assert_eq!(bench.releases().member.number(), 3);
    let shared = bench.shared();
    let candidates = bench.releases().compared(shared, &shared.candidates());
    assert_eq!(candidates.len(), 2);
    let screen = bench.screen(160, 45);
    for candidate in &candidates {
        let Some(Published::Texts(texts)) = bench.releases().member.published(candidate) else {
            panic!("the row is in P")
        };
        let release = &candidate.measured.release;
        let page = pipeline::page::of_release(&shared.analysis, release, 0, 100).unwrap();
        let is_row = |row: &Vec<String>| texts.iter().all(|text| row.contains(text));
        assert!(page.rows.iter().any(is_row), "{texts:?}: {:?}", page.rows);
        assert!(screen.contains(&texts.join(" · ")), "{texts:?}: {screen}");
    }
    assert_eq!(bench.keys("n").releases().member.number(), 4);
    assert_eq!(bench.keys("NNN").releases().member.number(), 1);
    assert_eq!(bench.keys("N").app.status, "this is the first row of T");
    bench.keys("/99<Enter>");
    assert_eq!(bench.app.status, "no published text of a member contains `99`", "T has 5 rows");
}

#[test]
fn a_member_is_found_by_a_published_text() {
    let mut bench = Bench::clinic();
    bench.keys("3r/pupil<Enter>");
    let number = |bench: &Bench| bench.releases().member.number();
    let has = |bench: &Bench| {
        let shared = bench.shared();
        bench.releases().compared(shared, &shared.candidates()).iter().any(|candidate| {
            let published = bench.releases().member.published(candidate);
            matches!(published, Some(Published::Texts(texts)) if texts.iter().any(|text| text.contains("pupil")))
        })
    };
    let first = number(&bench);
    assert!(has(&bench) && bench.app.status.ends_with("members have `pupil` in a published text"));
    let second = number(bench.keys("n"));
    assert!(has(&bench) && second > first, "{first} {second}");
    assert_eq!(number(bench.keys("N")), first);
    assert!(number(bench.keys("N")) > second, "the last one comes before the first");
    assert_eq!(number(bench.keys("n")), first);
    // A number is a row of T, and ends the search for a text.
    assert_eq!(number(bench.keys("/17<Enter>")), 17);
    assert_eq!(number(bench.keys("n")), 18);
    bench.keys("/flu<Enter>");
    assert_eq!(number(&bench), 18);
    assert_eq!(bench.app.status, "no published text of a member contains `flu`");
}

#[test]
fn wide_screens_show_rows_without_sensitive_values() {
    let mut bench = Bench::clinic();
    bench.keys("3r");
    let screen = bench.screen(160, 45);
    let (shared, release) = (bench.shared(), bench.chosen().1);
    let page = pipeline::page::of_release(&shared.analysis, &release, 0, 3).unwrap();
    let below: Vec<&str> =
        screen.lines().skip_while(|line| !line.contains("as a recipient reads them")).skip(2).collect();
    assert!(below.len() > 6, "{screen}\n{:?}", page.rows);
    for (line, row) in below.iter().zip(&page.rows) {
        for (column, text) in page.columns.iter().zip(row) {
            let is_shown = line.contains(&text.chars().take(12).collect::<String>());
            let is_quasi = column.role == Some(Role::Quasi);
            assert_eq!(is_shown, is_quasi, "{}: {text}: {screen}", column.name);
        }
    }
    assert!(!bench.screen(80, 24).contains("as a recipient reads them"));
    // The rows of a node that breaks δ may be those of T.
    let screen = Bench::clinic().keys("3G").screen(160, 45);
    assert!(!screen.contains("as a recipient reads them"), "{screen}");
}

#[test]
fn a_members_values_show_only_after_a_key() {
    let mut bench = Bench::paper();
    let raw = |bench: &Bench| bench.screen(160, 45).lines().any(|line| line.contains(" T     "));
    assert!(!raw(bench.keys("3")));
    bench.keys("v");
    assert_eq!(bench.app.status, "the member's values in T show until you leave this screen");
    assert!(raw(&bench), "{}", bench.screen(160, 45));
    bench.keys("23");
    assert!(!raw(&bench), "left and opened again: {}", bench.screen(160, 45));
    assert!(raw(bench.keys("v")));
    assert!(!raw(bench.keys("v")));
}

#[test]
fn what_cannot_be_measured_says_why() {
    for (kind, keys) in [("risk", "<Tab><End>"), ("utility", "<Tab><Tab><End>")] {
        let mut bench = Bench::clinic();
        bench.break_jobs(&[kind]);
        let screen = bench.keys("3").keys(keys).screen(100, 30);
        assert!(screen.contains("not measured: an internal error"), "{kind}: {screen}");
    }
}

#[test]
fn the_audit_is_seen_in_the_table() {
    let mut bench = Bench::paper();
    bench.keys("3rjr");
    let knows = |bench: &Bench| {
        let shared = bench.shared();
        let candidates = shared.candidates();
        let here = bench.releases().cursor.among(shared, &candidates).unwrap();
        let measures = bench.releases().measures(shared, here, ColumnSet::Loss);
        measures.into_iter().find(|measure| measure.head == "knows").unwrap().text
    };
    assert_eq!(knows(&bench), "?");
    bench.keys(":audit<Enter><Esc>");
    assert_ne!(knows(&bench), "?", "of tables this small every T is counted");
    assert_eq!(knows(bench.keys("k")), "✓");
    assert!(bench.screen(80, 24).contains("simulatable◈"), "{}", bench.screen(80, 24));
    assert!(bench.figures().unwrap().content.contains("| exact, within δ |"));
}

#[test]
fn at_most_110_words_at_80_columns() {
    for (project, keys) in [
        ("paper/paper.toml", "3"),
        ("clinic/clinic.toml", "3"),
        ("clinic/clinic.toml", "3r"),
        ("clinic/clinic.toml", "3rjjrp"),
        ("clinic/clinic.toml", "3rjjrp<Tab>"),
        ("clinic/clinic.toml", "3rjjrp<Tab><Tab>"),
    ] {
        let mut bench = Bench::open(&sample(project), Overrides::default());
        let words = bench.keys(keys).words();
        assert!(words <= 110, "{keys}: {words} words\n{}", bench.screen(80, 24));
    }
}

#[test]
fn the_right_half_of_wide_screens_is_used() {
    for keys in ["3", "3r", "3rjjrp<Tab>"] {
        let screen = Bench::clinic().keys(keys).screen(160, 45);
        let is_used = |line: &&str| line.chars().skip(82).any(|character| !character.is_whitespace());
        let used = screen.lines().skip(2).filter(is_used).count();
        assert!(used >= 12, "{keys}: {used}\n{screen}");
    }
}

#[test]
fn the_releases() {
    let all = |keys: &str| format!("3{ALL}{keys}");
    snapshots("screens/releases", "releases-before", "paper/paper.toml", "3");
    snapshots("screens/releases", "releases", "clinic/clinic.toml", &all(""));
    snapshots("screens/releases", "releases-compared", "clinic/clinic.toml", &all("bjpjjlp"));
    snapshots("screens/releases", "releases-risk", "clinic/clinic.toml", &all("<Tab>"));
    snapshots("screens/releases", "releases-utility", "clinic/clinic.toml", &all("<Tab><Tab>"));
}

#[test]
fn every_size_is_drawn() {
    let all = format!("3{ALL}bjpjjlp");
    crate::testing::drawn_at_every_size(&["3", &all, &format!("{all}<Tab>"), &format!("{all}<Tab><Tab>")]);
}
