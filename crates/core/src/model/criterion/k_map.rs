//! k-map: a class with members has at least k individuals of P (Sweeney 2002, section 4; El Emam and Dankar 2008).

use std::sync::Arc;

use super::kind::{ClassData, Criterion, CriterionKind, Judgement, Needs, Protects, least_of, whole_number};
use crate::model::Fraction;

/// n ≥ k for a class with n individuals of P and at least one member of T. A class without members
/// publishes no rows and satisfies it.
///
/// Monotone: if a union has members, one of the two classes has members. So n₁ + n₂ is at least the
/// n of that class, which is at least k.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KMap {
    k: u64,
}

pub(super) const KIND: CriterionKind = CriterionKind {
    key: "k_map",
    needs: Needs::Counts,
    protects: Protects::Neither,
    title: "k-map: people in P of each class with members, more is safer",
    docs: &[[
        "k-map",
        "`k_map = 11`",
        "t = 0 or n ≥ k",
        "a whole number from 1, in plain digits; `achieved` is the least n of a class with members",
    ]],
    read,
    achieved,
};

fn read(text: &str) -> Result<Arc<dyn Criterion>, String> {
    let k = whole_number(text).ok_or_else(|| {
        "expected a whole number from 1, such as 11: the least people of P in a class with members".to_owned()
    })?;
    Ok(Arc::new(KMap { k }))
}

fn achieved(classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
    least_of(classes, |counts| counts.public)
}

impl Criterion for KMap {
    fn kind(&self) -> &'static CriterionKind {
        &KIND
    }

    fn required(&self) -> String {
        self.k.to_string()
    }

    fn judge(&self, class: &ClassData) -> Judgement {
        let counts = class.counts();
        let is_published = counts.private > 0;
        let missing = if is_published { self.k.saturating_sub(counts.public) } else { 0 };
        Judgement {
            holds: missing == 0,
            value: is_published.then(|| Fraction::ratio(u128::from(counts.public), 1)),
            distance: Fraction::ratio(u128::from(missing), 1),
        }
    }

    fn holds(&self, class: &ClassData) -> bool {
        class.counts().private == 0 || class.counts().public >= self.k
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
        achieved(classes)
    }
}
