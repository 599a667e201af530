//! Uneven priors: what a release reveals to an attacker who knows that some people are likelier to
//! be in T than others. The tests read the priors from files in every form. They compare the engine
//! with the verifier, which shares no code with the engine.

use std::fs;
use std::path::PathBuf;

use palmtop::listing::{Column, Filter, Order, Ranking};
use palmtop::metrics::PriorVerdict;
use palmtop::model::{Delta, Level, Presence};
use palmtop::pipeline::{self, Analysis, ExportOptions, Overrides, verify_file, verify_file_under_prior};
use palmtop::verify::{Findings, UnderPrior};
use proptest::prelude::*;
use tempfile::TempDir;

/// A project with two quasi-identifiers. `zip` has one level between values and `*`; `age` has
/// none.
struct Project {
    folder: TempDir,
}

const ATTRIBUTES: &str = "\n[[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip-levels.csv\"\n\
                          [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age-levels.csv\"\n";
const ZIP: &str = "479;47-48;*\n480;47-48;*\n511;51;*\n";
const AGE: &str = "30;*\n40;*\n50;*\n";

impl Project {
    fn new(head: &str, files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let all = [("zip-levels.csv", ZIP), ("age-levels.csv", AGE)].into_iter().chain(files.iter().copied());
        for (name, content) in all {
            fs::write(folder.path().join(name), content).unwrap();
        }
        fs::write(folder.path().join("p.toml"), format!("{head}{ATTRIBUTES}")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn load(&self) -> Result<Analysis, String> {
        Analysis::load(&self.path("p.toml"), &Overrides::default())
            .map_err(|error| self.without_folder(&error))
    }

    fn without_folder(&self, error: &dyn std::error::Error) -> String {
        let chain = std::iter::successors(Some(error), |error| error.source());
        let text = chain.map(ToString::to_string).collect::<Vec<_>>().join(": ");
        text.replace(&format!("{}/", self.folder.path().display()), "")
    }

    /// The verdict of `classes` at a node, and the labels, the least posterior and the greatest
    /// posterior of each class.
    fn classes(&self, levels: [u8; 2]) -> (PriorVerdict, Vec<(String, f64, f64)>) {
        let analysis = self.load().unwrap();
        let problem = analysis.problem();
        let node = problem.lattice().node(&levels.map(Level)).unwrap();
        let release = analysis.by_hand(problem, node);
        let ranking = Ranking::new(problem, &release);
        let number = |class, column| ranking.cell(class, column).unwrap().to_string().parse::<f64>().unwrap();
        let mut classes: Vec<(String, f64, f64)> = (0..)
            .zip(release.classes.iter())
            .map(|(class, content)| {
                let [min, max] =
                    [Column::PosteriorMin, Column::PosteriorMax].map(|column| number(class, column));
                (content.texts(problem).join(" "), min, max)
            })
            .collect();
        classes.sort_by(|left, right| left.0.cmp(&right.0));
        (ranking.under_prior().unwrap(), classes)
    }

    /// The findings of `verify --prior` for the release of a node.
    fn verified(&self, levels: [u8; 2]) -> Findings {
        let analysis = self.load().unwrap();
        let node = analysis.problem().lattice().node(&levels.map(Level)).unwrap();
        let release = analysis.by_hand(analysis.problem(), node);
        let options = ExportOptions { allow_not_present: true, force: true };
        let target = self.path("release.csv");
        pipeline::export::write(&analysis, &release, &target, options).unwrap();
        verify_file_under_prior(&self.path("p.toml"), &Overrides::default(), &target).unwrap()
    }

    /// The verdict on which the engine and the verifier agree.
    fn judged(&self, levels: [u8; 2]) -> PriorVerdict {
        let (verdict, _) = self.classes(levels);
        let delta = self.load().unwrap().problem().delta();
        agree(verdict, self.verified(levels).under_prior.unwrap(), delta);
        verdict
    }

    /// Why the engine and the verifier both refuse the project.
    #[track_caller]
    fn refused(&self, engine: &str, verifier: &str) {
        let error = self.load().unwrap_err();
        assert!(error.contains(engine), "expected {engine}\n   found {error}");
        fs::write(self.path("release.csv"), "zip,age\n*,*\n").unwrap();
        let found =
            verify_file_under_prior(&self.path("p.toml"), &Overrides::default(), &self.path("release.csv"));
        let error = self.without_folder(&found.unwrap_err());
        assert!(error.contains(verifier), "expected {verifier}\n   found {error}");
    }
}

/// Checks that both report the same counts and the same worst posterior. If one person is as far
/// above δmax as another is below δmin, either posterior may be the worst.
#[track_caller]
fn agree(engine: PriorVerdict, verifier: UnderPrior, delta: Delta) {
    assert_eq!((engine.over, engine.under), (verifier.over, verifier.under), "{engine:?} {verifier:?}");
    let excess = |posterior: f64| (posterior - delta.max().to_f64()).max(delta.min().to_f64() - posterior);
    let is_tie =
        engine.over > 0 && engine.under > 0 && (excess(engine.worst) - excess(verifier.worst)).abs() <= 1e-12;
    let is_same = (engine.worst - verifier.worst).abs() <= 1e-12 * engine.worst;
    assert!(is_same || is_tie, "{engine:?} {verifier:?}");
}

const TWO_TABLES: &str = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n";

fn by_column(delta: &str, public: &str, private: &str) -> Project {
    let head = format!("{TWO_TABLES}prior = \"risk\"\n[delta]\n{delta}\n");
    Project::new(&head, &[("p.csv", public), ("t.csv", private)])
}

fn by_rates(public: &str, private: &str, rates: &str) -> Project {
    let head = format!("{TWO_TABLES}[prior]\nrates = \"rates.csv\"\n[delta]\nmax = \"1/2\"\n");
    Project::new(&head, &[("p.csv", public), ("t.csv", private), ("rates.csv", rates)])
}

/// Gail and Iris have the same quasi-identifiers, and one of them is in T. Each has presence 1/2,
/// which is within δ. If an attacker knows that Gail's odds are nine times those of Iris, Gail's
/// posterior is 9/(9 + 1).
///
/// In another class two of four people are in T, and Lena is as likely as Gail. Three pairs contain
/// Lena, with weight 9 each. Three do not, with weight 1 each. So Lena's posterior is 27/30, and
/// that of each other person is (9 + 1 + 1)/30.
#[test]
fn gail_and_iris() {
    let people = "name,zip,age,risk\nGail,479,30,9/10\nIris,479,30,1/2\nHana,480,40,1/2\nJoan,480,40,50%\nKate,480,40,0.5\n\
                  Lena,480,40,90%\n";
    let members = "zip,age\n479,30\n480,40\n480,40\n";
    let project = by_column("max = \"2/3\"", people, members);
    let (verdict, classes) = project.classes([0, 0]);
    let expected = [("479 30", 0.1, 0.9), ("480 40", 11.0 / 30.0, 0.9)];
    for ((labels, min, max), (expected_labels, least, most)) in classes.iter().zip(expected) {
        assert!(
            labels == expected_labels && (min - least).abs() < 1e-15 && (max - most).abs() < 1e-15,
            "{classes:?}"
        );
    }
    assert_eq!((verdict.over, verdict.under), (2, 0), "Gail and Lena");
    assert!((verdict.worst - 0.9).abs() < 1e-15);
    let findings = project.verified([0, 0]);
    assert!(findings.is_present(), "presence itself is 1/2 everywhere");
    agree(verdict, findings.under_prior.unwrap(), project.load().unwrap().problem().delta());

    // A δ equal to the posteriors is kept, and only integer arithmetic can decide this. The same
    // holds for δmin.
    for (delta, over, under) in [
        ("max = \"9/10\"", 0, 0),
        ("max = \"0.8999999999\"", 2, 0),
        ("max = 1\nmin = \"1/10\"", 0, 0),
        ("max = 1\nmin = \"0.1000000001\"", 0, 1),
        ("max = 1\nmin = \"11/30\"", 0, 1),
    ] {
        let verdict = by_column(delta, people, members).judged([0, 0]);
        assert_eq!((verdict.over, verdict.under), (over, under), "{delta}");
    }
    // All people are in one class with one zip.
    assert_eq!(by_column("max = \"2/3\"", people, members).judged([2, 1]).over, 2);
}

/// Gail's 9/10 is as far above δ as Iris's 1/10 is below it. Rounding decides which of the two is
/// reported as the worst.
#[test]
fn one_as_far_above_as_another_below_is_a_tie() {
    let people = "zip,age,risk\n479,30,9/10\n479,30,1/2\n";
    let verdict = by_column("min = \"1/2\"\nmax = \"1/2\"", people, "zip,age\n479,30\n").judged([0, 0]);
    assert_eq!((verdict.over, verdict.under), (1, 1));
}

#[test]
fn equal_priors_show_presence_itself() {
    let public = "zip,age,risk\n479,30,1%\n479,30,0.01\n479,30,1/100\n480,40,0.010\n480,40,1/100\n";
    let project = by_column("max = \"1/2\"", public, "zip,age\n479,30\n480,40\n");
    let (verdict, classes) = project.classes([0, 0]);
    let presence = [Presence::new(1, 3).unwrap(), Presence::new(1, 2).unwrap()].map(Presence::to_f64);
    let spans: Vec<(f64, f64)> = classes.iter().map(|(_, min, max)| (*min, *max)).collect();
    assert_eq!(spans, presence.map(|share| (share, share)));
    assert!(verdict.holds() && project.judged([0, 0]).holds());
}

/// The same people in every form of prior that a project may have.
#[test]
fn a_column_a_count_a_member_column_and_a_table_of_rates_say_the_same() {
    let private = "zip,age\n479,30\n511,40\n511,50\n";
    let rows = "479,30,1/5\n479,30,1/5\n480,40,2/5\n480,50,2/5\n511,40,1/10\n511,50,1/10\n511,50,1/10\n";
    let one = by_column("max = \"1/2\"", &format!("zip,age,risk\n{rows}"), private);
    let nodes = [[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]];
    let of = |project: &Project| nodes.map(|node| (project.classes(node), project.judged(node)));
    let expected = of(&one);

    let counted =
        "zip,age,risk,people\n479,30,20%,2\n480,40,0.4,1\n480,50,.4,1\n511,40,1/10,1\n511,50,10%,2\n,,x,0\n";
    let head = format!(
        "{TWO_TABLES}prior = \"risk\"\ncount = \"people\"\ncounts = \"people\"\n[delta]\nmax = \"1/2\"\n"
    );
    let counted = Project::new(&head, &[("p.csv", counted), ("t.csv", private)]);
    assert_eq!(of(&counted), expected);

    let marked = "zip,age,in,risk\n479,30,1,0.2\n479,30,0,1/5\n480,40,0,2/5\n480,50,0,2/5\n511,40,yes,1/10\n511,50,yes,1/10\n\
                  511,50,no,1/10\n";
    let head = "[public]\npath = \"p.csv\"\nmember = \"in\"\nprior = \"risk\"\n[delta]\nmax = \"1/2\"\n";
    assert_eq!(of(&Project::new(head, &[("p.csv", marked)])), expected);

    let public = format!("zip,age\n{}", rows.replace(",1/5", "").replace(",2/5", "").replace(",1/10", ""));
    // Values, labels of other levels, rows that match nobody, one column or two, in any order.
    for rates in [
        "zip,rate\n479,1/5\n480,2/5\n511,1/10\n",
        "zip,rate\n479,1/5\n480,2/5\n511,1/10\nTotal,1/2\n",
        "rate,zip\n1/5,479\n40%,480\n0.1,51\n1/2,999\n",
        "zip,age,rate\n479,*,1/5\n480,40,2/5\n480,50,2/5\n51,*,1/10\n480,30,0.9\n",
        "zip;age;rate\n47-48;30;1/5\n480;40;0.4\n480;50;0.4\n511;*;0.1\n",
    ] {
        assert_eq!(of(&by_rates(&public, private, rates)), expected, "{rates}");
    }
    let idle = by_rates(&public, private, "rate,zip\n1/5,479\n40%,480\n0.1,51\n1/2,999\n").load().unwrap();
    assert_eq!(idle.notes().idle_rates, 1);
    assert!(idle.inputs().iter().any(|input| input.path.ends_with("rates.csv")));
}

#[test]
fn a_prior_that_cannot_be_is_refused_with_its_place() {
    let private = "zip,age\n479,30\n";
    let column = |cells: &str| {
        let rows: Vec<String> = cells.split(' ').map(|cell| format!("479,30,{cell}")).collect();
        by_column("max = 1", &format!("zip,age,risk\n{}\n", rows.join("\n")), private)
    };
    for cell in ["1", "x", "", "-0.5", "101%", "1/0", "1e-3"] {
        column(&format!("0.5 {cell}")).refused(
            &format!(
                "p.csv, row 2 (header not counted), column `risk`: `{cell}` is not a prior; expected a fraction such as 1/30"
            ),
            &format!(
                "p.csv, line 3, column `risk`: `{cell}` is not a prior; expected a fraction such as 1/30"
            ),
        );
    }
    column("0 0 0").refused(
        "the prior says impossible: 1 member of T cannot be in T: for their combination, p.csv has fewer people with a prior \
         above 0 than t.csv has members\nrows of t.csv with these combinations (header not counted): 1\nzip · age (in t.csv / in \
         p.csv with a prior above 0):\n  479 · 30   1 / 0\ncorrect the prior",
        "the prior contradicts T: T has 1 member with zip = 479, age = 30, but only 0 of these people in P have a prior above 0",
    );
    let marked = "zip,age,in,risk\n479,30,0,0.2\n479,30,1,0\n";
    let head = "[public]\npath = \"p.csv\"\nmember = \"in\"\nprior = \"risk\"\n[delta]\nmax = 1\n";
    Project::new(head, &[("p.csv", marked)]).refused(
        "p.csv, row 2 (header not counted), column `risk`: this member of T has the prior 0, which means that they cannot be in T",
        "p.csv, line 3, column `risk`: a member of T has prior 0, which excludes them from T",
    );
    let head = format!("{TWO_TABLES}prior = \"odds\"\n[delta]\nmax = 1\n");
    let files = [("p.csv", "zip,age\n479,30\n"), ("t.csv", private)];
    Project::new(&head, &files).refused(
        "p.csv: no column `odds`, it has `zip`, `age`; correct the project's `prior` of [public]",
        "p.csv: no column `odds`",
    );
}

/// Rates of a belief need not be right, so nobody is harmed by 0 or 1; a prior of 1 leaves nothing to hide.
#[test]
fn a_belief_may_have_rates_of_one() {
    let head = "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1\"\n[search]\nbelief = \"rates.csv\"\n";
    let tables = [("p.csv", "zip,age\n479,30\n480,30\n511,50\n"), ("t.csv", "zip,age\n480,30\n")];
    for (rate, is_one) in [("1", true), ("1/1", true), ("100%", true), ("3/2", false), ("x", false)] {
        let rates = format!("zip,rate\n47-48,{rate}\n51,0\n");
        let project = Project::new(head, &[&tables[..], &[("rates.csv", &rates)]].concat());
        let loaded = Analysis::load(&project.path("p.toml"), &Overrides::default());
        assert_eq!(loaded.is_ok(), is_one, "{rate}");
        if let Err(error) = loaded {
            assert!(error.to_string().contains("is not a rate"), "{error}");
        }
    }
}

#[test]
fn rates_that_leave_somebody_out_or_match_twice_are_refused_with_the_values() {
    let (public, private) = ("zip,age\n479,30\n480,30\n480,30\n511,50\n", "zip,age\n480,30\n");
    for (rates, engine, verifier) in [
        ("zip\n479\n", "rates.csv: no column `rate`", "rates.csv: no column `rate`"),
        (
            "rate\n0.1\n",
            "rates.csv: no column of a quasi-identifier; expected one or more of `zip`, `age`, and `rate`",
            "rates.csv: it has no column of a quasi-identifier",
        ),
        (
            "zip,sex,rate\n479,f,0.1\n",
            "rates.csv: column `sex` is not a quasi-identifier of the project; expected one or more of `zip`, `age`, and `rate`",
            "rates.csv: column `sex` is not a quasi-identifier",
        ),
        (
            "zip,rate\n*,0.1\n479,1\n",
            "rates.csv, row 2 (header not counted), column `rate`: `1` is not a prior",
            "rates.csv, line 3, column `rate`: `1` is not a prior",
        ),
        (
            "zip,age,rate\n479,*,0.1\n48O,*,0.2\n51,30,0.2\n",
            "rates.csv: each person of the public table must match exactly one row; 3 do not (zip · age):\n  480 · 30: no row\n  \
             511 · 50: no row\nrow 2 matches nobody: its values are not in the hierarchies, or nobody has them\nwrite one row",
            "each individual in P must match one row: `480 · 30` matches 0 rows, `511 · 50` matches 0 rows; correct the rates",
        ),
        (
            "zip,rate\n479,0.1\n47-48,0.2\n51,0.2\n",
            "rates.csv: each person of the public table must match exactly one row; 1 does not (zip):\n  479: rows 1 and 2\nwrite",
            "`479` matches 2 rows; correct the rates",
        ),
        (
            "zip,rate\n*,0.1\n*,0.2\n",
            "row; 4 do not (zip):\n  479: rows 1 and 2\n  480: rows 1 and 2\n  511: rows 1 and 2\nwrite",
            "`479` matches 2 rows, `480` matches 2 rows, `511` matches 2 rows; correct the rates",
        ),
        (
            "zip,rate\n479,0.1\n480,0\n511,0.1\n",
            "the prior says impossible: 1 member of T cannot be in T",
            "the prior contradicts T: T has 1 member with zip = 480, age = 30, but only 0",
        ),
    ] {
        by_rates(public, private, rates).refused(engine, verifier);
    }
    let missing = by_rates(public, private, "");
    fs::remove_file(missing.path("rates.csv")).unwrap();
    missing.refused("cannot read rates.csv", "cannot read rates.csv");
}

#[test]
fn the_verifier_judges_by_a_prior_only_where_it_is_asked_to_and_the_file_is_faithful() {
    let people = "zip,age,risk\n479,30,9/10\n479,30,1/2\n";
    let project = by_column("max = \"1/2\"", people, "zip,age\n479,30\n");
    let (toml, release) = (project.path("p.toml"), project.path("release.csv"));
    fs::write(&release, "zip,age\n*,*\n").unwrap();
    let found = verify_file(&toml, &Overrides::default(), &release).unwrap();
    assert!(found.is_present() && found.under_prior.is_none());
    let found = verify_file_under_prior(&toml, &Overrides::default(), &release).unwrap();
    assert_eq!(found.under_prior.map(|found| (found.over, found.under)), Some((1, 0)));
    // Two released rows match one person, so the classes of people are unknown.
    fs::write(&release, "zip,age\n*,*\n479,30\n").unwrap();
    let found = verify_file_under_prior(&toml, &Overrides::default(), &release).unwrap();
    assert!(!found.is_faithful() && found.under_prior.is_none());
    // Without a prior, `--prior` has no basis for a verdict. A malformed prior is ignored if no
    // command uses it.
    let without = by_column("max = \"1/2\"", people, "zip,age\n479,30\n");
    let head = format!("{TWO_TABLES}[delta]\nmax = \"1/2\"\n{ATTRIBUTES}");
    fs::write(without.path("p.toml"), head).unwrap();
    fs::write(without.path("release.csv"), "zip,age\n*,*\n").unwrap();
    let error =
        verify_file_under_prior(&without.path("p.toml"), &Overrides::default(), &without.path("release.csv"));
    assert!(error.unwrap_err().to_string().contains("the project has no prior"));
    assert_eq!(without.load().unwrap().problem().prior(), None);
}

/// People who match no row are in a class without members. Their posterior is 0.
#[test]
fn classes_without_members_are_judged_too() {
    let people = "zip,age,risk\n479,30,1/2\n479,30,1/3\n511,50,1/2\n511,50,1/2\n";
    let project = by_column("max = 1\nmin = \"1/100\"", people, "zip,age\n479,30\n");
    assert_eq!((project.judged([0, 0]).under, project.judged([2, 1]).under), (2, 0));
}

#[test]
fn listings_filter_and_sort_by_posteriors_where_there_is_a_prior() {
    let people = "zip,age,risk\n479,30,9/10\n479,30,1/2\n480,40,1/2\n480,40,1/2\n511,50,1/10\n511,50,1/2\n";
    let project = by_column("max = \"1/2\"", people, "zip,age\n479,30\n480,40\n");
    let analysis = project.load().unwrap();
    let problem = analysis.problem();
    let release = analysis.by_hand(problem, problem.lattice().bottom());
    let ranking = Ranking::new(problem, &release);
    let listed = |filter: &str, order: &str| -> Vec<String> {
        let (filter, order) =
            (Filter::parse(filter, problem).unwrap(), Order::parse(order, problem).unwrap());
        ranking.list(&filter, order).into_iter().map(|class| ranking.text(class, 0).to_owned()).collect()
    };
    assert_eq!(listed("", "posterior_max"), ["479", "480", "511"]);
    assert_eq!(listed("", "-posterior_min"), ["511", "479", "480"]);
    assert_eq!(listed("posterior_max>1/2", "worst"), ["479"]);
    assert_eq!(listed("posterior_min<=50% !zip:511", "zip"), ["479", "480"]);
    assert_eq!(listed("!posterior_max>=.5", "worst"), ["511"]);
    let without =
        problem.with_members(&problem.histogram().counts().iter().map(|c| c.private).collect::<Vec<_>>());
    let without = without.unwrap();
    let refused = Filter::parse("posterior_max>.5", &without).unwrap_err().to_string();
    assert!(refused.contains("there is no `posterior_max` here"), "{refused}");
    assert!(Order::parse("posterior_max", &without).is_err());
}

/// A project with random people and a prior in one of the forms.
#[derive(Clone, Debug)]
struct Random {
    /// For each row of P: zip, age, prior, whether in T, and the number of people.
    rows: Vec<(usize, usize, usize, bool, u8)>,
    form: u8,
    delta: (usize, usize),
    levels: [u8; 2],
}

const ZIPS: [&str; 3] = ["479", "480", "511"];
const AGES: [&str; 3] = ["30", "40", "50"];
const RISKS: [&str; 6] = ["0", "1/2", "9/10", "1%", "0.333", "999/1000"];
const BOUNDS: [&str; 8] = ["0", "1/10", "1/4", "1/3", "1/2", "2/3", "9/10", "1"];

fn random() -> impl Strategy<Value = Random> {
    let row = (0..3_usize, 0..3_usize, 0..6_usize, any::<bool>(), 1..4_u8);
    let delta = (0..8_usize, 0..8_usize).prop_map(|(one, other)| (one.min(other), one.max(other)));
    (prop::collection::vec(row, 1..14), 0..4_u8, delta, (0..3_u8, 0..2_u8)).prop_map(
        |(mut rows, form, delta, (zip, age))| {
            for row in &mut rows {
                if form == 3 {
                    // In a table of rates, all people with the same zip and age have the same rate.
                    row.2 = (row.0 * 2 + row.1) % RISKS.len();
                }
                row.3 &= row.2 != 0;
            }
            if rows.iter().all(|row| !row.3) {
                let possible = if form == 3 { (1, 0, 2) } else { (0, 0, 1) };
                rows.push((possible.0, possible.1, possible.2, true, 1));
            }
            Random { rows, form, delta, levels: [zip, age] }
        },
    )
}

impl Random {
    fn project(&self) -> Project {
        let (mut public, mut private) = (String::new(), "zip,age\n".to_owned());
        for &(zip, age, risk, is_member, people) in &self.rows {
            let (who, risk) = (format!("{},{}", ZIPS[zip], AGES[age]), RISKS[risk]);
            let row = match self.form {
                1 => format!("{who},{risk},{people}\n"),
                2 => format!("{who},{risk},{people},{is_member}\n"),
                3 => format!("{who}\n"),
                _ => format!("{who},{risk}\n"),
            };
            public.push_str(&row);
            if is_member {
                let people = if self.form == 1 { usize::from(people) } else { 1 };
                private.push_str(&format!("{who}\n").repeat(people));
            }
        }
        let (min, max) = (BOUNDS[self.delta.0], BOUNDS[self.delta.1]);
        let delta = format!("[delta]\nmin = \"{min}\"\nmax = \"{max}\"\n");
        let (head, header) = match self.form {
            1 => (format!("{TWO_TABLES}prior = \"risk\"\ncount = \"n\"\ncounts = \"people\"\n"), "zip,age,risk,n\n"),
            2 => (
                "[public]\npath = \"p.csv\"\nprior = \"risk\"\ncount = \"n\"\ncounts = \"people\"\nmember = \"in\"\n".to_owned(),
                "zip,age,risk,n,in\n",
            ),
            3 => (format!("{TWO_TABLES}[prior]\nrates = \"rates.csv\"\n"), "zip,age\n"),
            _ => (format!("{TWO_TABLES}prior = \"risk\"\n"), "zip,age,risk\n"),
        };
        let rates: Vec<String> = (0..9)
            .map(|cell| (cell / 3, cell % 3))
            .map(|(zip, age)| {
                format!("{},{},{}\n", ZIPS[zip], AGES[age], RISKS[(zip * 2 + age) % RISKS.len()])
            })
            .collect();
        let public = format!("{header}{public}");
        let rates = format!("zip,age,rate\n{}", rates.concat());
        let files = [("p.csv", public.as_str()), ("t.csv", private.as_str()), ("rates.csv", rates.as_str())];
        Project::new(&format!("{head}{delta}"), &files)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// Compares two implementations that share neither readers nor arithmetic, including exact
    /// ties.
    #[test]
    fn classes_and_verify_agree_on_random_projects(random in random()) {
        random.project().judged(random.levels);
    }
}
