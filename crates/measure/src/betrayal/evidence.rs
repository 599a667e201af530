//! How strongly T shows that a column gives a quasi-identifier away, and when that is enough.

use std::rc::Rc;

use super::column::{Column, NO_VALUE, Quasi};
use super::{Implied, Relation, dependency, order, text};

/// Fewer rows show nothing.
const LEAST_ROWS: u64 = 20;
/// Fewer rows beyond those that chance explains show nothing.
const LEAST_GAIN: f64 = 10.0;
/// The rows that have to fit, of those for which the column says something.
const FITTING: f64 = 0.9;
/// The share of people that several possible values may leave.
const LEFT: f64 = 0.25;
/// The share of the errors of a guess that a single value has to avoid.
const AVOIDED: f64 = 0.8;

/// What a relation comes to in T.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Evidence {
    /// The rows with both values.
    pub(super) rows: u64,
    /// Of these, the rows for which the relation says something.
    pub(super) speaking: u64,
    /// Of these, the rows whose value is among those that it leaves possible.
    pub(super) hits: u64,
    /// The rows that would fit by chance: by the size of the sets, or by the most frequent value.
    pub(super) chance: f64,
    /// The mean share of rows that have a value which it leaves possible.
    pub(super) share: f64,
}

/// A relation that was found.
pub(super) struct Finding {
    pub(super) relation: Relation,
    pub(super) evidence: Evidence,
    pub(super) model: Model,
}

/// What says which values a text leaves possible.
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

    /// The share of the errors of chance that the relation avoids.
    #[expect(clippy::cast_precision_loss, reason = "counts of rows")]
    fn avoided(&self) -> f64 {
        self.gain() / (self.speaking as f64 - self.chance)
    }

    /// Whether so many rows can show anything.
    fn is_enough(&self) -> bool {
        self.speaking >= LEAST_ROWS && self.gain() >= LEAST_GAIN
    }

    /// Whether a set of possible values fits nearly always and leaves few people.
    pub(super) fn is_narrow(&self) -> bool {
        self.is_enough() && self.hit_share() >= FITTING && self.share <= LEFT
    }

    /// Whether the one value that is predicted is right nearly always, and far more often than a guess.
    pub(super) fn is_certain(&self) -> bool {
        self.is_enough() && self.hit_share() >= FITTING && self.avoided() >= AVOIDED
    }

    /// Whether texts have each other's text far more often than chance explains.
    pub(super) fn is_common(&self) -> bool {
        let is_frequent = self.hit_share() >= 0.5 && self.share * 4.0 <= self.hit_share();
        self.is_certain() || (self.is_enough() && is_frequent)
    }

    /// The share of people who are left for each row that fits: less is stronger.
    pub(super) fn score(&self) -> f64 {
        self.share / self.hit_share()
    }
}

impl Model {
    /// The values that each row's text leaves possible.
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
    /// The values that each row leaves possible, given those of each text and of no value.
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
