//! From two raw tables to a verified release, as a shell does it: `init --yes`, `check`,
//! `anonymize`, `verify`.

#[path = "../../examples/registry/mod.rs"]
#[expect(clippy::duplicate_mod, reason = "each example is complete, so both have the dice")]
mod registry;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, Done, palmtop as run};
use tempfile::TempDir;

/// Runs `check`, `anonymize` and `verify` on a proposed project.
fn release(folder: &Path) {
    run(folder, ["check", "project.toml"]).expect(0, "");
    run(folder, ["anonymize", "project.toml", "--strategy", "spalm", "-o", "release.csv"])
        .expect(0, "written and verified");
    run(folder, ["verify", "project.toml", "release.csv"]).expect(0, "");
}

fn sample(name: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let from = support::sample(name);
    for table in ["public.csv", "private.csv"] {
        fs::copy(from.join(table), folder.path().join(table)).unwrap();
    }
    folder
}

const SAMPLE: [&str; 8] =
    ["init", "--public", "public.csv", "--private", "private.csv", "--yes", "-o", "project.toml"];

/// The arguments of `SAMPLE`, and these roles for the columns that only T has.
fn decided(roles: &[&'static str]) -> Vec<&'static str> {
    SAMPLE.into_iter().chain(roles.iter().flat_map(|role| ["--role", role])).collect()
}

/// The texts of a column of a table without quotes.
fn column(path: &Path, name: &str) -> BTreeSet<String> {
    let text = fs::read_to_string(path).unwrap();
    let text = text.trim_start_matches('\u{feff}').replace("\r\n", "\n");
    let mut lines = text.lines();
    let header = lines.next().unwrap();
    let separator = if header.contains(';') { ';' } else { ',' };
    let position = header.split(separator).position(|column| column == name).unwrap();
    lines.map(|line| line.split(separator).nth(position).unwrap().to_owned()).collect()
}

/// All files that `init` wrote: the project and the hierarchies in its folder.
fn written(folder: &Path) -> Vec<String> {
    let mut files: Vec<PathBuf> = vec![folder.join("project.toml")];
    if let Ok(entries) = fs::read_dir(folder.join("project-hierarchies")) {
        files.extend(entries.map(|entry| entry.unwrap().path()));
    }
    files.iter().map(|file| fs::read_to_string(file).unwrap()).collect()
}

/// Whether a text contains the word between two characters that are not letters or digits.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |character: Option<char>| character.is_some_and(char::is_alphanumeric);
    text.match_indices(word).any(|(at, _)| {
        !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next())
    })
}

#[track_caller]
fn assert_absent(folder: &Path, values: impl IntoIterator<Item = String>) {
    let written = written(folder);
    let mut looked_at = 0;
    for value in values {
        looked_at += 1;
        for text in &written {
            assert!(!has_word(text, &value), "{value:?} stands in\n{text}");
        }
    }
    assert!(looked_at > 0);
}

// holds: No T in proposals
#[test]
fn the_clinic_needs_no_edit() {
    let folder = sample("clinic");
    let done = run(folder.path(), decided(&["patient=identifier", "diagnosis=sensitive"]));
    done.expect(0, "δmax 0.08");
    assert_eq!(done.err.matches("palmtop: ").count(), 1, "only δ is open: {}", done.err);
    release(folder.path());
    // Sets stay short, and the ends of ages are shared by many people.
    let project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    let limit = |attribute: &str| {
        let is_named = |section: &&str| section.contains(&format!("name = \"{attribute}\""));
        let section = project.split("[[attribute]]").find(is_named);
        let is_limit = |line: &&str| line.starts_with("terms") || line.starts_with("borders");
        section.and_then(|section| section.lines().find(is_limit)?.split(" #").next())
    };
    for (attribute, expected) in [
        ("zip", "terms = 3"),
        ("age", "borders = 1"),
        ("sex", "terms = 3"),
        ("education", "terms = 3"),
        ("occupation", "terms = 3"),
        ("nationality", "terms = 3"),
    ] {
        assert_eq!(limit(attribute), Some(expected), "{attribute}");
    }
    assert!(!project.contains("cuts ="), "{project}");
    let private = folder.path().join("private.csv");
    assert_absent(
        folder.path(),
        column(&private, "patient").into_iter().chain(column(&private, "diagnosis")),
    );
}

#[test]
fn the_papers_table_needs_no_edit() {
    let folder = sample("paper");
    run(folder.path(), decided(&["person=identifier"])).expect(0, "δmax 7/9");
    release(folder.path());
}

#[test]
fn adult_needs_no_edit() {
    let data =
        std::env::var_os("PALMTOP_DATA").map_or_else(|| PathBuf::from("../shared/data"), PathBuf::from);
    let Ok(data) = data.join("adult-45222").canonicalize() else {
        eprintln!("skipped: there is no adult-45222 in {}; set PALMTOP_DATA", data.display());
        return;
    };
    let path = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let (public, private, hierarchies) =
        (path("adult_45222.csv"), path("private_random.csv"), path("hierarchies"));
    for more in [&[][..], &["--hierarchies", &hierarchies]] {
        let folder = tempfile::tempdir().unwrap();
        let arguments = ["init", "--public", &public, "--private", &private, "--yes", "-o", "project.toml"];
        let arguments = [&arguments[..], &["--role", "id=identifier"]].concat();
        let done = run(folder.path(), [&arguments[..], more].concat());
        done.expect(0, "δmax 0.087");
        assert_eq!(done.err.matches("palmtop: ").count(), 1, "only δ is open: {}", done.err);
        release(folder.path());
        let project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
        assert_eq!(project.matches("role = \"quasi\"").count(), 9);
        assert_eq!(project.matches("role = \"identifier\"").count(), 1);
        assert_eq!(more.is_empty(), folder.path().join("project-hierarchies").is_dir());
    }
}

fn dirty() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    registry::write(folder.path()).unwrap();
    folder
}

const DIRTY: [&str; 13] = [
    "init",
    "--public",
    "register.csv",
    "--private",
    "patients.csv",
    "--yes",
    "--force",
    "--role",
    "patient=identifier",
    "--role",
    "diagnosis=sensitive",
    "-o",
    "project.toml",
];

// holds: No T in proposals
#[test]
fn init_names_ambiguities_without_values_of_t() {
    let folder = dirty();
    let done = run(folder.path(), DIRTY);
    // Only the analyst can decide about the patient who occurs twice.
    done.expect(1, "project.toml is written, but is not complete yet");
    for (named, remedy) in [
        (
            "`patient`: identifier: 1 value is in several rows of patients.csv, 1 more rows than people (rows 1 and 206 ",
            "`distinct = true`",
        ),
        (
            "`zip`: codes of 5 digits have lost leading zeros: 0 distinct codes of P, 5 of T",
            "export the column as text",
        ),
        ("`sex`: P has 1 value(s) in two spellings (\"Female\" and \"female\"), and ", "delete `values`"),
        ("people of T are not in P with their values (rows ", "`not_in_public` under [private]"),
        ("`born`: 5 value(s) in 5 row(s) of T are not in P", "P cannot hide people whom it does not have"),
        ("δmax 0.11", "`palmtop advise`"),
    ] {
        let line = done.err.lines().find(|line| line.contains(named));
        let line = line.unwrap_or_else(|| panic!("{named:?} is not in\n{}", done.err));
        assert!(line.contains(remedy), "{line}");
    }
    let project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    for key in [
        "not_in_public = \"drop\"",
        "date = \"%d.%m.%Y\"",
        "missing = [\"NA\"]",
        "number = \"1234,5\"",
        "[attribute.private]\nnumber = \"1234.5\"",
        "trim = true",
        "\"1067\" = \"01067\"",
        "\"Male\" = \"male\"",
    ] {
        assert!(project.contains(key), "{key:?} is not in\n{project}");
    }
    let patients = folder.path().join("patients.csv");
    let secret = ["patient", "diagnosis"].into_iter().flat_map(|name| column(&patients, name));
    let public = column(&folder.path().join("register.csv"), "born");
    let born: Vec<String> = column(&patients, "born").difference(&public).cloned().collect();
    assert_eq!(born.len(), registry::STRANGERS as usize);
    assert_absent(folder.path(), secret.chain(born));
}

#[test]
fn dirty_tables_are_released_without_the_repeated_row() {
    let folder = dirty();
    let patients = folder.path().join("patients.csv");
    let text = fs::read_to_string(&patients).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    fs::write(&patients, lines[..lines.len() - 1].concat()).unwrap();
    let done = run(folder.path(), DIRTY);
    done.expect(0, "5 of 205 people of T are not in P");
    release(folder.path());
    let released = fs::read_to_string(folder.path().join("release.csv")).unwrap();
    assert_eq!(released.lines().count(), 1 + registry::PATIENTS);
}

/// Two files in windows-1252 and one in UTF-8. A column without an order has marks for missing
/// values.
#[test]
fn files_in_mixed_encodings_become_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let table = |rows: std::ops::Range<u32>, head: &str, tail: &str| {
        let mut text = format!("ort;klasse;alter{head}\r\n");
        for row in rows {
            let town = ["M\u{fc}nchen", "K\u{f6}ln", "Berlin"][row as usize % 3];
            let class = ["A", "B", ""][row as usize / 3 % 3];
            text.push_str(&format!("{town};{class};{}{tail}\r\n", 20 + row % 7));
        }
        text
    };
    let latin =
        |text: &str| text.chars().map(|character| u8::try_from(character).unwrap()).collect::<Vec<_>>();
    fs::write(folder.path().join("p-1.csv"), latin(&table(0..90, "", ""))).unwrap();
    fs::write(folder.path().join("p-2.csv"), latin(&table(90..126, "", ""))).unwrap();
    fs::write(folder.path().join("t.csv"), table(30..42, ";befund", ";positiv")).unwrap();
    let init = |settings: &[&str]| {
        let arguments =
            ["init", "--public", "p-*.csv", "--private", "t.csv", "--yes", "--force", "-o", "project.toml"];
        run(folder.path(), [&arguments[..], &["--role", "befund=sensitive"], settings].concat())
    };
    let done = init(&[]);
    done.expect(
        0,
        "p-1.csv is not UTF-8 (line 2), and is read as windows-1252 (\"M\u{fc}nchen\", \"K\u{f6}ln\")",
    );
    let project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    for key in ["path = [\"p-1.csv\", \"p-2.csv\"]\nencoding = \"windows-1252\"", "missing = [\"\"]"] {
        assert!(project.contains(key), "{key:?} is not in\n{project}");
    }
    assert_eq!(project.matches("encoding").count(), 1, "T is UTF-8");
    release(folder.path());
    assert!(fs::read_to_string(folder.path().join("release.csv")).unwrap().contains("K\u{f6}ln"));

    assert!(!init(&["--set", "public.encoding=windows-1252"]).expect(0, "").err.contains("not UTF-8"));
    init(&["--set", "public.encoding=latin-1"]).expect(2, "`latin-1` is gone: write `windows-1252`");
    init(&["--set", "public.encodding=utf-8"])
        .expect(2, "expected separator, quote, encoding, sheet, header_row");
    init(&["--set", "encoding=utf-8"]).expect(2, "expected public.KEY=VALUE");
    init(&["--set", "public.sheet=2024"]).expect(1, "`sheet` applies only to workbooks");
}

/// `init --yes` marks each choice that it made, and does not mark a decision of the analyst (N1,
/// N6).
// holds: A person decides
#[test]
fn only_undecided_roles_are_marked() {
    let folder = sample("clinic");
    let text = || fs::read_to_string(folder.path().join("project.toml")).unwrap();
    let done = run(folder.path(), SAMPLE);
    done.expect(0, "`diagnosis`: only T has it; people share values")
        .expect(0, "the role of `diagnosis` is not decided");
    assert_eq!(text().matches("role = \"undecided\"").count(), 1, "{}", text());
    let section = text();
    let section = section
        .split("[[attribute]]")
        .find(|section| section.contains("name = \"diagnosis\""))
        .unwrap()
        .to_owned();
    assert!(section.contains("role = \"undecided\" # published unchanged\n"), "{section}");

    let forced = |role: &'static str| {
        let done = decided(&["diagnosis=insensitive", role]);
        run(folder.path(), [&done[..], &["--force"]].concat())
    };
    let done = forced("patient=identifier");
    done.expect(0, "");
    assert!(!text().contains("undecided") && text().contains("role = \"insensitive\""), "{}", text());
    assert!(!done.err.contains("`diagnosis`") && !done.err.contains("`patient`"), "{}", done.err);

    forced("patient=quasi")
        .expect(2, "--role patient=quasi: P lacks the column, so its role is withheld or sensitive or");
    forced("age=sensitive").expect(2, "--role age=sensitive: P has the column");
    forced("ages=quasi").expect(2, "no such column; its columns are patient,");
    forced("age").expect(2, "expected COLUMN=ROLE, such as diagnosis=sensitive");
    forced("age=secret").expect(2, "expected COLUMN=ROLE");
}

/// If a project publishes a column whose name is nearly the name of a column of P, it gets a
/// caution.
#[test]
fn published_namesakes_of_public_columns_are_cautioned() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let rows = |line: fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    write("p.csv", &format!("age_group,zip\n{}", rows(|row| format!("{},{}\n", row % 7, 10 + row % 5), 70)));
    write(
        "t.csv",
        &format!(
            "Age group,zip\n{}",
            rows(|row| format!("{},{}\n", ["young", "old"][row % 2], 10 + row % 5), 20)
        ),
    );
    write("zip.csv", "10;*\n11;*\n12;*\n13;*\n14;*\n");
    write(
        "project.toml",
        "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmin = \"0\"\nmax = \"1/2\"\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
         [[attribute]]\nname = \"Age group\"\nrole = \"sensitive\"\n",
    );
    let checked = run(folder.path(), ["check", "project.toml", "--format", "json"]);
    let checked: serde_json::Value = serde_json::from_str(&checked.out).unwrap();
    let cautions = checked["cautions"].as_array().unwrap();
    let caution = cautions
        .iter()
        .find(|caution| caution["key"] == "named_alike" && caution["subject"] == "Age group")
        .unwrap();
    let sentence =
        "Except for case and separators, it has the same name as column `age_group` of the public table";
    assert!(caution["sentence"].as_str().unwrap().contains(sentence), "{caution}");
}

/// A column of ages with one text is still a column of ages, and the proposed project loads.
#[test]
fn a_number_column_with_one_text_still_loads() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let rows = |line: fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    let public = rows(
        |row| format!("{},{}\n", if row % 9 == 0 { String::new() } else { (row % 60).to_string() }, row % 5),
        600,
    );
    let private = rows(
        |row| {
            format!("{},{}\n", if row % 9 == 0 { "unk".to_owned() } else { (row % 60).to_string() }, row % 5)
        },
        60,
    );
    write("p.csv", &format!("age,zone\n{public}"));
    write("t.csv", &format!("Age,zone\n{private}"));
    let init = ["init", "--public", "p.csv", "--private", "t.csv", "--yes", "-o", "project.toml"];
    run(folder.path(), init).expect(
        0,
        "\"unk\" (row 1 of T, in 7 rows) is unlike the other values, and is read as a missing value",
    );
    let project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    assert!(
        project.contains("missing = [\"\", \"unk\"]") && project.contains("kind = \"number\""),
        "{project}"
    );
    // If the project lacks the line, the error gives it, for unusual texts too.
    for (spelling, text) in [("unk", "unk"), ("unk", "ask her")] {
        let table = fs::read_to_string(folder.path().join("t.csv")).unwrap();
        write("t.csv", &table.replace(spelling, text));
        write("other.toml", &project.replace(", \"unk\"", ""));
        let done = run(folder.path(), ["check", "other.toml"]);
        assert_ne!(done.status, 0, "{}", done.err);
        assert!(
            done.err.contains(&format!("missing = [\"{text}\"]"))
                || done.err.contains(&format!("\"{text}\"]")),
            "{}",
            done.err
        );
    }
}

/// One value of T that P lacks explains why people are missing.
#[test]
fn init_says_which_value_explains_missing_people() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    let rows = |line: fn(usize) -> String, count: usize| (0..count).map(line).collect::<String>();
    write(
        "p.csv",
        &format!(
            "town,zone\n{}",
            rows(|row| format!("{},{}\n", ["Rome", "Oslo", "Bern"][row % 3], row % 5), 600)
        ),
    );
    write(
        "t.csv",
        &format!(
            "town,zone\n{}",
            rows(
                |row| format!(
                    "{},{}\n",
                    if row % 9 == 0 { "Unknown" } else { ["Rome", "Oslo", "Bern"][row % 3] },
                    row % 5
                ),
                90
            )
        ),
    );
    let init = ["init", "--public", "p.csv", "--private", "t.csv", "--yes", "-o", "project.toml"];
    let done = run(folder.path(), init);
    let line = done.err.lines().find(|line| line.contains("10 of 90 people of T are not in P")).unwrap();
    assert!(
        line.contains("the text \"Unknown\" of `town` that P does not have explains 10 of them"),
        "{line}"
    );
}

/// Free text, names, telephone numbers, addresses, days and case numbers that only T has are
/// withheld (N1, N6).
// holds: A person decides
#[test]
fn columns_naming_people_are_withheld_and_not_printed() {
    let folder = tempfile::tempdir().unwrap();
    let (mut public, mut private) = (
        "age,sex\n".to_owned(),
        "age,sex,remark,doctor,phone,mail,admitted,case_no,enrolled,illness\n".to_owned(),
    );
    for row in 0..240 {
        let (age, sex) = (20 + row % 40, ["f", "m"][(row * row / 3 + row / 5) % 2]);
        public.push_str(&format!("{age},{sex}\n"));
        if row < 40 {
            let name = format!(
                "Mar{}",
                "abcdefghij".repeat(1 + row / 10).chars().skip(row % 10).collect::<String>()
            );
            let (day, ill) = (1 + row % 28, ["flu", "asthma", "none"][row % 3]);
            private.push_str(&format!(
                "{age},{sex},seen with wife on day {row},{name} Lee,(317) 555-0{row:03},u{row}@x.org,2024-01-{day:02},C-{row},yes,{ill}\n"
            ));
        }
    }
    fs::write(folder.path().join("public.csv"), public).unwrap();
    fs::write(folder.path().join("private.csv"), &private).unwrap();
    let done = run(folder.path(), SAMPLE);
    done.expect(0, "");
    let text = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    let role = |name: &str| {
        let section = text
            .split("[[attribute]]")
            .find(|section| section.contains(&format!("name = \"{name}\"")))
            .unwrap();
        section.split("role = \"").nth(1).unwrap().split('"').next().unwrap().to_owned()
    };
    for name in ["remark", "doctor", "phone", "mail", "admitted", "case_no"] {
        assert!(["identifier", "withheld"].contains(&role(name).as_str()), "{name}\n{text}");
        assert!(done.err.contains(&format!("`{name}`: only T has it; ")), "{name}\n{}", done.err);
    }
    assert!(done.err.contains("`enrolled`: only T has it; all 40 rows have the same value"), "{}", done.err);
    assert_eq!((role("enrolled"), role("illness")), ("undecided".to_owned(), "undecided".to_owned()));
    assert_eq!(text.matches("role = \"undecided\"").count(), 2);
    for value in ["seen with", "Lee", "555", "x.org", "2024-01", "C-1", "asthma"] {
        assert!(!done.err.contains(value) && !done.out.contains(value) && !text.contains(value), "{value}");
    }
}

/// Proposes a project from tables in which P has age and sex, and T has one more column.
fn with_column(texts: &[String]) -> (TempDir, Done, String) {
    let folder = tempfile::tempdir().unwrap();
    let (mut public, mut private) = ("age,sex\n".to_owned(), "age,sex,extra\n".to_owned());
    for row in 0..texts.len() * 5 {
        let (age, sex) = (20 + row % 40, ["f", "m"][(row * row / 3 + row / 5) % 2]);
        public.push_str(&format!("{age},{sex}\n"));
        if let Some(text) = texts.get(row) {
            private.push_str(&format!("{age},{sex},\"{text}\"\n"));
        }
    }
    fs::write(folder.path().join("public.csv"), public).unwrap();
    fs::write(folder.path().join("private.csv"), private).unwrap();
    let done = run(folder.path(), SAMPLE);
    done.expect(0, "");
    let project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    let project =
        project.split("[[attribute]]").find(|section| section.contains("name = \"extra\"")).unwrap();
    (folder, done, project.to_owned())
}

/// A few cells that may be names of people are enough for a question. If a project publishes them,
/// it gets a caution (N6).
#[test]
fn cells_that_may_name_somebody_are_a_caution() {
    for (trace, every, sentence) in [
        ("Mr Hill", 5, "40 of 200 cells hold what looks like a name with a title"),
        ("wife called 555-0134", 5, "40 of 200 cells hold what looks like a telephone number"),
        ("(317) 555-0100", 10, "20 of 200 cells hold what looks like a telephone number"),
        ("12 Main Street", 20, "10 of 200 cells hold what looks like a street address"),
        ("her brother says that she fell again", 50, "4 of 200 cells hold what looks like free text"),
    ] {
        let texts: Vec<String> = (0..200)
            .map(|row| if row % every == 0 { trace } else { ["ok", "none"][row % 2] }.to_owned())
            .collect();
        let (folder, done, project) = with_column(&texts);
        assert!(project.contains("role = \"withheld\""), "{trace}: {project}");
        assert!(done.err.contains(&format!("`extra`: only T has it; {sentence}")), "{trace}: {}", done.err);
        assert!(!done.err.contains(trace) && !project.contains(trace), "{trace}: {}", done.err);

        let forced = run(folder.path(), [&decided(&["extra=sensitive"])[..], &["--force"]].concat());
        forced.expect(0, "");
        let checked = run(folder.path(), ["check", "project.toml", "--format", "json"]);
        let checked: serde_json::Value = serde_json::from_str(&checked.out).unwrap();
        let cautions = checked["cautions"].as_array().unwrap();
        let is_about =
            |caution: &&serde_json::Value| caution["key"] == "safe_harbor" && caution["subject"] == "extra";
        let found = cautions.iter().find(is_about).unwrap()["sentence"].as_str().unwrap();
        assert!(found.contains(sentence) && !found.contains(trace), "{trace}: {found}");
    }
}

/// A number that does not depend on the age and sex of its row.
fn shuffled(row: u64) -> usize {
    usize::try_from((row + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40).unwrap()
}

#[test]
fn ordinary_columns_raise_no_alarm() {
    let tables: [&[&str]; 10] = [
        &["C34.1", "E11.9", "I10", "J44.0", "M54.5"],
        &[
            "Type 2 diabetes mellitus without complications",
            "chronic obstructive pulmonary disease with acute exacerbation",
            "Essential (primary) hypertension",
            "Major depressive disorder, single episode",
        ],
        &["New York", "St. Louis", "Salt Lake City", "Los Angeles", "Fort St. John", "Bad Homburg"],
        &["0-999", "1000-1999", "500-1000", "100-2499", "20000-29999"],
        &["47906-1234", "47907-0012", "10001-9999", "02138-4207"],
        &["0002-3227-30", "50580-600-02", "0069-2587-68"],
        &["250-1000 mg daily", "3 times a day", "2 x 500 mg", "between 500-1000 ml"],
        &["120/80", "135/85", "110/70", "2010-2014", "1990/1994"],
        &[
            "Prof-specialty",
            "Exec-managerial",
            "Senior Sales Manager",
            "Road Worker Grade 2",
            "MR Angiography",
        ],
        &[
            "lives with his mother",
            "I do not wish to answer",
            "Strongly agree with the statement",
            "2 or more",
        ],
    ];
    for texts in tables {
        let texts: Vec<String> =
            (0..200_u64).map(|row| texts[shuffled(row) % texts.len()].to_owned()).collect();
        let (folder, done, project) = with_column(&texts);
        assert!(project.contains("role = \"undecided\""), "{project}\n{}", done.err);
        assert!(done.err.contains("only T has it; people share values"), "{}", done.err);
        let checked = run(folder.path(), ["check", "project.toml"]);
        assert!(!(checked.out + &checked.err).contains("look"), "{}", texts[1]);
    }
}

/// A column that reveals a proposed quasi-identifier is withheld until the analyst decides. The
/// figures are printed (N1).
// holds: A person decides
#[test]
fn a_betraying_column_is_proposed_as_withheld() {
    let folder = tempfile::tempdir().unwrap();
    let (mut public, mut private) =
        ("income,sex\n".to_owned(), "income,sex,earnings_class,blood\n".to_owned());
    for row in 0_usize..2_000 {
        let (income, sex) = (1_000 * (10 + row * 7 % 60), ["f", "m"][row % 2]);
        public.push_str(&format!("{income},{sex}\n"));
        if row % 8 == 0 {
            let blood = ["A", "B", "0", "AB"][(row / 8 * 13 + row / 24) % 4];
            private.push_str(&format!("{income},{sex},{},{blood}\n", income / 3_000));
        }
    }
    fs::write(folder.path().join("public.csv"), public).unwrap();
    fs::write(folder.path().join("private.csv"), private).unwrap();
    let text = || fs::read_to_string(folder.path().join("project.toml")).unwrap();
    let section = || {
        text().split("[[attribute]]").find(|section| section.contains("earnings_class")).unwrap().to_owned()
    };
    run(folder.path(), SAMPLE)
        .expect(0, "`earnings_class`: it gives `income` away in 250 of the 250 rows of T");
    assert!(text().contains("role = \"withheld\" # never published\n"), "{}", text());
    assert_eq!(text().matches("role = \"undecided\"").count(), 1, "`blood` gives nothing away\n{}", text());
    // A decision of the analyst stays, and the output mentions it.
    let done = decided(&["earnings_class=sensitive"]);
    let done = run(folder.path(), [&done[..], &["--force"]].concat());
    done.expect(0, "`earnings_class` gives `income` away");
    assert!(section().contains("role = \"sensitive\""), "{}", text());
}

// holds: All or none
#[test]
fn init_replaces_only_by_force_and_never_inputs() {
    let folder = sample("paper");
    run(folder.path(), SAMPLE).expect(0, "");
    let before = written(folder.path());
    run(folder.path(), SAMPLE).expect(1, "exists");
    assert_eq!(written(folder.path()), before);
    // If one hierarchy file exists already, no file is written.
    fs::remove_file(folder.path().join("project.toml")).unwrap();
    run(folder.path(), SAMPLE).expect(1, "exists");
    assert!(!folder.path().join("project.toml").exists());
    let forced: Vec<&str> = SAMPLE.into_iter().chain(["--force"]).collect();
    run(folder.path(), &forced).expect(0, "");
    let onto_input = [
        "init",
        "--public",
        "public.csv",
        "--private",
        "private.csv",
        "--yes",
        "--force",
        "-o",
        "public.csv",
    ];
    run(folder.path(), onto_input).expect(1, "never overwritten");
}

#[test]
fn tables_without_common_columns_or_members_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    put("p.csv", "age,town\n1,Rome\n2,Oslo\n");
    put("t.csv", "diagnosis\nflu\n");
    let init = ["init", "--public", "p.csv", "--private", "t.csv", "--yes", "-o", "x.toml"];
    run(folder.path(), init).expect(1, "share no column");
    let rows: Vec<String> = (0..60).map(|nth| format!("street {}\n", nth * 7 % 60)).collect();
    put("p2.csv", &format!("address\n{}", rows.concat()));
    put("t2.csv", &format!("address\n{}", rows[..20].concat()));
    let init = ["init", "p2.csv", "t2.csv", "--yes", "-o", "x.toml"];
    run(folder.path(), init).expect(1, "share `address`").expect(1, "`--role address=quasi`");
    run(folder.path(), ["init", "--public", "p.csv", "--yes", "-o", "x.toml"]).expect(1, "--member");
    put("m.csv", "age,town,in_study\n1,Rome,yes\n2,Oslo,no\n3,Oslo,no\n3,Rome,no\n");
    run(folder.path(), ["init", "--public", "m.csv", "--yes", "-o", "m.toml"])
        .expect(0, "`in_study`: it has yes or no");
    assert!(!folder.path().join("x.toml").exists());
}

#[test]
fn hierarchies_are_built_checked_and_exported_for_arx() {
    let folder = sample("clinic");
    let in_folder = |arguments: &[&str]| run(folder.path(), arguments);
    in_folder(&SAMPLE).expect(0, "");
    let built = in_folder(&["hierarchy", "build", "public.csv:age", "-o", "age.toml"]);
    assert_eq!(built.expect(0, "").out, "age.toml: bands of 5, 10, 20, then * (99 values, number)\n");
    in_folder(&["hierarchy", "build", "public.csv:age", "-o", "age.toml"]).expect(1, "exists");
    in_folder(&["hierarchy", "build", "public.csv:age", "--levels", "9", "-o", "b.toml"])
        .expect(1, "at most");
    in_folder(&["hierarchy", "build", "public.csv:sex", "--kind", "number", "-o", "b.toml"])
        .expect(1, "is not a number");
    in_folder(&["hierarchy", "build", "public.csv", "-o", "b.toml"]).expect(2, "people.csv:age");
    let checked = in_folder(&["hierarchy", "check", "age.toml", "--values", "public.csv:age"]);
    assert!(checked.expect(0, "").out.contains("has all 99 values of public.csv:age"), "{}", checked.out);
    in_folder(&["hierarchy", "check", "age.toml", "--values", "public.csv:sex"])
        .expect(1, "hierarchy age.toml lacks");
    fs::write(folder.path().join("broken.csv"), "a;x;*\nb;y;*\nc;x;+\n").unwrap();
    in_folder(&["hierarchy", "check", "broken.csv"]).expect(1, "a label must have one parent");
    let outline = in_folder(&["hierarchy", "check", "project-hierarchies/sex.csv"]);
    assert!(outline.expect(0, "").out.contains("levels 0 to 1, 4 values"), "{}", outline.out);

    let shown = in_folder(&["check", "project.toml", "--attribute", "age", "--format", "csv"]);
    let people = |line: &str| line.rsplit(',').next().and_then(|people| people.parse::<u32>().ok());
    let of_level = shown.expect(0, "").out.lines().filter(|line| line.starts_with("4,"));
    assert_eq!(of_level.filter_map(people).sum::<u32>(), 20_000, "{}", shown.out);
    in_folder(&["check", "project.toml", "--attribute", "agee"]).expect(2, "there are zip, age");

    // After an export and an import, the hierarchies are the same, and so are all verdicts.
    let lattice = |project: &str| in_folder(&["lattice", project, "--format", "csv"]).out;
    let before = lattice("project.toml");
    let mut project = fs::read_to_string(folder.path().join("project.toml")).unwrap();
    for attribute in ["zip", "age", "education"] {
        let target = format!("{attribute}-arx.csv");
        in_folder(&["hierarchy", "export", "project.toml", attribute, "-o", &target]).expect(0, "");
        let ending = if attribute == "education" { "csv" } else { "toml" };
        project = project.replace(&format!("project-hierarchies/{attribute}.{ending}"), &target);
    }
    fs::write(folder.path().join("again.toml"), project).unwrap();
    assert!(before.lines().count() > 100);
    assert_eq!(lattice("again.toml"), before);
}
