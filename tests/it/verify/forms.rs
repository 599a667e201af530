//! `verify` refuses what `check` refuses: both accept one strict form of tables, values,
//! identifiers and releases.

use std::fs;

use palmtop::model::{Kind, Level, Role};
use palmtop::verify::{FindingKind, Findings, PrivateSource, TableSource, VerifyError, verify};
use polars::prelude::{DataType, NamedFrom, Series, TimeUnit};

use super::{Workspace, achieved, csv, other, quasi, texts};
use crate::support::tables::{self, Column};

const AGE: &str = "type = \"interval\"\nwidths = [10]\n";

/// A project with ages alone, and a name in T.
fn workspace(public: &str, private: &str) -> Workspace {
    let attributes = [quasi("age", "age.toml", AGE), other("name", Role::Identifier)];
    Workspace::new(public, private, ("0", "1"), &attributes)
}

#[test]
fn a_stray_or_open_quote_swallows_nobody() {
    let private_table = "age,name\n30,foo\n31,baz\n32,qux\n33,ok\n";
    let public = csv("age", (30..40).map(|age| age.to_string()));
    for (private, line, what) in [
        ("age,name\n30,\"foo\" bar\n31,baz\n", 2, "a stray quote"),
        ("age,name\n30,foo\n31,\"baz\n32,qux\n33,ok\n", 3, "a quoted field has no closing quote"),
        ("age,name\n30,foo\n31,baz\rok\n", 3, "a carriage return without a line feed"),
        ("age,name\n30,foo\n\n31,baz\n", 3, "a blank line"),
        ("age,name\n30,foo\n31\n", 3, "1 field; expected 2"),
        ("age,name\n30,foo\n31,baz\n\n", 4, "a blank line"),
    ] {
        let refusal = workspace(&public, private).refusal();
        assert!(refusal.starts_with(&format!("private.csv, line {line}: {what}")), "{refusal}");
        let refusal = workspace(private, private_table).refusal();
        assert!(refusal.starts_with(&format!("public.csv, line {line}: {what}")), "{refusal}");
    }
    let stray = "age,name\n30,foo \"bar\n31,baz\n32,qu\"x\n33,ok\n";
    let all = "private.csv: 2 lines cannot be read:\n  line 2: a stray quote\n  line 4: a stray quote";
    let refusal = workspace(&public, stray).refusal();
    assert!(refusal.starts_with(all), "{refusal}");
    assert!(
        workspace("age\n30\n\n31\n", private_table).refusal().starts_with("public.csv, line 3: a blank line")
    );
    assert!(
        workspace("\nage\n30\n", private_table).refusal().starts_with("public.csv, line 1: a blank line")
    );
    assert!(workspace("", private_table).refusal().starts_with("public.csv, line 1: the file is empty"));
    assert!(
        workspace("age,age\n30,30\n", private_table)
            .refusal()
            .starts_with("public.csv, line 1: column `age` occurs twice")
    );
}

#[test]
fn byte_order_marks_and_windows_ends_are_read() {
    let workspace = workspace("\u{feff}\"age\"\r\n30\r\n\"31\"", "\u{feff}name;age\nx;30\n");
    assert_eq!(achieved(&workspace.verify("age\n30-39\n")), "1/2..1/2");
    workspace.write("public.csv", "\u{feff}\u{feff}age\n30\n");
    assert!(workspace.refusal().starts_with("public.csv, line 1: two byte-order marks"));
    let path = workspace.path("public.csv");
    fs::write(&path, b"age\n30\n\xff\n").unwrap();
    assert!(workspace.refusal().starts_with("public.csv, line 3: column `age`: not UTF-8"));
}

#[test]
fn dates_have_one_form() {
    let date = "type = \"date\"\nlevels = [\"year\"]\n";
    let attributes = [quasi("day", "day.toml", date)];
    for day in ["2024-1-05", " 2024-01-05", "+10000-01-01", "-001-01-01", "10000-01-01", "2023-02-29"] {
        let workspace =
            Workspace::new(&format!("day\n{day}\n"), &format!("day\n{day}\n"), ("0", "1"), &attributes);
        assert!(workspace.refusal().contains("1 value that hierarchy"), "{day}");
    }
    let mut listed = Workspace::new(
        "day\n2024-01-05\n2024-1-05\n",
        "day\n2024-01-05\n",
        ("0", "1"),
        &[quasi("day", "day.csv", "2024-01-05;*\n2024-1-05;*\n")],
    );
    assert_eq!(achieved(&listed.verify("day\n2024-01-05\n")), "0..1");
    listed.spec.attributes[0].hierarchy.as_mut().unwrap().kind = Some(Kind::Date);
    assert!(listed.refusal().contains("`2024-1-05` is not a date"), "{}", listed.refusal());
}

#[test]
fn values_that_are_also_labels_are_refused() {
    // Everybody of one age is in T. If `1` is read as the band, the four people of ages 1 and 2
    // would hide them.
    let bands = "1;1;*\n2;1;*\n3;2;*\n4;2;*\n";
    let mut workspace =
        Workspace::new("age\n1\n1\n2\n2\n", "age\n1\n2\n", ("0", "1/2"), &[quasi("age", "age.csv", bands)]);
    let hierarchy = |workspace: &mut Workspace, level| {
        workspace.spec.attributes[0].hierarchy.as_mut().unwrap().public_level = Level(level);
    };
    for level in [0, 1, 2] {
        hierarchy(&mut workspace, level);
        assert!(
            workspace.refusal().contains("`1` means")
                && workspace.refusal().contains("at level 0 and another at level 1")
        );
    }
    let named = "type = \"interval\"\n[[level]]\ncuts = [3]\nlabels = [\"low\", \"2\"]\n";
    let attributes = [quasi("age", "age.toml", named)];
    let mut built = Workspace::new("age\nlow\nlow\n", "age\n2\n", ("0", "1"), &attributes);
    hierarchy(&mut built, 1);
    assert!(
        built.refusal().starts_with("private.csv, column `age`: `2` can mean both"),
        "{}",
        built.refusal()
    );
}

// holds: Empty regions
#[test]
fn forbidden_empty_regions_require_everybody_to_match() {
    let mut workspace = workspace("age\n12\n13\n25\n26\n27\n", "age,name\n12,x\n");
    let release = "age\n10-19\n";
    let allowed = workspace.verify(release);
    assert!(allowed.is_faithful() && allowed.is_present() && allowed.unmatched == 3);
    workspace.spec.forbids_empty = true;
    let forbidden = workspace.verify(release);
    assert!(forbidden.is_faithful(), "it says nothing false");
    assert!(!forbidden.is_present(), "and yet it does not keep δ");
    let [only] = &forbidden.problems[..] else { panic!("{:?}", texts(&forbidden.problems)) };
    assert_eq!((only.kind, only.people), (FindingKind::EmptyClass, 3));
    assert_eq!(only.details().unwrap(), "such as age `25`");
    let filled = workspace.verify("age\n*\n");
    assert!(filled.problems.is_empty() && filled.is_present());
}

#[test]
fn each_released_row_occurs_at_least_k_times() {
    let workspace = workspace("age\n12\n13\n25\n26\n27\n", "age,name\n12,x\n13,y\n25,z\n").with_k("2");
    let small = workspace.verify("age\n10-19\n10-19\n20-29\n");
    assert!(small.is_faithful() && small.keeps_delta(), "it says nothing false");
    assert!(!small.is_present(), "and yet one class has one member");
    let figures = |findings: &Findings| {
        let outcome = &findings.criteria[0];
        (outcome.criterion, outcome.required.clone(), outcome.achieved.clone(), outcome.holds)
    };
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(figures(&small), ("k", text("2"), text("1"), false));
    let large = workspace.verify("age\n*\n*\n*\n");
    assert!(large.is_faithful() && large.is_present());
    assert_eq!(figures(&large), ("k", text("2"), text("3"), true));
    assert!(!workspace.with_k("4").verify("age\n*\n*\n*\n").is_present());
}

#[test]
fn an_unfaithful_file_never_satisfies_k() {
    let workspace = workspace("age\n12\n13\n25\n26\n27\n", "age,name\n12,x\n13,y\n").with_k("2");
    for release in ["", "age\n10-19\n\"", "age\n10-19\nunknown\n", "age\n10-19\n10-19\n20-29\n20-29\n"] {
        let findings = workspace.verify(release);
        assert!(!findings.is_faithful() && !findings.is_present(), "{release:?}");
        assert!(!findings.criteria[0].holds, "{release:?}");
    }
}

#[test]
fn a_requirement_that_cannot_be_read_is_refused() {
    for k in ["0", "-1", "x", "", "5.0", "+5", "1_0", "99999999999999999999"] {
        let refusal = workspace("age\n12\n", "age,name\n12,x\n").with_k(k).refusal();
        assert!(
            refusal.starts_with(&format!("[policy]: `k = {k}` is not allowed; expected a whole")),
            "{refusal}"
        );
    }
    let mut twice = workspace("age\n12\n", "age,name\n12,x\n").with_k("5");
    twice.spec.policy.push(("k".to_owned(), "2".to_owned()));
    let refusal = twice.refusal();
    assert!(
        refusal.starts_with("[policy]: `k = 2` is not") && refusal.contains("expected the key only once"),
        "{refusal}"
    );
    twice.spec.policy = vec![("l".to_owned(), "2".to_owned())];
    assert!(twice.refusal().starts_with("[policy]: `l = 2` is not allowed; expected a table"));
    twice.spec.policy = vec![("m".to_owned(), "2".to_owned())];
    assert!(twice.refusal().starts_with("[policy]: `m = 2` is not allowed; expected one"));
}

#[test]
fn a_release_must_have_the_exact_bytes() {
    let workspace = workspace("age\n12\n13\n14\n15\n", "age,name\n12,x\n13,y\n");
    assert!(workspace.verify("age\n10-19\n10-19\n").is_faithful());
    // Quotes that are not needed could mark a row within its class.
    for release in ["age\n\"10-19\"\n10-19\n", "\"age\"\n10-19\n10-19\n", "age\n\"10-19\"\n\"10-19\"\n"] {
        let findings = workspace.verify(release);
        assert!(!findings.is_faithful(), "{release}");
        assert_eq!(findings.problems[0].kind, FindingKind::Spelling, "{:?}", findings.problems);
    }
    assert_eq!(workspace.verify("age\n\"[12, 15]\"\n\"[12, 15]\"\n").problems, []);
}

#[test]
fn a_value_hiding_a_row_is_refused() {
    let attributes = [quasi("age", "age.toml", AGE), other("note", Role::Sensitive)];
    let workspace = |note: &str| {
        let private = format!("age,note\n12,\"{note}\"\n");
        Workspace::new("age\n12\n13\n", &private, ("0", "1"), &attributes)
    };
    for note in ["x\n10-19,y", "x\n13,HIV\nz", "a,b\nc", "x\r13,y", "x\r\n1,2\r\n"] {
        let workspace = workspace(note);
        let found = workspace.verify(&format!("age,note\n10-19,\"{note}\"\n")).problems;
        assert_eq!(found[0].kind, FindingKind::RowInDisguise, "{note:?} {found:?}");
        assert!(found[0].to_string().starts_with("line 2, column `note`: "), "{note:?} {found:?}");
    }
    for note in ["x\ny", "x\n1,2,3", "1,2"] {
        let workspace = workspace(note);
        assert_eq!(
            achieved(&workspace.verify(&format!("age,note\n10-19,\"{note}\"\n"))),
            "1/2..1/2",
            "{note:?}"
        );
    }
}

// holds: Nobody counts twice
#[test]
fn nobody_stands_in_t_twice() {
    let public = csv("age", (10..20).map(|age| age.to_string()));
    let mut twice = workspace(&public, "age,name\n12,\n13,x\n14,\n15,x\n");
    let refusal = twice.refusal();
    for part in [
        "private.csv, line 5, column `name`: ",
        "of line 3 is here again; 1 more",
        "1 of 1 repeated",
        "`first_by`",
    ] {
        assert!(refusal.contains(part), "{part}\n{refusal}");
    }
    twice.spec.attributes[1].repeated = palmtop::verify::Repeated::Shared { is_reasoned: false };
    assert_eq!(achieved(&twice.verify("age\n10-19\n10-19\n10-19\n10-19\n")), "2/5..2/5");

    let mut member = workspace("age,name,in,people\n12,x,yes,1\n13,x,no,2\n14,,yes,2\n", "");
    member.spec.private = PrivateSource::Member { column: "in".to_owned(), is: Vec::new() };
    member.spec.count = Some(super::people());
    assert_eq!(achieved(&member.verify("age\n10-19\n10-19\n10-19\n")), "3/5..3/5");
    member.write("public.csv", "age,name,in,people\n12,x,yes,2\n");
    assert!(member.refusal().starts_with("public.csv, line 2, column `name`: the row has"));
    member.write("public.csv", "age,name,in,people\n12,x,yes,1\n13,x,yes,1\n");
    assert!(member.refusal().contains("of line 2 is here again"));
    let missing = workspace(&public, "age\n12\n");
    assert!(missing.refusal().starts_with("private.csv: no column `name`"));
}

#[test]
fn a_person_has_the_values_that_p_counts() {
    let mut people = workspace("age,name,visit\n13,x,2\n12,x,1\n13,y,1\n", "age,name\n13,y\n13,x\n");
    people.spec.attributes[1].repeated = palmtop::verify::Repeated::FirstBy("visit".to_owned());
    let refusal = people.refusal();
    for part in ["private.csv, line 3, column `age`: ", "in line 3 (1 such person)", "first by `visit` in P"]
    {
        assert!(refusal.contains(part), "{part}\n{refusal}");
    }
    people.write("private.csv", "age,name\n12,x\n");
    assert_eq!(achieved(&people.verify("age\n10-19\n")), "1/2..1/2");
}

#[test]
fn membership_columns_are_never_written() {
    let mut workspace = workspace("age,name,in\n12,x,yes\n13,y,no\n", "");
    workspace.spec.private = PrivateSource::Member { column: "in".to_owned(), is: Vec::new() };
    workspace.spec.attributes.push(workspace.spec.attributes[0].clone());
    workspace.spec.attributes[2].name = "in".to_owned();
    workspace.spec.attributes[2].public_column = "in".to_owned();
    assert!(
        workspace.refusal().contains("attribute `in` names column `in`, which the project's `member` names")
    );
}

// holds: T is part of P
#[test]
fn people_are_counted_or_refused_and_never_capped() {
    let mut workspace = workspace("age,name,in,people\n12,,yes,4294967295\n13,,no,4294967295\n", "");
    workspace.spec.private = PrivateSource::Member { column: "in".to_owned(), is: Vec::new() };
    workspace.spec.count = Some(super::people());
    let findings = workspace.verify("age\n10-19\n");
    assert_eq!((findings.public, findings.private), (8_589_934_590, 4_294_967_295));
    workspace.write("public.csv", "age,name,in,people\n12,,yes,4294967295\n13,,yes,1\n");
    assert_eq!(workspace.refusal(), "public.csv: more than 4294967295 people; split the private table");
}

/// stdout shows no value in a finding; stderr shows the values.
// holds: No T in records
#[test]
fn texts_of_problems_hold_no_value_of_t() {
    let attributes =
        [quasi("age", "age.toml", AGE), other("secret id", Role::Identifier), other("note", Role::Sensitive)];
    let private = "age,secret id,note\n12,s1,VALUE one\n13,s2,VALUE two\n44,s3,VALUE three\n";
    let workspace = Workspace::new("age\n12\n13\n14\n45\n", private, ("0", "1"), &attributes);
    let releases = [
        "age,note\n10-19,VALUE 9\n40-49,VALUE three\n",
        "age,note\n10-19,VALUE one\n10-19,VALUE three\n12,VALUE two\nVALUE,VALUE\n",
        "age,note\n10-19,\"VALUE\n1,2\"\n\"[44, 12]\",x\n50-59,VALUE one\n",
        "VALUE,age,note\n1,10-19,x\n",
        "12,s1,VALUE one\n13,s2,VALUE two\n",
        "age,note\n10-19,VALUE\"x\n",
    ];
    let mut kinds = 0;
    for release in releases {
        for problem in workspace.verify(release).problems {
            let shown = problem.to_string();
            for value in ["VALUE", "`12`", "`13`", "`44`", "s1", "10-19", "50-59"] {
                assert!(!shown.contains(value), "{shown}");
            }
            kinds += usize::from(problem.details().is_some());
        }
    }
    assert!(kinds > 10, "{kinds}");
}

/// Runs the program in every format. The findings go to stdout; the values go to stderr, escaped.
#[test]
fn values_are_printed_escaped_on_stderr_only() {
    let attributes =
        [quasi("age", "age.toml", AGE), other("id", Role::Identifier), other("note", Role::Sensitive)];
    let private = "age,id,note\n12,s1,SECRET\u{1b}[31m one\n13,s2,SECRET two\n44,s3,SECRET three\n";
    let workspace = Workspace::new("age\n12\n13\n14\n45\n", private, ("0", "1"), &attributes);
    workspace.write(
        "project.toml",
        "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n[delta]\nmax = \"1\"\n\
         [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
         [[attribute]]\nname = \"id\"\nrole = \"identifier\"\n[[attribute]]\nname = \"note\"\nrole = \"sensitive\"\n",
    );
    workspace.write("release.csv", "age,note\n10-19,SECRET 9\n10-19,SECRET two\n40-49,SECRET three\n");
    for format in ["table", "json", "csv"] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_palmtop"))
            .args(["verify", "project.toml", "release.csv", "--format", format])
            .current_dir(workspace.folder.path())
            .output()
            .unwrap();
        let (out, err) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        assert_eq!(output.status.code(), Some(3), "{err}");
        assert!(out.contains("member of T is not in P"), "{out}");
        assert!(!out.contains("SECRET") && !out.contains("`44`"), "{out}");
        assert!(err.contains("SECRET 9") && err.contains("age `44`") && !err.contains('\u{1b}'), "{err}");
    }
}

#[cfg(unix)]
#[test]
fn only_regular_files_are_read() {
    let workspace = workspace("age\n12\n", "age,name\n12,x\n");
    let refused = |mut workspace: Workspace, path: &str| {
        workspace.spec.public = TableSource::of(workspace.path(path));
        workspace.refusal()
    };
    fs::create_dir(workspace.path("folder.csv")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", workspace.path("zero.csv")).unwrap();
    let made = std::process::Command::new("mkfifo").arg(workspace.path("pipe.csv")).status();
    for release in ["folder.csv", "zero.csv", "pipe.csv"] {
        if release != "pipe.csv" || made.as_ref().is_ok_and(std::process::ExitStatus::success) {
            let error = verify(&workspace.spec, &workspace.path(release)).unwrap_err();
            assert!(error.to_string().contains(&format!("{release}: this is not a regular file")), "{error}");
        }
    }
    assert!(refused(workspace, "zero.csv").contains("is not a regular file"));
}

/// Writes the columns as P in a format and T as CSV. Verifies `*` for one person.
fn typed(extension: &str, columns: &[(&str, Column)], age: &str) -> Result<Findings, VerifyError> {
    let listed = format!("\"{age}\";*\nother;*\n");
    let listed: &'static str = Box::leak(listed.into_boxed_str());
    let private = format!("age\n\"{age}\"\n");
    let mut workspace = Workspace::new("", &private, ("0", "1"), &[quasi("age", "age.csv", listed)]);
    let path = workspace.path(&format!("p.{extension}"));
    tables::write(&path, columns, 2);
    workspace.spec.public = TableSource::of(path);
    workspace.try_verify("age\n*\n")
}

fn twice<T: Copy>(kind: &DataType, number: T) -> Column
where
    Series: NamedFrom<Vec<Option<T>>, [Option<T>]>,
{
    tables::numbers(kind, [Some(number), Some(number)])
}

#[test]
fn typed_columns_with_unique_texts_are_read() {
    let good: [(Column, &str); 7] = [
        (twice(&DataType::Int8, 12_i8), "12"),
        (twice(&DataType::UInt64, u64::MAX), "18446744073709551615"),
        (Series::new("".into(), [true, true]), "true"),
        (twice(&DataType::Float64, 1.5), "1.5"),
        (tables::texts([Some("x\ny"), Some("x\ny")]), "x\ny"),
        (twice(&DataType::Date, 19_797), "2024-03-15"),
        (tables::texts([None::<&str>, None]), ""),
    ];
    for extension in ["parquet", "arrow"] {
        for (column, text) in &good {
            let findings = typed(extension, &[("age", column.clone())], text).unwrap();
            assert_eq!(achieved(&findings), "1/2..1/2", "{text}");
        }
    }
}

#[test]
fn an_unreadable_typed_column_is_named() {
    let age = || tables::texts([Some("x"), Some("x")]);
    let moment = DataType::Datetime(TimeUnit::Microseconds, None);
    let far_date = tables::numbers(&DataType::Date, [Some(i32::MAX), Some(0)]);
    let far_time = tables::numbers(&moment, [Some(i64::MAX), Some(0)]);
    let binary = Series::new("".into(), [&b"x"[..], b"x"]);
    let list = Series::new("".into(), [Series::new("".into(), [1, 2]), Series::new("".into(), [3])]);
    for extension in ["parquet", "arrow"] {
        for (column, what) in [(&binary, "Binary"), (&list, "List")] {
            let error = typed(extension, &[("age", column.clone())], "x").unwrap_err().to_string();
            assert!(error.contains("column `age`: values of type") && error.contains(what), "{error}");
        }
        for column in [&far_date, &far_time] {
            let error = typed(extension, &[("age", column.clone())], "x").unwrap_err();
            assert!(error.to_string().starts_with("cannot read "), "{error}");
        }
        for column in [&binary, &list, &far_date, &far_time] {
            let columns = [("unused", column.clone()), ("age", age())];
            assert!(typed(extension, &columns, "x").unwrap().is_faithful());
        }
    }
}

// holds: A panic is an error
#[test]
fn damaged_bytes_are_an_error_never_a_crash() {
    let attributes = [quasi("age", "age.toml", AGE)];
    let mut workspace = Workspace::new("", "age\n12\n", ("0", "1"), &attributes);
    let ages = [("age", tables::numbers(&DataType::Int32, [Some(12), Some(13), Some(14)]))];
    for extension in ["parquet", "arrow"] {
        let path = workspace.path(&format!("p.{extension}"));
        tables::write(&path, &ages, 2);
        let good = fs::read(&path).unwrap();
        workspace.spec.public = TableSource::of(path.clone());
        for position in 0..good.len() {
            let mut bytes = good.clone();
            bytes[position] ^= 0xff;
            fs::write(&path, &bytes).unwrap();
            let _ = workspace.try_verify("age\n*\n");
            fs::write(&path, &good[..position]).unwrap();
            assert!(workspace.try_verify("age\n*\n").is_err());
        }
    }
}
