//! Texts of a small hierarchy, explained by hand.

use std::path::Path;

use super::*;
use palmtop_core::model::{Hierarchy, Kind, Level};

/// Six leaves in two groups; `unknown` is the missing value.
fn hierarchy(kind: Kind, leaves: [&str; 6]) -> Hierarchy {
    let chain = |(index, leaf): (usize, &str)| {
        [leaf, if index < 4 { "low" } else { "high" }, "*"].map(str::to_owned).to_vec()
    };
    let chains: Vec<Vec<String>> = leaves.into_iter().enumerate().map(chain).collect();
    Hierarchy::new(kind, Level(0), &chains).unwrap().with_missing("unknown")
}

/// The people of P with each value: nobody has the fifth.
const PEOPLE: [u64; 6] = [2, 2, 2, 2, 0, 2];

/// The form, the meaning, the exceptions, the number of values and the people of a text.
fn explained(hierarchy: &Hierarchy, text: &str, codes: &[Code]) -> String {
    let (entry, _) = Explainer::of(hierarchy, &PEOPLE).explain(text, codes);
    let CodedText { form, count, people, .. } = &entry;
    format!("{}: {}; {}; {count} {people}", form.as_str(), entry.meaning(), entry.exceptions())
}

#[test]
fn codebook_shows_numbers_as_ranges_of_public_values() {
    let hierarchy = hierarchy(Kind::Number, ["unknown", "18", "19", "20", "30", "40"]);
    for (text, codes, expected) in [
        ("low", &[0, 1, 2, 3][..], "label: unknown, 18 to 20; ; 4 8"),
        ("19", &[2], "value: 19; ; 1 2"),
        ("unknown", &[0], "missing: unknown; ; 1 2"),
        ("[18, 20]", &[1, 2, 3], "range: 18 to 20; ; 3 6"),
        // Nobody has 30, so 20 and 40 are neighbours.
        ("[15, 45)", &[3, 5], "range: 20 to 40; ; 2 4"),
        ("{unknown, [15, 20]}", &[0, 1, 3], "set: unknown, 18, 20; ; 3 6"),
        ("high except {40}", &[], "except: ; ; 0 0"),
    ] {
        assert_eq!(explained(&hierarchy, text, codes), expected, "{text}");
    }
}

#[test]
fn bands_and_unordered_numbers_are_no_ranges() {
    let hierarchy =
        hierarchy(Kind::Number, ["unknown", "[0, 5)", "[5, 10)", "1,000-1,999", "30", "20 to 24.5"]);
    for (text, codes, expected) in [
        ("[[0, 5), [5, 10)]", &[1, 2][..], r#"range: "[0, 5)", "[5, 10)"; ; 2 4"#),
        ("{1,000-1,999, 20 to 24.5}", &[3, 5], r#"set: "1,000-1,999", "20 to 24.5"; ; 2 4"#),
    ] {
        assert_eq!(explained(&hierarchy, text, codes), expected, "{text}");
    }
    let falling = self::hierarchy(Kind::Number, ["unknown", "20", "19", "18", "30", "40"]);
    assert_eq!(explained(&falling, "low", &[1, 2, 3]), "label: 20, 19, 18; ; 3 6");
}

#[test]
fn categories_are_formulas_over_labels() {
    let hierarchy = hierarchy(Kind::Category, ["unknown", "a", "b, c", "d", "e", "f"]);
    for (text, codes, expected) in [
        ("*", &[0, 1, 2, 3, 5][..], "label: unknown, a, \"b, c\", d, f; ; 5 10"),
        ("{a, \"b, c\"}", &[1, 2], "set: a, \"b, c\"; ; 2 4"),
        ("low except {a}", &[0, 2, 3], "except: low; a; 3 6"),
        ("{low, f}", &[0, 1, 2, 3, 5], "set: *; ; 5 10"),
    ] {
        assert_eq!(explained(&hierarchy, text, codes), expected, "{text}");
    }
    let texts = BTreeMap::from([("low except {a}".to_owned(), vec![0, 2, 3]), ("a".to_owned(), vec![1])]);
    let explainer = Explainer::of(&hierarchy, &PEOPLE);
    let listed: Vec<String> = explainer.entries(&texts).into_iter().map(|entry| entry.text).collect();
    assert_eq!(listed, ["low", "low except {a}", "unknown", "a"]);
    assert!(explainer.are_disjoint(&texts));
}

#[test]
fn the_ending_of_a_file_selects_its_form() {
    for (name, form) in [
        ("a.csv", Some(CodebookForm::Csv)),
        ("a.JSON", Some(CodebookForm::Json)),
        ("b/a.md", None),
        ("a.txt", None),
        ("csv", None),
    ] {
        assert_eq!(CodebookForm::of(Path::new(name)), form, "{name}");
    }
}
