//! Tallies of classes: additive numbers from which the verdict of the policy follows exactly.

use std::ops::AddAssign;

use palmtop_core::model::{Counts, Criteria, Policy, PresenceBounds, Problem};

/// A number, or several, that is summed over the combinations of a class. Sums are exact.
pub(crate) trait Tally: Copy + Default + AddAssign + Send + Sync {
    /// The tally of some individuals and members.
    fn of(counts: Counts, bounds: PresenceBounds) -> Self;

    /// A number above 0 exactly if a class with this tally breaks the policy. Its size is only a
    /// hint of how badly.
    fn excess(self, judge: &Judge) -> i64;
}

/// private·d − n·public for δmax = n/d.
///
/// It suffices if δmin = 0 and the policy has no other criterion: a class breaks δ exactly if its
/// sum is positive.
#[derive(Clone, Copy, Default)]
pub(crate) struct Over(i64);

/// [`Over`] for δmax and its mirror image for δmin, if the policy has no criterion besides δ.
#[derive(Clone, Copy, Default)]
pub(crate) struct Both {
    over: i64,
    under: i64,
}

/// The form of tallies that is exact for a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// [`Over`]: δmax only.
    Over,
    /// [`Both`]: δmin and δmax.
    Both,
    /// [`Counts`]: for products that may exceed 64 bits, or for further criteria, which need the
    /// counts of each class.
    Whole,
}

impl Form {
    /// The narrowest form that is exact for every sum up to the totals of the tables.
    pub(crate) fn of(policy: &Policy, total: Counts) -> Self {
        let bounds = policy.bounds();
        match (
            is_narrow(bounds, total) && policy.criteria().on_counts().is_empty(),
            bounds.floor().numerator(),
        ) {
            (false, _) => Self::Whole,
            (true, 0) => Self::Over,
            (true, _) => Self::Both,
        }
    }
}

/// Whether the products of a bound's terms with counts up to `total` fit into 64 bits.
fn is_narrow(bounds: PresenceBounds, total: Counts) -> bool {
    let fits = |count: u64, factor: u64| i64::try_from(u128::from(count) * u128::from(factor)).is_ok();
    [bounds.floor(), bounds.max()]
        .into_iter()
        .all(|bound| fits(total.private, bound.denominator()) && fits(total.public, bound.numerator()))
}

/// The criteria of a policy on counts: δ and all others. δ is judged by 64-bit products if they are
/// exact, else by [`PresenceBounds`].
#[derive(Clone, Debug)]
pub(crate) struct Judge {
    bounds: PresenceBounds,
    narrow: bool,
    others: Criteria,
}

impl Judge {
    /// The judge of a problem's policy.
    pub(crate) fn of(problem: &Problem) -> Self {
        Self::up_to(problem.policy(), problem.total())
    }

    /// The judge of a policy, for counts up to `total`.
    fn up_to(policy: &Policy, total: Counts) -> Self {
        let bounds = policy.bounds();
        Self { bounds, narrow: is_narrow(bounds, total), others: policy.criteria().on_counts() }
    }

    /// Whether a class with these counts satisfies δ and the criteria on counts.
    /// [`ValueJudge`](super::value_judge::ValueJudge) judges sensitive values.
    #[inline]
    pub(crate) fn allows_counts(&self, counts: Counts) -> bool {
        self.keeps_delta(counts) && (self.others.is_empty() || self.others.allow(&counts.into()))
    }

    #[inline]
    fn keeps_delta(&self, counts: Counts) -> bool {
        let (min, max) = (self.bounds.floor(), self.bounds.max());
        if self.narrow {
            counts.private * max.denominator() <= max.numerator() * counts.public
                && counts.private * min.denominator() >= min.numerator() * counts.public
        } else {
            self.bounds.allows(counts)
        }
    }
}

/// The product count·factor, which [`Form::of`] has found to fit.
fn product(count: u64, factor: u64) -> i64 {
    let product = count * factor;
    debug_assert!(i64::try_from(product).is_ok(), "{count} · {factor} is not narrow");
    product.cast_signed()
}

impl Tally for Over {
    fn of(counts: Counts, bounds: PresenceBounds) -> Self {
        let max = bounds.max();
        Self(product(counts.private, max.denominator()) - product(counts.public, max.numerator()))
    }

    fn excess(self, _: &Judge) -> i64 {
        self.0
    }
}

impl Tally for Both {
    fn of(counts: Counts, bounds: PresenceBounds) -> Self {
        let min = bounds.floor();
        Self {
            over: Over::of(counts, bounds).0,
            under: product(counts.public, min.numerator()) - product(counts.private, min.denominator()),
        }
    }

    fn excess(self, _: &Judge) -> i64 {
        self.over.max(self.under)
    }
}

impl Tally for Counts {
    fn of(counts: Counts, _: PresenceBounds) -> Self {
        counts
    }

    fn excess(self, judge: &Judge) -> i64 {
        i64::from(!judge.allows_counts(self))
    }
}

impl AddAssign for Over {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl AddAssign for Both {
    fn add_assign(&mut self, other: Self) {
        self.over += other.over;
        self.under += other.under;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmtop_core::model::{Delta, EmptyRegions};

    const TOTAL: Counts = Counts { public: 40, private: 40 };

    fn policy(min: &str, max: &str, k: Option<&str>, empty_regions: EmptyRegions) -> Policy {
        let delta = Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap();
        let criteria = Criteria::read(k.map(|k| ("k", k))).unwrap();
        Policy::new(delta, empty_regions, criteria, TOTAL)
    }

    // holds: Exact verdicts
    #[test]
    fn every_form_gives_the_verdict_of_the_policy() {
        let deltas = [("0", "1/20"), ("1/3", "1/2"), ("0", "1"), ("1", "1"), ("0", "0")];
        let empty = [EmptyRegions::Allow, EmptyRegions::Forbid];
        let ks = [None, Some("1"), Some("3"), Some("12")];
        for ((min, max), empty, k) in triples(&deltas, &empty, &ks) {
            let policy = policy(min, max, k, empty);
            let (bounds, judge) = (policy.bounds(), Judge::up_to(&policy, TOTAL));
            assert_eq!(Form::of(&policy, TOTAL) == Form::Whole, k.is_some());
            for public in 1..40 {
                for private in 0..=public {
                    let counts = Counts::new(public, private);
                    let breaks = !policy.allows(counts);
                    assert_eq!(judge.allows_counts(counts), !breaks, "{private}/{public}");
                    assert_eq!(Tally::excess(counts, &judge) > 0, breaks, "{private}/{public}");
                    if k.is_some() {
                        continue;
                    }
                    if bounds.floor().numerator() == 0 {
                        assert_eq!(Over::of(counts, bounds).excess(&judge) > 0, breaks, "{private}/{public}");
                    }
                    assert_eq!(Both::of(counts, bounds).excess(&judge) > 0, breaks, "{private}/{public}");
                }
            }
        }
    }

    /// All triples of elements.
    fn triples<A: Copy, B: Copy, C: Copy>(a: &[A], b: &[B], c: &[C]) -> Vec<(A, B, C)> {
        let pairs = a.iter().flat_map(|&a| b.iter().map(move |&b| (a, b)));
        pairs.flat_map(|(a, b)| c.iter().map(move |&c| (a, b, c))).collect()
    }

    #[test]
    fn narrow_arithmetic_is_chosen_only_without_overflow() {
        let total = Counts::new(1 << 40, 1 << 30);
        let form = |min, max, k| Form::of(&policy(min, max, k, EmptyRegions::Allow), total);
        assert_eq!(form("0", "1/20", None), Form::Over);
        assert_eq!(form("1/30", "1/20", None), Form::Both);
        assert_eq!(form("0", "0.333333333333333333", None), Form::Whole);
        assert_eq!(form("0", "1/20", Some("2")), Form::Whole);
    }
}
