//! People with equal priors, and the belief about them.

use crate::model::Presence;

/// People of a class with the same prior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Group {
    pub(super) prior: Presence,
    pub(super) people: u64,
}

/// The belief about each person of a group, with a bound of its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Belief {
    pub(super) value: f64,
    /// Absolute error; 0 if `exactly` is known.
    pub(super) error: f64,
    pub(super) exactly: Option<Presence>,
}
