//! Compares the baselines with naive implementations on random small problems.

use std::collections::HashMap;

use palmtop_core::model::{
    Classes, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Levels, Presence,
    QuasiIdentifier,
};
use palmtop_core::progress::unwatched;
use proptest::prelude::*;

use super::*;

/// A problem in the plainest form.
#[derive(Clone, Debug)]
struct Case {
    /// For each quasi-identifier: its kind, and a chain of labels for each leaf.
    attributes: Vec<(Kind, Vec<Vec<String>>)>,
    /// Combinations of leaf codes with their numbers of people in P and of members.
    people: Vec<(Vec<u32>, u64, u64)>,
    max: Presence,
}

impl Case {
    fn problem(&self) -> Problem {
        let quasi = self.attributes.iter().enumerate().map(|(position, (kind, chains))| QuasiIdentifier {
            name: format!("q{position}"),
            hierarchy: Hierarchy::new(*kind, Level(0), chains).unwrap(),
        });
        let columns =
            (0..self.attributes.len()).map(|a| self.people.iter().map(|(codes, ..)| codes[a]).collect());
        let counts = self.people.iter().map(|&(_, public, private)| Counts::new(public, private)).collect();
        let histogram = Histogram::new(columns.collect(), counts).unwrap();
        let delta = Delta::new(Presence::ZERO, self.max).unwrap();
        Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).unwrap()
    }

    fn total(&self, rows: Rows) -> u64 {
        (0..self.people.len()).map(|index| self.counted(index, rows)).sum()
    }

    fn counted(&self, index: usize, rows: Rows) -> u64 {
        let (_, public, private) = self.people[index];
        if rows == Rows::Private { private } else { public }
    }

    /// The people of P and the members in each class of a node.
    fn classes(&self, node: &[usize]) -> HashMap<Vec<&str>, (u64, u64)> {
        let mut classes: HashMap<Vec<&str>, (u64, u64)> = HashMap::new();
        for (codes, public, private) in &self.people {
            let chains = self.attributes.iter().map(|(_, chains)| chains).zip(codes).zip(node);
            let labels = chains.map(|((chains, &code), &step)| chains[code as usize][step].as_str());
            let class = classes.entry(labels.collect()).or_default();
            *class = (class.0 + public, class.1 + private);
        }
        classes
    }

    /// For each quasi-identifier, the extra leaves summed over T, and the number of leaves − 1.
    fn losses(&self, node: &[usize]) -> Vec<(u128, u128)> {
        let each = self.attributes.iter().enumerate().map(|(a, (_, chains))| {
            let people = self.people.iter().map(|(codes, _, private)| {
                let label = &chains[codes[a] as usize][node[a]];
                let size = chains.iter().filter(|chain| chain[node[a]] == *label).count();
                u128::try_from(size - 1).unwrap() * u128::from(*private)
            });
            (people.sum(), u128::try_from(chains.len() - 1).unwrap().max(1))
        });
        each.collect()
    }

    /// The cost of a node, times a factor that is the same for all nodes.
    fn cost(&self, metric: Metric, node: &[usize]) -> u128 {
        let losses = self.losses(node);
        let parts: u128 = losses.iter().map(|&(_, part)| part).product();
        let rows = u128::from(self.total(Rows::Private));
        match metric {
            Metric::Loss | Metric::Readable => losses.iter().map(|(extra, part)| extra * parts / part).sum(),
            Metric::LossGeometric => losses.iter().map(|(extra, part)| part * rows + extra).product(),
            Metric::Discernibility => {
                self.classes(node).values().map(|&(_, private)| u128::from(private * private)).sum()
            }
        }
    }

    fn nodes(&self) -> Vec<Vec<usize>> {
        self.attributes.iter().fold(vec![Vec::new()], |nodes, (_, chains)| {
            let steps = 0..chains[0].len();
            let next = |node: &Vec<usize>| {
                steps.clone().map(|step| [node.as_slice(), &[step]].concat()).collect::<Vec<_>>()
            };
            nodes.iter().flat_map(next).collect()
        })
    }

    /// The best node among those whose classes have at least k members or none.
    fn k_optimal(&self, k: u64, metric: Metric) -> Option<Vec<usize>> {
        let is_anonymous =
            |node: &Vec<usize>| self.classes(node).values().all(|&(_, private)| private == 0 || private >= k);
        let nodes = self.nodes().into_iter().filter(is_anonymous);
        nodes.min_by_key(|node| (self.cost(metric, node), node.iter().sum::<usize>(), node.clone()))
    }

    fn is_present(&self, node: &[usize]) -> bool {
        self.classes(node)
            .values()
            .all(|&(public, private)| private * self.max.denominator() <= self.max.numerator() * public)
    }

    /// Mondrian as in its paper, for one k. A region is a list of combinations.
    fn mondrian(&self, region: &[usize], k: u64, rows: Rows) -> Vec<Vec<usize>> {
        let code = |index: usize, column: usize| self.people[index].0[column];
        let people = |members: &[usize]| members.iter().map(|&index| self.counted(index, rows)).sum::<u64>();
        let spread = |column: usize| {
            let counted = region.iter().filter(|&&index| self.counted(index, rows) > 0);
            let mut codes: Vec<u32> = counted.map(|&index| code(index, column)).collect();
            codes.sort_unstable();
            codes.dedup();
            let (kind, chains) = &self.attributes[column];
            let width = match (codes.first(), codes.last()) {
                (Some(low), Some(high)) if kind.is_ordered() => f64::from(high - low),
                _ => f64::from(u32::try_from(codes.len()).unwrap()) - 1.0,
            };
            (width.max(0.0) / f64::from(u32::try_from(chains.len().max(2) - 1).unwrap()), column)
        };
        let mut columns: Vec<(f64, usize)> = (0..self.attributes.len()).map(spread).collect();
        columns.sort_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        for (_, column) in columns {
            let mut values: Vec<u32> = Vec::new();
            for &index in region {
                values.extend((0..self.counted(index, rows)).map(|_| code(index, column)));
            }
            values.sort_unstable();
            let Some(&median) = values.get(values.len().saturating_sub(1) / 2) else { continue };
            let (left, right): (Vec<usize>, Vec<usize>) =
                region.iter().partition(|&&index| code(index, column) <= median);
            if people(&left) >= k && people(&right) >= k {
                return [self.mondrian(&left, k, rows), self.mondrian(&right, k, rows)].concat();
            }
        }
        vec![region.to_vec()]
    }
}

/// A hierarchy of one to six leaves and two to four levels, nested at random.
fn attribute() -> impl Strategy<Value = (Kind, Vec<Vec<String>>)> {
    let kind = prop_oneof![Just(Kind::Number), Just(Kind::Date), Just(Kind::Category)];
    let levels = prop::collection::vec(prop::collection::vec(0..3_usize, 6), 0..=2);
    (kind, 1..=6_usize, levels).prop_map(|(kind, leaves, levels)| {
        let mut labels: Vec<usize> = (0..leaves).collect();
        let mut chains: Vec<Vec<String>> = (0..leaves).map(|leaf| vec![format!("leaf {leaf}")]).collect();
        for (number, parents) in levels.iter().enumerate() {
            labels = labels.iter().map(|&label| parents[label]).collect();
            for (chain, label) in chains.iter_mut().zip(&labels) {
                chain.push(format!("level {number} group {label}"));
            }
        }
        for chain in &mut chains {
            chain.push("*".to_owned());
        }
        (kind, chains)
    })
}

fn cases() -> impl Strategy<Value = Case> {
    let attributes = prop::collection::vec(attribute(), 2..=4);
    let with_people = attributes.prop_flat_map(|attributes| {
        let leaves = attributes.iter().map(|(_, chains)| 0..u32::try_from(chains.len()).unwrap());
        let people = prop::collection::btree_map(leaves.collect::<Vec<_>>(), (1..6_u64, 0..4_u64), 1..40);
        (Just(attributes), people, 0..=5_u64)
    });
    with_people.prop_map(|(attributes, people, above)| {
        let mut people: Vec<(Vec<u32>, u64, u64)> = people
            .into_iter()
            .map(|(codes, (public, private))| (codes, public, private.saturating_sub(1).min(public)))
            .collect();
        if people.iter().all(|&(_, _, private)| private == 0) {
            people[0].2 = 1;
        }
        let (public, private) =
            people.iter().fold((0, 0), |(p, t), &(_, public, private)| (p + public, t + private));
        // From |T|/|P|, and once below it, up to 1.
        let share = if above == 5 { private * 3 } else { private * 4 + (public - private) * above };
        Case { attributes, people, max: Presence::new(share, public * 4).unwrap() }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn k_optimal_is_the_first_optimum_within_delta(case in cases()) {
        let problem = case.problem();
        for metric in Metric::ALL {
            let Found { recoding, k, report } = Baseline::KOptimal.run(&problem, metric, &mut unwatched);
            if !problem.feasibility().holds() {
                prop_assert_eq!((recoding, k, report.stop), (None, None, StopReason::Infeasible));
                continue;
            }
            let expected = (1..=case.total(Rows::Private)).find_map(|k| {
                let steps = case.k_optimal(k, metric)?;
                case.is_present(&steps).then(|| {
                    let levels = steps.iter().map(|&step| Level(u8::try_from(step).unwrap()));
                    let node = problem.lattice().node(&levels.collect::<Vec<_>>()).unwrap();
                    (k, Recoding::Node(node))
                })
            });
            prop_assert_eq!(k.zip(recoding), expected);
        }
    }

    #[test]
    fn mondrian_is_the_first_partition_that_keeps_delta(case in cases()) {
        let problem = case.problem();
        let all: Vec<usize> = (0..case.people.len()).collect();
        for (baseline, rows) in [(Baseline::Mondrian, Rows::Private), (Baseline::MondrianOfP, Rows::Public)] {
            let Found { recoding, k, report } = baseline.run(&problem, Metric::Loss, &mut unwatched);
            if !problem.feasibility().holds() {
                prop_assert_eq!((recoding, k, report.stop), (None, None, StopReason::Infeasible));
                continue;
            }
            let counts = |region: &Vec<usize>| -> Counts {
                region.iter().map(|&index| problem.histogram().counts()[index]).sum()
            };
            let first = (1..=case.total(rows)).find(|&k| {
                let regions = case.mondrian(&all, k, rows);
                regions.iter().all(|region| problem.policy().allows(counts(region)))
            });
            prop_assert_eq!(k, first);
            let Some(Recoding::Regions(partition)) = recoding else { panic!("no regions") };
            let regions = case.mondrian(&all, k.unwrap(), rows);
            prop_assert_eq!(partition.len(), regions.len());
            for region in &regions {
                let number = partition.region_of()[region[0]];
                prop_assert!(region.iter().all(|&index| partition.region_of()[index] == number));
            }
        }
    }

    /// With limits, no region joins two of the coarsest labels, and none divides one of the finest.
    #[test]
    fn mondrian_keeps_to_the_permitted_levels(case in cases()) {
        let problem = case.problem();
        let top = |column: usize| problem.hierarchy(column).top();
        let levels = |column: usize| Levels {
            finest: Some(Level(u8::from(top(column).0 > 1))),
            coarsest: Some(Level(top(column).0.saturating_sub(1).max(1))),
        };
        let problem = problem.with_levels((0..case.attributes.len()).map(levels).collect()).unwrap();
        for baseline in [Baseline::Mondrian, Baseline::MondrianOfP] {
            let found = baseline.run(&problem, Metric::Loss, &mut unwatched);
            if !problem.feasibility().holds() {
                prop_assert_eq!(found.report.stop, StopReason::Infeasible);
                continue;
            }
            let recoding = found.recoding.unwrap();
            let classes = Classes::of(&problem, &recoding);
            let Recoding::Regions(partition) = &recoding else { panic!("no regions") };
            for column in 0..case.attributes.len() {
                let (hierarchy, codes) = (problem.hierarchy(column), problem.histogram().column(column));
                let label = |level: Level, index: usize| hierarchy.labels_of(level)[codes[index] as usize];
                for one in 0..case.people.len() {
                    for other in 0..one {
                        let is_together = partition.region_of()[one] == partition.region_of()[other];
                        let coarsest = problem.coarsest(column);
                        prop_assert!(!is_together || label(coarsest, one) == label(coarsest, other));
                    }
                }
            }
            let finest = |index: usize| -> Vec<u32> {
                let labels = |column: usize| {
                    let level = problem.region_floor(column);
                    problem.hierarchy(column).labels_of(level)
                        [problem.histogram().column(column)[index] as usize]
                };
                (0..case.attributes.len()).map(labels).collect()
            };
            for one in 0..case.people.len() {
                for other in (0..one).filter(|&other| finest(one) == finest(other)) {
                    prop_assert_eq!(partition.region_of()[one], partition.region_of()[other]);
                }
            }
            prop_assert!(classes.satisfy(problem.policy()));
        }
    }
}
