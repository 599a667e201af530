//! What a release shows of everybody, recounted for an adversary who knows how likely each person was to be in T beforehand.
//!
//! Of a class with t members the adversary knows that these are t of its people, and nothing else of who: the posterior of one
//! of them is the probability that he is in T and t − 1 of the others are, as a part of that and of its contrary. Both are found
//! by adding one person after another to a distribution of how many are in T. Whatever all odds are multiplied by, the posteriors
//! are the same; they are, so that about t are in T, and nothing gets too small.

use num_bigint::BigUint;

use super::prior::Alike;
use super::value::Chance;
use palmtop_terms::{Delta, Presence};

/// Up to so many people who may be in T a class is decided in whole numbers where a bound is near.
const EXACT: u64 = 500;
/// Less than this at the ends of a distribution is nothing.
const NOTHING: f64 = 1e-100;

/// How many people are outside δ to an adversary with the prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnderPrior {
    /// People above δmax, or so near to it that nobody can tell.
    pub over: u64,
    /// People below δmin, or so near to it that nobody can tell.
    pub under: u64,
    /// The posterior farthest outside δ; where all are within, the greatest.
    pub worst: f64,
}

impl UnderPrior {
    /// Whether everybody's posterior is within δ.
    pub fn holds(self) -> bool {
        self.over + self.under == 0
    }
}

/// A class: its people of P by how likely they are, each chance once, and its members.
pub(super) type Believed = (Vec<Alike>, u64);

/// Judges everybody by δ.
pub(super) fn judge(classes: &[Believed], delta: Delta) -> UnderPrior {
    let mut found = UnderPrior { over: 0, under: 0, worst: 0.0 };
    let mut farthest = f64::NEG_INFINITY;
    let (min, max) = (delta.min(), delta.max());
    for (people, members) in classes {
        let possible: Vec<Alike> = people.iter().copied().filter(|(chance, _)| chance.yes > 0).collect();
        let posteriors = posteriors(&possible, *members);
        let impossible: u64 =
            people.iter().filter(|(chance, _)| chance.yes == 0).map(|(_, count)| count).sum();
        let none = (impossible > 0).then_some((0.0, impossible, false, min > Presence::ZERO));
        let each = (0..possible.len()).map(|place| {
            let above = max < Presence::ONE && is_beyond(&possible, *members, place, &posteriors, max, true);
            let below =
                min > Presence::ZERO && is_beyond(&possible, *members, place, &posteriors, min, false);
            (posteriors[place].value, possible[place].1, above, below)
        });
        for (value, count, above, below) in none.into_iter().chain(each) {
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

/// A posterior, how far it may be off, and what it is exactly where that is easy.
#[derive(Clone, Copy, Debug)]
struct Posterior {
    value: f64,
    error: f64,
    exact: Option<Presence>,
}

/// Whether a posterior is above a bound, or below it; where nobody can tell, it is.
fn is_beyond(
    people: &[Alike],
    members: u64,
    place: usize,
    posteriors: &[Posterior],
    bound: Presence,
    above: bool,
) -> bool {
    let Posterior { value, error, exact } = posteriors[place];
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
    let (chosen, not) = exactly(people, members, place);
    let (part, whole) = (&chosen * bound.denominator(), (&chosen + not) * bound.numerator());
    if above { part > whole } else { part < whole }
}

/// The posteriors of people who may all be in T.
fn posteriors(people: &[Alike], members: u64) -> Vec<Posterior> {
    let count: u64 = people.iter().map(|(_, count)| count).sum();
    if people.len() == 1 || members == 0 || members >= count {
        let share = Presence::new(members.min(count), count).unwrap_or(Presence::ZERO);
        return vec![Posterior { value: share.to_f64(), error: 0.0, exact: Some(share) }; people.len()];
    }
    let trials = trials(people, members);
    let mut found = vec![0.0; people.len()];
    leave_out(&trials, &Distribution::nobody(members), &mut found);
    // Each person adds three roundings to each of two sums; the odds have some of their own.
    #[expect(clippy::cast_precision_loss, reason = "an error that is an estimate from above")]
    let error = |value: f64| 8.0 * f64::EPSILON * (count as f64 + 16.0) * value + 1e-30;
    found.into_iter().map(|value| Posterior { value, error: error(value), exact: None }).collect()
}

/// So many people, each in T with one probability and not with the other, who stand at a place of a list.
#[derive(Clone, Copy, Debug)]
struct Trials {
    place: usize,
    yes: f64,
    no: f64,
    people: u64,
}

/// People with all odds multiplied, by bisection, so that about so many members are to be expected.
#[expect(clippy::cast_precision_loss, reason = "whatever the odds are multiplied by changes no posterior")]
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
    let trial = |(place, (chance, people)): (usize, &Alike)| {
        let odds = odds(chance) * factor;
        Trials { place, yes: odds / (1.0 + odds), no: 1.0 / (1.0 + odds), people: *people }
    };
    people.iter().enumerate().map(trial).collect()
}

/// Finds the posterior of one person of each of these; `others` has everybody else. Each half is left out of what the other is
/// added to: with n people of G kinds and t members that adds O(n·log G) people, in O(t) each.
fn leave_out(trials: &[Trials], others: &Distribution, found: &mut [f64]) {
    if let [trials] = trials {
        let mut others = others.clone();
        others.add(trials.yes, trials.no, trials.people - 1);
        let (before, at) = others.last_two();
        let (chosen, not) = (trials.yes * before, trials.no * at);
        found[trials.place] = if chosen > 0.0 { chosen / (chosen + not) } else { 0.0 };
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
    for (own, other) in [(left, right), (right, left)] {
        let mut others = others.clone();
        for trials in other {
            others.add(trials.yes, trials.no, trials.people);
        }
        leave_out(own, &others, found);
    }
}

/// How likely it is that so many people are in T: from none to the members of a class.
#[derive(Clone, Debug)]
struct Distribution {
    terms: Vec<f64>,
    /// The first and the last number that is not next to impossible.
    first: usize,
    last: usize,
}

impl Distribution {
    /// Of nobody.
    fn nobody(members: u64) -> Self {
        let most = usize::try_from(members).expect("T has no more people than 32 bits can number");
        let mut terms = vec![0.0; most + 1];
        terms[0] = 1.0;
        Self { terms, first: 0, last: 0 }
    }

    /// Adds so many people, one after the other.
    fn add(&mut self, yes: f64, no: f64, people: u64) {
        for _ in 0..people {
            let end = self.terms.len() - 1;
            self.last = (self.last + 1).min(end);
            let mut before = 0.0;
            for term in &mut self.terms[self.first..=self.last] {
                (before, *term) = (*term, *term * no + before * yes);
            }
            while self.first < self.last && self.terms[self.first] < NOTHING {
                self.terms[self.first] = 0.0;
                self.first += 1;
            }
            while self.last > self.first && self.terms[self.last] < NOTHING {
                self.terms[self.last] = 0.0;
                self.last -= 1;
            }
        }
    }

    /// Of one member less than the class has, and of all of them.
    fn last_two(&self) -> (f64, f64) {
        match self.terms.as_slice() {
            [.., before, last] => (*before, *last),
            _ => (0.0, 0.0),
        }
    }
}

/// In whole numbers, how likely a person of a kind is in T with t − 1 of the others, and how likely not with t of them: both
/// times the same number.
fn exactly(people: &[Alike], members: u64, place: usize) -> (BigUint, BigUint) {
    let mut ways = vec![BigUint::from(1_u8)];
    for (kind, (chance, count)) in people.iter().enumerate() {
        for _ in 0..count - u64::from(kind == place) {
            // One more person: as many as before without him, or one more with him.
            let mut more: Vec<BigUint> = ways.iter().map(|ways| ways * chance.no).collect();
            more.push(BigUint::ZERO);
            for (more, ways) in more[1..].iter_mut().zip(&ways) {
                *more += ways * chance.yes;
            }
            ways = more;
        }
    }
    let of = |number: Option<u64>| {
        let place = number.and_then(|number| usize::try_from(number).ok());
        place.and_then(|place| ways.get(place)).cloned().unwrap_or_default()
    };
    let (chance, _) = people[place];
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
