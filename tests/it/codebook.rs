//! The code list of a release, worked by hand, and against the written files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::{self, copies, palmtop, sample};
use palmtop::codebook::{Codebook, Mapping, TextForm};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use palmtop::search::{Config, Strategy};
use serde_json::Value;

/// The columns of a table: the values of each column, row by row.
fn columns(path: &Path) -> BTreeMap<String, Vec<String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for record in reader.records() {
        for (name, value) in names.iter().zip(record.unwrap().iter()) {
            columns.entry(name.clone()).or_default().push(value.to_owned());
        }
    }
    columns
}

fn searched(analysis: &Analysis, strategy: Strategy) -> Release {
    let config = Config { rounds: Some(3), ..Config::default() };
    analysis.search(analysis.problem(), strategy, &config, &mut unwatched).release.unwrap()
}

/// n2 publishes the texts {4763*, 47903}, 47906 and 4897*, the ages *, [35, 42] and [33, 52],
/// and three texts of nations.
#[test]
fn the_papers_code_list_matches_a_hand_count() {
    let copy = copies(&["sample-data/paper", "hierarchies"]);
    let folder = copy.path().join("sample-data/paper");
    let run = |arguments: &str| palmtop(&folder, arguments.split_whitespace());
    run("anonymize paper.toml --strategy n2 -o out.csv --with codebook,mapping").expect(0, "");
    assert_eq!(
        fs::read_to_string(folder.join("out.codebook.csv")).unwrap(),
        "column,kind,text,form,means,except,count,people\n\
         zip,category,\"{4763*, 47903}\",set,\"4763*, 47903\",,3,4\n\
         zip,category,4763*,label,\"47630, 47633\",,2,3\n\
         zip,category,47906,value,47906,,1,2\n\
         zip,category,4897*,label,\"48970, 48972, 48973\",,3,3\n\
         age,number,*,label,18 to 63,,9,9\n\
         age,number,\"[33, 52]\",range,33 to 52,,5,5\n\
         age,number,\"[35, 42]\",range,35 to 42,,2,2\n\
         nationality,category,USA,value,USA,,1,2\n\
         nationality,category,\"{Canada, S. America}\",set,\"Canada, S. America\",,3,4\n\
         nationality,category,S. America,label,\"Peru, Brazil\",,2,3\n\
         nationality,category,Europe,label,\"Spain, Bulgaria, France\",,3,3\n"
    );
    let mapping = columns(&folder.join("out.mapping.csv"));
    let of_age_42: Vec<(&str, &str)> = (0..mapping["text"].len())
        .filter(|&row| mapping["column"][row] == "age" && mapping["value"][row] == "42")
        .map(|row| (mapping["text"][row].as_str(), mapping["people"][row].as_str()))
        .collect();
    assert_eq!(of_age_42, [("*", "1"), ("[33, 52]", "1"), ("[35, 42]", "1")]);
    // The same lists of the written file, in the other forms and in the report.
    run("report paper.toml out.csv --with codebook.json,mapping.json")
        .expect(0, "")
        .says("✓ VERIFIED: out.csv");
    run("report paper.toml out.csv -o r.json --for recipient").expect(0, "");
    let json = |name: &str| -> Value {
        serde_json::from_str(&fs::read_to_string(folder.join(name)).unwrap()).unwrap()
    };
    assert_eq!(json("r.json")["code_list"], json("out.codebook.json"));
    assert_eq!(json("out.codebook.json")["attributes"][1]["texts"][1]["ranges"][0]["low"], "33");
    assert_eq!(json("out.mapping.json")["attributes"][0]["values"][0]["value"], "47630");
    let codes = json("out.codebook.json");
    let are_disjoint = codes["attributes"].as_array().unwrap().iter().map(|own| own["disjoint"] == true);
    assert_eq!(are_disjoint.collect::<Vec<_>>(), [true, false, true]);
}

#[test]
fn a_wrong_code_list_ending_is_refused_early() {
    let copy = copies(&["sample-data/paper", "hierarchies"]);
    let folder = copy.path().join("sample-data/paper");
    let run = |arguments: &str| palmtop(&folder, arguments.split_whitespace());
    let base = "anonymize paper.toml --node 3,2,2 -o out.csv";
    let codes = folder.join("out.codebook.csv");
    run(&format!("{base} --with codebook.md")).expect(2, "may end in .csv or .json");
    fs::write(&codes, "mine").unwrap();
    fs::hard_link(&codes, folder.join("out.mapping.csv")).unwrap();
    run(&format!("{base} --with codebook,mapping")).expect(2, "name the same file");
    fs::remove_file(folder.join("out.mapping.csv")).unwrap();
    run(&format!("{base} --with codebook")).expect(1, "--force");
    assert!(!folder.join("out.csv").exists() && fs::read_to_string(&codes).unwrap() == "mine");
    run(&format!("{base} --with codebook,codebook.csv,codebook --force")).expect(0, "");
    // No derived name is an input: neither P, nor the written release.
    let project = fs::read_to_string(folder.join("paper.toml")).unwrap();
    fs::copy(folder.join("public.csv"), folder.join("p.mapping.csv")).unwrap();
    fs::write(folder.join("p.toml"), project.replace("\"public.csv\"", "\"p.mapping.csv\"")).unwrap();
    run("anonymize p.toml --node 3,2,2 -o p.csv --with mapping --force").expect(1, "never overwritten");
    fs::copy(folder.join("out.csv"), folder.join("r.codebook.csv")).unwrap();
    run("report paper.toml r.codebook.csv -o r.html --with codebook --force").expect(1, "never overwritten");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(fs::metadata(&codes).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // A file that breaks the policy has no code list.
    let done = run("report paper.toml out.csv -o no.html --with codebook --delta-min 0 --delta-max 1/100");
    done.expect(3, "were not written, because the release is refused");
    assert!(!folder.join("no.codebook.csv").exists());
    run("report paper.toml out.csv").expect(2, "--output");
}

#[test]
fn statements_that_load_a_release_go_with_it() {
    let copy = copies(&["sample-data/paper", "hierarchies"]);
    let folder = copy.path().join("sample-data/paper");
    let run = |arguments: &str| palmtop(&folder, arguments.split_whitespace());
    let statements = || fs::read_to_string(folder.join("out.sql")).unwrap();
    run("anonymize paper.toml --node 3,2,2 -o out.csv --with sql --dialect postgresql").expect(0, "");
    let of_anonymize = statements();
    assert!(of_anonymize.starts_with("CREATE TABLE \"out\" (\n  \"zip\" TEXT"), "{of_anonymize}");
    assert!(
        of_anonymize.contains("\\copy \"out\" (") && of_anonymize.contains("'out.csv'"),
        "{of_anonymize}"
    );
    run("report paper.toml out.csv --with sql --dialect postgresql --force").expect(0, "");
    assert_eq!(statements(), of_anonymize);
    run("report paper.toml out.csv --with sql --force").expect(0, "");
    assert!(statements().contains("VARCHAR("), "{}", statements());
    for (arguments, why) in [
        ("anonymize paper.toml --node 3,2,2 -o x.arrow --with sql", "databases load CSV"),
        ("report paper.toml x.parquet --with sql", "databases load CSV"),
        ("report paper.toml out.csv --with report", "`anonymize` writes it"),
        ("report paper.toml out.csv --dialect ansi", "--with"),
        ("anonymize paper.toml --step 0 -o x.csv --with transcript", "cannot be used with --step"),
    ] {
        run(arguments).expect(2, why);
    }
}

/// Every text of a release is in its code list, and else only labels; every value of P is in its mapping; people
/// add up; and the list of the release is that of its file.
#[test]
fn code_lists_map_released_texts_to_public_values() {
    let folder = tempfile::tempdir().unwrap();
    let analysis = Analysis::load(&sample("clinic/clinic.toml"), &Overrides::default()).unwrap();
    let problem = analysis.problem();
    let public = columns(&sample("clinic/public.csv"));
    for strategy in ["spalm", "best", "simulatable", "n2"] {
        let release = searched(&analysis, strategy.parse().unwrap());
        let path = folder.path().join("release.csv");
        let options = ExportOptions { force: true, ..ExportOptions::default() };
        pipeline::export::write(&analysis, &release, &path, options).unwrap();
        let read = pipeline::reading::read(&analysis, &path).unwrap();
        let (codes, mapping) =
            (Codebook::of_release(&analysis, &release), Mapping::of_release(&analysis, &release));
        assert_eq!(codes, Codebook::of_file(&analysis, &read).unwrap(), "{strategy}");
        assert_eq!(mapping, Mapping::of_file(&analysis, &read).unwrap(), "{strategy}");
        assert_eq!(release.metrics.readability, read.readability(problem), "{strategy}");
        let released = columns(&path);
        for (attribute, mapped) in codes.attributes.iter().zip(&mapping.attributes) {
            let column = &attribute.column;
            let expected: BTreeSet<&str> = released[column].iter().map(String::as_str).collect();
            let (texts, others): (Vec<_>, Vec<_>) =
                attribute.texts.iter().partition(|entry| expected.contains(entry.text.as_str()));
            assert_eq!(texts.len(), expected.len(), "{strategy} {column}");
            assert!(others.iter().all(|entry| entry.form == TextForm::Label), "{strategy} {others:?}");
            let mut people: BTreeMap<&str, u64> = BTreeMap::new();
            public[column].iter().for_each(|value| *people.entry(value).or_default() += 1);
            let known: BTreeMap<&str, u64> =
                mapped.values.iter().map(|entry| (entry.value.as_str(), entry.people)).collect();
            assert_eq!(known, people, "{strategy} {column}");
            for entry in &texts {
                let is_of_text = |value: &&palmtop::codebook::MappedValue| value.texts.contains(&entry.text);
                let values: Vec<_> = mapped.values.iter().filter(is_of_text).collect();
                assert_eq!(entry.people, values.iter().map(|value| value.people).sum::<u64>(), "{entry:?}");
                assert_eq!(entry.count, values.len() as u64, "{entry:?}");
                assert_eq!(entry.form == TextForm::Set, entry.text.starts_with('{'), "{entry:?}");
                assert!(entry.people > 0, "{entry:?}");
            }
            let most = mapped.values.iter().map(|entry| entry.texts.len()).max();
            assert_eq!(attribute.disjoint, most <= Some(1), "{strategy} {column}");
            // A node's texts are disjoint, so their people are P without those who match no text.
            if strategy == "spalm" {
                let covered: u64 = mapped
                    .values
                    .iter()
                    .filter(|entry| !entry.texts.is_empty())
                    .map(|entry| entry.people)
                    .sum();
                assert_eq!(texts.iter().map(|entry| entry.people).sum::<u64>(), covered, "{column}");
                assert!(attribute.disjoint, "{column}");
            }
        }
    }
}

/// The people that the project adds to P are members of T: the list does not count them, and has no
/// value that only they have.
#[test]
fn code_lists_omit_values_of_added_members() {
    let copy = copies(&["sample-data/paper", "hierarchies"]);
    let folder = copy.path().join("sample-data/paper");
    let run = |arguments: &str| palmtop(&folder, arguments.split_whitespace());
    let private = fs::read_to_string(folder.join("private.csv")).unwrap();
    fs::write(folder.join("private.csv"), format!("{private}z,48971,50,Spain\n")).unwrap();
    support::edit(
        &folder.join("paper.toml"),
        "path = \"private.csv\"",
        "path = \"private.csv\"\nnot_in_public = \"add\"",
    );
    run("anonymize paper.toml --node 3,2,2 -o out.csv --delta-min 0 --delta-max 1 --with codebook.json,mapping.json")
        .expect(0, "");
    for name in ["out.codebook.json", "out.mapping.json"] {
        let text = fs::read_to_string(folder.join(name)).unwrap();
        assert!(!text.contains("48971") && !text.contains("\"50\""), "{text}");
    }
    let codes: Codebook =
        serde_json::from_str(&fs::read_to_string(folder.join("out.codebook.json")).unwrap()).unwrap();
    let people =
        |entry: &palmtop::codebook::CodedAttribute| entry.texts.iter().map(|text| text.people).sum::<u64>();
    assert!(codes.attributes.iter().all(|entry| people(entry) == 9), "{codes:?}");
}
