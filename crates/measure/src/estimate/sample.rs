//! P as a sample of the population: an upper bound on the presence of each class with a stated
//! confidence.
//!
//! The number F of a class's people in the population is unknown; the sample has f of them. The
//! presence t/F is at most t/L, where L is a lower bound of F with confidence c. For m bounds that
//! hold together, each has confidence 1 − (1 − c)/m (Bonferroni).
//!
//! Without further knowledge, L inverts the test of drawing n of N people without replacement
//! (Clopper and Pearson, Biometrika 26, 1934). L is the least F for which f or more people are
//! drawn with a chance above 1 − c. This is valid for every population.
//!
//! If the class's share q of the population is known from another source, L is a lower quantile. It
//! is that of f + Bin(N − n, max(0, Nq − f)/(N − n)).
//!
//! The plug-in estimate t·n/(f·N) is not a bound: about half of the classes exceed it.

use super::EstimateError;
use super::distribution::{binomial_quantile, hypergeometric_exceeds, least};
use palmtop_core::model::{Counts, Presence};

/// The confidence of a bound: at least one half and below 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Confidence(f64);

impl Confidence {
    /// Checks a level of confidence.
    ///
    /// # Errors
    /// [`EstimateError::Probability`] if the level is below one half or not below 1.
    pub fn new(level: f64) -> Result<Self, EstimateError> {
        if (0.5..1.0).contains(&level) {
            return Ok(Self(level));
        }
        let expected = "from 0.5 to below 1";
        Err(EstimateError::Probability { what: "the confidence", given: level, expected })
    }

    /// The level, from 0.5 to below 1.
    pub fn level(self) -> f64 {
        self.0
    }

    /// The probability with which each of `bounds` bounds may fail, so that all hold together with
    /// this confidence (Bonferroni).
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    fn miss_each(self, bounds: u64) -> f64 {
        (1.0 - self.0) / bounds.max(1) as f64
    }
}

/// A simple random sample of a population.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    people: u64,
    population: u64,
}

/// A class of a release, with its counts in a sample.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SampledClass {
    /// t, its members of T. They are in the population even if the sample lacks them.
    pub members: u64,
    /// f, its people in the sample.
    pub sampled: u64,
    /// The least number of its people in the population that is certain, from the sample and from
    /// T.
    pub known: u64,
}

impl Sample {
    /// A sample of n `people` from a `population` of N.
    ///
    /// # Errors
    /// [`EstimateError::Population`] if the sample has more people than the population.
    pub fn new(people: u64, population: u64) -> Result<Self, EstimateError> {
        if people > population {
            return Err(EstimateError::Population { population, known: people });
        }
        Ok(Self { people, population })
    }

    /// The lower bound L of a class's people in the population. It is one of `bounds` bounds that
    /// hold together with the confidence.
    ///
    /// `share` is the class's share of the population, if it is known from another source. The
    /// bound is at least `known`, at least the class's members, and at least 1.
    #[expect(clippy::cast_precision_loss, reason = "an estimate")]
    pub fn at_least(
        &self,
        class: SampledClass,
        confidence: Confidence,
        bounds: u64,
        share: Option<f64>,
    ) -> u64 {
        let miss = confidence.miss_each(bounds);
        let sampled = class.sampled.min(self.people);
        let unseen = self.population - self.people;
        let found = match share {
            Some(share) if unseen > 0 => {
                let expected = self.population as f64 * share - sampled as f64;
                let chance = (expected / unseen as f64).clamp(0.0, 1.0);
                sampled + binomial_quantile(unseen, chance, miss)
            }
            Some(_) => sampled,
            None => least(sampled, unseen + sampled, |people| {
                let (sampled, people) = (sampled as f64, people as f64);
                hypergeometric_exceeds(sampled, people, self.people as f64, self.population as f64, miss)
            }),
        };
        found.max(class.known).max(class.members).max(1)
    }

    /// The resulting upper bound of a class's presence: t/L.
    pub fn presence_at_most(
        &self,
        class: SampledClass,
        confidence: Confidence,
        bounds: u64,
        share: Option<f64>,
    ) -> Presence {
        Counts::new(self.at_least(class, confidence, bounds, share), class.members).presence()
    }

    /// The number of people in the sample, n.
    pub fn people(&self) -> u64 {
        self.people
    }

    /// The number of people in the population, N.
    pub fn population(&self) -> u64 {
        self.population
    }
}

#[cfg(test)]
mod tests {
    use rand::seq::index;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn class(members: u64, sampled: u64) -> SampledClass {
        SampledClass { members, sampled, known: members.max(sampled) }
    }

    #[test]
    fn bounds_are_those_that_are_counted_by_hand() {
        let c = Confidence::new(0.95).unwrap();
        // sampled n of N, f of the class → L
        let table = [
            // If all people are in the sample, L is exact.
            (10, 10, 3, 3),
            // Half of 20: of 4 people 4 are drawn with 210/4845 = .043, of 5 people 4 or more with
            // .152.
            (10, 20, 4, 5),
            // One of 1000 in 1,000,000: of F people one is drawn with 1 − .999^F, which exceeds .05
            // from 52 on.
            (1_000, 1_000_000, 1, 52),
            // A class that the sample lacks may have no people in the population.
            (1_000, 1_000_000, 0, 1),
        ];
        for (people, population, sampled, at_least) in table {
            let sample = Sample::new(people, population).unwrap();
            assert_eq!(sample.at_least(class(0, sampled), c, 1, None), at_least, "{sampled} of {people}");
        }
        let sample = Sample::new(1_000, 1_000_000).unwrap();
        // Members count as people even if the sample lacks them. More bounds at once are wider, and
        // a known share makes a bound narrower.
        assert_eq!(sample.presence_at_most(class(3, 0), c, 1, None), Presence::ONE);
        assert_eq!(sample.presence_at_most(class(5, 1), c, 1, None).to_string(), "5/52");
        assert!(sample.at_least(class(0, 20), c, 100, None) < sample.at_least(class(0, 20), c, 1, None));
        let known = sample.at_least(class(0, 1), c, 1, Some(0.001));
        assert!((940..1_000).contains(&known), "{known}");
        assert!(
            Sample::new(11, 10).is_err() && Confidence::new(1.0).is_err() && Confidence::new(0.4).is_err()
        );
    }

    /// How often bounds hold over samples of populations of uneven classes: one class's bound, and
    /// all bounds of a release. Also how often the plug-in estimate is at most the true value.
    struct Coverage {
        each: f64,
        all: f64,
        plug_in: f64,
    }

    fn coverage(seed: u64, people: usize, population: usize, confidence: Confidence) -> Coverage {
        const ROUNDS: u32 = 300;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let (mut bounds, mut held, mut all_held, mut below) = (0_u32, 0_u32, 0_u32, 0_u32);
        for _ in 0..ROUNDS {
            // Classes of 1 to some hundred people.
            let mut class_of = Vec::with_capacity(population);
            let mut sizes = Vec::new();
            while class_of.len() < population {
                let size = (1.0 / rng.random_range(0.002..1.0_f64)).ceil();
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below 501")]
                let size = (size as usize).min(population - class_of.len());
                class_of.extend(std::iter::repeat_n(sizes.len(), size));
                sizes.push(size as u64);
            }
            let mut sampled = vec![0; sizes.len()];
            index::sample(&mut rng, population, people).iter().for_each(|who| sampled[class_of[who]] += 1);
            // One class in ten has a member.
            let released: Vec<usize> = (0..sizes.len()).filter(|_| rng.random_range(0..10) == 0).collect();
            let sample = Sample::new(people as u64, population as u64).unwrap();
            let mut holds = true;
            for &class_index in &released {
                let shown = class(0, sampled[class_index]);
                bounds += 1;
                held += u32::from(sample.at_least(shown, confidence, 1, None) <= sizes[class_index]);
                holds &=
                    sample.at_least(shown, confidence, released.len() as u64, None) <= sizes[class_index];
                let plug_in = sampled[class_index] * population as u64 / people as u64;
                below += u32::from(plug_in <= sizes[class_index]);
            }
            all_held += u32::from(holds);
        }
        let share = |count: u32, of: u32| f64::from(count) / f64::from(of);
        Coverage { each: share(held, bounds), all: share(all_held, ROUNDS), plug_in: share(below, bounds) }
    }

    // holds: No sample for the population
    #[test]
    fn confidence_bounds_hold_as_often_as_stated() {
        for (seed, people, population, level) in
            [(1, 500, 5_000, 0.95), (2, 2_000, 5_000, 0.95), (3, 500, 5_000, 0.8)]
        {
            let found = coverage(seed, people, population, Confidence::new(level).unwrap());
            let Coverage { each, all, plug_in } = found;
            assert!(
                each >= level && all >= level,
                "{people} of {population} at {level}: each {each}, all {all}"
            );
            assert!(
                plug_in < 0.9 && plug_in < each - 0.05,
                "{people} of {population}: plug-in {plug_in}, bounds {each}"
            );
        }
    }

    /// A class of a given size, in a population whose members each have it with a known
    /// probability.
    #[test]
    fn bounds_from_a_known_share_hold_as_stated() {
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let (people, population, share) = (2_000_u64, 40_000_u64, 0.003);
        let confidence = Confidence::new(0.95).unwrap();
        let sample = Sample::new(people, population).unwrap();
        let mut draw = |of: u64| (0..of).filter(|_| rng.random_range(0.0..1.0) < share).count() as u64;
        let (mut held, mut plug_in) = (0, 0);
        for _ in 0..400 {
            let sampled = draw(people);
            let in_population = sampled + draw(population - people);
            held +=
                u32::from(sample.at_least(class(0, sampled), confidence, 1, Some(share)) <= in_population);
            plug_in += u32::from(sampled * population / people <= in_population);
        }
        assert!(held >= 372, "{held} of 400, at least 93 % but for chance");
        assert!((160..=260).contains(&plug_in), "{plug_in} of 400: about every second");
    }
}
