//! What has to be withdrawn of a node whatever else is, and whether that is too much.

use super::super::tally::Judge;
use palmtop_core::model::{Counts, Delta, Presence, Problem};

/// How much may be withdrawn of a problem.
pub(super) struct Room {
    delta: Delta,
    /// The members that may be withdrawn.
    most: u64,
    /// The people of P.
    public: u64,
}

/// What has to be withdrawn of a node: its classes that break the policy.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Forced {
    /// These classes and those without members: who matches no row.
    pub(super) pool: Counts,
    /// How many members every specialization has to withdraw, at least.
    pub(super) least: u64,
    /// Whether those are more than may be.
    pub(super) is_hopeless: bool,
}

/// What a pool lacks to keep δ: so many people more at a bound, each class adding its [gain](Self::gain).
pub(super) struct Lacks {
    /// How far the pool is beyond the bound, in people times the bound's denominator.
    pub(super) people: u128,
    bound: Presence,
    is_over: bool,
}

impl Room {
    pub(super) fn of(problem: &Problem) -> Self {
        let total = problem.histogram().total();
        let most = problem.policy().suppression().most(total.private);
        Self { delta: problem.delta(), most, public: total.public }
    }

    /// What has to be withdrawn of a node with these classes, which have members, and so many people in others.
    ///
    /// A specialization withdraws no fewer than Σ max(0, private·d − n·public)/(d − n) members, over the classes of the node,
    /// for δmax = n/d. It divides each class, and the parts that are over δmax have together at least the excess of the
    /// whole; a part with `private` members is over by at most private·(d − n), as it has no fewer people than members.
    pub(super) fn forced(&self, classes: &[Counts], without: u64, judge: &Judge) -> Forced {
        let mut forced = Forced { pool: Counts::new(without, 0), ..Forced::default() };
        let mut excess = 0_u128;
        let max = self.delta.max();
        for &class in classes.iter().filter(|class| !judge.allows_counts(**class)) {
            forced.pool += class;
            excess = excess.saturating_add(beyond(class, max));
        }
        let widest = u128::from(max.denominator() - max.numerator());
        // Where δmax is 1 nobody is over it.
        let least = if widest == 0 { 0 } else { excess.div_ceil(widest) };
        forced.is_hopeless = least > u128::from(self.most);
        forced.least = u64::try_from(least).unwrap_or(self.most);
        debug_assert!(forced.pool.public <= self.public);
        forced
    }

    /// How many members more may be withdrawn; `None` where it is too many already.
    pub(super) fn left(&self, forced: &Forced) -> Option<u64> {
        self.most.checked_sub(forced.pool.private)
    }

    /// What a pool lacks to keep δ; `None` where it does, or nobody is in it.
    ///
    /// What is withdrawn to mend it keeps δ by itself, and so takes no pool beyond the other bound.
    pub(super) fn lacks(&self, pool: Counts) -> Option<Lacks> {
        if pool.public == 0 {
            return None;
        }
        let over = beyond(pool, self.delta.max());
        if over > 0 {
            return Some(Lacks { people: over, bound: self.delta.max(), is_over: true });
        }
        let under = below(pool, self.delta.floor());
        (under > 0).then(|| Lacks { people: under, bound: self.delta.floor(), is_over: false })
    }
}

impl Lacks {
    /// How much less a pool lacks with these people.
    pub(super) fn gain(&self, class: Counts) -> u128 {
        if self.is_over { below(class, self.bound) } else { beyond(class, self.bound) }
    }
}

/// private·d − n·public for a bound n/d, where that is above 0; below 2¹²⁸, as counts and terms are below 2⁶⁴.
fn beyond(counts: Counts, bound: Presence) -> u128 {
    let (private, public) = products(counts, bound);
    private.saturating_sub(public)
}

/// n·public − private·d for a bound n/d, where that is above 0.
fn below(counts: Counts, bound: Presence) -> u128 {
    let (private, public) = products(counts, bound);
    public.saturating_sub(private)
}

fn products(counts: Counts, bound: Presence) -> (u128, u128) {
    let private = u128::from(counts.private) * u128::from(bound.denominator());
    (private, u128::from(counts.public) * u128::from(bound.numerator()))
}
