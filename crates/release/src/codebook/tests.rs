//! Texts of a small hierarchy, explained by hand.

use std::path::Path;

use super::*;
use palmtop_core::model::{
    Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Presence, QuasiIdentifier,
};

/// Six leaves in two groups; `unknown` is the missing value, and nobody has the fifth.
fn problem(kind: Kind, leaves: [&str; 6]) -> Problem {
    let chain = |(index, leaf): (usize, &str)| {
        [leaf, if index < 4 { "low" } else { "high" }, "*"].map(str::to_owned).to_vec()
    };
    let chains: Vec<Vec<String>> = leaves.into_iter().enumerate().map(chain).collect();
    let hierarchy = Hierarchy::new(kind, Level(0), &chains).unwrap().with_missing("unknown");
    let counts = vec![Counts::new(2, 1); 5];
    let histogram = Histogram::new(vec![vec![0, 1, 2, 3, 5]], counts).unwrap();
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    Problem::new(vec![QuasiIdentifier { name: "x".into(), hierarchy }], histogram, delta, EmptyRegions::Allow)
        .unwrap()
}

/// The form, the values, the lowest and highest value, the borders and the people of a text.
fn explained(problem: &Problem, text: &str, codes: &[Code]) -> String {
    let people = [2, 2, 2, 2, 0, 2];
    let entry = CodedText::of(problem, 0, (text, codes), &people);
    assert_eq!(entry.count, codes.len() as u64);
    let [low, high] = [&entry.low, &entry.high].map(|end| end.as_deref().unwrap_or("–"));
    let borders = entry.borders.as_ref().map_or_else(|| "–".to_owned(), ToString::to_string);
    format!("{}: {}; {low} {high}; {borders}; {}", entry.form.as_str(), entry.members(), entry.people)
}

#[test]
fn codebook_shows_numbers_as_ranges_of_public_values() {
    let problem = problem(Kind::Number, ["unknown", "18", "19", "20", "30", "40"]);
    let problem = problem.with_borders(&[Some(Level(1))]).unwrap();
    for (text, codes, expected) in [
        ("low", &[0, 1, 2, 3][..], "label: unknown, 18 to 20; 18 20; –; 8"),
        ("19", &[2], "label: 19; 19 19; –; 2"),
        ("[18, 20]", &[1, 2, 3], "range: 18 to 20; 18 20; –; 6"),
        // Nobody has 30, so 20 and 40 are neighbours.
        ("[20, 40]", &[3, 5], "range: 20 to 40; 20 40; –; 4"),
        ("[15, 40]", &[1, 2, 3, 5], "range: 18 to 40; 18 40; 15 to 40; 8"),
        ("[15, 45)", &[1, 2, 3, 5], "range: 18 to 40; 18 40; 15 to 45; 8"),
        ("{unknown, [15, 20]}", &[0, 1, 2, 3], "set: unknown, 18 to 20; 18 20; 15 to 20; 8"),
        ("high except {40}", &[], "except: ; – –; –; 0"),
    ] {
        assert_eq!(explained(&problem, text, codes), expected, "{text}");
    }
}

#[test]
fn labels_of_p_are_no_borders() {
    let problem = problem(Kind::Number, ["unknown", "[0, 5)", "[5, 10)", "1,000-1,999", "30", "40"]);
    for (text, codes, expected) in [
        ("[[0, 5), [5, 10)]", &[1, 2][..], r#"range: "[0, 5)" to "[5, 10)"; [0, 5) [5, 10); –; 4"#),
        ("{unknown, [5, 10)}", &[0, 2], r#"set: unknown, "[5, 10)"; [5, 10) [5, 10); –; 4"#),
        (
            r#"{unknown, "1,000-1,999"}"#,
            &[0, 3],
            r#"set: unknown, "1,000-1,999"; 1,000-1,999 1,000-1,999; –; 4"#,
        ),
    ] {
        assert_eq!(explained(&problem, text, codes), expected, "{text}");
    }
    let problem = problem.with_borders(&[Some(Level(1))]).unwrap();
    let expected = r#"set: unknown, "[5, 10)"; [5, 10) [5, 10); –; 4"#;
    assert_eq!(explained(&problem, "{unknown, [5, 10)}", &[0, 2]), expected);
}

#[test]
fn categories_are_listed_one_by_one() {
    let problem = problem(Kind::Category, ["unknown", "a", "b, c", "d", "e", "f"]);
    for (text, codes, expected) in [
        ("*", &[0, 1, 2, 3, 5][..], "label: unknown, a, \"b, c\", d, f; – –; –; 10"),
        ("{a, \"b, c\"}", &[1, 2], "set: a, \"b, c\"; – –; –; 4"),
        ("low except {unknown, a}", &[2, 3], "except: \"b, c\", d; – –; –; 4"),
    ] {
        assert_eq!(explained(&problem, text, codes), expected, "{text}");
    }
}

#[test]
fn the_ending_of_a_file_selects_its_form() {
    for (name, form) in [
        ("a.csv", Some(CodebookForm::Csv)),
        ("a.JSON", Some(CodebookForm::Json)),
        ("b/a.md", Some(CodebookForm::Markdown)),
        ("a.txt", None),
        ("csv", None),
    ] {
        assert_eq!(CodebookForm::of(Path::new(name)), form, "{name}");
    }
}
