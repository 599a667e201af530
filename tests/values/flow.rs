//! Through the whole flow: the same people, however they are written, are the same histogram and the same releases; what a
//! search releases `verify` accepts, and what somebody spoils it refuses.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use palmtop::pipeline::{Analysis, ExportOptions, Overrides};
use palmtop::search::{Config, Strategy as Search};
use proptest::prelude::*;

use crate::dirty::{CLEAN, Person, people, styles, write};

fn load(folder: &Path) -> Analysis {
    Analysis::load(&folder.join("p.toml"), &Overrides::default()).unwrap()
}

/// The release of a strategy as it is written and verified; nothing where there is none.
fn released(folder: &Path, analysis: &Analysis, strategy: Search) -> Option<String> {
    let config = Config { rounds: Some(2), ..Config::default() };
    let go_on = &mut |_| ControlFlow::Continue(());
    let release = analysis.search(analysis.problem(), strategy, &config, go_on).release?;
    let target = folder.join("out.csv");
    let options = ExportOptions { force: true, allow_not_present: false };
    let written = match analysis.export(&release, &target, options) {
        Ok(written) => written,
        // What a baseline finds may break δ.
        Err(_) if !release.is_present() => return None,
        Err(error) => panic!("{strategy}: {error}"),
    };
    assert_eq!(written.verification.achieved, release.achieved);
    assert!(analysis.read_release(&target).unwrap().is_of(&release.classes));
    fs::read_to_string(&target).ok()
}

/// Whether `verify` takes a text for a faithful, δ-present release.
fn is_accepted(analysis: &Analysis, folder: &Path, text: &str) -> bool {
    let path = folder.join("spoilt.csv");
    fs::write(&path, text).unwrap();
    let findings = analysis.verify(analysis.problem().delta(), &path).unwrap();
    findings.is_faithful() && findings.is_present()
}

/// The header and the rows, sorted again.
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

    #[test]
    fn the_same_people_give_the_same_histogram_and_releases_however_they_are_written(
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
            // Who has no value is not among those of a range: without it they match no row any more.
            if text.contains("{unknown, [") {
                let unmatched = |text: &str| {
                    fs::write(dirty_folder.join("other.csv"), text).unwrap();
                    let findings = dirty.verify(dirty.problem().delta(), &dirty_folder.join("other.csv")).unwrap();
                    (findings.is_faithful(), findings.unmatched)
                };
                let hidden = text.replace("{unknown, [", "[").replace("]}", "]");
                let rows = hidden.trim_end().split_once('\n').unwrap().1.lines().map(ToOwned::to_owned);
                let (is_faithful, without) = unmatched(&joined(header, rows.collect()));
                prop_assert!(!is_faithful || without > unmatched(&text).1, "no value is hidden: {text}");
            }
        }
    }

    #[test]
    fn who_is_added_to_p_is_there_as_if_p_had_had_them(
        people in people(), public in styles(), private in styles(), delta in deltas(), lacking in any::<u64>(),
    ) {
        let (whole, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let (whole, part) = (whole.path(), part.path());
        // Of some combinations P has nobody but members, and lacks them.
        let lacks = |person: &Person| lacking >> person.lot() & 1 == 1;
        let people: Vec<Person> =
            people.into_iter().filter(|person| person.is_private || !lacks(person)).collect();
        prop_assume!(people.iter().any(|person| !lacks(person)));
        prop_assume!(people.iter().any(|person| person.is_private));
        write(whole, &people, [public, private], &head("", delta), |_| false);
        write(part, &people, [public, private], &head("not_in_public = \"add\"", delta), lacks);
        let (whole, part_analysis) = (load(whole), load(part));
        let (whole, own) = (whole.problem(), part_analysis.problem());
        prop_assert_eq!(whole.histogram().total(), own.histogram().total());
        let added = people.iter().filter(|person| lacks(person)).count();
        prop_assert_eq!(part_analysis.notes().added(), added as u64);
        for (left, right) in whole.quasi().iter().zip(own.quasi()) {
            prop_assert_eq!(&left.hierarchy, &right.hierarchy);
        }
        // P's order is that of its rows, and who is added comes last.
        let sorted = |problem: &palmtop::model::Problem| {
            let histogram = problem.histogram();
            let combination = |place: usize| -> Vec<u32> { (0..3).map(|column| histogram.column(column)[place]).collect() };
            let mut all: Vec<_> = (0..histogram.len()).map(|place| (combination(place), histogram.counts()[place])).collect();
            all.sort();
            all
        };
        prop_assert_eq!(sorted(whole), sorted(own));
        for strategy in Search::all() {
            let Some(text) = released(part, &part_analysis, strategy) else { continue };
            prop_assert!(is_accepted(&part_analysis, part, &text));
            let findings = part_analysis.verify(own.delta(), &part.join("out.csv")).unwrap();
            prop_assert_eq!((findings.added, findings.dropped), (added as u64, 0));
        }
    }
}
