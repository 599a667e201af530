//! Privacy criteria: what each asks of a class, one file a criterion, and the one table of those that a policy may name.
//!
//! A new criterion is a file here and a row of [`KINDS`], its independent twin in `verify`, and its row in `docs/project-file.md`.

mod presence;
mod k_anonymity;
mod k_map;
mod l_diversity;
mod t_closeness;
mod setting;

use std::fmt;
use std::sync::Arc;

use super::fraction::Fraction;
use super::presence::Counts;
use super::sensitive::{ClassValues, SensitiveValues};
use super::values::ValueCounts;

pub use k_anonymity::KAnonymity;
pub use k_map::KMap;
pub use l_diversity::LDiversity;
pub use presence::DeltaPresence;
pub use t_closeness::TCloseness;

/// What a criterion looks at in a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// The members of T and the individuals of P.
    Counts,
    /// How often each sensitive value occurs among the members, too.
    Sensitive,
}

/// A class, as a criterion sees it: what [`Needs::Counts`] asks for and, where that is known, what [`Needs::Sensitive`] does.
///
/// Two are equal where their people and their members' values are.
#[derive(Clone, Debug)]
pub struct ClassData {
    counts: Counts,
    values: Option<Arc<ClassValues>>,
}

impl ClassData {
    /// A class with its members' sensitive values.
    pub fn with_values(counts: Counts, values: Arc<ClassValues>) -> Self {
        Self { counts, values: Some(values) }
    }

    /// The members of T and the individuals of P.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The members' sensitive values; `None` where nobody has counted them.
    pub fn values(&self) -> Option<&ClassValues> {
        self.values.as_deref()
    }

    /// What two classes of one table are together.
    #[must_use]
    pub fn united(&self, other: &Self) -> Self {
        let values = match (&self.values, &other.values) {
            (Some(own), Some(other)) => Some(Arc::new(own.united(other))),
            // Nobody has no values.
            (Some(values), None) if other.counts.private == 0 => Some(Arc::clone(values)),
            (None, Some(values)) if self.counts.private == 0 => Some(Arc::clone(values)),
            _ => None,
        };
        Self { counts: self.counts + other.counts, values }
    }

    /// All that tells classes of one table apart.
    pub(super) fn key(&self) -> (Counts, Option<&[ValueCounts]>) {
        (self.counts, self.values().map(ClassValues::own))
    }
}

impl PartialEq for ClassData {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for ClassData {}

impl From<Counts> for ClassData {
    fn from(counts: Counts) -> Self {
        Self { counts, values: None }
    }
}

impl From<&ClassData> for ClassData {
    fn from(class: &ClassData) -> Self {
        class.clone()
    }
}

/// What a criterion says of one class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// Whether the class satisfies it.
    pub holds: bool,
    /// What the criterion measures of the class, exactly; `None` where it says nothing of such a class and so holds.
    pub value: Option<Fraction>,
    /// How far the class is from satisfying it, in the unit of the value; 0 where it holds.
    pub distance: Fraction,
}

/// Something that every class of a release has to satisfy.
pub trait Criterion: fmt::Debug + Send + Sync {
    /// Its key in `[policy]`, and its name in every table and report.
    fn key(&self) -> &'static str;

    /// What it requires, as the project file has it after its key.
    fn required(&self) -> String;

    /// What it has to know of a class.
    fn needs(&self) -> Needs;

    /// Whether it can be judged with these sensitive values; an error says what is wrong. One that asks for none can.
    ///
    /// # Errors
    /// What the project file has to say instead.
    fn fits(&self, _: &SensitiveValues) -> Result<(), String> {
        Ok(())
    }

    /// What it says of a class; exact. Where it asks for sensitive values and nobody has counted those of members, it does not hold.
    fn judge(&self, class: &ClassData) -> Judgement;

    /// Whether a class satisfies it: [`judge`](Self::judge) without the figures.
    fn holds(&self, class: &ClassData) -> bool {
        self.judge(class).holds
    }

    /// Whether two classes that satisfy it satisfy it when united. Searches rely on it: a generalization of a node that
    /// satisfies it does so too (paper, theorem 1). A [`Policy`](super::Policy) enforces nothing else.
    fn is_monotone(&self) -> bool;

    /// The strictest requirement that these classes satisfy; `None` where it says nothing of any of them.
    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String>;
}

/// A criterion that `[policy]` may name.
#[derive(Clone, Copy)]
pub struct CriterionKind {
    /// Its key.
    pub key: &'static str,
    /// A criterion from the text behind the key; an error says what was expected.
    pub read: fn(&str) -> Result<Arc<dyn Criterion>, String>,
    /// What classes achieve where nothing is required of them, as [`Criterion::achieved`].
    pub achieved: fn(&mut dyn Iterator<Item = ClassData>) -> Option<String>,
}

impl fmt::Debug for CriterionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.key)
    }
}

/// Every criterion that `[policy]` may name, in the order of reports; δ-presence has a table of its own, `[delta]`.
pub const KINDS: [CriterionKind; 4] = [k_anonymity::KIND, k_map::KIND, l_diversity::KIND, t_closeness::KIND];

/// A key that names no criterion, or a requirement that cannot be read.
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
/// A [`CriterionError`] that says what is possible.
pub fn read(key: &str, text: &str) -> Result<Arc<dyn Criterion>, CriterionError> {
    let wrong = |expected: String| CriterionError { key: key.to_owned(), text: text.to_owned(), expected };
    let known = KINDS.iter().find(|kind| kind.key == key).ok_or_else(|| {
        let keys: Vec<String> = KINDS.iter().map(|kind| format!("`{}`", kind.key)).collect();
        wrong(format!("there is no criterion `{key}`; possible are {}", keys.join(", ")))
    })?;
    (known.read)(text).map_err(wrong)
}

/// A whole number from 1, in plain digits.
fn whole_number(text: &str) -> Option<u64> {
    let is_plain = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|&number: &u64| is_plain && number > 0)
}

/// The least of a count over the classes with members, as text.
fn least_of(classes: &mut dyn Iterator<Item = ClassData>, count: fn(Counts) -> u64) -> Option<String> {
    let published = classes.map(|class| class.counts()).filter(|counts| counts.private > 0);
    published.map(count).min().map(|least| least.to_string())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Delta, Presence};
    use super::*;

    /// One of each, strict enough that random classes satisfy and break it.
    fn criteria() -> impl Strategy<Value = Vec<Arc<dyn Criterion>>> {
        (0..=6_u64, 0..=6_u64, 1..9_u64, any::<bool>()).prop_map(|(one, other, k, forbid)| {
            let bound = |part: u64| Presence::new(part, 6).unwrap();
            let delta = Delta::new(bound(one.min(other)), bound(one.max(other))).unwrap();
            let delta = if forbid { delta.without_empty_classes(100) } else { delta };
            let of = |key| read(key, &k.to_string()).unwrap();
            vec![Arc::new(DeltaPresence(delta)), of("k"), of("k_map")]
        })
    }

    fn class() -> impl Strategy<Value = ClassData> {
        (1..20_u64, 0..20_u64).prop_map(|(public, private)| Counts::new(public, private.min(public)).into())
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn two_classes_that_satisfy_a_monotone_criterion_satisfy_it_united(
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
        fn a_judgement_says_what_holds_says_and_its_distance_is_0_exactly_there(
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
        fn what_is_required_reads_back_and_what_is_achieved_is_the_strictest_that_holds(
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
    fn what_k_map_asks_of_a_class_with_members_is_its_people_of_p() {
        let k_map = read("k_map", "11").unwrap();
        for (public, members, holds) in
            [(11, 1, true), (10, 1, false), (10, 10, false), (10, 0, true), (40, 3, true)]
        {
            assert_eq!(k_map.holds(&Counts::new(public, members).into()), holds, "{members}/{public}");
        }
    }

    #[test]
    fn what_is_no_requirement_is_refused_with_what_was_expected() {
        for (key, text, part) in [
            ("k", "0", "a whole number from 1"),
            ("k", "\"5\"", "a whole number from 1"),
            ("k", "-1", "a whole number from 1"),
            ("k", "+5", "a whole number from 1"),
            ("k", "5.0", "a whole number from 1"),
            ("k", "1_000", "a whole number from 1"),
            ("k", "99999999999999999999", "a whole number from 1"),
            ("k_map", "0", "a whole number from 1"),
            ("K", "5", "there is no criterion `K`; possible are `k`, `k_map`"),
        ] {
            let error = read(key, text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{key} = {text}`: ")) && error.contains(part), "{error}");
        }
    }
}
