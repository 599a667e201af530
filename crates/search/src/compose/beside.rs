//! Searches within the classes of an earlier release, so that both releases together keep δ.

use std::ops::ControlFlow;

use crate::{Config, Observer, SearchReport, Step, StopReason, Strategy, run};
use palmtop_core::model::{Classes, Partition, Problem, Recoding, size};

/// Runs a strategy within each class of an earlier release, and unites the regions.
///
/// Every region then lies in one class of the earlier release, so that the new release implies the
/// earlier one. An attacker with both releases learns no more about T than from the new release,
/// whose regions satisfy the policy. Every criterion on a class holds within each part, and no
/// criterion depends on the other parts.
///
/// `class_of` has the class of each combination, a number below `classes`. A combination without a
/// class is in the pool of the earlier release. It becomes a region of its own, so that no box
/// extends over it. If it has members, they are withdrawn again, and no other members are. So the
/// attacker knows the number of members in the earlier pool, as before, and that the other people
/// without a row in the new release are not members. If the strategy finds no recoding within a
/// class, that class is one region.
///
/// # Panics
/// If the strategy finds nodes and no regions, or `class_of` is not as long as the histogram.
pub fn run_within_release(
    strategy: Strategy,
    problem: &Problem,
    class_of: &[Option<u32>],
    classes: usize,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    assert!(strategy.family().finds_regions(), "{strategy} finds a node, which cannot stay within classes");
    assert_eq!(class_of.len(), problem.histogram().len(), "a class for every combination");
    let mut parts: Vec<Vec<u32>> = vec![Vec::new(); classes];
    let mut region_of = vec![0; class_of.len()];
    let mut regions = 0;
    let mut withdrawn = Vec::new();
    for ((combination, class), counts) in (0..).zip(class_of).zip(problem.histogram().counts()) {
        if let Some(class) = class {
            parts[*class as usize].push(combination);
        } else {
            if counts.private > 0 {
                withdrawn.push(regions);
            }
            region_of[combination as usize] = regions;
            regions += 1;
        }
    }
    let total = class_of.len() as u64;
    let mut done = u64::from(regions);
    for part in parts.iter().filter(|part| !part.is_empty()) {
        if observer(Step::of(done, total)).is_break() {
            return (None, SearchReport::without_nodes(StopReason::Cancelled));
        }
        // A part without members needs no search, and the release does not publish it.
        let found = problem.within(part).ok().and_then(|within| {
            let mut step = |step: Step| observer(Step { done, total, ..step });
            let (found, _) = run(strategy, &within, config, &mut step);
            Some(Classes::of(&within, &found?))
        });
        // If the search found no recoding, the class becomes one region.
        let (within, count) = match found {
            Some(found) => {
                let count = found.len();
                (found.class_of, count)
            }
            None => (vec![0; part.len()], 1),
        };
        for (&combination, region) in part.iter().zip(within) {
            region_of[combination as usize] = regions + region;
        }
        regions += size::number(count);
        done += part.len() as u64;
    }
    // A part whose search was stopped is coarser than its result would be, so that a cancelled
    // run returns no release.
    if observer(Step::of(total, total)) == ControlFlow::Break(()) {
        return (None, SearchReport::without_nodes(StopReason::Cancelled));
    }
    let partition = Partition::new(problem, region_of, regions as usize);
    let recoding = Recoding::Regions(partition).withdrawing(withdrawn);
    (Some(recoding), SearchReport::without_nodes(StopReason::Done))
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{
        Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, QuasiIdentifier,
    };
    use palmtop_core::progress::unwatched;

    /// Sixteen people in a line, of whom 2, 5, 9 and 13 are members.
    fn line() -> Problem {
        let chains: Vec<Vec<String>> = (0..16).map(|leaf| vec![leaf.to_string(), "*".to_owned()]).collect();
        let hierarchy = Hierarchy::new(Kind::Number, Level(0), &chains).unwrap();
        let is_member = |value: u32| [2, 5, 9, 13].contains(&value);
        let counts = (0..16).map(|value| Counts::new(1, u64::from(is_member(value)))).collect();
        let histogram = Histogram::new(vec![(0..16).collect()], counts).unwrap();
        let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
        let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    #[test]
    fn every_region_keeps_delta_within_one_class() {
        let problem = line();
        // 1 to 6, 8 to 15; 0 and 7 are not members.
        let class_of: Vec<Option<u32>> =
            (0..16).map(|value| (value % 7 != 0 || value == 14).then_some(u32::from(value > 7))).collect();
        for strategy in Strategy::all().filter(|strategy| strategy.family().finds_regions()) {
            let config = Config { rounds: Some(3), ..Config::default() };
            let (found, report) =
                run_within_release(strategy, &problem, &class_of, 2, &config, &mut unwatched);
            let Some(Recoding::Regions(partition)) = found else { panic!("{strategy} finds regions") };
            assert_eq!(report.stop, StopReason::Done);
            let classes = Classes::of(&problem, &Recoding::Regions(partition.clone()));
            assert!(classes.satisfy(problem.policy()), "{strategy}");
            for (left, region) in partition.region_of().iter().enumerate() {
                for (right, _) in partition.region_of().iter().enumerate().filter(|entry| entry.1 == region) {
                    assert_eq!(class_of[left], class_of[right], "{strategy}: {left} and {right}");
                    assert!(class_of[left].is_some() || left == right);
                }
            }
            let regions = partition.regions();
            for (index, region) in regions.clone().enumerate() {
                assert!(regions.clone().skip(index + 1).all(|other| !region.overlaps(other)), "{strategy}");
            }
        }
    }

    #[test]
    fn only_members_without_earlier_rows_are_withdrawn_again() {
        let problem = line().with_suppression("25%".parse().unwrap());
        // 0 to 7, of whom 2 and 5 are members; 8 to 11 with the member 9. 12 to 15 match no row of
        // the earlier release, and 13 is withdrawn.
        let class_of: Vec<Option<u32>> =
            (0..16).map(|value| (value < 12).then_some(u32::from(value > 7))).collect();
        for strategy in Strategy::all().filter(|strategy| strategy.family().finds_regions()) {
            let config = Config { rounds: Some(3), ..Config::default() };
            let (found, _) = run_within_release(strategy, &problem, &class_of, 2, &config, &mut unwatched);
            let found = found.unwrap();
            let classes = Classes::of(&problem, &found);
            assert!(classes.satisfy(problem.policy()), "{strategy}");
            assert_eq!(classes.withdrawn(), 1, "{strategy}");
            let pool = classes.pool().unwrap();
            assert!((12..16).all(|combination| classes.class_of[combination] == pool), "{strategy}");
            assert!([2, 5, 9].iter().all(|&member: &usize| classes.class_of[member] != pool), "{strategy}");
        }
    }

    #[test]
    fn a_cancelled_search_gives_no_release() {
        let problem = line();
        let class_of = vec![Some(0); 16];
        let (found, report) = run_within_release(
            "n1".parse().unwrap(),
            &problem,
            &class_of,
            1,
            &Config::default(),
            &mut |_| ControlFlow::Break(()),
        );
        assert!(found.is_none());
        assert_eq!(report.stop, StopReason::Cancelled);
    }
}
