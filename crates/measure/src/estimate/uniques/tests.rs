//! Synthetic populations whose uniques are known.

use rand::seq::index;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::*;

/// The class of each person of a population.
type Population = Vec<usize>;

/// People who find classes one after the other by Pitman's formula.
#[expect(clippy::cast_precision_loss, reason = "a test")]
fn pitman(rng: &mut ChaCha8Rng, people: usize, (theta, alpha): (f64, f64)) -> Population {
    let mut classes = 0_usize;
    let mut class_of: Population = Vec::with_capacity(people);
    let mut is_first = Vec::with_capacity(people);
    // An existing class is chosen with a weight of (size − α). Each class adds α to the weight of a
    // new one.
    for found in 0..people {
        let new = theta + classes as f64 * alpha;
        let at = rng.random_range(0.0..theta + found as f64);
        if class_of.is_empty() || at < new {
            class_of.push(classes);
            is_first.push(true);
            classes += 1;
            continue;
        }
        // The first person of a class has weight 1 − α, each other person has weight 1.
        loop {
            let who = rng.random_range(0..found);
            if !is_first[who] || rng.random_range(0.0..1.0) >= alpha {
                class_of.push(class_of[who]);
                is_first.push(false);
                break;
            }
        }
    }
    class_of
}

/// Classes of one person and a geometric number of others, `others` on average. It is a negative
/// binomial with α = 1.
fn geometric(rng: &mut ChaCha8Rng, people: usize, others: f64) -> Population {
    let mut class_of = Population::with_capacity(people);
    let mut class = 0;
    while class_of.len() < people {
        class_of.push(class);
        while class_of.len() < people && rng.random_range(0.0..1.0) < others / (1.0 + others) {
            class_of.push(class);
        }
        class += 1;
    }
    class_of
}

/// People who are in each of `classes` classes with equal probability.
fn even(rng: &mut ChaCha8Rng, people: usize, classes: usize) -> Population {
    (0..people).map(|_| rng.random_range(0..classes)).collect()
}

fn sizes(classes: impl Iterator<Item = usize>) -> ClassSizes {
    let mut counts = std::collections::BTreeMap::<usize, u64>::new();
    classes.for_each(|class| *counts.entry(class).or_default() += 1);
    ClassSizes::of(counts.into_values())
}

/// The estimates from a sample, and the true number of uniques.
fn estimated(rng: &mut ChaCha8Rng, population: &[usize], people: usize) -> (PopulationUniques, f64) {
    let sample = index::sample(rng, population.len(), people);
    let sampled = sizes(sample.iter().map(|who| population[who]));
    #[expect(clippy::cast_precision_loss, reason = "a test")]
    let truth = sizes(population.iter().copied()).of_size(1) as f64;
    (PopulationUniques::of(&sampled, population.len() as u64).unwrap(), truth)
}

#[test]
fn estimate_is_close_when_its_model_fits() {
    let rng = &mut ChaCha8Rng::seed_from_u64(7);
    let by_pitman = pitman(rng, 4_000, (50.0, 0.6));
    let geometric = geometric(rng, 20_000, 4.0);
    // population, sampled, method, greatest error relative to the true number
    let table = [
        (&by_pitman, 400, Method::Pitman, 0.35),
        (&by_pitman, 1_200, Method::Pitman, 0.2),
        (&geometric, 4_000, Method::Slide, 0.15),
        (&geometric, 10_000, Method::Slide, 0.1),
        (&geometric, 16_000, Method::Zayatz, 0.25),
    ];
    for (population, people, method, off) in table {
        let (found, truth) = estimated(rng, population, people);
        let estimate = found.by(method).unwrap_or(f64::NAN);
        assert!(
            (estimate - truth).abs() <= off * truth,
            "{} from {people}: {estimate}, truth {truth}, {:?}",
            method.as_str(),
            found.estimates
        );
    }
}

#[test]
fn rule_picks_the_method_suiting_the_sampling_fraction() {
    let rng = &mut ChaCha8Rng::seed_from_u64(8);
    let by_pitman = pitman(rng, 4_000, (50.0, 0.6));
    let geometric = geometric(rng, 20_000, 4.0);
    let even = even(rng, 20_000, 8_000);
    for population in [&by_pitman, &geometric, &even] {
        for percent in [1, 5, 10, 30, 60] {
            let (found, truth) = estimated(rng, population, population.len() * percent / 100);
            let Some((method, estimate)) = found.by_rule() else {
                assert!(found.by(Method::Zayatz).is_none(), "{found:?}");
                continue;
            };
            let (least, most) = found.range().unwrap();
            assert!(least <= estimate && estimate <= most, "{found:?}");
            match method {
                Method::Pitman => assert!(found.sampling <= 0.1),
                Method::Slide => assert!(found.sampling > 0.1),
                Method::Zayatz => assert!(found.sampling > 0.1 || found.by(Method::Pitman).is_none()),
            }
            // At 1 %, only the range is certain: from 0 to the population.
            assert!((0.0..=20_000.0).contains(&estimate), "{estimate}");
            if percent >= 30 {
                assert!(
                    estimate <= 2.5 * truth && estimate >= 0.4 * truth,
                    "{percent} %: {} {estimate}, truth {truth}",
                    method.as_str()
                );
            }
        }
    }
}

#[test]
fn complete_sample_has_the_uniques_of_the_population() {
    let all = ClassSizes::of([1, 1, 2, 3, 1]);
    let found = PopulationUniques::of(&all, 8).unwrap();
    assert_eq!((found.by(Method::Zayatz), found.by(Method::Slide)), (Some(3.0), Some(3.0)));
    assert_eq!((found.in_sample, found.by_rule().map(|(_, estimate)| estimate)), (3, Some(3.0)));
    assert!(PopulationUniques::of(&all, 7).is_err());
}

#[test]
fn failed_estimate_gives_its_reason_and_no_number() {
    // sizes, population → results of Zayatz, Pitman and SNB
    let no = NoEstimate::NoUniques;
    let pairs = [vec![1; 10], vec![2; 100]].concat();
    let table: [(Vec<u64>, u64, [Option<NoEstimate>; 3]); 3] = [
        (vec![2, 3, 4], 100, [Some(no), Some(no), Some(no)]),
        (vec![1; 20], 1_000, [None, Some(NoEstimate::AllUnique), Some(NoEstimate::AllUnique)]),
        // There are more pairs than uniques: no α between 0 and 1 fits, and no number of classes
        // does.
        (pairs, 4_200, [None, Some(NoEstimate::NoSolution), Some(NoEstimate::NoSolution)]),
    ];
    for (classes, population, expected) in table {
        let found = PopulationUniques::of(&ClassSizes::of(classes.iter().copied()), population).unwrap();
        let errors = found.estimates.map(|(_, estimate)| estimate.err());
        assert_eq!(errors, expected, "{classes:?}: {found:?}");
        assert_eq!(found.range().is_none(), expected.iter().all(Option::is_some));
    }
}

/// Zayatz by hand: of 10 people 5 are in the sample, in classes of 1, 1, 1 and 2. H(1; 10, 1, 5) =
/// 1/2 and H(1; 10, 2, 5) = 5/9. So a sample unique is a population unique with (3/2)/(3/2 + 5/9) =
/// 27/37. The population has 3/(1/2)·27/37 = 162/37 uniques.
#[test]
fn zayatz_is_what_is_counted_by_hand() {
    let found = Method::Zayatz.estimate(&ClassSizes::of([1, 1, 1, 2]), 10).unwrap();
    assert!((found - 162.0 / 37.0).abs() < 1e-9, "{found}");
}
