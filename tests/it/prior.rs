//! Uneven priors: what a release reveals to an attacker who knows that some people are likelier to
//! be in T than others. `risk --prior` measures it; the tests count every possible T.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{Done, keys, palmtop};
use palmtop::metrics::Posteriors;
use palmtop::model::{Level, Presence};
use palmtop::pipeline::{Analysis, ExportOptions, Overrides, export, posteriors, reading};
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

/// A project with two quasi-identifiers. `zip` has one level between values and `*`; `age` has
/// none.
struct Project {
    folder: TempDir,
}

const HEAD: &str = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n";
const ATTRIBUTES: &str = "\n[[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip-levels.csv\"\n\
                          [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age-levels.csv\"\n";
const ZIP: &str = "479;47-48;*\n480;47-48;*\n511;51;*\n";
const AGE: &str = "30;*\n40;*\n50;*\n";

impl Project {
    fn new(delta: &str, public: &str, private: &str, rates: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, content) in [
            ("zip-levels.csv", ZIP),
            ("age-levels.csv", AGE),
            ("p.toml", &format!("{HEAD}[delta]\n{delta}\n{ATTRIBUTES}")),
            ("p.csv", public),
            ("t.csv", private),
            ("rates.csv", rates),
        ] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn run(&self, arguments: &str) -> Done {
        palmtop(self.folder.path(), arguments.split_whitespace().map(|part| part.replace('␣', " ")))
    }

    /// `prior` of `risk` for a node, and for the file that has its release.
    fn measured(&self, node: &str, delta: &str) -> Value {
        let write = format!(
            "anonymize p.toml --node {node} -o out.csv --force --accept not_present=the␣test␣needs␣it {delta}"
        );
        assert!(self.path("out.csv").exists() || [0, 3].contains(&self.run(&write).status));
        let risk =
            format!("compare p.toml {node} out.csv --prior rates.csv --format json {delta} --show risk");
        let json = self.run(&risk).expect(0, "").json();
        let [of_node, of_file] = [0, 1].map(|nth| json["risk"][nth]["prior"].clone());
        assert_eq!(of_node, of_file);
        of_node
    }

    /// The number of people above δmax and below δmin.
    fn beyond(&self, node: &str, delta: &str) -> (u64, u64) {
        let prior = self.measured(node, delta);
        (prior["over"].as_u64().unwrap(), prior["under"].as_u64().unwrap())
    }

    #[track_caller]
    fn refused(&self, message: &str) {
        let done = self.run("compare p.toml 0,0 --show risk --prior rates.csv");
        assert_eq!(done.expect(1, message).out, "");
    }
}

fn is_near(value: &Value, expected: f64) -> bool {
    (value.as_f64().unwrap() - expected).abs() < 1e-15
}

/// Gail and Iris share the published labels, and one of them is in T. Each has presence 1/2, which
/// is within δ. If an attacker knows that Gail's odds are nine times those of Iris, Gail's
/// posterior is 9/(9 + 1).
///
/// In another class two of four people are in T, and Lena is as likely as Gail. Three pairs contain
/// Lena, with weight 9 each. Three do not, with weight 1 each. So Lena's posterior is 27/30, and
/// that of each other person is (9 + 1 + 1)/30.
#[test]
fn gail_and_iris() {
    let people =
        "name,zip,age\nGail,479,30\nIris,479,40\nHana,480,30\nJoan,480,40\nKate,480,40\nLena,480,50\n";
    let members = "zip,age\n479,30\n480,30\n480,40\n";
    let rates = "age,zip,rate\n30,479,9/10\n40,479,1/2\n30,480,50%\n40,480,0.5\n50,480,90%\n";
    let project = Project::new("max = \"2/3\"", people, members, rates);
    let prior = project.measured("0,1", "");
    assert_eq!(keys(&prior), ["least", "greatest", "over", "under", "worst"]);
    assert!(is_near(&prior["least"], 0.1) && is_near(&prior["greatest"], 0.9), "{prior}");
    assert!((&prior["over"], &prior["under"]) == (&2.into(), &0.into()), "Gail and Lena: {prior}");
    assert!(is_near(&prior["worst"], 0.9));

    // A δ equal to the posteriors is kept, and only integer arithmetic can decide this. The same
    // holds for δmin.
    for (delta, expected) in [
        ("--delta-max 9/10", (0, 0)),
        ("--delta-max 0.8999999999", (2, 0)),
        ("--delta-max 1 --delta-min 1/10", (0, 0)),
        ("--delta-max 1 --delta-min 0.1000000001", (0, 1)),
        ("--delta-max 1 --delta-min 11/30", (0, 1)),
    ] {
        assert_eq!(project.beyond("0,1", delta), expected, "{delta}");
    }
    // By itself, each person is in T or not, whatever the prior.
    let alone = project.run("compare p.toml 0,0 --prior rates.csv --format json --show risk").json();
    let alone = &alone["risk"][0]["prior"];
    assert_eq!((&alone["least"], &alone["greatest"]), (&0.0.into(), &1.0.into()));
}

/// Gail's 9/10 is as far above δ as Iris's 1/10 is below it.
#[test]
fn as_far_above_as_below_is_a_tie() {
    let (people, rates) = ("zip,age\n479,30\n479,40\n", "age,rate\n30,9/10\n40,1/2\n50,0\n");
    let project = Project::new("min = \"1/2\"\nmax = \"1/2\"", people, "zip,age\n479,30\n", rates);
    assert_eq!(project.beyond("0,1", ""), (1, 1));
    project
        .run("compare p.toml 0,1 --prior rates.csv --show risk")
        .expect(0, "1 row of rates.csv matches nobody");
}

#[test]
fn equal_priors_show_presence_itself() {
    let (public, private) =
        ("zip,age\n479,30\n479,30\n479,30\n480,40\n480,40\n", "zip,age\n479,30\n480,40\n");
    let project = Project::new("max = \"1/2\"", public, private, "zip,rate\n479,1%\n480,0.010\n");
    let prior = project.measured("0,0", "");
    let presence = [(1, 3), (1, 2)].map(|(members, people)| Presence::new(members, people).unwrap().to_f64());
    assert_eq!((&prior["least"], &prior["greatest"]), (&presence[0].into(), &presence[1].into()));
    assert_eq!((&prior["over"], &prior["under"]), (&0.into(), &0.into()));
}

#[test]
fn every_form_of_rates_says_the_same() {
    let public = "zip,age\n479,30\n479,30\n480,40\n480,50\n511,40\n511,50\n511,50\n";
    let private = "zip,age\n479,30\n511,40\n511,50\n";
    // Values, labels of other levels, rows that match nobody, one column or two, in any order.
    let forms = [
        "zip,rate\n479,1/5\n480,2/5\n511,1/10\n",
        "zip,rate\n479,1/5\n480,2/5\n511,1/10\nTotal,1/2\n",
        "rate,zip\n1/5,479\n40%,480\n0.1,51\n1/2,999\n",
        "zip,age,rate\n479,*,1/5\n480,40,2/5\n480,50,2/5\n51,*,1/10\n480,30,0.9\n",
        "zip;age;rate\n47-48;30;1/5\n480;40;0.4\n480;50;0.4\n511;*;0.1\n",
    ];
    let of = |rates: &str| {
        let project = Project::new("max = \"1/2\"", public, private, rates);
        let done = project.run("compare p.toml 0,0 1,0 0,1 1,1 2,1 --prior rates.csv --show risk");
        (done.expect(0, "").out.clone(), done.err)
    };
    let [(expected, _), others @ ..] = forms.map(of);
    for ((found, messages), (rates, is_idle)) in
        others.into_iter().zip([(forms[1], true), (forms[2], true), (forms[3], true), (forms[4], false)])
    {
        assert_eq!(found, expected, "{rates}");
        assert_eq!(messages.contains("1 row of rates.csv matches nobody"), is_idle, "{rates}\n{messages}");
    }
}

#[test]
fn rates_that_cannot_be_are_refused() {
    let (public, private) = ("zip,age\n479,30\n480,30\n480,30\n511,50\n", "zip,age\n480,30\n");
    let refused = |rates: &str, message: &str| {
        Project::new("max = 1", public, private, rates).refused(message);
    };
    for cell in ["1", "x", "", "-0.5", "101%", "1/0", "1e-3"] {
        refused(
            &format!("age,rate\n30,0.5\n50,{cell}\n"),
            &format!(
                "rates.csv, row 2 (header not counted), column `rate`: `{cell}` is not a prior; expected a fraction such as 1/30"
            ),
        );
    }
    for (rates, message) in [
        ("zip\n479\n", "rates.csv: no column `rate`, it has `zip`"),
        (
            "rate\n0.1\n",
            "rates.csv: no column of a quasi-identifier; expected one or more of `zip`, `age`, and `rate`",
        ),
        (
            "zip,sex,rate\n479,f,0.1\n",
            "rates.csv: column `sex` is not a quasi-identifier of the project; expected one or more of `zip`, `age`, and `rate`",
        ),
        (
            "zip,age,rate\n479,*,0.1\n48O,*,0.2\n51,30,0.2\n",
            "rates.csv: each person of the public table must match exactly one row; 3 do not (zip · age):\n  480 · 30: no row\n  \
             511 · 50: no row\nrow 2 matches nobody: its values are not in the hierarchies, or nobody has them\nwrite one row",
        ),
        (
            "zip,rate\n479,0.1\n47-48,0.2\n51,0.2\n",
            "rates.csv: each person of the public table must match exactly one row; 1 does not (zip):\n  479: rows 1 and 2\nwrite",
        ),
        (
            "zip,rate\n*,0.1\n*,0.2\n",
            "row; 4 do not (zip):\n  479: rows 1 and 2\n  480: rows 1 and 2\n  511: rows 1 and 2\nwrite",
        ),
        (
            "zip,rate\n479,0.1\n480,0\n511,0.1\n",
            "rates.csv, row 2 (header not counted): the rate is 0, but 1 member of T is among the people of this row",
        ),
    ] {
        refused(rates, message);
    }
    let missing = Project::new("max = 1", public, private, "");
    fs::remove_file(missing.path("rates.csv")).unwrap();
    missing.refused("cannot read rates.csv");
}

/// Rates of a belief need not be right, so nobody is harmed by 0 or 1; a prior of 1 leaves nothing to hide.
#[test]
fn a_belief_may_have_rates_of_one() {
    let (public, private) = ("zip,age\n479,30\n480,30\n511,50\n", "zip,age\n480,30\n");
    for (rate, is_one) in [("1", true), ("1/1", true), ("100%", true), ("3/2", false), ("x", false)] {
        let rates = format!("zip,rate\n47-48,{rate}\n51,0\n");
        let project = Project::new("max = 1\n[search]\nbelief = \"rates.csv\"", public, private, &rates);
        let loaded = Analysis::load(&project.path("p.toml"), &Overrides::default());
        assert_eq!(loaded.is_ok(), is_one, "{rate}");
        if let Err(error) = loaded {
            assert!(error.to_string().contains("is not a rate"), "{error}");
        }
    }
}

#[test]
fn an_unfaithful_file_has_no_posteriors() {
    let people = "zip,age\n479,30\n479,40\n";
    let project = Project::new("max = \"1/2\"", people, "zip,age\n479,30\n", "age,rate\n30,9/10\n40,1/2\n");
    fs::write(project.path("out.csv"), "zip,age\n479,*\n479,*\n").unwrap();
    let done = project.run("compare p.toml 0,1 out.csv --prior rates.csv --format json --show risk");
    let json = done.expect(0, "out.csv is not a faithful release of the present T").json();
    assert!(is_near(&json["risk"][0]["prior"]["greatest"], 0.9), "{json}");
    assert_eq!(json["risk"][1]["prior"], Value::Null);
    let without = project.run("compare p.toml 0,1 --format json --show risk").json();
    assert_eq!(without["risk"][0]["prior"], Value::Null);
    assert!(!project.run("compare p.toml 0,1 --show risk").out.contains("prior"));
}

/// People who match no row are in a class without members. Their posterior is 0.
#[test]
fn classes_without_members_are_judged_too() {
    let people = "zip,age\n479,30\n479,40\n511,50\n511,50\n";
    let rates = "age,rate\n30,1/2\n40,1/3\n50,1/2\n";
    let project = Project::new("max = 1\nmin = \"1/100\"", people, "zip,age\n479,30\n", rates);
    assert_eq!(project.beyond("0,1", ""), (0, 2));
    fs::remove_file(project.path("out.csv")).unwrap();
    assert_eq!(project.beyond("2,1", ""), (0, 0));
}

#[test]
fn people_with_several_rows_have_no_prior() {
    let (public, private) = ("id,zip,age\na,479,30\nb,480,30\n", "id,zip,age\na,479,30\n");
    let project = Project::new("max = 1", public, private, "zip,rate\n479,1/2\n480,1/2\n");
    let entity =
        format!("{HEAD}[delta]\nmax = 1\n[[attribute]]\nname = \"id\"\nrole = \"entity\"\n{ATTRIBUTES}");
    fs::write(project.path("p.toml"), entity).unwrap();
    project.refused("a prior is for people with one row each");
}

#[test]
fn the_worked_prior_is_what_risk_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let section = fs::read_to_string(root.join("docs/measures.md")).unwrap();
    let command = "compare sample-data/neighbours/neighbours.toml 4,2 --prior sample-data/neighbours/likely.csv --show risk";
    assert!(section.contains(&format!("$ palmtop {command}\n")));
    let done = palmtop(root, command.split_whitespace());
    let lines: Vec<&str> = done.expect(0, "").out.lines().filter(|line| line.contains("prior: ")).collect();
    assert_eq!(lines.len(), 4, "{}", done.out);
    assert!(section.contains(&lines.join("\n")), "docs/measures.md lacks\n{}", lines.join("\n"));
}

/// A project with random people and rates.
#[derive(Clone, Debug)]
struct Random {
    /// For each person of P: zip, age and whether in T.
    people: Vec<(usize, usize, bool)>,
    /// The rate of each zip and age.
    rates: [usize; 9],
    delta: (usize, usize),
    levels: [u8; 2],
}

const ZIPS: [&str; 3] = ["479", "480", "511"];
const AGES: [&str; 3] = ["30", "40", "50"];
/// Rates, each with its odds times 198.
const RATES: [(&str, u128); 5] = [("0", 0), ("1/2", 198), ("9/10", 1782), ("1%", 2), ("1/3", 99)];
const BOUNDS: [(u64, u64); 8] = [(0, 1), (1, 10), (1, 4), (1, 3), (1, 2), (2, 3), (9, 10), (1, 1)];

fn random() -> impl Strategy<Value = Random> {
    let people = prop::collection::vec((0..3_usize, 0..3_usize, any::<bool>()), 1..10);
    let delta = (0..8_usize, 0..8_usize).prop_map(|(one, other)| (one.min(other), one.max(other)));
    let rates = prop::array::uniform9(0..5_usize);
    (people, rates, delta, (0..3_u8, 0..2_u8)).prop_map(|(mut people, mut rates, delta, (zip, age))| {
        for (zip, age, is_member) in &mut people {
            *is_member &= rates[*zip * 3 + *age] != 0;
        }
        if people.iter().all(|(.., is_member)| !is_member) {
            rates[0] = 1;
            people.push((0, 0, true));
        }
        Random { people, rates, delta, levels: [zip, age] }
    })
}

impl Random {
    fn project(&self) -> Project {
        let (mut public, mut private) = ("zip,age\n".to_owned(), "zip,age\n".to_owned());
        for &(zip, age, is_member) in &self.people {
            let row = format!("{},{}\n", ZIPS[zip], AGES[age]);
            public.push_str(&row);
            private.push_str(if is_member { &row } else { "" });
        }
        let rates: Vec<String> = (0..9)
            .map(|cell| format!("{},{},{}\n", ZIPS[cell / 3], AGES[cell % 3], RATES[self.rates[cell]].0))
            .collect();
        let [min, max] = [self.delta.0, self.delta.1].map(|bound| BOUNDS[bound]);
        let delta = format!("min = \"{}/{}\"\nmax = \"{}/{}\"", min.0, min.1, max.0, max.1);
        Project::new(&delta, &public, &private, &format!("zip,age,rate\n{}", rates.concat()))
    }

    /// The class of a person by the labels of zip and age.
    fn class(&self, zip: usize, age: usize) -> (usize, usize) {
        let zip = [zip, zip / 2, 0][usize::from(self.levels[0])];
        (zip, if self.levels[1] == 0 { age } else { 0 })
    }

    /// By the definition: the posterior of each person as the weight of all choices of the class's
    /// members with and without the person.
    fn by_every_choice(&self) -> Vec<(u128, u128)> {
        let posterior = |&(zip, age, _): &(usize, usize, bool), who: usize| {
            let class = |(_, (zip, age, _)): &(usize, &(usize, usize, bool))| self.class(*zip, *age);
            let own = self.class(zip, age);
            let of_class: Vec<_> = self.people.iter().enumerate().filter(|one| class(one) == own).collect();
            let members = of_class.iter().filter(|(_, (.., is_member))| *is_member).count();
            let odds: Vec<u128> =
                of_class.iter().map(|(_, (zip, age, _))| RATES[self.rates[zip * 3 + age]].1).collect();
            let person = of_class.iter().position(|(number, _)| *number == who).unwrap();
            let choices = (0_u32..1 << odds.len()).filter(|choice| choice.count_ones() as usize == members);
            choices.fold((0, 0), |(with, all), choice| {
                let chosen = (0..odds.len()).filter(|index| choice & (1 << index) != 0);
                let weight: u128 = chosen.map(|index| odds[index]).product();
                (with + if choice & (1 << person) == 0 { 0 } else { weight }, all + weight)
            })
        };
        self.people.iter().zip(0..).map(|(person, who)| posterior(person, who)).collect()
    }

    fn hold(&self, posteriors: &Posteriors) {
        let expected = self.by_every_choice();
        let [min, max] = [self.delta.0, self.delta.1].map(|bound| BOUNDS[bound]);
        let times = |bound: u64| u128::from(bound);
        let is_over = |(with, all): &&(u128, u128)| with * times(max.1) > all * times(max.0);
        let is_under = |(with, all): &&(u128, u128)| with * times(min.1) < all * times(min.0);
        let counted = (expected.iter().filter(is_over).count(), expected.iter().filter(is_under).count());
        let (verdict, range) = (posteriors.verdict(), posteriors.range());
        assert_eq!((verdict.over, verdict.under), (counted.0 as u64, counted.1 as u64), "{self:?}");
        #[expect(clippy::cast_precision_loss, reason = "compared with an error")]
        let values = expected.iter().map(|(with, all)| *with as f64 / *all as f64);
        let (least, most) =
            values.fold((1.0_f64, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
        assert!((range.min - least).abs() < 1e-12 && (range.max - most).abs() < 1e-12, "{range:?} {self:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]

    /// Of a release in memory and of its file, which the verifier reads.
    // holds: Priors decide nothing
    #[test]
    fn posteriors_are_those_of_every_choice(random in random()) {
        let project = random.project();
        let analysis = Analysis::load(&project.path("p.toml"), &Overrides::default()).unwrap();
        let (prior, _) = posteriors::prior(&analysis, &project.path("rates.csv")).unwrap();
        let problem = analysis.problem();
        let release = analysis.by_hand(problem, problem.lattice().node(&random.levels.map(Level)).unwrap());
        random.hold(&posteriors::of_release(&prior, &release));
        let (target, options) = (project.path("out.csv"), ExportOptions { allow_not_present: true, force: true });
        export::write(&analysis, &release, &target, options).unwrap();
        let read = reading::read(&analysis, &target).unwrap();
        random.hold(&posteriors::of_file(&analysis, &prior, &read).unwrap());
    }
}
