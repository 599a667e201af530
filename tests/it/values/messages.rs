//! The complete message for each kind of malformed value.

use super::{Written, quasi};

const AGE: (&str, &str) = ("h.toml", "type = \"interval\"\nwidths = [10]\n");
const DAY: (&str, &str) = ("h.toml", "type = \"date\"\nlevels = [\"year\"]\n");
const ZIP: (&str, &str) = ("h.toml", "type = \"mask\"\nlength = 5\n");
const CITY: (&str, &str) = ("h.csv", "Rome;Italy;*\nBerlin;Germany;*\nMilan;Italy;*\n");

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

#[test]
fn a_decimal_comma() {
    assert_eq!(
        message_of(AGE, "", &["39,5", "40", "39,5"], "40"),
        "p.csv, column `x`: 1 value that hierarchy h.toml lacks:\n  \
         \"39,5\"   row 1   2 people\n\
         they look like numbers with a decimal comma (\"39,5\" would be \"39.5\"); write under [[attribute]] `x`:\n  \
         public.number = { decimal = \",\" }"
    );
}

#[test]
fn separators_of_thousands() {
    assert_eq!(
        message_of(AGE, "", &["1.234,5", "1.000.000"], "1.000.000"),
        "p.csv, column `x`: 2 values that hierarchy h.toml lacks:\n  \
         \"1.000.000\"   row 2   1 person\n  \
         \"1.234,5\"   row 1   1 person\n\
         they look like numbers with thousands separators (\"1.000.000\" would be \"1000000\"); write under [[attribute]] \
         `x`:\n  \
         public.number = { decimal = \",\", thousands = \".\" }\n\
         t.csv, column `x`: 1 value that hierarchy h.toml lacks:\n  \
         \"1.000.000\"   row 1   1 person\n\
         they look like numbers with thousands separators (\"1.000.000\" would be \"1000000\"); write under [[attribute]] \
         `x`:\n  \
         private.number = { decimal = \",\", thousands = \".\" }"
    );
}

#[test]
fn a_fraction_of_zeros() {
    let hierarchy = ("h.csv", "39;30s;*\n40;40s;*\n");
    assert_eq!(
        message_of(hierarchy, "", &["39.0", "40"], "40"),
        "p.csv, column `x`: 1 value that hierarchy h.csv lacks:\n  \
         \"39.0\"   row 1   1 person\n\
         they look like numbers with redundant zeros or a plus sign (\"39.0\" would be \"39\"); write under [[attribute]] `x`:\n  \
         public.number = { decimal = \".\" }"
    );
}

#[test]
fn one_number_written_twice() {
    let advice = "codes or numbers? write one of these under [[attribute]] `x`:\n  kind = \"category\"\n  \
                  number = { decimal = \".\" }";
    assert_eq!(
        message_of(AGE, "", &["39.0", "39"], "39"),
        format!(
            "p.csv, column `x`: 2 values that are the same number as another value:\n  \
             \"39\"   row 2   1 person\n  \"39.0\"   row 1   1 person\n{advice}\n\
             t.csv, column `x`: 1 value that is the same number as another value:\n  \
             \"39\"   row 1   1 person\n{advice}"
        )
    );
    // In T alone, too, and among codes.
    let message = message_of(("h.csv", "01;*\n1;*\n"), "", &["01", "1"], "1");
    assert!(message.starts_with("p.csv, column `x`: 2 values that are the same number"), "{message}");
}

#[test]
fn days_of_another_form() {
    assert_eq!(
        message_of(DAY, "", &["2024-03-31", "31.03.2024", "1.4.2024"], "2024-03-31"),
        "p.csv, column `x`: 2 values that hierarchy h.toml lacks:\n  \
         \"1.4.2024\"   row 3   1 person\n  \
         \"31.03.2024\"   row 2   1 person\n\
         they look like dates written %d.%m.%Y (\"1.4.2024\" would be \"2024-04-01\"); write under [[attribute]] `x`:\n  \
         public.date = \"%d.%m.%Y\""
    );
}

#[test]
fn codes_without_their_zeros() {
    assert_eq!(
        message_of(ZIP, "", &["1234", "01235"], "01235"),
        "p.csv, column `x`: 1 value that hierarchy h.toml lacks:\n  \
         \"1234\"   row 1   1 person\n\
         they look like codes that lost their leading zeros; export the column as text (\"1234\" would be \"01234\"); \
         write under [[attribute]] `x`:\n  \
         public.values = { \"1234\" = \"01234\" }"
    );
}

#[test]
fn blanks_around_values() {
    assert_eq!(
        message_of(CITY, "", &[" Rome", "Berlin"], "Berlin"),
        "p.csv, column `x`: 1 value that hierarchy h.csv lacks:\n  \
         \" Rome\"   row 1   1 person\n\
         they look like values with spaces around them (\" Rome\" would be \"Rome\"); write under [[attribute]] `x`:\n  \
         public.trim = true"
    );
}

#[test]
fn another_case_and_another_spelling() {
    assert_eq!(
        message_of(CITY, "", &["ROME", "Berlin"], "Berlin"),
        "p.csv, column `x`: 1 value that hierarchy h.csv lacks:\n  \
         \"ROME\"   row 1   1 person\n\
         they look like known values in another case (\"ROME\" would be \"Rome\"); write under [[attribute]] `x`:\n  \
         public.values = { \"ROME\" = \"Rome\" }"
    );
    assert_eq!(
        message_of(CITY, "", &["Berlim", "Berlin"], "Berlin"),
        "p.csv, column `x`: 1 value that hierarchy h.csv lacks:\n  \
         \"Berlim\"   row 1   1 person\n\
         they look like known values in another spelling (\"Berlim\" would be \"Berlin\"); write under [[attribute]] `x`:\n  \
         public.values = { \"Berlim\" = \"Berlin\" }"
    );
}

#[test]
fn missing_values() {
    assert_eq!(
        message_of(AGE, "", &["", "NA", "40", "NA"], "40"),
        "p.csv, column `x`: 2 values that hierarchy h.toml lacks:\n  \
         \"\"   row 1   1 person\n  \
         \"NA\"   row 2   2 people\n\
         they look like missing values; write under [[attribute]] `x`:\n  \
         public.missing = [\"\", \"NA\"]"
    );
}

#[test]
fn a_form_and_missing_values_at_once() {
    assert_eq!(
        message_of(DAY, "", &["", "31.03.2024", "2024-03-31"], "2024-03-31"),
        "p.csv, column `x`: 2 values that hierarchy h.toml lacks:\n  \
         \"\"   row 1   1 person\n  \
         \"31.03.2024\"   row 2   1 person\n\
         they look like dates written %d.%m.%Y (\"31.03.2024\" would be \"2024-03-31\"); write under [[attribute]] `x`:\n  \
         public.date = \"%d.%m.%Y\"\n\
         they look like missing values (\"\"); write under [[attribute]] `x`:\n  \
         public.missing = [\"\"]"
    );
}

#[test]
fn bands() {
    assert_eq!(
        message_of(AGE, "", &["30-39", "40-49"], "41"),
        "p.csv, column `x`: 2 values that hierarchy h.toml lacks:\n  \
         \"30-39\"   row 1   1 person\n  \
         \"40-49\"   row 2   1 person\n\
         these are labels of level 1: if every row of the public table has that level, write `public_level = 1`; the \
         private table must not be coarser"
    );
    assert_eq!(
        message_of(AGE, "", &["30-34", "35-39"], "41"),
        "p.csv, column `x`: 2 values that hierarchy h.toml lacks:\n  \
         \"30-34\"   row 1   1 person\n  \
         \"35-39\"   row 2   1 person\n\
         they look like bands of numbers; give the attribute a hierarchy with these bands at one level, and set \
         `public_level`"
    );
}

#[test]
fn values_that_nobody_knows() {
    assert_eq!(
        message_of(CITY, "", &["Atlantis", "Berlin"], "Berlin"),
        "p.csv, column `x`: 1 value that hierarchy h.csv lacks:\n  \
         \"Atlantis\"   row 1   1 person\n\
         add a line for each to it, such as `Atlantis;(level 1);*`, or correct the table"
    );
}

#[test]
fn very_many_values() {
    let values: Vec<String> = (0..2000).map(|number| format!("place {number}")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let message = message_of(CITY, "", &values, "Berlin");
    assert!(
        message.starts_with("p.csv, column `x`: 2000 values that hierarchy h.csv lacks, the first 10:\n"),
        "{message}"
    );
    assert_eq!((message.lines().count(), message.len() < 600), (12, true), "{message}");
}

#[test]
fn what_is_not_written_as_the_project_says() {
    assert_eq!(
        message_of(AGE, "number = { decimal = \",\", thousands = \".\" }", &["39.5", "40"], "40"),
        "p.csv, column `x`: 1 value that cannot be read, expected a number of at most 28 digits written as 1.234,5:\n  \
         \"39.5\"   row 1   1 person\n\
         they look like numbers with redundant zeros or a plus sign (\"39.5\" would be \"39.5\"); write under [[attribute]] `x`:\n  \
         public.number = { decimal = \".\" }"
    );
    assert_eq!(
        message_of(DAY, "date = \"%d.%m.%Y\"", &["31.02.2024", "31.03.2024"], "31.03.2024"),
        "p.csv, column `x`: 1 value that cannot be read, expected a date written \"%d.%m.%Y\", such as 31.03.2024:\n  \
         \"31.02.2024\"   row 1   1 person\n\
         if they mean a missing value, write under [[attribute]] `x`:\n  \
         public.missing = [\"31.02.2024\"]\n\
         if one is another spelling of a value, write `public.values = { \"31.02.2024\" = \"…\" }`; else correct the table"
    );
}

#[test]
fn a_value_that_is_called_as_no_value_is() {
    assert_eq!(
        message_of(
            CITY,
            "missing = [\"\"]\nvalues = { rome = \"unknown\" }",
            &["", "Berlin", "rome"],
            "Berlin"
        ),
        "p.csv, column `x`: 1 value equal to the project's label for missing values:\n  \
         \"rome\"   row 3   1 person\n\
         choose another label for missing values; write under [[attribute]] `x`:\n  \
         missing_label = \"(none)\""
    );
    let codes = ("h.toml", "type = \"mask\"\nlength = 7\ncharacter = \"n\"\n");
    assert_eq!(
        message_of(codes, "missing = [\"\"]", &["", "1234567"], "1234567"),
        "hierarchy h.toml: the label for missing values, `unknown`, is already a label of level 1; choose another one, such as \
         `missing_label = \"(none)\"`"
    );
}

#[test]
fn no_value_straight_to_the_top() {
    assert_eq!(
        message_of(CITY, "missing = [\"\"]\nmissing_at = \"top\"", &["", "Berlin"], "Berlin"),
        "hierarchy h.csv: missing_at = \"top\" would write `*` for missing values at level 1 and for everyone at level 2; one \
         text with two meanings would let a person match two rows: leave `missing_at` out, and missing values are \
         `unknown` below the top"
    );
    let flat = ("h.csv", "Rome;*\nBerlin;*\n");
    let keys = "missing = [\"\"]\nmissing_at = \"top\"";
    let files = [("p.csv", "x\nRome\n\"\"\n"), ("t.csv", "x\nRome\n"), flat];
    assert!(Written::new(&files, &quasi("x", "h.csv", keys)).load().is_ok());
}
