//! A problem whose T cannot be seen, and T's drawn at random in its place.

use palmtop_core::model::{Belief, Problem, size};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The public part of a problem: P, |T|, the policy and the declarations. Its T is replaced by the first |T|
/// people of P, so that nothing that takes this type can depend on T.
#[derive(Debug)]
pub(crate) struct Unseen(Problem);

impl Unseen {
    /// The public part of a problem. O(combinations).
    pub(crate) fn of(problem: &Problem) -> Self {
        let mut left = problem.histogram().total().private;
        let first = problem.histogram().counts().iter().map(|counts| {
            let members = left.min(counts.public);
            left -= members;
            members
        });
        Self(with_members(problem, &first.collect::<Vec<u64>>()))
    }

    /// The problem with the replaced T.
    pub(crate) fn problem(&self) -> &Problem {
        &self.0
    }

    /// The problem with a random T of the same size. Under rates, the odds of each person are its rate; else
    /// all T's are equally likely. O(|P| · log |P|).
    #[expect(clippy::cast_precision_loss, reason = "the mean rate of a combination's people")]
    pub(super) fn drawn(&self, seed: u64) -> Problem {
        let counts = self.0.histogram().counts();
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut times: Vec<(f64, u32)> = Vec::new();
        for (index, counts) in counts.iter().enumerate() {
            let rate = match self.0.belief() {
                Belief::Rates(rates) => (rates[index] / counts.public as f64).max(f64::MIN_POSITIVE),
                Belief::Even => 1.0,
            };
            // Each person arrives after an exponential time of this rate. The first |T| are members.
            let arrival = |random: &mut ChaCha8Rng| -libm::log1p(-random.random::<f64>()) / rate;
            times.extend((0..counts.public).map(|_| (arrival(&mut random), size::number(index))));
        }
        let members = size::index(self.0.histogram().total().private);
        if members < times.len() {
            times.select_nth_unstable_by(members, |left, right| {
                left.0.total_cmp(&right.0).then(left.1.cmp(&right.1))
            });
        }
        let mut drawn = vec![0; counts.len()];
        times.iter().take(members).for_each(|&(_, index)| drawn[index as usize] += 1);
        with_members(&self.0, &drawn)
    }
}

fn with_members(problem: &Problem, members: &[u64]) -> Problem {
    problem.with_members(members).expect("a T of the same size from the same people")
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{
        Counts, Delta, EmptyRegions, Hierarchy, Histogram, Kind, Level, QuasiIdentifier,
    };

    /// A hundred people of each of three ages, with these members.
    fn problem(members: [u64; 3]) -> Problem {
        let chains: Vec<Vec<String>> = (0..3).map(|age| vec![age.to_string(), "*".to_owned()]).collect();
        let hierarchy = Hierarchy::new(Kind::Number, Level(0), &chains).unwrap();
        let counts = members.map(|members| Counts::new(100, members)).to_vec();
        let histogram = Histogram::new(vec![(0..3).collect()], counts).unwrap();
        let delta = Delta::new("0".parse().unwrap(), "1/2".parse().unwrap()).unwrap();
        let quasi = vec![QuasiIdentifier { name: "age".to_owned(), hierarchy }];
        Problem::new(quasi, histogram, delta, EmptyRegions::Allow).unwrap()
    }

    fn members(problem: &Problem) -> Vec<u64> {
        problem.histogram().counts().iter().map(|counts| counts.private).collect()
    }

    #[test]
    fn two_tables_of_one_size_cannot_be_told_apart() {
        let (one, other) = (Unseen::of(&problem([30, 0, 0])), Unseen::of(&problem([5, 5, 20])));
        assert_eq!(one.problem().histogram(), other.problem().histogram());
        assert_eq!(members(&one.drawn(7)), members(&other.drawn(7)));
    }

    #[test]
    fn drawn_tables_have_the_size_of_t_and_follow_the_rates() {
        let even = Unseen::of(&problem([30, 0, 0]));
        let rates = Belief::Rates([100.0, 300.0, 600.0].into());
        let uneven = Unseen::of(&problem([30, 0, 0]).with_belief(rates));
        let sums = |unseen: &Unseen| {
            (0..400).fold([0; 3], |mut sums, seed| {
                let drawn = members(&unseen.drawn(seed));
                assert_eq!(drawn.iter().sum::<u64>(), 30);
                sums.iter_mut().zip(drawn).for_each(|(sum, members)| *sum += members);
                sums
            })
        };
        // 400 tables of 30 members: 4,000 of each age if even; about 1,290, 3,600 and 7,110 by the rates,
        // because those with a high rate are drawn first.
        assert!(sums(&even).iter().all(|&sum| (3_800..4_200).contains(&sum)), "{:?}", sums(&even));
        let [low, middle, high] = sums(&uneven);
        assert!((1_150..1_450).contains(&low) && (3_350..3_850).contains(&middle) && high > 6_800);
    }
}
