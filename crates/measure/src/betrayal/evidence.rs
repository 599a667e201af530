//! The strength of the evidence in T that a column gives a quasi-identifier away, and its
//! thresholds.

use super::relation::Relation;

/// The fewest predicted rows that give evidence.
const LEAST_ROWS: u64 = 20;
/// The fewest right rows, beyond those expected by chance, that give evidence.
const LEAST_GAIN: f64 = 10.0;
/// The least share of predicted rows that must be right.
const FITTING: f64 = 0.9;
/// The greatest share of people that several possible values may leave.
const LEFT: f64 = 0.25;
/// The least share of a guess's errors that a single predicted value must avoid.
const AVOIDED: f64 = 0.8;

/// The evidence for a relation in T.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Evidence {
    /// The number of rows with both values.
    pub(super) rows: u64,
    /// The number of these rows for which the relation predicts values.
    pub(super) speaking: u64,
    /// The number of predicted rows whose value is among the predicted ones.
    pub(super) hits: u64,
    /// The number of rows that would fit by chance: by the size of the sets, or by the most
    /// frequent value.
    pub(super) chance: f64,
    /// The mean share of rows that have a predicted value.
    pub(super) share: f64,
}

/// A relation that was found, with the learned model that maps a text to the values that it leaves
/// possible.
pub(super) struct Finding<M> {
    pub(super) relation: Relation,
    pub(super) evidence: Evidence,
    pub(super) model: M,
}

impl<M> Finding<M> {
    /// The same finding, with a model of another type.
    pub(super) fn with_model<N>(self, change: impl Fn(M) -> N) -> Finding<N> {
        Finding { relation: self.relation, evidence: self.evidence, model: change(self.model) }
    }
}

impl Evidence {
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn hit_share(&self) -> f64 {
        self.hits as f64 / self.speaking as f64
    }

    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn gain(&self) -> f64 {
        self.hits as f64 - self.chance
    }

    /// The share of the errors of a random guess that the relation avoids.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn avoided(&self) -> f64 {
        self.gain() / (self.speaking as f64 - self.chance)
    }

    /// Whether the rows are enough to give evidence.
    fn is_enough(&self) -> bool {
        self.speaking >= LEAST_ROWS && self.gain() >= LEAST_GAIN
    }

    /// Whether the sets of possible values nearly always fit and leave few people.
    pub(super) fn is_narrow(&self) -> bool {
        self.is_enough() && self.hit_share() >= FITTING && self.share <= LEFT
    }

    /// Whether the single predicted value is nearly always right, and far more often than a guess.
    pub(super) fn is_certain(&self) -> bool {
        self.is_enough() && self.hit_share() >= FITTING && self.avoided() >= AVOIDED
    }

    /// Whether the texts have common parts far more often than chance explains.
    pub(super) fn is_common(&self) -> bool {
        let is_frequent = self.hit_share() >= 0.5 && self.share * 4.0 <= self.hit_share();
        self.is_certain() || (self.is_enough() && is_frequent)
    }

    /// The share of people who are left, divided by the share of right rows. Less is stronger.
    pub(super) fn score(&self) -> f64 {
        self.share / self.hit_share()
    }
}
