//! Random tables on disk in the complete flow: `verify` accepts every release of a search, and
//! refuses it after damage.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use palmtop::model::{Counts, Presence, Recoding};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::release::Release;
use palmtop::search::{Config, Strategy as Search};
use proptest::prelude::*;

const COLOURS: [&str; 5] = ["red", "orange", "blue", "green", "grey, or none"];

/// A person: age, colour, and whether the person is in T.
type Person = (u8, usize, bool);

fn write_project(folder: &Path, people: &[Person], delta: &str) {
    let row = |(age, colour, _): &Person| format!("{age},\"{}\"", COLOURS[*colour]);
    let public: Vec<String> = people.iter().map(row).collect();
    let is_private =
        |(index, person): (usize, &Person)| person.2.then(|| format!("{},s{}", row(person), index % 3));
    let private: Vec<String> = people.iter().enumerate().filter_map(is_private).collect();
    let write = |name: &str, text: String| fs::write(folder.join(name), text).unwrap();
    write("public.csv", format!("age,colour\n{}\n", public.join("\n")));
    write("private.csv", format!("age,colour,secret\n{}\n", private.join("\n")));
    write("age.toml", "type = \"interval\"\nwidths = [3, 6]\n".to_owned());
    write(
        "colour.csv",
        "red;warm;*\norange;warm;*\nblue;cold;*\ngreen;cold;*\ngrey, or none;cold;*\n".to_owned(),
    );
    write(
        "p.toml",
        format!(
            "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n{delta}\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
             [[attribute]]\nname = \"colour\"\nrole = \"quasi\"\nhierarchy = \"colour.csv\"\n\
             [[attribute]]\nname = \"secret\"\nrole = \"sensitive\"\n"
        ),
    );
}

fn load(folder: &Path) -> Analysis {
    Analysis::load(&folder.join("p.toml"), &Overrides::default()).unwrap()
}

fn release(analysis: &Analysis, strategy: Search) -> Option<Release> {
    let go_on = &mut |_| ControlFlow::Continue(());
    let config = Config { rounds: Some(2), ..Config::default() };
    analysis.search(analysis.problem(), strategy, &config, go_on).release
}

/// Whether `verify` accepts a text as a faithful, δ-present release.
fn is_accepted(analysis: &Analysis, folder: &Path, text: &str) -> bool {
    let path = folder.join("spoilt.csv");
    fs::write(&path, text).unwrap();
    let findings = pipeline::export::verify(analysis, analysis.problem().delta(), &path).unwrap();
    findings.is_faithful() && findings.is_present()
}

/// Checks that reading a written release gives the class of each person and the number of its
/// members.
fn is_read_back(analysis: &Analysis, release: &Release, written: &Path) {
    let read = pipeline::reading::read(analysis, written).unwrap();
    assert!(read.is_faithful());
    let of_combination = |index: usize| {
        let class = release.classes.class(release.classes.class_of[index]);
        // A class without members is not written.
        (class.counts.private > 0).then(|| (class.texts(analysis.problem()), class.counts))
    };
    for (index, class) in read.class_of.iter().enumerate() {
        let found = class.map(|class| {
            let class = &read.classes[class as usize];
            assert_eq!(class.kept.iter().map(|(_, rows)| rows).sum::<u64>(), class.rows);
            (class.texts.clone(), Counts::new(class.people, class.rows))
        });
        assert_eq!(found, of_combination(index));
    }
    assert_eq!(read.rows(), analysis.problem().histogram().total().private);
}

/// The header and the sorted rows.
fn joined(header: &str, mut rows: Vec<String>) -> String {
    rows.sort();
    format!("{header}\n{}\n", rows.join("\n"))
}

/// A release with the paper's boxes, which contain only the members of each region (MPALM, line
/// 20).
fn with_private_boxes(analysis: &Analysis, release: &Release, people: &[Person]) -> (String, bool) {
    let problem = analysis.problem();
    let class_of = |person: &Person| {
        let codes = [
            problem.hierarchy(0).code(&person.0.to_string()).unwrap(),
            problem.hierarchy(1).code(COLOURS[person.1]).unwrap(),
        ];
        release.classes.class_of[problem.histogram().find(&codes).unwrap()]
    };
    let (mut rows, mut is_present, mut matched) = (Vec::new(), true, 0);
    for (class, counted) in (0..).zip(release.classes.iter()) {
        let inside: Vec<&Person> =
            people.iter().filter(|person| person.2 && class_of(person) == class).collect();
        if inside.is_empty() {
            continue;
        }
        let low = inside.iter().map(|person| person.0).min().unwrap();
        let high = inside.iter().map(|person| person.0).max().unwrap();
        let mut colours: Vec<usize> = inside.iter().map(|person| person.1).collect();
        colours.sort_unstable();
        colours.dedup();
        let is_inside = |person: &&Person| {
            class_of(person) == class && (low..=high).contains(&person.0) && colours.contains(&person.1)
        };
        let public = people.iter().filter(is_inside).count() as u64;
        matched += public;
        let presence = Presence::new(counted.counts.private, public).unwrap();
        is_present &= presence <= problem.delta().max() && presence >= problem.delta().min();
        let age = if low == high { low.to_string() } else { format!("\"[{low}, {high}]\"") };
        let names: Vec<String> = colours
            .iter()
            .map(|&colour| match COLOURS[colour] {
                plain if !plain.contains(',') => plain.to_owned(),
                special => format!("\"\"{special}\"\""),
            })
            .collect();
        let colour = match colours.as_slice() {
            [only] => format!("\"{}\"", COLOURS[*only]),
            _ => format!("\"{{{}}}\"", names.join(", ")),
        };
        for person in inside {
            let index = people.iter().position(|other| std::ptr::eq(other, person)).unwrap();
            rows.push(format!("{age},{colour},s{}", index % 3));
        }
    }
    // If δmin > 0 and some people of P are outside every box, they break δ too.
    is_present &= problem.delta().min() == Presence::ZERO || matched == people.len() as u64;
    (joined("age,colour,secret", rows), is_present)
}

fn people() -> impl Strategy<Value = Vec<Person>> {
    let person = (0_u8..14, 0..COLOURS.len(), prop::bool::weighted(0.35));
    prop::collection::vec(person, 4..40)
        .prop_filter("somebody is private", |people| people.iter().any(|person| person.2))
}

fn deltas() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "[delta]\nmax = \"1/2\"\n[search]\nempty_regions = \"forbid\"",
        "[delta]\nmax = \"1/2\"",
        "[delta]\nmax = \"4/5\"",
        "[delta]\nmin = \"1/5\"\nmax = \"3/5\"",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: One judge
    #[test]
    fn verify_accepts_releases_and_refuses_spoilt_ones(people in people(), delta in deltas()) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        write_project(folder, &people, delta);
        let analysis = load(folder);
        for strategy in Search::all() {
            let Some(release) = release(&analysis, strategy) else {
                prop_assert!(!analysis.problem().feasibility().holds(), "{}", strategy);
                continue;
            };
            let target = folder.join("out.csv");
            let options = ExportOptions { force: true, allow_not_present: false };
            let written = pipeline::export::write(&analysis, &release, &target, options).unwrap();
            prop_assert_eq!(written.verification.achieved, release.achieved);
            let text = fs::read_to_string(&target).unwrap();
            prop_assert!(is_accepted(&analysis, folder, &text));
            is_read_back(&analysis, &release, &target);

            let (header, rows) = text.trim_end().split_once('\n').unwrap();
            let rows: Vec<String> = rows.lines().map(ToOwned::to_owned).collect();
            let dropped = joined(header, rows[1..].to_vec());
            prop_assert!(!is_accepted(&analysis, folder, &dropped), "a row dropped");
            let added = joined(header, [rows.clone(), vec![rows[0].clone()]].concat());
            prop_assert!(!is_accepted(&analysis, folder, &added), "a row added");
            let mut changed = rows.clone();
            changed[0] = format!("{}x", changed[0]);
            prop_assert!(!is_accepted(&analysis, folder, &joined(header, changed)), "a value changed");
            let mut overlapping = rows.clone();
            overlapping[0] = format!("*,*,{}", rows[0].rsplit(',').next().unwrap());
            prop_assert!(rows.len() == 1 || rows[0] == overlapping[0] || !is_accepted(&analysis, folder, &joined(header, overlapping)));
            if matches!(release.recoding, Recoding::Regions(_)) {
                let (private_boxes, is_present) = with_private_boxes(&analysis, &release, &people);
                prop_assert!(is_present || !is_accepted(&analysis, folder, &private_boxes), "{strategy}\n{private_boxes}");
            }
        }
    }
}
