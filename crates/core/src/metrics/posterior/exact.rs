//! The exact posterior of one group of a small class, for results that floats cannot separate from
//! a bound.
//!
//! With priors u/v, multiply (v − u) + u·x over some people. The coefficient of x^k is the
//! probability that k of them are in T, times the product of all v.

use std::cmp::Ordering;

use num_bigint::BigUint;

use super::group::Group;
use crate::model::Presence;

/// The largest number of people with a prior above 0 for which a class is decided exactly. 500
/// people take a few hundredths of a second.
pub(super) const MOST_PEOPLE: u64 = 500;

/// Two probabilities, times a common factor: that a person and t − 1 others of the class are in T,
/// and that t others are and the person is not.
pub(super) struct ExactOdds {
    chosen: BigUint,
    not: BigUint,
}

impl ExactOdds {
    /// The odds of one person of a group, in a class with `members` members, at least one.
    pub(super) fn of(groups: &[Group], members: u64, index: usize) -> Self {
        let degree = usize::try_from(members).expect("no more than are counted exactly");
        let mut product = vec![BigUint::ZERO; degree + 1];
        product[0] = BigUint::from(1_u8);
        for (number, group) in groups.iter().enumerate().filter(|(_, group)| group.prior > Presence::ZERO) {
            let (chosen, not) = group.terms();
            for _ in 0..group.people - u64::from(number == index) {
                for power in (1..=degree).rev() {
                    product[power] = &product[power] * not + &product[power - 1] * chosen;
                }
                product[0] *= not;
            }
        }
        let (chosen, not) = groups[index].terms();
        let before = degree.checked_sub(1).map(|power| &product[power] * chosen);
        Self { chosen: before.unwrap_or_default(), not: &product[degree] * not }
    }

    /// Compares the posterior with a bound.
    pub(super) fn compare(&self, bound: Presence) -> Ordering {
        let all = &self.chosen + &self.not;
        (&self.chosen * bound.denominator()).cmp(&(all * bound.numerator()))
    }

    #[cfg(test)]
    pub(super) fn value(&self) -> num_rational::Ratio<BigUint> {
        num_rational::Ratio::new(self.chosen.clone(), &self.chosen + &self.not)
    }
}

impl Group {
    /// u and v − u of the prior u/v.
    fn terms(&self) -> (u64, u64) {
        (self.prior.numerator(), self.prior.denominator() - self.prior.numerator())
    }
}
