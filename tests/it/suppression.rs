//! Withdrawing members, in the complete flow. `verify` recounts what a search withdraws. A release
//! whose pool breaks δ is refused. Reports make no claim about missing members that they cannot
//! support.

use std::fs;
use std::path::Path;

use palmtop::compose::Change;
use palmtop::listing::{Filter, Order, Ranking};
use palmtop::model::{Recoding, Suppression};
use palmtop::pipeline::{
    self, Analysis, ExportOptions, Overrides, PipelineError, ReadRelease, Together, verify_file,
};
use palmtop::progress::unwatched;
use palmtop::release::{KnowsAlgorithm, Release};
use palmtop::search::{AuditConfig, AuditMethod, Config, Strategy as Search, audit};
use proptest::prelude::*;
use tempfile::TempDir;

/// A person: age, colour, and whether the person is in T.
type Person = (u8, usize, bool);

const COLOURS: [&str; 4] = ["red", "orange", "blue", "green"];

fn project(people: &[Person], head: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    let row = |(age, colour, _): &Person| format!("{age},{}", COLOURS[*colour]);
    let public: Vec<String> = people.iter().map(row).collect();
    let private = people.iter().enumerate().filter(|(_, person)| person.2);
    let private: Vec<String> =
        private.map(|(index, person)| format!("{},s{}", row(person), index % 3)).collect();
    write("public.csv", format!("age,colour\n{}\n", public.join("\n")));
    write("private.csv", format!("age,colour,secret\n{}\n", private.join("\n")));
    write("age.toml", "type = \"interval\"\nwidths = [3, 6]\n".to_owned());
    write("colour.csv", "red;warm;*\norange;warm;*\nblue;blue;*\ngreen;green;*\n".to_owned());
    write(
        "p.toml",
        format!(
            "[private]\npath = \"private.csv\"\n[public]\npath = \"public.csv\"\n{head}\n\
             [[attribute]]\nname = \"age\"\nrole = \"quasi\"\nhierarchy = \"age.toml\"\n\
             [[attribute]]\nname = \"colour\"\nrole = \"quasi\"\nhierarchy = \"colour.csv\"\n\
             [[attribute]]\nname = \"secret\"\nrole = \"sensitive\"\n"
        ),
    );
    folder
}

fn load(folder: &Path) -> Analysis {
    Analysis::load(&folder.join("p.toml"), &Overrides::default()).unwrap()
}

fn search(analysis: &Analysis, strategy: &str) -> Option<Release> {
    let config = Config { rounds: Some(3), ..Config::default() };
    analysis.search(analysis.problem(), strategy.parse().unwrap(), &config, &mut unwatched).release
}

/// 40 people of two ages and a few outliers. All outliers are members.
fn outliers() -> Vec<Person> {
    let usual = (0..40).map(|index: u8| (index % 2, usize::from(index % 4), index.is_multiple_of(10)));
    usual
        .chain([(12, 3, true), (13, 2, true), (6, 1, false), (7, 1, false), (7, 0, false), (9, 0, false)])
        .collect()
}

const TENTH: &str = "[delta]\nmax = \"1/3\"\n[policy]\nsuppress_at_most = \"34%\"";

#[test]
fn outliers_are_withdrawn_and_the_pool_is_recounted() {
    let folder = project(&outliers(), TENTH);
    let analysis = load(folder.path());
    let release = search(&analysis, "spalm").unwrap();
    assert!(release.is_present() && release.withdrawn() == 2, "{}", release.withdrawn());
    let without = project(&outliers(), "[delta]\nmax = \"1/3\"");
    let all = search(&load(without.path()), "spalm").unwrap();
    assert!(release.metrics.loss.mean() < all.metrics.loss.mean());
    let target = folder.path().join("release.csv");
    let written = pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap();
    assert_eq!((written.verification.withdrawn, written.rows), (2, 4));
    assert_eq!(written.verification.achieved, release.achieved);
    let findings = verify_file(&folder.path().join("p.toml"), &Overrides::default(), &target).unwrap();
    assert!(findings.is_faithful() && findings.is_present());
    assert_eq!((findings.withdrawn, findings.withdrawn_at_most), (2, 2));
    // If the project allows no withdrawal, the same file lacks members.
    let copy = without.path().join("release.csv");
    fs::copy(&target, &copy).unwrap();
    let findings = verify_file(&without.path().join("p.toml"), &Overrides::default(), &copy).unwrap();
    assert!(!findings.is_faithful());
}

/// k does not apply to the pool, which has no rows. Listings of classes respect this.
#[test]
fn a_listing_judges_the_pool_like_a_release() {
    let head = "[delta]\nmax = \"1/3\"\n[policy]\nk = 3\nsuppress_at_most = \"34%\"";
    let folder = project(&outliers(), head);
    let analysis = load(folder.path());
    let problem = analysis.problem();
    let release = search(&analysis, "spalm").unwrap();
    assert!(release.is_present() && release.withdrawn() == 2);
    let ranking = Ranking::new(problem, &release);
    let listed = |filter: &str| ranking.list(&Filter::parse(filter, problem).unwrap(), Order::default());
    assert_eq!((listed("broken"), ranking.summary().violations()), (Vec::new(), 0));
    let everybody = listed("!broken");
    assert_eq!(everybody.len(), release.classes.len());
    assert!(everybody.iter().any(|&class| ranking.is_pool(class) && ranking.counts(class).private < 3));
}

// holds: The pool is a class
#[test]
fn an_oversized_or_broken_pool_is_not_written() {
    let people: Vec<Person> =
        (0..40).map(|index: u8| (index % 4, 0, index.is_multiple_of(10))).chain([(12, 3, true)]).collect();
    let folder = project(&people, "[delta]\nmax = \"1/3\"\n[policy]\nsuppress_at_most = \"50%\"");
    let analysis = load(folder.path());
    let problem = analysis.problem();
    let bottom = Recoding::Node(problem.lattice().bottom());
    let with = |classes: &[u32]| {
        let complete = palmtop::model::Classes::of(problem, &bottom);
        let is_member = |class: &u32| complete.counts(*class).private > 0;
        let members: Vec<u32> = (0..).take(complete.len()).filter(is_member).collect();
        let chosen = classes.iter().map(|&index| members[index as usize]).collect();
        let origin = palmtop::release::Origin::ByHand(problem.lattice().bottom());
        Release::new(problem, origin, bottom.clone().withdrawing(chosen), None)
    };
    let export = |release: &Release| {
        pipeline::export::write(
            &analysis,
            release,
            &folder.path().join("release.csv"),
            ExportOptions { force: true, ..Default::default() },
        )
    };
    // The outlier is the last class with members. Its pool has the outlier and the people of
    // classes without members, 10 each of ages 1 and 3.
    let members = problem.histogram().counts().iter().filter(|counts| counts.private > 0).count();
    let last = u32::try_from(members - 1).unwrap();
    let outlier = with(&[last]);
    assert!(outlier.is_present() && outlier.withdrawn() == 1);
    export(&outlier).unwrap();
    let none_left = with(&(0..=last).collect::<Vec<_>>());
    assert!(!none_left.is_present());
    assert!(matches!(export(&none_left), Err(PipelineError::NotPresent { .. })));
    // `allow_not_present` does not permit more withdrawn members than the policy allows.
    let admitted = ExportOptions { force: true, allow_not_present: true };
    let refused =
        pipeline::export::write(&analysis, &none_left, &folder.path().join("release.csv"), admitted);
    assert!(matches!(refused, Err(PipelineError::Unfaithful(_))), "{refused:?}");
}

// holds: The pool is a class
#[test]
fn only_strategies_made_for_it_withdraw_people() {
    let folder = project(&outliers(), TENTH);
    let analysis = load(folder.path());
    for strategy in Search::all().map(|strategy| strategy.to_string()) {
        let Some(release) = search(&analysis, &strategy) else { continue };
        let may = ["spalm", "best"].contains(&strategy.as_str());
        assert!(may || release.withdrawn() == 0, "{strategy}");
        assert!(release.is_present(), "{strategy}");
        if release.withdrawn() > 0 {
            assert_eq!(release.knows_algorithm(), KnowsAlgorithm::NotAudited);
            let (problem, config) = (analysis.problem(), Config::default());
            let audited = audit(
                problem,
                strategy.parse().unwrap(),
                &release.recoding,
                &config,
                AuditConfig::default(),
                &mut unwatched,
            );
            assert_eq!(audited.unwrap().method, AuditMethod::None);
        }
    }
}

/// The people of P who match no row are one more class of a release, with |T| less its rows as its
/// members. If |T| was another then, their number is unknown.
// holds: Several releases
#[test]
fn releases_with_a_known_withdrawn_number_compose() {
    let people = outliers();
    let folder = project(&people, TENTH);
    let analysis = load(folder.path());
    let target = folder.path().join("release.csv");
    let release = search(&analysis, "spalm").unwrap();
    pipeline::export::write(&analysis, &release, &target, ExportOptions::default()).unwrap();
    let read = pipeline::reading::read(&analysis, &target).unwrap();
    let pool = read.pool();
    assert_eq!((pool.private, Some(pool)), (2, release.classes.pooled_counts()));
    assert_eq!(read.achieved(), release.achieved);
    let composed = |analysis: &Analysis, read: &ReadRelease, change| {
        let together = Together { change, ..Together::default() };
        pipeline::together::of_releases(analysis, &[read, read], together, &mut unwatched)
    };
    let composition = composed(&analysis, &read, Change::Same).unwrap();
    let atom = composition.atoms.iter().find(|atom| atom.classes == [None, None]).unwrap();
    assert_eq!((atom.people, atom.members[0].least, atom.members[0].most), (pool.public, 2, 2));
    assert!(composition.judge(analysis.problem().bounds()).holds());
    pipeline::earlier_release::allows(&analysis, &read).unwrap();
    for change in [Change::Added, Change::Removed] {
        let refused = composed(&analysis, &read, change).unwrap_err().to_string();
        assert!(refused.contains("depends on |T| at the time of the release"), "{refused}");
    }
    // One member more: the release is of an earlier T.
    let mut later = people;
    let outsider = later.iter_mut().find(|person| !person.2).unwrap();
    outsider.2 = true;
    let folder = project(&later, TENTH);
    let analysis = load(folder.path());
    let read = pipeline::reading::read(&analysis, &target).unwrap();
    assert!(!read.is_faithful());
    let refused = composed(&analysis, &read, Change::Same).unwrap_err().to_string();
    assert!(refused.contains("known only of a faithful release of the present T"), "{refused}");
    assert!(pipeline::earlier_release::allows(&analysis, &read).is_err());
}

#[test]
fn best_withdraws_outliers_that_widen_all_boxes() {
    // Three of ten people of each age from 0 to 3 are members, and so is one person of age 13. The
    // people who could hide this person have another colour.
    let usual = (0..40).map(|index: u8| (index / 10, 0, index % 10 < 3));
    let people: Vec<Person> = usual.chain([(13, 0, true)]).chain([(0, 3, false); 5]).collect();
    let loss = |head: &str| {
        let folder = project(&people, head);
        let release = search(&load(folder.path()), "best").unwrap();
        (release.withdrawn(), release.metrics.loss.mean())
    };
    let (nobody, without) = loss("[delta]\nmax = \"1/3\"");
    let (one, with) = loss("[delta]\nmax = \"1/3\"\n[policy]\nsuppress_at_most = \"10%\"");
    assert_eq!((nobody, one), (0, 1));
    assert!(with < without && (with - 1.0 / 13.0).abs() < 1e-9, "{with} {without}");
}

fn people() -> impl Strategy<Value = Vec<Person>> {
    let person = (0_u8..14, 0..COLOURS.len(), prop::bool::weighted(0.35));
    prop::collection::vec(person, 4..40)
        .prop_filter("somebody is private", |people| people.iter().any(|person| person.2))
}

fn heads() -> impl Strategy<Value = String> {
    let deltas = prop::sample::select(vec![
        "[delta]\nmax = \"1/2\"\n[search]\nempty_regions = \"forbid\"",
        "[delta]\nmax = \"1/2\"",
        "[delta]\nmax = \"2/5\"",
        "[delta]\nmin = \"1/5\"\nmax = \"3/5\"",
    ]);
    let shares = prop::sample::select(vec!["10%", "0.3", "1/2", "80%"]);
    let on_values = prop::sample::select(vec![
        "",
        "",
        "l = { distinct = 2 }",
        "l = { entropy = 1.8 }",
        "l = { recursive = [2, 2] }",
        "t = { at_most = 0.4 }",
        "l = { distinct = 2 }\nt = { at_most = \"1/3\" }",
    ]);
    (deltas, shares, 1..4_u8, on_values).prop_map(|(delta, share, k, on_values)| {
        format!("{delta}\n[policy]\nsuppress_at_most = \"{share}\"\nk = {k}\n{on_values}")
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    // holds: The pool is a class
    #[test]
    fn what_is_withdrawn_verify_recounts(people in people(), head in heads()) {
        let folder = project(&people, &head);
        let analysis = load(folder.path());
        let target = folder.path().join("release.csv");
        for strategy in ["spalm", "best", "n2"] {
            let Some(release) = search(&analysis, strategy) else { continue };
            prop_assert!(release.is_present(), "{strategy}");
            let everybody = analysis.problem().with_suppression(Suppression::NONE);
            let config = Config { rounds: Some(3), ..Config::default() };
            let without = analysis.search(&everybody, strategy.parse().unwrap(), &config, &mut unwatched).release;
            // Permission to withdraw members never increases the loss.
            let cost = |release: &Release| release.metrics.loss.mean();
            prop_assert!(without.is_none_or(|without| cost(&release) <= cost(&without) + 1e-12), "{strategy}");
            let options = ExportOptions { force: true, ..ExportOptions::default() };
            let written = pipeline::export::write(&analysis, &release, &target, options).unwrap();
            prop_assert_eq!(written.verification.withdrawn, release.withdrawn());
            prop_assert_eq!(written.rows + release.withdrawn(), analysis.problem().histogram().total().private);
            let findings = pipeline::export::verify(&analysis, analysis.problem().delta(), &target).unwrap();
            prop_assert!(findings.is_faithful() && findings.is_present(), "{strategy}");
            prop_assert!(pipeline::reading::read(&analysis, &target).unwrap().is_of(&release.classes));
        }
    }
}
