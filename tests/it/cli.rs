//! The commands as a shell sees them: output, messages, exit statuses, and the files they leave.

use std::fs;

use crate::support::{self, Done, keys, palmtop};
use serde_json::Value;
use tempfile::TempDir;

/// A folder with a copy of the paper's project, which a test may damage.
struct Paper {
    folder: TempDir,
}

impl Paper {
    fn new() -> Self {
        Self { folder: support::paper() }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    fn edit(&self, name: &str, from: &str, to: &str) {
        support::edit(&self.path(name), from, to);
    }

    fn files(&self) -> Vec<String> {
        support::names(self.folder.path())
    }

    /// Runs palmtop in the folder. Blanks separate the arguments.
    fn run(&self, arguments: &str) -> Done {
        palmtop(self.folder.path(), arguments.split_whitespace().map(|part| part.replace('␣', " ")))
    }

    /// Does the same, and gives a reason for accepting people who are certain to be members.
    fn run_accepting(&self, arguments: &str) -> Done {
        let reason = ["--accept", "certain=the board decided so"];
        palmtop(self.folder.path(), arguments.split_whitespace().chain(reason))
    }
}

#[test]
fn check_says_whether_delta_is_feasible() {
    let paper = Paper::new();
    let checked = paper.run("check paper.toml --format json");
    let json = checked.expect(0, "").json();
    assert_eq!(
        (&json["lattice"], &json["share"], &json["feasible"]),
        (&72.into(), &"5/9".into(), &true.into())
    );
    assert_eq!((&json["private"]["people"], &json["public"]["people"]), (&5.into(), &9.into()));
    let infeasible = paper.run("check paper.toml --delta-max 1/2");
    infeasible.expect(3, "");
    assert!(infeasible.out.contains("|T|/|P| = 5/9 = 0.555556: ✗ infeasible"), "{}", infeasible.out);
}

#[test]
fn every_command_enforces_and_reports_k() {
    let paper = Paper::new();
    paper.edit("paper.toml", "[delta]", "[policy]\nk = 3\n\n[delta]");
    let checked = paper.run("check paper.toml --format json");
    let enforced = serde_json::json!([{ "name": "k", "required": "3", "at_most": "5", "feasible": true }]);
    assert_eq!(checked.expect(0, "").json()["criteria"], enforced);

    // The second class has two members: the release is δ-present, but the class is too small.
    let refused = paper.run("anonymize paper.toml --node 3,2,2 -o out.csv --format json");
    let json = refused.expect(3, "breaks k = 3: achieved 2; nothing").json();
    let criteria = |k: &str, holds: bool, achieved: &str| {
        serde_json::json!([
            { "name": "presence", "required": "(1/2, 2/3)", "achieved": achieved, "holds": true },
            { "name": "k", "required": "3", "achieved": k, "holds": holds },
        ])
    };
    // The first two criteria are enforced. The others are only measured.
    let first_two = |json: &Value| json["criteria"].as_array().unwrap()[..2].to_vec();
    assert_eq!(
        (&json["present"], first_two(&json).into()),
        (&false.into(), criteria("2", false, "(1/2, 2/3)"))
    );
    assert!(!paper.path("out.csv").exists());
    let listed = paper.run("classes paper.toml --node 3,2,2 --format csv");
    assert!(listed.out.contains(",2/3,k\n"), "{}", listed.out);
    assert_eq!(
        paper.run("classes paper.toml --node 3,2,2 --filter broken --format csv").out.lines().count(),
        2
    );
    let nodes = paper.run("lattice paper.toml --show counts --format csv").out;
    assert!(nodes.lines().any(|line| line.starts_with("\"3,2,2\",k,")), "{nodes}");
    assert!(nodes.lines().any(|line| line.contains(",both+k,")), "{nodes}");

    let admitted =
        paper.run("anonymize paper.toml --node 3,2,2 -o out.csv --accept not_present=the␣test␣needs␣it");
    admitted.expect(3, "it BREAKS k = 3: achieved 2; it was written because `--accept not_present` says so");
    assert!(admitted.out.contains("✗ δ-present, but breaks k = 3"), "{}", admitted.out);
    let verified = paper.run("verify paper.toml out.csv --format json");
    let json = verified.expect(3, "").json();
    assert_eq!((&json["faithful"], &json["present"]), (&true.into(), &false.into()));
    assert_eq!(Value::from(first_two(&json)), criteria("2", false, "(1/2, 2/3)"));
    let text = paper.run("verify paper.toml out.csv").out;
    assert!(text.contains("✗ a faithful release, δ-present, but it breaks k = 3"), "{text}");
    assert!(text.contains("k          ✗ 2, required 3"), "{text}");

    for strategy in ["spalm", "n1", "p2", "b3", "best --budget 1rounds"] {
        let done = paper.run(&format!("anonymize paper.toml --strategy {strategy} -o out.csv --force"));
        done.expect(0, "k = 3: achieved 5");
        assert!(done.out.contains("✓ δ-present, k = 3"), "{strategy}: {}", done.out);
        paper.run("verify paper.toml out.csv").expect(0, "");
    }
}

#[test]
fn every_command_enforces_and_reports_k_map() {
    let paper = Paper::new();
    paper.edit("paper.toml", "[delta]", "[policy]\nk_map = 4\n\n[delta]");
    let checked = paper.run("check paper.toml --format json").expect(0, "").json();
    let enforced =
        serde_json::json!([{ "name": "k_map", "required": "4", "at_most": "9", "feasible": true }]);
    assert_eq!(checked["criteria"], enforced);
    // The second class has three people of P.
    let refused = paper.run("anonymize paper.toml --node 3,2,2 -o out.csv");
    refused.expect(3, "breaks k_map = 4: achieved 3; nothing");
    for strategy in ["spalm", "n1", "p2", "b3", "best --budget 1rounds"] {
        let done = paper.run(&format!("anonymize paper.toml --strategy {strategy} -o out.csv --force"));
        done.expect(0, "k_map = 4: achieved");
        paper.run("verify paper.toml out.csv").expect(0, "");
    }
    paper.edit("paper.toml", "k_map = 4", "k_map = 10");
    let why = "k_map = 10 is infeasible: the one class of all 5 people of T breaks it";
    paper.run("anonymize paper.toml --strategy spalm -o out.csv --force").expect(3, why);
    paper.run("verify paper.toml out.csv").expect(3, "");
}

#[test]
fn risk_compares_nodes_searches_and_files() {
    let paper = Paper::new();
    paper.run("anonymize paper.toml --strategy spalm -o out.csv").expect(0, "");
    let done = paper.run("compare paper.toml 3,2,2 spalm out.csv 0,0,0 --format json --show risk");
    let json = done.expect(0, "").json();
    let releases = json["risk"].as_array().unwrap();
    let keys: Vec<&String> = releases[0].as_object().unwrap().keys().collect();
    #[rustfmt::skip]
    assert_eq!(keys, [
        "of", "present", "classes", "released_classes", "members", "k", "k_map", "unique_members", "unique_people",
        "distinct_l", "entropy_l", "recursive_l", "t", "largest_risk", "mean_risk", "largest_map_risk", "mean_map_risk",
        "buckets", "worst",
            "prior",
    ]);
    let figures = |release: &Value| {
        let of = |key: &str| release[key].clone();
        (of("k"), of("k_map"), of("unique_members"), of("present"), of("largest_risk"))
    };
    // Two classes with 3 of 6 and 2 of 3. Before any recoding, everybody is alone in a class.
    let node = (2.into(), 3.into(), 0.into(), true.into(), "1/2".into());
    assert!(releases[..3].iter().all(|release| figures(release) == node), "{json}");
    assert_eq!(figures(&releases[3]), (1.into(), 1.into(), 5.into(), false.into(), "1/1".into()));
    assert_eq!(releases[1]["worst"][0]["t"], 2);
    let text = paper.run("compare paper.toml spalm out.csv --show risk");
    text.expect(0, "risk is measured, and no verdict");
    assert!(
        text.out.contains("k-map") && text.out.lines().all(|line| line.chars().count() <= 80),
        "{}",
        text.out
    );
    assert!(
        paper
            .run("compare paper.toml 0,0,0 --show risk --format csv")
            .out
            .starts_with("measure,\"node 0,0,0\"\n")
    );
    paper.run("compare paper.toml nothing.csv --show risk").expect(1, "nothing.csv");
    paper.run("compare paper.toml 9,9,9 --show risk").expect(2, "is no node of this lattice");
}

#[test]
fn utility_compares_nodes_searches_and_files() {
    let paper = Paper::new();
    paper.run("anonymize paper.toml --strategy spalm -o out.csv").expect(0, "");
    let done = paper.run("compare paper.toml 3,2,2 spalm out.csv 0,0,0 --format json --show utility");
    let json = done.expect(0, "").json();
    let releases = json["utility"].as_array().unwrap();
    let keys: Vec<&String> = releases[0].as_object().unwrap().keys().collect();
    #[rustfmt::skip]
    assert_eq!(keys, [
        "of", "present", "members", "rows", "rows_of_t", "counted", "distance", "query_error", "readability", "attributes", "pairs",
        "more_pairs", "workload", "quasi", "worst",
    ]);
    // First a node, the release of a search that finds this node, and its file. Then the tables
    // before any recoding.
    let figures = |release: &Value| (release["query_error"].clone(), release["distance"].clone());
    assert!(releases[..3].iter().all(|release| figures(release) == figures(&releases[0])), "{json}");
    assert!(releases[0]["query_error"].as_f64().unwrap() > 0.0);
    assert_eq!(figures(&releases[3]), (0.0.into(), 0.0.into()));
    assert_eq!(
        (&releases[0]["workload"]["queries"], &releases[0]["workload"]["seed"]),
        (&1000.into(), &0.into())
    );
    let again = paper.run("compare paper.toml 3,2,2 spalm out.csv 0,0,0 --format json --show utility");
    assert_eq!(again.out, done.out);
    let other = paper.run("compare paper.toml 3,2,2 --seed 1 --format json --show utility").json();
    assert_eq!(other["utility"][0]["workload"]["seed"], 1);
    assert_ne!(other["utility"][0]["workload"]["error"]["mean"], releases[0]["workload"]["error"]["mean"]);
    let text = paper.run("compare paper.toml spalm out.csv --show utility");
    text.expect(0, "utility is measured on T, and no verdict");
    for expected in [
        "query error, median",
        "Cramér's V of pairs, corrected",
        "relative error of 1000 counting queries, seed 0",
        "the classes that lose most",
    ] {
        assert!(text.out.contains(expected), "{expected}: {}", text.out);
    }
    assert!(text.out.lines().all(|line| line.chars().count() <= 80), "{}", text.out);
    let csv = paper.run("compare paper.toml 0,0,0 --show utility --format csv").out;
    assert!(csv.starts_with("measure,\"node 0,0,0\"\n") && csv.contains("V of the release,"), "{csv}");
    paper.run("compare paper.toml nothing.csv --show utility").expect(1, "nothing.csv");
    paper.run("compare paper.toml 9,9,9 --show utility").expect(2, "is no node of this lattice");
}

#[test]
fn an_impossible_k_is_infeasible_or_refused() {
    let paper = Paper::new();
    paper.edit("paper.toml", "[delta]", "[policy]\nk = 6\n\n[delta]");
    let json = paper.run("check paper.toml --format json");
    assert_eq!(json.expect(3, "").json()["feasible"], false);
    let why = "k = 6 is infeasible: the one class of all 5 people of T breaks it";
    for strategy in ["spalm", "n1", "best"] {
        paper.run(&format!("anonymize paper.toml --strategy {strategy} -o out.csv")).expect(3, why);
    }
    paper.edit("paper.toml", "k = 6", "k = 0");
    let refusal = "[policy]: `k = 0`: expected a whole number from 1";
    paper.run("check paper.toml").expect(1, refusal);
    paper.run("verify paper.toml public.csv").expect(1, refusal);
}

#[test]
fn classes_are_listed_worst_first() {
    let paper = Paper::new();
    let done = paper.run("classes paper.toml --node 1,2,3 --format csv");
    done.expect(3, "");
    let expected = "zip,age,nationality,private,public,presence,verdict\n\
                    4763*,*,*,1,3,1/3,under\n\
                    4790*,*,*,2,3,2/3,ok\n\
                    4897*,*,*,2,3,2/3,ok\n";
    assert_eq!(done.out, expected);
    let json = paper.run("classes paper.toml --node 3,2,2 --format json").json();
    assert_eq!(json["rows"][0]["presence"], "2/3");
    assert_eq!(json["rows"][1]["private"], 3);
    assert_eq!(paper.run("classes paper.toml").out.lines().count(), 10, "by default the finest node");
    paper.run("classes paper.toml --strategy n1").expect(0, "");
    paper.run("classes paper.toml --node 6,0,0").expect(2, "level 6 at position 1");
}

#[test]
fn the_lattice_is_listed_whole() {
    let paper = Paper::new();
    let done = paper.run("lattice paper.toml --format csv");
    let mut reader = csv::Reader::from_reader(done.expect(0, "").out.as_bytes());
    let header: Vec<String> = reader.headers().unwrap().iter().map(ToOwned::to_owned).collect();
    assert_eq!(
        header.join(","),
        "node,verdict,how,presence_min,presence_max,classes,released_classes,loss,loss_geometric,loss_zip,loss_age,\
         loss_nationality"
    );
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 72);
    assert_eq!(rows.iter().filter(|row| &row[1] == "present").count(), 6);
    assert!(rows.iter().all(|row| (&row[2] == "implied") == row[3].is_empty()));
    let all = paper.run("lattice paper.toml --show counts --format json").json();
    let verdicts = |verdict: &str| {
        all["rows"].as_array().unwrap().iter().filter(|row| row["verdict"] == verdict).count()
    };
    assert_eq!(verdicts("present"), 6);
    assert_eq!(verdicts("present") + verdicts("over") + verdicts("under") + verdicts("both"), 72);
    assert!(
        all["rows"]
            .as_array()
            .unwrap()
            .iter()
            .all(|row| row["how"] == "checked" && !row["classes"].is_null())
    );
    paper.run("lattice paper.toml --delta-max 5/9 --delta-min 5/9").expect(0, "");
}

#[test]
fn anonymize_writes_what_verify_accepts_and_reports_it() {
    let paper = Paper::new();
    let done = paper.run("anonymize paper.toml --strategy spalm -o out.csv --format json --with report");
    let json = done.expect(0, "5 rows written and verified: presence 1/2 to 2/3").json();
    assert_eq!(
        paper.read("out.csv"),
        "zip,age,nationality\n47***,*,America\n47***,*,America\n47***,*,America\n48***,*,Europe\n48***,*,Europe\n"
    );
    let expected = [
        "strategy",
        "delta",
        "achieved",
        "present",
        "knows_algorithm",
        "criteria",
        "headline",
        "cautions",
        "node",
        "classes",
        "released_classes",
        "suppressed",
        "dropped",
        "added",
        "metrics",
        "search",
        "seed",
        "seconds",
        "load_seconds",
        "write_seconds",
        "verify_seconds",
        "metric",
        "empty_regions",
        "taken_from",
        "beside",
        "pseudonyms",
        "decisions",
    ];
    assert_eq!(keys(&json), expected);
    assert_eq!(
        keys(&json["metrics"]),
        [
            "loss",
            "loss_geometric",
            "readable",
            "loss_occurring",
            "discernibility",
            "average_class_size",
            "precision",
            "terms",
            "most_terms",
            "characters",
            "most_characters",
            "one_term",
            "starred",
            "query_error",
            "distance",
        ]
    );
    assert_eq!(
        keys(&json["search"]),
        ["nodes", "checked", "implied", "lower", "rounds", "opening", "budget", "stop"]
    );
    assert_eq!(json["node"], serde_json::json!([3, 2, 2]));
    assert_eq!((&json["delta"]["min"], &json["achieved"]["max"]), (&"1/2".into(), &"2/3".into()));
    let report: Value = serde_json::from_str(&paper.read("out.report.json")).unwrap();
    assert!(
        report["inputs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|input| input["sha256"].as_str().unwrap().len() == 64)
    );
    assert_eq!(report["inputs"].as_array().unwrap().len(), 6, "project, two tables, three hierarchies");

    let verified = paper.run("verify paper.toml out.csv --format json").expect(0, "").json();
    assert_eq!((&verified["faithful"], &verified["achieved"]["min"]), (&true.into(), &"1/2".into()));
    paper.edit("out.csv", "48***,*,Europe\n48***,*,Europe\n", "48***,*,Europe\n");
    assert_eq!(paper.run("verify paper.toml out.csv").status, 3);
}

#[test]
fn a_file_that_exists_is_kept_without_force() {
    let paper = Paper::new();
    paper.write("out.csv", "mine");
    let before = paper.files();
    paper
        .run("anonymize paper.toml --strategy n1 -o out.csv")
        .expect(1, "out.csv exists; choose another name");
    assert_eq!((paper.read("out.csv").as_str(), paper.files()), ("mine", before));
    paper.run("anonymize paper.toml --strategy n1 -o out.csv --force").expect(0, "rows written and verified");
    paper.run("verify paper.toml out.csv").expect(0, "");
}

#[test]
fn a_broken_release_is_written_only_on_request() {
    let paper = Paper::new();
    let before = paper.files();
    let refused = paper.run("anonymize paper.toml --node 1,2,3 -o out.csv --format json");
    assert_eq!(refused.expect(3, "δ-present: presence 1/3 to 2/3").json()["present"], false);
    assert_eq!(paper.files(), before);
    paper
        .run("anonymize paper.toml --node 1,2,3 -o out.csv --accept not_present=the␣test␣needs␣it")
        .expect(3, "NOT δ-present");
    let verified = paper.run("verify paper.toml out.csv");
    assert!(verified.out.contains("a faithful release, but NOT δ-present"), "{}", verified.out);
    assert_eq!(verified.status, 3);
}

#[test]
fn an_infeasible_delta_ends_with_its_numbers() {
    let paper = Paper::new();
    let done = paper.run("anonymize paper.toml --strategy n2 --delta-max 0.5 -o out.csv --format json");
    let json = done.expect(3, "δ = (1/2, 1/2) is infeasible: |T|/|P| = 5/9 = 0.555556").json();
    assert_eq!((&json["present"], &json["search"]["stop"]), (&false.into(), &"infeasible".into()));
    assert!(json["node"].is_null() && json["achieved"]["min"].is_null() && json["metrics"]["loss"].is_null());
    assert!(!paper.path("out.csv").exists());
    let compared = paper.run("compare paper.toml --strategy spalm,n --delta-max 1/2,2/3 --format json");
    let verdicts: Vec<bool> = compared.expect(3, "").json()["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| run["present"] == true)
        .collect();
    assert_eq!(verdicts, [false, false, true, true]);
}

#[test]
fn compare_has_a_line_for_each_strategy() {
    let paper = Paper::new();
    let done = paper.run("compare paper.toml --budget 1rounds --format csv");
    assert_eq!(done.expect(0, "").out.lines().count(), 13);
    assert_eq!(done.out.lines().filter(|line| !line.contains(",present,")).count(), 1, "{}", done.out);
    assert!(done.out.contains("\nspalm,1/2,2/3,present,\"3,2,2\",1/2,2/3,0.62"), "{}", done.out);
    // The table for people has no column that is empty in all lines.
    let table = paper.run("compare paper.toml --strategy n1,n2").expect(0, "").out.clone();
    let header = table.lines().next().unwrap();
    assert!(header.contains("classes") && !header.contains("node") && !header.contains("δmax"), "{header}");
    let wide =
        paper.run("compare paper.toml --budget 1rounds --delta-max 2/3,3/4,1").expect(0, "").out.clone();
    assert!(wide.contains("δmax") && wide.lines().all(|line| line.chars().count() <= 80), "{wide}");
    // The table for people lists the best strategy first.
    let names = |table: &str| -> Vec<String> {
        table.lines().skip(1).filter_map(|line| line.split_whitespace().next().map(str::to_owned)).collect()
    };
    let table = paper.run("compare paper.toml --strategy spalm,n1").expect(0, "").out.clone();
    assert_eq!(names(&table), ["n1", "spalm"], "{table}");
    let unknown = paper.run("compare paper.toml --strategy spam");
    unknown.expect(2, "unknown strategy `spam`: expected simulatable, spalm, n1 n2 n3");
    for gone in ["compare paper.toml --strategy mondrian-p", "compare paper.toml mondrian-p --show risk"] {
        paper.run(gone).expect(2, "strategy `mondrian-p` is gone: `palmtop-experiment` compares");
    }
}

#[test]
fn the_trial_and_the_paper_are_built_in() {
    let paper = Paper::new();
    let quarter = paper.run("classes @trial --node 0,2 --format csv");
    let expected = "zip,age,private,public,presence,verdict\n\
                    85535,10-39,5,20,1/4,ok\n85535,40-49,1,10,1/10,ok\n85535,50+,0,20,0,ok\n";
    assert_eq!(quarter.expect(0, "").out, expected);
    assert_eq!(paper.run("classes @trial --node 0,1 --format csv").status, 3);
    paper.run("classes @trial --node 0,0").expect(2, "level 0 at position 2");
    paper.run("check @nowhere").expect(1, "no such project; the built-in projects are");
}

#[test]
fn documents_print_themselves() {
    let paper = Paper::new();
    for shell in ["bash", "zsh", "fish"] {
        assert!(paper.run(&format!("completions {shell}")).expect(0, "").out.contains("anonymize"));
    }
    let page = paper.run("man");
    assert!(page.expect(0, "").out.contains(".TH palmtop 1") && page.out.contains("\\-\\-accept"));
    for section in ["SH \"PALMTOP ANONYMIZE\"", "SH FILES", "SH ENVIRONMENT", "EXIT STATUS\"", "SEE ALSO"] {
        assert!(page.out.contains(section), "{section}");
    }
    assert_eq!(page.out.matches(".SH SYNOPSIS").count(), 1);
    assert!(!page.out.contains("palmtop\\-check(1)"), "a command has no page of its own");
    paper.run("anonymize paper.toml -o x.csv").expect(2, "--strategy");
    paper.run("frobnicate now").expect(2, "");
}

/// A kind of bad input, how to damage the project, and a part of the refusal.
type BadInput = (&'static str, fn(&Paper), &'static str);

const BAD_INPUTS: &[BadInput] = &[
    (
        "missing table",
        |p| fs::remove_file(p.path("public.csv")).unwrap(),
        "cannot read public.csv: No such file",
    ),
    ("missing hierarchy", |p| fs::remove_file(p.path("zip.toml")).unwrap(), "no such hierarchy: zip.toml"),
    (
        "not UTF-8",
        |p| p.write("private.csv", b"person,zip,age,nationality\nb,47903,59,Canad\xe1\n"),
        "private.csv, line 2: not UTF-8 in column `nationality` (byte e1)",
    ),
    (
        "ragged",
        |p| p.edit("public.csv", "47903,59,Canada", "47903,59"),
        "public.csv, line 3: 3 fields; expected 4",
    ),
    ("blank line", |p| p.edit("public.csv", "b,47903", "\nb,47903"), "public.csv, line 3: a blank line"),
    (
        "blank end",
        |p| p.write("public.csv", p.read("public.csv") + "\n"),
        "public.csv, line 11: a blank line",
    ),
    (
        "missing column",
        |p| p.edit("private.csv", ",age,", ",years,"),
        "private.csv: no column `age`, it has `person`,",
    ),
    (
        "values without hierarchy",
        |p| {
            p.edit("public.csv", "Canada", "Kanada");
            p.edit("public.csv", "Peru", "Piru");
        },
        "public.csv, column `nationality`: 2 values that hierarchy",
    ),
    (
        "hierarchy that does not nest",
        |p| {
            p.write("n.csv", "USA;A;*\nCanada;A;*\nPeru;A;B\n");
            p.edit("paper.toml", "nationality.toml", "n.csv");
        },
        "hierarchy n.csv, line 3: level 1 `A` belongs",
    ),
    ("empty T", |p| p.write("private.csv", "person,zip,age,nationality\n"), "the private table is empty"),
    ("empty P", |p| p.write("public.csv", "person,zip,age,nationality\n"), "the public table is empty"),
    ("no header", |p| p.write("public.csv", ""), "public.csv: the file is empty"),
    (
        "δmin above δmax",
        |p| p.edit("paper.toml", "max = \"2/3\"", "max = \"1/3\""),
        "δmin 1/2 is above δmax 1/3",
    ),
    ("no δ", |p| p.edit("paper.toml", "max = \"2/3\"", ""), "there is no δ"),
    (
        "unlisted column",
        |p| {
            p.edit(
                "paper.toml",
                "name = \"person\"\nrole = \"identifier\"",
                "name = \"zip2\"\nrole = \"sensitive\"",
            );
        },
        "private.csv: no column `zip2`",
    ),
    (
        "another unlisted column",
        |p| {
            let table = "person,zip,age,nationality,hiv\nb,47903,59,Canada,yes\n";
            p.write("private.csv", table);
        },
        "private.csv: column `hiv` is in no",
    ),
    (
        "sensitive column that P has",
        |p| p.edit("paper.toml", "role = \"identifier\"", "role = \"sensitive\""),
        "public.csv: sensitive column `person` is",
    ),
    (
        "repeated column",
        |p| p.edit("public.csv", "zip,age", "zip,zip"),
        "public.csv, line 1: column `zip` occurs twice",
    ),
    ("no project", |p| fs::remove_file(p.path("paper.toml")).unwrap(), "cannot read project paper.toml"),
    ("unknown key", |p| p.edit("paper.toml", "[delta]", "[delta]\nmux = 1"), "unknown field `mux`"),
    ("person in T and not in P", |p| p.edit("private.csv", "59", "58"), "1 person of private.csv"),
];
/// What is said of each bad input.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let refusal = |&(name, spoil, _): &BadInput| {
        let paper = Paper::new();
        spoil(&paper);
        (name, paper.run("check paper.toml").err)
    };
    BAD_INPUTS.iter().map(refusal).collect()
}

#[test]
fn bad_input_is_an_error_with_its_place() {
    for &(name, spoil, message) in BAD_INPUTS {
        let paper = Paper::new();
        spoil(&paper);
        let before = paper.files();
        let done = paper.run("anonymize paper.toml --strategy spalm -o out.csv --with report");
        assert!(done.err.contains(message), "{name}: expected {message:?} in\n{}", done.err);
        assert_eq!((done.status, done.out.as_str()), (1, ""), "{name}\n{}", done.err);
        assert!(done.err.starts_with("palmtop: ") && !done.err.contains("panicked"), "{name}: {}", done.err);
        assert_eq!(paper.files(), before, "{name}");
        let json = paper.run("anonymize paper.toml --strategy spalm -o out.csv --messages json");
        has_the_position(&json, (name, message), &done.err);
    }
}

/// Checks that the error as JSON has the text of the message, and the file and the line that it names.
fn has_the_position(json: &Done, (name, message): (&str, &str), text: &str) {
    let error = messages(json).into_iter().rfind(|message| message["kind"] == "error").unwrap();
    assert_eq!(format!("palmtop: {}\n", error["text"].as_str().unwrap()), text, "{name}");
    let named =
        |file: &str| [',', ':'].iter().any(|end| format!(" {message}").contains(&format!(" {file}{end}")));
    if let Some(file) =
        ["public.csv", "private.csv", "zip.toml", "n.csv"].into_iter().find(|file| named(file))
    {
        assert_eq!(error["file"], file, "{name}: {error}");
    }
    if let Some((_, line)) = message.split_once(", line ") {
        let line: u64 = line.split_once(':').unwrap().0.parse().unwrap();
        assert_eq!(error["line"], line, "{name}: {error}");
    }
}

/// Every line of stderr as the JSON object that it is.
fn messages(done: &Done) -> Vec<Value> {
    let lines = done.err.lines();
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect()
}

#[test]
fn messages_for_programs_are_one_object_per_line() {
    let paper = Paper::new();
    let kinds = |done: &Done| -> Vec<String> {
        messages(done).iter().map(|message| message["kind"].as_str().unwrap().to_owned()).collect()
    };
    let made = paper.run_accepting("anonymize paper.toml --strategy spalm -o out.csv --messages json");
    assert_eq!(made.status, 0, "{}", made.err);
    for kind in ["progress", "message", "caution"] {
        assert!(kinds(&made).contains(&kind.to_owned()), "{kind}: {}", made.err);
    }
    let caution = messages(&made).into_iter().find(|message| message["kind"] == "caution").unwrap();
    for key in ["key", "severity", "sentence", "remedy", "text"] {
        assert!(caution[key].is_string(), "{key}: {caution}");
    }
    let progress = messages(&made).into_iter().find(|message| message["kind"] == "progress").unwrap();
    assert!(progress["done"].is_u64() && progress["total"].is_u64(), "{progress}");
    let proposed = paper.run("init --public public.csv --private private.csv -o p.toml --messages json");
    let question = messages(&proposed).into_iter().find(|message| message["kind"] == "question").unwrap();
    assert!(question["text"].is_string() && question["remedy"].is_string(), "{question}");
    let usage = paper.run("check paper.toml --no-such --messages=json");
    assert_eq!((usage.status, kinds(&usage)), (2, vec!["error".to_owned()]), "{}", usage.err);
    let text = messages(&usage)[0]["text"].as_str().unwrap().to_owned();
    assert!(text.starts_with("unexpected argument '--no-such'") && !text.contains("Usage"), "{text}");
    paper.edit("private.csv", "59", "x");
    let refused = paper.run("check paper.toml --messages json");
    let error = messages(&refused).pop().unwrap();
    assert_eq!((&error["file"], &error["row"]), (&Value::from("private.csv"), &Value::from(1)), "{error}");
    assert_eq!((&error["column"], &error["value"]), (&Value::from("age"), &Value::from("x")), "{error}");
}

// holds: T is part of P
// holds: Added members are told
#[test]
fn people_outside_p_appear_on_stderr_only() {
    let paper = Paper::new();
    paper.edit("private.csv", "b,47903,59", "b,47903,58");
    paper.edit("private.csv", "f,47633,63", "f,47633,64");
    let done = paper.run("check paper.toml");
    assert_eq!(done.out, "");
    for line in [
        "2 people of private.csv",
        "rows of private.csv with these combinations (header not counted): 1, 3",
        "zip · age · nationality (in private.csv / in public.csv):",
        "  47903 · 58 · Canada   1 / 0",
        "  47633 · 64 · Peru   1 / 0",
        "`age` alone explains 2 of 2",
        "write `not_in_public = \"drop\"` under [private]",
    ] {
        done.expect(1, line);
    }
    paper.edit("paper.toml", "path = \"private.csv\"", "path = \"private.csv\"\nnot_in_public = \"drop\"");
    let done = paper.run("check paper.toml --delta-min 0 --delta-max 1");
    done.expect(0, "2 members of T not in P, excluded as the project says: rows 1, 3; `age` alone explains 2: check whether the tables \
         spell or code it differently");
    paper
        .run_accepting("anonymize paper.toml --strategy spalm --delta-min 0 --delta-max 1 -o left.csv")
        .expect(0, "excluded");
    assert_eq!(paper.read("left.csv").lines().count(), 1 + 3);
    let done = paper.run("verify paper.toml left.csv --delta-min 0 --delta-max 1 --format json");
    assert!(done.out.contains("\"dropped\": 2"), "{}", done.out);
    paper.edit("paper.toml", "not_in_public = \"drop\"", "not_in_public = \"add\"");
    let delta = "--delta-min 0 --delta-max 1";
    let done = paper.run(&format!("check paper.toml {delta}"));
    done.expect(0, "2 members of T not in P, added to P as the project says: rows with such a combination 1, 3; all results hold");
    let expected =
        "not in P  2 members of T, added to P: the result holds for an attacker whose P includes them";
    assert!(done.out.contains(expected), "{}", done.out);
    let done = paper
        .run_accepting(&format!("anonymize paper.toml --strategy spalm {delta} -o added.csv --with report"));
    done.expect(0, "for an attacker who counts the 2 added members in the public table, knows");
    assert!(
        done.out
            .contains("2 members of T added to P: the result holds for an attacker whose P includes them"),
        "{}",
        done.out
    );
    assert_eq!(paper.read("added.csv").lines().count(), 1 + 5);
    assert!(paper.read("added.report.json").contains("\"added\": 2"));
    let done = paper.run(&format!("verify paper.toml added.csv {delta}"));
    done.expect(0, "");
    assert!(done.out.contains("2 members of T added to P, and counted there"), "{}", done.out);
    assert!(done.out.contains("public     11 people"), "{}", done.out);
    paper.edit("paper.toml", "not_in_public = \"add\"", "not_in_public = \"drop\"");
    paper.edit("paper.toml", "not_in_public = \"drop\"\n", "");
    let mut table = "person,zip,age,nationality\n".to_owned();
    (0..200).for_each(|person| table.push_str(&format!("p{person},47906,{},USA\n", 100 + person)));
    paper.write("private.csv", table);
    let done = paper.run("check paper.toml");
    done.expect(1, "200 people of private.csv");
    assert_eq!(done.err.matches("1 / 0").count(), 5);
    done.expect(1, "and 195 combinations more").expect(1, " and 100 more");
    assert!(done.err.lines().count() <= 12, "{}", done.err);
}

#[test]
fn line_ends_and_quotes_of_others_are_read() {
    let paper = Paper::new();
    let (public, private) = (paper.read("public.csv"), paper.read("private.csv"));
    let spoil: [fn(&str) -> String; 6] = [
        |table| table.replace('\n', "\r\n"),
        |table| table.trim_end().to_owned(),
        |table| table.replace('\n', "\r\n").trim_end().to_owned(),
        |table| format!("\u{feff}{table}"),
        |table| table.replacen('\n', "\r\n", 1),
        |table| table.replace(',', "\t").replace("Peru", "\"Peru\""),
    ];
    for (number, spoil) in spoil.into_iter().enumerate() {
        paper.write("public.csv", spoil(&public));
        paper.write("private.csv", spoil(&private));
        let output = format!("{number}.csv");
        paper
            .run(&format!("anonymize paper.toml --node 3,2,2 -o {output}"))
            .expect(0, "rows written and verified");
    }
}

#[test]
fn members_and_counts_make_t_from_p() {
    let paper = Paper::new();
    paper.write("p.csv", "zip;people;in_study\n47906;3;yes\n47906;5;no\n47903;2;true\n48970;7;\n");
    paper.write(
        "m.toml",
        "[public]\npath = \"p.csv\"\ncount = \"people\"\ncounts = \"people\"\nmember = \"in_study\"\n[delta]\nmin = 0\nmax = 0.5\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.toml\"\n",
    );
    let done = paper.run("classes m.toml --format csv");
    assert_eq!(
        done.expect(3, "").out,
        "zip,private,public,presence,verdict\n47903,2,2,1,over\n47906,3,8,3/8,ok\n48970,0,7,0,ok\n"
    );
    paper.run("anonymize m.toml --strategy spalm -o out.csv").expect(0, "5 rows written and verified");
    assert_eq!(paper.read("out.csv"), "zip\n4790*\n4790*\n4790*\n4790*\n4790*\n");
    paper.edit("p.csv", "47906;3;yes", "47906;3;perhaps");
    paper.run("check m.toml").expect(
        1,
        "p.csv, row 1 (header not counted), column `in_study`: `perhaps` is not a membership; expected true, yes, y or 1",
    );
    paper.edit("p.csv", "47906;3;perhaps", "47906;<5;yes");
    paper
        .run("check m.toml")
        .expect(1, "p.csv, row 1 (header not counted), column `people`: `<5` is not a count; expected a whole number from 0");
    paper.edit("m.toml", "count = \"people\"", "count = { column = \"people\", texts = { \"<5\" = 3 } }");
    let done = paper.run("check m.toml");
    assert!(
        done.expect(0, "").out.contains("count     \"<5\" in the public table counts as 3 people"),
        "{}",
        done.out
    );
    paper
        .run("anonymize m.toml --strategy spalm -o rule.csv --with report")
        .expect(0, "5 rows written and verified");
    let report: Value = serde_json::from_str(&paper.read("rule.report.json")).unwrap();
    assert_eq!(report["count_texts"]["<5"], 3);
    paper.run("report m.toml rule.csv -o rule.html").expect(0, "");
    assert!(paper.read("rule.html").contains("`people`; `&lt;5` counts as 3"));
    paper.edit("m.toml", "\"<5\" = 3", "\"<5\" = 400");
    paper.run("check m.toml").expect(1, "excludes 400");
}

#[test]
fn an_audit_tells_a_transcript_from_a_release() {
    let paper = Paper::new();
    let (audit, strategy) = ("audit paper.toml", "--strategy simulatable");
    paper.run("anonymize paper.toml --strategy simulatable -o out.csv --with transcript").expect(0, "");
    let alone = paper.run(&format!("{audit} out.csv {strategy}"));
    for files in ["out.csv out.transcript.txt", "out.transcript.txt out.csv", "out.transcript.txt"] {
        let audited = paper.run(&format!("{audit} {files} {strategy}"));
        audited.expect(
            0,
            "out.transcript.txt: its answers lead to its questions, and are those of the private table",
        );
        assert_eq!(audited.out, alone.out, "{files}");
    }
    for (files, belongs) in [("out.csv", Value::Null), ("out.csv out.transcript.txt", true.into())] {
        let audited = paper.run(&format!("{audit} {files} {strategy} --format json"));
        let audited: Value = serde_json::from_str(&audited.out).unwrap();
        assert_eq!(audited["transcript"], belongs, "{files}");
    }
    let other = paper.run(&format!("{audit} out.transcript.txt {strategy} --delta-max 3/4"));
    other.expect(3, "does NOT belong to this project and δ");
    paper.run(&format!("{audit} out.csv out.csv {strategy}")).expect(2, "are both releases");
    // As many people, but others: their answers are not those of the transcript.
    paper.edit("private.csv", "f,47633,63,Peru", "d,47630,18,Brazil");
    paper.edit("private.csv", "b,47903,59,Canada", "e,47630,22,Brazil");
    let others = paper.run(&format!("{audit} out.transcript.txt {strategy} --format json"));
    others.expect(3, "NOT those of the private table");
    assert_eq!(serde_json::from_str::<Value>(&others.out).unwrap()["transcript"], false);
    paper.edit("private.csv", "d,47630,18,Brazil", "f,47633,63,Peru");
    paper.edit("private.csv", "e,47630,22,Brazil", "b,47903,59,Canada");
    let twice = format!("{audit} out.transcript.txt out.csv out.transcript.txt {strategy}");
    paper.run(&twice).expect(2, "are both transcripts");
    paper.run(&format!("{audit} out.transcript.txt --strategy n1")).expect(2, "has a transcript");
    fs::write(paper.path("old.txt"), "# rehearsal: 1\n").unwrap();
    paper.run(&format!("{audit} old.txt {strategy}")).expect(1, "no line about a rehearsal");
    paper.run(&format!("{audit} private.csv {strategy}")).expect(1, "private.csv");
    paper.run(&format!("{audit} none.csv {strategy}")).expect(1, "cannot read none.csv");
}

#[test]
fn an_audit_covers_searches_and_written_files() {
    let paper = Paper::new();
    for strategy in ["n2", "spalm", "simulatable"] {
        paper.run(&format!("anonymize paper.toml --strategy {strategy} -o {strategy}.csv")).expect(0, "");
        let searched = paper.run(&format!("audit paper.toml --strategy {strategy}"));
        let written = paper.run(&format!("audit paper.toml {strategy}.csv --strategy {strategy}"));
        assert_eq!(searched.expect(0, "").out, written.expect(0, "").out);
        assert!(
            searched.out.starts_with(&format!("audit    {strategy}, δ 1/2 to 2/3\n")),
            "{}",
            searched.out
        );
    }
    // Nine people and five members: the audit runs all 126 tables.
    let of_node = paper.run("audit paper.toml --strategy spalm --format json");
    let of_node: serde_json::Value = serde_json::from_str(&of_node.out).unwrap();
    assert_eq!(of_node["knows_algorithm"]["regions"], 2, "a node has its classes");
    let exact = paper.run("audit paper.toml --strategy n2 --format json");
    let exact: Value = serde_json::from_str(&exact.out).unwrap();
    assert_eq!(exact["knows_algorithm"]["verdict"], "audited");
    assert!(exact["knows_algorithm"]["worst"].as_f64().unwrap() > 2.0 / 3.0, "{exact}");
    let people = exact["knows_algorithm"]["beyond"].as_u64().unwrap();
    let result = paper.run("anonymize paper.toml --strategy n2 -o audited.csv --audit --format json");
    let result: Value = serde_json::from_str(&result.out).unwrap();
    assert_eq!(result["knows_algorithm"]["verdict"], "audited");
    assert_eq!(result["knows_algorithm"]["beyond"], people);
    let audited = paper.run("anonymize paper.toml --strategy n2 -o said.csv --audit");
    assert!(
        audited.out.contains(&format!("audited: {people} people beyond δ of all T that give this release")),
        "{}",
        audited.out
    );

    let other = paper.run("audit paper.toml spalm.csv --strategy simulatable");
    other.expect(1, "spalm.csv is not what simulatable releases of this project under δ 1/2 to 2/3");
    paper.edit("spalm.csv", "Europe", "Europe ");
    paper.run("audit paper.toml spalm.csv --strategy spalm").expect(1, "spalm.csv");
    paper.run("audit paper.toml").expect(2, "--strategy");
    paper.run("audit paper.toml n2.csv").expect(2, "--strategy");
    paper
        .run("anonymize paper.toml --node 3,2,2 -o node.csv --audit")
        .expect(2, "--audit cannot be used with --node");
}

#[test]
fn without_a_terminal_a_table_names_init() {
    let paper = Paper::new();
    let done = paper.run("public.csv");
    done.expect(2, "public.csv is a table, not a project");
    assert!(
        done.err.contains("palmtop init --public public.csv --private T -o project.toml"),
        "{}",
        done.err
    );
    paper.run("--public public.csv --private private.csv").expect(2, "palmtop init --public public.csv");
    paper.run("--private private.csv").expect(2, "--public");
    paper.run("--public public.csv --private private.csv --member x").expect(2, "cannot be used with");
    paper.run("paper.toml --public public.csv").expect(2, "cannot be used with");
}

#[test]
fn limits_of_columns_are_stated_kept_and_verified() {
    let paper = Paper::new();
    let text = paper.read("paper.toml");
    // The first such line is the one of the zip code.
    let line = text.lines().find(|line| line.starts_with("hierarchy")).unwrap().to_owned();
    let with = |lines: &str| {
        paper.write("paper.toml", text.replacen(&line, &format!("{line}\n{lines}"), 1));
    };
    with("levels = \"2-\"\nshape = \"labels\"");
    let checked = paper.run("check paper.toml");
    checked.expect(0, "");
    assert!(checked.out.contains("limits    `zip`: levels 2-, cut between labels only\n"), "{}", checked.out);
    assert_eq!(paper.run("check paper.toml --format json").json()["lattice"], 48);
    let refused = paper.run("anonymize paper.toml --node 1,2,2 -o out.csv");
    refused.expect(2, "level 1 at position 1");
    paper.run("anonymize paper.toml --strategy best --budget 1rounds -o best.csv").expect(0, "");
    paper.run("verify paper.toml best.csv").expect(0, "");
    // A release made earlier or by other people.
    with("");
    paper.run("anonymize paper.toml --node 3,2,2 -o node.csv").expect(0, "");
    with("levels = \"-2\"");
    let verified = paper.run("verify paper.toml node.csv");
    verified.expect(3, "");
    assert!(verified.out.contains("but it breaks the limits of quasi-identifiers"), "{}", verified.out);
    assert!(verified.out.contains("coarser than level 2"), "{}", verified.out);
    // The loss is a mean weighted by `weight`.
    with("weight = 9");
    let checked = paper.run("check paper.toml");
    assert!(checked.out.contains("limits    `zip`: weighs 9 in losses\n"), "{}", checked.out);
    let top = |node: &serde_json::Value| node["node"] == serde_json::json!([0, 2, 3]);
    let lattice = paper.run("lattice paper.toml --format json").json();
    let node = lattice["rows"].as_array().unwrap().iter().find(|node| top(node)).unwrap();
    let of = |name: &str| node[name].as_f64().unwrap();
    let others: f64 = 2.0;
    assert!((of("loss") - (9.0 * of("loss_zip") + others) / 11.0).abs() < 1e-12, "{node}");
    assert!((of("loss_geometric") - (2_f64.powf(others / 11.0) - 1.0)).abs() < 1e-12, "{node}");
    with("weight = 0");
    paper.run("check paper.toml").expect(1, "`weight` is 0; expected a whole number from 1 to 100");
    // No release keeps δ if every zip code is published unchanged.
    with("shape = \"kept\"");
    let checked = paper.run("check paper.toml");
    checked.expect(3, "");
    assert!(checked.out.contains("`zip`: published as it is"), "{}", checked.out);
    assert!(
        checked.out.contains("the coarsest node that they permit, 0,2,3: ✗ infeasible"),
        "{}",
        checked.out
    );
    paper
        .run("anonymize paper.toml --strategy n1 -o out.csv")
        .expect(3, "the limits of levels are infeasible");
    paper
        .run("anonymize paper.toml --strategy simulatable -o out.csv")
        .expect(3, "nothing was searched (levels)");
    with("levels = \"1-9\"");
    paper
        .run("check paper.toml")
        .expect(1, "`zip`: `levels = \"1-9\"`: its hierarchy has the levels 0 to 5 here");
    with("levels = \"all\"");
    paper.run("check paper.toml").expect(1, "line");
}

#[test]
fn a_metric_of_no_search_is_refused() {
    let paper = Paper::new();
    for (metric, why) in [
        ("query_error", "no longer searched for"),
        ("x", "expected loss, loss_geometric, discernibility or readable"),
    ] {
        paper.run(&format!("anonymize paper.toml --strategy best --metric {metric} -o x.csv")).expect(2, why);
    }
}

#[test]
fn a_wrong_belief_is_refused_with_its_place() {
    let paper = Paper::new();
    paper.edit("paper.toml", "[delta]", "[search]\nbelief = \"rates.csv\"\n\n[delta]");
    let anonymize = "anonymize paper.toml --strategy simulatable -o r.csv --force";
    paper.write("rates.csv", "nationality,rate\nUSA,0\nCanada,1\n*,0.5\n");
    paper.run(anonymize).expect(1, "rates.csv");
    paper.write("rates.csv", "nationality,rate\n*,0.5\n");
    paper.run(anonymize).expect(0, "written and verified");
    paper.run("verify paper.toml r.csv").expect(0, "");
    paper.write("rates.csv", "nationality,share\n*,0.5\n");
    paper.run(anonymize).expect(1, "`belief` of [search]");
}
