//! The posteriors of the audit, compared with those from counting releases.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::event::Rejection;
use super::every_table::{every_count, published};
use super::rejected_cuts::RegionAudit;
use super::result::{Kind, binomial};
use super::sampler::Sampler;
use super::*;
use crate::regions::cut_boxes::BoxRules;
use crate::run;
use crate::simulatable::{Members, Span, ask};
use palmtop_core::model::{
    Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind as ValueKind, Level, Partition, QuasiIdentifier,
    size,
};
use palmtop_core::progress::unwatched;

/// A line of people, one for each value, with these members, under δ = (0, 1/2).
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
    let (config, how) = (Config::default(), AuditConfig::default());
    audit(problem, strategy, &found.unwrap(), &config, how, &mut unwatched).unwrap()
}

fn strategy(name: &str) -> Strategy {
    name.parse().unwrap()
}

#[test]
fn region_left_uncut_by_one_t_reveals_it() {
    // Two of four: cuts keep δ unless all members are on one side. Members at both ends: n1 cuts in
    // the middle.
    let region = |members: &[u64]| {
        let problem = line(members);
        let combinations: Vec<u32> = (0..size::number(members.len())).collect();
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let found = watched(&mut unwatched, |pool| {
            RegionAudit::of(&problem, &combinations, (&BoxRules::of(&problem), None))
                .find(&mut random, 1000, pool)
                .continue_value()
        });
        let found = found.unwrap();
        let means = found.posteriors.iter().map(|posterior| posterior.mean);
        (matches!(found.kind, Kind::WithCut), means.collect::<Vec<f64>>())
    };
    assert!(region(&[1, 0, 0, 1]).0, "0 1 | 2 3 is valid");
    // Cuts of {1, 2}: x = 0 has no member, x = 0 and 1 have one, 0 to 2 have two of three.
    assert!(region(&[0, 1, 1, 0]).0);
    // All on the left: 1 of 1, 2 of 2 and 2 of 3 are too many; the same on the right. So T is one
    // of two.
    let (has_cut, means) = region(&[1, 1, 0, 0]);
    assert!(!has_cut);
    assert_eq!(means, [0.5, 0.5, 0.5, 0.5]);
    // One of two: no cut is valid for either T.
    assert_eq!(region(&[1, 0]), (false, vec![0.5, 0.5]));
}

#[test]
fn audit_running_all_ts_finds_the_exact_posterior() {
    // Every T of three of nine: the audit and the counting of releases find the same people outside
    // δ.
    let mut exposed = 0;
    let all = every_count(&[1; 9], 3);
    let release = |members: &Vec<u64>| {
        let problem = line(members);
        let (found, _) = run(strategy("n1"), &problem, &Config::default(), &mut unwatched);
        published(&problem, &found.unwrap())
    };
    let releases: Vec<_> = all.iter().map(release).collect();
    for (members, release) in all.iter().zip(&releases) {
        let same: Vec<&Vec<u64>> = all
            .iter()
            .zip(&releases)
            .filter(|(_, other)| *other == release)
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

/// A grid of people, one at most points and three at some, with hierarchies of pairs.
fn grid(width: u32, height: u32, members: &[u64], delta: (&str, &str)) -> Problem {
    grid_of(ValueKind::Number, (width, height), members, delta)
}

/// The same grid of categories, whose sets have at most two terms.
fn limited_grid(width: u32, height: u32, members: &[u64], delta: (&str, &str)) -> Problem {
    grid_of(ValueKind::Category, (width, height), members, delta).with_terms(vec![NonZeroU32::new(2); 2])
}

fn grid_of(kind: ValueKind, (width, height): (u32, u32), members: &[u64], delta: (&str, &str)) -> Problem {
    let hierarchy = |leaves: u32| {
        let chains: Vec<Vec<String>> = (0..leaves)
            .map(|x| vec![x.to_string(), format!("{} or {}", x / 2 * 2, x / 2 * 2 + 1), "*".to_owned()])
            .collect();
        Hierarchy::new(kind, Level(0), &chains).unwrap()
    };
    let quasi = [("x", width), ("y", height)]
        .map(|(name, leaves)| QuasiIdentifier { name: name.to_owned(), hierarchy: hierarchy(leaves) });
    let points: Vec<(u32, u32)> = (0..width).flat_map(|x| (0..height).map(move |y| (x, y))).collect();
    let columns =
        vec![points.iter().map(|point| point.0).collect(), points.iter().map(|point| point.1).collect()];
    let people = points.iter().map(|(x, y)| if (x + y) % 5 == 0 { 3 } else { 1 });
    let counts = people.zip(members).map(|(people, &members)| Counts::new(people, members)).collect();
    let histogram = Histogram::new(columns, counts).unwrap();
    let delta = Delta::new(delta.0.parse().unwrap(), delta.1.parse().unwrap()).unwrap();
    Problem::new(quasi.to_vec(), histogram, delta, EmptyRegions::Allow).unwrap()
}

/// The people of each point of a grid.
fn people(problem: &Problem) -> Vec<u64> {
    problem.histogram().counts().iter().map(|counts| counts.public).collect()
}

#[test]
fn equal_releases_imply_the_events_the_audit_assumes() {
    // Every T with the same release of the nine rejected the cuts that the audit assumes to be
    // rejected.
    let mut shared = 0;
    for (first, members) in [
        (grid(4, 3, &[1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], ("0", "1/2")), 4),
        (grid(7, 2, &[1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], ("0", "1/3")), 3),
        (grid(12, 1, &[1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], ("1/9", "2/5")), 4),
        (limited_grid(4, 3, &[1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], ("0", "1/2")), 4),
        (limited_grid(12, 1, &[1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0], ("1/9", "2/5")), 4),
    ] {
        let all = every_count(&people(&first), members);
        for strategy in Strategy::nine() {
            let Strategy::Mpalm(column, value) = strategy else { unreachable!("one of the nine") };
            let mut by_release: BTreeMap<_, Vec<(Problem, Partition)>> = BTreeMap::new();
            for members in &all {
                let problem = first.with_members(members).unwrap();
                if let (Some(found), _) = run(strategy, &problem, &Config::default(), &mut unwatched) {
                    let shown = published(&problem, &found);
                    let Recoding::Regions(partition) = found else { unreachable!("regions") };
                    by_release.entry(shown).or_default().push((problem, partition));
                }
            }
            for same in by_release.values() {
                shared += usize::from(same.len() > 1);
                let (problem, partition) = &same[0];
                let parents = watched(&mut unwatched, |pool| {
                    Parents::of(problem, Rules { column, value }, partition, pool)
                });
                let parents = parents.expect("it splits as the strategy does");
                for region in of_partition(problem, partition) {
                    let boxes = BoxRules::of(problem);
                    let limits = (&boxes, parents.cut_box_of(&region));
                    let parent = parents.parent_of(problem, &region, &boxes);
                    for (other, _) in same {
                        let members_of = |combinations: &[u32]| -> Vec<u32> {
                            let counts = other.histogram().counts();
                            let each = combinations.iter().zip(0..);
                            each.flat_map(|(&combination, index)| {
                                (0..counts[combination as usize].private).map(move |_| index)
                            })
                            .collect()
                        };
                        let mut tally = Vec::new();
                        let rejection = Rejection::of_every_cut(other, &region, limits);
                        assert!(rejection.happens(&members_of(&region), &mut tally), "{strategy}");
                        if let Some(parent) = &parent {
                            let members = members_of(&parent.combinations);
                            assert!(parent.chosen.happens(&members, &mut tally), "{strategy}");
                        }
                    }
                }
            }
        }
    }
    assert!(shared > 100, "{shared} releases come of several T's");
}

#[expect(clippy::cast_precision_loss, reason = "counts of a few")]
#[test]
fn sampled_parent_choice_agrees_with_enumeration() {
    // The complete table was cut once. Given the counts of both regions, and that they could not be
    // cut, every T is weighted by enumeration.
    let problem = grid(4, 3, &[0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1], ("0", "2/5"));
    let strategy = strategy("n1");
    let (found, _) = run(strategy, &problem, &Config::default(), &mut unwatched);
    let Some(Recoding::Regions(partition)) = found else { panic!("regions") };
    let Strategy::Mpalm(column, value) = strategy else { unreachable!("one of the nine") };
    let how = AuditConfig { draws: 100_000, ..AuditConfig::default() };
    let regions = of_partition(&problem, &partition);
    let mut compared = 0;
    watched(&mut unwatched, |pool| {
        let parents = Parents::of(&problem, Rules { column, value }, &partition, pool).unwrap();
        let boxes = BoxRules::of(&problem);
        for region in &regions {
            let Some(parent) = parents.parent_of(&problem, region, &boxes) else { continue };
            let region_audit = RegionAudit::of(&problem, region, (&boxes, None));
            let mut random = ChaCha8Rng::seed_from_u64(how.seed);
            let Some(sampled) =
                region_audit.find_with(&parent, &mut random, how.draws, pool).continue_value().unwrap()
            else {
                continue;
            };
            let (mut total, mut sums) = (0.0, vec![0.0; region.len()]);
            for members in every_count(&people(&problem), problem.histogram().total().private) {
                let other = problem.with_members(&members).unwrap();
                let count = |combinations: &[u32]| -> u64 {
                    combinations.iter().map(|&combination| members[combination as usize]).sum()
                };
                let true_count = |combinations: &[u32]| {
                    combinations
                        .iter()
                        .map(|&combination| problem.histogram().counts()[combination as usize].private)
                        .sum::<u64>()
                };
                let is_same = regions.iter().all(|region| count(region) == true_count(region));
                let each = |combinations: &[u32]| -> Vec<u32> {
                    let each = combinations.iter().zip(0..);
                    each.flat_map(|(&combination, index)| {
                        (0..members[combination as usize]).map(move |_| index)
                    })
                    .collect()
                };
                let mut tally = Vec::new();
                let is_stuck = Rejection::of_every_cut(&other, region, (&boxes, None))
                    .happens(&each(region), &mut tally);
                if is_same && is_stuck && parent.chosen.happens(&each(&parent.combinations), &mut tally) {
                    let counts = other.histogram().counts();
                    let ways: f64 =
                        counts.iter().map(|counts| binomial(counts.public, counts.private)).product();
                    total += ways;
                    for (sum, &combination) in sums.iter_mut().zip(region) {
                        let counts = counts[combination as usize];
                        *sum += ways * counts.private as f64 / counts.public as f64;
                    }
                }
            }
            for (sampled, sum) in sampled.iter().zip(&sums) {
                let exact = sum / total;
                assert!(
                    (sampled.mean - exact).abs() <= 5.0 * sampled.error,
                    "{} against {exact}",
                    sampled.mean
                );
                compared += 1;
            }
        }
    });
    assert!(compared > 0, "some region has a parent");
}

#[test]
fn sampled_node_release_agrees_with_enumeration() {
    let problem = grid(4, 4, &[1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0], ("0", "2/5"));
    let (found, _) = run(Strategy::Spalm, &problem, &Config::default(), &mut unwatched);
    let found = found.unwrap();
    let (config, how) = (Config::default(), AuditConfig::default());
    let counted = audit(&problem, Strategy::Spalm, &found, &config, how, &mut unwatched).unwrap();
    assert_eq!(counted.method, AuditMethod::EveryTable);
    let sampled =
        watched(&mut unwatched, |pool| resampled(&problem, Strategy::Spalm, &found, &config, how, pool))
            .unwrap();
    assert!(sampled.had > 30 && sampled.had <= sampled.draws, "{sampled:?}");
    let (counted, sampled) = (counted.worst.unwrap().0, sampled.worst.unwrap().0);
    assert!((counted - sampled).abs() < 0.05, "{counted}, sampled {sampled}");
}

#[test]
fn never_drawn_person_is_not_surely_outside_delta() {
    let delta = Delta::new("1/50".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
    let mut sampler = Sampler::of(delta, vec![1, 1]);
    (0..60).for_each(|_| sampler.take(&[0]));
    let found = sampler.posteriors().unwrap();
    assert!(found[0].is_beyond(delta, Beyond::ERRORS), "always");
    assert!(!found[1].is_beyond(delta, Beyond::ERRORS), "0 of 60 may be one of fifty");
}

#[test]
fn simulatable_is_replayed_and_another_release_is_not() {
    let problem = line(&[1, 0, 0, 1, 0, 0, 0, 1, 0]);
    let replayed = audited(&problem, strategy("simulatable"));
    assert_eq!((replayed.method, replayed.beyond), (AuditMethod::Replayed, Beyond::default()));
    let Span { least, greatest } = replayed.span.expect("something was asked");
    assert!(least < 1.0 / 3.0 && (1.0 / 3.0..=0.5).contains(&greatest), "{least} to {greatest}");
    let (found, _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched);
    let text = found.unwrap().1.text(&problem);
    assert_eq!(is_transcript(&problem, &text), Ok(true), "{text}");
    let other = text.replace("\tfailed\n", "\t0\n").replacen("x before", "x is", 1);
    assert_eq!(is_transcript(&problem, &other), Ok(false), "{other}");
    let wrong = text.replacen('\t', " ", 5);
    assert!(is_transcript(&problem, &wrong).unwrap_err().to_string().starts_with("line 1: "), "{wrong}");
    let (other, _) = run(strategy("n2"), &problem, &Config::default(), &mut unwatched);
    let (config, how) = (Config::default(), AuditConfig::default());
    let other =
        audit(&problem, Strategy::Simulatable, &other.unwrap(), &config, how, &mut unwatched).unwrap();
    assert_eq!(other.method, AuditMethod::None);
}

/// With too few draws, the audit claims neither `none found` nor 0.
#[test]
fn too_rare_events_are_reported_as_not_sampled() {
    let problem = line(&[1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1, 0]);
    let (found, _) = run(Strategy::Spalm, &problem, &Config::default(), &mut unwatched);
    let how = AuditConfig { draws: 20, ..AuditConfig::default() };
    let found = audit(&problem, Strategy::Spalm, &found.unwrap(), &Config::default(), how, &mut unwatched);
    let found = found.unwrap();
    assert_eq!(found.method, AuditMethod::Resampled, "20 of 7 are too many to run");
    assert!(found.had < 30, "{found:?}");
    let finding = found.finding().unwrap();
    assert_eq!((finding.verdict().as_str(), finding.people), ("not sampled", None));
    for text in [found.beyond_in_words(), finding.words()] {
        assert!(text.contains("too rare to sample") && !text.contains("none found"), "{text}");
    }
}

#[test]
fn one_line_audit_verdict_keeps_its_doubts() {
    let problem = line(&[1, 0, 0, 1]);
    let none =
        Audit { worst: Some((0.3, 1)), ..Audit::of(AuditMethod::RejectedCuts, &problem, &[vec![0, 1]]) };
    let verdict = |audit: &Audit| {
        let finding = audit.finding().unwrap();
        (finding.verdict().as_str(), finding.people, finding.words())
    };
    let (word, people, words) = verdict(&none);
    assert_eq!((word, people), ("audited", Some(0)));
    assert!(words.contains("by these events alone") && words.contains("there may be some"), "{words}");
    // If the highest estimate is outside δ and no person is counted, the line names the doubt.
    let doubtful = Audit {
        method: AuditMethod::Resampled,
        beyond: Beyond { doubtful: 7, ..Beyond::default() },
        worst: Some((0.471, 7)),
        sampled: 1,
        ..none.clone()
    };
    let (word, people, words) = verdict(&doubtful);
    assert_eq!((word, people), ("not decided", None));
    assert!(words.contains("7 people") && words.contains("estimate 0.4710"), "{words}");
    assert!(!words.contains("none found"), "{words}");
    let partly = Audit { too_rare: 2, ..none.clone() };
    assert_eq!(verdict(&partly).1, None, "0 is of all regions");
    assert!(verdict(&partly).2.contains("2 regions are too rare to sample"));
    // The count is conditioned on these events, and no bound.
    let some = Audit { beyond: Beyond { people: 14, doubtful: 3, ..Beyond::default() }, ..partly };
    let (word, people, words) = verdict(&some);
    assert_eq!((word, people), ("audited", Some(14)));
    assert!(words.contains("14 people beyond δ by these events alone"), "{words}");
    assert!(words.contains("3 people are too near") && words.contains("2 regions"), "{words}");
    for text in [words, some.beyond_in_words()] {
        assert!(!text.contains("at least"), "{text}");
    }
    let all = Audit { method: AuditMethod::EveryTable, ..none };
    assert_eq!(
        verdict(&all).2,
        "audited: nobody is beyond δ, of all T that give this release, highest posterior 0.3000"
    );
}
