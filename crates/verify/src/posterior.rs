//! Computes the posteriors of an attacker who knows a prior for each individual in P.
//!
//! The attacker learns that t of a class's individuals are in T. The posterior of a person is a / (a + b). Here a is the
//! probability that the person and t − 1 of the others are in T; b is the probability that t of the others are in T and the
//! person is not. A distribution of the number of members, built person by person, gives both. Multiplying all odds by one factor
//! does not change the posteriors. The factor is chosen so that about t members are expected, which avoids underflow.

use num_bigint::BigUint;

use super::value::{Alike, Chance};
use palmtop_terms::{Delta, Presence};

/// The largest class, in people with a prior above 0, that is decided with exact integers if a posterior is near a bound.
const EXACT: u64 = 500;
/// Smaller probabilities at the ends of a distribution are dropped.
const NEGLIGIBLE: f64 = 1e-100;

/// The posteriors of an attacker with the prior, compared with δ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnderPrior {
    /// The number of people above δmax, or so near to it that the computation cannot decide.
    pub over: u64,
    /// The number of people below δmin, or so near to it that the computation cannot decide.
    pub under: u64,
    /// The posterior farthest outside δ. If all are within δ, the greatest.
    pub worst: f64,
}

impl UnderPrior {
    /// Whether every posterior is within δ.
    pub fn holds(self) -> bool {
        self.over + self.under == 0
    }
}

/// A class: its individuals in P, grouped by distinct prior, and its number of members.
pub(super) type Believed = (Vec<Alike>, u64);

/// Compares all posteriors with δ.
pub(super) fn judge(classes: &[Believed], delta: Delta) -> UnderPrior {
    let mut found = UnderPrior { over: 0, under: 0, worst: 0.0 };
    let mut farthest = f64::NEG_INFINITY;
    let (min, max) = (delta.min(), delta.max());
    for (people, members) in classes {
        let possible: Vec<Alike> = people.iter().copied().filter(|(chance, _)| chance.yes > 0).collect();
        let posteriors = posteriors(&possible, *members);
        let impossible: u64 =
            people.iter().filter(|(chance, _)| chance.yes == 0).map(|(_, count)| count).sum();
        let zero = (impossible > 0).then_some((0.0, impossible, false, min > Presence::ZERO));
        let each = (0..possible.len()).map(|group| {
            let above = max < Presence::ONE && is_beyond(&possible, *members, group, &posteriors, max, true);
            let below =
                min > Presence::ZERO && is_beyond(&possible, *members, group, &posteriors, min, false);
            (posteriors[group].value, possible[group].1, above, below)
        });
        for (value, count, above, below) in zero.into_iter().chain(each) {
            found.over += if above { count } else { 0 };
            found.under += if below { count } else { 0 };
            let distance = (value - max.to_f64()).max(min.to_f64() - value);
            let distance = if above || below { distance.max(f64::MIN_POSITIVE) } else { 0.0 };
            if distance > farthest || (distance >= farthest && value > found.worst) {
                (farthest, found.worst) = (distance, value);
            }
        }
    }
    found
}

/// A posterior, a bound of its error, and its exact value if that is easy to compute.
#[derive(Clone, Copy, Debug)]
struct Posterior {
    value: f64,
    error: f64,
    exact: Option<Presence>,
}

/// Whether the posterior of a group is above a bound (`above`) or below it. `true` if the computation cannot decide.
fn is_beyond(
    people: &[Alike],
    members: u64,
    group: usize,
    posteriors: &[Posterior],
    bound: Presence,
    above: bool,
) -> bool {
    let Posterior { value, error, exact } = posteriors[group];
    if let Some(exact) = exact {
        return if above { exact > bound } else { exact < bound };
    }
    let excess = if above { value - bound.to_f64() } else { bound.to_f64() - value };
    if excess.abs() > error {
        return excess > 0.0;
    }
    if people.iter().map(|(_, count)| count).sum::<u64>() > EXACT {
        return true;
    }
    let (chosen, not) = exact_weights(people, members, group);
    let (left, right) = (&chosen * bound.denominator(), (&chosen + not) * bound.numerator());
    if above { left > right } else { left < right }
}

/// The posteriors of groups of people, all with a prior above 0.
fn posteriors(people: &[Alike], members: u64) -> Vec<Posterior> {
    let count: u64 = people.iter().map(|(_, count)| count).sum();
    if people.len() == 1 || members == 0 || members >= count {
        let share = Presence::new(members.min(count), count).unwrap_or(Presence::ZERO);
        return vec![Posterior { value: share.to_f64(), error: 0.0, exact: Some(share) }; people.len()];
    }
    let trials = trials(people, members);
    let mut found = vec![0.0; people.len()];
    leave_out(&trials, &Distribution::empty(members), &mut found);
    // Each person adds three rounding errors to each of two sums; the odds add a few more.
    #[expect(clippy::cast_precision_loss, reason = "the error is an upper bound")]
    let error = |value: f64| 8.0 * f64::EPSILON * (count as f64 + 16.0) * value + 1e-30;
    found.into_iter().map(|value| Posterior { value, error: error(value), exact: None }).collect()
}

/// A group of people with the same prior: the probabilities that one of them is in T and is not in T.
#[derive(Clone, Copy, Debug)]
struct Trials {
    /// The index of the group.
    group: usize,
    yes: f64,
    no: f64,
    people: u64,
}

/// The groups with all odds multiplied by one factor. Bisection finds the factor with about `members` expected members.
#[expect(clippy::cast_precision_loss, reason = "the factor of the odds does not change the posteriors")]
fn trials(people: &[Alike], members: u64) -> Vec<Trials> {
    let odds = |chance: &Chance| chance.yes as f64 / chance.no as f64;
    let (mut low, mut high) = (-150.0_f64, 150.0_f64);
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        let expected = people.iter().map(|(chance, count)| {
            let odds = odds(chance) * middle.exp();
            *count as f64 * odds / (1.0 + odds)
        });
        if expected.sum::<f64>() < members as f64 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let factor = f64::midpoint(low, high).exp();
    let trial = |(group, (chance, people)): (usize, &Alike)| {
        let odds = odds(chance) * factor;
        Trials { group, yes: odds / (1.0 + odds), no: 1.0 / (1.0 + odds), people: *people }
    };
    people.iter().enumerate().map(trial).collect()
}

/// Computes the posterior of one person of each group; `others` is the distribution of everybody else. Divide and conquer: each
/// half of the groups is added to the distribution of the other half. For n people in G groups and t members, this adds
/// O(n·log G) people in O(t) each.
fn leave_out(trials: &[Trials], others: &Distribution, found: &mut [f64]) {
    if let [trials] = trials {
        let mut others = others.clone();
        others.add(trials.yes, trials.no, trials.people - 1);
        let (one_less, all) = others.last_two();
        let (chosen, not) = (trials.yes * one_less, trials.no * all);
        found[trials.group] = if chosen > 0.0 { chosen / (chosen + not) } else { 0.0 };
        return;
    }
    let all: u64 = trials.iter().map(|trials| trials.people).sum();
    let mut before = 0;
    let reaches_half = |trials: &Trials| {
        before += trials.people;
        before * 2 >= all
    };
    let half = trials.iter().position(reaches_half).unwrap_or(0);
    let (left, right) = trials.split_at(half.clamp(1, trials.len() - 1));
    for (half, added) in [(left, right), (right, left)] {
        let mut others = others.clone();
        for trials in added {
            others.add(trials.yes, trials.no, trials.people);
        }
        leave_out(half, &others, found);
    }
}

/// The probabilities of 0, 1, … members, up to the number of members of a class.
#[derive(Clone, Debug)]
struct Distribution {
    terms: Vec<f64>,
    /// The first number with a probability that is not negligible.
    first: usize,
    /// The last such number.
    last: usize,
}

impl Distribution {
    /// The distribution for no people, with room for `members` members.
    fn empty(members: u64) -> Self {
        let most = usize::try_from(members).expect("T has at most 2^32 - 1 people");
        let mut terms = vec![0.0; most + 1];
        terms[0] = 1.0;
        Self { terms, first: 0, last: 0 }
    }

    /// Adds `people` people, each in T with probability `yes` and not in T with probability `no`.
    fn add(&mut self, yes: f64, no: f64, people: u64) {
        for _ in 0..people {
            let end = self.terms.len() - 1;
            self.last = (self.last + 1).min(end);
            let mut previous = 0.0;
            for term in &mut self.terms[self.first..=self.last] {
                (previous, *term) = (*term, *term * no + previous * yes);
            }
            while self.first < self.last && self.terms[self.first] < NEGLIGIBLE {
                self.terms[self.first] = 0.0;
                self.first += 1;
            }
            while self.last > self.first && self.terms[self.last] < NEGLIGIBLE {
                self.terms[self.last] = 0.0;
                self.last -= 1;
            }
        }
    }

    /// The probabilities of one member less than the class has, and of all its members.
    fn last_two(&self) -> (f64, f64) {
        match self.terms.as_slice() {
            [.., previous, last] => (*previous, *last),
            _ => (0.0, 0.0),
        }
    }
}

/// Exact integer weights for a person of a group: for being in T together with t − 1 of the others, and for not being in T
/// together with t of the others. Both are the probabilities times the same number.
fn exact_weights(people: &[Alike], members: u64, group: usize) -> (BigUint, BigUint) {
    let mut ways = vec![BigUint::from(1_u8)];
    for (index, (chance, count)) in people.iter().enumerate() {
        for _ in 0..count - u64::from(index == group) {
            // One more person, who is not in T (the same number of members) or in T (one more).
            let mut more: Vec<BigUint> = ways.iter().map(|ways| ways * chance.no).collect();
            more.push(BigUint::ZERO);
            for (more, ways) in more[1..].iter_mut().zip(&ways) {
                *more += ways * chance.yes;
            }
            ways = more;
        }
    }
    let of = |number: Option<u64>| {
        let index = number.and_then(|number| usize::try_from(number).ok());
        index.and_then(|index| ways.get(index)).cloned().unwrap_or_default()
    };
    let (chance, _) = people[group];
    (of(members.checked_sub(1)) * chance.yes, of(Some(members)) * chance.no)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chance(yes: u64, no: u64) -> Chance {
        Chance { yes, no }
    }

    fn delta(min: &str, max: &str) -> Delta {
        Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
    }

    /// Gail is likelier than Iris by nine to one, and one of the two is in T.
    #[test]
    fn gail_is_believed_to_be_in_t_with_nine_to_one() {
        let two = vec![(chance(1, 1), 1), (chance(9, 1), 1)];
        let judged = |people: &Vec<Alike>, members, max| judge(&[(people.clone(), members)], delta("0", max));
        let found = judged(&two, 1, "2/3");
        assert_eq!((found.over, found.under), (1, 0));
        assert!((found.worst - 0.9).abs() < 1e-14);
        assert!(judged(&two, 1, "9/10").holds());
        assert!(!judged(&two, 1, "0.8999999999999999999").holds());
        // With two more like Iris, and two of the four in T: 27 of 30 for Gail, 11 of 30 for each other.
        let four = vec![(chance(1, 1), 3), (chance(9, 1), 1)];
        assert!(judged(&four, 2, "27/30").holds());
        assert_eq!(judged(&four, 2, "11/30").over, 1);
        assert_eq!(judged(&four, 2, "0.36").over, 4);
    }

    #[test]
    fn where_all_are_alike_it_is_the_share_of_members() {
        let posterior = posteriors(&[(chance(1, 99), 45_222)], 4522);
        assert_eq!(posterior[0].exact, Some(Presence::new(4522, 45_222).unwrap()));
        let with_impossible = vec![(chance(0, 1), 5), (chance(1, 3), 4)];
        let found = judge(&[(with_impossible, 1)], delta("1/4", "1/4"));
        assert_eq!((found.over, found.under), (0, 5));
    }

    #[test]
    fn the_posteriors_of_many_people_add_up_to_the_members() {
        let people: Vec<Alike> = (1..200).map(|number| (chance(number, 1000), 7)).collect();
        let sum: f64 = posteriors(&people, 300).iter().map(|posterior| posterior.value * 7.0).sum();
        assert!((sum - 300.0).abs() < 1e-9, "{sum}");
    }
}
