//! k-anonymity: a class with members has at least k of them (Samarati and Sweeney 1998).

use std::sync::Arc;

use super::{ClassData, Criterion, CriterionKind, Judgement, Needs, least_of, whole_number};
use crate::model::Fraction;

/// t ≥ k for a class with t > 0 members of T. One without members publishes nothing, and satisfies it vacuously.
///
/// Monotone: t₁ + t₂ is 0 where both are, and else at least k, since one of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KAnonymity {
    k: u64,
}

/// Its row among the criteria.
pub(super) const KIND: CriterionKind = CriterionKind { key: KEY, read, achieved };

const KEY: &str = "k";

fn read(text: &str) -> Result<Arc<dyn Criterion>, String> {
    let k = whole_number(text).ok_or_else(|| {
        "expected a whole number from 1, such as 5: the least members of a class".to_owned()
    })?;
    Ok(Arc::new(KAnonymity { k }))
}

/// The members of the least class that has any.
fn achieved(classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
    least_of(classes, |counts| counts.private)
}

impl Criterion for KAnonymity {
    fn key(&self) -> &'static str {
        KEY
    }

    fn required(&self) -> String {
        self.k.to_string()
    }

    fn needs(&self) -> Needs {
        Needs::Counts
    }

    fn judge(&self, class: &ClassData) -> Judgement {
        let members = class.counts().private;
        let missing = if members == 0 { 0 } else { self.k.saturating_sub(members) };
        Judgement {
            holds: missing == 0,
            value: (members > 0).then(|| Fraction::ratio(u128::from(members), 1)),
            distance: Fraction::ratio(u128::from(missing), 1),
        }
    }

    fn holds(&self, class: &ClassData) -> bool {
        let members = class.counts().private;
        members == 0 || members >= self.k
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
        achieved(classes)
    }
}
