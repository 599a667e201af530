//! Compares the k-anonymous baselines with naive implementations on random small problems.

use std::ops::ControlFlow;

use crate::support::generate::{Case, cases};
use crate::support::naive;
use palmtop::metrics::Metric;
use palmtop::model::{Classes, Counts, Level, Problem, Recoding};
use palmtop::search::{Config, Rows, SearchReport, StopReason, Strategy as Search, run};
use proptest::prelude::*;

fn search(problem: &Problem, strategy: Search, config: Config) -> (Option<Recoding>, SearchReport) {
    run(strategy, problem, &config, &mut |_| ControlFlow::Continue(()))
}

/// The best node among those whose classes have at least k members or none.
fn naive_k_optimal(case: &Case, k: u64, cost: naive::Cost) -> Option<Vec<usize>> {
    let is_anonymous = |node: &Vec<usize>| {
        naive::classes(case, node).values().all(|&(_, private)| private == 0 || private >= k)
    };
    let nodes = naive::nodes(case).into_iter().filter(is_anonymous);
    nodes.min_by_key(|node| (cost(case, node), node.iter().sum::<usize>(), node.clone()))
}

fn recoding(case: &Case, problem: &Problem, steps: &[usize]) -> Recoding {
    let bases = case.attributes.iter().map(|(_, base, _)| base);
    let levels: Vec<Level> =
        bases.zip(steps).map(|(base, &step)| Level(base + u8::try_from(step).unwrap())).collect();
    Recoding::Node(problem.lattice().node(&levels).unwrap())
}

/// Mondrian as in its paper, for one k. A region is a list of combinations.
fn naive_mondrian(case: &Case, region: &[usize], k: u64, rows: Rows) -> Vec<Vec<usize>> {
    let counted = |index: usize| {
        let (_, public, private) = &case.people[index];
        if rows == Rows::Private { *private } else { *public }
    };
    let code = |index: usize, column: usize| case.people[index].0[column];
    let people = |members: &[usize]| members.iter().map(|&index| counted(index)).sum::<u64>();
    let mut columns: Vec<(f64, usize)> = (0..case.attributes.len())
        .map(|column| {
            let mut codes: Vec<u32> = region
                .iter()
                .filter(|&&index| counted(index) > 0)
                .map(|&index| code(index, column))
                .collect();
            codes.sort_unstable();
            codes.dedup();
            let (kind, _, chains) = &case.attributes[column];
            let width = match (codes.first(), codes.last()) {
                (Some(low), Some(high)) if kind.is_ordered() => f64::from(high - low),
                _ => f64::from(u32::try_from(codes.len()).unwrap()) - 1.0,
            };
            (width.max(0.0) / f64::from(u32::try_from(chains.len().max(2) - 1).unwrap()), column)
        })
        .collect();
    columns.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
    for (_, column) in columns {
        let mut values: Vec<u32> = Vec::new();
        for &index in region {
            values.extend((0..counted(index)).map(|_| code(index, column)));
        }
        values.sort_unstable();
        if values.is_empty() {
            continue;
        }
        let median = values[(values.len() - 1) / 2];
        let (left, right): (Vec<usize>, Vec<usize>) =
            region.iter().partition(|&&index| code(index, column) <= median);
        if people(&left) >= k && people(&right) >= k {
            let mut regions = naive_mondrian(case, &left, k, rows);
            regions.extend(naive_mondrian(case, &right, k, rows));
            return regions;
        }
    }
    vec![region.to_vec()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn k_optimal_is_the_first_optimum_that_happens_to_keep_delta(case in cases()) {
        let problem = case.problem();
        let (_, people) = naive::total(&case);
        let costs: [(Metric, naive::Cost); 4] = [
            (Metric::Loss, naive::loss),
            (Metric::LossGeometric, naive::geometric_loss),
            (Metric::Discernibility, naive::discernibility),
            // Each cell of a node has one term.
            (Metric::Readable, naive::loss),
        ];
        for (metric, cost) in costs {
            for k in 1..=people + 1 {
                let config = Config { metric, k: Some(k), ..Config::default() };
                let (found, report) = search(&problem, Search::KOptimal, config);
                let expected = naive_k_optimal(&case, k, cost).map(|steps| recoding(&case, &problem, &steps));
                prop_assert_eq!(found, expected, "k {}", k);
                prop_assert_eq!(report.k, Some(k));
            }
            let (found, report) = search(&problem, Search::KOptimal, Config { metric, ..Config::default() });
            if !problem.feasibility().holds() {
                prop_assert_eq!(report.stop, StopReason::Infeasible);
                continue;
            }
            let expected = (1..=people).find_map(|k| {
                let steps = naive_k_optimal(&case, k, cost)?;
                naive::is_present(&case, &steps).then(|| (k, recoding(&case, &problem, &steps)))
            });
            prop_assert_eq!(report.k, expected.as_ref().map(|(k, _)| *k));
            prop_assert_eq!(found, expected.map(|(_, recoding)| recoding));
        }
    }

    #[test]
    fn mondrian_is_the_first_partition_that_happens_to_keep_delta(case in cases()) {
        let problem = case.problem();
        let all: Vec<usize> = (0..case.people.len()).collect();
        let (public, private) = naive::total(&case);
        for (rows, people) in [(Rows::Private, private), (Rows::Public, public)] {
            let counts = |region: &Vec<usize>| -> Counts {
                region.iter().map(|&index| problem.histogram().counts()[index]).sum()
            };
            let first = (1..=people).find(|&k| {
                let regions = naive_mondrian(&case, &all, k, rows);
                regions.iter().all(|region| problem.policy().allows(counts(region)))
            });
            let (found, report) = search(&problem, Search::Mondrian(rows), Config::default());
            if !problem.feasibility().holds() {
                prop_assert_eq!(report.stop, StopReason::Infeasible);
                continue;
            }
            prop_assert_eq!(report.k, first);
            let k = first.unwrap();
            for (k, found) in [(k, found), (people, search(&problem, Search::Mondrian(rows), Config { k: Some(people), ..Config::default() }).0)] {
                let Some(Recoding::Regions(partition)) = found else { panic!("no regions") };
                let regions = naive_mondrian(&case, &all, k, rows);
                prop_assert_eq!(partition.len(), regions.len());
                for region in &regions {
                    let number = partition.region_of()[region[0]];
                    prop_assert!(region.iter().all(|&index| partition.region_of()[index] == number));
                }
                let classes = Classes::of(&problem, &Recoding::Regions(partition));
                let counted = |counts: Counts| if rows == Rows::Private { counts.private } else { counts.public };
                prop_assert!(classes.all_counts().all(|counts| counted(counts) >= k));
            }
        }
    }
}
