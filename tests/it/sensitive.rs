//! Criteria on sensitive values: l-diversity and t-closeness. Every search is compared with brute
//! force that has separate arithmetic, and every written release is recounted.
#![expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]

mod naive;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::sample;
use naive::{Asked, asked};
use palmtop::metrics::{Loss, Metric, Metrics};
use palmtop::model::{
    Classes, Code, Counts, Criteria, Cuts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Levels,
    NodeClasses, Problem, QuasiIdentifier, Recoding, SensitiveColumn, SensitiveValues, ValueCounts,
    ValueTree,
};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, PipelineError};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::search::{Config, StopReason, Strategy as Search, run, survey};
use proptest::prelude::*;

/// A person: the codes, the secret, and whether the person is in T.
type Person = (Vec<Code>, u8, bool);

fn people() -> impl Strategy<Value = Vec<Person>> {
    let codes = prop::collection::vec(0..4_u32, 2..=2);
    prop::collection::vec((codes, 0..4_u8, prop::bool::weighted(0.4)), 1..60)
        .prop_filter("somebody is in T", |people| people.iter().any(|person| person.2))
}

/// A hierarchy of three levels over four leaves: single leaves, pairs, and all.
fn hierarchy(kind: Kind) -> Hierarchy {
    let chain = |leaf: u32| vec![leaf.to_string(), format!("{}..", leaf / 2), "*".to_owned()];
    Hierarchy::new(kind, Level(0), &(0..4).map(chain).collect::<Vec<_>>()).unwrap()
}

fn problem(people: &[Person], policy: &str, delta_max: &str) -> Problem {
    let mut counted: BTreeMap<&[Code], (Counts, Vec<u8>)> = BTreeMap::new();
    for (codes, secret, is_member) in people {
        let entry = counted.entry(codes).or_default();
        entry.0 += Counts::new(1, u64::from(*is_member));
        entry.1.extend(is_member.then_some(*secret));
    }
    let columns = (0..2).map(|column| counted.keys().map(|codes| codes[column]).collect()).collect();
    let counts = counted.values().map(|(counts, _)| *counts).collect();
    let values = |secrets: &[u8]| ValueCounts::of(secrets.iter().map(|&secret| (u32::from(secret), 1)));
    let with_members = (0..).zip(counted.values()).filter(|(_, (counts, _))| counts.private > 0);
    let of = with_members.map(|(index, (_, secrets))| (index, vec![values(secrets)])).collect();
    let members: Vec<u8> = people.iter().filter(|person| person.2).map(|person| person.1).collect();
    let column = SensitiveColumn {
        name: "secret".to_owned(),
        values: (0..4).map(|secret| secret.to_string()).collect(),
        is_ordered: true,
        tree: Some(ValueTree::new(vec![vec![0, 1, 2, 3], vec![0, 0, 1, 1]], &values(&members))),
        all: values(&members),
    };
    let quasi = [Kind::Number, Kind::Category]
        .map(|kind| QuasiIdentifier { name: format!("{kind:?}"), hierarchy: hierarchy(kind) });
    let delta = Delta::new("0".parse().unwrap(), delta_max.parse().unwrap()).unwrap();
    let settings: Vec<(&str, &str)> = policy.lines().map(|line| line.split_once(" = ").unwrap()).collect();
    let criteria = Criteria::read(settings).unwrap();
    let problem =
        Problem::new(quasi.to_vec(), Histogram::new(columns, counts).unwrap(), delta, EmptyRegions::Allow);
    let problem =
        problem.unwrap().with_criteria(criteria).with_sensitive(SensitiveValues::new(vec![column], of));
    problem.policy().criteria().fit(problem.sensitive().unwrap()).unwrap();
    problem
}

/// For each quasi-identifier, where it may be cut and the levels between which it is published.
fn limits() -> impl Strategy<Value = [(Cuts, (u8, u8)); 2]> {
    let cuts = prop::sample::select(vec![Cuts::Values, Cuts::Labels, Cuts::Never]);
    let levels = prop::sample::select(vec![(0, 2), (0, 2), (1, 2), (0, 1), (1, 1)]);
    prop::array::uniform2((cuts, levels))
}

fn limited(problem: &Problem, limits: [(Cuts, (u8, u8)); 2]) -> Problem {
    let levels = limits.map(|(_, (finest, coarsest))| Levels {
        finest: Some(Level(finest)),
        coarsest: Some(Level(coarsest)),
    });
    problem.with_cuts(limits.map(|(cuts, _)| cuts).to_vec()).with_levels(levels.to_vec()).unwrap()
}

/// Whether every class of these people is allowed.
fn is_allowed(people: &[Person], asked: &Asked, delta_max: &str, class_of: impl Fn(&Person) -> u32) -> bool {
    let mut classes: BTreeMap<u32, (u64, Vec<u8>)> = BTreeMap::new();
    for person in people {
        let class = classes.entry(class_of(person)).or_default();
        class.0 += 1;
        class.1.extend(person.2.then_some(person.1));
    }
    let all: Vec<u8> = people.iter().filter(|person| person.2).map(|person| person.1).collect();
    let most: f64 = delta_max.parse::<palmtop::model::Fraction>().unwrap().to_f64();
    classes.values().all(|(people, secrets)| {
        secrets.len() as f64 <= most * *people as f64 + 1e-9 && asked.allow(secrets, &all)
    })
}

fn class_of<'a>(problem: &'a Problem, recoding: &Recoding) -> impl Fn(&Person) -> u32 + use<'a> {
    let classes = Classes::of(problem, recoding);
    move |person| classes.class_of[problem.histogram().find(&person.0).unwrap()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Values are counted first
    #[test]
    fn searches_over_nodes_are_brute_force(people in people(), (policy, asked) in asked(), delta in prop::sample::select(vec!["1", "3/4", "1/2"])) {
        let problem = problem(&people, &policy, delta);
        let lattice = problem.lattice();
        let (survey, stop) = survey(&problem, &mut unwatched);
        let mut least: BTreeMap<&str, f64> = BTreeMap::new();
        for rank in 0..lattice.len() {
            let node = lattice.unrank(rank);
            let recoding = Recoding::Node(node.clone());
            let expected = is_allowed(&people, &asked, delta, class_of(&problem, &recoding));
            prop_assert_eq!(survey.state(rank).is_present(), expected, "{:?}", node);
            let here = NodeClasses::of(&problem, &node);
            prop_assert_eq!(here.broken(problem.policy()) == 0, expected);
            let classes = Classes::of(&problem, &recoding);
            prop_assert_eq!(classes.satisfy(problem.policy()), expected);
            for coarser in (0..2).filter_map(|attribute| lattice.coarser(&node, attribute)) {
                prop_assert_eq!(here.at(&problem, &coarser), NodeClasses::of(&problem, &coarser));
            }
            if expected {
                let loss = Loss::of_classes(&problem, &classes);
                for (name, value) in [("loss", loss.mean()), ("loss_geometric", loss.geometric())] {
                    let known = least.entry(name).or_insert(value);
                    *known = known.min(value);
                }
            }
        }
        prop_assert_eq!(stop == StopReason::Infeasible, least.is_empty());
        for (metric, name) in [(Metric::Loss, "loss"), (Metric::LossGeometric, "loss_geometric")] {
            let config = Config { metric, ..Config::default() };
            let found = run("spalm".parse().unwrap(), &problem, &config, &mut unwatched).0;
            let value = found.map(|recoding| {
                let loss = Loss::of_classes(&problem, &Classes::of(&problem, &recoding));
                assert!(is_allowed(&people, &asked, delta, class_of(&problem, &recoding)));
                if metric == Metric::Loss { loss.mean() } else { loss.geometric() }
            });
            prop_assert_eq!(value.is_some(), least.contains_key(name));
            if let Some(value) = value {
                prop_assert!((value - least[name]).abs() < 1e-12, "{value} instead of {}", least[name]);
            }
        }
    }

}

/// Whether a node may be released without these classes: every other class with members is allowed,
/// the pool keeps δmax, and at most this share of the members is missing.
fn is_allowed_without(
    people: &[Person],
    asked: &Asked,
    (delta_max, share): (f64, f64),
    class_of: impl Fn(&Person) -> u32,
    withdrawn: &[u32],
) -> bool {
    let all: Vec<u8> = people.iter().filter(|person| person.2).map(|person| person.1).collect();
    let mut classes: BTreeMap<u32, (u64, Vec<u8>)> = BTreeMap::new();
    for person in people {
        let class = classes.entry(class_of(person)).or_default();
        class.0 += 1;
        class.1.extend(person.2.then_some(person.1));
    }
    let mut pool = (0, 0);
    let keeps = |people: u64, members: usize| members as f64 <= delta_max * people as f64 + 1e-9;
    for (number, (people, secrets)) in &classes {
        if secrets.is_empty() || withdrawn.contains(number) {
            pool = (pool.0 + people, pool.1 + secrets.len());
        } else if !keeps(*people, secrets.len()) || !asked.allow(secrets, &all) {
            return false;
        }
    }
    keeps(pool.0, pool.1) && pool.1 as f64 <= share * all.len() as f64 + 1e-9
}

/// The least loss, geometric loss and discernibility over all nodes and all sets of their classes.
fn least_without(
    problem: &Problem,
    people: &[Person],
    asked: &Asked,
    limits: (f64, f64),
) -> Option<[f64; 4]> {
    let lattice = problem.lattice();
    let mut least: Option<[f64; 4]> = None;
    for node in (0..lattice.len()).map(|rank| Recoding::Node(lattice.unrank(rank))) {
        let (classes, class_of) = (Classes::of(problem, &node), class_of(problem, &node));
        let members: Vec<u32> = (0..)
            .zip(classes.all_counts())
            .filter(|class| class.1.private > 0)
            .map(|class| class.0)
            .collect();
        for subset in 0..1_u32 << members.len() {
            let chosen = members.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
            let withdrawn: Vec<u32> = chosen.map(|(_, &class)| class).collect();
            if !is_allowed_without(people, asked, limits, &class_of, &withdrawn) {
                continue;
            }
            let recoding = node.clone().withdrawing(withdrawn);
            let metrics = Metrics::of(problem, &recoding, &Classes::of(problem, &recoding));
            let costs = Metric::ALL.map(|metric| metrics.value(metric));
            least = Some(
                least.map_or(costs, |least| std::array::from_fn(|index| costs[index].min(least[index]))),
            );
        }
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 250, failure_persistence: None, ..ProptestConfig::default() })]

    /// A class that breaks a criterion on sensitive values may be withdrawn, and the pool discloses
    /// no value. The distance of t-closeness is from all of T, with the withdrawn members.
    // holds: Values are counted first
    #[test]
    fn the_best_node_with_withdrawals_matches_brute_force(
        people in prop::collection::vec(
            (prop::collection::vec(0..4_u32, 2..=2), 0..4_u8, prop::bool::weighted(0.4)), 2..24,
        ),
        (policy, asked) in asked(),
        delta in prop::sample::select(vec![("1", 1.0), ("3/4", 0.75), ("1/2", 0.5)]),
        share in prop::sample::select(vec![("20%", 0.2), ("50%", 0.5), ("90%", 0.9)]),
    ) {
        let members = people.iter().filter(|person| person.2).count();
        if !(1..=7).contains(&members) {
            return Ok(());
        }
        let problem = problem(&people, &policy, delta.0).with_suppression(share.0.parse().unwrap());
        let limits = (delta.1, share.1);
        let least = least_without(&problem, &people, &asked, limits);
        for (index, metric) in Metric::ALL.into_iter().enumerate() {
            // `best` takes longer, so it is run for some of the tables.
            let runs_best = metric == Metric::Loss && people.len().is_multiple_of(4);
            for strategy in ["spalm", "best"].into_iter().take(1 + usize::from(runs_best)) {
                let config = Config { metric, rounds: Some(1), ..Config::default() };
                let found = run(strategy.parse().unwrap(), &problem, &config, &mut unwatched).0;
                let Some(recoding) = found else {
                    prop_assert!(least.is_none(), "{strategy} finds nothing, and there is something");
                    continue;
                };
                let classes = Classes::of(&problem, &recoding);
                prop_assert!(classes.satisfy(problem.policy()), "{strategy}");
                let withdrawn = match &recoding {
                    Recoding::Withdrawn(withdrawal) => withdrawal.classes().to_vec(),
                    _ => Vec::new(),
                };
                let complete = class_of(&problem, recoding.before_withdrawal());
                prop_assert!(is_allowed_without(&people, &asked, limits, complete, &withdrawn), "{strategy}");
                let value = Metrics::of(&problem, &recoding, &classes).value(metric);
                let known = least.map(|least| least[index]);
                if strategy == "spalm" {
                    let least = known.unwrap();
                    prop_assert!((value - least).abs() < 1e-9 * least.max(1.0), "{value} instead of {least}");
                } else if let Some(least) = known {
                    prop_assert!(value <= least * (1.0 + 1e-9) + 1e-12, "{value} above {least}");
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Values are counted first
    #[test]
    fn searches_find_an_allowed_release_if_any_exists(
        people in people(), (policy, asked) in asked(), limits in limits(), delta in prop::sample::select(vec!["1", "3/4", "1/2"]),
    ) {
        let problem = limited(&problem(&people, &policy, delta), limits);
        let coarsest = Recoding::Node(problem.lattice().top());
        let is_feasible = is_allowed(&people, &asked, delta, class_of(&problem, &coarsest));
        prop_assert_eq!(problem.feasibility().holds(), is_feasible);
        let config = Config { rounds: Some(4), ..Config::default() };
        for strategy in Search::all().filter(|strategy| strategy.to_string() != "simulatable") {
            let (found, report) = run(strategy, &problem, &config, &mut unwatched);
            if let Some(recoding) = found {
                prop_assert!(is_allowed(&people, &asked, delta, class_of(&problem, &recoding)), "{}", strategy);
                continue;
            }
            prop_assert!(matches!(report.stop, StopReason::Infeasible | StopReason::None), "{}: {:?}", strategy, report.stop);
            prop_assert!(!is_feasible, "{}", strategy);
        }
    }

    /// If one class lacks a criterion, its union with another may satisfy it. If both satisfy it,
    /// so does their union.
    #[test]
    fn united_classes_are_judged_by_all_their_values(people in people(), (policy, asked) in asked()) {
        let problem = problem(&people, &policy, "1");
        let Some(fine) = problem.lattice().node(&[Level(0), Level(2)]).ok() else { return Ok(()) };
        let classes = Classes::of(&problem, &Recoding::Node(fine));
        let mut all = classes.data(0).clone();
        let mut allowed = problem.policy().allows(&all);
        for class in 1..u32::try_from(classes.len()).unwrap() {
            allowed &= problem.policy().allows(classes.data(class));
            all = all.united(classes.data(class));
        }
        let secrets: Vec<u8> = people.iter().filter(|person| person.2).map(|person| person.1).collect();
        prop_assert_eq!(problem.policy().allows(&all), asked.allow(&secrets, &secrets));
        prop_assert!(!allowed || problem.policy().allows(&all));
    }
}

/// The clinic with a policy, in a temporary folder.
fn clinic(policy: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(sample("clinic")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let project = folder.path().join("clinic.toml");
    let text = fs::read_to_string(&project).unwrap();
    let hierarchies = sample("../hierarchies").canonicalize().unwrap();
    let text = text.replace("../../hierarchies", hierarchies.to_str().unwrap());
    fs::write(&project, text.replace("[delta]", &format!("[policy]\n{policy}\n[delta]"))).unwrap();
    (folder, project)
}

const ALL_THREE: &str =
    "k = 5\nl = { distinct = 3, of = \"diagnosis\" }\nt = { at_most = \"0.3\", of = \"diagnosis\" }";

/// The diagnoses of each class of a written release. A class is the rows with the same texts in the
/// quasi-identifiers.
fn diagnoses(analysis: &Analysis, path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().clone();
    let position = |name: &str| header.iter().position(|column| column == name).unwrap();
    let quasi: Vec<usize> = analysis.problem().quasi().iter().map(|quasi| position(&quasi.name)).collect();
    let mut classes: BTreeMap<Vec<String>, Vec<String>> = BTreeMap::new();
    for record in reader.records().map(Result::unwrap) {
        let texts = quasi.iter().map(|&position| record[position].to_owned()).collect();
        classes.entry(texts).or_default().push(record[position("diagnosis")].to_owned());
    }
    classes.into_values().collect()
}

#[test]
fn the_clinic_is_released_under_all_three_criteria() {
    let (folder, project) = clinic(ALL_THREE);
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let config = Config { rounds: Some(5), ..Config::default() };
    for strategy in ["spalm", "best", "n2"] {
        let found = analysis.search(analysis.problem(), strategy.parse().unwrap(), &config, &mut unwatched);
        let release = found.release.unwrap();
        let path = folder.path().join(format!("{strategy}.csv"));
        pipeline::export::write(&analysis, &release, &path, ExportOptions::default()).unwrap();
        let findings = pipeline::export::verify(&analysis, analysis.problem().delta(), &path).unwrap();
        assert!(findings.is_present() && findings.is_faithful(), "{strategy}");
        let classes = diagnoses(&analysis, &path);
        let all: Vec<&String> = classes.iter().flatten().collect();
        for class in &classes {
            assert!(class.len() >= 5, "{strategy}: {class:?}");
            assert!(class.iter().collect::<BTreeSet<_>>().len() >= 3, "{strategy}: {class:?}");
            let share = |value: &String, of: &mut dyn Iterator<Item = &String>, all: usize| {
                of.filter(|other| *other == value).count() as f64 / all as f64
            };
            let far: f64 = all
                .iter()
                .collect::<BTreeSet<_>>()
                .into_iter()
                .map(|value| {
                    (share(value, &mut class.iter(), class.len())
                        - share(value, &mut all.iter().copied(), all.len()))
                    .abs()
                })
                .sum::<f64>()
                / 2.0;
            assert!(far <= 0.3 + 1e-9, "{strategy}: {far}");
        }
        assert!(classes.len() > 1, "{strategy} has more than one class");
    }
}

/// If the project enforces criteria, `verify` and the export refuse a release that was made without
/// them.
// holds: Values are counted first
#[test]
fn what_breaks_them_is_refused() {
    let (folder, plain) = clinic("");
    let without = Analysis::load(&plain, &Overrides::default()).unwrap();
    let config = Config { rounds: Some(5), ..Config::default() };
    let search = |analysis: &Analysis| {
        analysis.search(without.problem(), "best".parse().unwrap(), &config, &mut unwatched).release.unwrap()
    };
    let path = folder.path().join("plain.csv");
    pipeline::export::write(&without, &search(&without), &path, ExportOptions::default()).unwrap();
    for (policy, key) in [
        ("l = { distinct = 4 }", "l"),
        ("l = { entropy = 3.5 }", "l"),
        ("l = { recursive = [2, 3] }", "l"),
        ("t = { at_most = 0.2 }", "t"),
    ] {
        let (_folder, project) = clinic(policy);
        let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
        let findings = pipeline::export::verify(&analysis, analysis.problem().delta(), &path).unwrap();
        let broken: Vec<&str> = findings
            .criteria
            .iter()
            .filter(|outcome| !outcome.holds)
            .map(|outcome| outcome.criterion)
            .collect();
        assert_eq!(broken, [key], "{policy}");
        assert!(findings.is_faithful() && !findings.is_present(), "{policy}");
        let made = search(&without);
        let release = Release::new(analysis.problem(), made.origin, made.recoding, made.search);
        assert!(!release.is_present());
        let target = folder.path().join("refused.csv");
        let refused =
            pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap_err();
        assert!(matches!(refused, PipelineError::NotPresent { .. }), "{refused}");
        assert!(!target.exists());
    }
}

/// `simulatable` decides by counts alone. The criteria are checked on the release that it finds,
/// and the search does not look for another.
// holds: Values are counted first
#[test]
fn simulatable_is_judged_afterwards() {
    let (_folder, project) = clinic("l = { distinct = 6 }");
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    let (_plain_folder, plain) = clinic("");
    let plain = Analysis::load(&plain, &Overrides::default()).unwrap();
    let search = |analysis: &Analysis| {
        let strategy = "simulatable".parse().unwrap();
        analysis.search(analysis.problem(), strategy, &Config::default(), &mut unwatched).release.unwrap()
    };
    let (judged, without) = (search(&analysis), search(&plain));
    assert_eq!(judged.recoding, without.recoding, "values change nothing of what it finds");
    assert!(without.is_present() && !judged.is_present());
}

#[test]
fn what_cannot_be_asked_says_why() {
    for (policy, part) in [
        ("l = { distinct = 0 }", "expected `{ distinct = 3 }`"),
        ("l = { diverse = 3 }", "expected `{ distinct = 3 }`"),
        ("l = { entropy = 0.5 }", "expected `{ distinct = 3 }`"),
        ("l = { recursive = [0, 2] }", "expected `{ distinct = 3 }`"),
        ("l = {}", "expected `{ distinct = 3 }`"),
        (
            "l = { distinct = 3, of = \"nothing\" }",
            "`nothing` is no sensitive attribute; there are `diagnosis`",
        ),
        ("t = { at_most = 1.5 }", "from 0 to 1"),
        ("t = { at_most = 0.2, distance = \"far\" }", "expected `{ at_most"),
        ("t = { at_most = 0.2, distance = \"ordered\" }", "values of `diagnosis` are not all numbers"),
    ] {
        let (_folder, project) = clinic(policy);
        let error = Analysis::load(&project, &Overrides::default()).unwrap_err().to_string();
        assert!(error.contains("[policy]") && error.contains(part), "{policy}: {error}");
        assert!(error.lines().count() <= 12, "{error}");
    }
}

/// Diagnoses with the organ that is ill.
const LUNGS: &str = "value,kind\n\
    asthma,airways\nchronic bronchitis,airways\nemphysema,airways\nsleep apnoea,breathing\n\
    lung cancer,tumour\npneumonia,infection\ntuberculosis,infection\nsilicosis,dust\n";

/// The clinic with a policy and a hierarchy of diagnoses.
fn clinic_with_tree(policy: &str, tree: &str) -> (tempfile::TempDir, PathBuf) {
    let (folder, project) = clinic(policy);
    fs::write(folder.path().join("lungs.csv"), tree).unwrap();
    let text = fs::read_to_string(&project).unwrap();
    let line = "name = \"diagnosis\"\n";
    assert!(text.contains(line));
    fs::write(&project, text.replace(line, &format!("{line}hierarchy = \"lungs.csv\"\n"))).unwrap();
    (folder, project)
}

/// The engine sums the differences over labels; `verify` moves mass from label to label. Both find
/// the same distance for the same release.
// holds: Values are counted first
#[test]
fn values_are_as_far_as_their_hierarchy_says() {
    let config = Config { rounds: Some(5), ..Config::default() };
    let (folder, project) = clinic_with_tree("t = { at_most = \"0.15\", distance = \"hierarchy\" }", LUNGS);
    let analysis = Analysis::load(&project, &Overrides::default()).unwrap();
    assert!(
        analysis.inputs().iter().any(|input| input.path.ends_with("lungs.csv")),
        "it is part of what was read"
    );
    let strict: palmtop::model::Fraction = "0.15".parse().unwrap();
    let (_plain_folder, plain) = clinic_with_tree("", LUNGS);
    let free = Analysis::load(&plain, &Overrides::default()).unwrap();
    for (strategy, is_strict) in [("spalm", true), ("best", true), ("n2", true), ("n2", false)] {
        let made_by = if is_strict { &analysis } else { &free };
        let found = made_by.search(made_by.problem(), strategy.parse().unwrap(), &config, &mut unwatched);
        let release = found.release.unwrap();
        let path = folder.path().join(format!("{strategy}-{is_strict}.csv"));
        pipeline::export::write(made_by, &release, &path, ExportOptions::default()).unwrap();
        let one = palmtop::model::Fraction::one();
        let risk = palmtop::risk::Risk::of(&pipeline::risk::classes(made_by, &release).unwrap(), &one);
        let distance = risk.sensitive[0].hierarchy.clone().unwrap();
        assert!(distance <= risk.sensitive[0].equal, "no two values are farther than all are");
        let read =
            pipeline::risk::classes_of_file(made_by, &pipeline::reading::read(made_by, &path).unwrap())
                .unwrap();
        assert_eq!(palmtop::risk::Risk::of(&read, &one).sensitive[0].hierarchy.as_ref(), Some(&distance));
        let findings = pipeline::export::verify(&analysis, analysis.problem().delta(), &path).unwrap();
        let outcome = findings.criteria.iter().find(|outcome| outcome.criterion == "t").unwrap();
        assert_eq!(outcome.achieved.as_deref(), Some(format!("hierarchy {distance}").as_str()), "{strategy}");
        assert_eq!((outcome.holds, distance <= strict), (is_strict, is_strict), "{strategy}: {distance}");
    }
}

#[test]
fn an_unusable_value_hierarchy_says_why() {
    let t = "t = { at_most = 0.3, distance = \"hierarchy\" }";
    let load = |project: &Path| Analysis::load(project, &Overrides::default()).unwrap_err().to_string();
    let (_folder, project) = clinic(t);
    assert!(load(&project).contains("`diagnosis` has no hierarchy"), "{}", load(&project));
    let (_folder, project) = clinic_with_tree(t, &LUNGS.replace("asthma,airways\n", ""));
    let error = load(&project);
    assert!(
        error.contains("lungs.csv") && error.contains("asthma") && error.contains("private.csv"),
        "{error}"
    );
    // An identifier has no distances.
    let text = fs::read_to_string(&project).unwrap();
    fs::write(
        &project,
        text.replace("role = \"identifier\"\n", "role = \"identifier\"\nhierarchy = \"lungs.csv\"\n"),
    )
    .unwrap();
    assert!(
        load(&project).contains("no release has a column with the role identifier; remove the hierarchy"),
        "{}",
        load(&project)
    );
}
