//! What is said of each kind of malformed value: the table and the column, the values with their
//! rows and people, and the line to write. The sentences are on the page of [`crate::messages`].

use super::{Written, quasi};

const AGE: (&str, &str) = ("h.toml", "type = \"interval\"\nwidths = [10]\n");
const DAY: (&str, &str) = ("h.toml", "type = \"date\"\nlevels = [\"year\"]\n");
const ZIP: (&str, &str) = ("h.toml", "type = \"mask\"\nlength = 5\n");
const CITY: (&str, &str) = ("h.csv", "Rome;Italy;*\nBerlin;Germany;*\nMilan;Italy;*\n");
const NUMBERS: (&str, &str) = ("h.csv", "39;30s;*\n40;40s;*\n");

/// A hierarchy, keys of its attribute, values of P, a value of T, and parts of the message: where
/// it is first.
type Case = (
    (&'static str, &'static str),
    &'static str,
    &'static [&'static str],
    &'static str,
    &'static [&'static str],
);

const CASES: &[Case] = &[
    (
        AGE,
        "",
        &["39,5", "40", "39,5"],
        "40",
        &["p.csv, column `x`: 1 value", "\"39,5\"   row 1   2 people\n", "public.number = \"1234,5\""],
    ),
    (
        AGE,
        "",
        &["1.234,5", "1.000.000"],
        "1.000.000",
        &[
            "p.csv, column `x`: 2 values",
            "\"1.000.000\"   row 2   1 person\n  \"1.234,5\"   row 1   1 person\n",
            "public.number = \"1.234,5\"\nt.csv, column `x`: 1 value",
            "\"1.000.000\"   row 1   1 person\n",
            "private.number = \"1.234,5\"",
        ],
    ),
    (
        NUMBERS,
        "",
        &["39.0", "40"],
        "40",
        &["p.csv, column `x`: 1 value", "\"39.0\"   row 1   1 person\n", "public.number = \"1234.5\""],
    ),
    (
        AGE,
        "",
        &["39.0", "39"],
        "39",
        &[
            "p.csv, column `x`: 2 values that are the same",
            "\"39\"   row 2   1 person\n  \"39.0\"   row 1   1 person\n",
            "kind = \"category\"\n  number = \"1234.5\"\nt.csv, column `x`: 1 value",
            "\"39\"   row 1   1 person\n",
        ],
    ),
    // Among codes, too.
    (("h.csv", "01;*\n1;*\n"), "", &["01", "1"], "1", &["p.csv, column `x`: 2 values that are the same"]),
    (
        DAY,
        "",
        &["2024-03-31", "31.03.2024", "1.4.2024"],
        "2024-03-31",
        &[
            "p.csv, column `x`: 2 values",
            "\"1.4.2024\"   row 3   1 person\n  \"31.03.2024\"   row 2   1 person\n",
            "public.date = \"%d.%m.%Y\"",
        ],
    ),
    (
        ZIP,
        "",
        &["1234", "01235"],
        "01235",
        &[
            "p.csv, column `x`: 1 value",
            "\"1234\"   row 1   1 person\n",
            "public.values = { \"1234\" = \"01234\" }",
        ],
    ),
    (
        CITY,
        "",
        &[" Rome", "Berlin"],
        "Berlin",
        &["p.csv, column `x`: 1 value", "\" Rome\"   row 1   1 person\n", "public.trim = true"],
    ),
    (
        CITY,
        "",
        &["ROME", "Berlin"],
        "Berlin",
        &[
            "p.csv, column `x`: 1 value",
            "\"ROME\"   row 1   1 person\n",
            "public.values = { \"ROME\" = \"Rome\" }",
        ],
    ),
    (
        CITY,
        "",
        &["Berlim", "Berlin"],
        "Berlin",
        &[
            "p.csv, column `x`: 1 value",
            "\"Berlim\"   row 1   1 person\n",
            "public.values = { \"Berlim\" = \"Berlin\" }",
        ],
    ),
    (
        AGE,
        "",
        &["", "NA", "40", "NA"],
        "40",
        &[
            "p.csv, column `x`: 2 values",
            "\"\"   row 1   1 person\n  \"NA\"   row 2   2 people\n",
            "public.missing = [\"\", \"NA\"]",
        ],
    ),
    (
        DAY,
        "",
        &["", "31.03.2024", "2024-03-31"],
        "2024-03-31",
        &[
            "p.csv, column `x`: 2 values",
            "\"\"   row 1   1 person\n  \"31.03.2024\"   row 2   1 person\n",
            "public.date = \"%d.%m.%Y\"",
            "public.missing = [\"\"]",
        ],
    ),
    (
        AGE,
        "",
        &["30-39", "40-49"],
        "41",
        &[
            "p.csv, column `x`: 2 values",
            "\"30-39\"   row 1   1 person\n  \"40-49\"   row 2   1 person\n",
            "labels of level 1",
            "`public_level = 1`",
        ],
    ),
    (
        AGE,
        "",
        &["30-34", "35-39"],
        "41",
        &[
            "p.csv, column `x`: 2 values",
            "\"30-34\"   row 1   1 person\n  \"35-39\"   row 2   1 person\n",
            "bands of numbers",
            "`public_level`",
        ],
    ),
    (
        CITY,
        "",
        &["Atlantis", "Berlin"],
        "Berlin",
        &["p.csv, column `x`: 1 value", "\"Atlantis\"   row 1   1 person\n", "`Atlantis;(level 1);*`"],
    ),
    (
        AGE,
        "number = \"1.234,5\"",
        &["39.5", "40"],
        "40",
        &[
            "p.csv, column `x`: 1 value that cannot be",
            "at most 28 digits written as 1.234,5",
            "\"39.5\"   row 1   1 person\n",
            "public.number = \"1234.5\"",
        ],
    ),
    (
        DAY,
        "date = \"%d.%m.%Y\"",
        &["31.02.2024", "31.03.2024"],
        "31.03.2024",
        &[
            "p.csv, column `x`: 1 value that cannot be",
            "\"%d.%m.%Y\", such as 31.03.2024:\n  \"31.02.2024\"   row 1   1 person\n",
            "public.missing = [\"31.02.2024\"]",
            "public.values = { \"31.02.2024\" = \"…\" }",
        ],
    ),
    (
        CITY,
        "missing = [\"\"]\nvalues = { rome = \"unknown\" }",
        &["", "Berlin", "rome"],
        "Berlin",
        &["p.csv, column `x`: 1 value equal", "\"rome\"   row 3   1 person\n", "missing_label = \"(none)\""],
    ),
    (
        ("h.toml", "type = \"mask\"\nlength = 7\ncharacter = \"n\"\n"),
        "missing = [\"\"]",
        &["", "1234567"],
        "1234567",
        &["hierarchy h.toml: ", "`unknown`, is already a label of level 1", "`missing_label = \"(none)\"`"],
    ),
    (
        CITY,
        "missing = [\"\"]\nmissing_at = \"top\"",
        &["", "Berlin"],
        "Berlin",
        &["hierarchy h.csv: missing_at = \"top\"", "at level 1 and for everyone at level 2"],
    ),
];

/// The message for a public table with these values of `x`, if T has those of `private`.
fn message_of(hierarchy: (&str, &str), keys: &str, public: &[&str], private: &str) -> String {
    let table = |values: &[&str]| {
        let rows: Vec<String> = values.iter().map(|value| format!("\"{value}\"\n")).collect();
        format!("x\n{}", rows.concat())
    };
    let (public, private) = (table(public), table(&[private]));
    let message =
        Written::new(&[("p.csv", &public), ("t.csv", &private), hierarchy], &quasi("x", hierarchy.0, keys))
            .refusal();
    assert!(message.lines().count() <= 12, "{message}");
    message
}

/// The messages of all cases, with their parts.
pub(crate) fn refusals() -> Vec<(&'static [&'static str], String)> {
    let refusal = |&(hierarchy, keys, public, private, parts): &Case| {
        (parts, message_of(hierarchy, keys, public, private))
    };
    CASES.iter().map(refusal).collect()
}

#[test]
fn a_malformed_value_has_row_people_and_line() {
    for (parts, message) in refusals() {
        assert!(message.starts_with(parts[0]), "expected {:?}\n{message}", parts[0]);
        let mut rest = message.as_str();
        for part in parts {
            let found = rest.find(part).unwrap_or_else(|| panic!("expected {part:?}\n{message}"));
            rest = &rest[found + part.len()..];
        }
    }
}

#[test]
fn very_many_values() {
    let values: Vec<String> = (0..2000).map(|number| format!("place {number}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let message = message_of(CITY, "", &values, "Berlin");
    assert!(message.starts_with("p.csv, column `x`: 2000 values"), "{message}");
    assert!(message.contains("lacks, the first 10:\n"), "{message}");
    assert_eq!((message.lines().count(), message.len() < 600), (12, true), "{message}");
}

// holds: No value is a leaf
#[test]
fn no_value_straight_to_the_top() {
    let keys = "missing = [\"\"]\nmissing_at = \"top\"";
    let refused = message_of(CITY, keys, &["", "Berlin"], "Berlin");
    assert!(refused.contains("one text with two meanings"), "{refused}");
    let flat = ("h.csv", "Rome;*\nBerlin;*\n");
    let files = [("p.csv", "x\nRome\n\"\"\n"), ("t.csv", "x\nRome\n"), flat];
    assert!(Written::new(&files, &quasi("x", "h.csv", keys)).load().is_ok());
}
