//! The complete flow: the same people give the same histogram and the same releases in every form.
//! `verify` accepts every release of a search, and refuses it after damage.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use palmtop::model::Level;
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file};
use palmtop::search::{Config, Strategy as Search};
use proptest::prelude::*;

use super::dirty::{CLEAN, Person, people, styles, write};

fn load(folder: &Path) -> Analysis {
    Analysis::load(&folder.join("p.toml"), &Overrides::default()).unwrap()
}

/// The written and verified release of a strategy; `None` if the strategy finds none.
fn released(folder: &Path, analysis: &Analysis, strategy: Search) -> Option<String> {
    let config = Config { rounds: Some(2), ..Config::default() };
    let go_on = &mut |_| ControlFlow::Continue(());
    let release = analysis.search(analysis.problem(), strategy, &config, go_on).release?;
    let target = folder.join("out.csv");
    let options = ExportOptions { force: true, allow_not_present: false };
    let written = pipeline::export::write(analysis, &release, &target, options)
        .unwrap_or_else(|error| panic!("{strategy}: {error}"));
    assert_eq!(written.verification.achieved, release.achieved);
    assert!(pipeline::reading::read(analysis, &target).unwrap().is_of(&release.classes));
    fs::read_to_string(&target).ok()
}

/// Whether `verify` accepts a text as a faithful, δ-present release.
fn is_accepted(analysis: &Analysis, folder: &Path, text: &str) -> bool {
    let path = folder.join("spoilt.csv");
    fs::write(&path, text).unwrap();
    let findings = pipeline::export::verify(analysis, analysis.problem().delta(), &path).unwrap();
    findings.is_faithful() && findings.is_present()
}

/// The header and the sorted rows.
fn joined(header: &str, mut rows: Vec<String>) -> String {
    rows.sort();
    format!("{header}\n{}\n", rows.join("\n"))
}

fn head(keys: &str, delta: &str) -> String {
    format!("[private]\npath = \"t.csv\"\n{keys}\n[public]\npath = \"p.csv\"\n[delta]\n{delta}")
}

fn deltas() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["max = \"1/2\"", "max = \"4/5\"", "min = \"1/5\"\nmax = \"3/5\""])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Spelling is nothing
    #[test]
    fn spelling_changes_no_histogram_or_release(
        people in people(), public in styles(), private in styles(), delta in deltas(),
    ) {
        let (clean_folder, dirty_folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (clean_folder, dirty_folder) = (clean_folder.path(), dirty_folder.path());
        write(clean_folder, &people, [CLEAN, CLEAN], &head("", delta), |_| false);
        write(dirty_folder, &people, [public, private], &head("", delta), |_| false);
        let (clean, dirty) = (load(clean_folder), load(dirty_folder));
        prop_assert_eq!(clean.problem().histogram(), dirty.problem().histogram());
        for (clean, dirty) in clean.problem().quasi().iter().zip(dirty.problem().quasi()) {
            prop_assert_eq!(&clean.hierarchy, &dirty.hierarchy);
        }
        for strategy in Search::all() {
            let text = released(dirty_folder, &dirty, strategy);
            prop_assert_eq!(released(clean_folder, &clean, strategy), text.clone());
            let Some(text) = text else { continue };
            prop_assert!(is_accepted(&dirty, dirty_folder, &text));
            let (header, rows) = text.trim_end().split_once('\n').unwrap();
            let rows: Vec<String> = rows.lines().map(ToOwned::to_owned).collect();
            let dropped = joined(header, rows[1..].to_vec());
            prop_assert!(!is_accepted(&dirty, dirty_folder, &dropped), "a row dropped");
            let added = joined(header, [rows.clone(), vec![rows[0].clone()]].concat());
            prop_assert!(!is_accepted(&dirty, dirty_folder, &added), "a row added");
            let mut changed = rows.clone();
            changed[0] = format!("{}x", changed[0]);
            prop_assert!(!is_accepted(&dirty, dirty_folder, &joined(header, changed)), "a value changed");
            // A range does not contain people without a value. If a row has the range only, these
            // people match no row.
            if text.contains("{unknown, [") {
                let unmatched = |text: &str| {
                    fs::write(dirty_folder.join("other.csv"), text).unwrap();
                    let findings = pipeline::export::verify(&dirty, dirty.problem().delta(), &dirty_folder.join("other.csv")).unwrap();
                    (findings.is_faithful(), findings.unmatched)
                };
                let hidden = text.replace("{unknown, [", "[").replace("]}", "]");
                let rows = hidden.trim_end().split_once('\n').unwrap().1.lines().map(ToOwned::to_owned);
                let (is_faithful, without) = unmatched(&joined(header, rows.collect()));
                prop_assert!(!is_faithful || without > unmatched(&text).1, "no value is hidden: {text}");
            }
        }
    }

    // holds: Added members are told
    #[test]
    fn people_added_to_p_count_as_its_own(
        people in people(), public in styles(), private in styles(), delta in deltas(), lacking in any::<u64>(),
    ) {
        let (full, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (full, part) = (full.path(), part.path());
        // P lacks some combinations, and all people of these are members.
        let lacks = |person: &Person| lacking >> person.lot() & 1 == 1;
        let people: Vec<Person> =
            people.into_iter().filter(|person| person.is_private || !lacks(person)).collect();
        prop_assume!(people.iter().any(|person| !lacks(person)));
        prop_assume!(people.iter().any(|person| person.is_private));
        write(full, &people, [public, private], &head("", delta), |_| false);
        write(part, &people, [public, private], &head("not_in_public = \"add\"", delta), lacks);
        let (full, part_analysis) = (load(full), load(part));
        let (full, part_problem) = (full.problem(), part_analysis.problem());
        prop_assert_eq!(full.histogram().total(), part_problem.histogram().total());
        let added = people.iter().filter(|person| lacks(person)).count();
        prop_assert_eq!(part_analysis.notes().added(), added as u64);
        for (left, right) in full.quasi().iter().zip(part_problem.quasi()) {
            prop_assert_eq!(&left.hierarchy, &right.hierarchy);
        }
        // P is ordered by its rows, and added people are last.
        let sorted = |problem: &palmtop::model::Problem| {
            let histogram = problem.histogram();
            let combination = |index: usize| -> Vec<u32> { (0..3).map(|column| histogram.column(column)[index]).collect() };
            let mut all: Vec<_> = (0..histogram.len()).map(|index| (combination(index), histogram.counts()[index])).collect();
            all.sort();
            all
        };
        prop_assert_eq!(sorted(full), sorted(part_problem));
        for strategy in Search::all() {
            let Some(text) = released(part, &part_analysis, strategy) else { continue };
            prop_assert!(is_accepted(&part_analysis, part, &text));
            let findings = pipeline::export::verify(&part_analysis, part_problem.delta(), &part.join("out.csv")).unwrap();
            prop_assert_eq!((findings.added, findings.dropped), (added as u64, 0));
        }
    }
}

/// Two Europeans are in T. Two other people have no value. A release with `Europe` reveals the
/// Europeans in every form of the hierarchy.
// holds: No value is a leaf
#[test]
fn missing_values_are_under_no_named_top() {
    let tree = "type = \"tree\"\n[[level]]\nEurope = [\"DE\", \"FR\"]\n";
    for (name, hierarchy) in [("h.csv", "DE;Europe\nFR;Europe\n"), ("h.toml", tree)] {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
        write(name, hierarchy);
        write("p.csv", "q\nDE\nFR\n\"\"\n\"\"\n");
        write("t.csv", "q\nDE\nFR\n");
        let project = |keys: &str| {
            let attribute =
                format!("\n[[attribute]]\nname = \"q\"\nrole = \"quasi\"\nhierarchy = \"{name}\"\n");
            write("p.toml", &(head("", "max = \"1/2\"") + &attribute + "missing = [\"\"]\n" + keys));
        };
        project("");
        let analysis = load(folder);
        let hierarchy = analysis.problem().hierarchy(0);
        let labels: Vec<Vec<&str>> =
            hierarchy.levels().map(|level| hierarchy.labels(level).iter().collect()).collect();
        assert_eq!(labels, [vec!["unknown", "DE", "FR"], vec!["unknown", "Europe"], vec!["*"]], "{name}");
        let presence = |level: u8| {
            let node = analysis.problem().lattice().node(&[Level(level)]).unwrap();
            analysis.by_hand(analysis.problem(), node).achieved.max.to_string()
        };
        assert_eq!((presence(1), presence(2)), ("1".to_owned(), "1/2".to_owned()), "{name}");
        for (text, expected) in [("q\nEurope\nEurope\n", "1"), ("q\n*\n*\n", "1/2")] {
            write("r.csv", text);
            let findings =
                pipeline::export::verify(&analysis, analysis.problem().delta(), &folder.join("r.csv"))
                    .unwrap();
            assert!(findings.is_faithful(), "{name} {text}: {:?}", findings.problems);
            assert_eq!(findings.achieved_max.to_string(), expected, "{name} {text}");
        }
        assert!(!is_accepted(&analysis, folder, "q\nEurope\nEurope\n"));
        assert!(is_accepted(&analysis, folder, "q\n*\n*\n"));
        // The label of everybody cannot be the label of missing values.
        project("missing_label = \"*\"\n");
        let load = |folder: &Path| Analysis::load(&folder.join("p.toml"), &Overrides::default());
        let refused = load(folder).unwrap_err().to_string();
        assert!(refused.contains("the label for missing values, `*`, is also"), "{refused}");
        // P has only the top level, so a member of T without a value does not count as European.
        project("public_level = 1\n");
        write("p.csv", "q\nEurope\nEurope\nEurope\n");
        write("t.csv", "q\nDE\n\"\"\n");
        let refused = load(folder).unwrap_err().to_string();
        assert!(refused.contains("not in"), "{refused}");
        write("r.csv", "q\nEurope\nEurope\n");
        let found =
            verify_file(&folder.join("p.toml"), &Overrides::default(), &folder.join("r.csv")).unwrap();
        assert!(!found.is_faithful(), "{found:?}");
        // If no value is missing, the levels are those of the file.
        project("");
        write("p.csv", "q\nDE\nFR\nFR\n");
        write("t.csv", "q\nDE\n");
        assert_eq!(load(folder).unwrap().problem().hierarchy(0).top(), Level(1));
    }
}
