//! Every type of hierarchy, as readable tables: a file, the values of the tables, and what each label denotes.

use std::fs;

use super::*;

/// Reads `content` as the hierarchy file `name` for these public and private values.
fn load_as(
    kind: Option<Kind>,
    name: &str,
    content: &str,
    base: u8,
    public: &[&str],
    private: &[&str],
) -> Result<Hierarchy, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let (public, private) = (owned(public), owned(private));
    let values = |table: &'static str, texts| ColumnValues { table: Path::new(table), column: "x", texts };
    let source = HierarchySource { path, kind, public_level: Level(base) };
    Hierarchy::read(&source, &ValueRules::default(), values("p.csv", &public), values("t.csv", &private))
        .map_err(|error| error.to_string().replace(&format!("{}/", folder.path().display()), ""))
}

fn load(name: &str, content: &str, base: u8, public: &[&str], private: &[&str]) -> Result<Hierarchy, String> {
    load_as(None, name, content, base, public, private)
}

fn refusal(name: &str, content: &str, base: u8, public: &[&str], private: &[&str]) -> String {
    match load(name, content, base, public, private) {
        Ok(hierarchy) => panic!("{content:?} was read as {hierarchy:?}"),
        Err(error) => error,
    }
}

/// The leaves in order, then every coarser label with its leaves: `a b | x: a b | *: a b`.
fn shown(hierarchy: &Hierarchy) -> String {
    let leaves: Vec<&str> = (0..).take(hierarchy.leaf_count()).map(|leaf| hierarchy.text(leaf)).collect();
    let leaves = leaves.join(" ");
    let mut labels: Vec<(Vec<Leaf>, &str)> = hierarchy
        .denoted
        .iter()
        .map(|(&number, leaves)| (leaves.iter().collect(), hierarchy.words.text(number)))
        .collect();
    labels.sort_by_key(|(leaves, label)| (leaves.len(), leaves.clone(), *label == "*", *label));
    let coarser = labels.into_iter().filter(|(_, label)| hierarchy.leaf(label).is_none());
    let coarser = coarser.map(|(leaves, label)| {
        let texts: Vec<&str> = leaves.into_iter().map(|leaf| hierarchy.text(leaf)).collect();
        format!(" | {label}: {}", texts.join(" "))
    });
    leaves + &coarser.collect::<String>()
}

#[track_caller]
fn denotes(name: &str, content: &str, base: u8, public: &[&str], expected: &str) {
    assert_eq!(shown(&load(name, content, base, public, &[]).unwrap()), expected);
}

const WIDTHS: &str = "type = \"interval\"\nwidths = [5, 10]\n";

#[test]
fn csv_leaves_keep_order_of_first_appearance() {
    let file = "Canada;NA;America;*\r\nSpain;Europe;Europe;*\r\nPeru;SA;America;*\r\nUSA;NA;America;*\r\n";
    let walk = "Canada USA Peru Spain | SA: Peru | Europe: Spain | NA: Canada USA | America: Canada USA Peru | *: Canada USA Peru Spain";
    denotes("n.csv", file, 0, &["Peru"], walk);
    denotes("n.csv", file, 1, &["NA"], "NA SA Europe | America: NA SA | *: NA SA Europe");
    denotes("n.csv", "\u{feff}a,x\nb,y\n", 0, &["a"], "a b | x: a | y: b | *: a b");
    for file in ["\"a\nb\";x;*\nc;x;*\n", "\"a\nb\",x,*\nc,x,*\n", "\"a;b\",x,*\nc,x,*"] {
        assert_eq!(load("q.csv", file, 0, &["c"], &[]).unwrap().leaf_count(), 2, "{file:?}");
    }
}

#[test]
fn csv_is_numeric_where_its_labels_gather_neighbours() {
    for (file, kind, first) in [
        ("10;x;*\n9;x;*\n-1.5;y;*\n", Kind::Number, "-1.5"),
        // Codes: a group of leaves that are no neighbours.
        ("1;x;*\n2;y;*\n3;x;*\n", Kind::Category, "1"),
        ("1;x;p\n2;y;q\n3;z;p\n", Kind::Category, "1"),
        ("007;x;*\n8;x;*\n", Kind::Category, "007"),
        ("0;x;*\n-0.5;x;*\n", Kind::Number, "-0.5"),
        ("1e3;x;*\n2;x;*\n", Kind::Category, "1e3"),
    ] {
        let hierarchy = load("a.csv", file, 0, &[], &[]).unwrap();
        assert_eq!((hierarchy.kind, hierarchy.text(0)), (kind, first), "{file:?}");
    }
    let coarse = load("a.csv", "10;y\n9;x\n-1.5;x\n11;y\n", 1, &["x"], &["10"]).unwrap();
    assert_eq!((shown(&coarse).as_str(), coarse.private_leaf("10")), ("x y | *: x y", Some(1)));
    let forced = load_as(Some(Kind::Number), "a.csv", "3;x\n1;x\n2;y\n", 0, &[], &[]).unwrap();
    assert_eq!(shown(&forced), "1 2 3 | y: 2 | x: 1 3 | *: 1 2 3");
}

#[test]
fn dates_in_a_csv_have_one_form() {
    let date = Some(Kind::Date);
    for file in ["2024-03-01;x\n2023-12-31;x\n", "2024-03;x\n2023-12;x\n", "2024;x\n2023;x\n"] {
        assert!(load_as(date, "d.csv", file, 0, &[], &[]).unwrap().text(0).starts_with("2023"), "{file:?}");
    }
    for file in ["2024-03-01;x\n2023-12;x\n", "2024-3-1;x\n", "10000-01-01;x\n", "2023-02-29;x\n"] {
        assert!(load_as(date, "d.csv", file, 0, &[], &[]).is_err(), "{file:?}");
    }
}

#[test]
fn bands_are_half_open_and_exact() {
    denotes(
        "a.toml",
        WIDTHS,
        0,
        &["0", "19", "7"],
        "0 7 19 | 0-4: 0 | 5-9: 7 | 10-19: 19 | 15-19: 19 | 0-9: 0 7 | *: 0 7 19",
    );
    denotes(
        "a.toml",
        WIDTHS,
        0,
        &["-1", "3"],
        "-1 3 | [-10, 0): -1 | [-5, 0): -1 | [0, 10): 3 | [0, 5): 3 | *: -1 3",
    );
    let fine = "type = \"interval\"\nwidths = [0.1]\norigin = 0.05\n";
    denotes(
        "a.toml",
        fine,
        0,
        &["0.05", "0.15", "0.3"],
        "0.05 0.15 0.3 | [0.05, 0.15): 0.05 | [0.15, 0.25): 0.15 | [0.25, 0.35): 0.3 | *: 0.05 0.15 0.3",
    );
    let far = "type = \"interval\"\nwidths = [7]\n";
    let hierarchy =
        load("a.toml", far, 0, &["-9999999999999999999999999999", "9999999999999999999999999999"], &[]);
    assert_eq!(hierarchy.unwrap().leaf_count(), 2);
    let digits = "type = \"interval\"\nwidths = [0.100000000000000005551115123]\n";
    denotes("a.toml", digits, 0, &["0.1"], "0.1 | [0, 0.100000000000000005551115123): 0.1 | *: 0.1");
    denotes(
        "a.toml",
        "type = \"interval\"\nwidths = [\"0.5\", 1]\n",
        0,
        &["0.5"],
        "0.5 | [0, 1): 0.5 | [0.5, 1): 0.5 | *: 0.5",
    );
    denotes("a.toml", "type = \"interval\"\nwidths = [1, 2]\n", 0, &["4", "5"], "4 5 | 4-5: 4 5 | *: 4 5");
}

#[test]
fn open_bands_are_open_on_every_level() {
    let widths = "type = \"interval\"\nwidths = [5, 20]\n";
    denotes(
        "a.toml",
        widths,
        0,
        &["<1", "1", "7", "85", ">=90"],
        "<1 1 7 85 >=90 | 5-9: 7 | 85-89: 85 | <5: <1 1 | >=80: 85 >=90 | <20: <1 1 7 | *: <1 1 7 85 >=90",
    );
    let cuts = "type = \"interval\"\n[[level]]\ncuts = [18, 65]\n";
    denotes("a.toml", cuts, 0, &["7", "70", ">=90"], "7 70 >=90 | <18: 7 | >=65: 70 >=90 | *: 7 70 >=90");
    for (file, public, private) in [
        (widths, &["7", ">=90"][..], &["93"][..]),
        (widths, &[">=90", ">=85"], &[]),
        (widths, &["7", ">=90.0"], &[]),
        (cuts, &["7", ">=60"], &[]),
        (widths, &["<1", "9", ">=10"], &[]),
    ] {
        refusal("a.toml", file, 0, public, private);
    }
    let bands = load("a.toml", widths, 2, &["0-19", ">=20"], &["93", "7"]).unwrap();
    assert_eq!((bands.private_leaf("93"), bands.private_leaf("7")), (Some(1), Some(0)));
}

#[test]
fn cuts_take_their_labels_or_get_some() {
    let named = "type = \"interval\"\n[[level]]\ncuts = [41]\nlabels = [\"<=40\", \">40\"]\n";
    denotes("a.toml", named, 0, &["40", "41"], "40 41 | <=40: 40 | >40: 41 | *: 40 41");
    let plain = "type = \"interval\"\n[[level]]\ncuts = [41, 65]\n[[level]]\ncuts = [65]\n";
    denotes(
        "a.toml",
        plain,
        0,
        &["7", "64", "65"],
        "7 64 65 | <41: 7 | 41-64: 64 | >=65: 65 | <65: 7 64 | *: 7 64 65",
    );
    denotes(
        "a.toml",
        plain,
        1,
        &["<41", ">=65", "41-64"],
        "<41 41-64 >=65 | <65: <41 41-64 | *: <41 41-64 >=65",
    );
    denotes("a.toml", plain, 0, &["-7", "64"], "-7 64 | <41: -7 | [41, 65): 64 | <65: -7 64 | *: -7 64");
    let half = "type = \"interval\"\n[[level]]\ncuts = [0.5, 1.5]\n";
    denotes("a.toml", half, 0, &["1"], "1 | [0.5, 1.5): 1 | *: 1");
}

#[test]
fn masks_hide_from_either_end() {
    denotes(
        "z.toml",
        "type = \"mask\"\nlength = 3\n",
        0,
        &["479", "048"],
        "048 479 | 0**: 048 | 04*: 048 | 4**: 479 | 47*: 479 | *: 048 479",
    );
    let left = "type = \"mask\"\nlength = 2\nfrom = \"left\"\ncharacter = \"#\"\n";
    denotes("z.toml", left, 0, &["éa", "ba"], "ba éa | #a: ba éa | *: ba éa");
}

#[test]
fn masks_by_fives_show_groups_of_characters() {
    denotes(
        "z.toml",
        "type = \"mask\"\nlength = 2\nfives = true\n",
        0,
        &["04", "9Z", "é-"],
        "04 9Z é- | 0*: 04 | 0[0-4]: 04 | [0-4]*: 04 | 9*: 9Z | 9[U-Z]: 9Z | [5-9]*: 9Z | é*: é- | *: 04 9Z é-",
    );
    let left = "type = \"mask\"\nlength = 2\nfrom = \"left\"\ncharacter = \"0\"\nfives = true\n";
    denotes(
        "z.toml",
        left,
        1,
        &["[0-4]7", "-7"],
        "-7 [0-4]7 | 07: -7 [0-4]7 | 0[5-9]: -7 [0-4]7 | *: -7 [0-4]7",
    );
    assert!(refusal("z.toml", left, 1, &["47"], &[]).contains("1 value that hierarchy"));
}

#[test]
fn dates_become_months_quarters_years_and_decades() {
    let file = "type = \"date\"\nlevels = [\"month\", \"quarter\", \"year\", \"decade\"]\n";
    let expected = "1999-12-01 2024-03-31 | 1990s: 1999-12-01 | 1999: 1999-12-01 | 1999-12: 1999-12-01 | 1999-Q4: 1999-12-01 | \
                    2020s: 2024-03-31 | 2024: 2024-03-31 | 2024-03: 2024-03-31 | 2024-Q1: 2024-03-31 | *: 1999-12-01 2024-03-31";
    denotes("d.toml", file, 0, &["2024-03-31", "1999-12-01"], expected);
    for value in ["2024-1-05", " 2024-01-05", "+10000-1-1", "-001-01-01", "2023-02-29", "2024-03"] {
        assert!(refusal("d.toml", file, 0, &[value], &[]).contains("1 value that hierarchy"), "{value}");
    }
    for value in ["2024-Q5", "2024-Q0", "2024-q1", "24-Q1", "02024-Q1"] {
        assert!(refusal("d.toml", file, 2, &[value], &[]).contains("1 value that hierarchy"), "{value}");
    }
    assert!(refusal("d.toml", file, 4, &["2025s"], &[]).contains("1 value that hierarchy"));
}

#[test]
fn tree_keeps_the_leaf_order_of_its_file() {
    let file = "type = \"tree\"\n[[level]]\nNA = [\"USA\", \"Canada\"]\nEurope = [\"Spain\"]\n[[level]]\nWest = [\"Europe\", \"NA\"]\n";
    denotes(
        "t.toml",
        file,
        0,
        &["Canada", "Spain", "USA"],
        "Spain USA Canada | Europe: Spain | NA: USA Canada | West: Spain USA Canada",
    );
    let open = "type = \"tree\"\n[[level]]\ny = [\"c\"]\nx = [\"a\", \"b\"]\n";
    denotes("t.toml", open, 1, &["x", "y"], "y x | *: y x");
    // A value that nobody in P has is not a leaf.
    denotes("t.toml", file, 0, &["Canada"], "Canada | NA: Canada | West: Canada");
    assert_eq!(load("t.toml", file, 0, &["Canada"], &["Spain"]).unwrap().private_leaf("Spain"), None);
}

#[test]
fn private_values_are_raised_to_the_public_level() {
    for (name, file, public, private, raised) in [
        ("a.toml", "type = \"interval\"\nwidths = [10, 20]\n", ["10-19", "20-29"], "13", 0),
        ("a.toml", "type = \"interval\"\nwidths = [10, 20]\n", ["10-19", "20-29"], "20-29", 1),
        ("a.toml", "type = \"interval\"\nwidths = [10, 20]\n", ["[-10, 0)", "[0, 10)"], "-0.5", 0),
        ("z.toml", "type = \"mask\"\nlength = 3\n", ["04*", "47*"], "479", 1),
        (
            "d.toml",
            "type = \"date\"\nlevels = [\"quarter\", \"year\"]\n",
            ["2023-Q4", "2024-Q1"],
            "2024-03-01",
            1,
        ),
        ("t.csv", "a;x;*\nb;x;*\nc;y;*\n", ["x", "y"], "b", 0),
        ("t.toml", "type = \"tree\"\n[[level]]\nx = [\"a\", \"b\"]\ny = [\"c\"]\n", ["x", "y"], "c", 1),
    ] {
        let hierarchy = load(name, file, 1, &public, &[private]).unwrap();
        assert_eq!(hierarchy.private_leaf(private), Some(raised), "{name}: {private}");
        assert_eq!((hierarchy.base, hierarchy.leaf_count()), (Level(1), 2), "{name}");
    }
    let decades =
        load("a.toml", "type = \"interval\"\nwidths = [10]\n", 1, &["10-19", "20-29"], &["33"]).unwrap();
    assert_eq!(decades.private_leaf("33"), None, "nobody in the public table is in its band");
    assert!(decades.is_finer("33"));
}

/// A value that is also a label of something else has two meanings, whatever level the public table holds.
#[test]
fn text_with_different_meanings_across_levels_is_refused() {
    let bands = "1;1;*\n2;1;*\n3;2;*\n4;2;*\n";
    for (base, public) in [(0, "1"), (1, "1"), (2, "*")] {
        let found = refusal("h.csv", bands, base, &[public], &["1"]);
        assert!(found.starts_with("hierarchy h.csv: `1` means"), "{found}");
        assert!(found.contains("at level 0 and another at level 1"), "{found}");
    }
    let city = "type = \"tree\"\n[[level]]\nWashington = [\"Seattle\"]\nDC = [\"Washington\"]\n";
    for (base, public) in [(0, "Seattle"), (1, "DC"), (2, "*")] {
        assert!(
            refusal("h.toml", city, base, &[public], &["Washington"]).contains("`Washington` means one set")
        );
    }
    // A label for one value alone may have its name.
    assert!(load("h.csv", "a;a;*\nb;c;*\n", 1, &["a"], &["a", "b"]).is_ok());

    let named = "type = \"interval\"\n[[level]]\ncuts = [3]\nlabels = [\"1\", \"2\"]\n";
    let found = refusal("h.toml", named, 1, &["1", "2"], &["1"]);
    assert_eq!(
        found,
        "p.csv, column `x`: `2` can mean both `2` and `1` of hierarchy h.toml; rename labels so that each text means \
         one set of values"
    );
    let named = "type = \"interval\"\n[[level]]\ncuts = [3]\nlabels = [\"low\", \"2\"]\n";
    assert!(load("h.toml", named, 1, &["low"], &["1"]).is_ok());
    assert!(
        refusal("h.toml", named, 1, &["low"], &["2"]).starts_with("t.csv, column `x`: `2` can mean both")
    );
    let leaf = "type = \"interval\"\n[[level]]\ncuts = [3]\nlabels = [\"1\", \"2\"]\n";
    assert!(refusal("h.toml", leaf, 0, &["0", "1"], &[]).contains("`1` means one set of values"));
    let masked = "type = \"mask\"\nlength = 2\n";
    assert!(refusal("h.toml", masked, 0, &["4*", "41"], &[]).contains("`4*` means one set of values"));
    assert!(load("h.toml", masked, 1, &["4*"], &["4*", "41"]).is_ok());
}

#[test]
fn two_spellings_of_one_number_are_refused() {
    assert!(refusal("h.csv", "1;x;*\n1.0;x;*\n", 0, &[], &[]).contains("`1` and `1.0` are the same number"));
    assert!(refusal("h.toml", WIDTHS, 0, &["5", "5.0"], &[]).contains("are the same number"));
    let category = load_as(Some(Kind::Category), "h.toml", WIDTHS, 0, &["10", "5", "5.0"], &[]).unwrap();
    assert!(shown(&category).starts_with("5 5.0 10 | "));
    assert!(
        load_as(Some(Kind::Number), "h.csv", "a;x\n", 0, &[], &[])
            .unwrap_err()
            .contains("`a` is not a number")
    );
    assert!(
        load_as(Some(Kind::Date), "h.toml", WIDTHS, 0, &["5"], &[])
            .unwrap_err()
            .contains("`5` is not a date")
    );
}

/// A file's name, its content, a public value, and where the refusal says that it is.
type Case = (&'static str, &'static str, &'static str, &'static str);

const OF_CSV: &[Case] = &[
    ("h.csv", "", "a", "hierarchy h.csv: the file is empty"),
    ("h.csv", "a;x;*\nb;x\n", "a", "h.csv, line 2: 2 fields; expected 3"),
    ("h.csv", "a;x;*\n\nb;x;*\n", "a", "h.csv, line 2: a blank line"),
    ("h.csv", "a;x\"y;*\n", "a", "h.csv, line 1: a stray quote"),
    ("h.csv", "a;x;*\nb;x;*\na;x;*\n", "a", "hierarchy h.csv, line 3: value `a`"),
    ("h.csv", "a;x;p\nb;x;q\n", "a", "hierarchy h.csv, line 2: level 1 `x` has"),
    ("h.csv", "a;[1, 2];*\nb;c;*\n", "a", "hierarchy h.csv: `[1, 2]` reads as a range"),
    ("h.csv", "{};*\n", "{}", "hierarchy h.csv: `{}` reads as a set"),
    ("h.csv", "a;b except {c};*\n", "a", "hierarchy h.csv: `b except {c}` reads as a set"),
    ("h.csv", "\"\"\" except {}\";*\n", "\" except {}", "hierarchy h.csv: `\" except {}` reads as a set"),
    ("h.csv", "a;*\n", "b", "p.csv, column `x`: 1 value that hierarchy h.csv"),
];

const OF_MASKS: &[Case] = &[
    ("h.toml", "type = \"mask\"\nlength = 3\n", "12", "p.csv, column `x`: 1 value that hierarchy h.toml"),
    ("h.toml", "type = \"mask\"\nlenght = 3\n", "1", "hierarchy h.toml, line 2: unknown key `lenght`"),
    ("h.toml", "type = \"mask\"\nlength = 201\n", "1", "hierarchy h.toml, line 2: `length` is not"),
    (
        "h.toml",
        "type = \"mask\"\nlength = 1\nfrom = \"top\"\n",
        "1",
        "hierarchy h.toml, line 3: `from` is `top`",
    ),
    (
        "h.toml",
        "type = \"mask\"\nlength = 1\ncharacter = \"**\"\n",
        "1",
        "hierarchy h.toml, line 3: `character` is not",
    ),
    ("h.toml", "type = \"maze\"\n", "1", "hierarchy h.toml: type `maze` is unknown"),
    ("h.toml", "length = 3\n", "1", "hierarchy h.toml, line 1: `type` is missing"),
    ("h.toml", "type = \"mask\"\nlength = 1\nlength = 2\n", "1", "hierarchy h.toml, line 3: "),
];

const OF_INTERVALS: &[Case] = &[
    ("h.toml", "type = \"interval\"\nwidths = [5, 12]\n", "1", "hierarchy h.toml, line 2: width 12"),
    ("h.toml", "type = \"interval\"\nwidths = [0]\n", "1", "hierarchy h.toml, line 2: width 0"),
    ("h.toml", "type = \"interval\"\nwidths = []\n", "1", "hierarchy h.toml, line 2: `widths` is empty"),
    ("h.toml", "type = \"interval\"\nwidths = [1e1]\n", "1", "hierarchy h.toml, line 2: `1e1` is"),
    ("h.toml", "type = \"interval\"\nwidths = [\n5,\n+10]\n", "1", "hierarchy h.toml, line 4: `+10` is"),
    ("h.toml", "type = \"interval\"\n", "1", "hierarchy h.toml: expected either `widths"),
    (
        "h.toml",
        "type = \"interval\"\norigin = 1\n[[level]]\ncuts = [4]\n",
        "1",
        "hierarchy h.toml, line 2: `origin` is only",
    ),
    (
        "h.toml",
        "type = \"interval\"\n[[level]]\ncuts = [4]\n[[level]]\ncuts = [5]\n",
        "1",
        "hierarchy h.toml, line 4: level 2: cut 5",
    ),
    (
        "h.toml",
        "type = \"interval\"\n[[level]]\ncuts = [4, 4]\n",
        "1",
        "hierarchy h.toml, line 2: level 1: cut 4",
    ),
    (
        "h.toml",
        "type = \"interval\"\n[[level]]\ncuts = [4]\nlabels = [\"a\"]\n",
        "1",
        "hierarchy h.toml, line 2: level 1 has",
    ),
    (
        "h.toml",
        "type = \"interval\"\n[[level]]\ncuts = [4]\nlabels = [\"a\", \"a\"]\n",
        "1",
        "hierarchy h.toml, line 2: level 1: two bands",
    ),
    (
        "h.toml",
        "type = \"interval\"\n[[level]]\ncuts = [4]\nlabels = [\"a\", \"[b]\"]\n",
        "1",
        "hierarchy h.toml, line 2: level 1: `[b]`",
    ),
    ("h.toml", WIDTHS, "old", "p.csv, column `x`: 1 value that hierarchy h.toml"),
    ("h.toml", WIDTHS, "", "p.csv, column `x`: 1 value that hierarchy h.toml"),
    ("h.toml", WIDTHS, "99999999999999999999999999999", "p.csv, column `x`: 1 value"),
];

const OF_DATES_AND_TREES: &[Case] = &[
    (
        "h.toml",
        "type = \"date\"\nlevels = [\"year\", \"month\"]\n",
        "1",
        "hierarchy h.toml, line 2: level `month`",
    ),
    ("h.toml", "type = \"date\"\nlevels = []\n", "1", "hierarchy h.toml, line 2: `levels` is empty"),
    (
        "h.toml",
        "type = \"tree\"\n[[level]]\nx = [\"a\"]\ny = [\"a\"]\n",
        "a",
        "hierarchy h.toml: level 1: `a` has",
    ),
    (
        "h.toml",
        "type = \"tree\"\n[[level]]\nx = [\"a\"]\ny = [\"b\"]\n[[level]]\nz = [\"x\"]\n",
        "a",
        "hierarchy h.toml: level 1: `y` has",
    ),
    (
        "h.toml",
        "type = \"tree\"\n[[level]]\nx = [\"a\"]\n[[level]]\nz = [\"x\", \"q\"]\n",
        "a",
        "hierarchy h.toml: level 2: `q`",
    ),
    ("h.toml", "type = \"tree\"\n[[level]]\nx = [1]\n", "a", "hierarchy h.toml, line 3: level 1: `x`"),
    ("h.toml", "type = \"tree\"\nlevel = []\n", "a", "hierarchy h.toml, line 2: `[[level]]` is missing"),
    ("h.toml", "type = \"tree\"\n[[level]]\n", "a", "hierarchy h.toml, line 2: level 1 is empty"),
    ("h.txt", "a", "a", "hierarchy h.txt: expected a name"),
];

/// The refusals of all cases.
pub(crate) fn refusals() -> Vec<(Case, String)> {
    let cases = [OF_CSV, OF_MASKS, OF_INTERVALS, OF_DATES_AND_TREES].concat();
    let found = |(name, file, public, _): Case| refusal(name, file, 0, &[public], &[]);
    cases.into_iter().map(|case| (case, found(case))).collect()
}

#[test]
fn a_refusal_has_its_line_and_value() {
    for ((_, file, value, place), found) in refusals() {
        assert!(found.starts_with(place), "for {file:?}\n expected {place}\n found    {found}");
        assert!(!place.starts_with("p.csv") || found.contains(&format!("{value:?}")), "{found}");
    }
}

#[test]
fn values_a_hierarchy_lacks_are_counted_and_named() {
    assert!(
        refusal("h.csv", "a;*\n", 2, &["*"], &[])
            .contains("public_level = 2, but the hierarchy has levels 0 to 1")
    );
    let private = refusal("h.csv", "a;*\n", 0, &["a"], &["b", "c"]);
    assert!(
        private.starts_with("t.csv, column `x`: 2 values") && private.contains("lacks: \"b\", \"c\";"),
        "{private}"
    );
    let many: Vec<String> = (0..200).map(|number| format!("v{number:03}")).collect();
    let many = refusal("h.csv", "a;*\n", 0, &many.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    assert!(many.contains("200 values") && many.contains("\"v009\", …") && !many.contains("v010"), "{many}");
    let tall = vec!["a"; 250].join(";") + "\nb;" + &vec!["a"; 249].join(";") + "\n";
    assert!(refusal("h.csv", &tall, 0, &["a"], &[]).contains("`a` means one set"));
    assert!(refusal("h.csv", &vec!["a"; 251].join(";"), 0, &["a"], &[]).contains("it has 251 levels"));
}

#[test]
fn empty_text_must_be_in_the_hierarchy_too() {
    let hierarchy = load("h.csv", ";unknown;*\na;known;*\n", 0, &["", "a"], &[""]).unwrap();
    assert_eq!((hierarchy.leaf(""), hierarchy.private_leaf("")), (Some(0), Some(0)));
}

#[test]
fn a_flat_hierarchy_has_every_value_and_everybody() {
    let flat = "type = \"flat\"\n";
    denotes("f.toml", flat, 0, &["10", "9", "-0.5"], "-0.5 9 10 | *: -0.5 9 10");
    denotes("f.toml", flat, 0, &["09", "10", "a b"], "09 10 a b | *: 09 10 a b");
    denotes("f.toml", flat, 1, &["*"], "*");
    let kind = |public: &[&str]| load("f.toml", flat, 0, public, &[]).unwrap().kind;
    assert_eq!((kind(&["10", "9"]), kind(&["10", "09"])), (Kind::Number, Kind::Category));
    let date = load_as(Some(Kind::Date), "f.toml", flat, 0, &["2024-01-05", "2023-12-31"], &[]).unwrap();
    assert_eq!(date.text(0), "2023-12-31");
    for (public, base, expected) in [
        (&["*", "x"][..], 0, "`*`"),
        (&["x"], 1, "lacks"),
        (&["1", "1.0"], 0, "same number"),
        (&["{a}"], 0, "reads as"),
        (&["a except {}"], 0, "reads as"),
    ] {
        let error = refusal("f.toml", flat, base, public, &[]);
        assert!(error.contains(expected), "{public:?}: {error}");
    }
    assert!(refusal("f.toml", "type = \"flat\"\nlevels = 2\n", 0, &["x"], &[]).contains("`levels`"));
}
