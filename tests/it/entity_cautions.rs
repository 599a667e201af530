//! Cautions, betrayal and the history of projects with several rows for one person.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use palmtop::betrayal::{self, Column, Quasi};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

/// A project in a folder: 400 people with one or two visits each. 160 of them are in T.
struct Visits {
    folder: tempfile::TempDir,
}

/// The columns of T that P lacks, in T's order. `payer` is P's `insurer`. All columns except `day`
/// are the same in all rows of a person.
const COLUMNS: [&str; 5] = ["birthdate", "score", "phone", "payer", "day"];

impl Visits {
    fn new(published: &[&str]) -> Self {
        let visits = Self { folder: tempfile::tempdir().unwrap() };
        let random = &mut ChaCha8Rng::seed_from_u64(25);
        let mut public = String::from("user,zip,age,insurer\n");
        let mut private = format!("user,zip,age,{}\n", COLUMNS.join(","));
        for person in 0..400 {
            let age: i32 = random.random_range(20..80);
            let birth = chrono::NaiveDate::from_ymd_opt(2024 - age, 6, 30).unwrap();
            let birth = birth - chrono::Days::new(random.random_range(0..365));
            let score = random.random_range(0..1_000_000);
            let phone = format!("+1 415 555 {:04}", person * 7);
            let insurer = ["north", "south", "east", "west", "hill", "lake"][random.random_range(0..6)];
            for _ in 0..=person % 2 {
                let zip = random.random_range(0..4);
                let day = random.random_range(1..29);
                public += &format!("u{person},{zip},{age},{insurer}\n");
                if [0, 3, 6, 7].contains(&(person % 10)) {
                    private += &format!(
                        "u{person},{zip},{age},{birth},{score},{phone},{insurer},2024-03-{day:02}\n"
                    );
                }
            }
        }
        let ages: Vec<String> = (20..80).map(|age| format!("{age},{}0s,*\n", age / 10)).collect();
        let withheld = COLUMNS.iter().filter(|column| !published.contains(column));
        let withheld = withheld.map(|column| attribute(column, "identifier\"\nrepeats = true\n# \""));
        let insensitive = published.iter().map(|column| attribute(column, "insensitive"));
        let attributes: String = withheld.chain(insensitive).collect();
        visits.put("p.csv", &public);
        visits.put("t.csv", &private);
        visits.put("age.csv", &ages.concat());
        visits.put("zip.csv", "0,0-1,*\n1,0-1,*\n2,2-3,*\n3,2-3,*\n");
        visits.put(
            "x.toml",
            &format!(
                "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"9/20\"\n{}\
                 [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
                 [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.csv\"\n{attributes}",
                attribute("user", "entity"),
            ),
        );
        visits
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    fn change(&self, from: &str, to: &str) {
        let text = fs::read_to_string(self.at("x.toml")).unwrap();
        assert!(text.contains(from), "{from}");
        self.put("x.toml", &text.replacen(from, to, 1));
    }

    fn palmtop(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_palmtop"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PALMTOP_STATE", self.folder.path())
            .output()
            .unwrap()
    }

    /// The JSON that a command prints.
    fn json(&self, arguments: &[&str]) -> Value {
        let run = self.palmtop(&[arguments, &["--format", "json"]].concat());
        let error = String::from_utf8_lossy(&run.stderr).into_owned();
        serde_json::from_slice(&run.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {error}"))
    }
}

fn attribute(name: &str, role: &str) -> String {
    format!("[[attribute]]\nname = \"{name}\"\nrole = \"{role}\"\n")
}

/// The names of cautions in the form that `--accept` uses.
fn names(object: &Value) -> Vec<String> {
    let name = |caution: &Value| {
        let key = caution["key"].as_str().unwrap();
        caution["subject"].as_str().map_or_else(|| key.to_owned(), |subject| format!("{key}:{subject}"))
    };
    object["cautions"].as_array().unwrap().iter().map(name).collect()
}

fn stderr(run: &Output) -> String {
    String::from_utf8_lossy(&run.stderr).into_owned()
}

// holds: Betrayals by leave-one-out
#[test]
fn a_betraying_column_stops_export_until_accepted() {
    let visits = Visits::new(&["birthdate", "score", "day"]);
    let checked = visits.json(&["check", "x.toml"]);
    // A person's second row repeats the score and the age. This is not a relation between people.
    let betraying: Vec<String> =
        names(&checked).into_iter().filter(|name| name.starts_with("betrays")).collect();
    assert_eq!(betraying, ["betrays:birthdate"], "{checked:#}");
    let caution = &checked["cautions"][0];
    let sentence = caution["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("`birthdate` gives `age` away: in "), "{sentence}");
    assert!(sentence.contains("of 160 rows") && sentence.contains("are not counted"), "{sentence}");
    assert_eq!(caution["severity"], "severe");
    let text = String::from_utf8(visits.palmtop(&["check", "x.toml"]).stdout).unwrap();
    assert!(text.contains("\ncaution   betrays:birthdate: `birthdate` gives `age` away"), "{text}");
    let export = ["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"];
    let refused = visits.palmtop(&export);
    assert_eq!(refused.status.code(), Some(3), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("give --accept betrays:birthdate=REASON"), "{}", stderr(&refused));
    assert!(!visits.at("r.csv").exists() && !visits.at("x.history.toml").exists());
    let accept = "betrays:birthdate=the board decided so";
    let accepted = visits.json(&[&export[..], &["--accept", accept]].concat());
    assert!(visits.at("r.csv").exists());
    let found =
        accepted["cautions"].as_array().unwrap().iter().find(|caution| caution["key"] == "betrays").unwrap();
    assert_eq!(
        (&found["subject"], &found["accepted"]),
        (&"birthdate".into(), &"the board decided so".into())
    );
}

#[test]
fn columns_that_give_nothing_away_are_left_alone() {
    let visits = Visits::new(&["score", "day"]);
    let checked = visits.json(&["check", "x.toml"]);
    assert_eq!(names(&checked), ["unique_column:score", "safe_harbor:day"], "{checked:#}");
    let run = visits.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(run.status.success(), "{}", stderr(&run));
}

#[test]
fn renamed_unique_and_undecided_columns_are_cautioned() {
    let visits = Visits::new(&["phone", "payer"]);
    visits.change("name = \"payer\"\nrole = \"insensitive\"", "name = \"payer\"\nrole = \"undecided\"");
    let checked = visits.json(&["check", "x.toml"]);
    assert_eq!(
        names(&checked),
        ["betrays:payer", "undecided:payer", "unique_column:phone", "safe_harbor:phone"],
        "{checked:#}"
    );
    // Two visits of a person have one telephone number. They count as one person with this number.
    let sentence = checked["cautions"][2]["sentence"].as_str().unwrap();
    assert!(sentence.contains("160 of its 160 values belong to only one person"), "{sentence}");
    let renamed = checked["cautions"][0]["sentence"].as_str().unwrap();
    assert!(renamed.starts_with("`payer` gives P's column `insurer` away: "), "{renamed}");
    let refused = visits.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert_eq!(refused.status.code(), Some(3));
    assert!(stderr(&refused).contains("caution undecided:payer"), "{}", stderr(&refused));
}

#[test]
fn safe_harbor_counts_people_and_not_their_rows() {
    let visits = Visits::new(&[]);
    // The person is in T and has two rows.
    for table in ["p.csv", "t.csv"] {
        let text = fs::read_to_string(visits.at(table)).unwrap();
        let aged = text.lines().map(|line| match line.strip_prefix("u3,") {
            Some(rest) => {
                let mut cells: Vec<&str> = rest.split(',').collect();
                cells[1] = "95";
                format!("u3,{}\n", cells.join(","))
            }
            None => format!("{line}\n"),
        });
        visits.put(table, &aged.collect::<String>());
    }
    let ages = fs::read_to_string(visits.at("age.csv")).unwrap();
    visits.put("age.csv", &(ages + "95,90s,*\n"));
    let checked = visits.json(&["check", "x.toml"]);
    assert_eq!(names(&checked), ["safe_harbor:age"], "{checked:#}");
    let sentence = checked["cautions"][0]["sentence"].as_str().unwrap();
    assert!(sentence.contains("ages above 89 (1 person of P, 1 of T)"), "{sentence}");
}

#[test]
fn a_verdict_on_people_has_every_caution() {
    let visits = Visits::new(&["day"]);
    let export = |delta: &'static str, node: &'static str, output: &'static str| {
        visits.json(&["anonymize", "x.toml", "--delta-max", delta, "--node", node, "-o", output])
    };
    let coarse = export("9/20", "2,2", "coarse.csv");
    assert_eq!(
        coarse["headline"],
        "For an attacker who uses only `zip` and `age`: each of the 400 people is a member with a probability of at most 45 %. No person is certain not to be a member."
    );
    assert_eq!(names(&coarse), ["unjustified_delta", "knows_algorithm", "says_nothing", "safe_harbor:day"]);
    // The figures count people: 200 people have one row, and 200 have two.
    let fine = export("1", "0,0", "fine.csv");
    assert!(!visits.at("fine.csv").exists());
    let expected = [
        "certain",
        "weak_delta",
        "looser_delta",
        "unjustified_delta",
        "knows_algorithm",
        "knows_member",
        "certain_absent",
    ];
    assert_eq!(names(&fine)[..expected.len()], expected, "{fine:#}");
    assert!(fine["headline"].as_str().unwrap().contains("of the 400 people are certain to be members"));
    let weak = fine["cautions"][1]["sentence"].as_str().unwrap();
    assert!(weak.contains("δmax is 1") && weak.contains("of the 400 people"), "{weak}");
    let known = fine["cautions"][5]["sentence"].as_str().unwrap();
    assert!(known.contains("of the 160 members"), "{known}");
}

// holds: Exports are recorded
#[test]
fn exports_of_people_enter_the_history() {
    let visits = Visits::new(&["birthdate", "day"]);
    let accept = "betrays:birthdate=the board decided so";
    let strict = ["anonymize", "x.toml", "--strategy", "spalm", "--delta-max", "21/50", "--accept", accept];
    let run = visits.palmtop(&[&strict[..], &["-o", "r.csv"]].concat());
    assert!(run.status.success(), "{}", stderr(&run));
    let history = palmtop::history::of_project(&visits.at("x.toml")).unwrap();
    let [entry] = history.releases() else { panic!("{history:?}") };
    let sha256 = palmtop::data::read::hash_file(&visits.at("r.csv")).unwrap();
    assert_eq!((entry.file.as_str(), &entry.sha256, entry.rows), ("r.csv", &sha256, 240));
    assert_eq!((entry.delta.max().to_string().as_str(), entry.is_present), ("21/50", true));
    assert_eq!(entry.inputs.len(), 5, "the project, both tables and both hierarchies");
    let [accepted] = &entry.accepted[..] else { panic!("{entry:?}") };
    assert_eq!((accepted.key.as_str(), accepted.reason.as_str()), ("betrays", "the board decided so"));
    let search = entry.recipe.search().unwrap();
    assert!(search.node.is_some() && search.complete && entry.recipe.repeatable().is_some());
    // `verify` uses the δ under which the release was made.
    let verified = visits.json(&["verify", "x.toml", "r.csv"]);
    assert_eq!(verified["delta"]["max"], "21/50");
    assert!(verified["delta_from"]["source"].as_str().unwrap().ends_with("x.history.toml"), "{verified:#}");
    // The history records that the analyst chose this node, and it keeps the earlier entry.
    let node = ["anonymize", "x.toml", "--node", "2,2", "--accept", accept, "--force", "-o"];
    assert!(visits.palmtop(&[&node[..], &["n.csv"]].concat()).status.success());
    let history = palmtop::history::of_project(&visits.at("x.toml")).unwrap();
    assert!(history.releases().len() == 2 && history.releases()[1].recipe.search().is_none());
    // `check` and the second release take the first release into account. No remedy names a command
    // that such a project refuses.
    let accepted = visits.json(&[&node[..], &["m.csv"]].concat());
    for lists in [visits.json(&["check", "x.toml"]), visits.json(&["verify", "x.toml", "n.csv"]), accepted] {
        assert!(names(&lists).contains(&"earlier_release".to_owned()), "{lists:#}");
        for refused in ["compose", "--beside", "palmtop audit", "simulatable"] {
            assert!(!lists["cautions"].to_string().contains(refused), "{refused}: {lists:#}");
        }
    }
    let first = visits.json(&["verify", "x.toml", "r.csv"]);
    assert!(!names(&first).contains(&"earlier_release".to_owned()), "{first:#}");
    let betrays =
        first["cautions"].as_array().unwrap().iter().find(|caution| caution["key"] == "betrays").unwrap();
    assert_eq!(betrays["accepted"], "the board decided so");
    let headline = first["headline"].as_str().unwrap();
    assert!(
        headline.starts_with("For an attacker who uses only ")
            && headline.contains("`birthdate` reveals more about `age`"),
        "{headline}"
    );
    let refused = visits.palmtop(&[&node[..], &["x.history.toml"]].concat());
    assert!(!refused.status.success() && stderr(&refused).contains("history"), "{}", stderr(&refused));
    assert_eq!(palmtop::history::of_project(&visits.at("x.toml")).unwrap().releases().len(), 3);
}

// holds: Betrayals by leave-one-out
#[test]
fn other_rows_of_a_person_prove_no_relation() {
    let visits = Visits::new(&[]);
    let text = fs::read_to_string(visits.at("t.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let column = |position: usize, name: &str| {
        let mut column = Column::new(name);
        for row in &rows {
            column.push(Some(row[position]));
        }
        column
    };
    let people: BTreeMap<&str, u32> =
        rows.iter().map(|row| row[0]).collect::<BTreeSet<_>>().into_iter().zip(0..).collect();
    let persons: Vec<u32> = rows.iter().map(|row| people[row[0]]).collect();
    let chosen = betrayal::one_row_each(&persons);
    let of: BTreeSet<u32> = chosen.iter().map(|&row| persons[row as usize]).collect();
    assert_eq!((chosen.len(), of.len()), (160, 160));
    assert!(chosen.windows(2).all(|pair| pair[0] < pair[1]));
    // The chosen row is not always a person's first, because a first visit may differ from the
    // others.
    assert!(chosen.iter().any(|&row| row > 0 && persons[row as usize - 1] == persons[row as usize]));
    let (columns, quasi) = ([column(4, "score")], [Quasi::of(column(2, "age"))]);
    assert_eq!(betrayal::find(&columns, &quasi).len(), 1, "a row's twin has its score and its age");
    assert_eq!(betrayal::find_among(&columns, &quasi, &chosen), []);
}
