//! All types of hierarchy as tables: file, values, result.

use std::fs;
use std::path::Path;

use super::*;
use crate::error::refused::Held;
use crate::values::reading::Reading;
use palmtop_core::model::{Hierarchy, Kind, Level};
use palmtop_core::words::chain;

/// Reads `content` as the hierarchy file `name` for these public and private values.
fn load(name: &str, content: &str, base: u8, public: &[&str], private: &[&str]) -> Result<Domain, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    let owned = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
    let (public, private) = (owned(public), owned(private));
    let reading = Reading::default();
    let held = |table: &'static str| Held {
        table: Path::new(table),
        column: "x",
        attribute: "x",
        reading: &reading,
        keys: "",
    };
    let values = |table, texts| Values { held: held(table), texts };
    let spec = HierarchySpec {
        path,
        kind: None,
        base: Level(base),
        missing_label: None,
        missing_at_top: false,
        adds: false,
    };
    read(&spec, values("p.csv", &public), values("t.csv", &private))
        .map_err(|error| chain(&error).replace(&format!("{}/", folder.path().display()), ""))
}

/// One line per leaf: its chain of labels.
fn chains(domain: &Domain) -> Vec<String> {
    let hierarchy = &domain.hierarchy;
    let label = |level, code: usize| &hierarchy.labels(level)[hierarchy.labels_of(level)[code] as usize];
    let chain = |code| hierarchy.levels().map(|level| label(level, code)).collect::<Vec<_>>().join(" → ");
    (0..hierarchy.leaf_count()).map(chain).collect()
}

#[test]
fn arx_hierarchy_is_read_unchanged_in_walking_order() {
    let file = "Canada;N. America;America;*\r\nSpain;Europe;Europe;*\r\nPeru;S. America;America;*\r\nUSA;N. America;America;*\r\n";
    let domain = load("n.csv", file, 0, &["Peru"], &["USA"]).unwrap();
    assert_eq!(
        chains(&domain),
        [
            "Canada → N. America → America → *",
            "USA → N. America → America → *",
            "Peru → S. America → America → *",
            "Spain → Europe → Europe → *"
        ]
    );
    assert_eq!(domain.hierarchy.kind(), Kind::Category);
}

#[test]
fn a_separator_is_looked_for_outside_quotes() {
    for file in ["\"a\nb\";x;*\nc;x;*\n", "\"a\nb\",x,*\nc,x,*\n", "\"a;b\",x,*\nc,x,*\n"] {
        let domain = load("q.csv", file, 0, &["c"], &[]).unwrap();
        assert_eq!((domain.hierarchy.top(), domain.hierarchy.leaf_count()), (Level(2), 2), "{file:?}");
    }
}

#[test]
fn several_labels_at_the_top_get_a_star() {
    assert_eq!(
        chains(&load("a.csv", "1,odd\n3,odd\n2,even\n", 0, &[], &[]).unwrap()),
        ["1 → odd → *", "3 → odd → *", "2 → even → *"],
        "numbers that are grouped with others than their neighbours are codes"
    );
}

#[test]
fn odd_form_of_a_csv_hierarchy_is_named() {
    let refused = |content: &str| load("h.csv", content, 0, &["1"], &[]).err();
    for (content, line, says) in [
        ("1;0-9;*;\n12;10-19;*;\n", 1, "remove the separator at the end of each line"),
        ("age;band;all\n1;0-9;*\n12;10-19;*\n", 1, "it looks like a header (age, band, all)"),
        ("age;band;all\n1;0-9;any\n12;10-19;any\n", 1, "it looks like a header"),
        ("1;low;*\n12; low;*\n", 2, "level 1: \" low\" and \"low\" in line 1 differ only in blanks"),
    ] {
        let found = refused(content).unwrap();
        assert!(
            found.starts_with(&format!("hierarchy h.csv, line {line}: ")) && found.contains(says),
            "{found}"
        );
    }
    for content in [
        "1;0-9;*\n12;10-19;*\n",
        // The first line is no header: its value is a word, is empty, or is alone in its group.
        "unknown;unknown;*\n1;0-9;*\n12;10-19;*\n",
        ";;*\n1;low;*\n2;low;*\n",
        "1;CH\n2;DE\n3;DE\n",
        " 1;low;*\n1;low;*\n",
    ] {
        assert_eq!(refused(content), None, "{content}");
    }
}

#[test]
fn csv_orders_plain_decimals_but_not_padded_codes() {
    let numbers = load("a.csv", "10;x;*\n9;x;*\n-1.5;y;*\n", 0, &[], &[]).unwrap();
    assert_eq!((numbers.hierarchy.kind(), numbers.hierarchy.leaf(0)), (Kind::Number, "-1.5"));
    assert_eq!(numbers.hierarchy.leaf(2), "10");
    assert_eq!(load("a.csv", "007;x;*\n7;x;*\n", 0, &[], &[]).unwrap().hierarchy.kind(), Kind::Category);
}

#[test]
fn widths_are_half_open_from_the_origin() {
    let plain = "type = \"interval\"\nwidths = [5, 10]\n";
    assert_eq!(
        chains(&load("a.toml", plain, 0, &["0", "19", "7"], &["7"]).unwrap()),
        ["0 → 0-4 → 0-9 → *", "7 → 5-9 → 0-9 → *", "19 → 15-19 → 10-19 → *"]
    );
    let signed = load("a.toml", plain, 0, &["-1", "3"], &[]).unwrap();
    assert_eq!(chains(&signed), ["-1 → [-5, 0) → [-10, 0) → *", "3 → [0, 5) → [0, 10) → *"]);
    let fine =
        load("a.toml", "type = \"interval\"\nwidths = [0.5]\norigin = 0.25\n", 0, &["0.25", "1.5"], &[])
            .unwrap();
    assert_eq!(chains(&fine), ["0.25 → [0.25, 0.75) → *", "1.5 → [1.25, 1.75) → *"]);
}

#[test]
fn open_bands_are_open_on_every_level() {
    let widths = "type = \"interval\"\nwidths = [5, 20]\n";
    assert_eq!(
        chains(&load("a.toml", widths, 0, &["<1", "1", "7", "85", ">=90"], &[]).unwrap()),
        [
            "<1 → <5 → <20 → *",
            "1 → <5 → <20 → *",
            "7 → 5-9 → <20 → *",
            "85 → 85-89 → >=80 → *",
            ">=90 → >=90 → >=80 → *"
        ]
    );
    let cuts = "type = \"interval\"\n[[level]]\ncuts = [18, 65]\n";
    assert_eq!(
        chains(&load("a.toml", cuts, 0, &["7", "70", ">=90"], &[]).unwrap()),
        ["7 → <18 → *", "70 → >=65 → *", ">=90 → >=65 → *"]
    );
    let refusal =
        |file, public: &[&str], private: &[&str]| load("a.toml", file, 0, public, private).unwrap_err();
    let inside = refusal(widths, &["7", ">=90"], &["93"]);
    assert!(
        inside.contains("`93` is inside the open band `>=90`") && inside.contains("number = { last = 90 }"),
        "{inside}"
    );
    assert!(refusal(widths, &[">=90", ">=85"], &[]).contains(">=90"));
    assert!(refusal(cuts, &["7", ">=60"], &[]).contains("cut 65 is inside the open band"));
    assert!(refusal(widths, &["<1", "9", ">=10"], &[]).contains("width 20 is too wide"));
    let bands = load("a.toml", widths, 2, &["0-19", ">=20"], &["93", "7"]).unwrap();
    assert_eq!((bands.code("93"), bands.code("7")), (Some(1), Some(0)));
}

#[test]
fn cuts_take_their_labels_or_get_some() {
    let named = "type = \"interval\"\n[[level]]\ncuts = [41]\nlabels = [\"<=40\", \">40\"]\n";
    assert_eq!(
        chains(&load("a.toml", named, 0, &["40", "41"], &[]).unwrap()),
        ["40 → <=40 → *", "41 → >40 → *"]
    );
    let plain = "type = \"interval\"\n[[level]]\ncuts = [41, 65]\n[[level]]\ncuts = [65]\n";
    assert_eq!(
        chains(&load("a.toml", plain, 0, &["7", "64", "65"], &[]).unwrap()),
        ["7 → <41 → <65 → *", "64 → 41-64 → <65 → *", "65 → >=65 → >=65 → *"]
    );
}

#[test]
fn a_mask_hides_from_either_end() {
    let right = load("z.toml", "type = \"mask\"\nlength = 3\n", 0, &["479", "048"], &[]).unwrap();
    assert_eq!(chains(&right), ["048 → 04* → 0** → *", "479 → 47* → 4** → *"]);
    let left = "type = \"mask\"\nlength = 2\nfrom = \"left\"\ncharacter = \"#\"\n";
    assert_eq!(chains(&load("z.toml", left, 0, &["éa"], &[]).unwrap()), ["éa → #a → *"]);
}

#[test]
fn mask_by_fives_shows_ranges_of_five_characters() {
    let file = "type = \"mask\"\nlength = 2\nfives = true\n";
    assert_eq!(
        chains(&load("z.toml", file, 0, &["04", "9Z", "é-", "uk"], &[]).unwrap()),
        [
            "04 → 0[0-4] → 0* → [0-4]* → *",
            "9Z → 9[U-Z] → 9* → [5-9]* → *",
            "uk → u[k-o] → u* → [u-z]* → *",
            // Other characters have no five.
            "é- → é- → é* → é* → *",
        ]
    );
    let left = "type = \"mask\"\nlength = 2\nfrom = \"left\"\ncharacter = \"0\"\nfives = true\n";
    assert_eq!(
        chains(&load("z.toml", left, 1, &["[0-4]7", "[5-9]7", "-7"], &[]).unwrap()),
        ["-7 → 07 → 0[5-9] → *", "[0-4]7 → 07 → 0[5-9] → *", "[5-9]7 → 07 → 0[5-9] → *"]
    );
    // A digit alone is no label of the level of fives, and a code may look like five characters.
    assert!(load("z.toml", left, 1, &["47"], &[]).is_err());
    let codes = "type = \"mask\"\nlength = 5\nfives = true\n";
    let chain = &chains(&load("z.toml", codes, 1, &["a0-4]"], &[]).unwrap())[0];
    assert!(chain.starts_with("a0-4] → a0-4* → a0-[0-4]* → a0-** → a0-** → "), "{chain}");
    // A label of one character would read as a range.
    let one = load("z.toml", "type = \"mask\"\nlength = 1\nfives = true\n", 0, &["4"], &[]);
    assert!(one.unwrap_err().contains("`[0-4]` reads as a range"));
}

#[test]
fn dates_become_months_quarters_years_and_decades() {
    let file = "type = \"date\"\nlevels = [\"month\", \"quarter\", \"year\", \"decade\"]\n";
    let domain = load("d.toml", file, 0, &["2024-03-31", "1999-12-01"], &[]).unwrap();
    assert_eq!(
        chains(&domain),
        [
            "1999-12-01 → 1999-12 → 1999-Q4 → 1999 → 1990s → *",
            "2024-03-31 → 2024-03 → 2024-Q1 → 2024 → 2020s → *"
        ]
    );
    assert_eq!(domain.hierarchy.kind(), Kind::Date);
}

#[test]
fn tree_keeps_the_leaf_order_of_its_file() {
    let file = "type = \"tree\"\n[[level]]\n\"N. America\" = [\"USA\", \"Canada\"]\nEurope = [\"Spain\"]\n[[level]]\nWest = [\"Europe\", \"N. America\"]\n";
    assert_eq!(
        chains(&load("t.toml", file, 0, &["Canada", "Spain", "USA"], &[]).unwrap()),
        ["Spain → Europe → West", "USA → N. America → West", "Canada → N. America → West"]
    );
}

#[test]
fn private_values_are_raised_to_the_public_level() {
    for (name, file, public, private, raised) in [
        ("a.toml", "type = \"interval\"\nwidths = [10, 20]\n", ["10-19", "20-29"], "13", 0),
        ("a.toml", "type = \"interval\"\nwidths = [10, 20]\n", ["10-19", "20-29"], "20-29", 1),
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
        let domain = load(name, file, 1, &public, &[private]).unwrap();
        assert_eq!(domain.code(private), Some(raised), "{name}: {private}");
        assert_eq!((domain.hierarchy.base(), domain.hierarchy.leaf_count()), (Level(1), 2), "{name}");
    }
    let decades =
        load("a.toml", "type = \"interval\"\nwidths = [10, 20]\n", 1, &["10-19", "20-29"], &["33"]).unwrap();
    assert_eq!(decades.code("33"), None, "its band does not occur in the public table");
}

/// Files with a value of P: where each refusal says that it is, and the refusal.
pub(crate) fn refusals() -> Vec<(&'static str, &'static str, String)> {
    let tree = "type = \"tree\"\n[[level]]\nx = [\"a\"]\n";
    [
        ("h.csv", "", "a", "hierarchy h.csv: the file is empty"),
        ("h.csv", "a;x;*\nb;x\n", "a", "h.csv, line 2: 2 fields; expected 3"),
        ("h.csv", "a;x;*\nb;x;*\na;y;*\n", "a", "hierarchy h.csv, line 3: value `a`"),
        ("h.csv", "a;x;p\nb;x;q\n", "a", "hierarchy h.csv, line 2: level 1 `x` belongs to `q`"),
        ("h.csv", "a;b;*\nb;c;*\n", "a", "hierarchy h.csv: `b` means"),
        ("h.csv", "a;[1, 2];*\nb;c;*\n", "a", "hierarchy h.csv: `[1, 2]` reads as a range"),
        ("h.csv", "1;x;*\n1.0;x;*\n", "1", "hierarchy h.csv: `1` and `1.0`"),
        ("h.csv", "a;*\n", "b", "p.csv, column `x`: 1 value that hierarchy h.csv"),
        ("h.toml", "type = \"mask\"\nlength = 3\n", "12", "p.csv, column `x`: 1 value that hierarchy h.toml"),
        ("h.toml", "type = \"mask\"\nlenght = 3\n", "1", "hierarchy h.toml, line 2: unknown field `lenght`"),
        ("h.toml", "type = \"maze\"\n", "1", "hierarchy h.toml: type `maze` is unknown"),
        ("h.toml", "length = 3\n", "1", "hierarchy h.toml, line 1: missing field `type`"),
        ("h.toml", "type = \"interval\"\nwidths = [5, 12]\n", "1", "hierarchy h.toml: width 12"),
        (
            "h.toml",
            "type = \"interval\"\n[[level]]\ncuts = [4]\n[[level]]\ncuts = [5]\n",
            "1",
            "hierarchy h.toml: level 2: cut 5",
        ),
        (
            "h.toml",
            "type = \"interval\"\n[[level]]\ncuts = [4]\nlabels = [\"a\"]\n",
            "1",
            "hierarchy h.toml: level 1 has 1 labels",
        ),
        (
            "h.toml",
            "type = \"interval\"\nwidths = [5]\n",
            "old",
            "p.csv, column `x`: 1 value that hierarchy h.toml",
        ),
        (
            "h.toml",
            "type = \"interval\"\nwidths = [5]\n",
            "",
            "p.csv, column `x`: 1 value that hierarchy h.toml",
        ),
        (
            "h.toml",
            "type = \"date\"\nlevels = [\"year\", \"month\"]\n",
            "1",
            "hierarchy h.toml: level `month`",
        ),
        (
            "h.toml",
            "type = \"date\"\nlevels = [\"year\"]\n",
            "2024-02-30",
            "p.csv, column `x`: 1 value that hierarchy h.toml",
        ),
        (
            "h.toml",
            "type = \"tree\"\n[[level]]\nx = [\"a\"]\ny = [\"a\"]\n",
            "a",
            "hierarchy h.toml: level 1: `a`",
        ),
        (
            "h.toml",
            "type = \"tree\"\n[[level]]\nx = [\"a\"]\ny = [\"b\"]\n[[level]]\nz = [\"x\"]\n",
            "a",
            "hierarchy h.toml: level 1: `y`",
        ),
        ("h.toml", tree, "q", "p.csv, column `x`: 1 value that hierarchy h.toml"),
        ("h.txt", "a", "a", "hierarchy h.txt: expected a name"),
    ]
    .map(|(name, file, public, place)| (place, public, load(name, file, 0, &[public], &[]).unwrap_err()))
    .into()
}

#[test]
fn refusals_name_file_line_and_value() {
    for (place, value, found) in refusals() {
        assert!(found.starts_with(place), "expected {place}\n   found {found}");
        assert!(!place.starts_with("p.csv") || found.contains(&format!("{value:?}")), "{found}");
    }
    let too_coarse = load("h.csv", "a;*\n", 2, &["*"], &[]).unwrap_err();
    assert!(too_coarse.contains("public_level = 2, but its levels are 0 to 1"), "{too_coarse}");
    let private = load("h.csv", "a;*\n", 0, &["a"], &["b", "c"]).unwrap_err();
    assert!(private.starts_with("t.csv, column `x`: 2 values"), "{private}");
    assert!(private.contains("h.csv lacks:\n  \"b\"\n  \"c\"\n"), "{private}");
}

#[test]
fn empty_text_must_be_in_the_hierarchy_too() {
    let domain = load("h.csv", ";unknown;*\na;known;*\n", 0, &["", "a"], &[]).unwrap();
    assert_eq!(domain.code(""), Some(0));
}

// holds: No truncated number
#[test]
fn too_many_levels_are_refused_before_building_any() {
    let nested = |levels: usize| "[[level]]\ncuts = [5]\n".repeat(levels);
    let most = Hierarchy::MOST_LEVELS - 2;
    let load_levels =
        |levels| load("a.toml", &format!("type = \"interval\"\n{}", nested(levels)), 0, &["1", "7"], &[]);
    assert_eq!(load_levels(most).unwrap().hierarchy.levels().count(), Hierarchy::MOST_LEVELS);
    // Above 255, a level would not fit its eight bits.
    for levels in [most + 1, 300] {
        let wrong = load_levels(levels).err().unwrap();
        assert!(wrong.ends_with(&format!("has {} levels; at most 250 are possible", levels + 2)), "{wrong}");
    }
    let row = format!("1{},*\n", ",1".repeat(300));
    assert!(
        load("a.csv", &row, 0, &["1"], &[]).err().unwrap().ends_with("302 levels; at most 250 are possible")
    );
}

#[test]
fn flat_hierarchy_takes_any_value_and_orders_numbers() {
    let flat = "type = \"flat\"\n";
    let domain = load("f.toml", flat, 0, &["10", "9", "-0.5"], &["7"]).unwrap();
    assert_eq!(chains(&domain), ["-0.5 → *", "9 → *", "10 → *"]);
    assert_eq!((domain.hierarchy.kind(), domain.reason), (Kind::Number, KindReason::Numbers));
    let codes = load("f.toml", flat, 0, &["10", "09", "a b"], &[]).unwrap();
    assert_eq!(chains(&codes), ["09 → *", "10 → *", "a b → *"]);
    assert_eq!((codes.hierarchy.kind(), codes.reason), (Kind::Category, KindReason::NotNumbers));
    let top = load("f.toml", flat, 1, &["*"], &["x", "*"]).unwrap();
    assert_eq!((chains(&top), top.code("x")), (vec!["*".to_owned()], Some(0)));
    for (content, public, base, expected) in [
        (flat, &["x", "*"][..], 0, "`*`"),
        (flat, &["x"], 1, "these are labels of level 0"),
        (flat, &["1", "1.0"], 0, "same number"),
        (flat, &["[1, 2]"], 0, "reads as"),
        ("type = \"flat\"\nlevels = 2\n", &["x"], 0, "unknown field `levels`"),
    ] {
        let error = load("f.toml", content, base, public, &[]).unwrap_err();
        assert!(error.contains(expected), "{public:?}: {error}");
    }
}

#[test]
fn arx_export_reads_back_as_the_same_hierarchy() {
    for (name, content, public) in [
        ("a.toml", "type = \"interval\"\nwidths = [5, 10]\n", &["3", "17", "9", "25"][..]),
        ("a.toml", "type = \"interval\"\nwidths = [5, 10]\n", &["-3", "17.5"]),
        ("m.toml", "type = \"mask\"\nlength = 3\n", &["a;b", "a\"c", "b\nc", "4,5"]),
        ("d.toml", "type = \"date\"\nlevels = [\"month\", \"year\"]\n", &["2024-01-05", "2023-12-31"]),
        ("t.toml", "type = \"tree\"\n[[level]]\nz = [\"b\", \"a\"]\ny = [\"c\"]\n", &["a", "b", "c"]),
        ("f.toml", "type = \"flat\"\n", &["\u{feff}x", "", " y ", "ü"]),
        ("n.csv", "b,x;1,p\na,y;2,q\nc,x;1,p\n", &["a,y"]),
    ] {
        let domain = load(name, content, 0, public, &[]).unwrap_or_else(|error| panic!("{name}: {error}"));
        let csv = String::from_utf8(arx::to_csv(&domain.hierarchy).unwrap()).unwrap();
        let again =
            load("again.csv", &csv, 0, public, &[]).unwrap_or_else(|error| panic!("{csv:?}: {error}"));
        assert_eq!(chains(&again), chains(&domain), "{csv:?}");
    }
    // A single column, whose only label has a separator.
    let top = load("n.csv", "a;x,y\nb;x,y\n", 1, &["x,y"], &[]).unwrap();
    let csv = String::from_utf8(arx::to_csv(&top.hierarchy).unwrap()).unwrap();
    assert_eq!(chains(&load("again.csv", &csv, 0, &["x,y"], &[]).unwrap()), ["x,y"]);
}
