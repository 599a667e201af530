//! The prior: an attacker's probability, before the release, that each person of P is in T.
//!
//! One measure of a release uses the prior; searches do not. The verdict of δ-presence is that of
//! an attacker to whom all people of a class are equally likely.

use super::error::ModelError;
use super::histogram::Histogram;
use super::presence::Presence;

/// The independent probabilities of the people of each combination to be in T.
///
/// People of one combination may differ. Each combination has its distinct probabilities,
/// ascending, with the number of people of P for each. Every person has a probability, and it is
/// below 1. Each combination has at least as many people with a probability above 0 as members of
/// T, so T is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prior {
    /// The distinct probabilities, ascending.
    probabilities: Vec<Presence>,
    /// The start of each combination's shares, and the end of the last.
    starts: Vec<usize>,
    shares: Vec<PriorShare>,
}

/// People of a combination with equal probability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriorShare {
    /// Their probability, as an index into the prior's [probabilities](Prior::probabilities).
    pub probability: u32,
    /// The number of these people in P.
    pub people: u64,
}

impl Prior {
    /// Creates the prior of a histogram's people. `people` has a combination, a probability and a
    /// number of people of P, in any order.
    ///
    /// # Errors
    /// A [`ModelError`] if a probability is 1, if a combination has more or fewer people
    /// than its probabilities, or fewer with a probability above 0 than members of T.
    pub fn new(histogram: &Histogram, people: &[(usize, Presence, u64)]) -> Result<Self, ModelError> {
        let wrong =
            |detail: String| Err(ModelError::Invalid(format!("the prior does not fit the tables: {detail}")));
        let mut probabilities: Vec<Presence> =
            people.iter().map(|(_, probability, _)| *probability).collect();
        probabilities.sort_unstable();
        probabilities.dedup();
        if probabilities.last() == Some(&Presence::ONE) {
            return wrong("it is 1 for somebody, which no T contradicts; it must be below 1".to_owned());
        }
        let mut numbered = Vec::with_capacity(people.len());
        for &(combination, probability, people) in people.iter().filter(|(.., people)| *people > 0) {
            let index = probabilities.partition_point(|known| *known < probability);
            let Ok(index) = u32::try_from(index) else {
                return wrong("more different probabilities than 32 bits can number".to_owned());
            };
            numbered.push((combination, PriorShare { probability: index, people }));
        }
        numbered.sort_unstable();
        numbered.dedup_by(|later, first| {
            let is_same = later.0 == first.0 && later.1.probability == first.1.probability;
            if is_same {
                first.1.people += later.1.people;
            }
            is_same
        });
        let mut starts = Vec::with_capacity(histogram.len() + 1);
        let mut rest = numbered.as_slice();
        for (combination, counts) in histogram.counts().iter().enumerate() {
            starts.push(numbered.len() - rest.len());
            let length = rest.partition_point(|(known, _)| *known <= combination);
            let (here, behind) = rest.split_at(length);
            rest = behind;
            let known: u64 = here.iter().map(|(_, share)| share.people).sum();
            if known != counts.public {
                return wrong(format!("{known} probabilities for {} people", counts.public));
            }
            let is_possible = |share: &PriorShare| probabilities[share.probability as usize] > Presence::ZERO;
            let possible: u64 =
                here.iter().filter(|(_, share)| is_possible(share)).map(|(_, share)| share.people).sum();
            if possible < counts.private {
                return wrong(format!("{} of T, where only {possible} have a prior above 0", counts.private));
            }
        }
        starts.push(numbered.len());
        if !rest.is_empty() {
            return wrong("it has a combination that the tables have not".to_owned());
        }
        Ok(Self { probabilities, starts, shares: numbered.into_iter().map(|(_, share)| share).collect() })
    }

    /// The number of combinations.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are no combinations.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distinct probabilities, ascending.
    pub fn probabilities(&self) -> &[Presence] {
        &self.probabilities
    }

    /// The people of a combination by ascending probability.
    ///
    /// # Panics
    /// If there is no such combination.
    pub fn shares(&self, combination: usize) -> &[PriorShare] {
        &self.shares[self.starts[combination]..self.starts[combination + 1]]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Counts;

    fn presence(text: &str) -> Presence {
        text.parse().unwrap()
    }

    fn two_combinations() -> Histogram {
        Histogram::new(vec![vec![0, 1]], vec![Counts::new(3, 1), Counts::new(2, 0)]).unwrap()
    }

    #[test]
    fn people_of_a_combination_are_grouped_by_prior() {
        let people =
            [(1, "5%", 2), (0, "1/2", 1), (0, "0.05", 1), (0, "50%", 1)].map(|(c, p, n)| (c, presence(p), n));
        let prior = Prior::new(&two_combinations(), &people).unwrap();
        let share = |probability, people| PriorShare { probability, people };
        assert_eq!(prior.probabilities(), [presence("1/20"), presence("1/2")]);
        assert_eq!(prior.shares(0), [share(0, 1), share(1, 2)]);
        assert_eq!(prior.shares(1), [share(0, 2)]);
    }

    #[test]
    fn certain_missing_and_impossible_people_are_refused() {
        for (people, refusal) in [
            (vec![(0, "1", 3), (1, "1/2", 2)], "it is 1 for somebody"),
            (vec![(0, "1/2", 2), (1, "1/2", 2)], "2 probabilities for 3 people"),
            (vec![(0, "1/2", 3), (1, "1/2", 3)], "3 probabilities for 2 people"),
            (vec![(0, "1/2", 3), (1, "1/2", 2), (2, "1/2", 1)], "it has a combination"),
            (vec![(0, "0", 3), (1, "1/2", 2)], "1 of T, where only 0 have a prior above 0"),
        ] {
            let people: Vec<_> = people.into_iter().map(|(c, p, n)| (c, presence(p), n)).collect();
            let error = Prior::new(&two_combinations(), &people).unwrap_err().to_string();
            assert!(error.contains(refusal), "expected {refusal}\n   found {error}");
        }
    }
}
