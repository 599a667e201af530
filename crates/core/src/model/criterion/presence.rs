//! δ-presence: δmin ≤ t/n ≤ δmax for a class with t members of T among n individuals of P (paper, definition 2).

use super::kind::{ClassData, Criterion, CriterionKind, Judgement, Needs, Protects};
use crate::model::{Fraction, Presence, PresenceBounds};

/// The row of δ-presence. `[policy]` may not name it: the project file has the bounds in `[delta]`.
pub(super) const KIND: CriterionKind = CriterionKind {
    key: DeltaPresence::KEY,
    needs: Needs::Counts,
    protects: Protects::Neither,
    title: "δ-presence: share of members among the people in P who match the same row",
    docs: &[["δ-presence", "`[delta]`", "δmin ≤ t/n ≤ δmax", "always enforced"]],
    read: |_| Err("set the bounds under [delta]".to_owned()),
    achieved,
};

fn achieved(classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
    let span = |span: Option<(Presence, Presence)>, presence: Presence| match span {
        Some((least, greatest)) => Some((least.min(presence), greatest.max(presence))),
        None => Some((presence, presence)),
    };
    let (least, greatest) = classes.map(|class| class.counts().presence()).fold(None, span)?;
    Some(format!("({least}, {greatest})"))
}

/// δ-presence, under bounds that include whether a class may be without members.
///
/// Monotone: if t₁/n₁ and t₂/n₂ are within the bounds, their mediant (t₁ + t₂)/(n₁ + n₂) lies
/// between them. If empty classes are forbidden, one member in either class is enough.
#[derive(Clone, Copy, Debug)]
pub struct DeltaPresence(pub PresenceBounds);

impl DeltaPresence {
    /// The name in tables and reports. The project file has the bounds in `[delta]`.
    pub const KEY: &'static str = "presence";
}

impl Criterion for DeltaPresence {
    fn kind(&self) -> &'static CriterionKind {
        &KIND
    }

    fn required(&self) -> String {
        self.0.delta().to_string()
    }

    fn judge(&self, class: &ClassData) -> Judgement {
        let distance = self.0.distance(class.counts());
        Judgement {
            holds: self.holds(class),
            value: Some(class.counts().presence().into()),
            distance: Fraction::ratio(*distance.numer(), *distance.denom()),
        }
    }

    fn holds(&self, class: &ClassData) -> bool {
        self.0.allows(class.counts())
    }

    fn is_monotone(&self) -> bool {
        true
    }

    fn achieved(&self, classes: &mut dyn Iterator<Item = ClassData>) -> Option<String> {
        achieved(classes)
    }
}
