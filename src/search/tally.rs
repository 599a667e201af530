//! How a class is tallied so that one addition a combination decides whether it keeps δ.

use std::ops::AddAssign;

use crate::model::{Counts, Delta};

/// What is summed over the combinations of a class. Sums are exact in every form.
pub(super) trait Tally: Copy + Default + AddAssign + Send + Sync {
    /// The tally of some people.
    fn of(counts: Counts, delta: Delta) -> Self;

    /// Above 0 where a class with this tally breaks δ, the more the worse; the verdict is exact, its size only a hint.
    fn excess(self, delta: Delta) -> i64;
}

/// private·d − n·public for δmax = n/d. Enough where δmin = 0: a class breaks δ exactly if it is positive.
#[derive(Clone, Copy, Default)]
pub(super) struct Over(i64);

/// [`Over`] for δmax and its mirror image for δmin.
#[derive(Clone, Copy, Default)]
pub(super) struct Both {
    over: i64,
    under: i64,
}

/// Which form is exact for a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// [`Over`].
    Over,
    /// [`Both`].
    Both,
    /// [`Counts`] themselves: where the products of the other forms could leave 64 bits.
    Wide,
}

impl Form {
    /// The narrowest form whose every possible sum is exact: none leaves ±(products with the whole tables).
    pub(super) fn of(delta: Delta, total: Counts) -> Self {
        let fits = |count: u64, factor: u64| i64::try_from(u128::from(count) * u128::from(factor)).is_ok();
        let narrow = [delta.floor(), delta.max()]
            .into_iter()
            .all(|bound| fits(total.private, bound.denominator()) && fits(total.public, bound.numerator()));
        match (narrow, delta.floor().numerator()) {
            (false, _) => Self::Wide,
            (true, 0) => Self::Over,
            (true, _) => Self::Both,
        }
    }
}

/// δ for counts that are part of a whole: by 64-bit products where they are exact, else as [`Delta`] does it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    delta: Delta,
    narrow: bool,
}

impl Bounds {
    /// The bounds for counts up to `total`.
    pub(super) fn of(delta: Delta, total: Counts) -> Self {
        Self { delta, narrow: Form::of(delta, total) != Form::Wide }
    }

    /// Whether a class with these counts keeps δ.
    pub(super) fn allow(&self, counts: Counts) -> bool {
        let (min, max) = (self.delta.floor(), self.delta.max());
        if self.narrow {
            counts.private * max.denominator() <= max.numerator() * counts.public
                && counts.private * min.denominator() >= min.numerator() * counts.public
        } else {
            self.delta.allows(counts)
        }
    }
}

/// count·factor, which [`Form::of`] found to fit.
fn product(count: u64, factor: u64) -> i64 {
    let product = count * factor;
    debug_assert!(i64::try_from(product).is_ok(), "{count} · {factor} is not narrow");
    product.cast_signed()
}

impl Tally for Over {
    fn of(counts: Counts, delta: Delta) -> Self {
        let max = delta.max();
        Self(product(counts.private, max.denominator()) - product(counts.public, max.numerator()))
    }

    fn excess(self, _: Delta) -> i64 {
        self.0
    }
}

impl Tally for Both {
    fn of(counts: Counts, delta: Delta) -> Self {
        let min = delta.floor();
        Self {
            over: Over::of(counts, delta).0,
            under: product(counts.public, min.numerator()) - product(counts.private, min.denominator()),
        }
    }

    fn excess(self, _: Delta) -> i64 {
        self.over.max(self.under)
    }
}

impl Tally for Counts {
    fn of(counts: Counts, _: Delta) -> Self {
        counts
    }

    fn excess(self, delta: Delta) -> i64 {
        i64::from(!delta.allows(self))
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

    fn delta(min: &str, max: &str) -> Delta {
        Delta::new(min.parse().unwrap(), max.parse().unwrap()).unwrap()
    }

    #[test]
    fn every_form_gives_the_verdict_of_delta() {
        let bounds = [("0", "1/20"), ("1/3", "1/2"), ("0", "1"), ("1", "1"), ("0", "0")];
        let allowed = bounds.map(|(min, max)| delta(min, max));
        for delta in allowed.into_iter().chain(allowed.map(|delta| delta.without_empty_classes(40))) {
            for public in 1..40 {
                for private in 0..=public {
                    let counts = Counts::new(public, private);
                    let breaks = !delta.allows(counts);
                    if delta.floor().numerator() == 0 {
                        assert_eq!(Over::of(counts, delta).excess(delta) > 0, breaks, "{private}/{public}");
                    }
                    assert_eq!(Both::of(counts, delta).excess(delta) > 0, breaks, "{private}/{public}");
                    assert_eq!(Tally::excess(counts, delta) > 0, breaks, "{private}/{public}");
                    let bounds = Bounds::of(delta, Counts::new(40, 40));
                    assert_eq!(bounds.allow(counts), !breaks, "{private}/{public}");
                }
            }
        }
    }

    #[test]
    fn a_form_is_narrow_only_where_it_cannot_overflow() {
        let total = Counts::new(1 << 40, 1 << 30);
        assert_eq!(Form::of(delta("0", "1/20"), total), Form::Over);
        assert_eq!(Form::of(delta("1/30", "1/20"), total), Form::Both);
        assert_eq!(Form::of(delta("0", "0.333333333333333333"), total), Form::Wide);
    }
}
