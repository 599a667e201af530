//! Several written releases: what an attacker who has all of them can infer, according to the
//! commands; and releases that take an earlier one into account.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::support::{Done, palmtop};
use palmtop::data::write::RealDisk;
use palmtop::model::{Classes, Delta, Node, Recoding};
use palmtop::pipeline::{self, Analysis, Export, ExportOptions, Overrides, PipelineError, ReadRelease};
use palmtop::release::{Origin, Release};
use palmtop::search::{Config, Strategy as Search};
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

/// A person: age, sex and, for a member, the value that is published unchanged.
type Person = (u8, &'static str, Option<&'static str>);

/// One young man, three young women, three old men, one old woman. T has one person of each group
/// except the last.
const TOWN: [Person; 8] = [
    (20, "male", Some("x")),
    (20, "female", Some("x")),
    (20, "female", None),
    (20, "female", None),
    (60, "male", Some("x")),
    (60, "male", None),
    (60, "male", None),
    (60, "female", None),
];

struct Workspace {
    folder: TempDir,
}

impl Workspace {
    fn new(people: &[Person], delta: &str) -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        workspace.write_people(people);
        workspace.write("age.toml", "type = \"interval\"\nwidths = [20, 40]\n");
        workspace.write("sexes.csv", "male;*\nfemale;*\n");
        workspace.write(
            "p.toml",
            &format!(
                "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n{delta}\n\
                 [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
                 [[attribute]]\nname = \"sex\"\nrole = \"quasi\"\nhierarchy = \"sexes.csv\"\n\
                 [[attribute]]\nname = \"note\"\nrole = \"sensitive\"\n"
            ),
        );
        workspace
    }

    fn write_people(&self, people: &[Person]) {
        let public: Vec<String> = people.iter().map(|(age, sex, _)| format!("{age},{sex}\n")).collect();
        let member = |(age, sex, note): &Person| note.map(|note| format!("{age},{sex},{note}\n"));
        let private: Vec<String> = people.iter().filter_map(member).collect();
        self.write("public.csv", &format!("age,sex\n{}", public.concat()));
        self.write("private.csv", &format!("age,sex,note\n{}", private.concat()));
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Runs palmtop in the folder. Blanks separate the arguments.
    fn run(&self, arguments: &str) -> Done {
        palmtop(self.folder.path(), arguments.split_whitespace())
    }
}

/// The town with a release by age and one by sex.
fn by_age_and_by_sex() -> Workspace {
    let town = Workspace::new(&TOWN, "[delta]\nmax = \"1/2\"");
    town.run("anonymize p.toml --node 0,1 -o by-age.csv").expect(0, "presence 1/4 to 1/2");
    town.run("anonymize p.toml --node 3,0 -o by-sex.csv").expect(0, "presence 1/4 to 1/2");
    town
}

#[test]
fn two_delta_present_releases_can_betray_together() {
    let town = by_age_and_by_sex();
    let done = town.run("compose p.toml by-age.csv by-sex.csv -o out.csv");
    done.expect(3, "")
        .says("✗ 1 person is outside δ for an attacker who has both releases")
        .says("alone     ✓ by-age.csv: 1/4 to 1/2, 3 rows in 2 classes\n          ✓ by-sex.csv: 1/4 to 1/2, 3 rows in 2 classes")
        .says("all releases are of one T; 4 groups of people with the same classes")
        .says("certain   1 person outside δ (1 above δmax, 0 below δmin), whatever the attacker believes beforehand")
        .says("highest   1.0000, exact: 1 to 1 of 1 person: 20 · male\n          by-age.csv 2/4: 20 · *\n          by-sex.csv 2/4: * · male");
    assert_eq!(
        fs::read_to_string(town.path("out.csv")).unwrap(),
        "age,sex,people,table,least,most,expected_presence,method,certain,verdict\n\
         20,male,1,1,1/1,1/1,1.000000,exact,true,over\n"
    );
    let json = town.run("compose p.toml by-age.csv by-sex.csv --format json");
    let json = json.expect(3, "").json();
    assert_eq!(json["holds"], false);
    assert_eq!(json["certain"], serde_json::json!({"people": 1, "over": 1, "under": 0}));
    assert_eq!(json["releases"][1]["achieved"]["max"], "1/2");
    let keys: Vec<&str> = json.as_object().unwrap().keys().map(String::as_str).collect();
    let expected =
        "holds delta change releases groups tight_groups certain expected highest lowest parts fit";
    assert_eq!(keys, expected.split(' ').collect::<Vec<_>>());
    // Under δmax 1, everyone is within δ.
    town.run("compose p.toml by-age.csv by-sex.csv --delta-max 1")
        .expect(0, "")
        .says("✓ nobody is outside δ");
    // Two copies of one release reveal no more than one.
    town.run("compose p.toml by-age.csv by-age.csv").expect(0, "").says("✓ nobody is outside δ");
}

#[test]
fn releases_that_cannot_be_composed_say_why() {
    let town = by_age_and_by_sex();
    town.run("compose p.toml by-age.csv").expect(2, "2 values required");
    town.run("compose p.toml by-age.csv by-sex.csv --format csv").expect(2, "-o FILE.csv writes");
    town.run("compose p.toml by-age.csv by-sex.csv -o by-sex.csv --force").expect(1, "never overwritten");
    let rows = |rows: &[&str]| format!("age,sex,note\n{}\n", rows.join("\n"));
    for (name, text, expected) in [
        (
            "few.csv",
            rows(&["*,female,x", "*,male,x"]),
            "few.csv 2: releases of one T have as many; if people were added",
        ),
        ("other.csv", rows(&["*,female,x", "*,male,x", "*,male,y"]), "publish unchanged differs"),
        // This release has three young members; the release by age has two.
        (
            "not.csv",
            rows(&["20,*,x", "20,*,x", "20,*,x"]),
            "no T gives both by-age.csv and not.csv; if people were added",
        ),
        (
            "beyond.csv",
            rows(&["20,male,x", "20,male,x", "60,*,x"]),
            "beyond.csv, line 2: its quasi-identifiers occur 2 times, but only 1",
        ),
        ("overlap.csv", rows(&["*,female,x", "20,*,x", "20,*,x"]), "rows, for example lines 2 and 3"),
        ("unread.csv", rows(&["20,*,x", "20,*,x", "6x,*,x"]), "line 4, column `age`: unreadable text"),
    ] {
        let overlap = expected.starts_with("rows");
        town.write(name, &text);
        let done = town.run(&format!("compose p.toml by-age.csv {name}"));
        let expected = if overlap { "more than one row, for example lines" } else { expected };
        done.expect(1, expected);
        assert_eq!(done.out, "");
    }
    // The command reads and composes this release, and reports that it does not fit the present T.
    town.write("old.csv", &rows(&["20,*,x", "60,*,x", "60,*,x"]));
    town.run("compose p.toml old.csv old.csv")
        .expect(0, "old.csv is not a faithful release of the present T: line 2: its");
}

#[test]
fn rows_are_linked_by_what_is_published_unchanged() {
    let mut people = TOWN;
    // One young woman and one old man are members, and their notes differ.
    people[0].2 = None;
    people[1].2 = Some("dark");
    people[4].2 = Some("light");
    let town = Workspace::new(&people, "[delta]\nmax = \"1/2\"");
    town.run("anonymize p.toml --node 0,1 -o by-age.csv").expect(0, "");
    town.run("anonymize p.toml --node 3,0 -o by-sex.csv").expect(0, "");
    // The member with the note `dark` is certainly young and a woman. Each of the three young women
    // is this member with probability 1/3, so one member is certain among three people.
    let linked = town.run("compose p.toml by-age.csv by-sex.csv --format json").expect(0, "").json();
    assert_eq!((&linked["highest"]["least"], &linked["highest"]["most"]), (&1.into(), &1.into()));
}

#[test]
fn composition_handles_people_added_or_removed() {
    let town = Workspace::new(&TOWN, "[delta]\nmax = \"1/2\"");
    town.run("anonymize p.toml --node 0,1 -o first.csv").expect(0, "");
    let mut more = TOWN;
    more[5].2 = Some("x");
    town.write_people(&more);
    town.run("anonymize p.toml --node 0,1 -o second.csv").expect(0, "");
    town.run("compose p.toml first.csv second.csv").expect(1, "first.csv has 3 rows and second.csv 4");
    let done = town.run("compose p.toml first.csv second.csv --change added");
    done.expect(0, "first.csv is not a faithful release of the present T")
        .says("people were added to T from each release to the next");
    town.run("compose p.toml second.csv first.csv --change added").expect(1, "the later has no fewer");
    let json = town.run("compose p.toml second.csv first.csv --change removed --format json");
    assert_eq!(json.expect(0, "").json()["change"], "removed");
}

#[test]
fn a_release_beside_another_keeps_delta_or_fails() {
    let town = by_age_and_by_sex();
    let done = town.run("anonymize p.toml --strategy n1 --beside by-age.csv -o beside.csv");
    done.expect(0, "beside.csv: 3 rows written and verified")
        .says("✓ nobody is outside δ for an attacker who has both releases")
        .says("informed attacker   not audited");
    assert!(done.err.contains("caution knows_algorithm: knows palmtop"), "{}", done.err);
    town.run("verify p.toml beside.csv").expect(0, "");
    town.run("compose p.toml by-age.csv beside.csv").expect(0, "");
    let json = town.run("anonymize p.toml --strategy best --beside by-age.csv -o best.csv --format json");
    assert_eq!(json.expect(0, "").json()["beside"]["holds"], true);
    let alone = town.run("anonymize p.toml --strategy n1 -o n1.csv --format json");
    assert_eq!(alone.expect(0, "").json()["beside"], Value::Null);

    let run = |rest: &str| town.run(&format!("anonymize p.toml --beside by-age.csv -o out.csv {rest}"));
    run("--strategy spalm").expect(2, "by a strategy that finds regions (simulatable, n1 to b3 or best)");
    run("--node 0,1").expect(2, "cannot be used with");
    run("--strategy best --budget 1s").expect(2, "cannot be used with");
    run("--strategy n1 --delta-max 2/5")
        .expect(1, "does not keep the policy by itself: presence 1/4 to 1/2 under δ (0, 2/5)");
    town.run("anonymize p.toml --strategy n1 --beside by-age.csv -o by-age.csv --force")
        .expect(1, "never overwritten");
    let mut people = TOWN;
    people[0].2 = None;
    people[7].2 = Some("x");
    town.write_people(&people);
    run("--strategy n1").expect(
        1,
        "by-age.csv: nothing can be made beside it, as it is no faithful release of the present T",
    );
    assert!(!town.path("out.csv").exists());
}

const AGES: [u8; 4] = [10, 30, 50, 70];
const NOTES: [Option<&str>; 4] = [None, None, Some("x"), Some("y")];

fn people() -> impl Strategy<Value = Vec<Person>> {
    let person = (prop::sample::select(AGES.to_vec()), prop::bool::ANY, prop::sample::select(NOTES.to_vec()));
    let person = person.prop_map(|(age, is_man, note)| (age, if is_man { "male" } else { "female" }, note));
    let is_feasible = |people: &Vec<Person>| {
        let members = people.iter().filter(|person| person.2.is_some()).count();
        members > 0 && members * 2 <= people.len()
    };
    prop::collection::vec(person, 6..12).prop_filter("T is some of at most half", is_feasible)
}

/// Each person's share among all T that give all of the releases; `None` if no T does.
///
/// T is a set of people with a note for each of them, and the notes are those that some release
/// publishes. A release gives the number of each note in each class, and the number of members who
/// match no row.
fn shares(people: &[Person], analysis: &Analysis, releases: &[&ReadRelease]) -> Option<Vec<(u64, u64)>> {
    let combination = |person: &Person| {
        let codes = [person.0.to_string(), person.1.to_owned()];
        let problem = analysis.problem();
        let code = |(attribute, text): (usize, &String)| problem.hierarchy(attribute).code(text).unwrap();
        problem.histogram().find(&codes.iter().enumerate().map(code).collect::<Vec<_>>()).unwrap()
    };
    let indices: Vec<usize> = people.iter().map(combination).collect();
    let is_published = |note: &&str| {
        let mut kept = releases.iter().flat_map(|release| &release.classes).flat_map(|class| &class.kept);
        kept.any(|(values, _)| values[0] == **note)
    };
    let published = ["x", "y"].into_iter().filter(is_published).map(Some);
    let notes: Vec<Option<&str>> = std::iter::once(None).chain(published).collect();
    let all = people.iter().filter(|person| person.2.is_some()).count() as u64;
    let rows_of = |release: &ReadRelease, class: usize, note: &str| {
        let kept = &release.classes[class].kept;
        kept.iter().find(|(values, _)| values[0] == note).map_or(0, |(_, rows)| *rows)
    };
    let mut members = vec![0; people.len()];
    let mut tables = 0;
    let base = notes.len() as u64;
    for number in 0..base.pow(u32::try_from(people.len()).unwrap()) {
        let digit = |person: usize| number / base.pow(u32::try_from(person).unwrap()) % base;
        let note = |person: usize| notes[usize::try_from(digit(person)).unwrap()];
        let gives = |release: &&ReadRelease| {
            let mut left: Vec<[u64; 2]> = (0..release.classes.len())
                .map(|class| ["x", "y"].map(|note| rows_of(release, class, note)))
                .collect();
            let mut pool = all - release.rows();
            for (person, &index) in indices.iter().enumerate() {
                let Some(note) = note(person) else { continue };
                let left = match release.class_of[index] {
                    Some(class) => &mut left[class as usize][usize::from(note == "y")],
                    None => &mut pool,
                };
                if *left == 0 {
                    return false;
                }
                *left -= 1;
            }
            pool == 0 && left.iter().flatten().all(|&left| left == 0)
        };
        if releases.iter().all(gives) {
            tables += 1;
            (0..people.len()).for_each(|person| members[person] += u64::from(digit(person) > 0));
        }
    }
    (tables > 0).then(|| members.into_iter().map(|members| (members, tables)).collect())
}

fn keeps(shares: &[(u64, u64)], delta: Delta) -> bool {
    let presence = |&(members, tables): &(u64, u64)| palmtop::model::Presence::new(members, tables).unwrap();
    shares.iter().map(presence).all(|share| delta.min() <= share && share <= delta.max())
}

/// A project that permits the withdrawal of members, or none.
fn head(may_withdraw: bool) -> &'static str {
    if may_withdraw {
        "[delta]\nmax = \"1/2\"\n[policy]\nsuppress_at_most = \"70%\""
    } else {
        "[delta]\nmax = \"1/2\""
    }
}

/// The release of a node without the classes that have a bit in `withdrawn`; if that would withdraw
/// too many members, without one of these classes, or none.
fn written(analysis: &Analysis, folder: &Path, node: Node, withdrawn: u32) -> ReadRelease {
    let (path, problem) = (folder.join("node.csv"), analysis.problem());
    let classes = Classes::of(problem, &Recoding::Node(node.clone()));
    let members = (0..).zip(classes.all_counts()).filter(|(_, counts)| counts.private > 0);
    let chosen = members.enumerate().filter(|(index, _)| withdrawn >> index & 1 == 1);
    let most = problem.policy().suppression().most(problem.histogram().total().private);
    let (mut without, mut sum) = (Vec::new(), 0);
    for (_, (class, counts)) in chosen {
        if sum + counts.private <= most {
            sum += counts.private;
            without.push(class);
        }
    }
    let recoding = Recoding::Node(node.clone()).withdrawing(without);
    let release = Release::new(problem, Origin::ByHand(node), recoding, None);
    let options = ExportOptions { force: true, allow_not_present: true };
    pipeline::export::write(analysis, &release, &path, options).unwrap();
    let read = pipeline::reading::read(analysis, &path).unwrap();
    assert_eq!(read.pool().private, sum);
    read
}

/// The classes to withdraw, as bits.
fn withdrawn() -> impl Strategy<Value = u32> {
    prop_oneof![Just(0), 1..64_u32]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: Several releases
    #[test]
    fn releases_beside_each_other_keep_delta_together(
        people in people(), forbids in prop::bool::ANY, withdrawn in withdrawn(),
    ) {
        let forbid = if forbids { "\n[search]\nempty_regions = \"forbid\"" } else { "" };
        let town = Workspace::new(&people, &format!("{}{forbid}", head(withdrawn > 0)));
        let analysis = Analysis::load(&town.path("p.toml"), &Overrides::default()).unwrap();
        let delta = analysis.problem().delta();
        for node in analysis.problem().lattice().nodes() {
            let earlier = written(&analysis, town.folder.path(), node, withdrawn);
            for strategy in Search::all().filter(|strategy| strategy.family().finds_regions()) {
                let go_on = &mut |_| ControlFlow::Continue(());
                let config = Config { rounds: Some(2), ..Config::default() };
                let found = match pipeline::earlier_release::search(&analysis, analysis.problem(), strategy, &config, &earlier, go_on) {
                    Ok(found) => found,
                    Err(PipelineError::UnusableEarlierRelease(_)) => {
                        prop_assert!(!earlier.findings.is_present());
                        break;
                    }
                    Err(other) => panic!("{other}"),
                };
                let release = found.release.unwrap();
                let target = town.path("beside.csv");
                let options = ExportOptions { force: true, allow_not_present: false };
                let mut gate = pipeline::export::gate(&analysis);
                let export = Export { release: &release, target: &target, options, earlier: Some(&earlier) };
                let exported =
                    pipeline::export::write_through(&analysis, export, &mut gate, &mut RealDisk, &mut |_| ControlFlow::Continue(()));
                let both = exported.unwrap().1.unwrap();
                prop_assert_eq!(both.release.pool().private, earlier.pool().private);
                prop_assert!(both.composition.judge(analysis.problem().bounds()).holds());
                // Only `best` is checked by the enumeration of all T for eight people and more,
                // because it takes long.
                if strategy == Search::Best || people.len() < 8 {
                    let shares = shares(&people, &analysis, &[&earlier, &both.release]).expect("T is one");
                    prop_assert!(keeps(&shares, delta), "{} beside {:?}: {:?}", strategy, earlier.classes, shares);
                }
            }
        }
    }

    /// The commands compose what the files reveal: by files, and with linked rows. The test
    /// compares this with the enumeration of all T.
    // holds: Several releases
    #[test]
    fn written_releases_tell_what_all_tables_tell(
        people in people(), nodes in [0..8_usize, 0..8_usize, 0..8_usize], withdrawn in [withdrawn(), withdrawn(), withdrawn()],
    ) {
        let may_withdraw = withdrawn.iter().any(|&withdrawn| withdrawn > 0);
        let town = Workspace::new(&people, head(may_withdraw));
        let analysis = Analysis::load(&town.path("p.toml"), &Overrides::default()).unwrap();
        let all: Vec<Node> = analysis.problem().lattice().nodes().collect();
        let releases = [0, 1, 2].map(|release| {
            let node = all[nodes[release] % all.len()].clone();
            written(&analysis, town.folder.path(), node, withdrawn[release])
        });
        let releases: Vec<&ReadRelease> = releases.iter().collect();
        let composition = pipeline::together::of_releases(&analysis, &releases, palmtop::pipeline::Together::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        let shares = shares(&people, &analysis, &releases).expect("T is one");
        for (person, (members, tables)) in people.iter().zip(&shares) {
            let codes = [person.0.to_string(), person.1.to_owned()];
            let code = |(attribute, text): (usize, &String)| analysis.problem().hierarchy(attribute).code(text).unwrap();
            let codes: Vec<u32> = codes.iter().enumerate().map(code).collect();
            let index = analysis.problem().histogram().find(&codes).unwrap();
            let atom = &composition.atoms[composition.atom_of[index] as usize];
            #[expect(clippy::cast_precision_loss, reason = "counts of a few people")]
            let expected = *members as f64 / *tables as f64;
            prop_assert!((atom.presence(&atom.members[0]) - expected).abs() < 1e-9);
        }
    }
}
