//! The result of a verification.

use super::criteria::Outcome;
use super::in_people::Recount;
use super::rules::Rules;
use crate::people::Pseudonymized;
use crate::problems::Finding;
use palmtop_terms::{Delta, Presence};

/// The attacker model of a verified presence, as a verb phrase: "an attacker who …".
pub const ATTACKER: &str = "knows the public table's columns exactly and nothing else, and sees one release";

/// The attacker model if `added` members of T were not in P and were added to it.
pub fn attacker(added: u64) -> String {
    match added {
        0 => ATTACKER.to_owned(),
        1 => format!("counts the 1 added member in the public table, {ATTACKER}"),
        added => format!("counts the {added} added members in the public table, {ATTACKER}"),
    }
}

/// The result of a verification.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The least presence in P. All individuals who match no released row form one class: its presence is 0, or if members
    /// are withdrawn, their share of it.
    pub achieved_min: Presence,
    /// The greatest presence in P. If part of the file cannot be read, the presence is unknown and the worst case is
    /// assumed: 0 to 1.
    pub achieved_max: Presence,
    /// The number of released rows.
    pub rows: u64,
    /// The number of classes: distinct combinations of published quasi-identifiers.
    pub classes: u64,
    /// The number of individuals in P.
    pub public: u64,
    /// The number of members of T.
    pub private: u64,
    /// The number of members left out because they are not in P. The other numbers do not include them.
    pub dropped: u64,
    /// The number of members who were not in P and were added to it. The other numbers include them.
    pub added: u64,
    /// The rows of P and of T that are no people, by the project. No other number includes them.
    pub left_out: (u64, u64),
    /// The number of individuals in P who match no released row.
    pub unmatched: u64,
    /// The number of members of T among them, if the project allows withdrawals; else 0.
    pub withdrawn: u64,
    /// The number of members who may be withdrawn.
    pub withdrawn_at_most: u64,
    /// The rows of P and of T that repeat a person and are left out. The other numbers do not include them.
    pub repeats: (u64, u64),
    /// The number of rows of P, if people have several rows. Classes and people are then counted in people, `rows` in rows.
    pub public_rows: Option<u64>,
    /// The columns with pseudonyms instead of an identifier.
    pub pseudonyms: Vec<Pseudonymized>,
    /// The bounds of presence.
    pub delta: Delta,
    /// Whether every class must contain a member of T.
    pub forbids_empty: bool,
    /// The number of distinct texts of quasi-identifiers beyond the limits of the project.
    pub beyond_limits: u64,
    /// The outcome of every criterion except δ, including those that are measured but not enforced.
    pub criteria: Vec<Outcome>,
    /// The problems that make the file unfaithful or break a rule of the project. Of each kind the first ten are listed.
    pub problems: Vec<Finding>,
}

impl Findings {
    /// The attacker model of the verified presence, as a verb phrase.
    pub fn attacker(&self) -> String {
        attacker(self.added)
    }

    /// Whether the file is a faithful release of T: its content agrees with T, and it has the form of a release. A faithful
    /// release may break δ.
    pub fn is_faithful(&self) -> bool {
        !self.problems.iter().any(Finding::is_unfaithful)
    }

    /// Whether the policy holds: [δ](Self::keeps_delta), every other criterion and the limits. The answer is meaningful only
    /// for a [faithful](Self::is_faithful) file.
    pub fn is_present(&self) -> bool {
        self.keeps_delta() && self.beyond_limits == 0 && self.criteria.iter().all(|outcome| outcome.holds)
    }

    /// Replaces the counts of rows by counts of people, for people who have several rows.
    pub(crate) fn count_in_people(&mut self, rules: &Rules, recount: &Recount) {
        (self.achieved_min, self.achieved_max) = (recount.least, recount.greatest);
        (self.classes, self.unmatched) = (recount.classes, recount.unmatched);
        self.criteria = rules.outcomes(recount.released.as_ref());
    }

    /// Whether every presence is within δ, and no class is empty if empty classes are forbidden.
    pub fn keeps_delta(&self) -> bool {
        let are_filled = !self.forbids_empty || self.unmatched == 0 || self.withdrawn > 0;
        are_filled && self.delta.min() <= self.achieved_min && self.achieved_max <= self.delta.max()
    }
}
