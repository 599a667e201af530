//! Limits of quasi-identifiers: cuts between labels only, the finest and the coarsest level. Every
//! search keeps them.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::support::check::check_regions;
use crate::support::generate::{Case, cases};
use palmtop::metrics::{Metric, Metrics};
use palmtop::model::{
    Classes, Code, Cuts, EmptyRegions, Hierarchy, Kind, Label, Level, Levels, Problem, Recoding, Weights,
};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file};
use palmtop::search::{Config, NodeState, StopReason, Strategy as Search, bound, run, survey};
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::strategy::ValueTree;

/// The result of a strategy that runs to its end.
fn found(problem: &Problem, strategy: Search, metric: Metric) -> Option<Recoding> {
    let config = Config { metric, rounds: Some(2), ..Config::default() };
    run(strategy, problem, &config, &mut |_| ControlFlow::Continue(())).0
}

/// The leaves that a label denotes.
fn denoted(hierarchy: &Hierarchy, label: &Label) -> BTreeSet<Code> {
    (0..).take(hierarchy.leaf_count()).filter(|&code| label.denotes(hierarchy, code)).collect()
}

/// Checks the limits of a recoding from any search. A class without members publishes no row.
fn check(case: &Case, problem: &Problem, recoding: &Recoding, name: &str) {
    let classes = Classes::of(problem, recoding);
    assert!(classes.satisfy(problem.policy()), "{name}: a class breaks the policy");
    if let Recoding::Regions(partition) = recoding {
        check_regions(case, problem, partition);
        for (number, region) in partition.regions().enumerate() {
            let mut others = partition.regions().skip(number + 1);
            assert!(others.all(|other| !region.overlaps(other)), "{name}: regions overlap");
        }
    }
    for class in classes.iter() {
        for (attribute, label) in class.labels.iter().enumerate() {
            let hierarchy = problem.hierarchy(attribute);
            let leaves = denoted(hierarchy, label);
            if problem.publishes_labels(attribute) {
                assert!(matches!(label, Label::Of(..)), "{name}: {label:?} is no label");
            }
            let above = |level: Level| {
                let labels = hierarchy.labels_of(level);
                leaves.iter().map(|&code| labels[code as usize]).collect::<BTreeSet<u32>>()
            };
            assert_eq!(above(problem.coarsest(attribute)).len(), 1, "{name}: {label:?} is too coarse");
            let finest = above(problem.finest(attribute));
            let labels = hierarchy.labels_of(problem.finest(attribute));
            // A label with exceptions leaves out the exceptions alone.
            let is_set = matches!(label, Label::Union(_) | Label::Except(..));
            for code in (0..).take(hierarchy.leaf_count()) {
                let is_needed =
                    finest.contains(&labels[code as usize]) && (problem.occurs(attribute, code) || !is_set);
                assert!(!is_needed || leaves.contains(&code), "{name}: {label:?} is too fine");
            }
        }
    }
}

fn loss(problem: &Problem, recoding: &Recoding) -> f64 {
    Metrics::of(problem, recoding, &Classes::of(problem, recoding)).value(Metric::Loss)
}

/// The release of every search is within the limits and has at least the loss of the bound. `best`
/// is no worse than MPALM.
fn check_searches(case: &Case, problem: &Problem) {
    let is_feasible = problem.feasibility().holds();
    let least = bound(problem, &mut |_| ControlFlow::Continue(())).unwrap();
    let mut of_the_paper = f64::INFINITY;
    let mut of_best = f64::INFINITY;
    for strategy in Search::all() {
        let name = strategy.to_string();
        if strategy == Search::Simulatable && !problem.levels_reach_the_top() {
            let (none, report) =
                run(strategy, problem, &Config::default(), &mut |_| ControlFlow::Continue(()));
            assert_eq!((none, report.stop), (None, StopReason::Levels));
            continue;
        }
        let found = found(problem, strategy, Metric::Loss);
        let Some(found) = found else {
            assert!(!is_feasible, "{name} finds something");
            continue;
        };
        assert!(is_feasible, "{name} finds something where nothing is");
        check(case, problem, &found, &name);
        let loss = loss(problem, &found);
        assert!(least <= loss + 1e-12, "{name}: the bound {least} is above {loss}");
        match strategy {
            Search::Mpalm(..) => of_the_paper = of_the_paper.min(loss),
            Search::Best => of_best = loss,
            _ => {}
        }
    }
    assert!(of_best <= of_the_paper || !is_feasible, "best {of_best}, of the nine {of_the_paper}");
}

/// For each quasi-identifier, indices that decide where it may be cut and between which levels it
/// is published.
type Drawn = Vec<(Index, Index, Index)>;

fn drawn() -> impl Strategy<Value = Drawn> {
    prop::collection::vec(any::<(Index, Index, Index)>(), 4)
}

fn cuts(drawn: &Drawn, problem: &Problem) -> Vec<Cuts> {
    let one = |(cuts, ..): &(Index, Index, Index)| {
        *cuts.get(&[Cuts::Labels, Cuts::Labels, Cuts::Labels, Cuts::Values, Cuts::Never])
    };
    drawn.iter().take(problem.quasi().len()).map(one).collect()
}

fn levels(drawn: &Drawn, problem: &Problem) -> Vec<Levels> {
    let quasi = problem.quasi().iter().zip(drawn);
    let limits = quasi.map(|(quasi, (_, one, other))| {
        let levels: Vec<Level> = quasi.hierarchy.levels().collect();
        let (finest, coarsest) = (*one.get(&levels), *other.get(&levels));
        // Mostly no upper limit, because such a limit is seldom feasible.
        let coarsest = Some(coarsest).filter(|_| one.index(3) == 0);
        Levels {
            finest: Some(coarsest.map_or(finest, |coarsest| coarsest.min(finest)))
                .filter(|_| other.index(4) > 0),
            coarsest,
        }
    });
    limits.collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Limits hold
    #[test]
    fn cuts_between_labels_publish_only_labels(case in cases(), drawn in drawn()) {
        let problem = case.problem();
        let problem = problem.with_cuts(cuts(&drawn, &problem));
        check_searches(&case, &problem);
    }

    // holds: Limits hold
    #[test]
    fn nothing_is_published_outside_permitted_levels(case in cases(), drawn in drawn()) {
        let problem = case.problem();
        let problem = problem.with_levels(levels(&drawn, &problem)).unwrap();
        check_searches(&case, &problem);
        let problem = problem.with_cuts(cuts(&drawn, &problem));
        check_searches(&case, &problem);
    }

    // holds: Limits hold
    #[test]
    fn searching_between_limits_matches_brute_force(case in cases(), drawn in drawn()) {
        let problem = case.problem();
        let problem = problem.with_levels(levels(&drawn, &problem)).unwrap();
        let lattice = problem.lattice();
        let (verdicts, stop) = survey(&problem, &mut |_| ControlFlow::Continue(()));
        prop_assert!(matches!(stop, StopReason::Done | StopReason::Infeasible));
        let mut least: Option<f64> = None;
        let mut is_feasible = false;
        for node in lattice.nodes() {
            let recoding = Recoding::Node(node.clone());
            let is_present = Classes::of(&problem, &recoding).satisfy(problem.policy());
            let state = verdicts.state(lattice.rank(&node));
            prop_assert_eq!(state.is_present(), is_present, "{} is {:?}", node, state);
            prop_assert!(state != NodeState::Open);
            is_feasible |= is_present;
            if is_present {
                let loss = loss(&problem, &recoding);
                least = Some(least.map_or(loss, |least| least.min(loss)));
            }
        }
        prop_assert_eq!(problem.feasibility().holds(), is_feasible);
        let best = found(&problem, Search::Spalm, Metric::Loss);
        prop_assert_eq!(best.is_some(), least.is_some());
        if let (Some(best), Some(least)) = (best, least) {
            prop_assert!((loss(&problem, &best) - least).abs() < 1e-12);
        }
    }
}

/// The loss over all quasi-identifiers from the loss of each, as `docs/measures.md` defines it.
fn weighed(problem: &Problem, losses: &[f64], weights: &[u32], metric: Metric) -> f64 {
    assert_eq!(losses.len(), problem.quasi().len());
    let all: f64 = weights.iter().map(|&weight| f64::from(weight)).sum();
    let of = |power: fn(f64, f64) -> f64| {
        losses.iter().zip(weights).map(move |(&loss, &weight)| power(loss, f64::from(weight)))
    };
    match metric {
        Metric::LossGeometric => {
            of(|loss, weight| (1.0 + loss).powf(weight)).product::<f64>().powf(1.0 / all) - 1.0
        }
        _ => of(|loss, weight| loss * weight).sum::<f64>() / all,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn weights_count_in_losses_and_searches(
        case in cases(),
        weights in prop::collection::vec(1..=5_u32, 4),
    ) {
        let problem = case.problem();
        let weights = &weights[..problem.quasi().len()];
        let problem = problem.with_weights(Weights::of(weights.to_vec()));
        check_searches(&case, &problem);
        for metric in [Metric::Loss, Metric::LossGeometric] {
            let mut least: Option<f64> = None;
            for node in problem.lattice().nodes() {
                let recoding = Recoding::Node(node);
                let classes = Classes::of(&problem, &recoding);
                let metrics = Metrics::of(&problem, &recoding, &classes);
                let objective = weighed(&problem, metrics.loss.by_attribute(), weights, metric);
                prop_assert!((objective - metrics.value(metric)).abs() < 1e-9);
                if classes.satisfy(problem.policy()) {
                    least = Some(least.map_or(objective, |least| least.min(objective)));
                }
            }
            let Some(least) = least else { continue };
            let config = Config { metric, rounds: Some(2), ..Config::default() };
            let value = |strategy| {
                let (found, _) = run(strategy, &problem, &config, &mut |_| ControlFlow::Continue(()));
                let found = found.unwrap();
                Metrics::of(&problem, &found, &Classes::of(&problem, &found)).value(metric)
            };
            prop_assert!((value(Search::Spalm) - least).abs() < 1e-9);
            prop_assert!(value(Search::Best) <= least + 1e-9);
        }
    }
}

/// A label may denote values that are not neighbours. This quasi-identifier is published in such
/// labels and never cut. A cut in another one gives a label there; the rest would need all values
/// around it.
#[test]
fn a_remainder_excludes_what_was_cut_off() {
    let chain = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let day = |day: usize| chain(&[&format!("day {day}"), "*"]);
    let grouped = |leaf: usize| chain(&[&format!("leaf {leaf}"), ["b", "c", "b", "a", "b"][leaf], "*"]);
    let case = Case {
        attributes: vec![
            (Kind::Date, 1, (0..5).map(day).collect()),
            (Kind::Date, 1, (0..5).map(grouped).collect()),
        ],
        people: vec![(vec![1, 1], 2, 1), (vec![2, 2], 3, 2), (vec![3, 3], 5, 0)],
        delta: [(0, 40), (26, 40)],
        empty_regions: EmptyRegions::Allow,
        k: None,
        k_map: None,
    };
    let level =
        |finest: u8, coarsest: u8| Levels { finest: Some(Level(finest)), coarsest: Some(Level(coarsest)) };
    for cuts in [Cuts::Never, Cuts::Labels, Cuts::Values] {
        for of_days in [Cuts::Never, Cuts::Labels, Cuts::Values] {
            let problem = case.problem().with_levels(vec![level(1, 2), level(2, 3)]).unwrap();
            check_searches(&case, &problem.with_cuts(vec![of_days, cuts]));
        }
    }
}

#[test]
fn without_limits_nothing_changes() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    for _ in 0..20 {
        let case = cases().new_tree(&mut runner).unwrap().current();
        let problem = case.problem();
        let none = vec![Levels::default(); problem.quasi().len()];
        let same = problem.with_levels(none).unwrap();
        for strategy in Search::all() {
            assert_eq!(
                found(&problem, strategy, Metric::Loss),
                found(&same, strategy, Metric::Loss),
                "{strategy}"
            );
        }
    }
}

#[test]
fn levels_that_a_hierarchy_lacks_are_refused() {
    let case = cases().new_tree(&mut proptest::test_runner::TestRunner::deterministic()).unwrap().current();
    let problem = case.problem();
    let mut levels = vec![Levels::default(); problem.quasi().len()];
    levels[0] = Levels { finest: None, coarsest: Some(Level(200)) };
    let error = problem.with_levels(levels).unwrap_err().to_string();
    assert!(error.starts_with("`q0`: `levels = \"-200\"`: its hierarchy has the levels"), "{error}");
}

/// A copy of a project in another folder, with these lines under each quasi-identifier instead of its limits.
fn with_lines(project: &Path, folder: &Path, lines: &str) -> PathBuf {
    let home = project.parent().unwrap();
    let text = std::fs::read_to_string(project).unwrap();
    let is_limit = |line: &&str| line.starts_with("terms = ") || line.starts_with("borders = ");
    let line = |line: &str| {
        let Some((key, rest)) = line.split_once(" = \"") else { return line.to_owned() };
        let (path, rest) = rest.split_once('"').unwrap();
        match key {
            "path" => format!("path = \"{}\"{rest}", home.join(path).display()),
            "hierarchy" => format!("hierarchy = \"{}\"{rest}\n{lines}", home.join(path).display()),
            _ => line.to_owned(),
        }
    };
    let copy = folder.join("project.toml");
    let lines: Vec<String> = text.lines().filter(|line| !is_limit(line)).map(line).collect();
    std::fs::write(&copy, lines.join("\n")).unwrap();
    copy
}

/// Every search for regions publishes only labels of the hierarchy. `verify` confirms this.
fn publishes_labels_alone(project: &Path) {
    let folder = tempfile::tempdir().unwrap();
    let project = with_lines(project, folder.path(), "shape = \"labels\"");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let problem = analysis.problem();
    for strategy in Search::all().filter(|strategy| strategy.family().finds_regions()) {
        let config = Config { rounds: Some(3), ..Config::default() };
        let found = analysis.search(problem, strategy, &config, &mut |_| ControlFlow::Continue(()));
        let release = found.release.unwrap_or_else(|| panic!("{strategy}: {:?}", found.report));
        let mut labels = release.classes.iter().flat_map(|class| class.labels);
        assert!(labels.all(|label| matches!(label, Label::Of(..))), "{strategy}");
        assert!(release.classes.len() > 1, "{strategy}");
        let options = ExportOptions { force: true, allow_not_present: false };
        pipeline::export::write(&analysis, &release, &folder.path().join("out.csv"), options).unwrap();
    }
}

#[test]
fn the_clinic_is_published_in_labels_alone() {
    publishes_labels_alone(&Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/clinic/clinic.toml"));
}

#[test]
fn adult_is_published_in_labels_alone() {
    let root =
        std::env::var_os("PALMTOP_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let project = root.join("adult-arx/random4.toml");
    if !project.is_file() {
        let _ = writeln!(std::io::stderr(), "skipped: there is no {}; set PALMTOP_DATA", project.display());
        return;
    }
    publishes_labels_alone(&project.canonicalize().unwrap());
}

#[test]
fn a_project_with_limits_stays_within_them() {
    let clinic = Path::new(env!("CARGO_MANIFEST_DIR")).join("sample-data/clinic/clinic.toml");
    let folder = tempfile::tempdir().unwrap();
    let project = with_lines(&clinic, folder.path(), "levels = \"1-\"");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    for strategy in Search::all() {
        let config = Config { rounds: Some(1), ..Config::default() };
        let found =
            analysis.search(analysis.problem(), strategy, &config, &mut |_| ControlFlow::Continue(()));
        let Some(release) = found.release else { panic!("{strategy}: {:?}", found.report) };
        let options = ExportOptions { force: true, allow_not_present: false };
        let written = pipeline::export::write(&analysis, &release, &folder.path().join("out.csv"), options);
        assert!(written.is_ok(), "{strategy}: {written:?}");
    }
    let text = std::fs::read_to_string(&project).unwrap();
    // If the limits name a level that `sex` does not have, `verify` refuses the project.
    let release = folder.path().join("out.csv");
    std::fs::write(&project, text.replace("levels = \"1-\"", "levels = \"2-\"")).unwrap();
    let findings = verify_file(&project, &Overrides::default(), &release);
    assert!(findings.is_err_and(|error| error.to_string().contains("levels")), "sex has no level 2");
    std::fs::write(&project, text.replacen("levels = \"1-\"", "levels = \"3-\"", 1)).unwrap();
    let findings = verify_file(&project, &Overrides::default(), &release).unwrap();
    assert!(findings.beyond_limits > 0 && !findings.is_present());
}
