//! Files that ARX wrote: `hierarchy import` translates its hierarchies, and `init` its projects.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::support::{palmtop, root};

fn file(name: &str) -> String {
    root("tests/arx").join(name).to_string_lossy().into_owned()
}

/// The labels of ARX as palmtop writes them: a release uses `[a, b]` and `{a, b}` itself.
fn renamed(arx: &str) -> String {
    let label = |label: &str| match label.strip_prefix('[').and_then(|label| label.strip_suffix(']')) {
        Some(ends) => ends.replace(", ", " to "),
        None => label.trim_start_matches('{').trim_end_matches('}').to_owned(),
    };
    let line = |line: &str| line.split(';').map(label).collect::<Vec<_>>().join(";");
    arx.lines().map(|text| line(text) + "\n").collect()
}

// holds: ARX is data
#[test]
fn a_csv_file_that_arx_wrote_is_imported() {
    let folder = tempfile::tempdir().unwrap();
    for (name, summary) in [("age", "120 values, 5 levels"), ("score", "5 values, 4 levels")] {
        let (source, target) = (file(&format!("{name}-arx.csv")), format!("{name}.csv"));
        let import = ["hierarchy", "import", &source, "-o", &target];
        palmtop(folder.path(), import).expect(0, "are renamed").says(&format!("{target}: {summary}"));
        assert_eq!(text(folder.path(), &target), renamed(&fs::read_to_string(&source).unwrap()), "{name}");
        palmtop(folder.path(), import).expect(1, "exists");
    }
    fs::write(folder.path().join("values.csv"), "value\n8\n11\n").unwrap();
    let wrong =
        ["hierarchy", "import", &file("score-arx.csv"), "--values", "values.csv:value", "-o", "new.csv"];
    palmtop(folder.path(), wrong).expect(1, "1 value that hierarchy new.csv lacks");
    let wrong = ["hierarchy", "import", &file("score-arx.csv"), "-o", "new.txt"];
    palmtop(folder.path(), wrong).expect(2, "-o needs a name that ends in .toml or .csv");
    assert!(!folder.path().join("new.csv").exists());
}

// holds: ARX is data
#[test]
fn a_specification_is_refused_with_the_remedy() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("age.ahs"), [0xac, 0xed, 0, 5]).unwrap();
    palmtop(folder.path(), ["hierarchy", "import", "age.ahs", "-o", "age.toml"])
        .expect(1, "age.ahs: a hierarchy specification of ARX, which is not read")
        .expect(1, "in ARX, export the hierarchy as a CSV file, and import that");
    assert!(!folder.path().join("age.toml").exists());
}

#[test]
fn an_arx_csv_hierarchy_gets_readable_labels() {
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

/// A folder with the projects of ARX.
fn projects() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["study.deid", "whole.deid"] {
        fs::copy(file(name), folder.path().join(name)).unwrap();
    }
    folder
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

// holds: ARX gives the quasi
#[test]
fn an_arx_project_is_proposed_searched_and_verified() {
    let folder = projects();
    let init = ["init", "study.deid", "T.csv", "-o", "study.toml", "--yes"];
    let done = palmtop(folder.path(), init);
    done.expect(0, "study-public.csv: written, 20 rows with age, sex, zip")
        .expect(0, "T.csv: written, 7 rows with age, sex, zip, diagnosis, visits")
        .expect(0, "P and T do not have the identifying columns of ARX: `name`")
        .expect(0, "the privacy model `grassberger-entropy-2.0-diversity for attribute 'diagnosis'` is not carried over")
        .says("δ         0 to 1/2; |T|/|P| = 7/20 = 0.350000: ✓ feasible");
    // P is public: it has nothing of the subset's own columns, and no names.
    let public = text(folder.path(), "study-public.csv");
    assert!(public.starts_with("age,sex,zip\n31,female,47901\n"), "{public}");
    assert_eq!(public.lines().count(), 21);
    let private = text(folder.path(), "T.csv");
    assert!(private.starts_with("age,sex,zip,diagnosis,visits\n31,female,47901,asthma,3\n"), "{private}");
    assert!(private.ends_with("52,male,53705,none,1\n") && private.lines().count() == 8, "{private}");
    for name in ["T.csv", "study-public.csv"] {
        assert_eq!(fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let project = text(folder.path(), "study.toml");
    for part in [
        "# Settings come from study.deid of ARX 3.9.2.\n",
        "# δ is that of study.deid of ARX 3.9.2.\n",
        "[delta]\nmin = \"0\"\nmax = \"0.5\"\n",
        "[policy]\nk = 2\n",
        "levels = \"-2\"\nweight = 2\n",
        "hierarchy = \"study-hierarchies/zip.csv\"\nkind = \"category\"\nlevels = \"1-\"\n",
        "name = \"diagnosis\"\nrole = \"sensitive\"",
        "name = \"visits\"\nrole = \"insensitive\"",
    ] {
        assert!(project.contains(part), "{part}\n{project}");
    }
    // Nothing of T is in the project or in its hierarchies.
    assert!(!project.contains("angina") && !project.contains("undecided"), "{project}");
    assert!(text(folder.path(), "study-hierarchies/age.csv").starts_with("30;30 to 34;30 to 39;*\n"));

    palmtop(folder.path(), ["check", "study.toml"]).expect(0, "");
    let anonymize = ["anonymize", "study.toml", "--strategy", "n2", "-o", "release.csv"];
    palmtop(folder.path(), anonymize).expect(0, "");
    palmtop(folder.path(), ["verify", "study.toml", "release.csv"]).expect(0, "").says("δ-present");

    // T is never overwritten, whatever is permitted.
    palmtop(folder.path(), init.into_iter().chain(["--force"]))
        .expect(0, "the research subset is not used: the file for T is there, and is read");
    assert_eq!(text(folder.path(), "T.csv"), private);
}

// holds: ARX gives the quasi
#[test]
fn without_an_arx_subset_t_must_be_named() {
    let folder = projects();
    let refused = |arguments: &[&str], message: &str| {
        let before = names(folder.path());
        let done = palmtop(folder.path(), ["init", "--yes"].iter().chain(arguments));
        assert!(done.status != 0, "{arguments:?}");
        assert!(done.err.contains(message), "{message}\n{}", done.err);
        assert_eq!(names(folder.path()), before, "{arguments:?}");
    };
    let target = ["-o", "p.toml"];
    refused(&[&["whole.deid"], &target[..]].concat(), "the project has no research subset");
    refused(&[&["whole.deid", "T.csv"], &target[..]].concat(), "the project has no research subset");
    let study = ["study.deid"];
    refused(&[&study[..], &target].concat(), "name a new CSV file for it after the project");
    refused(&[&study[..], &["T.txt"], &target].concat(), "the new file for T needs a name that ends in .csv");
    refused(&[&study[..], &["p-public.csv"], &target].concat(), "two files would have this name");
    refused(
        &[&study[..], &["T.csv", "--set", "public.separator=;"], &target].concat(),
        "--set public.separator: this table comes from the project of ARX",
    );
    refused(&[&study[..], &["T.csv", "--role", "diagnosis=quasi"], &target].concat(), "P lacks the column");
    refused(
        &[&study[..], &["T.csv", "--role", "zpi=identifier"], &target].concat(),
        "the project has no column `zpi`",
    );
    refused(&[&study[..], &["--public", "T.csv"], &target].concat(), "cannot be used with");
    fs::write(
        folder.path().join("T.csv"),
        "name,age,sex,zip,note\nAda,31,female,47901,a\nEdda,41,female,47906,b\n",
    )
    .unwrap();

    let init = ["init", "whole.deid", "T.csv", "-o", "p.toml", "--yes"];
    palmtop(folder.path(), init)
        .expect(3, "p-public.csv: written, 20 rows with age, sex, zip")
        .expect(3, "the suppression limit 1 is not carried over");
    let project = text(folder.path(), "p.toml");
    assert!(project.contains("name = \"name\"\nrole = \"identifier\""), "{project}");
    // A column that ARX does not know stays an open question.
    assert!(project.contains("name = \"note\"") && project.contains("role = \"undecided\""), "{project}");
}

// holds: ARX gives the quasi
#[test]
fn a_damaged_project_of_arx_writes_nothing() {
    let folder = projects();
    let whole = fs::read(file("study.deid")).unwrap();
    for length in [0, 100, whole.len() / 2, whole.len() - 30] {
        fs::write(folder.path().join("study.deid"), &whole[..length]).unwrap();
        let before = names(folder.path());
        let init = ["init", "study.deid", "T.csv", "-o", "study.toml", "--yes"];
        palmtop(folder.path(), init).expect(1, "ARX project study.deid: no ZIP archive");
        assert_eq!(names(folder.path()), before);
    }
}

/// Writes `study.deid` with other texts in `input/config.xml`.
fn configured(path: &Path, texts: &[(&str, &str)]) {
    let mut study = ZipArchive::new(File::open(file("study.deid")).unwrap()).unwrap();
    let mut writer = ZipWriter::new(File::create(path).unwrap());
    for index in 0..study.len() {
        let mut part = study.by_index(index).unwrap();
        let (name, mut content) = (part.name().unwrap().into_owned(), Vec::new());
        part.read_to_end(&mut content).unwrap();
        if name == "input/config.xml" {
            let mut text = String::from_utf8(content).unwrap();
            for (old, new) in texts {
                assert!(text.contains(old), "{old}");
                text = text.replace(old, new);
            }
            content = text.into_bytes();
        }
        writer.start_file(name.as_str(), SimpleFileOptions::default()).unwrap();
        writer.write_all(&content).unwrap();
    }
    writer.finish().unwrap();
}

#[test]
fn only_arx_models_that_palmtop_has_are_kept() {
    let folder = tempfile::tempdir().unwrap();
    let of = "for attribute &apos;diagnosis&apos;</criterion>";
    let criteria = format!(
        "<criterion>(11)-map</criterion><criterion>distinct-2-diversity {of}\
         <criterion>0.9-closeness with equal ground-distance {of}\
         <criterion>0.9-closeness with ordered distance {of}\
         <criterion>0.9-closeness with hierarchical ground-distance {of}<criterion>2-anonymity"
    );
    let changes = [
        ("<criterion>2-anonymity", criteria.as_str()),
        ("grassberger-entropy-2.0", "shannon-entropy-1.5"),
        ("Outliers>0.0", "Outliers>0.25"),
        ("<weight>1.0", "<weight>0.75"),
        ("(0.0,0.5)", "(0.0,1.0E-4)"),
    ];
    configured(&folder.path().join("study.deid"), &changes);
    let init = ["init", "study.deid", "T.csv", "-o", "study.toml", "--yes"];
    palmtop(folder.path(), init)
        .expect(3, "`0.9-closeness with ordered distance for attribute 'diagnosis'` is not carried over")
        .expect(3, "because the hierarchy of a sensitive column has values of T");
    let project = text(folder.path(), "study.toml");
    for part in [
        "max = \"0.0001\"\n",
        "[policy]\nk_map = 11\nk = 2\nsuppress_at_most = \"0.25\"\n\
         l = { entropy = 1.5, distinct = 2, of = \"diagnosis\" }\nt = { at_most = \"0.9\", of = \"diagnosis\" }\n",
        "weight = 3\n",
        "weight = 2\n",
    ] {
        assert!(project.contains(part), "{part}\n{project}");
    }
}

#[test]
fn decided_roles_apply_before_tables_are_written() {
    let folder = projects();
    let run = |arguments: &str| palmtop(folder.path(), arguments.split(' '));
    let init = "init study.deid --yes";
    run(&format!("{init} --role zip=identifier --private T.csv -o one.toml")).expect(0, "");
    for table in ["one-public.csv", "T.csv"] {
        let header = text(folder.path(), table).lines().next().unwrap().to_owned();
        assert!(header.starts_with("age,sex") && !header.contains("zip"), "{table}: {header}");
    }
    // P has only quasi-identifiers, so a column of it may become one of T alone.
    run(&format!("{init} --role age=sensitive --private T2.csv -o two.toml")).expect(0, "");
    let public = text(folder.path(), "two-public.csv");
    assert!(public.starts_with("sex,zip"), "{public}");
    assert!(text(folder.path(), "T2.csv").contains("age"));
}
