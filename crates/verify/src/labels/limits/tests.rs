use std::fs;

use super::*;
use crate::labels::denote::TextReader;
use crate::labels::hierarchy::{ColumnValues, HierarchySource, ValueRules};

/// The hierarchy of a file for these values of P. `unknown` is the label of missing values.
fn hierarchy(name: &str, file: &str, public: &[&str]) -> Hierarchy {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, file).unwrap();
    let public: Vec<String> = public.iter().map(|&text| text.to_owned()).collect();
    let values = |texts| ColumnValues { table: &path, column: "x", texts };
    let source = HierarchySource { path: path.clone(), kind: None, public_level: Level(0) };
    let rules = ValueRules { missing_label: Some("unknown"), ..ValueRules::default() };
    Hierarchy::read(&source, &rules, values(&public), values(&[])).unwrap()
}

fn towns() -> Hierarchy {
    let towns = ["n1;n;*\n", "n2;n;*\n", "n3;n;*\n", "n4;n;*\n", "s1;s;*\n", "s2;s;*\n", "s3;s;*\n"];
    hierarchy("h.csv", &towns.concat(), &[])
}

fn ages() -> Hierarchy {
    let values = ["20", "23", "26", "31", "44", "unknown"];
    hierarchy("h.toml", "type = \"interval\"\nwidths = [5, 10]\n", &values)
}

/// The limit that a text breaks, without regard to its column.
fn broken(hierarchy: &Hierarchy, limits: Limits, text: &str) -> Option<String> {
    let occurs = vec![true; hierarchy.leaf_count()];
    let denoted = TextReader::new(hierarchy, limits, &occurs).read(text).unwrap();
    limits.checker(hierarchy, &occurs).broken(text, &denoted)
}

#[test]
fn category_set_has_at_most_the_permitted_terms() {
    let (towns, ages) = (towns(), ages());
    for (hierarchy, text, terms) in [
        (&towns, "n", 1),
        (&towns, "s2", 1),
        (&towns, "{n1, s}", 2),
        (&towns, "{n1, n2, s1}", 3),
        (&towns, "* except {n1}", 2),
        (&towns, "* except {n1, s1}", 3),
        (&ages, "[20, 31]", 2),
        (&ages, "{unknown, [20, 31]}", 2),
        (&ages, "{unknown, 44}", 2),
        (&ages, "20-24", 1),
    ] {
        for most in 1..5 {
            let limits = Limits { terms: Some(most), ..Limits::default() };
            let found = broken(hierarchy, limits, text);
            assert_eq!(found.is_some(), most < terms, "{text} {most}: {found:?}");
            let expected = if most == 1 { "expected a label, because of" } else { "expected at most" };
            assert!(found.is_none_or(|found| found.contains(expected)), "{text} {most}");
        }
        let labels = Limits { labels: true, ..Limits::default() };
        assert_eq!(broken(hierarchy, labels, text).is_some(), terms > 1, "{text}");
    }
}

#[test]
fn label_finer_than_its_borders_is_found() {
    let ages = ages();
    for (level, texts, expected) in [
        (1, &["20-24", "30-39", "*", "unknown"][..], &[][..]),
        (1, &["20", "26", "unknown"], &[]),
        (2, &["20-24", "40-44", "unknown"], &[]),
        (1, &["20", "25-29", "unknown", "26"], &[0, 3]),
        (1, &["[20, 34]", "44"], &[1]),
        (1, &["{unknown, 20-24}", "44"], &[1]),
        (2, &["20-24", "30-39"], &[0]),
        (3, &["20-29", "unknown"], &[]),
        (3, &["20-29", "unknown", "*"], &[0, 1]),
        (0, &["20", "25-29"], &[]),
    ] {
        let limits = Limits { borders: Some(Level(level)), ..Limits::default() };
        let occurs = vec![true; ages.leaf_count()];
        let found = limits.checker(&ages, &occurs).finer_than_borders(texts);
        assert_eq!(found.iter().map(|(text, _)| *text).collect::<Vec<_>>(), expected, "{level} {texts:?}");
    }
}

#[test]
fn borders_are_a_level_of_numbers_or_dates() {
    let check = |hierarchy: &Hierarchy, level| {
        Limits { borders: Some(Level(level)), ..Limits::default() }.check(hierarchy).err().unwrap_or_default()
    };
    let ages = ages();
    for level in 0..3 {
        assert_eq!(check(&ages, level), "");
    }
    // At the top there is one label, so no range.
    for level in [3, 4] {
        assert!(
            check(&ages, level).contains("expected a level from 0 to below 3"),
            "{}",
            check(&ages, level)
        );
    }
    let narrow = Limits { borders: Some(Level(2)), coarsest: Some(Level(1)), ..Limits::default() };
    assert!(narrow.check(&ages).unwrap_err().contains("no coarser than `levels` permit"));
    assert!(check(&towns(), 1).contains("only numbers and dates have ranges"));
}
