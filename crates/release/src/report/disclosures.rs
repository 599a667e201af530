//! The three disclosures that Ontario's IPC (2025) and ISO/IEC 27559 name, and the risk of each kind of attempt. Definitions:
//! `docs/measures.md`. `disclosing.rs` measures them.
//!
//! A [`Share`] of what was achieved and an upper bound are rounded up, so no rounded figure promises more than the exact one.

use serde::{Deserialize, Serialize};

/// Membership, identity and attribute disclosure, and the risk of each kind of attempt. Measured, not enforced.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DisclosuresSection {
    /// How sure an attacker is that a person is in T.
    pub membership: MembershipSection,
    /// How probably an attacker finds the row of a member.
    pub identity: IdentitySection,
    /// What an attacker who knows a member learns of the sensitive values.
    pub attribute: AttributeDisclosure,
    /// The overall risk of each kind of attempt, the largest first; empty if the release has no rows.
    pub attempts: Vec<AttemptRisk>,
}

/// A number, usually between 0 and 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// An exact fraction; a mean over classes is a decimal instead, rounded up.
    pub exact: String,
    /// In per cent, rounded up: `33.4 %`.
    pub percent: String,
}

/// Membership disclosure, also as an attack that guesses who is in T.
///
/// All figures count the members who are in P, and assume that the attacker holds all people of a class for equally likely members
/// (a uniform prior). Withdrawn members, with all people of P who match no row, are one more class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MembershipSection {
    /// Whether every posterior is within δ: the verdict.
    pub within: bool,
    /// π = |T|/|P|: the probability that a person of P is a member, before the release.
    pub prior: Share,
    /// δmax, the threshold.
    pub threshold: Share,
    /// The highest posterior: the greatest presence of a class.
    pub highest: Share,
    /// The mean posterior of a member: the mean over members of the presence of their class. Over all of P, the mean is π.
    pub mean: Share,
    /// The highest posterior divided by π, as an exact fraction; `None` if T has no members.
    pub lift: Option<String>,
    /// The lift as a decimal with two places, rounded up.
    pub lift_decimal: Option<String>,
    /// The F1 of guessing without the release.
    pub guessing: GuessingSection,
    /// The attack with the greatest expected F1: everyone in the classes with the highest presence is called a member. No attacker
    /// who knows P and the release, but not how it was made, expects more. `None` if T has no members.
    pub attack: Option<AttackSection>,
    /// The bound from δmax alone; `None` if the release breaks δmax.
    pub bound: Option<AttackBound>,
}

/// F1 = 2·precision·recall/(precision + recall) of guessing without the release. These are the two zeros of a relative F1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuessingSection {
    /// π, if the share π of P is called members at random: the convention of El Emam and others (2022).
    pub as_many: Share,
    /// 2π/(1 + π), if everyone in P is called a member.
    pub everyone: Share,
}

/// The best attack by classes. Its figures are expected figures: a lucky guess exceeds them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackSection {
    /// The number of classes whose people are called members.
    pub classes: u64,
    /// The number of people of P who are called members.
    pub people: u64,
    /// The number of members among them.
    pub members: u64,
    /// The share of members among the people who are called members.
    pub precision: Share,
    /// The share of T that is called members.
    pub recall: Share,
    /// F1.
    pub f1: Share,
    /// F1 relative to `guessing.as_many`: (F1 − π)/(1 − π); `None` if π = 1.
    pub f1_relative: Option<Share>,
    /// F1 relative to `guessing.everyone`; `None` if π = 1.
    pub f1_relative_everyone: Option<Share>,
}

/// What δmax alone limits, for every attack by whatever classes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttackBound {
    /// δmax: the greatest precision.
    pub precision: Share,
    /// 2δmax/(1 + δmax): the greatest F1.
    pub f1: Share,
    /// The greatest F1 relative to `guessing.as_many`; `None` if π = 1.
    pub f1_relative: Option<Share>,
    /// The greatest F1 relative to `guessing.everyone`; `None` if π = 1.
    pub f1_relative_everyone: Option<Share>,
    /// Whether the bound also holds for an attacker who knows the algorithm: the strategy `simulatable` made the release.
    pub knows_algorithm: bool,
}

/// Which figure of a risk counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Figure {
    /// The largest, for a public release, or if `[report] context` is not `agreement`.
    Largest,
    /// The mean, if `[report] context` is `agreement`.
    Mean,
}

/// Identity disclosure: the probability of finding the row of a member.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdentitySection {
    /// The number of classes with members.
    pub released_classes: u64,
    /// The fewest members of a class.
    pub k: u64,
    /// The fewest individuals in P of a class with members.
    pub k_map: u64,
    /// The number of members who are alone in their class.
    pub unique_members: u64,
    /// The number of members who are the only individual in P of their class.
    pub unique_people: u64,
    /// The figure that counts in this context.
    pub counts: Figure,
    /// The prosecutor, the journalist and the marketer; empty if the release has no rows.
    pub attackers: Vec<IdentityRisk>,
}

/// The attackers of identity disclosure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IdentityAttacker {
    /// Looks for the row of a person who is known to be a member: 1 over the members of the class.
    Prosecutor,
    /// Looks for the row of a person of P: 1 over the individuals in P of the class.
    Journalist,
    /// Looks for the rows of all members, so only the mean counts: the mean of the prosecutor.
    Marketer,
}

/// The risk from one attacker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IdentityRisk {
    /// The attacker.
    pub attacker: IdentityAttacker,
    /// The largest risk of a member; `None` for the marketer.
    pub largest: Option<Share>,
    /// The mean risk over members.
    pub mean: Share,
    /// Each usual threshold, the largest first.
    pub thresholds: Vec<ThresholdRisk>,
}

/// A risk against one usual threshold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThresholdRisk {
    /// `0.09`, `0.075` or `0.05`. By convention, 1/11 keeps 0.09.
    pub threshold: String,
    /// Whether the figure that counts is at most the threshold.
    pub kept: bool,
    /// The number of members whose risk is above the threshold; `None` for the marketer.
    pub members: Option<u64>,
    /// Their share of the members with a row.
    pub share: Option<Share>,
}

/// Attribute disclosure: the sensitive values of a person who is known to be a member.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AttributeDisclosure {
    /// Each sensitive attribute.
    pub attributes: Vec<SensitiveSection>,
    /// Why `attributes` is empty although the project has sensitive attributes; `None` if they are measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_measured: Option<String>,
}

/// A sensitive attribute within classes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SensitiveSection {
    /// The name of the attribute.
    pub attribute: String,
    /// l as achieved: the fewest distinct values of a class.
    pub distinct: u64,
    /// The least entropy of a class, as a number of equally frequent values.
    pub entropy: f64,
    /// t as achieved: the greatest distance of a class from T, if all values have the same distance from each other.
    pub distance: f64,
    /// The greatest ordered distance; `None` if the values are not numbers.
    pub ordered_distance: Option<f64>,
    /// The greatest distance by the attribute's hierarchy; `None` if it has none.
    pub hierarchical_distance: Option<f64>,
    /// The number of members in classes with only one value.
    pub one_value: u64,
    /// Their share of the members with a row.
    pub one_value_share: Share,
    /// The largest probability that a member has the most frequent value of the class.
    pub largest_guess: Share,
    /// The mean of this probability over members.
    pub mean_guess: Share,
}

/// The kinds of attempt to re-identify a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptKind {
    /// The release is public, so somebody tries: the probability is 1.
    Public,
    /// The project states no probability, so it is taken as 1.
    NotStated,
    /// A person who has the release tries on purpose.
    Deliberate,
    /// A person who has the release recognizes an acquaintance by chance.
    Inadvertent,
    /// A data breach gives the release to an attacker.
    Breach,
}

/// The overall risk of one kind of attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AttemptRisk {
    /// The kind.
    pub kind: AttemptKind,
    /// The probability of an attempt: `[report] attempt`, or 1.
    pub attempt: Share,
    /// The probability that an attempt finds a member's row: the figure of the prosecutor that counts.
    pub risk: Share,
    /// The overall risk: the product of both.
    pub overall: Share,
}
