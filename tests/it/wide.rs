//! Searches of wide tables: a search stops soon after the caller asks, and a table that is too
//! large gives an error.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use palmtop::metrics::{Metric, Metrics};
use palmtop::model::{
    Classes, Code, Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Problem, QuasiIdentifier,
};
use palmtop::search::{Config, LatticeSurvey, Step, StopReason, Strategy, bound, run, survey};

/// An observer asks for a stop after `PATIENCE`. The search must end within `HEARD`.
const PATIENCE: Duration = Duration::from_millis(50);
const HEARD: Duration = Duration::from_secs(2);

/// People scattered over this many quasi-identifiers of `leaves` values each. One person in ten is
/// a member; δmax = 1/2.
fn scattered(width: usize, people: usize, leaves: u64, levels: u32) -> Problem {
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let chain = |leaf: u64| -> Vec<String> {
        let label = |level: u32| format!("{level}:{}", leaf / 2_u64.pow(level));
        (0..levels - 1).map(label).chain(["*".to_owned()]).collect()
    };
    let chains: Vec<Vec<String>> = (0..leaves).map(chain).collect();
    let hierarchy = Hierarchy::new(Kind::Category, Level(0), &chains).unwrap();
    let quasi =
        (0..width).map(|index| QuasiIdentifier { name: format!("c{index}"), hierarchy: hierarchy.clone() });
    let mut combinations = std::collections::BTreeMap::new();
    for person in 0..people {
        let codes: Vec<Code> = (0..width).map(|_| Code::try_from(draw(leaves)).unwrap()).collect();
        *combinations.entry(codes).or_insert(Counts::default()) +=
            Counts::new(1, u64::from(person % 10 == 0));
    }
    let columns = (0..width).map(|index| combinations.keys().map(|codes: &Vec<Code>| codes[index]).collect());
    let histogram = Histogram::new(columns.collect(), combinations.values().copied().collect()).unwrap();
    let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
    Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).unwrap()
}

/// An observer that stops the search after its patience, and counts how often it was asked.
struct Impatient {
    began: Instant,
    asked: u64,
}

impl Impatient {
    fn new() -> Self {
        Self { began: Instant::now(), asked: 0 }
    }

    fn ask(&mut self, _: Step) -> ControlFlow<()> {
        self.asked += 1;
        if self.began.elapsed() < PATIENCE { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    #[track_caller]
    fn was_heard(&self, what: &str) {
        let took = self.began.elapsed();
        assert!(took < HEARD, "{what} took {took:?}, and asked {} times", self.asked);
    }
}

fn all_hear(problem: &Problem, what: &str) {
    for strategy in Strategy::all() {
        for metric in [Metric::Loss, Metric::Discernibility] {
            let mut observer = Impatient::new();
            let config = Config { metric, ..Config::default() };
            let (found, report) = run(strategy, problem, &config, &mut |step| observer.ask(step));
            let name = format!("{strategy} by {} on {what}", metric.name());
            observer.was_heard(&name);
            let is_complete = matches!(report.stop, StopReason::Done | StopReason::TooLarge { .. });
            assert!(is_complete || report.stop == StopReason::Cancelled, "{name}: {report:?}");
            let wants = strategy == Strategy::Spalm || strategy == Strategy::Best;
            assert!(!wants || found.is_some(), "{name}: {report:?}");
        }
    }
    let mut observer = Impatient::new();
    survey(problem, &mut |step| observer.ask(step));
    observer.was_heard(&format!("the survey of {what}"));
    let mut observer = Impatient::new();
    let _ = bound(problem, &mut |step| observer.ask(step));
    observer.was_heard(&format!("the bound on {what}"));
}

#[test]
fn every_search_of_many_nodes_hears() {
    all_hear(&scattered(20, 100, 4, 2), "20 columns of two levels");
    all_hear(&scattered(23, 2_000, 4, 2), "23 columns of two levels");
    all_hear(&scattered(14, 2_000, 8, 3), "14 columns of three levels");
}

#[test]
fn every_search_of_26_columns_hears() {
    all_hear(&scattered(26, 100, 4, 2), "26 columns");
    all_hear(&scattered(26, 20_000, 40, 4), "26 columns of many people");
}

// holds: Watched to the end
#[test]
fn every_search_of_200_columns_hears() {
    all_hear(&scattered(200, 100, 4, 2), "200 columns");
    all_hear(&scattered(200, 10_000, 100, 5), "200 columns of many people");
}

#[test]
fn a_stopped_wide_spalm_has_proven_a_bound() {
    let problem = scattered(24, 2_000, 16, 5);
    let mut shown = None;
    let mut observer = |step: Step| {
        shown = step.stage.lower.filter(|lower| *lower > 0.05);
        if shown.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (found, report) = run(Strategy::Spalm, &problem, &Config::default(), &mut observer);
    let found = found.unwrap();
    let classes = Classes::of(&problem, &found);
    assert!(classes.satisfy(problem.policy()));
    let loss = Metrics::of(&problem, &found, &classes).loss.mean();
    assert_eq!((report.stop, report.lower), (StopReason::Cancelled, shown));
    assert!(shown.unwrap() <= loss, "{shown:?} {loss}");
}

#[test]
fn what_is_too_large_is_not_called_cancelled() {
    let problem = scattered(26, 100, 4, 2);
    let too_large = StopReason::TooLarge { nodes: 1 << 26, limit: LatticeSurvey::LIMIT };
    let nobody = &mut |_: Step| panic!("nothing is searched");
    let (surveyed, stop) = survey(&problem, nobody);
    assert_eq!((surveyed.frontier(), stop, stop.as_str()), (&[][..], too_large, "too-large"));
}
