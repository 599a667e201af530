//! The posteriors of people after a release, for an attacker with a prior.
//!
//! Each person of P is in T with a known probability π, independently of others. An attacker who
//! knows these and sees t members in a class C believes `P(p ∈ T) = w·e_{t−1}(C∖p)/e_t(C)`. Here w
//! = π/(1 − π) are the odds, and `e_t` is the elementary symmetric polynomial of the odds in the
//! class. This is a sample of t people by the weights w (Chen, Dempster and Liu, *Weighted finite
//! population sampling to maximize entropy*, Biometrika 81, 1994). If all priors are equal, it is
//! t/n.
//!
//! This measure supplements δ-presence, which assumes equally likely people within a class.
//! Searches do not use it. Floating-point results have a known error; a result that is too near to
//! a bound counts as outside. In classes of at most 500 people with a prior above 0, whole numbers
//! decide instead.

mod group;
mod pmf;
mod tilted;
mod exact;

use rayon::prelude::*;

use self::exact::ExactOdds;
use self::group::{Belief, Group};
use crate::model::{Delta, Presence, Prior};

/// The beliefs about all people of P after a release.
#[derive(Clone, Debug, PartialEq)]
pub struct Posteriors {
    spans: Vec<Span>,
    verdict: PriorVerdict,
}

/// The least and the greatest posterior in a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least posterior.
    pub min: f64,
    /// The greatest posterior.
    pub max: f64,
}

/// The number of people of P who are outside δ for an attacker with a prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorVerdict {
    /// The number of people above δmax, or too near to decide.
    pub over: u64,
    /// The number of people below δmin, or too near to decide.
    pub under: u64,
    /// The posterior farthest outside δ. If all are within δ, the greatest.
    pub worst: f64,
}

impl PriorVerdict {
    /// The number of people outside δ.
    pub fn beyond(self) -> u64 {
        self.over + self.under
    }

    /// Whether all people are within δ.
    pub fn holds(self) -> bool {
        self.beyond() == 0
    }
}

/// The contribution of a class to the verdict.
#[derive(Clone, Copy, Debug)]
struct ClassVerdict {
    span: Span,
    over: u64,
    under: u64,
    /// The distance of the worst posterior from δ, and that posterior.
    worst: (f64, f64),
}

impl Posteriors {
    /// The beliefs after a release, judged by δ. `class_of` has the class of each combination, and
    /// `members` the number of members of each class. In each class, at least as many people have
    /// a prior above 0.
    ///
    /// A class of n people with t members and G distinct probabilities takes O(t·log G) in addition
    /// to O(n), because a sum of people is computed in a window of about 23 standard deviations.
    /// Only the bounds of δ apply, not a rule on empty classes: without members, every posterior is
    /// 0.
    ///
    /// # Panics
    /// If the combinations are not those of the prior.
    pub fn of(prior: &Prior, class_of: &[u32], members: &[u64], delta: Delta) -> Self {
        assert_eq!(class_of.len(), prior.len(), "a class for every combination");
        let groups = groups_of(prior, class_of, members.len());
        let judged: Vec<ClassVerdict> =
            groups.par_iter().zip(members).map(|(groups, &members)| judge(groups, members, delta)).collect();
        let worst = judged.iter().map(|class| class.worst);
        let worst = worst.max_by(|left, right| left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1)));
        Self {
            spans: judged.iter().map(|class| class.span).collect(),
            verdict: PriorVerdict {
                over: judged.iter().map(|class| class.over).sum(),
                under: judged.iter().map(|class| class.under).sum(),
                worst: worst.map_or(0.0, |(_, value)| value),
            },
        }
    }

    /// The least and the greatest posterior of all people.
    pub fn range(&self) -> Span {
        let whole = Span { min: 1.0, max: 0.0 };
        self.spans
            .iter()
            .fold(whole, |range, span| Span { min: range.min.min(span.min), max: range.max.max(span.max) })
    }

    /// The least and the greatest posterior of a class.
    ///
    /// # Panics
    /// If there is no such class.
    pub fn span(&self, class: u32) -> Span {
        self.spans[class as usize]
    }

    /// The number of people outside δ.
    pub fn verdict(&self) -> PriorVerdict {
        self.verdict
    }
}

/// The people of each class by their probability, ascending.
fn groups_of(prior: &Prior, class_of: &[u32], classes: usize) -> Vec<Vec<Group>> {
    let mut shares: Vec<Vec<(u32, u64)>> = vec![Vec::new(); classes];
    for (combination, &class) in class_of.iter().enumerate() {
        let of_class = prior.shares(combination).iter().map(|share| (share.probability, share.people));
        shares[class as usize].extend(of_class);
    }
    let merged = |mut shares: Vec<(u32, u64)>| {
        shares.sort_unstable();
        shares.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            if is_same {
                first.1 += later.1;
            }
            is_same
        });
        let group =
            |(index, people): (u32, u64)| Group { prior: prior.probabilities()[index as usize], people };
        shares.into_iter().map(group).collect()
    };
    shares.into_par_iter().map(merged).collect()
}

/// Judges the people of a class with `members` members.
fn judge(groups: &[Group], members: u64, delta: Delta) -> ClassVerdict {
    let beliefs = beliefs(groups, members);
    let (min, max) = (delta.min().to_f64(), delta.max().to_f64());
    let mut verdict = ClassVerdict {
        span: Span { min: 1.0, max: 0.0 },
        over: 0,
        under: 0,
        worst: (f64::NEG_INFINITY, 0.0),
    };
    for (index, belief) in beliefs.iter().enumerate() {
        let (is_over, is_under) = belief.outside(delta, || exactly(groups, members, index));
        let people = groups[index].people;
        verdict.over += if is_over { people } else { 0 };
        verdict.under += if is_under { people } else { 0 };
        let outside = match (is_over, is_under) {
            (false, false) => 0.0,
            _ => (belief.value - max).max(min - belief.value).max(f64::MIN_POSITIVE),
        };
        if (outside, belief.value) > verdict.worst {
            verdict.worst = (outside, belief.value);
        }
        verdict.span.min = verdict.span.min.min(belief.value);
        verdict.span.max = verdict.span.max.max(belief.value);
    }
    verdict
}

/// The beliefs about each group of a class with `members` members. At least as many people have a
/// prior above 0.
fn beliefs(groups: &[Group], members: u64) -> Vec<Belief> {
    // People with a prior of 0 cannot be chosen.
    let possible: Vec<Group> = groups.iter().copied().filter(|group| group.prior > Presence::ZERO).collect();
    let people: u64 = possible.iter().map(|group| group.people).sum();
    let share = Presence::new(members, people).unwrap_or(Presence::ZERO);
    let alike = members == 0 || members == people || possible.len() == 1;
    let known: Vec<Belief> = if alike {
        possible.iter().map(|_| Belief::exact(share)).collect()
    } else {
        tilted::beliefs(&possible, members)
    };
    let impossible = groups.len() - possible.len();
    std::iter::repeat_n(Belief::exact(Presence::ZERO), impossible).chain(known).collect()
}

/// The exact odds of a group, if the class is small enough.
fn exactly(groups: &[Group], members: u64, index: usize) -> Option<ExactOdds> {
    let people: u64 =
        groups.iter().filter(|group| group.prior > Presence::ZERO).map(|group| group.people).sum();
    (people <= exact::MOST_PEOPLE).then(|| ExactOdds::of(groups, members, index))
}

impl Belief {
    fn exact(presence: Presence) -> Self {
        Self { value: presence.to_f64(), error: 0.0, exactly: Some(presence) }
    }

    /// Whether the belief is above δmax, and whether it is below δmin. If floating-point numbers
    /// cannot decide, the exact numbers do; without them, the result is yes.
    fn outside(&self, delta: Delta, exactly: impl Fn() -> Option<ExactOdds>) -> (bool, bool) {
        if let Some(presence) = self.exactly {
            return (presence > delta.max(), presence < delta.min());
        }
        // A bound as a float has an additional error below this.
        let error = self.error + 2.0 * f64::EPSILON * self.value;
        let (above_max, below_min) = (self.value - delta.max().to_f64(), delta.min().to_f64() - self.value);
        // No posterior is above 1 or below 0, whatever its error.
        let (can_be_over, can_be_under) = (delta.max() < Presence::ONE, delta.min() > Presence::ZERO);
        let decide = |excess: f64, is_beyond: &dyn Fn(&ExactOdds) -> bool| match excess {
            far if far > error => true,
            near if near >= -error => exactly().is_none_or(|known| is_beyond(&known)),
            _ => false,
        };
        (
            can_be_over && decide(above_max, &|known| known.compare(delta.max()).is_gt()),
            can_be_under && decide(below_min, &|known| known.compare(delta.min()).is_lt()),
        )
    }
}

#[cfg(test)]
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    reason = "the numbers of tests are small"
)]
mod tests;
