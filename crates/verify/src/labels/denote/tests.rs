use std::collections::BTreeMap;
use std::fs;

use palmtop_terms::{Kind, Level};
use proptest::prelude::*;

use super::*;
use crate::labels::hierarchy::{ColumnValues, HierarchySource, ValueRules};
use crate::labels::members::joined;

fn hierarchy(file: &str, base: u8, private: &[&str]) -> Hierarchy {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h.csv");
    fs::write(&path, file).unwrap();
    let private: Vec<String> = private.iter().map(|&text| text.to_owned()).collect();
    let values = |texts| ColumnValues { table: &path, column: "x", texts };
    let source = HierarchySource { path: path.clone(), kind: None, public_level: Level(base) };
    Hierarchy::read(&source, &ValueRules::default(), values(&[]), values(&private)).unwrap()
}

/// A hierarchy of a kind, with `-` as the label of missing values.
fn of_kind(kind: Kind, base: u8, file: &str) -> Hierarchy {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h.csv");
    fs::write(&path, file).unwrap();
    let values = |texts| ColumnValues { table: &path, column: "x", texts };
    let source = HierarchySource { path: path.clone(), kind: Some(kind), public_level: Level(base) };
    let rules = ValueRules { missing_label: Some("-"), ..ValueRules::default() };
    Hierarchy::read(&source, &rules, values(&["-".to_owned()]), values(&[])).unwrap()
}

/// A hierarchy of numbers or dates with a rule, for these values of P. `unknown` is the label of missing values.
fn rule(file: &str, public: &[&str]) -> Hierarchy {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h.toml");
    fs::write(&path, file).unwrap();
    let public: Vec<String> = public.iter().map(|&text| text.to_owned()).collect();
    let values = |texts| ColumnValues { table: &path, column: "x", texts };
    let source = HierarchySource { path: path.clone(), kind: None, public_level: Level(0) };
    let rules = ValueRules { missing_label: Some("unknown"), ..ValueRules::default() };
    Hierarchy::read(&source, &rules, values(&public), values(&[])).unwrap()
}

/// The leaves that a text denotes, or the refusal. All leaves occur.
fn read_text(hierarchy: &Hierarchy, text: &str) -> Result<Vec<Leaf>, String> {
    let occurs = vec![true; hierarchy.leaf_count()];
    let denoted = TextReader::new(hierarchy, Limits::default(), &occurs).read(text);
    denoted.map(|denoted| denoted.leaves.iter().collect())
}

/// The texts that are read, each with its leaves; the texts that are refused, each with a part of the refusal.
#[track_caller]
fn reads(reader: &TextReader, read: &[(&str, &[Leaf], usize)], refused: &[(&str, &str)]) {
    for (text, codes, terms) in read {
        let leaves = Leaves::from_ascending(codes.iter().copied());
        assert_eq!(reader.read(text), Ok(Denoted { leaves, terms: *terms }), "{text}");
    }
    for (text, expected) in refused {
        let error = reader.read(text).expect_err(text);
        assert!(error.contains(expected), "{text}: {error}");
    }
}

// holds: No value is a leaf
#[test]
fn missing_values_join_sets_and_never_ranges() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h.csv");
    fs::write(&path, "1;low;*\n2;low;*\n10;high;*\n").unwrap();
    let public = ["1", "none, here"].map(ToOwned::to_owned);
    let values = |texts| ColumnValues { table: &path, column: "x", texts };
    let source = HierarchySource { path: path.clone(), kind: None, public_level: Level(0) };
    let rules = ValueRules { missing_label: Some("none, here"), ..ValueRules::default() };
    let hierarchy = Hierarchy::read(&source, &rules, values(&public), values(&[])).unwrap();
    for (text, codes) in [
        ("none, here", vec![0]),
        ("low", vec![1, 2]),
        ("[1, 10]", vec![1, 2, 3]),
        (r#"{"none, here", 2}"#, vec![0, 2]),
        (r#"{"none, here", [1, 2]}"#, vec![0, 1, 2]),
        (r#"{"none, here", [2, 10]}"#, vec![0, 2, 3]),
        ("*", vec![0, 1, 2, 3]),
    ] {
        assert_eq!(read_text(&hierarchy, text), Ok(codes), "{text}");
    }
    for text in [
        "[none, here, 2]",
        "{none, here, 2}",
        r#"{"none, here", [2, 2]}"#,
        r#"{"none, here", [2, 1]}"#,
        r#"{"none, here", 1, 2}"#,
        r#"{"none, here", low}"#,
        r#"{"none, here"}"#,
        r#"{2, "none, here"}"#,
        r#"{"none, here",2}"#,
        r#"{"none, here", "none, here"}"#,
        "{1, 2}",
    ] {
        assert!(read_text(&hierarchy, text).is_err(), "{text}");
    }
}

#[test]
fn numbers_are_labels_or_ranges() {
    let hierarchy = hierarchy("1;low;*\n2;low;*\n10;high;*\n", 0, &[]);
    for (text, codes) in [
        ("2", vec![1]),
        ("low", vec![0, 1]),
        ("*", vec![0, 1, 2]),
        ("[2, 10]", vec![1, 2]),
        ("[2, 2]", vec![1]),
    ] {
        assert_eq!(read_text(&hierarchy, text), Ok(codes), "{text}");
    }
    for text in [
        "",
        "3",
        " 2",
        "02",
        "[1, 3]",
        "[1,2]",
        "[2, 1]",
        "[low, 10]",
        "[1]",
        "[]",
        "{1, 2}",
        "[1, 2",
        "1, 2",
    ] {
        assert!(read_text(&hierarchy, text).is_err(), "{text}");
    }
}

#[test]
fn value_finer_than_the_public_level_is_refused() {
    let hierarchy = hierarchy("1;1-2;*\n2;1-2;*\n3;3-4;*\n4;3-4;*\n", 1, &["1", "4"]);
    assert_eq!(read_text(&hierarchy, "3-4"), Ok(vec![1]));
    assert_eq!(read_text(&hierarchy, "[1-2, 3-4]"), Ok(vec![0, 1]));
    assert!(read_text(&hierarchy, "4").unwrap_err().starts_with("finer than level 1"));
    assert!(read_text(&hierarchy, "2").unwrap_err().starts_with("expected a label"));
}

#[test]
fn labels_with_commas_are_no_ends_of_ranges() {
    let hierarchy = hierarchy("1;a\n2;a, b\n3;b, c\n4;c\n", 1, &[]);
    assert_eq!(read_text(&hierarchy, r#"{"a, b", "b, c"}"#), Ok(vec![1, 2]));
    for text in ["[a, b, b, c]", "[a, c]", "[a, b, c]"] {
        assert!(read_text(&hierarchy, text).unwrap_err().contains("a range between two"), "{text}");
    }
}

#[test]
fn set_members_are_json_strings_only_when_ambiguous() {
    let file = "a;x;*\n\"b, c\";x;*\n\"{d\";y;*\n\" e\";y;*\n\"f\"\"\\\";y;*\n\"\";y;*\n";
    let hierarchy = hierarchy(file, 0, &[]);
    let occurs = vec![true; 6];
    let reader = TextReader::new(&hierarchy, Limits::default(), &occurs);
    reads(
        &reader,
        &[
            ("b, c", &[1], 1),
            ("x", &[0, 1], 1),
            ("", &[5], 1),
            (r#"{"b, c", "{d"}"#, &[1, 2], 2),
            (r#"{a, " e"}"#, &[0, 3], 2),
            (r#"{"f\"\\", }"#, &[4, 5], 2),
        ],
        &[
            (r#"{a, "b, c"}"#, "one label has the values"),
            ("{}", "one label has the values"),
            ("[a, b, c]", "only numbers and dates have ranges"),
            ("{a, b, c}", "member of its set is not"),
            ("{a,a}", "expected `, ` between"),
            ("{a, a}", "one label has the values"),
            (r#"{"{d", "b, c"}"#, "in the order of the hierarchy"),
            ("{a,  e}", "as a JSON string"),
            (r#"{a, "b, c}"#, "expected a JSON string after the quote"),
            (r#"{a, " e" }"#, "expected `, ` between"),
            (r#"{"a" " e"}"#, "expected `, ` between"),
            (r#"{"a", " e"}"#, "with JSON strings only for members"),
            (r#"{"f\u0022\\", }"#, "with JSON strings only for members"),
            ("{x}", "one label has the values"),
            ("{a, z}", "member of its set is not"),
            ("{{d}", "as a JSON string"),
            ("{a", "expected a label of its hierarchy"),
        ],
    );
}

/// Three regions with four, three and two towns. The tests let `e2` not occur.
const TOWNS: &str = "n1;north;*\nn2;north;*\nn3;north;*\nn4;north;*\n\
                     s1;south;*\ns2;south;*\ns3;south;*\n\
                     e1;east;*\ne2;east;*\n";

/// Texts that denote nothing, and why.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let hierarchy = hierarchy(TOWNS, 0, &[]);
    let occurs = [true, true, true, true, true, true, true, true, false];
    let reader = TextReader::new(&hierarchy, Limits::default(), &occurs);
    [
        "{n1, n2, n3, n4}",
        "{n1, n2, s1, s2, e1}",
        "{n2, n1}",
        "{n1, n9}",
        "{n1,n2}",
        "{\"n1\", n2}",
        "{n1, \"n2}",
        "{n1",
        "[n1, n2]",
        "north except {north}",
        "west except {n1}",
        "north except {\"n2\"}",
        "{n1, north except {n2}}",
    ]
    .map(|text| (text, reader.read(text).unwrap_err()))
    .into()
}

#[test]
fn a_set_of_categories_has_one_text() {
    let hierarchy = hierarchy(TOWNS, 0, &[]);
    let occurs = [true, true, true, true, true, true, true, true, false];
    let reader = TextReader::new(&hierarchy, Limits::default(), &occurs);
    reads(
        &reader,
        &[
            ("east", &[7, 8], 1),
            ("e1", &[7], 1),
            ("e2", &[8], 1),
            ("{n1, n2}", &[0, 1], 2),
            ("{north, e1}", &[0, 1, 2, 3, 7], 2),
            ("{n1, south}", &[0, 4, 5, 6], 2),
            ("* except {n1}", &[1, 2, 3, 4, 5, 6, 7, 8], 2),
            ("* except {n1, s1}", &[1, 2, 3, 5, 6, 7, 8], 3),
            ("north except {n2}", &[0, 2, 3], 2),
            ("* except {n3, n4, s3}", &[0, 1, 4, 5, 7, 8], 4),
            ("{n1, n2, s1}", &[0, 1, 4], 3),
            ("{s1, s2}", &[4, 5], 2),
        ],
        &[
            ("{n1, n2, n3, n4}", "one label has the values"),
            ("{n1, n2, s1, s2, e1}", "`except` and a set of 3 labels"),
            ("{n1, n3, n4}", "`except` and a set of 1 label"),
            ("{north, n1, e1}", "a set of 2 labels, each once"),
            ("{e1, north}", "in the order of the hierarchy"),
            ("{n2, n1}", "in the order of the hierarchy"),
            ("{n1, n1}", "one label"),
            ("{north, east}", "a set of 2 labels"),
            ("{north, south, e1}", "one label has the values"),
            ("{e1, e2}", "one label has the values"),
            ("{n1, e2}", "one label has the values"),
            ("south except {s3}", "a set of 2 labels"),
            ("* except {n1, n2, n3, n4}", "a set of 2 labels"),
            ("* except {north}", "a set of 2 labels"),
            ("* except {s1, n1}", "`except` and a set of 2 labels"),
            ("* except {n1, e2}", "a set of 1 label"),
            ("* except {n1, north}", "a set of 2 labels"),
            ("north except {s1}", "one label has the values"),
            ("north except {n1, s1}", "a set of 1 label"),
            ("north except {north}", "values that occur in P"),
            ("e2 except {e1}", "values that occur in P"),
            ("east except {e1}", "values that occur in P"),
            ("north except {}", "member of its set is not"),
            ("north except n1", "expected a label of its hierarchy"),
            ("north  except {n1}", "label of the hierarchy before ` except {`"),
            ("north except  {n1}", "expected a label of its hierarchy"),
            ("north except {n1} ", "expected a label of its hierarchy"),
            (" except {n1}", "label of the hierarchy before ` except {`"),
            ("\"north\" except {n2}", "with `except`"),
            ("north except {\"n2\"}", "with `except`"),
            ("west except {n1}", "label of the hierarchy before ` except {`"),
            ("{n1, north except {n2}}", "as a JSON string"),
            ("north except {n1} except {n2}", "as a JSON string"),
        ],
    );
}

#[test]
fn equally_long_descriptions_are_decided_by_fewest_characters() {
    for (label, text, other) in [
        ("l", "l except {b}", "{aaaaaa, cccccc}"),
        ("long label", "{aaaaaa, cccccc}", "long label except {b}"),
        // Both have 16 characters.
        ("label", "{aaaaaa, cccccc}", "label except {b}"),
        // Characters are counted, not bytes.
        ("éé", "éé except {b}", "{aaaaaa, cccccc}"),
    ] {
        let hierarchy =
            hierarchy(&format!("aaaaaa;{label};*\nb;{label};*\ncccccc;{label};*\nd;d;*\n"), 0, &[]);
        assert_eq!(read_text(&hierarchy, text), Ok(vec![0, 2]));
        assert!(read_text(&hierarchy, other).unwrap_err().contains("shortest"), "{other}");
    }
}

#[test]
fn ambiguous_label_before_exceptions_is_a_json_string() {
    let labels = ["a, b", "a {b", "a\"b", " a", "a except {b", "a\\"];
    for label in labels {
        let field = label.replace('"', "\"\"");
        let lines = [0, 1, 2, 3, 4].map(|leaf| format!("{leaf}x;\"{field}\";*\n"));
        let hierarchy = hierarchy(&(lines.concat() + "y;y;*\n"), 0, &[]);
        let quoted = serde_json::to_string(label).unwrap();
        assert_eq!(
            read_text(&hierarchy, &format!("{quoted} except {{1x}}")),
            Ok(vec![0, 2, 3, 4]),
            "{label}"
        );
        assert_eq!(read_text(&hierarchy, label), Ok(vec![0, 1, 2, 3, 4]));
        assert!(read_text(&hierarchy, &format!("{label} except {{1x}}")).is_err(), "{label}");
        assert!(read_text(&hierarchy, &format!("{quoted}except {{1x}}")).is_err(), "{label}");
        let set = format!("{{0x, {quoted}}}");
        assert!(read_text(&hierarchy, &set).unwrap_err().contains("one label"), "{label}");
        let quoted_value = format!("{quoted} except {{\"1x\"}}");
        assert!(read_text(&hierarchy, &quoted_value).is_err(), "{label}");
    }
}

#[test]
fn the_finest_level_is_the_floor_of_sets() {
    let hierarchy = hierarchy(TOWNS, 0, &[]);
    let occurs = [true, true, true, true, true, true, true, true, false];
    let limits = Limits { finest: Some(Level(1)), ..Limits::default() };
    reads(
        &TextReader::new(&hierarchy, limits, &occurs),
        &[("{north, east}", &[0, 1, 2, 3, 7, 8], 2), ("e1", &[7], 1)],
        &[
            ("{north, e1}", "a set of 2 labels"),
            ("{north, s1}", "labels of level 1 or above"),
            ("* except {south}", "a set of 2 labels"),
        ],
    );
}

#[test]
fn ranges_with_borders_begin_and_end_at_labels() {
    let limits = |level| Limits { borders: Some(Level(level)), ..Limits::default() };
    let ages = rule(
        "type = \"interval\"\nwidths = [5, 10]\n",
        &["20", "23", "26", "31", "44", "49", "51", "unknown"],
    );
    let occurs = vec![true; 8];
    reads(
        &TextReader::new(&ages, limits(1), &occurs),
        &[
            ("20-24", &[1, 2], 1),
            ("23", &[2], 1),
            ("unknown", &[0], 1),
            ("20-29", &[1, 2, 3], 1),
            ("[20, 34]", &[1, 2, 3, 4], 1),
            ("[25, 49]", &[3, 4, 5, 6], 1),
            ("{unknown, [20, 34]}", &[0, 1, 2, 3, 4], 2),
            ("{unknown, 30-34}", &[0, 4], 2),
            ("{unknown, [20, 29]}", &[0, 1, 2, 3], 2),
        ],
        &[
            ("[20, 29]", "one label has the values"),
            ("[20, 24]", "expected the label"),
            ("[20, 31]", "the only text"),
            ("[34, 20]", "a range between two"),
            ("[31, 31]", "a range between two"),
            ("[20-24, 30-34]", "a range between two"),
            ("[20, 34)", "the only text"),
            ("{unknown, 20-29}", "a range between two"),
            ("{unknown, 23}", "a range between two"),
            ("{unknown, [20, 24]}", "the only text"),
            ("{unknown, unknown}", "expected the label"),
            ("{unknown, [20, 54]}", "one label has the values"),
            ("{[20, 34]}", "the only text"),
            ("{20-24, 25-29, 30-34}", "the only text"),
            ("{20-24, 30-34}", "the only text"),
            ("[unknown, 34]", "a range between two"),
            ("* except {unknown}", "a range between two"),
        ],
    );
    // The values 26 and 31 do not occur: a range that ends there has a second text.
    let occurs = [true, true, true, false, false, true, true, true];
    reads(
        &TextReader::new(&ages, limits(1), &occurs),
        &[("[20, 44]", &[1, 2, 5], 1)],
        &[
            ("[25, 44]", "one label has the values"),
            ("[30, 49]", "one label has the values"),
            ("{unknown, [30, 44]}", "the only text"),
        ],
    );
    let base = TextReader::new(&ages, limits(0), &[true; 8]).read("[20, 23]").unwrap();
    assert_eq!(base.leaves, Leaves::of_run(1, 2));
}

#[test]
fn bordered_ranges_denote_the_values_of_their_ends() {
    let limits = |level| Limits { borders: Some(Level(level)), ..Limits::default() };
    let halves = rule("type = \"interval\"\nwidths = [0.5, 10]\n", &["0.25", "0.75", "1.25", "11"]);
    reads(
        &TextReader::new(&halves, limits(1), &[true; 4]),
        &[("[0, 1)", &[0, 1], 1), ("[0.5, 11.5)", &[1, 2, 3], 1), ("[0, 10)", &[0, 1, 2], 1)],
        &[("[0, 1]", "the only text"), ("[0, 1.5)", "one label"), ("[0, 0.75)", "one label")],
    );
    let cuts = rule("type = \"interval\"\n[[level]]\ncuts = [10, 20.5]\n", &["5", "15", "30", "40"]);
    reads(
        &TextReader::new(&cuts, limits(1), &[true; 4]),
        &[("{<10, [10, 20.5)}", &[0, 1], 2), ("{[10, 20.5), >=20.5}", &[1, 2, 3], 2)],
        &[
            ("[<10, 20.5)", "a range between two"),
            ("[<10, 20.5]", "a range between two"),
            ("[10, >=20.5]", "a range between two"),
            ("[5, 20.5)", "the only text"),
            ("{<10, \"[10, 20.5)\"}", "the only text"),
        ],
    );
    let days = ["1960-01-05", "1960-02-01", "1964-12-31", "1971-03-03"];
    let months = rule("type = \"date\"\nlevels = [\"month\", \"year\"]\n", &days);
    reads(
        &TextReader::new(&months, limits(1), &[true; 4]),
        &[("[1960-01, 1964-12]", &[0, 1, 2], 1), ("1960", &[0, 1], 1)],
        &[("[1960-01, 1960-02]", "one label"), ("[1960-01-05, 1964-12-31]", "the only text")],
    );
    let forms =
        of_kind(Kind::Date, 0, "2023-05-01;2023\n2024-01-05;2024-01\n2024-05-07;2024-Q2\n2024-08-01;2024\n");
    reads(
        &TextReader::new(&forms, limits(1), &[true; 5]),
        &[("{[2024-01, 2024-Q2], 2024}", &[2, 3, 4], 2), ("{2024-Q2, 2024}", &[3, 4], 2)],
        &[("[2024-01, 2024]", "a range between two"), ("{2024-01, 2024-Q2, 2024}", "the only text")],
    );
    let named = hierarchy("1;a\n2;a, b\n3;b, c\n4;c\n5;c\n6;[5, 7, 8)\n7;5-05\n", 0, &[]);
    reads(
        &TextReader::new(&named, limits(1), &[true; 7]),
        &[
            ("{\"a, b\", \"b, c\"}", &[1, 2], 2),
            ("{a, \"a, b\", \"b, c\", c, \"[5, 7, 8)\"}", &[0, 1, 2, 3, 4, 5], 5),
            ("{c, \"[5, 7, 8)\", 5-05}", &[3, 4, 5, 6], 3),
        ],
        &[("[a, b, c]", "a range between two"), ("[4, 7]", "the only text"), ("{c, 5-05}", "the only text")],
    );
}

/// The texts of the attack: the ends of labels are no ends of their values.
// holds: Ranges are exact
#[test]
fn ranges_that_miss_or_add_values_are_refused() {
    let limits = Limits { borders: Some(Level(1)), ..Limits::default() };
    let decimals = "type = \"interval\"\n[[level]]\ncuts = [10, 20, 30]\nlabels = [\"0-9\", \"10-19\", \"20-29\", \"30+\"]\n";
    let decimals = rule(decimals, &["5", "19.5", "25", "35"]);
    reads(
        &TextReader::new(&decimals, limits, &[true; 4]),
        &[("{0-9, 10-19}", &[0, 1], 2), ("[0, 29]", &[0, 1, 2], 1), ("{[10, 29], 30+}", &[1, 2, 3], 2)],
        &[("[0, 19]", "one label"), ("{10-19, 20-29, 30+}", "the only text")],
    );
    let perverse = hierarchy("1;a\n2;a\n3;b\n4;b\n5;1-2\n6;1-2\n7;3-4\n8;3-4\n", 0, &[]);
    reads(
        &TextReader::new(&perverse, limits, &[true; 8]),
        &[("{1-2, 3-4}", &[4, 5, 6, 7], 2), ("{a, b}", &[0, 1, 2, 3], 2), ("1-2", &[4, 5], 1)],
        &[("[1, 4]", "the only text"), ("[5, 8]", "the only text")],
    );
    let arx = hierarchy("1;[0, 10[\n12;[10, 20[\n25;[20, 30[\n", 0, &[]);
    reads(
        &TextReader::new(&arx, limits, &[true; 3]),
        &[("[0, 20[", &[0, 1], 1)],
        &[("[[0, 10[, [10, 20[]", "a range between two"), ("[0, 20)", "the only text")],
    );
}

#[test]
fn odd_public_values_never_end_a_range() {
    let reversed = hierarchy("10;1;a\n20;3;a\n30;2;b\n40;4;b\n", 1, &[]);
    let occurs = [true; 4];
    reads(
        &TextReader::new(&reversed, Limits::default(), &occurs),
        &[("{1, 3, 2}", &[0, 1, 2], 3)],
        &[("[1, 2]", "a range between two"), ("{1, 2}", "the only text")],
    );
    let commas = hierarchy("1;a;p\n2;a, b;p\n3;c;q\n4;b, c;q\n", 1, &[]);
    reads(
        &TextReader::new(&commas, Limits::default(), &occurs),
        &[("{a, \"a, b\", c}", &[0, 1, 2], 3)],
        &[("[a, b, c]", "a range between two")],
    );
    let bands = hierarchy("1;<5;p\n6;[5, 10);p\n12;[10, 20);q\n", 1, &[]);
    reads(
        &TextReader::new(&bands, Limits::default(), &[true; 3]),
        &[("[[5, 10), [10, 20)]", &[1, 2], 1)],
        &[("[5, 20)", "expected a label, or a range"), ("[5, 20]", "two values of the hierarchy")],
    );
}

#[test]
fn a_value_beside_the_missing_one_is_quoted() {
    let hierarchy = of_kind(Kind::Number, 1, "1;1,000-1,999\n2;[20, 25)\n3;5\n");
    for (text, codes) in
        [(r#"{-, "1,000-1,999"}"#, vec![0, 1]), ("{-, [20, 25)}", vec![0, 2]), ("{-, 5}", vec![0, 3])]
    {
        assert_eq!(read_text(&hierarchy, text), Ok(codes), "{text}");
    }
    for text in ["{-, 1,000-1,999}", r#"{-, "[20, 25)"}"#, r#"{-, "5"}"#] {
        assert!(read_text(&hierarchy, text).is_err(), "{text}");
    }
}

#[test]
fn label_that_reads_like_a_range_is_refused() {
    let check = |file: &str| {
        let hierarchy = hierarchy(file, 0, &[]);
        let occurs = vec![true; hierarchy.leaf_count()];
        Borders::new(&hierarchy, &occurs, Level(1)).check_texts()
    };
    let other = "5;[0, 10);[10, 30)\n12.5;[10, 20);o\n22.5;[20, 30);o\n31;[30, 40);o\n";
    let error = check(other).unwrap_err();
    assert!(
        error.contains("`[10, 30)` is a label of level 2") && error.contains("from `[10, 20)` to `[20, 30)`"),
        "{error}"
    );
    assert_eq!(check("5;[0, 10);[0, 20)\n15;[10, 20);[0, 20)\n25;[20, 30);o\n"), Ok(()));
}

/// A tree: the parent of each of four to six leaves, the parent of each label, and which leaves occur.
fn tree() -> impl Strategy<Value = (Vec<usize>, [usize; 3], Vec<bool>)> {
    (4_usize..7).prop_flat_map(|leaves| {
        let parents = proptest::collection::vec(0_usize..3, leaves);
        (
            parents,
            proptest::array::uniform3(0_usize..2),
            proptest::collection::vec(proptest::bool::weighted(0.8), leaves),
        )
    })
}

/// Every union of labels, and every label with exceptions, each as its text, its terms and its leaves.
fn descriptions(hierarchy: &Hierarchy, labels: &[&str]) -> Vec<(String, usize, Vec<Leaf>)> {
    let leaves = |label: &str| hierarchy.label(label).unwrap().iter().collect::<Vec<_>>();
    let mut all = Vec::new();
    for bits in 1_usize..1 << labels.len() {
        let mut members: Vec<&str> =
            (0..labels.len()).filter(|label| bits >> label & 1 == 1).map(|label| labels[label]).collect();
        members.sort_by_key(|label| leaves(label));
        let covered: Vec<Leaf> = members.iter().flat_map(|label| leaves(label)).collect();
        let set = format!("{{{}}}", joined(members.iter().copied()));
        let mut union = covered.clone();
        union.sort_unstable();
        union.dedup();
        for label in labels {
            let rest = leaves(label).into_iter().filter(|leaf| !covered.contains(leaf)).collect();
            all.push((format!("{label} except {set}"), 1 + members.len(), rest));
        }
        all.push((set, members.len(), union));
    }
    all
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_set_has_one_text_of_fewest_terms((parents, upper, occurs) in tree()) {
        let mut parents = parents;
        // The leaves of a label are neighbours.
        parents.sort_by_key(|&parent| (upper[parent], parent));
        let chain = |(leaf, parent): (usize, &usize)| format!("v{leaf};g{parent};h{};*\n", upper[*parent]);
        let hierarchy = hierarchy(&parents.iter().enumerate().map(chain).collect::<Vec<_>>().concat(), 0, &[]);
        let mut labels: Vec<&str> = Vec::new();
        for level in 0..4 {
            for leaf in 0..hierarchy.leaf_count() {
                let label = hierarchy.label_of(Leaf::try_from(leaf).unwrap(), Level(level));
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
        let reader = TextReader::new(&hierarchy, Limits::default(), &occurs);
        let tree = DescriptionTree::new(&hierarchy, &occurs, Level(0));
        let occurring = |leaves: &[Leaf]| -> Vec<Leaf> {
            leaves.iter().copied().filter(|&leaf| occurs[leaf as usize]).collect()
        };
        let mut fewest: BTreeMap<Vec<Leaf>, (usize, Vec<String>)> = BTreeMap::new();
        for label in &labels {
            let leaves: Vec<Leaf> = hierarchy.label(label).unwrap().iter().collect();
            fewest.insert(occurring(&leaves), (1, Vec::new()));
        }
        for (text, terms, leaves) in descriptions(&hierarchy, &labels) {
            let entry = fewest.entry(occurring(&leaves)).or_insert((usize::MAX, Vec::new()));
            entry.0 = entry.0.min(terms);
            if let Ok(denoted) = reader.read(&text) {
                prop_assert_eq!(&denoted.leaves.iter().collect::<Vec<_>>(), &leaves, "{}", text);
                prop_assert_eq!(denoted.terms, terms);
                if !entry.1.contains(&text) {
                    entry.1.push(text);
                }
            }
        }
        fewest.remove(&Vec::new());
        for (leaves, (terms, texts)) in fewest {
            let description = tree.shortest(&Leaves::from_ascending(leaves.iter().copied())).unwrap();
            let denoted = reader.read(&description.text).unwrap();
            prop_assert_eq!(occurring(&denoted.leaves.iter().collect::<Vec<_>>()), leaves);
            prop_assert_eq!(denoted.terms, terms, "{}", &description.text);
            let expected = if terms == 1 { Vec::new() } else { vec![description.text] };
            prop_assert_eq!(texts, expected);
        }
    }
}
