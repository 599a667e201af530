//! One strict form for tables and for each kind of value. If an input has two readings, it is
//! refused with its position. No person is lost or added.

use std::fs;

use palmtop::model::{Kind, Level};
use palmtop::pipeline::{Analysis, KindNote, Overrides};
use palmtop::search::{Config, Strategy};
use palmtop::words::chain;
use tempfile::TempDir;

/// The people of P and T, or the beginning of the error.
type People = Result<(u64, u64), &'static str>;

/// A project of these files. `p.toml` begins with T, P and δ from 0 to 1, and `attributes` follow.
struct Written {
    folder: TempDir,
}

impl Written {
    fn new(files: &[(&str, &str)], attributes: &str) -> Self {
        Self::with_head(
            "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1\"",
            files,
            attributes,
        )
    }

    fn with_head(head: &str, files: &[(&str, &str)], attributes: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in files {
            fs::write(folder.path().join(name), content).unwrap();
        }
        fs::write(folder.path().join("p.toml"), format!("{head}\n{attributes}")).unwrap();
        Self { folder }
    }

    fn load(&self) -> Result<Analysis, String> {
        Analysis::load(&self.folder.path().join("p.toml"), &Overrides::default())
            .map_err(|error| chain(&error).replace(&format!("{}/", self.folder.path().display()), ""))
    }

    /// The people of P and T, or the error.
    fn people(&self) -> Result<(u64, u64), String> {
        let analysis = self.load()?;
        let total = analysis.problem().histogram().total();
        Ok((total.public, total.private))
    }
}

fn quasi(name: &str, hierarchy: &str) -> String {
    format!("[[attribute]]\nname = \"{name}\"\nrole = \"quasi\"\nhierarchy = \"{hierarchy}\"\n")
}

fn refused(found: Result<impl std::fmt::Debug, String>, expected: &str) {
    let error = found.unwrap_err();
    assert!(error.starts_with(expected), "expected {expected}\n   found {error}");
}

const ZIP: (&str, &str) = ("zip.csv", "a;*\nb;*\n\"\";*\n");

/// Forms of T: the people of P and T, or the place of an error.
const FORMS: &[(&str, People)] = &[
    ("zip\na\nb\n", Ok((3, 2))),
    ("\u{feff}zip\r\na\r\nb", Ok((3, 2))),
    ("zip\n\"a\"\n\"b\"\n", Ok((3, 2))),
    ("zip\n\"\"\n", Err("1 person of t.csv is not")),
    ("zip\na\n\nb\n", Err("t.csv, line 3: a blank line")),
    ("zip\na\n\n", Err("t.csv, line 3: a blank line")),
    ("zip\na\"\nb\n", Err("t.csv, line 2: a stray quote")),
    ("zip\n\"a\"b\n", Err("t.csv, line 2: a stray quote")),
    ("zip\na\n\"b\n", Err("t.csv, line 3: a quote that is")),
    ("zip\na\rb\n", Err("t.csv, line 2: a carriage return")),
    ("zip\na,b\n", Err("t.csv, line 2: 2 fields; expected 1")),
    ("zip,zip\na,b\n", Err("t.csv, line 1: column `zip` occurs twice")),
];

fn formed(table: &str) -> Result<(u64, u64), String> {
    let tables = [("t.csv", table), ("p.csv", "zip\na\nb\na\n"), ZIP];
    Written::new(&tables, &quasi("zip", "zip.csv")).people()
}

// holds: Refuse two readings
#[test]
fn a_malformed_table_is_refused_with_its_line() {
    for &(table, expected) in FORMS {
        match expected {
            Ok(people) => assert_eq!(formed(table), Ok(people), "{table:?}"),
            Err(place) => refused(formed(table), place),
        }
    }
    let latin = Written::new(&[("p.csv", "zip\na\n"), ZIP], &quasi("zip", "zip.csv"));
    fs::write(latin.folder.path().join("t.csv"), b"zip\na\n\xe9\n").unwrap();
    refused(latin.people(), "t.csv, line 3: not UTF-8 in column");
}

/// Four rows of T, two of them with a quote inside. They are four people or an error, and never two
/// people.
// holds: Refuse two readings
#[test]
fn nobody_vanishes_between_stray_quotes() {
    let (table, public) = ("age,note\n30,foo \"bar\n31,baz\n32,qu\"x\n33,ok\n", "age\n30\n31\n32\n33\n");
    let attributes =
        format!("{}[[attribute]]\nname = \"note\"\nrole = \"identifier\"\n", quasi("age", "age.toml"));
    let files = [("t.csv", table), ("p.csv", public), ("age.toml", "type = \"interval\"\nwidths = [5]\n")];
    refused(
        Written::new(&files, &attributes).people(),
        "t.csv: 2 lines cannot be read:\n  line 2: a stray quote\n  line 4: a stray quote",
    );
}

// holds: Regular files
#[test]
fn only_regular_files_are_read_never_pipes() {
    let written = Written::new(&[("t.csv", "zip\na\n"), ZIP], &quasi("zip", "zip.csv"));
    for name in ["p.csv", "zip.csv"] {
        let path = written.folder.path().join(name);
        let _ = fs::remove_file(&path);
        let status = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(status.success());
        let error = written.people().unwrap_err();
        assert!(error.contains("expected a regular file"), "{error}");
        fs::remove_file(&path).unwrap();
        fs::write(&path, if name == "p.csv" { "zip\na\n" } else { ZIP.1 }).unwrap();
    }
    assert_eq!(written.people(), Ok((1, 1)));
}

const COUNTED: &str =
    "[public]\npath = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"\nmember = \"m\"\n[delta]\nmax = \"1\"";

/// Tables with counts and memberships: the people of P and T, or the place of an error.
const COUNTS: &[(&str, People)] = &[
    ("zip,n,m\na,2,1\nb,3,no\n", Ok((5, 2))),
    ("zip,n,m\na,2.0,TRUE\nb,0,no\n", Ok((2, 2))),
    ("zip,n,m\na,2,1\nb,-1,no\n", Err("p.csv, row 2 (header not counted), column `n`: `-1`")),
    ("zip,n,m\na,2,1\nb,1.5,no\n", Err("p.csv, row 2 (header not counted), column `n`: `1.5`")),
    ("zip,n,m\na,2,1\nb,4294967296,no\n", Err("p.csv, row 2 (header not counted), column `n`: `4294967296`")),
    ("zip,n,m\na,2,1\nb,1,maybe\n", Err("p.csv, row 2 (header not counted), column `m`: `maybe`")),
    ("zip,n,m\na,4294967295,1\nb,1,1\n", Err("the private table has more than 4294967295")),
];

fn counted(table: &str) -> Result<(u64, u64), String> {
    Written::with_head(COUNTED, &[("p.csv", table), ZIP], &quasi("zip", "zip.csv")).people()
}

/// What is said of the tables that are refused.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let forms = FORMS.iter().filter_map(|(table, _)| formed(table).err());
    let tables = forms.chain(COUNTS.iter().filter_map(|(table, _)| counted(table).err()));
    let first = "first_by = \"visit\"";
    let persons = [of_persons(first).unwrap_err(), of_persons("distinct = true").unwrap_err()];
    tables.chain(persons).map(|message| ("", message)).collect()
}

#[test]
fn wrong_counts_and_memberships_name_their_row() {
    for &(table, expected) in COUNTS {
        match expected {
            Ok(people) => assert_eq!(counted(table), Ok(people), "{table:?}"),
            Err(place) => refused(counted(table), place),
        }
    }
}

// holds: Refuse two readings
#[test]
fn a_value_matching_a_public_label_is_refused() {
    let bands = (0..40).fold(String::new(), |file, age| file + &format!("{age};{};*\n", age / 10));
    let hierarchy =
        "type = \"tree\"\n[[level]]\nDC = [\"Washington\"]\nWashington = [\"Seattle\", \"Tacoma\"]\n";
    // The label `2` of the public level is the band from 10, and the value 2 is in the band below
    // 10.
    let cuts = "type = \"interval\"\n[[level]]\ncuts = [10]\nlabels = [\"1\", \"2\"]\n";
    for (file, content, private, public, refusal) in [
        ("h.csv", bands.as_str(), "1\n2\n", "0\n0\n1\n1\n2\n", "hierarchy h.csv: `0` means one set"),
        (
            "h.toml",
            hierarchy,
            "Washington\n",
            "DC\nWashington\n",
            "hierarchy h.toml: `Washington` means one set",
        ),
        ("h.toml", cuts, "2\n", "1\n2\n", "p.csv, column `x`: `2` has two meanings in hierarchy h.toml"),
        ("h.toml", cuts, "12\n", "1\n2\n", "p.csv, column `x`: `2` has two meanings"),
    ] {
        let files = [
            ("t.csv", format!("x\n{private}")),
            ("p.csv", format!("x\n{public}")),
            (file, content.to_owned()),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
        let attributes = format!("{}public_level = 1\n", quasi("x", file));
        refused(Written::new(&files, &attributes).people(), refusal);
    }
}

#[test]
fn the_public_table_holds_no_finer_values() {
    let attributes = format!("{}public_level = 1\n", quasi("x", "h.csv"));
    let member = "[public]\npath = \"p.csv\"\nmember = \"m\"\n[delta]\nmax = \"1\"";
    let files = [("p.csv", "x,m\na,yes\nu,no\n"), ("h.csv", "a;u;*\nb;v;*\n")];
    refused(
        Written::with_head(member, &files, &attributes).people(),
        "p.csv, column `x`: 1 value that hierarchy",
    );
    let files = [("t.csv", "x\nu\n"), ("p.csv", "x\nu\n"), ("h.csv", "9;u;*\n9.0;u;*\n")];
    refused(Written::new(&files, &attributes).people(), "hierarchy h.csv: `9` and `9.0` are");
}

// holds: Refuse two readings
#[test]
fn a_day_is_written_in_one_way() {
    let year = "type = \"date\"\nlevels = [\"year\"]\n";
    for odd in
        [" 2024-1-05", "2024-1-05", "+10000-1-1", "-001-01-01", "2024-02-30", "2024-00-01", "２０２４-01-05"]
    {
        let public = format!("d\n2024-01-05\n{odd}\n");
        let files = [("t.csv", "d\n2024-01-05\n"), ("p.csv", public.as_str()), ("d.toml", year)];
        refused(
            Written::new(&files, &quasi("d", "d.toml")).people(),
            "p.csv, column `d`: 1 value that hierarchy d.toml lacks",
        );
    }
    // In a file, dates are sorted by day and have one form.
    let attributes = format!("{}kind = \"date\"\n", quasi("d", "d.csv"));
    let tables = [("t.csv", "d\n2024-01-05\n"), ("p.csv", "d\n2024-01-05\n")];
    for (file, refusal) in [
        ("2024-01-05;*\n2024-1-06;*\n", "hierarchy d.csv: `2024-1-06` is no date"),
        ("2024-01-05;*\n2024-01;*\n", "hierarchy d.csv: `2024-01` is no date"),
    ] {
        let files = [tables[0], tables[1], ("d.csv", file)];
        refused(Written::new(&files, &attributes).people(), refusal);
    }
    let files = [tables[0], tables[1], ("d.csv", "2024-01-05;b;*\n0999-12-31;a;*\n")];
    let analysis = Written::new(&files, &attributes).load().unwrap();
    let hierarchy = analysis.problem().hierarchy(0);
    assert_eq!((hierarchy.leaf(0), hierarchy.leaf(1)), ("0999-12-31", "2024-01-05"));
}

#[test]
fn numbers_are_banded_exactly_or_refused() {
    let bands = "type = \"interval\"\nwidths = [3]\n";
    let files = |value: &str| format!("c\n1\n{value}\n");
    for (value, label) in [
        ("2.999999999999999999999999999", Ok("[0, 3)")),
        ("9999999999999999999999999999", Ok("[9999999999999999999999999999, 10000000000000000000000000002)")),
        (
            "-9999999999999999999999999999",
            Ok("[-9999999999999999999999999999, -9999999999999999999999999996)"),
        ),
        ("-79228162514264337593543950335", Err(())),
        ("99999999999999999999999999999", Err(())),
    ] {
        let public = files(value);
        let files = [("t.csv", "c\n1\n"), ("p.csv", public.as_str()), ("w.toml", bands)];
        let loaded = Written::new(&files, &quasi("c", "w.toml")).load();
        match label {
            Err(()) => refused(loaded.map(drop), "p.csv, column `c`: 1 value that hierarchy w.toml lacks"),
            Ok(label) => {
                let analysis = loaded.unwrap();
                let hierarchy = analysis.problem().hierarchy(0);
                let code = hierarchy.code(value).unwrap() as usize;
                let labels = hierarchy.labels(Level(1));
                let found = &labels[hierarchy.labels_of(Level(1))[code] as usize];
                // Whole numbers from 0 have bands in the form `0-2`.
                let is_integer = |text: &str| !text.contains(['.', '-']);
                if is_integer(value) {
                    assert_eq!(found, "9999999999999999999999999999-10000000000000000000000000001");
                } else {
                    assert_eq!(found, label);
                }
            }
        }
    }
}

#[test]
fn numbers_keep_all_their_digits() {
    let wide = "type = \"interval\"\nwidths = [0.100000000000000000000000001]\n";
    let files = [("t.csv", "c\n0.1\n"), ("p.csv", "c\n0.1\n0.2\n"), ("w.toml", wide)];
    let analysis = Written::new(&files, &quasi("c", "w.toml")).load().unwrap();
    assert_eq!(&analysis.problem().hierarchy(0).labels(Level(1))[0], "[0, 0.100000000000000000000000001)");
    for (delta, read) in [
        ("0.666666666666666666", "(0, 333333333333333333/500000000000000000)"),
        ("1", "(0, 1)"),
        ("\"2/3\"", "(0, 2/3)"),
    ] {
        let head = format!("[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = {delta}");
        let written = Written::with_head(&head, &files, &quasi("c", "w.toml"));
        assert_eq!(written.load().unwrap().problem().delta().to_string(), read);
    }
    for (odd, refusal) in [
        ("true", ", line 6: invalid type: boolean `true`"),
        ("[1]", ", line 6: invalid type: sequence"),
        ("2024-01-01", ", line 6: invalid type: map"),
        ("1e-1", ": [delta]: invalid δmax `1e-1`: expected"),
        ("0x1", ": [delta]: invalid δmax `0x1`: expected"),
        ("inf", ": [delta]: invalid δmax `inf`: expected"),
    ] {
        let head = format!("[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = {odd}");
        let written = Written::with_head(&head, &files, &quasi("c", "w.toml"));
        refused(written.people(), &format!("project p.toml{refusal}"));
    }
}

#[test]
fn columns_may_be_named_like_patterns() {
    for name in ["^zip$", "*", "z*", "^.*$"] {
        let (private, public) = (format!("{name},k\na,1\n"), format!("{name},{name}x\na,b\nb,a\n"));
        let files = [("t.csv", private.as_str()), ("p.csv", public.as_str()), ZIP];
        let attributes =
            format!("{}[[attribute]]\nname = \"k\"\nrole = \"sensitive\"\n", quasi(name, "zip.csv"));
        assert_eq!(Written::new(&files, &attributes).people(), Ok((2, 1)), "{name}");
    }
}

// holds: Nobody counts twice
#[test]
fn a_repeated_identifier_is_not_two_people() {
    let tables = [("t.csv", "id,zip\n7,a\n,a\n,b\n7,b\n"), ("p.csv", "zip\na\na\nb\nb\n"), ZIP];
    let identifier = "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n";
    let attributes = format!("{}{identifier}", quasi("zip", "zip.csv"));
    refused(Written::new(&tables, &attributes).people(), "t.csv, column `id`: 1 identifier is in");
    let repeats = format!("{attributes}repeats = true\n");
    assert_eq!(Written::new(&tables, &repeats).people(), Ok((4, 4)));
    refused(
        Written::new(&tables, &format!("{}repeats = true\n", quasi("zip", "zip.csv"))).people(),
        "project p.toml: `zip`: `repeats`, `distinct`",
    );
    let people = "id,zip,n,m\n1,a,1,yes\n2,b,2,yes\n3,b,2,no\n3,b,2,no\n";
    let member = Written::with_head(COUNTED, &[("p.csv", people), ZIP], &attributes);
    refused(
        member.people(),
        "p.csv, row 2 (header not counted), column `id`: the row counts for several people, who share one identifier",
    );
}

/// The people of a T in which a person has other values than P counts by the rule.
fn of_persons(rule: &str) -> Result<(u64, u64), String> {
    people_of("id,zip\n9,b\n7,b\n", rule)
}

fn people_of(private: &str, rule: &str) -> Result<(u64, u64), String> {
    let head = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1\"";
    let people = "id,zip,visit\n7,b,2024-02-01\n7,a,2024-01-01\n8,b,2024-01-01\n";
    let people = if rule.starts_with("distinct") { "id,zip\n7,a\n7,a\n8,b\n" } else { people };
    let tables = [("t.csv", private), ("p.csv", people), ZIP];
    let identifier = format!("[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n{rule}\n");
    Written::with_head(head, &tables, &format!("{}{identifier}", quasi("zip", "zip.csv"))).people()
}

#[test]
fn a_person_has_the_values_that_p_counts() {
    for (rule, row, order) in [("first_by = \"visit\"", 2, "first by `visit`"), ("distinct = true", 1, "")] {
        assert_eq!(people_of("id,zip\n8,b\n7,a\n", rule), Ok((2, 2)));
        refused(of_persons(rule), "t.csv, row 2 (header not counted), column `zip`: ");
        let refused = of_persons(rule).unwrap_err();
        assert!(refused.contains(&format!("in row {row} (1 such person)")), "{refused}");
        assert!(refused.contains(order), "{refused}");
    }
}

#[test]
fn the_kind_of_each_attribute_is_explained() {
    for (file, kind, reason) in [
        (
            "1;odd;*\n2;even;*\n3;odd;*\n",
            Kind::Category,
            "codes: numbers that are not grouped with their neighbours",
        ),
        ("1;low;*\n2;low;*\n30;high;*\n", Kind::Number, "numbers, grouped with their neighbours"),
        ("01;x;*\n2;x;*\n1;x;*\n", Kind::Category, "not all values are plain numbers"),
    ] {
        let files = [("t.csv", "x\n1\n"), ("p.csv", "x\n1\n2\n"), ("h.csv", file)];
        let analysis = Written::new(&files, &quasi("x", "h.csv")).load().unwrap();
        let [KindNote { kind: found, reason: why, .. }] = &analysis.notes().kinds[..] else { panic!("one") };
        assert_eq!((*found, why.as_str()), (kind, reason), "{file}");
    }
}

#[test]
fn a_count_that_was_forgotten_is_pointed_out() {
    let tables = |public: &'static str| [("t.csv", "zip\na\n"), ("p.csv", public), ZIP];
    for (public, unused, count_like) in [
        ("zip,people\na,12\nb,12\n", vec!["people"], vec!["people"]),
        ("zip,person\na,1\nb,2\n", vec!["person"], vec![]),
        ("zip,people\na,12\na,12\n", vec!["people"], vec![]),
        ("zip\na\nb\n", vec![], vec![]),
    ] {
        let analysis = Written::new(&tables(public), &quasi("zip", "zip.csv")).load().unwrap();
        assert_eq!(analysis.notes().unused, unused, "{public:?}");
        assert_eq!(analysis.notes().count_like, count_like, "{public:?}");
    }
}

#[test]
fn missing_values_are_counted_and_ten_listed() {
    let public: String =
        std::iter::once("zip\n".to_owned()).chain((0..2000).map(|n| format!("z{n}\n"))).collect();
    let files = [("t.csv", "zip\na\n"), ("p.csv", public.as_str()), ZIP];
    let error = Written::new(&files, &quasi("zip", "zip.csv")).people().unwrap_err();
    assert!(error.starts_with("p.csv, column `zip`: 2000 values"), "{error}");
    assert!(
        error.contains("lacks, the first 10:\n  \"z0\"   row 1   1 ") && error.contains("`z0;*`"),
        "{error}"
    );
    assert!(error.len() < 500, "{error}");
}

#[test]
fn all_missing_values_are_told_at_once() {
    let attributes = ["zip", "age", "born"].map(|name| quasi(name, &format!("{name}.toml"))).concat();
    let files = [
        ("t.csv", "zip,age,born\n01234,39,31.03.2024\n"),
        (
            "p.csv",
            "zip,age,born\n1234,39.0,2024-03-31\n01234,40,2024-03-31\n2345,\"41,5\",2024-03-31\n99999,41.0,2024-03-31\n",
        ),
        ("zip.toml", "type = \"mask\"\nlength = 5\n"),
        ("age.toml", "type = \"interval\"\nwidths = [10]\n"),
        ("born.toml", "type = \"date\"\nlevels = [\"year\"]\n"),
    ];
    let error = Written::new(&files, &attributes).people().unwrap_err();
    let expected = "\
        p.csv, column `zip`: 2 values that hierarchy zip.toml lacks:\n  \
          \"1234\"   row 1   1 person\n  \
          \"2345\"   row 3   1 person\n\
        they look like codes that lost their leading zeros; export the column as text (\"1234\" would be \"01234\"); \
        write under [[attribute]] `zip`:\n  \
          public.values = { \"1234\" = \"01234\", \"2345\" = \"02345\" }\n\
        p.csv, column `age`: 1 value that hierarchy age.toml lacks:\n  \
          \"41,5\"   row 3   1 person\n\
        they look like numbers with a decimal comma (\"41,5\" would be \"41.5\"); write under [[attribute]] `age`:\n  \
          public.number = \"1234,5\"\n\
        t.csv, column `born`: 1 value that hierarchy born.toml lacks:\n  \
          \"31.03.2024\"   row 1   1 person\n\
        they look like dates written %d.%m.%Y (\"31.03.2024\" would be \"2024-03-31\"); write under [[attribute]] `born`:\n  \
          private.date = \"%d.%m.%Y\"";
    assert_eq!(error, expected);
    let missing =
        [("t.csv", "zip,years\n1,2\n"), ("p.csv", "zipcode,age,born\n1,2,3\n"), files[2], files[3], files[4]];
    let error = Written::new(&missing, &attributes).people().unwrap_err();
    assert_eq!(error.matches("no column").count(), 3, "{error}");
}

// holds: Empty regions
#[test]
fn no_class_is_empty_where_that_is_forbidden() {
    let head = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n[search]\nempty_regions = \"forbid\"";
    let files = [("t.csv", "zip\na\n"), ("p.csv", "zip\na\na\nb\nb\n"), ZIP];
    let analysis = Written::with_head(head, &files, &quasi("zip", "zip.csv")).load().unwrap();
    let problem = analysis.problem();
    let finest = analysis.by_hand(problem, problem.lattice().bottom());
    assert!(!finest.is_present(), "the class of b is empty");
    for strategy in Strategy::all() {
        let config = Config { rounds: Some(1), ..Config::default() };
        let found = analysis.search(problem, strategy, &config, &mut |_| std::ops::ControlFlow::Continue(()));
        if let Some(release) = found.release {
            let is_empty = release.classes.all_counts().any(|counts| counts.private == 0);
            assert!(!is_empty, "{strategy}");
        }
    }
}
