//! The sample data: checks the promises of the files, with the standard library alone if possible.

#[path = "../../examples/clinic/mod.rs"]
mod clinic;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use palmtop::model::{Hierarchy, Kind, Level};

fn at_root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn read(path: &str) -> String {
    fs::read_to_string(at_root(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// How often each combination of the named columns occurs. The samples need no quotes.
fn combinations(path: &str, columns: &[&str]) -> BTreeMap<Vec<String>, usize> {
    let text = read(path);
    assert!(!text.contains('"'), "{path} has quotes, which this reader does not know");
    let mut lines = text.lines();
    let header: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let position =
        |name: &&str| header.iter().position(|column| column == name).expect("a column of the sample");
    let positions: Vec<usize> = columns.iter().map(position).collect();
    let mut counts = BTreeMap::new();
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), header.len(), "{path}: {line}");
        *counts.entry(positions.iter().map(|&position| cells[position].to_owned()).collect()).or_insert(0) +=
            1;
    }
    counts
}

fn assert_private_is_part_of_public(folder: &str, columns: &[&str]) {
    let public = combinations(&format!("{folder}/public.csv"), columns);
    for (people, private) in combinations(&format!("{folder}/private.csv"), columns) {
        let found = public.get(&people).copied().unwrap_or(0);
        assert!(private <= found, "{folder}: {people:?} stands {private} times in T and {found} times in P");
    }
}

const CLINIC: [&str; 6] = ["zip", "age", "sex", "education", "occupation", "nationality"];

#[test]
fn the_clinic_is_what_its_seed_makes() {
    let folder = tempfile::tempdir().unwrap();
    clinic::write(folder.path()).unwrap();
    for name in ["public.csv", "private.csv"] {
        let made = fs::read(folder.path().join(name)).unwrap();
        let committed = fs::read(at_root("sample-data/clinic").join(name)).unwrap();
        assert!(
            made == committed,
            "{name} differs: run `cargo run --example make_clinic -- sample-data/clinic` and read the difference"
        );
    }
}

#[test]
fn the_clinic_has_800_patients_among_20000_people() {
    let people = |name: &str| read(&format!("sample-data/clinic/{name}")).lines().count() - 1;
    assert_eq!((people("public.csv"), clinic::RESIDENTS), (20_000, 20_000));
    assert_eq!((people("private.csv"), clinic::PATIENTS), (800, 800));
}

#[test]
fn the_patients_numbers_are_a_plain_count() {
    let table = read("sample-data/clinic/private.csv");
    for (number, line) in (1..).zip(table.lines().skip(1)) {
        assert!(line.starts_with(&format!("C-{number:04},")), "{line}");
    }
}

#[test]
fn private_people_are_public_people() {
    assert_private_is_part_of_public("sample-data/clinic", &CLINIC);
    assert_private_is_part_of_public("sample-data/paper", &["person", "zip", "age", "nationality"]);
    assert_private_is_part_of_public("sample-data/google", &["zip", "age"]);
}

#[test]
fn csv_hierarchies_hold_and_cover_the_clinic() {
    let numbers =
        [("education", 4), ("marital-status", 4), ("nationality", 4), ("occupation", 4), ("sex", 2)];
    for (name, levels) in numbers {
        let text = read(&format!("hierarchies/{name}.csv"));
        let chains: Vec<Vec<String>> =
            text.lines().map(|line| line.split(';').map(str::to_owned).collect()).collect();
        let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains)
            .unwrap_or_else(|error| panic!("hierarchies/{name}.csv: {error}"));
        assert_eq!(hierarchy.levels().count(), levels, "{name}");
        if CLINIC.contains(&name) {
            for value in combinations("sample-data/clinic/public.csv", &[name]).keys() {
                assert!(hierarchy.code(&value[0]).is_some(), "hierarchies/{name}.csv lacks {value:?}");
            }
        }
    }
}
