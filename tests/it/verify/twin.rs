//! Compares the verifier with a naive implementation: for each person, a loop over the rows.

use std::collections::{BTreeMap, BTreeSet};

use palmtop::model::{Presence, Role};
use palmtop::verify::{FindingKind, Findings};
use proptest::prelude::*;

use super::{Workspace, csv, other, quasi};

const NUMBERS: &str = "1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n";
const LETTERS: &str = "a;x;*\n\"b, c\";x;*\nd;y;*\n";
const LEAVES: [&[&str]; 2] = [&["1", "2", "3", "4"], &["a", "b, c", "d"]];

/// Every text that the file may have in a column, and the leaves that it denotes.
fn texts(column: usize) -> Vec<(&'static str, &'static [usize])> {
    if column == 0 {
        vec![
            ("1", &[0]),
            ("2", &[1]),
            ("3", &[2]),
            ("4", &[3]),
            ("1-2", &[0, 1]),
            ("3-4", &[2, 3]),
            ("*", &[0, 1, 2, 3]),
            ("\"[1, 3]\"", &[0, 1, 2]),
            ("\"[2, 3]\"", &[1, 2]),
            ("\"[2, 4]\"", &[1, 2, 3]),
        ]
    } else {
        vec![
            ("a", &[0]),
            ("\"b, c\"", &[1]),
            ("d", &[2]),
            ("x", &[0, 1]),
            ("y", &[2]),
            ("*", &[0, 1, 2]),
            ("\"{a, d}\"", &[0, 2]),
            ("\"{\"\"b, c\"\", d}\"", &[1, 2]),
        ]
    }
}

/// A released row: the index of a text for each column, and the kept value.
type Row = (usize, usize, u8);
/// A person: the leaf of each column.
type Person = (usize, usize);

#[derive(Debug, PartialEq, Eq)]
struct Naive {
    min: Presence,
    max: Presence,
    unmatched: u64,
    overlapping: u64,
    unpublished: u64,
    is_faithful: bool,
    /// The number of true rows of the smallest class.
    smallest: u64,
    keeps_k: bool,
}

fn denotes(row: &Row, person: Person) -> bool {
    texts(0)[row.0].1.contains(&person.0) && texts(1)[row.1].1.contains(&person.1)
}

fn naive(public: &[Person], private: &[(Person, u8)], rows: &[Row], k: u64) -> Naive {
    // Rows with different texts are different rows, even if the texts denote the same leaves.
    let classes: BTreeSet<(usize, usize)> = rows.iter().map(|row| (row.0, row.1)).collect();
    let classes: Vec<Row> = classes.into_iter().map(|(one, two)| (one, two, 0)).collect();
    let matching = |person: Person| classes.iter().filter(|row| denotes(row, person)).count();
    let count = |wanted: &dyn Fn(usize) -> bool| {
        public.iter().filter(|person| wanted(matching(**person))).count() as u64
    };
    let unpublished = private.iter().filter(|(person, _)| matching(*person) == 0).count() as u64;
    let (unmatched, overlapping) = (count(&|rows| rows == 0), count(&|rows| rows > 1));
    let mut presences: Vec<Presence> = Vec::new();
    let mut is_faithful = overlapping == 0 && unpublished == 0;
    let mut smallest = u64::MAX;
    for class in &classes {
        let people = public.iter().filter(|person| denotes(class, **person)).count() as u64;
        let private: Vec<u8> =
            private.iter().filter(|(person, _)| denotes(class, *person)).map(|(_, kept)| *kept).collect();
        let written = rows.iter().filter(|row| (row.0, row.1) == (class.0, class.1)).map(|row| row.2);
        let written: Vec<u8> = written.collect();
        smallest = smallest.min(private.len().min(written.len()) as u64);
        presences.push(Presence::new(private.len() as u64, people).unwrap_or(Presence::ONE));
        is_faithful &= people > 0 && sorted(private) == sorted(written);
    }
    presences.extend((unmatched > 0).then_some(Presence::ZERO));
    Naive {
        min: presences.iter().min().copied().unwrap(),
        max: presences.iter().max().copied().unwrap(),
        unmatched,
        overlapping,
        unpublished,
        is_faithful,
        smallest,
        keeps_k: smallest >= k,
    }
}

fn sorted(mut values: Vec<u8>) -> Vec<u8> {
    values.sort_unstable();
    values
}

fn found(findings: &Findings) -> Naive {
    let mut naive = Naive {
        min: findings.achieved_min,
        max: findings.achieved_max,
        unmatched: findings.unmatched,
        overlapping: 0,
        unpublished: 0,
        is_faithful: findings.is_faithful(),
        smallest: findings.criteria[0].achieved.as_ref().unwrap().parse().unwrap(),
        keeps_k: findings.criteria[0].holds,
    };
    for problem in &findings.problems {
        match problem.kind {
            FindingKind::Overlap => naive.overlapping = problem.people,
            FindingKind::Unpublished => naive.unpublished = problem.people,
            _ => {}
        }
    }
    naive
}

fn written(rows: &[Row]) -> String {
    csv("n,l,kept", rows.iter().map(|row| format!("{},{},k{}", texts(0)[row.0].0, texts(1)[row.1].0, row.2)))
}

fn person_text(person: Person) -> String {
    format!("{},\"{}\"", LEAVES[0][person.0], LEAVES[1][person.1])
}

fn check(public: &[Person], private: &[(Person, u8)], rows: &[Row], k: u64) -> Naive {
    let attributes =
        [quasi("n", "n.csv", NUMBERS), quasi("l", "l.csv", LETTERS), other("kept", Role::Sensitive)];
    let public_text = csv("n,l", public.iter().map(|person| person_text(*person)));
    let people = private.iter().map(|(person, kept)| format!("{},k{kept}", person_text(*person)));
    let workspace = Workspace::new(&public_text, &csv("n,l,kept", people), ("0", "1"), &attributes)
        .with_k(&k.to_string());
    let mut expected = naive(public, private, rows, k);
    let findings = workspace.verify(&written(rows));
    // If P lacks a letter, a shorter text has the same people as a set.
    let has_all_letters = (0..3).all(|letter| public.iter().any(|person| person.1 == letter));
    if !has_all_letters && rows.iter().any(|row| texts(1)[row.1].0.contains('{')) {
        let is_refused = findings.problems.iter().any(|problem| problem.kind == FindingKind::Unreadable);
        assert!(is_refused && !findings.is_faithful(), "{}\n{:#?}", written(rows), findings.problems);
        expected.is_faithful = false;
        return expected;
    }
    assert_eq!(found(&findings), expected, "{}\n{:#?}", written(rows), findings.problems);
    expected
}

/// The people of P, and T as some of them with a kept value.
fn tables() -> impl Strategy<Value = (Vec<Person>, Vec<(Person, u8)>)> {
    prop::collection::vec(((0..4_usize, 0..3_usize), 0..4_u8), 1..12).prop_map(|people| {
        let public: Vec<Person> = people.iter().map(|(person, _)| *person).collect();
        let mut private: Vec<(Person, u8)> =
            people.iter().filter(|(_, kept)| *kept < 2).map(|(person, kept)| (*person, *kept)).collect();
        if private.is_empty() {
            private.push((public[0], 0));
        }
        (public, private)
    })
}

fn config() -> ProptestConfig {
    ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_rows_at_all((public, private) in tables(), rows in prop::collection::vec((0..10_usize, 0..8_usize, 0..2_u8), 1..8), k in 1..4_u64) {
        check(&public, &private, &rows, k);
    }

    #[test]
    fn the_verifier_matches_its_naive_twin(
        (public, private) in tables(),
        order in prop::collection::vec((0..10_usize, 0..8_usize), 12),
        spoilt in prop::option::of((0..12_usize, 0..10_usize, 0..8_usize, 0..2_u8)),
        k in 1..4_u64,
    ) {
        // Each person gets the first text that contains the person. Earlier people of the class get
        // the same text.
        let mut rows: Vec<Row> = Vec::new();
        for (person, kept) in &private {
            let fits = order.iter().find(|(one, two)| denotes(&(*one, *two, 0), *person));
            let (one, two) = fits.copied().unwrap_or((6, 5));
            rows.push((one, two, *kept));
        }
        if let Some((index, one, two, kept)) = spoilt {
            let index = index % rows.len();
            rows[index] = (one, two, kept);
        }
        check(&public, &private, &rows, k);
    }
}

/// Every pair of texts for every choice of T from three people.
// holds: Independent verifier
#[test]
fn every_release_of_two_rows_of_three_people() {
    let public: Vec<Person> = vec![(0, 0), (1, 1), (2, 2)];
    let mut faithful = BTreeMap::new();
    let texts: Vec<(usize, usize)> = (0..10).flat_map(|one| (0..8).map(move |two| (one, two))).collect();
    for (index, first) in texts.iter().enumerate() {
        // Every seventh partner keeps the test fast; all first texts and all second texts occur.
        for second in texts[index..].iter().step_by(7) {
            let private = [((0, 0), 0), ((1, 1), 0)];
            let found = check(&public, &private, &[(first.0, first.1, 0), (second.0, second.1, 0)], 2);
            *faithful.entry(found.is_faithful).or_insert(0) += 1;
        }
    }
    assert!(faithful[&true] > 10 && faithful[&false] > 100, "{faithful:?}");
}
