//! The cautions of projects and releases. A search and a written file give the same list.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{self, Done};
use palmtop::caution::{self, AlgorithmKnowledge, Caution, Facts, Key, ProjectCautions};
use palmtop::model::Level;
use palmtop::pipeline::{self, Analysis, CautionBasis, ExportOptions, Overrides, ReadRelease};
use palmtop::progress::unwatched;
use palmtop::release::Release;
use proptest::prelude::*;
use tempfile::TempDir;

/// A project in a folder, with three quasi-identifiers and one sensitive column.
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

    /// Repeats each row of P `copies` times, and adds another column to P.
    fn edit_public(&self, copies: usize, spare: Option<&str>) {
        let text = fs::read_to_string(self.path("p.csv")).unwrap();
        let (header, rows) = text.split_once('\n').unwrap();
        let mut edited =
            header.to_owned() + &spare.map_or_else(String::new, |name| format!(",{name}")) + "\n";
        for (nth, row) in rows.lines().enumerate() {
            let value = spare.map_or_else(String::new, |_| format!(",{}", nth % 5 + 1));
            edited.push_str(&format!("{row}{value}\n").repeat(copies));
        }
        fs::write(self.path("p.csv"), edited).unwrap();
    }

    /// Turns zips into days of two years, and the two highest ages into ages above 89.
    fn with_fine_values(&self) {
        let days = ["2023-01-05", "2023-02-05", "2024-01-05", "2024-02-05"];
        for table in ["p.csv", "t.csv", "zip.csv", "age.csv"] {
            let mut text = fs::read_to_string(self.path(table)).unwrap();
            for (zip, day) in days.iter().enumerate() {
                text = text.replace(&format!("z{zip}"), day);
            }
            for (age, old) in [("24", "92"), ("25", "97")] {
                text = text.replace(&format!(",{age},"), &format!(",{old},"));
                text = text.replace(&format!("{age};"), &format!("{old};"));
            }
            fs::write(self.path(table), text).unwrap();
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn load(&self) -> Analysis {
        Analysis::load(&self.path("project.toml"), &Overrides::default()).unwrap()
    }
}

/// The cautions of a release in the engine.
fn of_release(analysis: &Analysis, release: &Release) -> Vec<Caution> {
    let project = caution::of_project(analysis, &mut unwatched).unwrap();
    let facts =
        Facts::of_release(analysis, release, &pipeline::risk::classes(analysis, release).unwrap(), &project);
    caution::of_release(&facts, &project)
}

/// The cautions of the written file. Whether the search is known is passed on, because rows do not
/// show it.
fn of_file(analysis: &Analysis, release: &Release, path: &Path) -> Vec<Caution> {
    let options = ExportOptions { allow_not_present: true, force: true };
    pipeline::export::write(analysis, release, path, options).unwrap();
    of_read(analysis.into(), release, &pipeline::reading::read(analysis, path).unwrap())
}

fn of_read(basis: CautionBasis, release: &Release, read: &ReadRelease) -> Vec<Caution> {
    let risk = pipeline::risk::classes_of_file(basis, read).unwrap();
    let project = caution::of_project(basis, &mut unwatched).unwrap();
    let facts = Facts::of_file(basis, &read.findings, Some((read, &risk)), &project);
    let facts = Facts { algorithm: release.knows_algorithm().into(), ..facts };
    caution::of_release(&facts, &project)
}

/// The cautions from the counts of the verifier, without a second pass over P; `None` if a caution
/// needs more of P.
fn of_recount(case: &Case, release: &Release, path: &Path) -> Option<Vec<Caution>> {
    let (project, overrides) = (case.path("project.toml"), Overrides::default());
    let recount = pipeline::recount_file(&project, &overrides, path).unwrap();
    let recounted = recount.project(&project, &overrides).unwrap()?;
    let read = pipeline::reading::read_matched(&recounted, path, recount.matched.unwrap()).unwrap();
    Some(of_read((&recounted).into(), release, &read))
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
    fn a_release_and_its_file_share_their_cautions(
        people in people(),
        levels in prop::array::uniform3(0..3_u8),
        strategy in prop::option::of(prop::sample::select(vec!["spalm", "n2", "simulatable"])),
        policy in prop::sample::select(vec!["", "[policy]\nk = 2\n", "[policy]\nl = { distinct = 2 }\n", "[policy]\nsuppress_at_most = \"20%\"\n"]),
        delta in prop::sample::select(vec![["0", "1/2"], ["0", "1"], ["1/10", "3/5"], ["0", "9/10"]]),
        copies in 1..3_usize,
        spare in prop::option::of(prop::sample::select(vec!["visits", "year"])),
        withholds in any::<bool>(),
        is_fine in any::<bool>(),
    ) {
        let withholds = withholds && !policy.contains("distinct");
        let case = Case::of(&people, policy, delta);
        case.edit_public(copies, spare);
        if is_fine {
            case.with_fine_values();
        }
        if withholds {
            let text = fs::read_to_string(case.path("project.toml")).unwrap();
            fs::write(case.path("project.toml"), text.replace("\"sensitive\"", "\"identifier\"\nrepeats = true")).unwrap();
        }
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
            let path = case.path("out.csv");
            let (released, of_file) = (of_release(&analysis, &release), of_file(&analysis, &release, &path));
            prop_assert_eq!(&released, &of_file);
            let recounted = of_recount(&case, &release, &path);
            // Cautions compare published columns with the other columns of P, and look there for a count.
            let rows = people.len() * copies;
            let combinations = analysis.problem().histogram().len();
            let is_aggregated = combinations == rows;
            prop_assert!(spare.is_some() || recounted.is_some());
            prop_assert!(recounted.is_none() || spare.is_none() || (withholds && !is_aggregated));
            prop_assert!(recounted.is_some() || !withholds || combinations * 2 > rows);
            prop_assert!(recounted.is_none_or(|recounted| recounted == of_file));
        }
    }
}

fn keys(cautions: &[Caution]) -> Vec<Key> {
    cautions.iter().map(|caution| caution.key).collect()
}

/// 40 people in 4 zips. The first `members` people of each zip are members.
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
        (Key::Certain, "10 of the 40 people are certain to be members: everyone in their class is a member.")
    );
    let absent = found.iter().find(|caution| caution.key == Key::CertainAbsent).unwrap();
    assert_eq!(
        absent.sentence,
        "30 of the 40 people are certain not to be members: their class has no member."
    );
    let weak = found.iter().find(|caution| caution.key == Key::WeakDelta).unwrap();
    assert!(weak.sentence.contains("δmax is 1: people may be certain to be members"), "{}", weak.sentence);
    assert!(!keys(&none).contains(&Key::WeakDelta));
    // If δmax is 1/2 or more, a person may be a member with probability 1/2.
    for (max, is_weak) in [("1/2", true), ("49/100", false), ("3/5", true)] {
        assert_eq!(
            keys(&at_node(&even(2), ["0", max], [0, 0, 0])).contains(&Key::WeakDelta),
            is_weak,
            "{max}"
        );
    }
}

#[test]
fn knowing_a_member_is_a_caution_with_figures() {
    let found = at_node(&even(1), ["0", "1/2"], [0, 0, 0]);
    let member = found.iter().find(|caution| caution.key == Key::KnowsMember).unwrap();
    assert_eq!(
        member.sentence,
        "An attacker who knows that a person is a member may find this person: 4 of the 4 members are in classes of fewer \
         than 11 members, and 4 are alone; 4 members are in a class with only one value of `diagnosis`."
    );
    assert_eq!(
        member.remedy,
        "Under [policy], `k = 11` requires 11 members in each class, `l = { distinct = 2 }` requires two values in each class, `t` limits \
         how far a class may differ from all members."
    );
    assert_eq!(member.figure, "4 of 4 members, 4 with one value of diagnosis");
    // Nobody is in a small class, but all members of one class have one value: the line says that, not "0 of 12".
    let alike: Vec<Person> = (0..40).map(|row| (0, 10, false, (row < 12).then_some(0))).collect();
    let found = at_node(&alike, ["0", "1/2"], [0, 0, 0]);
    let member = found.iter().find(|caution| caution.key == Key::KnowsMember).unwrap();
    assert_eq!(member.figure, "12 members with one value of diagnosis");
    // One class of 16 has two values.
    let found = at_node(&even(4), ["0", "1/2"], [2, 0, 0]);
    assert!(!keys(&found).contains(&Key::KnowsMember), "{found:?}");
}

#[test]
fn columns_that_say_nothing_are_a_caution() {
    let found = at_node(&even(4), ["0", "1/2"], [2, 0, 0]);
    let nothing = found.iter().find(|caution| caution.key == Key::SaysNothing).unwrap();
    assert_eq!(
        nothing.sentence,
        "`zip` is fully generalized in all 16 rows: the release has no information about it."
    );
    assert!(
        nothing.remedy.contains("a decision that follows from this result depends on the private table, too")
    );
    // A column with one value in P protects nobody, at any level.
    for levels in [[0, 0, 0], [0, 2, 1]] {
        assert!(!keys(&at_node(&even(4), ["0", "1/2"], levels)).contains(&Key::SaysNothing));
    }
}

#[test]
fn the_algorithm_caution_says_what_is_known() {
    let case = Case::of(&even(2), "", ["0", "1/4"]);
    let analysis = case.load();
    let node = analysis.problem().lattice().node(&[0, 0, 0].map(Level)).unwrap();
    let release = analysis.by_hand(analysis.problem(), node);
    let empty = ProjectCautions::default();
    let facts = Facts::of_release(
        &analysis,
        &release,
        &pipeline::risk::classes(&analysis, &release).unwrap(),
        &empty,
    );
    let sentence = |algorithm| {
        let cautions = caution::of_release(&Facts { algorithm, ..facts.clone() }, &empty);
        cautions
            .into_iter()
            .find(|caution| caution.key == Key::KnowsAlgorithm)
            .map(|caution| caution.sentence)
    };
    assert_eq!(sentence(AlgorithmKnowledge::Exact), None);
    for (known, part) in [
        (AlgorithmKnowledge::Unknown, "was not judged"),
        (AlgorithmKnowledge::Audited(Some(0)), "may miss people"),
        (AlgorithmKnowledge::Audited(Some(1)), "found 1 person outside δ"),
        (AlgorithmKnowledge::Audited(None), "could not decide"),
        (AlgorithmKnowledge::NotReproduced, "gives a different release"),
    ] {
        assert!(sentence(known).unwrap().contains(part), "{known:?}");
    }
}

#[test]
fn fine_values_are_counted_in_the_release() {
    let case = Case::of(&even(4), "", ["0", "1"]);
    case.with_fine_values();
    let analysis = case.load();
    let at = |levels: [u8; 3]| {
        let node = analysis.problem().lattice().node(&levels.map(Level)).unwrap();
        let found = of_release(&analysis, &analysis.by_hand(analysis.problem(), node));
        let fine = found.into_iter().filter(|caution| caution.key == Key::SafeHarbor);
        fine.map(|caution| caution.sentence).collect::<Vec<_>>()
    };
    let could = caution::of_project(&analysis, &mut unwatched).unwrap().list;
    let could = could.iter().filter(|caution| caution.key == Key::SafeHarbor);
    let could: Vec<&str> = could.map(|caution| caution.sentence.as_str()).collect();
    assert!(could[0].contains("can be published by level 0"), "{could:?}");
    let fine = at([0, 0, 0]);
    assert!(fine[0].contains("dates finer than a year are published in 16 rows"), "{fine:?}");
    // Nothing that the release does not publish is said of it.
    assert_eq!(at([1, 1, 0]), Vec::<String>::new());
}

/// Runs palmtop in the folder of a case. Each argument is one string, so a reason may have blanks.
fn palmtop(case: &Case, arguments: &[&str]) -> (i32, String, String) {
    let Done { status, out, err } = support::palmtop(case.folder.path(), arguments);
    (status, out, err)
}

fn named<'a>(list: &'a serde_json::Value, name: &str) -> &'a serde_json::Value {
    let found = list.as_array().unwrap().iter().find(|caution| caution["key"] == name);
    found.unwrap_or_else(|| panic!("no caution {name} in {list}"))
}

/// All people of the first zip are members, so their membership is certain.
fn certain() -> Case {
    let mut people = even(0);
    people.iter_mut().take(10).for_each(|person| person.3 = Some(0));
    Case::of(&people, "", ["0", "1"])
}

#[test]
fn certain_members_must_be_accepted_to_export() {
    let case = certain();
    let export = ["anonymize", "project.toml", "--node", "0,0,0", "-o", "out.csv", "--format", "json"];
    let (status, out, err) = palmtop(&case, &export);
    assert_eq!(status, 3, "{err}");
    assert!(
        err.contains("caution certain: 10 of the 40 people") && err.contains("--accept certain=REASON"),
        "{err}"
    );
    // δmax is 1 here. If it is below 1, the remedy does not suggest another δmax.
    assert!(err.contains("Choose a δmax below 1"), "{err}");
    let below = ["anonymize", "project.toml", "--node", "0,0,0", "-o", "out.csv", "--delta-max", "1/2"];
    let (_, _, below) =
        palmtop(&case, &[&below[..], &["--accept", "not_present=the test needs it here"]].concat());
    assert!(below.contains("choose a coarser release that keeps δ"), "{below}");
    assert!(!below.contains("Choose a δmax below 1,"), "{below}");
    assert!(!case.path("out.csv").exists());
    let refused: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(named(&refused["cautions"], "certain")["severity"], "severe");
    // A reason must be a sentence, and the caution must exist.
    for wrong in ["certain=x", "certain", "unheard=the board decided so"] {
        assert_eq!(palmtop(&case, &[&export[..], &["--accept", wrong]].concat()).0, 2, "{wrong}");
    }
    // A reason for another caution does not accept this one.
    let (status, ..) = palmtop(&case, &[&export[..], &["--accept", "betrays=the board decided so"]].concat());
    assert_eq!(status, 3);
    let accepted = [&export[..], &["--accept", "certain=the board decided so", "--with", "report"]].concat();
    let (status, out, err) = palmtop(&case, &accepted);
    assert_eq!(status, 0, "{err}");
    let done: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(named(&done["cautions"], "certain")["accepted"], "the board decided so");
    assert_eq!(
        done["headline"],
        "For an attacker who uses only `zip`, `age` and `sex`: 10 of the 40 people are certain to be members: δmax is 1 and promises nothing. 30 of them are certain not to be members."
    );
    assert!(err.contains("palmtop: caution certain: "), "{err}");
    // The signer's report quotes the reason. The recipient's report has only the guarantee of δ.
    for (reader, file) in [("signer", "signer.json"), ("recipient", "recipient.json")] {
        let report = ["report", "project.toml", "out.csv", "--for", reader, "-o", file];
        assert_eq!(palmtop(&case, &report).0, 0);
    }
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(case.path(name)).unwrap()).unwrap()
    };
    let (signer, recipient) = (read("signer.json"), read("recipient.json"));
    assert_eq!(named(&signer["verdict"]["cautions"], "certain")["accepted"], "the board decided so");
    assert_eq!(signer["verdict"]["conclusion"], done["headline"]);
    // `verify` gives the same cautions. It does not examine how the search found the release.
    let (status, out, _) = palmtop(&case, &["verify", "project.toml", "out.csv"]);
    assert_eq!(status, 0);
    assert_eq!(
        out.lines().nth(1).unwrap(),
        "headline   For an attacker who uses only `zip`, `age` and `sex`: people may be certain to be members: δmax is 1 and promises nothing. Some people are certain not to be members."
    );
    let (_, out, _) = palmtop(&case, &["verify", "project.toml", "out.csv", "--format", "json"]);
    let verified: serde_json::Value = serde_json::from_str(&out).unwrap();
    let of_run = done["cautions"].as_array().unwrap().iter();
    let expected: Vec<_> = of_run.filter(|caution| caution["key"] != "knows_algorithm").collect();
    assert_eq!(verified["cautions"].as_array().unwrap().iter().collect::<Vec<_>>(), expected);
    assert_eq!(
        recipient["guarantee"]["meaning"],
        "For an attacker who uses only `zip`, `age` and `sex`: people may be certain to be members: δmax is 1 and promises nothing. δ \
         permits that people are certain not to be members."
    );
    assert!(!recipient.to_string().contains("the board"));
    assert!(
        signer["adversaries"][4]["basis"].as_str().unwrap().contains("in classes of fewer than 11 members"),
        "{signer}"
    );
    // A release that is not δ-present needs a reason as well. What was accepted for other rows does not answer the same sentence
    // about these.
    let broken = [
        "anonymize",
        "project.toml",
        "--node",
        "0,1,0",
        "-o",
        "b.csv",
        "--delta-max",
        "1/2",
        "--accept",
        "not_present=the test needs it here",
    ];
    assert_eq!(palmtop(&case, &broken).0, 3);
    assert!(!case.path("b.csv").exists());
    assert_eq!(palmtop(&case, &[&broken[..], &["--accept", "certain=the board decided so"]].concat()).0, 3);
    assert!(case.path("b.csv").exists());
}

#[test]
fn report_and_command_name_the_same_failed_questions() {
    let mut people = even(0);
    // The zips have 1, 3, 5 and 7 members of 10 people.
    for (row, person) in people.iter_mut().enumerate() {
        person.3 = (row % 10 < 2 * (row / 10) + 1).then_some(0);
    }
    let case = Case::of(&people, "", ["0", "1/2"]);
    let export =
        ["anonymize", "project.toml", "--strategy", "simulatable", "-o", "out.csv", "--with", "report"];
    let (status, _, err) = palmtop(&case, &export);
    assert_eq!(status, 0, "{err}");
    let (status, _, err) = palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.json"]);
    assert_eq!(status, 0, "{err}");
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(case.path(name)).unwrap()).unwrap()
    };
    let (run, signer) = (read("out.report.json"), read("signer.json"));
    let nothing = named(&run["cautions"], "says_nothing");
    assert!(nothing["sentence"].as_str().unwrap().contains(" that failed w"), "{nothing}");
    assert_eq!(named(&signer["verdict"]["cautions"], "says_nothing"), nothing);
}

#[test]
fn an_undecided_role_must_be_decided_or_accepted() {
    let case = Case::of(&even(2), "", ["0", "1/2"]);
    let text = fs::read_to_string(case.path("project.toml")).unwrap();
    fs::write(case.path("project.toml"), text.replace("role = \"sensitive\"", "role = \"undecided\""))
        .unwrap();
    let export = ["anonymize", "project.toml", "--node", "0,0,0", "-o", "out.csv"];
    let (status, _, err) = palmtop(&case, &export);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("--accept undecided:diagnosis=REASON"), "{err}");
    assert!(err.contains("nobody decided its role.") && !err.contains("init --yes"), "{err}");
    let (status, out, _) = palmtop(&case, &["check", "project.toml", "--format", "json"]);
    assert_eq!(status, 0);
    let checked: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(named(&checked["cautions"], "undecided")["subject"], "diagnosis");
    fs::write(case.path("project.toml"), text).unwrap();
    assert_eq!(palmtop(&case, &export).0, 0);
}

#[test]
fn a_column_that_betrays_has_to_be_answered() {
    let people: Vec<Person> = (0..4_u8)
        .flat_map(|hundred| (0..100_u8).map(move |row| (hundred, row)))
        .map(|(hundred, row)| (hundred, 10 + (4 * hundred + row) % 16, false, (row % 2 == 0).then_some(0)))
        .collect();
    let case = Case::of(&people, "", ["0", "9/10"]);
    let table = fs::read_to_string(case.path("t.csv")).unwrap();
    let with_year = |(index, line): (usize, &str)| match index {
        0 => format!("{line},year\n"),
        _ => format!("{line},{}\n", 2026 - line.split(',').nth(1).unwrap().parse::<u16>().unwrap()),
    };
    fs::write(case.path("t.csv"), table.lines().enumerate().map(with_year).collect::<String>()).unwrap();
    let text = fs::read_to_string(case.path("project.toml")).unwrap()
        + "\n[[attribute]]\nname = \"year\"\nrole = \"insensitive\"\n";
    fs::write(case.path("project.toml"), &text).unwrap();
    let export = ["anonymize", "project.toml", "--node", "0,2,0", "-o", "out.csv"];
    let (status, _, err) = palmtop(&case, &export);
    assert_eq!(status, 3, "{err}");
    assert!(err.contains("--accept betrays:year=REASON") && err.contains("`year` gives `age` away"), "{err}");
    let compared = ["compare", "project.toml", "--strategy", "spalm"];
    let (_, out, err) = palmtop(&case, &compared);
    assert!(out.contains("spalm !") && err.contains("has a severe caution"), "{out}{err}");
    // The project's reason accepts the caution, and so does the command's.
    fs::write(case.path("project.toml"), text.clone() + "accept = \"years of birth are public\"\n").unwrap();
    assert_eq!(palmtop(&case, &export).0, 0);
    fs::write(case.path("project.toml"), text).unwrap();
    let accepted = ["--force", "--accept", "betrays:year=years of birth are public"];
    assert_eq!(palmtop(&case, &[&export[..], &accepted].concat()).0, 0);
    // What was accepted about the project is accepted for its other releases.
    let (_, out, err) = palmtop(&case, &compared);
    assert!(!out.contains("spalm !") && !err.contains("severe caution"), "{out}{err}");
}

/// Zips of 600 characters. Two of the ten people of each zip are members.
fn with_long_zips() -> Case {
    let case = Case::of(&even(2), "", ["0", "1/4"]);
    for name in ["p.csv", "t.csv", "zip.csv"] {
        let text = fs::read_to_string(case.path(name)).unwrap();
        let long = (0..4)
            .fold(text, |text, zip| text.replace(&format!("z{zip}"), &format!("z{zip}{}", "0".repeat(598))));
        fs::write(case.path(name), long).unwrap();
    }
    case
}

#[test]
fn long_rows_are_cautioned_but_stop_nothing() {
    let case = with_long_zips();
    let export = ["anonymize", "project.toml", "--node", "0,0,0", "-o", "out.csv", "--with", "report"];
    let (status, _, err) = palmtop(&case, &export);
    assert_eq!((status, err.matches("caution large_release: ").count()), (0, 1), "{err}");
    let question = err.find(
        "caution large_release: The release is large: the labels of a row have 603 characters on average",
    );
    assert!(
        question < err.find("rows written and verified") && question.is_some(),
        "said before it is written: {err}"
    );
    let read = |name: &str| -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(case.path(name)).unwrap()).unwrap()
    };
    let run = read("out.report.json");
    let large = named(&run["cautions"], "large_release");
    assert_eq!(large["severity"], "note");
    let (status, _, err) = palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.json"]);
    assert_eq!(status, 0, "{err}");
    assert_eq!(named(&read("signer.json")["verdict"]["cautions"], "large_release"), large);
    let accepted = ["--force", "--accept", "large_release=the recipient wants full texts"];
    let (status, _, err) = palmtop(&case, &[&export[..], &accepted].concat());
    assert_eq!(status, 0, "{err}");
    assert!(!err.contains("The release is large"), "the question is not asked again: {err}");
    assert!(err.contains("accepted: the recipient wants full texts"), "{err}");
    // At a coarser level the rows are short.
    let (status, _, err) = palmtop(
        &case,
        &["anonymize", "project.toml", "--node", "1,0,0", "-o", "coarse.csv", "--format", "json"],
    );
    assert!(status == 0 && !err.contains("large_release"), "{err}");
}

/// Each combination of zip and sex has 100 people, and 10 of them are members. The release
/// publishes the year of birth and the age.
fn with_year() -> Case {
    let people: Vec<Person> = (0..8_u8)
        .flat_map(|hundred| (0..100_u8).map(move |row| (hundred, row)))
        .map(|(hundred, row)| {
            (hundred % 4, 10 + (4 * hundred + row) % 16, hundred > 3, (row % 10 == 0).then_some(row % 3))
        })
        .collect();
    let case = Case::of(&people, "", ["0", "1/10"]);
    let table = fs::read_to_string(case.path("t.csv")).unwrap();
    let with_year = |(index, line): (usize, &str)| match index {
        0 => format!("{line},year\n"),
        _ => format!("{line},{}\n", 2026 - line.split(',').nth(1).unwrap().parse::<u16>().unwrap()),
    };
    fs::write(case.path("t.csv"), table.lines().enumerate().map(with_year).collect::<String>()).unwrap();
    let text = fs::read_to_string(case.path("project.toml")).unwrap()
        + "\n[[attribute]]\nname = \"year\"\nrole = \"insensitive\"\n";
    fs::write(case.path("project.toml"), &text).unwrap();
    case
}

impl Case {
    fn json(&self, name: &str) -> serde_json::Value {
        serde_json::from_str(&fs::read_to_string(self.path(name)).unwrap()).unwrap()
    }
}

// holds: Betrayals by leave-one-out
#[test]
fn promises_exclude_readers_of_a_betraying_column() {
    let case = with_year();
    let export = ["anonymize", "project.toml", "--node", "0,2,0", "-o", "out.csv", "--with", "report"];
    let accept = ["--accept", "betrays:year=years of birth are public"];
    let (status, out, err) = palmtop(&case, &[&export[..], &accept].concat());
    assert_eq!(status, 0, "{err}");
    let promise = "For an attacker who uses only `zip`, `age` and `sex`: each of the 800 people is a member with a probability of at most 10 %.";
    assert!(out.contains(promise) && out.contains("`year` reveals more about `age`: "), "{out}");
    assert!(
        err.contains(
            "and nothing else, and sees one release, and uses only `zip`, `age` and `sex` of the release"
        ),
        "{err}"
    );
    let (status, out, err) = palmtop(&case, &["verify", "project.toml", "out.csv"]);
    assert_eq!(status, 0, "{err}");
    assert!(
        out.contains(
            "headline   For an attacker who uses only `zip`, `age` and `sex`: each person is a member with"
        ),
        "{out}"
    );
    assert!(
        out.contains("caution    betrays:year: Accepted: years of birth are public. `year` gives `age` away"),
        "{out}"
    );
    for (reader, file) in
        [("signer", "signer.json"), ("recipient", "recipient.json"), ("recipient", "recipient.html")]
    {
        let report = ["report", "project.toml", "out.csv", "--for", reader, "-o", file];
        assert_eq!(palmtop(&case, &report).0, 0);
    }
    // The signer's report has the figures, and names the attacker against whom the release does not
    // protect.
    let signer = case.json("signer.json");
    let conclusion = signer["verdict"]["conclusion"].as_str().unwrap();
    assert!(
        conclusion.starts_with(promise) && conclusion.contains(" fewer than 10 (1/δmax)."),
        "{conclusion}"
    );
    assert_eq!(conclusion, case.json("out.report.json")["headline"].as_str().unwrap());
    let attackers = signer["adversaries"].as_array().unwrap();
    let judged = |knows: &str| {
        let found = attackers.iter().find(|attacker| attacker["knows"].as_str().unwrap().contains(knows));
        found.unwrap_or_else(|| panic!("{attackers:?}"))["judgement"].as_str().unwrap()
    };
    assert_eq!(judged("uses only `zip`, `age` and `sex` of the release"), "within");
    assert_eq!(judged("also reads `year` of the release"), "beyond");
    // The recipient's report names the attackers for whom the guarantee holds, and not the columns
    // that reveal more: that follows from T's rows.
    let guarantee = &case.json("recipient.json")["guarantee"];
    assert_eq!(
        guarantee["meaning"],
        "For an attacker who uses only `zip`, `age` and `sex`: each person is a member with a probability of at most 10 %. δ \
         permits that people are certain not to be members."
    );
    assert!(
        guarantee["holds_against"][0]
            .as_str()
            .unwrap()
            .contains("uses only `zip`, `age` and `sex` of the release")
    );
    let page = fs::read_to_string(case.path("recipient.html")).unwrap();
    assert!(page.contains("A reader who also uses the other columns may find out more."), "{page}");
    // Without such a column, the guarantee covers the complete release.
    let case = Case::of(&even(2), "", ["0", "1/5"]);
    assert_eq!(palmtop(&case, &["anonymize", "project.toml", "--node", "0,0,0", "-o", "out.csv"]).0, 0);
    assert_eq!(palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.json"]).0, 0);
    let (_, out, _) = palmtop(&case, &["verify", "project.toml", "out.csv"]);
    let signer = case.json("signer.json").to_string();
    assert!(!out.contains("alone") && !signer.contains(" alone,") && !signer.contains("tells_more"), "{out}");
}

#[test]
fn one_acceptance_cannot_answer_for_two_columns() {
    let case = with_year();
    let table = fs::read_to_string(case.path("t.csv")).unwrap();
    let twice = |line: &str| format!("{line},{}\n", line.rsplit(',').next().unwrap().replace("year", "born"));
    fs::write(case.path("t.csv"), table.lines().map(twice).collect::<String>()).unwrap();
    let text = fs::read_to_string(case.path("project.toml")).unwrap()
        + "\n[[attribute]]\nname = \"born\"\nrole = \"insensitive\"\n";
    fs::write(case.path("project.toml"), text).unwrap();
    let export = ["anonymize", "project.toml", "--node", "0,2,0", "-o", "out.csv"];
    let (status, _, err) =
        palmtop(&case, &[&export[..], &["--accept", "betrays=years of birth are public"]].concat());
    assert_eq!(status, 3, "{err}");
    for part in [
        "--accept betrays:year=REASON",
        "--accept betrays:born=REASON",
        "`--accept betrays=REASON` does not say which column is meant",
    ] {
        assert!(err.contains(part), "{part}: {err}");
    }
    let reason = "years of birth are public";
    let (year, born) = (format!("betrays:year={reason}"), format!("betrays:born={reason}"));
    let both = [&export[..], &["--accept", &year, "--accept", &born]].concat();
    let (status, _, err) = palmtop(&case, &both);
    assert_eq!(status, 0, "{err}");
    // The command in the report has the reasons, and it succeeds.
    assert_eq!(palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.json"]).0, 0);
    let command = case.json("signer.json")["made_by"]["command"].as_str().unwrap().to_owned();
    assert!(command.contains("--accept") && command.contains("betrays:born="), "{command}");
    let before = fs::read(case.path("out.csv")).unwrap();
    fs::remove_file(case.path("out.csv")).unwrap();
    let command = command.replacen("palmtop", env!("CARGO_BIN_EXE_palmtop"), 1);
    let again =
        std::process::Command::new("sh").args(["-c", &command]).current_dir(case.folder.path()).output();
    assert!(again.unwrap().status.success(), "{command}");
    assert_eq!(fs::read(case.path("out.csv")).unwrap(), before);
}

#[test]
fn a_report_says_unanswered_cautions_first() {
    let case = with_year();
    let export = ["anonymize", "project.toml", "--node", "0,2,0", "-o", "out.csv"];
    let accept = ["--accept", "betrays:year=years of birth are public"];
    assert_eq!(palmtop(&case, &[&export[..], &accept].concat()).0, 0);
    let report = ["report", "project.toml", "out.csv", "-o", "signer.html", "--force"];
    let (status, out, err) = palmtop(&case, &report);
    assert_eq!((status, out.as_str()), (0, "✓ VERIFIED: signer.html\n"), "{err}");
    assert!(!err.contains("has no answer"), "{err}");
    // A reason that is not a sentence accepts no caution, in any file.
    let register = case.path("project.history.toml");
    let text = fs::read_to_string(&register).unwrap();
    fs::write(&register, text.replace("years of birth are public", "ok")).unwrap();
    let (status, out, err) = palmtop(&case, &report);
    assert_eq!(
        (status, out.as_str()),
        (0, "✓ VERIFIED; 1 severe caution has no answer: signer.html\n"),
        "{err}"
    );
    assert!(err.contains("1 severe caution has no answer: do not sign"), "{err}");
    let page = fs::read_to_string(case.path("signer.html")).unwrap();
    let word =
        "✓ VERIFIED, but somebody who knows more is beyond δ; 1 severe caution has no answer: a faithful";
    assert!(page.contains(word), "{page}");
    let (status, out, _) = palmtop(&case, &["verify", "project.toml", "out.csv"]);
    assert_eq!(status, 0);
    assert!(out.contains("caution    ✗ betrays:year: `year` gives `age` away"), "{out}");
}

#[test]
fn an_audit_finding_is_recorded_not_recounted() {
    let mut people = even(0);
    for (row, person) in people.iter_mut().enumerate() {
        person.3 = (row % 10 < 2 * (row / 10) + 1).then_some(0);
    }
    let case = Case::of(&people, "", ["0", "1/2"]);
    let export = ["anonymize", "project.toml", "--strategy", "n2", "--audit", "-o", "out.csv"];
    let (status, _, err) = palmtop(&case, &export);
    assert_eq!(status, 0, "{err}");
    let register = case.path("project.history.toml");
    let text = fs::read_to_string(&register).unwrap();
    assert!(text.contains("[release.audit]"), "{text}");
    let edited: String = text
        .lines()
        .filter(|line| !line.starts_with("people = "))
        .map(|line| {
            let is_verdict = line.starts_with("verdict = ");
            if is_verdict { "verdict = \"audited\"\npeople = 0\n".to_owned() } else { format!("{line}\n") }
        })
        .collect();
    fs::write(&register, edited).unwrap();
    assert_eq!(palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.json"]).0, 0);
    let signer = case.json("signer.json");
    let basis = signer["adversaries"][1]["basis"].as_str().unwrap();
    assert!(basis.starts_with("as recorded, not recounted: an audit found nobody"), "{basis}");
    let caution = named(&signer["verdict"]["cautions"], "knows_algorithm")["sentence"].as_str().unwrap();
    assert!(caution.contains("recorded, not recounted"), "{caution}");
}

#[test]
fn delta_does_not_limit_who_knows_a_member() {
    let case = Case::of(&even(4), "[policy]\nk = 3\n", ["0", "1/2"]);
    assert_eq!(palmtop(&case, &["anonymize", "project.toml", "--node", "0,2,1", "-o", "out.csv"]).0, 0);
    assert_eq!(palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.json"]).0, 0);
    assert_eq!(palmtop(&case, &["report", "project.toml", "out.csv", "-o", "signer.html"]).0, 0);
    let signer = case.json("signer.json");
    let adversary = signer["adversaries"].as_array().unwrap().last().unwrap();
    assert_eq!(adversary["judgement"], "unlimited");
    let basis = adversary["basis"].as_str().unwrap();
    assert!(basis.starts_with("δ does not limit what this attacker finds; k = 3 holds"), "{basis}");
    let lines = signer["not_covered"].as_array().unwrap();
    let is_listed =
        |line: &serde_json::Value| line.as_str().unwrap().starts_with("Published columns together");
    assert!(lines.iter().any(is_listed), "{lines:?}");
    // If each class has one value, no policy limits the values.
    let one = Case::of(&certain_values(), "[policy]\nk = 3\n", ["0", "1/2"]);
    assert_eq!(palmtop(&one, &["anonymize", "project.toml", "--node", "0,2,1", "-o", "out.csv"]).0, 0);
    assert_eq!(palmtop(&one, &["report", "project.toml", "out.csv", "-o", "signer.json"]).0, 0);
    let basis =
        one.json("signer.json")["adversaries"].as_array().unwrap().last().unwrap()["basis"].to_string();
    assert!(
        basis.contains(
            "k = 3 holds; sensitive values are not protected: 16 members are in a class with only one value of `diagnosis`"
        ),
        "{basis}"
    );
}

/// As [`even`] with 4 members of each zip, who all have one diagnosis.
fn certain_values() -> Vec<Person> {
    even(4).into_iter().map(|(zip, age, sex, secret)| (zip, age, sex, secret.map(|_| 0))).collect()
}
