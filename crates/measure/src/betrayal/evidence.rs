//! The strength of the evidence in T that a column gives a quasi-identifier away, and its
//! thresholds.

use std::rc::Rc;

use super::column::{Column, NO_VALUE, Quasi};
use super::{Implied, Relation, dependency, order, text};

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

/// A relation that was found.
pub(super) struct Finding {
    pub(super) relation: Relation,
    pub(super) evidence: Evidence,
    pub(super) model: Model,
}

/// The learned model that maps a text to the values that it leaves possible.
pub(super) enum Model {
    Order(order::Model),
    Dependency(dependency::Model),
    Text(Rc<text::Model>),
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

impl Model {
    /// The values that the text of each row leaves possible.
    pub(super) fn implied(&self, column: &Column, quasi: &Quasi) -> Implied {
        let learned = match self {
            Self::Dependency(model) => model.groups(column, quasi),
            Self::Order(_) | Self::Text(_) => Vec::new(),
        };
        Implied::of(column, quasi, |text| match (self, text) {
            (Self::Dependency(model), text) => model.codes(&learned, text),
            (Self::Order(model), Some(text)) => model.codes(column, text as usize),
            (Self::Text(model), Some(text)) => model.codes(&column.texts[text as usize]),
            (Self::Order(_) | Self::Text(_), None) => None,
        })
    }
}

impl Implied {
    /// The values that each row leaves possible. `codes` gives the values of each text, and of
    /// `None` for a missing value.
    pub(super) fn of(
        column: &Column,
        quasi: &Quasi,
        codes: impl Fn(Option<u32>) -> Option<Vec<u32>>,
    ) -> Self {
        let mut sets: Vec<Vec<(u32, u32)>> = Vec::new();
        let mut known = rustc_hash::FxHashMap::default();
        let mut set = |text: Option<u32>| {
            let Some(codes) = codes(text).filter(|codes| !codes.is_empty()) else { return NO_VALUE };
            *known.entry(quasi.runs(codes)).or_insert_with_key(|runs| {
                sets.push(runs.clone());
                u32::try_from(sets.len() - 1).expect("no more sets than texts")
            })
        };
        let of_text: Vec<u32> = (0..).take(column.texts.len()).map(|text| set(Some(text))).collect();
        let blank = set(None);
        let of_cell = |&cell: &u32| of_text.get(cell as usize).copied().unwrap_or(blank);
        Self { of_row: column.cells.iter().map(of_cell).collect(), sets }
    }
}
