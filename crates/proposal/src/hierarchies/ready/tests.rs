//! Each list over its own codes, and over some that it lacks.

use super::*;
use crate::tests::{attribute, proposed, what};
use palmtop_tables::hierarchies::outline::Outline;

/// All codes of a list, sorted.
fn codes(list: &List) -> Vec<String> {
    let sorted: BTreeSet<String> = rows(list.text).into_iter().map(|row| row[0].clone()).collect();
    sorted.into_iter().collect()
}

/// 1,000 people with codes from the list, and `wrong` others.
fn people(list: &List, wrong: u64) -> BTreeMap<String, u64> {
    let codes = codes(list);
    let mut people = BTreeMap::new();
    let mut seed: usize = 12_345;
    for _ in 0..1_000 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        *people.entry(codes[(seed >> 33) % codes.len()].clone()).or_default() += 1;
    }
    people.extend((0..wrong).map(|number| (format!("?{number}"), 1)));
    people
}

/// The labels of a value, finest first.
fn labels(ready: &ReadyHierarchy, value: &str, texts: &[String]) -> Vec<String> {
    let tree = hierarchy_of(Path::new("x.toml"), ready.text.as_bytes(), ValueKind::Category, texts).unwrap();
    let code = tree.code(value).unwrap();
    let label = |level| tree.labels(level)[tree.labels_of(level)[code as usize] as usize].to_string();
    tree.levels().map(label).collect()
}

#[test]
fn lists_hold_their_codes_and_nest() {
    for list in &LISTS {
        let codes = codes(list);
        let ready = list.over(ValueKind::Category, &codes).unwrap_or_else(|| panic!("{}", list.name));
        assert_eq!(ready.lacking, Vec::<String>::new(), "{}", list.name);
        let outline = Outline::of_bytes(Path::new("x.toml"), ready.text.as_bytes()).unwrap();
        assert!(outline.leaves.unwrap() >= codes.len() && outline.top.0 >= 2, "{}: {outline:?}", list.name);
        assert!(ready.text.contains("# Source: ") && !ready.origin.is_empty(), "{}", list.name);
    }
}

#[test]
fn lists_are_found_by_random_codes() {
    for list in &LISTS {
        for wrong in [0, 10] {
            let people = people(list, wrong);
            let found = fitting("code of it", ValueKind::Category, &people).unwrap();
            let expected: Vec<String> = (0..wrong).map(|number| format!("?{number}")).collect();
            assert_eq!((found.list, &found.lacking), (list.name, &expected));
            let texts: Vec<String> = people.keys().cloned().collect();
            for text in &expected {
                assert_eq!(labels(&found, text, &texts)[1], NOT_LISTED[0]);
            }
        }
    }
}

#[test]
fn too_many_other_values_are_no_list() {
    let people = people(&LISTS[0], 60);
    assert_eq!(fitting("code", ValueKind::Category, &people), None);
    assert_eq!(fitting("country", ValueKind::Category, &people).unwrap().lacking.len(), 60);
    let sites: BTreeMap<String, u64> = (0..53).map(|site| (format!("S{site:02}"), 9)).collect();
    let list = |column| fitting(column, ValueKind::Category, &sites).map(|found| found.list);
    assert_eq!((list("site"), list("icd")), (None, Some("icd-10")));
    let few: BTreeMap<String, u64> =
        [("NO", 40), ("SI", 60)].map(|(text, rows)| (text.to_owned(), rows)).into();
    assert_eq!(fitting("consent", ValueKind::Category, &few), None);
    assert_eq!(fitting("country", ValueKind::Category, &few).unwrap().list, "country-iso2");
}

#[test]
fn name_decides_between_equal_lists() {
    let people: BTreeMap<String, u64> =
        ["AL", "CA", "CO", "DE", "GA", "IL"].map(|text| (text.to_owned(), 9)).into();
    let list = |column| fitting(column, ValueKind::Category, &people).unwrap().list;
    assert_eq!((list("home state"), list("country")), ("us-state", "country-iso2"));
}

#[test]
fn codes_get_labels_in_every_spelling() {
    let label = |list: &str, texts: &[&str], value: &str| {
        let mut texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        texts.sort();
        labels(&of(list, ValueKind::Category, &texts).unwrap(), value, &texts).join(" ")
    };
    assert_eq!(label("country-iso2", &["de", "FR"], "de"), "de Western Europe Europe *");
    assert_eq!(label("icd-10", &["J45", "A00"], "J45"), "J45 J40-J47 J00-J99 *");
    assert_eq!(label("icd-10", &["J45.0", "A00.1"], "J45.0"), "J45.0 J45 J40-J47 J00-J99 *");
    assert_eq!(label("icd-10", &["J450", "J45", "A001"], "J45"), "J45 J45.- J40-J47 J00-J99 *");
    // In French, `di` is a Sunday; in German, `Di` is a Tuesday.
    assert_eq!(label("weekday", &["Mo", "Di"], "Di"), "Di Monday to Friday *");
    assert_eq!(label("weekday", &["lu", "di"], "di"), "di weekend *");
}

#[test]
fn text_of_a_label_is_no_value() {
    let texts: Vec<String> = ["Africa", "Chad", "Ghana", "Kenya", "Mali"].map(str::to_owned).into();
    assert_eq!(of("country-name", ValueKind::Category, &texts), None);
}

#[test]
fn namibia_is_a_code_among_countries() {
    let mut people = people(&LISTS[0], 0);
    people.insert("NA".to_owned(), 30);
    assert!(has("NA", "code", &people));
    people.insert("NA".to_owned(), 90);
    assert!(!has("NA", "code", &people));
    assert!(!has("NA", "code", &[("NA", 1), ("red", 30)].map(|(text, rows)| (text.to_owned(), rows)).into()));
}

#[test]
fn namibia_or_missing_is_asked() {
    let codes = ["DE", "FR", "IT", "ES", "AT", "CH"].map(|code| format!("{code}|1\n").repeat(9)).concat();
    let lines = format!("country|sex\n{codes}NA|2");
    let public: Vec<&str> = lines.lines().collect();
    let of = |decisions| proposed(&public, &public[..3], decisions);
    let found = of(Vec::new());
    let missing = |proposal: &crate::Proposal| attribute(proposal, "country").readings.0.missing.clone();
    assert_eq!(missing(&found), [""; 0]);
    let open = &found.ambiguities[0];
    assert!(open.what.contains("Namibia") && open.choices.len() == 2, "{open:?}");
    for (choice, expected) in open.choices.iter().zip([&[][..], &["NA"]]) {
        let decided = of(vec![choice.decision.clone()]);
        assert_eq!(missing(&decided), expected);
        assert!(!what(&decided).iter().any(|what| what.contains("Namibia")));
    }
}

#[test]
fn codes_that_nest_by_beginnings_are_masked() {
    let rows = |column: &str, codes: &[&str]| -> Vec<String> {
        let rows = codes.iter().map(|code| format!("{code}|1"));
        std::iter::once(format!("{column}|sex")).chain(rows).collect()
    };
    for (column, codes, expected) in [
        ("isco08", ["2221", "2212", "3411"], Recipe::Mask(4)),
        ("region", ["DE111", "FRK26", "ITC4C"], Recipe::Mask(5)),
        ("region", ["DE11", "FRK2", "ITC4"], Recipe::Mask(4)),
        ("region", ["DE11", "FRK26", "ITC4"], Recipe::Flat),
    ] {
        let rows = rows(column, &codes);
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let proposal = proposed(&rows, &rows[..2], Vec::new());
        let hierarchy = attribute(&proposal, column).hierarchy.as_ref().unwrap();
        assert_eq!(hierarchy.source, HierarchySource::Built(expected), "{codes:?}");
    }
}
