//! Privacy criteria: one file for each criterion, and the table of those that a policy may name.
//!
//! A new criterion needs a file here, a row of [`KINDS`], and an independent implementation in
//! `verify`. Reports, the table of combinations and `docs/project-file.md` follow from its row.

mod kind;
mod presence;
mod k_anonymity;
mod k_map;
mod l_diversity;
mod t_closeness;
mod setting;

use std::sync::Arc;

pub use k_anonymity::KAnonymity;
pub use k_map::KMap;
pub use kind::{ClassData, Criterion, CriterionKind, Judgement, Needs, Protects};
pub use l_diversity::LDiversity;
pub use presence::DeltaPresence;
pub use t_closeness::TCloseness;

/// Every criterion that `[policy]` may name, in the order of reports. δ-presence is not included:
/// it has the table `[delta]`.
pub const KINDS: &[CriterionKind] = &[k_anonymity::KIND, k_map::KIND, l_diversity::KIND, t_closeness::KIND];

/// The rows of all criteria: δ-presence, then [`KINDS`].
pub fn kinds() -> impl Iterator<Item = &'static CriterionKind> {
    std::iter::once(&presence::KIND).chain(KINDS)
}

/// An unknown key, or a requirement that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{key} = {text}`: {expected}")]
pub struct CriterionError {
    /// The key as given.
    pub key: String,
    /// The requirement as given.
    pub text: String,
    /// What was expected.
    pub expected: String,
}

/// Reads a criterion from a key of `[policy]` and the text of its value.
///
/// # Errors
/// A [`CriterionError`] that describes what is possible.
pub fn read(key: &str, text: &str) -> Result<Arc<dyn Criterion>, CriterionError> {
    let wrong = |expected: String| CriterionError { key: key.to_owned(), text: text.to_owned(), expected };
    let known = KINDS.iter().find(|kind| kind.key == key).ok_or_else(|| {
        let keys: Vec<String> = KINDS.iter().map(|kind| format!("`{}`", kind.key)).collect();
        wrong(format!("there is no criterion `{key}`; expected one of {}", keys.join(", ")))
    })?;
    (known.read)(text).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::model::fraction::Fraction;
    use crate::model::{Counts, Delta, Presence};

    /// One of each, strict enough that random classes satisfy and break it.
    fn criteria() -> impl Strategy<Value = Vec<Arc<dyn Criterion>>> {
        (0..=6_u64, 0..=6_u64, 1..9_u64, any::<bool>()).prop_map(|(one, other, k, forbid)| {
            let bound = |part: u64| Presence::new(part, 6).unwrap();
            let delta = Delta::new(bound(one.min(other)), bound(one.max(other))).unwrap();
            let delta = if forbid { delta.without_empty_classes(100) } else { delta.into() };
            let of = |key| read(key, &k.to_string()).unwrap();
            vec![Arc::new(DeltaPresence(delta)), of("k"), of("k_map")]
        })
    }

    fn class() -> impl Strategy<Value = ClassData> {
        (1..20_u64, 0..20_u64).prop_map(|(public, private)| Counts::new(public, private.min(public)).into())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        // holds: One judge
        #[test]
        fn monotone_criteria_survive_uniting_two_classes(
            criteria in criteria(), left in class(), right in class(),
        ) {
            let united = ClassData::from(left.counts() + right.counts());
            for criterion in criteria.iter().filter(|criterion| criterion.is_monotone()) {
                if criterion.holds(&left) && criterion.holds(&right) {
                    prop_assert!(criterion.holds(&united), "{criterion:?} of {left:?} and {right:?}");
                }
            }
        }

        #[test]
        fn distance_is_zero_exactly_where_a_criterion_holds(
            criteria in criteria(), class in class(),
        ) {
            for criterion in criteria {
                let judged = criterion.judge(&class);
                prop_assert_eq!(judged.holds, criterion.holds(&class));
                prop_assert_eq!(judged.holds, judged.distance.is_zero());
                prop_assert!(judged.holds || judged.value.is_some());
            }
        }

        #[test]
        fn achieved_value_is_the_strictest_that_holds(
            k in 1..9_u64, classes in prop::collection::vec(class(), 1..6),
        ) {
            let counted: [fn(Counts) -> u64; 2] = [|counts| counts.private, |counts| counts.public];
            for (kind, count) in KINDS.iter().zip(counted) {
                let criterion = read(kind.key, &k.to_string()).unwrap();
                prop_assert_eq!(read(kind.key, &criterion.required()).unwrap().required(), criterion.required());
                let achieved = criterion.achieved(&mut classes.iter().cloned());
                let published = classes.iter().map(ClassData::counts).filter(|counts| counts.private > 0);
                let least = published.map(count).min();
                prop_assert_eq!(&achieved, &least.map(|least| least.to_string()));
                let all_hold = classes.iter().all(|class| criterion.holds(class));
                prop_assert_eq!(all_hold, least.is_none_or(|least| least >= k));
                prop_assert_eq!((kind.achieved)(&mut classes.iter().cloned()), achieved);
            }
        }
    }

    #[test]
    fn an_empty_class_joins_any_other() {
        let k = read("k", "5").unwrap();
        let empty = ClassData::from(Counts::new(7, 0));
        assert_eq!(k.judge(&empty), Judgement { holds: true, value: None, distance: Fraction::zero() });
        for (members, holds) in [(0, true), (1, false), (4, false), (5, true)] {
            let joined = ClassData::from(empty.counts() + Counts::new(9, members));
            assert_eq!(k.holds(&joined), holds, "{members} members");
        }
    }

    #[test]
    fn k_map_requires_k_public_people_per_class() {
        let k_map = read("k_map", "11").unwrap();
        for (public, members, holds) in
            [(11, 1, true), (10, 1, false), (10, 10, false), (10, 0, true), (40, 3, true)]
        {
            assert_eq!(k_map.holds(&Counts::new(public, members).into()), holds, "{members}/{public}");
        }
    }

    #[test]
    fn invalid_requirements_are_refused_with_what_was_expected() {
        for (key, text, part) in [
            ("k", "0", "a whole number from 1"),
            ("k", "\"5\"", "a whole number from 1"),
            ("k", "-1", "a whole number from 1"),
            ("k", "+5", "a whole number from 1"),
            ("k", "5.0", "a whole number from 1"),
            ("k", "1_000", "a whole number from 1"),
            ("k", "99999999999999999999", "a whole number from 1"),
            ("k_map", "0", "a whole number from 1"),
            ("K", "5", "there is no criterion `K`; expected one of `k`, `k_map`"),
        ] {
            let error = read(key, text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{key} = {text}`: ")) && error.contains(part), "{error}");
        }
    }
}
