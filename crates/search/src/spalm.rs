//! SPALM (single-dimensional presence algorithm), exact: the δ-present node of least cost (paper,
//! section 5).

use std::ops::ControlFlow;

use super::antichain::Antichain;
use super::base_counts::{BaseCounts, Failure};
use super::floors::Floors;
use super::objective::{Objective, Priced};
use super::open::Open;
use super::pace::Pace;
use super::tally::{Both, Form, Over, Tally};
use super::{Config, Observer, SearchReport, SearchStage, Step, StopReason, withdrawal};
use palmtop_core::metrics::Metric;
use palmtop_core::model::size;
use palmtop_core::model::{Counts, Node, Problem, Recoding};

/// The largest number of nodes above the floors for which a search holds a mark for each node.
const OPEN_LIMIT: usize = 1 << 20;
/// The relative error that rounding may add to a cost.
const ROUNDING: f64 = 1e-8;

/// Finds the δ-present node that costs least by the metric. Ties are broken by the least height,
/// then by lexicographic order.
///
/// # Algorithm
/// Line 7 of the paper's algorithm prunes "siblings and grandsiblings", which must mean *all
/// specializations*. This search reverses the paper's order. It counts the cheapest node that is
/// not known to fail.
/// - If the node keeps δ, it is the answer, because every cheaper node fails.
/// - Otherwise, one class that breaks δ there proves that many other nodes fail, too, and the search
///   continues.
///
/// Each count removes at least one node. The top keeps δ if the problem is feasible, so that the
/// search ends. If the lattice has too many nodes to hold, a branch and bound does the same with a
/// list of failures (`Antichain`).
///
/// # Why the answer is a minimal δ-present node
/// A generalization's classes are unions of classes, and its labels denote at least as many leaves.
/// So neither loss falls along generalization, and neither does discernibility, because (a + b)² ≥
/// a² + b². The height grows, so that a specialization wins a tie. Hence the order (cost, height,
/// lexicographic rank) strictly grows along generalization, and its least δ-present node has no
/// δ-present specialization.
///
/// # Withdrawal
/// If the policy permits the withdrawal of members, these arguments do not hold. Another search
/// then finds the best node together with the classes to withdraw (module `withdrawal`).
///
/// # Stopping
/// If the observer stops the search, it returns the best δ-present node so far and a lower bound on
/// the cost of all δ-present nodes: every cheaper node is known to fail.
pub fn spalm(
    problem: &Problem,
    config: &Config,
    observer: &mut Observer,
) -> (Option<Recoding>, SearchReport) {
    spalm_at(problem, config, &mut Pace::new(observer, problem.lattice().len()))
}

/// Runs [`spalm`] with a given pace.
pub(super) fn spalm_at(
    problem: &Problem,
    config: &Config,
    pace: &mut Pace,
) -> (Option<Recoding>, SearchReport) {
    spalm_below(problem, config, None, pace)
}

/// Runs [`spalm_at`] for a caller that needs no node with a metric above `most`. The search skips
/// work that only such nodes need.
pub(super) fn spalm_below(
    problem: &Problem,
    config: &Config,
    most: Option<f64>,
    pace: &mut Pace,
) -> (Option<Recoding>, SearchReport) {
    if withdrawal::is_feasible(problem) {
        return withdrawal::search(problem, config.metric, pace);
    }
    let feasibility = problem.feasibility();
    if !feasibility.holds() {
        let nodes = Some(problem.lattice().len());
        let report = SearchReport {
            nodes,
            checked: Some(0),
            implied: nodes,
            ..SearchReport::without_nodes(StopReason::Infeasible)
        };
        return (None, report);
    }
    let found = match Form::of(problem.policy(), feasibility.total) {
        Form::Over => search::<Over>(problem, config.metric, most, pace),
        Form::Both => search::<Both>(problem, config.metric, most, pace),
        Form::Whole => search::<Counts>(problem, config.metric, most, pace),
    };
    match found {
        ControlFlow::Continue(found) => found,
        // The search was stopped before its first node. The top keeps δ, because δ is feasible.
        ControlFlow::Break(()) => {
            let report = SearchReport {
                nodes: Some(problem.lattice().len()),
                checked: Some(0),
                implied: Some(0),
                ..SearchReport::without_nodes(StopReason::Cancelled)
            };
            (Some(Recoding::Node(problem.lattice().top())), report)
        }
    }
}

/// Searches with one form of tallies. The number of nodes decides how failures are held. Breaks if
/// the search was stopped before its first step.
fn search<W: Tally>(
    problem: &Problem,
    metric: Metric,
    most: Option<f64>,
    pace: &mut Pace,
) -> ControlFlow<(), (Option<Recoding>, SearchReport)> {
    let floors = Floors::of(problem, pace)?;
    ControlFlow::Continue(if let Some(index) = floors.index(OPEN_LIMIT) {
        SpalmSearch::<W, Open<W>>::new(problem, metric, floors, Open::new(index), pace)?
            .within(most)
            .run(pace)
    } else {
        let failures = Antichain::new(&floors);
        SpalmSearch::<W, Antichain>::new(problem, metric, floors, failures, pace)?.within(most).run(pace)
    })
}

/// The nodes that are known to fail, and the order in which a search visits the others.
pub(super) trait Failures<W: Tally>: Sized {
    /// Whether a node is known to fail.
    fn covers(&self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool>;

    /// Records a failing node and what follows from its failure. If the observer stops it, some
    /// consequences may be missing.
    fn learn(
        &mut self,
        base_counts: &mut BaseCounts<W>,
        steps: &[u8],
        failure: Failure,
        pace: &mut Pace,
    ) -> ControlFlow<()>;

    /// The number of nodes above the floors that are not known to fail; `None` if it is not
    /// counted.
    fn open(&self) -> Option<u64>;

    /// Searches until the best node so far is proven to be the best of all.
    fn search(search: &mut SpalmSearch<W, Self>, pace: &mut Pace) -> ControlFlow<()>;
}

/// The state of a search.
pub(super) struct SpalmSearch<W, F> {
    pub(super) floors: Floors,
    pub(super) base_counts: BaseCounts<W>,
    pub(super) objective: Objective,
    pub(super) failures: F,
    nodes: u64,
    /// The number of nodes that were counted and fail.
    pub(super) failed: u64,
    /// The nodes that were counted and keep δ.
    present: Vec<Node>,
    /// The best node that is known to keep δ.
    pub(super) best: Priced,
    /// The metric of the best node.
    metric: f64,
    /// The proven lower bound on the metric of δ-present nodes.
    lower: Option<f64>,
    /// The [`Priced::value`] above which the caller needs no node.
    pub(super) limit: f64,
}

impl<W: Tally, F: Failures<W>> SpalmSearch<W, F> {
    fn new(
        problem: &Problem,
        metric: Metric,
        floors: Floors,
        failures: F,
        pace: &mut Pace,
    ) -> ControlFlow<(), Self> {
        let mut base_counts = BaseCounts::new(problem, &floors, pace)?;
        let objective = Objective::of(problem, metric, floors.levels(), pace)?;
        let present: Vec<Node> =
            floors.checked().iter().filter(|(_, present)| *present).map(|(node, _)| node.clone()).collect();
        // The top is the first of them.
        let top = floors.spans().iter().map(|&span| size::steps(span - 1)).collect();
        let mut best = objective.price(&mut base_counts, top, pace)?;
        for steps in present.iter().skip(1).filter_map(|node| floors.steps_of(node)) {
            let next = objective.price(&mut base_counts, steps, pace)?;
            if objective.compare(&next, &best).is_lt() {
                best = next;
            }
        }
        ControlFlow::Continue(Self {
            metric: objective.metric(&floors.node(&best.steps), &best),
            best,
            lower: None,
            limit: f64::INFINITY,
            failures,
            nodes: floors.lattice().len(),
            failed: (floors.checked().len() - present.len()) as u64,
            present,
            base_counts,
            objective,
            floors,
        })
    }

    /// Restricts the search to nodes whose metric is at most `most`.
    fn within(self, most: Option<f64>) -> Self {
        let limit =
            most.map_or(f64::INFINITY, |most| self.objective.value_at(most, self.floors.spans().len()));
        Self { limit, ..self }
    }

    /// Whether a cost is above the limit by more than rounding.
    pub(super) fn is_useless(&self, value: f64) -> bool {
        value > self.limit * (1.0 + ROUNDING)
    }

    fn run(mut self, pace: &mut Pace) -> (Option<Recoding>, SearchReport) {
        let found = F::search(&mut self, pace);
        let stop = if found.is_continue() { StopReason::Done } else { StopReason::Cancelled };
        let node = self.floors.node(&self.best.steps);
        let report = self.report(stop);
        (Some(Recoding::Node(node)), report)
    }

    /// Counts a node unless it is known to keep δ. Records the failure if it fails.
    pub(super) fn keeps_delta(&mut self, steps: &[u8], pace: &mut Pace) -> ControlFlow<(), bool> {
        let node = self.floors.node(steps);
        if self.present.contains(&node) {
            return ControlFlow::Continue(true);
        }
        pace.report(self.step())?;
        let Some(failure) = self.base_counts.breaks(steps, pace)? else {
            self.present.push(node);
            return ControlFlow::Continue(true);
        };
        self.failed += 1;
        self.failures.learn(&mut self.base_counts, steps, failure, pace)?;
        ControlFlow::Continue(false)
    }

    /// Descends from the best node so far to a minimal δ-present node. Each step goes to the
    /// cheapest δ-present specialization.
    pub(super) fn descend(&mut self, pace: &mut Pace) -> ControlFlow<()> {
        'down: loop {
            let mut finer: Vec<Priced> = Vec::new();
            for attribute in 0..self.best.steps.len() {
                if let Some(steps) = one_finer(&self.best.steps, attribute) {
                    pace.spend(steps.len())?;
                    finer.push(self.objective.price(&mut self.base_counts, steps, pace)?);
                }
            }
            finer.sort_by(|left, right| self.objective.compare(left, right));
            for node in finer {
                if !self.failures.covers(&node.steps, pace)? && self.keeps_delta(&node.steps, pace)? {
                    self.settle(node);
                    continue 'down;
                }
            }
            return ControlFlow::Continue(());
        }
    }

    /// Records that no node below this [`Priced::value`] keeps δ.
    pub(super) fn prove(&mut self, value: f64) {
        let metric = self.objective.metric_at(value * (1.0 - ROUNDING), self.floors.spans().len()).max(0.0);
        self.lower = self.lower.into_iter().chain([metric]).reduce(f64::max);
    }

    /// Replaces the best node so far.
    pub(super) fn settle(&mut self, best: Priced) {
        self.metric = self.objective.metric(&self.floors.node(&best.steps), &best);
        self.best = best;
    }

    /// The progress of the search.
    pub(super) fn step(&self) -> Step {
        let decided = self.failing().unwrap_or(self.failed) + self.present.len() as u64;
        let stage = SearchStage { best: Some(self.metric), lower: self.lower, rounds: None };
        Step { stage, done: decided.min(self.nodes), total: self.nodes }
    }

    /// The number of nodes that are known to fail, including all nodes below a floor.
    fn failing(&self) -> Option<u64> {
        Some(self.nodes - self.failures.open()?)
    }

    fn report(&self, stop: StopReason) -> SearchReport {
        let best = self.floors.node(&self.best.steps);
        let above = self.best.steps.iter().zip(self.floors.spans());
        let above = above.map(|(&step, span)| (span - usize::from(step)) as u64);
        let elsewhere = self.present.iter().filter(|node| !node.generalizes(&best)).count() as u64;
        let checked = self.failed + self.present.len() as u64;
        let decided = self.failing().map(|failing| failing + above.product::<u64>() + elsewhere);
        SearchReport {
            nodes: Some(self.nodes),
            checked: Some(checked),
            implied: decided.map(|decided| decided - checked),
            lower: self.lower.filter(|_| stop.is_early()).map(|lower| lower.min(self.metric)),
            ..SearchReport::without_nodes(stop)
        }
    }
}

/// The node one step finer in one quasi-identifier, if it exists.
pub(super) fn one_finer(steps: &[u8], attribute: usize) -> Option<Vec<u8>> {
    let mut finer = steps.to_vec();
    finer[attribute] = finer[attribute].checked_sub(1)?;
    Some(finer)
}

#[cfg(test)]
mod tests {
    use super::super::lattice_survey::survey;
    use super::*;
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
        let zips: Vec<Vec<&str>> =
            zips.iter().map(|chain| chain.iter().map(String::as_str).collect()).collect();
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
    fn six_of_the_72_nodes_of_table_1_keep_its_delta() {
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
    fn a_search_that_is_stopped_at_once_returns_a_node_that_keeps_delta() {
        let problem = table_1(delta("1/2", "2/3"));
        let (recoding, report) = spalm(&problem, &Config::default(), &mut |_| ControlFlow::Break(()));
        assert!(Classes::of(&problem, &recoding.unwrap()).satisfy(problem.policy()));
        assert_eq!(report.stop, StopReason::Cancelled);
    }

    /// The node that a search finds with one way to hold failures.
    fn found<F: Failures<W>, W: Tally>(
        problem: &Problem,
        metric: Metric,
        failures: impl Fn(&Floors) -> F,
    ) -> Option<Recoding> {
        let mut observer = unwatched;
        let pace = &mut Pace::new(&mut observer, 0);
        let ControlFlow::Continue(floors) = Floors::of(problem, pace) else { panic!("nobody stops it") };
        let failures = failures(&floors);
        let search = SpalmSearch::<W, F>::new(problem, metric, floors, failures, pace);
        let ControlFlow::Continue(search) = search else { panic!("nobody stops it") };
        search.run(pace).0
    }

    fn open<W: Tally>(floors: &Floors) -> Open<W> {
        Open::new(floors.index(OPEN_LIMIT).unwrap())
    }

    #[test]
    fn every_way_to_hold_failures_and_every_tally_finds_the_same_node() {
        for case in 0..300_u32 {
            let problem = scattered(case);
            for metric in Metric::ALL {
                let k = (case % 7 + 1).to_string();
                let strict = problem.with_criteria(Criteria::read([("k", k.as_str())]).unwrap());
                if strict.feasibility().holds() {
                    assert_eq!(
                        found::<_, Counts>(&strict, metric, Antichain::new),
                        found::<_, Counts>(&strict, metric, open),
                        "{case} {metric:?} k {k}"
                    );
                }
                let expected = found::<_, Counts>(&problem, metric, open);
                assert_eq!(found::<_, Both>(&problem, metric, open), expected, "{case} {metric:?}");
                assert_eq!(
                    found::<_, Counts>(&problem, metric, Antichain::new),
                    expected,
                    "{case} {metric:?}"
                );
                assert_eq!(found::<_, Both>(&problem, metric, Antichain::new), expected, "{case} {metric:?}");
                if problem.delta().min().numerator() == 0 {
                    assert_eq!(found::<_, Over>(&problem, metric, open), expected, "{case} {metric:?}");
                    assert_eq!(
                        found::<_, Over>(&problem, metric, Antichain::new),
                        expected,
                        "{case} {metric:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn within_a_limit_the_best_node_is_found_and_no_worse_one_is_taken_for_it() {
        for case in 0..120_u32 {
            let problem = scattered(case);
            for metric in Metric::ALL {
                let config = Config { metric, ..Config::default() };
                let below = |most| spalm_below(&problem, &config, most, &mut Pace::new(&mut unwatched, 0)).0;
                let Some(best) = below(None) else { continue };
                let value = |found: &Recoding| {
                    Metrics::of(&problem, found, &Classes::of(&problem, found)).value(metric)
                };
                let least = value(&best);
                assert_eq!(below(Some(least)).as_ref(), Some(&best), "{case} {metric:?}");
                assert_eq!(below(Some(least * 1.5)).as_ref(), Some(&best), "{case} {metric:?}");
                let none = below(Some(least * 0.9 - 0.001));
                assert!(none.is_none_or(|found| value(&found) >= least), "{case} {metric:?}");
            }
        }
    }

    /// The report of a search that is stopped after a number of steps.
    fn stopped<F: Failures<Counts>>(
        problem: &Problem,
        metric: Metric,
        after: u32,
        failures: impl Fn(&Floors) -> F,
    ) -> Option<SearchReport> {
        let mut left = after;
        let mut observer = |_: Step| {
            left = left.saturating_sub(1);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let pace = &mut Pace::new(&mut observer, 0);
        let floors = Floors::of(problem, pace).continue_value()?;
        let failures = failures(&floors);
        let search = SpalmSearch::<Counts, F>::new(problem, metric, floors, failures, pace);
        Some(search.continue_value()?.run(pace).1)
    }

    #[test]
    fn a_search_that_is_stopped_proves_a_bound_that_no_node_is_below() {
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
                    let reports = [
                        stopped(&problem, metric, after, open),
                        stopped(&problem, metric, after, Antichain::new),
                    ];
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
        assert!(
            bounds.iter().chain(&raised).all(|&count| count > 100),
            "{bounds:?}, {raised:?} of them raised"
        );
    }

    /// 120 people over five quasi-identifiers with eight leaves, in pairs and fours, drawn by a
    /// linear congruential generator.
    fn scattered(case: u32) -> Problem {
        let mut state = u64::from(case) * 2 + 1;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let chain = |leaf: u32| {
            vec![format!("{leaf}"), format!("p{}", leaf / 2), format!("q{}", leaf / 4), "*".into()]
        };
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
}
