//! The cautions of projects and releases: one list, whether it follows from a search or from a written file.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up should stop")]

use std::fs;
use std::path::PathBuf;

use palmtop::caution::{self, AlgorithmKnowledge, Caution, Facts, Key, ProjectCautions};
use palmtop::model::Level;
use palmtop::pipeline::{Analysis, ExportOptions, Overrides};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use proptest::prelude::*;
use tempfile::TempDir;

/// A project of three quasi-identifiers and one sensitive column in a folder.
struct Case {
    folder: TempDir,
}

/// A person of P: zip, age, sex; and the diagnosis of a member.
type Person = (u8, u8, bool, Option<u8>);

impl Case {
    fn of(people: &[Person], policy: &str, delta: [&str; 2]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let mut public = "zip,age,sex\n".to_owned();
        let mut private = "zip,age,sex,diagnosis\n".to_owned();
        for (zip, age, is_male, diagnosis) in people {
            let row = format!("z{zip},{age},{}", if *is_male { "m" } else { "f" });
            public.push_str(&format!("{row}\n"));
            if let Some(diagnosis) = diagnosis {
                private.push_str(&format!("{row},d{diagnosis}\n"));
            }
        }
        let hierarchy = |values: &[String]| {
            let rows = values.iter().map(|value| format!("{value};{}x;*\n", &value[..1]));
            rows.collect::<String>()
        };
        let zips: Vec<String> = (0..4).map(|zip| format!("z{zip}")).collect();
        let ages: Vec<String> = (10..26).map(|age| age.to_string()).collect();
        let project = format!(
            "[public]\npath = \"p.csv\"\n\n[private]\npath = \"t.csv\"\n\n[delta]\nmin = \"{}\"\nmax = \"{}\"\n\n{policy}\n\
             [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.csv\"\n\n\
             [[attribute]]\nname = \"sex\"\nrole = \"quasi\"\nhierarchy = \"sex.csv\"\n\n\
             [[attribute]]\nname = \"diagnosis\"\nrole = \"sensitive\"\n",
            delta[0], delta[1]
        );
        let case = Self { folder };
        for (name, text) in [
            ("p.csv", public.as_str()),
            ("t.csv", &private),
            ("zip.csv", &hierarchy(&zips)),
            ("age.csv", &hierarchy(&ages)),
            ("sex.csv", "m;*\nf;*\n"),
            ("project.toml", &project),
        ] {
            fs::write(case.path(name), text).unwrap();
        }
        case
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn load(&self) -> Analysis {
        Analysis::load(&self.path("project.toml"), &Overrides::default()).unwrap()
    }
}

/// The cautions of a release as the engine has it.
fn of_release(analysis: &Analysis, release: &Release) -> Vec<Caution> {
    let project = caution::of_project(analysis, &mut unwatched).unwrap();
    let facts = Facts::of_release(analysis, release, &analysis.risk_classes(release).unwrap(), &project);
    caution::of_release(&facts, &project)
}

/// The same from its file; what is known of the algorithm does not follow from rows.
fn of_file(analysis: &Analysis, release: &Release, path: PathBuf) -> Vec<Caution> {
    let options = ExportOptions { allow_not_present: true, ..ExportOptions::default() };
    analysis.export(release, &path, options).unwrap();
    let read = analysis.read_release(&path).unwrap();
    let risk = analysis.risk_classes_of_file(&read).unwrap();
    let project = caution::of_project(analysis, &mut unwatched).unwrap();
    let facts = Facts::of_file(analysis, &read.findings, Some((&read, &risk)), &project);
    let facts = Facts { algorithm: release.knows_algorithm().into(), ..facts };
    caution::of_release(&facts, &project)
}

fn people() -> impl proptest::strategy::Strategy<Value = Vec<Person>> {
    let person = (0..4_u8, 10..26_u8, any::<bool>(), prop::option::weighted(0.4, 0..3_u8));
    prop::collection::vec(person, 2..60).prop_filter("T has members", |people: &Vec<Person>| {
        people.iter().any(|(.., diagnosis)| diagnosis.is_some())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_release_and_its_file_have_the_same_cautions(
        people in people(),
        levels in prop::array::uniform3(0..3_u8),
        strategy in prop::option::of(prop::sample::select(vec!["spalm", "mondrian", "simulatable"])),
        policy in prop::sample::select(vec!["", "[policy]\nk = 2\n", "[policy]\nl = 2\n", "[policy]\nsuppress_at_most = \"20%\"\n"]),
        delta in prop::sample::select(vec![["0", "1/2"], ["0", "1"], ["1/10", "3/5"], ["0", "9/10"]]),
    ) {
        let case = Case::of(&people, policy, delta);
        let analysis = case.load();
        let problem = analysis.problem();
        let release = match strategy {
            None => {
                let levels = [Level(levels[0]), Level(levels[1]), Level(levels[2].min(1))];
                Some(analysis.by_hand(problem, problem.lattice().node(&levels).unwrap()))
            }
            Some(name) => {
                let config = palmtop::search::Config::default();
                analysis.search(problem, name.parse().unwrap(), &config, &mut unwatched).release
            }
        };
        if let Some(release) = release {
            let (own, of_file) = (of_release(&analysis, &release), of_file(&analysis, &release, case.path("out.csv")));
            prop_assert_eq!(own, of_file);
        }
    }
}

fn keys(cautions: &[Caution]) -> Vec<Key> {
    cautions.iter().map(|caution| caution.key).collect()
}

/// 40 people in 4 zips; the first `members` of each zip are members.
fn even(members: usize) -> Vec<Person> {
    (0..40).map(|row| (row / 10, 10, false, (usize::from(row % 10) < members).then_some(row % 2))).collect()
}

fn at_node(people: &[Person], delta: [&str; 2], levels: [u8; 3]) -> Vec<Caution> {
    let case = Case::of(people, "", delta);
    let analysis = case.load();
    let problem = analysis.problem();
    let node = problem.lattice().node(&levels.map(Level)).unwrap();
    of_release(&analysis, &analysis.by_hand(problem, node))
}

#[test]
fn presence_of_one_and_of_zero_are_cautions() {
    let none = at_node(&even(2), ["0", "1/4"], [0, 0, 0]);
    assert!(!keys(&none).contains(&Key::Certain) && !keys(&none).contains(&Key::CertainAbsent), "{none:?}");
    let mut people = even(0);
    people.iter_mut().take(10).for_each(|person| person.3 = Some(0));
    let found = at_node(&people, ["0", "1"], [0, 0, 0]);
    assert!(found[0].is_open());
    assert_eq!(
        (found[0].key, found[0].sentence.as_str()),
        (Key::Certain, "10 of the 40 people are certain to be members: everybody in their class is one.")
    );
    let absent = found.iter().find(|own| own.key == Key::CertainAbsent).unwrap();
    assert_eq!(
        absent.sentence,
        "30 of the 40 people are certain not to be members: their class has no member."
    );
    let weak = found.iter().find(|own| own.key == Key::WeakDelta).unwrap();
    assert!(weak.sentence.contains("δmax is 1: people may be certain to be members"), "{}", weak.sentence);
    assert!(!keys(&none).contains(&Key::WeakDelta));
    // From 1/2 on a person may be as likely a member as not.
    for (max, is_weak) in [("1/2", true), ("49/100", false), ("3/5", true)] {
        assert_eq!(
            keys(&at_node(&even(2), ["0", max], [0, 0, 0])).contains(&Key::WeakDelta),
            is_weak,
            "{max}"
        );
    }
}

#[test]
fn an_attacker_who_knows_a_member_is_a_caution_with_figures() {
    let found = at_node(&even(1), ["0", "1/2"], [0, 0, 0]);
    let member = found.iter().find(|own| own.key == Key::KnowsMember).unwrap();
    assert_eq!(
        member.sentence,
        "An attacker who knows that somebody is a member: 4 of the 4 members are alone in their class, and 4 of them in a class with \
         one value of `diagnosis`. The largest risk is 1.00 (prosecutor: by members) and 0.10 (journalist: by people of the public \
         table), the mean risk 1.00 (marketer). The usual threshold is 0.09; 4 members are in classes below 11 members."
    );
    assert_eq!(
        member.remedy,
        "Under [policy], `k = 11` keeps classes at or above the threshold, `l = 2` puts two values into every class, `t` limits how \
         far a class differs from all members."
    );
    // All in one class of 16 with two values.
    let found = at_node(&even(4), ["0", "1/2"], [2, 0, 0]);
    assert!(!keys(&found).contains(&Key::KnowsMember), "{found:?}");
}

#[test]
fn columns_that_say_nothing_are_a_caution() {
    let found = at_node(&even(4), ["0", "1/2"], [2, 0, 0]);
    let nothing = found.iter().find(|own| own.key == Key::SaysNothing).unwrap();
    assert_eq!(
        nothing.sentence,
        "`zip` is generalized to everything in all 16 rows: the release says nothing about it."
    );
    assert!(nothing.remedy.contains("is itself a choice made from the private table"));
    // A column with one value in P hides nothing, at whatever level.
    for levels in [[0, 0, 0], [0, 2, 1]] {
        assert!(!keys(&at_node(&even(4), ["0", "1/2"], levels)).contains(&Key::SaysNothing));
    }
}

#[test]
fn what_is_known_of_the_algorithm_decides_its_caution() {
    let case = Case::of(&even(2), "", ["0", "1/4"]);
    let analysis = case.load();
    let node = analysis.problem().lattice().node(&[0, 0, 0].map(Level)).unwrap();
    let release = analysis.by_hand(analysis.problem(), node);
    let none = ProjectCautions::default();
    let facts = Facts::of_release(&analysis, &release, &analysis.risk_classes(&release).unwrap(), &none);
    let sentence = |algorithm| {
        let cautions = caution::of_release(&Facts { algorithm, ..facts.clone() }, &none);
        cautions.into_iter().find(|own| own.key == Key::KnowsAlgorithm).map(|own| own.sentence)
    };
    assert_eq!(sentence(AlgorithmKnowledge::Exact), None);
    for (known, part) in [
        (AlgorithmKnowledge::Unknown, "is not judged"),
        (AlgorithmKnowledge::Audited(Some(0)), "may miss people"),
        (AlgorithmKnowledge::Audited(Some(1)), "found 1 person outside δ"),
        (AlgorithmKnowledge::Audited(None), "could not decide"),
        (AlgorithmKnowledge::NotReproduced, "gives another one"),
    ] {
        assert!(sentence(known).unwrap().contains(part), "{known:?}");
    }
}
