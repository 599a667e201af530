//! What a release has to keep, beside being faithful.

use super::criteria::{self, Outcome, Released};
use super::suppression::Allowed;
use crate::problems::VerifyError;
use palmtop_terms::Delta;

/// What a release has to keep: δ, the other criteria, and the share of T's members that may be withdrawn.
pub(crate) struct Rules<'a> {
    /// The bounds of presence.
    pub(crate) delta: Delta,
    /// Whether every class must contain a member of T.
    pub(crate) forbids_empty: bool,
    /// The members who may be withdrawn.
    pub(crate) allowed: Allowed,
    policy: &'a [(String, String)],
}

impl<'a> Rules<'a> {
    /// Reads the texts of the project file.
    ///
    /// # Errors
    /// A [`VerifyError`] if a text is not a requirement, or not a share below 1.
    pub(crate) fn read(
        delta: Delta,
        forbids_empty: bool,
        policy: &'a [(String, String)],
        suppress_at_most: Option<&str>,
    ) -> Result<Self, VerifyError> {
        criteria::check(policy)?;
        Ok(Self { delta, forbids_empty, allowed: Allowed::read(suppress_at_most)?, policy })
    }

    /// The results of all other criteria. `rows` is `None` if a part of the file cannot be read.
    pub(crate) fn outcomes(&self, rows: Option<&Released>) -> Vec<Outcome> {
        criteria::outcomes(self.policy, rows)
    }
}
