//! SPALM on the paper's table and on drawn tables.

use super::*;
use crate::counts::floors::Floors;
use crate::nodes::known_failures::KnownFailures;
use crate::nodes::lattice_survey::survey;
use crate::{SearchReport, Step};
use palmtop_core::metrics::Metrics;
use palmtop_core::model::{
    Classes, Criteria, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, QuasiIdentifier,
};
use palmtop_core::progress::unwatched;

fn delta(min: &str, max: &str) -> Delta {
    Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
}

/// A problem from chains of labels, and from people with their leaves and their membership.
fn problem(attributes: &[(Kind, &[&[&str]])], people: &[(&[&str], bool)], delta: Delta) -> Problem {
    let hierarchy = |kind, chains: &[&[&str]]| {
        let owned = |chain: &&[&str]| chain.iter().map(|&text| text.to_owned()).collect();
        Hierarchy::new(kind, Level(0), &chains.iter().map(owned).collect::<Vec<Vec<String>>>()).unwrap()
    };
    let quasi: Vec<QuasiIdentifier> = attributes
        .iter()
        .map(|&(kind, chains)| QuasiIdentifier {
            name: chains[0][0].into(),
            hierarchy: hierarchy(kind, chains),
        })
        .collect();
    let column = |attribute: usize| {
        let codes =
            people.iter().map(|(values, _)| quasi[attribute].hierarchy.code(values[attribute]).unwrap());
        codes.collect()
    };
    let columns = (0..quasi.len()).map(column).collect();
    let counts = people.iter().map(|&(_, member)| Counts::new(1, u64::from(member))).collect();
    let histogram = Histogram::new(columns, counts).unwrap();
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
}

/// Table 1 of the paper: nine people a–i, T = {b, c, f, h, i}.
fn table_1(delta: Delta) -> Problem {
    let zips = ["47630", "47633", "47903", "47906", "48970", "48972", "48973"].map(|zip| {
        let masked = (0..=5).map(|kept| format!("{}{}", &zip[..5 - kept], "*".repeat(kept)));
        masked.map(|text| if text == "*****" { "*".to_owned() } else { text }).collect::<Vec<_>>()
    });
    let zips: Vec<Vec<&str>> = zips.iter().map(|chain| chain.iter().map(String::as_str).collect()).collect();
    let zips: Vec<&[&str]> = zips.iter().map(Vec::as_slice).collect();
    let ages: [&[&str]; 9] = [
        &["18", "<=40", "*"],
        &["22", "<=40", "*"],
        &["33", "<=40", "*"],
        &["35", "<=40", "*"],
        &["42", ">40", "*"],
        &["47", ">40", "*"],
        &["52", ">40", "*"],
        &["59", ">40", "*"],
        &["63", ">40", "*"],
    ];
    let nations: [&[&str]; 7] = [
        &["USA", "N. America", "America", "*"],
        &["Canada", "N. America", "America", "*"],
        &["Peru", "S. America", "America", "*"],
        &["Brazil", "S. America", "America", "*"],
        &["Spain", "Europe", "Europe", "*"],
        &["Bulgaria", "Europe", "Europe", "*"],
        &["France", "Europe", "Europe", "*"],
    ];
    let people: [(&[&str], bool); 9] = [
        (&["47906", "35", "USA"], false),
        (&["47903", "59", "Canada"], true),
        (&["47906", "42", "USA"], true),
        (&["47630", "18", "Brazil"], false),
        (&["47630", "22", "Brazil"], false),
        (&["47633", "63", "Peru"], true),
        (&["48973", "33", "Spain"], false),
        (&["48972", "47", "Bulgaria"], true),
        (&["48970", "52", "France"], true),
    ];
    let attributes = [(Kind::Category, &zips[..]), (Kind::Number, &ages), (Kind::Category, &nations)];
    problem(&attributes, &people, delta)
}

#[test]
fn table_1_has_six_nodes_that_keep_delta() {
    let problem = table_1(delta("1/2", "2/3"));
    let (survey, stop) = survey(&problem, &mut unwatched);
    assert_eq!((survey.lattice().len(), survey.present(), stop), (72, 6, StopReason::Done));
    let frontier: Vec<String> = survey.frontier().iter().map(ToString::to_string).collect();
    let node = problem.lattice().node(&[Level(3), Level(2), Level(2)]).unwrap();
    assert!(frontier.contains(&node.to_string()), "{frontier:?}");
    let classes = Classes::of(&problem, &Recoding::Node(node));
    let counts: Vec<Counts> = classes.all_counts().collect();
    assert_eq!(counts, [Counts::new(6, 3), Counts::new(3, 2)]);
}

#[test]
fn an_infeasible_delta_is_known_before_any_search() {
    let problem = table_1(delta("0", "1/2"));
    let (recoding, report) = spalm(&problem, &Config::default(), &mut |_| panic!("no search"));
    assert_eq!((recoding, report.stop), (None, StopReason::Infeasible));
}

#[test]
fn stopped_search_still_returns_a_node_keeping_delta() {
    let problem = table_1(delta("1/2", "2/3"));
    let (recoding, report) = spalm(&problem, &Config::default(), &mut |_| ControlFlow::Break(()));
    assert!(Classes::of(&problem, &recoding.unwrap()).satisfy(problem.policy()));
    assert_eq!(report.stop, StopReason::Cancelled);
}

/// A way to hold failures, and the order of a search with it.
trait Way<W: Tally> {
    type Failures: KnownFailures<W>;

    fn none(floors: &Floors) -> Self::Failures;

    fn order(search: &mut CheapestSearch<W, Self::Failures>, pace: &mut Pace) -> ControlFlow<()>;
}

/// Marks on all nodes.
struct Marks;

/// A list of failures.
struct List;

impl<W: Tally> Way<W> for Marks {
    type Failures = FailureIndex<W>;

    fn none(floors: &Floors) -> FailureIndex<W> {
        FailureIndex::new(floors.index(OPEN_LIMIT).unwrap())
    }

    fn order(search: &mut CheapestSearch<W, FailureIndex<W>>, pace: &mut Pace) -> ControlFlow<()> {
        cheapest_first(search, pace)
    }
}

impl<W: Tally> Way<W> for List {
    type Failures = Antichain;

    fn none(floors: &Floors) -> Antichain {
        Antichain::new(floors.spans())
    }

    fn order(search: &mut CheapestSearch<W, Antichain>, pace: &mut Pace) -> ControlFlow<()> {
        branch_and_bound(search, pace)
    }
}

/// Searches in one way.
fn searched<V: Way<W>, W: Tally>(
    problem: &Problem,
    metric: Metric,
    observer: &mut Observer,
) -> ControlFlow<(), (Option<Recoding>, SearchReport)> {
    let pace = &mut Pace::new(observer, 0);
    let floors = Floors::of(problem, pace)?;
    let search = CheapestSearch::<W, _>::cheapest(problem, metric, V::none(&floors), floors, pace)?;
    ControlFlow::Continue(search.find(V::order, pace))
}

/// The node that a search finds in one way.
fn found<V: Way<W>, W: Tally>(problem: &Problem, metric: Metric) -> Option<Recoding> {
    searched::<V, W>(problem, metric, &mut unwatched).continue_value().expect("nothing stops it").0
}

#[test]
fn every_failure_store_and_tally_finds_equal_nodes() {
    for case in 0..300_u32 {
        let problem = scattered(case);
        for metric in Metric::ALL {
            let k = (case % 7 + 1).to_string();
            let strict = problem.with_criteria(Criteria::read([("k", k.as_str())]).unwrap());
            if strict.feasibility().holds() {
                assert_eq!(
                    found::<List, Counts>(&strict, metric),
                    found::<Marks, Counts>(&strict, metric),
                    "{case} {metric:?} k {k}"
                );
            }
            let expected = found::<Marks, Counts>(&problem, metric);
            assert_eq!(found::<Marks, Both>(&problem, metric), expected, "{case} {metric:?}");
            assert_eq!(found::<List, Counts>(&problem, metric), expected, "{case} {metric:?}");
            assert_eq!(found::<List, Both>(&problem, metric), expected, "{case} {metric:?}");
            if problem.delta().min().numerator() == 0 {
                assert_eq!(found::<Marks, Over>(&problem, metric), expected, "{case} {metric:?}");
                assert_eq!(found::<List, Over>(&problem, metric), expected, "{case} {metric:?}");
            }
        }
    }
}

#[test]
fn search_within_a_limit_finds_the_best_node() {
    for case in 0..120_u32 {
        let problem = scattered(case);
        for metric in Metric::ALL {
            let config = Config { metric, ..Config::default() };
            let below = |most| spalm_below(&problem, &config, most, &mut Pace::new(&mut unwatched, 0)).0;
            let Some(best) = below(None) else { continue };
            let value =
                |found: &Recoding| Metrics::of(&problem, found, &Classes::of(&problem, found)).value(metric);
            let least = value(&best);
            assert_eq!(below(Some(least)).as_ref(), Some(&best), "{case} {metric:?}");
            assert_eq!(below(Some(least * 1.5)).as_ref(), Some(&best), "{case} {metric:?}");
            let none = below(Some(least * 0.9 - 0.001));
            assert!(none.is_none_or(|found| value(&found) >= least), "{case} {metric:?}");
        }
    }
}

/// The report of a search that is stopped after a number of steps.
fn stopped<V: Way<Counts>>(problem: &Problem, metric: Metric, after: u32) -> Option<SearchReport> {
    let mut left = after;
    let mut observer = |_: Step| {
        left = left.saturating_sub(1);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    Some(searched::<V, Counts>(problem, metric, &mut observer).continue_value()?.1)
}

#[test]
fn stopped_search_proves_a_true_lower_bound() {
    let (mut bounds, mut raised) = ([0, 0], [0, 0]);
    for case in 0..120_u32 {
        let problem = scattered(case);
        for metric in Metric::ALL {
            let config = Config { metric, ..Config::default() };
            let (Some(best), report) = spalm(&problem, &config, &mut unwatched) else { continue };
            assert_eq!((report.stop, report.lower), (StopReason::Done, None));
            let classes = Classes::of(&problem, &best);
            let least = Metrics::of(&problem, &best, &classes).value(metric);
            let mut before = [0.0; 2];
            for after in [1, 2, 4, 8, 16, 32, 64] {
                let reports =
                    [stopped::<Marks>(&problem, metric, after), stopped::<List>(&problem, metric, after)];
                for (way, report) in reports.into_iter().enumerate() {
                    let Some(lower) = report.and_then(|report| report.lower) else { continue };
                    assert!(
                        before[way] <= lower && lower <= least,
                        "{case} {metric:?}: {} {lower} {least}",
                        before[way]
                    );
                    bounds[way] += 1;
                    raised[way] += u32::from(lower > before[way]);
                    before[way] = lower;
                }
            }
        }
    }
    assert!(bounds.iter().chain(&raised).all(|&count| count > 100), "{bounds:?}, {raised:?} of them raised");
}

/// 120 people over five quasi-identifiers with eight leaves, in pairs and fours, drawn by a
/// linear congruential generator.
fn scattered(case: u32) -> Problem {
    let mut state = u64::from(case) * 2 + 1;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let chain =
        |leaf: u32| vec![format!("{leaf}"), format!("p{}", leaf / 2), format!("q{}", leaf / 4), "*".into()];
    let chains: Vec<Vec<String>> = (0..8).map(chain).collect();
    let quasi = (0..5).map(|position| QuasiIdentifier {
        name: format!("q{position}"),
        hierarchy: Hierarchy::new(Kind::Category, Level(0), &chains).unwrap(),
    });
    let mut people = std::collections::BTreeMap::new();
    for _ in 0..120 {
        let codes: Vec<u32> = (0..5).map(|_| u32::try_from(draw(8) * draw(8) / 7).unwrap()).collect();
        let private = u64::from(draw(5) == 0);
        *people.entry(codes).or_insert(Counts::default()) += Counts::new(1, private);
    }
    let columns = (0..5).map(|a| people.keys().map(|codes: &Vec<u32>| codes[a]).collect()).collect();
    let histogram = Histogram::new(columns, people.values().copied().collect()).unwrap();
    let share = histogram.total();
    let min = palmtop_core::model::Presence::new(share.private * draw(4), share.public * 4).unwrap();
    let max = palmtop_core::model::Presence::new(
        (share.private * (draw(6) + 2) / 2).min(share.public),
        share.public,
    )
    .unwrap();
    Problem::new(quasi.collect(), histogram, Delta::new(min, max).unwrap(), EmptyRegions::Allow).unwrap()
}
