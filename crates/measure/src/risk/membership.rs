//! Membership disclosure as an attack: what an attacker expects who calls people of P members of T.
//!
//! The literature on synthetic data reports this as an F1 against guessing (El Emam, Mosquera, Fang, *Validating a membership
//! disclosure metric for synthetic health data*, JAMIA Open 2022). Here it is exact, because the presence of a class is the
//! probability that one of its people is a member, for an attacker who holds all of them for equally likely members.
//!
//! Of m people who are called members, a are expected to be members. Then precision is a/m, recall a/|T|, and F1 = 2a/(|T| + m).
//! This is linear in a and m over the people of each class, so the greatest F1 calls whole classes, and another class raises F1
//! exactly if twice its presence is above F1. So the best attack is a prefix of the classes by descending presence.

use palmtop_core::model::{Counts, Fraction, Presence};

use super::mean;

/// How much a release reveals about who is in T. The figures hold for an attacker who does not know how the release was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The people of P, and the members of T among them.
    pub total: Counts,
    /// The greatest presence of a class.
    pub highest: Presence,
    /// The mean over members of the presence of their class; 0 without members.
    pub mean: Fraction,
    /// The attack with the greatest expected F1; `None` if there are no members.
    pub attack: Option<Attack>,
}

/// An attack that calls all people of some classes members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The number of these classes.
    pub classes: u64,
    /// Their people, and the members among them.
    pub called: Counts,
    /// The members of T in P.
    members: u64,
}

impl Membership {
    /// The figures of a release whose classes, with the class of the people who match no row, have these counts. Sorts the classes
    /// once, and passes once.
    pub fn of(classes: impl IntoIterator<Item = Counts>) -> Self {
        let mut classes: Vec<Counts> = classes.into_iter().filter(|class| class.public > 0).collect();
        classes.sort_unstable_by_key(|class| std::cmp::Reverse(class.presence()));
        let total: Counts = classes.iter().copied().sum();
        let squares = classes.iter().map(|class| (u128::from(class.private).pow(2), class.public));
        Self {
            total,
            highest: classes.first().map_or(Presence::ZERO, |class| class.presence()),
            mean: mean(squares, total.private),
            attack: (total.private > 0).then(|| Attack::best(&classes, total.private)),
        }
    }

    /// π = |T|/|P|: the probability of membership before the release.
    pub fn prior(&self) -> Presence {
        self.total.presence()
    }

    /// The highest posterior over π; `None` without members.
    pub fn lift(&self) -> Option<Fraction> {
        let prior = Fraction::from(self.prior());
        (!prior.is_zero()).then(|| (Fraction::from(self.highest).as_ratio() / prior.as_ratio()).into())
    }
}

impl Attack {
    /// The best prefix of classes by descending presence.
    fn best(classes: &[Counts], members: u64) -> Self {
        let mut attack = Self { classes: 0, called: Counts::default(), members };
        for class in classes {
            if !attack.is_raised_by(*class) {
                break;
            }
            attack.classes += 1;
            attack.called += *class;
        }
        attack
    }

    /// Whether twice the presence of a class is above F1.
    fn is_raised_by(&self, class: Counts) -> bool {
        let wide = u128::from;
        wide(class.private) * (wide(self.members) + wide(self.called.public))
            > wide(class.public) * wide(self.called.private)
    }

    /// The share of members among the people who are called members.
    pub fn precision(&self) -> Presence {
        self.called.presence()
    }

    /// The share of T that is called members.
    pub fn recall(&self) -> Presence {
        Counts::new(self.members, self.called.private).presence()
    }

    /// 2·precision·recall/(precision + recall).
    pub fn f1(&self) -> Fraction {
        let wide = u128::from;
        Fraction::ratio(2 * wide(self.called.private), wide(self.members) + wide(self.called.public))
    }
}

/// 2x/(1 + x): F1 with the precision x and a recall of 1. With x = π it is the F1 of calling everyone a member; with x = δmax it
/// is the greatest F1 that δ permits, because precision is at most δmax.
pub fn f1_with_full_recall(precision: Presence) -> Fraction {
    let (above, below) = (u128::from(precision.numerator()), u128::from(precision.denominator()));
    Fraction::ratio(2 * above, above + below)
}

/// (F1 − zero)/(1 − zero), and 0 if F1 is less than the zero; `None` if the zero is 1. The zero is the F1 of guessing.
pub fn relative_f1(f1: &Fraction, zero: &Fraction) -> Option<Fraction> {
    let range = Fraction::one().minus(zero);
    (!range.is_zero()).then(|| (f1.minus(zero).as_ratio() / range.as_ratio()).into())
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Classes as `(people of P, members)`.
    fn of(classes: &[(u64, u64)]) -> Membership {
        Membership::of(classes.iter().map(|&(public, private)| Counts::new(public, private)))
    }

    fn fraction(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    /// A table by hand: |P| = 20, |T| = 5, so π = 1/4. F1 = 2a/(5 + m), with m people called members, of whom a are.
    ///
    /// ```text
    /// class            P   T   presence    m   a   precision  recall  F1
    /// A                2   1   1/2         2   1   1/2        1/5     2/7   = .286
    /// B                6   3   1/2         8   4   1/2        4/5     8/13  = .615   the best
    /// withdrawn, pool  4   1   1/4        12   5   5/12       1       10/17 = .588
    /// C                8   0   0          20   5   1/4        1       10/25 = .400   guessing: everyone
    /// ```
    #[test]
    fn attack_equals_the_table_by_hand() {
        let found = of(&[(4, 1), (2, 1), (8, 0), (6, 3)]);
        assert_eq!((found.prior().to_string(), found.highest.to_string()), ("1/4".into(), "1/2".into()));
        assert_eq!(found.lift(), Some(fraction("2")));
        // (1 · 1/2 + 3 · 1/2 + 1 · 1/4)/5.
        assert_eq!(found.mean, fraction("9/20"));
        let attack = found.attack.unwrap();
        assert_eq!((attack.classes, attack.called), (2, Counts::new(8, 4)));
        assert_eq!(
            (attack.precision().to_string(), attack.recall().to_string()),
            ("1/2".into(), "4/5".into())
        );
        assert_eq!(attack.f1(), fraction("8/13"));
        // (8/13 − 1/4)/(3/4) = 19/39, and (8/13 − 2/5)/(3/5) = 14/39.
        assert_eq!(relative_f1(&attack.f1(), &found.prior().into()), Some(fraction("19/39")));
        let everyone = f1_with_full_recall(found.prior());
        assert_eq!(everyone, fraction("2/5"));
        assert_eq!(relative_f1(&attack.f1(), &everyone), Some(fraction("14/39")));
        // From δmax = 1/2 alone: F1 at most 2/3, relative to π at most 5/9.
        let bound = f1_with_full_recall(found.highest);
        assert_eq!(
            (&bound, relative_f1(&bound, &found.prior().into())),
            (&fraction("2/3"), Some(fraction("5/9")))
        );
    }

    #[test]
    fn nobody_or_everybody_is_a_member() {
        let nobody = of(&[(3, 0), (0, 0)]);
        assert_eq!((nobody.attack, nobody.lift(), nobody.mean), (None, None, Fraction::zero()));
        let everybody = of(&[(3, 3), (1, 1)]);
        assert_eq!((everybody.mean, everybody.attack.unwrap().f1()), (Fraction::one(), Fraction::one()));
        assert_eq!(relative_f1(&Fraction::one(), &everybody.attack.unwrap().precision().into()), None);
    }

    proptest! {
        /// All sets of classes, and all numbers of people within one class, which is called in part.
        #[test]
        fn no_set_of_classes_beats_the_attack(classes in vec((1_u64..8, 0_u64..8), 1..7)) {
            let classes: Vec<(u64, u64)> =
                classes.into_iter().map(|(public, private)| (public, private.min(public))).collect();
            let members: u64 = classes.iter().map(|(_, private)| private).sum();
            prop_assume!(members > 0);
            let found = of(&classes);
            let best = found.attack.unwrap();
            let f1 = |called: &Fraction, expected: &Fraction| -> Fraction {
                let below = Fraction::ratio(members.into(), 1).plus(called);
                (expected.plus(expected).as_ratio() / below.as_ratio()).into()
            };
            let mut is_reached = false;
            for set in 0..1_u32 << classes.len() {
                let chosen = (0..).zip(&classes).filter(|(index, _)| (set >> index) & 1 == 1);
                let (public, private) =
                    chosen.fold((0_u64, 0_u64), |(public, private), (_, class)| (public + class.0, private + class.1));
                let (called, expected) =
                    (Fraction::ratio(public.into(), 1), Fraction::ratio(private.into(), 1));
                let naive = f1(&called, &expected);
                is_reached |= naive == best.f1();
                prop_assert!(naive <= best.f1(), "{classes:?}: {set:b}");
                for (index, class) in classes.iter().enumerate().filter(|(index, _)| (set >> index) & 1 == 0) {
                    for some in 1..class.0 {
                        let called = called.plus(&Fraction::ratio(some.into(), 1));
                        let part = Fraction::ratio(u128::from(some * class.1), class.0.into());
                        prop_assert!(f1(&called, &expected.plus(&part)) <= best.f1(), "{index}");
                    }
                }
            }
            prop_assert!(is_reached);
            // δmax alone bounds it, and calling everyone a member is no better.
            prop_assert!(best.f1() <= f1_with_full_recall(found.highest));
            prop_assert!(best.precision() <= found.highest);
            prop_assert!(best.f1() >= f1_with_full_recall(found.prior()));
            // F1 is the harmonic mean of precision and recall.
            let (precision, recall): (Fraction, Fraction) = (best.precision().into(), best.recall().into());
            let product = Fraction::from(precision.as_ratio() * recall.as_ratio());
            let harmonic: Fraction = (product.plus(&product).as_ratio() / precision.plus(&recall).as_ratio()).into();
            prop_assert_eq!(harmonic, best.f1());
        }
    }
}
