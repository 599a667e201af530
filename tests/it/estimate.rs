//! Estimates for a P that is not fully known, as a shell sees them. Commands that judge presence
//! refuse a sample.

use std::fs;

use crate::support::{self, Done, keys, palmtop, root};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder with two zip codes of a population, of which P is a sample.
struct Town {
    folder: TempDir,
}

impl Town {
    /// The sample of 2,000 people has 40 people of 47906 and 10 of 48970. T has two people of
    /// 47906, one of 48970, and one of 47903, who is missing in the sample.
    fn new(sample_of: Option<u64>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        write("p.csv", &format!("zip\n{}{}", "47906\n".repeat(40), "48970\n".repeat(10)));
        write("t.csv", "zip,remark\n47906,x\n47906,x\n48970,x\n47903,x\n");
        fs::copy(root("hierarchies/zip.toml"), folder.path().join("zip.toml")).unwrap();
        let sample_of = sample_of.map_or_else(String::new, |of| format!("sample_of = {of}\n"));
        write(
            "town.toml",
            &format!(
                "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n{sample_of}[delta]\nmax = \"1/10\"\n\
                 [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.toml\"\n\
                 [[attribute]]\nname = \"remark\"\nrole = \"sensitive\"\n"
            ),
        );
        Self { folder }
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        support::edit(&self.folder.path().join(name), from, to);
    }

    fn files(&self) -> usize {
        fs::read_dir(self.folder.path()).unwrap().count()
    }

    /// Runs palmtop in the folder. Blanks separate the arguments.
    fn run(&self, arguments: &str) -> Done {
        palmtop(self.folder.path(), arguments.split_whitespace().map(|part| part.replace('␣', " ")))
    }
}

/// T has two of the values, so there are two combinations at level 0 and one at the top.
#[test]
fn uniqueness_if_combinations_are_equally_likely() {
    let town = Town::new(None);
    town.edit("t.csv", "47903,x\n", "");
    let evenly = |node: &str| {
        let run = town.run(&format!("estimate town.toml --population 40 --node {node} --format json"));
        let evenly = &run.expect(0, "").json()["evenly"];
        assert_eq!(keys(evenly), ["combinations", "share_unique", "expected_unique"]);
        let figure = |key: &str| evenly[key].as_f64().unwrap();
        (evenly["combinations"].clone(), figure("share_unique"), figure("expected_unique"))
    };
    for (node, combinations) in [("0", 2.0), ("5", 1.0)] {
        let (found, share, people) = evenly(node);
        assert_eq!(found.as_f64(), Some(combinations));
        let expected = (-40.0 / combinations).exp();
        assert!((share / expected - 1.0).abs() < 1e-9 && (people / (40.0 * expected) - 1.0).abs() < 1e-9);
    }
    let text = town.run("estimate town.toml --population 40 --node 5");
    text.says("evenly      1 combination of labels: if people were spread evenly over them, 0 (0.0000 %)");
}

// holds: No sample for the population
#[test]
fn no_verdict_takes_a_sample_for_the_population() {
    let town = Town::new(Some(2_000));
    let files = town.files();
    for command in [
        "check town.toml",
        "check town.toml --format json",
        "classes town.toml",
        "classes town.toml --strategy n1",
        "lattice town.toml",
        "anonymize town.toml --strategy best --budget 1rounds -o out.csv",
        "anonymize town.toml --node 5 -o out.csv --accept not_present=the␣test␣needs␣it",
        "compare town.toml --strategy n1",
        "audit town.toml --strategy n1",
        "compose town.toml t.csv p.csv",
        "verify town.toml t.csv",
        "advise town.toml --prior 1/2 --misuse 1/10",
        "check town.toml --attribute zip",
    ] {
        let done = town.run(command);
        done.expect(1, "cannot be used with `sample_of`: a sample lacks most people of the population");
        done.expect(1, "`palmtop estimate` gives estimates");
        assert_eq!((done.out.as_str(), town.files()), ("", files), "{command}");
    }
}

/// Computed by hand: c = 0.95 and three classes with members, so ε = 0.05/3 = 1/60. For 40 people
/// in a sample of 50 of 2,000, the bound is the least F with P(X ≥ 40) > 1/60. Unit tests check the
/// bound of each class.
#[test]
fn a_sample_bounds_presence_from_above() {
    let town = Town::new(Some(2_000));
    let done = town.run("estimate town.toml --format json");
    let json = done.expect(0, "").json();
    let expected = [
        "is_estimate",
        "project",
        "node",
        "classes",
        "members",
        "population",
        "sampling",
        "sample",
        "presence",
        "k_map",
        "uniques",
        "evenly",
        "rows",
    ];
    assert_eq!(keys(&json), expected);
    assert_eq!(json["sample"], json!({ "people": 50, "population": 2_000, "members_not_sampled": 1 }));
    assert_eq!((&json["members"], &json["classes"]), (&4.into(), &3.into()));
    // The worst class is first. A person who is not in the sample may be the only one of this
    // class.
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows[0]["labels"]["zip"], "47903");
    assert_eq!(
        (&rows[0]["sampled"], &rows[0]["population_at_least"], &rows[0]["presence_at_most"]),
        (&0.into(), &1.into(), &"1".into())
    );
    assert_eq!((&rows[1]["labels"]["zip"], &rows[1]["sampled"]), (&"48970".into(), &10.into()));
    let at_least = rows[1]["population_at_least"].as_u64().unwrap();
    assert!((150..350).contains(&at_least), "400 would be the plug-in estimate: {at_least}");
    assert_eq!(json["presence"]["at_most"], "1");
    assert_eq!(json["presence"]["above"], json!({ "classes": 1, "members": 1 }));
    let text = town.run("estimate town.toml");
    text.says("estimates   no verdict").says("1 class with 1 member has a bound above δmax 1/10");
    assert!(!text.out.contains('✓') && !text.out.contains('✗'), "{}", text.out);

    // One level coarser, one class has everybody of 4790*.
    let json = town.run("estimate town.toml --levels 1 --format json").json();
    assert_eq!((&json["node"], &json["classes"]), (&json!([1]), &2.into()));
    assert_eq!(json["presence"]["above"]["classes"], 0);
    // More confidence gives a wider bound. If the sample is the complete population, the bound is
    // exact.
    let least = |arguments: &str| {
        let json = town.run(&format!("estimate town.toml --format json --levels 1 {arguments}")).json();
        json["rows"][0]["population_at_least"].as_u64().unwrap()
    };
    assert!(least("--confidence .999") < least("") && least("") < least("--confidence .5"));
    town.edit("town.toml", "sample_of = 2000", "sample_of = 51");
    assert_eq!(least(""), 10);
    town.edit("town.toml", "sample_of = 51", "sample_of = 50");
    town.run("estimate town.toml")
        .expect(1, "a population of 50 people is too small: 51 people of it are known");
}

// holds: No sample for the population
#[test]
fn delta_is_never_inferred_from_t_alone() {
    let town = Town::new(None);
    town.edit("t.csv", "47903,x\n", "");
    let done = town.run("estimate town.toml --population 40 --k-map 5 --format json");
    let json = done.expect(0, "").json();
    // π = 3/40: λ = 0.375, P(X ≥ 2) = 0.055 and P(X ≥ 3) = 0.0067.
    assert_eq!(json["k_map"]["least_size"], json!({ "poisson": 3, "truncated": 3 }));
    assert_eq!(json["k_map"]["short"]["poisson"], json!({ "classes": 2, "members": 3 }));
    assert_eq!((&json["presence"], &json["sample"]), (&Value::Null, &Value::Null));
    assert_eq!(json["uniques"]["from"], "T");
    town.run("estimate town.toml --population 40").says("presence    none: δ is never inferred from T alone");
    for asked in ["--delta-max .1", "--delta-min .1"] {
        let done = town.run(&format!("estimate town.toml --population 40 {asked}"));
        done.expect(2, "δ is never inferred from T");
        assert_eq!(done.out, "");
    }
    town.run("estimate town.toml").expect(2, "give --population N");
    town.run("estimate town.toml --population 2").expect(2, "3 people of it are known");
    town.run("estimate town.toml --population 40 --confidence 1.5").expect(2, "1.5");
    town.run("estimate town.toml --population 40 --k-map 0").expect(2, "k = 0 is not possible");
    town.run("estimate town.toml --population 40 --node 9").expect(2, "level 9 at position 1");
    let sampled = Town::new(Some(2_000));
    sampled.run("estimate town.toml --population 40").expect(2, "the project says `sample_of = 2000`");
    sampled.run("estimate town.toml --confidence .3").expect(2, "the confidence 0.3 is not possible");
    sampled
        .run("estimate town.toml --delta-min .1")
        .expect(2, "`estimate` bounds presence from above only, and cannot judge δmin");
}

#[test]
fn population_uniques_are_estimated_by_every_method() {
    let town = Town::new(None);
    let json = town.run("estimate @clinic --population 20000 --format json").json();
    let uniques = &json["uniques"];
    assert_eq!(keys(&uniques["estimates"]), ["zayatz", "pitman", "snb"]);
    let (min, max) = (uniques["range"]["min"].as_f64().unwrap(), uniques["range"]["max"].as_f64().unwrap());
    let rule = uniques["rule"]["estimate"].as_f64().unwrap();
    assert!(0.0 < min && min <= rule && rule <= max && max <= 20_000.0, "{uniques}");
    // The top of the lattice has one class.
    let json = town.run("estimate @paper --population 90 --node 5,2,3 --format json").json();
    assert_eq!((&json["uniques"]["rule"], &json["uniques"]["range"]), (&Value::Null, &Value::Null));
    assert_eq!(json["uniques"]["failed"]["zayatz"], "nobody is alone in a class of the sample");
    let text = town.run("estimate @paper --population 90 --node 5,2,3");
    text.expect(0, "").says("SNB      no estimate: nobody is alone");
}

#[test]
fn check_notes_safe_harbor_columns_without_values() {
    let town = Town::new(None);
    town.edit("t.csv", "47903,x\n", "");
    town.edit("t.csv", "48970,x", "48970,call (317) 555-0100 or ann@example.org");
    let done = town.run("check town.toml --format json");
    let json = done.expect(0, "").json();
    let concerns: Vec<(&Value, &Value)> = json["safe_harbor"]
        .as_array()
        .unwrap()
        .iter()
        .map(|note| (&note["attribute"], &note["concern"]))
        .collect();
    assert_eq!(concerns, [(&"zip".into(), &"zip".into()), (&"remark".into(), &"mail".into())]);
    assert_eq!(keys(&json["safe_harbor"][0]), ["attribute", "concern", "note"]);
    let text = town.run("check town.toml");
    text.expect(0, "").says("caution   safe_harbor:zip: `zip`: zip codes finer than three digits can be published by levels 0 to 1");
    text.says("`remark`: is published unchanged, and 1 of 3 values look like email addresses");
    assert!(!text.out.contains("example.org") && !text.out.contains("555"), "{}", text.out);

    // The concerns of the built-in projects, and no others.
    let noted = |project: &str| -> Vec<String> {
        let json = town.run(&format!("check {project} --format json")).json();
        let notes = json["safe_harbor"].as_array().unwrap().iter();
        notes.map(|note| note["concern"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(noted("@clinic"), ["zip", "age"]);
    assert_eq!(noted("@paper"), ["zip"]);
    assert_eq!(noted("@trial"), ["zip"]);
}
