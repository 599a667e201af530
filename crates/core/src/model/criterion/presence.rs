//! δ-presence: δmin ≤ t/n ≤ δmax for a class with t members of T among n individuals of P (paper, definition 2).

use super::kind::{ClassData, Criterion, Judgement, Needs};
use crate::model::{Delta, Fraction, Presence};

/// δ-presence, under a δ that includes whether a class may be without members.
///
/// Monotone: if t₁/n₁ and t₂/n₂ are within the bounds, their mediant (t₁ + t₂)/(n₁ + n₂) lies
/// between them. If empty classes are forbidden, one member in either class is enough.
#[derive(Clone, Copy, Debug)]
pub struct DeltaPresence(pub Delta);

impl DeltaPresence {
    /// The name in tables and reports. The project file has the bounds in `[delta]`.
    pub const KEY: &'static str = "presence";
}

impl Criterion for DeltaPresence {
    fn key(&self) -> &'static str {
        Self::KEY
    }

    fn required(&self) -> String {
        self.0.to_string()
    }

    fn needs(&self) -> Needs {
        Needs::Counts
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
        let span = |span: Option<(Presence, Presence)>, presence: Presence| match span {
            Some((least, greatest)) => Some((least.min(presence), greatest.max(presence))),
            None => Some((presence, presence)),
        };
        let (least, greatest) = classes.map(|class| class.counts().presence()).fold(None, span)?;
        Some(format!("({least}, {greatest})"))
    }
}
