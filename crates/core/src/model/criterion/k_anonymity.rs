//! k-anonymity: a class with members has at least k of them (Samarati and Sweeney 1998).

use std::sync::Arc;

use super::kind::{ClassData, Criterion, CriterionKind, Judgement, Needs, Protects, least_of, whole_number};
use crate::model::Fraction;

/// t ≥ k for a class with t > 0 members of T. A class without members publishes no rows and
/// satisfies it.
///
/// Monotone: t₁ + t₂ is 0 if both are 0. Otherwise it is at least k, because one of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KAnonymity {
    k: u64,
}

pub(super) const KIND: CriterionKind = CriterionKind {
    key: "k",
    needs: Needs::Counts,
    protects: Protects::Row,
    title: "k-anonymity: members of each class, more is safer",
    docs: &[["k-anonymity", "`k = 5`", "t = 0 or t ≥ k", "a whole number from 1, in plain digits"]],
    read,
    achieved,
};

fn read(text: &str) -> Result<Arc<dyn Criterion>, String> {
    let k = whole_number(text).ok_or_else(|| {
        "expected a whole number from 1, such as 5: the least members of a class".to_owned()
    })?;
    Ok(Arc::new(KAnonymity { k }))
}

/// The smallest number of members of a class that has members.
fn achieved(classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
    least_of(classes, |counts| counts.private)
}

impl Criterion for KAnonymity {
    fn kind(&self) -> &'static CriterionKind {
        &KIND
    }

    fn required(&self) -> String {
        self.k.to_string()
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
