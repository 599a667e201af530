//! Every message of the crate, on one page: errors, refused projects and hierarchies, and each kind
//! of finding in a release.

use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;

use palmtop_terms::message_page::block;
use palmtop_terms::words::chain;
use palmtop_terms::{assert_messages, one_of_each};
use tempfile::TempDir;

use crate::{Finding, FindingKind, OtherDelta, VerifyError, VerifySpec, verify};

const TABLES: &str =
    "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = 0\nmax = \"1/2\"\n";
const AGE: &str = "[[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n";
const TOWN: &str = "[[attribute]]\nname = \"town\"\nrole = \"quasi\"\nhierarchy = \"town.csv\"\n";
const ILLNESS: &str = "[[attribute]]\nname = \"illness\"\nrole = \"sensitive\"\n";
const ID: &str = "[[attribute]]\nname = \"id\"\nrole = \"identifier\"\n";

/// Ages 10 to 19 in two towns; T is four of these people.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let mut public = "age,town\n".to_owned();
    for age in 10..20 {
        writeln!(public, "{age},north a\n{age},south c").unwrap();
    }
    for (name, content) in [
        ("p.csv", public.as_str()),
        (
            "t.csv",
            "id,age,town,illness\n1,11,north a,flu\n2,13,north a,cold\n3,12,south c,flu\n4,18,south c,gout\n",
        ),
        ("age.toml", "type = \"interval\"\nwidths = [10]\n"),
        ("town.csv", "north a;north;*\nnorth b;north;*\nsouth c;south;*\n"),
        ("visits.csv", "id,age,town\n1,11,north a\n1,12,north a\n2,13,north a\n3,14,south c\n"),
    ] {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

/// The project of the release that the others spoil.
fn project() -> String {
    format!("{TABLES}{AGE}{TOWN}{ILLNESS}{ID}")
}

/// The project with pseudonyms instead of `id`.
fn pseudonyms() -> String {
    let id = format!("{ID}pseudonym = \"new\"\n");
    format!("{TABLES}{id}{AGE}{TOWN}{ILLNESS}")
}

/// A project of people with several rows.
fn visits(private: &str) -> String {
    let tables = TABLES.replace("t.csv", private).replace("p.csv", "visits.csv");
    format!("{tables}[[attribute]]\nname = \"id\"\nrole = \"entity\"\n{AGE}{TOWN}")
}

/// The messages about a release, with their values.
fn findings(folder: &Path, project: &str, release: &[u8]) -> Vec<Finding> {
    fs::write(folder.join("p.toml"), project).unwrap();
    fs::write(folder.join("r.csv"), release).unwrap();
    let spec = VerifySpec::of_project(&folder.join("p.toml"), OtherDelta::default()).unwrap();
    match verify(&spec, &folder.join("r.csv")) {
        Ok(findings) => findings.problems,
        Err(VerifyError::Unread { problems, .. }) => problems,
        Err(error) => panic!("{error}"),
    }
}

const GOOD: &str = "age,town,illness\n10-19,north,cold\n10-19,north,flu\n10-19,south,flu\n10-19,south,gout\n";

fn spoilt(replaced: &str, with: &str) -> (String, Vec<u8>) {
    assert!(GOOD.contains(replaced), "{replaced}");
    (project(), GOOD.replacen(replaced, with, 1).into_bytes())
}

fn letters(first: char) -> String {
    // 25 characters have 125 bits, and the last one has 3 more: `a` or one of a few others.
    format!("{}a", first.to_string().repeat(25))
}

/// A project and a release with a finding of this kind; `None` where such a file is too large for a
/// test, or has another format than CSV.
fn example(kind: FindingKind) -> Option<(String, Vec<u8>)> {
    let with = |column: &str, value: &str| {
        let rows = GOOD.lines().enumerate();
        let rows = rows.map(|(row, line)| format!("{},{line}\n", if row == 0 { column } else { value }));
        (project(), rows.collect::<String>().into_bytes())
    };
    let of_pseudonyms = |pseudonyms_of: [&str; 4]| {
        let mut rows: Vec<String> = pseudonyms_of
            .iter()
            .zip(GOOD.lines().skip(1))
            .map(|(pseudonym, line)| format!("{pseudonym},{line}\n"))
            .collect();
        rows.sort();
        (pseudonyms(), format!("id,{}\n{}", "age,town,illness", rows.concat()).into_bytes())
    };
    let [a, b, c, d] = ['a', 'b', 'c', 'd'].map(letters);
    let of_visits = |private: &str, pseudonyms: [&str; 3]| {
        let towns = ["north a"; 3];
        let mut rows: Vec<String> = pseudonyms
            .iter()
            .zip(towns)
            .map(|(pseudonym, town)| format!("{pseudonym},10-19,{town}\n"))
            .collect();
        rows.sort();
        (visits(private), format!("id,age,town\n{}", rows.concat()).into_bytes())
    };
    let tail = |keys: &str| format!("{TABLES}[policy]\n{keys}\n{AGE}{TOWN}{ILLNESS}{ID}");
    Some(match kind {
        FindingKind::Empty => (project(), Vec::new()),
        FindingKind::NotUtf8 => (project(), b"age,town,illness\n10-19,*,gr\xfcn\n".to_vec()),
        FindingKind::ByteOrderMark => spoilt("age,", "\u{feff}age,"),
        FindingKind::CarriageReturn => spoilt("cold\n", "cold\r\n"),
        FindingKind::NoLineEnd => spoilt("gout\n", "gout"),
        FindingKind::BlankLine => spoilt("10-19,north,flu\n", "\n10-19,north,flu\n"),
        FindingKind::StrayQuote => spoilt("north,flu", "\"nor\"th,flu"),
        FindingKind::TooLong => spoilt("cold", &"x".repeat(17 << 20)),
        FindingKind::TooManyRows | FindingKind::OtherBytes | FindingKind::OtherForm => return None,
        FindingKind::Spelling => spoilt("north,cold", "\"north\",cold"),
        FindingKind::RowInDisguise => spoilt("cold", "\"x\n10-19,north,y\""),
        FindingKind::Fields => spoilt("north,cold", "north,cold,"),
        FindingKind::Identifier => with("id", "1"),
        FindingKind::RawIdentifier => of_pseudonyms(["1", &b, &c, &d]),
        FindingKind::NoPseudonym => of_pseudonyms(["x", &b, &c, &d]),
        FindingKind::ForeignPseudonym => {
            let (project, release) = of_pseudonyms([&a, &b, &c, &d]);
            (project.replace("\"new\"", "{ key = \"KEY\", domain = \"study\" }"), release)
        }
        FindingKind::RepeatedPseudonym => of_pseudonyms([&a, &a, &c, &d]),
        FindingKind::ExtraColumn => with("people", "1"),
        FindingKind::RepeatedColumn => with("age", "*"),
        FindingKind::MissingColumn => (project(), b"age,town\n10-19,*\n".to_vec()),
        FindingKind::ColumnOrder => {
            (project(), b"town,age,illness\n*,*,cold\n*,*,flu\n*,*,flu\n*,*,gout\n".to_vec())
        }
        FindingKind::Unsorted => {
            spoilt("10-19,north,cold\n10-19,north,flu\n", "10-19,north,flu\n10-19,north,cold\n")
        }
        FindingKind::Unreadable => spoilt("10-19,north,cold", "10-14,north,cold"),
        FindingKind::BeyondLimits => {
            (format!("{}shape = \"kept\"\n", project().replace(TOWN, "") + TOWN), GOOD.as_bytes().to_vec())
        }
        FindingKind::Overlap => spoilt("north,cold", "north a,cold"),
        FindingKind::Unpublished => spoilt("10-19,north,cold\n10-19,north,flu\n", ""),
        FindingKind::Withdrawn => {
            let (_, release) = spoilt("10-19,north,cold\n10-19,north,flu\n", "");
            (tail("suppress_at_most = \"25%\""), release)
        }
        FindingKind::NotInPublic => (project().replace("p.csv", "few.csv"), GOOD.as_bytes().to_vec()),
        FindingKind::OtherRows => of_visits("changed.csv", [&a, &b, &c]),
        FindingKind::Linked => of_visits("two.csv", [&a, &b, &c]),
        FindingKind::Count => spoilt("10-19,north,cold\n", ""),
        FindingKind::Kept => spoilt("north,cold", "north,chill"),
        FindingKind::Nobody => spoilt("10-19,north,cold\n", "10-19,north b,cold\n10-19,north,cold\n"),
        FindingKind::AboveOne => (
            project().replace("t.csv", "many.csv"),
            b"age,town,illness\n11,north a,cold\n11,north a,flu\n".to_vec(),
        ),
        FindingKind::EmptyClass => {
            let project = project().replace(
                "[[attribute]]\nname = \"age\"",
                "[search]\nempty_regions = \"forbid\"\n[[attribute]]\nname = \"age\"",
            );
            let rows = "age,town,illness\n\"[10, 15]\",north,cold\n\"[10, 15]\",north,flu\n";
            (project, rows.as_bytes().to_vec())
        }
    })
}

const KINDS: [FindingKind; 34] = [
    FindingKind::Empty,
    FindingKind::NotUtf8,
    FindingKind::ByteOrderMark,
    FindingKind::CarriageReturn,
    FindingKind::NoLineEnd,
    FindingKind::BlankLine,
    FindingKind::StrayQuote,
    FindingKind::TooLong,
    FindingKind::Spelling,
    FindingKind::RowInDisguise,
    FindingKind::Fields,
    FindingKind::Identifier,
    FindingKind::RawIdentifier,
    FindingKind::NoPseudonym,
    FindingKind::ForeignPseudonym,
    FindingKind::RepeatedPseudonym,
    FindingKind::ExtraColumn,
    FindingKind::RepeatedColumn,
    FindingKind::MissingColumn,
    FindingKind::ColumnOrder,
    FindingKind::Unsorted,
    FindingKind::Unreadable,
    FindingKind::BeyondLimits,
    FindingKind::Overlap,
    FindingKind::Unpublished,
    FindingKind::Withdrawn,
    FindingKind::NotInPublic,
    FindingKind::OtherRows,
    FindingKind::Linked,
    FindingKind::Count,
    FindingKind::Kept,
    FindingKind::Nobody,
    FindingKind::AboveOne,
    FindingKind::EmptyClass,
];

/// The first finding of each kind: its text, and the values that go to stderr only.
fn of_releases() -> String {
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("few.csv"), "age,town\n11,north a\n12,south c\n13,north a\n").unwrap();
    fs::write(at("many.csv"), "id,age,town,illness\n1,11,north a,flu\n2,11,north a,cold\n").unwrap();
    fs::write(at("two.csv"), "id,age,town\n1,11,north a\n1,12,north a\n2,13,north a\n").unwrap();
    fs::write(at("changed.csv"), "id,age,town\n1,11,north a\n1,12,north a\n2,14,north a\n").unwrap();
    let keys = tempfile::tempdir().unwrap();
    let key = keys.path().join("k.key");
    fs::write(&key, (0..32).collect::<Vec<u8>>()).unwrap();
    std::process::Command::new("chmod").arg("600").arg(&key).status().unwrap();
    // A new kind is the last one, and has to be in the list.
    assert_eq!(KINDS.len() + 3, FindingKind::EmptyClass as usize + 1, "three kinds have no example");
    let mut told = Vec::new();
    for kind in KINDS {
        let Some((project, release)) = example(kind) else { continue };
        let project = project.replace("KEY", &key.display().to_string());
        let found = findings(folder.path(), &project, &release);
        let one = found.iter().find(|problem| problem.kind == kind);
        let Some(one) = one else { panic!("no {kind:?} among {found:?}") };
        let details = one.details().map(|details| format!(" | {details}")).unwrap_or_default();
        told.push((format!("{kind:?}"), format!("{one}{details}")));
    }
    let told: Vec<(&str, String)> =
        told.iter().map(|(name, message)| (name.as_str(), message.clone())).collect();
    block("Finding", &told)
}

/// Projects that are refused.
fn of_projects() -> String {
    let folder = folder();
    let path = folder.path().join("p.toml");
    let refused = [
        ("path = \"p.csv\"", "path = \"p.csv\"\ncuont = \"n\""),
        ("[delta]", "[deltas]\n[delta]"),
        ("max = \"1/2\"", "max = \"1/2\"\nmost = 1"),
        ("max = \"1/2\"\n", ""),
        ("max = \"1/2\"", "max = \"x\""),
        ("role = \"quasi\"", "role = \"secret\""),
        ("role = \"quasi\"", "role = \"quasi\"\nround = 5"),
        ("role = \"quasi\"", "role = \"quasi\"\nlevels = \"one\""),
        ("role = \"quasi\"", "role = \"quasi\"\nterms = 0"),
        ("role = \"quasi\"", "role = \"quasi\"\nborders = \"1\""),
        ("[delta]", "[search]\nrehearse = 32\n[delta]"),
        ("path = \"p.csv\"", "source = { snapshot = \"p.parquet\", dialect = \"spark\" }"),
        ("path = \"t.csv\"", ""),
        ("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"in\""),
        ("[delta]", "[delta"),
    ]
    .map(|(from, to)| {
        fs::write(&path, project().replacen(from, to, 1)).unwrap();
        let error = VerifySpec::of_project(&path, OtherDelta::default()).unwrap_err();
        ("", error.to_string().replace(&format!("{}/", folder.path().display()), ""))
    });
    block("ProjectError", &refused)
}

/// Inputs that are refused: what is replaced in the project, and other tables.
fn of_inputs() -> String {
    type Replaced = (&'static str, &'static str);
    let member = ("[private]\npath = \"t.csv\"", "");
    let is_member = ("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"in\"");
    let counted = ("path = \"p.csv\"", "path = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"");
    let counted_member =
        ("path = \"p.csv\"", "path = \"p.csv\"\ncount = \"n\"\ncounts = \"people\"\nmember = \"in\"");
    let policy = |keys: &'static str| ("[delta]", keys);
    let cases: Vec<(Vec<Replaced>, &str, &str)> = vec![
        (vec![counted], "p.csv", "age,town,n\n11,north a,-1\n"),
        (vec![member, is_member, (ILLNESS, "")], "p.csv", "id,age,town,in\n1,11,north a,Ja\n"),
        (vec![], "t.csv", "id,age,town,illness,x\n1,11,north a,flu,y\n"),
        (vec![], "t.csv", "id,age,illness\n1,11,flu\n"),
        (vec![("name = \"town\"", "name = \"town\"\nprivate_column = \"age\"")], "", ""),
        (vec![], "p.csv", "age,town,illness\n11,north a,flu\n"),
        (vec![], "p.csv", "\u{feff}\u{feff}age,town\n11,north a\n"),
        (vec![], "p.csv", "age,town\n11,nor\"th a\n"),
        (vec![], "p.csv", "age,town\n11,nor\"th a\n12,\"x\"y\n"),
        (vec![], "p.csv", "age,town\n11,\"north a\n"),
        (vec![], "p.csv", "age,town\n11,north\ra\n"),
        (vec![], "p.csv", "age,town\n\n11,north a\n"),
        (vec![], "p.csv", "age,town\n11\n"),
        (vec![], "p.csv", ""),
        (vec![], "p.csv", "age,age\n11,11\n"),
        (vec![], "p.csv", "age,town\n11,nowhere\n"),
        (vec![], "p.csv", "age,town\nx,north a\n"),
        (vec![], "t.csv", "id,age,town,illness\n1,11,north a,flu\n1,13,north a,cold\n"),
        (
            vec![("role = \"identifier\"", "role = \"identifier\"\nfirst_by = \"visit\"")],
            "p.csv",
            "id,age,town,visit\n1,11,north a,2\n1,12,north a,1\n2,13,north a,1\n3,12,south c,1\n4,18,south c,1\n",
        ),
        (vec![member, counted_member, (ILLNESS, "")], "p.csv", "id,age,town,n,in\n1,11,north a,2,yes\n"),
        (vec![policy("[policy]\nk = 0\n[delta]")], "", ""),
        (vec![policy("[policy]\nl = 2\n[delta]")], "", ""),
        (vec![policy("[policy]\nm = 2\n[delta]")], "", ""),
        (vec![policy("[policy]\nsuppress_at_most = \"100%\"\n[delta]")], "", ""),
        (vec![("hierarchy = \"age.toml\"", "hierarchy = \"age.toml\"\nlevels = \"0-3\"")], "", ""),
        (vec![("hierarchy = \"town.csv\"", "hierarchy = \"town.csv\"\nborders = 1")], "", ""),
    ];
    let refused = cases.into_iter().map(|(replaced, name, table)| {
        let folder = folder();
        let at = |name: &str| folder.path().join(name);
        if !name.is_empty() {
            fs::write(at(name), table).unwrap();
        }
        let text = replaced.iter().fold(project(), |text, (from, to)| text.replacen(from, to, 1));
        fs::write(at("p.toml"), text).unwrap();
        fs::write(at("r.csv"), GOOD).unwrap();
        let read = VerifySpec::of_project(&at("p.toml"), OtherDelta::default());
        let message = match read.map(|spec| verify(&spec, &at("r.csv"))) {
            Err(error) => error.to_string(),
            Ok(Err(error)) => chain(&error),
            Ok(Ok(_)) => panic!("{replaced:?} and {table:?} are accepted"),
        };
        ("", message.replace(&format!("{}/", folder.path().display()), ""))
    });
    block("an input", &refused.collect::<Vec<_>>())
}

fn of_errors() -> String {
    let of = Path::new;
    let finding = Finding::at_line(FindingKind::NotUtf8, 2, "not UTF-8; the rest of the file was not read");
    one_of_each!(VerifyError {
        Located =>
            VerifyError::io(of("p.csv"))(io::Error::from(io::ErrorKind::NotFound)),
            VerifyError::too_large(of("p.csv"), 1 << 30),
            VerifyError::hierarchy(of("h.csv"), Some(3), "value `a` already occurs in line 1"),
            VerifyError::no_hierarchy("age"),
            VerifyError::misspelt(of("p.csv"), "age", "x", "a plain decimal number".to_owned()),
            VerifyError::policy("k", "0", "a whole number from 1, in plain digits"),
            VerifyError::not_of_entities("id", "`count`");
        Unread => VerifyError::Unread { path: "r.csv".into(), problems: vec![finding] };
        Cancelled => VerifyError::Cancelled;
    })
}

#[test]
fn every_message_is_on_the_page() {
    let hierarchies = crate::labels::hierarchy::tests::refusals();
    let hierarchies: Vec<(&str, String)> =
        hierarchies.into_iter().map(|(_, message)| ("", message)).collect();
    assert_messages!(
        of_errors(),
        of_projects(),
        of_inputs(),
        of_releases(),
        block("a file of hierarchies", &hierarchies),
        block("a label", &crate::labels::denote::tests::refusals()),
    );
}
