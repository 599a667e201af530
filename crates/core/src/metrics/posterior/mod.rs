//! What a release shows of everybody who was not equally likely to be in T beforehand.
//!
//! Everybody of P is in T with a probability of their own, π, each by themselves; an adversary who knows these and then sees that
//! t people of a class C are in T believes of each with `P(p ∈ T) = w·e_{t−1}(C∖p)/e_t(C)`, where w = π/(1 − π) are the odds and
//! `e_t` the elementary symmetric polynomial of everybody's in the class: a sample of t people by the weights w (Chen, Dempster and
//! Liu, *Weighted finite population sampling to maximize entropy*, Biometrika 81, 1994). Where all are alike, that is t/n.
//!
//! It is a measure beside δ-presence, which is for an adversary to whom all people of a class are alike: no search looks at it.
//! Floats are computed with an error that is known, and count as beyond a bound that they are so near to; in classes of at most
//! 500 people (with a prior above 0) whole numbers decide then.

mod pmf;
mod tilted;
mod exact;

use rayon::prelude::*;

use self::exact::ExactOdds;
use crate::model::{Classes, Delta, Presence, Prior, Problem};

/// The beliefs about everybody after a release.
#[derive(Clone, Debug, PartialEq)]
pub struct Posteriors {
    spans: Vec<Span>,
    verdict: PriorVerdict,
}

/// The least and the greatest posterior of somebody in a class.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

/// How many people of P are outside δ to an adversary with a prior.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PriorVerdict {
    /// People over δmax, or so near to it that nobody can tell.
    pub over: u64,
    /// People under δmin, or so near to it that nobody can tell.
    pub under: u64,
    /// The posterior farthest outside δ; where all keep it, the greatest.
    pub worst: f64,
}

impl PriorVerdict {
    /// How many people are outside δ.
    pub fn beyond(self) -> u64 {
        self.over + self.under
    }

    /// Whether everybody is within δ.
    pub fn holds(self) -> bool {
        self.beyond() == 0
    }
}

/// People of a class who are alike to the adversary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Group {
    prior: Presence,
    people: u64,
}

/// What the adversary believes of each of a group, and how far the number may be from the truth.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Belief {
    value: f64,
    /// Absolute; 0 where `exactly` is known.
    error: f64,
    exactly: Option<Presence>,
}

/// What a class adds to the verdict.
#[derive(Clone, Copy, Debug)]
struct ClassVerdict {
    span: Span,
    over: u64,
    under: u64,
    /// How far the worst posterior is outside δ, and that posterior.
    worst: (f64, f64),
}

impl Posteriors {
    /// The beliefs after a release of these classes, judged by δ; `None` where the problem has no prior.
    ///
    /// Of a class with t members and G different probabilities it takes O(t·log G), beside O(n) for its people: what is computed
    /// of a sum of people is a window of some 23 standard deviations. The bounds of δ alone count, and not what a policy
    /// says of classes without members: there, everybody's posterior is 0.
    pub fn of(problem: &Problem, classes: &Classes, delta: Delta) -> Option<Self> {
        let prior = problem.prior()?;
        let groups = groups_of(prior, classes);
        let judged: Vec<ClassVerdict> = groups
            .par_iter()
            .zip(classes.data_of())
            .map(|(groups, &data)| judge(groups, classes.spread()[data as usize].0.counts().private, delta))
            .collect();
        let worst = judged.iter().map(|class| class.worst);
        let worst = worst.max_by(|left, right| left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1)));
        Some(Self {
            spans: judged.iter().map(|class| class.span).collect(),
            verdict: PriorVerdict {
                over: judged.iter().map(|class| class.over).sum(),
                under: judged.iter().map(|class| class.under).sum(),
                worst: worst.map_or(0.0, |(_, value)| value),
            },
        })
    }

    /// The least and the greatest posterior of a class.
    ///
    /// # Panics
    /// If there are not so many classes.
    pub fn span(&self, class: u32) -> Span {
        self.spans[class as usize]
    }

    /// How many people are outside δ.
    pub fn verdict(&self) -> PriorVerdict {
        self.verdict
    }
}

/// The people of each class by their probability, ascending.
fn groups_of(prior: &Prior, classes: &Classes) -> Vec<Vec<Group>> {
    let mut shares: Vec<Vec<(u32, u64)>> = vec![Vec::new(); classes.len()];
    for (combination, &class) in classes.class_of.iter().enumerate() {
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
            |(place, people): (u32, u64)| Group { prior: prior.probabilities()[place as usize], people };
        shares.into_iter().map(group).collect()
    };
    shares.into_par_iter().map(merged).collect()
}

/// Judges the people of a class with so many members.
fn judge(groups: &[Group], members: u64, delta: Delta) -> ClassVerdict {
    let beliefs = beliefs(groups, members);
    let (min, max) = (delta.min().to_f64(), delta.max().to_f64());
    let mut verdict = ClassVerdict {
        span: Span { min: 1.0, max: 0.0 },
        over: 0,
        under: 0,
        worst: (f64::NEG_INFINITY, 0.0),
    };
    for (place, belief) in beliefs.iter().enumerate() {
        let (is_over, is_under) = belief.outside(delta, || exactly(groups, members, place));
        let people = groups[place].people;
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

/// The beliefs about each group of a class with so many members, of whom no more are than have a prior above 0.
fn beliefs(groups: &[Group], members: u64) -> Vec<Belief> {
    // Whoever cannot be in T is not there to be chosen.
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

/// The belief about a group, where the class is small enough: whether it is above a bound, or below it.
fn exactly(groups: &[Group], members: u64, place: usize) -> Option<ExactOdds> {
    let people: u64 =
        groups.iter().filter(|group| group.prior > Presence::ZERO).map(|group| group.people).sum();
    (people <= exact::MOST_PEOPLE).then(|| ExactOdds::of(groups, members, place))
}

impl Belief {
    fn exact(presence: Presence) -> Self {
        Self { value: presence.to_f64(), error: 0.0, exactly: Some(presence) }
    }

    /// Whether it is over δmax, and whether it is under δmin. Where the floats cannot tell, the exact numbers do; without
    /// these it is.
    fn outside(&self, delta: Delta, exactly: impl Fn() -> Option<ExactOdds>) -> (bool, bool) {
        if let Some(presence) = self.exactly {
            return (presence > delta.max(), presence < delta.min());
        }
        // A bound as a float is off by less than this, too.
        let error = self.error + 2.0 * f64::EPSILON * self.value;
        let (above_max, below_min) = (self.value - delta.max().to_f64(), delta.min().to_f64() - self.value);
        // Nobody is over 1 or under 0, however uncertain.
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
