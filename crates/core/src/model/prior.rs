//! The prior: how likely each person of P is to be in T, as an adversary believes before anything is released.
//!
//! A measure of a release looks at it, a search never does: the verdict of δ-presence is that of an adversary to whom all
//! people of a class are alike.

use super::error::ModelError;
use super::histogram::Histogram;
use super::presence::Presence;

/// How likely the people of each combination are to be in T, each by themselves.
///
/// People of one combination may differ: of each combination it holds the distinct probabilities, ascending, with how many
/// people of P have each. Every probability is below 1, and nobody's is missing. No combination has more members of T than
/// people with a probability above 0, so that T is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prior {
    /// The distinct probabilities, ascending.
    probabilities: Vec<Presence>,
    /// Where the shares of each combination begin, and where the last ones end.
    starts: Vec<usize>,
    shares: Vec<PriorShare>,
}

/// So many people who are alike to the adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PriorShare {
    /// Their probability, as a place among the prior's [probabilities](Prior::probabilities).
    pub probability: u32,
    /// How many of P they are.
    pub people: u64,
}

/// What a prior says of everybody.
#[derive(Clone, Debug, PartialEq)]
pub struct PriorSummary {
    /// The least probability.
    pub min: Presence,
    /// The greatest.
    pub max: Presence,
    /// How many different ones there are.
    pub distinct: usize,
    /// Their sum over everybody: how many members of T the adversary expects. For people to compare with |T|.
    pub expected: f64,
}

impl Prior {
    /// The prior of the people of a histogram: the people of P of a combination who have a probability, in any order.
    ///
    /// # Errors
    /// [`ModelError::PriorShape`] where a probability is 1, a combination has more or fewer people than its probabilities,
    /// or fewer with one above 0 than members of T.
    pub fn new(histogram: &Histogram, people: &[(usize, Presence, u64)]) -> Result<Self, ModelError> {
        let wrong = |detail: String| Err(ModelError::PriorShape { detail });
        let mut probabilities: Vec<Presence> =
            people.iter().map(|(_, probability, _)| *probability).collect();
        probabilities.sort_unstable();
        probabilities.dedup();
        if probabilities.last() == Some(&Presence::ONE) {
            return wrong("it is 1 for somebody, which no T contradicts; it must be below 1".to_owned());
        }
        let mut numbered = Vec::with_capacity(people.len());
        for &(combination, probability, people) in people.iter().filter(|(.., people)| *people > 0) {
            let place = probabilities.partition_point(|known| *known < probability);
            let Ok(place) = u32::try_from(place) else {
                return wrong("more different probabilities than 32 bits can number".to_owned());
            };
            numbered.push((combination, PriorShare { probability: place, people }));
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
            let length = rest.partition_point(|(place, _)| *place <= combination);
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

    /// How many combinations it is of.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether it is of no combination at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The distinct probabilities, ascending.
    pub fn probabilities(&self) -> &[Presence] {
        &self.probabilities
    }

    /// The people of a combination by their probability, the least probable first.
    ///
    /// # Panics
    /// If there are not so many combinations.
    pub fn shares(&self, combination: usize) -> &[PriorShare] {
        &self.shares[self.starts[combination]..self.starts[combination + 1]]
    }

    /// What it says of everybody.
    #[expect(clippy::cast_precision_loss, reason = "a sum to compare by eye")]
    pub fn summary(&self) -> PriorSummary {
        let of = |share: &PriorShare| self.probabilities[share.probability as usize].to_f64();
        PriorSummary {
            min: self.probabilities.first().copied().unwrap_or(Presence::ZERO),
            max: self.probabilities.last().copied().unwrap_or(Presence::ZERO),
            distinct: self.probabilities.len(),
            expected: self.shares.iter().map(|share| of(share) * share.people as f64).sum(),
        }
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
    fn people_of_a_combination_are_grouped_by_how_likely_they_are() {
        let people =
            [(1, "5%", 2), (0, "1/2", 1), (0, "0.05", 1), (0, "50%", 1)].map(|(c, p, n)| (c, presence(p), n));
        let prior = Prior::new(&two_combinations(), &people).unwrap();
        let share = |probability, people| PriorShare { probability, people };
        assert_eq!(prior.probabilities(), [presence("1/20"), presence("1/2")]);
        assert_eq!(prior.shares(0), [share(0, 1), share(1, 2)]);
        assert_eq!(prior.shares(1), [share(0, 2)]);
        let summary = prior.summary();
        assert_eq!((summary.min, summary.max, summary.distinct), (presence("1/20"), presence("1/2"), 2));
        assert!((summary.expected - 1.15).abs() < 1e-12);
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
