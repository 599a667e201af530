//! Files that ARX wrote: `hierarchy import` gives the hierarchies that ARX builds.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

use std::fs;

use crate::common::{palmtop, root};

mod common;

fn file(name: &str) -> String {
    root("tests/arx").join(name).to_string_lossy().into_owned()
}

/// The labels of ARX as palmtop writes them: a release uses `[a, b]` and `{a, b}` itself.
fn renamed(arx: &str, range: &str) -> String {
    let label = |label: &str| match label.strip_prefix('[').and_then(|label| label.strip_suffix(']')) {
        Some(ends) => range.replace("LOW, HIGH", ends),
        None => label.trim_start_matches('{').trim_end_matches('}').to_owned(),
    };
    let line = |line: &str| line.split(';').map(label).collect::<Vec<_>>().join(";");
    arx.lines().map(|text| line(text) + "\n").collect()
}

#[test]
fn a_specification_becomes_the_hierarchy_that_arx_builds() {
    let folder = tempfile::tempdir().unwrap();
    for (name, summary) in [
        ("age", "120 values, 5 levels"),
        ("dose", "9 values, 4 levels"),
        ("zip", "4 values, 6 levels"),
        ("number", "4 values, 5 levels"),
        ("disease", "6 values, 4 levels"),
        ("score", "5 values, 4 levels"),
    ] {
        let target = format!("{name}.csv");
        let values = format!("{}:value", file(&format!("{name}-values.csv")));
        let specification = file(&format!("{name}.ahs"));
        let import = ["hierarchy", "import", &specification, "--values", &values, "-o", &target];
        palmtop(folder.path(), import).expect(0, "").says(&format!("{target}: {summary}"));
        let written = fs::read_to_string(folder.path().join(&target)).unwrap();
        let arx = fs::read_to_string(file(&format!("{name}-arx.csv"))).unwrap();
        assert_eq!(written, renamed(&arx, "[LOW, HIGH["), "{name}");
        palmtop(folder.path(), import).expect(1, "exists");
    }
}

#[test]
fn a_specification_becomes_a_rule_that_has_the_labels_of_arx() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["age", "dose"] {
        let target = format!("{name}.toml");
        let specification = file(&format!("{name}.ahs"));
        palmtop(folder.path(), ["hierarchy", "import", &specification, "-o", &target])
            .expect(0, "")
            .says("bands of numbers");
        // The rule, listed for the values, against ARX's own list.
        let values = file(&format!("{name}-values.csv"));
        fs::copy(&values, folder.path().join("private.csv")).unwrap();
        let project = format!(
            "[public]\npath = {values:?}\n[private]\npath = \"private.csv\"\n[delta]\nmax = 1\n\
             [[attribute]]\nname = \"value\"\nrole = \"quasi\"\nhierarchy = {target:?}\n"
        );
        fs::write(folder.path().join("p.toml"), project).unwrap();
        palmtop(folder.path(), ["hierarchy", "export", "p.toml", "value", "-o", "list.csv", "--force"])
            .expect(0, "");
        let listed = fs::read_to_string(folder.path().join("list.csv")).unwrap();
        let arx = fs::read_to_string(file(&format!("{name}-arx.csv"))).unwrap();
        assert_eq!(listed, renamed(&arx, "[LOW, HIGH["), "{name}");
    }
    let (zip, values) = (file("zip.ahs"), format!("{}:value", file("zip-values.csv")));
    palmtop(folder.path(), ["hierarchy", "import", &zip, "--values", &values, "-o", "zip.toml"])
        .expect(0, "");
    let mask = fs::read_to_string(folder.path().join("zip.toml")).unwrap();
    assert_eq!(mask, "type = \"mask\"\nlength = 5\nfrom = \"right\"\ncharacter = \"#\"\n");
    palmtop(folder.path(), ["hierarchy", "import", &file("day.ahs"), "-o", "day.toml"])
        .expect(0, "dates have the form dd.MM.yyyy: write `date = \"%d.%m.%Y\"` under the attribute");
    let date = fs::read_to_string(folder.path().join("day.toml")).unwrap();
    assert_eq!(date, "type = \"date\"\nlevels = [\"month\", \"quarter\", \"year\", \"decade\"]\n");
    palmtop(folder.path(), ["hierarchy", "import", &file("disease.ahs"), "-o", "disease.toml"])
        .expect(0, "")
        .says("6 values, 4 levels");
    palmtop(folder.path(), ["hierarchy", "check", "disease.toml"]).expect(0, "");
}

#[test]
fn what_has_no_counterpart_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let (number, values) = (file("number.ahs"), format!("{}:value", file("number-values.csv")));
    fs::write(folder.path().join("not.ahs"), "a;b;*\n").unwrap();
    fs::write(folder.path().join("other.csv"), "value\ncold\nmeasles\n").unwrap();
    for (arguments, message) in [
        (
            vec![file("week.ahs"), "-o".into(), "a.toml".into()],
            "the granularity WEEK_YEAR: palmtop has no counterpart",
        ),
        (vec![file("priority.ahs"), "-o".into(), "a.toml".into()], "a priority-based hierarchy"),
        (vec![file("zip.ahs"), "-o".into(), "a.toml".into()], "add --values TABLE:COLUMN"),
        (vec![file("age.ahs"), "-o".into(), "a.csv".into()], "add --values TABLE:COLUMN"),
        (
            vec![file("day.ahs"), "--values".into(), values.clone(), "-o".into(), "a.csv".into()],
            "write a .toml file",
        ),
        (vec![number, "--values".into(), values, "-o".into(), "a.toml".into()], "different lengths"),
        (vec!["not.ahs".into(), "-o".into(), "a.toml".into()], "no Java object stream of version 5"),
        (
            vec![
                file("disease.ahs"),
                "--values".into(),
                "other.csv:value".into(),
                "-o".into(),
                "a.csv".into(),
            ],
            "does not have the value `measles`",
        ),
        (vec![file("age.ahs"), "-o".into(), "a.txt".into()], "-o needs a name that ends in .toml or .csv"),
    ] {
        let words = ["hierarchy".to_owned(), "import".to_owned()].into_iter().chain(arguments);
        let done = palmtop(folder.path(), words);
        assert!(done.status != 0, "{}", done.err);
        assert!(done.err.contains(message), "{message}\n{}", done.err);
    }
    assert!(!folder.path().join("a.toml").exists() && !folder.path().join("a.csv").exists());
}

#[test]
fn a_csv_hierarchy_of_arx_is_translated_with_readable_labels() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("arx.csv"), "1;[0, 5];{a, b}\n2;[0, 5];{a, b}\n7;[5, 10];{c}\n").unwrap();
    palmtop(folder.path(), ["hierarchy", "import", "arx.csv", "-o", "new.csv"])
        .expect(0, "6 cells read as a range or a set of a release, and are renamed")
        .says("new.csv: 3 values, 4 levels");
    let written = fs::read_to_string(folder.path().join("new.csv")).unwrap();
    assert_eq!(written, "1;0 to 5;a, b;*\n2;0 to 5;a, b;*\n7;5 to 10;c;*\n");
    palmtop(folder.path(), ["hierarchy", "import", "arx.csv", "-o", "new.toml"]).expect(0, "");
    palmtop(folder.path(), ["hierarchy", "check", "new.toml"]).expect(0, "").says("levels 0 to 3");
}
