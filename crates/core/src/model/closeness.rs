//! t-closeness: how far the sensitive values of a class are distributed from those of all of T, by the earth mover's distance (Li, Li
//! and Venkatasubramanian, *t-Closeness: Privacy Beyond k-Anonymity and l-Diversity*, ICDE 2007, section 3).

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_rational::Ratio;

use super::fraction::Fraction;
use super::sensitive::ValueTree;
use super::values::ValueCounts;

/// Half the sum of the absolute differences of shares, if all values have equal distances: from 0
/// to 1. 0 for a class without members.
///
/// # Panics
/// If all of T has no members.
pub fn equal_distance(class: &ValueCounts, all: &ValueCounts) -> Fraction {
    let (members, all_members) = (u128::from(class.members()), u128::from(all.members()));
    if members == 0 {
        return Fraction::zero();
    }
    // The class has part of T: what it lacks of a value is what all has of it.
    let mut of_class = class.iter().peekable();
    let difference = |(value, of_all): (u32, u64)| {
        let members_of_class =
            of_class.next_if(|(counted, _)| *counted == value).map_or(0, |(_, members)| members);
        (u128::from(members_of_class) * all_members).abs_diff(u128::from(of_all) * members)
    };
    let differences: u128 = all.iter().map(difference).sum();
    ratio(differences.into(), BigUint::from(2_u32) * members * all_members)
}

/// The earth mover's distance of ordered values: from 0 to 1. 0 for a class without members, or if
/// T has one value.
///
/// Neighbouring values of T have a distance of one step. The work is divided by the number of steps
/// from the first to the last.
///
/// # Panics
/// If all of T has no members.
pub fn ordered_distance(class: &ValueCounts, all: &ValueCounts) -> Fraction {
    let (members, all_members) = (u128::from(class.members()), u128::from(all.members()));
    let steps = all.distinct().saturating_sub(1);
    if members == 0 || steps == 0 {
        return Fraction::zero();
    }
    let mut of_class = class.iter().peekable();
    let (mut class_up_to, mut all_up_to) = (0, 0);
    let difference = |(value, of_all): (u32, u64)| {
        class_up_to +=
            of_class.next_if(|(counted, _)| *counted == value).map_or(0, |(_, members)| u128::from(members));
        all_up_to += u128::from(of_all);
        BigUint::from((class_up_to * all_members).abs_diff(all_up_to * members))
    };
    let work: BigUint = all.iter().map(difference).sum();
    ratio(work, BigUint::from(steps) * members * all_members)
}

/// The work of moving one distribution onto the other, where two values are as far as the height of the lowest label that both are
/// under, as a share of the height of the tree: from 0 to 1 (section 5.3). 0 for a class without members.
///
/// Whatever differs under a label has to leave it or to come there, half a level up and half a level down for each; so the work is half of
/// what differs of all labels below the top, by the height. That is exact, since all values are as deep.
///
/// # Panics
/// If all of T has no members, or the class a value that is not in the tree.
pub fn hierarchical_distance(class: &ValueCounts, tree: &ValueTree) -> Fraction {
    let (members, all_members) = (u128::from(class.members()), u128::from(tree.members()));
    let height = tree.levels().len();
    if members == 0 || height == 0 {
        return Fraction::zero();
    }
    let mut work = BigUint::ZERO;
    for level in tree.levels() {
        let mut counts: BTreeMap<u32, u128> = BTreeMap::new();
        for (value, members) in class.iter() {
            *counts.entry(level.label(value)).or_default() += u128::from(members);
        }
        // A label that the class has nothing of differs by all that T has there: all of T but what is under the others.
        let of_all = |label: &u32| u128::from(level.members(*label));
        let elsewhere = all_members - counts.keys().map(of_all).sum::<u128>();
        let differ =
            |(label, of_label): (&u32, &u128)| (of_label * all_members).abs_diff(of_all(label) * members);
        work += elsewhere * members + counts.iter().map(differ).sum::<u128>();
    }
    ratio(work, BigUint::from(2_u32) * height * members * all_members)
}

fn ratio(above: BigUint, below: BigUint) -> Fraction {
    Fraction::from(Ratio::new(above, below))
}

#[cfg(test)]
#[expect(clippy::cast_precision_loss, reason = "small numbers, to compare with")]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn counts(members: &[u64]) -> ValueCounts {
        ValueCounts::of((0..).zip(members.iter().copied()))
    }

    /// Li and others, section 3.2: salaries 3k to 11k, one each.
    #[test]
    fn salary_distances_equal_those_in_the_paper() {
        let all = counts(&[1; 9]);
        #[rustfmt::skip]
        let classes: [(&str, &[u64], &str, &str); 3] = [
            //               3k 4k 5k 6k 7k 8k 9k 10k 11k     ordered  equal
            ("P1: 3k 4k 5k", &[1, 1, 1, 0, 0, 0, 0, 0, 0],     "3/8",   "2/3"),
            ("P2: 6k 8k 11k", &[0, 0, 0, 1, 0, 1, 0, 0, 1],    "1/6",   "2/3"),
            ("everybody",    &[1, 1, 1, 1, 1, 1, 1, 1, 1],     "0",     "0"),
        ];
        for (class, members, ordered, equal) in classes {
            assert_eq!(ordered_distance(&counts(members), &all).to_string(), ordered, "{class}");
            assert_eq!(equal_distance(&counts(members), &all).to_string(), equal, "{class}");
        }
    }

    /// All at the first of five values in a row against all at the fourth: three steps, three quarters of the way.
    #[test]
    fn moving_three_of_four_steps_costs_three_quarters() {
        let all = ValueCounts::of([(0, 1), (1, 1), (2, 1), (3, 1_000_000_000_000), (4, 1)]);
        let class = ValueCounts::of([(0, 1)]);
        let distance = ordered_distance(&class, &all).to_f64();
        assert!((distance - 0.75).abs() < 1e-9, "{distance}");
    }

    /// Li and others, section 5.3 and figure 1: flu is 1/3 from bronchitis, 2/3 from pulmonary embolism, and 1 from stomach cancer.
    #[test]
    fn disease_distances_equal_those_in_the_paper() {
        // Flu, bronchitis, pulmonary embolism, stomach cancer: diseases, their kind, the system.
        let levels = vec![vec![0, 1, 2, 3], vec![0, 0, 1, 2], vec![0, 0, 0, 1]];
        #[rustfmt::skip]
        let cases: [(&str, &[u64], &[u64], &str); 5] = [
            //                                      all of T       the class     half of all has to move
            ("flu to bronchitis",                   &[1, 1, 0, 0], &[1, 0, 0, 0], "1/6"),
            ("flu to pulmonary embolism",           &[1, 0, 1, 0], &[1, 0, 0, 0], "1/3"),
            ("flu to stomach cancer",               &[1, 0, 0, 1], &[1, 0, 0, 0], "1/2"),
            ("a quarter to each of the others",     &[1, 1, 1, 1], &[1, 0, 0, 0], "1/2"),
            ("everybody",                           &[1, 1, 1, 1], &[2, 2, 2, 2], "0"),
        ];
        for (case, all, class, expected) in cases {
            let distance =
                hierarchical_distance(&counts(class), &ValueTree::new(levels.clone(), &counts(all)));
            assert_eq!(distance.to_string(), expected, "{case}");
        }
    }

    /// Shares as lists, the distances by their definitions.
    fn naive(class: &[u64], all: &[u64]) -> (f64, f64) {
        let share = |counts: &[u64]| -> Vec<f64> {
            let total = counts.iter().sum::<u64>() as f64;
            counts.iter().map(|&count| count as f64 / total).collect()
        };
        let (p, q) = (share(class), share(all));
        let equal = p.iter().zip(&q).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
        let occurring: Vec<usize> = (0..all.len()).filter(|&value| all[value] > 0).collect();
        let mut moved = 0.0_f64;
        let mut work = 0.0;
        for &value in &occurring {
            moved += p[value] - q[value];
            work += moved.abs();
        }
        (equal, if occurring.len() < 2 { 0.0 } else { work / (occurring.len() - 1) as f64 })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn uniting_classes_never_increases_their_distance(
            parts in prop::collection::vec((0..6_u64, 0..6_u64, 0..6_u64), 1..7),
        ) {
            let part = |of: fn(&(u64, u64, u64)) -> u64| parts.iter().map(of).collect::<Vec<_>>();
            let (left, right) = (part(|part| part.0), part(|part| part.1));
            let all = part(|part| part.0 + part.1 + part.2);
            let all_counts = counts(&all);
            prop_assume!(all_counts.members() > 0);
            let far = |members: &[u64]| {
                let class_counts = counts(members);
                (equal_distance(&class_counts, &all_counts), ordered_distance(&class_counts, &all_counts))
            };
            let both: Vec<u64> = left.iter().zip(&right).map(|(left, right)| left + right).collect();
            let (one, other, united) = (far(&left), far(&right), far(&both));
            prop_assert!(united.0 <= one.0.clone().max(other.0.clone()));
            prop_assert!(united.1 <= one.1.clone().max(other.1.clone()));
            if left.iter().sum::<u64>() > 0 {
                let (equal, ordered) = naive(&left, &all);
                prop_assert!((one.0.to_f64() - equal).abs() < 1e-9);
                prop_assert!((one.1.to_f64() - ordered).abs() < 1e-9);
            }
        }
    }
}
