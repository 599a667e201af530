//! The classes of a node that must be withdrawn, and whether they have too many members.

use palmtop_core::model::{Counts, Presence, PresenceBounds, Problem};

/// The limits on withdrawal in a problem.
pub(crate) struct Room {
    bounds: PresenceBounds,
    /// The number of members that may be withdrawn.
    most: u64,
    /// The number of individuals in P.
    public: u64,
}

/// The forced withdrawals of a node: its classes that break the policy.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Forced {
    /// The counts of these classes and of those without members: everyone who matches no row.
    pub(crate) pool: Counts,
    /// A lower bound on the number of members that every specialization must withdraw.
    pub(crate) least: u64,
    /// Whether that bound exceeds the limit, so that every specialization fails.
    pub(crate) is_hopeless: bool,
}

/// The amount that a pool lacks to keep δ. Each further class reduces it by its [gain](Self::gain).
pub(crate) struct Lacks {
    /// The distance of the pool from the violated bound, in people times the bound's denominator.
    pub(crate) people: u128,
    bound: Presence,
    is_over: bool,
}

impl Room {
    pub(crate) fn of(problem: &Problem) -> Self {
        let total = problem.histogram().total();
        let most = problem.policy().suppression().most(total.private);
        Self { bounds: problem.bounds(), most, public: total.public }
    }

    /// The forced withdrawals of a node, given its classes with members, whether the policy allows
    /// each of them, and the number of people in the other classes.
    ///
    /// Let δmax = n/d. Every specialization withdraws at least Σ max(0, private·d − n·public)/(d −
    /// n) members, summed over the node's classes. Reason: a specialization divides each class. Its
    /// parts above δmax together have at least the excess of the class. A part with `private`
    /// members has an excess of at most private·(d − n), because it has at least as many people as
    /// members.
    pub(crate) fn forced(&self, classes: &[Counts], is_allowed: &[bool], without: u64) -> Forced {
        let mut forced = Forced { pool: Counts::new(without, 0), ..Forced::default() };
        let mut excess = 0_u128;
        let max = self.bounds.max();
        for (&class, _) in classes.iter().zip(is_allowed).filter(|(_, is_allowed)| !**is_allowed) {
            forced.pool += class;
            excess = excess.saturating_add(beyond(class, max));
        }
        let widest = u128::from(max.denominator() - max.numerator());
        // If δmax is 1, no class exceeds it.
        let least = if widest == 0 { 0 } else { excess.div_ceil(widest) };
        forced.is_hopeless = least > u128::from(self.most);
        forced.least = u64::try_from(least).unwrap_or(self.most);
        debug_assert!(forced.pool.public <= self.public);
        forced
    }

    /// The number of members that may still be withdrawn; `None` if the limit is exceeded.
    pub(crate) fn left(&self, forced: &Forced) -> Option<u64> {
        self.most.checked_sub(forced.pool.private)
    }

    /// The amount that a pool lacks to keep δ; `None` if it keeps δ or is empty.
    ///
    /// The classes that are withdrawn to repair it keep δ themselves. So they cannot push the pool
    /// over the other bound.
    pub(crate) fn lacks(&self, pool: Counts) -> Option<Lacks> {
        if pool.public == 0 {
            return None;
        }
        let over = beyond(pool, self.bounds.max());
        if over > 0 {
            return Some(Lacks { people: over, bound: self.bounds.max(), is_over: true });
        }
        let under = below(pool, self.bounds.floor());
        (under > 0).then(|| Lacks { people: under, bound: self.bounds.floor(), is_over: false })
    }
}

impl Lacks {
    /// The amount by which a class reduces what the pool lacks.
    pub(crate) fn gain(&self, class: Counts) -> u128 {
        if self.is_over { below(class, self.bound) } else { beyond(class, self.bound) }
    }
}

/// max(0, private·d − n·public) for a bound n/d. It is below 2¹²⁸, because counts and terms are
/// below 2⁶⁴.
fn beyond(counts: Counts, bound: Presence) -> u128 {
    let (private, public) = products(counts, bound);
    private.saturating_sub(public)
}

/// max(0, n·public − private·d) for a bound n/d.
fn below(counts: Counts, bound: Presence) -> u128 {
    let (private, public) = products(counts, bound);
    public.saturating_sub(private)
}

fn products(counts: Counts, bound: Presence) -> (u128, u128) {
    let private = u128::from(counts.private) * u128::from(bound.denominator());
    (private, u128::from(counts.public) * u128::from(bound.numerator()))
}
