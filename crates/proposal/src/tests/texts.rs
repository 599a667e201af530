//! Texts that look alike or read like labels.

use super::*;

/// `check` refuses such values, so no proposal leaves them.
#[test]
fn values_like_labels_are_missing_or_respelled() {
    let public = ["x|y", "*|[30, 39]", "a|[40, 49]", "b|[40, 49]", "b|[redacted]"];
    let private = ["x|y", "*|[30, 39]", "b|[40, 49]", "b|{z}"];
    let open = proposed(&public, &private, Vec::new());
    let readings = |proposal: &Proposal, name: &str| attribute(proposal, name).readings.clone();
    let (of_public, of_private) = readings(&open, "x");
    assert_eq!((of_public.missing, of_private.missing), (vec!["*".to_owned()], vec!["*".to_owned()]));
    let (of_public, of_private) = readings(&open, "y");
    assert_eq!(reading_of(&of_public), "[30, 39]=30 to 39 [40, 49]=40 to 49 [redacted]=redacted");
    assert_eq!(reading_of(&of_public), reading_of(&of_private));
    // What only T has is not written as a value.
    assert_eq!(of_private.missing, ["{z}"]);
    let asked: Vec<&Ambiguity> =
        open.ambiguities.iter().filter(|open| open.what.contains("of a release")).collect();
    assert_eq!(asked.len(), 2);
    // Either answer is taken, and then nothing is asked.
    for (choice, missing) in [(0, true), (1, false)] {
        let decided = proposed(&public, &private, vec![asked[0].choices[choice].decision.clone()]);
        assert!(!what(&decided).iter().any(|what| what.starts_with("\"*\"")));
        let (of_public, _) = readings(&decided, "x");
        assert_eq!(
            (of_public.missing.is_empty(), reading_of(&of_public).as_str()),
            (!missing, if missing { "" } else { "*=(*)" })
        );
    }
    let all = ["x|y", "*|1", "*|2"];
    assert!(readings(&proposed(&all, &all, Vec::new()), "x").0.is_plain(), "one value is its own label");
}

/// The map of a reading.
fn reading_of(reading: &Reading) -> String {
    let pairs = reading.values.iter().map(|(text, value)| format!("{text}={value}"));
    pairs.collect::<Vec<_>>().join(" ")
}

/// Letters of two characters, dashes, blanks and characters without a width.
#[test]
fn texts_that_look_alike_are_one_value() {
    let towns = ["Z\u{fc}rich", "Saint-Denis", "Bad Ischl", "K\u{f6}ln", "Genf"];
    let public: Vec<String> = towns.iter().chain(&towns).map(|town| format!("{town}|1")).collect();
    let public: Vec<&str> = std::iter::once("town|n1").chain(public.iter().map(String::as_str)).collect();
    for (town, also, points) in [
        ("Zu\u{308}rich", "Ko\u{308}ln", "U+006F U+0308 for U+00F6"),
        ("Saint\u{2010}Denis", "", "U+2010 for U+002D"),
        ("Bad\u{a0}Ischl", "", "U+00A0 for U+0020"),
        ("\u{feff}Genf", "\u{feff}K\u{f6}ln", "U+FEFF for nothing"),
        ("ZU\u{308}RICH", "KO\u{308}LN", ""),
    ] {
        let row = format!("{town}|1");
        let proposal = proposed(&public, &["town|n1", &row, "Genf|1"], Vec::new());
        let reading = &attribute(&proposal, "town").readings.1;
        assert!(towns.contains(&reading.canonical(town).unwrap().as_str()), "{town}");
        // The rule holds for values that T does not have, so the map shows none of T's.
        assert!(also.is_empty() || towns.contains(&reading.canonical(also).unwrap().as_str()), "{also}");
        assert!(what(&proposal)[0].contains(points), "{:?}", what(&proposal));
    }
    // P itself has both.
    let twice = ["town|n1", "Z\u{fc}rich|1", "Zu\u{308}rich|1", "Z\u{fc}rich|2"];
    let proposal = proposed(&twice, &["town|n1", "Z\u{fc}rich|1"], Vec::new());
    let reading = &attribute(&proposal, "town").readings.0;
    assert_eq!(reading.canonical("Zu\u{308}rich").as_deref(), Some("Z\u{fc}rich"));
    assert!(what(&proposal)[0].contains("U+0075 U+0308"), "{:?}", what(&proposal));
    // Other letters are other towns.
    let proposal = proposed(&public, &["town|n1", "Zurich|1", "Genf|1"], Vec::new());
    assert!(attribute(&proposal, "town").readings.1.is_plain());
}
