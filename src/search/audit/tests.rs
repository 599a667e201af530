//! Posteriors by the audit and by counting releases.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::run;
use super::super::simulatable::{Members, ask};
use super::every_table::{every_count, published};
use super::rejected_cuts::RegionAudit;
use super::*;
use crate::model::{Delta, EmptyRegions, Hierarchy, Kind as ValueKind, Level, QuasiIdentifier, size};
use crate::progress::unwatched;

/// A line of people, one a value, with so many members of each, under δ = (0, 1/2).
fn line(members: &[u64]) -> Problem {
    let chains: Vec<Vec<String>> = (0..members.len()).map(|x| vec![x.to_string(), "*".to_owned()]).collect();
    let hierarchy = Hierarchy::new(ValueKind::Number, Level(0), &chains).unwrap();
    let codes = (0..size::number(members.len())).collect();
    let counts = members.iter().map(|&members| Counts::new(1, members)).collect();
    let histogram = Histogram::new(vec![codes], counts).unwrap();
    let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
    let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
}

fn audited(problem: &Problem, strategy: Strategy) -> Audit {
    let (found, _) = run(strategy, problem, &Config::default(), &mut unwatched);
    let how = (&Config::default(), AuditConfig::default());
    audit(problem, strategy, &found.unwrap(), how, &mut unwatched).unwrap()
}

fn strategy(name: &str) -> Strategy {
    name.parse().unwrap()
}

#[test]
fn a_region_that_nothing_but_one_t_leaves_uncut_tells_that_t() {
    // Two of four: cuts keep δ but where all of T is on one side. Members at both ends: n1 cuts in the middle.
    let region = |members: &[u64]| {
        let problem = line(members);
        let places: Vec<u32> = (0..size::number(members.len())).collect();
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let found = watched(&mut unwatched, |pool| {
            RegionAudit::of(&problem, &places).find(&mut random, 1000, pool).continue_value()
        });
        let found = found.unwrap();
        let means = found.posteriors.iter().map(|posterior| posterior.mean);
        (matches!(found.kind, Kind::WithCut), means.collect::<Vec<f64>>())
    };
    assert!(region(&[1, 0, 0, 1]).0, "0 1 | 2 3 is valid");
    // Every cut of {1, 2} leaves too many on one side: x = 0 alone is no one, x = 0 and 1 have one, 0 to 2 have two of three.
    assert!(region(&[0, 1, 1, 0]).0);
    // All on the left: 1 of 1, 2 of 2, 2 of 3 are each too many; on the right likewise. So T is one of the two.
    let (has_cut, means) = region(&[1, 1, 0, 0]);
    assert!(!has_cut);
    assert_eq!(means, [0.5, 0.5, 0.5, 0.5]);
    // One of two: both T's are stuck.
    assert_eq!(region(&[1, 0]), (false, vec![0.5, 0.5]));
}

#[test]
fn where_all_ts_can_be_run_the_posterior_is_that_of_the_release() {
    // Every T of three of nine: whoever of them n1 gives away is found by the audit and by counting releases.
    let mut exposed = 0;
    let all = every_count(&[1; 9], 3);
    let release = |members: &Vec<u64>| {
        let problem = line(members);
        let (found, _) = run(strategy("n1"), &problem, &Config::default(), &mut unwatched);
        published(&problem, &found.unwrap())
    };
    let releases: Vec<_> = all.iter().map(release).collect();
    for (members, own) in all.iter().zip(&releases) {
        let same: Vec<&Vec<u64>> = all
            .iter()
            .zip(&releases)
            .filter(|(_, other)| *other == own)
            .map(|(members, _)| members)
            .collect();
        let beyond =
            (0..9).filter(|&x| 2 * same.iter().filter(|members| members[x] == 1).count() > same.len());
        let audited = audited(&line(members), strategy("n1"));
        assert_eq!(audited.method, AuditMethod::EveryTable);
        let people = beyond.count() as u64;
        assert_eq!(audited.beyond.people, people, "{members:?}");
        exposed += usize::from(people > 0);
    }
    assert!(exposed > 0, "n1 tells something");
}

#[test]
fn simulatable_is_replayed_and_a_release_that_is_not_its_own_is_not() {
    let problem = line(&[1, 0, 0, 1, 0, 0, 0, 1, 0]);
    let own = audited(&problem, strategy("simulatable"));
    assert_eq!((own.method, own.beyond), (AuditMethod::Replayed, Beyond::default()));
    let (found, _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched);
    let text = found.unwrap().1.text(&problem);
    assert_eq!(is_transcript(&problem, &text), Ok(true), "{text}");
    let other = text.replace("\tfailed\n", "\t0\n").replacen("x before", "x is", 1);
    assert_eq!(is_transcript(&problem, &other), Ok(false), "{other}");
    let wrong = text.replacen('\t', " ", 5);
    assert!(is_transcript(&problem, &wrong).unwrap_err().to_string().starts_with("line 1: "), "{wrong}");
    let (other, _) = run(strategy("n2"), &problem, &Config::default(), &mut unwatched);
    let how = (&Config::default(), AuditConfig::default());
    let other = audit(&problem, Strategy::Simulatable, &other.unwrap(), how, &mut unwatched).unwrap();
    assert_eq!(other.method, AuditMethod::None);
}
