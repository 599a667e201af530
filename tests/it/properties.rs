//! Compares every fast path of the engine with its naive implementation on random small problems.

#![expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]

use std::collections::HashMap;
use std::ops::ControlFlow;

use crate::support::check::check_regions;
use crate::support::generate::{Case, cases};
use crate::support::naive;
use palmtop::metrics::Metric;
use palmtop::model::{
    Classes, Counts, EmptyRegions, Kind, Label, Level, Node, NodeClasses, Partition, Problem, Recoding,
    Rollup, Side,
};
use palmtop::search::{
    ColumnRule, Config, NodeState, SearchReport, Step, StopReason, Strategy as Search, ValueRule, run, survey,
};
use proptest::prelude::*;

/// A search that runs to its end.
fn search(problem: &Problem, strategy: Search, metric: Metric) -> (Option<Recoding>, SearchReport) {
    run(strategy, problem, &Config { metric, ..Config::default() }, &mut |_| ControlFlow::Continue(()))
}

/// The steps of the naive implementation as a node of the engine.
fn node(case: &Case, problem: &Problem, steps: &[usize]) -> Node {
    let bases = case.attributes.iter().map(|(_, base, _)| base);
    let levels: Vec<Level> =
        bases.zip(steps).map(|(base, &step)| Level(base + u8::try_from(step).unwrap())).collect();
    problem.lattice().node(&levels).unwrap()
}

/// The nine partitioning strategies, with the letters of the naive implementation.
fn nine() -> impl Iterator<Item = (Search, char, char)> {
    ColumnRule::ALL.into_iter().flat_map(|column| {
        ValueRule::ALL
            .into_iter()
            .map(move |value| (Search::Mpalm(column, value), column.letter(), value.digit()))
    })
}

/// Checks a partition: every region is δ-present, and its box contains exactly its people.
fn check_partition(case: &Case, problem: &Problem, partition: &Partition) {
    check_regions(case, problem, partition);
    for (number, region) in partition.regions().enumerate() {
        for (side, (kind, ..)) in region.sides().zip(&case.attributes) {
            assert_eq!(matches!(side, Side::Range { .. }), kind.is_ordered());
        }
        assert!(partition.regions().skip(number + 1).all(|other| !region.overlaps(other)), "regions overlap");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_step_counts_what_the_whole_table_does(case in cases()) {
        let problem = case.problem();
        let lattice = problem.lattice();
        for rank in 0..lattice.len() {
            let here = NodeClasses::of(&problem, &lattice.unrank(rank));
            let counted = Classes::of(&problem, &Recoding::Node(here.node().clone()));
            let counts: Vec<Counts> = counted.all_counts().collect();
            prop_assert_eq!(here.counts(), &counts[..]);
            for (class, counted) in counted.iter().enumerate() {
                for (attribute, &level) in here.node().levels().iter().enumerate() {
                    let label = Label::Of(level, here.labels(attribute)[class]);
                    prop_assert_eq!(&counted.labels[attribute], &label);
                }
            }
            let steps = (0..lattice.width()).flat_map(|attribute| {
                [lattice.coarser(here.node(), attribute), lattice.finer(here.node(), attribute)]
            });
            for there in steps.flatten().chain([lattice.top()]) {
                prop_assert_eq!(here.at(&problem, &there), NodeClasses::of(&problem, &there));
            }
        }
    }

    #[test]
    fn loss_over_occurring_values_matches_a_count(case in cases()) {
        let problem = case.problem();
        let lattice = problem.lattice();
        let nodes = (0..lattice.len()).map(|rank| Recoding::Node(lattice.unrank(rank)));
        let regions = search(&problem, "n1".parse().unwrap(), Metric::Loss).0;
        for recoding in nodes.chain(regions) {
            let classes = Classes::of(&problem, &recoding);
            let found = palmtop::metrics::Loss::of_occurring_values(&problem, &classes);
            for (attribute, found) in found.by_attribute().iter().enumerate() {
                let hierarchy = problem.hierarchy(attribute);
                let occurring: Vec<u32> = (0..).take(hierarchy.leaf_count()).filter(|&code| problem.occurs(attribute, code)).collect();
                let covers = |label: &Label, code: u32| match label {
                    Label::Of(level, label) => hierarchy.labels_of(*level)[code as usize] == *label,
                    Label::Range(low, high) => (*low..=*high).contains(&code),
                    Label::Union(terms) => {
                        terms.iter().any(|(level, label)| hierarchy.labels_of(*level)[code as usize] == *label)
                    }
                    Label::Except((level, label), exceptions) => {
                        let has = |level, label| hierarchy.labels_of(level)[code as usize] == label;
                        has(*level, *label) && !exceptions.iter().any(|&(level, label)| has(level, label))
                    }
                    Label::Span(level, members) => {
                        palmtop::model::label::span(members).contains(&hierarchy.labels_of(*level)[code as usize])
                    }
                    Label::Rows(_) => unreachable!("each person has one row"),
                };
                let (mut lost, mut most) = (0.0, 0.0);
                for class in classes.iter() {
                    let covered = occurring.iter().filter(|&&code| covers(&class.labels[attribute], code)).count();
                    if class.counts.private > 0 {
                        lost += class.counts.private as f64 * (covered - 1) as f64;
                        most += class.counts.private as f64 * (occurring.len() - 1) as f64;
                    }
                }
                let expected = if most > 0.0 { lost / most } else { 0.0 };
                prop_assert!((found - expected).abs() < 1e-12, "{found} instead of {expected}");
            }
        }
    }

    #[test]
    fn spalm_finds_the_best_node_of_all(case in cases()) {
        let problem = case.problem();
        let feasible = naive::keeps(&case, naive::total(&case));
        let costs: [(Metric, naive::Cost); 4] = [
            (Metric::Loss, naive::loss),
            (Metric::LossGeometric, naive::geometric_loss),
            (Metric::Discernibility, naive::discernibility),
            // Each cell of a node has one term.
            (Metric::Readable, naive::loss),
        ];
        for (metric, cost) in costs {
            let (recoding, report) = search(&problem, Search::Spalm, metric);
            let expected = naive::best(&case, cost).map(|steps| Recoding::Node(node(&case, &problem, &steps)));
            prop_assert_eq!(recoding, expected, "{}", metric.name());
            prop_assert_eq!(report.stop, if feasible { StopReason::Done } else { StopReason::Infeasible });
            prop_assert!(report.checked.unwrap() + report.implied.unwrap() <= report.nodes.unwrap());
        }
    }

    #[test]
    fn a_survey_knows_every_verdict_and_the_frontier(case in cases()) {
        let problem = case.problem();
        let (survey, stop) = survey(&problem, &mut |_| ControlFlow::Continue(()));
        let nodes = naive::nodes(&case);
        let present: Vec<&Vec<usize>> = nodes.iter().filter(|steps| naive::is_present(&case, steps)).collect();
        for (rank, steps) in (0..).zip(&nodes) {
            let state = survey.state(rank);
            prop_assert!(state != NodeState::Open);
            prop_assert_eq!(state.is_present(), present.contains(&steps), "{:?}", steps);
        }
        let minimal = present.iter().filter(|node| !present.iter().any(|other| naive::is_above(node, other)));
        let frontier: Vec<Node> = minimal.map(|steps| node(&case, &problem, steps)).collect();
        prop_assert_eq!(survey.frontier(), frontier);
        prop_assert_eq!(survey.checked() + survey.implied(), problem.lattice().len());
        prop_assert_eq!(survey.present(), u64::try_from(present.len()).unwrap());
        prop_assert_eq!(stop, if present.is_empty() { StopReason::Infeasible } else { StopReason::Done });
    }

    #[test]
    fn the_nine_split_as_the_paper_says(case in cases()) {
        let problem = case.problem();
        for (strategy, column, value) in nine() {
            let (recoding, report) = search(&problem, strategy, Metric::Loss);
            let Some(expected) = naive::mpalm(&case, column, value) else {
                prop_assert_eq!((recoding, report.stop), (None, StopReason::Infeasible));
                continue;
            };
            let Some(Recoding::Regions(partition)) = recoding else { panic!("{strategy} found no regions") };
            prop_assert_eq!(report.stop, StopReason::Done);
            prop_assert_eq!(partition.len(), expected.len(), "{}", strategy);
            for (number, members) in (0..).zip(&expected) {
                prop_assert!(members.iter().all(|&index| partition.region_of()[index] == number), "{}", strategy);
            }
            check_partition(&case, &problem, &partition);
        }
    }

    #[test]
    fn a_search_that_is_stopped_still_keeps_delta(case in cases(), after in 0..12_u32) {
        let problem = case.problem();
        for strategy in Search::of_the_paper() {
            let mut left = after;
            let mut observer = |_: Step| {
                left = left.saturating_sub(1);
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let (recoding, report) = run(strategy, &problem, &Config::default(), &mut observer);
            prop_assert_eq!(recoding.is_none(), report.stop == StopReason::Infeasible);
            match &recoding {
                Some(Recoding::Regions(partition)) => check_partition(&case, &problem, partition),
                Some(recoding) => {
                    prop_assert!(Classes::of(&problem, recoding).satisfy(problem.policy()));
                }
                None => (),
            }
        }
        let mut left = after;
        let mut observer = |_: Step| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (survey, _) = survey(&problem, &mut observer);
        for (rank, steps) in (0..).zip(naive::nodes(&case)) {
            let state = survey.state(rank);
            prop_assert!(state == NodeState::Open || state.is_present() == naive::is_present(&case, &steps));
        }
    }

    #[test]
    fn a_node_groups_people_by_their_labels(case in cases(), pick in any::<prop::sample::Index>()) {
        let problem = case.problem();
        let nodes = naive::nodes(&case);
        let steps = pick.get(&nodes);
        let mut rollup = Rollup::new();
        let classes = rollup.number(&problem, node(&case, &problem, steps).levels());
        let expected = naive::classes(&case, steps);
        prop_assert_eq!(classes, expected.len());
        let mut known: HashMap<u32, Vec<String>> = HashMap::new();
        for (index, &class) in rollup.class_of().iter().enumerate() {
            let labels = naive::labels(&case, &problem.histogram().combination(index), steps);
            prop_assert_eq!(known.entry(class).or_insert_with(|| labels.clone()), &labels);
        }
        let mut counts: Vec<(u64, u64)> = expected.into_values().collect();
        let of_node = rollup.counts(&problem, node(&case, &problem, steps).levels());
        let mut found: Vec<(u64, u64)> = of_node.iter().map(|counts| (counts.public, counts.private)).collect();
        counts.sort_unstable();
        found.sort_unstable();
        prop_assert_eq!(found, counts);
    }

    // holds: One judge
    #[test]
    fn uniting_allowed_classes_keeps_the_policy(case in cases(), people in prop::collection::vec((1..50_u64, 0..50_u64), 2)) {
        let problem = case.problem();
        let policy = problem.policy();
        let classes: Vec<Counts> = people.iter().map(|&(public, private)| Counts::new(public, private.min(public))).collect();
        if classes.iter().all(|&class| policy.allows(class)) {
            prop_assert!(policy.allows(classes.into_iter().sum::<Counts>()));
        }
    }
}

/// 9,000 of the 24³ combinations of three quasi-identifiers without intermediate levels. One person
/// in seven is a member.
fn large_case() -> Case {
    let attribute = |kind| {
        let chains = (0..24).map(|leaf| vec![format!("leaf {leaf}"), "*".to_owned()]).collect();
        (kind, 0, chains)
    };
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut people = Vec::new();
    for combination in 0..24_u32.pow(3) {
        if draw(24_u64.pow(3)) < 9000 {
            let codes = vec![combination / 576, combination / 24 % 24, combination % 24];
            people.push((codes, 1 + draw(3), u64::from(draw(7) == 0)));
        }
    }
    Case {
        attributes: [Kind::Number, Kind::Category, Kind::Category].map(attribute).to_vec(),
        people,
        delta: [(0, 1), (1, 9)],
        empty_regions: EmptyRegions::Allow,
        k: None,
        k_map: None,
    }
}

/// The case is so large that threads share the regions and the search caches columns. The result
/// depends on neither.
#[test]
fn nine_strategies_split_large_tables_as_published() {
    let case = large_case();
    let problem = case.problem();
    for (strategy, column, value) in nine() {
        let (recoding, _) = search(&problem, strategy, Metric::Loss);
        let Some(Recoding::Regions(partition)) = recoding else { panic!("{strategy} found no regions") };
        let expected = naive::mpalm(&case, column, value).unwrap();
        assert!(expected.len() > 100, "{strategy} makes {} regions", expected.len());
        let mut region_of = vec![0; case.people.len()];
        for (number, members) in (0..).zip(&expected) {
            for &index in members {
                region_of[index] = number;
            }
        }
        assert!(partition.region_of() == region_of, "{strategy}");
    }
}
