//! People with several rows (`role = "entity"`). Counts, searches, releases and verification use
//! people as their unit. A command refuses such a project if it cannot count people.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use palmtop::caution::{self, Facts};
use palmtop::compatibility::{Command as Opened, Feature};
use palmtop::history::{self, Moment, RecodingRecipe, Sitting, SittingFile, Step};
use palmtop::metrics::Metric;
use palmtop::model::{ClassData, Counts, Criteria, Level, Node, Recoding};
use palmtop::pipeline::{self, Analysis, ExportOptions, LoadStage, Overrides, PipelineError, verify_file};
use palmtop::progress::{Progress, unwatched};
use palmtop::release::Release;
use palmtop::risk::RiskClass;
use palmtop::search::{
    AuditConfig, AuditMethod, Config, SearchReport, StopReason, Strategy as Search, audit, run, spalm, survey,
};
use palmtop::verify::Findings;
use proptest::prelude::*;

/// A project in a temporary folder.
struct Workspace {
    folder: tempfile::TempDir,
}

impl Workspace {
    /// A project with these tables, the quasi-identifiers `a` and `b` with four leaves in pairs
    /// each, and a sensitive attribute of T.
    fn new(public: &str, private: &str, settings: &str) -> Self {
        let workspace = Self { folder: tempfile::tempdir().unwrap() };
        workspace.put("p.csv", public);
        workspace.put("t.csv", private);
        workspace.put("four.csv", "0,0-1,*\n1,0-1,*\n2,2-3,*\n3,2-3,*\n");
        workspace.put(
            "x.toml",
            &format!(
                "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n{settings}\n\
                 [[attribute]]\nname = \"who\"\nrole = \"entity\"\n\
                 [[attribute]]\nname = \"a\"\nrole = \"quasi\"\nhierarchy = \"four.csv\"\n\
                 [[attribute]]\nname = \"b\"\nrole = \"quasi\"\nhierarchy = \"four.csv\"\n\
                 [[attribute]]\nname = \"secret\"\nrole = \"sensitive\"\n"
            ),
        );
        workspace
    }

    fn at(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.at(name), text).unwrap();
    }

    fn load(&self) -> Result<Analysis, PipelineError> {
        Analysis::load_for(&self.at("x.toml"), &Overrides::default(), &[Feature::Verdict], &mut unwatched)
    }

    fn verify(&self, release: &Path) -> Findings {
        verify_file(&self.at("x.toml"), &Overrides::default(), release).unwrap()
    }

    /// Changes the worked example: T becomes part of P.
    fn as_members(&self) {
        self.put(
            "p.csv",
            "user,zip,in\n01,42000,yes\n02,17000,yes\n02,42000,yes\n03,42000,no\n03,17000,no\n05,42001,no\n",
        );
        let text = fs::read_to_string(self.at("x.toml")).unwrap();
        let text = text.replace("[private]\npath = \"t.csv\"\n", "");
        let text = text.replace("path = \"p.csv\"", "path = \"p.csv\"\nmember = \"in\"");
        self.put("x.toml", &text[..text.find("[[attribute]]\nname = \"visit\"").unwrap()]);
    }

    fn palmtop(&self, arguments: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_palmtop"))
            .args(arguments)
            .current_dir(self.folder.path())
            .env("PALMTOP_STATE", self.folder.path())
            .output()
            .unwrap()
    }
}

/// A person: the rows, whether the person is in T, and the secret.
#[derive(Clone, Debug)]
struct Person {
    rows: Vec<[u8; 2]>,
    is_member: bool,
    secret: u8,
}

/// The tables P and T of some people. The rows of one person are not adjacent.
fn tables(people: &[Person]) -> (String, String) {
    let (mut public, mut private) = (String::from("who,a,b\n"), String::from("who,a,b,secret\n"));
    for nth in 0..3 {
        for (number, person) in people.iter().enumerate() {
            if let Some([a, b]) = person.rows.get(nth) {
                public += &format!("p{number},{a},{b}\n");
            }
            if let Some([a, b]) = person.rows.iter().rev().nth(nth).filter(|_| person.is_member) {
                private += &format!("p{number},{a},{b},s{}\n", person.secret);
            }
        }
    }
    (public, private)
}

fn people() -> impl Strategy<Value = Vec<Person>> {
    let rows = prop::collection::vec([0..4_u8, 0..4_u8], 1..=3);
    let person = (rows, prop::bool::weighted(0.4), 0..3_u8);
    let person = person.prop_map(|(rows, is_member, secret)| Person { rows, is_member, secret });
    prop::collection::vec(person, 1..30)
        .prop_filter("somebody is in T", |all| all.iter().any(|person| person.is_member))
}

/// The label of a leaf at a level.
fn label(leaf: u8, level: u8) -> String {
    match level {
        0 => leaf.to_string(),
        1 => if leaf < 2 { "0-1" } else { "2-3" }.to_owned(),
        _ => "*".to_owned(),
    }
}

/// The classes of people at a node, counted one person at a time. The key is the labels of a
/// person's rows; the value is |P|, |T| and the members' secrets.
type Counted = BTreeMap<Vec<Vec<String>>, (u64, u64, Vec<u8>)>;

fn counted(people: &[Person], [a, b]: [u8; 2]) -> Counted {
    let mut classes = Counted::new();
    for person in people {
        let mut rows: Vec<Vec<String>> =
            person.rows.iter().map(|row| vec![label(row[0], a), label(row[1], b)]).collect();
        rows.sort();
        let class = classes.entry(rows).or_default();
        class.0 += 1;
        class.1 += u64::from(person.is_member);
        class.2.extend(person.is_member.then_some(person.secret));
    }
    classes
}

/// The classes of a node that the engine computed: |P| and |T| of each.
fn of_engine(analysis: &Analysis, release: &Release) -> BTreeMap<Vec<Vec<String>>, (u64, u64)> {
    let rows = release.classes.iter().map(|class| {
        let mut rows = class.row_texts(analysis.problem());
        rows.sort();
        (rows, (class.counts.public, class.counts.private))
    });
    rows.collect()
}

/// The requirements on classes: δmax in eighths, δmin in sixteenths, whether a class may be empty,
/// k, k-map, and the number of distinct secrets. Also t in tenths, with equal distances between
/// values.
#[derive(Clone, Copy, Debug)]
struct Asked {
    max: u64,
    min: u64,
    forbids_empty: bool,
    k: u64,
    k_map: u64,
    l: usize,
    t: u64,
}

impl Asked {
    fn settings(self) -> String {
        let Self { max, min, forbids_empty, k, k_map, l, t } = self;
        let empty = if forbids_empty { "forbid" } else { "allow" };
        format!(
            "[delta]\nmin = \"{min}/16\"\nmax = \"{max}/8\"\n[search]\nempty_regions = \"{empty}\"\n[policy]\nk = {k}\nk_map = {k_map}\nl = {{ distinct = {l} }}\nt = {{ at_most = \"{t}/10\" }}"
        )
    }

    fn holds(self, classes: &Counted) -> bool {
        let members: Vec<u8> = classes.values().flat_map(|class| class.2.clone()).collect();
        classes.values().all(|(public, private, secrets)| {
            let of =
                |all: &[u8], secret: u8| all.iter().map(|value| u64::from(*value == secret)).sum::<u64>();
            let distinct = (0..3).filter(|&secret| of(secrets, secret) > 0).count();
            // Half the sum of |share in the class − share in T|, multiplied by ten and by both
            // denominators.
            let (count, all) = (secrets.len() as u64, members.len() as u64);
            let apart = |secret| (of(secrets, secret) * all).abs_diff(of(&members, secret) * count);
            let is_close = 10 * (0..3).map(apart).sum::<u64>() <= 2 * self.t * count * all;
            let is_fine = *private >= self.k && *public >= self.k_map && distinct >= self.l && is_close;
            let is_in_delta = private * 8 <= public * self.max && private * 16 >= public * self.min;
            let may_be = *private > 0 || !self.forbids_empty;
            is_in_delta && may_be && (*private == 0 || is_fine)
        })
    }
}

fn nodes() -> Vec<[u8; 2]> {
    (0..3).flat_map(|a| (0..3).map(move |b| [a, b])).collect()
}

fn node(analysis: &Analysis, [a, b]: [u8; 2]) -> Node {
    analysis.problem().lattice().node(&[Level(a), Level(b)]).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    /// Compares classes, verdicts and the search with brute force over every node. The verifier
    /// recounts each written release to the same result.
    // holds: No row for a person
    #[test]
    fn people_with_several_rows_match_brute_force(
        people in people(),
        (max, min, forbids_empty) in (1..=8_u64, prop_oneof![3 => Just(0_u64), 1 => 1..=2_u64], prop::bool::weighted(0.2)),
        (k, k_map, l, t) in (1..4_u64, 1..6_u64, 1..3_usize, prop_oneof![Just(10_u64), 2..10_u64]),
        finest in prop_oneof![4 => Just(0_u8), 1 => Just(1_u8)],
        which in any::<prop::sample::Index>(),
    ) {
        let (public, private) = tables(&people);
        let asked = Asked { max, min: min.min(2 * max), forbids_empty, k, k_map, l, t };
        let work = Workspace::new(&public, &private, &asked.settings());
        if finest > 0 {
            let text = fs::read_to_string(work.at("x.toml")).unwrap();
            work.put("x.toml", &text.replace("hierarchy = \"four.csv\"", "hierarchy = \"four.csv\"\nlevels = \"1-\""));
        }
        let nodes: Vec<[u8; 2]> = nodes().into_iter().filter(|node| node.iter().all(|level| *level >= finest)).collect();
        let analysis = work.load().unwrap();
        let problem = analysis.problem();
        let holds = |levels| asked.holds(&counted(&people, levels));
        let mut best: Option<(f64, u8, [u8; 2])> = None;
        for &levels in &nodes {
            let release = analysis.by_hand(analysis.problem(), node(&analysis, levels));
            let expected = counted(&people, levels);
            let counts = expected.iter().map(|(rows, (public, private, _))| (rows.clone(), (*public, *private)));
            prop_assert_eq!(of_engine(&analysis, &release), counts.collect::<BTreeMap<_, _>>());
            prop_assert_eq!(release.is_present(), holds(levels), "{:?}", levels);
            // Theorem 1: if a node keeps the policy, every generalization of it does too.
            let mut above = nodes.iter().filter(|other| other[0] >= levels[0] && other[1] >= levels[1]);
            let rises = |other: &[u8; 2]| analysis.by_hand(analysis.problem(), node(&analysis, *other)).is_present();
            prop_assert!(!release.is_present() || above.all(rises), "{:?}", levels);
            let candidate = (release.metrics.loss.mean(), levels[0] + levels[1], levels);
            if holds(levels) && best.is_none_or(|best| candidate.0 < best.0 - 1e-9 || (candidate.0 < best.0 + 1e-9 && (candidate.1, candidate.2) < (best.1, best.2))) {
                best = Some(candidate);
            }
        }
        let (found, report) = spalm(problem, &Config::default(), &mut unwatched);
        prop_assert_eq!(found, best.map(|(.., levels)| Recoding::Node(node(&analysis, levels))));
        prop_assert!(report.checked.unwrap() <= nodes.len() as u64);
        // After an interruption at any time, the search returns a node that keeps the policy.
        if best.is_some() {
            for after in 0..4 {
                let mut steps = 0;
                let (stopped, _) = spalm(problem, &Config::default(), &mut |_| {
                    steps += 1;
                    if steps > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let node = stopped.unwrap().node().unwrap().clone();
                prop_assert!(analysis.by_hand(problem, node).is_present());
            }
        }
        // Discernibility counts people: Σ a² over their classes.
        let node_at = |levels| Recoding::Node(node(&analysis, levels));
        let squares = |levels| counted(&people, levels).values().map(|class| class.1 * class.1).sum::<u64>();
        let in_order = |levels: &[u8; 2]| (squares(*levels), levels[0] + levels[1], *levels);
        let least = nodes.iter().copied().filter(|levels| holds(*levels)).min_by_key(in_order);
        let config = Config { metric: Metric::Discernibility, ..Config::default() };
        prop_assert_eq!(spalm(problem, &config, &mut unwatched).0, least.map(node_at));
        let (all, _) = survey(problem, &mut unwatched);
        for &levels in &nodes {
            let rank = problem.lattice().rank(&node(&analysis, levels));
            prop_assert_eq!(all.state(rank).is_present(), holds(levels), "{:?}", levels);
        }
        let levels = nodes[which.index(nodes.len())];
        let release = analysis.by_hand(analysis.problem(), node(&analysis, levels));
        let options = ExportOptions { allow_not_present: true, force: true };
        let target = work.at("r.csv");
        pipeline::export::write(&analysis, &release, &target, options).unwrap();
        let findings = work.verify(&target);
        let expected = counted(&people, levels);
        let released: Vec<_> = expected.values().filter(|class| class.1 > 0).collect();
        let secrets = |all: &[u8]| all.iter().collect::<BTreeSet<_>>().len();
        let mut by_hand: Vec<_> = released.iter().map(|class| (class.0, class.1, secrets(&class.2))).collect();
        let risk = pipeline::risk::classes(&analysis, &release).unwrap();
        let of_risk = |class: &RiskClass| (class.counts.public, class.counts.private, class.values[0].distinct());
        let mut of_risk: Vec<_> = risk.released.iter().map(of_risk).collect();
        by_hand.sort_unstable();
        of_risk.sort_unstable();
        prop_assert_eq!(&of_risk, &by_hand);
        let read = pipeline::reading::read(&analysis, &target).unwrap();
        let of_file = pipeline::risk::classes_of_file(&analysis, &read).unwrap();
        let unmatched = u64::from(expected.values().any(|class| class.1 == 0));
        prop_assert_eq!(of_file.all, released.len() as u64 + unmatched);
        let values = |class: &RiskClass| class.values[0].members();
        prop_assert!(of_file.released.iter().all(|class| values(class) == class.counts.private));
        let mut of_file: Vec<_> = of_file.released.iter().map(|class| (class.counts.public, class.counts.private, class.values[0].distinct())).collect();
        of_file.sort_unstable();
        prop_assert_eq!(of_file, by_hand);
        prop_assert!(findings.is_faithful(), "{:?}", findings.problems);
        prop_assert_eq!(findings.is_present(), holds(levels));
        prop_assert_eq!(findings.classes, released.len() as u64);
        prop_assert_eq!(findings.public, people.len() as u64);
        prop_assert_eq!(findings.private, people.iter().filter(|person| person.is_member).count() as u64);
        prop_assert_eq!(findings.unmatched, expected.values().filter(|class| class.1 == 0).map(|class| class.0).sum::<u64>());
        prop_assert_eq!(findings.achieved_max, release.achieved.max);
        prop_assert_eq!(findings.achieved_min, release.achieved.min);
    }

    /// If every person has one row, people are rows: the search finds the same node and the same
    /// figures as with identifiers.
    #[test]
    fn who_has_one_row_is_counted_as_ever(people in people(), parts in 1..=8_u64, k in 1..4_u64) {
        let people: Vec<Person> =
            people.into_iter().map(|person| Person { rows: person.rows[..1].to_vec(), ..person }).collect();
        let (public, private) = tables(&people);
        let policy = format!("[delta]\nmax = \"{parts}/8\"\n[policy]\nk = {k}");
        let work = Workspace::new(&public, &private, &policy);
        let analysis = work.load().unwrap();
        let text = fs::read_to_string(work.at("x.toml")).unwrap();
        work.put("y.toml", &text.replace("entity", "identifier"));
        let rows = Analysis::load(&work.at("y.toml"), &Overrides::default()).unwrap();
        for metric in Metric::ALL {
            let config = Config { metric, ..Config::default() };
            let (found, _) = run(Search::Spalm, analysis.problem(), &config, &mut unwatched);
            let (expected, _) = run(Search::Spalm, rows.problem(), &config, &mut unwatched);
            prop_assert_eq!(found, expected);
        }
        let options = ExportOptions { allow_not_present: true, force: true };
        let (target, other) = (work.at("r.csv"), work.at("s.csv"));
        let release = analysis.by_hand(analysis.problem(), node(&analysis, [1, 0]));
        pipeline::export::write(&analysis, &release, &target, options).unwrap();
        let of_rows = rows.by_hand(rows.problem(), node(&analysis, [1, 0]));
        pipeline::export::write(&rows, &of_rows, &other, options).unwrap();
        let other = verify_file(&work.at("y.toml"), &Overrides::default(), &other).unwrap();
        let findings = work.verify(&target);
        prop_assert_eq!(findings.public_rows, Some(findings.public));
        prop_assert_eq!(Findings { public_rows: None, pseudonyms: Vec::new(), ..findings }, other);
    }

    /// If two classes of people satisfy a criterion, their union does. Pruning depends on this.
    #[test]
    fn uniting_classes_of_people_keeps_every_criterion(
        people in people(),
        (one, other) in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        (k, k_map, l, t) in (1..4_u64, 1..6_u64, 1..3_u64, 0..=10_u64),
    ) {
        let (public, private) = tables(&people);
        let work = Workspace::new(&public, &private, "[delta]\nmax = 1\n[policy]\nl = { distinct = 1 }");
        let analysis = work.load().unwrap();
        let classes = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom()).classes;
        let class = |index: prop::sample::Index| -> &ClassData { classes.data(u32::try_from(index.index(classes.len())).unwrap()) };
        let (one, other) = (class(one), class(other));
        let t = format!("{{ at_most = \"{t}/10\" }}");
        let l = format!("{{ distinct = {l} }}");
        for (key, text) in [("k", k.to_string()), ("k_map", k_map.to_string()), ("l", l), ("t", t)] {
            let criteria = Criteria::read([(key, text.as_str())]).unwrap();
            if criteria.allow(one) && criteria.allow(other) {
                prop_assert!(criteria.allow(&one.united(other)), "{} {}", key, text);
            }
        }
    }
}

/// Changes T and writes the release that would fit it. The verifier reports the number of people of
/// T and the rows that P does not support.
// holds: No row for a person
#[test]
fn the_verifier_checks_all_rows_of_each_member() {
    let found = |private: &str, release: &[(&str, &str)]| {
        let workspace = users();
        workspace.put("t.csv", &format!("user,zip,visit\n{private}"));
        // Pseudonyms of the form that a release has.
        let mut rows: Vec<String> =
            release.iter().map(|(who, rest)| format!("{},{rest}\n", who.repeat(26))).collect();
        rows.sort();
        workspace.put("r.csv", &format!("user,zip,visit\n{}", rows.concat()));
        let findings = workspace.verify(&workspace.at("r.csv"));
        assert_eq!(findings.public, 9);
        (findings.private, findings.problems.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let other = |people: u64| {
        let (members, are) = if people == 1 { ("member", "is") } else { ("members", "are") };
        let have = if people == 1 { "has" } else { "have" };
        format!("{people} {members} of T {have} different rows in T and in P, or {are} not in P")
    };
    let full = "01,42000,a\n02,17000,b\n02,42000,c\n";
    let released = [("a", "42000,a"), ("e", "17000,b"), ("e", "42000,c")];
    assert_eq!(found(full, &released), (2, vec![]));
    for (private, release, expected) in [
        // 02 without one of the two rows that P has of this person.
        ("01,42000,a\n02,17000,b\n", &[("a", "42000,a"), ("e", "17000,b")][..], (2, 1)),
        // 02 with a row that only other people have in P: 42001 is the value of another person.
        (
            "01,42000,a\n02,17000,b\n02,42001,c\n",
            &[("a", "42000,a"), ("e", "17000,b"), ("e", "42001,c")],
            (2, 1),
        ),
        // A person who is not in P, with rows that P has.
        ("01,42000,a\n11,42000,b\n", &[("a", "42000,a"), ("e", "42000,b")], (2, 1)),
        // Both errors.
        ("11,42000,a\n02,17000,b\n", &[("a", "42000,a"), ("e", "17000,b")], (2, 2)),
    ] {
        assert_eq!(found(private, release), (expected.0, vec![other(expected.1)]), "{private}");
    }
}

#[test]
fn the_verifier_refuses_ambiguous_identifiers() {
    for (file, from, to, expected) in [
        ("p.csv", "05,42001", ",42001", "there is no identifier"),
        ("p.csv", "08,42000", "5,42000", "p.csv, column `user`: two identifiers differ only in spaces"),
        ("p.csv", "08,42000", "05.0,42000", "p.csv, column `user`: two identifiers differ only in spaces"),
        ("p.csv", "user,zip", "person,zip", "has no column `user`"),
        ("t.csv", "01,42000,a", " ,42000,a", "a row has no identifier"),
    ] {
        let workspace = users();
        let text = fs::read_to_string(workspace.at(file)).unwrap();
        workspace.put(file, &text.replacen(from, to, 1));
        workspace.put("r.csv", "user,zip,visit\n");
        let error =
            verify_file(&workspace.at("x.toml"), &Overrides::default(), &workspace.at("r.csv")).unwrap_err();
        let text = error.to_string();
        assert!(
            text.contains(expected) || (expected.contains("no column") && text.contains("user")),
            "{expected}: {text}"
        );
    }
}

// holds: No row for a person
#[test]
fn work_on_people_can_be_watched_and_stopped() {
    for is_member in [false, true] {
        let workspace = users();
        if is_member {
            workspace.as_members();
        }
        let mut reports: Vec<Progress<LoadStage>> = Vec::new();
        let path = workspace.at("x.toml");
        Analysis::load_for(&path, &Overrides::default(), &[Feature::Verdict], &mut |progress| {
            reports.push(progress);
            ControlFlow::Continue(())
        })
        .unwrap();
        let stages: Vec<LoadStage> = reports.iter().map(|report| report.stage).collect();
        assert!(stages.is_sorted() && stages.last() == Some(&LoadStage::People), "{stages:?}");
        assert_eq!(stages.contains(&LoadStage::Private), !is_member);
        let last = reports.last().unwrap();
        assert_eq!(last.done, last.total);
        for after in 0..reports.len() {
            let mut seen = 0;
            let stopped = Analysis::load_for(&path, &Overrides::default(), &[Feature::Verdict], &mut |_| {
                seen += 1;
                if seen > after { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            assert!(matches!(stopped, Err(PipelineError::Cancelled)), "after {after}");
            assert_eq!(seen, after + 1);
        }
    }
}

/// The worked example: users 01 to 04 have the multisets [42000], [17000, 42000] twice, and [17000,
/// 42000, 42000]. P has a second user for each and some others. T has 01, 02 and 04.
fn users() -> Workspace {
    let workspace = Workspace { folder: tempfile::tempdir().unwrap() };
    workspace.put(
        "p.csv",
        "user,zip\n01,42000\n02,17000\n02,42000\n03,42000\n03,17000\n04,17000\n04,42000\n04,42000\n05,42001\n06,17000\n06,42000\n\
         07,17001\n07,42001\n08,42000\n09,17000\n09,42000\n09,42001\n",
    );
    workspace.put(
        "t.csv",
        "user,zip,visit\n01,42000,a\n02,17000,b\n02,42000,c\n04,17000,d\n04,42000,e\n04,42000,f\n",
    );
    workspace.put("zip.csv", "17000,17***,*\n17001,17***,*\n42000,42***,*\n42001,42***,*\n");
    workspace.put(
        "x.toml",
        "[private]\npath = \"t.csv\"\n[public]\npath = \"p.csv\"\n[delta]\nmax = \"1/2\"\n\
         [[attribute]]\nname = \"user\"\nrole = \"entity\"\n\
         [[attribute]]\nname = \"zip\"\nrole = \"quasi\"\nhierarchy = \"zip.csv\"\n\
         [[attribute]]\nname = \"visit\"\nrole = \"insensitive\"\n",
    );
    workspace
}

#[test]
fn the_multisets_of_the_worked_example() {
    let workspace = users();
    workspace.put(
        "p.csv",
        "user,zip\n01,42000\n02,17000\n02,42000\n03,42000\n03,17000\n04,17000\n04,42000\n04,42000\n",
    );
    workspace.put("t.csv", "user,zip,visit\n01,42000,a\n02,17000,b\n02,42000,c\n03,17000,b\n03,42000,c\n04,17000,d\n04,42000,e\n04,42000,f\n");
    workspace.put("x.toml", &fs::read_to_string(workspace.at("x.toml")).unwrap().replace("1/2", "1"));
    let analysis = workspace.load().unwrap();
    let release = analysis.by_hand(analysis.problem(), analysis.problem().lattice().bottom());
    let of = |zips: &[&str]| zips.iter().map(|&zip| vec![zip.to_owned()]).collect::<Vec<_>>();
    let expected = [
        (of(&["17000", "42000"]), (2, 2)),
        (of(&["17000", "42000", "42000"]), (1, 1)),
        (of(&["42000"]), (1, 1)),
    ];
    assert_eq!(of_engine(&analysis, &release), expected.into());
    // k counts people and not their rows.
    let k = release.standings().into_iter().find(|standing| standing.criterion == "k").unwrap();
    assert_eq!(k.achieved.as_deref(), Some("1"));
}

#[test]
fn all_rows_of_a_person_share_one_pseudonym() {
    let workspace = users();
    let run = workspace.palmtop(&[
        "anonymize",
        "x.toml",
        "--strategy",
        "spalm",
        "-o",
        "r.csv",
        "--with",
        "report",
        "--format",
        "json",
    ]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let result: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(
        (&result["node"], &result["public"], &result["private"], &result["rows"]),
        (&serde_json::json!([1]), &9.into(), &3.into(), &6.into())
    );
    assert_eq!(result["achieved"]["max"], "1/2");
    let text = fs::read_to_string(workspace.at("r.csv")).unwrap();
    let mut of: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (pseudonym, rest) = line.split_once(',').unwrap();
        of.entry(pseudonym).or_default().push(rest);
    }
    let mut rows: Vec<Vec<&str>> = of.into_values().collect();
    rows.sort();
    assert_eq!(rows, [vec!["17***,b", "42***,c"], vec!["17***,d", "42***,e", "42***,f"], vec!["42***,a"]]);
    let verified = workspace.palmtop(&["verify", "x.toml", "r.csv", "--format", "json"]);
    let verified: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    assert_eq!(
        (&verified["public"], &verified["public_rows"], &verified["released_classes"]),
        (&9.into(), &17.into(), &3.into())
    );
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(workspace.at("r.report.json")).unwrap()).unwrap();
    assert!(
        report["output_sha256"].is_string() && report["inputs"].as_array().unwrap().len() == 4,
        "{report}"
    );
}

/// A change to rows. Each row is split into its pseudonym and the rest.
type Change<'a> = &'a dyn Fn(&mut Vec<(String, String)>);

// holds: No row for a person
#[test]
fn whose_rows_are_whose_is_recounted() {
    let workspace = users();
    let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let text = fs::read_to_string(workspace.at("r.csv")).unwrap();
    let mut lines: Vec<(String, String)> = text
        .lines()
        .skip(1)
        .map(|line| line.split_once(',').map(|(who, rest)| (who.to_owned(), rest.to_owned())).unwrap())
        .collect();
    lines.sort_by(|left, right| left.1.cmp(&right.1));
    // 17***,b · 17***,d · 42***,a · 42***,c · 42***,e · 42***,f
    let written = |change: Change| {
        let mut lines = lines.clone();
        change(&mut lines);
        let mut rows: Vec<String> = lines.into_iter().map(|(who, rest)| format!("{who},{rest}\n")).collect();
        rows.sort();
        workspace.put("w.csv", &format!("user,zip,visit\n{}", rows.concat()));
        let findings = workspace.verify(&workspace.at("w.csv"));
        let problems: Vec<String> = findings.problems.iter().map(ToString::to_string).collect();
        (findings.is_faithful(), findings.is_present(), problems.join("; "))
    };
    assert_eq!(written(&|_| {}), (true, true, String::new()));
    let linked = "expected one pseudonym on all rows of a person";
    for (what, change) in [
        (
            "a row of one as another's",
            &(|lines: &mut Vec<(String, String)>| lines[3].0 = lines[2].0.clone()) as Change,
        ),
        ("two rows swapped between people", &|lines| {
            let (first, second) = (lines[3].0.clone(), lines[4].0.clone());
            (lines[3].0, lines[4].0) = (second, first);
        }),
        ("a row under a pseudonym of its own", &|lines| lines[5].0 = "a".repeat(26)),
    ] {
        let (is_faithful, _, problems) = written(change);
        assert!(!is_faithful && problems.contains(linked), "{what}: {problems}");
    }
    let (is_faithful, _, problems) = written(&|lines| lines[2].0 = "01".to_owned());
    assert!(!is_faithful && problems.contains("an identifier, expected a pseudonym"), "{problems}");
    // This node is finer than δ allows: only 04 has two rows of 42000.
    let fine = workspace.palmtop(&[
        "anonymize",
        "x.toml",
        "--node",
        "0",
        "-o",
        "fine.csv",
        "--accept",
        "not_present=the board decided so",
        "--accept",
        "certain=the board decided so",
    ]);
    assert_eq!(fine.status.code(), Some(3), "{}", String::from_utf8_lossy(&fine.stderr));
    let findings = workspace.verify(&workspace.at("fine.csv"));
    assert!(findings.is_faithful() && !findings.is_present());
    assert_eq!(findings.achieved_max.to_string(), "1");
}

/// Tables in which people cannot be counted: where each refusal says that it is, and the refusal.
pub(crate) fn refusals() -> Vec<(&'static str, String)> {
    let refusal = |changes: &[(&str, &str, &str)]| {
        let workspace = users();
        for (file, from, to) in changes {
            let text = fs::read_to_string(workspace.at(file)).unwrap();
            assert!(text.contains(from), "{from}");
            workspace.put(file, &text.replacen(from, to, 1));
        }
        let error = workspace.load().unwrap_err().to_string();
        error.replace(&format!("{}/", workspace.folder.path().display()), "")
    };
    [
        (&[("p.csv", "user,zip", "person,zip")][..], "p.csv: no column `user`, it has"),
        (&[("p.csv", "05,42001", ",42001")], "p.csv, row 9 (header not counted), column `user`: there"),
        (&[("p.csv", "08,42000", "5,42000")], "p.csv, row 14 (header not counted), column `user`"),
        (&[("p.csv", "08,42000", "05 ,42000")], "p.csv, row 14 (header not counted), column `user`"),
        (
            &[("t.csv", "01,42000,a", "11,42000,a")],
            "t.csv, row 1 (header not counted), column `user`: nobody",
        ),
        (&[("t.csv", "01,42000,a", " ,42000,a")], "t.csv, row 1 (header not counted), column `user`: there"),
        (&[("t.csv", "02,42000,c\n", "")], "t.csv, row 2 (header not counted), column `user`"),
        (&[("t.csv", "02,42000,c", "02,17000,c")], "t.csv, row 2 (header not counted), column `user`"),
        (
            &[
                ("x.toml", "\"insensitive\"", "\"sensitive\""),
                ("x.toml", "[[attribute]]", "[policy]\nl = { distinct = 1 }\n[[attribute]]"),
            ],
            "t.csv, row 3 (header not counted), column `visit`",
        ),
    ]
    .map(|(changes, place)| (place, refusal(changes)))
    .into()
}

// holds: No row for a person
#[test]
fn who_cannot_be_counted_is_refused_by_row() {
    for (place, refused) in refusals() {
        assert!(refused.starts_with(place), "expected {place}\n   found {refused}");
    }
}

// holds: No row for a person
#[test]
fn nothing_else_takes_a_row_for_a_person() {
    let workspace = users();
    let released = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(released.status.success());
    // The test reads the list of commands from the help, so that each new command has to enter one
    // of the lists.
    let help = workspace.palmtop(&["--help"]);
    let help = String::from_utf8_lossy(&help.stdout).into_owned();
    let commands = help.lines().skip_while(|line| !line.starts_with("Commands:")).skip(1);
    let mut commands: Vec<String> = commands
        .take_while(|line| line.starts_with("  "))
        .filter(|line| !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next().map(ToOwned::to_owned))
        .collect();
    assert!(commands.len() > 11, "{help}");
    let refusing: [&[&str]; 4] = [
        &["estimate", "x.toml"],
        &["compose", "x.toml", "r.csv", "r.csv"],
        &["fetch", "x.toml"],
        &["fetch", "x.toml", "--dry-run"],
    ];
    for arguments in refusing {
        let run = workspace.palmtop(arguments);
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.contains("role = \"entity\""), "{arguments:?}: {text}");
        commands.retain(|command| command != arguments[0]);
    }
    // Some commands count people, some take no tables of a project, and some load a project as
    // `compare` does.
    let counting =
        ["check", "classes", "anonymize", "verify", "lattice", "audit", "report", "compare", "advise"];
    let others = ["init", "hierarchy", "completions", "man", "help"];
    commands.retain(|command| !counting.contains(&command.as_str()) && !others.contains(&command.as_str()));
    assert_eq!(commands, Vec::<String>::new(), "said of people with several rows, or not");
    // The workbench counts people; the tests of its screens are its own.
    let asked = [Feature::Command(Opened::Workbench)];
    let path = workspace.at("x.toml");
    let opened = Analysis::load_for(&path, &Overrides::default(), &asked, &mut unwatched).unwrap();
    assert_eq!(opened.problem().total(), Counts::new(9, 3));
    let expected = "--strategy best cannot be used with `role = \"entity\"`: people with several rows have nodes only, found by spalm \
                    or chosen";
    let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "best", "-o", "s.csv"]);
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.code() == Some(2) && stderr.contains(expected), "{stderr}");
    assert!(!workspace.at("s.csv").exists());
}

// holds: No row for a person
#[test]
fn risks_and_the_lattice_are_of_people() {
    let workspace = users();
    let json = |arguments: &[&str]| -> serde_json::Value {
        let run = workspace.palmtop(&[arguments, &["--format", "json"]].concat());
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        serde_json::from_slice(&run.stdout).unwrap()
    };
    // At 17*** and 42***: one member among three people with 42***, among four with both, and among
    // two with 42*** twice.
    let risk = json(&["compare", "x.toml", "1", "--show", "risk"])["risk"][0].clone();
    let figure = |key: &str| risk[key].as_u64().unwrap();
    let figures_of =
        ["classes", "released_classes", "members", "k", "k_map", "unique_members", "unique_people"];
    assert_eq!(figures_of.map(figure), [3, 3, 3, 1, 2, 3, 0]);
    let mean = (1.0 / 3.0 + 1.0 / 4.0 + 1.0 / 2.0) / 3.0;
    assert!((risk["mean_map_risk"].as_f64().unwrap() - mean).abs() < 1e-12, "{risk}");
    let nodes = &json(&["lattice", "x.toml", "--show", "counts"])["rows"];
    let node = |index: usize| {
        let node = &nodes[index];
        (
            node["verdict"].as_str().unwrap(),
            node["classes"].as_u64().unwrap(),
            node["presence_max"].as_str().unwrap(),
        )
    };
    assert_eq!([0, 1, 2].map(node), [("over", 6, "1"), ("present", 3, "1/2"), ("present", 3, "1/2")]);
    let listed = &json(&["classes", "x.toml", "--node", "1", "--filter", "zip:17000"])["rows"];
    let people: u64 = listed.as_array().unwrap().iter().map(|class| class["public"].as_u64().unwrap()).sum();
    assert_eq!(people, 6, "{listed}");
    // If a person has two values of an attribute, the attribute has no single value to count.
    let text = fs::read_to_string(workspace.at("x.toml")).unwrap();
    workspace.put("x.toml", &text.replace("\"insensitive\"", "\"sensitive\""));
    let run = workspace.palmtop(&["compare", "x.toml", "1", "--show", "risk"]);
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        stderr.contains("another value, but risks of sensitive values count one of each person"),
        "{stderr}"
    );
    let released = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(released.status.success(), "{}", String::from_utf8_lossy(&released.stderr));
    let run = workspace.palmtop(&["compare", "x.toml", "r.csv", "--show", "risk"]);
    let stderr = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.code() == Some(1) && stderr.contains("column `visit`: a person has several values"),
        "{stderr}"
    );
    // A written file has the figures of its node.
    workspace.put("x.toml", &text);
    let of_file = &json(&["compare", "x.toml", "r.csv", "--show", "risk"])["risk"][0];
    for key in figures_of {
        assert_eq!(of_file[key], risk[key], "{key}");
    }
    assert_eq!(of_file["mean_map_risk"], risk["mean_map_risk"]);
}

#[test]
fn utility_is_of_rows_and_says_so() {
    let workspace = users();
    // A person may have several values of a sensitive attribute: each row counts.
    let text =
        fs::read_to_string(workspace.at("x.toml")).unwrap().replace("\"insensitive\"", "\"sensitive\"");
    workspace.put("x.toml", &text);
    workspace.put(
        "y.toml",
        &text.replace("role = \"entity\"", "role = \"identifier\"\nrepeats = \"a row is a person here\""),
    );
    let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let json = |project: &str, of: &str| -> serde_json::Value {
        let run = workspace.palmtop(&["compare", project, of, "--show", "utility", "--format", "json"]);
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        serde_json::from_slice::<serde_json::Value>(&run.stdout).unwrap()["utility"][0].clone()
    };
    // T has 17000 in two of six rows, and 42000 in four. The labels 17*** and 42*** have two values
    // of P each: ½(1/6 + 1/6 + 2/6 + 2/6).
    let of_node = json("x.toml", "1");
    let near = |value: &serde_json::Value, expected: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < 1e-12, "{value}, expected {expected}");
    };
    let counts = ["members", "rows_of_t", "rows"].map(|key| of_node[key].as_u64().unwrap());
    assert_eq!((counts, &of_node["counted"]), ([3, 6, 6], &"rows".into()));
    near(&of_node["distance"], 0.5);
    let zip = &of_node["attributes"][0];
    let shares = |key| {
        zip["groups"].as_array().unwrap().iter().map(|group| group[key].as_f64().unwrap()).collect::<Vec<_>>()
    };
    let sixths = |parts: [f64; 4]| parts.map(|part| part / 6.0).to_vec();
    let pairs =
        [(shares("t"), sixths([2.0, 0.0, 4.0, 0.0])), (shares("release"), sixths([1.0, 1.0, 2.0, 2.0]))];
    for (found, expected) in pairs {
        assert!(
            std::iter::zip(&found, &expected).all(|(found_one, other)| (found_one - other).abs() < 1e-12),
            "{found:?}"
        );
    }
    // A row at 17*** or 42*** loses (2 − 1)/(4 − 1).
    let worst = of_node["worst"]
        .as_array()
        .unwrap()
        .iter()
        .map(|class| (class["labels"][0].clone(), class["rows"].clone()));
    assert_eq!(worst.collect::<Vec<_>>(), [("42***".into(), 4.into()), ("17***".into(), 2.into())]);
    near(&of_node["worst"][0]["loss"], 1.0 / 3.0);
    assert_eq!(of_node["pairs"][0]["n"], 6);
    // If each row were a person, every figure would be the same.
    let plain = |mut value: serde_json::Value| {
        for key in ["of", "present", "members", "counted"] {
            value.as_object_mut().unwrap().remove(key);
        }
        value
    };
    let of_rows = json("y.toml", "1");
    assert_eq!((&of_rows["members"], &of_rows["counted"]), (&6.into(), &"members".into()));
    assert_eq!(plain(of_node.clone()), plain(of_rows));
    assert_eq!(plain(json("x.toml", "r.csv")), plain(of_node));
    assert_eq!(plain(json("x.toml", "0")), plain(json("y.toml", "0")));
    let run = workspace.palmtop(&["compare", "x.toml", "1", "--show", "utility"]);
    let shown = String::from_utf8_lossy(&run.stdout).into_owned();
    for words in [
        "members of T                          3",
        "rows of T                             6",
        "unit of shares and counts          rows",
        "node 1: 6 rows of 3 members; all below counts rows, not people",
        "% of rows; they count",
        "farthest off: rows of T, the estimate",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(!shown.contains("of people") && !shown.contains("members of T,"), "{shown}");
}

/// The text of a page, with one space in place of tags.
fn words_of(page: &str) -> String {
    let parts = page.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text).trim());
    parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Writes both reports of `r.csv` as JSON and HTML. The exit status of each command must be `status`.
fn reported(workspace: &Workspace, status: i32) -> [(serde_json::Value, String); 2] {
    ["signer", "recipient"].map(|reader| {
        for form in ["json", "html"] {
            let output = format!("{reader}.{form}");
            let run =
                workspace.palmtop(&["report", "x.toml", "r.csv", "--for", reader, "-o", &output, "--force"]);
            assert_eq!(run.status.code(), Some(status), "{}", String::from_utf8_lossy(&run.stderr));
        }
        let json = fs::read_to_string(workspace.at(&format!("{reader}.json"))).unwrap();
        let page = fs::read_to_string(workspace.at(&format!("{reader}.html"))).unwrap();
        (serde_json::from_str(&json).unwrap(), page)
    })
}

#[test]
fn reports_count_people_and_name_what_counts_rows() {
    let workspace = users();
    let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let [(signer, page), (recipient, recipient_page)] = reported(&workspace, 0);
    let page = words_of(&page);
    // One member among three people with 42***, one among four with both, and one among two with
    // 42*** twice.
    let people = &signer["people"];
    assert_eq!(
        (&people["public"], &people["private"], &people["unmatched"]),
        (&9.into(), &3.into(), &0.into())
    );
    assert_eq!(people["rows"], serde_json::json!({ "entity": "user", "public": 17, "private": 6 }));
    let bars = signer["presence"]["bars"].as_array().unwrap();
    let sum = |key: &str| bars.iter().map(|bar| bar[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(["individuals", "members", "classes"].map(sum), [9, 3, 3]);
    assert_eq!(signer["delta"]["achieved"], serde_json::json!({ "min": "1/4", "max": "1/2" }));
    assert_eq!(signer["delta"]["share"], "1/3");
    let risk = &signer["disclosures"]["identity"];
    let figures = ["released_classes", "k", "k_map", "unique_members", "unique_people"];
    assert_eq!(figures.map(|key| risk[key].as_u64().unwrap()), [3, 1, 2, 3, 0]);
    // Each row loses (2 − 1)/(4 − 1), and each class has one member.
    let utility = &signer["utility"];
    assert_eq!((&utility["recoding"], &utility["discernibility"]), (&"node 1".into(), &3.into()));
    let near = |value: &serde_json::Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-12;
    assert!(near(&utility["loss"], 1.0 / 3.0) && near(&utility["average_class_size"], 1.0), "{utility}");
    assert!(near(&signer["fidelity"]["distance"], 0.5), "{}", signer["fidelity"]);
    assert_eq!(signer["fidelity"]["counted"], "rows");
    assert_eq!((&signer["fidelity"]["worst"][0]["rows"], &signer["release"]["rows"]), (&4.into(), &6.into()));
    let attacker = signer["adversaries"][0]["knows"].as_str().unwrap();
    assert!(attacker.ends_with("knows in both which rows belong to one person"), "{attacker}");
    for text in [&signer["adversaries"], &signer["verdict"]["cautions"], &signer["not_covered"]] {
        for refused in ["compose", "simulatable", "palmtop audit"] {
            assert!(!text.to_string().contains(refused), "{refused}: {text}");
        }
    }
    for words in [
        "Individuals in P whose rows are those of no released person",
        "Rows of P 17",
        "Rows of T 6",
        "This page counts people; loss, distances and queries count rows.",
        "sum of squared class sizes, in members, not rows",
        "Losses are means over the rows of T: a person counts once for each row.",
        "This comparison counts rows, not people",
        "True count, in rows",
        "Several rows of a person",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert_eq!(recipient["person_column"], "user");
    assert!(recipient["not_covered"].to_string().contains("Several rows of a person"), "{recipient}");
    assert!(recipient_page.contains("The guarantee is about people, not about rows."), "{recipient_page}");
    // The recipient gets no count of T or P, but for the people of P in the code list.
    let mut without_codes = recipient.clone();
    for key in ["code_list", "readability", "form"] {
        without_codes.as_object_mut().unwrap().remove(key);
    }
    assert!(
        without_codes.get("people").is_none()
            && ![":17", ":9", ":3"].iter().any(|count| without_codes.to_string().contains(count)),
        "{recipient}"
    );
    // A row under the pseudonym of another person: the file is refused, and nothing is measured.
    let text = fs::read_to_string(workspace.at("r.csv")).unwrap();
    let who = |visit: &str| {
        let line = text.lines().find(|line| line.ends_with(visit)).unwrap();
        line.split(',').next().unwrap().to_owned()
    };
    let mut lines: Vec<String> = text.lines().skip(1).map(ToOwned::to_owned).collect();
    lines
        .iter_mut()
        .filter(|line| line.ends_with(",c"))
        .for_each(|line| *line = line.replace(&who(",c"), &who(",a")));
    lines.sort();
    workspace.put("r.csv", &format!("user,zip,visit\n{}\n", lines.join("\n")));
    let run = workspace.palmtop(&["report", "x.toml", "r.csv", "-o", "refused.json"]);
    assert_eq!(run.status.code(), Some(3), "{}", String::from_utf8_lossy(&run.stderr));
    let refused: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(workspace.at("refused.json")).unwrap()).unwrap();
    assert_eq!(refused["verdict"]["verified"], false);
    for measured in ["presence", "disclosures", "utility", "fidelity"] {
        assert!(refused[measured].is_null(), "{measured}: {refused}");
    }
}

#[test]
fn reports_measure_values_per_person_or_decline() {
    let workspace = users();
    let text = fs::read_to_string(workspace.at("x.toml")).unwrap();
    workspace.put("x.toml", &text.replace("\"insensitive\"", "\"sensitive\""));
    let anonymize =
        ["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv", "--force", "--with", "report"];
    let run = workspace.palmtop(&anonymize);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let unmeasured =
        "sensitive values are not measured, because a person with several rows has several values";
    let [(signer, page), _] = reported(&workspace, 0);
    assert_eq!(signer["disclosures"]["attribute"]["attributes"], serde_json::json!([]));
    assert_eq!(signer["disclosures"]["attribute"]["not_measured"], unmeasured);
    let pair = &signer["fidelity"]["pairs"][0];
    assert!(pair["rows"] == 6 && pair.get("members").is_none(), "{pair}");
    assert!(page.contains(&format!("In this table, {unmeasured}.")), "{page}");
    assert!(signer["adversaries"].to_string().contains(unmeasured), "{}", signer["adversaries"]);
    // 01 has a; 02 has b in both rows; 04 has c in all three.
    workspace.put(
        "t.csv",
        "user,zip,visit\n01,42000,a\n02,17000,b\n02,42000,b\n04,17000,c\n04,42000,c\n04,42000,c\n",
    );
    let run = workspace.palmtop(&anonymize);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let [(signer, page), _] = reported(&workspace, 0);
    let measured = &signer["disclosures"]["attribute"]["attributes"][0];
    // Each class has one member, so one value, at a distance of 2/3 from the three values of T.
    assert_eq!((&measured["attribute"], &measured["distinct"]), (&"visit".into(), &1.into()));
    assert!((measured["distance"].as_f64().unwrap() - 2.0 / 3.0).abs() < 1e-12, "{measured}");
    assert!(
        signer["disclosures"]["attribute"].get("not_measured").is_none() && !page.contains(unmeasured),
        "{page}"
    );
    let caution = "3 members are in a class with only one value of `visit`";
    assert!(signer["verdict"]["cautions"].to_string().contains(caution), "{}", signer["verdict"]);
    // A release in memory and its file have the same cautions.
    let run: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(workspace.at("r.report.json")).unwrap()).unwrap();
    let verified = workspace.palmtop(&["verify", "x.toml", "r.csv", "--format", "json"]);
    let verified: serde_json::Value = serde_json::from_slice(&verified.stdout).unwrap();
    let names = |value: &serde_json::Value| -> Vec<String> {
        let all = value["cautions"].as_array().unwrap().iter();
        let others =
            all.filter(|caution| caution["key"] != "knows_algorithm" && caution["key"] != "other_session");
        others.map(|caution| format!("{} {}", caution["key"], caution["sentence"])).collect()
    };
    assert_eq!(names(&run), names(&verified));
    assert!(run["cautions"].to_string().contains(caution), "{run}");
}

#[test]
fn a_comparison_has_the_searches_that_count_people() {
    let workspace = users();
    let json = |arguments: &[&str]| -> (serde_json::Value, String) {
        let run = workspace.palmtop(&[arguments, &["--format", "json"]].concat());
        let text = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(0), "{text}");
        (serde_json::from_slice(&run.stdout).unwrap(), text)
    };
    let (compared, text) = json(&["compare", "x.toml"]);
    let runs = compared["runs"].as_array().unwrap();
    let strategies: Vec<String> =
        runs.iter().map(|run| run["strategy"].as_str().unwrap().to_owned()).collect();
    let counting = Search::all().filter(|strategy| strategy.family().counts_people());
    assert_eq!(strategies, counting.map(|strategy| strategy.to_string()).collect::<Vec<_>>());
    assert!(
        text.contains("left out: ") && text.contains("people with several rows have nodes only"),
        "{text}"
    );
    let run = runs.iter().find(|run| run["strategy"] == "spalm").unwrap();
    assert_eq!(
        (&run["entity"], &run["public"], &run["private"], &run["rows"], &run["present"]),
        (&"user".into(), &9.into(), &3.into(), &6.into(), &true.into())
    );
    assert_eq!((&run["achieved"]["max"], &run["node"]), (&"1/2".into(), &serde_json::json!([1])));
    // Three classes with one member each; each row loses (2 − 1)/(4 − 1).
    let metrics = &run["metrics"];
    let near = |key: &str, expected: f64| {
        let found = metrics[key].as_f64().unwrap();
        assert!((found - expected).abs() < 1e-12, "{key}: {found}, expected {expected}");
    };
    near("loss", 1.0 / 3.0);
    near("average_class_size", 1.0);
    near("distance", 0.5);
    assert_eq!(metrics["discernibility"], 3);
    let utility = &json(&["compare", "x.toml", "1", "--show", "utility"]).0["utility"][0];
    near("query_error", utility["query_error"].as_f64().unwrap());
    let shown = workspace.palmtop(&["compare", "x.toml", "--strategy", "spalm", "--delta-max", "1/2,9/10"]);
    let text = String::from_utf8_lossy(&shown.stderr).into_owned();
    assert!(shown.status.success() && text.contains("loss, query error and distance count rows"), "{text}");
    assert!(!text.contains("simulatable") && !text.contains("left out"), "{text}");
    let refused = workspace.palmtop(&["compare", "x.toml", "--strategy", "spalm,best"]);
    let text = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(!refused.status.success() && text.contains("role = \"entity\""), "{text}");
}

#[test]
fn advice_takes_the_share_of_people() {
    let workspace = users();
    let advise = ["advise", "x.toml", "--prior", "1/2", "--misuse", "1/5", "--format", "json"];
    let run = workspace.palmtop(&advise);
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    // Three of nine people, and six of seventeen rows.
    assert_eq!(found["share"], "1/3", "{}", String::from_utf8_lossy(&run.stderr));
}

/// A new sitting of one step.
fn sit(workspace: &Workspace, how: &str, recipe: RecodingRecipe) {
    let analysis = workspace.load().unwrap();
    let (how, delta) = (how.parse().unwrap(), analysis.problem().delta());
    let mut sitting = Sitting::new(&analysis, Step { action: how, recoding: recipe, delta });
    sitting.fix_policy(Moment::now(), None);
    SittingFile::new(&workspace.at("x.toml")).save(&sitting).unwrap();
}

#[test]
fn a_step_of_people_is_made_again() {
    let workspace = users();
    let search = |strategy: Search| {
        let report = SearchReport::without_nodes(StopReason::Done);
        let delta = workspace.load().unwrap().problem().delta();
        history::Search::new(strategy, &Config::default(), delta, &report, None)
    };
    let made = workspace.palmtop(&["anonymize", "x.toml", "--node", "1", "-o", "made.csv"]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    // Pseudonyms are new in each export: the other columns of each person have to be the same.
    let people = |name: &str| {
        let text = fs::read_to_string(workspace.at(name)).unwrap();
        let mut of: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for line in text.lines().skip(1) {
            let (who, rest) = line.split_once(',').unwrap();
            of.entry(who.to_owned()).or_default().push(rest.to_owned());
        }
        of.into_values().collect::<BTreeSet<_>>()
    };
    for (how, recipe) in [
        ("start", RecodingRecipe::Node(vec![Level(1)])),
        ("search spalm", RecodingRecipe::Search(search(Search::Spalm))),
    ] {
        sit(&workspace, how, recipe);
        let replay = [
            "anonymize",
            "x.toml",
            "--step",
            "0",
            "-o",
            "r.csv",
            "--force",
            "--with",
            "report",
            "--format",
            "json",
        ];
        let run = workspace.palmtop(&replay);
        assert!(run.status.success(), "{how}: {}", String::from_utf8_lossy(&run.stderr));
        let result: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
        assert_eq!(
            (&result["public"], &result["private"], &result["rows"]),
            (&9.into(), &3.into(), &6.into())
        );
        assert_eq!(people("r.csv"), people("made.csv"), "{how}");
        let [(signer, _), _] = reported(&workspace, 0);
        assert_eq!(signer["history"]["released_step"], 0, "{how}: {}", signer["history"]);
    }
    // A history that was edited to have another strategy is refused.
    sit(&workspace, "search best", RecodingRecipe::Search(search(Search::Best)));
    let run = workspace.palmtop(&["anonymize", "x.toml", "--step", "0", "-o", "other.csv"]);
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(!run.status.success() && text.contains("people with several rows have nodes only"), "{text}");
    assert!(!workspace.at("other.csv").exists());
    // An entry that names another strategy proves nothing.
    let history = fs::read_to_string(workspace.at("x.history.toml")).unwrap();
    let last = history.rfind("strategy = \"spalm\"").unwrap();
    let edited = history[last..].replacen("spalm", "simulatable", 1);
    workspace.put("x.history.toml", &format!("{}{edited}", &history[..last]));
    let report = ["report", "x.toml", "r.csv", "-o", "s.json"];
    let run = workspace.palmtop(&report);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let signer: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(workspace.at("s.json")).unwrap()).unwrap();
    assert_eq!(signer["adversaries"][1]["judgement"], "not_judged", "{}", signer["adversaries"]);
}

#[test]
fn nothing_hides_how_many_rows_people_have() {
    let workspace = users();
    // Only this person of P has three rows.
    let text = fs::read_to_string(workspace.at("p.csv")).unwrap();
    workspace.put("p.csv", &text.replace("09,42001\n", ""));
    let check = workspace.palmtop(&["check", "x.toml"]);
    let text = String::from_utf8_lossy(&check.stdout).into_owned();
    assert_eq!(check.status.code(), Some(3));
    assert!(
        text.contains("1 person has the rows (*) ×3, 1 of them in T, presence 1 = 1.0000, which breaks δ"),
        "{text}"
    );
    let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    let text = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(
        run.status.code() == Some(3) && text.contains("infeasible") && !workspace.at("r.csv").exists(),
        "{text}"
    );
}

#[test]
fn marked_members_are_counted_as_people_too() {
    let workspace = users();
    workspace.as_members();
    let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", "r.csv"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let findings = workspace.verify(&workspace.at("r.csv"));
    assert_eq!((findings.public, findings.private, findings.rows), (4, 2, 3));
    // If a person is in T with one row and not with another, the project is refused.
    workspace.put(
        "p.csv",
        "user,zip,in\n01,42000,yes\n02,17000,yes\n02,42000,no\n03,42000,no\n03,17000,no\n05,42001,no\n",
    );
    let error = workspace.load().unwrap_err().to_string();
    assert!(error.contains("has 1 row here and 2 in the public table"), "{error}");
}

#[test]
fn keyed_pseudonyms_are_equal_in_each_export() {
    use std::os::unix::fs::PermissionsExt;
    let (workspace, keys) = (users(), tempfile::tempdir().unwrap());
    let key = keys.path().join("k.key");
    fs::write(&key, (0..32).collect::<Vec<u8>>()).unwrap();
    fs::set_permissions(&key, fs::Permissions::from_mode(0o600)).unwrap();
    let text = fs::read_to_string(workspace.at("x.toml")).unwrap();
    let keyed =
        format!("role = \"entity\"\npseudonym = {{ key = {:?}, domain = \"d\" }}", key.display().to_string());
    workspace.put("x.toml", &text.replace("role = \"entity\"", &keyed));
    for name in ["r.csv", "s.csv"] {
        let run = workspace.palmtop(&["anonymize", "x.toml", "--strategy", "spalm", "-o", name]);
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    }
    let (one, other) = (fs::read(workspace.at("r.csv")).unwrap(), fs::read(workspace.at("s.csv")).unwrap());
    assert_eq!(one, other);
    assert!(workspace.verify(&workspace.at("r.csv")).is_present());
}

#[test]
fn betrayal_risk_of_people_is_not_counted() {
    // `secret` gives `a` away. There are more multisets than combinations, so an index of one is no
    // index of the other.
    let people: Vec<(u32, Vec<u32>)> =
        (0..80).map(|number| (number, vec![number % 20; 1 + number as usize % 3])).collect();
    let (mut public, mut private) = (String::from("who,a,b\n"), String::from("who,a,b,secret\n"));
    for (number, rows) in &people {
        for a in rows {
            public += &format!("p{number},{a},0\n");
            private += &format!("p{number},{a},0,s{a}\n");
        }
    }
    let work = Workspace::new(&public, &private, "[delta]\nmax = 1");
    let leaves: Vec<String> = (0..20).map(|leaf| format!("{leaf},{}-,*\n", leaf / 5)).collect();
    work.put("twenty.csv", &leaves.concat());
    let text = fs::read_to_string(work.at("x.toml")).unwrap();
    work.put("x.toml", &text.replacen("four.csv", "twenty.csv", 1));
    let analysis = work.load().unwrap();
    let multisets: BTreeSet<&Vec<u32>> = people.iter().map(|(_, rows)| rows).collect();
    let release = analysis.by_hand(analysis.problem(), node(&analysis, [0, 0]));
    assert_eq!((release.classes.class_of.len(), analysis.problem().histogram().len()), (multisets.len(), 20));
    let betrayals = pipeline::betrayals::of_project(&analysis, &mut unwatched).unwrap();
    assert_eq!(betrayals.columns(), ["secret"]);
    for levels in nodes() {
        let release = analysis.by_hand(analysis.problem(), node(&analysis, levels));
        assert_eq!(pipeline::betrayals::risk(&analysis, &release, &betrayals, release.delta().max()), None);
        let cautions = caution::of_project(&analysis, &mut unwatched).unwrap();
        let classes = pipeline::risk::classes(&analysis, &release).unwrap();
        let facts = Facts::of_release(&analysis, &release, &classes, &cautions);
        let listed = caution::of_release(&facts, &cautions);
        let of_column = |caution: &caution::Caution| caution.name() == "betrays:secret";
        assert!(listed.iter().any(of_column), "the column is still a caution");
    }
}

/// What a release publishes of people: the members of each class of multisets of labels.
type Published = BTreeMap<Vec<Vec<String>>, u64>;

/// The possible T's of the same number of people that a search gives the same release for.
struct SameRelease {
    /// The possible T's, as the people in them.
    tables: Vec<Vec<bool>>,
    people: Vec<Person>,
}

impl SameRelease {
    /// Runs the search on each T, loaded from files of its own, and compares what is released.
    /// People with the same rows are alike, so a T is loaded once for all of them.
    fn of(people: &[Person], search: Search, settings: &str) -> Option<Self> {
        let mut known: BTreeMap<Vec<([u8; 2], u64)>, Option<Published>> = BTreeMap::new();
        let mut known_of = |all: &[Person]| -> Option<Published> {
            let mut key: Vec<Vec<[u8; 2]>> = Vec::new();
            for person in all.iter().filter(|person| person.is_member) {
                let mut rows = person.rows.clone();
                rows.sort_unstable();
                key.push(rows);
            }
            key.sort();
            let key: Vec<([u8; 2], u64)> =
                (0..).zip(&key).flat_map(|(nth, rows)| rows.iter().map(move |row| (*row, nth))).collect();
            known.entry(key).or_insert_with(|| released(all, search, settings)).clone()
        };
        let release = known_of(people)?;
        let members = u32::try_from(people.iter().filter(|person| person.is_member).count()).unwrap();
        let mut tables = Vec::new();
        for chosen in (0..1_u32 << people.len()).filter(|chosen| chosen.count_ones() == members) {
            let is_member = |number: usize| chosen >> number & 1 == 1;
            let other: Vec<Person> = (0..)
                .zip(people)
                .map(|(number, person)| Person { is_member: is_member(number), ..person.clone() })
                .collect();
            if known_of(&other).as_ref() == Some(&release) {
                tables.push((0..people.len()).map(is_member).collect());
            }
        }
        Some(Self { tables, people: people.to_vec() })
    }

    /// The share of these T's that have a person.
    fn posterior(&self, person: usize) -> f64 {
        let count = |tables: usize| f64::from(u32::try_from(tables).unwrap());
        count(self.tables.iter().filter(|table| table[person]).count()) / count(self.tables.len())
    }

    /// The highest posterior with its number of people, the people outside δ, and the members among
    /// them.
    fn figures(&self, (min, max): (f64, f64)) -> ((f64, u64), u64, u64) {
        let all: Vec<f64> = (0..self.people.len()).map(|person| self.posterior(person)).collect();
        let worst = all.iter().copied().fold(0.0, f64::max);
        let at_worst = all.iter().filter(|posterior| (**posterior - worst).abs() < 1e-9).count() as u64;
        let outside = |number: &usize| all[*number] > max + 1e-9 || all[*number] < min - 1e-9;
        let outside: Vec<usize> = (0..all.len()).filter(outside).collect();
        let members = outside.iter().filter(|number| self.people[**number].is_member).count() as u64;
        ((worst, at_worst), outside.len() as u64, members)
    }
}

/// What a search releases of these people.
fn released(people: &[Person], search: Search, settings: &str) -> Option<Published> {
    let (public, private) = tables(people);
    let analysis = Workspace::new(&public, &private, settings).load().unwrap();
    let (found, _) = run(search, analysis.problem(), &Config::default(), &mut unwatched);
    let found = found?;
    let levels = found.node().unwrap().levels();
    let classes = counted(people, [levels[0].0, levels[1].0]);
    Some(classes.into_iter().filter(|(_, class)| class.1 > 0).map(|(rows, class)| (rows, class.1)).collect())
}

/// People with these rows: for each group the rows, the people and the members among them.
fn groups(all: &[(&[[u8; 2]], usize, usize)]) -> Vec<Person> {
    let people = all.iter().flat_map(|&(rows, people, members)| {
        (0..people).map(move |nth| Person { rows: rows.to_vec(), is_member: nth < members, secret: 0 })
    });
    people.collect()
}

/// The figures of an audit: the highest posterior, and the people outside δ with their members.
fn audited(people: &[Person], search: Search, settings: &str) -> palmtop::search::Audit {
    let (public, private) = tables(people);
    let analysis = Workspace::new(&public, &private, settings).load().unwrap();
    let config = Config::default();
    let (found, _) = run(search, analysis.problem(), &config, &mut unwatched);
    let how = AuditConfig::default();
    audit(analysis.problem(), search, &found.unwrap(), &config, how, &mut unwatched).unwrap()
}

#[test]
fn an_audit_of_few_people_enumerates_every_t() {
    // Both of the second group are members, so the search unites the groups. An attacker who knows
    // this concludes more than 3 of 5.
    let found_out: &[(&[[u8; 2]], usize, usize)] =
        &[(&[[0, 0], [0, 1]], 3, 1), (&[[0, 0], [0, 0]], 2, 2), (&[[1, 0]], 3, 1)];
    let (mut outside, mut repeated) = (0, 0);
    let mut compare = |people: &[Person], search: Search, (min, max): (&str, &str), bounds: (f64, f64)| {
        let settings = format!("[delta]\nmin = \"{min}\"\nmax = \"{max}\"");
        let Some(same) = SameRelease::of(people, search, &settings) else { return };
        let found = audited(people, search, &settings);
        let ((worst, at_worst), beyond, members) = same.figures(bounds);
        let (posterior, worst_people) = found.worst.unwrap();
        assert!((posterior - worst).abs() < 1e-9, "{people:?}: {posterior}, by hand {worst}");
        assert_eq!(
            (found.method, worst_people, found.beyond.people, found.beyond.members),
            (AuditMethod::EveryTable, at_worst, beyond, members),
            "{people:?}"
        );
        outside += beyond;
        repeated += usize::from(same.tables.len() > 1);
    };
    let people = groups(found_out);
    let same = SameRelease::of(&people, Search::Spalm, "[delta]\nmax = \"7/10\"").unwrap();
    assert_eq!(same.figures((0.0, 0.7)), ((0.75, 2), 2, 2));
    compare(&people, Search::Spalm, ("0", "7/10"), (0.0, 0.7));
    // Small tables of all kinds: people with one to three rows of few values.
    let mut random = 12_345_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for _ in 0..24 {
        let mut people: Vec<Person> = Vec::new();
        for number in 0..7 {
            let mut digit = |below| u8::try_from(next(below)).unwrap();
            let more = digit(2);
            let rows = (0..=more).map(|_| [digit(2) * 2, digit(3)]).collect();
            people.push(Person { rows, is_member: number < 3, secret: 0 });
        }
        compare(&people, Search::Spalm, ("0", "3/4"), (0.0, 0.75));
        compare(&people, Search::Spalm, ("1/8", "3/4"), (0.125, 0.75));
    }
    assert!(outside > 2 && repeated > 10, "{outside} outside δ, {repeated} releases of several T's");
}

#[test]
fn larger_audits_draw_people_not_rows() {
    let people =
        groups(&[(&[[0, 0], [0, 1]], 4, 1), (&[[0, 0], [0, 0]], 3, 3), (&[[1, 0]], 5, 2), (&[[3, 3]], 4, 2)]);
    let settings = "[delta]\nmax = \"3/4\"";
    // The first two groups are united. Of the 35 ways to choose 4 of their 7 people, the groups apart
    // break δ in 5: one way has the whole first group, and four have the whole second group.
    let same = SameRelease::of(&people, Search::Spalm, settings).unwrap();
    assert_eq!(same.figures((0.0, 0.75)), ((0.8, 3), 3, 3));
    let found = audited(&people, Search::Spalm, settings);
    let (worst, at_worst) = found.worst.unwrap();
    assert!((worst - 0.8).abs() < 0.05, "{found:?}");
    assert_eq!((found.method, found.regions, found.people), (AuditMethod::Resampled, 3, 16), "{found:?}");
    assert_eq!(at_worst, 3);
    assert_eq!(found.beyond.people + found.beyond.doubtful, 3, "{found:?}");
    let count = |draws: u64| f64::from(u32::try_from(draws).unwrap());
    let share = count(found.had) / count(found.draws);
    assert!((share - 5.0 / 35.0).abs() < 0.04, "{found:?}");
}

#[test]
fn the_audit_command_counts_people() {
    let workspace = users();
    let run = workspace.palmtop(&["audit", "x.toml", "--strategy", "spalm", "--format", "json"]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let found: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let found = &found["knows_algorithm"];
    // Of the 84 T's of three of the nine people, by hand: those that are released at 17*** and
    // 42*** with one member in each class, and not at the leaves.
    let classes: [&[&str]; 3] = [&["01", "05", "08"], &["02", "03", "06", "07"], &["04", "09"]];
    // At the leaves, each of these is alone in P with their rows; 01 and 08 are two, and 02, 03 and
    // 06 are three.
    let alone = ["04", "05", "07", "09"];
    let mut tables: Vec<[&str; 3]> = Vec::new();
    for one in classes[0] {
        for two in classes[1] {
            for three in classes[2] {
                let table = [*one, *two, *three];
                if table.iter().any(|person| alone.contains(person)) {
                    tables.push(table);
                }
            }
        }
    }
    let posterior = |person: &str| {
        let count = |tables: usize| f64::from(u32::try_from(tables).unwrap());
        count(tables.iter().filter(|table| table.contains(&person)).count()) / count(tables.len())
    };
    let all = classes.concat();
    let worst = all.iter().map(|person| posterior(person)).fold(0.0, f64::max);
    assert!((found["worst"].as_f64().unwrap() - worst).abs() < 1e-9, "{found} {worst}");
    let beyond = all.iter().filter(|person| posterior(person) > 0.5 + 1e-9).count();
    assert_eq!((&found["verdict"], &found["beyond"]), (&"audited".into(), &beyond.into()));
    // `anonymize --audit` reports the same.
    let run = workspace.palmtop(&[
        "anonymize",
        "x.toml",
        "--strategy",
        "spalm",
        "--audit",
        "-o",
        "r.csv",
        "--with",
        "report",
        "--format",
        "json",
    ]);
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let made: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    let known = &made["knows_algorithm"];
    assert_eq!((&known["verdict"], &known["beyond"]), (&"audited".into(), &beyond.into()), "{made}");
}
