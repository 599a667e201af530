//! Brute force over every T of small tables: the posterior of everyone, by transcript and by
//! release.

use std::collections::HashMap;
use std::num::NonZeroU32;

use num_bigint::BigUint;
use rayon::prelude::*;

use super::*;
use crate::audit;
use palmtop_core::model::{
    Belief, Classes, Counts, Cuts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Label, Level,
    QuasiIdentifier, Side,
};
use palmtop_core::progress::unwatched;

const DELTAS: [(&str, &str); 5] = [("0", "1/2"), ("0", "1/3"), ("1/6", "1/2"), ("0", "2/5"), ("1/8", "3/5")];

/// The people of each combination, in the order of a histogram.
type Layout = Vec<(Vec<u32>, u64)>;

/// Lines, grids with holes, a cube, uneven counts: 12 to 14 people each.
fn layouts() -> Vec<Layout> {
    let grid = |width: u32, height: u32, holes: &[(u32, u32)]| -> Layout {
        let cells = (0..width).flat_map(|x| (0..height).map(move |y| (x, y)));
        cells.filter(|cell| !holes.contains(cell)).map(|(x, y)| (vec![x, y], 1)).collect()
    };
    let with = |layout: Layout, people: &[u64]| -> Layout {
        layout.into_iter().zip(people).map(|((codes, _), &people)| (codes, people)).collect()
    };
    let cube = (0..8).map(|index| (vec![index >> 2, index >> 1 & 1, index & 1], 1)).collect();
    vec![
        (0..12).map(|x| (vec![x], 1)).collect(),
        with((0..6).map(|x| (vec![x], 1)).collect(), &[1, 4, 1, 2, 3, 2]),
        grid(4, 4, &[(0, 3), (1, 1), (3, 0)]),
        grid(3, 4, &[]),
        with(grid(3, 3, &[(1, 1)]), &[3, 1, 1, 2, 1, 3, 1, 1]),
        with(cube, &[1, 2, 1, 2, 3, 1, 1, 2]),
        grid(7, 2, &[(2, 0)]),
    ]
}

/// A problem over a layout with these members of each combination. Its hierarchies have pairs.
fn problem(layout: &Layout, kind: Kind, (min, max): (&str, &str), members: &[u64]) -> Problem {
    let width = layout[0].0.len();
    let quasi = (0..width).map(|column| {
        let leaves = layout.iter().map(|(codes, _)| codes[column]).max().unwrap_or(0) + 1;
        let chain = |leaf: u32| vec![format!("v{leaf:02}"), format!("p{:02}", leaf / 2), "*".to_owned()];
        let chains: Vec<Vec<String>> = (0..leaves).map(chain).collect();
        QuasiIdentifier {
            name: format!("q{column}"),
            hierarchy: Hierarchy::new(kind, Level(0), &chains).unwrap(),
        }
    });
    let columns = (0..width).map(|column| layout.iter().map(|(codes, _)| codes[column]).collect()).collect();
    let counts = layout.iter().zip(members).map(|((_, people), &members)| Counts::new(*people, members));
    let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
    Problem::new(
        quasi.collect(),
        Histogram::new(columns, counts.collect()).unwrap(),
        delta,
        EmptyRegions::Allow,
    )
    .unwrap()
}

/// Every way to distribute the members among the combinations.
fn every_count(layout: &Layout, members: u64) -> Vec<Vec<u64>> {
    let people: Vec<u64> = layout.iter().map(|(_, people)| *people).collect();
    audit::every_count(&people, members)
}

fn binomial(n: u64, k: u64) -> BigUint {
    (0..k).fold(BigUint::from(1_u32), |product, index| product * (n - index) / (index + 1))
}

/// For one observation: the number of T that give it, and for each combination Σ members over them.
type Observed = (BigUint, Vec<BigUint>);

/// Whether an observation takes an individual out of δ: by transcript, and by release.
fn is_violated(layout: &Layout, delta: (&str, &str), all: &[Run]) -> (bool, bool) {
    let mut by_transcript: HashMap<&Transcript, Observed> = HashMap::new();
    let mut by_release: HashMap<Vec<(Vec<&Side>, u64)>, Observed> = HashMap::new();
    for (members, partition, transcript) in all {
        let mut released = vec![0; partition.len()];
        let regions = partition.region_of().iter();
        regions.zip(members).for_each(|(&region, members)| released[region as usize] += members);
        // A region without members is not published.
        let boxes = partition.regions().map(|region| region.sides().collect());
        let mut release: Vec<(Vec<&Side>, u64)> =
            boxes.zip(released).filter(|(_, members)| *members > 0).collect();
        release.sort();
        let ways: BigUint =
            layout.iter().zip(members).map(|((_, people), &members)| binomial(*people, members)).product();
        let nobody = || (BigUint::ZERO, vec![BigUint::ZERO; layout.len()]);
        let observed = [
            by_transcript.entry(transcript).or_insert_with(nobody),
            by_release.entry(release).or_insert_with(nobody),
        ];
        for (count, sums) in observed {
            *count += &ways;
            sums.iter_mut().zip(members).for_each(|(sum, &members)| *sum += &ways * members);
        }
    }
    let delta = Delta::new(delta.0.parse().unwrap(), delta.1.parse().unwrap()).unwrap();
    let is_out = |(count, sums): &Observed| {
        sums.iter().zip(layout).any(|(sum, (_, people))| {
            let total = count * people;
            sum * delta.max().denominator() > &total * delta.max().numerator()
                || sum * delta.min().denominator() < &total * delta.min().numerator()
        })
    };
    (by_transcript.values().any(is_out), by_release.values().any(is_out))
}

/// A T with the result of its run.
type Run = (Vec<u64>, Partition, Transcript);

/// Whether the search runs for every T, or once for all T with the same answers.
#[derive(Clone, Copy)]
enum Each {
    Member,
    Transcript,
}

/// An oracle that answers for one T, and records each half, the accepted numbers and the answer.
struct Listening<'a> {
    members: &'a [u64],
    asked: Vec<(Vec<u32>, Vec<bool>, Option<u64>)>,
}

fn answer(members: &[u64], half: &[u32], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
    let count = half.iter().map(|&combination| members[combination as usize]).sum();
    is_accepted(count).then_some(count)
}

impl Oracle for &mut Listening<'_> {
    fn ask(&mut self, half: &[&[u32]], is_accepted: &dyn Fn(u64) -> bool) -> Option<u64> {
        let half = half.concat();
        let answer = answer(self.members, &half, is_accepted);
        let all: u64 = self.members.iter().sum();
        self.asked.push((half, (0..=all).map(is_accepted).collect(), answer));
        answer
    }
}

/// Asserts that the measured posteriors are within δ.
fn assert_is_within(span: Option<Span>, delta: Delta) {
    if let Some(Span { least, greatest }) = span {
        assert!(
            least >= delta.min().to_f64() - 1e-12 && greatest <= delta.max().to_f64() + 1e-12,
            "{span:?}"
        );
    }
}

/// The limits of every quasi-identifier.
#[derive(Clone, Copy, Debug)]
enum Limits {
    Cuts(Cuts),
    Terms(u32),
    /// Ranges end at pairs, and sets have at most two terms.
    Borders,
    /// The search believes that the last combinations have more members.
    Rates,
}

impl Limits {
    fn declared(self, problem: &Problem, kind: Kind) -> Problem {
        let width = problem.quasi().len();
        let terms = |terms| problem.with_terms(vec![NonZeroU32::new(terms); width]);
        match self {
            Self::Cuts(cuts) => problem.with_cuts(vec![cuts; width]),
            Self::Terms(most) => terms(most),
            Self::Borders if kind.is_ordered() => {
                problem.with_borders(&vec![Some(Level(1)); width]).expect("pairs are ranges")
            }
            Self::Borders => terms(2),
            Self::Rates => {
                let people = problem
                    .histogram()
                    .counts()
                    .iter()
                    .map(|counts| f64::from(u32::try_from(counts.public).unwrap()));
                let rates = (1..).zip(people).map(|(rank, people)| people * f64::from(rank));
                problem.with_belief(Belief::Rates(rates.collect()))
            }
        }
    }

    /// Asserts that published boxes are disjoint, and that each set has no more terms than the limit.
    fn assert_obeyed(self, problem: &Problem, partition: &Partition) {
        let regions: Vec<_> = partition.regions().collect();
        for (index, region) in regions.iter().enumerate() {
            assert!(regions[..index].iter().all(|other| !region.overlaps(*other)), "{self:?} {partition:?}");
        }
        let classes = Classes::of(problem, &Recoding::Regions(partition.clone()));
        for attribute in 0..problem.quasi().len() {
            let hierarchy = problem.hierarchy(attribute);
            for label in classes.labels(attribute).labels() {
                if let Some(most) = problem.terms(attribute) {
                    assert!(label.terms(hierarchy) <= most, "{self:?} {label:?}");
                }
                let is_range = matches!(label, Label::Range(..));
                assert!(!is_range || problem.borders(attribute).is_none(), "{label:?}");
            }
        }
    }
}

/// Runs every T of a size; `None` if it is infeasible.
fn run_all(
    layout: &Layout,
    kind: Kind,
    delta: (&str, &str),
    members: u64,
    (rules, limits, each): (Rules, Limits, Each),
) -> Option<Vec<Run>> {
    let mut left = every_count(layout, members);
    let mut runs = Vec::new();
    while let Some(members) = left.pop() {
        let problem = problem(layout, kind, delta, &members);
        let problem = limits.declared(&problem, kind);
        if !problem.feasibility().holds() {
            return None;
        }
        let mut oracle = Listening { members: &members, asked: Vec::new() };
        let (partition, transcript, span) = if problem.region_floors_are_the_base() {
            let unseen = Unseen::of(&problem);
            let found = search(&Population::of(&unseen, rules), &mut oracle).continue_value();
            let Found { regions, boxes, rests, transcript, span } = found?;
            (united(&problem, regions, boxes, rests), transcript, span)
        } else {
            ask_by(rules, &problem, &mut oracle, &mut unwatched).0?
        };
        assert_is_within(span, problem.delta());
        limits.assert_obeyed(&problem, &partition);
        let asked = oracle.asked;
        let is_same = |members: &Vec<u64>| {
            asked.iter().all(|(half, accepted, known)| {
                answer(members, half, &|count| accepted[usize::try_from(count).unwrap()]) == *known
            })
        };
        if let Each::Transcript = each {
            let (same, others) = left.into_iter().partition(is_same);
            left = others;
            let same: Vec<Vec<u64>> = same;
            runs.extend(same.into_iter().map(|members| (members, partition.clone(), transcript.clone())));
        }
        runs.push((members, partition, transcript));
    }
    Some(runs)
}

/// The number of settings, and the numbers of settings in which an individual leaves δ, by transcript and by release.
fn violations(how: (Rules, Limits, Each)) -> [usize; 3] {
    let mut settings = Vec::new();
    for layout in layouts() {
        for kind in [Kind::Number, Kind::Category] {
            for delta in DELTAS {
                settings.extend((2..=6).map(|members| (layout.clone(), kind, delta, members)));
            }
        }
    }
    let counted = |(layout, kind, delta, members): (Layout, Kind, (&str, &str), u64)| {
        let all = run_all(&layout, kind, delta, members, how)?;
        let (by_transcript, by_release) = is_violated(&layout, delta, &all);
        Some([1, usize::from(by_transcript), usize::from(by_release)])
    };
    let and = |left: [usize; 3], right: [usize; 3]| [0, 1, 2].map(|index| left[index] + right[index]);
    settings.into_par_iter().filter_map(counted).reduce(|| [0; 3], and)
}

// holds: Simulatable is blind
#[test]
fn simulatable_transcripts_and_releases_keep_everyone_within_delta() {
    let rules = Rules { is_measured: true, ..Rules::default() };
    let [settings, by_transcript, by_release] = violations((rules, Limits::Cuts(Cuts::Values), Each::Member));
    assert!(settings >= 147, "{settings}");
    assert_eq!((by_transcript, by_release), (0, 0), "of {settings} settings");
}

// holds: Simulatable is blind
#[test]
fn ignoring_failed_cuts_exposes_people_beyond_delta() {
    let rules = Rules { checks_failure: false, ..Rules::default() };
    let [settings, by_transcript, _] = violations((rules, Limits::Cuts(Cuts::Values), Each::Transcript));
    assert!(by_transcript * 2 > settings, "{by_transcript} of {settings}");
}

// holds: Simulatable is blind
// holds: Limits hold
#[test]
fn rounding_few_states_and_label_cuts_keep_delta() {
    let rounded = Rules { is_exact: false, ..Rules::default() };
    let few = Rules { most_states: 3, ..Rules::default() };
    for (rules, cuts) in [(rounded, Cuts::Values), (few, Cuts::Values), (Rules::default(), Cuts::Labels)] {
        let how = (rules, Limits::Cuts(cuts), Each::Transcript);
        let [settings, by_transcript, by_release] = violations(how);
        assert_eq!((by_transcript, by_release), (0, 0), "{rules:?} {cuts:?} of {settings}");
    }
}

// holds: Terms and borders hold
#[test]
fn limits_are_obeyed_and_stay_within_delta() {
    for limits in [Limits::Terms(2), Limits::Terms(3), Limits::Borders] {
        let how = (Rules::default(), limits, Each::Transcript);
        let [settings, by_transcript, by_release] = violations(how);
        assert!(settings >= 100, "{settings}");
        assert_eq!((by_transcript, by_release), (0, 0), "{limits:?} of {settings}");
    }
}

// holds: Beliefs are harmless
#[test]
fn a_search_that_believes_rates_is_as_safe() {
    let how = (Rules::default(), Limits::Rates, Each::Transcript);
    let [settings, by_transcript, by_release] = violations(how);
    assert!(settings >= 20, "{settings}");
    assert_eq!((by_transcript, by_release), (0, 0), "of {settings} settings");
}

#[test]
fn a_transcript_with_a_rehearsal_is_refused() {
    let layout = layouts().swap_remove(2);
    let members = every_count(&layout, 4).swap_remove(9);
    let problem = problem(&layout, Kind::Category, ("0", "1/2"), &members);
    let (found, _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched);
    let text = found.unwrap().1.text(&problem);
    assert_eq!(audit::is_transcript(&problem, &text), Ok(true));
    let old = format!("# rehearsal: 4 drawn tables from seed 0, 99 searches; chosen: power 0.4\n{text}");
    let refused = audit::is_transcript(&problem, &old).unwrap_err();
    assert_eq!(
        (refused.line, refused.expected),
        (1, "no line about a rehearsal, which is gone: search again")
    );
}

// holds: Simulatable is blind
#[test]
fn many_members_of_few_combinations_stay_within_delta() {
    let how = (Rules::default(), Limits::Cuts(Cuts::Values), Each::Transcript);
    let layouts = [[40, 30, 35, 25], [100, 10, 10, 10], [33, 33, 32, 32]];
    let mut settings = Vec::new();
    for people in layouts {
        for delta in [("0", "9/20"), ("1/5", "1/2")] {
            settings.extend([42, 50].map(|members| (people, delta, members)));
        }
    }
    let checked: Vec<bool> = settings
        .into_par_iter()
        .filter_map(|(people, delta, members)| {
            let layout: Layout =
                (0..4).zip(people).map(|(index, people)| (vec![index >> 1, index & 1], people)).collect();
            let all = run_all(&layout, Kind::Number, delta, members, how)?;
            Some(is_violated(&layout, delta, &all) == (false, false))
        })
        .collect();
    assert!(checked.len() >= 8 && checked.iter().all(|&holds| holds), "{checked:?}");
}

// holds: Simulatable is blind
#[test]
fn the_answers_alone_make_the_same_release() {
    for layout in layouts() {
        for members in every_count(&layout, 4).into_iter().step_by(7) {
            let problem_of_t = problem(&layout, Kind::Category, ("0", "1/2"), &members);
            let (Some((partition, transcript)), _) =
                ask(&problem_of_t, Members::of(problem_of_t.histogram()), &mut unwatched)
            else {
                panic!("feasible")
            };
            // Another T of the same size, which the search must not see.
            let another = every_count(&layout, 4).swap_remove(0);
            let other = problem(&layout, Kind::Category, ("0", "1/2"), &another);
            let (again, _) = ask(&other, Replay::of(transcript.answers()), &mut unwatched);
            assert_eq!(again, Some((partition, transcript)), "{members:?}");
        }
    }
}

#[test]
fn uncut_quasi_identifier_is_never_cut() {
    let layout = layouts().swap_remove(3);
    for members in every_count(&layout, 3) {
        let problem = problem(&layout, Kind::Number, ("0", "1/2"), &members);
        let problem = problem.with_cuts(vec![Cuts::Never, Cuts::Values]);
        let (Some((_, transcript)), _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched)
        else {
            panic!("feasible")
        };
        let is_first = |step: &TranscriptStep| matches!(step.question, Question::Cut(Cut { column: 0, .. }));
        assert!(!transcript.steps.iter().any(is_first), "{members:?}");
    }
}

#[test]
fn where_no_region_may_be_empty_none_is() {
    let layout = layouts().swap_remove(2);
    for members in every_count(&layout, 3) {
        let problem =
            problem(&layout, Kind::Category, ("0", "1/2"), &members).with_empty_regions(EmptyRegions::Forbid);
        let (Some((partition, _)), _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched)
        else {
            panic!("feasible")
        };
        let mut released = vec![0; partition.len()];
        partition
            .region_of()
            .iter()
            .zip(&members)
            .for_each(|(&region, members)| released[region as usize] += members);
        assert!(!released.contains(&0), "{members:?}");
    }
}

#[test]
fn ordered_values_are_not_cut_between_scattered_labels() {
    // 0 and 3 have one label, 1 and 2 another: a cut between them would publish ranges that
    // overlap.
    let chains = ["a", "b", "b", "a", "c", "c"].iter().enumerate();
    let chains: Vec<Vec<String>> =
        chains.map(|(leaf, label)| vec![leaf.to_string(), (*label).to_owned(), "*".to_owned()]).collect();
    let hierarchy = Hierarchy::new(Kind::Number, Level(0), &chains).unwrap();
    let counts = vec![Counts::new(4, 1); 6];
    let histogram = Histogram::new(vec![(0..6).collect()], counts).unwrap();
    let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
    let quasi = vec![QuasiIdentifier { name: "x".to_owned(), hierarchy }];
    let problem = Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap();
    let problem = problem.with_cuts(vec![Cuts::Labels]);
    let (Some((partition, _)), _) = ask(&problem, Members::of(problem.histogram()), &mut unwatched) else {
        panic!("feasible")
    };
    let regions: Vec<_> = partition.regions().collect();
    assert!(regions.len() > 1);
    for (index, region) in regions.iter().enumerate() {
        assert!(regions[..index].iter().all(|other| !region.overlaps(*other)), "{partition:?}");
    }
}
