//! l-diversity: how many sensitive values the members of a class have, and how evenly (Machanavajjhala, Gehrke, Kifer and
//! Venkitasubramaniam, *l-Diversity: Privacy Beyond k-Anonymity*, ICDE 2006, section 4).

use num_bigint::BigUint;
use num_integer::Integer;

use super::fraction::Fraction;
use super::values::ValueCounts;

/// Whether the entropy of a class's values is at least ln l (definition 4.1); exact.
///
/// With t members, s of each value, the condition is tᵗ ≥ lᵗ·∏ sˢ. Floating-point numbers decide if
/// their difference is large enough, otherwise whole numbers. The entropy depends on shares only,
/// so common factors are divided out first.
pub fn is_entropy_diverse(values: &ValueCounts, l: &Fraction) -> bool {
    let divisor = values.iter().fold(0, |divisor: u64, (_, members)| divisor.gcd(&members)).max(1);
    let parts: Vec<u64> = values.iter().map(|(_, members)| members / divisor).collect();
    let total: u64 = parts.iter().sum();
    if total == 0 {
        return true;
    }
    let (entropy, asked) = (entropy(values), l.to_f64().ln());
    // Each term of the sum is at most ln t, with an error of a few units in its last place.
    if (entropy - asked).abs() > 1e-9 {
        return entropy > asked;
    }
    let product = |product: BigUint, &part: &u64| product * power(&part.into(), part);
    let (above, below) = l.terms();
    let right = parts.iter().fold(power(above, total), product);
    power(&total.into(), total) * power(below, total) >= right
}

/// The number of equally frequent values with the same entropy: e^H; 0 without members. Only for
/// display, never for a decision.
pub fn effective_values(values: &ValueCounts) -> f64 {
    if values.distinct() == 0 { 0.0 } else { entropy(values).exp() }
}

/// The greatest decimal with `places` places for which a class with members is entropy-diverse;
/// exact.
pub fn effective_down(values: &ValueCounts, places: u32) -> Fraction {
    let unit = 10_u128.pow(places);
    let of = |units: u128| Fraction::ratio(units, unit);
    #[expect(clippy::cast_precision_loss, reason = "a guess, that is mended exactly")]
    let guess = effective_values(values) * unit as f64;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small number above 0")]
    let mut units = (guess as u128).max(unit);
    while units > unit && !is_entropy_diverse(values, &of(units)) {
        units -= 1;
    }
    while is_entropy_diverse(values, &of(units + 1)) {
        units += 1;
    }
    of(units)
}

#[expect(clippy::cast_precision_loss, reason = "an estimate; what is close is decided exactly")]
fn entropy(values: &ValueCounts) -> f64 {
    let members = values.members() as f64;
    let term = |(_, of_value): (u32, u64)| {
        let share = of_value as f64 / members;
        -share * share.ln()
    };
    values.iter().map(term).sum()
}

/// Whether a class is recursively (c, l)-diverse (definition 4.2); exact. A class without members
/// is.
///
/// Its most frequent value must occur less often than c times all values from the l-th most
/// frequent on.
pub fn is_recursively_diverse(values: &ValueCounts, c: &Fraction, l: u64) -> bool {
    let counts = descending(values);
    let Some(&most) = counts.first() else { return true };
    let rest: u64 =
        (1..).zip(&counts).filter(|(rank, _): &(u64, _)| *rank >= l).map(|(_, members)| members).sum();
    let (above, below) = c.terms();
    BigUint::from(most) * below < above * BigUint::from(rest)
}

/// The excess of the most frequent value over c times all values from the l-th most frequent on; 0
/// if there is none.
pub(super) fn recursive_excess(values: &ValueCounts, c: &Fraction, l: u64) -> Fraction {
    let counts = descending(values);
    let rest: u64 =
        (1..).zip(&counts).filter(|(rank, _): &(u64, _)| *rank >= l).map(|(_, members)| members).sum();
    let most = counts.first().copied().unwrap_or_default();
    let (above, below) = c.terms();
    let allowed = Fraction::from(num_rational::Ratio::new(above * rest, below.clone()));
    Fraction::ratio(most.into(), 1).minus(&allowed)
}

/// The greatest l for which a class with members is recursively (c, l)-diverse; 0 if there is none.
pub fn recursive_level(values: &ValueCounts, c: &Fraction) -> usize {
    (1..=values.distinct()).rev().find(|&l| is_recursively_diverse(values, c, l as u64)).unwrap_or(0)
}

fn descending(values: &ValueCounts) -> Vec<u64> {
    let mut counts: Vec<u64> = values.iter().map(|(_, members)| members).collect();
    counts.sort_unstable_by(|left, right| right.cmp(left));
    counts
}

/// A power; no table of more people is loaded than 32 bits count.
fn power(base: &BigUint, exponent: u64) -> BigUint {
    base.pow(u32::try_from(exponent).expect("a private table has fewer than 2^32 people"))
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counts(members: &[u64]) -> ValueCounts {
        ValueCounts::of((0..).zip(members.iter().copied()))
    }

    fn fraction(text: &str) -> Fraction {
        text.parse().unwrap()
    }

    /// Machanavajjhala and others, section 4: of the inpatient microdata's three classes (their figures 1 and 3) the one whose
    /// members are all cancer patients is 1-diverse, those of the 3-diverse table have three diseases each.
    #[test]
    fn inpatient_classes_are_as_diverse_as_published() {
        #[rustfmt::skip]
        let classes: [(&str, &[u64], usize, usize); 5] = [
            // class of                      members by disease  values  greatest l of (3, l)
            ("4-anonymous: 130**, < 30",     &[2, 2],            2,      2),
            ("4-anonymous: 1485*, >= 40",    &[1, 1, 2],         3,      3),
            ("4-anonymous: 130**, 3*",       &[4],               1,      1),
            ("3-diverse: 1305*, <= 40",      &[1, 1, 2],         3,      3),
            ("3-diverse: 1306*, <= 40",      &[1, 1, 2],         3,      3),
        ];
        for (class, members, distinct, recursive) in classes {
            let values = counts(members);
            assert_eq!(values.distinct(), distinct, "{class}");
            assert_eq!(recursive_level(&values, &fraction("3")), recursive, "{class}");
        }
    }

    #[test]
    fn entropy_of_even_values_equals_their_number() {
        for distinct in 1..=6_usize {
            for times in [1, 2, 1_000_003, 4_000_000_000] {
                let values = counts(&vec![times; distinct]);
                assert!(
                    is_entropy_diverse(&values, &fraction(&distinct.to_string())),
                    "{distinct} x {times}"
                );
                let more = fraction(&format!("{distinct}.0000000000000000000001"));
                assert!(!is_entropy_diverse(&values, &more), "{distinct} x {times}");
            }
        }
    }

    /// H(1/2, 1/4, 1/4) = 1.5·ln 2, so l = 2^1.5 = 2.828427124746190097…
    #[test]
    fn what_floating_point_cannot_tell_whole_numbers_do() {
        let values = counts(&[2, 1, 1]);
        assert!(is_entropy_diverse(&values, &fraction("2.8284271247461900976")));
        assert!(!is_entropy_diverse(&values, &fraction("2.8284271247461900977")));
        assert!((effective_values(&values) - 2.828_427_124_746_19).abs() < 1e-12);
    }

    #[test]
    fn recursive_diversity_bounds_the_most_frequent_value() {
        let values = counts(&[6, 3, 2, 1]);
        for (c, l, holds) in [
            ("2", 2, true),
            ("2", 3, false),
            ("3", 3, true),
            ("3", 4, false),
            ("1", 2, false),
            ("6.1", 4, true),
            ("6", 4, false),
        ] {
            assert_eq!(is_recursively_diverse(&values, &fraction(c), l), holds, "({c}, {l})");
        }
        assert_eq!(recursive_level(&values, &fraction("3")), 3);
        assert_eq!(recursive_level(&values, &fraction("1/10")), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        /// Concavity for entropy; for the others theorem 4.2 and its like.
        #[test]
        fn two_classes_that_are_diverse_are_so_united(
            left in prop::collection::vec(0..9_u64, 5), right in prop::collection::vec(0..9_u64, 5), l in 10..50_u64, c in 1..40_u64, level in 1..5_u64,
        ) {
            let (left, right) = (counts(&left), counts(&right));
            let united = left.united(&right);
            let l = fraction(&format!("{}.{}", l / 10, l % 10));
            if is_entropy_diverse(&left, &l) && is_entropy_diverse(&right, &l) {
                prop_assert!(is_entropy_diverse(&united, &l));
            }
            let c = fraction(&format!("{}.{}", c / 10, c % 10));
            if is_recursively_diverse(&left, &c, level) && is_recursively_diverse(&right, &c, level) {
                prop_assert!(is_recursively_diverse(&united, &c, level));
            }
            prop_assert!(united.distinct() >= left.distinct().max(right.distinct()));
        }

        #[test]
        fn the_entropy_is_that_of_its_definition(members in prop::collection::vec(0..60_u64, 1..7), tenths in 10..70_u64) {
            let values = counts(&members);
            let total: u64 = members.iter().sum();
            let naive: f64 = members.iter().filter(|&&part| part > 0).map(|&part| {
                let share = part as f64 / total as f64;
                -share * share.log2() * std::f64::consts::LN_2
            }).sum();
            let asked = (tenths as f64 / 10.0).ln();
            prop_assume!((naive - asked).abs() > 1e-7);
            let l = fraction(&format!("{}.{}", tenths / 10, tenths % 10));
            prop_assert_eq!(is_entropy_diverse(&values, &l), total == 0 || naive > asked);
        }
    }
}
