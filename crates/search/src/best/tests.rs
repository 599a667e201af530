//! The opening in small counted steps, of which the paper's strategies take many.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::ControlFlow;

use super::grow::growth::{self, Growth};
use super::setting::Setting;
use super::*;
use crate::regions::column_table::ColumnTable;
use crate::{Strategy, run};
use palmtop_core::metrics::Metric;
use palmtop_core::model::{
    Classes, Code, Counts, Cuts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, Levels, Presence,
    QuasiIdentifier,
};
use palmtop_core::progress::unwatched;

/// The numbers of a linear congruential generator.
struct Draws(u64);

impl Draws {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

/// People over columns of 16 values each, of which the first are by far the most frequent. One
/// person in `rarity` is a member.
fn skewed(seed: u64, width: usize, people: u64, rarity: u64) -> Problem {
    let mut draws = Draws(seed * 2 + 1);
    let chain = |leaf: u64| {
        vec![format!("{leaf:02}"), format!("p{}", leaf / 2), format!("q{}", leaf / 8), "*".into()]
    };
    let chains: Vec<Vec<String>> = (0..16).map(chain).collect();
    let kind = |column: usize| if column.is_multiple_of(2) { Kind::Number } else { Kind::Category };
    let quasi = (0..width).map(|column| QuasiIdentifier {
        name: format!("q{column}"),
        hierarchy: Hierarchy::new(kind(column), Level(0), &chains).unwrap(),
    });
    let mut combinations: BTreeMap<Vec<Code>, Counts> = BTreeMap::new();
    for person in 0..people {
        let value = |draws: &mut Draws| draws.below(16) * draws.below(16) / 16;
        let codes = (0..width).map(|_| Code::try_from(value(&mut draws)).unwrap()).collect();
        let is_member = person == 0 || draws.below(rarity) == 0;
        *combinations.entry(codes).or_default() += Counts::new(1, u64::from(is_member));
    }
    let columns = (0..width)
        .map(|column| combinations.keys().map(|codes: &Vec<Code>| codes[column]).collect())
        .collect();
    let histogram = Histogram::new(columns, combinations.values().copied().collect()).unwrap();
    let total = histogram.total();
    let max = Presence::new((total.private * 3).min(total.public), total.public).unwrap();
    let delta = Delta::new(Presence::ZERO, max).unwrap();
    Problem::new(quasi.collect(), histogram, delta, EmptyRegions::Allow).unwrap()
}

fn in_steps(
    problem: &Problem,
    config: &Config,
    work: u64,
    observer: &mut Observer,
) -> (Recoding, SearchReport) {
    let (found, report) = watched(observer, |pool| search(problem, config, work, pool));
    (found.unwrap(), report)
}

/// Tries every limit of opening steps, and returns the number of steps of the opening.
///
/// No loss is above that of a smaller limit. Each release satisfies the policy. The same limit
/// gives the same release. The last release is no worse than those of the paper's ten strategies.
fn try_every_budget(problem: &Problem, metric: Metric, work: u64) -> u64 {
    let config = Config { metric, ..Config::default() };
    let mut before = f64::INFINITY;
    for steps in 0.. {
        let config = Config { opening: Some(steps), ..config };
        let (found, report) = in_steps(problem, &config, work, &mut unwatched);
        assert!(Classes::of(problem, &found).satisfy(problem.policy()), "{metric:?}, {steps} steps");
        let value = value_of(problem, &found, metric);
        assert!(value <= before, "{metric:?}, {steps} steps: {value} after {before}");
        before = value;
        if steps.is_multiple_of(7) {
            assert_eq!(in_steps(problem, &config, work, &mut unwatched).0, found, "{steps} steps again");
        }
        if report.opening.is_none() {
            for strategy in Strategy::of_the_paper() {
                let (paper, _) = run(strategy, problem, &config, &mut unwatched);
                let paper = value_of(problem, &paper.unwrap(), metric);
                assert!(value <= paper, "{metric:?}: {value} and {paper} by {strategy}");
            }
            return steps;
        }
        assert_eq!((report.opening, report.stop), (Some(steps), StopReason::Rounds));
    }
    unreachable!("a search ends")
}

#[test]
fn larger_budget_never_loses_more() {
    let mut total = 0;
    for seed in 0..24 {
        let problem = skewed(seed, 2 + usize::try_from(seed % 3).unwrap(), 120 + seed * 20, 4 + seed % 9);
        for metric in Metric::ALL {
            total += try_every_budget(&problem, metric, 1 << 8);
        }
    }
    // If each strategy took one step, there would be 10 steps, and some for the trees.
    assert!(total > 24 * 4 * 30, "{total} steps");
}

/// The same people, with numbers that may be missing and at most two terms in the last column.
fn with_missing_and_terms(problem: &Problem) -> Problem {
    let mut quasi = problem.quasi().to_vec();
    for attribute in quasi.iter_mut().filter(|attribute| attribute.hierarchy.kind().is_ordered()) {
        attribute.hierarchy = attribute.hierarchy.clone().with_missing("00");
    }
    let (histogram, delta) = (problem.histogram().clone(), problem.delta());
    let terms = (0..quasi.len()).map(|column| NonZeroU32::new(2).filter(|_| column + 1 == quasi.len()));
    let terms = terms.collect();
    Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap().with_terms(terms)
}

/// The metric of a release by its definition, from the texts of its classes.
#[expect(clippy::cast_precision_loss, reason = "small numbers of a test")]
fn readable_by_hand(problem: &Problem, found: &Recoding) -> f64 {
    let classes = Classes::of(problem, found);
    let mut sum = 0.0;
    for class in classes.iter() {
        for text in class.texts(problem) {
            // No label of these tables has a comma or a brace, and only a range has a bracket.
            let (around, inside) =
                text.split_once('{').map_or(("", text.as_str()), |(around, rest)| (around, rest));
            let members = inside.split(", ").count() - usize::from(inside.contains('['));
            let terms = members + usize::from(!around.is_empty());
            sum += class.counts.private as f64 * (terms as f64 - 1.0);
        }
    }
    let cells = problem.histogram().total().private as f64 * problem.quasi().len() as f64;
    value_of(problem, found, Metric::Loss) + 0.01 * sum / cells
}

// holds: Readable counts texts
#[test]
fn tree_counts_the_terms_its_regions_publish() {
    let mut with_several = 0;
    for seed in 0..30 {
        let plain = skewed(seed, 2 + usize::try_from(seed % 3).unwrap(), 100 + seed * 20, 3 + seed % 7);
        for problem in [with_missing_and_terms(&plain), plain] {
            let (frame, total) = (Frame::of(&problem, Metric::Readable), problem.histogram().total());
            let setting = Setting::proven(Metric::Readable)[0];
            let mut growths = [Growth::new(&frame, ColumnTable::of(problem.histogram()), total, setting, 0)];
            let contender = watched(&mut unwatched, |pool| {
                while !growths[0].is_over() {
                    assert!(growth::step(&mut growths, &frame, pool).is_continue());
                }
                let [growth] = growths;
                let mut contender = growth.finish(&frame);
                for round in 0..3 {
                    contender.round(&frame, seed, round, pool).unwrap();
                }
                contender
            });
            let counted = contender.tree.cost(0).extents[problem.quasi().len()];
            let found = recoding(&problem, contender);
            let classes = Classes::of(&problem, &found);
            let terms = |class: palmtop_core::model::EquivalenceClass| -> u64 {
                let labels = class.labels.iter().enumerate();
                let terms = labels.map(|(column, label)| label.terms(problem.hierarchy(column)) as u64 - 1);
                terms.sum::<u64>() * class.counts.private
            };
            assert_eq!(counted, classes.iter().map(terms).sum::<u64>(), "{seed}");
            with_several += usize::from(counted > 0);
        }
    }
    assert!(with_several > 40, "{with_several}");
}

#[test]
fn a_column_never_cut_costs_its_labels() {
    let chain = |leaf: u32| {
        let parity = if leaf.is_multiple_of(2) { "even" } else { "odd" };
        vec![leaf.to_string(), parity.to_owned(), "*".to_owned()]
    };
    let hierarchy = Hierarchy::new(Kind::Number, Level(0), &(0..6).map(chain).collect::<Vec<_>>()).unwrap();
    let histogram = Histogram::new(vec![(0..6).collect()], vec![Counts::new(2, 1); 6]).unwrap();
    let delta = Delta::new(Presence::ZERO, Presence::ONE).unwrap();
    let quasi = vec![QuasiIdentifier { name: "x".into(), hierarchy }];
    let problem = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
    let limits = Levels { finest: None, coarsest: Some(Level(1)) };
    let problem = problem.with_levels(vec![limits]).unwrap().with_cuts(vec![Cuts::Never]);
    let frame = Frame::of(&problem, Metric::Loss);
    let setting = Setting::proven(Metric::Loss)[0];
    let mut growths =
        [Growth::new(&frame, ColumnTable::of(problem.histogram()), problem.histogram().total(), setting, 0)];
    let contender = watched(&mut unwatched, |pool| {
        while !growths[0].is_over() {
            assert!(growth::step(&mut growths, &frame, pool).is_continue());
        }
        let [growth] = growths;
        growth.finish(&frame)
    });
    let value = contender.value;
    let published = value_of(&problem, &recoding(&problem, contender), Metric::Loss);
    assert!((published - 0.4).abs() < 1e-12 && (value - published).abs() < 1e-12, "{value} {published}");
}

// holds: Readable counts texts
#[test]
fn region_costs_the_terms_of_its_published_texts() {
    let (mut cheaper, mut extra) = (0, 0);
    for seed in 0..40 {
        let plain = skewed(seed, 2 + usize::try_from(seed % 3).unwrap(), 100 + seed * 10, 3 + seed % 7);
        for problem in [with_missing_and_terms(&plain), plain] {
            let config = Config { metric: Metric::Readable, rounds: Some(2), ..Config::default() };
            let (found, _) = in_steps(&problem, &config, 1 << 14, &mut unwatched);
            let value = value_of(&problem, &found, Metric::Readable);
            assert!((value - readable_by_hand(&problem, &found)).abs() < 1e-12, "{seed}");
            let by_loss = Config { metric: Metric::Loss, ..config };
            let (by_loss, _) = in_steps(&problem, &by_loss, 1 << 14, &mut unwatched);
            let other = value_of(&problem, &by_loss, Metric::Readable);
            cheaper += usize::from(value < other - 1e-12);
            extra += usize::from(value > other + 1e-12);
        }
    }
    assert!(cheaper > 2 * extra, "{cheaper} cheaper, {extra} dearer than by the loss");
}

#[test]
fn every_step_of_the_first_strategy_lowers_loss() {
    let problem = skewed(3, 6, 20_000, 40);
    let config = |opening| Config { opening: Some(opening), ..Config::default() };
    let after = |steps| {
        let (found, report) = in_steps(&problem, &config(steps), 1 << 14, &mut unwatched);
        assert_eq!(report.opening, Some(steps));
        value_of(&problem, &found, Metric::Loss)
    };
    let values: Vec<f64> = (0..8).map(after).collect();
    assert!(values.is_sorted_by(|earlier, later| earlier > later), "{values:?}");
    let (complete, _) = run("n3".parse().unwrap(), &problem, &Config::default(), &mut unwatched);
    assert!(values[7] > value_of(&problem, &complete.unwrap(), Metric::Loss), "n3 is not over: {values:?}");
    assert!(values[7] < 0.7 * values[0], "{values:?}");
}

#[test]
fn stopped_run_is_reproduced_by_its_counted_steps() {
    let problem = skewed(5, 5, 4_000, 20);
    let mut within = 0;
    for after in [1, 2, 3, 5, 8] {
        let mut left = after;
        let mut observer = |_: Step| {
            left -= 1;
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let (found, report) = in_steps(&problem, &Config::default(), 1 << 10, &mut observer);
        let config = Config { opening: report.opening, rounds: report.rounds, ..Config::default() };
        assert_eq!(in_steps(&problem, &config, 1 << 10, &mut unwatched).0, found, "{report:?}");
        within += report.opening.unwrap_or(0);
    }
    assert!(within > 5, "{within} steps");
}

#[test]
fn huge_table_grows_one_tree_after_cheapest_strategies() {
    let problem = skewed(7, 4, 500, 10);
    let config = Config::default();
    let frame = Frame::of(&problem, config.metric);
    watched(&mut unwatched, |pool| {
        let mut opening = Opening::new(&problem, &frame, &config);
        opening.keep_one_tree();
        let mut steps = Steps::up_to(None, STEP);
        let mut stages = Vec::new();
        while !opening.is_over() {
            assert!(opening.advance(&problem, &frame, &config, &mut steps, pool).is_continue());
            stages.push(opening.stage());
        }
        assert_eq!(&stages[..2], [(1, false), (2, false)]);
        let grown = stages.iter().position(|&(_, is_grown)| is_grown).unwrap();
        assert!(stages[2..=grown].iter().all(|&(tried, _)| tried == 2), "{stages:?}");
        assert_eq!(stages.last(), Some(&(10, true)));
    });
}

/// The metric that the opening reports when all its steps are done.
fn at_the_end_of_the_opening(problem: &Problem, config: &Config) -> Option<f64> {
    let frame = Frame::of(problem, config.metric);
    watched(&mut unwatched, |pool| {
        let mut opening = Opening::new(problem, &frame, config);
        let mut steps = Steps::up_to(None, 1 << 10);
        while !opening.is_over() {
            assert!(opening.advance(problem, &frame, config, &mut steps, pool).is_continue());
        }
        opening.progress().stage.best
    })
}

#[test]
fn reported_metric_is_that_of_a_release() {
    for metric in [Metric::Loss, Metric::Discernibility] {
        for seed in 0..2 {
            let problem = skewed(seed, 3, 60, 9);
            let config = Config { metric, rounds: Some(5), ..Config::default() };
            let mut reported = Vec::new();
            let mut observer = |step: Step| {
                reported.push((step.stage.rounds, step.stage.best));
                ControlFlow::Continue(())
            };
            in_steps(&problem, &config, 1 << 10, &mut observer);
            let rounds = reported.iter().filter_map(|(rounds, best)| Some(((*rounds)?, (*best)?)));
            let rounds: Vec<(u64, f64)> = rounds.collect();
            assert!(rounds.len() > 1, "seed {seed}: {reported:?}");
            for (rounds, best) in rounds {
                let stopped = Config { rounds: Some(rounds), ..config };
                let (found, _) = in_steps(&problem, &stopped, 1 << 10, &mut unwatched);
                assert_eq!(value_of(&problem, &found, metric).to_bits(), best.to_bits(), "round {rounds}");
            }
            // The opening reports no more than a strategy of the paper has found.
            // A step is dropped if the observer is busy, so the opening is asked for what it reports.
            let opening = at_the_end_of_the_opening(&problem, &config);
            let stopped = Config { rounds: Some(0), ..config };
            let (found, _) = in_steps(&problem, &stopped, 1 << 10, &mut unwatched);
            assert!(opening.is_some_and(|best| value_of(&problem, &found, metric) <= best));
        }
    }
}
