//! The worked examples of the literature in the engine, as readable tables.

use crate::support::sample;
use palmtop::model::{Classes, Delta, Level, Presence, Problem, Recoding};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::release::Achieved;
use palmtop::search::{self, Config, Strategy};

fn load(path: &str) -> Analysis {
    Analysis::load(&sample(path), &Overrides::default()).unwrap()
}

fn presence(text: &str) -> Presence {
    text.parse().unwrap()
}

/// The classes of a node, sorted by the text of their labels: labels, members, people of P.
fn classes(problem: &Problem, levels: &[u8]) -> Vec<(String, u64, u64)> {
    let levels: Vec<Level> = levels.iter().copied().map(Level).collect();
    let node = problem.lattice().node(&levels).unwrap();
    let counted = Classes::of(problem, &Recoding::Node(node));
    let mut rows: Vec<(String, u64, u64)> = counted
        .iter()
        .map(|class| (class.texts(problem).join(" · "), class.counts.private, class.counts.public))
        .collect();
    rows.sort();
    rows
}

fn row(labels: &str, private: u64, public: u64) -> (String, u64, u64) {
    (labels.to_owned(), private, public)
}

fn achieved(problem: &Problem, levels: &[u8]) -> (Presence, Presence) {
    let levels: Vec<Level> = levels.iter().copied().map(Level).collect();
    let node = problem.lattice().node(&levels).unwrap();
    let achieved = Achieved::of(&Classes::of(problem, &Recoding::Node(node)));
    (achieved.min, achieved.max)
}

#[test]
fn the_papers_node_3_2_2_is_reproduced() {
    let analysis = load("paper/paper.toml");
    let expected = [row("47*** · * · America", 3, 6), row("48*** · * · Europe", 2, 3)];
    assert_eq!(classes(analysis.problem(), &[3, 2, 2]), expected);
}

#[test]
fn the_papers_five_anonymous_table_gives_everybody_away() {
    let analysis = load("paper/paper.toml");
    let rows = classes(analysis.problem(), &[4, 1, 3]);
    assert_eq!(rows, [row("4**** · <=40 · *", 0, 4), row("4**** · >40 · *", 5, 5)]);
    assert_eq!(achieved(analysis.problem(), &[4, 1, 3]).1, Presence::ONE);
}

#[test]
fn the_papers_two_anonymous_table_breaks_delta() {
    let analysis = load("paper/paper.toml");
    let presences = [("4763*", 1, 3), ("4790*", 2, 3), ("4897*", 2, 3)];
    let found = classes(analysis.problem(), &[1, 2, 3]);
    let expected = presences.map(|(zip, private, public)| row(&format!("{zip} · * · *"), private, public));
    assert_eq!(found, expected);
    assert_eq!(achieved(analysis.problem(), &[1, 2, 3]).0, presence("1/3"));
}

#[test]
fn the_papers_lattice_has_six_present_nodes() {
    let problem = load("paper/paper.toml").problem().clone();
    let go_on = &mut |_: search::Step| std::ops::ControlFlow::Continue(());
    let (survey, _) = search::survey(&problem, go_on);
    assert_eq!(problem.lattice().len(), 72);
    let present: Vec<String> = problem
        .lattice()
        .nodes()
        .zip(0..)
        .filter(|(_, rank)| survey.state(*rank).is_present())
        .map(|(node, _)| node.to_string())
        .collect();
    assert_eq!(present, ["3,2,2", "3,2,3", "4,2,2", "4,2,3", "5,2,2", "5,2,3"]);
    let (recoding, _) = search::spalm(&problem, &Config::default(), go_on);
    assert_eq!(recoding.unwrap().node().unwrap().to_string(), "3,2,2");
}

#[test]
fn narrow_age_bands_betray_the_trials_youngest() {
    let analysis = load("trial/trial.toml");
    let problem = analysis.problem();
    assert_eq!(
        classes(problem, &[0, 1]),
        [
            row("85535 · 10-19", 5, 5),
            row("85535 · 20-29", 0, 5),
            row("85535 · 30-39", 0, 10),
            row("85535 · 40-49", 1, 10),
            row("85535 · 50+", 0, 20),
        ]
    );
    assert_eq!(
        classes(problem, &[0, 2]),
        [row("85535 · 10-39", 5, 20), row("85535 · 40-49", 1, 10), row("85535 · 50+", 0, 20),]
    );
    assert_eq!(
        (achieved(problem, &[0, 1]).1, achieved(problem, &[0, 2]).1),
        (Presence::ONE, presence("1/4"))
    );
}

#[test]
fn googles_release_hides_two_ages_among_eighty_people() {
    let project = sample("google/google.toml");
    let findings =
        pipeline::verify_file(&project, &Overrides::default(), &sample("google/release.csv")).unwrap();
    assert!(findings.is_faithful() && findings.is_present(), "{:?}", findings.problems);
    assert_eq!((findings.achieved_max, findings.rows, findings.classes), (presence("1/5"), 3, 2));
    let as_loaded = Analysis::load(&project, &Overrides::default()).unwrap();
    assert_eq!(achieved(as_loaded.problem(), &[0, 0]).1, Presence::ONE);
}

#[test]
fn the_loss_of_the_papers_node_counts_leaves() {
    let analysis = load("paper/paper.toml");
    let levels = [3, 2, 2].map(Level);
    let node = analysis.problem().lattice().node(&levels).unwrap();
    let release = analysis.by_hand(analysis.problem(), node);
    // zip: 47*** has 4 of 7 leaves, 48*** has 3. Nationality: America has 4 of 7, Europe 3. Age is
    // `*`.
    let share = (3.0 * 3.0 + 2.0 * 2.0) / (5.0 * 6.0);
    let by_attribute = release.metrics.loss.by_attribute();
    for (found, expected) in by_attribute.iter().zip([share, 1.0, share]) {
        assert!((found - expected).abs() < 1e-12, "{by_attribute:?}");
    }
    assert_eq!(release.metrics.discernibility, 9 + 4);
    assert!((release.metrics.average_class_size - 2.5).abs() < 1e-12);
    let precision = 1.0 - (3.0 / 5.0 + 1.0 + 2.0 / 3.0) / 3.0;
    assert!((release.metrics.precision.unwrap() - precision).abs() < 1e-12);
}

#[test]
fn every_strategy_verifies_on_every_sample() {
    let folder = tempfile::tempdir().unwrap();
    for project in ["paper/paper.toml", "trial/trial.toml", "google/google.toml"] {
        let analysis = load(project);
        for strategy in Strategy::of_the_paper().chain([Strategy::Best]) {
            let problem = analysis.problem();
            let go_on = &mut |_: search::Step| std::ops::ControlFlow::Continue(());
            let release = analysis.search(problem, strategy, &Config::default(), go_on).release;
            let target = folder.path().join(format!("{strategy}.csv"));
            let options = ExportOptions { force: true, allow_not_present: false };
            let written = pipeline::export::write(&analysis, &release.unwrap(), &target, options).unwrap();
            assert_eq!(written.rows, problem.histogram().total().private, "{project} {strategy}");
        }
    }
}

#[test]
fn a_delta_broken_by_whole_tables_is_infeasible() {
    let problem = load("paper/paper.toml");
    let delta = Delta::new(Presence::ZERO, presence("1/2")).unwrap();
    let problem = problem.problem().with_delta(delta);
    for strategy in Strategy::of_the_paper().chain([Strategy::Best]) {
        let go_on = &mut |_: search::Step| std::ops::ControlFlow::Continue(());
        let (recoding, report) = search::run(strategy, &problem, &Config::default(), go_on);
        assert!(recoding.is_none());
        assert_eq!(report.stop, search::StopReason::Infeasible);
    }
}
